"""Unified and git diffs, as programs and models write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count

from fastedit.formats.base import (
    Beside,
    CreateFile,
    DeleteFile,
    FileOperation,
    Format,
    FormatHunk,
    FoundEdit,
    ModifyFile,
    RenameFile,
    Tag,
    set_in,
    unreadable,
)
from fastedit.formats.diffs import v4a
from fastedit.formats.diffs.udiff_header import CONTEXT_HEADER, starts_context_diff
from fastedit.formats.diffs.udiff_hunk import (
    HunkBody,
    is_bare,
    is_change,
    is_hunk_header,
    read_hunk_body,
    replacement,
)
from fastedit.formats.diffs.udiff_patch import (
    FilePatch,
    RawHunk,
    fence_closings,
    read_patches,
    read_raw_hunk,
    starts_diff,
    without_colours,
    without_sides,
)
from fastedit.formats.markdown.info_strings import DIFFS
from fastedit.formats.text.views import ended
from fastedit.source.fences import Closings, first_word

_NAME = "udiff"
_NOT_CLOSED = "the code fence is not closed, so the diff may break off"
_CUT_OFF = "its last hunk has fewer lines than its header says and no context at its end, so it may break off"
_COMMIT = re.compile(r"(?:commit )?[0-9a-f]{7,64}\b")
_OF_COMMIT = re.compile(r"\s|[A-Z]\w+:|---$|$")
_CONTEXT = 3  # lines that programs write around changes
_SPECIAL_FILES = {"120": "a symbolic link", "160": "a submodule"}


def find(lines: Sequence[str]) -> list[FoundEdit]:
    found: list[FoundEdit] = []
    at, lines = 0, without_colours(lines)
    others = [patch.lines for patch in v4a.find(lines)]
    for other in [*others, range(len(lines), len(lines))]:
        part = _found(lines[at : other.start])
        found += (one._replace(lines=range(at + one.lines.start, at + one.lines.stop)) for one in part)
        at = other.stop
    return found


FORMAT = Format(_NAME, (find, set_in(find)))


def _found(lines: Sequence[str]) -> Iterator[FoundEdit]:
    at, closings = 0, fence_closings(lines)
    while at < len(lines):
        found = _fenced(lines, closings, at) or _unfenced(lines, at)
        if found:
            yield found
        at = found.lines.stop if found else at + 1


def _fenced(lines: Sequence[str], closings: Closings, at: int) -> FoundEdit | None:
    """The code fence that opens at a line, if all it contains is a diff."""
    fence = closings.fence(at)
    if fence is None or fence.indent:
        return None
    inside = fence.inside
    head = next((index for index in inside if lines[index].strip()), None)
    if head is None:
        return None
    if starts_context_diff(lines, head):
        return FoundEdit(fence.lines, _refuse_context_diff)
    named = first_word(fence.info) in DIFFS
    # Of a fence that says nothing of a diff the search ends at the first line that is none of a hunk.
    found = (at for at in inside if starts_diff(lines, at) or (not named and is_bare(lines[at])))
    start = next(found, inside.stop)
    above, has_header = range(head, start), start in inside and starts_diff(lines, start)
    if not (named or has_header):
        return None
    if above and not ((has_header and named) or (_is_hunk(lines, above) and (has_header or named))):
        return None
    patches = read_patches(lines[: inside.stop], start, fenced=True)[0]
    if any(is_change(lines[at]) and not lines[at].startswith(("--- ", "+++ ")) for at in above):
        patches.insert(0, FilePatch(hunks=[read_raw_hunk(lines[: inside.stop], head, fenced=True)[0]]))
    return _edit(fence.lines, patches, "" if fence.closed else _NOT_CLOSED)


def _is_hunk(lines: Sequence[str], rows: range) -> bool:
    """Whether lines without any header are a hunk, and not a block of another format."""
    # In this order: the mark of the next fence is bare, and ends the search.
    return not any(is_bare(lines[at]) for at in rows) and any(is_change(lines[at]) for at in rows)


def _unfenced(lines: Sequence[str], at: int) -> FoundEdit | None:
    """The run of diff lines that starts at a line, with what git says above of their commit."""
    if starts_context_diff(lines, at):
        return FoundEdit(range(at, at + CONTEXT_HEADER), _refuse_context_diff)
    start, at = at, _below_commit(lines, at)
    if not starts_diff(lines, at):
        return None
    if is_hunk_header(lines[at]) and not any(map(is_change, read_raw_hunk(lines, at, fenced=False)[0].lines)):
        return None
    patches, end = read_patches(lines, at, fenced=False)
    is_last = not any(map(str.strip, lines[end:]))
    return _edit(range(start, end), patches, _CUT_OFF if is_last and _breaks_off(patches) else "")


def _below_commit(lines: Sequence[str], at: int) -> int:
    """The line of the first diff below git's header of a commit and its message, or the same line."""
    if not _COMMIT.match(lines[at]):
        return at
    rows = range(at + 1, len(lines))
    below = next((row for row in rows if starts_diff(lines, row) or not _OF_COMMIT.match(lines[row])), at)
    return below if starts_diff(lines, below) else at


def _breaks_off(patches: Sequence[FilePatch]) -> bool:
    """Whether the last hunk has none of the lines that it announces, or lacks as many as a program's context has and
    ends without any, though it begins with that: models miscount, and leave context out."""
    hunk = patches[-1].hunks[-1] if patches[-1].hunks else None
    if hunk is not None and not hunk.lines:
        return bool(hunk.header.old_count or hunk.header.new_count)
    if hunk is None or not hunk.header.lacks(hunk.lines, _CONTEXT):
        return False
    return not any(map(is_change, hunk.lines[:_CONTEXT])) and is_change(hunk.lines[-1])


def _edit(lines: range, patches: Sequence[FilePatch], problem: str) -> FoundEdit:
    """`problem`: what makes the diff unreadable, empty for nothing."""

    def read_beside(beside: Beside) -> list[FileOperation]:
        return _read(without_sides(patches, beside.is_file), problem)

    notes = tuple(
        f"{patch.header.path} keeps its file mode, where the diff has {mode}; use chmod"
        for patch in patches
        if (mode := patch.header.new_mode)
    )
    return FoundEdit(lines, partial(_read, patches, problem), read_beside, notes=notes)


def _refuse_context_diff() -> list[FileOperation]:
    raise unreadable(_NAME, None, "a context diff (`diff -c`) is not read", "send a unified one (`diff -u`)")


def _read(patches: Sequence[FilePatch], problem: str) -> list[FileOperation]:
    if problem:
        raise unreadable(_NAME, None, problem, "send the whole diff again")
    numbers = count(1)
    operations = [operation for patch in patches for operation in _operations(patch, numbers)]
    if not operations:
        for patch in patches:
            if mode := patch.header.new_mode:
                problem = f"{patch.header.path} gets nothing but the file mode {mode}, which is not part of its text"
                raise unreadable(_NAME, None, problem, "use chmod")
        raise unreadable(
            _NAME, None, "it changes nothing", "start removed lines with - and added lines with +"
        )
    return operations


def _operations(patch: FilePatch, numbers: Iterator[int]) -> Iterator[FileOperation]:
    header, path = patch.header, patch.header.path
    _refuse_what_is_no_text(patch)
    if header.created or header.deleted:
        if path is None:
            raise unreadable(
                _NAME, None, "a new or deleted file has no path", "name it in the --- and +++ lines"
            )
        yield _created(path, patch, numbers) if header.created else _deleted(path, patch, numbers)
        return
    if header.contradiction is not None:
        problem = f"{header.contradiction} in one header are two files"
        raise unreadable(
            _NAME, None, problem, "name the same file in both lines, or give each its own header"
        )
    hunks = tuple(hunk for raw in patch.hunks for hunk in _hunks(raw, next(numbers), header.tag))
    if hunks:
        yield ModifyFile(path, hunks)
    if path is not None and header.renamed_to is not None:
        yield RenameFile(path, header.renamed_to)
    elif not patch.hunks and not header.new_mode:
        raise unreadable(_NAME, None, f"{path} has no hunks", "add the hunks, or leave the file out")


def _refuse_what_is_no_text(patch: FilePatch) -> None:
    fields, path = patch.header.fields, patch.header.path
    if "Binary files " in fields or "GIT binary patch" in fields:
        raise unreadable(
            _NAME, None, f"{path} is a binary patch", "edits are for text; copy the file instead"
        )
    if "copy to " in fields:
        problem = f"{fields['copy to ']} is a copy of {fields.get('copy from ', path)}, which a diff does not contain"
        raise unreadable(_NAME, None, problem, "add it as a new file with all its lines")
    special = _SPECIAL_FILES.get(patch.header.mode[:3])
    if special:
        raise unreadable(_NAME, None, f"{path} is {special}", "edits are for text files")


def _body(raw: RawHunk, number: int) -> HunkBody:
    if raw.combined:
        raise unreadable(
            _NAME, number, "it is the combined diff of a merge", "send a diff against one parent"
        )
    if raw.unclear is not None:
        problem = f"the line {raw.unclear!r} may be a part of the diff or stand below it"
        raise unreadable(
            _NAME, number, problem, "start context with a blank and put the diff in a ```diff fence"
        )
    return read_hunk_body(raw.lines)


def _hunks(raw: RawHunk, number: int, tag: Tag | None) -> Iterator[FormatHunk]:
    body = _body(raw, number)
    if body.changed:
        hunk = replacement(body, raw.header)
        # Where nothing says where lines are added, they are a string: that goes into an empty file alone.
        is_placed = hunk.old or hunk.scopes or hunk.line is not None or hunk.at_end
        yield replace(hunk, tag=tag, whole_lines=hunk.whole_lines and bool(is_placed))


def _created(path: str, patch: FilePatch, numbers: Iterator[int]) -> CreateFile:
    text = ""
    if not patch.hunks and "new file mode " not in patch.header.fields:
        raise unreadable(_NAME, None, f"the new file {path} has no hunk", "add its lines, each with +")
    for raw, number in zip(patch.hunks, numbers, strict=False):
        body = _body(raw, number)
        if text:
            raise unreadable(
                _NAME, number, f"the new file {path} has several hunks", "write all its lines in one"
            )
        if any(line and sign != "+" for sign, line in body.lines):
            raise unreadable(
                _NAME, number, f"the new file {path} has lines without +", "start all its lines with +"
            )
        text = "\n".join(body.new) + ("" if body.new_open or not body.new else "\n")
    return CreateFile(path, text, executable=patch.header.mode.endswith("755"))


def _deleted(path: str, patch: FilePatch, numbers: Iterator[int]) -> DeleteFile:
    lines: list[str] = []
    for raw, number in zip(patch.hunks, numbers, strict=False):
        body = _body(raw, number)
        if any(text and sign != "-" for sign, text in body.lines):
            problem = f"{path} is deleted, but has lines without -"
            raise unreadable(
                _NAME, number, problem, "start all its lines with -, or name it in the +++ line too"
            )
        lines += body.old
    return DeleteFile(path, ended(lines) if patch.hunks else None)
