"""Every error a user can meet, in one tree. The code is shared by the CLI, HTTP and LSP.

FasteditError
├── UsageError          exit 2   the request contradicts itself
├── SuspectResult       exit 3   the checks hold the result back; nothing was written
├── InputRefused        exit 4   the file or the update cannot be worked on
│   ├── FileUnreadable           missing, a folder, no permission
│   ├── Undecodable              bytes that no declared encoding explains, binary, NUL
│   ├── AnchorNotFound           the update or symbol points nowhere, or to several places
│   ├── TooLong                  more than the model's context holds
│   ├── StaleFile                changed on disk since it was read
│   ├── WriteFailed              the disk is full, the folder is read-only
│   └── JournalUnavailable       what undo needs cannot be read or kept
├── ModelUnavailable    exit 5   weights missing, broken or unsupported
└── Cancelled           exit 130
"""

from __future__ import annotations

from typing import ClassVar


class FasteditError(Exception):
    """Base class. `str(error)` is one line that names the thing and the way out."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1


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


class StaleFile(InputRefused):
    code = "stale_file"


class WriteFailed(InputRefused):
    code = "write_failed"


class JournalUnavailable(InputRefused):
    code = "journal_unavailable"


class ModelUnavailable(FasteditError):
    code = "model_unavailable"
    exit_code = 5


class Cancelled(FasteditError):
    code = "cancelled"
    exit_code = 130

    def __init__(self, message: str = "the edit was cancelled: nothing was written") -> None:
        super().__init__(message)
