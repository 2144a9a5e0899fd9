"""The commands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from fastedit import __version__
from fastedit.cli.apply import apply
from fastedit.cli.as_json import JsonCommand
from fastedit.cli.completion import completion
from fastedit.cli.config import config
from fastedit.cli.deploy import deploy
from fastedit.cli.explain import explain
from fastedit.cli.log import log
from fastedit.cli.lsp import lsp
from fastedit.cli.mcp import mcp
from fastedit.cli.models import models
from fastedit.cli.op import PASSED_ON as FIELDS
from fastedit.cli.op import op, ops
from fastedit.cli.rule import rule
from fastedit.cli.serve import serve
from fastedit.cli.train import PASSED_ON, train
from fastedit.cli.undo import redo, undo
from fastedit.console import say
from fastedit.files.state import recover
from fastedit.help import Program

app = Program()


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"fastedit {__version__}")
        raise typer.Exit


@app.callback()
def fastedit(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Apply code edits fast, without changing a byte outside of them.

    An edit is a sketch, a diff, SEARCH/REPLACE blocks, a tool call, typed operations or an instruction. What says
    everything is applied without a model.

    Examples:
        fastedit apply settings.py -u sketch.txt
        fastedit apply -u answer.md --check
        fastedit apply settings.py -i "rename load to read"
        fastedit undo
    """
    for line in recover():
        say(line)


EDIT, INSPECT, SERVE, SET_UP = "Edit", "Inspect", "Serve", "Set up"
app.command(cls=JsonCommand, rich_help_panel=EDIT)(apply)
app.command(rich_help_panel=EDIT, **FIELDS)(op)
app.command(rich_help_panel=EDIT)(undo)
app.command(rich_help_panel=EDIT)(redo)
app.command(rich_help_panel=INSPECT)(log)
app.command(rich_help_panel=INSPECT)(explain)
app.command(rich_help_panel=INSPECT)(ops)
app.command(rich_help_panel=INSPECT)(rule)
app.command(rich_help_panel=INSPECT)(models)
app.command(rich_help_panel=SERVE)(serve)
app.command(rich_help_panel=SERVE)(deploy)
app.command(rich_help_panel=SERVE)(mcp)
app.command(rich_help_panel=SERVE)(lsp)
app.add_typer(config, name="config", rich_help_panel=SET_UP)
app.command(rich_help_panel=SET_UP)(completion)
app.command(rich_help_panel=SET_UP, **PASSED_ON)(train)
