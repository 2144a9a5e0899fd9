"""Whether a comment of a sketch is a marker, a note about the change, or part of the code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.kept import Kept
from fastedit.sketch.features.likeness import QUITE_ALIKE, Likeness
from fastedit.sketch.paths.columns import row
from fastedit.sketch.paths.weights import MARK, NOTE
from fastedit.sketch.read.abbreviated import abbreviates
from fastedit.sketch.read.reading import WORD
from fastedit.sketch.read.removals import removed_names
from fastedit.sketch.read.wording import Wording, tells_of_removal
from fastedit.source.markers import begins_with_dots, said_in_comment
from fastedit.source.outline import is_decorator

_IN_BRACKETS = re.compile(r"[^\w(]*+\(.*\)[\s.*/}]*$")
_ENDS = ",;"  # of a line; `said_in_comment` leaves them out
_TELLING_NAME = 4  # characters of a name that no prose has by chance


class Comments:
    """The comments and markers of a sketch."""

    def __init__(self, facts: Facts, likeness: Likeness, kept: Kept, wording: Wording) -> None:
        self._facts, self._likeness, self._kept, self._wording = facts, likeness, kept, wording

    def marks(self) -> tuple[Any, Any]:
        """[m]: whether each sketch line may be a marker, and [m, MARK]: what speaks for it."""
        facts, (m, _) = self._facts, self._facts.shape
        mark = [row(MARK, self._mark(i)) for i in range(m)]
        may_mark = [
            comment and i not in self._versions and i not in self.of_code and i not in self._commented_out
            for i, comment in enumerate(facts.comment)
        ]
        return np.array(may_mark, dtype=bool), np.array(mark, dtype=float).reshape(m, len(MARK))

    def notes(self) -> tuple[Any, Any]:
        """[m]: whether each sketch line may be a note about the change, and [m, NOTE]: what speaks for it."""
        facts, (m, _) = self._facts, self._facts.shape
        # The file cannot know of the change, and what says that lines stay does not say that they go.
        may_note = [
            comment
            and not is_decorator(text)
            and not facts.places[i]
            and i not in self._versions
            and (i not in facts.spelled or i in self.removing)
            and i not in self.idle
            and i not in self.of_code
            and i not in self._commented_out
            for i, (comment, text) in enumerate(zip(facts.comment, facts.sketch.texts, strict=True))
        ]
        note = [row(NOTE, self._note(i)) for i in range(m)]
        return np.array(may_note, dtype=bool), np.array(note, dtype=float).reshape(m, len(NOTE))

    @property
    def unsure(self) -> list[int]:
        """The comments that have neither the dots nor the words of a marker."""
        texts = self._facts.sketch.texts
        return [i for i, says in self.says.items() if says <= 0.0 and not begins_with_dots(texts[i])]

    @cached_property
    def removing(self) -> frozenset[int]:
        """The comments that say that lines go, if they speak of the sketch."""
        return frozenset(i for i, removes in self._removes.items() if removes > 0.0)

    @property
    def telling(self) -> frozenset[int]:
        """Those of them that rather speak of the sketch than of the code, or have a word of a removal: of any other
        words, what few sketches taught of them is too little."""
        facts = self._facts
        return frozenset(
            i
            for i in self.removing
            if self.says.get(i, 0.0) > 0.0 or tells_of_removal(facts.said(i), facts.heads)
        )

    @cached_property
    def _versions(self) -> frozenset[int]:
        """The comments that stand where the file has nothing but comments, between the same two lines: new versions of
        them, whatever words they have, but for what speaks of the sketch and says that they go; and those that stand
        where the file has one comment, of which they keep most."""
        facts, texts = self._facts, self._facts.sketch.texts
        return frozenset(
            i
            for i, says in self.says.items()
            if not (facts.places[i] or begins_with_dots(texts[i]))
            and ((not (says > 0.0 and i in self.removing) and self._is_among_comments(i)) or self._rewords(i))
        )

    @cached_property
    def _commented_out(self) -> frozenset[int]:
        """The comments that say what a line of the file says: that line, commented out."""
        lines = {text.rstrip(_ENDS) for text in self._facts.file.stripped}
        said = ((i, said_in_comment(self._facts.sketch.texts[i]) or "") for i in self.says)
        return frozenset(i for i, text in said if text.rstrip(_ENDS) and text.rstrip(_ENDS) in lines)

    def _rewords(self, i: int) -> bool:
        """Whether a comment of the file is like this one and stands between the same lines, or next to the same line
        where the sketch begins or ends with this one."""
        facts, file = self._facts, self._facts.file
        above, below = facts.above.get(i), facts.below.get(i)
        return (above, below) != (None, None) and any(
            alike > QUITE_ALIKE
            and file.comments(j)
            and (above is None or file.row_above(j) in facts.places[above])
            and (below is None or file.row_below(j) in facts.places[below])
            for j, alike in self._likeness.changed.get(i, ())
        )

    def _is_among_comments(self, i: int) -> bool:
        """Whether the file has comments and nothing else between the lines around a comment, of which it has one
        once."""
        facts, file = self._facts, self._facts.file
        above, below = facts.above.get(i), facts.below.get(i)
        if above is None or below is None:
            return False
        between = [row for row in _between(facts.places[above], facts.places[below]) if file.stripped[row]]
        return bool(between) and all(map(file.comments, between))

    @cached_property
    def idle(self) -> list[int]:
        """The comments in words of their own for which the file has no lines that could go or stay. What is above all
        that is shown stays by itself, so that a heading speaks of it only if its words do."""
        texts, speaks = self._facts.sketch.texts, any(self.says[i] > 0.0 for i in self.headings)
        idle = self._of_first_blocks | (frozenset() if speaks else self.headings)
        return [i for i in self.says if not begins_with_dots(texts[i]) and (i in idle or self._is_idle(i))]

    @cached_property
    def headings(self) -> frozenset[int]:
        """The comments in words of their own that the sketch begins with, right above a line of code."""
        facts, sketch = self._facts, self._facts.sketch
        first = next(iter(sketch.inked), 0)
        stop = first
        while stop in self.says and not facts.places[stop] and not begins_with_dots(sketch.texts[stop]):
            stop += 1
        heads = stop < len(sketch.texts) and sketch.stripped[stop] and not sketch.comments(stop)
        return frozenset(range(first, stop) if heads else ())

    @cached_property
    def of_code(self) -> frozenset[int]:
        """The comments in words of their own above a line of code that the file lacks, or in the first new block of a
        piece, and that belong to it by these words: be there lines that go or not, nothing else tells."""
        in_blocks = {i for i in self._of_first_blocks if self._of_remark(i) <= 0.0}
        return frozenset(in_blocks | {i for i in self._leading if self.says[i] <= 0.0})

    @cached_property
    def _of_first_blocks(self) -> frozenset[int]:
        """The comments in new blocks that nothing is shown above of: there are no lines that could go or stay."""
        kept, texts = self._kept, self._facts.sketch.texts
        rows = (i for i in self.says if kept.enclosed[i] and kept.begins_piece(i))
        return frozenset(i for i in rows if not (begins_with_dots(texts[i]) or removed_names(texts[i])))

    @property
    def leading(self) -> frozenset[int]:
        """Those that rather speak of the sketch, and others that do where no lines could go or stay."""
        idle = {i for i in self.idle if self.says[i] > 0.0} - self.headings
        return (self._leading | idle) - self.of_code

    @cached_property
    def _leading(self) -> frozenset[int]:
        facts, sketch = self._facts, self._facts.sketch
        found, leads = set[int](), False
        for i in reversed(sketch.inked):
            if i not in self.says or facts.places[i]:
                leads = not (facts.comment[i] or facts.places[i])
            elif leads and not (begins_with_dots(sketch.texts[i]) or removed_names(sketch.texts[i])):
                found.add(i)
        return frozenset(found)

    def _is_idle(self, i: int) -> bool:
        """Whether the lines that the file has above and below a comment, and new ones next to it, stand below each
        other there: blank lines at the most lie between, and no comment speaks of these."""
        facts, file = self._facts, self._facts.file
        above, below = self._shown(i, facts.above), self._shown(i, facts.below)
        return bool(above and below) and (
            all(file.row_below(j) in below for j in above) or all(file.row_above(j) in above for j in below)
        )

    def _shown(self, i: int, onward: Mapping[int, int]) -> Sequence[int]:
        """The file lines with the text of the next sketch line that the file has; none where a marker comes first."""
        at = onward.get(i)
        while at is not None and not self._facts.known(at):
            at = onward.get(at)
        return () if at is None or at in self._facts.spelled else self._facts.places[at]

    @cached_property
    def says(self) -> dict[int, float]:
        """What the words of each comment tell that is not spelled like a marker: the logarithm of the odds that it
        speaks of the sketch."""
        facts = self._facts
        comments = (i for i, comment in enumerate(facts.comment) if comment and i not in facts.spelled)
        return {i: self._wording.speaks(facts.said(i), facts.told(i)) for i in comments}

    @cached_property
    def of_edit(self) -> dict[int, float]:
        """The same if it stands for no lines: it may speak of the edit as comments after code do."""
        return {i: says + self._of_remark(i) for i, says in self.says.items()}

    def _of_remark(self, i: int) -> float:
        return self._wording.remarks([self._facts.said(i)])

    @cached_property
    def abbreviating(self) -> dict[int, float]:
        """The comments that rather say that what they stand for changes too, with the logarithm of the odds."""
        facts = self._facts
        comments = (i for i, comment in enumerate(facts.comment) if comment and not facts.places[i])
        return {i: odds for i in comments if (odds := abbreviates(facts.said(i))) > 0.0}

    @cached_property
    def _removes(self) -> dict[int, float]:
        """What the words of each comment tell that the file lacks of lines that go."""
        facts = self._facts
        comments = (i for i, comment in enumerate(facts.comment) if comment and not facts.places[i])
        return {i: self._wording.removes(facts.said(i), facts.told(i), facts.heads) for i in comments}

    def _mark(self, i: int) -> dict[str, float]:
        facts, text, comment = self._facts, self._facts.sketch.texts[i], self._facts.comment[i]
        values = {f"marker: {how}": count for how, count in self.told[i].items()}
        if i in facts.spelled:
            values["marker"] = 1.0
        elif comment and begins_with_dots(text):
            values["marker: dots"] = 1.0
        elif comment:
            values["marker: other comment"] = 1.0
        if i in self.says:
            values["marker: what it says"] = self.says[i]
        if i in self._removes:
            values["marker: says that lines go"] = self._removes[i]
        if comment and facts.places[i]:
            values["marker: as in the file"] = 1.0
        return values

    def _note(self, i: int) -> dict[str, float]:
        values = {"note": 1.0} | {f"note: {how}": count for how, count in self.told[i].items()}
        if i in self.says:
            values["note: what it says"] = self.says[i]
        if i in self._removes:
            values["note: says that lines go"] = self._removes[i]
        return values

    @cached_property
    def told(self) -> list[dict[str, float]]:
        """[m]: what tells that a comment that the file lacks is not part of the code, by where it stands and what it
        names: keys of COMMENTED. Nothing for other lines."""
        return [self._told(i) for i in range(len(self._facts.sketch.texts))]

    def _told(self, i: int) -> dict[str, float]:
        facts, sketch = self._facts, self._facts.sketch
        if not facts.comment[i] or facts.known(i):
            return {}
        above, below = facts.above.get(i), facts.below.get(i)
        while above is not None and facts.comment[above] and not facts.known(above):
            above = facts.above.get(above)
        while below is not None and facts.comment[below] and not facts.known(below):
            below = facts.below.get(below)
        said = (said_in_comment(sketch.texts[i]) or sketch.stripped[i]).strip()
        values = {
            "among known lines": facts.known(above) and facts.known(below),
            "in brackets": _IN_BRACKETS.match(sketch.stripped[i]) is not None,
            "names what is hidden": not self._hidden.isdisjoint(WORD.findall(said)),
        }
        return {how: 1.0 for how, holds in values.items() if holds}

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """Names of definitions that the file has and the sketch does not show."""
        facts = self._facts
        shown = {
            word
            for text, comment in zip(facts.sketch.stripped, facts.comment, strict=True)
            if not comment
            for word in WORD.findall(text)
        }
        return frozenset(name for name in facts.heads if len(name) >= _TELLING_NAME) - shown


def _between(above: Sequence[int], below: Sequence[int]) -> range:
    """The rows between two lines, of which one is in one place; none where neither is."""
    if len(above) == 1:
        stop = next((row for row in below if row > above[0]), 0)
        return range(above[0] + 1, stop)
    if len(below) == 1:
        start = next((row for row in reversed(above) if row < below[0]), below[0])
        return range(start + 1, below[0])
    return range(0)
