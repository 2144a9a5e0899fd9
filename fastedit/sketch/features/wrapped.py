"""Statements that are wrapped anew: the sketch breaks their lines elsewhere than the file. Such a statement is compared
as a whole, all of its lines up to where it ends or opens a block, for its first line alone says little: `if (`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.rests import Rest, ends_whole, rests_of
from fastedit.sketch.read.reading import SHORT, Outline

_LONGEST: Final = 20  # lines
# What stands at the ends of lines in brackets, and not on one line.
_OPENED: Final = re.compile(r"(?<=[(\[]) ")
_CLOSED: Final = re.compile(r",? (?=[)\]])| (?=/?>)|(?<=>) (?=</)")
_FIRST_WORD: Final = re.compile(r"\W*\w+")


class Wrapped:
    """The statements of a sketch and a file that may be one, though their lines break elsewhere."""

    def __init__(
        self,
        facts: Facts,
        rests: Callable[[Outline], Mapping[int, Rest]] = rests_of,
        is_whole: Callable[[Outline, int], bool] = ends_whole,
    ) -> None:
        """`rests` tells what such a statement has below its first line, and `is_whole` whether a line is all of one."""
        self._facts, self._rests, self._is_whole = facts, rests, is_whole

    def versions_of(self, i: int) -> Iterator[int]:
        """The lines of the file that begin such a statement, as deep and with the same word as line i of the sketch."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        if sketch.ink[i] < SHORT or facts.comment[i] or sketch.stripped[i][0] == "}":
            return
        for j in self._begun.get(first_word(sketch.stripped[i]), ()):
            if self._differ(i, j) and file.widths[j] == sketch.widths[i] + facts.offset:
                yield j

    def _differ(self, i: int, j: int) -> bool:
        """Whether both have several lines and begin otherwise, or one has and the other one alone, which is whole."""
        file, sketch = self._facts.file, self._facts.sketch
        mine, theirs = i in self._sketch, j in self._file
        if not (mine or theirs) or file.stripped[j] == sketch.stripped[i]:
            return False
        return (mine and theirs) or self._is_whole(*((file, j) if mine else (sketch, i)))

    def texts(self, i: int, j: int) -> tuple[str, str] | None:
        """All of the statements that a sketch line and a file line begin, if these may be one that is wrapped anew."""
        file, sketch = self._facts.file, self._facts.sketch
        one, other = sketch.stripped[i], file.stripped[j]
        if not self._differ(i, j) or first_word(one) != first_word(other):
            return None
        return self._sketch.get(i, one), self._file.get(j, other)

    @cached_property
    def _sketch(self) -> dict[int, str]:
        return _wholes(self._facts.sketch, self._rests)

    @cached_property
    def _file(self) -> dict[int, str]:
        return _wholes(self._facts.file, self._rests)

    @cached_property
    def _begun(self) -> dict[str, list[int]]:
        """By the word that they begin with the lines of the file."""
        file, found = self._facts.file, dict[str, list[int]]()
        wanted = {first_word(text) for text in self._facts.sketch.stripped}
        for j in file.inked:
            if j in file.quoted or file.comments(j):
                continue
            if (word := first_word(file.stripped[j])) in wanted:
                found.setdefault(word, []).append(j)
        return found


def first_word(text: str) -> str:
    found = _FIRST_WORD.match(text)
    return found[0] if found else ""


def _wholes(side: Outline, rests: Callable[[Outline], Mapping[int, Rest]]) -> dict[int, str]:
    """By first line the statements of several lines, none of which is hidden, on one."""
    found = dict[int, str]()
    for row, rest in rests(side).items():
        if not rest.is_wrapped or len(rest.lines) > _LONGEST or not side.hidden.isdisjoint(rest.lines):
            continue
        text = " ".join(side.stripped[at] for at in (row, *rest.lines) if side.stripped[at])
        found[row] = _CLOSED.sub("", _OPENED.sub("", text))
    return found
