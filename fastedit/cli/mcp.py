"""`fastedit mcp`: edits as a tool of agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.config import default_model
from fastedit.console import reported
from fastedit.errors import UsageError, not_installed

_PORT = 8766


@reported
def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder whose files may be edited; repeatable. [default: the current folder]",
        ),
    ] = None,
    model: options.Model = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input and output.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65535,
            help="The port for --http, on this machine only. [default: 8766]",
        ),
    ] = None,
) -> None:
    """Serve edits to an agent as MCP tools.

    The tools are apply_change, apply_operations, edit_file, edit_files and undo_edit, and apply_patch,
    str_replace_based_edit_tool and replace, which agents know by name. An agent starts the command itself and talks to
    it over standard input.

    Examples:
        fastedit mcp --root ~/project
        fastedit mcp --root ~/project --http --port 8766
    """
    if port is not None and not http:
        raise UsageError("--port is for --http; add it, or leave --port out")
    try:
        from fastedit.serve.mcp.server import create_mcp
    except ModuleNotFoundError as error:
        raise UsageError(not_installed(str(error.name), "serve")) from None
    from fastedit.engine import Engine

    server = create_mcp(Engine.load(default_model() if model is None else model), root or [Path.cwd()])
    if http:
        server.run("streamable-http", port=_PORT if port is None else port)
    else:
        server.run("stdio")
