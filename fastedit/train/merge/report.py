"""What fitted weights are worth on cases that the fit has not seen, and the table of the weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import torch

from fastedit.sketch.align import Alignment
from fastedit.sketch.weights import GROUPS, NAMES, SHOWN_UP_TO, SketchWeights
from fastedit.train.merge.cases import Case, Prepared, inked
from fastedit.train.merge.fit import FLOOR, Fitted
from fastedit.train.merge.ring import log_posteriors
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
            right = inked(best.text.lines) == inked(case.new.split("\n"))
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
    """In how many cases each feature counts at some step."""
    found: Counter[str] = Counter()
    for prepared in cases:
        features = prepared.features
        for group in ("match", "new", "gone", "mark", "note", "leap", "enter", "leave", "cut", "join"):
            used = (getattr(features, group) != 0).any(0)
            found.update(name for name, one in zip(GROUPS[group], used, strict=True) if one)
        kept = features.ended[:-1][features.may_mark]
        placed = {
            "put": (
                features.put > 0,
                features.put < 0,
                features.near,
                features.after > 0,
                features.after < 0,
                features.entered > 0,
                features.entered < 0,
                features.stands_out > 0,
                features.stands_out < 0,
                features.near_like > 0,
                features.near_like > 0,
                *features.imported.permute(2, 0, 1),
            ),
            "inside": (features.inside > 0, features.inside < 0, features.whole, features.open_ends),
            "begin": (features.depth > 0, features.depth < 0, features.midst, kept < 0),
            "ended": (features.ended > 0, features.ended < 0, features.ended == SHOWN_UP_TO),
            "keep": (features.beyond, features.outwards, *features.shown.T),
        }
        for group, values in placed.items():
            found.update(name for name, one in zip(GROUPS[group], values, strict=True) if one.any())
        found.update(GROUPS["turns"])
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
