"""What an edit's hunks make of one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fastedit.engine.edits.operated import Placed, operated
from fastedit.errors import UnplacedHunk
from fastedit.formats.base import FormatHunk, ModifyFile, Replacement, TypedOperation, WriteFile
from fastedit.formats.message import written
from fastedit.formats.report import PlacementStep, Report
from fastedit.formats.text.views import lines_of
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed_lines, diff_lines, trim

if TYPE_CHECKING:
    from fastedit.connect import Hangup
    from fastedit.formats.resolution.resolve import Resolution


_END_STAYS = "the last line keeps its line end, which the old text has and the new text leaves out"
_MARK_STAYS = (
    "its old text has the byte order mark of the file, which stays, and its new text has none; begin both with it, or "
    "neither"
)


class UnresolvedHunks(UnplacedHunk):
    """`resolution` is what came of all `hunks` of an edit, where that is known."""

    def __init__(
        self,
        message: str,
        reports: tuple[Report, ...] = (),
        resolution: Resolution | None = None,
        hunks: Sequence[FormatHunk] = (),
    ) -> None:
        super().__init__(message, reports)
        self.resolution, self.hunks = resolution, hunks

    def after(self, answer: str) -> UnresolvedHunks:
        """The error, where a model was asked for the places and gave none."""
        return UnresolvedHunks(f"{self}; {answer}", self.reports, self.resolution, self.hunks)

    @property
    def placed_by_model(self) -> tuple[Report, ...]:
        """The reports, where a model gave the places that were missing."""
        return tuple(
            report if report.step.placed else Report(report.number, PlacementStep.MODEL)
            for report in self.reports
        )

    @property
    def unplaced(self) -> list[FormatHunk]:
        """The hunks without a place."""
        told = zip(self.reports, self.hunks, strict=bool(self.hunks))
        return [hunk for report, hunk in told if not report.step.placed]


def place(
    document: Document,
    edit: ModifyFile | WriteFile,
    first: int = 1,
    within: LineRange | None = None,
    hangup: Hangup | None = None,
) -> Placed:
    """Carries an edit without sketches out on a document. `first` is the number of its first hunk, and `within` are the
    lines that may change: of several places of a hunk those count.

    Raises UnresolvedHunks where a hunk has no place, or several, and Cancelled between two operations once `hangup` was
    called.
    """
    if isinstance(edit, WriteFile):
        return rewritten(document, written(edit, document))
    if any(isinstance(hunk, TypedOperation) for hunk in edit.hunks):
        return _operated(document, edit.hunks, within, hangup)
    if (whole := _whole_text(document, edit.hunks)) is not None:
        # Whether the file's last line ends is nothing that a block could say.
        return Placed(diff_lines(document.lines, lines_of(whole.removeprefix(document.mark))), anew=True)
    resolution = _resolved(document, edit.hunks, within)
    reports = tuple(report._replace(number=report.number + first - 1) for report in resolution.reports)
    if not resolution.is_complete:
        raise UnresolvedHunks("; ".join(_failures(document, reports)), reports, resolution, edit.hunks)
    remarks = (f"hunk {report.number}: {remark}" for report in reports for remark in report.remarks)
    notes = (*remarks, *((_END_STAYS,) if resolution.keeps_final_newline else ()))
    return Placed(resolution.hunks, reports, drops_final_newline=resolution.drops_final_newline, notes=notes)


def rewritten(document: Document, text: str) -> Placed:
    """The document with another text as a whole, in its own line ends."""
    made = Document.from_text(text.removeprefix(document.mark))
    is_open = made.ends[-1:] == ("",)
    was_open = document.ends[-1:] == ("",)
    # Behind a last line without an end, a line without text is its end.
    lines = (*made.lines, "") if was_open and made.lines and not is_open else made.lines
    hunks = tuple(diff_lines(document.lines, lines))
    return Placed(hunks, anew=True, drops_final_newline=is_open and not was_open)


def _resolved(document: Document, hunks: Sequence[FormatHunk], within: LineRange | None) -> Resolution:
    """The hunks placed in the document. Where they quote its byte order mark, as diffs of it do, it is in the text that
    they are placed in."""
    from fastedit.formats.resolution.resolve import resolve  # not above: a sketch needs none of it

    mark, text = document.mark, document.text
    if not mark:
        return resolve(document, hunks, within)
    quoted = bool(text) and any(isinstance(hunk, Replacement) and hunk.old.startswith(mark) for hunk in hunks)
    found = resolve(replace(document, text=mark + text, bom=b"") if quoted else document, hunks, within)
    if text.startswith(mark) and not quoted:  # a second one is text
        return found
    return replace(found, hunks=tuple(_without_mark(document, found.hunks, quoted=quoted)))


def _without_mark(document: Document, hunks: Sequence[Hunk], *, quoted: bool) -> Iterator[Hunk]:
    """The hunks without the byte order mark, which the document keeps apart. Raises UnplacedHunk where they take it
    away. `quoted`: the first of the lines that they are over begins with it."""
    for hunk in hunks:
        first, *others = hunk.lines or ("",)
        if hunk.start == 0 and first.startswith(document.mark):
            hunk = replace(hunk, lines=(first.removeprefix(document.mark), *others))
        elif hunk.start == 0 < hunk.stop and quoted:
            name = f"{document.path}: " if document.path else ""
            raise UnplacedHunk(f"{name}{_MARK_STAYS}")
        yield from filter(None, [trim(hunk, document.lines)])


def _whole_text(document: Document, hunks: Sequence[FormatHunk]) -> str | None:
    """The text of a hunk that replaces nothing, where it is surely all of the file's new text: tools differ in whether
    such a hunk replaces the file or adds to its end. None for any other hunks."""
    first, *rest = hunks
    if rest or not isinstance(first, Replacement) or first != Replacement("", first.new, first.whole_lines):
        return None
    from fastedit.engine.merge.reading import SURE  # with arrays, which other hunks do not need
    from fastedit.engine.merge.whole import sent_whole

    return first.new if sent_whole(document, first.new) >= SURE else None


def _operated(
    document: Document, hunks: Sequence[FormatHunk], within: LineRange | None, hangup: Hangup | None
) -> Placed:
    """Operations, after the other edits of their file, which quote it as it stands before; their lines are not those
    of the document, and so not narrowed."""
    typed = [hunk.operation for hunk in hunks if isinstance(hunk, TypedOperation)]
    others = tuple(hunk for hunk in hunks if not isinstance(hunk, TypedOperation))
    if not others:
        return operated(document, typed, within, hangup)
    placed = place(document, ModifyFile(None, others), within=within)
    changed = replace(document, text=placed.text(document))
    lines = changed_lines(changed.lines, operated(changed, typed, None, hangup).hunks)
    return placed._replace(hunks=diff_lines(document.lines, lines))


def _failures(document: Document, reports: Sequence[Report]) -> Iterator[str]:
    name = f"{document.path}: " if document.path else ""
    for report in reports:
        if not report.step.placed:
            yield f"{name}{report}"
