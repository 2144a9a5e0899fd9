"""Which file lines a marker may stand for, by the depth and the block that it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.blocks import Blocks, ends_of
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import Likeness
from fastedit.sketch.features.openers import Openers


class Kept:
    """The file lines that stay below each marker, or comment that may be one."""

    def __init__(self, facts: Facts, likeness: Likeness, openers: Openers, blocks: Blocks) -> None:
        self._facts, self._likeness, self._openers, self._blocks = facts, likeness, openers, blocks

    @cached_property
    def enclosed(self) -> Any:
        """[m]: 1 where a line that the file lacks encloses the sketch line, 0.5 where it may be a changed one of the
        file's, else 0."""
        facts, sketch = self._facts, self._facts.sketch
        found = np.zeros(len(sketch.texts))
        for i, width in enumerate(sketch.widths):
            rows = (row for row in range(i - 1, -1, -1) if sketch.stripped[row] and row not in facts.spelled)
            above = next((row for row in rows if sketch.widths[row] < width), None)
            if above is not None and sketch.opens(above):
                known = self._openers.places(above) or sketch.heads.get(above, "") in facts.heads
                found[i] = 0.0 if known else 0.5 if above in self._likeness.changed else 1.0
        return found

    def outside(self) -> Any:
        """[m, n]: the file lines that end a block or begin a definition further out than the new code around marker i:
        that does not enclose them."""
        facts, sketch = self._facts, self._facts.sketch
        found = np.zeros(facts.shape, dtype=bool)
        for i in facts.spelled:
            if self.enclosed[i] == 1.0:
                around = self._around(i)
                while self.enclosed[around] == 1.0:
                    around = self._around(around)
                found[i] = (facts.closes | facts.is_head) & (
                    facts.widths < sketch.widths[around] + facts.offset
                )
        return found

    def begins_piece(self, i: int) -> bool:
        """Whether the new code around a sketch line begins a piece: nothing that the file has is shown above it."""
        facts = self._facts
        while self.enclosed[i]:
            i = self._around(i)
        above = facts.above.get(i)
        while above is not None and facts.sketch.leads(above) and above not in facts.spelled:
            above = facts.above.get(above)
        return above is None or above in facts.spelled

    def _around(self, i: int) -> int:
        """The sketch line that encloses one which is enclosed."""
        sketch = self._facts.sketch
        rows = (
            row for row in range(i - 1, -1, -1) if sketch.stripped[row] and row not in self._facts.spelled
        )
        return next(row for row in rows if sketch.widths[row] < sketch.widths[i])

    def shown(self) -> Any:
        """[n, 2]: lines that file and sketch have once, and the imports among them."""
        facts = self._facts
        texts = {text for i, text in enumerate(facts.sketch.stripped) if i not in facts.spelled}
        shown = np.array(list(map(texts.__contains__, facts.file.stripped)), dtype=bool) & facts.unique
        return np.stack((shown, shown & facts.imports), axis=1).astype(float)

    @cached_property
    def beyond(self) -> Any:
        """[m, n]: 1 for the first file line after the block that marker i stands in."""
        facts = self._facts
        found = np.zeros(facts.shape, dtype=np.int8)
        for i in range(facts.shape[0]):
            if facts.comment[i]:
                # Where the block ends: what is kept beyond is kept outside of it.
                held, _ = self._blocks.of_marker(i)
                found[i, [below for _, below in ends_of(held) if below < len(held)]] = 1
        return found

    def depth(self) -> Any:
        """[m, n + 1]: whether the first line kept from each place on is deeper in than marker i (1), or further out
        (-1). What a new block encloses moves in, so that its depth says nothing."""
        facts, (m, n) = self._facts, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        inked = facts.inked
        if not len(inked):
            return found
        after = np.searchsorted(inked, np.arange(n + 1))
        widths = facts.inked_widths[np.minimum(after, len(inked) - 1)]
        for i in range(m):
            if facts.comment[i] and self.enclosed[i] < 1.0:
                sides = np.sign(widths - facts.sketch.widths[i] - facts.offset)
                found[i] = np.where(after < len(inked), sides, 0)
        return found

    def instead(self, unsure: Sequence[int], idle: Sequence[int]) -> Any:
        """[m, n + 1]: whether one of these comments, which have neither dots nor words of a marker, would begin to keep
        lines at a comment, of which it is rather a new version; or one of those for which there are none to keep."""
        facts, file, (m, n) = self._facts, self._facts.file, self._facts.shape
        found = np.zeros((m, n + 1), dtype=bool)
        if unsure:
            after = np.searchsorted(facts.inked, np.arange(n + 1))
            comments = np.zeros(n, dtype=bool)
            comments[file.commented] = True
            found[unsure] = np.append(comments[facts.inked], False)[after]
        found[idle] = True
        return found

    def midst(self) -> Any:
        """[m, n + 1]: 1 where marker i, with nothing but another marker of another depth above it, would begin between
        two lines of one block."""
        facts, sketch, (m, n) = self._facts, self._facts.sketch, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        inked, widths = facts.inked, facts.inked_widths
        if len(inked) < 2:
            return found
        after = np.searchsorted(inked, np.arange(n + 1))
        inside = (after > 0) & (after < len(inked))
        at = np.clip(after, 1, len(inked) - 1)
        midst = inside & (widths[at] >= widths[at - 1])
        for i in facts.spelled:
            above = facts.above.get(i)
            if above in facts.spelled and sketch.widths[above] != sketch.widths[i]:
                found[i] = midst
        return found
