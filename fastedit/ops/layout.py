"""Code in the indentation of its place."""

from __future__ import annotations

from textwrap import dedent

from fastedit.edit.outline import indentation
from fastedit.ops.source import Source


def reindented(code: str, indent: str, unit: str) -> list[str]:
    """The lines of `code` at this indentation, its own steps as those of the file."""
    lines = dedent(code.replace("\r\n", "\n").replace("\r", "\n").strip("\n")).split("\n")
    given = min((indentation(line) for line in lines if line[:1].isspace()), key=len, default="")
    made = []
    for line in lines:
        steps = 0
        while given and line.startswith(given):
            line, steps = line[len(given) :], steps + 1
        made.append(indent + unit * steps + line.rstrip() if line.strip() else "")
    return made


def deeper(source: Source, start: int, stop: int, step: str, less: int = 0) -> list[str]:
    """The lines [start, stop) with `step` before their text, or `less` blanks; what begins in a string stays."""
    made = []
    for row in range(start, stop):
        line = source.lines[row]
        if line.strip() and not _in_string(source, row):
            line = step + line[min(less, len(source.indent(row))) :]
        made.append(line)
    return made


def _in_string(source: Source, row: int) -> bool:
    """Whether the line begins within a string of several lines."""
    at = source.start(row)
    node = source.syntax.root.descendant_for_byte_range(at, at)
    while node is not None and not ("string" in node.type and node.start_byte < at):
        node = node.parent
    return node is not None
