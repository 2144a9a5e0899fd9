"""Finds V4A patches in a message, with the shell command and the code fence around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from fastedit.formats.diffs.udiff_hunk import HunkHeader, is_change, is_hunk_header, strip_blank_end
from fastedit.formats.diffs.udiff_patch import find_end
from fastedit.formats.diffs.v4a_lines import (
    BEGIN,
    END,
    ENVIRONMENT,
    FILE,
    MOVE,
    file_header,
    has_heredoc,
    is_begin,
    is_indented,
    read_command,
)
from fastedit.source.fences import OPENING, Closings, Fence


def starts_patch(lines: Sequence[str], at: int) -> bool:
    """Whether a patch starts at a line: with its envelope, or with a file header."""
    line = lines[at]
    if not BEGIN.fullmatch(line):
        return file_header(line) is not None
    # An indented marker is a line of another diff if what follows is indented too.
    below = next((below for below in lines[at + 1 :] if below.strip()), "")
    return not is_indented(line) or (file_header(below) or ENVIRONMENT.fullmatch(below)) is not None


def find_patch(lines: Sequence[str], closings: Closings, floor: int, at: int) -> tuple[range, int]:
    """The patch that starts at a line with what wraps it from line `floor` on, and the line after the patch itself."""
    start, word = _command_above(lines, floor, at)
    fence = _fence_around(closings, floor, at)
    last = fence.inside.stop if fence is not None else len(lines)
    ends = (index for index in range(at + 1, last) if is_begin(lines[index]) or lines[index].rstrip() == word)
    limit = next(ends, last)
    end = stop = _end(lines, at, limit, fence is not None or word is not None)
    if fence is not None and not any(line.strip() for line in lines[fence.inside.start : start]):
        start = fence.lines.start
    below = _next_line(lines, stop)
    if below < len(lines) and lines[below].rstrip() == word:
        stop = below + 1
        below = _next_line(lines, stop)
    closes = fence is not None and fence.closed and below == last
    return range(start, below + 1 if closes else stop), end


def _next_line(lines: Sequence[str], at: int) -> int:
    """The next line that is not blank."""
    return next((index for index in range(at, len(lines)) if lines[index].strip()), len(lines))


def _command_above(lines: Sequence[str], floor: int, at: int) -> tuple[int, str | None]:
    """Where the shell command of a patch starts, and the word that ends its here-document."""
    word: str | None = None
    start = at
    for index in reversed(range(floor, at)):
        command = read_command(lines[index])
        if command is not None or has_heredoc(lines[index]) or lines[index].strip() == "%%bash":
            start = index
            word = word or (command.end if command else None)
        elif lines[index].strip():
            break
    return start, word


def _fence_around(closings: Closings, floor: int, at: int) -> Fence | None:
    """The code fence above a line that is still open there."""
    index = floor
    while index < at:
        fence = closings.fence(index)
        if fence is not None and not fence.indent and at < fence.lines.stop:
            return fence
        index = index + 1 if fence is None or fence.indent else fence.lines.stop
    return None


def _end(lines: Sequence[str], at: int, limit: int, wrapped: bool) -> int:
    for index in range(at, limit):
        if END.fullmatch(lines[index]) and not (
            is_indented(lines[index]) and _continues(lines, index + 1, limit)
        ):
            return index + 1
    if wrapped or not file_header(lines[at]):
        return limit
    while True:
        following = next((index for index in range(at + 1, limit) if file_header(lines[index])), limit)
        end = _end_of_section(lines, at, following)
        if following == limit or _next_line(lines, end) < following:
            return end
        at = following


def _continues(lines: Sequence[str], at: int, limit: int) -> bool:
    """Whether the line below one that may end the patch shows that it does not."""
    below = _next_line(lines, at)
    return below < limit and lines[below].startswith((" ", "+", "-", "@@", "***"))


def _end_of_section(lines: Sequence[str], at: int, limit: int) -> int:
    """Where the section of a patch without an envelope ends, above lines that may be prose."""
    file = FILE.fullmatch(lines[at])
    frames = [
        index for index in range(at, limit) if is_hunk_header(lines[index]) or lines[index].startswith("*** ")
    ]
    if file and file[1] == "Update":
        start = frames[-1] + 1
        below = takewhile(str.strip, lines[_next_line(lines, start) : limit])
        if MOVE.fullmatch(lines[start - 1]) and not any(map(is_change, below)):
            return start  # what follows is another edit, or prose
        size = find_end(lines[start:limit], HunkHeader())[0]
        return start + strip_blank_end(lines[start : start + size])
    added = [index for index in range(at, limit) if lines[index].startswith("+")]
    text = _next_line(lines, at + 1)
    if file and file[1] == "Add" and not added and text < limit and not OPENING.fullmatch(lines[text]):
        return text + 1  # as the text of the file it lacks its signs
    return max([at, *added]) + 1
