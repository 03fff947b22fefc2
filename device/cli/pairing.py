"""`bobing pair`: asks the running table for a code that lets a phone in, shows it here and on the board, and waits for nothing."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from device.cli.output import OK, WorldError, emit, line, say
from device.config import places
from device.running import Running, find


def run_pair(data: str | None, admin: bool, as_json: bool) -> int:
    """Ask for a code and print it."""
    running = find(places(None if data is None else Path(data)).data)
    said = _asked(running, {"do": "offer", "role": "admin" if admin else "operator"})
    offer = said["offer"]
    reachable = bool(said["reachable"])
    if as_json:
        emit({**offer, "reachable": reachable})
    else:
        line(f"{offer['code'][:3]} {offer['code'][3:]}  ({offer['role']}, good for {offer['seconds']} s)  {offer['address']}")
    if not reachable:
        say("bobing: no phone can open that address: start the table with --host 0.0.0.0, on the network that the phones are in")
    return OK


def _asked(running: Running, body: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json", "X-Bobing-Console": running.console}
    request = urllib.request.Request(running.address + "/api/pairing", json.dumps(body).encode(), headers)
    # the certificate is this machine's own and so is the address: who listens there is proved by the word, not by a CA
    trust = ssl._create_unverified_context()
    # no proxy: the table is on this machine
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust))
    try:
        with opener.open(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as fault:
        raise WorldError(f"pair: the table refused ({_line(fault)})") from fault
    except (OSError, ValueError) as fault:
        raise WorldError(f"pair: no table answers at {running.address}: start it with bobing run") from fault


def _line(fault: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(fault)["en"])
    except (ValueError, KeyError, TypeError):
        return str(fault.code)
