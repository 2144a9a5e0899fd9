"""What a sketch shows around each gap between its lines, where lines of the file may go or stay."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.blocks import Blocks, ends_of
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import Likeness
from fastedit.sketch.read.reading import BARE


class Gaps:
    """The m + 1 gaps of a sketch: gap i is between its lines i - 1 and i."""

    def __init__(self, facts: Facts, blocks: Blocks) -> None:
        self._facts, self._blocks = facts, blocks
        self._marked_heads: dict[int, bool] = {}

    def above(self, i: int) -> int | None:
        """The last non-blank line above gap i."""
        return next((row for row in range(i - 1, -1, -1) if self._facts.sketch.stripped[row]), None)

    def below(self, i: int) -> int | None:
        """The first non-blank line below gap i."""
        stripped = self._facts.sketch.stripped
        return next((row for row in range(i, len(stripped)) if stripped[row]), None)

    @cached_property
    def inside(self) -> Any:
        """[m + 1, n]: whether each file line stands in the block that the sketch shows on both sides of a gap."""
        sketch, (m, n) = self._facts.sketch, self._facts.shape
        found = np.zeros((m + 1, n), dtype=np.int8)
        for i in range(1, m):
            found[i], _ = self._blocks.at(i, min(sketch.depths[i - 1], sketch.depths[i]))
        return found

    @cached_property
    def beyond(self) -> Any:
        """[m + 1, n]: the first file line after each block that may be the one on both sides of a gap, with its head or
        its end there: what the sketch shows of one block is no part of two."""
        sketch, (m, n) = self._facts.sketch, self._facts.shape
        found = np.zeros((m + 1, n), dtype=bool)
        for i in range(1, m):
            below = self.below(i)
            # A definition may always be one of a block that is not shown.
            if below is not None and sketch.led_to(below) not in sketch.heads:
                opener, depth = sketch.parents[below], sketch.depths[below]
                # A closer, `else:` or a brace alone is of the block above it.
                held, _ = self._blocks.at(
                    i, depth if opener is None else max(depth, sketch.depths[opener] + 1)
                )
                ends = (after for _, after in ends_of(held) if after < n)
                # A comment within may be of another depth.
                found[i, [after for after in ends if not self._facts.file.comments(after)]] = True
        return found

    @cached_property
    def left_open(self) -> Any:
        """[m + 1]: 1 in a block whose bracket the sketch opens and never closes, so that it does not show it whole."""
        return np.array([float(self._is_left_open(i)) for i in range(len(self._facts.sketch.texts) + 1)])

    def _is_left_open(self, i: int) -> bool:
        sketch = self._facts.sketch
        above, below = self.above(i), self.below(i)
        if above is None or below is None:
            return False
        around = sketch.parents[below]
        while around is not None:
            if sketch.opens_bracket(around) and around not in sketch.closed:
                return True
            around = sketch.parents[around]
        return False

    @cached_property
    def definitions(self) -> list[str]:
        """[m + 1]: how the sketch shows the definition on both sides of each gap: "whole", "marked", or "" for none.
        Of pieces of data nothing is shown whole."""
        return [self._definition(i) for i in range(len(self._facts.sketch.texts) + 1)]

    def _definition(self, i: int) -> str:
        sketch = self._facts.sketch
        above, below = self.above(i), self.below(i)
        if above is None or below is None:
            return ""
        both = [head for head in sketch.chains[above] if head in sketch.chains[below]]
        if not both or both[-1] == below:
            return ""
        if self._marked(both[-1]):
            return "marked"
        return "" if self._facts.is_piece else "whole"

    def ended_whole(self, i: int) -> int | None:
        """The head of the definition that ends at a gap and that the sketch shows without markers, not by its head
        alone."""
        if self._facts.is_piece:
            return None
        chains = self._facts.sketch.chains
        above, below = self.above(i), self.below(i)
        if above is None or not chains[above]:
            return None
        head = chains[above][-1]
        goes_on = below is not None and head in chains[below]
        return None if head == above or goes_on or self._marked(head) else head

    def _marked(self, head: int) -> bool:
        """Whether a marker stands in the definition that the line begins."""
        if head not in self._marked_heads:
            stop = self._facts.sketch.block_end(head)
            self._marked_heads[head] = any(head <= row < stop for row in self._facts.spelled)
        return self._marked_heads[head]

    def open_ends(self, likeness: Likeness) -> Any:
        """[m + 1]: on how many sides of a gap no line up to the next marker is one of the file's, so that nothing tells
        how far a deletion goes."""
        facts, sketch, (m, _) = self._facts, self._facts.sketch, self._facts.shape
        anchors = [
            i not in facts.spelled
            and (sketch.ink[i] > BARE or facts.closes_known(i))
            and (bool(facts.places[i]) or i in likeness.changed)
            for i in range(m)
        ]
        found = np.zeros(m + 1)
        for order in (range(m), range(m - 1, -1, -1)):
            anchored = False
            for i in order:
                found[i + (order.step < 0)] += not anchored
                anchored = (anchored or anchors[i]) and i not in facts.spelled
            found[order.stop if order.step > 0 else 0] += not anchored
        return found
