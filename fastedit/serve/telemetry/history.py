"""What the server did over the last hour, in intervals of ten seconds: what the charts of the status page draw."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated

from pydantic import Field

from fastedit.result import Receipt

STEP_S = 10
KEPT = 360  # intervals
_BINS = 4  # per doubling of a duration: a quantile is right within a fifth


@dataclass(slots=True)
class Interval:
    """What ended in ten seconds."""

    start: Annotated[int, Field(description="Unix time, in seconds.")]
    edits: Annotated[Counter[str], Field(description="By outcome.")] = field(default_factory=Counter)
    durations: Annotated[
        Counter[float], Field(description="Edits by the upper bound of their time, in milliseconds.")
    ] = field(default_factory=Counter)
    peak: Annotated[int, Field(description="The most edits that were in flight at a time.")] = 0
    passes: int = 0
    output_tokens: int = 0
    drafted: int = 0
    accepted: int = 0
    rewritten_chars: int = 0


class LoadHistory:
    """The newest intervals in which anything happened. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock, self._lock = clock, Lock()
        self._intervals: deque[Interval] = deque(maxlen=KEPT)

    def began(self, live: int) -> None:
        """`live` counts what is in flight, this one included."""
        with self._lock:
            now = self._now()
            now.peak = max(now.peak, live)

    def ended(self, outcome: str, seconds: float) -> None:
        with self._lock:
            now = self._now()
            now.edits[outcome] += 1
            now.durations[_bin(1000 * seconds)] += 1

    def spent(self, receipt: Receipt) -> None:
        with self._lock:
            now = self._now()
            now.passes += receipt.passes
            now.output_tokens += receipt.output_tokens
            now.drafted += sum(receipt.drafted.values())
            now.accepted += sum(receipt.accepted.values())
            now.rewritten_chars += receipt.rewritten_chars

    def since(self, start: float) -> list[Interval]:
        """The intervals of the last hour that begin at `start` or later, oldest first."""
        with self._lock:
            first = max(start, self._clock() - KEPT * STEP_S)
            return [interval for interval in self._intervals if interval.start >= first]

    def _now(self) -> Interval:
        start = int(self._clock() // STEP_S) * STEP_S
        # A clock that was set back must not open an interval after a later one.
        if not self._intervals or self._intervals[-1].start < start:
            self._intervals.append(Interval(start))
        return self._intervals[-1]


def _bin(ms: float) -> float:
    """The upper bound of the bin that a duration falls in, to four digits."""
    return float(f"{2 ** (math.ceil(_BINS * math.log2(max(ms, 0.125))) / _BINS):.4g}")
