"""`python -m evals.kills`: edits of many files, and their undos, killed at random moments.

A process that edits a tree of files is sent `kill -9`: half of the time anywhere between its first step and its last,
half of the time between the first file that it puts in its place and the last. Then the edit is recovered, as every
fastedit command does before it reads a file, and the tree must be the whole old one or the whole new one, without a
temporary file, and the journal must be sound.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from evals.machine import machine
from evals.table import table
from fastedit.errors import FasteditError
from fastedit.files import swap
from fastedit.files.change import Change
from fastedit.files.effects import CreateFile, DeleteFile, Effect, RenameFile, ReplaceFile
from fastedit.files.entry import EntryStatus
from fastedit.files.journal import Journal
from fastedit.files.state import recover
from fastedit.files.transaction import commit
from fastedit.files.undo import undo

KILLS, QUICK = 1000, 30
FILES, FOLDERS = 40, 8
SEED = 0
TEMPORARY = ".fastedit-"

Tree = dict[str, bytes]


@dataclass(slots=True)
class Counts:
    """After recovery, except for `half_applied_at_kill`: trees that were neither old nor new when the process died.

    `journal`: entries left pending, or a newest entry that does not say what the tree is.
    """

    kills: int = 0
    ended_before: int = 0
    half_applied_at_kill: int = 0
    old: int = 0
    new: int = 0
    half_applied: int = 0
    temporary_files: int = 0
    journal: int = 0


def old_tree() -> Tree:
    return {f"d{n % FOLDERS}/f{n}.py": f"def f{n}():\n    return {n}\n".encode() * 50 for n in range(FILES)}


def effects_on(tree: Tree) -> list[Effect]:
    """Six files of ten are replaced; the others are deleted, renamed, or renamed and changed; some are created."""
    effects: list[Effect] = []
    for number, (path, data) in enumerate(tree.items()):
        sha256 = hashlib.sha256(data).hexdigest()
        if number % 10 == 0:
            effects.append(DeleteFile(path, sha256))
            effects.append(CreateFile(f"new/{number}/{path}", data, executable=True))
        elif number % 10 == 1:
            effects.append(RenameFile(path, f"moved/{path}", None, sha256))
        elif number % 10 == 2:
            effects.append(RenameFile(path, f"{path}i", data[:100], sha256))
        elif number % 10 > 3:
            effects.append(ReplaceFile(path, data.replace(b"return", b"yield"), sha256))
    return effects


def tree_in(root: Path) -> Tree:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def grow(root: Path, tree: Tree) -> None:
    for name, data in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


class Site:
    """A tree on disk, edited and restored by turns in processes that may be killed."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        os.environ["FASTEDIT_STATE"] = str(folder / "state")
        self.root, self.rng = folder / "root", rng
        self.old = old_tree()
        grow(self.root, self.old)
        started = time.monotonic()
        self._edit()
        self._seconds = deque([time.monotonic() - started], maxlen=9)
        self.new = tree_in(self.root)
        self._undo()

    def kill_once(self, counts: Counts) -> None:
        """One edit of the old tree or undo of the new one, killed, recovered and judged."""
        if self._ended(self._edit if tree_in(self.root) == self.old else self._undo):
            counts.ended_before += 1
            return
        counts.kills += 1
        at_kill = {name: data for name, data in tree_in(self.root).items() if TEMPORARY not in name}
        counts.half_applied_at_kill += at_kill not in (self.old, self.new)
        recover()
        self._judge(counts)

    def _judge(self, counts: Counts) -> None:
        found = tree_in(self.root)
        temporary = [name for name in found if TEMPORARY in name]
        counts.temporary_files += len(temporary)
        for name in temporary:
            (self.root / name).unlink()
            del found[name]
        counts.old += found == self.old
        counts.new += found == self.new
        with Journal.open() as journal:
            undone = journal.entries(1)[0].status is EntryStatus.UNDONE
            counts.journal += bool(journal.pending()) or undone != (found == self.old)
        if found not in (self.old, self.new):
            counts.half_applied += 1
            shutil.rmtree(self.root)
            grow(self.root, self.old)

    def _ended(self, action: Callable[[], None]) -> bool:
        """Whether a process ended the action before it was killed."""
        placed, announce = os.pipe()
        child = os.fork()
        if child == 0:
            _run(action, announce)
        os.close(announce)
        (self._wait_for_time if self.rng.random() < 0.5 else self._wait_for_files)(placed)
        os.kill(child, signal.SIGKILL)
        os.close(placed)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code > 0:
            raise RuntimeError("an edit that was not killed failed; its message is above")
        return code == 0

    def _wait_for_time(self, placed: int) -> None:
        """Any time from the process's start to a little after its usual end, which is learnt on the way."""
        usual = statistics.median(self._seconds)
        delay, started = self.rng.uniform(0, 1.2 * usual), time.monotonic()
        while (left := started + delay - time.monotonic()) > 0:
            if select.select([placed], [], [], left)[0] and not os.read(placed, FILES):
                break
        if time.monotonic() - started < delay or delay > usual:
            self._seconds.append(time.monotonic() - started)

    def _wait_for_files(self, placed: int) -> None:
        """Until some of the files are in their places."""
        for _ in range(self.rng.randrange(1, FILES)):
            if not os.read(placed, 1):
                break

    def _edit(self) -> None:
        commit(self.root, effects_on(self.old), "change many files", len(self.old))

    def _undo(self) -> None:
        with Journal.open() as journal:
            undo(journal)


def _run(action: Callable[[], None], announce: int) -> NoReturn:
    """Runs an action in the child, which writes a byte before each file that it puts in its place."""
    code, place = 1, swap._place

    def announced(folder: int, change: Change) -> None:
        os.write(announce, b".")
        place(folder, change)

    swap._place = announced
    try:
        action()
        code = 0
    except FasteditError as error:
        print(error, file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def measure(kills: int, folder: Path, rng: random.Random) -> Counts:
    site, counts = Site(folder, rng), Counts()
    while counts.kills < kills:
        site.kill_once(counts)
    return counts


def main(
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK} kills.")] = False,
    kills: Annotated[int, typer.Option(help="How many processes are killed.")] = KILLS,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Half-applied trees after kills and recovery; ends with 1 where there is one."""
    # A kill takes nothing from what was written, synced or not, so memory does for a disk.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="fastedit-kills-", dir=memory) as folder:
        counts = measure(QUICK if quick else kills, Path(folder), random.Random(SEED))
    print(f"{machine()}; seed {SEED}; {FILES} files in {FOLDERS} folders")
    print(
        table(
            ["kills", ""], [[name.replace("_", " "), f"{value:,}"] for name, value in asdict(counts).items()]
        )
    )
    if json_file:
        headline = {
            name: getattr(counts, name) for name in ("kills", "half_applied", "temporary_files", "journal")
        }
        data = {"headline": headline, "machine": machine(), "seed": SEED, "figures": asdict(counts)}
        json_file.write_text(json.dumps(data, indent=1) + "\n")
    raise typer.Exit(1 if counts.half_applied + counts.temporary_files + counts.journal else 0)


if __name__ == "__main__":
    typer.run(main)
