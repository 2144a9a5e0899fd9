"""The workspace's files by the paths that a message uses: open buffers first, then files on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from fastedit.errors import FasteditError, FileUnreadable
from fastedit.files.paths import inside, real_root, relative_parts, slashed
from fastedit.source.document import Document
from fastedit_lsp.buffers import Buffer, Buffers

Found = TypeVar("Found")


class WorkspaceFiles:
    """The files as they are now, for `fastedit.engine.changes.change`. What is typed later is not seen.

    `front` is the URI of the file that the person looks at. Without a folder, paths start from that file's folder.
    """

    def __init__(self, buffers: Buffers, folders: Iterable[Path], front: str | None) -> None:
        self._buffers = buffers.copy()
        self._front = self._in_front(front)
        at = None if self._front is None else self._front.file
        self._folders = tuple(folders) or (() if at is None else (at.parent,))
        self._open = {buffer.file: buffer for buffer in self._buffers.all if buffer.file is not None}
        self._found: dict[str, Buffer | None] = {}

    @property
    def front(self) -> str | None:
        """The path that stands for the file in front."""
        if self._front is None:
            return None
        at = self._front.file
        return str(self._front.path) if at is None else self._within(at)

    @property
    def roots(self) -> tuple[str, ...]:
        """The names of the one folder; of several, only a whole path says which is meant."""
        return tuple(map(str, self._folders)) if len(self._folders) == 1 else ()

    @property
    def read_so_far(self) -> tuple[Buffer, ...]:
        return tuple(buffer for buffer in self._found.values() if buffer is not None)

    def read(self, path: str) -> Document | None:
        buffer = self.find(path)
        return None if buffer is None else replace(buffer.document, path=Path(path))

    def find(self, path: str) -> Buffer | None:
        """None where there is no such file. Raises FileUnreadable for a path outside, or in several folders."""
        if path not in self._found:
            self._found[path] = self._look(path)
        return self._found[path]

    def existing(self, path: str | None) -> str | None:
        """The address of the file that an edit of one file is for; None where it is still to be made.

        A path that leads nowhere may be a short way to say the file in front. Raises FileUnreadable.
        """
        if path is None:
            return None if self._front is None else self._front.uri
        try:
            buffer = self.find(path)
        except FileUnreadable:
            if not self._ends_front(path):
                raise
            buffer = None
        if buffer is None and self._ends_front(path):
            buffer = self._front
        return None if buffer is None else buffer.uri

    def uri(self, path: str) -> str:
        """The file's address, or the one that a new file gets: in the folder that the file in front is in."""
        buffer = self.find(path)
        if buffer is not None:
            return buffer.uri
        places = self._named(path) or self._places(path)
        chosen = list(self._near(places).values())
        if len(chosen) > 1:
            raise FileUnreadable(
                f"{path}: several folders are open; open a file of the one in which it is to be made"
            )
        return chosen[0].as_uri()

    def _in_front(self, uri: str | None) -> Buffer | None:
        """None for what is no text to edit, such as another program's view."""
        if uri is None:
            return None
        return self._buffers.get(uri) if uri.startswith("file:") else self._buffers.find(uri)

    def _ends_front(self, path: str) -> bool:
        at = None if self._front is None else self._front.path
        if at is None:
            return False
        mine, theirs = Path(slashed(path)).parts, at.parts
        shared = min(len(mine), len(theirs))
        return shared > 0 and mine[-shared:] == theirs[-shared:]

    def _look(self, path: str) -> Buffer | None:
        if self._front is not None and path == self.front:
            return self._front
        there = self._at(self._places(path)) or self._at(self._named(path))
        found = {buffer.uri: buffer for buffer in self._near(there).values()}
        if len(found) > 1:
            names = " and ".join(str(buffer.path) for buffer in found.values())
            raise FileUnreadable(f"{path}: may be {names}; write the whole path of the one that is meant")
        return next(iter(found.values()), None)

    def _at(self, places: Mapping[Path, Path]) -> dict[Path, Buffer]:
        """The files at these places, by folder."""
        there: dict[Path, Buffer] = {}
        for folder, place in places.items():
            buffer = self._open.get(place) or self._open.get(Path(os.path.realpath(place)))
            if buffer is None and os.path.lexists(place):
                buffer = self._buffers.get(place.as_uri())
            if buffer is not None:
                there[folder] = buffer
        return there

    def _near(self, places: Mapping[Path, Found]) -> Mapping[Path, Found]:
        """Of several folders the one that the file in front is in, where it is in one of them."""
        at = None if self._front is None else self._front.file
        return {
            folder: found for folder, found in places.items() if at is not None and at.is_relative_to(folder)
        } or places

    def _named(self, path: str) -> dict[Path, Path]:
        """Where a path leads that begins with the name of one of several folders, as editors show them."""
        first, *rest = Path(slashed(path)).parts or ("",)
        folders = [folder for folder in self._folders if folder.name == first]
        return self._places("/".join(rest), folders) if rest and folders and len(self._folders) > 1 else {}

    def _places(self, path: str, folders: Sequence[Path] = ()) -> dict[Path, Path]:
        """Where a path leads, by folder. Raises FileUnreadable where that is in none of them."""
        if not self._folders:
            raise FileUnreadable(f"{path}: no folder is open; open the one that the change is for")
        places: dict[Path, Path] = {}
        refusal: FasteditError | None = None
        for folder in folders or self._folders:
            whole = Path(path)
            relative = whole.relative_to(folder).as_posix() if whole.is_relative_to(folder) else path
            try:
                inside(real_root(folder), relative)
                places[folder] = folder.joinpath(*relative_parts(relative))
            except FileUnreadable as error:
                refusal = error
        if refusal is not None and not places:
            raise refusal
        return places

    def _within(self, at: Path) -> str:
        for folder in self._folders:
            if at.is_relative_to(folder):
                return at.relative_to(folder).as_posix()
        return str(at)
