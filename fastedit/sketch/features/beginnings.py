"""New code that a piece of a sketch begins with: with nothing of the file above it, its place is right above the line
shown next, and at the end of the sketch that of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, dropwhile, groupby, takewhile
from typing import Any, NamedTuple

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.read.names import imports_of
from fastedit.sketch.read.reading import BARE, FULL, WORD, Outline
from fastedit.source.outline import is_closer


class _Beginning(NamedTuple):
    """Lines of the sketch, a block or more, that the file has not; the gaps between them and the next line, which the
    file has; and the lines that this may be, each with the first one of what leads to it."""

    first: int
    gaps: slice
    shown: tuple[tuple[int, int], ...]


class Beginnings:
    """Of about 420 of the training sketches, which begin a piece with a block, one has it elsewhere."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def leaps(self) -> Any:
        """[m + 1, n + 1]: where no leap begins: below such code, but over what leads to the line shown next, and in
        and below what comes to the end of the file."""
        m, n = self._facts.shape
        found = np.zeros((m + 1, n + 1), dtype=bool)
        for _, gaps, shown in self._begun:
            found[gaps] = True
            for top, row in shown:
                found[gaps, top : row + 1] = False
        if self._last:
            found[self._last.start + 1 :] = True
        return found

    def torn(self) -> Any:
        """[m, n + 1]: where such code does not begin: between what leads to the line shown next and that."""
        m, n = self._facts.shape
        found = np.zeros((m, n + 1), dtype=bool)
        for first, _, shown in self._begun:
            for top, row in shown:
                found[first, top + 1 : row + 1] = True
        return found

    def stays(self) -> Any:
        """[m + 1, n]: what leads to the line shown next, below such code, where it does not go."""
        m, n = self._facts.shape
        found = np.zeros((m + 1, n), dtype=bool)
        for _, gaps, shown in self._begun:
            for top, row in shown:
                found[gaps, top:row] = True
        return found

    def above_last(self, rows: Any, columns: Any) -> Any:
        """Which of these pairs have a line that comes to the end of the file as one above its last block."""
        if not self._last:
            return np.zeros_like(rows, dtype=bool)
        return (rows >= self._last.start) & (rows < self._last.stop) & (columns < self._last_block)

    @cached_property
    def _begun(self) -> list[_Beginning]:
        found = list[_Beginning]()
        for piece in self._pieces:
            new, known = self._new(piece)
            if new and known is not None:
                gaps = slice(new[-1] + 1, self._facts.below[new[-1]] + 1)
                found.append(_Beginning(new[0], gaps, tuple(self._led(known))))
        return found

    @cached_property
    def _last(self) -> range:
        """The lines that the sketch ends with and that only come to the end of the file."""
        new, known = self._new(self._pieces[-1]) if self._pieces else ([], None)
        ends = new and known is None and new[-1] == self._facts.sketch.inked[-1] and self._comes_last(new)
        return range(new[0], self._facts.shape[0]) if ends else range(0)

    @cached_property
    def _last_block(self) -> int:
        """The line of the file that opens the outermost block around its last line, or that one."""
        file = self._facts.file
        row = file.inked[-1]
        while (above := file.parents[row]) is not None and above < row:
            row = above
        return row

    @cached_property
    def _pieces(self) -> list[list[int]]:
        """The non-blank lines between markers, without the imports that they begin with: these have their own place."""
        sketch = self._facts.sketch
        if self._facts.file.language.prose:
            return []
        imported = frozenset(chain.from_iterable(imports_of(sketch)))
        parts = groupby(sketch.inked, self._facts.spelled.__contains__)
        pieces = [list(rows) for hidden, rows in parts if not hidden]
        return [code for rows in pieces if (code := list(dropwhile(imported.__contains__, rows)))]

    def _new(self, piece: Sequence[int]) -> tuple[list[int], int | None]:
        """The block, or more, that a piece begins with and that the file has nothing of at its depth, and the line at
        that depth below it that the file has; None where the piece ends."""
        facts, sketch = self._facts, self._facts.sketch
        width = sketch.widths[piece[0]]
        new = list(takewhile(lambda i: not self._tells(i, width), piece))
        next_one = piece[len(new)] if len(new) < len(piece) else None
        while next_one is not None and new and sketch.leads(new[-1]) and sketch.led_to(new[-1]) >= next_one:
            new.pop()
        known = [bool(facts.places[i]) for i in new if sketch.ink[i] == FULL]
        is_named = any(i in sketch.heads and sketch.widths[i] == width for i in new)
        if (
            # It may be one of the file by another name, or around what the file has.
            sum(known) * 2 >= len(known) + is_named
            or not any(sketch.widths[i] > width for i in new)
            or (next_one is not None and sketch.widths[next_one] != width)
        ):
            return [], None
        return new, next_one

    def _tells(self, i: int, width: int) -> bool:
        """Whether a line no deeper than this is the file's, or begins a definition of a name that it has. What leads to
        others (a decorator) may do so again."""
        facts, sketch = self._facts, self._facts.sketch
        leads = sketch.leads(i) and not sketch.leads(sketch.led_to(i))
        known = len(facts.places[i]) == 1 or (bool(facts.places[i]) and not leads)
        says = sketch.ink[i] > BARE and not is_closer(sketch.texts[i])
        return sketch.widths[i] <= width and (sketch.heads.get(i, "") in facts.heads or (says and known))

    def _led(self, line: int) -> Iterator[tuple[int, int]]:
        """The lines of the file that this one of the sketch may be, each after the first one of what leads to it."""
        facts, file = self._facts, self._facts.file
        for row in (*facts.places[line], *facts.heads.get(facts.sketch.heads.get(line, ""), ())):
            top = row
            while top and file.leads(top - 1):
                top -= 1
            yield top, row

    def _comes_last(self, new: Sequence[int]) -> bool:
        """Whether new lines at the margin, below a marker there, have their place at the end of the file: it ends with
        one of their kind, or with a definition that has none in it; and they begin as no member of a block does."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        marker = facts.above.get(new[0])
        if marker not in facts.spelled or sketch.widths[marker] or sketch.widths[new[0]] or not file.inked:
            return False
        head, last = next((i for i in new if not sketch.leads(i)), new[0]), self._last_block
        alike = {
            bool(file.widths[row]) for row in file.heads if _beginning(file, row) == _beginning(sketch, head)
        }
        if alike == {True}:
            return False
        if last not in file.heads:
            return _first_word(file.stripped[last]) == _first_word(sketch.stripped[head])
        within = range(last + 1, file.block_end(last))
        return _kind(file, last) == _kind(sketch, head) or not any(row in file.heads for row in within)


def _kind(text: Outline, row: int) -> str:
    """What a definition begins with, up to its name."""
    return text.stripped[row].partition(text.heads.get(row, "("))[0]


def _beginning(text: Outline, row: int) -> tuple[str, str]:
    """The same, and what comes first after the name: `self`."""
    after = WORD.search(text.stripped[row].partition(text.heads.get(row, "("))[2])
    return _kind(text, row), after[0] if after else ""


def _first_word(text: str) -> str:
    """The word that a line begins with, or the sign."""
    return text[: max(next((at for at, sign in enumerate(text) if not sign.isalnum()), len(text)), 1)]
