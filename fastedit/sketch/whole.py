"""Whether an update without markers is the file anew, so that what it does not show goes.

An alignment judges each line that is not shown by itself, and of a long file sent whole none of many such lines is
certain. Whether it was sent whole is one question, though: a logistic model of what the two share answers it, fitted on
sketches (`fastedit.train.merge.whole`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from math import exp
from typing import Final

from fastedit.sketch.entries import shown_of_unchanged
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.paths.fitted import fitted
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.read.wording import Wording
from fastedit.sketch.remarks import trailing_comments
from fastedit.source.hunks import differing
from fastedit.source.prediction import Prediction
from fastedit.source.update import Update

BIAS: Final = "any update without markers"
SHOWS: Final = "share of the file that it shows, where it begins as the file does"
LONG: Final = "its length in that of the file"
SPEAKS: Final = "a comment in place of lines speaks of the sketch"
REMARK: Final = "a comment after code speaks of the edit"
FURTHER_IN: Final = "stands further in than the file"
SHOWS_UNCHANGED: Final = "share that it shows of the entries that stay as they are"
ALL_CHANGED: Final = "leaves out all entries that stay as they are"


def is_whole(file: Outline, update: Update, wording: Wording, asked: Set[str] = frozenset()) -> float:
    """The probability that an update is all of the file's new text. `asked` are words of who asked for it: what has one
    in its name may go."""
    found = traits(file, update, wording, asked)
    if found is None:
        return 0.0
    weights: dict[str, float] = fitted()["whole"]
    score = weights[BIAS] + sum(weights.get(trait, 0.0) * value for trait, value in found.items())
    return 1.0 / (1.0 + exp(-score))


def traits(
    file: Outline, update: Update, wording: Wording, asked: Set[str] = frozenset()
) -> Mapping[str, float] | None:
    """What tells by name, None where it cannot be: of an update with markers, and of nothing."""
    if any(line.marker for line in update.lines):
        return None
    facts = Facts(file, update)
    mine, theirs = ([side.stripped[row] for row in side.inked] for side in (facts.sketch, file))
    if not mine or not theirs:
        return None
    long = min(len(mine) / len(theirs), 1.0)
    remarks = [one.comment for one in trailing_comments(update, file.texts)]
    begins = mine[0] == theirs[0]
    unchanged = shown_of_unchanged(file, facts.sketch, asked)
    return {
        SHOWS: min(_shown(facts), _spanned(facts), long) if begins else 0.0,
        LONG: long,
        SPEAKS: max(0.0, *(wording.speaks(facts.said(i), facts.told(i)) for i in _in_place(facts)), 0.0),
        REMARK: max(wording.remarks(remarks), 0.0) if remarks else 0.0,
        FURTHER_IN: float(_margin(facts.sketch) > _margin(file)),
        SHOWS_UNCHANGED: unchanged,
        ALL_CHANGED: float(unchanged == 0.0),
    }


def _shown(facts: Facts) -> float:
    """Of the file's lines that say something, or of its definitions, those that the update has: the fewer."""
    names = set(facts.heads)
    lines = facts.share if FULL in facts.file.ink else 1.0
    return min(lines, len(names & set(facts.sketch.heads.values())) / len(names)) if names else lines


def _spanned(facts: Facts) -> float:
    """The share of the file between the first and the last line that the update has too."""
    inked = facts.file.inked
    told = [at for at, row in enumerate(inked) if facts.shown[row] and facts.file.ink[row] == FULL]
    return (told[-1] - told[0] + 1) / len(inked) if told else 0.0


def _margin(side: Outline) -> int:
    return min(side.widths[row] for row in side.inked)


def _in_place(facts: Facts) -> Iterator[int]:
    """The comments that the file lacks and that come where lines of it go: they may stand for these."""
    file, sketch = facts.file, facts.sketch
    if any(facts.comment[i] and not facts.places[i] for i in sketch.inked):
        old, new = ([side.stripped[row] for row in side.inked] for side in (file, sketch))
        for start, stop, first, last in differing(old, new):
            if start < stop:
                rows = (sketch.inked[at] for at in range(first, last))
                yield from (i for i in rows if facts.comment[i] and not facts.places[i])


def anew(lines: Sequence[str], texts: Sequence[str]) -> tuple[tuple[PathStep, ...], Prediction]:
    """The path and the text of an update that is all of the file's new text. Where lines differ in blanks at their end
    alone, the file's are kept, and so are the blank lines at its end: an update has none there."""
    path, new, origins = list[PathStep](), list[str](), list[int | None]()
    at = row = 0
    old = [line.rstrip() for line in lines]
    last = len(old)
    while last and not old[last - 1] and texts and texts[-1].strip():
        last -= 1
    old, blank = old[:last], range(last, len(lines))
    ends = (len(old), len(old), len(texts), len(texts))
    for start, stop, first, end in (*differing(old, [text.rstrip() for text in texts]), ends):
        path += (PathStep(Layer.MATCH, at + i, range(row + i, row + i + 1)) for i in range(start - row))
        new += lines[row:start]
        origins += range(row, start)
        if stop - start == end - first:
            path += (
                PathStep(Layer.MATCH, first + i, range(start + i, start + i + 1)) for i in range(stop - start)
            )
        else:
            path += (PathStep(Layer.NEW, i) for i in range(first, end))
            path += (PathStep(Layer.GONE, None, range(i, i + 1)) for i in range(start, stop))
        new += texts[first:end]
        origins += [None] * (end - first)
        at, row = end, stop
    if blank:
        path.append(PathStep(Layer.LEAP, None, blank))
    new += lines[last:]
    origins += blank
    return tuple(path), Prediction(tuple(new), tuple(origins))
