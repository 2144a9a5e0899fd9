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

    Only where the file still is what that edit made of it.
    """
    from fastedit.edit.journal import Journal

    past_cancelling()
    with Journal.open() as journal:
        entry = journal.undo(path)
    tell(f"restored {entry.path} as it was before edit {entry.id}: {entry.instruction}")
