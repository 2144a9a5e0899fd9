"""Carries JSON Patch operations out on the text of a JSON document."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tree_sitter import Node

from fastedit.errors import UnplacedHunk
from fastedit.formats.base import PointerChange
from fastedit.source.json_document import JsonDocument, NotJson, members, tokens, value_of
from fastedit.source.json_layout import JsonLayout, Rendering

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_READ_AGAIN = "read the file again and send the patch for it"


def changed(text: str, changes: Sequence[PointerChange]) -> str:
    """The text after the operations, in order. Bytes outside of the changed values stay.

    Raises UnplacedHunk for the first operation that cannot be carried out.
    """
    for number, change in enumerate(changes, 1):
        try:
            text = _Patch(text).carried_out(change)
        except _Refused as refused:
            problem = f"{refused}; {_READ_AGAIN}"
        except NotJson as error:
            problem = f"{error}; edit the file as text"
        except RecursionError:
            problem = "the file is nested too deeply; edit it as text"
        else:
            continue
        raise UnplacedHunk(f"json_patch, hunk {number}: {problem}")
    return text


class _Refused(Exception):
    """Says what keeps an operation from being carried out."""


class _Patch:
    """One operation on one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._document = JsonDocument(text)
        self._layout = JsonLayout(self._document)

    def carried_out(self, change: PointerChange) -> str:
        path, source = tokens(change.pointer), tokens(change.source or "")
        match change.operation:
            case "test":
                return self._tested(path, change.value)
            case "remove":
                return self._removed(path)
            case "replace":
                return self._layout.replaced(self._member(path), self._layout.rendering(change.value))
            case "add":
                return self._added(path, self._layout.rendering(change.value))
            case "copy":
                return self._added(path, self._layout.rendering_of(self._member(source)))
            case "move":
                return self._moved(source, path)
        raise _Refused(f"{change.operation!r} is no operation")

    def _tested(self, path: list[str], value: object) -> str:
        found = self._document.value(value_of(self._member(path)))
        if not _equal(found, value):
            raise _Refused(
                f"the test of {_pointer(path)} fails, it is {_short(found)} and not {_short(value)}"
            )
        return self._text

    def _removed(self, path: list[str]) -> str:
        if not path:
            raise _Refused("the whole document cannot be removed")
        container, member = value_of(self._member(path[:-1])), self._member(path)
        return self._layout.removed(container, members(container).index(member))

    def _added(self, path: list[str], new: Rendering) -> str:
        if not path:
            return self._layout.replaced(self._document.root, new)
        holder = self._member(path[:-1])
        container, last = value_of(holder), path[-1]
        size = len(members(container))
        if container.type == "array" and last in ("-", str(size)):
            return self._layout.inserted(holder, size, None, new)
        if container.type == "object" and not self._under(container, last):
            return self._layout.inserted(holder, size, last, new)
        member = self._member(path)
        if container.type == "array":
            return self._layout.inserted(holder, int(last), None, new)
        return self._layout.replaced(member, new)

    def _moved(self, source: list[str], path: list[str]) -> str:
        member = self._member(source)
        if source == path:
            return self._text
        if path and source[:-1] == path[:-1] and member.type == "pair":
            container = value_of(self._member(path[:-1]))
            if not self._under(container, path[-1]):
                return self._layout.renamed(member, path[-1])
        return _Patch(self._removed(source))._added(path, self._layout.rendering_of(member))

    def _member(self, path: list[str]) -> Node:
        """The pair or array element that a pointer names; for the whole document its value."""
        member = self._document.root
        for depth, token in enumerate(path):
            container = value_of(member)
            if container.type == "object":
                found = self._under(container, token)
            elif container.type == "array":
                found = members(container)[int(token) :][:1] if _INDEX.fullmatch(token) else []
            else:
                found = []
            if len(found) != 1:
                problem = "is there twice" if found else "does not exist"
                raise _Refused(f"{_pointer(path[: depth + 1])} {problem}")
            member = found[0]
        return member

    def _under(self, container: Node, key: str) -> list[Node]:
        """The members of an object with a key: several where the text repeats it."""
        return [pair for pair in members(container) if self._document.key(pair) == key]


def _equal(one: object, other: object) -> bool:
    """As JSON has it: numbers by value, objects without order, true apart from 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def _pointer(path: Sequence[str]) -> str:
    escaped = (token.replace("~", "~0").replace("/", "~1") for token in path)
    return "".join(f"/{token}" for token in escaped) or "the document"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."
