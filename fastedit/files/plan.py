"""What effects come to: one change for each path, checked against the disk and against each other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fastedit.errors import FileUnreadable, InputRefused, StaleFile, UnreadableEdit, WriteFailed
from fastedit.files.change import ContentChange
from fastedit.files.effects import Effect
from fastedit.files.folder import opened
from fastedit.files.paths import inside, link_in, real_root
from fastedit.files.staging import contents, existing, explained, none_written
from fastedit.files.write import links_note


@dataclass(frozen=True, slots=True)
class WritePlan:
    """The changes to be made in `root`; files that stay the same are left out."""

    root: Path
    changes: tuple[ContentChange, ...]

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
                lines.append(f"{'create' if change.creates else 'edit'} {change.name}")
            elif change.path not in origins.values():
                lines.append(f"delete {change.name}")
        return lines


def make_plan(root: str | Path, effects: Iterable[Effect]) -> WritePlan:
    """Raises FileUnreadable, StaleFile, WriteFailed or UnreadableEdit for the first effect that is impossible."""
    tree, effects = _PlannedTree(real_root(root)), tuple(effects)
    try:
        for effect in effects:
            tree.take(effect)
        for effect in effects:
            tree.put(effect)
        return WritePlan(tree.root, tree.changes())
    except InputRefused as error:
        raise none_written(error, len(effects)) from None


@dataclass(frozen=True, slots=True)
class _FileState:
    """A file before or after. `like` is the file on disk whose attributes it has."""

    data: bytes
    like: Path | None = None
    executable: bool = False


class _PlannedTree:
    """The files under a root: all that the effects change are taken from their places, then put where they go."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._names: dict[Path, str] = {}
        self._disk: dict[Path, _FileState | None] = {}
        self._now: dict[Path, _FileState | None] = {}
        self._inodes: dict[tuple[int, int], str] = {}

    def take(self, effect: Effect) -> None:
        """Takes the file from its place, and looks at the one where it goes."""
        for name in (effect.path, effect.to):
            if name is not None and effect.path != effect.to and link_in(self.root, name):
                raise WriteFailed(f"{name}: is a symbolic link; name the file that it points to")
        if effect.path is not None:
            path = self._look(effect.path)
            file = self._disk[path]
            if file is None:
                raise FileUnreadable(f"{effect.path}: no such file; check the path")
            if self._now[path] is None:
                raise UnreadableEdit(f"{effect.path}: is changed twice in the edit; join the two changes")
            if sha256(file.data).hexdigest() != effect.expected_sha256:
                raise StaleFile(f"{effect.path}: changed on disk since it was read; apply the edit again")
            self._now[path] = None
        if effect.to is not None:
            to = self._look(effect.to)
            if effect.path not in (None, effect.to) and to == path:
                raise UnreadableEdit(
                    f"{effect.path}: is renamed to itself; name another file or leave it out"
                )

    def put(self, effect: Effect) -> None:
        """Puts the file where it goes, which must be free."""
        name = effect.to
        if name is None:
            return
        to = self._look(name)
        if there := self._now[to]:
            if there is self._disk[to]:
                raise WriteFailed(f"{name}: is there already; change that file or choose another name")
            raise UnreadableEdit(f"{name}: is made twice in the edit; leave one out or choose another name")
        before = self._disk[to] if effect.path is None else self._disk[self._look(effect.path)]
        data = before.data if effect.data is None and before is not None else effect.data
        assert data is not None, "a new file has contents"
        like = before.like if before is not None and not effect.executable else None
        self._now[to] = _FileState(data, like, effect.executable)

    def changes(self) -> tuple[ContentChange, ...]:
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
            change = ContentChange(path, self._names[path], origin.data if origin else None, None)
            if file:
                change = replace(change, after=file.data, like=file.like, executable=file.executable)
            if change.before != change.after:
                changes.append(change)
        return tuple(changes)

    def _look(self, name: str) -> Path:
        path = inside(self.root, name)
        if path not in self._disk:
            self._names[path] = name
            self._disk[path] = self._now[path] = self._read(path, name)
        return path

    def _read(self, path: Path, name: str) -> _FileState | None:
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
            return _FileState(contents(handle, path.name), path)

    def _refuse_second_name(self, status: os.stat_result, name: str) -> None:
        """Hard links, and names that a file system without case takes for one."""
        other = self._inodes.setdefault((status.st_dev, status.st_ino), name)
        if other != name:
            raise UnreadableEdit(f"{name}: is the same file as {other}; change it under one of its names")
