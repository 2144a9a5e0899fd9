"""`fastedit deploy`: the apply server on Ray Serve, on one machine or a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from fastedit.cli import options
from fastedit.console import reported
from fastedit.errors import UsageError


@reported
def deploy(
    address: Annotated[
        str | None,
        typer.Option(help="The Ray cluster, such as 'auto'; without it Ray is started on this machine."),
    ] = None,
    host: options.Host = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (8765).")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="'embedded', or a model's folder on every machine.")
    ] = None,
    min_replicas: Annotated[int | None, typer.Option(help="Replicas that are kept without work (1).")] = None,
    max_replicas: Annotated[int | None, typer.Option(help="Replicas under load (1).")] = None,
    gpus: Annotated[float | None, typer.Option(help="GPUs that a replica takes (0).")] = None,
    cpus: Annotated[float | None, typer.Option(help="CPU cores that a replica takes (1).")] = None,
    fronts: Annotated[int | None, typer.Option(help="Processes that take requests (1).")] = None,
    exactness: options.ServedExactness = None,
    weights: options.ServedWeights = None,
    workers: Annotated[int | None, typer.Option(help="Edits that run at a time on a replica (8).")] = None,
    config: options.Config = None,
) -> None:
    """Serve edits from many replicas of the model, each with its share of the files.

    With --address the deployment is left running; without it the command serves until SIGTERM or Ctrl-C.
    """
    flags = {name: value for name, value in locals().items() if value is not None}
    flags = {name: value for name, value in flags.items() if name not in ("address", "config")}
    try:
        from fastedit.serve.cluster.app import deploy as run
        from fastedit.serve.cluster.settings import ClusterSettings
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install 'fastedit-engine[ray]'") from None
    run(ClusterSettings.load(flags, config), address)
