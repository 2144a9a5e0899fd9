"""What models learn from, and the command `corpus` that builds the corpus."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fastedit.console import reported
from fastedit.errors import UsageError
from fastedit.train.changes.real import RealChanges
from fastedit.train.sources import corpus as corpora
from fastedit.train.sources.pinned import in_folders, pinned, read_lock

RUNS = Path("runs")
CORPUS = RUNS / "corpus.jsonl.gz"
DOWNLOADS = RUNS / "sources"
MOST_CHARACTERS = 200_000_000  # of fetched packages, divided among the languages


def new_folder(out: Path) -> None:
    """Asked before anything is computed. Raises UsageError where something is there already, or no folder can be."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already and not empty; give another --out")
    above = next(parent for parent in out.absolute().parents if parent.exists())
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise UsageError(f"{above}: no folder can be made in it; give another --out")


def material(
    corpus: Path | None, edits: Sequence[Path]
) -> tuple[list[corpora.SourceFile], RealChanges | None]:
    """Files to make synthetic edits of, and real edits. Raises UsageError where there is nothing to learn from."""
    files = [file for file in corpora.load(corpus) if not file.validation] if corpus else []
    real = RealChanges.load(edits) if edits else None
    if not files and not real:
        given = ", ".join(map(str, filter(None, (corpus, *edits))))
        raise UsageError(f"{given}: nothing to learn from in it; give more")
    return files, real


@reported
def corpus(
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            file_okay=False,
            help="In place of packages, sources whose licence you know; may be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Where to write: .jsonl.gz, or .jsonl.xz for half the size.")
    ] = CORPUS,
) -> None:
    """Build the training corpus from packages.

    They are the pinned ones of PyPI, npm and Debian.

    Examples:
        fastedit train corpus
        fastedit train corpus --folder src --out runs/own.jsonl.gz
    """
    if out.exists():
        raise UsageError(f"{out} exists, and runs may depend on it; choose another --out, or delete it")
    skipped: list[str] = []
    sources = in_folders(folder) if folder else pinned(read_lock(), DOWNLOADS, skipped)
    found = list(corpora.collect(sources))
    for line in skipped:
        print(f"skipped {line}", file=sys.stderr)
    if not found:
        raise UsageError(
            "no source file could be had: check the network, or give a --folder with sources that are not held out"
        )
    chosen = found if folder else corpora.balanced(found, MOST_CHARACTERS)
    corpora.save(chosen, out)
    print(corpora.by_language(chosen))
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB; {len(skipped)} packages skipped")
