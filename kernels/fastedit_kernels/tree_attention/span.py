"""What the rows of one request may look at."""

from __future__ import annotations

import torch
from torch import Tensor


class Span:
    """The rows of one request within a pass, and the KV slots they see.

    Rows [start, stop) of the pass own the slots that begin at `base`: `prefix` committed ones, whose
    positions are 0..prefix-1, then one slot a row. `sees` is bool [rows, rows]: row i attends to in-flight
    row j. It holds the diagonal. `positions` is int64 [rows]; only attention windows read it.

    Masks are made once and shared by every layer of a pass.
    """

    def __init__(
        self, sees: Tensor, positions: Tensor, prefix: int, *, start: int = 0, base: int = 0
    ) -> None:
        rows = len(positions)
        assert sees.shape == (rows, rows)
        assert sees.dtype == torch.bool
        self.start, self.stop = start, start + rows
        self.base, self.prefix = base, prefix
        self.sees, self.positions = sees, positions
        self._bias: dict[tuple[torch.dtype, int | None], Tensor | None] = {}

    @property
    def slots(self) -> slice:
        """Every slot that a row of this span may see."""
        return slice(self.base, self.base + self.prefix + self.stop - self.start)

    def bias(self, dtype: torch.dtype, window: int | None = None) -> Tensor | None:
        """What is added to the scores: [rows, prefix + rows], 0 or -inf; None where every slot is seen.

        With a window of w, a row at position p sees positions p-w+1..p.
        """
        key = (dtype, window)
        if key not in self._bias:
            self._bias[key] = self._make_bias(dtype, window)
        return self._bias[key]

    def _make_bias(self, dtype: torch.dtype, window: int | None) -> Tensor | None:
        rows = self.stop - self.start
        if rows == 1 and (window is None or self.prefix < window):
            return None
        seen = torch.ones(rows, self.prefix + rows, dtype=torch.bool, device=self.sees.device)
        seen[:, self.prefix :] = self.sees
        if window is not None:
            committed = torch.arange(self.prefix, device=self.positions.device)
            keys = torch.cat([committed, self.positions])
            seen &= self.positions[:, None] - keys < window
        return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, -torch.inf)
