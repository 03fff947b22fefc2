"""`bobing record`: a game as with `bobing run`, its pictures and what people confirmed kept for a later `bobing watch`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from device.cli.appliance import Elsewhere, Options, Serve
from device.cli.output import CallError, counted, say
from device.recorder import TRUTH, VIDEO, Recorder
from device.sources import must_be_there
from device.table import Table


def run_record(
    source: str, out: str, host: str | None, port: int | None, data: str | None, players: str | None, serve: Serve, elsewhere: Elsewhere
) -> int:
    """Run until interrupted, then write the truth beside the recording."""
    if source == "demo":
        raise CallError("record: --source demo is a recording already: name a camera")
    folder = Path(out)
    recorder = Recorder(folder)

    def ready(table: Table, ending: ExitStack) -> None:
        recorder.follow(table)
        _say_where_no_game_is_played(table.state())
        ending.callback(ended)

    def ended() -> None:
        throws = recorder.close()
        if throws is None:
            say("bobing: nothing is recorded: no picture came from the camera")
            return
        if recorder.ended:
            say("bobing: the recording ended before the table did, after ten minutes or where the camera's pictures changed their size; later throws are not in it")
        say(f"bobing: {counted(throws, 'throw')} recorded: bobing watch --source {folder / VIDEO}; what they were is in {folder / TRUTH}")

    try:
        must_be_there(source)
        say(f"bobing: recording to {folder / VIDEO}, at most ten minutes")
        options = Options(source, host, port, data, None, None, players, recorder.see, ready, elsewhere)
        return options.run(serve)
    finally:
        recorder.tidy()


def _say_where_no_game_is_played(state: dict[str, Any]) -> None:
    if state["phase"] not in ("lobby", "over"):
        return
    why = "the game in this data folder has ended" if state["phase"] == "over" else "no game is played without --players (甲,乙,丙)"
    say(f"bobing: {why}: only pictures are recorded and no throw is confirmed, until a game is started on the phone")
