"""Real edits in other languages than Python: files that changed between two releases of a package.

`python -m evals.languages build` fetches the releases named in languages.lock.json from npm and PyPI (source
distributions) and writes evals/data/languages-SPLIT.jsonl.gz. The splits share no package: models train on `train`
only, choices are made on `dev`, figures are quoted on `test`.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import typer

from evals.edits import DATA, RealEdit, changed_files, read, write
from evals.table import table
from fastedit.source.languages import TEXT, language_of
from fastedit.train.corpus import bare_name
from fastedit.train.fetch import Unavailable, fetch

LOCK = Path(__file__).parent / "languages.lock.json"
Split = Literal["test", "dev", "train"]
LONGEST_LINE = 400  # beyond it a file is taken for a built one
MOST = 30  # files of one pair of releases in `train`, so that none outweighs the others

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def load(split: Split) -> list[RealEdit]:
    """The edits of a split. Raises FileNotFoundError, naming the command, before they are built."""
    return read(_data_file(split), "python -m evals.languages build")


@app.callback()
def main() -> None:
    """Real edits in other languages."""


@app.command()
def build(
    quick: Annotated[bool, typer.Option("--quick", help="Only the test and dev splits.")] = False,
) -> None:
    """Fetch the pinned releases and write the splits."""
    counts: dict[Split, list[str]] = {}
    for split, entries in json.loads(LOCK.read_text()).items():
        if quick and split == "train":
            continue
        edits: list[RealEdit] = []
        for entry in entries:
            try:
                edits += changes(entry, MOST if split == "train" else None)
            except Unavailable as error:
                print(f"{entry['package']}: {error}", file=sys.stderr)
                if split != "train":  # a figure is of all its packages or none
                    raise typer.Exit(1) from None
        write(_data_file(split), edits)
        counts[split] = [language_of(Path(edit.path), edit.old) for edit in edits]
    languages = sorted(set(chain(*counts.values())))
    rows = [[language, *(str(found.count(language)) for found in counts.values())] for language in languages]
    print(table(["files", *counts], rows))


def changes(entry: dict[str, Any], most: int | None) -> Iterator[RealEdit]:
    """The files that differ between the two releases of an entry of the lock file, at most so many.

    Raises Unavailable.
    """
    releases = [release(entry["package"], **entry[side]) for side in ("old", "new")]
    before, after = (
        {path: text for path, text in source_files(archive, entry["folders"]) if not _is_python(path, text)}
        for archive in releases
    )
    return changed_files(before, after, bare_name(entry["package"]), most)


def release(package: str, version: str, files: dict[str, str]) -> Path:
    """The one archive of a release, from the disk or its registry. Raises Unavailable where its hash differs."""
    (archive,) = fetch(package, version, files, DATA / "releases")
    return archive


def source_files(archive: Path, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, text) of the source files below `folders`: UTF-8 with plain line feeds, and not built."""

    def inside(path: str) -> bool:
        return any(PurePosixPath(path).is_relative_to(folder) for folder in folders)

    for path, data in members(archive, inside):
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        if "\r" in text or "\0" in text or max(map(len, text.split("\n"))) > LONGEST_LINE:
            continue
        if language_of(Path(path), text) != TEXT:
            yield path, text


def members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """What the wanted files of an archive hold, by their paths below its one top folder."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = str(PurePosixPath(*PurePosixPath(member.name).parts[1:]))
            if wanted(path) and (stream := tar.extractfile(member)) is not None:
                yield path, stream.read()


def _is_python(path: str, text: str) -> bool:
    return language_of(Path(path), text) == "python"


def _data_file(split: Split) -> Path:
    return DATA / f"languages-{split}.jsonl.gz"


if __name__ == "__main__":
    app()
