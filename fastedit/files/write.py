"""What is to be known before one file is replaced: what it holds, whether it can be written, and its other names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from fastedit.files.change import ContentChange
from fastedit.files.folder import opened
from fastedit.files.paths import resolved
from fastedit.files.staging import contents, existing, explained, fill, new, remove, temporary_name


def replacing(path: str | Path, data: bytes) -> ContentChange:
    """The change that makes `data` the contents of whatever file is at `path`; nothing need be there.

    Mode, owner and extended attributes stay as far as the system lets them. A symbolic link stays one and its target is
    written; other hard links keep the old contents. Raises WriteFailed.
    """
    target, name = resolved(path), str(path)
    with explained(name), opened(target.parent, target.parent) as folder:
        there = existing(folder, target.name, name)
        before = None if there is None else contents(folder, target.name)
    return ContentChange(target, name, before, data, like=None if there is None else target)


def links_note(path: Path, name: str) -> Iterator[str]:
    """What a person should know before `path` is replaced: a line where the file has other names (hard links)."""
    with contextlib.suppress(OSError):
        others = path.lstat().st_nlink - 1
        if others > 0:
            names = (
                f"{others} other names, hard links, which keep"
                if others > 1
                else "another name, a hard link, which keeps"
            )
            yield f"{name}: the file has {names} the old text"


def rehearse(path: str | Path, size: int, root: Path | None = None, name: str = "") -> None:
    """Raises WriteFailed where `size` bytes could not be written to `path` now; leaves nothing behind.

    Called before the work that makes those bytes. Writing them may still fail: much can happen meanwhile. No link is
    followed below a `root`; `name` is what errors call the file.
    """
    target, name = resolved(path), name or str(path)
    with explained(name), opened(root or target.parent, target.parent) as folder:
        existing(folder, target.name, name)
        temporary = temporary_name()
        file = new(folder, temporary, 0o600)
        try:
            remove(folder, temporary)  # before it takes long: nobody would find it who could take it away
            fill(file, bytes(size))
        finally:
            os.close(file)
