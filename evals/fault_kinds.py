"""The faults: each makes a file, has real commands edit it while something goes wrong, and looks at what is left."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import random
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from evals.commands import Command, Finished
from fastedit.errors import FasteditError
from fastedit.files import journal, save, staging, swap, transaction, undo
from fastedit.files.journal import Journal

FUNCTIONS = 40
RACERS = 4
NOBODY = 65534
DISK = 1 << 20  # bytes of the small disk


class Absent(Exception):
    """This machine cannot make the fault; the message says why."""


@dataclass(slots=True)
class Found:
    """Of one attempt: what `Counts` of `evals.faults` sums up."""

    applies: int = 1
    killed: int = 0
    written: int = 0
    torn: int = 0
    lost: int = 0
    journal: int = 0
    left: int = 0
    what: list[str] = field(default_factory=list)

    def note(self, kind: str, what: str) -> None:
        setattr(self, kind, getattr(self, kind) + 1)
        self.what.append(f"{kind}: {what}")


class Site:
    """A folder with a long file of numbered functions and, for each, a sketch that changes it."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.path, self.rng = folder, folder / "a.py", rng
        self.state = folder / "state"
        text = "".join(f"def f{n}(a):\n    b = a + {n}\n    return b * {n}\n\n\n" for n in range(FUNCTIONS))
        self.path.write_text(text)
        self.old = self.path.read_bytes()

    @property
    def environment(self) -> dict[str, str]:
        return {"FASTEDIT_STATE": str(self.state), "HOME": str(self.folder)}

    def wish(self, number: int) -> list[str]:
        sketch = self.folder / f"sketch-{number}"
        sketch.write_text(
            f"# ...\ndef f{number}(a):\n    b = a - {number}\n    return b * {number}\n\n\n# ...\n"
        )
        return ["apply", "a.py", "-u", str(sketch), "--policy", "merge", "--write"]

    def edited(self, *numbers: int) -> bytes:
        """What the file is to be once these edits are in it."""
        data = self.old
        for number in numbers:
            data = data.replace(b"a + %d\n" % number, b"a - %d\n" % number)
        return data

    def start(self, number: int, prepare: Callable[[], None] = lambda: None) -> Command:
        return Command(self.wish(number), self.folder, environment=self.environment, prepare=prepare)

    def gone(self, found: Found) -> bool:
        """Whether there is no file any more, which is noted."""
        if not self.path.exists():
            found.note("lost", "there is no file any more")
            return True
        return False

    def look(self, found: Found, done: Finished, number: int) -> None:
        """Judge the file and the journal after one edit of a file that was `old`, and take the edit back."""
        if self.gone(found):
            return
        data, new = self.path.read_bytes(), self.edited(number)
        if data not in (self.old, new):
            found.note(
                "torn", f"{len(data)} bytes, {hashlib.sha256(data).hexdigest()[:12]}; {done.err[-200:]}"
            )
            return
        found.written += data == new
        if done.code == 0 and data != new:
            found.note("lost", f"it said that it wrote: {done.err[-200:]}")
        if done.code > 0 and data == new:
            found.note("lost", f"it said that it did not write: {done.err[-200:]}")
        found.left += sum(file.name.startswith(".fastedit-") for file in self.folder.iterdir())
        undoable = "cannot be undone" not in done.err
        if data == new and undoable:
            self.undo(found)
        elif self.state.exists():
            self.journal_opens(found)

    def undo(self, found: Found) -> None:
        """Take the newest edit back, which has to bring the old bytes."""
        try:
            with self.journal() as journal:
                undo.undo(journal, self.path)
        except FasteditError as error:
            found.note("journal", f"undo: {error}")
        if self.path.read_bytes() != self.old:
            found.note("journal", "undo did not bring the old bytes back")
        self.journal_opens(found)

    def journal_opens(self, found: Found) -> None:
        try:
            with self.journal() as journal:
                journal.entries(100)
        except FasteditError as error:
            found.note("journal", f"log: {error}")
        with contextlib.closing(sqlite3.connect(self.state / "journal.sqlite3")) as connection:
            verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            found.note("journal", f"integrity: {verdict}")

    @contextlib.contextmanager
    def journal(self) -> Iterator[Journal]:
        os.environ["FASTEDIT_STATE"] = str(self.state)
        with Journal.open() as journal:
            yield journal


class _Duration:
    """How long one apply takes here and now, in seconds, by those that were seen to end or to run on.

    It follows the machine: were it measured once, a busy minute would put every kill before the write or behind the
    end.
    """

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=9)

    def typical(self) -> float:
        while len(self._seen) < 3:
            with tempfile.TemporaryDirectory() as folder:
                site = Site(Path(folder), random.Random(0))
                started = time.monotonic()
                site.start(0).wait()
                self._seen.append(time.monotonic() - started)
        return statistics.median(self._seen)

    def ended(self, seconds: float) -> None:
        self._seen.append(seconds)

    def still_ran(self, seconds: float) -> None:
        if seconds > self.typical():
            self._seen.append(seconds)


_APPLY = _Duration()


def killed(folder: Path, rng: random.Random) -> Found:
    """`kill -9` at a random moment of the whole command; some are left to end, which tells how long that takes."""
    site, found = Site(folder, rng), Found()
    number, delay = rng.randrange(FUNCTIONS), rng.uniform(0, 1.3 * _APPLY.typical())
    started = time.monotonic()
    command = site.start(number)
    if command.ends_within(delay):
        _APPLY.ended(time.monotonic() - started)
    else:
        _APPLY.still_ran(delay)
        os.kill(command.pid, signal.SIGKILL)
    done = command.wait()
    found.killed += done.code == -signal.SIGKILL
    site.look(found, done, number)
    return found


def killed_while_writing(folder: Path, rng: random.Random) -> Found:
    """`kill -9` between the first line that saves the file and the last one, wherever the process then is."""
    site, found = Site(folder, rng), Found()
    number, lines = rng.randrange(FUNCTIONS), rng.randrange(1, 400)
    done = site.start(number, _die_in(save, "save", lines)).wait()
    found.killed += done.code == -signal.SIGKILL
    site.look(found, done, number)
    return found


def killed_while_undoing(folder: Path, rng: random.Random) -> Found:
    """The same while an edit is taken back."""
    site, found = Site(folder, rng), Found()
    number, lines = rng.randrange(FUNCTIONS), rng.randrange(1, 450)
    site.start(number).wait()
    prepare = _die_in(undo, "undo", lines)
    done = Command(["undo", "a.py"], folder, environment=site.environment, prepare=prepare).wait()
    found.killed += done.code == -signal.SIGKILL
    if site.gone(found):
        return found
    data = site.path.read_bytes()
    found.written += data == site.old
    if data not in (site.old, site.edited(number)):
        found.note("torn", f"{len(data)} bytes after a killed undo")
    elif data != site.old:
        site.undo(found)
    site.journal_opens(found)
    return found


def _die_in(owner: Any, name: str, count: int) -> Callable[[], None]:
    """Kill the process before the given line that runs in what writes files and keeps the journal, once in `name`."""
    files = {module.__file__ for module in (journal, save, staging, swap, transaction, undo)}
    inner, seen = getattr(owner, name), 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal seen
        if frame.f_code.co_filename not in files:
            return None
        seen += event == "line"
        if seen == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    def traced(*args: Any, **kwargs: Any) -> Any:
        sys.settrace(trace)
        return inner(*args, **kwargs)

    return lambda: setattr(owner, name, traced)


def disk_full(folder: Path, rng: random.Random) -> Found:
    """A disk of 1 MiB of which too little is free, at random too little for the file or for the journal."""
    with _small_disk(folder) as disk:
        site, found = Site(disk, rng), Found()
        number = rng.randrange(FUNCTIONS)
        site.wish(number)
        if rng.random() < 0.5:
            site.start(number + 1 if number == 0 else number - 1).wait()  # so that the journal is there
            site.old = site.path.read_bytes()
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        (disk / "filler").write_bytes(bytes(max(0, free - rng.randrange(0, 5 * len(site.old), 4096))))
        done = site.start(number).wait()
        (disk / "filler").unlink()
        site.look(found, done, number)
    return found


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    disk = folder / "disk"
    disk.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"fastedit", os.fsencode(disk), b"tmpfs", 0, b"size=%d" % DISK):
        raise Absent(f"no disk of {DISK >> 20} MiB can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield disk
    finally:
        libc.umount2(os.fsencode(disk), 2)


def limit_on_sizes(folder: Path, rng: random.Random) -> Found:
    """A limit on the size of files, met in the middle of writing the file or the journal."""
    import resource

    site, found = Site(folder, rng), Found()
    number, most = rng.randrange(FUNCTIONS), rng.randrange(1, 2 * len(site.old))

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    site.look(found, site.start(number, limit).wait(), number)
    return found


def permission_lost(folder: Path, rng: random.Random) -> Found:
    """The file, its folder or the journal's folder becomes read-only at a random moment."""
    site, found = Site(folder, rng), Found()
    number = rng.randrange(FUNCTIONS)
    site.state.mkdir()
    site.wish(number)
    if os.geteuid() == 0:
        for path in (folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)
    victim, mode = rng.choice([(site.path, 0o444), (folder, 0o555), (site.state, 0o500)])
    delay = rng.uniform(0, _APPLY.typical())
    command = site.start(number, _as_nobody)
    time.sleep(delay)
    before = victim.stat().st_mode & 0o7777
    victim.chmod(mode)
    done = command.wait()
    victim.chmod(before)
    site.look(found, done, number)
    return found


def _as_nobody() -> None:
    """Permissions mean nothing to root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def racing(folder: Path, rng: random.Random) -> Found:
    """Several commands edit one file at once: what each one said it wrote must be in it, and nothing else."""
    site, found = Site(folder, rng), Found(applies=RACERS)
    numbers = rng.sample(range(FUNCTIONS), RACERS)
    commands = [site.start(number) for number in numbers]
    done = dict(zip(numbers, [command.wait() for command in commands], strict=True))
    if site.gone(found):
        return found
    written = [number for number in numbers if done[number].code == 0]
    found.written = len(written)
    data = site.path.read_bytes()
    if data != site.edited(*written):
        there = [
            number for number in numbers if site.edited(number) != site.old and b"a - %d\n" % number in data
        ]
        kind = "lost" if data == site.edited(*there) else "torn"
        found.note(kind, f"{len(written)} edits were reported, {len(there)} are there")
    site.journal_opens(found)
    return found


def clock_jumps(folder: Path, rng: random.Random) -> Found:
    """The clock stands anywhere from 1970 to 2100, elsewhere for each command, and the file's time is as wrong."""
    site, found = Site(folder, rng), Found()
    first, second = rng.sample(range(FUNCTIONS), 2)
    os.utime(site.path, (rng.uniform(0, 4e9),) * 2)
    site.start(first, _clock(rng.uniform(0, 4e9))).wait()
    if site.gone(found):
        return found
    if site.path.read_bytes() != site.edited(first):
        found.note("lost", "an edit under a wrong clock was not written")
        return found
    site.old = site.path.read_bytes()
    os.utime(site.path, (rng.uniform(0, 4e9),) * 2)
    site.look(found, site.start(second, _clock(rng.uniform(0, 4e9))).wait(), second)
    return found


def _clock(start: float) -> Callable[[], None]:
    """`time.time` as of `start`, jumping by up to an hour at every look."""
    rng = random.Random(start)

    def set_clock() -> None:
        time.time = lambda: start + rng.uniform(0, 3600)

    return set_clock


FAULTS: dict[str, Callable[[Path, random.Random], Found]] = {
    "kill -9 at any moment": killed,
    "kill -9 while writing": killed_while_writing,
    "kill -9 while undoing": killed_while_undoing,
    "disk full": disk_full,
    "limit on file sizes": limit_on_sizes,
    "permission lost": permission_lost,
    "concurrent applies": racing,
    "clock jumps": clock_jumps,
}
