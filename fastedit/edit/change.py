"""One change of one document, seen from both sides: what all checks look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fastedit.edit.document import Document
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction
from fastedit.edit.language import language_of
from fastedit.edit.syntax import Syntax, parse
from fastedit.edit.update import Update, UpdateLine

WORD = re.compile(r"[\w$]+")
_BEGIN, _END = "\n<", "\n>"  # no line is spelled so


@dataclass(frozen=True)
class Change:
    """`hunks` are sorted, disjoint and within the document."""

    document: Document
    hunks: Sequence[Hunk]
    said: Instruction | None
    update: Update | None

    @cached_property
    def language(self) -> str:
        return language_of(self.document.path, self.document.text)

    @cached_property
    def old(self) -> tuple[str, ...]:
        return self.document.lines

    @cached_property
    def new(self) -> tuple[str, ...]:
        """The lines of the result."""
        lines: list[str] = []
        at = 0
        for hunk in self.hunks:
            lines += self.old[at : hunk.start]
            lines += hunk.lines
            at = hunk.stop
        return (*lines, *self.old[at:])

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """For each hunk the first of its lines in the result."""
        found, shift = [], 0
        for hunk in self.hunks:
            found.append(hunk.start + shift)
            shift += len(hunk.lines) - (hunk.stop - hunk.start)
        return tuple(found)

    @cached_property
    def old_syntax(self) -> Syntax | None:
        return parse(self.old, self.language)

    @cached_property
    def new_syntax(self) -> Syntax | None:
        return parse(self.new, self.language)

    @cached_property
    def old_words(self) -> frozenset[str]:
        return frozenset(word for line in self.old for word in WORD.findall(line))

    @cached_property
    def given_words(self) -> frozenset[str]:
        """The words of instruction and update."""
        sketch = self.update.lines if self.update is not None else ()
        written = frozenset(word for line in sketch for word in WORD.findall(line.text))
        return written | (self.said.words if self.said is not None else frozenset())

    def removed(self, hunk: Hunk) -> list[str]:
        """The hunk's old lines that hold ink, without leading and trailing blanks."""
        return inked(self.old[hunk.start : hunk.stop])

    def spelled_out(self, index: int) -> bool:
        """Whether the update shows hunk `index` with the lines before and behind it, and no marker in between."""
        hunk, start = self.hunks[index], self.starts[index]
        before = next((line.strip() for line in reversed(self.new[:start]) if line.strip()), _BEGIN)
        after = next((line.strip() for line in self.new[start + len(hunk.lines) :] if line.strip()), _END)
        wanted = [before, *inked(hunk.lines), after]
        sketch = [_BEGIN, *(None if line.marker else line.text.strip() for line in self._sketch), _END]
        count = len(wanted)
        return any(sketch[at : at + count] == wanted for at in range(len(sketch) - count + 1))

    @property
    def _sketch(self) -> list[UpdateLine]:
        lines = self.update.lines if self.update is not None else ()
        return [line for line in lines if line.marker or line.text.strip()]


def inked(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def short(text: str) -> str:
    """Code as a reason or an error quotes it."""
    text = text.strip()
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
