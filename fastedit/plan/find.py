"""Where a long file is to be changed, asked of the model where the instruction names nothing that stands in it."""

from __future__ import annotations

import re
from typing import Final

from fastedit.plan.base import Chat, Wish, fenced
from fastedit.plan.context import file_part
from fastedit.plan.question import SYSTEM
from fastedit.request import LineRange

FORMAT: Final = """\
The edit is not wanted yet. Answer with the lines that have to be read and changed for it, from the numbers of the \
outline, such as:

120-188, 400-431

At most eight ranges and nothing else. Where it concerns lines all over the file, answer `all`."""

TOKENS: Final = 20  # of an answer

_ALL = re.compile(r"[\s`*\"'.]*(?:lines:?\s+)?all\b", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\w.-])(\d+)\s*(?:-|–|:|to)\s*(\d+)(?![\w-])")
_MOST = 8


def find_question(wish: Wish) -> Chat:
    said = wish.instruction or fenced(wish.update or "")
    return (("system", SYSTEM), ("user", f"{file_part(wish)}\n\nInstruction:\n{said}\n\n{FORMAT}"))


def found_lines(answer: str, count: int) -> list[LineRange]:
    """The lines that an answer names, of a file with so many; none where it names none."""
    pairs = [(int(first), int(last)) for first, last in _RANGE.findall(answer)]
    if not pairs and _ALL.match(answer):
        return [LineRange(0, count)]
    return [LineRange(first - 1, min(last, count)) for first, last in pairs if 0 < first <= min(last, count)][
        :_MOST
    ]
