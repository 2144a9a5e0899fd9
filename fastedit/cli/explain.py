"""`fastedit explain`: how an update is read, and why not otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fastedit.cli import inputs, options
from fastedit.console import reported, tell
from fastedit.errors import InputRefused, UsageError
from fastedit.source.document import Document

if TYPE_CHECKING:
    from fastedit.request import EditRequest


@reported
def explain(
    path: Annotated[
        str | None,
        typer.Argument(metavar="PATH", help="The file; by default the newest edit that was written."),
    ] = None,
    update: Annotated[
        str | None,
        typer.Option("--update", "-u", metavar="FILE", help="The sketch; - reads standard input."),
    ] = None,
    symbol: options.Symbol = None,
    lines: options.Lines = None,
    language: options.Language = None,
    stdin_filename: options.StdinFilename = None,
    features: Annotated[
        bool,
        typer.Option(
            "--features", help="Print what each feature adds to the score of the first reading too."
        ),
    ] = False,
) -> None:
    """Explain where a sketch was placed, and why not elsewhere.

    Prints what each of its lines is taken for, how sure that is, what other readings take differently, and what speaks
    for either. Nothing is written and no model is asked.

    Examples:
        fastedit explain
        fastedit explain settings.py -u sketch.txt
    """
    if (path is None) != (update is None):
        raise UsageError("give both the file and --update, or neither to explain the newest edit")
    if path is None and (symbol or lines or language or stdin_filename):
        raise UsageError("--symbol, --lines, --language and --stdin-filename are for a given update")
    if path is None:
        request = _newest()
    else:
        inputs.check_stdin_filename(path, stdin_filename)
        request = _given(path, update, symbol, lines, language, stdin_filename)
    # Only now: whatever is wrong with the arguments is said at once.
    from fastedit.cli.output.grounds import explained
    from fastedit.engine.edits.plan import EditPlan

    merge = EditPlan(request).merge
    if merge is None:
        raise InputRefused(f"{update or 'the newest edit'}: is not a sketch, so it has one reading")
    for line in explained(merge, features=features):
        tell(line)


def _given(
    path: str,
    update: str | None,
    symbol: str | None,
    lines: str | None,
    language: str | None,
    stdin_filename: str | None,
) -> EditRequest:
    from fastedit.request import EditRequest

    _, text = inputs.read_texts(path, None, update, symbol)
    document = inputs.read_document(path, language, stdin_filename)
    return EditRequest(document, None, text, symbol, inputs.parse_lines(lines, document), "merge")


def _newest() -> EditRequest:
    """The newest edit of the journal, on the file as it was before. Raises InputRefused without one."""
    from fastedit.files.journal import Journal
    from fastedit.request import EditRequest, LineRange

    with Journal.open() as journal:
        entries = journal.entries(1)
        if not entries:
            raise InputRefused("nothing was written yet: name a file and its --update")
        entry = entries[0]
        update = journal.update(entry.id)
        if update is None:
            raise InputRefused(
                f"{entry.title}: the newest edit was not made of one update; name a file and its --update"
            )
        before = journal.bytes_before(entry, entry.files[0])
    document = Document.from_bytes(before or b"", entry.files[0].path)
    scope = None if update.lines is None else LineRange(*update.lines)
    return EditRequest(document, None, update.text, update.symbol, scope, "merge")
