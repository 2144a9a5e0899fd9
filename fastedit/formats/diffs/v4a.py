"""V4A, the patches of OpenAI's `apply_patch`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    FileOperation,
    Format,
    FoundEdit,
    join_modifications,
    set_in,
    unreadable,
)
from fastedit.formats.diffs.udiff_hunk import strip_blank_end
from fastedit.formats.diffs.udiff_patch import fence_closings
from fastedit.formats.diffs.v4a_lines import END, file_header, is_begin
from fastedit.formats.diffs.v4a_message import find_patch, starts_patch
from fastedit.formats.diffs.v4a_stream import NAME, AddSection, PatchStream, UpdateSection


def find(lines: Sequence[str]) -> list[FoundEdit]:
    found: list[FoundEdit] = []
    at = end = 0
    closings = fence_closings(lines)
    while at < len(lines):
        if starts_patch(lines, at):
            segment, stop = find_patch(lines, closings, end, at)
            at = end = segment.stop
            found.append(FoundEdit(segment, partial(_read, lines[segment.start : stop])))
        else:
            at += 1
    return found


FORMAT = Format(NAME, (find, set_in(find)))


def _read(lines: Sequence[str]) -> list[FileOperation]:
    patch, is_ended = PatchStream(), END.fullmatch(lines[-1]) is not None
    body = lines[:-1] if is_ended else lines
    operations = [operation for line in body for operation in patch.feed(line)]
    operations += patch.end() if is_ended else patch.close()
    if not operations:
        raise unreadable(
            NAME, None, "it has no file header", "start each file with *** Update File: and its path"
        )
    return operations


def read_body(path: str, diff: str, kind: str) -> tuple[FileOperation, ...]:
    """The operation of an `apply_patch` call: `kind` is create_file, update_file or delete_file.

    `diff` is a patch's body without envelope and file header. A new file is exactly its lines: it ends in a newline
    only if the last of them is blank.
    """
    lines = _body(path, diff)
    match kind:
        case "create_file":
            new = AddSection(path)
            for line in lines:
                new.take(line)
            return (CreateFile(path, ("\r\n" if "\r\n" in diff else "\n").join(new.lines)),)
        case "update_file":
            section = UpdateSection(path)
            operations = [operation for line in lines for operation in section.take(line)]
            return join_modifications([*operations, *section.close()])
        case "delete_file":
            return (DeleteFile(path),)
    raise unreadable(
        NAME, None, f"{kind!r} is not an operation", "use create_file, update_file or delete_file"
    )


def _body(path: str, diff: str) -> list[str]:
    lines = diff.replace("\r\n", "\n").split("\n")
    if END.fullmatch(lines[strip_blank_end(lines) - 1]):
        del lines[strip_blank_end(lines) - 1 :]
    for line in lines:
        if file_header(line) or is_begin(line):
            problem = f"the line {line!r} stands in the diff for {path}"
            raise unreadable(NAME, None, problem, "send one operation for each file, without an envelope")
    return lines
