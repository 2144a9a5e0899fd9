"""The other texts that an edit may mean, with the numbers and places that every surface shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import floor
from typing import NamedTuple

from fastedit.errors import StaleFile, UsageError
from fastedit.result import Alternative, EditResult
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, alike, changed_lines

LIKELY = 0.01  # a posterior from which on a figure says something
_DIGITS = 8  # of a hash that tells two states of one file apart


class Option(NamedTuple):
    """Another text that may be meant. `number` is what a request's `choice` takes it by, None for another opinion,
    which no choice takes. `line` is the first line of the new text, from 1, on which it differs from the result's.
    """

    number: int | None
    posterior: float | None
    line: int
    hunks: tuple[Hunk, ...]

    @property
    def title(self) -> str:
        """Such as `reading 2 (31 %)`."""
        return "the other opinion" if self.number is None else f"reading {self.number} ({self.share})"

    @property
    def share(self) -> str:
        return share(self.posterior or 0)


def share(posterior: float) -> str:
    """A posterior as a person reads it: rounded down, so that one below a threshold shows it."""
    return "under 1 %" if posterior < LIKELY else f"{floor(100 * posterior)} %"


def reading_of(document: Document, number: int) -> str:
    """A reading as a choice takes it, for this text alone."""
    return f"{number}@{document.sha256[:_DIGITS]}"


def chosen(value: str, document: Document) -> int:
    """`N` or `N@HASH` as the number of a reading of the document. Raises UsageError, and StaleFile where the document's
    hash does not begin so: another text has other readings."""
    match = re.fullmatch(r"([0-9]{1,4})(?:@([0-9a-f]{1,64}))?", value)
    if not match:
        raise UsageError(f"{value}: is no number; name a reading by its own, such as 2")
    if match[2] and not document.sha256.startswith(match[2]):
        name = document.path or "the input"
        raise StaleFile(
            f"{name}: is not the file that reading {match[1]} was shown for; look at its readings again"
        )
    return int(match[1])


def options_of(result: EditResult) -> tuple[Option, ...]:
    """The result's alternatives, in their order."""
    return options(result.document, result.hunks, result.alternatives)


def options(
    document: Document, hunks: tuple[Hunk, ...], alternatives: Iterable[Alternative]
) -> tuple[Option, ...]:
    """The alternatives to `hunks`, in their order."""
    return tuple(
        Option(other.number, other.posterior, parting_line(document, hunks, other.hunks), other.hunks)
        for other in alternatives
    )


def parting_line(document: Document, one: tuple[Hunk, ...], other: tuple[Hunk, ...]) -> int:
    """The first line, from 1, on which two edits of a document give different texts."""
    lines = document.lines
    return alike(changed_lines(lines, one), changed_lines(lines, other)) + 1
