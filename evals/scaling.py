"""`python -m evals.scaling`: what an edit costs from one replica of the model to a thousand, from measured times.

`front` measures the processor time that an edit takes outside the model, on a deployment of this machine. `table`
takes what `evals.gpu` or `evals.load` measured of one replica and works out the rest. Replicas share nothing, so n of
them do n times the work of one; what changes with n is how busy they may be. The edits that a pool has room for are
taken as the servers of a queue with Poisson arrivals (M/M/c), and the load as the one at which 95 % of edits need not
wait (Erlang's C formula). That part is computed, not measured.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import httpx2
import typer

from evals.machine import machine
from evals.table import table
from fastedit.serve.cluster.affinity import ranks

REPLICAS = (1, 8, 64, 256, 1000)
MAY_WAIT = 0.05  # the share of edits that find no room
SOURCE = "\n".join(f"def f{i}(x):\n    return x + {i}\n\n" for i in range(75))
UPDATE = "# ... existing code ...\ndef f30(x):\n    print(x)\n    return x + 30\n\n# ... existing code ...\n"
app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True)
class Replica:
    """One replica as measured: edits a second when `at_once` are under way, and where that was taken."""

    edits_per_s: float
    at_once: int
    alone_s: float
    source: str

    @classmethod
    def of(cls, data: dict[str, Any]) -> Replica:
        """From the JSON of `evals.gpu` or `evals.load`. Raises typer.BadParameter for any other."""
        if "ways" in data:
            ours = {way["at_once"]: way for way in data["ways"] if way["way"] == "fastedit"}
            many, one = ours[max(ours)], ours[1]
            source = f"{data['shape']} on {data['gpu']['name']}, acceptance replayed"
            alone_s = one["seconds"] / len(one["edits"])
            return cls(len(many["edits"]) / many["seconds"], many["at_once"], alone_s, source)
        if "figures" in data:
            levels = {int(count): row for count, row in data["figures"].items()}
            best = max(levels, key=lambda count: levels[count]["edits_per_s"])
            alone = levels[min(levels)]["total_ms_p50"] / 1000
            return cls(levels[best]["edits_per_s"], best, alone, data["settings"])
        raise typer.BadParameter("no JSON of evals.gpu or evals.load; make it with their --json")


def waits(servers: int, load: float) -> float:
    """Erlang's C: the share of arrivals that wait where `load` servers' worth of work comes in, below `servers`."""
    blocked = 1.0
    for count in range(1, servers + 1):
        blocked = load * blocked / (count + load * blocked)
    return blocked / (1 - load / servers * (1 - blocked))


def busy(servers: int) -> float:
    """The utilisation, 0 to 1, at which no more than MAY_WAIT of all arrivals wait."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if waits(servers, middle * servers) <= MAY_WAIT else (low, middle)
    return low


def ranking_ms(replicas: int) -> float:
    """How long a front thinks about where an edit goes; measured here and now."""
    names = [f"replica-{i:06}" for i in range(replicas)]
    started = time.perf_counter()
    for i in range(20):
        list(ranks(i.to_bytes(8, "big"), names, names))
    return 1000 * (time.perf_counter() - started) / 20


@app.command("table")
def show(
    measured: Annotated[Path, typer.Argument(help="JSON of `evals.gpu` or `evals.load`.")],
    front_ms: Annotated[float, typer.Option(help="Processor milliseconds an edit, as `front` measures.")],
    price: Annotated[float, typer.Option(help="Of one replica's machine for an hour, in any money.")] = 0.0,
) -> None:
    """Works out edits a second and cost an edit by number of replicas."""
    replica = Replica.of(json.loads(measured.read_text()))
    print(f"one replica, MEASURED: {replica.source}")
    print(
        f"{replica.edits_per_s:.3g} edits/s with {replica.at_once} at once, {replica.alone_s:.3g} s for one alone"
    )
    print(f"fronts: {front_ms:.3g} ms of processor time an edit as GIVEN, ranking MEASURED on {machine()}")
    print("everything else COMPUTED: M/M/c, 95 % of edits need not wait\n")
    rows = []
    for count in REPLICAS:
        share = busy(count * replica.at_once)
        rate = count * replica.edits_per_s * share
        seconds = count / rate
        cores = rate * (front_ms + ranking_ms(count)) / 1000
        money = f"{price / 3600 * seconds * 1000:.3g}" if price else "-"
        rows.append(
            [str(count), f"{share:.0%}", f"{rate:.4g}", f"{seconds:.3g}", money, str(max(1, ceil(cores)))]
        )
    heads = ["replicas", "busy", "edits/s", "replica s an edit", "price of 1000", "cores for fronts"]
    print(table(heads, rows))


@app.command()
def front(edits: Annotated[int, typer.Option(help="How many, one after the other.")] = 200) -> None:
    """Processor time of an edit by process: proxy, front and replica of a deployment of this machine."""
    with deployed() as client:
        body = {"content": SOURCE, "update": UPDATE, "path": "a.py", "policy": "merge"}
        for _ in range(20):
            client.post("/v1/edits", json=body).raise_for_status()
        before = _spent()
        started = time.perf_counter()
        for _ in range(edits):
            client.post("/v1/edits", json=body).raise_for_status()
        wall = 1000 * (time.perf_counter() - started) / edits
        after = _spent()
    print(f"{machine()}; {edits} edits of a 300-line file, policy merge, load {os.getloadavg()[0]:.1f}")
    rows = [[name, f"{1000 * (after[name] - before[name]) / edits:.2f}"] for name in sorted(after)]
    print(table(["process", "ms an edit"], [*rows, ["wall clock", f"{wall:.2f}"]]))


@contextmanager
def deployed() -> Iterator[httpx2.Client]:
    """A client of `fastedit deploy` on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from fastedit.cli import main; main()", "deploy", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said: list[str] = []
            while not said or "listening on" not in said[-1]:
                said.append(process.stderr.readline())
                if not said[-1]:
                    raise RuntimeError(f"the deployment did not start: {''.join(said[-5:])}")
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
                while client.get("/ready").status_code != 200:
                    time.sleep(0.1)
                yield client
        finally:
            process.send_signal(signal.SIGTERM)


def _spent() -> dict[str, float]:
    """Processor seconds so far of the processes that an edit passes through."""
    found: dict[str, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            title = (folder / "cmdline").read_text()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        name = re.search(r"ray::(?:ServeReplica:fastedit:)?(ProxyActor|Front|Replica)", title)
        if name:
            ticks = int(fields[11]) + int(fields[12])
            found[name[1]] = found.get(name[1], 0.0) + ticks / os.sysconf("SC_CLK_TCK")
    return found


if __name__ == "__main__":
    app()
