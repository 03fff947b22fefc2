"""One thread for all work on one thing: jobs from any thread are done in turn, and whoever asks waits for the answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from device.errors import Fault

T = TypeVar("T")


class OneThread:
    """Jobs in turn. Until `open` they are done on the thread that asks; after `close` none is taken."""

    def __init__(self, name: str, idle: Callable[[], None], idle_s: float) -> None:
        """idle: called where nothing came for idle_s seconds; it must not raise."""
        self._idle = idle
        self._idle_s = idle_s
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._door = threading.Lock()
        self._begun = self._ended = False

    def open(self) -> None:
        """Begin to work on a thread of its own."""
        with self._door:
            self._begun = True
            self._thread.start()

    def close(self) -> None:
        """Finish what is queued, then stop."""
        with self._door:  # what came in after this would be waited for for ever
            self._ended = True
            self._jobs.put(None)
        if self._begun:
            self._thread.join()

    def ask(self, work: Callable[[], T]) -> T:
        """What the work returns or raises; raises Fault where the thread has been stopped."""
        answer: Future[T] = Future()

        def job() -> None:
            try:
                answer.set_result(work())
            except Exception as fault:  # noqa: BLE001 - handed to whoever asked; the thread lives on
                answer.set_exception(fault)

        with self._door:
            if self._ended:
                raise Fault("table_stopped", "the table has stopped: start it again", "牌桌已停止：请重新启动")
            if self._begun:
                self._jobs.put(job)
        if not self._begun:
            job()
        return answer.result()

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=self._idle_s)
            except queue.Empty:
                self._idle()
                continue
            if job is None:
                return
            job()
