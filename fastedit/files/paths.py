"""Paths that an edit names, held inside one root, and the names of files in a diff."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from fastedit.errors import FileUnreadable

_ABSOLUTE = re.compile(r"/|~(?:/|$)|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*:/")  # also a home, a drive or a URL
# As git itself takes names for it on any system: NTFS has a short name, and leaves dots and spaces at the end out.
_REPOSITORY = re.compile(r"(?:\.git|git~1)[. ]*(?::.*)?", re.IGNORECASE)
_LONGEST = 4096  # bytes


def resolved(path: str | Path) -> Path:
    """The whole path of a file, without links."""
    return Path(os.path.realpath(path))


def repository_of(folder: Path) -> Path | None:
    """The repository that a folder, by its whole path, is in."""
    return next((each for each in (folder, *folder.parents) if os.path.exists(each / ".git")), None)


def real_root(root: str | Path) -> Path:
    """The whole path of a root, without links. Raises FileUnreadable where it is no folder."""
    if not os.path.isdir(root):
        raise FileUnreadable(f"{root}: is not a folder; name the folder that the edit's paths start from")
    return resolved(root)


def inside(root: Path, path: str) -> Path:
    """The file that `path` means within a `real_root`, links followed. Raises FileUnreadable for one outside, and where
    a backslash may belong to a name."""
    parts = relative_parts(path)
    _refuse_two_readings(root, path)
    real = resolved(root.joinpath(*parts))
    if root not in real.parents:
        raise FileUnreadable(f"{path}: leads out of {root} by a symbolic link; name a file inside")
    refuse_repository(real.relative_to(root).parts, path)
    return real


def refuse_repository(parts: Iterable[str], path: str) -> None:
    """Raises FileUnreadable for a path within `.git`: git runs programs that its files name, so that who may write them
    may do anything."""
    if any(map(_REPOSITORY.fullmatch, parts)):
        raise FileUnreadable(f"{path}: lies in .git, which no edit may touch; change it with git")


def refuse_device(file: Path, name: str) -> None:
    """Raises FileUnreadable for pipes and devices, which are never read to their end, and for names that no file can
    have."""
    try:
        refused = file.exists() and not (file.is_file() or file.is_dir())
    except OSError as error:
        raise FileUnreadable(f"{name}: {error.strerror}; check the path") from None
    if refused:
        raise FileUnreadable(f"{name}: is a pipe or a device; name a file")


def link_in(root: Path, path: str) -> bool:
    """Whether the last part of `path` is a symbolic link."""
    return os.path.islink(root.joinpath(*relative_parts(path)))


def slashed(path: str) -> str:
    """The path with its parts told by slashes, where Windows writes backslashes."""
    return path.replace("\\", "/")


def relative_parts(path: str) -> list[str]:
    """The folders and the file that a relative path names, with slashes or as Windows writes it. Raises FileUnreadable
    for any other path."""
    if "\0" in path:
        raise FileUnreadable("the path holds a NUL character; check the path")
    try:
        size = len(os.fsencode(path))
    except UnicodeError:
        raise FileUnreadable("the path holds half a character; check the path") from None
    if size > _LONGEST:
        raise FileUnreadable(f"a path has {size} bytes, and no system takes more than {_LONGEST}; shorten it")
    plain = slashed(path)
    if _ABSOLUTE.match(plain):
        raise FileUnreadable(f"{path}: absolute paths are refused; write it from the root of the edit")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise FileUnreadable(f"{path}: paths with .. are refused; write it from the root of the edit")
    if not parts or plain.endswith(("/", "/.")):
        raise FileUnreadable(f"{path or 'the path'}: names no file; name one")
    refuse_repository(parts, path)
    return parts


def _refuse_two_readings(root: Path, path: str) -> None:
    """Raises FileUnreadable where a name with a backslash stands in a folder of the path, as it may outside of Windows:
    that, or the folders that the path has as Windows writes it."""
    if os.sep == "\\" or "\\" not in path:
        return
    names = path.split("/")
    first = next(at for at, name in enumerate(names) if "\\" in name)
    if os.path.lexists(root.joinpath(*names[: first + 1])):
        raise FileUnreadable(
            f"{path}: may mean {names[first]}, which stands there, or {slashed(path)}; rename the former"
        )


def patch_name(path: str, *, git: bool = False) -> str:
    """What a diff calls a file, links followed: its path from the current folder, where `patch -p1` and `git apply`
    look for it; for a file elsewhere its path from the root of its repository, or else of the file system.

    With `git`, for a section that begins `diff --git`, the repository goes first, as git reads such names from there.
    """
    real = resolved(path)
    if not os.path.exists(real):  # a descriptor's link leads to no file
        real = Path(os.path.abspath(path))
    repository, current = repository_of(real.parent), Path.cwd()
    starts = (repository, current) if git else (current, repository)
    start = next((folder for folder in starts if folder in real.parents), None)
    return real.relative_to(start or real.anchor).as_posix()
