"""`fastedit train`: the training system's own commands."""

from __future__ import annotations

import importlib

import typer

from fastedit.console import reported
from fastedit.errors import UsageError, not_installed


@reported
def train(context: typer.Context) -> None:
    """Train the embedded model, or tune one of your own on your edits."""
    # It knows its commands and its help itself, and importing it imports torch.
    try:
        training = importlib.import_module("fastedit.train.__main__")
    except ModuleNotFoundError as error:
        raise UsageError(not_installed(str(error.name), "train")) from None
    training.app(context.args, prog_name="fastedit train", standalone_mode=True)
