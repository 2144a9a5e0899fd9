"""Real edits: Python files that changed between two releases of a package, rebuilt by anyone from pinned wheels.

`python -m evals.edits build` fetches the releases named in edits.lock.json and writes evals/data/edits-SPLIT.jsonl.gz.
The splits share no package: models train on `train` only, choices are made on `dev`, figures are quoted on `test`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from evals import pypi
from evals.table import table

Split = Literal["test", "dev", "train"]
HERE = Path(__file__).parent
LOCK = HERE / "edits.lock.json"
DATA = HERE / "data"

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True)
class RealEdit:
    """One file before and after. `changed` is the share of lines changed, 0 to 1; see `share_changed`."""

    package: str
    path: str
    old: str
    new: str
    changed: float


def load(split: Split) -> list[RealEdit]:
    """The edits of a split. Raises FileNotFoundError, naming the command, before they are built."""
    return read(_data_file(split), "python -m evals.edits build")


def read(path: Path, command: str) -> list[RealEdit]:
    """The edits kept in `path`. Raises FileNotFoundError, naming the command that makes it."""
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; run: {command}")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [RealEdit(**json.loads(line)) for line in stream]


def write(path: Path, edits: Sequence[RealEdit]) -> None:
    """Keep edits as gzipped JSON lines."""
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        for edit in edits:
            stream.write(json.dumps(asdict(edit)) + "\n")


def opcodes(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """difflib's opcodes over lines, popular lines not ignored."""
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def share_changed(old: Sequence[str], new: Sequence[str]) -> float:
    """Lines replaced, inserted or deleted, as a share of the longer file's lines."""
    changed = sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in opcodes(old, new) if tag != "equal")
    return changed / max(len(old), len(new), 1)


def changed_files(
    old: dict[str, str], new: dict[str, str], package: str, most: int | None = None
) -> Iterator[RealEdit]:
    """Every file of both releases that differs, of at least ten lines before; or so many, chosen by a hash of their
    paths."""
    both = sorted(old.keys() & new.keys())
    paths = [path for path in both if old[path] != new[path] and new[path] and old[path].count("\n") >= 10]
    if most is not None:
        paths = sorted(paths, key=lambda path: hashlib.sha256(path.encode()).digest())[:most]
    for path in paths:
        share = share_changed(old[path].split("\n"), new[path].split("\n"))
        yield RealEdit(package, path, old[path], new[path], round(share, 5))


@app.callback()
def main() -> None:
    """The real-edit set."""


@app.command()
def build(
    quick: Annotated[bool, typer.Option("--quick", help="Only the test and dev splits.")] = False,
) -> None:
    """Fetch the pinned releases and write the splits."""
    rows: list[list[str]] = []
    for split, entries in json.loads(LOCK.read_text()).items():
        if quick and split == "train":
            continue
        edits: list[RealEdit] = []
        for entry in entries:
            package = entry["package"]
            releases = [pypi.Release(package, **entry[side]) for side in ("old", "new")]
            pypi.fetch(releases, DATA / "wheels")
            before, after = (_sources(release) for release in releases)
            edits += changed_files(before, after, package)
        write(_data_file(split), edits)
        rows.append([split, str(len(entries)), str(len(edits)), *_spread(edits)])
    print(table(["split", "packages", "files", "< 2 %", "2-5 %", "5-15 %"], rows))


def _sources(release: pypi.Release) -> dict[str, str]:
    path = pypi.wheel(release, DATA / "wheels")
    if path is None:
        raise FileNotFoundError(f"the wheel of {release.package} {release.version} was not downloaded")
    return dict(pypi.python_files(path))


def _spread(edits: Sequence[RealEdit]) -> list[str]:
    bounds = ((0.0, 0.02), (0.02, 0.05), (0.05, 0.15))
    return [str(sum(low <= edit.changed < high for edit in edits)) for low, high in bounds]


def _data_file(split: Split) -> Path:
    if split not in get_args(Split):
        raise ValueError(f"no split {split!r}; there are {', '.join(get_args(Split))}")
    return DATA / f"edits-{split}.jsonl.gz"


if __name__ == "__main__":
    app()
