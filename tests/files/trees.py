"""A small tree on disk, and effects on it that create, replace, delete and rename files."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

from fastedit.files.effects import Effect

OLD = {"a.py": b"a = 1\n", "src/b.py": b"b = 1\n", "src/old.py": b"old\n", "run.sh": b"#!/bin/sh\n"}
NEW = {
    "a.py": b"a = 2\n",
    "src/new/deep/c.py": b"c = 1\n",
    "src/moved.py": b"old = 1\n",
    "bin/run.sh": b"#!/bin/sh\n",
}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def create(path: str, data: bytes, *, executable: bool = False) -> Effect:
    return Effect(None, path, data, executable=executable)


def replace(path: str, data: bytes, expected_sha256: str) -> Effect:
    return Effect(path, path, data, expected_sha256)


def delete(path: str, expected_sha256: str) -> Effect:
    return Effect(path, None, None, expected_sha256)


def rename(path: str, to: str, data: bytes | None, expected_sha256: str) -> Effect:
    return Effect(path, to, data, expected_sha256)


def effects() -> list[Effect]:
    """From OLD to NEW."""
    return [
        replace("a.py", NEW["a.py"], sha256(OLD["a.py"])),
        create("src/new/deep/c.py", NEW["src/new/deep/c.py"]),
        delete("src/b.py", sha256(OLD["src/b.py"])),
        rename("src/old.py", "src/moved.py", NEW["src/moved.py"], sha256(OLD["src/old.py"])),
        rename("run.sh", "bin/run.sh", None, sha256(OLD["run.sh"])),
    ]


def grow(root: Path) -> Path:
    """OLD on disk."""
    for name, data in OLD.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    (root / "run.sh").chmod(0o750)
    return root


def files_in(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def everything_in(root: Path) -> dict[str, tuple[bytes, int]]:
    """Files and folders with their permission bits."""
    return {
        str(path.relative_to(root)): (
            path.read_bytes() if path.is_file() else b"",
            stat.S_IMODE(path.stat().st_mode),
        )
        for path in root.rglob("*")
    }
