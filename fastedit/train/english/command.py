"""`python -m fastedit.train english`: the parser of instructions in people's own words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import torch
import typer

from fastedit.cli.console import reported, say
from fastedit.english.parser import WEIGHTS
from fastedit.train import corpus as corpora
from fastedit.train.english.draw import Drawer, grounds_of
from fastedit.train.english.fit import drawn, fit, learned, save, shape_of
from fastedit.train.english.judge import judged
from fastedit.train.gather import CORPUS

_LONGEST = 30_000  # characters of a file


@reported
def english(
    corpus: Annotated[Path, typer.Option(help="The sources, as the command `corpus` writes them.")] = CORPUS,
    examples: Annotated[int, typer.Option(help="Instructions to draw.")] = 150_000,
    minutes: Annotated[float, typer.Option(help="Of training, once they are drawn.")] = 15.0,
    files: Annotated[int, typer.Option(help="Of the corpus, at most.")] = 3000,
    seed: int = 0,
    out: Annotated[Path, typer.Option(help="The weights to write.")] = WEIGHTS,
) -> None:
    """Train the parser of instructions, and say how sure it must be."""
    torch.set_num_threads(1)  # instructions are short: more threads only wait for each other
    rng = random.Random(seed)
    found = [file for file in corpora.load(corpus) if len(file.text) < _LONGEST]
    chosen = rng.sample(found, min(files, len(found)))
    train = [file for file in chosen if not file.validation]
    drawer = Drawer(list(grounds_of(train)))
    said = drawn(drawer, examples, seed)
    say(f"{len(said)} instructions drawn on {len(train)} files")
    shape = shape_of(said, drawer.forms)
    rows = [row for example in said if (row := learned(example, shape)) is not None]
    say(f"{len(shape.vocabulary)} words, {len(shape.forms)} forms, {len(shape.fields)} fields")
    network = fit(rows, shape, minutes, seed, say)
    save(network, shape, out)
    unseen = [file for file in found if file.validation]
    held = drawn(Drawer(list(grounds_of(unseen)), held_out=True), examples // 20, seed + 1)
    for line in judged(out, held):
        say(line)
