"""The machine that a figure was measured on, in one line."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Processor, usable cores, system and Python."""
    cores = len(os.sched_getaffinity(0))
    return f"{_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
