"""The commands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from fastedit import __version__
from fastedit.cli.apply import apply
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
from fastedit.console import APP, say
from fastedit.files.state import recover

app = typer.Typer(**APP)


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
    """Apply code edits fast: the file is its own draft, a language model verifies it."""
    for line in recover():
        say(line)


app.command()(apply)
app.command()(explain)
app.command(**FIELDS)(op)
app.command()(ops)
app.command()(rule)
app.command()(undo)
app.command()(redo)
app.command()(log)
app.command()(models)
app.add_typer(config, name="config")
app.command()(serve)
app.command()(deploy)
app.command()(mcp)
app.command()(lsp)
app.command(**PASSED_ON)(train)
app.command()(completion)
