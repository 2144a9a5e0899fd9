"""`fastedit train`: the training system's own commands."""

from __future__ import annotations

import typer

from fastedit.console import reported
from fastedit.errors import UsageError, not_installed
from fastedit.train.__main__ import app


@reported
def train(context: typer.Context) -> None:
    """Train the embedded model, or tune one of your own on your edits."""
    try:
        app(context.args, prog_name="fastedit train", standalone_mode=True)
    except ModuleNotFoundError as error:
        raise UsageError(not_installed(str(error.name), "train")) from None
