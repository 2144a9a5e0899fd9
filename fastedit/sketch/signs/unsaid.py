"""Lines that go without a word of the update, beside what it changes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

from fastedit.sketch.features.likeness import QUITE_ALIKE
from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.read.ratio import ratio
from fastedit.sketch.read.reading import FULL, Outline, target_of
from fastedit.sketch.rivals.base import Sign

STAYS_RELATED: Final = Sign("lines stay unmarked that have to do with what changes", -1.5, contests=False)
TELLING_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_FEW = 20  # lines with a word that are compared with another


class Gap(NamedTuple):
    """A run of inked steps that delete or insert, and the layers of the steps before and behind it."""

    steps: list[PathStep]
    before: Layer
    after: Layer


def gaps_of(inked: Sequence[PathStep]) -> Iterator[Gap]:
    before = Layer.EDGE
    run: list[PathStep] = []
    for step in inked:
        if step.layer in (Layer.GONE, Layer.NEW):
            run.append(step)
            continue
        if run:
            yield Gap(run, before, step.layer)
        run, before = [], step.layer
    if run:
        yield Gap(run, before, Layer.EDGE)


def goes_unrelated(
    file: Outline, sketch: Outline, inked: Sequence[PathStep], told: frozenset[int] = frozenset()
) -> bool:
    """Whether lines go where the update says nothing, while it changes something that has nothing to do with them
    between the same markers: whoever wrote it down for that may have left out a marker. Those `told` to go are
    left aside."""
    silent = list[int]()
    changed = _Changed(file, sketch, inked)
    new = set(changed.new)
    for hides, steps in groupby(inked, lambda step: step.layer in HIDES):
        piece = [] if hides else list(steps)
        if any(step.sketch in new for step in piece):
            runs = (run for run, _, _ in gaps_of(piece) if changed.accounts_for(run))
            silent += [row for run in runs for step in run for row in step.lines if not changed.says(row)]
    silent = [row for row in silent if row not in told]
    return any(file.ink[row] == FULL for row in silent) and not changed.have_to_do_with(silent)


def stays_related(
    file: Outline, sketch: Outline, inked: Sequence[PathStep], told: frozenset[int] = frozenset()
) -> bool:
    """Whether lines of code stay unmarked between what is shown, though there are markers, which would have to do with
    what changes there if they went: then they hardly were forgotten."""
    marks = sketch.hidden and not file.language.is_data
    if not marks or all(step.layer is not Layer.LEAP for step in inked[1:-1]):
        return False
    between = (step._replace(layer=Layer.GONE) if step.layer is Layer.LEAP else step for step in inked[1:-1])
    return not goes_unrelated(file, sketch, [inked[0], *between, inked[-1]], told)


class _Changed:
    """What a path changes and says: `new` are the lines of the sketch that the file lacks, `shown` the line of the
    sketch that each file line is."""

    def __init__(self, file: Outline, sketch: Outline, inked: Sequence[PathStep]) -> None:
        self._file, self._sketch = file, sketch
        self._old, self.new = list[int](), list[int]()
        self.shown = dict[int, int]()
        for step in inked:
            if step.sketch is None:
                continue
            if step.layer is Layer.MATCH:
                self.shown[step.lines.start] = step.sketch
                if sketch.stripped[step.sketch] == file.stripped[step.lines.start]:
                    continue
                self._old.append(step.lines.start)
            if step.layer in (Layer.MATCH, Layer.NEW, Layer.GONE):
                self.new.append(step.sketch)
        for run, _, _ in gaps_of(inked):
            if any(step.sketch is not None for step in run):
                self._old += [row for step in run for row in step.lines]
        self._gone = {row for step in inked if step.layer is Layer.GONE for row in step.lines}
        self._words = set(_words(sketch, self.new))
        self._lines = _Versions(sketch.stripped[line] for line in self.new)

    def accounts_for(self, run: Sequence[PathStep]) -> bool:
        """Whether each new line of a run is another version of one that goes there: then what else goes there goes
        without a word, as if the path took these for changed lines."""
        gone = _Versions(self._file.stripped[row] for step in run for row in step.lines)
        new = (self._sketch.stripped[step.sketch] for step in run if step.sketch is not None)
        return all(map(gone.have, new))

    def says(self, row: int) -> bool:
        """Whether a file line comes elsewhere: as another version, or all its words."""
        words = set(_words(self._file, [row]))
        return bool(words and words <= self._words) or self._lines.have(self._file.stripped[row])

    def have_to_do_with(self, rows: Sequence[int]) -> bool:
        """Whether file lines have a word in common with what changes that nothing else has: then one goes with the
        other."""
        file = self._file
        others = self._gone.union(self._old).difference(rows)
        touched = others.union(rows)
        shared = (self._words | set(_words(file, others))).intersection(_words(file, rows))
        return any(touched.issuperset(lines) for lines in file.vocabulary.lines_with(shared).values())


class _Versions:
    """Lines among which other versions of a line are looked for."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = dict.fromkeys(texts)

    def have(self, text: str) -> bool:
        """Whether one is this line, gives what it assigns to a value, or is much alike."""
        target = target_of(text)
        return (
            text in self._texts
            or (target is not None and target in self._targets)
            or any(ratio(text, other) > QUITE_ALIKE for other in self._with_words_of(text))
        )

    def _with_words_of(self, text: str) -> Iterator[str]:
        """Those that have one of its words, of those that few have."""
        words = set(TELLING_WORD.findall(text))
        found = (texts for word in words if len(texts := self._by_word.get(word, [])) <= _FEW)
        return iter(dict.fromkeys(text for texts in found for text in texts))

    @cached_property
    def _targets(self) -> set[str | None]:
        return set(map(target_of, self._texts))

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for text in self._texts:
            for word in set(TELLING_WORD.findall(text)):
                found[word].append(text)
        return found


def _words(outline: Outline, rows: Iterable[int]) -> Iterator[str]:
    return (word for row in rows for word in TELLING_WORD.findall(outline.texts[row]))
