"""Where a result goes: onto the screen, into the file, into another one; held back while it is suspect."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

from fastedit.cli import console
from fastedit.cli.inputs import STDIN, Delivery
from fastedit.cli.report import as_json, diff_of, receipt_line, verification_line
from fastedit.edit.request import EditRequest
from fastedit.edit.result import EditResult, Status
from fastedit.edit.write import atomic_write
from fastedit.errors import Cancelled, SuspectResult

if TYPE_CHECKING:
    from fastedit.engine import Verification


def deliver(
    wanted: Delivery, request: EditRequest, result: EditResult, verification: Verification | None
) -> None:
    """Raises SuspectResult where checks or replay hold the result back, Cancelled where a person does."""
    held = list(result.reasons) if result.status is Status.SUSPECT else []
    if verification is not None and not verification.identical:
        held.append(verification_line(verification))
    data = result.data
    if wanted.shows:
        _show(wanted, result)
    if not wanted.json:
        console.say(receipt_line(result))
        if verification is not None:
            console.say(verification_line(verification))
    written = (wanted.force or not held) and _put(wanted, request, result, data)
    if wanted.json:
        text = as_json(result, wanted.name, data, written, verification)
        console.emit(f"{text}\n".encode())
    if held and wanted.force:
        console.say(f"delivered all the same: {'; '.join(held)}")
    elif held:
        reasons = "; ".join(held)
        raise SuspectResult(f"{wanted.path}: suspect, nothing was written: {reasons}{_way_out(result)}")


def _way_out(result: EditResult) -> str:
    if result.alternative is not None:
        return " (--json shows both opinions, --policy model or merge takes one, --force takes this one)"
    if not result.hunks:
        return " (say it in other words, or give the changed code with --update)"
    return " (--force takes it all the same)"


def _show(wanted: Delivery, result: EditResult) -> None:
    diff = diff_of(result, wanted.name)
    if not sys.stdout.isatty():
        console.emit(_for_pipe(diff, result.document.encoding))
        return
    console.emit(console.for_terminal(diff))
    if result.alternative is not None:
        console.emit(b"\nThe other opinion:\n")
        console.emit(console.for_terminal(diff_of(result, wanted.name, result.alternative)))


def _for_pipe(diff: str, encoding: str) -> bytes:
    """Names as the file system has them, lines as the file has them, since `patch` compares bytes."""
    if encoding.startswith("utf-16"):
        encoding = "utf-8"  # no tool reads a diff in UTF-16
    names, at, lines = diff.partition("\n@@")
    return os.fsencode(names) + (at + lines).encode(encoding)


def _put(wanted: Delivery, request: EditRequest, result: EditResult, data: bytes) -> bool:
    """Writes where it is wanted; whether it did."""
    if wanted.output == STDIN:
        console.emit(data)
        return False
    if wanted.output:
        console.past_cancelling()
        atomic_write(wanted.output, data, None)
        console.say(f"wrote {wanted.output}")
        return True
    if not result.hunks or not (wanted.write or wanted.asks):
        return False
    if wanted.asks and not _agreed(wanted.path):
        raise Cancelled
    # A sketch begins with a marker more often than not; what it adds says more.
    added = (line for hunk in result.hunks for line in hunk.lines if line.strip())
    words = request.instruction or next(added, "lines removed")
    console.past_cancelling()
    from fastedit.edit.save import save  # with the journal's SQLite, which a diff does not need

    undoable = save(result.document, data, words, len(result.hunks), console.say)
    way_back = f"; `fastedit undo {_argument(wanted.path)}` takes it back" if undoable else ""
    console.say(f"wrote {wanted.path}{way_back}")
    return True


def _argument(path: str) -> str:
    """A path as a shell takes it."""
    return shlex.quote(os.path.join(".", path) if path.startswith("-") else path)


def _agreed(path: str) -> bool:
    answer = b""
    try:
        print(f"Write {console.pictured(path)}? [y/N] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.buffer.readline()
    finally:
        if not answer.endswith(b"\n"):  # Ctrl-C or Ctrl-D: what is said next begins a line
            print(file=sys.stderr)
    return answer.strip().lower() in (b"y", b"yes")
