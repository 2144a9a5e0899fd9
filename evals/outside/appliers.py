"""Appliers of edits: fastedit for every format, git and patch for diffs. None as the result means refused."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastedit.engine.engine import Engine
from fastedit.errors import FasteditError
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.source.document import Document

Apply = Callable[[str, str, str], str | None]


@dataclass(frozen=True, slots=True)
class Applier:
    """`apply` takes a message, the path of the file it is for and its text.

    `kinds` are the formats that it reads, by name; None for all of them.
    """

    name: str
    kinds: frozenset[str] | None
    apply: Apply
    program: str = ""

    def reads(self, kind: str) -> bool:
        return self.kinds is None or kind in self.kinds

    def lacking(self) -> str | None:
        """Why it cannot be run here; None where it can."""
        missing = self.program and shutil.which(self.program) is None
        return f"{self.program} is not installed" if missing else None


def apply_fastedit(message: str, path: str, text: str) -> str | None:
    document = Document.from_text(text, Path(path))
    try:
        result = Engine().apply(EditRequest(document, None, message, policy="merge"))
    except FasteditError:
        return None
    return result.text if result.status is Status.OK else None


def bare(message: str) -> str:
    """A diff without the code fence around it, its last line ended."""
    lines = message.rstrip("\n").splitlines(keepends=True)
    fenced = message.startswith("```")
    return "".join(lines[1:-1] if fenced else lines).rstrip("\n") + "\n"


def program(*command: str) -> Apply:
    """A program that reads a diff of `path` from standard input."""

    def apply(message: str, path: str, text: str) -> str | None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
            strip = "-p1" if "\n--- a/" in f"\n{message}" else "-p0"
            done = subprocess.run(
                [*command, strip], cwd=folder, input=bare(message).encode(), capture_output=True, check=False
            )
            return (
                file.read_bytes().decode(errors="replace") if done.returncode == 0 and file.exists() else None
            )

    return apply


_GIT = ("git", "apply", "--whitespace=nowarn")
_PATCH = ("patch", "-s", "-f", "-F3", "--no-backup-if-mismatch")
UDIFF = frozenset({"udiff"})
APPLIERS = (
    Applier("fastedit", None, apply_fastedit),
    Applier("git apply", UDIFF, program(*_GIT), "git"),
    Applier("git apply --recount", UDIFF, program(*_GIT, "--recount"), "git"),
    Applier("patch -F3", UDIFF, program(*_PATCH), "patch"),
)
