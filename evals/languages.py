"""Real edits in other languages than Python: files that changed between two releases of a package.

`python -m evals.languages build` fetches the releases named in languages.lock.json from npm and PyPI (source
distributions) and writes evals/data/languages-SPLIT.jsonl.gz. Nothing is trained on them; choices are made on `dev`,
figures are quoted on `test`.
"""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Literal

import typer

from evals.edits import DATA, RealEdit, changed_files
from evals.table import table
from fastedit.edit.language import TEXT, language_of
from fastedit.train.corpus import bare_name
from fastedit.train.fetch import fetch

LOCK = Path(__file__).parent / "languages.lock.json"
Split = Literal["test", "dev"]
LONGEST_LINE = 400  # beyond it a file is taken for a built one

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def load(split: Split) -> list[RealEdit]:
    """The edits of a split. Raises FileNotFoundError, naming the command, before they are built."""
    path = _data_file(split)
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; run: python -m evals.languages build")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [RealEdit(**json.loads(line)) for line in stream]


@app.callback()
def main() -> None:
    """Real edits in other languages."""


@app.command()
def build() -> None:
    """Fetch the pinned releases and write the splits."""
    counts: dict[Split, list[str]] = {}
    for split, entries in json.loads(LOCK.read_text()).items():
        edits: list[RealEdit] = []
        for entry in entries:
            folders = tuple(entry["folders"])
            before, after = (
                dict(source_files(release(entry["package"], **entry[side]), folders))
                for side in ("old", "new")
            )
            edits += changed_files(before, after, bare_name(entry["package"]))
        with gzip.open(_data_file(split), "wt", encoding="utf-8") as stream:
            for edit in edits:
                stream.write(json.dumps(asdict(edit)) + "\n")
        counts[split] = [language_of(Path(edit.path), edit.old) for edit in edits]
    languages = sorted(set(chain(*counts.values())))
    rows = [[language, *(str(found.count(language)) for found in counts.values())] for language in languages]
    print(table(["files", *counts], rows))


def release(package: str, version: str, files: dict[str, str]) -> Path:
    """The one archive of a release, from the disk or its registry. Raises Unavailable where its hash differs."""
    (archive,) = fetch(package, version, files, DATA / "releases")
    return archive


def source_files(archive: Path, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, text) of the source files below `folders`: UTF-8 with plain line feeds, not Python's, and not built."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            stream = tar.extractfile(member)
            if stream is None or not any(path.is_relative_to(folder) for folder in folders):
                continue
            try:
                text = stream.read().decode()
            except UnicodeDecodeError:
                continue
            if "\r" in text or "\0" in text or max(map(len, text.split("\n"))) > LONGEST_LINE:
                continue
            if language_of(Path(path), text) not in (TEXT, "python"):
                yield str(path), text


def _data_file(split: Split) -> Path:
    return DATA / f"languages-{split}.jsonl.gz"


if __name__ == "__main__":
    app()
