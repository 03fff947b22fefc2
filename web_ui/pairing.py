"""Pairing over HTTP: a phone gives the code and gets a cookie; operators show codes, look at what is paired and end it."""

from __future__ import annotations

import io
from typing import Any

import segno
from flask import Blueprint, Response, g, jsonify, request

from device.errors import Fault, Refused
from device.pairing import UNSEEN_S, Locked, Offer, Pairing, Role
from web_ui.answers import refusal
from web_ui.api import BadBody, fresh, object_of
from web_ui.follow import not_reachable, reachable
from web_ui.guard import COOKIE, may, pair_page

ROLES = {"operator": Role.OPERATOR, "admin": Role.ADMIN}


def create_pairing(pairing: Pairing | None, hosts: tuple[str, ...] = ()) -> Blueprint:
    """The routes `/pair`, `/pair.svg`, `/api/pair` and `/api/pairing`; without a pairing they say that there is none."""
    routes = Blueprint("pairing", __name__)

    @routes.get("/pair")
    def page() -> Response:
        return pair_page()

    @routes.post("/api/pair")
    def pair() -> Response:
        if pairing is None:
            return nobody_can()
        body = body_of()
        if isinstance(body, Response):
            return body
        code, name = body.get("code"), body.get("name", "")
        if not isinstance(code, str) or not isinstance(name, str):
            return refusal(400, "code", 'send {"code": "123456", "name": "whose phone"}', "请发送配对码")
        try:
            token, session = pairing.pair(code, request.remote_addr or "", name)
        except Locked as locked:
            answer = refusal(429, locked.key, locked.en, locked.zh, seconds=locked.seconds)
            answer.headers["Retry-After"] = str(locked.seconds)
            return answer
        except Refused as no:
            return refusal(403, no.key, no.en, no.zh)
        except Fault as fault:
            return refusal(503, fault.key, fault.en, fault.zh)
        response = fresh(jsonify(session.as_json()))
        response.set_cookie(
            COOKIE, token, max_age=int(UNSEEN_S), httponly=True, samesite="Strict", secure=request.is_secure, path="/"
        )
        return response

    @routes.get("/api/pairing")
    def shown() -> Response:
        return nobody_can() if pairing is None else fresh(jsonify(view(pairing, hosts)))

    @routes.post("/api/pairing")
    def change() -> Response:
        if pairing is None:
            return nobody_can()
        body = body_of()
        if isinstance(body, Response):
            return body
        try:
            done = act(pairing, body)
        except Fault as fault:
            return refusal(503, fault.key, fault.en, fault.zh)
        return fresh(jsonify(view(pairing, hosts))) if done is None else done

    @routes.get("/pair.svg")
    def code() -> Response:
        offered = None if pairing is None else seen(pairing)
        if offered is None:
            return refusal(404, "no_code", "no code is on show: ask for one first", "现在没有配对码：请先要一个")
        if reachable(request.host, hosts) is None:
            return not_reachable()
        drawing = io.BytesIO()
        # after the #: browsers send that to nobody
        segno.make(f"{base(hosts)}/pair#{offered[0].code}", error="m").save(
            drawing, kind="svg", border=2, dark="#14202e", light="#fffdf6", xmldecl=False, nl=False
        )
        return fresh(Response(drawing.getvalue(), mimetype="image/svg+xml"))

    return routes


def act(pairing: Pairing, body: dict[str, Any]) -> Response | None:
    """Offer or withdraw a code, or end a session; None: done."""
    match body.get("do"):
        case "offer":
            role = ROLES.get(str(body.get("role", "operator")))
            if role is None:
                return refusal(400, "role", "role is operator or admin", "角色有误")
            if not may(role):
                return refusal(403, "role", "an operator can let in operators only", "管理员只能添加管理员")
            pairing.offer(role)
        case "withdraw":
            pairing.withdraw()
        case "revoke":
            which = str(body.get("id"))
            if which != g.who and not may(Role.ADMIN):
                return refusal(403, "role", "only the administrator may end what others paired", "只有总管理员可以解除别人的配对")
            if not pairing.revoke(which):
                return refusal(404, "no_session", "nothing is paired under that number", "没有这个配对")
        case _:
            return refusal(400, "do", "do is offer, withdraw or revoke", "操作有误")
    return None


def seen(pairing: Pairing) -> tuple[Offer, float] | None:
    """The code on show and its seconds, for whoever may let somebody in for that role: a code is worth as much as what it opens."""
    offered = pairing.offered()
    return offered if offered is not None and may(offered[0].role) else None


def view(pairing: Pairing, hosts: tuple[str, ...]) -> dict[str, Any]:
    """The code on show, for whoever may see it, what is paired, and whether a phone can reach the table at all."""
    offered = seen(pairing)
    code = None
    if offered is not None:
        offer, left = offered
        code = {"code": offer.code, "role": offer.role.name.lower(), "seconds": int(left), "address": f"{base(hosts)}/pair"}
    own = str(g.who)
    sessions = [{**s.as_json(), "own": s.id == own} for s in pairing.sessions()]
    can = reachable(request.host, hosts) is not None
    return {"role": Role(g.role).name.lower(), "offer": code, "sessions": sessions, "reachable": can}


def base(hosts: tuple[str, ...]) -> str:
    """The address under which phones reach the table; its own machine's where none does."""
    return f"{request.scheme}://{reachable(request.host, hosts) or request.host}"


def body_of() -> dict[str, Any] | Response:
    """The JSON object in the request's body, or the refusal of what is none."""
    try:
        return object_of(request.get_data())
    except BadBody as bad:
        return refusal(400, bad.key, bad.en, bad.zh)


def nobody_can() -> Response:
    """This table is served to its own machine only."""
    return refusal(404, "no_pairing", "this table pairs no phones: it is served to its own machine only", "本桌未开启配对")
