"""`fastedit lsp`: the language server."""

from __future__ import annotations

import importlib.util
import signal
from typing import Annotated

import typer

from fastedit.cli import inputs, options
from fastedit.config import default_model
from fastedit.console import reported
from fastedit.errors import UsageError, not_installed

_PORT = 8377


@reported
def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="Use standard input and output (default).")] = False,
    tcp: Annotated[bool, typer.Option("--tcp", help="Listen for one client on a TCP port.")] = False,
    ws: Annotated[bool, typer.Option("--ws", help="Listen for one client on a web socket.")] = False,
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The address for --tcp and --ws.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="PORT", min=1, max=65535, help="The port for --tcp and --ws. [default: 8377]"
        ),
    ] = None,
    model: options.Model = None,
    server: Annotated[
        str,
        typer.Option(
            "--server", metavar="URL", help="Send edits to this fastedit server instead of a model."
        ),
    ] = "",
    policy: options.PolicyOption = "auto",
) -> None:
    """Run the language server for an editor.

    Edits stream into the buffer hunk by hunk. The editor starts the command itself; its initialization options take
    precedence over --model, --server and --policy.

    Examples:
        fastedit lsp
        fastedit lsp --tcp --port 8377
    """
    inputs.check_exclusive({"--stdio": stdio, "--tcp": tcp, "--ws": ws})
    if port is not None and not (tcp or ws):
        raise UsageError("--port is for --tcp and --ws; add one of them")
    if importlib.util.find_spec("pygls") is None or (ws and importlib.util.find_spec("websockets") is None):
        raise UsageError(not_installed("the language server", "lsp"))
    from fastedit_lsp import ClientSettings, FasteditServer

    settings = ClientSettings(
        model=default_model() if model is None else model, server_url=server, policy=policy
    )
    settings.check()
    language_server = FasteditServer(settings)
    if tcp or ws:
        start = language_server.start_tcp if tcp else language_server.start_ws
        try:
            start(host, port or _PORT)
        except OSError as error:
            said = f"cannot listen on {host}:{port or _PORT}: {error.strerror or error}"
            raise UsageError(f"{said}; choose another --port") from None
    else:
        # pygls answers Ctrl-C by waiting for its thread, and that for standard input.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        language_server.start_io()
    raise typer.Exit(language_server.exit_code)
