"""How phones find the table: the address they can reach, and the code (QR) that leads there."""

from __future__ import annotations

import io
import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, request

from web_ui.answers import refusal
from web_ui.guard import LOOPBACK, host_name

PATH = "/phone?follow=1"


def reachable(host: str, hosts: Iterable[str]) -> str | None:
    """host:port that a phone in the room can open, from the Host header of a page; None where only this machine is served.

    hosts: the further names and addresses of this machine; a page opened as localhost is told the first IPv4 address of them.
    """
    name = host_name(host)
    if name and name not in LOOPBACK:
        return host
    port = urlsplit(f"//{host}").port
    for one in hosts:
        try:
            address = ipaddress.ip_address(one)
        except ValueError:
            continue
        if address.version == 4 and not address.is_loopback and not address.is_unspecified:
            return one if port is None else f"{one}:{port}"
    return None


def not_reachable() -> Response:
    """There is no address that a code could lead to."""
    return refusal(404, "not_reachable", "phones can't reach this machine: start it with --host 0.0.0.0", "手机连不到本机：请用 --host 0.0.0.0 启动")


def create_follow(hosts: tuple[str, ...]) -> Blueprint:
    """The route `/qr.svg`: the code that leads a phone here."""
    blueprint = Blueprint("follow", __name__)

    @blueprint.get("/qr.svg")
    def code() -> Response:
        address = reachable(request.host, hosts)
        if address is None:
            return not_reachable()
        drawing = io.BytesIO()
        segno.make(f"{request.scheme}://{address}{PATH}", error="m").save(
            drawing, kind="svg", border=2, dark="#14202e", light="#fffdf6", xmldecl=False, nl=False
        )
        response = Response(drawing.getvalue(), mimetype="image/svg+xml")
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint
