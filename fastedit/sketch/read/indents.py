"""A sketch in the kind of indentation that its file has: by tabs or spaces, and as many of these for each level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from fastedit.sketch.read.ratio import ratio
from fastedit.source.outline import indent_widths, indentation, is_comment, is_decorator, opens_block
from fastedit.source.update import Update, UpdateLine

_ITEM = ("- ", "* ", "+ ")  # what stands below such a line is aligned with its text, whatever a level is
_OPENING = ("(", "[", "{")
_ALIKE = 0.6  # for versions of one line
_DEEPEST = 1 << 30  # columns
_BEGINS = "_\"'`@#/<-"  # what a statement, an entry or a comment begins with, besides letters


def with_first_indented(lines: Sequence[str], update: Update) -> Update:
    """The sketch with the blanks before its first line, where these were taken off with those around the sketch: the
    line stands where the file has it, as its other lines tell where they do, or where the line below it must have it.
    """
    inked = [i for i, line in enumerate(update.lines) if line.text.strip()]
    if len(inked) < 2 or update.lines[inked[0]].marker or indentation(update.lines[inked[0]].text):
        return update
    first, second = inked[:2]
    text = update.lines[first].text
    if not all(update.lines[i].marker or indentation(update.lines[i].text) for i in inked[1:]):
        return update  # of a block at the margin
    if not (width := _width_of_first(lines, update, first, second)):
        return update
    unit = "\t" if _tabs(update.texts) else " "
    moved = update.lines[first]._replace(text=unit * (width // (8 if unit == "\t" else 1)) + text)
    return replace(update, lines=(*update.lines[:first], moved, *update.lines[first + 1 :]))


def _width_of_first(lines: Sequence[str], update: Update, first: int, second: int) -> int:
    """How deep a first line at the margin must stand; 0 where it may stand there, or nothing tells."""
    widths, theirs = indent_widths(update.texts), indent_widths(lines)
    text, below = update.lines[first].text.strip(), update.lines[second].text.strip()
    shown = {i: rows[0] for i, rows in _places(lines, update).items() if len(rows) == 1 and i != first}
    agree = [theirs[row] == widths[i] for i, row in shown.items() if theirs[row]]
    if 2 * sum(agree) < len(agree):
        return 0  # all of it may stand elsewhere
    had = {theirs[row] for row, line in enumerate(lines) if line.strip() == text}
    if not had and second in shown and not _is_whole(text):
        head = _line_above(lines, theirs, shown[second], theirs[shown[second]])
        had = {0 if head is None else theirs[head]}
    if agree and len(had) == 1:
        return had.pop()
    if _is_whole(text):
        begins = below[0].isalnum() or below[0] in _BEGINS  # else it goes on with the line above
        if agree and not had:
            row = shown.get(second, next(row for row in shown.values() if theirs[row]))
            head = _line_above(lines, theirs, row, widths[second])
            next_to = second not in shown or head == _line_above(lines, theirs, row, _DEEPEST)
            if head is not None and next_to and _may_open(text, lines[head]):
                return theirs[head]
            had = {widths[second]}
        return widths[second] if begins and widths[second] in had else 0
    width = had.pop() if len(had) == 1 else 0
    return width if width < widths[second] else 0


def _is_whole(text: str) -> bool:
    """Whether what comes below a line stands no deeper than it, unless it goes on with it."""
    if text.startswith("<"):
        return "</" in text or text.endswith("/>")
    if text.endswith(","):
        return sum(map(text.count, "([{")) == sum(map(text.count, ")]}"))
    return not opens_block(text)


def _may_open(text: str, head: str) -> bool:
    """Whether a line that says so may be a version of one that opens a block, which no sign at its end need tell: where
    that stands at the margin, as it does itself, or is like it."""
    if is_comment(text) or is_decorator(text):
        return False
    return not indentation(head) or ratio(text, head.strip()) >= _ALIKE


def _line_above(lines: Sequence[str], widths: Sequence[int], row: int, width: int) -> int | None:
    """The nearest line above a line of the file that is less deep than this."""
    return next((at for at in range(row - 1, -1, -1) if widths[at] < width and lines[at].strip()), None)


def in_units_of(lines: Sequence[str], update: Update) -> Update:
    """The sketch by tabs where the file is, by spaces where the file is, as wide as its levels are; as it is where the
    file mixes them."""
    texts = [line.text for line in update.lines]
    mine, theirs = _tabs(texts), _tabs(lines)
    if mine is None or theirs is None:
        return update
    if mine != theirs:
        old, new = _unit(texts), _unit(lines)
        indents = [_converted(indentation(text), old, new) for text in texts]
    elif mine or (widths := _at_levels_of(lines, update)) is None:
        return update
    else:
        indents = [" " * width for width in widths]
    moved = (
        indent + text.lstrip() if text.strip() else text for indent, text in zip(indents, texts, strict=True)
    )
    return replace(
        update,
        lines=tuple(UpdateLine(text, line.marker) for text, line in zip(moved, update.lines, strict=True)),
    )


def _at_levels_of(lines: Sequence[str], update: Update) -> list[int] | None:
    """The widths that the lines of a sketch have with the file's levels, None where it has these, or that of most of
    the file's blocks, or not one level of its own: all lines tell below which the sketch and the file have others that
    stand deeper."""
    widths, theirs = indent_widths(update.texts), indent_widths(lines)
    places, mine, blocks = _places(lines, update), _steps(update.texts, widths), _steps(lines, theirs)
    levels = [
        {(step, blocks[row]) for row in places[i] if row in blocks} for i, step in mine.items() if i in places
    ]
    told = set[tuple[int, int]].intersection(*filter(None, levels)) if any(levels) else set()
    usual = max(Counter(blocks.values()).items(), key=itemgetter(1), default=(0, 0))[0]
    if len(told) != 1 or (level := told.pop())[0] in (level[1], usual):
        return None
    once = {i: rows[0] for i, rows in places.items() if len(rows) == 1}
    # The outermost lines may stand where the file has them already.
    found = [list(_leveled(update.texts, widths, *level, margin)) for margin in (True, False)]
    shown = {i: theirs[row] for i, row in once.items()}
    moved = max(found, key=lambda side: sum(side[i] == width for i, width in shown.items()))
    agree = [max(Counter(width - side[i] for i, width in shown.items()).values()) for side in (widths, moved)]
    return moved if agree[1] >= agree[0] else None


def _places(lines: Sequence[str], update: Update) -> dict[int, list[int]]:
    """By line of the sketch the lines of the file that say the same."""
    rows = defaultdict[str, list[int]](list)
    for row, text in enumerate(map(str.strip, lines)):
        rows[text].append(row)
    texts = ((i, line.text.strip()) for i, line in enumerate(update.lines) if not line.marker)
    return {i: rows[text] for i, text in texts if text and text in rows}


def _steps(texts: Sequence[str], widths: Sequence[int]) -> dict[int, int]:
    """By line that has a block below it how much deeper that is, but for items."""
    found = dict[int, int]()
    around: list[int] = []
    for row, text in enumerate(texts):
        if not text.strip():
            continue
        while around and widths[around[-1]] >= widths[row]:
            around.pop()
        if around and not texts[around[-1]].lstrip().startswith(_ITEM):
            step = widths[row] - widths[around[-1]]
            found[around[-1]] = min(found.get(around[-1], step), step)
        around.append(row)
    return found


def _leveled(texts: Sequence[str], widths: Sequence[int], old: int, new: int, margin: bool) -> Iterator[int]:
    """The widths of lines with levels of `new` columns in place of `old`; with `margin` those of the outermost too."""
    around: list[tuple[int, int, str]] = []  # the lines around: their widths before and now, and their texts
    for text, width in zip(texts, widths, strict=True):
        if not text.strip():
            yield width
            continue
        while around and around[-1][0] >= width:
            around.pop()
        before, now, above = around[-1] if around else (0, 0, "")
        stays = _is_aligned(above, width) if around else not margin
        levels, rest = (0, width - before) if stays else divmod(width - before, old)
        around.append((width, now + levels * new + rest, text))
        yield around[-1][1]


def _is_aligned(above: str, width: int) -> bool:
    """Whether a line of this width below another is aligned with the text of that: an item, or what is in a bracket."""
    in_bracket = above[width - 1 : width] in _OPENING and above[width:].strip()
    return bool(in_bracket) or above.lstrip().startswith(_ITEM)


def _tabs(lines: Sequence[str]) -> bool | None:
    """Whether these lines are indented by tabs; None where some are and others by spaces, or none is at all."""
    begins = {begin for begin in set(map(itemgetter(slice(2)), lines)) if begin[:1].isspace()}
    begins = {begin for begin in begins if begin[0] != " " or begin[1:].isspace()}
    # A line of blanks has no indentation.
    first = {begin[0] for begin in begins if any(line.startswith(begin) and line.strip() for line in lines)}
    return first == {"\t"} if len(first) == 1 else None


def _unit(lines: Sequence[str]) -> str:
    """One level of indentation: a tab, or the narrowest run of at least two spaces."""
    indents = [indentation(line) for line in lines if line.strip()]
    if any(indent.startswith("\t") for indent in indents):
        return "\t"
    return " " * min((len(indent) for indent in indents if len(indent) > 1), default=4)


def _converted(indent: str, old: str, new: str) -> str:
    levels, rest = divmod(len(indent), len(old)) if indent == old[:1] * len(indent) else (0, len(indent))
    return indent if old == new else new * levels + indent[len(indent) - rest :]
