"""`python -m tests.files.dying ACTION FOLDER`: kills an action before its first step, its second, and so on to its end.

In a process of its own, since forking one that has loaded torch takes ten times as long. Prints one JSON array: for
each kill, the tree right after it and after recovery ("old", "new" or "neither"), and after an undo where it was new.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from fastedit.files.journal import Journal
from fastedit.files.state import recover
from fastedit.files.transaction import commit
from fastedit.files.undo import undo
from tests.files.killing import kill_before_call, run_forked
from tests.files.trees import NEW, effects, everything_in, files_in, grow

STEPS = [(os, name) for name in ("mkdir", "write", "fsync", "link", "replace", "unlink", "rmdir")]
STEPS += [(Journal, name) for name in ("add", "finish", "remove")]
HALF = 20  # a step of the commit at which some files are new and some are old


def undo_newest() -> None:
    with Journal.open() as journal:
        undo(journal)


def killed_at(step: int, action: Callable[[], object]) -> bool:
    """Whether a child died before this step of the action rather than ended it."""

    def dying() -> None:
        kill_before_call(step, STEPS)
        action()

    status = run_forked(dying)
    assert status == 0 or os.WTERMSIG(status) == signal.SIGKILL, "the action failed"
    return status != 0


def main(action: str, folder: Path) -> None:
    os.environ["FASTEDIT_STATE"] = str(folder / "state")
    root = folder / "root"
    root.mkdir()
    old = everything_in(grow(root))
    commit(root, effects(), "", 1)
    new = everything_in(root)
    undo_newest()

    def tree() -> str:
        found = everything_in(root)
        return "old" if found == old else "new" if found == new else "neither"

    seen = []
    for step in itertools.count(1):
        if action == "undo":
            commit(root, effects(), "", 1)
        if action == "recover":
            assert killed_at(HALF, lambda: commit(root, effects(), "", 1))
        run = {"commit": lambda: commit(root, effects(), "", 1), "undo": undo_newest, "recover": recover}[
            action
        ]
        killed = killed_at(step, run)
        at_kill = tree()
        recover()
        recovered = tree()
        if files_in(root) == NEW:
            undo_newest()
        seen.append([at_kill, recovered, tree()])
        if not killed:
            break
    print(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
