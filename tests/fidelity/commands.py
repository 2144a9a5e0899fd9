"""`fastedit` commands as real processes, forked from this one so that none of them waits for imports.

Each has files of its own for its streams, its own journal, and its exit code. The process that forks must not have
loaded torch or started threads.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO

from typer.testing import CliRunner


@dataclass(frozen=True, slots=True)
class Finished:
    """`code` is negative for the signal that ended the process."""

    code: int
    out: bytes
    err: str


def run(
    args: Sequence[str], folder: Path, *, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> Finished:
    """Run `fastedit` with `args` in `folder` to its end."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        _imported()
        streams = (given, out, err)
        process = get_context("fork").Process(target=_become, args=(args, folder, environment or {}, streams))
        process.start()
        process.join()
        assert process.exitcode is not None
        out.seek(0)
        err.seek(0)
        return Finished(process.exitcode, out.read(), err.read().decode("utf-8", "replace"))


def _become(
    args: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Sequence[BinaryIO]
) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    os.chdir(folder)
    os.environ.update(environment)
    sys.argv = ["fastedit", *args]
    from fastedit.cli import main

    main()


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
