"""What a notation of data files knows: where its keys stand, how values are written, what the text means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.ops import lists
from fastedit.ops.base import Outcome
from fastedit.ops.keys.entry import KeyEntry, check_single
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.layout import tidied
from fastedit.source.hunks import Hunk

Hunks = tuple[Hunk, ...]
MOST_LEVELS = 100  # of nesting; copying and comparing recurse


class Literal(str):
    """The text of a value in the file's notation."""


class New(NamedTuple):
    """A value to write: what it means, and its text where that is given."""

    data: Any
    literal: Literal | None = None

    @property
    def value(self) -> Any:
        return self.data if self.literal is None else self.literal


class ChangedKeys(NamedTuple):
    """What `set`, `rename`, `delete` and `add` make of a file: hunks, of which nothing is checked yet."""

    notation: Notation
    hunks: Hunks
    notes: tuple[str, ...]

    def outcome(self) -> Outcome:
        """Raises OperationRefused where the hunks would change anything else than was wanted."""
        self.notation.after(self.hunks).check()
        return Outcome(self.hunks, self.notes)


class Notation(ABC):
    """One file. A change brings `values` to what the file has to say after it. All raise OperationRefused for a file
    that is not valid.
    """

    top: ClassVar[bool] = True  # whether a new key may stand in the file itself, outside of others

    def __init__(self, file: Source) -> None:
        assert file.language.keys is not None
        self.file, self.source, self.keys = file, self.framed(file), file.language.keys

    @cached_property
    def values(self) -> Any:
        """What the file says."""
        return self._parsed("file")

    @cached_property
    def root(self) -> KeyEntry:
        _ = self.values  # as the parser is stricter than the grammar
        return self.read()

    def framed(self, file: Source) -> Source:
        """The text as the grammar reads it, in which the bytes of nodes and edits count."""
        return file

    def bare(self, hunks: Hunks) -> Hunks:
        """Hunks of the framed text as those of the file."""
        return hunks

    @abstractmethod
    def read(self) -> KeyEntry:
        """The entries of a file that the parser could read."""

    @staticmethod
    @abstractmethod
    def data(text: str) -> Any:
        """What the text says, by a parser of its own. Raises ValueError."""

    def value(self, literal: str) -> Any:
        """What the text of one value means. Raises ValueError."""
        return literal

    @abstractmethod
    def replaced(self, entry: KeyEntry, new: New) -> Hunks: ...

    def spelled(self, key: str, entry: KeyEntry, old: Node) -> str:
        """Another key of an entry as it is written in the place of the old one."""
        return key

    def removed(self, entry: KeyEntry) -> Hunks:
        raise NotImplementedError

    def put(self, parent: KeyEntry, key: str | None, index: int, new: New) -> Hunks:
        """With a new child before that at `index`, or after the last; `key` is None for an item of a list."""
        raise NotImplementedError

    def implied(self, entry: KeyEntry) -> bool:
        """Whether an entry is there only because of what is in it."""
        return False

    def notes(self, entry: KeyEntry) -> tuple[str, ...]:
        """What a person should know when an entry changes."""
        return ()

    def copied(self, entry: KeyEntry) -> New:
        """The value of an entry, to be written elsewhere."""
        return New(at(self.values, entry.path))

    def normal(self, data: Any) -> Any:
        """Data that was changed, as the parser would give it."""
        return data

    def set(self, entry: KeyEntry, new: New, *notes: str) -> ChangedKeys:
        hunks = self.replaced(entry, new)
        if entry.path:
            at(self.values, entry.path[:-1])[entry.slot] = deepcopy(new.data)
        else:
            self.values = deepcopy(new.data)
        return ChangedKeys(self, self.bare(hunks), (*notes, *self.notes(entry)))

    def rename(self, entry: KeyEntry, key: str, *notes: str) -> ChangedKeys:
        edits = [ByteEdit(old.start_byte, old.end_byte, self.spelled(key, entry, old)) for old in entry.names]
        holder = at(self.values, entry.path[:-1])
        holder[key] = holder.pop(entry.slot)
        assert entry.parent is not None
        return ChangedKeys(self, self.bare(self.source.hunks(edits)), (*notes, *self.notes(entry.parent)))

    def delete(self, entry: KeyEntry, *notes: str) -> ChangedKeys:
        """Without the entry and what it alone implies."""
        while entry.parent is not None and len(entry.parent.children) == 1 and self.implied(entry.parent):
            entry = entry.parent
        check_single(self.source, entry)
        hunks = self.removed(entry)
        del at(self.values, entry.path[:-1])[entry.slot]
        for row in {hunks[0].start, entry.row - 1} & set(range(entry.row)):
            line = self.source.lines[row]
            gone = hunks[0].start <= row and line not in hunks[0].lines
            if self.source.syntax.in_comment(row) and (gone or row == entry.row - 1):
                said = "goes too" if gone else "stays"
                notes = (*notes, f"the comment on line {self.source.number(row)} {said}")
        return ChangedKeys(self, self.bare(hunks), (*notes, *self.notes(entry)))

    def add(self, parent: KeyEntry, key: str | None, index: int, new: New, *notes: str) -> ChangedKeys:
        check_single(self.source, parent)
        hunks = self.put(parent, key, index, new)
        if parent.kind == "empty" and parent.path:
            at(self.values, parent.path[:-1])[parent.slot] = {} if key is not None else []
        if key is None:
            at(self.values, parent.path).insert(index, deepcopy(new.data))
        else:
            at(self.values, parent.path)[key] = deepcopy(new.data)
        return ChangedKeys(self, self.bare(hunks), (*notes, *self.notes(parent)))

    def after(self, hunks: Hunks) -> Notation:
        """The file with the hunks of a change. That it says `values` then is taken for granted."""
        made = type(self)(self.file.changed(hunks))
        made.source.operation, made.values = self.source.operation, self.normal(self.values)
        return made

    def check(self) -> None:
        """Raises OperationRefused where the parser reads anything else than `values`."""
        different = _difference(self.values, self._parsed("result"), (), set())
        if different is not None:
            where = ".".join(different) or "the file"
            raise self.refused(f"`{where}` would not come out as it should; edit this place as text")

    def refused(self, problem: str) -> OperationRefused:
        return self.source.refused(problem)

    def check_no_comment(self, start: int, stop: int, own_row: int = -1) -> None:
        """Raises OperationRefused where bytes that go hold a comment, other than one on the row `own_row`."""
        for node in self.source.syntax.find("(comment) @found", (start, stop)):
            if start <= node.start_byte < stop and node.start_point.row != own_row:
                line = self.source.number(node.start_point.row)
                raise self.refused(f"the comment on line {line} would go too; move it away first")

    def over(self, start: int, stop: int, text: str) -> Hunks:
        """With text in place of bytes that hold no comment."""
        self.check_no_comment(start, stop)
        return self.source.hunks([ByteEdit(start, stop, text)])

    def bracketed_put(self, holder: Node, index: int, text: str, gap: str = " ") -> Hunks:
        """With a new item between brackets, on a line of its own where the others have them."""
        items = lists.items_of(holder)
        # Comments stay above the item that they were above: a new one goes after the item before, or above them.
        if items and not index and (row := items[0].start_point.row) > (top := self.comments_above(row)):
            indent = self.source.indent(row)
            at = self.source.start(top) + len(indent.encode())
            return self.source.hunks([ByteEdit(at, at, f"{text},\n{indent}")])
        if items:
            return self.source.hunks(lists.inserted(self.source, items[: index or None], index, text, gap))
        return self.over(holder.start_byte + 1, holder.end_byte - 1, text)

    def bracketed_removed(self, holder: Node, entry: KeyEntry) -> list[ByteEdit]:
        """Without an item between brackets; comments above it stay."""
        items, gone = lists.items_of(holder), entry.node
        if gone is None:
            raise self.refused(f"`{entry.dotted}` stands after dots in brackets; edit it as text")
        edits = lists.removed(self.source, items, gone)
        if len(items) == 1 and len(holder.named_children) == 1:
            edits = [ByteEdit(holder.start_byte + 1, holder.end_byte - 1, "")]
        for edit in edits:
            self.check_no_comment(edit.start, edit.stop, gone.end_point.row)
        return edits

    def comments_above(self, row: int) -> int:
        """The first line of the comments above a line. What begins at the top of the file, or of one of its documents,
        belongs to that."""
        first = self.source.syntax.comments_above(row)
        return first if first and self.source.lines[first - 1] != "---" else row

    def lines_removed(self, start: int, stop: int) -> Hunk:
        """Without lines, the comments right above them and the blank ones that set them apart."""
        start = self.comments_above(start)
        return Hunk(*tidied(self.source, start, stop), ())

    def _parsed(self, text: str) -> Any:
        """What the text says, which errors call the file or the result."""
        try:
            found = self.data("\n".join((*self.file.lines, "")))
            if not _is_shallow(found):
                raise ValueError(f"it has more than {MOST_LEVELS} levels")
        except (ValueError, RecursionError) as error:
            problem = " ".join(str(error).split())
            raise self.refused(
                f"the {text} cannot be read as {self.source.language.name}: {problem}"
            ) from None
        return found


def at(data: Any, path: tuple[str, ...]) -> Any:
    """The value under a path of keys and indices. Raises OperationRefused where grammar and parser differ on it."""
    for key in path:
        try:
            data = data[int(key) if isinstance(data, list) else key]
        except (LookupError, TypeError, ValueError):
            raise OperationRefused(f"`{'.'.join(path)}` can be read in two ways; edit it as text") from None
    return data


def equal(one: Any, other: Any) -> bool:
    """Unlike `==` it takes 1, 1.0 and True apart."""
    return _difference(one, other, (), set()) is None


def _difference(
    one: Any, other: Any, path: tuple[str, ...], seen: set[tuple[int, int]]
) -> tuple[str, ...] | None:
    """The path of the first difference. Pairs that were `seen` are not compared again: aliases share them."""
    if type(one) is not type(other):
        return path
    if not isinstance(one, dict | list):
        return None if repr(one) == repr(other) else path
    if (id(one), id(other)) in seen:
        return None
    seen.add((id(one), id(other)))
    if isinstance(one, list):
        one, other = ({str(index): item for index, item in enumerate(items)} for items in (one, other))
    for key in [*one, *other]:
        if key not in one or key not in other:
            return (*path, key)
        found = _difference(one[key], other[key], (*path, key), seen)
        if found is not None:
            return found
    return None


def _is_shallow(data: Any) -> bool:
    level, seen = list[Any]([[data]]), set[int]()
    for _ in range(MOST_LEVELS + 1):
        items = (item for value in level for item in (value.values() if isinstance(value, dict) else value))
        inside = {id(item): item for item in items if isinstance(item, dict | list)}
        level = [item for key, item in inside.items() if key not in seen]
        seen |= inside.keys()
    return not level
