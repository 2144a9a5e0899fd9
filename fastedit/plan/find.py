"""Where a long file is to be changed, asked of the model where what the instruction names does not tell."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from fastedit.plan.base import Chat, DocumentTask, tokens_of
from fastedit.plan.context import file_part
from fastedit.plan.question import SYSTEM, unplaced_part
from fastedit.request import LineRange
from fastedit.source.fences import fenced

FORMAT: Final = """\
The edit is not wanted yet. Answer with the lines that have to be read and changed for it, by the numbers above, \
such as:

120-188, 400-431

At most eight ranges and nothing else. Where it concerns lines all over the file, answer `all`."""

TOKENS: Final = 20  # of an answer

_ALL = re.compile(r"[\s`*\"'.]*(?:lines:?\s+)?all\b", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\w.-])(\d{1,9})\s*+(?:-|–|:|to)\s*+(\d{1,9})(?![\w-])")
_MORE = re.compile(r"[\s`*]*LINES:[\s\d,:to–-]++[`*\s]*")
_MOST = 8
_WORD = re.compile(r"[^\W_]{3,}")
_WORDS = 1 / 8  # of the budget, for the lines that have words of the instruction
_WIDTH = 100  # characters of such a line


def find_question(task: DocumentTask) -> Chat:
    said = task.unplaced or task.instruction or task.update or ""
    asked = unplaced_part(said) if task.unplaced else f"Instruction:\n{task.instruction or fenced(said)}"
    parts = [file_part(task), asked, words_part(task, said), FORMAT]
    return (("system", SYSTEM), ("user", "\n\n".join(part for part in parts if part)))


def more_lines(answer: str, count: int) -> list[LineRange]:
    """The lines that an answer asks to be shown instead of an edit; none in any other answer."""
    return found_lines(answer, count) if _MORE.fullmatch(answer) else []


def words_part(task: DocumentTask, said: str) -> str:
    """Lines with words of the instruction, which an outline does not show; the rarest words tell most."""
    lines = [line.lower() for line in task.document.lines]
    text = "\n".join(lines)  # which is searched much faster than each line
    places = [
        [at for at, line in enumerate(lines) if word in line]
        for word in dict.fromkeys(_WORD.findall(said.lower()))
        if word in text
    ]
    found, left = set[int](), _WORDS * task.budget
    for rows in sorted(places, key=len):
        left -= sum(tokens_of(_numbered(task, row)) for row in rows if row not in found)
        if left < 0:
            break
        found.update(rows)
    if not found:
        return ""
    shown = "\n".join(_numbered(task, row) for row in sorted(found))
    return f"Lines with words of it:\n{fenced(shown)}"


def _numbered(task: DocumentTask, row: int) -> str:
    return f"{row + 1:5}  {task.document.lines[row].strip()[:_WIDTH]}"


def found_lines(answer: str, count: int) -> list[LineRange]:
    """The lines that an answer names, of a file with so many; none where it names none."""
    pairs = [(int(first), int(last)) for first, last in _RANGE.findall(answer)]
    if not pairs and _ALL.match(answer):
        return [LineRange(0, count)]
    found = (LineRange(first - 1, min(last, count)) for first, last in pairs if 0 < first <= min(last, count))
    return list(islice(found, _MOST))
