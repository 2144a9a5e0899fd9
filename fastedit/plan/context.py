"""The file as a prompt shows it: whole where it is short, else its imports, its outline and the places in question.

What depends on nothing but the file comes first, so that a server's prompt cache holds it for the next instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.definitions import Definition
from fastedit.edit.request import LineRange
from fastedit.locate.filemap import FileMap
from fastedit.locate.region import Region
from fastedit.plan.base import Wish, fenced, tokens_of

WHOLE = 8000  # tokens; a longer file is shown in parts
_OUTLINE, _PLACES, _USED = 3000, 6000, 1500  # tokens of each part
_SMALL = 24  # lines of a definition that is shown as a whole beside those that use it
_WORD = re.compile(r"[^\W\d]\w*")


def is_whole(wish: Wish, budget: int = WHOLE) -> bool:
    """Whether a prompt with a budget in tokens shows all of the file."""
    return tokens_of(wish.document.text) <= budget


def file_part(wish: Wish, budget: int = WHOLE) -> str:
    """What is the same for every instruction on this file."""
    document = wish.document
    count = len(document.lines)
    head = f"File: {wish.name} ({wish.language}, {count} line{'s' if count != 1 else ''})"
    if not document.text.strip():
        return f"{head}\n\nThe file is empty."
    if is_whole(wish, budget):
        text = "\n".join(document.lines)
        return f"{head}\n\n{fenced(text, wish.language)}"
    files = FileMap(document)
    parts = [f"{head}. It is too long to be shown as a whole."]
    if block := files.import_block:
        parts.append(_place(wish, LineRange(block.start, block.stop), "the imports"))
    if outline := "\n".join(_within(_headers(files), _OUTLINE)):
        parts.append(f"Outline, with line numbers:\n{fenced(outline)}")
    return "\n\n".join(parts)


def places_part(wish: Wish) -> str:
    """Of a long file, the places that the instruction is about and the definitions that they use."""
    if is_whole(wish) or not wish.regions:
        return ""
    shown = _within((_place(wish, region, region.reason) for region in wish.regions), _PLACES)
    return "\n\n".join([*shown, *_within(_used(wish), _USED)])


def _place(wish: Wish, lines: Region | LineRange, what: str) -> str:
    numbers = f"Lines {lines.start + 1}-{lines.stop}"
    said = numbers if what.startswith("lines ") else f"{numbers}, {what}"
    return f"{said}:\n{fenced(wish.text_of(lines), wish.language)}"


def _headers(files: FileMap) -> Iterator[str]:
    for item in files.definitions:
        yield f"{item.header + 1:5}  {files.lines[item.header].rstrip()}"


def _used(wish: Wish) -> Iterator[str]:
    """The definitions elsewhere in the file that the places name."""
    names = {word for region in wish.regions for word in _WORD.findall(wish.text_of(region))}
    for item in FileMap(wish.document).definitions:
        if item.name in names and not _is_shown(item, wish):
            short = len(item) <= _SMALL
            stop = item.stop if short else max(item.body, item.header + 1)
            yield _place(wish, LineRange(item.start, stop), f"{item.kind} {item.dotted}, which is used there")


def _is_shown(item: Definition, wish: Wish) -> bool:
    return any(region.start < item.stop and item.start < region.stop for region in wish.regions)


def _within(parts: Iterator[str], budget: int) -> Iterator[str]:
    """As many of the parts as the budget has tokens for; the first in any case."""
    spent = 0
    for part in parts:
        spent += tokens_of(part) + 1
        if spent > budget and spent > tokens_of(part) + 1:
            return
        yield part
