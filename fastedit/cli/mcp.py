"""`fastedit mcp`: edits as a tool of agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.config import default_model
from fastedit.console import reported
from fastedit.errors import UsageError


@reported
def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Folder whose files may be edited; may be repeated (the current one)."
        ),
    ] = None,
    model: options.Model = None,
    http: Annotated[
        bool, typer.Option("--http", help="Speak streamable HTTP instead of standard input.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port for --http, on this machine only.")
    ] = 8766,
) -> None:
    """Serve edits as tools to an agent, over standard input or HTTP: apply_change, edit_file, undo_edit, and the tools
    that agents know by name."""
    try:
        from fastedit.serve.mcp import create_mcp
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install 'fastedit-engine[serve]'") from None
    from fastedit.engine import Engine

    server = create_mcp(Engine.load(default_model() if model is None else model), root or [Path.cwd()])
    if http:
        server.run("streamable-http", port=port)
    else:
        server.run("stdio")
