"""Code in the indentation of its place, and lines that go with the blank ones around them."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import dropwhile, takewhile
from textwrap import dedent

from tree_sitter import Node

from fastedit.ops.source import Source
from fastedit.ops.structure.blocks import is_string
from fastedit.source.hunks import Hunk
from fastedit.source.outline import blank_lines, indentation
from fastedit.source.syntax import Syntax, is_outer_comment

# Lines at the top that belong to the file, not to what follows.
_FILE_HEAD = re.compile(r"#!|#.*coding[:=]|\s*(?://|#|/?\*).*(?:copyright|licen[sc]e)", re.IGNORECASE)


def reindented(source: Source, code: str, indent: str) -> list[str]:
    """The lines of `code` at this indentation, its own steps as those of the file; what begins in a string stays."""
    written = code.strip("\n").split("\n")
    kept = Syntax(written, source.language.name).verbatim if len(written) > 1 else frozenset()
    lines = dedent("\n".join("" if row in kept else line for row, line in enumerate(written))).split("\n")
    given = min((indentation(line) for line in lines if line[:1].isspace()), key=len, default="")
    made, unit = [], source.unit
    for row, line in enumerate(lines):
        if row in kept:
            made.append(written[row])
            continue
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
        if line.strip() and row not in source.syntax.strings:
            line = step + line[min(less, len(source.indent(row))) :]
        made.append(line)
    return made


def cleared(source: Source, node: Node, start: int, stop: int) -> Hunk:
    """Without the lines of `node`, or from it on; with the placeholder of a block that may not be empty."""
    block, placeholder = node.parent, source.language.placeholder
    inside = block.named_children if block is not None and block.type == "block" else []
    stays = (child for child in inside if "comment" not in child.type)
    if placeholder and inside and all(start <= child.start_point.row < stop for child in stays):
        return Hunk(start, stop, (source.indent(node.start_point.row) + placeholder,))
    return Hunk(*tidied(source, start, stop), ())


def tidied(source: Source, start: int, stop: int) -> tuple[int, int]:
    """The lines with those blank ones that set them apart."""
    lines = source.lines
    above, below = blank_lines(lines, start - 1, -1), blank_lines(lines, stop, 1)
    follows = stop + below < len(lines) and not re.match(r"\s*[})\]]", lines[stop + below])
    header = next(row for row in range(start, stop) if lines[row].strip())
    if follows and len(source.indent(stop + below)) >= len(source.indent(header)):
        opens = start == above or len(source.indent(start - above - 1)) < len(source.indent(header))
        # The wider gap stays, as before a definition.
        return (start, stop + below) if above >= below or opens else (start - above, stop)
    return start - above, stop


def own_comments(source: Source, first: int, row: int) -> int:
    """The first line of the comments above line `row`, which begin on line `first`, without those on the file."""
    return min(max(first, below_head(source)), row)


def below_head(source: Source, kinds: Collection[str] = ()) -> int:
    """The line below the comments on the file, the docstring, and the statements of these kinds that it begins with."""
    lines, beside = source.lines, source.language.beside_code
    children = dropwhile(lambda node: node.type in beside, source.syntax.root.named_children)

    def begins(node: Node) -> bool:
        inner = "comment" in node.type and not is_outer_comment(node)
        return node.type in kinds or is_string(node) or inner

    heads = [*filter(begins, takewhile(lambda node: "comment" in node.type or begins(node), children))]
    if heads:
        return source.syntax.rows(heads[-1])[1]
    row = 1 if lines and lines[0].startswith("#!") else 0
    while True:
        start = stop = row + min(blank_lines(lines, row, 1), 1)
        while stop < len(lines) and source.syntax.in_comment(stop):
            stop += 1
        below = stop == len(lines) or lines[stop].strip()  # what the comment is about
        if stop == start or (below and not any(map(_FILE_HEAD.match, lines[start:stop]))):
            return row
        row = stop
