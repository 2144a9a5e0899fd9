"""What fitted weights are worth on cases that the fit has not seen, and the table of the weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import exp, log
from typing import Any

import torch

from fastedit.sketch.align import Alignment
from fastedit.sketch.paths.weights import NAMES, SketchWeights, scores
from fastedit.train.merge.cases import Case, Prepared, non_blank
from fastedit.train.merge.fit import FLOOR, Fitted
from fastedit.train.merge.ring import Slices, log_posteriors
from fastedit.train.table import table

THRESHOLDS = (0.995, 0.99, 0.98, 0.9)


@dataclass(frozen=True, slots=True)
class Answer:
    """The model's likeliest text of a case: its posterior, whether it is right, and -log(P) of the true text."""

    case: Case
    posterior: float
    right: bool
    loss: float


def answers(cases: Iterable[Prepared], weights: dict[str, float]) -> list[Answer]:
    values = torch.tensor([weights.get(name, 0.0) for name in NAMES], dtype=torch.float64)
    found = []
    with torch.no_grad():
        for prepared in cases:
            case = prepared.case
            update = case.update
            best = Alignment(case.lines, update, SketchWeights(weights, case.wording)).best()
            true = exp(float(log_posteriors([(prepared.features, prepared.allowed)], values[None])))
            right = non_blank(best.text.lines) == non_blank(case.new.split("\n"))
            found.append(Answer(case, best.posterior, right, -log(true + FLOOR)))
    return found


def figures(found: Sequence[Answer]) -> dict[str, Any]:
    """Cases, those whose text is right, mean -log P, and how many texts above a posterior are wrong."""
    rows: dict[str, Any] = {
        "cases": len(found),
        "right": sum(answer.right for answer in found),
        "mean -log P": round(sum(answer.loss for answer in found) / max(len(found), 1), 4),
    }
    for threshold in THRESHOLDS:
        above = [answer for answer in found if answer.posterior >= threshold]
        rows[f"at {threshold}"] = len(above)
        rows[f"wrong at {threshold}"] = sum(not answer.right for answer in above)
    return rows


def by_source(found: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """The figures of each source and of all together."""
    sources = sorted({answer.case.source for answer in found})
    parts = {name: figures([answer for answer in found if answer.case.source == name]) for name in sources}
    return {**parts, "all": figures(found)}


def occurrences(cases: Iterable[Prepared]) -> Counter[str]:
    """In how many cases each feature counts at some step: where a sum of the steps, each by a factor of chance, changes
    with its weight."""
    found: Counter[str] = Counter()
    weights = torch.zeros(len(NAMES), dtype=torch.float64, requires_grad=True)
    chance = torch.Generator().manual_seed(0)
    for prepared in cases:
        made = scores(prepared.features, Slices(weights), torch)
        parts = (getattr(made, field.name) for field in fields(made))
        steps = torch.cat([part.flatten() for part in parts if part is not None])
        factors = torch.rand(len(steps), dtype=torch.float64, generator=chance)
        (changes,) = torch.autograd.grad(steps @ factors, weights)
        found.update(name for name, change in zip(NAMES, changes.tolist(), strict=True) if change)
    return found


def weights_table(fitted: Fitted, counts: Counter[str]) -> str:
    """Each feature with its weight, the standard error, and in how many cases it occurs."""
    rows = [
        [f"`{name}`", f"{fitted.weights[name]:.2f}", f"{fitted.errors[name]:.2f}", str(counts[name])]
        for name in NAMES
    ]
    return table(["feature", "weight", "standard error", "cases"], rows)


def figures_table(rows: dict[str, dict[str, Any]]) -> str:
    """The figures by source."""
    cells = [
        [name, str(row["cases"]), str(row["right"]), f"{row['mean -log P']:.3f}"]
        + [f"{row[f'wrong at {t}']} of {row[f'at {t}']}" for t in THRESHOLDS]
        for name, row in rows.items()
    ]
    return table(["held out", "cases", "right", "mean -log P", *(f"wrong at {t}" for t in THRESHOLDS)], cells)
