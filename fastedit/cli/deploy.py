"""`fastedit deploy`: the apply server on Ray Serve, on one machine or a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.console import reported
from fastedit.errors import UsageError, not_installed


@reported
def deploy(
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The Ray cluster, such as auto; by default Ray is started on this machine.",
            rich_help_panel=options.SERVER,
        ),
    ] = None,
    host: options.Host = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", help="The port to listen on. [default: 8765]", rich_help_panel=options.SERVER
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="embedded, or a folder that every machine has. [default: embedded]",
            rich_help_panel=options.MODEL,
        ),
    ] = None,
    min_replicas: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Replicas that are kept without load. [default: 1]",
            rich_help_panel=options.REPLICAS,
        ),
    ] = None,
    max_replicas: Annotated[
        int | None,
        typer.Option(metavar="N", help="Replicas under load. [default: 1]", rich_help_panel=options.REPLICAS),
    ] = None,
    gpus: Annotated[
        float | None,
        typer.Option(metavar="N", help="GPUs per replica. [default: 0]", rich_help_panel=options.REPLICAS),
    ] = None,
    cpus: Annotated[
        float | None,
        typer.Option(
            metavar="N", help="CPU cores per replica. [default: 1]", rich_help_panel=options.REPLICAS
        ),
    ] = None,
    fronts: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Processes that take requests. [default: 1]", rich_help_panel=options.SERVER
        ),
    ] = None,
    exactness: options.ServedExactness = None,
    weights: options.ServedWeights = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Edits that run at a time on a replica. [default: 8]",
            rich_help_panel=options.REPLICAS,
        ),
    ] = None,
    config: options.Config = None,
) -> None:
    """Serve edits over HTTP from many replicas, with Ray Serve.

    Edits of a file go to one replica, which keeps its cache. With --address the deployment is left running; without it
    the command serves until SIGTERM or Ctrl-C.

    Examples:
        fastedit deploy --max-replicas 2
        fastedit deploy --address auto --gpus 1 --max-replicas 8
    """
    flags = {name: value for name, value in locals().items() if value is not None}
    flags = {name: value for name, value in flags.items() if name not in ("address", "config")}
    try:
        from fastedit.serve.cluster.app import deploy as run
        from fastedit.serve.cluster.settings import ClusterSettings
    except ModuleNotFoundError as error:
        raise UsageError(not_installed(str(error.name), "ray")) from None
    run(ClusterSettings.load(flags, config), address)
