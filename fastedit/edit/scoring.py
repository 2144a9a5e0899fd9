"""How well a line of a sketch fits each line of the original, by the two lines and the blocks around them."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fastedit.edit.original import Original, original
from fastedit.edit.outline import (
    block_end,
    definition_at,
    indent_width,
    is_bracket,
    parents,
)
from fastedit.edit.update import UpdateLine, stretches

# A blank line follows its neighbours (see `align`); alone it anchors nothing.
_BLANK, _BRACE = 0.02, 0.5
_CLOSES_KNOWN_BLOCK = 0.7
_OTHER_INDENT = 0.8
_OTHER_BLOCK = 0.35
_BEHIND_MARKER = 0.5  # in another block, where a marker may hide that it begins
_SAME_DEFINITION, _SAME_TARGET, _SAME_EXIT, _OTHER_DEFINITION = 0.8, 0.3, 0.2, -0.2
_OTHER_STATEMENT = 0.5
_LEAST_SIMILAR = 0.25
_COMMON = 200  # a word on more lines than this points nowhere
_CANDIDATES = 12
# In a longer file a sketch's lines are looked for around those of its lines that stand in few places, as far away as
# the sketch is long, and lines that it leaves out without a marker.
_LONG_FILE, _REACH, _FEW = 2_000, 120, 8
_MOST_CELLS = 4_000_000  # lines of file and sketch multiplied: a sketch of more may stand anywhere

_WORD = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?")
_STATEMENT = re.compile(
    r"\s*(return|raise|throw|if|elif|else|for|while|with|try|except|catch|finally|import|from|assert|del|yield|@|#|//)"
    r"(?![\w.])"
)
_EXIT = re.compile(r"\s*(?:return|raise|throw|break|continue|goto|yield)\b")  # leaves its block
_TARGET = re.compile(
    r"""\s*(?:(?:const|let|var|val|static|mut|self\.|this\.)\s*)*(?P<target>[\w.$-]+|"[^"]+"|'[^']+')\s*
        (?:(?::[^=:]+)?(?::?=)(?![=>])|:(?!:))
      | \s*(?!(?:return|if|else|while|case|new|throw|await|yield|delete|goto|import|package|using|pub|in|not|and|or)\b)
        (?:[\w:.$]+(?:<(?:[^=;()<>]|<(?:[^=;()<>]|<[^=;()<>]*>)*>)*>)?(?:\[\w*\])*[*&]*\s+)+[*&]*(?P<typed>[\w$]+)(?:\[[^]]*\])*\s*(?:=(?![=>])|;$)
      | \s*(?P<arm>[A-Z]\w*(?:::\w+)*|\w+(?:::\w+)+)\b\s*+(?:=>|(?:[({]|if\s).*=>)
      | \s*var\s+(?P<declared>\w+)\s+[\w.*\[\]]+$
      | \s*(?P<module>(?:from\s+\S+\s+)?import\s+\S+|use\s+\S+|\#\s*include\s+\S+|@\w[\w.]*)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Fit:
    """Original lines that a sketch line may stand for, ascending, with scores above 0.

    `unique` is the one line equal to it, if neither side has a second one and it is more than punctuation.
    """

    places: NDArray[np.intp]
    scores: NDArray[np.float64]
    unique: int | None = None


_NOTHING: Mapping[int, int] = MappingProxyType({})
_NOWHERE = Fit(np.empty(0, np.intp), np.empty(0))


def words(text: str) -> frozenset[str]:
    """The names and numbers in a line."""
    return frozenset(_WORD.findall(text))


def weight(text: str) -> float:
    """How much a line tells about where it stands, from a blank line's 0.02 to a long line's 2."""
    inked = text.strip()
    if not inked:
        return _BLANK
    # "b = 3" is short and says all the same what it is about.
    if sum(map(str.isalnum, inked)) < 3 and target_name(inked) is None:
        return _BRACE
    return 1.0 + min(len(inked) / 20, 1.0)


def tells(text: str) -> bool:
    """Whether the line says where it stands: it is more than blanks and punctuation."""
    return weight(text) >= 1.0


def target_name(line: str) -> str | None:
    """What the line assigns, imports or gives a value to."""
    found = _TARGET.match(line)
    return _named(found) if found else None


def _named(found: re.Match[str]) -> str:
    """Of the names that a line may set that which it sets."""
    name: str = next(filter(None, found.groups()))
    return name


def _sets_the_same(text: str, line: str) -> bool:
    """Whether both lines give the same name a value, or a type: `key: str` is no version of `key=key`."""
    new, old = _TARGET.match(text), _TARGET.match(line)
    if new is None or old is None or _named(new) != _named(old):
        return False
    return [{":", "="}.intersection(found[0]) for found in (new, old)] not in ([{":"}, {"="}], [{"="}, {":"}])


def _statement(line: str) -> str | None:
    """The keyword that the line begins with, if it is one that makes it another kind of statement."""
    found = _STATEMENT.match(line)
    if found is None:
        return None
    return "if" if found[1] == "elif" else found[1]


class Scorer:
    """Compares the lines of one sketch with those of one file."""

    def __init__(self, original: Original, sketch: Sequence[UpdateLine]) -> None:
        self._lines, self._sketch = original.lines, sketch
        self._original = original
        self._places = self._original.places(line.text.strip() for line in sketch)
        self._defining: dict[str, list[int]] = {}
        self._texts = texts = [line.text for line in sketch]
        # What each line of the sketch begins to define.
        self.names = [definition_at(texts, index) for index in range(len(texts))]
        self._markers = [index for index, line in enumerate(sketch) if line.marker]
        self._ends: dict[int, int] = {}
        self._defined = dict(zip(map(str.strip, texts), self.names, strict=True))

    @cached_property
    def shown(self) -> Original:
        """The sketch's lines, blank where a marker stands."""
        return Original(tuple("" if line.marker else line.text for line in self._sketch))

    @cached_property
    def reach(self) -> tuple[range, ...]:
        """Where the sketch's lines can stand, rising: anywhere, or in a long file around its lines that are rare.

        Where a part of the sketch between markers has no such line, anywhere.
        """
        anywhere = (range(len(self._lines)),)
        if not _LONG_FILE < len(self._lines) <= _MOST_CELLS / max(len(self._sketch), 1):
            return anywhere
        found: list[range] = []
        for part in stretches(self._sketch):
            places = [place for index in part for place in self._telling(self._texts[index].strip())]
            if not places:
                return anywhere
            reach = len(part) + _REACH
            found += (range(max(place - reach, 0), min(place + reach, len(self._lines))) for place in places)
        return tuple(_joined(found)) or anywhere

    def _telling(self, text: str) -> Sequence[int]:
        """The places of a line that says where it stands."""
        places = self._places[text]
        return places if tells(text) and len(places) <= _FEW else ()

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        """The words of each line in reach."""
        stripped = self._original.stripped
        return {place: words(stripped[place]) for part in self.reach for place in part}

    @cached_property
    def _with_word(self) -> dict[str, list[int]]:
        """The lines in reach that have a word of the sketch."""
        asked = words("\n".join(line.text for line in self._sketch))
        found: dict[str, list[int]] = {word: [] for word in asked}
        for place, held in self._words.items():
            for word in held & asked:
                found[word].append(place)
        return found

    @cached_property
    def _counts(self) -> Counter[str]:
        """On how many lines in reach each word stands."""
        return Counter(chain.from_iterable(self._words.values()))

    def _near(self, places: Sequence[int]) -> Sequence[int]:
        """Those in reach, of rising ones."""
        cuts = ((bisect_left(places, part.start), bisect_left(places, part.stop)) for part in self.reach)
        return [place for first, last in cuts for place in places[first:last]]

    def fits(self, known: Mapping[int, int] = _NOTHING) -> list[Fit]:
        """One Fit for each line of the sketch; markers fit nowhere, lines in `known` at their place there only."""
        sketch = self._sketch
        markers = {index for index, line in enumerate(sketch) if line.marker}
        above = parents([line.text for line in sketch], markers)
        counts = Counter(line.text.strip() for line in sketch)
        alone: dict[str, dict[int, float]] = {}  # scores by text, whatever block it stands in
        blocks: list[_Block | None] = []
        found: list[Fit] = []
        marker = -1
        for index, (line, parent) in enumerate(zip(sketch, above, strict=True)):
            text, block = line.text.strip(), None if parent is None else blocks[parent]
            if line.marker:
                marker = index
                blocks.append(None)
                found.append(_NOWHERE)
                continue
            if index in known:
                blocks.append(_Block(self.names[index], {known[index]: 1.0}, block, self._original))
                found.append(_fit({known[index]: max(weight(text), _BRACE)}, known[index]))
                continue
            same = self._places[text]
            if line.text not in alone:
                alone[line.text] = self._same(line.text, same) if same else self._similar(text)
            renamed = self._renamed(index)
            scores = self._of_its_definition(index, alone[line.text]) | renamed
            if parent is not None and block is not None:
                hidden = marker > parent
                beside = self._new_beside_marker(parent, above, blocks)
                shares = {place: block.share(line.text, place, hidden, beside) for place in scores}
                if same and not any(
                    share == 1.0 and self._lines[p] == line.text for p, share in shares.items()
                ):
                    # Those equal to it stand elsewhere: it may be a new version of a line that stands here.
                    scores = self._of_its_definition(index, self._similar(text) | scores)
                    shares = {place: block.share(line.text, place, hidden, beside) for place in scores}
                scores = {place: score * shares[place] for place, score in scores.items()}
                if is_bracket(text):
                    shift = indent_width(line.text) - indent_width(sketch[parent].text)
                    scores = {
                        place: score
                        + _CLOSES_KNOWN_BLOCK * (block.holds(place) and self._shift(place) == shift)
                        for place, score in scores.items()
                    }
                scores = dict(sorted(scores.items()))
            blocks.append(_Block(self.names[index], scores, block, self._original, renamed))
            unique = same[0] if len(same) == counts[text] == 1 and tells(text) else None
            found.append(_fit({place: score for place, score in scores.items() if score > 0}, unique))
        return found

    def _of_its_definition(self, index: int, scores: dict[int, float]) -> dict[int, float]:
        """`scores` without the comments and decorators right above definitions of another name.

        Of every function some say the same; they go with what they stand above.
        """
        head = self.shown.headed(index)
        name = None if head is None else self.names[head]
        if head is None or name is None or (not self.defining(name) and self._hides_code(head)):
            return scores
        found: dict[int, float] = {}
        for place, score in scores.items():
            below = self.headed(place)
            other = None if below is None else definition_at(self._lines, below)
            if other is None or other == name:
                found[place] = score
        return found

    def _new_beside_marker(
        self, header: int, above: Sequence[int | None], blocks: Sequence[_Block | None]
    ) -> bool:
        """Whether line `header` opens a block that is new and stands next to a marker, or within such a block."""
        around: int | None = header
        while around is not None and (block := blocks[around]) is not None and block.new:
            outer = above[around]
            span = range(len(self._sketch)) if outer is None else range(outer, self._end(outer))
            if self._markers_in(span) > self._markers_in(range(around, self._end(around))):
                return True
            around = outer
        return False

    def _markers_in(self, span: range) -> int:
        return bisect_left(self._markers, span.stop) - bisect_left(self._markers, span.start)

    def _renamed(self, index: int) -> dict[int, float]:
        """Where the definition that line `index` begins may stand under another name; what is new hides no code.

        So it is looked for only where a marker stands for some of it: around the lines that the sketch shows of it.
        """
        name, text = self.names[index], self._sketch[index].text
        if name is None or self.defining(name) or not self._hides_code(index):
            return {}
        found = Counter[int]()
        for line in self._sketch[index + 1 : self._end(index)]:
            places = () if line.marker else self._telling(line.text.strip())
            found.update(filter(None, {self._home(place) for place in places}))
        width, shown, most = indent_width(text), set(self.names), max(found.values(), default=0)
        return {
            place: max(self._likeness(text, place), _LEAST_SIMILAR)
            for place, count in found.items()
            if count == most
            and indent_width(self._lines[place]) == width
            and definition_at(self._lines, place) not in shown
        }

    def _hides_code(self, index: int) -> bool:
        """Whether a marker stands for a part of the block that line `index` of the sketch opens."""
        end = self._end(index)
        if self._markers_in(range(index, end)):
            return True
        text = "".join(self._texts[index:end])
        return end < len(self._sketch) and self._sketch[end].marker and text.count("{") > text.count("}")

    def _end(self, index: int) -> int:
        """One past the block that line `index` of the sketch opens."""
        if index not in self._ends:
            self._ends[index] = block_end(self._texts, index)
        return self._ends[index]

    def _home(self, place: int) -> int | None:
        """The line that begins the definition around line `place`."""
        around = self._original.blocks(place)
        return next((header for header in around if definition_at(self._lines, header) is not None), None)

    def confined(self, fits: Sequence[Fit], targets: Sequence[int | None]) -> list[Fit] | None:
        """The fits inside the definition that the sketch shows around each line, aligned as `targets` say.

        Lines go with their neighbours: behind a marker they may stand in another definition, which it hides. None if
        no line stands outside of the definition that a neighbour stands in.
        """
        stretches = accumulate(int(line.marker) for line in self._sketch)  # numbered between markers
        homes = [
            [(stretch, home) for home in around]
            for stretch, around in zip(stretches, self._homes(targets), strict=True)
        ]
        inside, outside = set[tuple[int, int]](), set[tuple[int, int]]()
        for around, target in zip(homes, targets, strict=True):
            if target is not None:
                for home in around:
                    (inside if self._inside(target, home[1]) else outside).add(home)
        if inside.isdisjoint(outside):
            return None
        found: list[Fit] = []
        for fit, around in zip(fits, homes, strict=True):
            for home in inside.intersection(around):
                stay = [self._inside(int(place), home[1]) for place in fit.places]
                fit = Fit(fit.places[stay], fit.scores[stay], fit.unique)
            found.append(fit)
        return found

    def _homes(self, targets: Sequence[int | None]) -> list[tuple[int, ...]]:
        """For each line of the sketch where the definitions stand that are shown around it, and that it begins."""
        texts = [line.text for line in self._sketch]
        above = parents(texts, {index for index, line in enumerate(self._sketch) if line.marker})
        homes: list[tuple[int, ...]] = []
        for index, (parent, target) in enumerate(zip(above, targets, strict=True)):
            around = () if parent is None else homes[parent]
            homes.append((*around, target) if self.names[index] and target is not None else around)
        return homes

    def _inside(self, place: int, header: int) -> bool:
        return place == header or self.within(place, header)

    def equal(self, text: str) -> Sequence[int]:
        """The lines equal to a line of the sketch but for leading and trailing blanks."""
        return self._places.get(text.strip(), ())

    def unique(self, text: str) -> bool:
        return len(self.equal(text)) == 1

    def defining(self, name: str) -> list[int]:
        """The lines that begin a definition of this name."""
        if name not in self._defining:
            bare = _WORD.findall(name)[-1:]
            self._defining[name] = [
                place
                for place in (self._original.holding(bare[0]) if bare else ())
                if definition_at(self._lines, place) == name
            ]
        return self._defining[name]

    def parent(self, place: int) -> int | None:
        """The line that opens the block in which line `place` stands."""
        return self._original.parent(place)

    def headed(self, place: int) -> int | None:
        """The line that line `place`, a comment or a decorator, belongs to."""
        return self._original.headed(place)

    def _shift(self, place: int) -> int | None:
        """How much deeper line `place` stands than the line that opens its block."""
        header = self.parent(place)
        return (
            None if header is None else indent_width(self._lines[place]) - indent_width(self._lines[header])
        )

    def within(self, place: int, header: int) -> bool:
        """Whether line `place` stands in the block that line `header` opens."""
        return self._original.within(place, (header,))

    def _same(self, line: str, places: Sequence[int]) -> dict[int, float]:
        score = weight(line)
        if score > _BLANK:
            score *= 0.6 + 0.4 / len(places)
        return {
            place: score if self._lines[place] == line else score * _OTHER_INDENT
            for place in self._near(places)
        }

    def _similar(self, text: str) -> dict[int, float]:
        asked = words(text)
        if not asked or not tells(text):
            return {}
        shared: Counter[int] = Counter()
        for word in asked:
            if len(self._with_word[word]) <= _COMMON:
                shared.update(self._with_word[word])
        closest = set(sorted(shared, key=lambda place: (-shared[place], place))[:_CANDIDATES])
        if (name := self._defined[text]) is not None:
            # The head of a definition whose parameters stand on lines of their own shares few words.
            closest.update(self._near(self.defining(name)))
        scores = {place: self.similarity(text, place) for place in sorted(closest)}
        return {place: score for place, score in scores.items() if score > _LEAST_SIMILAR}

    def similarity(self, text: str, place: int) -> float:
        """How surely `text`, a line of the sketch without blanks around it, is a new version of line `place`.

        Half the Dice coefficient of the words, rare ones counting more, and a bonus for the same name set.
        """
        score = self._likeness(text, place)
        name, other = self._defined[text], definition_at(self._lines, place)
        if name or other:
            return score + (_SAME_DEFINITION if name == other else _OTHER_DEFINITION)
        if _sets_the_same(text, self._lines[place]):
            return score + _SAME_TARGET
        kind, other_kind = _statement(text), _statement(self._lines[place])
        if kind != other_kind:
            return score * _OTHER_STATEMENT
        return score + (_SAME_EXIT if kind in ("return", "raise") else 0.0)

    def _likeness(self, text: str, place: int) -> float:
        """0 to 0.5."""
        mine = words(text)
        theirs = self._words.get(place)
        if theirs is None:
            theirs = words(self._lines[place])
        total = self._mass(mine) + self._mass(theirs)
        return self._mass(mine & theirs) / total if total else 0.0

    def _mass(self, held: frozenset[str]) -> float:
        # Summed exactly: the order of a set must not decide.
        return math.fsum(1.0 / (1.0 + math.log(max(self._counts[word], 1))) for word in held)


def scorer(lines: tuple[str, ...], sketch: tuple[UpdateLine, ...]) -> Scorer:
    """The scorer of `sketch` against `lines`. Remembers the last few, since one edit asks several times."""
    return _scorer(original(lines), sketch)


@lru_cache(maxsize=4)
def _scorer(original: Original, sketch: tuple[UpdateLine, ...]) -> Scorer:
    return Scorer(original, sketch)


def _joined(ranges: Sequence[range]) -> list[range]:
    """The same numbers in disjoint ranges, rising."""
    found: list[range] = []
    for item in sorted(ranges, key=lambda item: item.start):
        if found and item.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, item.stop))
        else:
            found.append(item)
    return found


def _fit(scores: dict[int, float], unique: int | None) -> Fit:
    count = len(scores)
    return Fit(np.fromiter(scores, np.intp, count), np.fromiter(scores.values(), np.float64, count), unique)


class _Block:
    """The block that a sketch line opens, and the original lines that may open the same block there."""

    def __init__(
        self,
        name: str | None,
        scores: Mapping[int, float],
        outer: _Block | None,
        original: Original,
        renamed: Container[int] = (),
    ) -> None:
        self._name, self._outer = name, outer
        self._lines, self._parent, self._within = original.lines, original.parent, original.within
        # Of any name: it may have been renamed.
        self._similar = frozenset(place for place, score in scores.items() if score >= _LEAST_SIMILAR)
        # One definition is no version of another, however alike.
        self._headers = frozenset(
            place
            for place in self._similar
            if self._name is None or place in renamed or definition_at(self._lines, place) == self._name
        )

    def share(self, text: str, place: int, hidden: bool, beside: bool) -> float:
        """How much of its score line `place` keeps for a sketch line `text` in this block.

        `hidden`: a marker stands between, so that the line may stand in an inner block that is not shown. `beside`: the
        block is new, and what it does is no version of what a marker next to it may stand for.
        """
        parent = self._parent(place)
        if self.holds(place):
            return 1.0
        line = self._lines[place]
        if beside and line != text and (line.strip() != text.strip() or _EXIT.match(text)):
            return 0.0
        if line != text and self._rewrapped(parent):
            return 1.0
        if hidden:
            inner = self._lines[place] == text and self._within(place, self._headers)
            return 1.0 if inner else _BEHIND_MARKER
        return _OTHER_BLOCK if self._same_definition(place) else 0.0

    @property
    def new(self) -> bool:
        """Whether no line of the file may open it."""
        return not self._similar

    def holds(self, place: int) -> bool:
        """Whether line `place` stands right in a block that may be this one."""
        return self._parent(place) in self._headers

    def _same_definition(self, place: int) -> bool:
        """Whether the nearest definition around, if the sketch shows one, may be around line `place` too."""
        block: _Block | None = self
        while block is not None and block._name is None:
            block = block._outer
        return block is None or self._within(place, block._similar)

    def _rewrapped(self, parent: int | None) -> bool:
        """Whether lines under `parent` were taken out of an inner block, or have got this one around them."""
        outer = None if parent is None else self._parent(parent)
        if outer is not None and outer in self._headers:
            return True
        if self._name is not None:
            return False
        return parent is None if self._outer is None else parent in self._outer._headers
