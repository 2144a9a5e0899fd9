"""The runs of a sketch between its markers, and the stretch of the original that each one rewrites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastedit.edit.outline import (
    block_end,
    definition_at,
    indent_width,
    is_closer,
    is_comment,
    opens_block,
    parents,
    stands_above,
)
from fastedit.edit.scoring import scorer
from fastedit.edit.update import Alignment, Update

_OUTSIDE = 4  # of so many lines one may stand outside of what is shown of a whole file
NEAR = 20  # lines between a sketch's own end and the file's
_DOC = re.compile(r"\s*(?:/\*\*(?!\*)|///(?!/))")
_DOC_LINE = re.compile(rf"{_DOC.pattern}|\s*\*")
_ANEW = 0.4  # a line of the sketch that is as similar to one of the file is its new version


@dataclass(frozen=True, slots=True)
class Chunk:
    """Sketch lines [start, stop) without markers; they rewrite the original's lines [low, high).

    A chunk with no line in common with the original is not `anchored`; it is inserted at `low` == `high`, and `placed`
    tells whether the sketch leaves only that place. `dropped` original lines at the end of the stretch go because the
    sketch spells out the whole definition that they stood in.
    """

    start: int
    stop: int
    low: int
    high: int
    anchored: bool
    placed: bool = True
    dropped: int = 0


def chunks(lines: Sequence[str], update: Update, alignment: Alignment) -> list[Chunk]:
    """In order; their stretches neither overlap nor cross."""
    sketch = update.lines
    markers = {index for index, line in enumerate(sketch) if line.marker}
    above = parents([line.text for line in sketch], markers)
    found: list[Chunk] = []
    start = 0
    for stop in [*sorted(markers), len(sketch)]:
        if any(line.text.strip() for line in sketch[start:stop]):
            places = [place for place in alignment.targets[start:stop] if place is not None]
            low, high = (places[0], places[-1] + 1) if places else (0, 0)
            found.append(Chunk(start, stop, low, high, bool(places)))
        start = stop + 1
    for index, chunk in enumerate(found):
        before = found[index - 1].high if index else 0
        after = next((other.low for other in found[index + 1 :] if other.anchored), None)
        if chunk.anchored:
            limit = len(lines) if after is None else after
            chunk = _to_the_ends(chunk, lines, update, alignment, above)
            chunk = _from_the_top(chunk, lines, update, alignment)
            chunk = _documented(chunk, lines, update, alignment, before)
            found[index] = _whole_definition(chunk, lines, update, alignment, limit)
        else:
            at, placed = _place(chunk, lines, update, alignment, above, before, after)
            found[index] = replace(chunk, low=at, high=at, placed=placed)
    return found


def _place(
    chunk: Chunk,
    lines: Sequence[str],
    update: Update,
    alignment: Alignment,
    above: Sequence[int | None],
    before: int,
    after: int | None,
) -> tuple[int, bool]:
    """Where lines go that share none with the original, and whether the sketch leaves only that place."""
    sketch = update.lines
    if not lines:
        return 0, True
    first = next(index for index in range(chunk.start, chunk.stop) if sketch[index].text.strip())
    width = indent_width(sketch[first].text)
    last = chunk.stop == len(sketch)
    follows = next(
        (line.text for line in sketch[chunk.stop :] if not line.marker and line.text.strip()), None
    )
    leaves = (follows is None or indent_width(follows) < width) and (
        last or indent_width(sketch[chunk.stop].text) < width
    )
    header = above[first]
    container = None if header is None else alignment.targets[header]
    stop = len(lines) if after is None else after
    if container is not None:
        end = block_end(lines, container)
        if is_closer(lines[end - 1]) and indent_width(lines[end - 1]) == indent_width(lines[container]):
            end -= 1
        return max(before, min(end, stop)), leaves and before <= end <= stop
    if after is None and chunk.start > 0:
        return len(lines), last and header is None and width == 0
    if before == 0 and chunk.start == 0:
        return 0, width == 0 and not last
    return max(before, stop), False


def _to_the_ends(
    chunk: Chunk,
    lines: Sequence[str],
    update: Update,
    alignment: Alignment,
    above: Sequence[int | None],
) -> Chunk:
    """`chunk`, rewriting from the file's first line on, or to its last, where only a few lie outside.

    Who writes markers elsewhere would have written one for what stays there, inside the last block too. But outside
    of a single definition none is written, and comments are often left out, unless something takes their place. Without
    markers it is the whole file where nearly all of it is shown.
    """
    if not update.has_markers:
        whole = _is_whole_file(chunk, lines, alignment)
        return replace(chunk, low=0, high=len(lines)) if whole else chunk
    inked = [index for index in range(chunk.start, chunk.stop) if update.lines[index].text.strip()]
    first = next(index for index, line in enumerate(update.lines) if line.text.strip())

    def goes(outside: Sequence[str], edge: int) -> bool:
        top, text = edge, update.lines[edge].text
        while (header := above[top]) is not None:
            top = header
        shown = [line for line in outside if line.strip()]
        if len(shown) > NEAR:
            return False
        inner = _continue([line.text for line in update.lines[top : edge + 1]], shown)
        if inner and edge != top and not opens_block(text):
            return True  # the rest of a block that the sketch shows to its end
        alone = is_closer(text) and top == first  # a single block, or one that begins in what is not shown
        if _begins_definition(update, top) or indent_width(text) or alone:
            return False
        replaced = alignment.targets[edge] is None and is_comment(text)
        return replaced or not all(map(is_comment, shown))

    if chunk.start == 0 and goes(lines[: chunk.low], inked[0]):
        chunk = replace(chunk, low=0)
    if chunk.stop == len(update.lines) and goes(lines[chunk.high :], inked[-1]):
        chunk = replace(chunk, high=len(lines))
    return chunk


def _is_whole_file(chunk: Chunk, lines: Sequence[str], alignment: Alignment) -> bool:
    """Whether most of the file's lines are in the chunk, and few stand outside of what these reach over."""
    inked = {place for place, line in enumerate(lines) if line.strip()}
    outside = sum(not chunk.low <= place < chunk.high for place in inked)
    return outside * _OUTSIDE <= len(inked) <= 2 * len(inked.intersection(alignment.targets))


def _continue(block: Sequence[str], below: Sequence[str]) -> bool:
    """Whether lines below a block all belong to it, or close what it opens where it is shown to close that, too."""
    width, text = indent_width(block[0]), "".join(block)
    closed = all(text.count(opens) == text.count(closes) for opens, closes in ("()", "[]", "{}"))
    return bool(below) and all(
        indent_width(line) > width or (closed and indent_width(line) == width and line.lstrip()[0] in ")]}>")
        for line in below
    )


def _from_the_top(chunk: Chunk, lines: Sequence[str], update: Update, alignment: Alignment) -> Chunk:
    """`chunk`, rewriting from the file's first line if no marker is above it and it has all lines above it anew."""
    compared = scorer(tuple(lines), update.lines)
    inked = [index for index in range(chunk.start, chunk.stop) if update.lines[index].text.strip()]
    new = [update.lines[index].text.strip() for index in inked if alignment.targets[index] is None]
    above = [place for place in range(chunk.low) if lines[place].strip()] if chunk.start == 0 else []
    if not above or len(above) > len(inked):
        return chunk
    anew = all(any(compared.similarity(text, place) > _ANEW for text in new) for place in above)
    return replace(chunk, low=0) if anew else chunk


def _documented(
    chunk: Chunk, lines: Sequence[str], update: Update, alignment: Alignment, before: int
) -> Chunk:
    """`chunk`, with the documentation of the definition that it begins with, if it brings another."""
    first = next(i for i in range(chunk.start, chunk.stop) if alignment.targets[i] is not None)
    new = [line.text for line in update.lines[chunk.start : first] if line.text.strip()]
    top = chunk.low
    while top > before and _DOC_LINE.match(lines[top - 1]):
        top -= 1
    comments = new and all(map(is_comment, new)) and top < chunk.low == alignment.targets[first]
    if not comments or not update.lines[first].text.strip() or not _begins_definition(update, first):
        return chunk
    if not (_DOC.match(new[0]) and _DOC.match(lines[top])):
        return chunk
    return replace(chunk, low=top)


def _whole_definition(
    chunk: Chunk, lines: Sequence[str], update: Update, alignment: Alignment, limit: int
) -> Chunk:
    """`chunk`, rewriting to the end of the definition that its last lines spell out whole, if they do."""
    sketch, texts = update.lines, update.texts
    for index in range(chunk.start, chunk.stop):
        place, text = alignment.targets[index], sketch[index].text
        name = definition_at(texts, index)
        if place is None or name is None or name != definition_at(lines, place) or _is_class(text):
            continue
        end = _sketch_block_end(update, index, chunk.stop)
        inside_marker = chunk.stop < len(sketch) and indent_width(sketch[chunk.stop].text) > indent_width(
            text
        )
        # Where it ends in a line of the old body, the marker behind it stands for the rest of that body.
        anchored_behind = any(target is not None for target in alignment.targets[end - 1 : chunk.stop])
        body = "".join(line.text for line in sketch[index:end])
        whole = (
            end > index + 1
            and not opens_block(sketch[end - 1].text)
            and all(body.count(left) == body.count(right) for left, right in ("()", "[]", "{}"))
        )
        if not whole or anchored_behind or (end == chunk.stop and inside_marker):
            continue
        high = min(max(chunk.high, block_end(lines, place)), limit)
        dropped = sum(bool(line.strip()) for line in lines[chunk.high : high])
        return replace(chunk, high=high, dropped=dropped) if dropped else chunk
    return chunk


def _begins_definition(update: Update, index: int) -> bool:
    """Whether a line of the sketch begins a definition, or stands right above one, as in C the type of a result may."""
    texts = update.texts
    while index < len(texts) - 1 and stands_above(texts[index]):
        index += 1
    if texts[index].strip() and not texts[index].rstrip().endswith((";", ")", "}", "]", ",")):
        return any(definition_at(texts, at) is not None for at in (index, index + 1) if at < len(texts))
    return definition_at(texts, index) is not None


def _is_class(text: str) -> bool:
    return not {
        "class",
        "struct",
        "enum",
        "interface",
        "trait",
        "impl",
        "mod",
        "module",
        "namespace",
        "type",
    }.isdisjoint(text.replace("<", " ").split())


def _sketch_block_end(update: Update, start: int, stop: int) -> int:
    return start + block_end([line.text for line in update.lines[start:stop]], 0)
