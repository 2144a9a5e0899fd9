"""The text that a sentence speaks of, with what its names can mean there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from operator import methodcaller

from tree_sitter import Node

from fastedit.edit.definitions import Definition, named
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width, is_closer
from fastedit.edit.request import LineRange
from fastedit.edit.syntax import Syntax, parse

_CODE = re.compile(r"\w.*[^\w\s]|^\s*return\s")
_PROSE = re.compile(r"[A-Za-z]+[.,!?:]")
_SHOWN = re.compile(r":[ \t]*\n|```[^\n`]*\n")
_TICKS = re.compile(r"`+")
# What is quoted in ticks; more of them stand around what has some itself.
TICKED = r"(?<!`)(?P<ticks>`+).+?(?P=ticks)(?!`)"
# What a definition begins with, where a sentence names it by its first words: "in `def load`".
_INTRODUCED = re.compile(
    r"(?:(?:async|export|public|private|static|pub)\s+)*(?:def|class|func|fn|function)\s+(?=\w)"
)
# What people call a thing, by what it can be.
_CALLABLE = frozenset(
    """function method def func fn constructor helper test macro property component
    hook""".split()  # noqa: SIM905
)
_TYPE = frozenset(
    """class struct enum interface trait type record union impl module namespace
    component""".split()  # noqa: SIM905
)
_NO_DEFINITION = frozenset(
    """variable parameter argument param arg field attribute constant const import decorator line statement call
    expression value key local annotation""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Codemod:
    """What a sentence makes of a text: sorted disjoint hunks, and phrases that say why it may mean something else."""

    hunks: tuple[Hunk, ...]
    reasons: tuple[str, ...] = ()


def holding(doubts: Mapping[str, object]) -> tuple[str, ...]:
    """The reasons of those doubts that hold."""
    return tuple(reason for reason, holds in doubts.items() if holds)


@dataclass(frozen=True)
class Source:
    """Lines without line ends. `scope` are those that may change.

    `leeway` is how many words of a sentence about them may say nothing to what reads it.
    """

    lines: tuple[str, ...]
    language: str
    scope: LineRange
    leeway: int = 0

    @cached_property
    def syntax(self) -> Syntax | None:
        return parse(self.lines, self.language)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that stands somewhere in the text."""
        return _vocabulary(self.lines)

    def named(self, name: str) -> list[Definition]:
        """The definitions within the scope that a plain or dotted name can mean."""
        return [found for found in named(self.syntax, name) if self.holds(found.start, found.stop)]

    def meant(self, name: str, kind_words: frozenset[str]) -> list[Definition]:
        """The definitions of the name that can be called by these words; all of them where none says what it is."""
        said = kind_words & (_CALLABLE | _TYPE | _NO_DEFINITION)
        found = self.named(name)
        return [d for d in found if said & (_CALLABLE if d.kind in _CALLABLE else _TYPE)] if said else found

    def only(self, name: str) -> Definition | None:
        found = self.named(name)
        return found[0] if len(found) == 1 else None

    def holds(self, start: int, stop: int) -> bool:
        return self.scope.start <= start and stop <= self.scope.stop

    def place(self, name: str | None) -> LineRange | None:
        """The lines of the definition of this name, all lines without a name; None where it is not one definition."""
        if name is None:
            return self.scope
        found = self.only(_INTRODUCED.sub("", name, count=1))
        return None if found is None else LineRange(found.start, found.stop)

    def lines_like(self, text: str, place: LineRange) -> list[int]:
        """The lines of a place that are this text, but for blanks and semicolons at their ends."""
        wanted = text.strip().rstrip(";")
        return [n for n in range(place.start, place.stop) if self.lines[n].strip().rstrip(";") == wanted]

    def spliced(self, row: int, start: int, stop: int, text: str) -> str:
        """The line with `text` in place of its bytes from `start` to `stop`, as a parser counts them."""
        line = self.lines[row].encode()
        return (line[:start] + text.encode() + line[stop:]).decode(errors="replace")

    def over(self, old: Node, text: str) -> Hunk:
        """`text` in place of a node that lies on one line."""
        row = old.start_point.row
        return Hunk(row, row + 1, (self.spliced(row, old.start_point.column, old.end_point.column, text),))

    def in_text(self, line: int) -> bool:
        """Whether the line begins within a comment or a string."""
        node = self.syntax.at(line) if self.syntax is not None else None
        return node is not None and ("comment" in node.type or "string" in node.type)

    def opens(self, line: int) -> bool:
        """Whether the line has a block of its own below it, which texts and comments have not."""
        if self.in_text(line):
            return False
        below = next((text for text in self.lines[line + 1 :] if text.strip()), "")
        return indent_width(below) > indent_width(self.lines[line]) or (
            is_closer(below) and self.lines[line].rstrip().endswith(("{", "(", "["))
        )


@lru_cache(maxsize=4)
def _vocabulary(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(re.findall(r"[\w$]+", "\n".join(lines)))


def with_lines_quoted(text: str, lines: Sequence[str]) -> str:
    """The sentence with ticks around each line of the file that it spells out as it stands there.

    What it shows on lines of its own is left as it is.
    """
    if shown := _SHOWN.search(text):
        return with_lines_quoted(text[: shown.start()], lines) + text[shown.start() :]
    stripped = map(methodcaller("rstrip", ";"), map(str.strip, lines))
    there = [*compress(lines, map(text.__contains__, stripped)), *_commented(lines, text)]
    text = _fenced(text, [line for line in there if "`" in line])
    spelled = {line.strip().rstrip(";") for line in there if "`" not in line and _CODE.search(line)}
    # A single word that has a line to itself is the sentence's as well: "in an else: x".
    spelled -= {line for line in spelled if _PROSE.fullmatch(line)}
    for line in sorted(spelled, key=lambda line: -len(line)):
        said = re.escape(line)
        marked = rf"(?P<mark>['\"])(?P<marked>{said};?)(?P=mark)(?=[.!,:;?]*(?:\s|\Z))"
        bare = rf"(?P<bare>{said};?)(?=[.!,]?(?:\s|\Z))"
        text = re.sub(rf"{TICKED}|(?<![^\s])(?:{marked}|{bare})", _in_ticks, text, flags=re.DOTALL)
    return text


def _in_ticks(found: re.Match[str]) -> str:
    line = found["marked"] or found["bare"]
    return f"`{line}`" if line else found[0]


def _commented(lines: Sequence[str], text: str) -> list[str]:
    """What comments with ticks say, of those that the text spells out without their sign."""
    ticked = [line.strip().lstrip("#/*- ") for line in lines if "`" in line]
    return [said for said in ticked if said and said in text]


def _fenced(text: str, ticked: Sequence[str]) -> str:
    """The text with more ticks around what has ticks itself, so that these do not end the quotation."""
    for said in sorted({line.strip() for line in ticked}, key=len, reverse=True):
        fence = "`" * (max(map(len, _TICKS.findall(said))) + 1)
        quoted = re.compile(rf"(?<!`)(?P<ticks>`{{1,2}}){re.escape(said)}(?P=ticks)(?!`)")
        text = quoted.sub(f"{fence}{said}{fence}".replace("\\", r"\\"), text)
    return text


def dedented(block: Sequence[str]) -> list[str]:
    """The block from its first line with ink to its last, without the indentation that all of it has."""
    inked = [n for n, line in enumerate(block) if line.strip()]
    kept = block[inked[0] : inked[-1] + 1] if inked else []
    width = min((len(line) - len(line.lstrip()) for line in kept if line.strip()), default=0)
    return [line[width:].rstrip() for line in kept]
