"""What the command line or the settings ask for and a table does not do, since another game is in its folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from device.cli.output import counted
from device.config import Config
from device.errors import Fault
from device.journal import Journal
from device.rulesfile import load_rules

ASKED = ("players", "rules")


def not_used(
    state: Mapping[str, Any], config: Config, options: Collection[str], settings: Collection[str], file: Path, begun: Callable[[], Sequence[str]]
) -> str | None:
    """One line where another game is here than the one asked for; None where it is that one, or none was asked for.

    options, settings: which of players and rules the command line and the settings in `file` name; config: what they name.
    begun: the people whom the game was begun with; they may have come and gone since, and it is the same game.
    """
    asked = [name for name in ASKED if name in options or (name in settings and getattr(config, name))]
    if not asked or state["demo"] or state["phase"] == "lobby":
        return None
    names = [player["name"] for player in state["players"]]
    wanted = sorted(name.strip() for name in config.players)
    other = []
    if "players" in asked and wanted != sorted(names) and wanted != sorted(begun()):
        other.append("players")
    if "rules" in asked and load_rules(config.rules).switches() != state["rules"]["switches"]:
        other.append("rules")
    if not other:
        return None
    typed, written = [f"--{name}" for name in other if name in options], [f"the {name}" for name in other if name not in options]
    what = " and ".join([*typed, *written]) + (f" of {file}" if written else "")
    are = "is" if len(typed) == 1 and not written else "are"
    now, first = ("has ended", "start it") if state["over"] else ("is going on", "end this one and start it")
    return (
        f"{what} {are} not used: a game of {'、'.join(names)} by the rules {state['rules']['preset']} {now} here "
        f"({counted(state['throws'], 'throw')}); for another one {first} on the phone, or name another --data"
    )


def begun_with(path: Path) -> list[str]:
    """The people whom the last game of the journal at `path` was begun with; none where it can't be read."""
    names: list[str] = []
    try:
        with Journal.view(path) as journal:
            for record in journal.since(0):
                if record.type == "Started":
                    names = [name for _, name in record.data["players"]]
    except Fault:
        return []
    return names
