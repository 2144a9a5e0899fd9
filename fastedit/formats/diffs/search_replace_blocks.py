"""Finds SEARCH/REPLACE blocks line by line, whole ones and broken ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from fastedit.formats.markdown.lead import EditLead, Lead
from fastedit.source.fences import OPENING

_OPENING = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?:(?P<angles><{5,}) *(?:SEARCH|ORIGINAL)>?|(?P<dashes>-{3,}) *SEARCH|(?P<bare><{4,}))"
    r"""(?: +line="?(?P<line>\d+)"?)?[ \t]*""",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"([ \t]*)(?:>{5,} *(?:REPLACE|UPDATED)|\+{3,} *REPLACE)[ \t]*", re.IGNORECASE)
_DIVIDER = re.compile(r"[ \t]*={3,}[ \t]*")
_SIZE = 7  # of markers, where the opening one does not say
_BARE_CLOSING = re.compile(r"([ \t]*)>{4,}[ \t]*")


class Opening(NamedTuple):
    """The line that begins a block. `size` is the number of its marker characters, `line` the author's line number."""

    indent: str
    size: int
    closing: str
    line: int | None

    @classmethod
    def read(cls, text: str) -> Opening | None:
        found = _OPENING.fullmatch(text)
        if not found:
            return None
        size = len(found["angles"] or found["dashes"] or found["bare"])
        closing = ">" * size if found["bare"] else ("+" if found["dashes"] else ">") * size + " REPLACE"
        return cls(found["indent"], size, closing, int(found["line"]) if found["line"] else None)

    @property
    def is_bare(self) -> bool:
        return not self.closing.endswith("REPLACE")

    def is_closed_by(self, text: str) -> bool:
        """A block's markers are indented alike: what is indented differently is content."""
        found = (_BARE_CLOSING if self.is_bare else _CLOSING).fullmatch(text)
        return bool(found and found[1] == self.indent)

    def is_cut_off_by(self, text: str) -> bool:
        other = Opening.read(text)
        return bool(other and other.indent == self.indent and (self.is_bare or not other.is_bare))


@dataclass(slots=True)
class SearchReplaceBlock:
    """A block. Its lines are those from the start of `lead` up to but not including `stop`.

    `opening` is None where a closing marker stands alone, and that of a code fence which begins with the old text at
    once. `fenced`: it stands in a code fence.
    """

    lead: EditLead
    stop: int
    opening: Opening | None
    fenced: bool
    body: list[str] = field(default_factory=list)
    closed: bool = False


def may_be_marker(text: str) -> bool:
    """Whether a line may begin or end a block; no other line does."""
    return "<<<<" in text or "SEARCH" in text or ">>>>>" in text or "REPLACE" in text


def begins_or_ends_a_block(text: str) -> bool:
    return may_be_marker(text) and (Opening.read(text) or _CLOSING.fullmatch(text)) is not None


def is_divider(text: str) -> bool:
    return _DIVIDER.fullmatch(text) is not None


def _has_both_parts(body: list[str]) -> bool:
    """Whether lines above a closing marker are a block but for the opening one, which may also be misspelt."""
    return any(map(is_divider, body)) and not any(map(may_be_marker, body))


class BlockScanner:
    """Takes one line after the other and returns each block when it ends. Text around blocks is skipped."""

    def __init__(self) -> None:
        self._lead = Lead()
        self._block: SearchReplaceBlock | None = None
        self._unopened: SearchReplaceBlock | None = None  # what a code fence would be as a block
        self._lines = 0

    def feed(self, text: str) -> SearchReplaceBlock | None:
        self._lines += 1
        if self._block is None or self._block.opening is None:
            return self._feed_outside(text)
        if self._block.opening.is_closed_by(text):
            self._block.closed = True
            return self._end(self._lines)
        if self._block.opening.is_cut_off_by(text):
            unclosed = self._end(self._lines - 1)
            self._feed_outside(text)
            return unclosed
        self._block.body.append(text)
        return None

    def close(self) -> SearchReplaceBlock | None:
        """The last block if it is not closed."""
        return self._end(self._lines) if self._block else None

    def _feed_outside(self, text: str) -> SearchReplaceBlock | None:
        at = self._lines - 1
        opening = Opening.read(text)
        stray = None if opening else _CLOSING.fullmatch(text)
        if opening is None and not stray:
            self._lead.feed(at, text)
            self._follow_fence(at, text)
            return None
        if stray and self._unopened and _has_both_parts(self._unopened.body):
            self._block = self._unopened
            self._block.opening, self._block.closed = Opening(stray[1], _SIZE, text.strip(), None), True
        else:
            self._block = self._begun(at, opening)
        return self._end(self._lines) if stray else None

    def _begun(self, at: int, opening: Opening | None) -> SearchReplaceBlock:
        return SearchReplaceBlock(self._lead.above(at), at, opening, self._lead.fenced)

    def _follow_fence(self, at: int, text: str) -> None:
        """Takes a line outside of blocks: models forget the opening marker where a code fence opens."""
        if OPENING.fullmatch(text):
            self._unopened = self._begun(at, None) if self._lead.fenced else None
        elif self._unopened:
            self._unopened.body.append(text)

    def _end(self, stop: int) -> SearchReplaceBlock:
        assert self._block is not None
        block, self._block, self._unopened = self._block, None, None
        block.stop = stop
        self._lead.reset()
        return block
