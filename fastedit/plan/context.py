"""The file as a prompt shows it: whole where it is short, else its imports, its outline and the places in question.

What depends on nothing but the file comes first, so that a server's prompt cache holds it for the next instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.region import Region
from fastedit.plan.base import Wish, fenced, tokens_of
from fastedit.request import LineRange
from fastedit.source.definitions import Definition

_OUTLINE, _PLACES, _USED = 3 / 8, 3 / 4, 3 / 16  # of the budget, for each part of a file that is longer
_SMALL = 24  # lines of a definition that is shown as a whole beside those that use it
_WORD = re.compile(r"[^\W\d]\w*")


def is_whole(wish: Wish) -> bool:
    """Whether a prompt shows all of the file."""
    return tokens_of(wish.document.text) <= wish.budget


def places_budget(wish: Wish) -> int:
    """Tokens of the regions that a prompt shows of a longer file."""
    return int(_PLACES * wish.budget)


def file_part(wish: Wish) -> str:
    """What is the same for every instruction on this file."""
    document = wish.document
    count = len(document.lines)
    head = f"File: {wish.name} ({wish.language}, {count} line{'s' if count != 1 else ''})"
    if not document.text.strip():
        return f"{head}\n\nThe file is empty."
    if is_whole(wish):
        text = "\n".join(document.lines)
        return f"{head}\n\n{fenced(text, wish.language)}"
    files = file_map(document)
    parts = [f"{head}. It is too long to be shown as a whole."]
    if block := files.import_block:
        parts.append(_place(wish, LineRange(block.start, block.stop), "the imports"))
    if outline := _outline(files, int(_OUTLINE * wish.budget)):
        parts.append(f"Outline, with line numbers:\n{fenced(outline)}")
    return "\n\n".join(parts)


def places_part(wish: Wish) -> str:
    """Of a long file, the places that the instruction is about and the definitions that they use."""
    if is_whole(wish) or not wish.regions:
        return ""
    shown = _within((_place(wish, region, region.reason) for region in wish.regions), places_budget(wish))
    return "\n\n".join([*shown, *_within(_used(wish), _USED * wish.budget)])


def _place(wish: Wish, lines: Region | LineRange, what: str) -> str:
    numbers = f"Lines {lines.start + 1}-{lines.stop}"
    said = numbers if what.startswith("lines ") else f"{numbers}, {what}"
    return f"{said}:\n{fenced(wish.text_of(lines), wish.language)}"


def _outline(files: FileMap, budget: int) -> str:
    """The definitions with their line numbers, without the inner ones where all would not fit."""
    depths = sorted({len(item.path) for item in files.definitions}, reverse=True)
    for depth in depths:
        lines = [
            f"{item.header + 1:5}  {files.lines[item.header].rstrip()}"
            for item in files.definitions
            if len(item.path) <= depth
        ]
        if depth == depths[-1] or tokens_of("\n".join(lines)) <= budget:
            shown = list(_within(iter(lines), budget))
            more = [f"       ... and {len(lines) - len(shown)} more"] if len(shown) < len(lines) else []
            return "\n".join([*shown, *more])
    return ""


def _used(wish: Wish) -> Iterator[str]:
    """The definitions elsewhere in the file that the places name."""
    names = {word for region in wish.regions for word in _WORD.findall(wish.text_of(region))}
    for item in file_map(wish.document).definitions:
        if item.name in names and not _is_shown(item, wish):
            short = len(item) <= _SMALL
            stop = item.stop if short else max(item.body, item.header + 1)
            yield _place(wish, LineRange(item.start, stop), f"{item.kind} {item.dotted}, which is used there")


def _is_shown(item: Definition, wish: Wish) -> bool:
    return any(region.start < item.stop and item.start < region.stop for region in wish.regions)


def _within(parts: Iterator[str], budget: float) -> Iterator[str]:
    """As many of the parts as the budget has tokens for; the first in any case."""
    spent = 0
    for part in parts:
        spent += tokens_of(part) + 1
        if spent > budget and spent > tokens_of(part) + 1:
            return
        yield part
