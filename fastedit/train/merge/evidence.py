"""How much each sign of a text is worth, by which `engine/merge/evidence.py` weighs the posteriors of readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log

import torch
from torch import Tensor

from fastedit.check import Held, Objection, held_against_merge
from fastedit.engine.merge.evidence import (
    ANOTHER,
    BY_HAND,
    LEAST,
    LEAST_OF_ANOTHER,
    POSTERIOR,
    Evidence,
    evidence,
    lead,
    log_left,
    looked_at,
    of_all,
)
from fastedit.errors import UsageError
from fastedit.sketch.align import Alignment
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.paths.weights import SketchWeights
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.signs.signs import Signs
from fastedit.sketch.whole import is_whole
from fastedit.source.document import Document
from fastedit.train.merge.cases import Case, non_blank

_UNKNOWABLE = 0.02  # share of cases whose text no reader could tell from the sketch
_SIGMA = 1.0  # width of the prior around the weights that the fit begins with
_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Seen:
    """The likeliest readings of one case: the posterior of each, what they leave to others as a logarithm, the signs of
    each, and whether it is right."""

    posteriors: tuple[float, ...]
    log_left: float
    signs: tuple[Evidence, ...]
    right: tuple[bool, ...]
    weight: float


def seen(cases: Iterable[Case], weights: dict[str, float]) -> list[Seen]:
    """What the alignment with these weights makes of the cases that count for signs."""
    found = []
    for case in cases:
        if not case.of_signs or case.misread or _is_whole(case):
            continue
        update = case.update
        alignment = Alignment(case.lines, update, SketchWeights(weights, case.wording))
        signs = Signs.about(alignment)
        best = alignment.best()
        readings = looked_at(alignment, best, partial(_objections, case))
        posteriors = tuple(one.posterior for one in readings)
        wanted = non_blank(case.new.split("\n"))
        found.append(
            Seen(
                posteriors,
                log_left(posteriors, readings[0].rare),
                tuple(_evidence(case, signs, one) for one in readings),
                tuple(non_blank(one.text.lines) == wanted for one in readings),
                case.of_signs,
            )
        )
    return found


def _is_whole(case: Case) -> bool:
    """Whether the sketch is rather all of the new text, so that no path is asked."""
    update = read_update(case.sketch, case.language, case.lines)
    return is_whole(Outline(case.lines, language=case.language), update, case.wording) >= LEAST_OF_ANOTHER


def _evidence(case: Case, signs: Signs, candidate: TextCandidate) -> Evidence:
    return evidence(signs, candidate, _held(case, candidate).rules) | lead(candidate)


def _objections(case: Case, candidate: TextCandidate) -> tuple[Objection, ...]:
    return _held(case, candidate).objections


def _held(case: Case, candidate: TextCandidate) -> Held:
    document = replace(Document.from_text(case.old), language=case.language)
    hunks = candidate.prediction.hunks(document.lines)
    return held_against_merge(document, hunks, candidate.sketch, candidate.told_gone)


def fitted(found: Sequence[Seen], initial: Mapping[str, float]) -> dict[str, float]:
    """The weights by sign but for those set by hand: those of the largest posterior, by L-BFGS, with a Gaussian prior
    around the initial ones, which those of signs that no case has keep. The same cases give the same weights.

    Raises UsageError where there is nothing to learn from.
    """
    if not found:
        raise UsageError("no signs to learn from: all sketches or their files are too long, or misread")
    names = [POSTERIOR, ANOTHER, *sorted({sign for one in found for signs in one.signs for sign in signs})]
    values, right, weights = _tensors(found, names)
    begun = {POSTERIOR: 1.0, **initial} | BY_HAND
    start = torch.tensor([begun.get(name, 0.0) for name in names], dtype=torch.float64)
    free = torch.tensor([name not in BY_HAND for name in names])
    made = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([made], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = torch.where(values[:, :, 0] == _NEVER, _NEVER, values @ torch.where(free, made, start))
        chosen = torch.where(right, scores, _NEVER)
        share = torch.exp(torch.logsumexp(chosen, 1) - torch.logsumexp(scores, 1))
        cost = -(weights * torch.log(share + _UNKNOWABLE)).sum()
        cost = cost + ((made - start) ** 2).sum() / (2 * _SIGMA**2)
        cost.backward()  # type: ignore[no-untyped-call]
        return cost

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    ends = {name: round(value, 3) for name, value in zip(names, made.tolist(), strict=True)}
    return {name: value for name, value in (begun | ends).items() if name not in BY_HAND}


def _tensors(found: Sequence[Seen], names: Sequence[str]) -> tuple[Tensor, Tensor, Tensor]:
    """[cases, readings + 1, names] with one row for texts that nobody looked at, [cases, readings + 1] which are right,
    and [cases] how much each counts."""
    columns = {name: column for column, name in enumerate(names)}
    most = max(len(one.posteriors) for one in found) + 1
    values = torch.zeros(len(found), most, len(names), dtype=torch.float64)
    values[:, :, 0] = _NEVER
    right = torch.zeros(len(found), most, dtype=torch.bool)
    for row, one in enumerate(found):
        for at, (posterior, signs) in enumerate(zip(one.posteriors, one.signs, strict=True)):
            values[row, at, 0] = log(max(posterior, LEAST))
            for sign, value in signs.items():
                values[row, at, columns[sign]] = value
            right[row, at] = one.right[at]
        values[row, -1, 0] = one.log_left
        values[row, -1, 1] = 1.0
        for sign, value in of_all(one.signs).items():
            values[row, -1, columns[sign]] = value
        right[row, -1] = not any(one.right)
    return values, right, torch.tensor([one.weight for one in found], dtype=torch.float64)
