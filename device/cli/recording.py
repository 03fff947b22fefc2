"""`bobing record`: a game as with `bobing run`, its pictures and what people confirmed kept for a later `bobing watch`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from device.cli.appliance import Options, Serve
from device.cli.output import CallError, counted, say
from device.recorder import TRUTH, VIDEO, Recorder
from device.sources import must_be_there
from device.table import Table


def run_record(
    source: str, out: str, host: str | None, port: int | None, data: str | None, players: str | None, serve: Serve
) -> int:
    """Run until interrupted, then write the truth beside the recording."""
    if source == "demo":
        raise CallError("record: --source demo is a recording already: name a camera")
    folder = Path(out)
    recorder = Recorder(folder)
    must_be_there(source)

    def ready(table: Table, ending: ExitStack) -> None:
        recorder.follow(table)
        ending.callback(ended)

    def ended() -> None:
        throws = recorder.close()
        say(f"bobing: {counted(throws, 'throw')} recorded: bobing watch --source {folder / VIDEO}; what they were is in {folder / TRUTH}")

    say(f"bobing: recording to {folder / VIDEO}, at most ten minutes")
    options = Options(source, host, port, data, None, None, players, recorder.see, ready)
    return options.run(serve)
