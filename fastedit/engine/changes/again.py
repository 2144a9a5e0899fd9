"""An edit of files that changed while it was worked out: made once more of the new text, where that is sure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from fastedit.errors import FasteditError, InputRefused
from fastedit.result import EditResult, Status
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit.source.rebase import rebase

if TYPE_CHECKING:
    from fastedit.engine import Engine
    from fastedit.engine.changes.change import ChangeRequest, ChangeResult, FileChange, Files
    from fastedit.request import EditRequest


def edited_again(
    request: EditRequest,
    result: EditResult,
    current: Callable[[], Document],
    apply: Callable[[EditRequest], EditResult],
) -> EditResult | None:
    """The edit of the file as it is now, where it changes the same lines in the same way. None elsewhere, and where a
    model, which is not asked again, would have to make it."""
    try:
        now = current()
        if now.text == result.text:  # another program did the same
            return replace(
                result, document=now, hunks=(), status=Status.UNCHANGED, reasons=(), drops_final_newline=False
            )
        if result.receipt.passes:
            return None
        found = apply(replace(request, document=now, policy="merge"))
    except FasteditError:
        return None
    told = found.status in (result.status, Status.OK, Status.UNCHANGED)
    same = _same(result.document, result.hunks, now, found.text, result.drops_final_newline)
    return found if told and same else None


def changed_again(
    engine: Engine, request: ChangeRequest, result: ChangeResult, files: Files
) -> ChangeResult | None:
    """The same for a change of many files."""
    from fastedit.engine.changes.change import change  # which an edit of one file does not need

    try:
        if all(_is_made(file, files) for file in result.files):
            unchanged = (replace(file, before=file.after, hunks=(), reasons=()) for file in result.files)
            return replace(result, files=tuple(unchanged))
        if request.message is None or result.receipt is not None:
            return None
        found = change(engine, replace(request, policy="merge"), files)
    except InputRefused:
        return None
    same = len(found.files) == len(result.files) and all(map(_same_file, result.files, found.files))
    return found if same else None


def _is_made(file: FileChange, files: Files) -> bool:
    """Whether another program edited the file in the same way."""
    if file.problem or file.after is None or file.path is None or file.path != file.to:
        return False
    now = files.read(file.path)
    return now is not None and now.text == file.after.text


def _same_file(file: FileChange, found: FileChange) -> bool:
    if (file.path, file.to, bool(file.problem)) != (found.path, found.to, bool(found.problem)):
        return False
    if file.problem or file.before is None or file.after is None:
        return file.before == found.before and file.after == found.after
    if found.before is None or found.after is None or (found.reasons and not file.reasons):
        return False
    return _same(file.before, file.hunks, found.before, found.after.text, file.drops_final_newline)


def _same(
    before: Document, hunks: tuple[Hunk, ...], now: Document, text: str, drops_final_newline: bool
) -> bool:
    """Whether the hunks of the text before, carried over to the one of now, make this new text."""
    carried, conflicts = rebase(hunks, before, now, adjoining=True)
    return not conflicts and apply_hunks(now, carried, drops_final_newline=drops_final_newline) == text
