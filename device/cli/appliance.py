"""`bobing run`: the appliance. It joins journal, Table, lookout and pages, and ends in order when it is told to."""

from __future__ import annotations

import itertools
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from device.box_inputs import Inputs, hands
from device.cli.output import OK, CallError, WorldError, say
from device.cli.readers import Readers
from device.config import Config, Places, load, places, save
from device.demo_director import DemoDirector, HeldClock
from device.host import Host
from device.journal import FILE_NAME, Journal
from device.lookout import Looking, Lookout
from device.rulesfile import load_rules
from device.sources import demo_calibration, open_source
from device.stills import Stills
from device.table import Table
from device.view import Notice, Setting

DEMO = "demo"
NO_CAMERA = Notice("no_camera", "没有摄像头：用手机或键盘记录", "no camera is set: throws are entered by hand")


class Serving(Protocol):
    """A web server that runs until closed; port: the one it got."""

    port: int

    def close(self) -> None:
        """Stop serving."""
        ...


Serve = Callable[[Host, str, int], Serving]
"""Serves a host's pages at address and port; raises OSError where they can't be had."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was said on the command line; None: as the settings have it."""

    source: str | None
    host: str | None
    port: int | None
    data: str | None
    box: str | None
    rules: str | None
    players: str | None

    def run(self, serve: Serve) -> int:
        """Run until interrupted."""
        where = places(None if self.data is None else Path(self.data))
        config = self._config(load(where.config))
        was_set_up = where.config.exists() or (where.data / FILE_NAME).exists()
        named = self.rules is not None or self.players is not None
        demo = config.source == DEMO or not (was_set_up or named or config.source)
        _free(config)
        with ExitStack() as ending:
            stop = _stopping(ending)
            appliance = _Appliance(config, where)

            def real() -> Table:
                table = appliance.table(ending)
                inputs.begin()
                return table

            host = Host(
                real,
                appliance.demo(ending) if demo else appliance.table(ending),
                demo,
                lambda language: save(where.config, replace(load(where.config), language=language)),
            )
            ending.callback(host.close)
            inputs = Inputs(host, config, where.data, ending)
            host.listen(inputs.press)
            if not demo or config.box_port:  # a stranger who tries the demo has not asked us to open serial ports
                inputs.begin()
            server = _served(serve, host, config)
            ending.callback(server.close)
            address = f"http://{'[' + config.host + ']' if ':' in config.host else config.host}:{server.port}/"
            if demo:
                say("bobing: this is a demo: a recording plays in a loop into a throw-away journal")
            say(f"bobing: the board is at {address}  (operator: {address}phone)  stop with Ctrl+C")
            if inputs.chip is not None:
                say("bobing: an emulated box is plugged in; type a, b, c or d and Enter to press (a 2500: hold, a+b: both)")
                hands(inputs.chip, sys.stdin.readline)
            stop.wait()
            say("bobing: closing the table")
        return OK

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

    def table(self, ending: ExitStack) -> Table:
        """The table of the data folder, its camera watching where one is set."""
        self.where.data.mkdir(parents=True, exist_ok=True)
        rules = load_rules(self.config.rules)
        setting = Setting(self.config.language, self.config.confirm)
        journal = Journal.open(self.where.data / FILE_NAME)
        stills = Stills(self.where.data / "stills")
        table = Table(journal, stills, setting, rules, time.time, random.SystemRandom().randrange).open()
        ending.callback(table.close)
        if table.state()["phase"] == "lobby" and self.config.players:
            table.command(
                {"command": "start", "version": table.state()["version"], "players": list(self.config.players)}
            )
        if self.config.source is None or self.config.source == DEMO:
            table.tell(NO_CAMERA)
        else:
            self._look(ending, table, self.config.source, self.config.calibration, self.config.dice, again=False)
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
        self._look(ending, table, DEMO, demo_calibration(), None, again=True, clock=clock)
        ending.callback(DemoDirector(table).open().close)
        return table

    def _look(
        self,
        ending: ExitStack,
        table: Table,
        source: str,
        calibration: str | None,
        dice: str | None,
        again: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        try:
            readers = Readers(calibration, no_bowl=False, dice=dice)
        except (CallError, WorldError) as fault:
            table.report("reader", str(fault))
            table.tell(Notice("reader", f"读数不可用：{fault}", f"the reader is not available: {fault}; go on by hand"))
            return
        begun = int(time.time())
        number = itertools.count(1)
        looking = Looking(
            open_source=lambda: open_source(source, time.monotonic),
            watcher=lambda frame: readers.watcher(frame, 6),
            clock=clock,
            picture_name=lambda: f"{begun:x}-{next(number)}",
            again=again,
        )
        ending.callback(Lookout(table, looking).open().close)


def _stopping(ending: ExitStack) -> threading.Event:
    """An event that Ctrl+C or a polite kill sets; the handlers are put back at the end."""
    stop = threading.Event()
    for which in (signal.SIGINT, signal.SIGTERM):
        old = signal.signal(which, lambda *_: stop.set())
        ending.callback(signal.signal, which, old)
    return stop


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
        return serve(host, config.host, config.port)
    except OSError as fault:
        raise _no_port(config, fault) from fault
