"""Appliers of edits: fastedit for every format, git and patch for diffs, and published ones from PyPI and npm, put into
a folder that the evaluation makes and throws away. None as the result means refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
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

_WORKERS = Path(__file__).parent
_PATIENCE = 300  # seconds for an installation
_BLOCKS = frozenset({"search_replace"})
# The packages with their versions, and the formats that they read.
_PYTHON = {
    "whatthepatch": ("whatthepatch==1.0.7", UDIFF),
    "patch-ng": ("patch-ng==1.19.1", UDIFF),
    "mpatch": ("mpatch==1.8.1", UDIFF | _BLOCKS),
    "purepatch": ("purepatch==0.1.1", UDIFF | _BLOCKS),
    "codex-apply-patch": ("codex-apply-patch==0.4.0", frozenset({"v4a"})),
    "openai-agents": ("openai-agents==0.24.0", frozenset({"v4a"})),
}
_JSDIFF = "diff@9.0.0"


class _Worker:
    """A process that applies one edit after the other."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, applier: str, message: str, path: str, text: str) -> str | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"applier": applier, "message": message, "path": path, "text": text}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{applier}: its process has ended")
        found: str | None = json.loads(answer)
        return found


def installed(folder: Path) -> tuple[list[Applier], dict[str, str]]:
    """The appliers that can be installed, and why others are absent."""
    found: list[Applier] = []
    absent: dict[str, str] = {}
    python = folder / "venv" / "bin" / "python"
    venv.create(python.parent.parent, with_pip=True)
    names = []
    for name, (package, _) in _PYTHON.items():
        if _installs([str(python), "-m", "pip", "install", "--quiet", "--no-deps", package], folder):
            names.append(name)
        else:
            absent[name] = (
                f"{package} cannot be installed with Python {sys.version_info[0]}.{sys.version_info[1]}"
            )
    worker = _Worker([str(python), str(_WORKERS / "apply_worker.py")], folder)
    found += [_applier(worker, name, _PYTHON[name][1]) for name in names]
    if shutil.which("npm") and _installs(["npm", "install", "--no-audit", "--no-fund", _JSDIFF], folder):
        node = _Worker(["node", str(_WORKERS / "apply_worker.mjs")], folder)
        found += [_applier(node, name, UDIFF) for name in ("jsdiff", "jsdiff, fuzz 3")]
    else:
        absent["jsdiff"] = f"{_JSDIFF} cannot be installed"
    return found, absent


def _installs(command: Sequence[str], folder: Path) -> bool:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _applier(worker: _Worker, name: str, kinds: frozenset[str]) -> Applier:
    def apply(message: str, path: str, text: str) -> str | None:
        return worker.ask(name, bare(message), path, text)

    return Applier(name, kinds, apply)
