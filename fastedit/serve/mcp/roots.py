"""The folders that a client may touch files in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from fastedit.errors import FileUnreadable, UsageError
from fastedit.files.paths import refuse_device, refuse_repository, slashed


class Roots:
    """One or more folders; relative paths are looked up in the first."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Raises UsageError for what is no folder."""
        for folder in folders:
            if not folder.is_dir():
                raise UsageError(f"{folder}: is not a folder; name one with --root")
        self._folders = tuple(Path(os.path.realpath(folder)) for folder in folders)
        self._given = tuple(os.path.abspath(folder) for folder in folders)

    def resolve(self, path: str) -> Path:
        """The file that a path means, links followed. Raises FileUnreadable for one outside or in `.git`, for pipes and
        devices."""
        if "\0" in path:
            raise FileUnreadable("the path holds a NUL character; check the path")
        try:
            literal = self._folders[0] / path
            real = Path(
                os.path.realpath(literal if os.path.lexists(literal) else self._folders[0] / slashed(path))
            )
        except UnicodeError:
            raise FileUnreadable("the path holds half a character; check the path") from None
        holding = next((folder for folder in self._folders if real.is_relative_to(folder)), None)
        if holding is None:
            allowed = ", ".join(map(str, self._folders))
            raise FileUnreadable(
                f"{path}: lies outside {allowed}; start the server with a --root that holds it"
            )
        refuse_repository(real.relative_to(holding).parts, path)
        refuse_device(real, path)
        return real

    def name(self, file: Path) -> str:
        """The path of a resolved file from the root that holds it."""
        return file.relative_to(self.holding([str(file)])).as_posix()

    def folder(self, path: str) -> Path:
        """A folder within the roots. Raises FileUnreadable for one outside, or for a file."""
        folder = self.resolve(path)
        if not folder.is_dir():
            raise FileUnreadable(f"{path}: is not a folder; name the one that the paths start from")
        return folder

    def spelled(self, root: Path) -> tuple[str, ...]:
        """How a folder within the roots is written by whoever writes these as the server was started with them."""
        pairs = zip(self._folders, self._given, strict=True)
        return tuple(
            os.path.normpath(os.path.join(given, root.relative_to(folder)))
            for folder, given in pairs
            if root.is_relative_to(folder)
        )

    def holding(self, paths: Iterable[str]) -> Path:
        """The root that the first absolute one of `paths` lies in, else the first root."""
        whole = next((path for path in paths if os.path.isabs(path)), "")
        try:
            real = Path(os.path.realpath(os.path.dirname(whole)))
        except ValueError:
            return self._folders[0]
        return next((folder for folder in self._folders if real.is_relative_to(folder)), self._folders[0])
