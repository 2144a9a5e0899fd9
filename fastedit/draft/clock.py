"""How long drafters take, which is weighed against what a pass of the target takes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.budget import clock_for

AHEAD = 8  # proposals over which the reading of a backlog is spread: novel text rarely comes alone
_FEW, _MANY = 1, 65  # rows of a trial


class Clock:
    """How long a head or a small model takes, from a trial at the start and from every proposal since."""

    def __init__(self, trial: Callable[[int], object], device: str, trials: int = 3) -> None:
        """`trial(rows)` has it read so many rows."""
        self.now = clock_for(device)
        few, many = (min(self._timed(trial, rows) for _ in range(trials)) for rows in (_FEW, _MANY))
        self._first_ms, self._row_ms = few, max(0.0, many - few) / (_MANY - _FEW)

    @property
    def step_ms(self) -> float:
        """Of each step after the first."""
        return self._first_ms

    def prices(self, depth: int, backlog: int) -> NDArray[np.float64]:
        """float64[depth]: of proposals of 1, 2, ... tokens, after so many rows that wait to be read."""
        steps = np.arange(depth, dtype=np.float64)
        return steps * self.step_ms + (self._first_ms + backlog * self._row_ms / AHEAD)

    def observe(self, backlog: int, steps: int, ms: float) -> None:
        """Follows slowly, for a machine may be busy at one time. `steps` are those after the first.

        A long backlog may take less than its rows would one by one, and says nothing of a step.
        """
        taken = ms - backlog * self._row_ms
        if taken > 0.0:
            self._first_ms += 0.1 * (taken / (1 + steps) - self._first_ms)

    def _timed(self, trial: Callable[[int], object], rows: int) -> float:
        started = self.now()
        trial(rows)
        return 1000.0 * (self.now() - started)
