"""JSON Patch (RFC 6902) on the keys of a data file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.keys import opened
from fastedit.ops.keys_entry import Entry, tokens
from fastedit.ops.keys_notation import New, Notation, at
from fastedit.ops.source import Source
from fastedit.source.hunks import changed_lines, diff_lines

_SHORT = 40  # characters of a value that are quoted


class JsonPatch(Operation, needs="has_lists", example="", brings_code=False):
    """Change a data file by JSON Patch: a format of its own, so the registry of operations does not name it."""

    changes: object = option("the operations of the patch, in order")

    def carry_out(self, source: Source) -> Outcome:
        assert isinstance(self.changes, list)
        lines, notes = source.lines, list[str]()
        for number, change in enumerate(self.changes, 1):
            path, name = tokens(change["path"]), f"json_patch, hunk {number}"
            file = _File(lines, source.language.name, name)
            match change["op"]:
                case "test":
                    file.test(path, change["value"])
                case "remove":
                    file.remove(path)
                case "replace":
                    file.replace(path, New(change["value"]))
                case "add":
                    file.add(path, New(change["value"]))
                case "copy":
                    file.add(path, file.copied(tokens(change["from"])))
                case "move":
                    file.move(tokens(change["from"]), path)
            lines = file.lines
            notes += file.notes
        return Outcome(tuple(diff_lines(source.lines, lines)), tuple(notes))


class _File:
    """A data file that one operation of a patch changes. All raise OperationRefused for what cannot be done."""

    def __init__(self, lines: tuple[str, ...], language: str, operation: str) -> None:
        self.lines, self.notes = lines, list[str]()
        self._language, self._operation = language, operation

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
        parent, beside = entry.parent, path[:-1] == source[:-1]
        if beside and parent is not None and parent.kind == "map" and parent.child(path[-1]) is None:
            self._change(self._keys.rename(entry, path[-1]))
            return
        self.remove(source)
        self.add(path, new)

    def copied(self, path: Sequence[str]) -> New:
        return self._keys.copied(self._entry(path))

    @cached_property
    def _keys(self) -> Notation:
        return opened(Source(self.lines, self._language, operation=self._operation))

    def _change(self, outcome: Outcome) -> None:
        self.lines = tuple(changed_lines(self.lines, outcome.hunks))
        self.notes += outcome.notes
        del self._keys  # which are those of the lines before

    def _entry(self, path: Sequence[str]) -> Entry:
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
    escaped = (token.replace("~", "~0").replace("/", "~1") for token in path)
    return "".join(f"/{token}" for token in escaped) or "the document"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."
