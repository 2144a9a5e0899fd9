"""The sums of `fastedit.sketch.paths.lattice` in torch, so that weights have gradients.

Cases whose sketches have equally many lines run as one batch, each in two recursions: over all paths, and over those
that write the true text. A shorter file stands at the right of its rows, so that all end in the last column. Blank
lines are steps like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import reduce
from itertools import product
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from fastedit.sketch.paths.lattice import NEVER, Lattice, Layer, Scores
from fastedit.sketch.paths.weights import GROUPS, Features, scores
from fastedit.sketch.text.writings import StepFlags

_FAR = 30.0  # a difference beyond which the smaller of two scores adds nothing


class TorchSums:
    """All paths count. Rows are [2 x cases, places]; `begins` has each one's first place."""

    def __init__(self, begins: Tensor) -> None:
        self._begins = begins

    def plus(self, one: Tensor, other: Tensor) -> Tensor:
        # As logaddexp, whose gradient takes four times as long.
        return other + torch.nn.functional.softplus(one - other, threshold=_FAR)

    def stacked(self, layers: Sequence[Tensor]) -> Sequence[Tensor]:
        return layers

    def turned(self, turns: dict[tuple[int, int], Tensor]) -> dict[tuple[int, int], Tensor]:
        return turns

    def reached(
        self, layers: Sequence[Tensor], turned: dict[tuple[int, int], Tensor]
    ) -> tuple[Tensor, Tensor]:
        match, new = (
            reduce(self.plus, (row + turned[before, layer] for before, row in enumerate(layers)))
            for layer in (Layer.MATCH, Layer.NEW)
        )
        return match, new

    def passed(self, row: Tensor) -> Tensor:
        return self.shifted(torch.logcumsumexp(row, dim=-1))

    def cumsum(self, row: Tensor) -> Tensor:
        return torch.nn.functional.pad(row.cumsum(-1), (1, 0))

    def cumsums(self, rows: Sequence[Tensor]) -> list[Tensor]:
        return list(map(self.cumsum, rows))

    def shifted(self, row: Tensor) -> Tensor:
        return torch.nn.functional.pad(row[..., :-1], (1, 0), value=NEVER)

    def never(self, count: int) -> Tensor:
        return torch.full((len(self._begins), count), NEVER, dtype=torch.float64)

    def start(self, count: int) -> Tensor:
        return self.never(count).scatter(1, self._begins[:, None], 0.0)


class Slices:
    """The weights of one tensor by their groups, in the order of `NAMES`."""

    def __init__(self, values: Tensor) -> None:
        sizes = [len(names) for names in GROUPS.values()]
        self._of = dict(zip(GROUPS, torch.split(values, sizes), strict=True))

    def of(self, group: str) -> Tensor:
        found: Tensor = self._of[group]
        return found


class _Rows(list[Tensor]):
    """A tensor's rows, taken apart once: each look into a tensor costs its gradient a tensor of zeros."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor.unbind(0))
        self.shape = tensor.shape


Arrays = TypeVar("Arrays", Features, StepFlags)


def tensors(arrays: Arrays) -> Arrays:
    """The same for torch."""
    named = {field.name: getattr(arrays, field.name) for field in fields(arrays)}
    found: dict[str, Any] = {
        name: torch.from_numpy(one) for name, one in named.items() if isinstance(one, np.ndarray)
    }
    return replace(arrays, **found)


def totals(cases: Sequence[tuple[Features, StepFlags]], weights: Tensor) -> Tensor:
    """[cases, 2]: the logarithm of the sum over all paths, and over those that are allowed.

    The features are tensors, all of as many sketch lines; `weights` are [cases, weights], so that each case's gradient
    comes out by itself.
    """
    assert len({features.shape[0] for features, _ in cases}) == 1
    widest = max(features.shape[1] for features, _ in cases)
    begins = torch.tensor([widest - features.shape[1] for features, _ in cases for _ in range(2)])
    free = [scores(features, Slices(mine), torch) for (features, _), mine in zip(cases, weights, strict=True)]
    batch = _batch(free, [allowed for _, allowed in cases], widest)
    total: Tensor = Lattice(batch, TorchSums(begins)).total
    return total.reshape(-1, 2)


def log_posteriors(cases: Sequence[tuple[Features, StepFlags]], weights: Tensor) -> Tensor:
    """[cases]: the logarithm of the true text's share in all paths; below -1e5 no path writes it."""
    every, true = totals(cases, weights).unbind(1)
    return true - every


def _batch(free: Sequence[Scores], allowed: Sequence[StepFlags], widest: int) -> Scores:
    """One `Scores` for all, the scores of all paths above those of the allowed ones."""

    def paired(name: str, allows: str | None) -> list[Tensor]:
        """Each row as it is, and where it is allowed; as it is twice where nothing says that."""
        rows = []
        for one, flags in zip(free, allowed, strict=True):
            row = getattr(one, name)
            rows += [row, row if allows is None else torch.where(getattr(flags, allows), row, NEVER)]
        return rows

    def placed(name: str, places: int, fill: float = 0.0, allows: str | None = None) -> Tensor:
        rows = (
            torch.nn.functional.pad(row, (places - row.shape[-1], 0), value=fill)
            for row in paired(name, allows)
        )
        return torch.stack(list(rows), dim=-2)

    def single(name: str, allows: str | None = None) -> Tensor:
        return torch.stack(paired(name, allows), dim=-1)[..., None]

    return Scores(
        match=_Rows(placed("match", widest + 1, NEVER, "match")),
        new=_Rows(placed("new", widest + 1, NEVER, "new")),
        gone=_Rows(placed("gone", widest, allows="gone")),
        mark=_Rows(single("mark", "silent")),
        note=_Rows(single("note", "silent")),
        begin=_Rows(placed("begin", widest + 1)),
        keep=_Rows(placed("keep", widest, allows="keep")),
        onward=_Rows(single("onward")),
        stay=_Rows(placed("stay", widest, allows="stay")),
        leap=_Rows(single("leap")),
        enter=_Rows(placed("enter", widest + 1)),
        ended=_Rows(placed("ended", widest + 1)),
        leave=placed("leave", widest + 1),
        cut=placed("cut", widest + 1),
        join=placed("join", widest + 1),
        turns=_turns(free),
    )


def _turns(free: Sequence[Scores]) -> dict[tuple[int, int], Tensor]:
    """By both layers: [2 x cases, 1], and [2 x cases] where a path ends, for its end is one place and no row."""
    stacked = torch.stack([one.turns.flatten() for one in free for _ in range(2)], dim=-1).unbind()
    turns = product(range(len(Layer)), repeat=2)
    return {
        (one, other): row if other == Layer.EDGE else row[:, None]
        for (one, other), row in zip(turns, stacked, strict=True)
    }
