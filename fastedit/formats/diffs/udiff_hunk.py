"""Hunks of unified diffs and V4A patches: the `@@` line, and a body of context, removed and added lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fastedit.formats.base import Replacement
from fastedit.formats.text.views import ended

_START = re.compile(r"@{2,}(?=$|[\s.…-])")
_CLOSE = re.compile(r"(?:(?<!\s)\s++|(?<![\s@]))@{2,}+(?=\s|$)")
_RANGES = re.compile(r"-?\s*+(\d+)(?:\s*+,\s*+(\d+))?(?:\s++\+?\s*+(\d+)(?:\s*+,\s*+(\d+))?)?")
_COMBINED = re.compile(r"@{3,}(?:\s*-\d+(?:,\d+)?){2,}")
_ELLIPSES = {"...", "…"}


class HunkHeader(NamedTuple):
    """What `@@` lines say: where the hunk starts in the old file, how many lines it has, and the lines above it."""

    scopes: tuple[str, ...] = ()
    start: int | None = None
    old_count: int | None = None
    new_count: int | None = None

    def below(self, outer: HunkHeader) -> HunkHeader:
        """This header stacked under another one."""
        start = outer.start if self.start is None else self.start
        return HunkHeader(outer.scopes + self.scopes, start, self.old_count, self.new_count)

    def counts(self, lines: Sequence[str]) -> bool:
        """Whether raw lines are exactly as many as the header says; blank ones at the end may or may not count."""
        return self.ends(lines)[-1]

    def lacks(self, lines: Sequence[str], least: int) -> bool:
        """Whether raw lines are so many fewer of each side, at least, than the header says."""
        if self.old_count is None or self.new_count is None:
            return False
        old = self.old_count - sum(not line.startswith(("+", "\\ ")) for line in lines)
        new = self.new_count - sum(not line.startswith(("-", "\\ ")) for line in lines)
        return min(old, new) >= least

    def ends(self, lines: Sequence[str]) -> list[bool]:
        """Above each of the raw lines, and below the last one, whether it `counts` those up to there."""
        if self.old_count is None or self.new_count is None:
            return [False] * (len(lines) + 1)
        old_missing, new_missing, blanks = self.old_count, self.new_count, 0
        found = [old_missing == new_missing == 0]
        for line in lines:
            if line == "":
                blanks += 1
            else:
                old_missing -= blanks + (not line.startswith(("+", "\\ ")))
                new_missing -= blanks + (not line.startswith(("-", "\\ ")))
                blanks = 0
            found.append(old_missing == new_missing and 0 <= old_missing <= blanks)
        return found


@dataclass(slots=True)
class HunkBody:
    """Signs (blank, `-`, `+`) and texts of a hunk's lines; `context` are the texts below a blank.

    A side is open if it ends in a line that has `\\ No newline at end of file` below it.
    """

    lines: list[tuple[str, str]] = field(default_factory=list)
    context: set[str] = field(default_factory=set)
    old_open: bool = False
    new_open: bool = False

    @property
    def old(self) -> list[str]:
        return [text for sign, text in self.lines if sign != "+"]

    @property
    def new(self) -> list[str]:
        return [text for sign, text in self.lines if sign != "-"]

    @property
    def changed(self) -> bool:
        return any(sign != " " for sign, _ in self.lines)


def is_hunk_header(line: str) -> bool:
    return _START.match(line) is not None


def is_combined(line: str) -> bool:
    """Whether the header is of a merge's diff, with a column of signs for each parent."""
    return _COMBINED.match(line) is not None


def is_change(line: str) -> bool:
    return line.startswith(("+", "-"))


def is_bare(line: str) -> bool:
    """Whether a line that is not blank has no prefix: context without its leading blank, or no part of the hunk."""
    return not line.startswith((" ", "+", "-", "\\ ")) and line != ""


def read_hunk_header(line: str) -> HunkHeader:
    """Reads `@@ -1,3 +1,4 @@ heading` and what models make of it. Text that is not a range is a scope."""
    text = line.lstrip("@")
    close = _CLOSE.search(text)
    inner, heading = (text[: close.start()], text[close.end() :]) if close else (text, "")
    ranges = _RANGES.fullmatch(inner.strip())
    signed = inner.strip().startswith(("-", "+"))
    if ranges and (close or signed):
        start, old_count, new_start, new_count = ranges.groups()
        counts = (int(old_count or 1), int(new_count or 1)) if new_start else (None, None)
        return HunkHeader(_scopes(heading), int(start), *counts)
    if close and signed:  # a range of placeholders, such as -X,Y +X,Y
        return HunkHeader(_scopes(heading))
    return HunkHeader(_scopes(inner, heading))


def _scopes(*texts: str) -> tuple[str, ...]:
    scopes = (text.removeprefix(" ").rstrip() for text in texts)
    return tuple(scope for scope in scopes if scope.strip() and scope.strip() not in _ELLIPSES)


def read_hunk_body(lines: Sequence[str]) -> HunkBody:
    """Signs and texts of raw lines. Lines without a sign are context, but for blank ones at the end."""
    body = HunkBody()
    for line in lines[: strip_blank_end(lines)]:
        if line.startswith("\\ ") and body.lines:
            sign = body.lines[-1][0]
            body.old_open |= sign != "+"
            body.new_open |= sign != "-"
            continue
        sign = line[0] if is_change(line) else " "
        text = line.removeprefix(sign)
        body.lines.append((sign, text))
        if line.startswith(" "):
            body.context.add(text)
        body.old_open &= sign == "+"
        body.new_open &= sign == "-"
    return body


def strip_blank_end(lines: Sequence[str]) -> int:
    """How many lines are left without the blank ones at the end."""
    cut = len(lines)
    while cut and lines[cut - 1] == "":
        cut -= 1
    return cut


def replacement(body: HunkBody, header: HunkHeader, at_end: bool = False) -> Replacement:
    """The normal form of a hunk."""
    start = header.start
    at_end = at_end or body.old_open or body.new_open
    own = {line.strip() for line in body.old}
    scopes = tuple(scope for scope in header.scopes if scope.strip() not in own)
    # A range without lines names the line before it.
    line = None if start is None else max(1, start + (not body.old and header.old_count == 0))
    old, new = ended(body.old), ended(body.new)
    whole_lines = body.old_open == body.new_open
    if not whole_lines:
        # Lines do not say whether the last of them ends in a newline, so a hunk that changes it is a substring.
        old, new = old.removesuffix("\n" * body.old_open), new.removesuffix("\n" * body.new_open)
    return Replacement(old, new, whole_lines, scopes, line, at_end, context=frozenset(body.context))
