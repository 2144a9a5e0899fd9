"""One change of many files: how long it takes to read, to place and to write."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from evals.apply_blocks import FileEdit
from evals.apply_writers import v4a
from fastedit.engine.changes import ChangeRequest, change
from fastedit.engine.engine import Engine
from fastedit.engine.placed import read_message
from fastedit.files.transaction import commit
from fastedit.files.tree import Tree

HUNKS = 10  # in each file
FUNCTIONS = 60


def many(files: int) -> dict[str, float]:
    """Seconds for a patch of so many files with ten hunks each, the journal included."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, FASTEDIT_STATE=str(Path(folder, "state"))),
    ):
        root = Path(folder, "root")
        message = _laid_out(root, files)
        started = time.perf_counter()
        edit = read_message(message)
        was_read = time.perf_counter()
        result = change(Engine(), ChangeRequest(edit), Tree(root))
        placed = time.perf_counter()
        hunks = sum(len(file.reports) for file in result.files)
        commit(root, result.effects(), "a change of many files", hunks)
        written = time.perf_counter()
        assert not result.reasons
        assert "return 1 + n" in (root / "package0/module0.py").read_text()
    return {
        "files": files,
        "hunks": hunks,
        "seconds to read": was_read - started,
        "seconds to place": placed - was_read,
        "seconds to write": written - placed,
        "seconds": written - started,
    }


def _laid_out(root: Path, files: int) -> str:
    """Writes the files; the patch of all of them."""
    patches: list[str] = []
    for number in range(files):
        path = f"package{number % 10}/module{number}.py"
        old = "".join(
            f'def function_{number}_{at}(n):\n    """Step {at}."""\n    total = n * {at}\n    return n\n\n\n'
            for at in range(FUNCTIONS)
        )
        parts = old.split("\n\n\n")
        for at in range(0, FUNCTIONS, FUNCTIONS // HUNKS):
            parts[at] = parts[at].replace("return n", "return 1 + n")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(old)
        patches.append(v4a(FileEdit(path, old, "\n\n\n".join(parts))) or "")
    inside = (patch.split("\n", 1)[1].removesuffix("*** End Patch\n") for patch in patches)
    return "".join(["*** Begin Patch\n", *inside, "*** End Patch\n"])
