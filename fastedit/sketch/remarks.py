"""Comments after code that speak of the edit and belong in no file: `limit = 5  # was 3`, `start(); // NEW`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import exp
from typing import NamedTuple

from fastedit.sketch.features.facts import within_comments
from fastedit.sketch.read.wording import Wording
from fastedit.source.hunks import Hunk
from fastedit.source.languages import TEXT, Language, named
from fastedit.source.markers import begins_with_dots, looks_like_marker
from fastedit.source.outline import indentation, masked
from fastedit.source.update import Update

_NUMBER = re.compile(r"\d+")
_LINES, _BLOCKS = ("#", "//", "--"), (("/*", "*/"), ("<!--", "-->"))
LEFT_OUT = "speaks of the edit and is left out"
_LONGEST = 1000  # characters of a line: nobody says something at the end of a longer one


class TrailingComment(NamedTuple):
    """A comment after code: the line of the sketch, and the code without it."""

    row: int
    code: str
    comment: str


class Remark(NamedTuple):
    """A comment after code, that code, the line of the sketch, and the logarithm of the odds that it and the others of
    the sketch speak of the edit."""

    row: int
    code: str
    comment: str
    odds: float

    @property
    def left_out(self) -> bool:
        return self.odds > 0.0

    @property
    def certainty(self) -> float:
        """The probability of what it is taken for."""
        return 1.0 / (1.0 + exp(-abs(self.odds)))

    def otherwise(self, hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
        """The hunks with the comment taken for the other thing; as they are unless one line alone has it."""
        whole = f"{self.code}  {self.comment}"
        old, new = (self.code, whole) if self.left_out else (whole, self.code)
        said = old.split()
        if sum(line.split() == said for hunk in hunks for line in hunk.lines) != 1:
            return tuple(hunks)

        def put(line: str) -> str:
            return indentation(line) + new.strip() if line.split() == said else line

        return tuple(replace(hunk, lines=tuple(map(put, hunk.lines))) for hunk in hunks)

    @property
    def note(self) -> str:
        return f"{self._subject} {self._taken[0]}"

    @property
    def instead(self) -> str:
        """What is said of it where it is taken for the other thing."""
        return f"{self._subject} {self._taken[1]}"

    @property
    def doubt(self) -> str:
        return f"{self.note}, or {self._taken[1]}"

    @property
    def _subject(self) -> str:
        return in_update(self.comment, self.row)

    @property
    def _taken(self) -> tuple[str, str]:
        """What it is taken for, and what else it may be."""
        said = (LEFT_OUT, "belongs to the code")
        return said if self.left_out else said[::-1]


def in_update(comment: str, row: int) -> str:
    return f"`{comment}` in update line {row + 1}"


def without_remarks(
    update: Update, lines: Sequence[str], wording: Wording
) -> tuple[Update, tuple[Remark, ...]]:
    """The sketch without its comments after code if they are likelier remarks than code, and what they are taken for:
    all for the same, for who writes remarks writes hardly any other comments next to them."""
    found = list(trailing_comments(update, lines))
    if not found:
        return update, ()
    odds = wording.remarks([one.comment for one in found])
    told = tuple(Remark(one.row, one.code, one.comment, odds) for one in found)
    if odds <= 0.0:
        return update, told
    made = list(update.lines)
    for one in found:
        made[one.row] = made[one.row]._replace(text=one.code)
    return replace(update, lines=tuple(made)), told


def trailing_comments(update: Update, lines: Sequence[str]) -> Iterator[TrailingComment]:
    """The comments after code of a sketch that the file has on no line, be it with other numbers (`# v5.0.1`), but for
    those that stand for lines."""
    known = dict.fromkeys(map(str.strip, lines))
    kinds = _kinds(named(update.language), known)
    if not kinds:
        return
    begins = _begins(kinds)
    within = within_comments(update.texts)
    forms: set[str] | None = None
    for row, line in enumerate(update.lines):
        if line.marker or row in within or line.text.strip() in known:
            continue
        found = trailing_comment(line.text, begins)
        if found is None or looks_like_marker(found[1]) or begins_with_dots(found[1]):
            continue
        code, comment = found
        if any(text.endswith(comment) for text in known):
            continue
        if _NUMBER.search(comment):
            if forms is None:
                said = (trailing_comment(text, begins) for text in known)
                forms = {_form(one[1]) for one in said if one is not None}
            if _form(comment) in forms:
                continue
        yield TrailingComment(row, code, comment)


def _form(comment: str) -> str:
    """A comment whatever its numbers are."""
    return _NUMBER.sub("0", comment)


def trailing_comment(text: str, begins: re.Pattern[str]) -> tuple[str, str] | None:
    """The code of a line and the comment after it, where it ends with one: a comment has none within it."""
    if len(text) > _LONGEST:
        return None
    found = begins.search(masked(text))
    if found is None or found["comment"] is None or not text[: found.start()].strip():
        return None
    return text[: found.start()].rstrip(), text[found.start("comment") :].strip()


def _kinds(spoken: Language, lines: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What stands before and behind the comments of a file, none for prose without any. In a notation that is not
    known, lines of the file that begin with a mark and a blank tell; where none does, and in data without comments,
    people comment as in most others. Without a blank behind it, a mark may be of the code: a colour, an option."""
    if spoken.comment is not None and spoken.name != TEXT:
        return spoken.comment, *_BLOCKS[:1]
    if spoken.comment is None and spoken.prose:
        return ()
    begun = {
        mark for mark in _LINES for line in lines if line.startswith(mark) and line[len(mark) :][:1] == " "
    }
    return *((f"{mark} ", "") for mark in sorted(begun or _LINES[:2])), *_BLOCKS


@cache
def _begins(kinds: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """What a comment after code looks like from its first blank on, or a line that is nothing but one."""
    alternatives = "|".join(
        rf"{re.escape(before)}(?:(?!{re.escape(behind)}).)*{re.escape(behind)}"
        if behind
        else rf"{re.escape(before)}.*"
        for before, behind in kinds
    )
    comment = rf"(?!#\{{)\{{?(?:{alternatives})\}}?"  # `#{x}` is a value within a text of Ruby's
    return re.compile(rf"^\s*+{comment}\s*$|(?<!\s)\s++(?P<comment>{comment})\s*$")
