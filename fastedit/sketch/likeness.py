"""Which file lines a sketch line may be a changed version of, by the words and characters that they share."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fastedit.sketch.facts import Facts
from fastedit.sketch.ratio import ratio
from fastedit.sketch.reading import SHORT, WORD, Inline, inline_marker, target_of

QUITE_ALIKE = 0.7
_LEAST_ALIKE = 0.4
_TELLING = 8  # characters that are enough to know a line by its beginning
_MOST_CHANGED = 6  # file lines that one sketch line may be a changed version of


class Likeness:
    """How alike the lines of a sketch and of a file are."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._ratios: dict[tuple[str, str], float] = {}

    @cached_property
    def changed(self) -> dict[int, list[tuple[int, float]]]:
        """By sketch line, the file lines that it may be a changed version of, and how alike they are, the most alike
        first. Lines that the file has are left out, unless they begin a definition."""
        facts = self._facts
        file, sketch = facts.file, facts.sketch
        mine = {
            i: frozenset(WORD.findall(text))
            for i, text in enumerate(sketch.stripped)
            if i not in facts.spelled
            and sketch.ink[i] >= SHORT
            and not (facts.places[i] and i not in sketch.heads)
        }
        where = self._lines_with(frozenset().union(*mine.values()))
        result: dict[int, list[tuple[int, float]]] = {}
        common = max(60, len(file.texts) // 20)
        weights = {
            word: 1.0 / (1 + np.log(len(rows))) for word, rows in where.items() if 0 < len(rows) <= common
        }
        for i, own in mine.items():
            alike = [word for word in sorted(own) if word in weights]  # sums of floats depend on their order
            rows = [j for word in alike for j in where[word]]
            each = np.repeat([weights[word] for word in alike], [len(where[word]) for word in alike])
            shared = np.bincount(rows, each) if rows else np.zeros(0)
            found = np.nonzero(shared)[0]
            best = found[np.argsort(-shared[found], kind="stable")[: 2 * _MOST_CHANGED]].tolist()
            near = sorted(((j, self.alike(i, j)) for j in best), key=lambda pair: (-pair[1], pair[0]))
            inline = self.inline(i)
            chosen = [(j, alike) for j, alike in near if self._may_be_changed(i, j, alike, inline)]
            if chosen:
                result[i] = chosen[:_MOST_CHANGED]
        return result

    def _lines_with(self, words: frozenset[str]) -> dict[str, list[int]]:
        """The file lines that have each of these words, of those that may be changed."""
        facts = self._facts
        return facts.file.vocabulary.lines_with(
            words, among=(facts.inks >= SHORT) & (~facts.shown | facts.is_head)
        )

    def _may_be_changed(self, i: int, j: int, alike: float, inline: Inline | None) -> bool:
        text = self._facts.file.stripped[j]
        return text != self._facts.sketch.stripped[i] and (
            alike >= (QUITE_ALIKE if self._renamed(i, j) else _LEAST_ALIKE)
            or self.related(i, j)
            or (inline is not None and inline.shows(text))
        )

    def inline(self, i: int) -> Inline | None:
        """The marker within a line of code that the file lacks."""
        facts = self._facts
        return None if facts.places[i] else inline_marker(facts.sketch.stripped[i])

    def _renamed(self, i: int, j: int) -> bool:
        """Whether both begin definitions, of different names."""
        mine, theirs = self._facts.sketch.heads.get(i), self._facts.file.heads.get(j)
        return mine is not None and theirs is not None and mine != theirs

    def related(self, i: int, j: int) -> bool:
        """Whether both begin a definition of one name, or assign to the same."""
        file, sketch = self._facts.file, self._facts.sketch
        name = sketch.heads.get(i)
        if name is not None:
            return file.heads.get(j) == name
        target = target_of(sketch.texts[i])
        return target is not None and target == target_of(file.texts[j])

    def alike(self, i: int, j: int) -> float:
        """From 0 to 1. A line whose statement goes on below is like one that has all of it."""
        one, other = self._facts.sketch.stripped[i], self._facts.file.stripped[j]
        short, long = sorted((one, other), key=len)
        if len(short) >= _TELLING and long.startswith(short):
            return 0.9
        key = (one, other)
        if key not in self._ratios:
            self._ratios[key] = ratio(other, one)
        return self._ratios[key]
