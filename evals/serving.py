"""A server process to measure, and edits sent to it as a client sends them."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from fastedit.errors import ModelUnavailable

_READY_S = 120.0


@dataclass(frozen=True, slots=True)
class ServerProcess:
    url: str
    pid: int

    def rss_mb(self) -> float:
        """Resident memory in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        match = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(match[1]) / 1024 if match else 0.0


@contextlib.contextmanager
def serving(model: str, *args: str) -> Iterator[ServerProcess]:
    """`fastedit serve` in a process of its own, warm. Raises ModelUnavailable where it does not start."""
    command = [sys.executable, "-c", "from fastedit.cli import main; main()", "serve", "--port", "0"]
    command += ["--model", model, "--log-level", "error", *args]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = re.search(r"http://\S+", said)
            if found is None or not _ready(found[0], process):
                raise ModelUnavailable(f"the server did not start: {process.stderr.read() or said}")
            yield ServerProcess(found[0], process.pid)
        finally:
            process.terminate()


def _ready(url: str, process: subprocess.Popen[str]) -> bool:
    """Waits until it is; False where the process has ended. Raises ModelUnavailable where it takes too long."""
    give_up = time.monotonic() + _READY_S
    while process.poll() is None:
        with contextlib.suppress(httpx2.TransportError):
            if httpx2.get(f"{url}/ready", trust_env=False, timeout=_READY_S).status_code == 200:
                return True
        if time.monotonic() > give_up:
            raise ModelUnavailable(f"{url} is not ready after {_READY_S:g} s")
        time.sleep(0.1)
    return False


@dataclass(frozen=True, slots=True)
class TimedRequest:
    """One request as its client saw it. `engine_ms` is what the engine itself took, by the receipt.

    `outcome` is ok, busy (429) or failed. Times are from sending the request; None where that never came.
    """

    outcome: str
    total_ms: float
    first_hunk_ms: float | None = None
    engine_ms: float | None = None
    passes: int = 0
    chars: int = 0


async def send(client: httpx2.AsyncClient, body: dict[str, Any]) -> TimedRequest:
    """One streamed edit."""
    started = time.perf_counter()

    def since() -> float:
        return 1000.0 * (time.perf_counter() - started)

    first, receipt = None, None
    headers = {"Accept": "text/event-stream"}
    try:
        async with client.stream("POST", "/v1/edits", json=body, headers=headers) as answer:
            if answer.status_code != 200:
                await answer.aread()
                return TimedRequest("busy" if answer.status_code == 429 else "failed", since())
            async for sent in httpx2.EventSource(answer):
                if sent.event == "hunk" and first is None:
                    first = since()
                elif sent.event == "result":
                    receipt = json.loads(sent.data)["receipt"]
    except httpx2.HTTPError:
        return TimedRequest("failed", since(), first)
    if receipt is None:
        return TimedRequest("failed", since(), first)
    return TimedRequest(
        "ok", since(), first, receipt["total_ms"], receipt["passes"], receipt["rewritten_chars"]
    )
