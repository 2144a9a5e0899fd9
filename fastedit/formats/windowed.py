"""SWE-agent's windowed edits: `edit 3:5`, the new lines, `end_of_edit`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.formats.base import LineSpan, Modify, unreadable
from fastedit.formats.fences import fences
from fastedit.formats.tool_arguments import NAME

_COMMAND = re.compile(r"\s*edit (\d+):(\d+)\s*")
_END = re.compile(r"\s*end_of_edit\s*")


def window_segments(lines: Sequence[str]) -> list[range]:
    """The lines of each edit, with a code fence that holds nothing else. One without end runs to the last line."""
    blocks = [fence.lines for fence in fences(lines)]
    found, index = [], 0
    while index < len(lines):
        if not _COMMAND.fullmatch(lines[index]):
            index += 1
            continue
        ends = (at + 1 for at in range(index + 1, len(lines)) if _END.fullmatch(lines[at]))
        stop = next(ends, len(lines))
        fenced = range(index - 1, stop + 1)
        found.append(fenced if fenced in blocks else range(index, stop))
        index = found[-1].stop
    return found


def read_window(lines: Sequence[str]) -> Modify:
    """Parses one segment. Raises UnreadableEdit."""
    matches = ((index, _COMMAND.fullmatch(line)) for index, line in enumerate(lines))
    start, command = next((index, match) for index, match in matches if match)
    stop = next((index for index, line in enumerate(lines) if _END.fullmatch(line)), None)
    if stop is None:
        raise unreadable(NAME, None, f"`{command[0].strip()}` has no end", "close it with a line end_of_edit")
    first, last = int(command[1]), int(command[2])
    if not 1 <= first <= last:
        problem = f"`{command[0].strip()}` is not a range of lines"
        raise unreadable(NAME, None, problem, "send it as edit FIRST:LAST")
    return Modify(None, (LineSpan(first - 1, last, tuple(lines[start + 1 : stop])),))
