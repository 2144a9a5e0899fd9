"""JSON Patch (RFC 6902) on the keys of a data file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.carry import applied, between
from fastedit.ops.keys.entry import KeyEntry, pointer_to, tokens
from fastedit.ops.keys.notation import ChangedKeys, New, at
from fastedit.ops.keys.operations import opened
from fastedit.ops.source import Source

_SHORT = 40  # characters of a value that are quoted


class JsonPatch(Operation, needs="has_lists", example="", brings_code=False):
    """Change a data file by JSON Patch: a format of its own, so the registry of operations does not name it."""

    changes: object = option("the operations of the patch, in order")

    def carry_out(self, source: Source) -> Outcome:
        assert isinstance(self.changes, list)
        patched = _Patched(source)
        for number, change in enumerate(self.changes, 1):
            patched.carry_out(change, f"json_patch, hunk {number}")
        return patched.outcome()


class _Patched:
    """A data file on its way through the operations of a patch: what it says is known after each, and compared with
    what the parser reads after the last. All raise OperationRefused for what cannot be done."""

    def __init__(self, source: Source) -> None:
        self._old = source.lines
        self._origins: list[int | None] = list(range(len(source.lines)))
        self._notes: list[str] = []
        self._keys = opened(Source(source.lines, source.language.name))

    def carry_out(self, change: dict[str, Any], name: str) -> None:
        path, self._keys.source.operation = tokens(change["path"]), name
        match change["op"]:
            case "test":
                self.test(path, change["value"])
            case "remove":
                self.remove(path)
            case "replace":
                self.replace(path, New(change["value"]))
            case "add":
                self.add(path, New(change["value"]))
            case "copy":
                self.add(path, self.copied(tokens(change["from"])))
            case "move":
                self.move(tokens(change["from"]), path)

    def outcome(self) -> Outcome:
        self._keys.source.operation = "json_patch"
        self._keys.check()
        return Outcome(between(self._old, self._keys.file.lines, self._origins), tuple(self._notes))

    def test(self, path: Sequence[str], value: object) -> None:
        found = at(self._keys.values, self._entry(path).path)
        if not _equal(found, value):
            problem = f"the test of {_pointer(path)} fails, it is {_short(found)} and not {_short(value)}"
            raise self._refused(problem)

    def remove(self, path: Sequence[str]) -> None:
        if not path:
            raise self._refused("the whole document cannot be removed")
        self._change(self._keys.delete(self._entry(path)))

    def replace(self, path: Sequence[str], new: New) -> None:
        self._change(self._keys.set(self._entry(path), new))

    def add(self, path: Sequence[str], new: New) -> None:
        if not path:
            self.replace(path, new)
            return
        *above, last = path
        parent = self._entry(above)
        size = len(parent.children)
        if parent.kind == "list":
            index = size if last in ("-", str(size)) else parent.children.index(self._entry(path))
            self._change(self._keys.add(parent, None, index, new))
        elif parent.kind == "map" and parent.child(last) is None:
            self._change(self._keys.add(parent, last, size, new))
        else:
            self.replace(path, new)

    def move(self, source: Sequence[str], path: Sequence[str]) -> None:
        entry, new = self._entry(source), self.copied(source)
        if source == path:
            return
        parent, beside = entry.parent, bool(path) and path[:-1] == source[:-1]
        if beside and parent is not None and parent.kind == "map" and parent.child(path[-1]) is None:
            self._change(self._keys.rename(entry, path[-1]))
            return
        self.remove(source)
        self.add(path, new)

    def copied(self, path: Sequence[str]) -> New:
        return self._keys.copied(self._entry(path))

    def _change(self, changed: ChangedKeys) -> None:
        _, self._origins = applied(self._keys.file.lines, self._origins, changed.hunks)
        self._keys = self._keys.after(changed.hunks)
        self._notes += changed.notes

    def _entry(self, path: Sequence[str]) -> KeyEntry:
        """The entry that a pointer names."""
        entry = self._keys.root
        for depth, token in enumerate(path, 1):
            found = [child for child in entry.children if child.key == token]
            if len(found) != 1:
                problem = "is there twice" if found else "does not exist"
                raise self._refused(f"{_pointer(path[:depth])} {problem}")
            entry = found[0]
        return entry

    def _refused(self, problem: str) -> Exception:
        return self._keys.refused(f"{problem}; read the file again and send the patch for it")


def _equal(one: Any, other: Any) -> bool:
    """As JSON has it: numbers by value, true apart from 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def _pointer(path: Sequence[str]) -> str:
    return pointer_to(path) or "the document"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."
