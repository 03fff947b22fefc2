"""Who may use which route: the whole list. A route that is not in it is refused to everybody, and a test names it."""

from __future__ import annotations

from device.pairing import Role

VIEWER, OPERATOR, ADMIN = Role.VIEWER, Role.OPERATOR, Role.ADMIN

ROLES: dict[str, Role] = {
    "GET /static/<path:filename>": VIEWER,
    # what everybody in the room may see
    "GET /": VIEWER,
    "GET /phone": VIEWER,
    "GET /qr.svg": VIEWER,
    "GET /pair": VIEWER,
    "GET /healthz": VIEWER,
    "GET /api/state": VIEWER,
    "GET /api/throws": VIEWER,
    "GET /api/events": VIEWER,
    "GET /api/docs": VIEWER,
    "POST /api/pair": VIEWER,
    # pictures of throws: as the table's settings say, see PICTURES
    "GET /stills/<name>": VIEWER,
    "GET /replays/<name>": VIEWER,
    # the game
    "POST /api/commands": OPERATOR,
    "POST /api/button": OPERATOR,
    "GET /setup": OPERATOR,
    "GET /api/pairing": OPERATOR,
    "POST /api/pairing": OPERATOR,
    "GET /pair.svg": OPERATOR,
    # what is kept: names, results and tables to download
    "GET /keep": OPERATOR,
    "GET /keep/<int:number>/<sheet>": OPERATOR,
    "GET /keep/<int:number>/standings.csv": OPERATOR,
    "GET /keep/<int:number>/throws.csv": OPERATOR,
    "GET /keep/<int:number>/game.json": OPERATOR,
    # the camera's desk (design.md, "HTTP"): after a knock whoever operates puts it right with one tap
    "GET /calibrate": OPERATOR,
    "GET /api/camera": OPERATOR,
    "POST /api/camera": OPERATOR,
    "GET /api/camera/live.mjpg": OPERATOR,
    "GET /api/camera/test.jpg": OPERATOR,
    # what leaves the table
    "POST /api/diagnostics": ADMIN,
}
PICTURES = ("GET /stills/<name>", "GET /replays/<name>")
"""What viewers see of the camera; where the settings keep pictures from them, these are for operators."""


def needed(method: str, rule: str, viewers_see_pictures: bool) -> Role | None:
    """The role that a request must have; None: the route was never declared."""
    key = f"{'GET' if method == 'HEAD' else method} {rule}"
    return OPERATOR if key in PICTURES and not viewers_see_pictures else ROLES.get(key)
