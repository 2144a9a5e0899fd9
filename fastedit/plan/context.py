"""The file as a prompt shows it: whole where it is short, else its imports, its outline and the places in question.

What depends on nothing but the file comes first, so that a server's prompt cache holds it for the next instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.region import Region
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.request import LineRange
from fastedit.source.definitions import Definition
from fastedit.source.fences import fenced

# Of the budget, for each part of a file that is longer; what the others leave goes to what is used and what uses it.
_OUTLINE, _PLACES, _USED = 3 / 8, 3 / 4, 3 / 16
_SMALL = 24  # lines of a definition that is shown as a whole beside those that use it
_NEAR = 2  # lines around a use in a longer one
_WORD = re.compile(r"[^\W\d]\w*")


def is_whole(task: DocumentTask) -> bool:
    """Whether a prompt shows all of the file."""
    return tokens_of(task.document.text) <= task.budget


def places_budget(task: DocumentTask) -> int:
    """Tokens of the regions that a prompt shows of a longer file."""
    return int(_PLACES * task.budget)


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
        parts.append(_place(task, LineRange(block.start, block.stop), "the imports"))
    if outline := _outline(structure, int(_OUTLINE * task.budget)):
        parts.append(f"Outline, with line numbers:\n{fenced(outline)}")
    return "\n\n".join(parts)


def places_part(task: DocumentTask) -> str:
    """Of a long file, the places that the instruction is about and the definitions that they use."""
    if is_whole(task) or not task.regions:
        return ""
    shown = list(
        _within((_place(task, region, region.reason) for region in task.regions), places_budget(task))
    )
    rest = task.budget - sum(map(tokens_of, (file_part(task), *shown)))
    beside = chain(_used(task), _users(task) if task.scope is None and task.stretch is None else ())
    return "\n\n".join([*shown, *_within(beside, max(rest, _USED * task.budget))])


def _place(task: DocumentTask, lines: Region | LineRange, what: str) -> str:
    numbers = f"Lines {lines.start + 1}-{lines.stop}"
    said = numbers if what.startswith("lines ") else f"{numbers}, {what}"
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


def _used(task: DocumentTask) -> Iterator[str]:
    """The definitions elsewhere in the file that the places name."""
    structure = file_map(task.document)
    words = {word for region in task.regions for word in _WORD.findall(task.text_of(region))}
    for item in _told_by_name(structure):
        if (
            item.name in words
            and not _overlaps(item, task)
            and _stands_in(task, structure.lines_with(item.name))
        ):
            short = len(item) <= _SMALL
            stop = item.stop if short else max(item.body, item.header + 1)
            yield _place(task, LineRange(item.start, stop), f"{item.kind} {item.dotted}, which is used there")


def _users(task: DocumentTask) -> Iterator[str]:
    """Where else in the file the definitions at the places are used: what a change of them may have to change too."""
    structure = file_map(task.document)
    named = [item for item in _told_by_name(structure) if _stands_in(task, (item.header,))]
    shown = set[int]()
    for item in named:
        for line in structure.lines_with(item.name):
            if line in shown or _stands_in(task, (line,)):
                continue
            user = structure.enclosing(line, line + 1)
            lines = LineRange(max(line - _NEAR, 0), min(line + _NEAR + 1, len(structure.lines)))
            if user is not None and len(user) <= _SMALL:
                lines = LineRange(user.start, user.stop)
            shown.update(range(lines.start, lines.stop))
            where = "" if user is None else f"{user.kind} {user.dotted}, "
            yield _place(task, lines, f"{where}which uses {item.name}")


def _told_by_name(structure: FileMap) -> list[Definition]:
    """The definitions whose name tells them from all others of the file, as `__init__` does not."""
    paths: dict[str, set[tuple[str, ...]]] = {}
    for item in structure.definitions:
        paths.setdefault(item.name, set()).add(item.path)
    return [item for item in structure.definitions if len(paths[item.name]) == 1]


def _overlaps(item: Definition, task: DocumentTask) -> bool:
    return any(region.start < item.stop and item.start < region.stop for region in task.regions)


def _stands_in(task: DocumentTask, lines: Iterable[int]) -> bool:
    """Whether one of the lines is among the places."""
    return any(region.start <= line < region.stop for line in lines for region in task.regions)


def _within(parts: Iterator[str], budget: float) -> Iterator[str]:
    """As many of the parts as the budget has tokens for; the first in any case."""
    spent = 0
    for part in parts:
        spent += tokens_of(part) + 1
        if spent > budget and spent > tokens_of(part) + 1:
            return
        yield part
