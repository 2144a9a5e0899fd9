"""What stands in the file between two lines that stand together in a hunk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import groupby, pairwise

from fastedit.formats.resolution.ladder import HunkPlace, OldNew
from fastedit.formats.text.views import ViewedText
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.languages.base import Language
from fastedit.source.outline import indent_width, is_decorator, stands_above

_DEEPEST = 7  # deeper than any heading


def leaves_block(text: ViewedText, lines: OldNew, place: HunkPlace) -> bool:
    """Whether a hunk begins in one block and goes on in another: of two lines that are next to each other in it, one is
    in a function, rule, step or section of the file that the other is not in.

    Someone may have written what is between them, but hardly the end of one block and the head of another: an equal
    line of another function is more likely. Below a head that the file lacks, which may have been renamed, a hunk may
    go on below another one.
    """
    part = _part(named(notation_in(text.document)))
    depth = partial(_depth, part)
    known = [(at, row) for at, row in enumerate(place.rows) if row is not None and lines.old[at].strip()]
    for (above, top), (below, bottom) in pairwise(known):
        between = [
            depth(line)
            for row, line in enumerate(text.lines[top + 1 : bottom], top + 1)
            if line.strip()
            and ((part and part.match(line) and row not in text.fenced) or not stands_above(line))
        ]
        if not between:
            continue
        lost = [depth(line) for line in lines.old[above + 1 : below] if line.strip()]
        one, other = depth(lines.old[above]), depth(lines.old[below])
        # By how much the file is indented otherwise, which it may be at one of the two lines alone.
        shift = min(depth(text.lines[top]) - one, depth(text.lines[bottom]) - other)
        outside = _runs(each < other + shift for each in between)
        if outside > _runs(each < other for each in lost) or (outside and min(between) < min(lost) + shift):
            return True
        if is_decorator(lines.old[above]) and not lost:
            return True
    return False


def _runs(told: Iterable[bool]) -> int:
    """How often true ones stand in a row."""
    return sum(each for each, _ in groupby(told))


def _part(language: Language) -> re.Pattern[str] | None:
    """What begins a section, in a language that has some. A heading is spelled like a comment in a code fence."""
    return language.part if language.parts_follow else None


def _depth(part: re.Pattern[str] | None, line: str) -> int:
    """How deep a line stands: its indentation, and what is in sections deeper than their headings."""
    heading = part.match(line) if part else None
    return len(heading["level"]) if heading else indent_width(line) + _DEEPEST
