"""`python -m tests.cli.document`: writes the help of every command into docs/cli.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from fastedit.cli.app import app
from fastedit.help import WIDTH
from tests.document import rewritten

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"
START, END = "<!-- from the help -->", "<!-- end of the help -->"


def commands(app: typer.Typer, name: str) -> list[typer.Context]:
    """The context of each command below an app, in the order of its help; `train` has an app of its own."""
    return list(_below(opened(typer.main.get_command(app), name)))


def opened(command: Any, name: str, parent: typer.Context | None = None, width: int = WIDTH) -> typer.Context:
    """A context that reads no arguments."""
    context: typer.Context = command.make_context(
        name, [], parent, resilient_parsing=True, terminal_width=width
    )
    return context


def _below(group: typer.Context) -> Iterator[typer.Context]:
    assert isinstance(group.command, TyperGroup)
    for name in group.command.list_commands(group):
        command = group.command.get_command(group, name)
        assert command is not None
        context = opened(command, name, group)
        if context.command_path != "fastedit train":
            yield context
        if isinstance(context.command, TyperGroup):
            yield from _below(context)


def block() -> str:
    """Each command's help."""
    return "\n\n".join(
        f"### {context.command_path}\n\n```\n{context.get_help().strip()}\n```"
        for context in commands(app, "fastedit")
    )


def written() -> str:
    """The document with the block of now."""
    return rewritten(DOCUMENT.read_text("utf-8"), START, END, block())


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
