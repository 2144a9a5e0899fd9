"""`python -m evals.soak`: does the server keep its memory, its threads and its answers over thousands of edits?

Clients send edits one after the other, some of which are refused, and some of which hang up in the middle; after every
tenth of the edits the server's resident memory, threads and open files are read. It ends by itself, and with exit code
1 if anything was answered wrongly. The first tenth is the start: growth is counted from there.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import httpx2
import typer

from evals.publish import Json, publish
from evals.serving import ServerProcess, serving
from fastedit.console import reported
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.request import Policy

STEPS = 10
HANG_UP, REFUSED = 10, 25  # of each so many edits one
METRIC = "fastedit_online_"
EVENTS = {"Accept": "text/event-stream"}


def body(number: int, policy: Policy) -> tuple[dict[str, Any], str]:
    """The edit of this number, of a file of its own, and what its new text must hold."""
    source = "\n".join(f"def f{number}_{i}(x):\n    return x + {i}\n\n" for i in range(12))
    update = (
        f"# ... existing code ...\ndef f{number}_6(x):\n    print(x)\n    return x + 6\n\n"
        "# ... existing code ...\n"
    )
    wanted = source.replace("    return x + 6\n", "    print(x)\n    return x + 6\n")
    return {"content": source, "update": update, "policy": policy}, wanted


async def one(client: httpx2.AsyncClient, number: int, policy: Policy) -> str:
    """Sends an edit and says how it went: ok, refused, left, busy, or what was wrong."""
    wish, wanted = body(number, policy)
    if number % REFUSED == 0:
        answer = await client.post("/v1/edits", json=wish | {"base_sha256": "0" * 64})
        return "refused" if answer.status_code == 409 else f"status {answer.status_code}"
    if number % HANG_UP == 0:
        async with client.stream("POST", "/v1/edits", json=wish, headers=EVENTS):
            return "left"
    answer = await client.post("/v1/edits", json=wish)
    if answer.status_code != 200:
        return "busy" if answer.status_code == 429 else f"status {answer.status_code}"
    # A model may decide otherwise; the merge may not.
    return "ok" if policy == "model" or answer.json()["content"] == wanted else "another text"


async def stretch(url: str, numbers: range, clients: int, policy: Policy) -> Counter[str]:
    """These edits, by so many clients at once."""
    waiting = iter(numbers)
    seen: Counter[str] = Counter()
    async with httpx2.AsyncClient(base_url=url, timeout=120, trust_env=False) as client:

        async def work() -> None:
            for number in waiting:
                try:
                    seen[await one(client, number, policy)] += 1
                except httpx2.HTTPError as error:
                    seen[type(error).__name__] += 1

        await asyncio.gather(*(work() for _ in range(clients)))
    return seen


def reading(server: ServerProcess, edits: int, seconds: float) -> dict[str, float]:
    """What the server holds after so many edits."""
    folder = Path(f"/proc/{server.pid}")
    threads, files = (len(os.listdir(folder / name)) for name in ("task", "fd"))
    return {
        "edits": edits,
        "seconds": seconds,
        "rss_mb": server.rss_mb(),
        "threads": threads,
        "files": files,
    }


def online(server: ServerProcess) -> dict[str, float]:
    """What the server's metrics say of learning; empty where its drafts do not learn."""
    text = httpx2.get(f"{server.url}/metrics", trust_env=False).text
    lines = (line.removeprefix(METRIC) for line in text.splitlines() if line.startswith(METRIC))
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@reported
def main(
    edits: Annotated[int, typer.Option(min=STEPS, help="How many.")] = 10_000,
    clients: Annotated[int, typer.Option(min=1, help="That send them.")] = 4,
    policy: Annotated[Policy, typer.Option(help="Who decides.")] = "merge",
    drafter: Annotated[str, typer.Option(help="Who drafts: `lookup+online` learns meanwhile.")] = LOOKUP,
    rest: Annotated[
        float, typer.Option(min=0, help="Seconds without edits after each tenth, to learn in.")
    ] = 0,
    json_file: Json = None,
) -> None:
    """Memory, threads, open files and answers over many edits."""
    seen: Counter[str] = Counter()
    load = os.getloadavg()[0]
    with serving("embedded", "--drafter", drafter) as server:
        started = time.monotonic()
        found = [reading(server, 0, 0.0)]
        for step in range(STEPS):
            numbers = range(1 + step * edits // STEPS, 1 + (step + 1) * edits // STEPS)
            seen += asyncio.run(stretch(server.url, numbers, clients, policy))
            time.sleep(rest)
            found.append(reading(server, numbers.stop - 1, time.monotonic() - started))
        learned = online(server)
    settings = f"load before {load:.1f}, policy {policy}, {clients} clients, {drafter}"
    figures = {
        "after edits": {str(one["edits"]): one for one in found},
        "answers": seen,
        "online": learned,
    }
    publish(
        settings, {"mib_since_the_first_tenth": found[-1]["rss_mb"] - found[1]["rss_mb"]}, figures, json_file
    )
    if seen.keys() - {"ok", "refused", "left", "busy"}:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
