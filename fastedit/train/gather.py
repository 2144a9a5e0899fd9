"""What models learn from, and the command `corpus` that builds the corpus."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from fastedit.console import reported
from fastedit.errors import UsageError
from fastedit.train import corpus as corpora
from fastedit.train.balance import balanced
from fastedit.train.installed import in_folders, installed
from fastedit.train.real import RealChanges
from fastedit.train.sources import pinned, read_lock

RUNS = Path("runs")
CORPUS = RUNS / "corpus.jsonl.gz"
DOWNLOADS = RUNS / "sources"


def new_folder(out: Path) -> None:
    """Raises UsageError where something is there already."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already and not empty; give another --out")


def material(corpus: Path | None, edits: Path | None) -> tuple[list[corpora.SourceFile], RealChanges | None]:
    """Files to make synthetic edits of, and real edits. Raises UsageError where there is nothing to learn from."""
    for file in (edits, corpus):
        if file is not None and not file.is_file():
            raise UsageError(f"{file}: no such file")
    files = [file for file in corpora.load(corpus) if not file.validation] if corpus else []
    real = RealChanges.load([edits]) if edits else None
    if not files and not real:
        raise UsageError(f"{edits or corpus}: nothing to learn from in it")
    return files, real


@reported
def corpus(
    folder: Annotated[
        list[Path] | None, typer.Option(help="More source folders, whose licence you know.", exists=True)
    ] = None,
    installed_only: Annotated[
        bool,
        typer.Option("--installed-only", help="Use no network: the standard library and what is installed."),
    ] = False,
    out: Annotated[
        Path, typer.Option(help="Where to write: .jsonl.gz, or .jsonl.xz for half the size.")
    ] = CORPUS,
    megabytes: Annotated[
        int,
        typer.Option(help="The most text, in millions of characters, divided among the languages.", min=1),
    ] = 200,
    downloads: Annotated[Path, typer.Option(help="Where fetched packages are kept.")] = DOWNLOADS,
) -> None:
    """Build the training corpus from packages.

    They are the pinned ones of PyPI, npm and Debian, or those that are installed.

    Examples:
        fastedit train corpus
        fastedit train corpus --installed-only --out runs/small.jsonl.gz
    """
    if out.exists():
        raise UsageError(f"{out} exists, and runs may depend on it; choose another --out, or delete it")
    skipped: list[str] = []
    sources = installed(skipped) if installed_only else pinned(read_lock(), downloads, skipped)
    found = list(corpora.collect(chain(in_folders(folder or ()), sources)))
    for line in skipped:
        print(f"skipped {line}", file=sys.stderr)
    if not found:
        raise UsageError("no package could be had: check the network, or use --installed-only")
    chosen = found if installed_only else balanced(found, megabytes * 1_000_000)
    for language, (number, characters) in sorted(corpora.save(chosen, out).items()):
        print(f"{language:12} {number:7,} files {characters / 1e6:8.1f} million characters")
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB; {len(skipped)} packages skipped")
