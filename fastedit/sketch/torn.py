"""Statements over several lines that would be torn: their first line gives way to one that is whole without the rest.

By spelling alone, so that it holds in any language: what a line leaves open at its end, or an operator that the next
one begins with, tells that both belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from typing import Any, Final, NamedTuple

import numpy as np

from fastedit.sketch.brackets import innermost_open, is_balanced, misplaced_brackets
from fastedit.sketch.facts import Facts
from fastedit.sketch.lattice import Layer, PathStep
from fastedit.sketch.names import code_of
from fastedit.sketch.quoted import quoted
from fastedit.sketch.reading import Outline
from fastedit.sketch.tags import element_ends, ends_in_tag, is_element
from fastedit.source.outline import is_closer

_LONGEST: Final = 100  # lines of what stands in brackets
_OPERATOR: Final = r"\|\||&&|\?\?|(?<!\+)\+|\b(?:and|or)"
# Between two operands; what else a line of code ends with that goes on; what opens a block.
_ENDS_IN_OPERATOR: Final = re.compile(rf"(?:{_OPERATOR})$")
_ENDS_OPEN: Final = re.compile(
    rf"(?:{_OPERATOR}|[=?^%\\|&]|=>|->|(?<!-)-|(?<!/)\*|(?<!\*)/|(?<=[\w)\]\"'])\.|\b(?:not|return))$"
)
_ENDS_BEFORE_BLOCK: Final = re.compile(r"(?::|\b(?:do|then|else))$")
_BEGINS_WITH_OPERATOR: Final = re.compile(r"\.\w|\?|&&|\|\||[-+*/|:=]\s|(?:and|or)\b")
# All of a line: nothing of a declaration follows.
_DECORATOR: Final = re.compile(r"(?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?\s*|#\[.*\]\s*)+$")


class _Open(Enum):
    """What a line leaves open at its end."""

    NOTHING = auto()
    TAG = auto()
    BRACKET = auto()
    EXPRESSION = auto()
    LIST = auto()
    BLOCK = auto()
    ELEMENT = auto()
    FURTHER = auto()  # nothing, but the line below begins with an operator


class Rest(NamedTuple):
    """The rest of a statement: what the line above leaves open, and its lines, the first of which is not blank."""

    left: _Open
    lines: range

    @property
    def is_wrapped(self) -> bool:
        """Whether it could stand on the line above as well: a block could not, nor further entries of a list."""
        return self.left not in (_Open.BLOCK, _Open.LIST)


@lru_cache(maxsize=8)  # features and the signs of each reading ask it of the same file
def rests_of(file: Outline) -> dict[int, Rest]:
    """By first line the rest of each statement of the file; of a block its first line alone. Prose has none."""
    found = dict[int, Rest]()
    if file.language.prose:
        return found
    within = quoted(file.texts, file.language)
    for row, below in pairwise(file.inked):
        if file.widths[below] >= file.widths[row] and row not in within and not file.comments(row):
            left = _left_before(file, row, below)
            if left is not _Open.NOTHING:
                found[row] = Rest(left, range(below, _last(file, row, below, left) + 1))
    return found


@lru_cache(maxsize=8)
def elements_of(file: Outline) -> dict[int, Rest]:
    """By first line the rest of each element whose lines all stand deeper than that, but for the end of its tag and its
    own."""
    found = dict[int, Rest]()
    if file.language.prose:
        return found
    tags = rests_of(file)
    for at, row in enumerate(file.inked):
        if file.stripped[row][0] != "<" or is_element(file.stripped[row]):
            continue
        tag = tags[row].lines if row in tags else range(0)
        below = (other for other in file.inked[at + 1 :] if other not in tag)
        end = next((other for other in below if file.widths[other] <= file.widths[row]), None)
        if end is None or file.widths[end] != file.widths[row]:
            continue
        if element_ends(file.stripped[row], file.stripped[end]):
            found[row] = Rest(_Open.ELEMENT, range(file.inked[at + 1], end + 1))
    return found


def is_whole_element(side: Outline, row: int) -> bool:
    """Whether a line is all of an element."""
    return is_element(side.texts[row])


def ends_whole(side: Outline, row: int) -> bool:
    """Whether a line is all of its statement, or all of it up to where that opens a block."""
    return _left(side.texts[row], side.language.is_indented) in (_Open.NOTHING, _Open.BLOCK)


def replaced_rests(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> frozenset[int]:
    """The file lines that are the rest of statements whose first lines a path changes."""
    rests, elements = rests_of(file), elements_of(file)
    changed = {
        step.lines.start: step.sketch
        for step in path
        if step.layer is Layer.MATCH
        and step.sketch is not None
        and sketch.stripped[step.sketch] != file.stripped[step.lines.start]
    }
    found = [rests[row] for row in changed if row in rests]
    found += [elements[row] for row, i in changed.items() if row in elements and is_element(sketch.texts[i])]
    return frozenset(at for rest in found for at in rest.lines)


def ended_rests(facts: Facts, i: int) -> Iterator[Rest]:
    """The rests of statements that a new line of the sketch takes the place of, as it ends the statement itself: what
    begins it stands above in both, `const total =`."""
    sketch, first = facts.sketch, facts.above.get(i)
    if first is None or facts.places[i] or facts.comment[i] or sketch.widths[i] <= sketch.widths[first]:
        return
    if not (facts.places[first] and _code(sketch.texts[i]).endswith(";") and is_balanced(sketch.texts[i])):
        return
    rests = rests_of(facts.file)
    for row in facts.places[first]:
        if row in rests and rests[row].left is _Open.EXPRESSION and _ends_statement(facts.file, rests[row]):
            yield rests[row]


def _ends_statement(file: Outline, rest: Rest) -> bool:
    """Whether the last line of the rest ends it, and no block goes on below."""
    lines = [file.texts[row] for row in rest.lines]
    return _code(lines[-1]).endswith(";") and not misplaced_brackets(lines)


class _Kind(NamedTuple):
    """Of rests: the indentation of their first lines, what these leave open, and whether a comma ends them."""

    width: int
    left: _Open
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
            if rest.left in (_Open.TAG, _Open.BRACKET):
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
                found.remove(row, rests_of(self._file)[row].lines)
        return found

    def _tears(self, above: int, level: bool, rest: _Kind) -> bool:
        """Whether rests of a kind can not be that of what this line of the sketch begins. `level`: what is hidden below
        it does not stand within what it opens."""
        text = self._sketch.texts[above]
        left = _left(text, self._file.language.is_indented)
        if rest.left is _Open.ELEMENT:
            return is_element(text)
        if rest.left is _Open.TAG:
            return left is not _Open.TAG
        if rest.left is _Open.BRACKET:
            return left not in (_Open.BRACKET, _Open.EXPRESSION)
        if left is _Open.NOTHING:
            return level and (rest.left is not _Open.FURTHER or _code(text).endswith(";"))
        # An entry ends with a comma too.
        return level and left is _Open.LIST and rest.left is not _Open.LIST and rest.ends_entry

    @cached_property
    def _rests(self) -> dict[_Kind, _Rests]:
        """Those of the file's statements by kind."""
        file, found = self._file, dict[_Kind, _Rests]()
        for row, (left, lines) in (*rests_of(file).items(), *elements_of(file).items()):
            kind = _Kind(file.widths[row], left, _code(file.texts[lines[-1]]).endswith(","))
            found.setdefault(kind, _Rests(len(file.texts))).add(row, lines)
        return found


def _left_before(file: Outline, row: int, below: int) -> _Open:
    """What a line of the file leaves open to the next one."""
    if file.widths[below] == file.widths[row]:
        # What data end with may be any sign.
        operator = file.language.is_code and _ENDS_IN_OPERATOR.search(_code(file.texts[row]))
        return _Open.EXPRESSION if operator else _Open.NOTHING
    left = _left(file.texts[row], file.language.is_indented)
    further = file.language.is_code and _BEGINS_WITH_OPERATOR.match(file.stripped[below])
    return _Open.FURTHER if left is _Open.NOTHING and further else left


def _last(file: Outline, row: int, below: int, left: _Open) -> int:
    """The last line of the rest that begins with `below`."""
    rows = range(below, len(file.texts))
    match left:
        case _Open.BRACKET:
            depth = _brackets(file.texts[row])
            for at in rows[:_LONGEST]:
                depth += _brackets(file.texts[at])
                if depth <= 0:
                    return at
        case _Open.TAG:
            return next((at for at in rows if ">" in file.texts[at].replace("=>", "")), below)
        case _Open.EXPRESSION | _Open.LIST | _Open.FURTHER:
            deeper = takewhile(lambda at: file.widths[at] > file.widths[row] and file.stripped[at], rows)
            return max(deeper, default=below)
    return below


def _left(line: str, is_indented: bool) -> _Open:
    """What a line leaves open; a colon opens a block where indentation alone makes one."""
    if ends_in_tag(line):
        return _Open.TAG
    return _left_in_code(line, is_indented)


def _brackets(line: str) -> int:
    """How many more round and square brackets a line opens than it closes."""
    code = _code(line)
    return sum(map(code.count, "([")) - sum(map(code.count, ")]"))


@lru_cache(maxsize=1 << 16)
def _code(line: str) -> str:
    return code_of(line).rstrip()


@lru_cache(maxsize=1 << 16)
def _left_in_code(line: str, is_indented: bool) -> _Open:
    """The same of a line that begins with no tag."""
    opened = innermost_open(line)
    if opened:
        return _Open.BLOCK if opened == "{" else _Open.BRACKET
    code = _code(line)
    if code.endswith(","):
        return _Open.LIST
    if _ENDS_BEFORE_BLOCK.search(code):
        return _Open.BLOCK if is_indented or not code.endswith(":") else _Open.EXPRESSION
    return _Open.EXPRESSION if _ENDS_OPEN.search(code) else _Open.NOTHING
