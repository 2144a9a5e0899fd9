"""What the text dialects of hashline share: where an edit ends in a message, and the rows of new text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from fastedit.formats.base import unreadable
from fastedit.formats.fences import fences
from fastedit.formats.hashline_anchor import NAME
from fastedit.formats.search_replace_paths import path_alone, path_in_info

_BEGIN, _END, _ABORT = "*** Begin Patch", "*** End Patch", "*** Abort"


@dataclass(frozen=True, slots=True)
class Statement:
    """A header or an operation, and the lines below it up to the next, blank ones at either end left out."""

    text: str
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the lines of one dialect are. A row of new text begins with one of `marks`."""

    is_header: Callable[[str], bool]
    is_operation: Callable[[str], bool]
    marks: str


def sections(lines: Sequence[str], grammar: Grammar, begins: Callable[[int], bool]) -> list[range]:
    """The lines of each edit. `begins` tells whether one begins in a line of that index.

    An edit fills its code fence. Without one it includes every line that touches it, and what stands before a later
    operation: an edit must not lose a part unnoticed.
    """
    blocks = [fence.lines for fence in fences(lines)]
    found: list[range] = []
    index = 0
    while index < len(lines):
        if begins(index):
            block = next((each for each in blocks if index in each), None)
            if block is not None:
                free = found[-1].stop if found else 0
                named = block.start > free and path_alone(lines[block.start - 1]) is not None
                block = range(block.start - named, block.stop)
            else:
                limit = min((each.start for each in blocks if each.start > index), default=len(lines))
                stop = _stop(lines, range(index + 1, limit), grammar, begins)
                block = range(_start(lines, index), stop)
            found.append(block)
            index = block.stop
        else:
            index += 1
    return found


def statements(lines: Sequence[str], grammar: Grammar) -> tuple[list[Statement], bool]:
    """The statements of one edit, and whether something marks the end of its last row.

    The first line always counts as one; comments above it say nothing about the file.
    """
    content, bounded = _content(lines)
    text = list(dropwhile(lambda line: not line.strip() or line.lstrip().startswith("#"), content))
    starts = [
        at for at, line in enumerate(text) if at == 0 or grammar.is_header(line) or grammar.is_operation(line)
    ]
    ends = [*starts[1:], len(text)]
    return [
        Statement(text[a].strip(), _filled(text[a + 1 : b])) for a, b in zip(starts, ends, strict=True)
    ], bounded


def path_above(lines: Sequence[str]) -> str | None:
    """The path that the code fence of an edit is headed with."""
    fence = next(iter(fences(lines)), None)
    if fence is None:
        return None
    return path_alone(lines[fence.lines.start - 1]) if fence.lines.start else path_in_info(fence.info)


def rows(statement: Statement, mark: str, hunk: int, *, bare: bool) -> list[str]:
    """The new text: what follows `mark` in each row, a blank row being a blank line.

    With `bare` no row needs the mark if none has it.
    """
    filled = [row for row in statement.below if row.strip()]
    marked = [row for row in filled if row.startswith(mark)]
    if len(marked) == len(filled):
        return [row[len(mark) :] if row.startswith(mark) else "" for row in statement.below]
    wrong = next(row for row in filled if not row.startswith(mark))
    if marked or not bare or any(row.lstrip().startswith("-") for row in filled):
        problem = f"the row {wrong[:40]!r} below {statement.text!r} does not begin with {mark}"
        raise unreadable(NAME, hunk, problem, f"write {mark} before every line of new text, and no old line")
    return list(statement.below)


def without_rows(statement: Statement, hunk: int, way_out: str) -> None:
    """Refuses rows below a statement that has no new text. Raises UnreadableEdit."""
    if statement.below:
        problem = f"{statement.text!r} takes no rows, and {statement.below[0][:40]!r} is below it"
        raise unreadable(NAME, hunk, problem, way_out)


def _start(lines: Sequence[str], index: int) -> int:
    above = index - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and lines[above].strip() == _BEGIN else index


def _stop(lines: Sequence[str], rest: range, grammar: Grammar, begins: Callable[[int], bool]) -> int:
    stop, after_prose = rest.start, False
    for index in rest:
        line = lines[index]
        if line.strip() == _END:
            return index + 1
        if after_prose and begins(index) and grammar.is_header(line):
            break
        row = line.startswith(tuple(grammar.marks)) and not after_prose
        touches = index == stop and line.strip()
        if row or touches or grammar.is_operation(line) or begins(index) or line.strip() == _ABORT:
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


def _filled(lines: Sequence[str]) -> tuple[str, ...]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return tuple(lines[filled[0] : filled[-1] + 1]) if filled else ()
