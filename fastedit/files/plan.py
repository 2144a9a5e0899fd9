"""What a sequence of effects comes to: one change for each path, each effect checked against those before it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fastedit.errors import FileUnreadable, StaleFile, UnreadableEdit, WriteFailed
from fastedit.files.change import Change
from fastedit.files.effects import CreateFile, DeleteFile, Effect, RenameFile, ReplaceFile
from fastedit.files.folder import opened
from fastedit.files.paths import inside, link_in, real_root
from fastedit.files.staging import contents, existing, explained
from fastedit.files.write import links_note


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes to be made in `root`; files that stay the same are left out."""

    root: Path
    changes: tuple[Change, ...]

    def notes(self) -> list[str]:
        """What a person should know before: a line for each file that has hard links."""
        return [line for change in self.changes for line in links_note(change.path, change.name)]

    def lines(self) -> list[str]:
        """What would happen, a line for each file."""
        names = {change.path: change.name for change in self.changes}
        origins = {
            change.path: change.like for change in self.changes if change.like not in (None, change.path)
        }
        lines = []
        for change in self.changes:
            if origin := origins.get(change.path):
                lines.append(f"rename {names[origin]} to {change.name}")
            elif not change.deletes:
                lines.append(f"{'create' if change.creates else 'replace'} {change.name}")
            elif change.path not in origins.values():
                lines.append(f"delete {change.name}")
        return lines


def make_plan(root: str | Path, effects: Iterable[Effect]) -> Plan:
    """Raises FileUnreadable, StaleFile, WriteFailed or UnreadableEdit for the first effect that is impossible."""
    tree = _Tree(real_root(root))
    for effect in effects:
        match effect:
            case CreateFile():
                tree.create(effect)
            case ReplaceFile():
                tree.replace(effect)
            case DeleteFile():
                tree.delete(effect)
            case RenameFile():
                tree.rename(effect)
    return Plan(tree.root, tree.changes())


@dataclass(frozen=True, slots=True)
class _File:
    """A file as the effects so far leave it. `like` is the file on disk whose attributes it has."""

    data: bytes
    like: Path | None = None
    executable: bool = False


class _Tree:
    """The files under a root as the effects so far leave them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._names: dict[Path, str] = {}
        self._disk: dict[Path, _File | None] = {}
        self._now: dict[Path, _File | None] = {}
        self._inodes: dict[tuple[int, int], str] = {}

    def create(self, effect: CreateFile) -> None:
        path = self._place(effect.path)
        origin = self._disk[path]
        like = origin.like if origin and not effect.executable else None
        self._now[path] = _File(effect.data, like, effect.executable)

    def replace(self, effect: ReplaceFile) -> None:
        path, file = self._found(effect.path, effect.expected_sha256)
        self._now[path] = replace(file, data=effect.data)

    def delete(self, effect: DeleteFile) -> None:
        self._refuse_link(effect.path)
        path, _ = self._found(effect.path, effect.expected_sha256)
        self._now[path] = None

    def rename(self, effect: RenameFile) -> None:
        self._refuse_link(effect.path)
        path, file = self._found(effect.path, effect.expected_sha256)
        if inside(self.root, effect.to) == path:
            raise UnreadableEdit(f"{effect.path}: is renamed to itself; name another file or leave it out")
        to = self._place(effect.to)
        self._now[path] = None
        self._now[to] = file if effect.data is None else replace(file, data=effect.data)

    def changes(self) -> tuple[Change, ...]:
        """Raises UnreadableEdit where one path would have to be a file and a folder."""
        files = {path for path, file in self._now.items() if file}
        changes = []
        for path, file in self._now.items():
            if file and (folder := next((parent for parent in path.parents if parent in files), None)):
                raise UnreadableEdit(
                    f"{self._names[path]}: lies in {self._names[folder]}, which the edit makes a file; "
                    "rename one of them"
                )
            origin = self._disk[path]
            change = Change(path, self._names[path], origin.data if origin else None, None)
            if file:
                change = replace(change, after=file.data, like=file.like, executable=file.executable)
            if change.before != change.after:
                changes.append(change)
        return tuple(changes)

    def _found(self, name: str, expected_sha256: str) -> tuple[Path, _File]:
        path = self._look(name)
        file = self._now[path]
        if file is None and self._disk[path]:
            raise UnreadableEdit(f"{name}: was deleted or renamed earlier in the edit; change it before that")
        if file is None:
            raise FileUnreadable(f"{name}: no such file; check the path")
        if sha256(file.data).hexdigest() != expected_sha256:
            if file != self._disk[path]:
                raise UnreadableEdit(f"{name}: is changed twice in the edit; join the two changes")
            raise StaleFile(f"{name}: changed on disk since it was read; apply the edit again")
        return path, file

    def _place(self, name: str) -> Path:
        """Where a file can be put."""
        self._refuse_link(name)
        path = self._look(name)
        if self._now[path]:
            if self._disk[path]:
                raise WriteFailed(f"{name}: is there already; change that file or choose another name")
            raise UnreadableEdit(f"{name}: is made twice in the edit; leave one out or choose another name")
        return path

    def _refuse_link(self, name: str) -> None:
        if link_in(self.root, name):
            raise WriteFailed(f"{name}: is a symbolic link; name the file that it points to")

    def _look(self, name: str) -> Path:
        path = inside(self.root, name)
        if path not in self._disk:
            self._names[path] = name
            self._disk[path] = self._now[path] = self._read(path, name)
        return path

    def _read(self, path: Path, name: str) -> _File | None:
        """The file on disk. Raises FileUnreadable or WriteFailed for what cannot be changed."""
        for folder in reversed([parent for parent in path.parents if self.root in parent.parents]):
            if not os.path.exists(folder):
                return None
            if not os.path.isdir(folder):
                raise FileUnreadable(f"{name}: {folder.name} is a file, not a folder; check the path")
        with explained(name), opened(self.root, path.parent) as handle:
            if not os.access(".", os.W_OK | os.X_OK, dir_fd=handle):
                raise WriteFailed(f"{name}: its folder is read-only; make it writable first")
            if os.path.isdir(path):
                raise FileUnreadable(f"{name}: is a folder; name a file in it")
            status = existing(handle, path.name, name)
            if status is None:
                return None
            self._refuse_second_name(status, name)
            return _File(contents(handle, path.name), path)

    def _refuse_second_name(self, status: os.stat_result, name: str) -> None:
        """Hard links, and names that a file system without case takes for one."""
        other = self._inodes.setdefault((status.st_dev, status.st_ino), name)
        if other != name:
            raise UnreadableEdit(f"{name}: is the same file as {other}; change it under one of its names")
