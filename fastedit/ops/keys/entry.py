"""The keys of a data file as a tree, and the one that a path means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple, Self

from tree_sitter import Node

from fastedit.errors import TargetUnresolved
from fastedit.ops.base import Candidate
from fastedit.ops.names.resolve import listed, only, place
from fastedit.ops.source import Source

Kind = Literal["map", "list", "value", "empty"]  # what is empty can become a map or a list
TWIN = "\0"  # after a key that stands again where that has a meaning; no file holds it
_TARGET = re.compile(r"(?P<path>.+?)(?:@(?P<line>[0-9]{1,9}))?", re.DOTALL)
_PART = re.compile(r"""\.?(?:"([^"]+)"|'([^']+)'|\[([0-9]+)\]|([^.\["']+))""")


class NodeSpan(NamedTuple):
    """Bytes of `Source.data`, as a node has them."""

    start_byte: int
    end_byte: int


@dataclass(eq=False, slots=True)
class KeyEntry:
    """A key with its value, an item of a list, or the root. Items have their index for a key.

    `node` is the whole of it and `value` its value, each None where there is no one such place; `names` spell the key.
    `sections` are its headers in TOML. `unread` gives the children of one that is not looked into yet.
    """

    path: tuple[str, ...]
    row: int
    kind: Kind
    node: Node | None = None
    value: Node | NodeSpan | None = None
    names: list[Node] = field(default_factory=list)
    sections: list[Node] = field(default_factory=list)
    parent: KeyEntry | None = field(default=None, repr=False)
    unread: Callable[[], Iterable[KeyEntry]] | None = field(default=None, repr=False)
    _children: list[KeyEntry] = field(default_factory=list)
    _by_key: dict[str, KeyEntry] = field(default_factory=dict, repr=False)

    @property
    def children(self) -> list[KeyEntry]:
        if self.unread is not None:
            found, self.unread = self.unread(), None
            for child in found:
                self.add(child)
        return self._children

    @property
    def dotted(self) -> str:
        return ".".join(self.path).replace(TWIN, "") if self.path else "the file"

    @property
    def key(self) -> str:
        return self.path[-1]

    @property
    def slot(self) -> Any:
        """What its parent's data has it under."""
        return int(self.key) if self.parent is not None and self.parent.kind == "list" else self.key

    @property
    def whole(self) -> Node:
        assert self.node is not None
        return self.node

    def child(self, key: str) -> KeyEntry | None:
        """The first child of this key."""
        return self._by_key.get(key) if self.children else None

    def add(self, child: KeyEntry) -> KeyEntry:
        child.parent = self
        self._children.append(child)
        self._by_key.setdefault(child.key, child)
        return child

    def walk(self) -> Iterator[KeyEntry]:
        """The entry and all in it, in order."""
        waiting = [self]
        while waiting:
            yield (entry := waiting.pop())
            waiting += reversed(entry.children)

    def above(self) -> Iterator[KeyEntry]:
        """The entry and all that it stands in, the innermost first."""
        entry: KeyEntry | None = self
        while entry is not None:
            yield entry
            entry = entry.parent


def tokens(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer (RFC 6901). Raises ValueError."""
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} does not begin with /")
    if re.search(r"~(?![01])", pointer):
        raise ValueError(f"{pointer!r} has a ~ that is not ~0 or ~1")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def pointer_to(keys: Iterable[str]) -> str:
    """The JSON Pointer of keys from the root."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


class KeyPath(NamedTuple):
    """`keys` are all from the root where `anchored`, else they may be the last ones. `line` counts from 0."""

    text: str
    keys: tuple[str, ...]
    anchored: bool
    line: int | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """`a.b.0`, `a."b.c"[0]` or `/a/b/0`, with `@12` the one on line 12. Raises TargetUnresolved."""
        match = _TARGET.fullmatch(text.strip())
        assert match is not None  # fields are never blank
        path, line = match["path"], int(match["line"]) - 1 if match["line"] else None
        if path.startswith("/"):
            try:
                return cls(text, tuple(tokens(path)), True, line)
            except ValueError as error:
                raise TargetUnresolved(f"{text}: {error}; correct the pointer") from None
        parts = list(_PART.finditer(path))
        if "".join(part[0] for part in parts) != path or path.startswith("."):
            raise TargetUnresolved(
                f"{text}: is not a path; write a.b.0, or for keys with dots, quotes or slashes /a/b/0 with ~1 for /"
            )
        return cls(text, tuple(next(filter(None, part.groups())) for part in parts), False, line)

    def upper(self, size: int) -> KeyPath:
        """The path of the first keys."""
        return self._replace(text=".".join(self.keys[:size]), keys=self.keys[:size])

    def entries(self, source: Source, root: KeyEntry) -> tuple[list[KeyEntry], bool]:
        """What the path can mean, and whether it is their path from the root, which wins over the end of one."""
        wanted = ".".join(self.keys)
        found = [entry for entry in root.walk() if f".{entry.dotted}".endswith(f".{wanted}") and entry.path]
        if self.line is not None:
            row = source.row_of(self.line)
            found = [entry for entry in found if entry.row == row]
        if self.anchored:
            found = [entry for entry in found if tuple(key.rstrip(TWIN) for key in entry.path) == self.keys]
        exact = [entry for entry in found if entry.dotted == wanted]
        return exact or found, bool(exact)


def find(source: Source, root: KeyEntry, path: KeyPath) -> KeyEntry:
    """The one entry that the path means. Raises TargetUnresolved, with the places where it can mean several."""
    found, _ = path.entries(source, root)
    for entry in found[:1]:
        check_single(source, entry)
    others = [entry for entry in root.walk() if entry.path[-1:] == path.keys[-1:]] if not found else []
    if not (found or others) and (letters := _letters(path.keys)):
        others = [entry for entry in root.walk() if _letters(entry.path) == letters]
    none = "is not in this file; check the path"
    return only(source, path.text, found, partial(candidate, source), others, none=none)


def _letters(keys: Iterable[str]) -> str:
    """What is left of a path without what sets its keys apart, which may stand in them too."""
    return re.sub(r"[^\w-]", "", "".join(keys))


def find_or_parent(
    source: Source, root: KeyEntry, path: KeyPath, *, parents: bool, top: bool
) -> tuple[KeyEntry, tuple[str, ...]]:
    """The entry, or the deepest one that is there and the keys below it that are not.

    With `parents` as many of these as need be can be created, else one, and at the `top` only where that takes keys.
    Raises TargetUnresolved, also where the path is the end of another and could be a new key as well.
    """
    found, exact = path.entries(source, root)
    below_root = top and root.kind != "list" and (parents or len(path.keys) == 1)
    creatable = below_root or path.upper(len(path.keys) - 1).entries(source, root)[1]
    if found and not exact and creatable and path.line is None:
        where = tuple(map(partial(candidate, source), found))
        raise TargetUnresolved(
            f"{path.text}: is not there, but {listed(source, where)}; name it in full, "
            f"or /{'/'.join(path.keys)} for a new key",
            where,
        )
    if found:
        return find(source, root, path), ()
    for size in range(len(path.keys) - 1, 0, -1):
        found, exact = path.upper(size).entries(source, root)
        if exact or (found and not parents):
            # Told apart by the line of the whole path.
            return find(source, root, path.upper(size)._replace(text=path.text)), path.keys[size:]
    return (root, path.keys) if path.line is None else (find(source, root, path), ())


def check_single(source: Source, entry: KeyEntry) -> None:
    """Raises TargetUnresolved where a key on the way to the entry stands twice, as only the last one counts."""
    for at in entry.above():
        twins = [twin for twin in at.parent.children if twin.key == at.key] if at.parent else []
        if len(twins) > 1:
            where = tuple(map(partial(candidate, source), twins))
            raise TargetUnresolved(
                f"{at.dotted}: is there {len(twins)} times ({listed(source, where)}); take the others out first",
                where,
            )


def candidate(source: Source, entry: KeyEntry) -> Candidate:
    return place(source, entry.row, f"`{_path_to(entry)}`")


def _path_to(entry: KeyEntry) -> str:
    """A path that means the entry: with dots where that is read back as it stands."""
    try:
        read = KeyPath.parse(entry.dotted)
    except TargetUnresolved:
        read = None
    if read is not None and not read.anchored and ".".join(read.keys) == entry.dotted:
        return entry.dotted
    return pointer_to(key.removesuffix(TWIN) for key in entry.path)
