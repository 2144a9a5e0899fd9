"""`python -m evals.identity`: does speculation ever change what the model writes?

Every region of the edits is decoded twice by the same engine, with speculation and one token a pass, and the tokens
are compared. With `--exactness bitwise` they have to be the same. By default the rounding of a row may depend on how
many rows share its pass, and the share that differs is a measurement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from rich.progress import track

from evals.cases import update_cases
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


def headline(found: Sequence[Comparison]) -> dict[str, float]:
    return {
        "regions": len(found),
        "tokens": sum(one.tokens for one in found),
        "identical": sum(one.first_difference is None for one in found) / len(found),
    }


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few edits, under a minute.")] = False,
    split: Annotated[str, typer.Option(help="test or dev.")] = "test",
    model: Annotated[str, typer.Option(help="`embedded` or a model folder.")] = "embedded",
    dtype: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    exactness: Annotated[
        Exactness, typer.Option(help="default, or bitwise, where none may differ.")
    ] = "default",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Greedy decoding with and without speculation, token by token."""
    loaded = load_model(model)
    target = Target.load(model_folder(model), dtype=getattr(torch, dtype), settings=Settings(exactness))
    loaded = replace(loaded, target=target, scheduler=Scheduler(target, loaded.costs))
    files = load("dev" if split == "dev" else "test")
    updates, _ = update_cases(files, QUICK_UPDATES if quick else UPDATES, SEED)
    instructions = instruction_cases(files, QUICK_EACH_FAMILY if quick else EACH_FAMILY, SEED)
    parts = region_parts([*updates, *instructions])
    console = Console(stderr=True)
    found = [compare(loaded, part) for part in track(parts, "regions", console=console, transient=True)]
    kind = f"torch {torch.__version__}, {dtype}, exactness {exactness}"
    settings = f"{machine()}, {kind}; model {model}; split {split}, seed {SEED}"
    print(settings)
    figures = headline(found)
    print(table(["headline", ""], [[name, f"{value:g}"] for name, value in figures.items()]))
    if json_file:
        different = [one.first_difference for one in found if one.first_difference is not None]
        data = {"headline": figures, "settings": settings, "first_differences": different}
        json_file.write_text(json.dumps(data, indent=1))


if __name__ == "__main__":
    typer.run(main)
