"""The hunks that the arguments of edit tools describe: old and new text, inserted and replaced lines, sketches."""

from __future__ import annotations

from collections.abc import Callable

from fastedit.formats.base import Hunk, LineSpan, Replacement, Sketch
from fastedit.formats.tool_arguments import (
    ALL,
    CODE_EDIT,
    COUNT,
    END_LINE,
    INSERT_LINE,
    LINES,
    NEW,
    OCCURRENCE,
    OLD,
    START_LINE,
    Arguments,
)
from fastedit.formats.views import ended


def hunk_reader(arguments: Arguments) -> Callable[[Arguments], Hunk] | None:
    """The function that reads a hunk from these arguments, None where there is no hunk in them."""
    if arguments.has_text(OLD) and arguments.has_text(NEW):
        return replacement
    if isinstance(arguments.first(CODE_EDIT), str):
        return _sketch
    # Under other names, tools differ in whether lines count from 0 or 1.
    if arguments.has(START_LINE, END_LINE) and arguments.has_text(LINES):
        return _lines
    return None


def replacement(arguments: Arguments) -> Replacement:
    """Old and new text. Without the new one the old one is deleted."""
    old_lines, new_lines = arguments.lines(OLD), arguments.lines(NEW)
    whole_lines = old_lines is not None and (new_lines is not None or not arguments.has(NEW))
    if whole_lines:
        old, new = ended(old_lines or ()), ended(new_lines or ())
    else:
        old, new = arguments.text(OLD), arguments.text(NEW) if arguments.has(NEW) else ""
    if old == new:
        raise arguments.error(
            "the old and the new text are the same, so nothing would change",
            "send the text as it should become",
        )
    return Replacement(
        old, new, whole_lines, line=arguments.number(START_LINE, least=1), count=_count(arguments)
    )


def insertion(arguments: Arguments) -> LineSpan:
    """Lines after line `insert_line`, 0 for the beginning of the file."""
    line = arguments.number(INSERT_LINE, least=0)
    if line is None:
        raise arguments.error("insert_line is missing", "send the line to insert after, 0 for the first")
    return LineSpan(line, line, split(arguments.text(NEW)))


def split(text: str) -> tuple[str, ...]:
    """The lines of a text, whose last one may end with LF or not."""
    return tuple(text.removesuffix("\n").split("\n"))


def _lines(arguments: Arguments) -> LineSpan:
    start, stop = arguments.number(START_LINE, least=1), arguments.number(END_LINE, least=1)
    assert start is not None
    assert stop is not None
    if start > stop:
        raise arguments.error(f"start_line {start} is after end_line {stop}", "send the first line first")
    text = arguments.text(LINES)
    return LineSpan(start - 1, stop, split(text) if text else ())


def _sketch(arguments: Arguments) -> Sketch:
    return Sketch(arguments.text(CODE_EDIT))


def _count(arguments: Arguments) -> int | None:
    occurrence = arguments.get(OCCURRENCE)
    if occurrence not in (None, "all"):
        raise arguments.error(
            f"occurrence is {occurrence!r}", "send more of the text around the one place, or all"
        )
    number = arguments.number(COUNT, least=1)
    if number is not None:
        return number
    return None if arguments.flag(ALL) or occurrence == "all" else 1
