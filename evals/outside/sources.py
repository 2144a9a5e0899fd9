"""The texts that the cases are made of, kept in evals/data by `python -m evals.outside build`.

A pair of releases gives files before and after, a single release files as they are. Both are pinned in
outside.lock.json, and nothing of them is in this repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from evals.edits import DATA, digest
from evals.outside.releases import HERE, ReleasedFile, Split, changes, files_of, locked
from fastedit.errors import FileUnreadable
from fastedit.train import jsonl

_OF_RELEASES = ("agents", "people", "other_languages")  # the suites whose files are of releases
BUILD = "python -m evals.outside build"


@cache
def load(split: Split) -> dict[str, ReleasedFile]:
    """The texts of a half by key. Raises FileUnreadable before they are built."""
    path = _built(split)
    try:
        sources = [ReleasedFile(**row) for row in jsonl.read(path)]
    except FileNotFoundError:
        raise FileUnreadable(f"{path} is missing; run: {BUILD}") from None
    return {source.key: source for source in sources}


def build(split: Split) -> int:
    """Fetch a half's releases and keep the texts that its cases name. Raises FileUnreadable, also for a file that
    the release does not hold."""
    wanted = {row["file"]["key"] for name in _OF_RELEASES for row in rows(name, split)}
    found = {source.key: source for source in _all(split) if source.key in wanted}
    lost = sorted(wanted - found.keys())
    if lost:
        raise FileUnreadable(f"{lost[0]}: the pinned releases hold no such file; restore outside.lock.json")
    jsonl.write(_built(split), (asdict(found[key]) for key in sorted(found)))
    return len(found)


def _built(split: Split) -> Path:
    return DATA / f"outside-{split}.jsonl.gz"


def _all(split: Split) -> Iterator[ReleasedFile]:
    yield from chain.from_iterable(map(changes, locked(split)["pairs"]))
    yield from chain.from_iterable(map(files_of, locked(split)["singles"]))


def rows(name: str, split: Split) -> list[dict[str, Any]]:
    """The cases of one set as they were written. Raises FileUnreadable."""
    path = HERE / f"{name}-{split}.jsonl"
    try:
        return list(jsonl.read(path))
    except FileNotFoundError:
        raise FileUnreadable(f"{path} is missing; restore it from the repository") from None


def text_of(row: dict[str, Any], split: Split) -> ReleasedFile:
    """The file that a case is about. Raises FileUnreadable where it is not the one that the case was written for."""
    key = row["file"]["key"]
    source = load(split).get(key)
    if source is None:
        raise FileUnreadable(f"{key} is not in evals/data/outside-{split}.jsonl.gz; run: {BUILD}")
    for name in ("old", "new"):
        text, pinned = getattr(source, name), row["file"].get(name)
        if pinned is not None and (text is None or digest(text) != pinned):
            raise FileUnreadable(f"{key} is not the file that case {row['id']} was written for; run: {BUILD}")
    return source
