"""Every error a user can meet, in one tree. The code is shared by the CLI, HTTP and LSP.

FasteditError
├── UsageError          exit 2   the request contradicts itself
├── SuspectResult       exit 3   the checks hold the result back; nothing was written
├── InputRefused        exit 4   the file or the update cannot be worked on
│   ├── FileUnreadable           missing, a folder, no permission
│   ├── Undecodable              bytes that no declared encoding explains, binary, NUL
│   ├── AnchorNotFound           the update or symbol points nowhere, or to several places
│   ├── TooLong                  more than the model's context holds
│   ├── UnreadableEdit           an edit is truncated or malformed
│   ├── UnplacedHunk             a hunk matches nowhere, or in several places
│   ├── OperationRefused         an operation is malformed, or cannot be carried out in this file
│   │   └── TargetUnresolved     its target is missing or ambiguous
│   ├── StaleFile                changed on disk since it was read
│   ├── WriteFailed              the disk is full, the folder is read-only
│   └── JournalUnavailable       what undo needs cannot be read or kept
├── ModelUnavailable    exit 5   weights missing, broken or unsupported
├── UnreadableAnswer    exit 5   what the model wrote is not an edit of the file
└── Cancelled           exit 130
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fastedit.formats.report import Report
    from fastedit.ops.base import Candidate


def not_installed(what: str, extra: str) -> str:
    """How to get what only an extra brings. fastedit is in no index yet, so pip is given its folder."""
    return f"{what} is not installed; run in fastedit's folder: pip install '.[{extra}]'"


def reason(error: BaseException) -> str:
    """What went wrong elsewhere, in one line: libraries write many."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


class WayOut(StrEnum):
    """What a way out can be taken by: a field of `EditRequest`, the engine's model, edits of several files, the log."""

    INSTRUCTION = "instruction"
    UPDATE = "update"
    SYMBOL = "symbol"
    LINES = "lines"
    LANGUAGE = "language"
    POLICY = "policy"
    PLAN = "plan"
    MODEL = "model"
    CONNECT = "connect"  # a strong model, where there is none
    CHANGE = "change"
    FILES = "files"  # those that an edit may change
    LOG = "log"  # the edits that were written


NARROWER = (WayOut.SYMBOL, WayOut.LINES)  # what asks for less of a file


class FasteditError(Exception):
    """Base class. `str(error)` is one line that names the thing and the way out; `ways_out` are what that is taken by,
    for each surface to spell."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str = "", *, ways_out: Sequence[WayOut] = ()) -> None:
        super().__init__(message)
        self.ways_out = ways_out

    def spelled(self, spelling: Mapping[WayOut, str]) -> list[str]:
        """The ways out in a surface's spelling, each once; those that it does not have are left out."""
        return list(dict.fromkeys(spelling[way] for way in self.ways_out if way in spelling))

    def worded(self, spelling: Mapping[WayOut, str]) -> str:
        """The line, followed by its ways out."""
        line, names = " ".join(str(self).split()), self.spelled(spelling)
        return f"{line} ({', '.join(names)})" if names else line


@contextmanager
def naming(thing: object, kind: type[FasteditError]) -> Iterator[None]:
    """Has an error of this kind begin with the thing it is about, where there is one."""
    try:
        yield
    except kind as error:
        if thing is not None:
            error.args = (f"{thing}: {error}",)
        raise


class UsageError(FasteditError):
    code = "usage"
    exit_code = 2


class SuspectResult(FasteditError):
    code = "suspect"
    exit_code = 3


class InputRefused(FasteditError):
    code = "input_refused"
    exit_code = 4


class FileUnreadable(InputRefused):
    code = "file_unreadable"


class Undecodable(InputRefused):
    code = "undecodable"


class AnchorNotFound(InputRefused):
    code = "anchor_not_found"


class TooLong(InputRefused):
    code = "too_long"


class UnreadableEdit(InputRefused):
    code = "unreadable_edit"


class UnplacedHunk(InputRefused):
    """`reports` are of all hunks of the edit, also of those that have a place."""

    code = "unplaced_hunk"

    def __init__(
        self, message: str, reports: tuple[Report, ...] = (), *, ways_out: Sequence[WayOut] = ()
    ) -> None:
        super().__init__(message, ways_out=ways_out)
        self.reports = reports


class OperationRefused(InputRefused):
    code = "operation_refused"


class TargetUnresolved(OperationRefused):
    """`candidates` are the places that the target can mean."""

    code = "target_unresolved"

    def __init__(self, message: str, candidates: tuple[Candidate, ...] = ()) -> None:
        super().__init__(message)
        self.candidates = candidates


class StaleFile(InputRefused):
    code = "stale_file"


class WriteFailed(InputRefused):
    code = "write_failed"


class JournalUnavailable(InputRefused):
    code = "journal_unavailable"


class ModelUnavailable(FasteditError):
    code = "model_unavailable"
    exit_code = 5


class UnreadableAnswer(FasteditError):
    """`repairable`: another answer to the same question may do."""

    code = "unreadable_answer"
    exit_code = 5

    def __init__(self, message: str, *, repairable: bool = True, ways_out: Sequence[WayOut] = ()) -> None:
        super().__init__(message, ways_out=ways_out)
        self.repairable = repairable


class Cancelled(FasteditError):
    code = "cancelled"
    exit_code = 130

    def __init__(self, message: str = "the edit was cancelled: nothing was written") -> None:
        super().__init__(message)
