"""`fastedit serve`: the apply server."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from fastedit.cli import inputs, options
from fastedit.config import default_model
from fastedit.console import reported, warn
from fastedit.engine.models.local import runs_models
from fastedit.errors import UsageError, not_installed

LIMITS = "Limits"


@reported
def serve(
    host: options.Host = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="The port to listen on; 0 takes a free one. [default: 8765]",
            rich_help_panel=options.SERVER,
        ),
    ] = None,
    model: options.ServedModel = None,
    exactness: options.ServedExactness = None,
    weights: options.ServedWeights = None,
    drafter: options.ServedDrafter = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Edits that run at a time. [default: 8]", rich_help_panel=LIMITS),
    ] = None,
    queue: Annotated[
        int | None,
        typer.Option(metavar="N", help="Edits that may wait. [default: 128]", rich_help_panel=LIMITS),
    ] = None,
    deadline_s: Annotated[
        float | None,
        typer.Option(
            "--deadline",
            metavar="SECONDS",
            help="The time limit of a request. [default: 120]",
            rich_help_panel=LIMITS,
        ),
    ] = None,
    suspect: Annotated[
        Literal["refuse", "deliver"] | None,
        typer.Option(
            help="What the drop-in APIs do with a suspect result. [default: refuse]",
            rich_help_panel=options.SERVER,
        ),
    ] = None,
    cors_origins: Annotated[
        list[str] | None,
        typer.Option(
            "--cors-origin",
            metavar="ORIGIN",
            help="A web page that may call the server; repeatable.",
            rich_help_panel=options.SERVER,
        ),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        typer.Option(help="What is logged. [default: info]", rich_help_panel=options.SERVER),
    ] = None,
    config: options.Config = None,
) -> None:
    """Serve edits over HTTP, with a playground and a status page.

    Besides its own API the server has those of other apply services. Every setting can also come from the environment,
    such as FASTEDIT_SERVE_PORT, or from a TOML file.

    Examples:
        fastedit serve
        fastedit serve --model openai:gpt-5 --port 9000
        FASTEDIT_SERVE_KEYS='["secret"]' fastedit serve --host 0.0.0.0
    """
    flags = {name: value for name, value in locals().items() if value is not None}
    flags = {name: value for name, value in flags.items() if name not in ("config", "drafter")}
    if drafter is not None:
        flags["drafters"] = inputs.listed_drafter(drafter, model or default_model())
    try:
        from fastedit.serve.run import run
        from fastedit.serve.settings import ServerSettings
    except ModuleNotFoundError as error:
        raise UsageError(not_installed(str(error.name), "serve")) from None
    settings = ServerSettings.load(flags, config)
    if settings.model == "embedded" and not runs_models():
        warn(f"edits that need a model will be refused: {not_installed('torch', 'local')}, or give --model")
    run(settings)
