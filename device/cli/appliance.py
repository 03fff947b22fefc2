"""`bobing run`: the appliance. It joins journal, Table, lookout and pages, and ends in order when it is told to."""

from __future__ import annotations

import errno
import os
import random
import secrets
import signal
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from device.box_inputs import Inputs, hands
from device.chronicle import Chronicle
from device.cli.camera_to_come import CameraToCome, watch_demo
from device.cli.output import OK, CallError, WorldError, counted, say
from device.cli.unused import begun_with, not_used
from device.config import Config, Places, load, named, places, save
from device.copies import Copier
from device.data_folder import make_folder, unkept
from device.demo_director import DemoDirector, HeldClock
from device.diagnostics import LINES, bundle
from device.errors import Fault, Refused
from device.host import Host
from device.journal import FILE_NAME, Journal
from device.journal_rescue import open_rescued
from device.log import FILE_NAME as LOG_NAME
from device.log import Log
from device.pairing import FILE_NAME as PAIRING_NAME
from device.pairing import Pairing
from device.rulesfile import load_rules
from device.running import LOOPBACK, announce, leave, reachable_here
from device.steady import SteadyWall
from device.stills import Passing, Stills
from device.table import Table
from device.view import Notice, Setting

if TYPE_CHECKING:
    from device.shots import Shot

DEMO = "demo"


class Serving(Protocol):
    """A web server that runs until closed; port: the one it got."""

    port: int

    def close(self) -> None:
        """Stop serving."""
        ...


Serve = Callable[[Host, Config], Serving]
"""Serves a host's pages as the settings say; raises OSError where address, port or certificate can't be had."""
Elsewhere = Callable[[Config, int], str | None]
"""The address at which other machines of the network find the pages served at this port; None: they don't."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was said on the command line; None: as the settings have it.

    each: told of every frame that the camera gives; ready: told of the real table when it is open, with what ends before it (a recording).
    elsewhere: knows the address that phones and TVs open.
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
    elsewhere: Elsewhere | None = None

    def run(self, serve: Serve) -> int:
        """Run until interrupted."""
        where = places(None if self.data is None else Path(self.data))
        config = self._config(load(where.config))
        was_set_up = where.config.exists() or (where.data / FILE_NAME).exists()
        asked = [name for name in ("players", "rules") if getattr(self, name) is not None]
        demo = config.source == DEMO or not (was_set_up or asked or config.source)
        _let_in(config)
        _trusted(config)
        _free(config)
        with ExitStack() as ending:
            stop = _Stopping(ending)
            camera = CameraToCome(config, where, self.each)
            if not demo:
                make_folder(where.data)
            log = Log(None if demo and not where.data.is_dir() else where.data / LOG_NAME, time.time)
            log.write("start", source=config.source, host=config.host, demo=demo, process=os.getpid())
            ending.callback(log.write, "end")
            appliance = _Appliance(config, where, camera, log)

            def real() -> Table:
                why = unkept(where.data)
                if why is not None:
                    raise Refused(why.key, why.en, why.zh)
                table = self._opened(appliance.table(ending), ending)
                inputs.begin()
                table.foresee()
                return table

            table = appliance.demo(ending) if demo else self._opened(appliance.table(ending), ending)
            if demo and "players" in asked:
                say("bobing: --players is for a game of your own: the demo plays with people of its own")
            unused = not_used(table.state(), config, asked, named(where.config), where.config, lambda: begun_with(where.data / FILE_NAME))
            if unused is not None:
                say(f"bobing: {unused}")
            host = Host(
                real,
                table,
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
                why = unkept(where.data)
                if why is not None:
                    say(f"bobing: no game of your own can be played after it: {why.en}")
            say(f"bobing: the board is at {address}  (operator: {address}phone)  stop with Ctrl+C")
            if config.host not in LOOPBACK and self.elsewhere is not None:
                there = self.elsewhere(config, server.port)
                if there is None:
                    say("bobing: this machine is in no network: phones and TVs can't open the board until it is, and this is started again")
                elif there != address:
                    say(f"bobing: phones and TVs in this network: {there}")
            if config.host not in LOOPBACK and host.pairing is not None:
                say("bobing: phones may look; one that shall operate is let in by a code, which bobing pair shows")
            if inputs.chip is not None:
                say("bobing: an emulated box is plugged in; type a, b, c or d and Enter to press (a 2500: hold, a+b: both)")
                hands(inputs.chip, sys.stdin.readline)
            # the board stands; now what takes its time
            camera.come(ending)
            if demo:
                appliance.play_demo(table, ending)
            table.foresee()
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
    camera: CameraToCome
    log: Log

    def table(self, ending: ExitStack) -> Table:
        """The table of the data folder, its camera watching where one is set."""
        make_folder(self.where.data)  # a demo makes none before it is left
        rules = load_rules(self.config.rules)
        setting = Setting(self.config.language, self.config.confirm)
        path = self.where.data / FILE_NAME
        with ExitStack() as opening:  # the folder is let go of where the table can't be opened, so that it can be tried again
            journal, rescue = open_rescued(path)
            opening.callback(journal.close)
            stills = Stills(self.where.data / "stills") if self.config.keep_pictures else Passing()
            wall = SteadyWall(time.time, time.monotonic)
            table = Table(journal, stills, setting, rules, wall, random.SystemRandom().randrange).open()
            opening.pop_all()
        ending.callback(closed, table)
        if table.state()["phase"] == "lobby" and self.config.players:
            table.command(
                {"command": "start", "version": table.state()["version"], "players": list(self.config.players)}
            )
        self.camera.attach(table)
        if rescue is not None:
            self.log.write("journal_rescued", kept=rescue.kept, lost=rescue.lost)
            table.tell(Notice("journal_rescued", rescue.zh, rescue.en), "journal")
        ending.callback(Chronicle(table, self.log, _told).open().close)
        ending.callback(Copier(table, path, lambda said: table.report("copy", said)).open().close)
        return table

    def demo(self, ending: ExitStack) -> Table:
        """The demo's table: nothing of it is kept."""
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="bobing-demo-")))
        setting = Setting(self.config.language, self.config.confirm, demo=True)
        rules = load_rules(self.config.rules)
        table = Table(
            Journal.open(None), Stills(folder), setting, rules, time.time, random.SystemRandom().randrange
        ).open()
        ending.callback(table.close)
        ending.callback(Chronicle(table, Log(None, time.time), _told).open().close)
        return table

    def play_demo(self, table: Table, ending: ExitStack) -> None:
        """The recording before the demo's table, and its people."""
        watch_demo(table, HeldClock(time.monotonic, lambda: table.state()["phase"] == "question"), ending)
        ending.callback(DemoDirector(table).open().close)


def closed(table: Table) -> None:
    """Close the table; what the disk did not take until the end is said, since nobody will be told of it again."""
    table.close()
    unsaved = table.unsaved
    if unsaved:
        say(f"bobing: {counted(unsaved, 'record')} could not be stored and {'is' if unsaved == 1 else 'are'} lost: {table.health()['journal']}")


def _told(words: str) -> None:
    say(f"bobing: {words}")


class _Stopping:
    """Waits for Ctrl+C or a polite kill; the handlers are put back at the end.

    The system may hand a signal to any thread, also in the moment before this one begins to wait: so the signal itself writes
    a byte, and that is waited for.
    """

    def __init__(self, ending: ExitStack) -> None:
        self._rings, self._rung = socket.socketpair()
        self._rings.setblocking(False)
        for end in (self._rings, self._rung):
            ending.callback(end.close)
        before = signal.set_wakeup_fd(self._rings.fileno(), warn_on_full_buffer=False)
        ending.callback(signal.set_wakeup_fd, before)
        for which in (signal.SIGINT, signal.SIGTERM):
            ending.callback(signal.signal, which, signal.signal(which, lambda *_: None))

    def wait(self) -> None:
        """Until somebody wants it to end."""
        self._rung.recv(1)


def diagnostics(config: Config, where: Places, host: Host, pictures: bool) -> bytes:
    """What helps somebody far away to find a fault in this table."""
    games = host.games()
    names = [player["name"] for game in games for player in game["players"]]
    try:
        with Journal.view(where.data / FILE_NAME) as journal:
            kinds = [record.type for record in journal.since(0)]
    except Fault:
        kinds = []
    stills = sorted((where.data / "stills").glob("*.jpg"), key=_kept_at) if pictures else []
    return bundle(config, host.health(), kinds, host.log.lines(LINES), names, stills)


def _kept_at(still: Path) -> float:
    try:
        return still.stat().st_mtime
    except OSError:
        return 0.0  # it has just gone for room


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


def _trusted(config: Config) -> None:
    """Nobody who asked for https is served without it."""
    if (config.certificate is None) != (config.key is None):
        raise CallError("run: [server] certificate and key belong together: name both of them, or neither")


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
    where = f"run: can't serve at {config.host}:{config.port} ({fault.strerror or fault})"
    if isinstance(fault, socket.gaierror) or fault.errno == errno.EADDRNOTAVAIL:
        return WorldError(f"{where}: --host is an address of this machine: 127.0.0.1, or 0.0.0.0 for everybody on the network")
    if fault.errno in (errno.EACCES, errno.EPERM):
        return WorldError(f"{where}: this user may not take that port: choose a --port from 1024 on")
    return WorldError(f"{where}: choose another --port, or end what uses it")


def _served(serve: Serve, host: Host, config: Config) -> Serving:
    try:
        return serve(host, config)
    except ssl.SSLError as fault:
        raise WorldError(f"run: {config.certificate} and {config.key} are no certificate with its key: see bobing certificate") from fault
    except FileNotFoundError as fault:
        raise WorldError(f"run: there is no {config.certificate} or no {config.key}: see bobing certificate") from fault
    except OSError as fault:
        raise _no_port(config, fault) from fault
