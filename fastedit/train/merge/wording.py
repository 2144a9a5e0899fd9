"""Fits what the words of comments tell, which `fastedit.sketch.wording` reads them by."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from fastedit.sketch.facts import Facts
from fastedit.sketch.reading import Outline, read_update
from fastedit.sketch.wording import BIAS, Wording, traits
from fastedit.train.merge.cases import Case

_FOLDS = 6
_OF_FILES = 6_000  # comments
# How much a comment counts that is surely a marker, or one of a file: neither is in question.
_SURE, _OF_A_FILE = 0.1, 0.05
_SIGMA = 1.8  # width of the prior around 0
_OFTEN = 2  # comments that have a trait, at least
_LEAST = 0.02  # of a weight that is kept


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, whether it speaks of the sketch it was in, and how much it counts."""

    text: str
    of_sketch: bool
    weight: float


def crossed(cases: Sequence[Case], seed: int = 0) -> list[Case]:
    """The cases, each with words that were fitted without the comments of its author; without those of its package
    where nobody is named."""
    groups = sorted({_group(case) for case in cases})
    random.Random(seed).shuffle(groups)
    fold = {group: at % _FOLDS for at, group in enumerate(groups)}
    found = [
        fitted([case for case in cases if fold[_group(case)] != at], seed)
        for at in range(min(_FOLDS, len(groups)))
    ]
    return [replace(case, wording=found[fold[_group(case)]]) for case in cases]


def fitted(cases: Sequence[Case], seed: int = 0) -> Wording:
    """The weights of the largest posterior, by L-BFGS. The same cases give the same weights."""
    comments = [*_of_sketches(cases), *_of_files(cases, seed)]
    told = [traits(comment.text) for comment in comments]
    often = Counter(trait for found in told for trait in found)
    names = [trait for trait, count in sorted(often.items()) if count >= _OFTEN]
    if not names:
        return Wording()
    columns = {trait: column for column, trait in enumerate(names)}
    pairs = [
        [(columns[trait], value) for trait, value in found.items() if trait in columns] for found in told
    ]
    at = torch.tensor([column for row in pairs for column, _ in row])
    values = torch.tensor([value for row in pairs for _, value in row], dtype=torch.float64)
    starts = torch.tensor([0, *map(len, pairs[:-1])]).cumsum(0)
    wanted = torch.tensor([float(comment.of_sketch) for comment in comments], dtype=torch.float64)
    weights = torch.tensor([comment.weight for comment in comments], dtype=torch.float64)
    made = torch.zeros(len(names), dtype=torch.float64, requires_grad=True)
    bias = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([made, bias], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = torch.nn.functional.embedding_bag(
            at, made[:, None], starts, mode="sum", per_sample_weights=values
        )[:, 0]
        cost = torch.nn.functional.binary_cross_entropy_with_logits(
            scores + bias, wanted, weights, reduction="sum"
        )
        cost = cost + ((made / _SIGMA) ** 2).sum() / 2
        cost.backward()  # type: ignore[no-untyped-call]
        return cost

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    rounded = {name: round(value, 2) for name, value in zip(names, made.tolist(), strict=True)}
    return Wording(
        {name: value for name, value in rounded.items() if abs(value) > _LEAST}
        | {BIAS: round(bias.item(), 2)}
    )


def _group(case: Case) -> str:
    return case.author or case.package


def _of_sketches(cases: Iterable[Case]) -> Iterator[Comment]:
    """Those that the file lacks. What is spelled like a marker tells of its words, once."""
    known = set[str]()
    for case in cases:
        update = read_update(case.sketch, case.language, case.lines)
        facts = Facts(Outline(case.lines, language=case.language), update)
        new = {line.strip() for line in case.new.split("\n")}
        for i, text in enumerate(facts.sketch.stripped):
            if not text or not facts.comment[i] or facts.places[i]:
                continue
            if i not in facts.spelled:
                yield Comment(text, text not in new, 1.0)
            elif text not in known:
                known.add(text)
                yield Comment(text, True, _SURE)


def _of_files(cases: Iterable[Case], seed: int) -> Iterator[Comment]:
    """Some of those that stand in the files."""
    found = set[str]()
    for lines, language in {(case.lines, case.language) for case in cases}:
        outline = Outline(lines, language=language)
        found.update(text for row, text in enumerate(outline.stripped) if text and outline.comments(row))
    drawn = random.Random(seed).sample(sorted(found), min(_OF_FILES, len(found)))
    return (Comment(text, False, _OF_A_FILE) for text in drawn)
