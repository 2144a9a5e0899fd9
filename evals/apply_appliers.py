"""Appliers of edits: fastedit for every format, git and patch for diffs. None as the result means refused."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastedit.engine.changes import ChangeRequest, change
from fastedit.engine.engine import Engine
from fastedit.errors import FasteditError
from fastedit.result import Status
from fastedit.source.document import Document

Apply = Callable[[str, str, str], str | None]


@dataclass(frozen=True, slots=True)
class Applier:
    """`apply` takes a message, the path of the file it is for and its text.

    `dialects` are those it reads, by name; None for all of them.
    """

    name: str
    dialects: frozenset[str] | None
    apply: Apply
    program: str = ""

    def reads(self, dialect: str) -> bool:
        return self.dialects is None or dialect in self.dialects

    def lacking(self) -> str | None:
        return lacking(self.program)


def lacking(program: str) -> str | None:
    """Why a program cannot be run here; None where it can, or where none is needed."""
    missing = program and shutil.which(program) is None
    return f"{program} is not installed" if missing else None


class OneFile:
    """A folder with nothing else in it."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._document = path, Document.from_text(text, Path(path))

    def read(self, path: str) -> Document | None:
        return self._document if path == self._path else None


def apply_fastedit(message: str, path: str, text: str) -> str | None:
    try:
        result = change(Engine(), ChangeRequest(message), OneFile(path, text))
    except FasteditError:
        return None
    [file, *others] = result.files
    if others or file.after is None or result.status is Status.SUSPECT:
        return None
    return file.after.text


def bare(message: str) -> str:
    """A diff without the code fence around it."""
    lines = message.splitlines(keepends=True)
    return "".join(lines[1:-1]) if message.startswith("```") else message


def program(*command: str) -> Apply:
    """A program that reads a diff of `path` from standard input."""

    def apply(message: str, path: str, text: str) -> str | None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
            done = subprocess.run(
                command, cwd=folder, input=bare(message).encode(), capture_output=True, check=False
            )
            return (
                file.read_bytes().decode(errors="replace") if done.returncode == 0 and file.exists() else None
            )

    return apply


_GIT = ("git", "apply", "--whitespace=nowarn")
UDIFF = frozenset({"udiff, git", "udiff, wrong numbers", "udiff, no numbers"})
APPLIERS = (
    Applier("fastedit", None, apply_fastedit),
    Applier("git apply", UDIFF, program(*_GIT, "-"), "git"),
    Applier("git apply --recount", UDIFF, program(*_GIT, "--recount", "-"), "git"),
    Applier(
        "patch -F3", UDIFF, program("patch", "-p1", "-s", "-f", "-F3", "--no-backup-if-mismatch"), "patch"
    ),
)
