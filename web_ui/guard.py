"""One guard before every request: known host names only, a role for every route, changes from our own pages only.

A page elsewhere can make a browser send us requests. It can't set our Host name (DNS rebinding) past the first test. Every
route needs the role that web_ui/roles.py declares; one without is refused to everybody. A change needs our own Origin and
the word that our own page carries; and our own pages run no inline script and load nothing from outside the room.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, g, render_template, request

from device.pairing import Pairing, Role
from web_ui.answers import refusal
from web_ui.roles import needed
from web_ui.words import catalogue, language_of, negotiate

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE = "bobing"
WORD = "X-Bobing-Token"
CONSOLE_WORD = "X-Bobing-Console"
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
BROWSER = ("Origin", "Referer", "Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode")
"""What every browser sends with a change, at least one of them."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
NAMES = {Role.OPERATOR: ("an operator", "管理员"), Role.ADMIN: ("the administrator", "总管理员")}


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" where it is malformed."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def may(role: Role) -> bool:
    """Whether whoever sent the present request may do what needs this role."""
    return bool(g.get("role", Role.VIEWER) >= role)


def lasting(role: Role) -> Callable[[], bool]:
    """The same of an answer that goes on: to be asked again while it does, since pairings are ended meanwhile."""
    pairing: Pairing | None = g.pairing
    who, now = g.who, may(role)
    if pairing is None or who in ("console", "nobody"):
        return lambda: now
    return lambda: any(one.id == who and one.role >= role for one in pairing.sessions())


def install(
    app: Flask, hosts: Iterable[str], pairing: Pairing | None = None, viewers_see_pictures: bool = True
) -> None:
    """Refuse foreign hosts and origins and whoever lacks the role, and add the security headers to every answer."""
    allowed = LOOPBACK | {host_name(f"[{h}]" if ":" in h and not h.startswith("[") else h) for h in hosts}

    def check() -> Response | None:
        name = host_name(request.headers.get("Host", ""))
        g.role, g.who, g.pairing = Role.VIEWER, "nobody", pairing
        if name not in allowed:
            return refusal(
                400,
                "host",
                "this address is not one of the table's names; use the address that it printed, or add --host",
                "这个地址不是本桌的名字，请用启动时显示的地址",
            )
        _recognise(name, pairing)
        return _without_role(viewers_see_pictures) or _not_from_our_page(pairing)

    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["X-Frame-Options"] = "DENY"
        return response

    app.before_request(check)
    app.after_request(headers)
    app.context_processor(lambda: {"page_word": word(pairing)})


def word(pairing: Pairing | None) -> str:
    """The word that pages of whoever sent the present request carry."""
    return "" if pairing is None else pairing.word(str(g.get("who", "nobody")))


def _recognise(host: str, pairing: Pairing | None) -> None:
    """Who sent this: the console (this machine, by a name of its own), a paired phone, or nobody in particular."""
    here = (request.remote_addr or "").removeprefix("::ffff:") in LOOPBACK and host in LOOPBACK
    if here and not any(name in request.headers for name in FORWARDED):
        g.role, g.who = Role.ADMIN, "console"
        return
    if pairing is None:
        return
    if hmac.compare_digest(request.headers.get(CONSOLE_WORD, "").encode(), pairing.console.encode()):
        g.role, g.who = Role.ADMIN, "console"  # whoever can read the table's folder, through any of its addresses
        return
    session = pairing.who(request.cookies.get(COOKIE))
    if session is not None:
        g.role, g.who = session.role, session.id


def _without_role(viewers_see_pictures: bool) -> Response | None:
    if request.url_rule is None:
        return None  # no such address or method: Flask says so
    role = needed(request.method, request.url_rule.rule, viewers_see_pictures)
    if request.method == "OPTIONS":
        return None
    if role is None:
        return refusal(403, "undeclared", "nobody is declared to use this address (web_ui/roles.py)", "此地址未声明权限")
    if may(role):
        return None
    en, zh = NAMES[role]
    status = 401 if g.who == "nobody" else 403
    if request.method in SAFE_METHODS and "text/html" in request.headers.get("Accept", ""):
        return pair_page(status)
    return refusal(
        status,
        "unpaired" if status == 401 else "role",
        f"only {en} may do this: pair this phone at /pair",
        f"只有{zh}可以这样做：请先在 /pair 配对",
    )


def _not_from_our_page(pairing: Pairing | None) -> Response | None:
    if request.method in SAFE_METHODS:
        return None
    # a program on this machine: no page elsewhere can send a change without what every browser sends
    if g.who != "console" or any(name in request.headers for name in BROWSER):
        origin, given = request.headers.get("Origin", ""), request.headers.get(WORD, "")
        if origin.lower() != request.host_url.rstrip("/").lower():
            return refusal(403, "origin", "changes are taken from the table's own pages only", "只接受本桌页面发来的操作")
        if pairing is not None and not hmac.compare_digest(given.encode(), word(pairing).encode()):
            return refusal(403, "page_word", "this page is out of date: load it again", "页面已过期：请重新载入")
    if request.url_rule is not None and request.mimetype != "application/json":
        # what a form of another page can send is never this
        return refusal(415, "json", "send it as application/json", "请以 application/json 发送")
    return None


def pair_page(status: int = 200) -> Response:
    """The page on which a phone is paired, in the language of whoever holds it."""
    asked = language_of(request.args.get("lang")) or language_of(request.cookies.get("language"))
    language = asked or negotiate(request.headers.get("Accept-Language"), "zh-CN")
    words = catalogue(language, "pair.", "page.pair", "hant.")
    start = {"words": words, "language": language, "role": Role(g.role).name.lower(), "who": g.who}
    page = Response(render_template("pair.html", start=start, language=language, t=words), status, mimetype="text/html")
    page.headers["Cache-Control"] = "no-store"
    return page
