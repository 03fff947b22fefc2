"""The API's own description (OpenAPI 3.1), served at /api/docs; a test holds it to the routes and to the commands."""

from __future__ import annotations

from typing import Any

from device.screen import LANGUAGES, SCENES, THEMES
from web_ui.openapi_guard import SCHEMES, guarded
from web_ui.openapi_guard import paths as guard_paths

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer", "minimum": 1}
FACE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
SIX: Schema = {"type": "array", "items": FACE, "minItems": 6, "maxItems": 6}
TIERS = ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu")
BY_TIER: Schema = {"type": "object", "properties": dict.fromkeys(TIERS, COUNT), "additionalProperties": False}
PRIZE: Schema = {
    "type": "object",
    "properties": {"name": TEXT, "value": {"type": "number"}, "gifts": {"type": "array", "items": TEXT}},
}


def one_of(*choices: Schema) -> Schema:
    """Exactly one of several shapes."""
    return {"oneOf": list(choices)}


def fields(required: str = "", **properties: Schema) -> Schema:
    """An object; `required` names fields, separated by blanks."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required.split()
    return schema


CONST_TRUE: Schema = {"const": True}
PLAYER_CHANGES = one_of(
    fields("add", add=fields("name", name=TEXT, before=TEXT)),
    fields("rename", rename=fields("player name", player=TEXT, name=TEXT)),
    fields("move", move=fields("player", player=TEXT, before={"type": ["string", "null"]})),
    fields("sit_out", sit_out=fields("player", player=TEXT)),
    fields("return", **{"return": fields("player", player=TEXT)}),
    fields("leave", leave=fields("player", player=TEXT)),
)
FIRST = one_of(
    {"type": "null"},
    {"const": "random"},
    fields("player", player=TEXT),
    fields("elder dice", elder=TEXT, dice={"type": "array", "items": FACE, "minItems": 2, "maxItems": 2}),
)

BUTTON: Schema = fields(
    "button edge age",
    button={"enum": ["A", "B", "C", "D"]},
    edge={"enum": ["down", "up", "gone"]},
    age={"type": "integer", "minimum": 0, "maximum": 60000},
)

COMMANDS: dict[str, tuple[str, Schema]] = {
    "start": (
        "begin a game",
        fields(
            "players",
            players={"type": "array", "items": TEXT, "minItems": 1},
            rules=one_of(TEXT, {"type": "object"}),
            prizes={"type": "object", "properties": dict.fromkeys(TIERS, PRIZE)},
            first=FIRST,
        ),
    ),
    "throw": ("a throw entered by hand", fields("dice", dice=SIX)),
    "confirm": ("answer the question: these dice, or the guess", fields(dice=SIX)),
    "correct": (
        "put a throw of the past right: its dice, that it jumped, or whose it was",
        {**fields("throw", throw=NUMBER, dice=SIX, jump=CONST_TRUE, player=TEXT)},
    ),
    "jump": ("a die left the bowl", fields()),
    "rethrow": ("all six again, same player, no penalty", fields()),
    "skip": ("a player passes", fields(player=TEXT)),
    "undo": ("take the last change back", fields()),
    "redo": ("do it again", fields()),
    "player": ("who sits at the table", PLAYER_CHANGES),
    "gift": ("which named gift a throw won", fields("throw gift", throw=NUMBER, gift=TEXT)),
    "assign": (
        "who grabbed what in the scramble",
        fields("tier n player", tier={"enum": list(TIERS)}, n=NUMBER, player=TEXT),
    ),
    "give_back": ("put won cakes back on the table", fields("player cakes", player=TEXT, cakes=BY_TIER)),
    "pause": ("stop reading throws", fields()),
    "resume": ("read throws again", fields()),
    "end": ("close the game", fields()),
    "tv": (
        "how the TV looks and sounds; stored nowhere",
        fields(
            volume={"type": "integer", "minimum": 0, "maximum": 100},
            mute={"type": "boolean"},
            voice={"type": "boolean"},
            theme={"enum": list(THEMES)},
            scene={"enum": list(SCENES)},
            language={"enum": list(LANGUAGES)},
        ),
    ),
}
REFUSAL: Schema = fields("error key zh en", error=TEXT, key=TEXT, zh=TEXT, en=TEXT)
STATE: Schema = {
    "type": "object",
    "description": "the whole state of the table",
    "required": [
        "version", "demo", "language", "confirm", "phase", "notice", "turn", "lap", "rules", "tiers", "players", "champion",
        "champions", "throws", "last", "history", "gifts", "question", "scramble", "over", "ended_by", "can_undo", "can_redo", "odds", "tv",
        "undoes", "redoes", "faces", "started",
    ],
    "properties": {
        "version": COUNT,
        "language": TEXT,
        "phase": {"enum": ["lobby", "throw", "reading", "question", "clear", "paused", "over"]},
        "lap": COUNT,
        "throws": COUNT,
        "over": {"type": "boolean"},
        "tiers": {"type": "array", "items": {"type": "object"}},
        "players": {"type": "array", "items": {"type": "object"}},
    },
}  # fmt: skip


def answer(text: str, schema: Schema | None, media: str = "application/json") -> Schema:
    """One response."""
    return {"description": text, "content": {media: {"schema": schema} if schema else {}}}


def reference(name: str) -> Schema:
    """A schema by its name among the components."""
    return {"$ref": f"#/components/schemas/{name}"}


def command_schema(name: str, schema: Schema) -> Schema:
    """The body of one command: its name, the version that its sender saw, and its own fields."""
    base = fields("command version", command={"const": name}, version=COUNT)
    return {"allOf": [base, schema]}


def page(summary: str, *parts: str, media: str = "text/html") -> Schema:
    """A page or file to look at; parts: what stands in its address."""
    inside = [{"name": part, "in": "path", "required": True, "schema": TEXT} for part in parts]
    found = {"200": answer(summary, TEXT, media)}
    return {"get": {"summary": summary, **({"parameters": inside} if inside else {}), "responses": found}}


DESK: Schema = fields("do", do={"enum": ["choose", "calibrate", "recalibrate", "rim", "test", "two", "cancel", "enrol"]})
CAMERA: Schema = {
    "/calibrate": page("the camera's page: picker, live picture, rim, what is good and what to move, test throw, dice"),
    "/api/camera": {
        "get": {
            "summary": "cameras, calibration, dice and test throw (docs/state.md)",
            "responses": {"200": answer("the desk", {"type": "object"}), "503": answer("no reader is installed", reference("Refusal"))},
        },
        "post": {
            "summary": "set the camera up",
            "requestBody": {"required": True, "content": {"application/json": {"schema": DESK}}},
            "responses": {
                "200": answer("the desk", {"type": "object"}),
                "400": answer("it is malformed or makes no sense now", reference("Refusal")),
                "403": answer("sent by a page of another origin", reference("Refusal")),
                "415": answer("not application/json", reference("Refusal")),
                "503": answer("something in the world is wrong", reference("Refusal")),
            },
        },
    },
    "/api/camera/live.mjpg": page("the live picture, 640x360; two viewers at most", media="multipart/x-mixed-replace"),
    "/api/camera/test.jpg": page("the picture of the last test throw", media="image/jpeg"),
    "/replays/{name}": page("the film of a throw that took the champion cake, NAME.webp", "name", media="image/webp"),
}


def document() -> Schema:
    """The whole description."""
    no = reference("Refusal")
    parameter = {"name": "name", "in": "path", "required": True, "schema": TEXT}
    after = {
        "name": "after",
        "in": "query",
        "schema": COUNT,
        "description": "send what came after this journal number first",
    }
    last = {"name": "Last-Event-ID", "in": "header", "schema": COUNT, "description": "the same; goes before `after`"}
    stale = {"allOf": [no, fields("state", state=reference("State"))]}
    paths: Schema = {
        "/": {"get": {"summary": "the TV board", "responses": {"200": answer("page", TEXT, "text/html")}}},
        "/phone": page("the phone: the operator's page, or with ?follow=1 a follower's"),
        "/setup": page("the set-up path: language, camera, bowl, dice, players, house rules, prizes, box"),
        "/keep": page("old games, with what can be printed and downloaded of each"),
        "/keep/{number}/{sheet}": page("a page to print: results, prizes, vouchers or certificate", "number", "sheet"),
        "/keep/{number}/standings.csv": page("standings and prizes of a game", "number", media="text/csv"),
        "/keep/{number}/throws.csv": page("every throw of a game", "number", media="text/csv"),
        "/keep/{number}/game.json": page("a whole game", "number", media="application/json"),
        "/qr.svg": page("the code that leads phones here; 404 where they can't come", media="image/svg+xml"),
        **CAMERA,
        "/api/state": {
            "get": {"summary": "the whole state", "responses": {"200": answer("state", reference("State"))}}
        },
        "/api/events": {
            "get": {
                "summary": "what happens, as server-sent events: `stored` with the journal number as id, `phase` without",
                "parameters": [after, last],
                "responses": {
                    "200": answer("the stream", TEXT, "text/event-stream"),
                    "400": answer("the number is no number", no),
                    "503": answer("too many pages follow: Retry-After says when to look again", no),
                },
            }
        },
        "/api/throws": {
            "get": {
                "summary": "every throw of the game, newest first",
                "responses": {"200": answer("throws", {"type": "object"})},
            }
        },
        "/api/commands": {
            "post": {
                "summary": "change the game",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": reference("Command")}},
                },
                "responses": {
                    "200": answer("the new state", reference("State")),
                    "400": answer("the command is malformed or makes no sense now", no),
                    "403": answer("sent by a page of another origin", no),
                    "409": answer("given for an older state; the current one comes along", stale),
                    "413": answer("larger than 256 kB", no),
                    "415": answer("not application/json", no),
                    "503": answer("something in the world is wrong", no),
                },
            }
        },
        "/api/button": {
            "post": {
                "summary": "a key of the board's page as a button of the table; from browsers on this machine only",
                "requestBody": {"required": True, "content": {"application/json": {"schema": BUTTON}}},
                "responses": {
                    "204": {"description": "heard; what it meant is seen on the board"},
                    "400": answer("no button", no),
                    "403": answer("from another machine, or by a page of another origin", no),
                    "404": answer("this table listens to no buttons", no),
                    "413": answer("larger than 256 kB", no),
                    "415": answer("not application/json", no),
                },
            }
        },
        "/api/docs": {
            "get": {"summary": "this description", "responses": {"200": answer("OpenAPI", {"type": "object"})}}
        },
        "/stills/{name}": {
            "get": {
                "summary": "the picture of a throw",
                "parameters": [parameter],
                "responses": {"200": answer("picture", None, "image/jpeg"), "404": answer("no such picture", no)},
            }
        },
        "/healthz": {
            "get": {
                "summary": "camera, reader, journal, box: each `ok`, or in words what is wrong or that it is not there",
                "responses": {"200": answer("health", {"type": "object", "additionalProperties": TEXT})},
            }
        },
    }
    schemas: Schema = {
        "State": STATE,
        "Refusal": REFUSAL,
        "Command": one_of(*(reference(f"Command_{n}") for n in COMMANDS)),
    }
    for name, (summary, schema) in COMMANDS.items():
        schemas[f"Command_{name}"] = {"description": summary, **command_schema(name, schema)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Bo Bing table",
            "version": "1",
            "description": "Any address but a loopback or allowed name is refused. `x-role` names who may; who asks from the table's own machine may all, and needs no key.",
        },
        "paths": guarded({**paths, **guard_paths(no)}, no),
        "components": {"schemas": schemas, "securitySchemes": SCHEMES},
    }
