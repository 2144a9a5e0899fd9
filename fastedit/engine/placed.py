"""What an edit's hunks make of one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fastedit.engine.operated import Placed, operated
from fastedit.errors import UnplacedHunk
from fastedit.formats.base import FormatHunk, ModifyFile, TypedOperation, WriteFile
from fastedit.formats.message import written
from fastedit.formats.report import Report
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import changed_lines, diff_lines

if TYPE_CHECKING:
    from fastedit.connect import Hangup


def place(
    document: Document,
    edit: ModifyFile | WriteFile,
    first: int = 1,
    within: LineRange | None = None,
    hangup: Hangup | None = None,
) -> Placed:
    """Carries an edit without sketches out on a document. `first` is the number of its first hunk, and `within` are the
    lines that may change: of several places of a hunk those count.

    Raises UnplacedHunk where a hunk has no place, or several, and Cancelled between two operations once `hangup` was
    called.
    """
    if isinstance(edit, WriteFile):
        return rewritten(document, written(edit, document))
    if any(isinstance(hunk, TypedOperation) for hunk in edit.hunks):
        return _operated(document, edit.hunks, hangup)
    from fastedit.formats.resolve import resolve  # not above: a sketch needs none of it

    resolution = resolve(document, edit.hunks, within)
    reports = tuple(replace(report, number=report.number + first - 1) for report in resolution.reports)
    if not resolution.is_complete:
        raise UnplacedHunk("; ".join(_failures(document, reports)), reports)
    return Placed(resolution.hunks, reports, drops_final_newline=resolution.drops_final_newline)


def rewritten(document: Document, text: str) -> Placed:
    """The document with another text as a whole, in its own line ends."""
    made = Document.from_text(text)
    is_open = made.ends[-1:] == ("",)
    was_open = document.ends[-1:] == ("",)
    # Behind a last line without an end, a line without text is its end.
    lines = (*made.lines, "") if was_open and made.lines and not is_open else made.lines
    hunks = tuple(diff_lines(document.lines, lines))
    return Placed(hunks, anew=True, drops_final_newline=is_open and not was_open)


def _operated(document: Document, hunks: Sequence[FormatHunk], hangup: Hangup | None) -> Placed:
    """Operations, after the other edits of their file, which quote it as it stands before."""
    typed = [hunk.operation for hunk in hunks if isinstance(hunk, TypedOperation)]
    others = tuple(hunk for hunk in hunks if not isinstance(hunk, TypedOperation))
    if not others:
        return operated(document, typed, hangup)
    placed = place(document, ModifyFile(None, others))
    changed = replace(document, text=placed.text(document))
    lines = changed_lines(changed.lines, operated(changed, typed, hangup).hunks)
    return replace(placed, hunks=diff_lines(document.lines, lines))


def _failures(document: Document, reports: Sequence[Report]) -> Iterator[str]:
    name = f"{document.path}: " if document.path else ""
    for report in reports:
        if not report.step.placed:
            yield f"{name}{report}"
