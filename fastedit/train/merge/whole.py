"""Fits what tells that an update is the file anew, which `fastedit.sketch.whole` asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.sketch.reading import Outline, read_update
from fastedit.sketch.whole import BIAS, traits
from fastedit.train.merge.cases import Case, non_blank
from fastedit.train.merge.logistic import Example, logistic


def fitted(cases: Sequence[Case]) -> dict[str, float]:
    """A weight for each trait; nothing where no sketch is without markers."""
    return logistic(list(_examples(cases)), BIAS)


def _examples(cases: Sequence[Case]) -> Iterator[Example]:
    """The sketches without markers. Those are wanted that are what was meant, blank lines aside."""
    for case in cases:
        update = read_update(case.sketch, case.language, case.lines)
        found = traits(Outline(case.lines, language=case.language), update, case.wording)
        if found is not None:
            whole = non_blank(case.sketch.split("\n")) == non_blank(case.new.split("\n"))
            yield Example(found, whole, case.weight)
