"""A model settles which of a few readings of an update is meant: one short answer, never a rewrite."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from difflib import unified_diff

from fastedit.connect import Hangup
from fastedit.engine.chat import Answered, ChatRequest, chat
from fastedit.engine.folder import is_address
from fastedit.engine.merge import Reading
from fastedit.errors import ModelUnavailable, TooLong
from fastedit.model.settings import ModelSettings
from fastedit.plan.answer import without_thought
from fastedit.request import EditRequest
from fastedit.result import Receipt
from fastedit.source.hunks import Hunk, changed_lines

_SYSTEM = (
    "An update sketch is applied to a file. Comments such as `... existing code ...` in it stand for code that stays. "
    "Several results are possible. Say which one the author of the update means: answer with its letter alone, or with "
    "N if it is none of them."
)
_LETTERS = "ABC"  # of the readings that are offered
_LETTER = re.compile(rf"\b([{_LETTERS}N])\b")
_ROW = re.compile(r"(?<=[-+])\d+")  # in the head of a section
_TOKENS = 8  # of the answer of a model that runs here
_CONTEXT = 4  # lines around what changes
_NEAR = (
    2_000  # lines around what changes that a diff is made of; of all of a long file it would take a second
)


def choose(
    model: str,
    request: EditRequest,
    readings: Sequence[Reading],
    receipt: Receipt,
    settings: ModelSettings,
    hangup: Hangup | None = None,
) -> int | None:
    """The index of the reading that the model takes, of up to three; None where it settles nothing in time.

    Adds what it cost to `receipt`. `hangup` ends the wait from another thread.
    """
    started = time.perf_counter()
    said = ""
    # A server counts what a model thinks before its letter; there the time limit is bound enough.
    most = None if is_address(model) else _TOKENS
    asked = ChatRequest(question(request, readings), max_tokens=most, time_limit=request.time_limit)
    try:
        with closing(chat(model, asked, settings, hangup)) as answer:
            for event in answer:
                if isinstance(event, Answered):
                    receipt.add(event.receipt)
                    break
                said += event.text
                if time.perf_counter() - started > request.time_limit:
                    return None
    except (ModelUnavailable, TooLong):
        return None  # the readings stand as they are
    return chosen(without_thought(said), len(readings))


def chosen(said: str, readings: int) -> int | None:
    """The index of the one reading that an answer names; None where it names none of them, or several."""
    letters = set(_LETTER.findall(said))
    index = _LETTERS.find(letters.pop()) if len(letters) == 1 else -1
    return index if 0 <= index < readings else None


def question(request: EditRequest, readings: Sequence[Reading]) -> tuple[tuple[str, str], ...]:
    """The messages of a chat, as pairs of role and text."""
    document = request.document
    said = f"It was described as: {request.instruction}\n\n" if request.instruction else ""
    parts = [f"File: {document.path or 'unnamed'}\n\n{said}Update:\n{request.update}"]
    for letter, reading in zip(_LETTERS, readings, strict=False):
        diff = "\n".join(_diff(document.lines, reading.hunks))
        parts.append(f"Result {letter}, as a diff of the file:\n{diff}")
    letters = (*_LETTERS[: len(readings)], "none of them (N)")
    parts.append(f"Which result is meant: {', '.join(letters[:-1])} or {letters[-1]}?")
    return ("system", _SYSTEM), ("user", "\n\n".join(parts))


def _diff(lines: Sequence[str], hunks: Sequence[Hunk]) -> Iterator[str]:
    """The sections of a unified diff, with lines counted from the beginning of the file."""
    if not hunks:
        return
    start = max(hunks[0].start - _NEAR, 0)
    near = slice(start, hunks[-1].stop + _NEAR)
    old, new = lines[near], changed_lines(lines, hunks, near)
    for line in list(unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]:
        is_head = line.startswith("@@")
        yield _ROW.sub(lambda row: str(int(row[0]) + start), line) if is_head else line
