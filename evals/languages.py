"""Real edits in other languages than Python: files that changed between two releases of an npm package.

`python -m evals.languages build` fetches the releases named in languages.lock.json through npm and writes
evals/data/edits-languages.jsonl.gz. All of them are for testing; nothing is trained or chosen on them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath

import typer

from evals.edits import DATA, RealEdit, changed_files
from evals.table import table
from fastedit.edit.language import TEXT, language_of

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
            dict(source_files(fetch(entry["package"], **entry[side]), folders)) for side in ("old", "new")
        )
        edits += changed_files(before, after, entry["package"])
    with gzip.open(EDITS, "wt", encoding="utf-8") as stream:
        for edit in edits:
            stream.write(json.dumps(asdict(edit)) + "\n")
    print(table(["language", "files"], _counts(edits)))


def fetch(package: str, version: str, sha256: str) -> Path:
    """The release's archive, downloaded where it is missing. Raises ValueError where its hash differs."""
    folder = DATA / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{package}-{version}.tgz"
    if not path.exists():
        command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(folder)]
        subprocess.run([*command, f"{package}@{version}"], check=True, stdout=subprocess.DEVNULL)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise ValueError(
            f"{path.name} has the hash {found}, the lock file says {sha256}: delete it and try again"
        )
    return path


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
