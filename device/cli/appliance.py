"""`bobing run`: the appliance. It joins journal, Table, lookout and pages, and ends in order when it is told to."""

from __future__ import annotations

import os
import random
import secrets
import signal
import socket
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from device.box_inputs import Inputs, hands
from device.chronicle import Chronicle
from device.cli.camera_desk import RealDesk, Watching, model, stills_of
from device.cli.output import OK, CallError, WorldError, say
from device.config import Config, Places, load, places, save
from device.copies import Copier
from device.demo_director import DemoDirector, HeldClock
from device.diagnostics import LINES, bundle
from device.errors import Fault
from device.host import Host
from device.journal import FILE_NAME, Journal
from device.journal_rescue import open_rescued
from device.log import FILE_NAME as LOG_NAME
from device.log import Log
from device.pairing import FILE_NAME as PAIRING_NAME
from device.pairing import Pairing
from device.rulesfile import load_rules
from device.running import announce, leave, reachable_here
from device.shots import Shot
from device.sources import demo_calibration
from device.steady import SteadyWall
from device.stills import Stills
from device.table import Table
from device.view import Notice, Setting

DEMO = "demo"
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Serving(Protocol):
    """A web server that runs until closed; port: the one it got."""

    port: int

    def close(self) -> None:
        """Stop serving."""
        ...


Serve = Callable[[Host, Config], Serving]
"""Serves a host's pages as the settings say; raises OSError where address, port or certificate can't be had."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was said on the command line; None: as the settings have it.

    each: told of every frame that the camera gives; ready: told of the real table when it is open, with what ends before it (a recording).
    """

    source: str | None
    host: str | None
    port: int | None
    data: str | None
    box: str | None
    rules: str | None
    players: str | None
    each: Callable[[Shot], None] | None = None
    ready: Callable[[Table, ExitStack], None] | None = None

    def run(self, serve: Serve) -> int:
        """Run until interrupted."""
        where = places(None if self.data is None else Path(self.data))
        config = self._config(load(where.config))
        was_set_up = where.config.exists() or (where.data / FILE_NAME).exists()
        named = self.rules is not None or self.players is not None
        demo = config.source == DEMO or not (was_set_up or named or config.source)
        _let_in(config)
        _free(config)
        with ExitStack() as ending:
            stop = _stopping(ending)
            camera = RealDesk(ending, config, where, self.each)
            if not demo:
                with suppress(OSError):  # the journal will say in words what is wrong
                    where.data.mkdir(parents=True, exist_ok=True)
            log = Log(None if demo and not where.data.is_dir() else where.data / LOG_NAME, time.time)
            log.write("start", source=config.source, host=config.host, demo=demo, process=os.getpid())
            ending.callback(log.write, "end")
            appliance = _Appliance(config, where, camera, log)

            def real() -> Table:
                table = self._opened(appliance.table(ending), ending)
                inputs.begin()
                return table

            host = Host(
                real,
                appliance.demo(ending) if demo else self._opened(appliance.table(ending), ending),
                demo,
                lambda language: save(where.config, replace(load(where.config), language=language)),
                camera.desk,
                _pairing(config, where, keep=not demo),
                log,
                lambda pictures: diagnostics(config, where, host, pictures),
            )
            ending.callback(host.close)
            inputs = Inputs(host, config, where.data, ending)
            host.listen(inputs.press)
            if not demo or config.box_port:  # a stranger who tries the demo has not asked us to open serial ports
                inputs.begin()
            server = _served(serve, host, config)
            ending.callback(server.close)
            secure = config.certificate is not None
            address = reachable_here(config.host, server.port, secure) + "/"
            if host.pairing is not None:
                announce(where.data, address.rstrip("/"), host.pairing.console)
                ending.callback(leave, where.data)
            if demo:
                say("bobing: this is a demo: a recording plays in a loop into a throw-away journal")
            say(f"bobing: the board is at {address}  (operator: {address}phone)  stop with Ctrl+C")
            if config.host not in LOOPBACK and host.pairing is not None:
                say("bobing: phones may look; one that shall operate is let in by a code: bobing pair, or A and B on the box")
            if inputs.chip is not None:
                say("bobing: an emulated box is plugged in; type a, b, c or d and Enter to press (a 2500: hold, a+b: both)")
                hands(inputs.chip, sys.stdin.readline)
            stop.wait()
            say("bobing: closing the table")
        return OK

    def _opened(self, table: Table, ending: ExitStack) -> Table:
        if self.ready is not None:
            self.ready(table, ending)
        return table

    def _config(self, config: Config) -> Config:
        config = replace(
            config,
            source=config.source if self.source is None else self.source,
            host=config.host if self.host is None else self.host,
            port=config.port if self.port is None else self.port,
            box_port=config.box_port if self.box is None else self.box,
            rules=config.rules if self.rules is None else self.rules,
        )
        if not 0 <= config.port <= 65535:
            raise CallError(f"run: --port {config.port}: a port is a number from 0 (any free one) to 65535")
        if self.players is not None:
            names = tuple(
                name.strip() for name in self.players.replace("，", ",").replace("、", ",").split(",") if name.strip()
            )
            if not names or len(set(names)) < len(names):
                raise CallError("run: --players: name different players, with commas between, as 甲,乙,丙")
            config = replace(config, players=names)
        return config


@dataclass(frozen=True, slots=True)
class _Appliance:
    """Opens tables: the real one with its journal, or the demo with a throw-away one."""

    config: Config
    where: Places
    camera: RealDesk
    log: Log

    def table(self, ending: ExitStack) -> Table:
        """The table of the data folder, its camera watching where one is set."""
        self.where.data.mkdir(parents=True, exist_ok=True)
        rules = load_rules(self.config.rules)
        setting = Setting(self.config.language, self.config.confirm)
        path = self.where.data / FILE_NAME
        journal, rescue = open_rescued(path)
        stills = stills_of(self.config, self.where)
        wall = SteadyWall(time.time, time.monotonic)
        table = Table(journal, stills, setting, rules, wall, random.SystemRandom().randrange).open()
        ending.callback(table.close)
        if table.state()["phase"] == "lobby" and self.config.players:
            table.command(
                {"command": "start", "version": table.state()["version"], "players": list(self.config.players)}
            )
        self.camera.attach(table)
        if rescue is not None:
            say(f"bobing: {rescue.en}")
            self.log.write("journal_rescued", kept=rescue.kept, lost=rescue.lost)
            table.tell(Notice("journal_rescued", rescue.zh, rescue.en), "journal")
        ending.callback(Chronicle(table, self.log).open().close)
        ending.callback(Copier(table, path, lambda said: table.report("copy", said)).open().close)
        return table

    def demo(self, ending: ExitStack) -> Table:
        """The demo: recorded throws in a loop, people played by the program, nothing kept."""
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="bobing-demo-")))
        setting = Setting(self.config.language, self.config.confirm, demo=True)
        rules = load_rules(self.config.rules)
        table = Table(
            Journal.open(None), Stills(folder), setting, rules, time.time, random.SystemRandom().randrange
        ).open()
        ending.callback(table.close)
        clock = HeldClock(time.monotonic, lambda: table.state()["phase"] == "question")
        readers = model(table, demo_calibration(), None)
        if readers is not None:
            watching = Watching(table, clock, again=True, begun=int(time.time()))
            ending.callback(watching.lookout(DEMO, lambda: readers, None).close)
        ending.callback(DemoDirector(table).open().close)
        return table


def _stopping(ending: ExitStack) -> threading.Event:
    """An event that Ctrl+C or a polite kill sets; the handlers are put back at the end."""
    stop = threading.Event()
    for which in (signal.SIGINT, signal.SIGTERM):
        old = signal.signal(which, lambda *_: stop.set())
        ending.callback(signal.signal, which, old)
    return stop


def diagnostics(config: Config, where: Places, host: Host, pictures: bool) -> bytes:
    """What helps somebody far away to find a fault in this table."""
    games = host.games()
    names = [player["name"] for game in games for player in game["players"]]
    try:
        with Journal.view(where.data / FILE_NAME) as journal:
            kinds = [record.type for record in journal.since(0)]
    except Fault:
        kinds = []
    stills = sorted((where.data / "stills").glob("*.jpg"), key=lambda still: still.stat().st_mtime) if pictures else []
    return bundle(config, host.health(), kinds, host.log.lines(LINES), names, stills)


def _let_in(config: Config) -> None:
    """Nobody but this machine is served by a table that can't tell people apart."""
    if not config.pairing and config.host not in LOOPBACK:
        raise CallError(
            f"run: --host {config.host} lets the whole network in and [server] pairing is false: set it to true, or serve 127.0.0.1"
        )


def _pairing(config: Config, where: Places, keep: bool) -> Pairing | None:
    """The phones of this table; a demo on a fresh machine leaves nothing behind."""
    if not config.pairing:
        return None
    return Pairing(where.data / PAIRING_NAME if keep else None, time.monotonic, time.time, secrets.token_bytes)


def _free(config: Config) -> None:
    """Before anything is opened or written: whether the port can be had."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            if os.name != "nt":
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((config.host, config.port))
    except OSError as fault:
        raise _no_port(config, fault) from fault


def _no_port(config: Config, fault: OSError) -> WorldError:
    return WorldError(
        f"run: can't serve at {config.host}:{config.port} ({fault.strerror or fault}): choose another --port, or end what uses it"
    )


def _served(serve: Serve, host: Host, config: Config) -> Serving:
    try:
        return serve(host, config)
    except ssl.SSLError as fault:
        raise WorldError(f"run: {config.certificate} and {config.key} are no certificate with its key: see bobing certificate") from fault
    except FileNotFoundError as fault:
        raise WorldError(f"run: there is no {config.certificate} or no {config.key}: see bobing certificate") from fault
    except OSError as fault:
        raise _no_port(config, fault) from fault
