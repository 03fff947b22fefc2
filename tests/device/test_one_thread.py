"""One thread does the work of a thing in turn; nobody who asks waits for ever."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.errors import Fault
from device.one_thread import OneThread

NEVER_S = 3600.0


def nothing() -> None:
    return None


def test_before_it_is_opened_work_is_done_where_it_is_asked_for() -> None:
    thread = OneThread("table", nothing, NEVER_S)
    assert thread.ask(threading.current_thread) is threading.current_thread()


def test_once_opened_all_work_is_done_on_one_other_thread() -> None:
    thread = OneThread("table", nothing, NEVER_S)
    thread.open()
    seen = {thread.ask(threading.current_thread).name for _ in range(5)}
    thread.close()
    assert seen == {"table"}


def test_what_the_work_raises_reaches_who_asked_and_the_thread_lives_on() -> None:
    thread = OneThread("table", nothing, NEVER_S)
    thread.open()
    with pytest.raises(ZeroDivisionError):
        thread.ask(lambda: 1 // 0)
    assert thread.ask(lambda: 63) == 63
    thread.close()


@given(st.booleans())
def test_whoever_asks_after_the_end_is_refused_in_one_line(opened: bool) -> None:
    thread = OneThread("table", nothing, NEVER_S)
    if opened:
        thread.open()
    thread.close()
    with pytest.raises(Fault, match="has stopped"):
        thread.ask(lambda: 63)


def test_everybody_who_asks_while_it_is_closed_gets_an_answer() -> None:
    """Work queued behind the end was once waited for for ever."""
    thread = OneThread("table", nothing, NEVER_S)
    thread.open()
    answered: list[object] = []
    begin = threading.Barrier(9)

    def ask() -> None:
        begin.wait()
        for n in range(200):
            try:
                thread.ask(lambda n=n: n)  # type: ignore[misc]
            except Fault:
                break
        answered.append(True)

    askers = [threading.Thread(target=ask, daemon=True) for _ in range(8)]
    for asker in askers:
        asker.start()
    begin.wait()
    thread.close()
    for asker in askers:
        asker.join(timeout=60)
    assert len(answered) == 8
