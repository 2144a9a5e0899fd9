"""Files of the pinned releases in outside.lock.json, rebuilt by anyone.

The lock names, for each half (`dev`, `test`), `pairs` of releases of one package: `{"package": "npm:name", "folders":
[...], "licence": "MIT", "old": {"version", "files": {archive: sha256}}, "new": {...}}`, and `singles` with the paths
that are taken: `{"package", "licence", "version", "files", "paths"}`. No package is in both halves, nor in anything
that training or tuning has read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from evals.edits import release, source_files
from fastedit.train.sources.archive import members

Split = Literal["dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
HERE = Path(__file__).parent
LOCK = HERE / "outside.lock.json"


@dataclass(frozen=True, slots=True)
class ReleasedFile:
    """One file of a half: its text, and the new one where it is a pair's."""

    key: str
    old: str
    new: str | None


def locked(split: Split) -> dict[str, list[dict[str, Any]]]:
    """The `pairs` of releases of one half, and its `singles`."""
    found: dict[str, list[dict[str, Any]]] = json.loads(LOCK.read_text("utf-8"))[split]
    return found


def packages(split: Split) -> set[str]:
    """The packages of one half, as `registry:name`."""
    return {entry["package"] for entries in locked(split).values() for entry in entries}


def files_of(entry: dict[str, Any]) -> Iterator[ReleasedFile]:
    """The files that are taken of a single release. Raises Unavailable."""
    package, version = entry["package"], entry["version"]
    archive = release(package, version, entry["files"])
    for path, data in members(archive, lambda path: str(path) in entry["paths"]):
        yield ReleasedFile(f"{package}/{version}/{path}", data.decode(), None)


def changes(entry: dict[str, Any]) -> Iterator[ReleasedFile]:
    """The files that differ. Raises Unavailable."""
    package = entry["package"]
    old, new = (
        dict(source_files(release(package, **entry[side]), entry["folders"])) for side in ("old", "new")
    )
    versions = f"{entry['old']['version']}..{entry['new']['version']}"
    for path in sorted(old.keys() & new.keys()):
        if old[path] != new[path]:
            yield ReleasedFile(f"{package}/{versions}/{path}", old[path], new[path])
