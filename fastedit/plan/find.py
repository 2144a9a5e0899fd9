"""Where a long file is to be changed, asked of the model where what the instruction names does not tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from fastedit.locate.search import around
from fastedit.plan.base import Chat, DocumentTask
from fastedit.plan.context import file_part, is_whole
from fastedit.plan.places import places_part
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
_MOST = 8


def find_question(task: DocumentTask) -> Chat:
    said = task.unplaced or task.instruction or task.update or ""
    asked = unplaced_part(said) if task.unplaced else f"Instruction:\n{task.instruction or fenced(said)}"
    parts = [file_part(task), places_part(task), asked, FORMAT]
    return (("system", SYSTEM), ("user", "\n\n".join(part for part in parts if part)))


def wanted_lines(tasks: Sequence[DocumentTask], answer: str) -> dict[str, list[LineRange]]:
    """The lines of each file that an answer without an edit names, which it asks to be shown: of the file that it names
    last before them, if only by the end of its path, and of the only long one where it names none."""
    ends = Counter(PurePosixPath(task.name).name for task in tasks)
    files = {task.name: task for task in tasks}
    files |= {name: task for task in tasks if ends[name := PurePosixPath(task.name).name] == 1}
    names = "|".join(map(re.escape, sorted(files, key=len, reverse=True)))
    cut = [task for task in tasks if not is_whole(task)]
    task = cut[0] if len(cut) == 1 else None
    found: dict[str, list[LineRange]] = {}
    for part in re.split(rf"(?<![\w.-])({names})(?![\w/-])", answer):
        task = files.get(part, task)
        if task in cut and (lines := found_lines(part, len(task.document.lines))):
            found.setdefault(task.name, []).extend(lines)
    return found


def grown(task: DocumentTask, wanted: Mapping[str, Sequence[LineRange]]) -> DocumentTask:
    """The task with the lines that are wanted of its file among its places."""
    if not (lines := wanted.get(task.name)):
        return task
    whole = LineRange(0, len(task.document.lines))
    return replace(task, regions=around(task.document, [*task.regions, *lines], whole), grown=True)


def found_lines(answer: str, count: int) -> list[LineRange]:
    """The lines that an answer names, of a file with so many; none where it names none."""
    pairs = [(int(first), int(last)) for first, last in _RANGE.findall(answer)]
    if not pairs and _ALL.match(answer):
        return [LineRange(0, count)]
    found = (LineRange(first - 1, min(last, count)) for first, last in pairs if 0 < first <= min(last, count))
    return list(islice(found, _MOST))
