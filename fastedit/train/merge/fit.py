"""Maximises the posterior of true texts, with a Gaussian prior around the weights that the fit begins with."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from fastedit.sketch.paths.weights import NAMES
from fastedit.train.merge.cases import Prepared
from fastedit.train.merge.ring import log_posteriors

FLOOR = 4e-5  # of a posterior: one case that cannot be right must not outweigh all others
BATCH = 24
_TOGETHER = 12


@dataclass(frozen=True, slots=True)
class Recipe:
    """`sigma` is the prior's width."""

    epochs: int = 4
    rate: float = 0.08
    sigma: float = 2.5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights by feature, their standard errors, and the mean loss of each epoch."""

    weights: dict[str, float]
    errors: dict[str, float]
    losses: list[float]


def losses(cases: Sequence[Prepared], weights: Tensor) -> tuple[Tensor, Tensor]:
    """[cases]: -log(P + FLOOR) of the true texts, and [cases, weights]: their gradients.

    The sketches have equally many lines.
    """
    each = weights.detach().repeat(len(cases), 1).requires_grad_()
    found = log_posteriors([(case.features, case.allowed) for case in cases], each)
    values = -torch.log(torch.exp(found) + FLOOR)
    (gradients,) = torch.autograd.grad(values.sum(), each)
    return values.detach(), gradients


def bundles(cases: Sequence[Prepared], rng: random.Random) -> list[list[Prepared]]:
    """All cases in an order by chance, those together that may run as one batch."""
    by_lines: dict[int, list[Prepared]] = defaultdict(list)
    for case in cases:
        by_lines[case.features.shape[0]].append(case)
    found = []
    for same in by_lines.values():
        rng.shuffle(same)
        found += [same[at : at + _TOGETHER] for at in range(0, len(same), _TOGETHER)]
    rng.shuffle(found)
    return found


def fit(
    cases: Sequence[Prepared],
    initial: dict[str, float],
    recipe: Recipe,
    without: frozenset[str] = frozenset(),
    tell: Callable[[int, float], None] = lambda epoch, mean: None,
) -> Fitted:
    """Adam over batches; features in `without` keep a weight of nothing. `tell` hears each epoch's mean loss."""
    rng = random.Random(recipe.seed)
    used = torch.tensor([name not in without for name in NAMES])
    start = torch.tensor([initial.get(name, 0.0) for name in NAMES], dtype=torch.float64) * used
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.Adam([weights], lr=recipe.rate)
    everything = sum(case.case.weight for case in cases)
    means, squares = list[float](), torch.zeros_like(start)
    for epoch in range(recipe.epochs):
        total, done, squares = 0.0, 0.0, torch.zeros_like(start)
        step, size = torch.zeros_like(start), 0.0
        order = bundles(cases, rng)
        for at, bundle in enumerate(order):
            values, gradients = losses(bundle, weights)
            shares = torch.tensor([case.case.weight for case in bundle], dtype=torch.float64)
            squares += shares @ gradients**2
            step += shares @ gradients
            size += float(shares.sum())
            total += float(shares @ values)
            if size >= BATCH or at + 1 == len(order):
                prior = (weights.detach() - start) / recipe.sigma**2
                weights.grad = torch.where(used, step / size + prior / everything, 0.0)
                done += size
                for group in optimizer.param_groups:
                    group["lr"] = recipe.rate * (1 - (epoch + done / everything) / recipe.epochs)
                optimizer.step()
                step, size = torch.zeros_like(start), 0.0
        means.append(total / everything)
        tell(epoch + 1, means[-1])
    errors = (squares + recipe.sigma**-2) ** -0.5
    return Fitted(_named(weights.detach()), _named(errors), means)


def _named(values: Tensor) -> dict[str, float]:
    return dict(zip(NAMES, values.tolist(), strict=True))
