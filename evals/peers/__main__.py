"""`python -m evals.peers`: fastedit and what a user would pick instead, in one run.

Same weights, same prompts, same process, same threads, turn by turn (`evals.ways`). A peer that is not installed, or
that fails, is listed as absent with the reason and has no figures. `--workload` may be repeated.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import torch
import typer

from evals.cases import Case, instructions, updates
from evals.peers import hf, llama_cpp
from evals.peers.base import Bench, Peer
from evals.publish import Json, Model, Quick, fail, publish
from evals.ways import Decode, Lookup, compare, fastedit_decoder, figures, region_parts, tune_lookup
from evals.workloads import KINDS, workload
from fastedit.engine.folder import model_folder
from fastedit.engine.models import load_model
from fastedit.engine.plan import Part

ON, OFF = "fastedit", "fastedit, no speculation"
EACH, EACH_MADE, QUICK_EACH = 20, 6, 2  # edits of a workload; those of a made kind are much alike
DEFAULT_WORKLOADS = (
    "real",
    "real in other languages",
    "many hunks",
    "whole function",
    "pure insertion",
    "new code",
    "five lines in 500",
    "five lines in 20000",
)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The settings of prompt lookup that are tried, and on how many edits of dev."""

    updates: int
    families: int
    sweep: tuple[Lookup, ...]

    def cases(self) -> list[Case]:
        """Real updates, then one instruction of each of the first families."""
        return [*updates("dev")[: self.updates], *instructions("dev")[: self.families]]


FULL = Tuning(8, 4, tuple(Lookup(tokens, ngram) for ngram in (2, 3, 5, 8) for tokens in (10, 20, 40, 80)))
QUICK = Tuning(1, 1, (Lookup(20, 3), Lookup(40, 5)))


def ways(bench: Bench, tuned: Peer) -> tuple[dict[str, Decode], dict[str, str]]:
    """What runs here by name, and why the others do not."""
    peers = (hf.PLAIN, hf.DEFAULT, tuned, hf.ASSISTED, *llama_cpp.PEERS)
    found: dict[str, Decode] = {
        ON: fastedit_decoder(bench.model, speculation=True),
        OFF: fastedit_decoder(bench.model, speculation=False),
    }
    absent: dict[str, str] = {}
    for peer in peers:
        reason = peer.lacking()
        if reason is None:
            try:
                found[peer.name] = peer.decoder(bench)
            except Exception as error:
                reason = f"it does not load: {type(error).__name__}: {error}"
        if reason is not None:
            absent[peer.name] = reason
    return found, absent


def usable(found: dict[str, Decode], absent: dict[str, str], part: Part, bench: Bench) -> dict[str, Decode]:
    """The ways that can decode one prompt at all; the others are absent."""
    prompt = bench.model.format.encode(part.task, part.prediction)
    working = {}
    for name, way in found.items():
        try:
            way(prompt)
            working[name] = way
        except Exception as error:
            absent[name] = f"it does not run: {type(error).__name__}: {error}"
    return working


def _count(name: str, *, quick: bool) -> int:
    if quick:
        return QUICK_EACH
    return EACH_MADE if name in KINDS or name.startswith("five lines in ") else EACH


def main(
    quick: Quick = False,
    workloads: Annotated[
        list[str] | None, typer.Option("--workload", help="Such as real, or a kind of made edit.")
    ] = None,
    model: Model = "embedded",
    json_file: Json = None,
) -> None:
    """Rewritten characters a second from prompt to text, by workload and peer."""
    tuning = QUICK if quick else FULL
    try:
        parts = {
            name: region_parts(workload(name, _count(name, quick=quick)))
            for name in workloads or (DEFAULT_WORKLOADS[:1] if quick else DEFAULT_WORKLOADS)
        }
    except (ValueError, OSError) as error:
        fail("evals.peers", error)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(load_model(model), model_folder(model), Path(scratch), torch.get_num_threads())
        dev = region_parts(tuning.cases())
        plain = hf.loaded(bench.folder, bench.model.target.dtype)
        tuned = hf.lookup(tune_lookup(bench.model, plain, dev, tuning.sweep))
        found, absent = ways(bench, tuned)
        found = usable(found, absent, next(part for some in parts.values() for part in some), bench)
        timings = {name: compare(bench.model, some, found) for name, some in parts.items() if some}
    results = {name: figures(runs, ON) for name, runs in timings.items()}
    settings = (
        f"{bench.threads} threads, torch {torch.__version__}, {bench.model.target.dtype}; model {model}; regions: "
        + ", ".join(f"{len(some)} {name}" for name, some in parts.items())
    )
    speed = {way: row["chars_per_s"] for way, row in next(iter(results.values())).items()}
    headline = {f"x {way}": speed[ON] / value for way, value in speed.items() if way != ON}
    edits = {
        name: {way: [asdict(t) | {"tokens": len(t.tokens)} for t in runs] for way, runs in some.items()}
        for name, some in timings.items()
    }
    publish(settings, headline, results, json_file, quick=quick, absent=absent, edits=edits)


if __name__ == "__main__":
    typer.run(main)
