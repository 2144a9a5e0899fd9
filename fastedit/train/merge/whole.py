"""Fits what tells that an update is the file anew, which `fastedit.sketch.whole` asks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.whole import BIAS, traits
from fastedit.train.merge.cases import Case, non_blank
from fastedit.train.merge.logistic import Example, logistic
from fastedit.train.merge.shortened import shortened

# Of what a sketch counts, for each of two that are made of it, and for each whole file: one in three is one.
_SHORT, _SHORT_WHOLE = 0.25, 0.125


def fitted(cases: Sequence[Case]) -> dict[str, float]:
    """A weight for each trait; nothing where no sketch is without markers."""
    return logistic(list(examples(cases)), BIAS)


def examples(cases: Sequence[Case]) -> Iterator[Example]:
    """The sketches without markers, and those that are made of them for shorter files."""
    rng = random.Random(0)
    for case in cases:
        if (example := _example(case)) is not None:
            yield example
            for one in filter(None, map(_example, shortened(case, rng))):
                yield replace(one, weight=one.weight * (_SHORT_WHOLE if one.wanted else _SHORT))


def _example(case: Case) -> Example | None:
    """What tells of a sketch without markers, None of any other. Those are wanted that are what was meant, blank lines
    aside."""
    update = read_update(case.sketch, case.language, case.lines)
    found = traits(Outline(case.lines, language=case.language), update, case.wording)
    if found is None:
        return None
    whole = non_blank(case.sketch.split("\n")) == non_blank(case.new.split("\n"))
    return Example(found, whole, case.weight)
