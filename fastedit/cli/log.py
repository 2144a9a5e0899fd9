"""`fastedit log`: what was written where."""

from __future__ import annotations

from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.console import reported, say, tell


@reported
def log(
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="How many edits.")] = 20,
    json: options.JsonLines = False,
) -> None:
    """List the newest edits that were written.

    Each line has the edit's number, time, state, hunks and files, and what was asked for.

    Examples:
        fastedit log
        fastedit log --limit 5 --json
    """
    import time
    from json import dumps

    from fastedit.files.journal import Journal

    with Journal.open() as journal:
        entries = journal.entries(limit)
    if not entries:
        say("nothing was written yet")
    for entry in entries:
        if json:
            tell(dumps(entry.as_dict()))
        else:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.time))
            hunks = f"{entry.hunks} hunk{'s'[: entry.hunks != 1]}"
            tell(f"{entry.id:>5}  {when}  {entry.status:<7}  {hunks:<9}  {entry.title}  {entry.instruction}")
