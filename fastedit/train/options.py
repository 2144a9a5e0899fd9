"""Options that several commands of training have: what is learned from, and numbers.

Each number has a least and a largest value, by what it counts: what is none, or asks for any amount of memory or
processes, is refused before anything is loaded.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

MANY, WIDTH, LAYERS, AT_ONCE = 1_000_000, 65_536, 256, 256
PROCESSES = os.cpu_count() or 1
OwnEdits = Annotated[
    Path | None,
    typer.Option(
        help="Your own edits: gzipped JSON lines with `old` and `new`, whole files before and after, and `path` for "
        "other languages than Python."
    ),
]
Sources = Annotated[
    Path | None, typer.Option(help="Sources for synthetic edits, as the command `corpus` writes them.")
]


def in_folder(file: Path | None) -> Path | None:
    """For a file that is written at the end, so that nothing is computed in vain. Raises BadParameter."""
    if file is not None and not file.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {file.parent}; make it first")
    return file


# Of a command that fits weights; the shipped ones are its default.
WeightsFile = Annotated[
    Path,
    typer.Option(callback=in_folder, help="The weights to write.", show_default="the shipped ones"),
]


def count(help: str, most: int = MANY) -> Any:
    """Steps, examples, tokens: one at least."""
    return typer.Option(min=1, max=most, help=help)


def size(help: str, most: int) -> Any:
    """A part of a network; 0 leaves it to the command."""
    return typer.Option(min=0, max=most, help=help)


def minutes(help: str) -> Any:
    """0 ends before the first step."""
    return typer.Option(min=0, max=MANY, help=help)


def rate(help: str) -> Any:
    """By how much a step may change a weight."""
    return typer.Option(min=1e-9, max=1, help=help)


def share(help: str) -> Any:
    return typer.Option(min=0, max=1, help=help)


def seed(help: str) -> Any:
    return typer.Option(min=0, max=2**32 - 1, help=help)
