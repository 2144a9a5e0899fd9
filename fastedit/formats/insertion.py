"""Where a hunk without an old text inserts: below its scope, at its line, else at the end of the file."""

from __future__ import annotations

from dataclasses import replace

from fastedit.formats.base import Replacement
from fastedit.formats.ladder import Match, head_of
from fastedit.formats.report import Step, Unplaced, quoted
from fastedit.formats.scopes import Scopes
from fastedit.formats.views import Text


def insertion(text: Text, hunk: Replacement) -> Match:
    """The places of an insertion. Raises Unplaced where the file has no such scope, or a string says no place."""
    if hunk.scopes:
        rows = Scopes(text).rows(hunk.scopes)
        if not rows:
            scope = quoted(hunk.scopes[-1])
            raise Unplaced(f"the file has no line {scope} to insert below; copy that line from the file")
        return Match(Step.EXACT, replace(hunk, scopes=()), tuple(head_of(text, row + 1) for row in rows))
    is_string = not (hunk.whole_lines or hunk.at_end)
    if hunk.line is None and is_string and text.lines:
        raise Unplaced("its old text is empty, but the file has text; repeat a line next to the new text")
    if hunk.line is None or hunk.at_end or not text.lines:
        return Match(Step.EXACT, hunk, (head_of(text, len(text.lines)),))
    return Match(Step.LINE, hunk, ())
