"""The normal form of every edit format: file operations, and hunks with the locators the format provides.

Readers parse text and open no file. `resolution` places the hunks in a document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import dedent
from typing import TYPE_CHECKING, Final, NamedTuple

from fastedit.errors import UnreadableEdit
from fastedit.files.paths import slashed
from fastedit.source.fences import fences

if TYPE_CHECKING:
    from fastedit.ops.base import Operation


@dataclass(frozen=True, slots=True)
class Tag:
    """A content hash of one line (from 0) or, with None, of the whole file as the author read it: valid while
    `digest(text) == value`."""

    line: int | None
    value: str
    digest: Callable[[str], str] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replaces `old`, found by its text, with `new`.

    With `whole_lines` both are lines, each ended by LF (`"\n"` is a blank one, `""` none); otherwise they are any
    substring of the text. `scopes` are lines above the place, outermost first; `named`: the author names them as the
    blocks around it, so the file must have them. `line` (from 1) is where the author saw `old` begin: a hint, unless
    `tag` says that the file is still the same. `at_end`: `old` ends at the end of the file. `count` is the number of
    places, None for all of them. An empty `old` without scope or line appends to the file. `context` are lines of a
    diff that follow a blank: their sign, or their own where its author left the signs out. `in_order`: such hunks are
    written in the order of the file; blocks are mostly, and need not be. `in_words`: prose says that `new` takes the
    place of `old`, which may mean that of more.
    """

    old: str
    new: str
    whole_lines: bool
    scopes: tuple[str, ...] = ()
    line: int | None = None
    at_end: bool = False
    count: int | None = 1
    tag: Tag | None = None
    named: bool = False
    context: frozenset[str] = field(default=frozenset(), compare=False)
    in_order: bool = field(default=True, compare=False)
    in_words: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class LineSpan:
    """Replaces lines `start` up to but not including `stop`, counted from 0 in the file as the author read it.

    `tags` verify that the file is still the same there.
    """

    start: int
    stop: int
    lines: tuple[str, ...]
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class TextRange:
    """Replaces the text between two positions, as in the Language Server Protocol.

    Positions are (line, character), both from 0, the end exclusive; characters are UTF-16 code units.
    """

    start: tuple[int, int]
    stop: tuple[int, int]
    new: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """Changed code with `... existing code ...` markers, merged by `fastedit.sketch`."""

    text: str


@dataclass(frozen=True, slots=True)
class TypedOperation:
    """One operation of `fastedit.ops`."""

    operation: Operation


FormatHunk = Replacement | LineSpan | TextRange | Sketch | TypedOperation


@dataclass(frozen=True, slots=True)
class CreateFile:
    """Creates a file; an existing one is an error unless `overwrite`."""

    path: str
    text: str
    overwrite: bool = False
    executable: bool = False


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Sets the whole text of a file, existing or not.

    `path` None: the file the caller names, and `text` is the message that holds its text.
    `stated`: the format says that this is the whole file. A code fence below a path does not: it may hold a part.
    `in_prose`: prose names the file, which may be about it rather than the name of a new one.
    `fenced`: it stands in a code fence, which cannot say that its last line has no end.
    `insisted`: whoever sends it says so too, so that one that leaves code out is refused instead of merged.
    """

    path: str | None
    text: str
    stated: bool = True
    in_prose: bool = False
    fenced: bool = False
    insisted: bool = False


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Deletes a file. `text` is what its author read in it, None where the format does not repeat it."""

    path: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class RenameFile:
    path: str
    to: str
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class ModifyFile:
    """Edits one file, hunks in the author's order. `path` None: the file the caller names."""

    path: str | None
    hunks: tuple[FormatHunk, ...]


FileOperation = CreateFile | WriteFile | DeleteFile | RenameFile | ModifyFile


@dataclass(frozen=True, slots=True)
class Edit:
    """Everything one message asks for, in its order. `formats` names the formats it was written in, `lines` are those
    of the message that it takes up, where formats tell. `notes` say what of the message is not taken for an edit, and
    `doubts` what may be one and is not read: they hold the rest back. `shown` is the text of those that name no file,
    which may be what the edit makes of one. `withheld` are operations that may not be meant, with what the message says
    of them, `removals` those that may mean that lines go, if they change nothing, and `additions` those that mean that
    none goes. `hint` is what a message without any format may mean, for those who expect it to name its files."""

    formats: tuple[str, ...]
    operations: tuple[FileOperation, ...]
    lines: tuple[range, ...] = field(default=(), compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)
    doubts: tuple[str, ...] = field(default=(), compare=False)
    shown: Mapping[str, str] = field(default_factory=dict, compare=False)
    withheld: tuple[tuple[FileOperation, str], ...] = field(default=(), compare=False)
    removals: tuple[tuple[FileOperation, str], ...] = field(default=(), compare=False)
    additions: tuple[tuple[FileOperation, str], ...] = field(default=(), compare=False)
    hint: str = field(default="", compare=False)


# Whether there is a file of this name: the form of `Makefile` and `My Docs/x.py` does not tell them from prose.
IsFile = Callable[[str], bool]


def no_file(_: str) -> bool:
    return False


# Whether a file, by its name, has one of these lines.
HasOneOf = Callable[[str, Sequence[str]], bool]


def has_none(_: str, __: Sequence[str]) -> bool:
    return False


class Beside(NamedTuple):
    """What is known beside a message.

    `own` are the lines of the file at hand: where it has a path above a code fence itself, that is text of it.
    `prose_names`: prose above a code fence may name its file. `is_file` tells what is a name, where the form of a line
    does not, and `has_one_of` whether a fence goes on with the file of the one above.
    """

    own: Sequence[str] = ()
    prose_names: bool = True
    is_file: IsFile = no_file
    has_one_of: HasOneOf = has_none


ALONE: Final = Beside()  # a message of which nothing else is known


class FoundEdit(NamedTuple):
    """An edit in a message.

    `lines` have everything that belongs to it, such as the line with the path above and the code fence around it, and
    nothing of prose or other formats. `read` gives what it asks for; of a malformed one it raises UnreadableEdit, which
    gives the hunk's number. `read_beside` does the same with what is known of files, None where that makes no
    difference. `parts` are the lines of edits that can be read together alone, prose between them left out. The words
    above `judged` tell whether it is meant, where those above all of it do not. `notes` say what of it is not carried
    out.
    """

    lines: range
    read: Callable[[], Sequence[FileOperation]]
    read_beside: Callable[[Beside], Sequence[FileOperation]] | None = None
    parts: tuple[range, ...] = ()
    judged: range | None = None
    notes: tuple[str, ...] = ()

    def operations(self, beside: Beside) -> Sequence[FileOperation]:
        return self.read() if self.read_beside is None else self.read_beside(beside)


Find = Callable[[Sequence[str]], Sequence[FoundEdit]]


class Format(NamedTuple):
    """One edit format. Each of `finds` finds the edits that are written in one of its shapes in the lines of a message,
    which have no ends: malformed ones too, in order and disjoint."""

    name: str
    finds: tuple[Find, ...]

    def find(self, lines: Sequence[str]) -> list[FoundEdit]:
        """The edits of all shapes. Of two that overlap, the one that begins first counts: the other is its text."""
        kept: list[FoundEdit] = []
        found = [each for find in self.finds for each in find(lines)]
        for each in sorted(found, key=lambda each: each.lines.start):
            if not kept or kept[-1].lines.stop <= each.lines.start:
                kept.append(each)
        return kept


def set_in(find: Find) -> Find:
    """Finds edits deeper than they are read: that fill a fence in an item of a list, or in a message all indented."""

    def found(lines: Sequence[str]) -> list[FoundEdit]:
        if all(line[:1].isspace() for line in lines if line.strip()):
            return list(find(dedent("\n".join(lines)).split("\n")))
        deeper = (fence for fence in fences(lines) if fence.indent and fence.closed)
        return [
            edit._replace(lines=fence.lines)
            for fence in deeper
            for edit in find([lines[at].removeprefix(fence.indent) for at in fence.lines])
            if len(edit.lines) == len(fence.lines)
        ]

    return found


def unreadable(format: str, hunk: int | None, problem: str, way_out: str) -> UnreadableEdit:
    """The error for an edit that cannot be parsed; `hunk` counts from 1, None where it is not about one hunk."""
    place = f"{format}, hunk {hunk}" if hunk else format
    return UnreadableEdit(f"{place}: {problem}; {way_out}")


def is_for_others(edit: FoundEdit, path: str) -> bool:
    """Whether an edit can be read, and names files that are not this one for all that it does."""
    try:
        operations = edit.read()
    except UnreadableEdit:
        return False
    return all(each.path is not None and slashed(each.path) != slashed(path) for each in operations)


def in_file(operation: FileOperation, path: str | None) -> FileOperation:
    """The operation, in the file of this name where it names none."""
    if path is None or operation.path is not None or not isinstance(operation, ModifyFile | WriteFile):
        return operation
    return replace(operation, path=path)


def join_modifications(operations: Sequence[FileOperation]) -> tuple[FileOperation, ...]:
    """Makes one operation of those that modify the same file, with nothing else that is done to it between: their hunks
    are placed together, whatever stands between them. Sketches stay apart: each is of the file as the one before
    leaves it."""
    joined: list[list[FileOperation]] = []
    open_for: dict[str | None, list[FileOperation]] = {}
    for operation in operations:
        if _is_literal(operation) and operation.path in open_for:
            open_for[operation.path].append(operation)
            continue
        joined.append([operation])
        if _is_literal(operation):
            open_for[operation.path] = joined[-1]
        else:
            open_for.pop(operation.path, None)
        if isinstance(operation, RenameFile):
            open_for.pop(operation.to, None)
    return tuple(map(_joined, joined))


def does(operation: FileOperation, other: FileOperation) -> bool:
    """Whether an operation does what another one does, which may have been joined with more of its file."""
    if not isinstance(operation, ModifyFile) or not isinstance(other, ModifyFile):
        return operation == other
    return operation.path == other.path and any(hunk in operation.hunks for hunk in other.hunks)


def is_merged(operation: FileOperation) -> bool:
    """Whether it shows code of its file, without telling whether it is all or what of it is new."""
    if isinstance(operation, WriteFile):
        return not operation.stated
    return isinstance(operation, ModifyFile) and not _is_literal(operation)


def _joined(operations: Sequence[FileOperation]) -> FileOperation:
    hunks = (hunk for each in operations if isinstance(each, ModifyFile) for hunk in each.hunks)
    return operations[0] if len(operations) == 1 else ModifyFile(operations[0].path, tuple(hunks))


def _is_literal(operation: FileOperation) -> bool:
    return isinstance(operation, ModifyFile) and not any(isinstance(hunk, Sketch) for hunk in operation.hunks)
