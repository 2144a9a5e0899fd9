"""What an edit comes to on disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one file, by path within a root. The effects of an edit are all of one moment: none comes first.

    `path` is its name before, None for a new file, and `to` its name after, None for a deleted one. `data` are the new
    contents; None where they stay. `expected_sha256` (hex) is of the bytes that the edit was made for.
    """

    path: str | None
    to: str | None
    data: bytes | None = None
    expected_sha256: str | None = None
    executable: bool = False
