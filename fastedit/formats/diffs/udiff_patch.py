"""Splits the lines of a unified diff into files and hunks, and finds where a diff ends in a message."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fastedit.formats.base import IsFile
from fastedit.formats.diffs.udiff_header import (
    NOTHING,
    FileHeader,
    read_file_header,
    read_path,
    starts_file,
    strip_prefixes,
)
from fastedit.formats.diffs.udiff_hunk import (
    HunkHeader,
    is_bare,
    is_change,
    is_combined,
    is_hunk_header,
    read_hunk_header,
    strip_blank_end,
)
from fastedit.source.fences import Closings

_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")  # of `git diff --color=always`


@dataclass(slots=True)
class RawHunk:
    """A hunk's lines. `unclear` is a line of it that may as well be prose."""

    header: HunkHeader
    lines: Sequence[str]
    unclear: str | None = None
    combined: bool = False


@dataclass(slots=True)
class FilePatch:
    header: FileHeader = field(default_factory=FileHeader)
    hunks: list[RawHunk] = field(default_factory=list)


def fence_closings(lines: Sequence[str]) -> Closings:
    """Where fences end. More of a diff below its mark makes that a line of the diff."""

    def closes(at: int, mark: str) -> bool:
        if not lines[at].startswith(mark) or lines[at].strip(mark[0] + " "):
            return False
        below = lines[at + 1] if at + 1 < len(lines) else ""
        return not (is_change(below) or is_hunk_header(below))

    return Closings(lines, closes)


def starts_diff(lines: Sequence[str], at: int) -> bool:
    """Whether the line, outside of hunks, starts the header of a file or a hunk."""
    return starts_file(lines, at) or is_hunk_header(lines[at])


def read_patches(lines: Sequence[str], at: int, fenced: bool) -> tuple[list[FilePatch], int]:
    """The files of one run of diff lines, and the line after it. Inside a code fence there is no prose."""
    patches: list[FilePatch] = []
    end = at
    while at < len(lines):
        if starts_file(lines, at):
            header, at = read_file_header(lines, at)
            patches.append(FilePatch(header))
            if at < len(lines) and lines[at].startswith((" ", "+", "-")):
                at = _append_hunk(patches, lines, at, fenced)
        elif is_hunk_header(lines[at]):
            at = _append_hunk(patches, lines, at, fenced)
        elif fenced or lines[at] == "":
            at += 1
            continue
        else:
            break
        end = at
    return patches, end


def _append_hunk(patches: list[FilePatch], lines: Sequence[str], at: int, fenced: bool) -> int:
    if not patches:
        patches.append(FilePatch())
    hunk, at = read_raw_hunk(lines, at, fenced)
    patches[-1].hunks.append(hunk)
    return at


def read_raw_hunk(lines: Sequence[str], at: int, fenced: bool) -> tuple[RawHunk, int]:
    """The hunk that starts at a line, with or without `@@`, and the line after it."""
    explicit = is_hunk_header(lines[at])
    header = read_hunk_header(lines[at]) if explicit else HunkHeader()
    start = stop = at + explicit
    while stop < len(lines) and not _ends_hunk(lines, start, stop, header):
        stop += 1
    body = lines[start:stop]
    size, unclear = (len(body), None) if fenced else find_end(body, header)
    size = strip_blank_end(body[:size])
    return RawHunk(header, body[:size], unclear, explicit and is_combined(lines[at])), start + size


def _ends_hunk(lines: Sequence[str], start: int, at: int, header: HunkHeader) -> bool:
    line = lines[at]
    if line.startswith(("--- ", "+++ ")):
        return _is_header_in_hunk(lines, start, at, header)
    if line.rstrip() == "--":  # the signature of a mail
        return header.counts(lines[start:at])
    return starts_diff(lines, at)


def _is_header_in_hunk(lines: Sequence[str], start: int, at: int, header: HunkHeader) -> bool:
    """Whether `---` or `+++` starts the next file, or is a removed or added line with `-- ` or `++ `."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not (lines[at].startswith("--- ") and below.startswith("+++ ")):
        return starts_file(lines, at) and header.counts(lines[start:at])
    if header.counts(lines[start:at]):
        return True
    old, new = read_path(lines[at][4:]), read_path(below[4:])
    if NOTHING in (old, new) or (old.startswith("a/") and new == "b/" + (strip_prefixes(old, new) or "")):
        return True
    followed = at + 2 < len(lines) and is_hunk_header(lines[at + 2])
    return followed and not header.counts(lines[start : at + 2])


def find_end(body: Sequence[str], header: HunkHeader) -> tuple[int, str | None]:
    """Where a hunk ends that prose may follow, and a line that may as well be prose as context.

    A line without prefix is context where changes follow directly, prose where the counts say that the hunk ended
    and a blank line does too, unless other context has no prefix either. Below the last change it does not matter,
    unless the hunk has no place without it. A change below such an end may be an item of a list.
    """
    last = max((index for index, line in enumerate(body) if is_change(line)), default=-1)
    ends = header.ends(body)
    inked = [index for index, line in enumerate(body) if line]
    has_place = has_bare = False
    old_count = 0
    for index, line in enumerate(body):
        complete = ends[index]
        if line == "" and index < last and complete:
            below = body[inked[bisect_right(inked, index)]]
            if is_change(below):
                return len(body), below
        if is_bare(line):
            attached = index == 0 or body[index - 1] != ""
            ended = complete and not attached and not has_bare
            if (index > last and (complete or has_place)) or (index < last and ended):
                return index, None
            lacks = header.old_count is not None and header.old_count > old_count
            if index > last or complete or not (attached or lacks):
                return len(body), line
            has_bare = True
        is_old = not line.startswith("+")
        has_place |= is_old and line != ""
        old_count += is_old
    return len(body), None


def without_colours(lines: Sequence[str]) -> Sequence[str]:
    """The lines as they are without colours, where it is these that hide a diff: else they are text of a file."""
    if not any("\x1b[" in line for line in lines):
        return lines
    plain = [_COLOUR.sub("", line) for line in lines]
    hidden = any(starts_diff(plain, at) and not starts_diff(lines, at) for at in range(len(lines)))
    return plain if hidden else lines


def without_sides(patches: Sequence[FilePatch], is_file: IsFile) -> list[FilePatch]:
    """The patches, with their files named as they are below the two folders that tell the sides apart, as in `diff -ru
    old new` and `git diff --src-prefix`, where it is there that they stand; or by the name before the change, as in
    `diff -u a.py new.py`, where that alone is a file.

    A pair of folders is decided on as one: nothing in them may be a file here, and something below them has to be one,
    or to be made.
    """
    pairs: dict[tuple[str, str], list[FileHeader]] = {}
    for patch in patches:
        if pair := patch.header.folders:
            pairs.setdefault(pair, []).append(patch.header)
    sides = {pair for pair, headers in pairs.items() if _are_sides(headers, is_file)}
    headers = (_of_file(each.header, each.header.folders in sides, is_file) for each in patches)
    return [replace(patch, header=header) for patch, header in zip(patches, headers, strict=True)]


def _of_file(header: FileHeader, below: bool, is_file: IsFile) -> FileHeader:
    if below:
        return replace(header, below=True)
    path, before = header.path, strip_prefixes(header.names[0], None)
    if header.created or header.deleted or before in (None, path) or path is None or is_file(path):
        return header
    named = dict.fromkeys(("--- ", "+++ "), before)
    return replace(header, fields=header.fields | named) if is_file(before) else header


def _are_sides(headers: Sequence[FileHeader], is_file: IsFile) -> bool:
    names = (name for header in headers for name in header.names)
    if any(name is not None and is_file(name) for name in names):
        return False
    below = (replace(header, below=True) for header in headers)
    return any(header.created or (header.path is not None and is_file(header.path)) for header in below)
