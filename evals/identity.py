"""`python -m evals.identity`: does speculation ever change what the model writes?

Every region of the edits is decoded twice by the same engine, with speculation and one token a pass, and the tokens
are compared. With `--exactness bitwise` they have to be the same. By default the rounding of a row may depend on how
many rows share its pass, and the share that differs is a measurement.

All edits of a split take hours on two cores, so that run is made of pieces: `--every --keep FILE` adds each edit to the
file as soon as it is compared and stops after `--minutes`; the same command goes on from there, after a kill too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from rich.progress import track

from evals.cases import PER_FILE, Case, update_cases
from evals.edits import load
from evals.instructions import instruction_cases
from evals.machine import machine
from evals.speed import SEED, region_parts
from evals.table import table
from evals.ways import fastedit_decoder
from fastedit.decode.scheduler import Scheduler
from fastedit.engine.engine import first_difference
from fastedit.engine.folder import model_folder
from fastedit.engine.models import LoadedModel, load_model
from fastedit.engine.plan import Part
from fastedit.model.settings import Exactness, Settings
from fastedit.model.target import Target

UPDATES, EACH_FAMILY = 300, 20
QUICK_UPDATES, QUICK_EACH_FAMILY = 8, 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """One region. `first_difference` is the index of the first token that differs, None where none does."""

    tokens: int
    first_difference: int | None


def compare(model: LoadedModel, part: Part) -> Comparison:
    prompt = model.format.encode(part.task, part.prediction)
    drafted = fastedit_decoder(model, speculation=True)(prompt)
    plain = fastedit_decoder(model, speculation=False)(prompt)
    return Comparison(len(plain), first_difference(drafted, plain))


class Kept:
    """Comparisons by edit, in a file of JSON lines that grows by one with each edit; without a path in memory alone.

    Raises typer.BadParameter for a file whose comparisons were made with other settings, or that holds none.
    """

    def __init__(self, path: Path | None, settings: str) -> None:
        self._path = path
        self.found: dict[str, list[Comparison]] = {}
        if path is not None and path.exists() and path.stat().st_size:
            self._read(path, settings)
        elif path is not None:
            path.write_text(json.dumps({"settings": settings}) + "\n")

    def _read(self, path: Path, settings: str) -> None:
        # What a killed run did not finish writing is compared again.
        whole = path.read_bytes().rpartition(b"\n")[0]
        try:
            first, *lines = [json.loads(line) for line in whole.splitlines()]
            made_with = first["settings"]
            self.found = {line["edit"]: [Comparison(*one) for one in line["regions"]] for line in lines}
        except (ValueError, KeyError, TypeError):
            raise typer.BadParameter(f"{path}: holds no comparisons; name another file") from None
        if made_with != settings:
            raise typer.BadParameter(f"{path}: was made with {made_with}, not {settings}; name another file")
        path.write_bytes(whole + b"\n")

    def add(self, edit: str, compared: list[Comparison]) -> None:
        self.found[edit] = compared
        if self._path is not None:
            line = {"edit": edit, "regions": [(one.tokens, one.first_difference) for one in compared]}
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")

    @property
    def regions(self) -> list[Comparison]:
        return [one for compared in self.found.values() for one in compared]


def compare_all(model: LoadedModel, cases: Sequence[Case], kept: Kept, seconds: float) -> Iterator[str]:
    """Compares the edits that are not kept yet, for at most so many seconds and one edit more; yields their ids."""
    started = time.monotonic()
    for case in cases:
        if case.id in kept.found:
            continue
        if time.monotonic() - started > seconds:
            return
        kept.add(case.id, [compare(model, part) for part in region_parts([case])])
        yield case.id


def headline(found: Sequence[Comparison]) -> dict[str, float]:
    return {
        "regions": len(found),
        "tokens": sum(one.tokens for one in found),
        "identical": sum(one.first_difference is None for one in found) / max(1, len(found)),
    }


def edits(split: str, quick: bool, every: bool) -> list[Case]:
    """Real edits as updates, and synthetic instructions: all of the one and as many as usual of the other, or fewer."""
    files = load("dev" if split == "dev" else "test")
    count = PER_FILE * len(files) if every else QUICK_UPDATES if quick else UPDATES
    updates, _ = update_cases(files, count, SEED)
    return [*updates, *instruction_cases(files, QUICK_EACH_FAMILY if quick else EACH_FAMILY, SEED)]


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few edits, under a minute.")] = False,
    split: Annotated[str, typer.Option(help="test or dev.")] = "test",
    model: Annotated[str, typer.Option(help="`embedded` or a model folder.")] = "embedded",
    dtype: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    exactness: Annotated[
        Exactness, typer.Option(help="default, or bitwise, where none may differ.")
    ] = "default",
    every: Annotated[bool, typer.Option("--every", help="All real edits of the split.")] = False,
    keep: Annotated[Path | None, typer.Option(help="Go on from this file, which keeps each edit.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this long; the next run goes on.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Greedy decoding with and without speculation, token by token."""
    if quick and every:
        raise typer.BadParameter("--quick and --every exclude each other")
    if minutes is not None and keep is None:
        raise typer.BadParameter("--minutes needs --keep FILE, else nothing could go on")
    target = Target.load(model_folder(model), dtype=getattr(torch, dtype), settings=Settings(exactness))
    made_with = (
        f"torch {torch.__version__}, {dtype}, exactness {exactness}; model {model} ({target.fingerprint}); "
        f"split {split}, seed {SEED}"
    )
    kept = Kept(keep, made_with)
    loaded = load_model(model)
    loaded = replace(loaded, target=target, scheduler=Scheduler(target, loaded.costs))
    cases = edits(split, quick, every)
    seconds = float("inf") if minutes is None else 60 * minutes
    left = len({case.id for case in cases} - kept.found.keys())
    running = compare_all(loaded, cases, kept, seconds)
    console = Console(stderr=True)
    for _ in track(running, "edits", total=left, console=console, transient=True):
        left -= 1
    settings = f"{machine()}, {made_with}"
    print(f"{settings}\n{len(kept.found)} edits compared, {left} to go")
    figures = headline(kept.regions)
    print(table(["headline", ""], [[name, f"{value:g}"] for name, value in figures.items()]))
    if json_file:
        different = [one.first_difference for one in kept.regions if one.first_difference is not None]
        data = {"headline": figures, "settings": settings, "first_differences": different, "left": left}
        json_file.write_text(json.dumps(data, indent=1))


if __name__ == "__main__":
    typer.run(main)
