"""A command at a pseudo-terminal, and whoever sits there."""

from __future__ import annotations

import codecs
import multiprocessing
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

import fastedit
from fastedit.cli import main
from tests.cli.script import Script, installed

PACKAGE = str(Path(fastedit.__file__).parent)
PATIENCE_S = 120.0  # for a machine that has much else to do
# Commands are forked from a process that has imported them and has one thread. A fork of this process, where servers
# and readers of other tests run, has the locks that their threads held, and nobody who lets them go.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["fastedit.cli.apply", "fastedit.cli.change", "fastedit.engine.merge", "fastedit.engine.changes.again"]
)


def start(place: str, *args: object, interrupted_at: int | None = None) -> BaseProcess:
    """`fastedit args` in a process that reads and writes the file `place`."""
    words = tuple(map(str, args))
    here = (place, os.getcwd(), dict(os.environ))
    process = _FORKS.Process(target=_run, args=(words, here, installed(), interrupted_at))
    process.start()
    return process


def ended(process: BaseProcess) -> int:
    """The exit code. Fails where the process does not end."""
    process.join(PATIENCE_S)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise AssertionError(f"the command did not end within {PATIENCE_S:g} s")
    return process.exitcode


def _run(
    args: tuple[str, ...], here: tuple[str, str, dict[str, str]], script: Script | None, step: int | None
) -> None:
    place, folder, environment = here
    os.setsid()
    for number in range(3):
        os.dup2(os.open(place, os.O_RDWR), number)  # the first terminal that a session opens is its own
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if script is not None:
        sys.modules["fastedit.engine"] = script.module
    code = 1
    try:
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        sys.argv = ["fastedit", *args]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if step is not None:
            sys.settrace(_interrupt_at(step))
        main()
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    finally:
        sys.settrace(None)
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)


def _interrupt_at(step: int) -> Callable[..., object]:
    """Makes Ctrl-C come before the given line that runs within the package."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            count += 1
            if count == step:
                signal.raise_signal(signal.SIGINT)
        return trace

    return trace


class Terminal:
    def __init__(self, process: BaseProcess, master: int) -> None:
        self._process, self._master = process, master
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a character may come in two pieces
        self.seen = ""

    def wait_for(self, text: str) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            over = (
                not self._process.is_alive()
            )  # asked first: what it said before it ended is there to be read
            if not self._read() and (over or time.monotonic() > give_up):
                raise AssertionError(f"{text!r} was not shown, but: {self.seen}")

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait(self) -> int:
        """The exit code."""
        give_up = time.monotonic() + PATIENCE_S
        while self._process.is_alive() and time.monotonic() < give_up:
            self._read()
        code = ended(self._process)
        while self._read():
            pass
        return code

    def _read(self) -> bool:
        """Whether there was anything to read, waiting for it a little."""
        if not select.select([self._master], [], [], 0.02)[0]:
            return False
        self.seen += self._decoder.decode(os.read(self._master, 1 << 16))
        return True


@contextmanager
def terminal(*args: object) -> Iterator[Terminal]:
    """`fastedit args` at a terminal, ended with this."""
    master, slave = pty.openpty()  # the slave stays open here, or the master could not be read after the end
    process = start(os.ttyname(slave), *args)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.join()
        os.close(slave)
        os.close(master)
