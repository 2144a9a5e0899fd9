"""The command line, one file a command. Starting it imports no model, no grammar and no array library."""

from __future__ import annotations


def main() -> None:
    """Runs `fastedit` with the arguments of this process and exits."""
    from fastedit.cli.app import app

    app()
