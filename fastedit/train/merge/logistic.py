"""Logistic models over traits, which tell by a few numbers what something is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

_SIGMA = 1.8  # width of the prior around 0
_OFTEN = 2  # examples that have a trait, at least
_LEAST = 0.02  # of a weight that is kept


@dataclass(frozen=True, slots=True)
class Example:
    """What something has of each trait, whether it is of the kind that is asked for, and how much it counts."""

    traits: Mapping[str, float]
    wanted: bool
    weight: float


def logistic(examples: Sequence[Example], bias: str) -> dict[str, float]:
    """A weight for each trait and, by this name, one that always counts: the most probable ones, by L-BFGS."""
    often = Counter(trait for example in examples for trait in example.traits)
    names = [trait for trait, count in sorted(often.items()) if count >= _OFTEN]
    if not names:
        return {}
    columns = {trait: column for column, trait in enumerate(names)}
    pairs = [
        [(columns[trait], value) for trait, value in example.traits.items() if trait in columns]
        for example in examples
    ]
    at = torch.tensor([column for row in pairs for column, _ in row])
    values = torch.tensor([value for row in pairs for _, value in row], dtype=torch.float64)
    starts = torch.tensor([0, *map(len, pairs[:-1])]).cumsum(0)
    wanted = torch.tensor([float(example.wanted) for example in examples], dtype=torch.float64)
    weights = torch.tensor([example.weight for example in examples], dtype=torch.float64)
    made = torch.zeros(len(names), dtype=torch.float64, requires_grad=True)
    base = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([made, base], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = torch.nn.functional.embedding_bag(
            at, made[:, None], starts, mode="sum", per_sample_weights=values
        )[:, 0]
        cost = torch.nn.functional.binary_cross_entropy_with_logits(
            scores + base, wanted, weights, reduction="sum"
        )
        cost = cost + ((made / _SIGMA) ** 2).sum() / 2
        cost.backward()  # type: ignore[no-untyped-call]
        return cost

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    rounded = {name: round(value, 2) for name, value in zip(names, made.tolist(), strict=True)}
    found = {name: value for name, value in rounded.items() if abs(value) > _LEAST}
    return found | {bias: round(base.item(), 2)}
