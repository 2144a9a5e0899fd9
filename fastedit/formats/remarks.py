"""What is to be known of a hunk that has its place: where the file does not get what its author wrote."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.formats.base import Replacement
from fastedit.formats.ladder import HunkPlace, as_lines
from fastedit.formats.report import quoted, spans
from fastedit.formats.rewriting import has_foreign_look_alikes
from fastedit.formats.views import ViewedText
from fastedit.source.look_alikes import in_plain

IS_SAME = "its old and its new text are the same"
_PLAIN = "its old text has typographic signs where the file has plain ones, so plain ones are written for it"


def is_there(rows: range) -> str:
    """Of a hunk whose new text is at these lines."""
    return f"its new text is there already, at {spans([rows])}, so nothing is written for it"


def remarks(text: ViewedText, hunk: Replacement, place: HunkPlace) -> Iterator[str]:
    """One phrase each."""
    if in_plain(hunk.new) != hunk.new and has_foreign_look_alikes(text, hunk, place):
        yield _PLAIN
    if lost := list(_lost(hunk, place)):
        first, *others = map(quoted, lost)
        more = f" and {len(others)} more" if others else ""
        yield f"the file lacks {first}{more}, which the hunk shows as unchanged; nothing is written for it"


def _lost(hunk: Replacement, place: HunkPlace) -> Iterator[str]:
    """The lines of the old text that the file lacks where it has the others."""
    lines = as_lines(hunk) if place.rows else None
    if lines is not None:
        for line, row in zip(lines.old, place.rows, strict=True):
            if row is None and line.strip():
                yield line
