"""Statements over several lines that would be torn: their first line gives way to one that is whole without the rest,
or a new line comes between theirs. So it is with decorators and what they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.rests import (
    Open,
    elements_of,
    ended_code,
    ended_rests,
    ends_whole,
    left_open,
    rests_of,
)
from fastedit.sketch.read.tags import is_element
from fastedit.source.outline import is_closer

# All of a line: nothing of a declaration follows.
_DECORATOR: Final = re.compile(r"(?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?\s*|#\[.*\]\s*)+$")


class _Kind(NamedTuple):
    """Of rests: the indentation of their first lines, what these leave open, and whether a comma ends them."""

    width: int
    left: Open
    ends_entry: bool


class _Rests:
    """Rests of one kind: `firsts` are the lines above them, `begins` the places where what is kept would be a rest,
    `ends` where one ends."""

    def __init__(self, n: int) -> None:
        self.firsts, self.begins, self.ends = (np.zeros(n + 1, dtype=bool) for _ in range(3))

    def add(self, row: int, lines: range) -> None:
        self.firsts[row] = True
        self.forbid(range(row + 1, lines.stop))

    def forbid(self, lines: range) -> None:
        self.begins[lines.start : lines.stop] = True
        self.ends[lines.stop] = True

    def remove(self, row: int, lines: range) -> None:
        self.firsts[row] = self.ends[lines.stop] = False
        self.begins[row + 1 : lines.stop] = False

    @classmethod
    def together(cls, kinds: Sequence[_Rests]) -> _Rests:
        found = cls(0)
        found.firsts, found.begins, found.ends = (
            np.logical_or.reduce(arrays)
            for arrays in zip(*((one.firsts, one.begins, one.ends) for one in kinds), strict=True)
        )
        return found


class Torn:
    """Where what stays below a line of the sketch would be the rest of a statement that the line does not begin."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._file, self._sketch = facts, facts.file, facts.sketch

    def begin(self) -> Any:
        """[m, n + 1]: where the first line kept under marker i would be so."""
        m, n = self._facts.shape
        found = np.zeros((m, n + 1), dtype=bool)
        for above, torn in self._torn.items():
            below = self._facts.below.get(above)
            if below is not None and self._facts.comment[below]:
                found[below] = torn.begins
        return found

    def leap(self) -> tuple[Any, Any]:
        """[m + 1, n + 1], twice: where the first line of a leap before sketch line i would be so, and where the last
        line ends that would."""
        m, n = self._facts.shape
        begin, end = np.zeros((m + 1, n + 1), dtype=bool), np.zeros((m + 1, n + 1), dtype=bool)
        for above, torn in self._torn.items():
            rows = slice(above + 1, self._facts.below.get(above, m) + 1)
            begin[rows], end[rows] = torn.begins, torn.ends
        return begin, end

    def within(self) -> Any:
        """[m, n + 1]: where a new line that is whole would part the lines of a statement which begins as far in as it
        does, or further, and where one would part a decorator from what it belongs to."""
        facts, file, sketch = self._facts, self._file, self._sketch
        found = np.zeros((facts.shape[0], facts.shape[1] + 1), dtype=bool)
        whole = [i for i in sketch.inked if self._is_whole(i)] if facts.shown_offset is not None else []
        # Where most of a sketch is wrapped, it is shown deeper in.
        widths = np.array([sketch.widths[i] + max(facts.offset, 0) for i in whole])
        for row, rest in rests_of(file).items() if whole else ():
            if rest.left in (Open.TAG, Open.BRACKET):
                outer = np.array(whole)[widths <= file.widths[row]]
                parts = np.array([at for at in rest.lines if self._is_part(at, row)], dtype=np.intp)
                found[np.ix_(outer, parts)] = True
        others = [i for i in sketch.inked if not sketch.leads(i)]
        found[np.ix_(np.array(others, dtype=np.intp), self._decorated)] = True
        return found

    @property
    def _decorated(self) -> Any:
        """The lines right below a decorator that is all of its line."""
        file, own = self._file, self._file.language.leading
        alone = (
            j
            for j in file.leading
            if _DECORATOR.match(file.stripped[j]) or (own and own.match(file.stripped[j]))
        )
        below = [j + 1 for j in alone if j + 1 < len(file.texts) and file.stripped[j + 1]]
        return np.array(below, dtype=np.intp)

    def _is_whole(self, i: int) -> bool:
        text = self._sketch.stripped[i]
        begins = not (self._facts.comment[i] or text.startswith(("#", ">", "/>")) or is_closer(text))
        return begins and i not in self._sketch.quoted and ends_whole(self._sketch, i)

    def _is_part(self, at: int, row: int) -> bool:
        """Whether a line of the rest of a statement that `row` begins stands deeper, or closes it."""
        file, text = self._file, self._file.stripped[at]
        if not text or at in file.quoted:
            return False
        return file.widths[at] > file.widths[row] or is_closer(text) or text[0] in "/>"

    def replaced(self, rows: Any, columns: Any, wrapped: Any) -> Any:
        """[pairs, 3]: the lines of the sketch that are whole and may take the place of a statement of which only the
        first line is like them: next to a marker, where the sketch ends, and above a further line. That one only where
        these flags [pairs] tell that the statement is wrapped anew."""
        facts = self._facts
        found = np.zeros((len(rows), 3))
        for above, torn in self._torn.items():
            below = facts.below.get(above)
            pairs = (rows == above) & torn.firsts[columns]
            marked = below is not None and facts.comment[below]
            found[pairs] = (marked, below is None, 0.0)
            found[pairs & wrapped, 2] = not marked and below is not None
        return found

    @cached_property
    def _torn(self) -> dict[int, _Rests]:
        """By line of the sketch what can not be hidden below it."""
        found = {
            above: [rests for rests in (self._torn_below(above), self._ended_by(above)) if rests is not None]
            for above in self._sketch.inked
        }
        return {above: _Rests.together(rests) for above, rests in found.items() if rests}

    def _ended_by(self, i: int) -> _Rests | None:
        """Those of `ended_rests`, and of a definition that the line is all of, if any."""
        rests = [rest.lines for rest in ended_rests(self._facts, i)]
        if (whole := self._facts.in_one_line.get(i)) is not None:
            rests.append(whole[1:])
        if not rests:
            return None
        found = _Rests(len(self._file.texts))
        for lines in rests:
            found.forbid(lines)
        return found

    def _torn_below(self, above: int) -> _Rests | None:
        facts, sketch = self._facts, self._sketch
        text = sketch.stripped[above]
        # A line of the file takes the place of none.
        if facts.comment[above] or facts.places[above] or text.startswith("#") or is_closer(text):
            return None
        width = sketch.widths[above] + facts.offset
        below, before = facts.below.get(above), facts.above.get(above)
        level = below is None or sketch.widths[below] <= sketch.widths[above]
        torn = [
            rests
            for kind, rests in self._rests.items()
            if kind.width == width and self._tears(above, level, kind)
        ]
        if not torn:
            return None
        found = _Rests.together(torn)
        # Below the line that leads to it the sketch's is new, and the rest follows.
        for row in facts.places[before] if before is not None else ():
            if found.firsts[row]:
                for rests in (rests_of(self._file), elements_of(self._file)):
                    if row in rests:
                        found.remove(row, rests[row].lines)
        return found

    def _tears(self, above: int, level: bool, rest: _Kind) -> bool:
        """Whether rests of a kind can not be that of what this line of the sketch begins. `level`: what is hidden below
        it does not stand within what it opens."""
        text = self._sketch.texts[above]
        left = left_open(text, self._file.language.is_indented)
        if rest.left is Open.ELEMENT:
            return is_element(text)
        if rest.left is Open.TAG:
            return left is not Open.TAG
        if rest.left is Open.BRACKET:
            return left not in (Open.BRACKET, Open.EXPRESSION)
        if left is Open.NOTHING:
            return level and (rest.left is not Open.FURTHER or ended_code(text).endswith(";"))
        # An entry ends with a comma too.
        return level and left is Open.LIST and rest.left is not Open.LIST and rest.ends_entry

    @cached_property
    def _rests(self) -> dict[_Kind, _Rests]:
        """Those of the file's statements by kind."""
        file, found = self._file, dict[_Kind, _Rests]()
        for row, (left, lines) in (*rests_of(file).items(), *elements_of(file).items()):
            kind = _Kind(file.widths[row], left, ended_code(file.texts[lines[-1]]).endswith(","))
            found.setdefault(kind, _Rests(len(file.texts))).add(row, lines)
        return found
