"""`fastedit undo`: the bytes from before an edit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fastedit.cli.console import past_cancelling, reported, tell


@reported
def undo(
    path: Annotated[
        Path | None, typer.Argument(help="The file to restore; by default the one written last.")
    ] = None,
) -> None:
    """Take back the newest edit of a file that was not taken back yet.

    An edit of several files is taken back as a whole. Only where each file still is what that edit made of it.
    """
    from fastedit.files.journal import Journal
    from fastedit.files.undo import undo

    past_cancelling()
    with Journal.open() as journal:
        entry = undo(journal, path)
    if len(entry.files) > 1:
        tell(f"restored {entry.title}, which edit {entry.id} changed together: {entry.instruction}")
        for file in entry.files:
            tell(f"  {file.path}{' (removed)' if file.before_sha256 is None else ''}")
    elif entry.files[0].before_sha256 is None:
        tell(f"removed {entry.title}, which edit {entry.id} created: {entry.instruction}")
    else:
        tell(f"restored {entry.title} as it was before edit {entry.id}: {entry.instruction}")
