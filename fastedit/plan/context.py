"""The file as a prompt shows it: whole where it is short, else its imports and its outline.

What depends on nothing but the file comes first, so that a server's prompt cache holds it for the next instruction.
"""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.locate.filemap import FileMap, file_map
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.request import LineRange
from fastedit.source.definitions import Definition
from fastedit.source.fences import fenced

_OUTLINE = 3 / 8  # of the budget


def is_whole(task: DocumentTask) -> bool:
    """Whether a prompt shows all of the file."""
    return tokens_of(task.document.text) <= task.budget


def file_part(task: DocumentTask) -> str:
    """What is the same for every instruction on this file."""
    document = task.document
    count = len(document.lines)
    size = f"{count} line{'s' if count != 1 else ''}"
    indented = [line for line in document.lines if line[:1] in ("\t", " ")]
    # A model takes a tab for blanks where nothing says so.
    tabs = "indented with tabs" if indented and all(line[0] == "\t" for line in indented) else ""
    head = f"File: {task.name} ({', '.join(filter(None, (task.notation, size, tabs)))})"
    if not document.text.strip():
        return f"{head}\n\nThe file is empty."
    if is_whole(task):
        text = "\n".join(document.lines)
        return f"{head}\n\n{fenced(text, task.notation)}"
    structure = file_map(document)
    parts = [f"{head}. It is too long to be shown as a whole."]
    if block := structure.import_block:
        parts.append(place_part(task, block, "the imports"))
    if outline := _outline(structure, int(_OUTLINE * task.budget)):
        parts.append(f"Outline, with line numbers:\n{fenced(outline)}")
    return "\n\n".join(parts)


def place_part(task: DocumentTask, lines: LineRange, what: str) -> str:
    said = ", ".join(filter(None, (f"Lines {lines.start + 1}-{lines.stop}", what)))
    return f"{said}:\n{fenced(task.text_of(lines), task.notation)}"


def _outline(structure: FileMap, budget: int) -> str:
    """The definitions with their line numbers, without the inner ones where all would not fit."""
    depths = sorted({len(item.path) for item in structure.definitions}, reverse=True)
    for depth in depths:
        shown = (item for item in structure.definitions if len(item.path) <= depth)
        lines = [
            f"{row + 1:5}  {structure.lines[row].rstrip()}"
            for row in (_named_at(structure, item) for item in shown)
        ]
        if depth == depths[-1] or tokens_of("\n".join(lines)) <= budget:
            within = list(_within(iter(lines), budget))
            more = [f"       ... and {len(lines) - len(within)} more"] if len(within) < len(lines) else []
            return "\n".join([*within, *more])
    return ""


def _named_at(structure: FileMap, item: Definition) -> int:
    """The line that has its name, which may follow on annotations."""
    head = range(item.header, max(item.body, item.header + 1))
    return next((row for row in head if item.name in structure.lines[row]), item.header)


def _within(parts: Iterator[str], budget: float) -> Iterator[str]:
    """As many of the parts as the budget has tokens for; the first in any case."""
    spent = 0
    for part in parts:
        spent += tokens_of(part) + 1
        if spent > budget and spent > tokens_of(part) + 1:
            return
        yield part
