"""The folders that a client may touch files in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fastedit.errors import FileUnreadable, UsageError


class Roots:
    """One or more folders; relative paths are looked up in the first."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Raises UsageError for what is no folder."""
        for folder in folders:
            if not folder.is_dir():
                raise UsageError(f"{folder}: is no folder; name one with --root")
        self._folders = tuple(Path(os.path.realpath(folder)) for folder in folders)

    def resolve(self, path: str) -> Path:
        """The file that a path means, links followed. Raises FileUnreadable for one outside and for pipes and devices,
        which are never read to their end."""
        if "\0" in path:
            raise FileUnreadable("the path holds a NUL character; check the path")
        try:
            real = Path(os.path.realpath(self._folders[0] / path))
        except UnicodeError:
            raise FileUnreadable("the path holds half a character; check the path") from None
        if not any(real.is_relative_to(folder) for folder in self._folders):
            allowed = ", ".join(map(str, self._folders))
            raise FileUnreadable(
                f"{path}: lies outside {allowed}; start the server with a --root that holds it"
            )
        if real.exists() and not (real.is_file() or real.is_dir()):
            raise FileUnreadable(f"{path}: is a pipe or a device; name a file")
        return real
