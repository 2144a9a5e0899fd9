"""SWE-agent's windowed edits: `edit 3:5`, the new lines, `end_of_edit`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from fastedit.formats.base import FoundEdit, LineSpan, ModifyFile, unreadable
from fastedit.formats.tools.tool_arguments import NAME
from fastedit.source.fences import fences

_COMMAND = re.compile(r"\s*edit (\d+):(\d+)\s*")
_END = re.compile(r"\s*end_of_edit\s*")


def windows_in(lines: Sequence[str]) -> list[FoundEdit]:
    """Each edit, with a code fence that holds nothing else. One without end runs to the last line."""
    blocks = [fence.lines for fence in fences(lines)]
    found: list[FoundEdit] = []
    index = 0
    while index < len(lines):
        command = _COMMAND.fullmatch(lines[index])
        if command is None:
            index += 1
            continue
        end = next((at for at in range(index + 1, len(lines)) if _END.fullmatch(lines[at])), None)
        segment = range(index, len(lines) if end is None else end + 1)
        fenced = range(segment.start - 1, segment.stop + 1)
        new = None if end is None else tuple(lines[index + 1 : end])
        found.append(FoundEdit(fenced if fenced in blocks else segment, partial(_read, command, new)))
        index = found[-1].lines.stop
    return found


def _read(command: re.Match[str], new: tuple[str, ...] | None) -> tuple[ModifyFile]:
    said = command[0].strip()
    if new is None:
        raise unreadable(NAME, None, f"`{said}` has no end", "close it with a line end_of_edit")
    first, last = int(command[1]), int(command[2])
    if not 1 <= first <= last:
        raise unreadable(NAME, None, f"`{said}` is not a range of lines", "send it as edit FIRST:LAST")
    return (ModifyFile(None, (LineSpan(first - 1, last, new),)),)
