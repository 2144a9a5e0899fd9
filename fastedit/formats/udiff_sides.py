"""The folders before and after, where a diff names its files by them: `diff -ru old new`, `git diff --src-prefix`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.formats.base import IsFile
from fastedit.formats.udiff_header import FileHeader
from fastedit.formats.udiff_patch import FilePatch


def without_sides(patches: Sequence[FilePatch], is_file: IsFile) -> list[FilePatch]:
    """The patches, with their files named as they are below the two folders, where it is there that they stand.

    A pair of folders is decided on as one: nothing in them may be a file here, and something below them has to be one,
    or to be made.
    """
    pairs: dict[tuple[str, str], list[FileHeader]] = {}
    for patch in patches:
        if pair := patch.header.folders:
            pairs.setdefault(pair, []).append(patch.header)
    sides = {pair for pair, headers in pairs.items() if _are_sides(headers, is_file)}
    return [
        replace(patch, header=replace(patch.header, below=True)) if patch.header.folders in sides else patch
        for patch in patches
    ]


def _are_sides(headers: Sequence[FileHeader], is_file: IsFile) -> bool:
    names = (name for header in headers for name in header.names)
    if any(name is not None and is_file(name) for name in names):
        return False
    below = (replace(header, below=True) for header in headers)
    return any(header.created or (header.path is not None and is_file(header.path)) for header in below)
