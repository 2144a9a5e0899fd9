"""Sets, deletes and renames keys of data files, and adds and removes items of their lists."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.keys.entry import KeyEntry, KeyPath, candidate, find, find_or_parent
from fastedit.ops.keys.notation import Literal, New, Notation, at, equal
from fastedit.ops.lists import sorted_index
from fastedit.ops.names.resolve import only
from fastedit.ops.source import Source
from fastedit.source.lines import with_lf

_KEY = (
    "its path or the end of it: tool.ruff.line-length, jobs.test.steps.0, html.color, /paths/~1users, '/.btn a/color'; "
    "add @LINE to choose"
)
_NEW_KEY = _KEY.replace("its path or the end of it", "its path, or the end of it if that cannot be a new key")
_LIST = "the list's path or the end of it: project.classifiers, jobs.test.needs; add @LINE to choose"
_SHOWN = 40  # signs of a value that a message shows
_FEW = 3  # keys or items that are in order by chance


class SetKey(
    Operation, needs="has_keys", example="pyproject.toml tool.ruff.line-length 88", brings_code=False
):
    """Set the value of a key, or of a property in CSS, or put a new one where it belongs."""

    key: str = option(_NEW_KEY)
    value: object = option(
        "the value, of any type that JSON has; no string in place of a number or boolean that it may be, or the reverse"
    )
    literal: bool = option("whether `value` is text in the file's notation, such as 0x1f or a date", False)
    parents: bool = option("create the keys above it that are not there", False)

    def carry_out(self, source: Source) -> Outcome:
        notation = opened(source)
        path = KeyPath.parse(self.key)
        entry, missing = find_or_parent(source, notation.root, path, parents=self.parents, top=notation.top)
        new = self._new(notation)
        if missing:
            return self._created(notation, entry, missing, new)
        old = at(notation.values, entry.path)
        if new.literal is None:
            if equal(old, new.data):
                return Outcome((), (f"`{entry.dotted}` is that already",))
            _check_kind(notation, entry, old, new.data, ", or its text in the file with `literal`")
        return notation.set(entry, new, *_said(entry, path)).outcome()

    def _new(self, notation: Notation) -> New:
        if not (self.literal or notation.keys.untyped):
            return New(self.value)
        text = self.value
        if notation.keys.untyped and isinstance(text, int | float) and not isinstance(text, bool):
            text = json.dumps(text)
        if not isinstance(text, str):
            raise notation.refused(f"the value is text here; give a string, not {json.dumps(text)}")
        text = with_lf(text)
        try:
            return New(notation.value(text), Literal(text.strip()))
        except ValueError as error:
            raise notation.refused(
                f"{text} is not a value in {notation.source.language.name}: {error}"
            ) from None

    def _created(self, notation: Notation, parent: KeyEntry, missing: tuple[str, ...], new: New) -> Outcome:
        key, *below = missing
        if parent.kind not in ("map", "empty"):
            value = parent.value if parent.kind == "value" else None
            text = notation.source.data[value.start_byte : value.end_byte].decode() if value else ""
            as_is = f", as it is `{text}`" if 0 < len(text) < _SHOWN and "\n" not in text else ""
            raise notation.refused(f"`{parent.dotted}` cannot hold a key `{key}`{as_is}; check the path")
        if below and not self.parents:
            raise notation.refused(f"`{'.'.join([*parent.path, key])}` is not there; `parents` creates it")
        if below and new.literal is not None:
            raise notation.refused(
                f"`{'.'.join([*parent.path, key])}` is not there; add it before its value as text"
            )
        for name in reversed(below):
            new = New({name: new.data})
        return notation.add(
            parent, key, _index_for([child.key for child in parent.children], key), new
        ).outcome()


class DeleteKey(Operation, needs="has_keys", example="package.json scripts.prepare", brings_code=False):
    """Delete a key with its value and the comment above it, an item by its index, or a rule or property of CSS."""

    key: str = option(_KEY)

    def carry_out(self, source: Source) -> Outcome:
        notation, entry, notes = _found(source, self.key)
        return notation.delete(entry, *notes).outcome()


class RenameKey(
    Operation, needs="has_keys", example="pyproject.toml project.urls.GitHub Source", brings_code=False
):
    """Give a key another name in its place."""

    key: str = option(_KEY)
    new: str = option("the new name of the key alone, without its path")

    def carry_out(self, source: Source) -> Outcome:
        notation, entry, notes = _found(source, self.key)
        parent = entry.parent
        if parent is None or parent.kind != "map":
            raise notation.refused(f"`{entry.dotted}` has no name, only an index")
        twin = parent.child(self.new)
        if twin is not None:
            raise notation.refused(f"`{twin.dotted}` is there already, on line {source.number(twin.row)}")
        return notation.rename(entry, self.new, *notes).outcome()


class AddItem(Operation, needs="has_lists", example="package.json files index.d.ts", brings_code=False):
    """Add an item to a list: in its place where the list is in order, else at the end."""

    key: str = option(_LIST)
    item: object = option("the item, of any type that JSON has")

    def carry_out(self, source: Source) -> Outcome:
        notation, entry, notes = _found(source, self.key)
        if entry.kind not in ("list", "empty"):
            raise notation.refused(f"`{entry.dotted}` is not a list; set-key sets its value")
        items = at(notation.values, entry.path) or []
        for old, child in zip(items, entry.children, strict=True):
            if equal(old, self.item):
                raise notation.refused(f"`{entry.dotted}` has it already, on line {source.number(child.row)}")
        if items:
            _check_kind(notation, entry.children[-1], items[-1], self.item, "")
        return notation.add(entry, None, _index_for(items, self.item), New(self.item), *notes).outcome()


class RemoveItem(Operation, needs="has_lists", example="package.json files index.d.ts", brings_code=False):
    """Remove the item of a list that has a value."""

    key: str = option(_LIST)
    item: object = option("the item's value, of any type that JSON has")

    def carry_out(self, source: Source) -> Outcome:
        notation, entry, notes = _found(source, self.key)
        if entry.kind != "list":
            raise notation.refused(f"`{entry.dotted}` is not a list; delete-key deletes it")
        pairs = list(zip(entry.children, at(notation.values, entry.path), strict=True))
        found = [child for child, value in pairs if equal(value, self.item)]
        found = found or [child for child, value in pairs if value == str(self.item)]
        said, where = f"{source.operation}: the item of `{entry.dotted}`", partial(candidate, source)
        way_out, none = "delete-key takes one by its index", "cannot be removed, as the list is empty"
        gone = only(source, said, found, where, entry.children, way_out=way_out, none=none)
        return notation.delete(gone, *notes).outcome()


def opened(source: Source) -> Notation:
    """The file as keys. Raises OperationRefused where it is not valid."""
    assert source.language.keys is not None
    module, name = source.language.keys.reader.split(":")
    # Only now: each brings a parser of its own.
    found: Notation = getattr(import_module(f"fastedit.ops.keys.{module}"), name)(source)
    return found


def _found(source: Source, key: str) -> tuple[Notation, KeyEntry, tuple[str, ...]]:
    """The file, what a path means in it, and a note where that is not the whole path."""
    notation, path = opened(source), KeyPath.parse(key)
    entry = find(source, notation.root, path)
    return notation, entry, _said(entry, path)


def _index_for(keys: Sequence[Any], new: Any) -> int:
    """Where a new key or item goes: in order where there are several and all are."""
    if len(keys) < _FEW or not all(isinstance(key, str) for key in (*keys, new)):
        return len(keys)
    return sorted_index([key.casefold() for key in keys], new.casefold())


def _check_kind(notation: Notation, entry: KeyEntry, old: Any, new: Any, or_else: str) -> None:
    """Raises OperationRefused where a string spells what the other value is, as "3.10" does for 3.1."""

    def kind(value: Any) -> type:
        return float if type(value) is int else type(value)

    text, other = (new, old) if isinstance(new, str) else (old, new)
    if not isinstance(text, str) or isinstance(other, str | dict | list | None):
        return
    try:
        alike = kind(notation.value(text.lower() if isinstance(other, bool) else text)) is kind(other)
    except ValueError:
        return
    if alike:
        was, would = (
            f'the string "{it}"' if isinstance(it, str) else json.dumps(it, default=str) for it in (old, new)
        )
        raise notation.refused(
            f"`{entry.dotted}` is {was}, and {would} is of another type; give a value of the same type{or_else}"
        )


def _said(entry: KeyEntry, path: KeyPath) -> tuple[str, ...]:
    """A note on which key it was, where the path was the end of another."""
    named = ".".join(path.keys) == entry.dotted or path.line is not None
    return () if named else (f"{path.text} is `{entry.dotted}`",)
