"""Real edits: files that changed between two releases of a package, rebuilt by anyone from pinned archives.

`python -m evals.edits build` fetches the releases named in the lock files and writes evals/data/SET-SPLIT.jsonl.gz: the
set `edits` is Python from PyPI's wheels, `languages` other languages from npm and PyPI's source distributions,
`documents` whatever else people edit in all of these: data, styles, scripts, documents, languages without a grammar.
The splits share no package: models train on `train` only, choices are made on `dev`, figures are quoted on `test`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from math import inf
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

import typer

from fastedit.errors import FileUnreadable
from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.languages import TEXT, language_of
from fastedit.train import jsonl
from fastedit.train.sources.archive import members
from fastedit.train.sources.corpus import bare_name
from fastedit.train.sources.fetch import Unavailable, fetch
from fastedit.train.table import table

Split = Literal["test", "dev", "train"]
HERE = Path(__file__).parent
DATA = HERE / "data"
PYTHON = HERE / "edits.lock.json"
LANGUAGES = HERE / "languages.lock.json"
LONGEST_LINE = 400  # beyond it a file is taken for a built one
DOCUMENTS = frozenset(
    (
        *(".cfg", ".ini", ".json", ".proto", ".sql", ".toml", ".xml", ".yaml", ".yml"),
        *(".css", ".html", ".less", ".md", ".rst", ".scss", ".vue"),
        *(".cmake", ".gradle", ".kt", ".mm", ".sh", ".swift"),
    )
)

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True)
class RealEdit:
    """One file before and after. `changed` is the share of lines changed, 0 to 1; see `share_changed`."""

    package: str
    path: str
    old: str
    new: str
    changed: float


@dataclass(frozen=True, slots=True)
class EditSet:
    """`files` reads (path, text) from an archive of a release, by its package's entry in a lock file. `most`: files
    of one pair of releases in `train`, so that none outweighs the others."""

    locks: Sequence[Path]
    files: Callable[[Path, dict[str, Any]], Iterator[tuple[str, str]]]
    most: int | None = None


def load(split: Split, name: str = "edits") -> list[RealEdit]:
    """The edits of a split. Raises FileUnreadable, naming the command, before they are built."""
    path = _data_file(split, name)
    if not path.exists():
        raise FileUnreadable(f"{path} is missing; run: python -m evals.edits build")
    return [RealEdit(**row) for row in jsonl.read(path)]


class EditsOfRows:
    """The edits that rows are about, which name them by set, package, path and digests. Each set is read once."""

    def __init__(self, split: Split) -> None:
        self._split, self._sets = split, dict[str, dict[tuple[str, str, str], RealEdit]]()

    def __getitem__(self, row: dict[str, Any]) -> RealEdit:
        """Raises FileUnreadable, naming the command, where the set is not built or has no such edit."""
        name = row["set"].removesuffix(f"-{self._split}")
        if name not in self._sets:
            edits = load(self._split, name)
            self._sets[name] = {(edit.package, edit.path, digest(edit.old)): edit for edit in edits}
        edit = self._sets[name].get((row["package"], row["path"], row["old"]))
        if edit is None or ("new" in row and row["new"] != digest(edit.new)):
            raise FileUnreadable(
                f"{row['id']}: {row['set']} has no such edit; run: python -m evals.edits build"
            )
        return edit


def changed(text: str, ranges: Iterable[tuple[int, int, Sequence[str]]]) -> str:
    """The text with lines in place of each range of its lines: first, the one after the last, new lines."""
    hunks = [Hunk(start, stop, tuple(lines)) for start, stop, lines in ranges]
    return "\n".join(changed_lines(text.split("\n"), hunks))


def digest(text: str) -> str:
    """As rows name the text that they are about."""
    return hashlib.sha256(text.encode()).hexdigest()


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


def source_files(archive: Path, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, text) of the source files below `folders` that nobody has built."""

    def inside(path: PurePosixPath) -> bool:
        return any(path.is_relative_to(folder) for folder in folders)

    for path, text in _texts(archive, inside, LONGEST_LINE):
        if language_of(Path(path), text) != TEXT:
            yield path, text


def _python_files(archive: Path, entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return _texts(archive, lambda path: path.suffix == ".py")


def _other_files(archive: Path, entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for path, text in source_files(archive, entry["folders"]):
        # Each file is in one set: Kotlin and Swift were among documents before they had a grammar here.
        if language_of(Path(path), text) != "python" and Path(path).suffix not in DOCUMENTS:
            yield path, text


def _documents(archive: Path, entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return _texts(archive, lambda path: path.suffix in DOCUMENTS or path.name == "Makefile", LONGEST_LINE)


def _texts(
    archive: Path, wanted: Callable[[PurePosixPath], bool], longest: float = inf
) -> Iterator[tuple[str, str]]:
    """(path, text) of the wanted files that are UTF-8 with plain line feeds and no `longest` line beyond that."""
    for path, data in members(archive, wanted):
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        if "\r" not in text and "\0" not in text and max(map(len, text.split("\n"))) <= longest:
            yield str(path), text


SETS = {
    "edits": EditSet([PYTHON], _python_files),
    "languages": EditSet([LANGUAGES], _other_files, most=30),
    "documents": EditSet([PYTHON, LANGUAGES], _documents, most=20),
}


@app.callback()
def main() -> None:
    """The real-edit sets."""


@app.command()
def build() -> None:
    """Fetch the pinned releases and write the splits of all sets."""
    counts: dict[Split, list[str]] = {split: [] for split in get_args(Split)}
    for name, kind in SETS.items():
        locks = [json.loads(lock.read_text()) for lock in kind.locks]
        for split in counts:
            entries = [entry for lock in locks for entry in lock.get(split, [])]
            if not entries:
                continue
            edits = list(_edits(kind, split, entries))
            jsonl.write(_data_file(split, name), map(asdict, edits))
            counts[split] += (language_of(Path(edit.path), edit.old) for edit in edits)
    languages = sorted({language for found in counts.values() for language in found})
    rows = [[language, *(str(found.count(language)) for found in counts.values())] for language in languages]
    print(table(["files", *counts], rows))


def _edits(kind: EditSet, split: Split, entries: Sequence[dict[str, Any]]) -> Iterator[RealEdit]:
    for entry in entries:
        package, most = entry["package"], kind.most if split == "train" else None
        try:
            before, after = (dict(kind.files(release(package, **entry[s]), entry)) for s in ("old", "new"))
        except Unavailable as error:
            print(f"{package}: {error}", file=sys.stderr)
            if split != "train":  # a figure is of all its packages or none
                raise typer.Exit(1) from None
            continue
        yield from changed_files(before, after, bare_name(package), most)


def release(package: str, version: str, files: dict[str, str]) -> Path:
    """The one archive of a release, from the disk or its registry. Raises Unavailable where its hash differs."""
    (archive,) = fetch(package, version, files, DATA / "releases")
    return archive


def _data_file(split: Split, name: str) -> Path:
    return DATA / f"{name}-{split}.jsonl.gz"


if __name__ == "__main__":
    app()
