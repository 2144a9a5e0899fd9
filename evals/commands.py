"""`fastedit` commands as real processes, forked from this one so that none of them waits for imports.

Each has files of its own for its streams, its own journal, and its exit code; it can be killed like any process. The
process that forks must not have loaded torch or started threads.
"""

from __future__ import annotations

import os
import select
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

from typer.testing import CliRunner


@dataclass(frozen=True, slots=True)
class Finished:
    """`code` is negative for the signal that ended the process."""

    code: int
    out: bytes
    err: str


class Command:
    """One process that runs `fastedit` with `args` in `folder`."""

    def __init__(
        self,
        args: Sequence[str],
        folder: Path,
        *,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        """`prepare` runs in the new process before the command."""
        self._streams: list[BinaryIO] = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115
        self._streams[0].write(stdin)
        self._streams[0].seek(0)
        _imported()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._become(args, folder, environment or {}, prepare)

    def ends_within(self, seconds: float) -> bool:
        """Wait for its end, but no longer than this."""
        handle = os.pidfd_open(self.pid)
        try:
            return bool(select.select([handle], [], [], seconds)[0])
        finally:
            os.close(handle)

    def wait(self) -> Finished:
        """What it left behind, once it has ended."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        for stream in self._streams[1:]:
            stream.seek(0)
        out, err = (stream.read() for stream in self._streams[1:])
        for stream in self._streams:
            stream.close()
        return Finished(code, out, err.decode("utf-8", "replace"))

    def _become(
        self, args: Sequence[str], folder: Path, environment: Mapping[str, str], prepare: Callable[[], None]
    ) -> None:
        code = 1
        try:
            for number, stream in enumerate(self._streams):
                os.dup2(stream.fileno(), number)
            sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
            os.chdir(folder)
            os.environ.update(environment)
            prepare()
            sys.argv = ["fastedit", *args]
            from fastedit.cli import main

            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            # Whatever flushing comes to, the copied process must not go on as its parent, which cleans up behind it.
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)


def run(
    args: Sequence[str], folder: Path, *, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> Finished:
    """Run `fastedit` with `args` to its end."""
    return Command(args, folder, stdin=stdin, environment=environment).wait()


@cache
def _imported() -> None:
    """What an apply without a model imports, grammars included, by an apply in this process, once for all commands."""
    from fastedit.cli.app import app

    with tempfile.TemporaryDirectory() as name:
        file, sketch = Path(name, "a.py"), Path(name, "sketch")
        file.write_text("def f(a):\n    b = a\n    return b\n")
        sketch.write_text("def f(a):\n    b = a + 1\n    return b\n")
        done = CliRunner().invoke(app, ["apply", str(file), "-u", str(sketch), "--policy", "merge", "--diff"])
    assert done.exit_code == 0, done.output or repr(done.exception)
    assert "torch" not in sys.modules, "a process with torch must not fork commands"
