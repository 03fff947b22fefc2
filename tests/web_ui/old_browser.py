"""The browser of a TV set of 2020, Chromium 68, driven by its own debugging protocol: no chromedriver that still exists knows it.

It answers to those few methods of selenium's driver that `onlooker` uses, so that what is looked at in a browser of today
can be looked at in it as well.
"""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import websocket

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--autoplay-policy=no-user-gesture-required", "--disable-background-networking"]
PATIENCE_SECONDS = 60.0
LEVELS = {"error": "SEVERE", "warning": "WARNING"}


class ScriptFailed(Exception):
    """A script that was run in the page threw."""


class OldBrowser:
    """One window. Scripts are function bodies with `arguments`, as selenium's are; ScriptFailed where one throws."""

    def __init__(self, program: Path, profile: Path) -> None:
        self._process = subprocess.Popen(
            [str(program), *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._number, self._loaded = 0, False
        self._log: list[dict[str, Any]] = []
        try:
            # the debugger of the browser names no page: its address is that of the whole
            whole = websocket.create_connection(self._address(), timeout=PATIENCE_SECONDS, suppress_origin=True)
            self._line = whole
            target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
            base = self._where.rsplit("/devtools/", 1)[0]
            self._line = websocket.create_connection(
                f"{base}/devtools/page/{target}", timeout=PATIENCE_SECONDS, suppress_origin=True
            )
            whole.close()
            for domain in ("Page", "Runtime", "Log", "Animation"):
                self._ask(f"{domain}.enable")
        except BaseException:
            self.quit()
            raise

    def _address(self) -> str:
        """Where the debugger listens: the browser says so as it starts."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if "DevTools listening on " in line:
                self._where = line.split("listening on ")[1].strip()
                # what it says later is nobody's, but must not fill the pipe
                threading.Thread(target=self._process.stderr.read, daemon=True).start()
                return self._where
        raise OSError("the old browser ended before it listened")

    def _ask(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """One command, and what it answers; what the browser tells meanwhile is kept."""
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": parameters or {}}))
        while True:
            said = json.loads(self._line.recv())
            if said.get("id") == self._number:
                if "error" in said:
                    raise ScriptFailed(f"{method}: {said['error']}")
                return dict(said["result"])
            self._told(said.get("method"), said.get("params", {}))

    def _told(self, event: str | None, what: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Runtime.exceptionThrown":
            self._log.append({"level": "SEVERE", "message": json.dumps(what["exceptionDetails"])})
        elif event == "Log.entryAdded":
            entry = what["entry"]
            self._log.append({"level": LEVELS.get(entry["level"], "INFO"), "message": f"{entry.get('url')} {entry['text']}"})
        elif event == "Runtime.consoleAPICalled" and what["type"] in LEVELS:
            self._log.append({"level": LEVELS[what["type"]], "message": json.dumps(what["args"])})

    def get(self, address: str) -> None:
        """Open the address and wait until it is loaded."""
        self._loaded = False
        failed = self._ask("Page.navigate", {"url": address}).get("errorText")
        if failed:
            raise OSError(f"{address}: {failed}")
        while not self._loaded:
            self._ask("Runtime.evaluate", {"expression": "1"})

    def refresh(self) -> None:
        self.get(str(self.execute_script("return location.href")))

    def execute_script(self, script: str, *arguments: Any) -> Any:
        """What the function body returns, as JSON carries it."""
        given = json.dumps(arguments)
        return self._value(f"(function () {{ {script} }}).apply(null, {given})")

    def execute_async_script(self, script: str) -> Any:
        """What the function body hands to its last argument."""
        return self._value(f"new Promise((done) => (function () {{ {script} }}).call(null, done))")

    def _value(self, expression: str) -> Any:
        said = self._ask("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in said:
            raise ScriptFailed(json.dumps(said["exceptionDetails"]))
        return said["result"].get("value")

    def execute_cdp_cmd(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        return self._ask(method, parameters)

    def get_log(self, _kind: str) -> list[dict[str, Any]]:
        """What the page and the browser complained about since it was last asked."""
        self._ask("Runtime.evaluate", {"expression": "1"})
        said, self._log = self._log, []
        return said

    def quit(self) -> None:
        if hasattr(self, "_line"):
            self._line.close()
        self._process.kill()
        self._process.wait()
