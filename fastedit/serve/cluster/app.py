"""The deployments, and the two ways to run them: `build` for a Serve configuration file, `deploy` for the command."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import threading
from typing import Any

import ray
from fastapi import FastAPI
from ray import serve
from ray.serve import Application
from ray.serve.config import AutoscalingConfig, RequestRouterConfig

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.serve.app import create_app
from fastedit.serve.cluster.remote import Remote
from fastedit.serve.cluster.replica import Replica
from fastedit.serve.cluster.router import NearestRouter
from fastedit.serve.cluster.settings import ClusterSettings
from fastedit.serve.settings import ServerSettings

APP = "fastedit"
_CONNECT_S = 10.0
MOST_AT_ONCE = 256  # edits that one front can have running: each takes two threads that wait


def build(args: dict[str, Any]) -> Application:
    """The application, for `import_path: fastedit.serve.cluster.app:build`; `args` are settings.

    Raises UsageError with one line that names what is wrong.
    """
    return application(ClusterSettings.load(args))


def application(settings: ClusterSettings) -> Application:
    """Replicas that hold the model behind fronts that are the whole app."""
    told = settings.model_dump(include=set(ServerSettings.model_fields))
    at_once = min(MOST_AT_ONCE, settings.workers * settings.max_replicas)

    def front() -> FastAPI:
        handle = serve.get_deployment_handle(Replica.__name__, APP)
        remote = Remote(settings.model, handle)
        app = create_app(ServerSettings(**told | {"workers": at_once}), remote)
        remote.retried = app.state.service.metrics.retries.inc
        return app

    replicas = serve.deployment(Replica).options(
        autoscaling_config=AutoscalingConfig(
            min_replicas=settings.min_replicas,
            max_replicas=settings.max_replicas,
            # Half full: the other half is room for a file's own replica, and for the time until there are more.
            target_ongoing_requests=max(1.0, settings.workers / 2),
        ),
        max_ongoing_requests=settings.workers,
        request_router_config=RequestRouterConfig(request_router_class=NearestRouter),
        ray_actor_options={"num_cpus": settings.cpus, "num_gpus": settings.gpus},
        graceful_shutdown_timeout_s=settings.drain_s,
    )
    fronts = serve.deployment(serve.ingress(front)()).options(
        name="Front",
        num_replicas=settings.fronts,
        max_ongoing_requests=at_once + settings.queue + 32,  # the last are for probes and pages
        ray_actor_options={"num_cpus": 0},
        graceful_shutdown_timeout_s=settings.drain_s,
    )
    return fronts.bind(replicas.bind(told))


def deploy(settings: ClusterSettings, address: str | None) -> None:
    """Runs it on the cluster at `address` and returns, or without one on this machine until SIGTERM or Ctrl-C.

    Raises UsageError where there is no such cluster or the address is taken, ModelUnavailable where it does not start.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _connect(address)
    serve.start(http_options={"host": settings.host, "port": settings.port})
    try:
        serve.run(application(settings), name=APP, route_prefix="/")
    except RuntimeError as error:
        said = str(error).partition("\n")[0]
        raise ModelUnavailable(f"the deployment did not start: {said}; Ray's logs have the reason") from None
    print(f"fastedit: listening on http://{settings.host}:{settings.port}", file=sys.stderr, flush=True)
    if address is None:
        _until_told()
        serve.shutdown()
        ray.shutdown()


def _connect(address: str | None) -> None:
    """Raises UsageError."""
    where = address or "this machine"
    try:
        if address is not None and re.fullmatch(r"[\w.-]+:\d+", address):  # Ray itself would try for minutes
            host, port = address.split(":")
            socket.create_connection((host, int(port)), _CONNECT_S).close()
        ray.init(
            address=address or "local", include_dashboard=None if address else False, log_to_driver=False
        )
    except Exception as error:  # Ray raises just that where it cannot start in half a minute
        said = str(error).partition("\n")[0]
        raise UsageError(
            f"no Ray cluster at {where}: {said}; try `ray start --head` and --address auto"
        ) from None


def _until_told() -> None:
    told = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: told.set())
    told.wait()
