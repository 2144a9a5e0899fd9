"""Lines of the file that a line of the sketch cannot be without leaving the block in which the sketch shows it: they
stand in another one, though nothing of the sketch leads there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.blocks import Blocks
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.read.reading import BARE, FULL
from fastedit.source.outline import is_closer, is_label

_FEW = 3  # lines with one text
_DEEPEST = 1 << 30  # columns


class Apart:
    """The lines of the file in other blocks than those that the sketch shows."""

    def __init__(self, facts: Facts, openers: Openers, blocks: Blocks) -> None:
        self._facts, self._openers, self._blocks = facts, openers, blocks

    def pairs(self, rows: Any, columns: Any) -> tuple[Any, Any]:
        """Which of these sketch and file lines, as deep, are apart: by the lines that open blocks around the former,
        and by the unchanged lines next to it or to the outermost of these."""
        level = (self._widths[rows] == self._facts.widths[columns]) & self._code[columns]
        by_heads, by_siblings = self._outside
        return level & by_heads[rows, columns], level & by_siblings[rows, columns]

    @cached_property
    def _widths(self) -> Any:
        """[m]: how far in each sketch line stands in the file."""
        return np.array(self._facts.sketch.widths, dtype=int) + self._facts.offset

    @cached_property
    def _code(self) -> Any:
        """[n]: the file lines that begin in no string: those of strings stand in no block."""
        code = np.ones(len(self._facts.file.texts), dtype=bool)
        code[list(self._facts.file.quoted)] = False
        return code

    def are(self, i: int, rows: Sequence[int]) -> bool:
        """Whether a sketch line is apart from all of these file lines, of which there is one."""
        columns = np.array(rows, dtype=np.intp)
        by_heads, by_siblings = self.pairs(np.full(len(columns), i), columns)
        return bool(len(columns)) and bool((by_heads | by_siblings).all())

    @cached_property
    def _outside(self) -> tuple[Any, Any]:
        """[m, n], twice: the same for all lines, of whatever depth."""
        facts, sketch = self._facts, self._facts.sketch
        by_heads, by_siblings = np.zeros(facts.shape, dtype=bool), np.zeros(facts.shape, dtype=bool)
        for i in sketch.inked:
            if i in facts.spelled or i in sketch.quoted:
                continue
            opener = self._opener(i)
            if opener is None:
                if (held := self._beside.get(i)) is not None:
                    by_siblings[i] = held < 0
                continue
            places = self._places(opener, by_heads[opener]) if self._tells(opener) else ()
            if places and sketch.led_to(i) in sketch.heads and self._defining.isdisjoint(places):
                continue  # a definition hardly comes into a block that has none: it may be of a block not shown
            by_heads[i], by_siblings[i] = by_heads[opener], by_siblings[opener]
            held = self._blocks.opened_by(places)
            if (held > 0).any():
                by_heads[i] |= held < 0
        return by_heads, by_siblings

    def _opener(self, i: int) -> int | None:
        """The line that opens the block around a sketch line, if that is not closed above it. A label opens none."""
        language, sketch = self._facts.file.language, self._facts.sketch
        opener = self._openers.rows[i]
        if not (language.is_indented or language.is_data):
            while opener is not None and is_label(sketch.texts[opener]):
                opener = self._openers.rows[opener]
        if opener is None or self._closers.get(opener, i) < i:
            return None
        between = slice(opener + 1, i)
        left = self._own_depths[between].min(initial=_DEEPEST) <= sketch.depths[opener]
        hidden = self._marker_depths[between].max(initial=-1) > sketch.depths[i]
        return None if left or hidden else opener

    @cached_property
    def _own_depths(self) -> Any:
        """[m]: how deep each line stands which is no rest of a block, such as its closer or `else:`."""
        sketch = self._facts.sketch
        depths = np.array(sketch.depths, dtype=int)
        for i, above in enumerate(sketch.parents):
            if not sketch.stripped[i] or (above is not None and sketch.depths[above] >= depths[i]):
                depths[i] = _DEEPEST
        return depths

    @cached_property
    def _marker_depths(self) -> Any:
        """[m]: how deep each marker stands, -1 for other lines: what is less deep below one may be of a block that it
        hides."""
        sketch, depths = self._facts.sketch, np.full(len(self._facts.sketch.texts), -1)
        spelled = list(self._facts.spelled)
        depths[spelled] = np.array(sketch.depths, dtype=int)[spelled]
        return depths

    def _tells(self, opener: int) -> bool:
        """Whether a line opens a block and says something, so that it is no other one by chance."""
        sketch = self._facts.sketch
        opens = sketch.opens(opener) or opener in sketch.heads or opener in sketch.parts
        few = sketch.ink[opener] > BARE and len(self._facts.places[opener]) <= _FEW
        return opens and (few or sketch.ink[opener] == FULL)

    @cached_property
    def _closers(self) -> dict[int | None, int]:
        """By line that opens a block the one that closes it and opens no other."""
        sketch = self._facts.sketch
        closers = ((above, row) for row, above in enumerate(sketch.parents) if is_closer(sketch.texts[row]))
        return {above: row for above, row in closers if not sketch.opens(row)}

    def _places(self, opener: int, outside: Any) -> tuple[int, ...]:
        """The file lines that such a line may be: those in the block that it is shown in, if any."""
        known = self._blocks.openers(opener)
        return tuple([at for at in known if not outside[at]] or known)

    @cached_property
    def _defining(self) -> frozenset[int | None]:
        """The file lines that open blocks with definitions in them."""
        file = self._facts.file
        return frozenset(file.parents[row] for row in file.heads)

    @cached_property
    def _beside(self) -> dict[int, Any]:
        """For each sketch line that nothing known opens a block around, as in `Blocks.opened_by`, the one block that
        has all unchanged lines next to it."""
        found: dict[int, Any] = {}
        for run in self._runs():
            blocks = {block for i in run for block in self._block_with(i)}
            if len(blocks) == 1 and None not in blocks:
                held = self._blocks.opened_by(tuple(block for block in blocks if block is not None))
                found |= dict.fromkeys(run, held)
        return found

    def _runs(self) -> list[list[int]]:
        """Such lines of one depth, with nothing between them that is less deep, nor a marker unless deeper."""
        facts, sketch = self._facts, self._facts.sketch
        runs: list[list[int]] = []
        going_on: dict[int, list[int]] = {}  # by depth
        for i in sketch.inked:
            depth, marker = sketch.depths[i], i in facts.spelled
            going_on = {at: run for at, run in going_on.items() if at < depth or (at == depth and not marker)}
            if marker or self._opener(i) is not None:
                continue
            if depth not in going_on:
                going_on[depth] = []
                runs.append(going_on[depth])
            going_on[depth].append(i)
        return runs

    def _block_with(self, i: int) -> frozenset[int | None]:
        """The line that opens the one block of the file that has a sketch line and all that is shown below it, None at
        the margin; empty where there is no one block."""
        facts, sketch, file = self._facts, self._facts.sketch, self._facts.file
        places = facts.places[i]
        if sketch.ink[i] != FULL or is_closer(sketch.texts[i]) or len(places) > _FEW:
            return frozenset()
        below = (row for row in range(i + 1, sketch.block_end(i)) if row not in facts.spelled)
        shown = {sketch.stripped[row] for row in below if sketch.stripped[row]}
        blocks = frozenset(
            file.parents[at]
            for at in places
            if at not in file.quoted and shown.issubset(file.stripped[at + 1 : file.block_end(at)])
        )
        return blocks if len(blocks) == 1 else frozenset()
