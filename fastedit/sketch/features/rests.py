"""Statements over several lines: what a line leaves open, and where the rest of its statement ends.

By spelling alone, so that it holds in any language: what a line leaves open at its end, or an operator that the next
one begins with, tells that both belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.brackets import innermost_open, is_balanced, misplaced_brackets
from fastedit.sketch.read.names import code_of
from fastedit.sketch.read.quoted import quoted
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.tags import element_ends, ends_in_tag, is_element

_LONGEST: Final = 100  # lines of what stands in brackets
_OPERATOR: Final = r"\|\||&&|\?\?|(?<!\+)\+|\b(?:and|or)"
# Between two operands; what else a line of code ends with that goes on; what opens a block.
_ENDS_IN_OPERATOR: Final = re.compile(rf"(?:{_OPERATOR})$")
_ENDS_OPEN: Final = re.compile(
    rf"(?:{_OPERATOR}|[=?^%\\|&]|=>|->|(?<!-)-|(?<!/)\*|(?<!\*)/|(?<=[\w)\]\"'])\.|\b(?:not|return))$"
)
_ENDS_BEFORE_BLOCK: Final = re.compile(r"(?::|\b(?:do|then|else))$")
_BEGINS_WITH_OPERATOR: Final = re.compile(r"\.\w|\?|&&|\|\||[-+*/|:=]\s|(?:and|or)\b")


class Open(Enum):
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

    left: Open
    lines: range

    @property
    def is_wrapped(self) -> bool:
        """Whether it could stand on the line above as well: a block could not, nor further entries of a list."""
        return self.left not in (Open.BLOCK, Open.LIST)


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
            if left is not Open.NOTHING:
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
            found[row] = Rest(Open.ELEMENT, range(file.inked[at + 1], end + 1))
    return found


def is_statement(file: Outline, rows: range) -> bool:
    """Whether lines are all of one statement or element, which could stand on one line."""
    rests = rests_of(file).get(rows.start), elements_of(file).get(rows.start)
    return any(rest is not None and rest.is_wrapped and rest.lines.stop == rows.stop for rest in rests)


def is_whole_element(side: Outline, row: int) -> bool:
    """Whether a line is all of an element."""
    return is_element(side.texts[row])


def ends_whole(side: Outline, row: int) -> bool:
    """Whether a line is all of its statement, or all of it up to where that opens a block."""
    return left_open(side.texts[row], side.language.is_indented) in (Open.NOTHING, Open.BLOCK)


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
    if not (
        facts.places[first] and ended_code(sketch.texts[i]).endswith(";") and is_balanced(sketch.texts[i])
    ):
        return
    rests = rests_of(facts.file)
    for row in facts.places[first]:
        if row in rests and rests[row].left is Open.EXPRESSION and _ends_statement(facts.file, rests[row]):
            yield rests[row]


def _ends_statement(file: Outline, rest: Rest) -> bool:
    """Whether the last line of the rest ends it, and no block goes on below."""
    lines = [file.texts[row] for row in rest.lines]
    return ended_code(lines[-1]).endswith(";") and not misplaced_brackets(lines)


def _left_before(file: Outline, row: int, below: int) -> Open:
    """What a line of the file leaves open to the next one."""
    if file.widths[below] == file.widths[row]:
        # What data end with may be any sign.
        operator = file.language.is_code and _ENDS_IN_OPERATOR.search(ended_code(file.texts[row]))
        return Open.EXPRESSION if operator else Open.NOTHING
    left = left_open(file.texts[row], file.language.is_indented)
    further = file.language.is_code and _BEGINS_WITH_OPERATOR.match(file.stripped[below])
    return Open.FURTHER if left is Open.NOTHING and further else left


def _last(file: Outline, row: int, below: int, left: Open) -> int:
    """The last line of the rest that begins with `below`."""
    rows = range(below, len(file.texts))
    match left:
        case Open.BRACKET:
            depth = _brackets(file.texts[row])
            for at in rows[:_LONGEST]:
                depth += _brackets(file.texts[at])
                if depth <= 0:
                    return at
        case Open.TAG:
            return next((at for at in rows if ">" in file.texts[at].replace("=>", "")), below)
        case Open.EXPRESSION | Open.LIST | Open.FURTHER:
            deeper = takewhile(lambda at: file.widths[at] > file.widths[row] and file.stripped[at], rows)
            return max(deeper, default=below)
    return below


def left_open(line: str, is_indented: bool) -> Open:
    """What a line leaves open; a colon opens a block where indentation alone makes one."""
    if ends_in_tag(line):
        return Open.TAG
    return _left_in_code(line, is_indented)


def _brackets(line: str) -> int:
    """How many more round and square brackets a line opens than it closes."""
    code = ended_code(line)
    return sum(map(code.count, "([")) - sum(map(code.count, ")]"))


@lru_cache(maxsize=1 << 16)
def ended_code(line: str) -> str:
    return code_of(line).rstrip()


@lru_cache(maxsize=1 << 16)
def _left_in_code(line: str, is_indented: bool) -> Open:
    """The same of a line that begins with no tag."""
    opened = innermost_open(line)
    if opened:
        return Open.BLOCK if opened == "{" else Open.BRACKET
    code = ended_code(line)
    if code.endswith(","):
        return Open.LIST
    if _ENDS_BEFORE_BLOCK.search(code):
        return Open.BLOCK if is_indented or not code.endswith(":") else Open.EXPRESSION
    return Open.EXPRESSION if _ENDS_OPEN.search(code) else Open.NOTHING
