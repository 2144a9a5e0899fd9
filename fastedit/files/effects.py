"""What an edit does to files, by path within a root and resolved to bytes.

`expected_sha256` (hex) is of the bytes that the edit was made for.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CreateFile:
    path: str
    data: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceFile:
    path: str
    data: bytes
    expected_sha256: str


@dataclass(frozen=True, slots=True)
class DeleteFile:
    path: str
    expected_sha256: str


@dataclass(frozen=True, slots=True)
class RenameFile:
    """`data` None: the contents stay. An existing `to` is an error."""

    path: str
    to: str
    data: bytes | None
    expected_sha256: str


Effect = CreateFile | ReplaceFile | DeleteFile | RenameFile
