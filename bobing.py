"""The command line of the Bo Bing table, and the only place that knows every room."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from device.cli.output import CALL, OK, WORLD, CallError, WorldError, line, say, speak_utf8
from device.errors import Fault, Refused
from device.permission import in_words

if TYPE_CHECKING:
    from device.config import Config
    from device.host import Host
    from web_ui.server import Server

Command = Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    """A parser whose fault is one plain line."""

    def error(self, message: str) -> NoReturn:
        where = self.prog.removeprefix("bobing").strip()
        raise CallError(f"{where + ': ' if where else ''}{message} (see {self.prog} --help)")


def _score(args: argparse.Namespace) -> int:
    from device.cli.scoring import run_score

    return run_score(args.dice, args.rules, args.json)


def _replay(args: argparse.Namespace) -> int:
    from device.cli.scoring import run_replay

    return run_replay(args.file, args.json)


def _rules(args: argparse.Namespace) -> int:
    from device.cli.scoring import run_rules

    return run_rules(args.action, args.spec, args.json)


def _read(args: argparse.Namespace) -> int:
    from device.cli.reading import run_read

    return run_read(args.images, args.calibration, args.no_bowl, args.dice, args.expect, args.json)


def _watch(args: argparse.Namespace) -> int:
    from device.cli.watching import run_watch

    return run_watch(args.source, args.calibration, args.no_bowl, args.dice, args.expect, args.json, args.realtime)


def _calibrate(args: argparse.Namespace) -> int:
    from device.cli.calibrating import run_calibrate

    return run_calibrate(args.sources, args.out, args.json)


def _enrol(args: argparse.Namespace) -> int:
    from device.cli.enrolling import run_enrol

    return run_enrol(args.sources, args.out, args.calibration, args.values, args.json)


def _export(args: argparse.Namespace) -> int:
    from device.cli.exporting import run_export

    return run_export(args.format, args.data)


def _boxes(args: argparse.Namespace) -> int:
    from device.cli.boxes import run_boxes, run_udev
    from device.config import load, places

    if args.udev:
        return run_udev()
    where = places(None if args.data is None else Path(args.data))
    return run_boxes(load(where.config), args.ask, args.json)


def _box_flash(args: argparse.Namespace) -> int:
    from device.cli.flashing import run_flash

    return run_flash(args.port, args.board, args.id, args.json)


def _box_test(args: argparse.Namespace) -> int:
    from device.cli.box_walk import run_walk

    return run_walk(args.port, args.json)


def _box_emulate(args: argparse.Namespace) -> int:
    from device.cli.emulating import run_emulate

    return run_emulate(args.link, args.tcp, args.id, args.json)


def _bench(args: argparse.Namespace) -> int:
    from device.cli.benching import run_bench

    return run_bench(args.json)


def _serve(host: Host, config: Config) -> Server:
    from web_ui.app import create_app
    from web_ui.server import Server, own_names

    app = create_app(
        host,
        hosts=own_names(config.host),
        desk=host.desk,
        pairing=host.pairing,
        viewers_see_pictures=config.viewers_see_pictures,
    )
    pair = None
    if config.certificate is not None and config.key is not None:
        pair = (Path(config.certificate), Path(config.key))
    return Server(app, config.host, config.port, pair, lambda fault: host.log.write("web", fault=fault))


def _elsewhere(config: Config, port: int) -> str | None:
    from device.running import reachable_here
    from web_ui.follow import reachable
    from web_ui.server import own_names

    scheme, _, here = reachable_here(config.host, port, config.certificate is not None).partition("://")
    there = reachable(here, own_names(config.host))
    return None if there is None else f"{scheme}://{there}/"


def _pair(args: argparse.Namespace) -> int:
    from device.cli.pairing import run_pair

    return run_pair(args.data, args.admin, args.json)


def _backup(args: argparse.Namespace) -> int:
    from device.cli.saving import run_backup

    return run_backup(args.out, args.data, args.pictures, args.json)


def _restore(args: argparse.Namespace) -> int:
    from device.cli.saving import run_restore

    return run_restore(args.file, args.data, args.json)



def _ended(status: int) -> NoReturn:
    # journal and pages are closed; a decoder's thread that is deep in native code must not be torn down by the interpreter
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _run(args: argparse.Namespace) -> int:
    from device.cli.appliance import Options

    options = Options(args.source, args.host, args.port, args.data, args.box, args.rules, args.players, elsewhere=_elsewhere)
    _ended(options.run(_serve))


def _record(args: argparse.Namespace) -> int:
    from device.cli.recording import run_record

    _ended(run_record(args.source, args.out, args.host, args.port, args.data, args.players, _serve, _elsewhere))


def _cameras(args: argparse.Namespace) -> int:
    from device.cli.cameras import run_cameras

    return run_cameras(args.json)


def _doctor(args: argparse.Namespace) -> int:
    from device.cli.doctor import run_doctor

    return run_doctor(args.source, args.data, args.json)


class _Version(argparse.Action):
    """Prints the version, which is looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata

        try:
            number = metadata.version("bobing-table")
        except metadata.PackageNotFoundError:
            number = "(not installed)"
        line(f"bobing {number}")
        parser.exit(OK)


def parser() -> argparse.ArgumentParser:
    """Every command with its options (design.md, "Command line")."""
    top = _Parser(prog="bobing", description="A companion for a real Bo Bing (博饼) bowl.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, does: str, run: Command, json: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=does, description=does)
        sub.set_defaults(run=run, me=sub)
        if json:
            sub.add_argument("--json", action="store_true", help="print JSON, one object a line")
        return sub

    run = add("run", "the appliance: reads the dice, scores, serves the TV board", _run, json=False)
    run.add_argument("--source", metavar="SRC", help="camera number or name, video, folder, address, or demo")
    run.add_argument("--host", metavar="H", help="address to serve on (default: this machine only)")
    run.add_argument("--port", metavar="P", type=int, help="port to serve on")
    run.add_argument("--data", metavar="DIR", help="folder of the journal and the settings")
    run.add_argument("--box", metavar="PORT", help="serial port of the button box, or auto, none, emulated")
    run.add_argument("--rules", metavar="R", help="a preset or a house-rules file")
    run.add_argument("--players", metavar="甲,乙", help="players in the order of play")

    record = add("record", "play a game as with run, and keep the camera's pictures with what was confirmed", _record, json=False)
    record.add_argument("--source", metavar="SRC", required=True, help="camera number or name, video, address")
    record.add_argument("--out", metavar="FOLDER", required=True, help="where recording and truth go")
    record.add_argument("--host", metavar="H", help="address to serve on (default: this machine only)")
    record.add_argument("--port", metavar="P", type=int, help="port to serve on")
    record.add_argument("--data", metavar="DIR", help="folder of the journal and the settings")
    record.add_argument("--players", metavar="甲,乙", help="players in the order of play")

    add("cameras", "the cameras that are plugged in, by stable names", _cameras)
    doctor = add("doctor", "look at camera, light, model, speed, rules, disk, port and box, and say what to mend", _doctor)
    doctor.add_argument("--source", metavar="SRC", help="camera number or name, video, address, or demo")
    doctor.add_argument("--data", metavar="DIR", help="folder of the settings")

    read = add("read", "read the dice in pictures", _read)
    read.add_argument("images", nargs="+", metavar="IMAGE", help="pictures: JPEG, PNG, WebP, BMP")
    bowl = read.add_mutually_exclusive_group()
    bowl.add_argument("--calibration", metavar="FILE", help="what bobing calibrate wrote")
    bowl.add_argument("--no-bowl", action="store_true", help="the whole picture counts as inside")
    read.add_argument("--dice", metavar="FILE", help="what bobing enrol wrote")
    read.add_argument("--expect", metavar="N", type=int, default=6, help="how many dice belong to a throw (6)")

    watch = add("watch", "report throws in a recording or camera", _watch)
    watch.add_argument("--source", metavar="SRC", required=True, help="camera number or name, video, folder, address, or demo")
    bowl = watch.add_mutually_exclusive_group()
    bowl.add_argument("--calibration", metavar="FILE", help="what bobing calibrate wrote")
    bowl.add_argument("--no-bowl", action="store_true", help="the whole picture counts as inside")
    watch.add_argument("--dice", metavar="FILE", help="what bobing enrol wrote")
    watch.add_argument("--expect", metavar="N", type=int, default=6, help="how many dice belong to a throw (6)")
    watch.add_argument("--realtime", action="store_true", help="at the recording's own speed")

    calibrate = add("calibrate", "find the rim of the empty bowl", _calibrate)
    calibrate.add_argument("sources", nargs="+", metavar="SRC", help="camera number or name, recording, or pictures of the empty bowl")
    calibrate.add_argument("--out", metavar="FILE", required=True, help="where the calibration is written to")

    enrol = add("enrol", "show the table's dice once or twice, laid in the bowl", _enrol)
    enrol.add_argument("sources", nargs="+", metavar="SRC", help="camera number or name, video, picture")
    enrol.add_argument("--out", metavar="FILE", required=True, help="where the dice are written to, for [camera] dice and --dice")
    enrol.add_argument("--calibration", metavar="FILE", help="what bobing calibrate wrote; without it the bowl is looked for")
    enrol.add_argument("--values", metavar="1,2,3,4,5,6", help="what the dice show in each picture, to check the reader against: every picture is compared with them")

    score = add("score", "what six dice are worth ('-': JSON arrays from standard input)", _score)
    score.add_argument("dice", nargs="+", metavar="D")
    score.add_argument("--rules", metavar="R", default="xiamen", help="a preset or a house-rules file")

    replay = add("replay", "play a whole game from a file of JSON lines", _replay)
    replay.add_argument("file", metavar="FILE", help="a header and a line a throw (README), '-': standard input")

    rules = add("rules", "list the presets, show every switch, check a house-rules file", _rules)
    actions = rules.add_subparsers(dest="action", required=True, metavar="list|show|check", parser_class=_Parser)
    for action, does in (("list", "list the presets"), ("show", "show every switch"), ("check", "check a house-rules file")):
        sub = actions.add_parser(action, help=does, description=does)
        sub.set_defaults(me=sub, spec=None)
        # said before the action or behind it
        sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON, one object a line")
        if action != "list":
            sub.add_argument("spec", metavar="PRESET_OR_FILE", help="a preset's name or a house-rules file")

    boxes = add("boxes", "serial ports by stable names, and which may be a button box", _boxes)
    boxes.add_argument("--ask", action="store_true", help="open each that may be one (it restarts) and say who answers")
    boxes.add_argument("--data", metavar="DIR", help="folder of the settings")
    boxes.add_argument("--udev", action="store_true", help="print the rules that keep ModemManager off a box (Linux)")

    box = commands.add_parser("box", help="flash, test or emulate a button box", description="The button box.")
    deeds = box.add_subparsers(dest="deed", required=True, metavar="flash|test|emulate", parser_class=_Parser)

    def deed(name: str, does: str, run: Command) -> argparse.ArgumentParser:
        sub = deeds.add_parser(name, help=does, description=does)
        sub.set_defaults(run=run, me=sub)
        sub.add_argument("--json", action="store_true", help="print JSON, one object a line")
        return sub

    flash = deed("flash", "put the firmware onto a board and see that it answers", _box_flash)
    flash.add_argument("port", nargs="?", metavar="PORT", help="default: the only board that is plugged in")
    flash.add_argument("--board", choices=("uno", "micro"), help="uno: Uno or Nano; micro: Pro Micro or Leonardo")
    flash.add_argument("--id", metavar="HHHH", help="a number for this box, where there are several")
    test = deed("test", "try each button, lamp and tone", _box_test)
    test.add_argument("port", nargs="?", metavar="PORT", help="default: the only board that is plugged in")
    emulate = deed("emulate", "a box made of Python, pressed from the keyboard", _box_emulate)
    emulate.add_argument("link", nargs="?", metavar="PORT", help="a file name under which its port appears")
    emulate.add_argument("--tcp", metavar="N", type=int, help="a loopback port instead (what Windows has)")
    emulate.add_argument("--id", metavar="HHHH", default="FFFF", help="the box's number")

    export = add("export", "the journal, standings and prize list", _export, json=False)
    export.add_argument(
        "--format",
        choices=("csv", "json", "jsonl"),
        default="json",
        help="csv: standings and prizes; json: every game with its throws (default); jsonl: the journal's records as stored",
    )
    export.add_argument("--data", metavar="DIR", help="folder of the table (default: where bobing run keeps it)")

    pair = add("pair", "show a code on the board that lets a phone in", _pair)
    pair.add_argument("--admin", action="store_true", help="for whoever may also see the camera and the settings")
    pair.add_argument("--data", metavar="DIR", help="folder of the running table")

    backup = add("backup", "the journal, settings and calibration in one file; the table may be playing", _backup)
    backup.add_argument("--out", metavar="FILE", help="default: bobing-DATE-TIME.zip here")
    backup.add_argument("--pictures", action="store_true", help="with the stills and films of throws")
    backup.add_argument("--data", metavar="DIR", help="folder of the table")

    restore = add("restore", "put a backup back; what was there is moved aside", _restore)
    restore.add_argument("file", metavar="FILE", help="what bobing backup wrote")
    restore.add_argument("--data", metavar="DIR", help="folder of the table, which must not be running")

    add("bench", "the speed of each stage on this machine", _bench)
    return top


def _asked(argv: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for; raises CallError where a word belongs to nothing, or is empty as a variable that was never set."""
    args, rest = parser().parse_known_args(argv)
    if rest:
        args.me.error(f"unrecognized arguments: {' '.join(rest)}")
    for name, given in vars(args).items():
        if any(isinstance(word, str) and not word.strip() for word in (given if isinstance(given, list) else [given])):
            args.me.error(f"{name}: an empty word names nothing: is it a variable that is not set?")
    return args


def _hush() -> None:
    """What could not be written must not be tried again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (0 done, 1 a fault in the world, 2 the call was wrong)."""
    # a broken recording is told in our own line, not in those of the decoders
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # nothing here multiplies large matrices; a pool of threads for that costs time at each start
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not speak_utf8():
        return WORLD
    try:
        args = _asked(argv)
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except (CallError, Refused) as fault:
        say(f"bobing: {fault}")
        return CALL
    except (WorldError, Fault) as fault:
        say(f"bobing: {fault}")
        return WORLD
    except BrokenPipeError:
        _hush()  # whoever read the results has gone; nothing is lost
        return OK
    except OSError as fault:
        say(f"bobing: {in_words(fault)}")
        if fault.filename is None:  # results that could not be written
            _hush()
        return WORLD
    except KeyboardInterrupt:
        return OK
    except ImportError as fault:
        if "libGL" in str(fault) or "libgthread" in str(fault) or "libxcb" in str(fault):
            say(f"bobing: OpenCV lacks a system library ({fault}): sudo apt-get install libgl1 libglib2.0-0")
            return WORLD
        raise


if __name__ == "__main__":
    sys.exit(main())
