"""Death at a chosen line or call: what a writer leaves behind must be whole wherever it stops."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Collection, Iterable
from typing import Any

PATIENCE_S = 120


def kill_before_line(line: int, files: Collection[str]) -> None:
    """Kill this process before the given line that runs within these source files, counted from 1."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if frame.f_code.co_filename not in files:
            return None
        if event == "line":
            count += 1
            if count == line:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)


def kill_before_call(number: int, functions: Collection[tuple[Any, str]]) -> None:
    """Kill this process before it calls any of these functions, given as owner and name, for the given time."""
    count = 0

    def counted(function):
        def call(*args, **kwargs):
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **kwargs)

        return call

    for owner, name in functions:
        setattr(owner, name, counted(getattr(owner, name)))


def run_forked(action: Callable[[], object]) -> int:
    """The wait status of a child that runs `action`; 0 where it returned."""
    return run_at_once([action])[0]


def run_at_once(actions: Iterable[Callable[[], object]]) -> list[int]:
    """The wait statuses of children that run one action each, all at the same time."""
    return [os.waitpid(child, 0)[1] for child in list(map(_forked, actions))]


def _forked(action: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE_S)  # it may wait for a lock that a thread had which did not come along
        status = 1
        with contextlib.suppress(BaseException):
            action()
            status = 0
        os._exit(status)
    return child
