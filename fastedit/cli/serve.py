"""`fastedit serve`: the apply server."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from fastedit.cli import inputs, options
from fastedit.config import default_model
from fastedit.console import reported
from fastedit.errors import UsageError


@reported
def serve(
    host: options.Host = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (8765); 0 for any free one.")] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="'embedded', a folder, openai:NAME, a server's address or a profile."
        ),
    ] = None,
    exactness: options.ServedExactness = None,
    weights: options.ServedWeights = None,
    drafter: options.ServedDrafter = None,
    workers: Annotated[int | None, typer.Option(help="Edits that run at a time (8).")] = None,
    queue: Annotated[int | None, typer.Option(help="Edits that may wait (128).")] = None,
    deadline_s: Annotated[
        float | None, typer.Option("--deadline", metavar="SECONDS", help="Longest time of a request (120).")
    ] = None,
    suspect: Annotated[
        Literal["refuse", "deliver"] | None,
        typer.Option(help="What drop-in surfaces do with a suspect result (refuse)."),
    ] = None,
    cors_origins: Annotated[
        list[str] | None,
        typer.Option(
            "--cors-origin", metavar="ORIGIN", help="A web page that may call the server; may be repeated."
        ),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, typer.Option(help="What is logged (info).")
    ] = None,
    config: options.Config = None,
) -> None:
    """Serve edits over HTTP: fastedit's own API and those of other apply services.

    Every setting can also come from the environment, such as FASTEDIT_SERVE_PORT, or from a TOML file.
    """
    flags = {name: value for name, value in locals().items() if value is not None}
    flags = {name: value for name, value in flags.items() if name not in ("config", "drafter")}
    if drafter is not None:
        flags["drafters"] = inputs.listed_drafter(drafter, model or default_model())
    try:
        from fastedit.serve.run import run
        from fastedit.serve.settings import Settings
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install 'fastedit-engine[serve]'") from None
    run(Settings.load(flags, config))
