"""What speaks for and against a sketch line being new, and where in the file it would stand."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.blocks import Blocks, ends_of
from fastedit.sketch.features.comments import Comments
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import QUITE_ALIKE, Likeness
from fastedit.sketch.paths.columns import row
from fastedit.sketch.paths.weights import COMMENTED, INK, NEW
from fastedit.sketch.read.names import imports_of, is_margin_import
from fastedit.sketch.read.reading import BARE, BLANK, FULL, SHORT, is_import, target_of
from fastedit.source.outline import is_closer

_NEAR = 8  # lines


class Added:
    """The lines of a sketch that may be new."""

    def __init__(self, facts: Facts, likeness: Likeness, comments: Comments, blocks: Blocks) -> None:
        self._facts, self._likeness, self._comments, self._blocks = facts, likeness, comments, blocks

    def new(self) -> Any:
        """[m, NEW]: what each line says of itself."""
        m, _ = self._facts.shape
        return np.array([row(NEW, self._new(i)) for i in range(m)], dtype=float).reshape(m, len(NEW))

    def _new(self, i: int) -> dict[str, float]:
        facts, sketch = self._facts, self._facts.sketch
        values = {f"new, {INK[sketch.ink[i]]}": 1.0}
        places, chain = facts.places[i], sketch.qualified(i)
        if chain and chain[-1] not in facts.heads:
            values["new, in a new definition"] = 1.0
        elif places and sketch.ink[i] >= SHORT and i not in self._likeness.elsewhere:
            values["new, as in the file once" if len(places) == 1 else "new, as in the file"] = 1.0
        if i in sketch.heads:
            values["new head"] = 1.0
            if facts.defines(chain):
                values["new head of a name in the file"] = 1.0
        if is_import(sketch.texts[i]):
            values["new import"] = 1.0
        if sketch.ink[i] == BARE and is_closer(sketch.texts[i]):
            values["new closer of an old block"] = float(sketch.parents[i] is None or facts.closes_known(i))
        values[f"new comment {COMMENTED[0]}"] = self._comments.told[i].get(COMMENTED[0], 0.0)
        return values | self._like_a_line(i)

    def _like_a_line(self, i: int) -> dict[str, float]:
        """What the file lines say that it may be a changed version of."""
        changed = self._likeness.changed.get(i, ())
        values: dict[str, float] = {}
        if (alike := max((alike for _, alike in changed), default=0.0)) > QUITE_ALIKE:
            values["new, like a line of the file"] = alike
        if i not in self._facts.sketch.heads and any(self._likeness.related(i, j) for j, _ in changed):
            values["new, with the target of a line of the file"] = 1.0
        return values

    def put(self) -> Any:
        """[m, n + 1]: 1 where the first new line below a marker would stand in the block that the sketch shows it in,
        by its head or by others of it above, -1 where outside of it."""
        facts, sketch, (m, n) = self._facts, self._facts.sketch, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        last = np.maximum.accumulate(np.where(facts.inks != BLANK, np.arange(n), -1)) if n else np.array([])
        for i in range(m):
            if facts.above.get(i) not in facts.spelled or not sketch.stripped[i]:
                continue
            held, openers = self._blocks.at(i, sketch.depths[i])
            marker = facts.above[i]
            of_imports = is_margin_import(sketch, i) and self._blocks.speaks_of_imports(marker)
            if of_imports or self._blocks.in_list(marker):
                held, openers = self._blocks.of_marker(marker)
            if not held.any():
                held, openers = self._blocks.of_siblings(i)
            if not held.any():
                continue
            within = held.copy()
            within[list(openers)] = 1
            found[i, 1:] = np.where(last >= 0, within[np.maximum(last, 0)], 0)
        return found

    def imports(self) -> tuple[Any, Any]:
        """[k] new imports at the margin, and [k, n + 1]: 1 where each would stand between two that it is in
        alphabetical order with, of which one may be missing."""
        facts, (m, n) = self._facts, self._facts.shape
        lines = [i for i in range(m) if is_margin_import(facts.sketch, i)]
        found = np.zeros((len(lines), n + 1))
        if not lines:
            return np.array(lines, dtype=np.intp), found
        file = facts.file
        known = [one for one in imports_of(file) if not file.widths[one.start]]
        begins = {one.start: file.stripped[one.start] for one in known}
        ends = {one.stop: file.stripped[one.start] for one in known}
        for place in begins.keys() | ends.keys():
            above, below = ends.get(place), begins.get(place)
            for at, line in enumerate(lines):
                text = facts.sketch.stripped[line]
                found[at, place] = (above is None or above < text) and (below is None or text < below)
        return np.array(lines, dtype=np.intp), found

    def elsewhere(self) -> Any:
        """[m, n + 1]: 1 but where the block that a marker stands in ends, for a new line right below that is less
        deep, or that ends a list."""
        facts, sketch, (m, n) = self._facts, self._facts.sketch, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        for i in range(m):
            marker = facts.above.get(i)
            if marker not in facts.spelled or not sketch.stripped[i]:
                continue
            if sketch.depths[marker] > sketch.depths[i]:
                held, _ = self._blocks.at(marker, sketch.depths[marker])
            elif self._blocks.ends_list(marker):
                held, _ = self._blocks.of_marker(marker)
            else:
                continue
            if not (held > 0).any():
                continue
            found[i] = 1
            for last, below in ends_of(held):
                found[i, last + 1 : below + 1] = 0
            if sketch.depths[marker] <= sketch.depths[i]:  # where an item may come next to one that is alike
                found[i, self.near_like[i] > 0] = 0
        return found

    def entered(self) -> Any:
        """[m, n + 1]: for a new key right below the line that opens its block 1 where that ends, -1 elsewhere."""
        facts, sketch, (m, n) = self._facts, self._facts.sketch, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        for i in range(m) if facts.file.language.is_data else ():
            above = facts.above.get(i)
            if above is None or above != sketch.parents[i] or target_of(sketch.texts[i]) is None:
                continue
            held, _ = self._blocks.at(i, sketch.depths[i])
            if (held > 0).any():
                found[i] = -1
                for last, below in ends_of(held):
                    found[i, last + 1 : below + 1] = 1
        return found

    def stands_out(self) -> Any:
        """[m, n + 1]: 1 where a new line that the sketch begins with, or that is right below a marker, would be deeper
        than the file's lines above and below, -1 where further out."""
        facts, sketch, (m, n) = self._facts, self._facts.sketch, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        inked = np.searchsorted(facts.inked, np.arange(n + 1))  # how many lines with ink are above each place
        widths = np.pad(facts.inked_widths, 1)
        above_it, below_it = widths[inked], widths[inked + 1]
        for i in sketch.inked:
            above = facts.above.get(i)
            if i not in facts.spelled and (above is None or above in facts.spelled):
                width = sketch.widths[i] + facts.offset
                found[i, (width > above_it) & (width > below_it)] = 1
                found[i, (width < above_it) & (width < below_it)] = -1
        return found

    def barred(self) -> Any:
        """[m, n + 1]: where no new line comes: above what heads a text and is none of it, and a heading within that.
        The two fences of that are a pair."""
        facts, sketch = self._facts, self._facts.sketch
        m, n = facts.shape
        found = np.zeros((m, n + 1), dtype=bool)
        if matter := facts.file.front_matter:
            found[:, 0] = True
            found[list(sketch.parts), : matter.stop] = True
            if shown := sketch.front_matter:
                for i, j in ((shown.start, matter.start), (shown.stop - 1, matter.stop - 1)):
                    found[i] = True
                    found[i, j + 1] = False
        return found

    @cached_property
    def near_like(self) -> Any:
        """[m, n + 1]: how alike a new line would be to the file's line above or below that it may be a version of, 0
        where to none."""
        facts, (m, n) = self._facts, self._facts.shape
        found = np.zeros((m, n + 1))
        ends = np.concatenate(([-1], facts.inked, [n]))
        for i, pairs in self._likeness.changed.items():
            for j, alike in pairs:
                at = int(np.searchsorted(facts.inked, j)) + 1
                near = found[i, ends[at - 1] + 1 : ends[at + 1] + 1]
                np.maximum(near, alike, out=near)
        return found

    def near(self) -> Any:
        """[m, n + 1]: 1 where a new line would stand by an equal one."""
        facts, (m, n) = self._facts, self._facts.shape
        found = np.zeros((m, n + 1), dtype=np.int8)
        for i, places in enumerate(facts.places):
            if facts.sketch.ink[i] == FULL and i not in facts.spelled:
                for j in places:
                    found[i, max(j - _NEAR, 0) : j + _NEAR + 1] = 1
        return found
