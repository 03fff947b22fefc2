"""What a browser may do here: known host names only, changes from our own pages only, nothing loaded from elsewhere.

A page elsewhere can make a browser send us requests. It cannot set our Host name (DNS rebinding) past the first test,
nor our Origin past the second; and our own pages run no inline script and load nothing from outside the room.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web_ui.answers import refusal

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" where it is malformed."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def install(app: Flask, hosts: Iterable[str]) -> None:
    """Refuse foreign hosts and origins, and add the security headers to every answer."""
    allowed = LOOPBACK | {host_name(f"[{h}]" if ":" in h and not h.startswith("[") else h) for h in hosts}

    def check() -> Response | None:
        if host_name(request.headers.get("Host", "")) not in allowed:
            return refusal(
                400,
                "host",
                "this address is not one of the table's names; use the address that it printed, or add --host",
                "这个地址不是本桌的名字，请用启动时显示的地址",
            )
        origin = request.headers.get("Origin")
        own = request.host_url.rstrip("/")
        if request.method not in SAFE_METHODS and origin is not None and origin.lower() != own.lower():
            return refusal(
                403, "origin", "changes are taken from the table's own pages only", "只接受本桌页面发来的操作"
            )
        return None

    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["X-Frame-Options"] = "DENY"
        return response

    app.before_request(check)
    app.after_request(headers)
