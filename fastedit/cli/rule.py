"""`fastedit rule`: what an edit is held to."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.console import emit, reported, tell


@reported
def rule(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            autocompletion=options.begun(options.rule_codes),
            help="The rule to explain, such as FE101; by default all are listed.",
        ),
    ] = None,
    json: options.JsonLines = False,
) -> None:
    """List the rules that edits are checked against, or explain one.

    Examples:
        fastedit rule
        fastedit rule FE101
    """
    from json import dumps

    from fastedit.check import rule_of, rules
    from fastedit.check.describe import described, to_json

    for one in rules() if code is None else (rule_of(code),):
        if json:
            tell(dumps(to_json(one)))
        elif code is None:
            tell(f"{one.code}  {one.severity:<6}  {one.sentence}")
        elif sys.stdout.isatty():
            _show(described(one))
        else:
            emit(f"{described(one)}\n".encode())


def _show(markdown: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(markdown))
