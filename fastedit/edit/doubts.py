"""Why a predicted merge may be wrong: every reading of the sketch that another reader could dispute, in a phrase.

Strict on purpose. A doubt costs one pass of the model; a wrong merge without a doubt costs the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise

from fastedit.edit.align import margin
from fastedit.edit.chunks import NEAR, Chunk
from fastedit.edit.markers import looks_like_marker
from fastedit.edit.outline import (
    definition_at,
    indent_width,
    is_bracket,
    is_closer,
    is_decorator,
    parents,
    stands_above,
)
from fastedit.edit.removals import removal_note
from fastedit.edit.scoring import scorer, tells, weight
from fastedit.edit.update import Alignment, Match, Update, UpdateLine

NO_MARKERS = "an update without markers for a long file"
EMPTY_FILE = "there are markers for existing code, but the file is empty"
NO_PLACE = "new code with nothing that says where it goes"
WEAK_ANCHOR = "only punctuation or changed lines to place the code by"
SEVERAL_PLACES = "the code around the change stands in several places"
SIMILAR_ONLY = "a line replaces another only because they are alike"
MANY_OMITTED = "many lines are left out without a marker"
WHOLE_DEFINITION = "a definition spelled out whole loses lines"
OPEN_END = "the sketch begins or ends without a marker, and the file has more there"
REPLACES_NEIGHBOUR = "new code next to a marker may replace what it stands next to"
DEFINED_TWICE = "it would define what the file already defines"
REPEATED = "it would repeat or move a line of the file"
INDENTATION = "lines stand at another indentation than in the file"
DOTS = "`...` may be code rather than a marker"
MARKER_IN_FILE = "a marker stands in the file too, and lines next to it would go"
BLANK_LINES = "blank lines differ next to unchanged code"
TOLD_GONE = "a comment may say that something is to go"
UNKNOWN_WORD = "a word of the instruction is not understood"

_SAYS_GONE = re.compile(r"\b(?:removed|deleted|dropped)\b", re.IGNORECASE)
_BARE_HEAD = re.compile(r"[\s})]*(?:else|try|finally)\s*[:{]?\s*")
_SHORT_FILE = 10
_MANY = 8
_LEAST_MARGIN = 0.3
_SURELY_SIMILAR = 0.4
_PERHAPS_SIMILAR = 0.2
_NEIGHBOURS = 4
_SIGHT = 20  # lines


def doubts(
    lines: Sequence[str], update: Update, alignment: Alignment, chunks: Sequence[Chunk]
) -> tuple[str, ...]:
    """The reasons to doubt the merge that `chunks` describe; none where it leaves no choice."""
    review = _Review(lines, update, alignment, chunks)
    found = list(review.of_all(chunks))
    for chunk in chunks:
        for check in review.checks:
            found.extend(check(chunk))
    return tuple(dict.fromkeys(found))


class _Review:
    def __init__(
        self, lines: Sequence[str], update: Update, alignment: Alignment, chunks: Sequence[Chunk]
    ) -> None:
        self._lines, self._update, self._sketch, self._alignment = lines, update, update.lines, alignment
        self._targets, self._kinds, self._chunks = alignment.targets, alignment.kinds, chunks
        self._scorer = scorer(tuple(lines), update.lines)
        self._above = parents(
            [line.text for line in self._sketch], {i for i, line in enumerate(self._sketch) if line.marker}
        )
        self._taken = {place for place in self._targets if place is not None}
        self._gone = update.gone_lines
        self.checks: tuple[Callable[[Chunk], Iterator[str]], ...] = (
            self._place,
            self._similar,
            self._omitted,
            self._edges,
            self._entries,
            self._swallowed,
            self._open_ends,
            self._seams,
            self._defined_twice,
            self._repeated,
            self._indented,
            self._blank_lines,
        )

    @cached_property
    def _pins(self) -> list[tuple[int, int]]:
        """(sketch line, original line) of all lines that can stand nowhere else, by themselves or by their run."""
        runs = (run for chunk in self._chunks for run in self._runs(self._anchors(chunk)))
        return [pin for run in runs for pin in self._pinned(run)]

    def of_all(self, chunks: Sequence[Chunk]) -> Iterator[str]:
        if any(self._may_say_gone(line) for line in self._sketch) or not self._gone.isdisjoint(self._taken):
            yield TOLD_GONE
        spelled = {line.text.strip() for line in self._sketch if line.marker}
        if len(spelled) > 1 and "..." in spelled:
            yield DOTS
        if not self._lines and chunks and self._update.has_markers:
            yield EMPTY_FILE
        if self._update.has_markers or len(self._lines) <= _SHORT_FILE or not chunks:
            return
        outside = chain(self._lines[: chunks[0].low], self._lines[chunks[-1].high :])
        if any(line.strip() for line in outside):
            yield NO_MARKERS

    def _may_say_gone(self, line: UpdateLine) -> bool:
        noted = removal_note(line.text) is not None
        if line.marker:
            return not noted and _SAYS_GONE.search(line.text) is not None
        return noted and not self._scorer.equal(line.text)

    def _anchors(self, chunk: Chunk) -> list[int]:
        return [index for index in range(chunk.start, chunk.stop) if self._targets[index] is not None]

    def _new(self, start: int, stop: int) -> list[int]:
        return [i for i in range(start, stop) if self._targets[i] is None and self._sketch[i].text.strip()]

    def _strong(self, index: int) -> bool:
        """Whether the line alone tells where it stands, given that it is aligned."""
        text, place = self._sketch[index].text, self._targets[index]
        parent = self._above[index]
        if place is None:
            return False
        if is_bracket(text) and self._closes_the_block_above(index, place):
            return True
        if is_bracket(text) and parent is not None and self._targets[parent] is not None:
            # A block has one end, and a list may have many entries that begin with a brace.
            opens = not is_closer(text) and any(map(str.strip, self._update.texts[parent + 1 : index]))
            return not opens and self._targets[parent] == self._scorer.parent(place)
        if not tells(text):
            return False
        if self._kinds[index] is not Match.SIMILAR:
            return True
        return self._scorer.similarity(text.strip(), place) >= _SURELY_SIMILAR

    def _closes_the_block_above(self, index: int, place: int) -> bool:
        """Whether a bracket closes the block of the line shown before it, even if the sketch has not its beginning."""
        opener, shown = self._scorer.parent(place), self._above[index]
        if shown is not None and self._targets[shown] is None:  # it closes what is new
            return False
        for above in range(index - 1, -1, -1):
            target = self._targets[above]
            if self._sketch[above].marker or opener is None:
                return False
            if target is not None and self._sketch[above].text.strip():
                return self._scorer.parent(target) == opener
        return False

    def _pinned(self, run: Sequence[int]) -> list[tuple[int, int]]:
        """(sketch line, original line) of each line in a run of which one can stand nowhere else; none without one."""
        surely = any(self._only_there(index, self._targets[index]) for index in run)
        return [(i, place) for i in run if surely and (place := self._targets[i]) is not None]

    def _only_there(self, index: int, place: int | None) -> bool:
        name = self._scorer.names[index]
        if self._kinds[index] is Match.SIMILAR:
            return name is not None and self._scorer.defining(name) == [place]
        return self._scorer.unique(self._sketch[index].text) and self._strong(index)

    def _place(self, chunk: Chunk) -> Iterator[str]:
        if not chunk.anchored:
            if not chunk.placed:
                yield NO_PLACE
            return
        strong = [index for index in self._anchors(chunk) if self._strong(index)]
        if not strong:
            yield WEAK_ANCHOR
        elif not any(self._scorer.unique(self._sketch[index].text) for index in strong):
            best = max(strong, key=lambda index: weight(self._sketch[index].text))
            if margin(self._lines, self._update, self._alignment, best) < _LEAST_MARGIN:
                yield SEVERAL_PLACES

    def _similar(self, chunk: Chunk) -> Iterator[str]:
        anchors = self._anchors(chunk)
        for index in anchors:
            place = self._targets[index]
            if place is None or self._kinds[index] is not Match.SIMILAR:
                continue
            exact = [i for i in anchors if self._kinds[i] is not Match.SIMILAR]
            if exact and exact[0] < index < exact[-1]:
                continue
            if not self._strong(index):
                yield SIMILAR_ONLY

    def _omitted(self, chunk: Chunk) -> Iterator[str]:
        if chunk.dropped > len(self._new(chunk.start, chunk.stop)):
            yield WHOLE_DEFINITION
        for left, right in pairwise(self._anchors(chunk)):
            lost = [line for line in self._lines_between(left, right, told=False) if line.strip()]
            if len(lost) > _MANY + 2 * len(self._new(left, right)):
                yield MANY_OMITTED
            if lost and any(looks_like_marker(self._sketch[index].text) for index in (left, right)):
                yield MARKER_IN_FILE

    def _edges(self, chunk: Chunk) -> Iterator[str]:
        """Only where a chunk begins and ends matters, for what stands between is the sketch's own text."""
        runs = self._runs(self._anchors(chunk))
        for run, inner, edge, inward in ((runs[0], runs[:2], 0, 1), (runs[-1], runs[-2:], -1, -1)):
            weak = len(runs) > 1 and not any(self._strong(index) for index in run)
            if weak and not self._ends_with_file(run[edge], inward):
                yield WEAK_ANCHOR
            inked = [index for index in run if self._sketch[index].text.strip()]
            alone = any(self._scorer.unique(self._sketch[index].text) for index in run)
            if inked and not alone and self._has_rival(chunk, inked[edge], inward):
                yield SEVERAL_PLACES
            if len(inner) == 2 and self._lost_equals(inked, inner[0][-1], inner[1][0]):
                yield SEVERAL_PLACES

    def _ends_with_file(self, index: int, inward: int) -> bool:
        """Whether this is both the sketch's first line and, as it stands, the file's; the last ones for -1."""
        place, order = self._targets[index], range(len(self._sketch))[::inward]
        first = next(i for i in order if self._sketch[i].text.strip())
        assert place is not None  # of an anchor
        outside = self._lines[:place] if inward > 0 else self._lines[place + 1 :]
        return index == first and self._kinds[index] is Match.EXACT and not any(map(str.strip, outside))

    def _entries(self, chunk: Chunk) -> Iterator[str]:
        """Whether a chunk that changes one of several entries that begin alike may be about a new one before the next.

        It is if it begins with a line that stands in it once more, and what comes right behind it is not the file's.
        """
        anchors = [index for index in self._anchors(chunk) if self._sketch[index].text.strip()]
        if not anchors or self._new(chunk.start, anchors[0]):
            return
        first = anchors[0]
        again = [index for index in anchors[1:] if self._sketch[index].text == self._sketch[first].text]
        if not again:
            return
        below = anchors[1]
        if not self._new(first, below) and not any(map(str.strip, self._lines_between(first, below))):
            return
        if any(line.strip() for line in self._lines_between(first, again[0])):
            yield SEVERAL_PLACES

    def _swallowed(self, chunk: Chunk) -> Iterator[str]:
        """Whether a line of a new entry may have been taken for that of an entry which the file has beside it.

        So may the lines in it, where the chunk begins with the entry; and its comments and decorators, where what has
        the like in the file stays without them or goes.
        """
        inked = [index for index in range(chunk.start, chunk.stop) if self._sketch[index].text.strip()]
        begins = chunk.start > 0 and self._targets[inked[0]] is None
        for index in inked:
            parent = self._above[index]
            if self._targets[index] is None or self._kinds[index] is Match.SIMILAR:
                continue
            headed = self._scorer.shown.headed(index)
            begins = begins and parent is not None and self._targets[parent] is None
            if begins:
                yield SEVERAL_PLACES
            if headed is not None and self._targets[headed] is None and self._other_headed(index):
                yield SEVERAL_PLACES

    def _other_headed(self, index: int) -> bool:
        """Whether the line of the file that this comment or decorator belongs to has no version in the sketch."""
        place = self._targets[index]
        below = None if place is None else self._scorer.headed(place)
        return below is not None and below not in self._taken

    def _has_rival(self, chunk: Chunk, index: int, inward: int) -> bool:
        """Whether a chunk that ends in this line could as well end a few lines further up or down.

        `inward` is the step from the line to the rest of its chunk. Where a line of that stands in one place only, an
        end further out would have lines go for nothing, unless one of the chunk's may be their new version.
        """
        text, place = self._sketch[index].text, self._targets[index]
        if place is None or (is_bracket(text) and self._strong(index)):
            return False
        home = self._home(index)
        rivals = [
            other
            for other in self._scorer.equal(text)
            if 0 < abs(other - place) <= _SIGHT and (home is None or self._scorer.within(other, home))
        ]
        if not rivals:
            return False
        low = max((pin for i, pin in self._pins if i < index), default=-1)
        high = min((pin for i, pin in self._pins if i > index), default=len(self._lines))
        rivals = [other for other in rivals if low < other < high]
        if not any(chunk.start <= i < chunk.stop for i, _ in self._pins):
            return bool(rivals)
        return any((other - place) * inward > 0 or self._replaces(chunk, other, place) for other in rivals)

    def _changes(self, chunk: Chunk) -> bool:
        """Whether the merge as it is makes anything of the chunk but what the file has already."""
        anchors = self._anchors(chunk)
        lost = any(line.strip() for pair in pairwise(anchors) for line in self._lines_between(*pair))
        kept = all(self._kinds[index] is Match.EXACT for index in anchors)
        return lost or not kept or bool(chunk.dropped or self._new(chunk.start, chunk.stop))

    def _replaces(self, chunk: Chunk, other: int, place: int) -> bool:
        """Whether a changed line of the chunk may be a new version of one of the lines between these two."""
        between = range(min(other, place) + 1, max(other, place))
        for index in range(chunk.start, chunk.stop):
            text, target = self._sketch[index].text.strip(), self._targets[index]
            if not text or (target is not None and self._kinds[index] is not Match.SIMILAR):
                continue
            own = 0.0 if target is None else self._scorer.similarity(text, target)
            if any(self._scorer.similarity(text, at) >= max(own, _PERHAPS_SIMILAR) for at in between):
                return True
        return False

    def _home(self, index: int) -> int | None:
        """The definition that the sketch shows around this line, where the file has one of that name only."""
        above = self._above[index]
        while above is not None and self._scorer.names[above] is None:
            above = self._above[above]
        name = None if above is None else self._scorer.names[above]
        found = [] if name is None else self._scorer.defining(name)
        return found[0] if above is not None and found == [self._targets[above]] else None

    def _lost_equals(self, run: Sequence[int], left: int, right: int) -> bool:
        """Whether a line of the run equals one of those left out next to it, so that another part may be meant."""
        lost = {line.strip() for line in self._lines_between(left, right)}
        return any(tells(text) and text.strip() in lost for text in (self._sketch[i].text for i in run))

    def _runs(self, anchors: Sequence[int]) -> list[list[int]]:
        """Anchors that stand next to each other both in the sketch and in the original, the changed ones apart."""
        runs = [list(anchors[:1])]
        for left, right in pairwise(anchors):
            lost = any(line.strip() for line in self._lines_between(left, right))
            changed = Match.SIMILAR in (self._kinds[left], self._kinds[right])
            if lost or changed or self._new(left, right):
                runs.append([])
            runs[-1].append(right)
        return runs

    def _lines_between(self, left: int, right: int, *, told: bool = True) -> Sequence[str]:
        """The original's lines between two anchors, with or without those of which a comment said that they go."""
        start, stop = self._targets[left], self._targets[right]
        if start is None or stop is None:
            return []
        return [self._lines[i] for i in range(start + 1, stop) if told or i not in self._gone]

    def _open_ends(self, chunk: Chunk) -> Iterator[str]:
        """Where the sketch's own end is not marked: does it mean the file's end, or is it just cut off there?

        Who marks what stands before the sketch and not what stands behind it may mean that this goes.
        """
        anchors = self._anchors(chunk)
        if not anchors:
            return
        first, last = self._targets[anchors[0]], self._targets[anchors[-1]]
        assert first is not None
        assert last is not None
        above = self._staying(0, first)
        below = self._staying(chunk.high if chunk.dropped else last + 1, len(self._lines))
        marked_above, marked_below = self._ends_marked
        new_above, new_below = self._new(chunk.start, anchors[0]), self._new(anchors[-1], chunk.stop)
        if chunk.start == 0 and above and (marked_below or new_above or above <= NEAR):
            yield OPEN_END
        if chunk.stop == len(self._sketch) and below and (marked_above or new_below or below <= NEAR):
            yield OPEN_END

    @cached_property
    def _ends_marked(self) -> tuple[bool, bool]:
        """Whether a marker stands before and behind all that the sketch shows."""
        marks = [line.marker for line in self._sketch if line.text.strip()]
        return marks[0], marks[-1]

    def _staying(self, start: int, stop: int) -> int:
        """How many of these lines hold ink, and are not told to go; no more than it takes to be many."""
        staying = (i for i in range(start, stop) if self._lines[i].strip() and i not in self._gone)
        return sum(1 for _ in islice(staying, NEAR + 1))

    def _seams(self, chunk: Chunk) -> Iterator[str]:
        """New lines with a marker on one side: is the line behind the marker kept, or is this its new version?"""
        anchors = self._anchors(chunk)
        head = self._new(chunk.start, anchors[0] if anchors else chunk.start)
        tail = self._new(anchors[-1] if anchors else chunk.stop, chunk.stop)
        behind = range(chunk.high, min(chunk.high + len(tail) + _NEIGHBOURS, len(self._lines)))
        before = range(max(0, chunk.low - len(head) - _NEIGHBOURS), chunk.low)
        for news, places in ((head, before), (tail, behind)):
            for index in news:
                parent, text = self._above[index], self._sketch[index].text.strip()
                if parent is not None and self._targets[parent] is None:
                    continue  # within a new block, and no version of what stands next to that
                if any(self._scorer.similarity(text, place) > _PERHAPS_SIMILAR for place in places):
                    yield REPLACES_NEIGHBOUR
        if (
            head
            and chunk.low
            and all(stands_above(line) for line in (self._sketch[head[-1]].text, self._lines[chunk.low - 1]))
        ):
            yield REPLACES_NEIGHBOUR

    def _defined_twice(self, chunk: Chunk) -> Iterator[str]:
        exact: dict[tuple[str, int | None, int], bool] = {}
        for index in range(chunk.start, chunk.stop):
            text = self._sketch[index].text
            name, width, parent = self._scorer.names[index], indent_width(text), self._above[index]
            if name is None:
                continue
            target = self._targets[index]
            same = target is not None and definition_at(self._lines, target) == name
            key = (name, parent, width)
            if key in exact and not (same and exact[key]):
                yield DEFINED_TWICE
            exact[key] = same
            around = None if parent is None else self._targets[parent]
            for place in self._scorer.defining(name) if self._targets[index] is None else ():
                inside = parent is None or self._scorer.parent(place) == around
                if inside and indent_width(self._lines[place]) == width and self._stays(place, chunk):
                    yield DEFINED_TWICE

    def _repeated(self, chunk: Chunk) -> Iterator[str]:
        """New lines that the file has already. An import that goes where it stood has only moved.

        Next to a marker a line may be one of the file's though the sketch shows that once more further on.
        """
        anchors = self._anchors(chunk)
        between = range(anchors[0], anchors[-1]) if anchors else range(0)
        new = self._new(chunk.start, chunk.stop)
        for index in new:
            text = self._sketch[index].text
            near = [place for place in self._scorer.equal(text) if self._near(place, chunk)]
            if index not in (chunk.start, chunk.stop - 1):
                near = [place for place in near if place not in self._taken]
            if text.startswith(("import ", "from ")):
                near = [place for place in near if not self._goes(place)]
            elif index in between or weight(text) < 1.5 or self._deep_in_new(index, new):
                continue
            if near:
                yield REPEATED

    def _deep_in_new(self, index: int, new: Sequence[int]) -> bool:
        """Whether a line stands in a new block and not next to a marker, where code of the file may begin."""
        parent = self._above[index]
        return parent is not None and self._targets[parent] is None and index not in (new[0], new[-1])

    def _near(self, place: int, chunk: Chunk) -> bool:
        reach = 3 * _SIGHT if chunk.anchored else len(self._lines)
        return chunk.low - reach <= place < chunk.high + reach

    def _goes(self, place: int) -> bool:
        """Whether a line that the sketch does not show is among those that the merge replaces."""
        return place in self._gone or any(chunk.low <= place < chunk.high for chunk in self._chunks)

    def _stays(self, place: int, chunk: Chunk) -> bool:
        return place not in self._taken and not chunk.low <= place < chunk.high

    def _indented(self, chunk: Chunk) -> Iterator[str]:
        """Lines that move in or out while nothing is new, and no bare head of a block goes that they stood under."""
        before: int | None = None
        shifted = unexplained = False
        for index in self._anchors(chunk):
            place, text = self._targets[index], self._sketch[index].text
            if place is None or not text.strip():
                continue
            moved = self._kinds[index] is Match.INDENT and text.rstrip() != self._lines[place].rstrip()
            if moved and not shifted:
                lost = [] if before is None else self._lines_between(before, index)
                unexplained = unexplained or not any(map(_BARE_HEAD.fullmatch, lost))
            before, shifted = index, moved
        if unexplained and not self._new(chunk.start, chunk.stop):
            yield INDENTATION

    def _blank_lines(self, chunk: Chunk) -> Iterator[str]:
        anchors = self._anchors(chunk)
        short = [pair for pair in pairwise(anchors) if self._only_blanks_go(*pair)]
        others = set(anchors).difference(chain.from_iterable(short))
        # Who shows blank lines, or changes nothing else, wants fewer; but between definitions many always show fewer.
        meant = any(not self._sketch[index].text.strip() for index in others)
        meant = meant or not any(map(self._changes, self._chunks))
        if any(not meant or self._heads_definition(right, chunk.stop) for _, right in short):
            yield BLANK_LINES
        if not anchors:
            return
        head, tail = self._new(chunk.start, anchors[0]), self._new(anchors[-1], chunk.stop)
        if head and not self._sketch[anchors[0]].text.strip() and not self._defines(head):
            yield BLANK_LINES
        if tail and not self._sketch[anchors[-1]].text.strip() and not self._defines(tail):
            yield BLANK_LINES

    def _only_blanks_go(self, left: int, right: int) -> bool:
        lost = self._lines_between(left, right)
        return bool(lost) and not any(line.strip() for line in lost) and not self._new(left, right)

    def _heads_definition(self, start: int, stop: int) -> bool:
        """Whether the first line from `start` on that holds ink begins a definition, or what stands right above one."""
        first = next((index for index in range(start, stop) if self._sketch[index].text.strip()), None)
        text = "" if first is None else self._sketch[first].text
        return stands_above(text) or (first is not None and self._scorer.names[first] is not None)

    def _defines(self, new: Sequence[int]) -> bool:
        return any(self._scorer.names[i] for i in new if not is_decorator(self._sketch[i].text))
