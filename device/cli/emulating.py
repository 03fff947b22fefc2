"""`bobing box emulate`: a box made of Python behind a port of its own, pressed from the keyboard."""

from __future__ import annotations

import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.box_inputs import typed
from device.cli.output import OK, CallError, WorldError, emit, line, say
from firmware_bridge.channel import Channel, PtyChannel, TcpChannel
from firmware_bridge.commands import Lamp, Tune
from firmware_bridge.pretended import PretendedBox, Shown

STEP_S = 0.005


def run_emulate(link: str | None, tcp: int | None, id_: str, as_json: bool) -> int:
    """Until interrupted; prints the port's name, then what the box shows. link: a further name for the port."""
    if len(id_) != 4 or any(sign not in "0123456789ABCDEF" for sign in id_):
        raise CallError(f"box emulate: --id {id_}: four digits 0-9 A-F, as A001")
    if tcp is not None and not 0 <= tcp <= 65535:
        raise CallError(f"box emulate: --tcp {tcp}: a number from 0 (any free one) to 65535")
    channel = _channel(link, tcp)
    try:
        if as_json:
            emit({"port": channel.name})
        else:
            line(channel.name)
            sys.stdout.flush()
        say(f"bobing: a box is at {channel.name}: bobing run --box {channel.name}")
        say("bobing: type a, b, c or d and Enter to press (a 2500: hold so many ms, a+b: both); stop with Ctrl+C")
        with _stopped() as stop:
            _live(channel, PretendedBox(time.monotonic(), id_), stop, as_json)
    finally:
        channel.close()
    return OK


def _channel(link: str | None, tcp: int | None) -> Channel:
    try:
        if tcp is not None:
            return TcpChannel(tcp)
        try:
            return PtyChannel(None if link is None else Path(link))
        except ImportError:
            return TcpChannel()  # Windows has no pseudo-terminals that a serial library could open
    except OSError as fault:
        raise WorldError(f"box emulate: no port can be made ({fault.strerror or fault}): name another") from fault


@contextmanager
def _stopped() -> Iterator[threading.Event]:
    stop = threading.Event()
    old = [(which, signal.signal(which, lambda *_: stop.set())) for which in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield stop
    finally:
        for which, handler in old:
            signal.signal(which, handler)


def _live(channel: Channel, box: PretendedBox, stop: threading.Event, as_json: bool) -> None:
    presses: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for text in sys.stdin:
            presses.put(text)

    threading.Thread(target=listen, name="hands", daemon=True).start()
    plugged = False
    fingers: list[tuple[float, str, bool]] = []
    while not stop.is_set():
        came = channel.exchange(box.take_out(), STEP_S)
        now = time.monotonic()
        if came is None:
            box.take_out()  # USB keeps nothing for a later opener
            plugged = False
        elif not plugged:
            plugged = True
            box.power_on(now)  # opening the port restarts most boards
        if came is None and not presses.qsize():
            stop.wait(STEP_S)
        box.received(came or b"", now)
        while not presses.empty():
            fingers += _fingers(presses.get(), now)
        for finger in [finger for finger in fingers if finger[0] <= now]:
            fingers.remove(finger)
            box.press(finger[1], finger[2], now)
        for shown in box.take_shown():
            _print(shown, as_json)


def _fingers(text: str, now: float) -> list[tuple[float, str, bool]]:
    """When which button goes down and up for a line of the keyboard."""
    moves = []
    for command in typed(text):
        _, button, ms = command.split()
        moves += [(now, button, True), (now + int(ms) / 1000, button, False)]
    if not moves and text.strip():
        say("bobing: type a, b, c or d, a+b, or a 2500")
    return sorted(moves)


def _print(shown: Shown, as_json: bool) -> None:
    if as_json:
        emit({"shown": shown.what, "value": shown.value, "ms": shown.ms})
        return
    match shown.what:
        case "lamp" | "lamp2":
            line(f"{'second ' if shown.what == 'lamp2' else ''}lamp {Lamp(shown.value).name.lower()}")
        case "tune":
            line(f"tune {Tune(shown.value).name.lower()}")
        case "tone":
            line(f"tone {shown.value} Hz for {shown.ms} ms")
        case "link":
            line("linked" if shown.value else "nobody listens")
        case _:
            line("blip: nobody heard that press")
    sys.stdout.flush()
