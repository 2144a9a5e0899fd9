"""`python -m evals.load`: the server under 1 to 64 clients at once, each of which sends the same real edits.

The clock of a request runs in its client, from sending it to the first hunk and to the end. `overhead` is a
request's total time less what the engine took by its receipt; where requests wait for each other it is mostly the
queue, so the headline's is that of one client alone. Clients share the machine with the server.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from typing import Any

import httpx2
import typer

from evals.cases import updates
from evals.publish import Json, Model, Quick, publish
from evals.serving import TimedRequest, send, serving
from fastedit.console import reported

LINES = range(200, 401)  # "a 300-line file"
CLIENTS = (1, 4, 16, 64)


def bodies(count: int) -> list[dict[str, Any]]:
    """Real updates of files of about 300 lines."""
    fit = [case for case in updates("test") if case.old.count("\n") in LINES]
    return [
        {"content": case.old, "path": case.path, "update": case.update, "policy": "model"}
        for case in fit[:count]
    ]


async def clients(
    url: str, count: int, edits: Sequence[dict[str, Any]]
) -> tuple[list[list[TimedRequest]], float]:
    """What each client saw, and the seconds that all took. Each begins at another edit."""
    limits = httpx2.Limits(max_connections=count)
    async with httpx2.AsyncClient(base_url=url, timeout=300, limits=limits, trust_env=False) as client:

        async def one(number: int) -> list[TimedRequest]:
            turn = number % len(edits)
            return [await send(client, body) for body in (*edits[turn:], *edits[:turn])]

        started = time.perf_counter()
        seen = await asyncio.gather(*map(one, range(count)))
        return seen, time.perf_counter() - started


def figures(seen: Sequence[Sequence[TimedRequest]], seconds: float) -> dict[str, float]:
    """One level of load. `fairness` is the slowest client's time over the median client's."""
    requests = [timed for client in seen for timed in client]
    done = [timed for timed in requests if timed.outcome == "ok"]
    firsts = [timed.first_hunk_ms for timed in done if timed.first_hunk_ms is not None]
    spent = [sum(timed.total_ms for timed in client) for client in seen]
    extra = [timed.total_ms - timed.engine_ms for timed in done if timed.engine_ms is not None]
    return {
        "requests": len(requests),
        "busy": sum(timed.outcome == "busy" for timed in requests),
        "errors": sum(timed.outcome == "failed" for timed in requests),
        "passes": sum(timed.passes for timed in done),
        "first_hunk_ms_p50": _quantile(firsts, 0.5),
        "first_hunk_ms_p95": _quantile(firsts, 0.95),
        "total_ms_p50": _quantile([timed.total_ms for timed in done], 0.5),
        "total_ms_p95": _quantile([timed.total_ms for timed in done], 0.95),
        "overhead_ms_p50": _quantile(extra, 0.5),
        "edits_per_s": len(done) / seconds,
        "chars_per_s": sum(timed.chars for timed in done) / seconds,
        "fairness": max(spent) / statistics.median(spent),
    }


def _quantile(values: Sequence[float], share: float) -> float:
    """The nearest-rank quantile, NaN of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def headline(found: dict[str, dict[str, float]]) -> dict[str, float]:
    alone, most = found[str(min(map(int, found)))], found[str(max(map(int, found)))]
    return {
        "first_hunk_ms_p50": alone["first_hunk_ms_p50"],
        "overhead_ms_p50": alone["overhead_ms_p50"],
        "errors": sum(row["errors"] for row in found.values()),
        "fairness": most["fairness"],
    }


@reported
def main(
    quick: Quick = False,
    model: Model = "embedded",
    json_file: Json = None,
) -> None:
    """Latency and throughput of the server by number of clients."""
    load_before = os.getloadavg()[0]
    edits = bodies(3 if quick else 12)
    found: dict[str, dict[str, float]] = {}
    with serving(model) as server:
        asyncio.run(clients(server.url, 1, edits[:1]))
        for count in CLIENTS[:2] if quick else CLIENTS:
            found[str(count)] = figures(*asyncio.run(clients(server.url, count, edits)))
    settings = f"load before {load_before:.1f}; model {model}, policy model, {len(edits)} edits a client"
    publish(settings, headline(found), found, json_file)


if __name__ == "__main__":
    typer.run(main)
