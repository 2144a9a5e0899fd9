"""Places an edit that a model wrote where the model can mean it: where it may change lines, or was shown any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.engine.edits.operated import Placed
from fastedit.engine.edits.placed import place
from fastedit.errors import UnplacedHunk
from fastedit.formats.base import ModifyFile, WriteFile
from fastedit.locate.filemap import file_map
from fastedit.plan.base import DocumentTask
from fastedit.plan.context import is_whole
from fastedit.plan.places import places
from fastedit.source.hunks import Hunk


def place_seen(task: DocumentTask, edit: ModifyFile | WriteFile) -> Placed:
    """The edit on the document, or on those lines of it that it can mean where it has several places.

    Raises UnplacedHunk where it has none, or still several.
    """
    try:
        return place(task.document, edit)
    except UnplacedHunk as error:
        rows = _seen(task)
        lines = "".join(f"{task.document.lines[row]}\n" for row in rows)
        try:
            placed = place(replace(task.document, text=lines), edit)
        except UnplacedHunk:
            raise error from None
        if any(_tears(rows, hunk) for hunk in placed.hunks):
            raise
    return Placed(tuple(_moved(rows, hunk) for hunk in placed.hunks), placed.reports, notes=placed.notes)


def _seen(task: DocumentTask) -> list[int]:
    """The lines that may change; of a long file those that a prompt shows."""
    if is_whole(task):
        return [] if task.scope is None else list(range(task.scope.start, task.scope.stop))
    head = file_map(task.document).import_block
    shown = (head, *places(task))
    return sorted({row for lines in shown for row in range(lines.start, lines.stop)})


def _tears(rows: Sequence[int], hunk: Hunk) -> bool:
    """Whether a hunk over some lines takes away such as do not follow on each other, or stands between them."""
    around = rows[max(hunk.start - (hunk.start == hunk.stop), 0) : max(hunk.stop, hunk.start + 1)]
    return not around or around[-1] - around[0] != len(around) - 1


def _moved(rows: Sequence[int], hunk: Hunk) -> Hunk:
    """A hunk over some lines as one over the document."""
    start = rows[hunk.start] if hunk.start < len(rows) else rows[-1] + 1
    return Hunk(start, start + hunk.stop - hunk.start, hunk.lines)
