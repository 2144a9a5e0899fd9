"""Real edits in other languages than Python: files that changed between two releases of a package.

`python -m evals.languages build` fetches the releases named in languages.lock.json from npm and PyPI (source
distributions) and writes evals/data/edits-languages.jsonl.gz. All of them are for testing; nothing is trained or chosen
on them.
"""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath

import typer

from evals.edits import DATA, RealEdit, changed_files
from evals.table import table
from fastedit.edit.language import TEXT, language_of
from fastedit.train.corpus import bare_name
from fastedit.train.fetch import fetch

LOCK = Path(__file__).parent / "languages.lock.json"
EDITS = DATA / "edits-languages.jsonl.gz"
LONGEST_LINE = 400  # beyond it a file is taken for a built one

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def load() -> list[RealEdit]:
    """The edits. Raises FileNotFoundError, naming the command, before they are built."""
    if not EDITS.exists():
        raise FileNotFoundError(f"{EDITS} is missing; run: python -m evals.languages build")
    with gzip.open(EDITS, "rt", encoding="utf-8") as stream:
        return [RealEdit(**json.loads(line)) for line in stream]


@app.callback()
def main() -> None:
    """Real edits in other languages."""


@app.command()
def build() -> None:
    """Fetch the pinned releases and write the edits."""
    edits: list[RealEdit] = []
    for entry in json.loads(LOCK.read_text()):
        folders = tuple(entry["folders"])
        before, after = (
            dict(source_files(release(entry["package"], **entry[side]), folders)) for side in ("old", "new")
        )
        edits += changed_files(before, after, bare_name(entry["package"]))
    with gzip.open(EDITS, "wt", encoding="utf-8") as stream:
        for edit in edits:
            stream.write(json.dumps(asdict(edit)) + "\n")
    print(table(["language", "files"], _counts(edits)))


def release(package: str, version: str, files: dict[str, str]) -> Path:
    """The one archive of a release, from the disk or its registry. Raises Unavailable where its hash differs."""
    (archive,) = fetch(package, version, files, DATA / "releases")
    return archive


def source_files(archive: Path, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, text) of the source files below `folders` that are UTF-8 with plain line feeds and not built."""
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
            if language_of(Path(path), text) != TEXT:
                yield str(path), text


def _counts(edits: Sequence[RealEdit]) -> list[list[str]]:
    languages = [language_of(Path(edit.path), edit.old) for edit in edits]
    return [[language, str(languages.count(language))] for language in sorted(set(languages))]


if __name__ == "__main__":
    app()
