"""The text files under one root, by the paths that an edit names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from fastedit.errors import FileUnreadable, InputRefused
from fastedit.files.folder import opened
from fastedit.files.paths import inside, real_root, refuse_device
from fastedit.files.write import rehearse
from fastedit.source.document import Document

_MOST = 20_000  # files and folders that are looked through for a name


def read_inside(root: Path, file: Path) -> Document:
    """The text file at a path without links within a `real_root`; a link that was put in its way since leads nowhere.
    Raises FileUnreadable, Undecodable or TooLong."""
    if file == root:
        raise FileUnreadable(f"{root}: is a folder; name a file in it")

    def open_there(path: str, flags: int) -> int:
        with opened(root, file.parent) as folder:
            return os.open(file.name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)

    return Document.read(file, open_there)


class Tree:
    """Reads for `fastedit.engine.changes.change` what `fastedit.files.transaction` would change."""

    def __init__(self, root: str | Path) -> None:
        """Raises FileUnreadable for what is no folder."""
        self.root = real_root(root)

    def read(self, path: str) -> Document | None:
        """None where there is no such file. Raises InputRefused for one outside, and for what is no text file."""
        real = inside(self.root, path)
        if not os.path.lexists(real):
            return None
        refuse_device(real, path)
        try:
            return read_inside(self.root, real)
        except InputRefused as error:
            raise type(error)(f"{path}: {str(error).removeprefix(f'{real}: ')}") from None

    def named(self, name: str) -> list[str]:
        """The paths of the files that are called so, of the first thousands and outside of hidden folders."""
        found: list[str] = []
        left = _MOST
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            if name in files:
                found.append(Path(folder, name).relative_to(self.root).as_posix())
            left -= len(folders) + len(files)
            if left < 0:
                break
        return found

    def rehearse(self, paths: Iterable[str]) -> None:
        """Raises WriteFailed for a file that could not be written, before the work that makes its new text. What is no
        file is told when it is read."""
        for path in paths:
            real = inside(self.root, path)
            if real.is_file():
                rehearse(real, 0, self.root, path)
