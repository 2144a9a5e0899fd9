"""Waits that end: what does not come within `PATIENCE_S` fails the test, there where it was waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

PATIENCE_S = 120.0  # for a machine that has much else to do


def eventually(holds: Callable[[], object], seconds: float = PATIENCE_S) -> bool:
    """Whether it comes to hold."""
    give_up = time.monotonic() + seconds
    while not holds() and time.monotonic() < give_up:
        time.sleep(0.01)
    return bool(holds())


def started(run: Callable[[], object]) -> Thread:
    """A thread that runs this, and that no process waits for at its end."""
    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def ended(thread: Thread) -> bool:
    """Whether it comes to its end."""
    thread.join(PATIENCE_S)
    return not thread.is_alive()
