"""Lists, tables and paragraphs below a comment: blocks that no line opens and no indentation shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.read.reading import BLANK, Outline

_ITEM = re.compile(r"\||([-*+]|\d+[.)])\s")
_ROW = "|"


class _Run(NamedTuple):
    """Items of one kind at one depth, with what belongs to each."""

    kind: str
    width: int
    rows: range


class Lists:
    """Which of a file's lists and paragraphs the markers of a sketch stand in."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._found: dict[int, Any] = {}

    def around(self, i: int) -> Any:
        """[n]: of the list that sketch line i, a marker, stands in above a new item, or of the paragraph above a new
        line of it: 1 for each file line in it, -1 for the others and 0 for blank lines. None where there is none."""
        if i not in self._found:
            self._found[i] = self._around(i)
        return self._found[i]

    def _around(self, i: int) -> Any:
        facts, sketch = self._facts, self._facts.sketch
        above, below = facts.above.get(i), facts.below.get(i)
        if above is None or below is None or {above, below} & facts.spelled or facts.places[below]:
            return None
        if facts.file.language.is_code or facts.file.language.is_data:
            return None
        kind = _kind(sketch.stripped[below])
        found = self._lists(above, kind, sketch.widths[below]) if kind else self._paragraphs(above, below)
        if not found:
            return None
        held = np.full(len(facts.file.texts), -1, dtype=np.int8)
        for rows in found:
            held[rows.start : rows.stop] = 1
        held[facts.inks == BLANK] = 0
        return held

    def ends(self, i: int) -> bool:
        """Whether the sketch shows no line of the list or paragraph below the new ones that follow sketch line i."""
        facts, sketch = self._facts, self._facts.sketch
        row = facts.below.get(i)
        while row is not None and not facts.places[row] and row not in facts.spelled:
            row = facts.below.get(row)
        return row is None or (
            row not in facts.spelled and _kind(sketch.stripped[row]) != _kind(sketch.stripped[facts.below[i]])
        )

    def _lists(self, above: int, kind: str, width: int) -> Sequence[range]:
        """The lists of the file that have the items which the sketch shows above a new one; below another line the one
        that follows it, or the only one of its part."""
        facts, sketch = self._facts, self._facts.sketch
        runs = [run for run in self._runs if run.kind == kind and run.width == width]
        shows_item = False
        row: int | None = above
        while row is not None and row not in facts.spelled and _kind(sketch.stripped[row]) == kind:
            shows_item = True
            if places := facts.places[row]:
                runs = [run for run in runs if any(place in run.rows for place in places)]
            row = facts.above.get(row)
        if not shows_item:
            runs = [run for place in self._places(above) for run in self._below(place, runs)]
        return [run.rows for run in runs]

    def _places(self, row: int) -> Sequence[int]:
        """The file lines with the text of a sketch line: those below the line that the sketch shows above it, if any
        are, as of a heading that is underlined."""
        facts, file = self._facts, self._facts.file
        over = facts.above.get(row)
        known = facts.places[over] if over is not None and over not in facts.spelled else ()
        there = [place for place in facts.places[row] if file.row_above(place) in known]
        return there or facts.places[row]

    def _below(self, place: int, runs: Sequence[_Run]) -> Sequence[_Run]:
        """Of these lists the one that follows a line of the file, or the only one of the part that it begins."""
        file = self._facts.file
        following = [run for run in runs if run.rows.start == file.row_below(place)]
        if following or place not in file.parts:
            return following
        within = [run for run in runs if place < run.rows.start < file.block_end(place)]
        return within if len(within) == 1 else []

    def _paragraphs(self, above: int, below: int) -> Sequence[range]:
        """The paragraphs of the file that a comment heads which the sketch shows at the top of the lines right above a
        marker, where each has such a comment."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        apart = below != above + 2 or sketch.comments(below)
        if file.language.prose or apart or not all(map(file.comments, self._tops)):
            return []
        while above and sketch.stripped[above - 1] and above - 1 not in facts.spelled:
            above -= 1
        return [self._tops[place] for place in self._places(above) if place in self._tops]

    @cached_property
    def _tops(self) -> dict[int, range]:
        """The paragraphs of the file, by their first lines."""
        inked = self._facts.file.inked
        tops = [row for above, row in zip([-2, *inked], inked, strict=False) if row > above + 1]
        return {top: range(top, stop) for top, stop in pairwise([*tops, len(self._facts.file.texts)])}

    @cached_property
    def _runs(self) -> list[_Run]:
        return list(_runs(self._facts.file))


def _kind(text: str) -> str:
    """What the items of a list begin with; nothing for another line. Numbers are all alike."""
    found = _ITEM.match(text)
    return found[0].strip("0123456789 \t") if found else ""


def _runs(file: Outline) -> Iterator[_Run]:
    run: _Run | None = None
    for row in file.inked:
        kind, width = _kind(file.stripped[row]), file.widths[row]
        if run is not None and _goes_on(run, row, kind, width, file):
            run = run._replace(rows=range(run.rows.start, row + 1))
            continue
        if run is not None:
            yield run
        run = _Run(kind, width, range(row, row + 1)) if kind else None
    if run is not None:
        yield run


def _goes_on(run: _Run, row: int, kind: str, width: int, file: Outline) -> bool:
    """Whether a line is a further item, or goes on with one: deeper, or right below without being another."""
    next_to = row == run.rows.stop
    if run.kind == _ROW:
        return kind == _ROW and next_to
    if kind == run.kind and width == run.width:
        return True
    return width > run.width or (next_to and not kind and row not in file.parts)
