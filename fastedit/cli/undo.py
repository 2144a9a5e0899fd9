"""`fastedit undo` and `fastedit redo`: the bytes from before an edit, and those after it again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastedit import console
from fastedit.cli.inputs import check_exclusive
from fastedit.console import JSON, past_cancelling, reported, set_json, tell
from fastedit.errors import StaleFile

if TYPE_CHECKING:
    from fastedit.files.change import ContentChange
    from fastedit.files.entry import JournalEntry
    from fastedit.files.journal import Journal

_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Accepted and ignored: undo and redo never ask.")]
_Json = Annotated[
    bool,
    typer.Option(
        JSON, callback=set_json, help="Print the edit as one JSON object, as `fastedit log` has it."
    ),
]
_Diff = Annotated[bool, typer.Option("--diff", help="Print what would change, and write nothing.")]


@reported
def undo(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A file of the edit; by default the newest edit of the project."),
    ] = None,
    diff: _Diff = False,
    yes: _Yes = False,
    json: _Json = False,
) -> None:
    """Undo the newest edit that is not undone yet.

    Without PATH it is the newest in the current repository, or in the current folder outside of one. An edit of
    several files is undone as a whole, and only if every file is still as the edit left it.

    Examples:
        fastedit undo
        fastedit undo settings.py --diff
    """
    from fastedit.files.journal import Journal
    from fastedit.files.undo import undo

    with _naming_another(path):
        entry = _carried_out(path, Journal.newest, undo, diff=diff, json=json)
    if entry is None:
        return
    if len(entry.files) > 1:
        tell(f"restored {entry.title}, which edit {entry.id} changed together: {entry.instruction}")
        for file in entry.files:
            tell(f"  {file.path}{' (removed)' if file.before_sha256 is None else ''}")
    elif entry.files[0].before_sha256 is None:
        tell(f"removed {entry.title}, which edit {entry.id} created: {entry.instruction}")
    else:
        tell(f"restored {entry.title} as it was before edit {entry.id}: {entry.instruction}")


@reported
def redo(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH", help="A file of the edit; by default the edit of the project undone last."
        ),
    ] = None,
    diff: _Diff = False,
    yes: _Yes = False,
    json: _Json = False,
) -> None:
    """Redo the edit that was undone last.

    Without PATH it is the last in the current repository, or in the current folder outside of one. Only if every
    file is still as `fastedit undo` left it.

    Examples:
        fastedit redo
        fastedit redo settings.py --diff
    """
    from fastedit.files.journal import Journal
    from fastedit.files.undo import redo

    if entry := _carried_out(path, Journal.newest_undo, redo, diff=diff, json=json):
        tell(f"redid edit {entry.id} of {entry.title}: {entry.instruction}")


def _carried_out(
    path: Path | None,
    newest: Callable[[Journal, Path | None, Path | None], JournalEntry],
    change: Callable[[Journal, Path | None, Path | None], JournalEntry],
    *,
    diff: bool,
    json: bool,
) -> JournalEntry | None:
    """The edit that was taken back or made again; None where that is shown already."""
    from fastedit.files.journal import Journal
    from fastedit.files.undo import project, reversal

    check_exclusive({"--json": json, "--diff": diff})
    within = project(Path()) if path is None else None
    with Journal.open() as journal:
        if diff:
            _show(reversal(journal, newest(journal, path, within)))
            return None
        past_cancelling()
        entry = change(journal, path, within)
        done = journal.get(entry.id)
    if json:
        tell(dumps(done.as_dict()))
        return None
    return entry


@contextmanager
def _naming_another(path: Path | None) -> Iterator[None]:
    """Has a StaleFile of the newest edit say how to get at those before it, where no file was named."""
    try:
        yield
    except StaleFile as error:
        if path is not None:
            raise
        raise StaleFile(f"{error}; `fastedit undo PATH` undoes that of another file") from None


def _show(changes: Sequence[ContentChange]) -> None:
    for change in changes:
        text, encoding = _patch(change)
        emitted = console.for_terminal(text) if sys.stdout.isatty() else console.for_pipe(text, encoding)
        console.emit(emitted)


def _patch(change: ContentChange) -> tuple[str, str]:
    """The section of a git diff, and the encoding of its lines."""
    from fastedit.files.git_patch import git_patch
    from fastedit.files.paths import patch_name
    from fastedit.source.document import Document

    before, after = (
        None if data is None else Document.from_bytes(data, change.path)
        for data in (change.before, change.after)
    )
    name = patch_name(str(change.path), git=True)
    text = git_patch(name if before else None, name if after else None, before, after)
    return text, (before or after or Document.from_text("")).encoding
