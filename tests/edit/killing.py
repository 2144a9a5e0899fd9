"""Death at a chosen line: what a writer leaves behind must be whole wherever it stops."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection


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
