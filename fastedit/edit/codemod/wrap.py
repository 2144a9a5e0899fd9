"""Single statements, and blocks that are put around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tree_sitter import Node

from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width, indentation

_BLOCKS = frozenset(
    """block statement_block statement_list compound_statement constructor_body module program source_file
    translation_unit""".split()  # noqa: SIM905
)
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_STEPS = (2, 3, 4, 8)


def statement(source: Source, row: int) -> Node | None:
    """The one statement that a line is, and nothing else; None where it begins, ends or holds another."""
    if source.syntax is None or (node := source.syntax.at(row)) is None:
        return None
    while node.parent is not None and node.parent.type not in _BLOCKS:
        node = node.parent
    text = source.lines[row].rstrip()
    whole = (
        node.parent is not None
        and node.start_point == (row, len(indentation(text).encode()))
        and node.end_point.row == row
        and not text.encode()[node.end_point.column :].strip(b" ;")
    )
    return node if whole and not node.has_error and "comment" not in node.type else None


def declares(node: Node) -> bool:
    """Whether what a statement declares would be known within a block around it only."""
    return node.type in _DECLARATIONS


def tried(node: Node) -> bool:
    """Whether the statement stands in the block of a try already."""
    around: Node | None = node.parent
    while around is not None and around.type not in ("function_definition", "class_definition"):
        if around.type == "try_statement":
            return True
        around = around.parent
    return False


def unit(source: Source, row: int) -> str:
    """One step of indentation: that from the block around a line, else the file's most frequent one."""
    margin = indentation(source.lines[row])
    if "\t" in margin or (not margin and any(line.startswith("\t") for line in source.lines)):
        return "\t"
    steps = _steps(source)
    return _to_line(source, row) or " " * (steps.most_common(1)[0][0] if steps else 4)


def uneven(source: Source, row: int) -> tuple[str, ...]:
    """The reason to doubt the step where no block around the line tells it and the file has several."""
    told = unit(source, row) == "\t" or _to_line(source, row)
    return (
        () if told or len(_steps(source)) < 2 else ("the file is indented by steps of more than one width",)
    )


def _to_line(source: Source, row: int) -> str:
    """The step to a line from the block around it; nothing where that is none."""
    margin = indentation(source.lines[row])
    # Texts and comments may stand further left than the code around them.
    above = (n for n in range(row - 1, -1, -1) if len(indentation(source.lines[n])) < len(margin))
    code = (n for n in above if source.lines[n].strip() and not source.in_text(n))
    outer = indentation(source.lines[first]) if (first := next(code, None)) is not None else margin
    return margin[len(outer) :] if len(margin) - len(outer) in _STEPS else ""


def _steps(source: Source) -> Counter[int]:
    """How often lines stand how many columns deeper than the one above."""
    widths = [indent_width(line) for line in source.lines if line.strip()]
    return Counter(b - a for a, b in pairwise(widths) if b - a in _STEPS)


def wrapped(source: Source, row: int, head: str, foot: Sequence[str], *reasons: str) -> Codemod:
    """The line one step deeper, between others. Of `foot`, what begins with a tab is one step deeper too."""
    margin, step = indentation(source.lines[row]), unit(source, row)
    below = (margin + line.replace("\t", step, 1) for line in foot)
    return Codemod(
        (Hunk(row, row + 1, (margin + head, step + source.lines[row], *below)),),
        (*reasons, *uneven(source, row)),
    )
