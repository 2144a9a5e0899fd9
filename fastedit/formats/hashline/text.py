"""The lines of a hashline edit: its headers and operations, where it ends in a message, and the rows of new text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from fastedit.formats.base import unreadable
from fastedit.formats.hashline.anchor import NAME
from fastedit.formats.markdown.lead import stated
from fastedit.formats.text.views import without_blank_ends
from fastedit.source.fences import fences

HEADER = re.compile(
    r"(?:\[(?:\*\*\* (?:Update|Edit) File: *+)?(?P<bracketed>[^\[\]#]+)(?:#(?P<tag>[^\[\]\s]*))?\]"
    r"|¶(?P<marked>[^#]++)(?:#(?P<marked_tag>\S*))?)\s*"
)
_LINE = r"([1-9]\d*)"
_RANGE = rf"{_LINE}(?:(?:\s*+(?:\.=|\.\.|[-–…,])\s*+|\s++){_LINE})?"
# Blocks of the syntax tree, and lines that were cut into a register.
_BLOCK = r"(?:SWAP|DEL|CUT|INS|PASTE|COPY)\.BLK\b.*|(?:replace|delete|insert after)[ _]block\b.*|(?:PUT|CUT)\s.*\d\*.*"
_REGISTER = rf"(?:PUT|CUT)\s.*@\w*|(?:PASTE|COPY)\b.*|PUT\s++[<>]?\s*+(?:\$|{_RANGE})"
_OPERATIONS = {
    name: re.compile(rf"\s*(?:{pattern})\s*")
    for name, pattern in {
        "replace": rf"(?:SWAP|PUT|replace)\s+{_RANGE}\s*:",
        "delete": rf"(?:DEL|CUT|delete)\s+{_RANGE}\s*+:?",
        "insert before": rf"(?:INS\.PRE|PUT\s+<|insert\s+before)\s*{_LINE}\s*:",
        "insert after": rf"(?:INS\.POST|PUT\s+>|insert\s+after)\s*{_LINE}\s*:",
        "insert at start": r"(?:INS\.HEAD|insert\s+head)\s*:",
        "insert at end": r"(?:INS\.TAIL|PUT\s+>\s*\$|insert\s+tail)\s*:",
        "around": rf"{_LINE}(?:-{_LINE})?:",
        "remove": "REM",
        "move": r"MV\s+(\S.*)",
        "unsupported": f"{_BLOCK}|{_REGISTER}",
    }.items()
}
_MARKS = ("+", "|", "↑", "↓")  # that rows of new text begin with
_BEGIN, _END, _ABORT = "*** Begin Patch", "*** End Patch", "*** Abort"


@dataclass(frozen=True, slots=True)
class HashlineStatement:
    """A header or an operation, and the lines below it up to the next, blank ones at either end left out."""

    text: str
    below: tuple[str, ...]


def segments(lines: Sequence[str]) -> list[range]:
    """The lines of each edit.

    An edit fills its code fence. Without one it includes every line that touches it, and what stands before a later
    operation: an edit must not lose a part unnoticed.
    """
    blocks = [fence.lines for fence in fences(lines)]
    found: list[range] = []
    index = 0
    while index < len(lines):
        if _begins(lines, index):
            block = next((each for each in blocks if index in each), None)
            if block is not None:
                free = found[-1].stop if found else 0
                block = range(stated(lines, block.start, free, "")[0], block.stop)
            else:
                limit = min((each.start for each in blocks if each.start > index), default=len(lines))
                stop = _stop(lines, range(index + 1, limit))
                block = range(_start(lines, index), stop)
            found.append(block)
            index = block.stop
        else:
            index += 1
    return found


def statements(lines: Sequence[str]) -> tuple[list[HashlineStatement], bool]:
    """The statements of one edit, and whether something marks the end of its last row.

    The first line always counts as one; comments above it say nothing about the file.
    """
    content, bounded = _content(lines)
    text = list(dropwhile(lambda line: not line.strip() or line.lstrip().startswith("#"), content))
    starts = [at for at, line in enumerate(text) if at == 0 or _is_header(line) or operation_of(line)]
    ends = [*starts[1:], len(text)]
    return [
        HashlineStatement(text[a].strip(), tuple(without_blank_ends(text[a + 1 : b])))
        for a, b in zip(starts, ends, strict=True)
    ], bounded


def operation_of(line: str) -> tuple[str, tuple[str, ...]] | None:
    """The name of the operation that a line is, and its lines or its path."""
    for name, pattern in _OPERATIONS.items():
        if match := pattern.fullmatch(line):
            return name, match.groups()
    return None


def rows(statement: HashlineStatement, hunk: int, *, bare: bool) -> list[str]:
    """The new text: what follows the `+` of each row, a blank row being a blank line.

    With `bare` no row needs the `+` if none has it.
    """
    filled = [row for row in statement.below if row.strip()]
    marked = [row for row in filled if row.startswith("+")]
    if len(marked) == len(filled):
        return [row[1:] if row.startswith("+") else "" for row in statement.below]
    wrong = next(row for row in filled if not row.startswith("+"))
    if marked or not bare or any(row.lstrip().startswith("-") for row in filled):
        problem = f"the row {wrong[:40]!r} below {statement.text!r} does not begin with +"
        raise unreadable(NAME, hunk, problem, "write + before every line of new text, and no old line")
    return list(statement.below)


def without_rows(statement: HashlineStatement, hunk: int) -> None:
    """Refuses rows below a statement that has no new text. Raises UnreadableEdit."""
    if statement.below:
        problem = f"{statement.text!r} does not take rows, and {statement.below[0][:40]!r} is below it"
        raise unreadable(NAME, hunk, problem, "use PUT or SWAP to replace lines")


def _begins(lines: Sequence[str], index: int) -> bool:
    header = HEADER.fullmatch(lines[index])
    if header is None:
        return False
    below = dropwhile(lambda line: not line.strip(), (lines[at] for at in range(index + 1, len(lines))))
    touching = takewhile(lambda line: line.strip() and not HEADER.fullmatch(line), below)
    has_tag = bool(header["tag"] or header["marked"])
    return any(operation_of(line) or (has_tag and line.startswith("+")) for line in touching)


def _is_header(line: str) -> bool:
    header = HEADER.fullmatch(line)
    return header is not None and bool(header["tag"] or header["marked"])


def _start(lines: Sequence[str], index: int) -> int:
    above = index - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and lines[above].strip() == _BEGIN else index


def _stop(lines: Sequence[str], rest: range) -> int:
    stop, after_prose = rest.start, False
    for index in rest:
        line = lines[index]
        if line.strip() == _END:
            return index + 1
        if after_prose and _begins(lines, index) and _is_header(line):
            break
        row = line.startswith(_MARKS) and not after_prose
        touches = index == stop and line.strip()
        if row or touches or operation_of(line) or _begins(lines, index) or line.strip() == _ABORT:
            stop, after_prose = index + 1, False
        elif line.strip():
            after_prose = True
    return stop


def _content(lines: Sequence[str]) -> tuple[list[str], bool]:
    """The edit without its code fence and its envelope, and whether it had one of them."""
    fence = next(iter(fences(lines)), None)
    if fence and not fence.closed:
        raise unreadable(
            NAME, None, "its code fence is not closed, it may be cut off", "send the whole edit again"
        )
    text = [lines[index] for index in fence.inside] if fence else list(lines)
    marks = {line.strip() for line in text}
    if _ABORT in marks:
        raise unreadable(NAME, None, f"its author gave it up with {_ABORT!r}", "send the edit that is meant")
    if (_BEGIN in marks) != (_END in marks):
        raise unreadable(
            NAME, None, f"it has only one of {_BEGIN!r} and {_END!r}", "send the whole edit again"
        )
    return [line for line in text if line.strip() not in (_BEGIN, _END)], fence is not None or _END in marks
