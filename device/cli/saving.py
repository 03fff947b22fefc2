"""`bobing backup` and `bobing restore`."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path

from device.backup import back_up, name_of, restore
from device.cli.output import OK, counted, emit, line, say
from device.config import Places, places
from device.games import games
from device.journal import FILE_NAME, Journal
from device.pairing import FILE_NAME as PAIRED


def run_backup(out: str | None, data: str | None, pictures: bool, as_json: bool) -> int:
    """Write a backup; the table may be playing."""
    wall = time.time()
    file = Path(out if out is not None else name_of(wall))
    manifest = back_up(places(None if data is None else Path(data)), file, wall, pictures)
    _tell(file, manifest, as_json)
    missing = manifest.get("missing")
    for named in missing if isinstance(missing, list) else ():
        say(f"bobing: {named}: the settings name this file, but it is not there, and so not in the backup either: put it back, or make it anew")
    return OK


def run_restore(file: str, data: str | None, as_json: bool) -> int:
    """Put a backup back; the table must not be running."""
    where = places(None if data is None else Path(data))
    manifest, aside = restore(Path(file), where)
    _tell(Path(file), manifest, as_json)
    say(f"bobing: {_restored(where)}")
    if aside is not None:
        say(f"bobing: what was there before lies in {aside}")
    if _paired(where.data / PAIRED):
        say("bobing: phones that were paired here still are; a backup holds none")
    here = "" if data is None else f" --data {shlex.quote(data)}"
    say(f"bobing: go on with bobing run{here}")
    return OK


def _paired(file: Path) -> bool:
    """Whether a phone is paired here; a damaged file is told when the table is started."""
    try:
        return bool(json.loads(file.read_bytes())["sessions"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _restored(where: Places) -> str:
    """What the journal holds now, in words: how many games and throws, and until when."""
    with Journal.view(where.data / FILE_NAME) as journal:
        played = games(journal.since(0))
    if not played:
        return "restored: a journal in which no game was begun"
    throws = sum(past.play.game.ledger.throws for past in played if past.play.game is not None)
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(played[-1].last))
    return f"restored: {counted(len(played), 'game')}, {counted(throws, 'throw')}, the last one changed on {until}"


def _tell(file: Path, manifest: dict[str, object], as_json: bool) -> None:
    files, records = manifest["files"], manifest["records"]
    assert isinstance(files, dict) and isinstance(records, int)
    if as_json:
        emit({"file": str(file), "records": records, "files": sorted(files)})
    else:
        line(f"{file}: {counted(records, 'record')}, {counted(len(files), 'file')}")
