"""What a model's answer is, before it is read as an edit: its text without the thinking, or why there is none. Words
beside its edits may take one of them back, or offer another one in its place."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from fastedit.errors import NARROWER, UnreadableAnswer
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.files.withheld import questioned
from fastedit.formats.markdown.thought import THOUGHT_BEGINS, thought_of
from fastedit.formats.message import read_update
from fastedit.plan.rewrite import TAG

_UTF_16: Final = codecs.lookup("utf-16-le")  # loads a module, for which no answer is to wait
# A template's tokens, which leak at both ends of an answer where it does not fit; further in they are the file's.
_CONTROL = re.compile(
    r"\A(?:\s*+<\|[\w/-]{1,40}\|>){1,8}|(?:(?:<\|[\w/-]{1,40}\|>|</s>)\s*+){1,8}+\Z",
)
_PAGE = re.compile(r"\s*(?:<!doctype\s+html|<html\b|<head\b|<body\b)", re.IGNORECASE)
_NOTHING = re.compile(
    r"^(?:[^\S\n]|[>*_`#-])*+NO CHANGE\b[\s*_`]*[:.,-]?(?:\*\*|__)?\s*(?P<why>.*)$", re.MULTILINE
)
_LEFT_OUT = re.compile(r"[ \t*_`]*+LEFT OUT\b[ \t*_`]*+[:.-](?:\*\*|__)?[ \t]*+(?P<what>.*)")
_SAID = 100  # characters of an answer that a message quotes

WHOLE: Final = ("stop", "tool_calls", "end_turn")  # how an answer ends that nothing cut off
AGAIN: Final = "nothing was changed; ask again, or take another model"


class CutOff(UnreadableAnswer):
    """The answer reached its limit of tokens: less may be asked for at a time."""


@dataclass(frozen=True, slots=True)
class EditAnswer:
    """`text` has line ends of its own (LF). `nothing` is why the model would change nothing, None where it would.
    `left_out` is what it says would have to be done elsewhere, beside the edit."""

    text: str
    nothing: str | None = None
    left_out: str = ""


def answer_of(raw: str, finish: str, file: str) -> EditAnswer:
    """The answer in what a model wrote about a file with this text.

    Raises CutOff, UnreadableAnswer where it is empty, or is a server's page or error instead, and UnreadableEdit for
    one that may be an edit or none.
    """
    if finish == "length":
        raise CutOff(
            "the model's answer was cut off at its limit of tokens; nothing was changed: raise the server's limit, "
            "or ask for less at a time",
            repairable=False,
            ways_out=NARROWER,
        )
    if finish not in WHOLE:
        raise UnreadableAnswer(f"the model stopped ({finish}); {AGAIN}", repairable=False)
    # A lone CR ends a line, as in a file.
    lines = _whole_characters(raw).replace("\r\n", "\n").replace("\r", "\n")
    text = without_thought(lines.removeprefix("\ufeff"))
    if not text.strip():
        raise UnreadableAnswer(f"the model's answer is empty; {AGAIN}")
    if "\0" in text:
        raise UnreadableAnswer(f"the model's answer holds NUL characters; {AGAIN}")
    if _PAGE.match(text) and not _PAGE.match(file):
        raise UnreadableAnswer(
            "the answer is a web page, not a model's; nothing was changed: check the address",
            repairable=False,
        )
    if (said := _error_in(text)) is not None:
        raise UnreadableAnswer(f"the server answered with an error ({said}); {AGAIN}", repairable=False)
    if (nothing := declined(text)) is not None and not _has_edit(text):
        return EditAnswer(text, nothing)
    return _without_left_out(text)


def declined(text: str) -> str | None:
    """The reason in a text that says that nothing is to be changed; None in any other text."""
    nothing = _NOTHING.search(text)
    return None if nothing is None else " ".join(nothing["why"].split()) or "no reason given"


def _without_left_out(text: str) -> EditAnswer:
    """The answer without the lines above and below its edit that say what it leaves out."""
    lines = text.split("\n")
    start, stop = 0, len(lines)
    while start < stop and (not lines[start].strip() or _LEFT_OUT.fullmatch(lines[start])):
        start += 1
    while start < stop and (not lines[stop - 1].strip() or _LEFT_OUT.fullmatch(lines[stop - 1])):
        stop -= 1
    said = [found["what"] for line in (*lines[:start], *lines[stop:]) if (found := _LEFT_OUT.fullmatch(line))]
    if not said or start == stop:
        return EditAnswer(text)
    left_out = "; ".join(" ".join(what.split()) for what in said)
    return EditAnswer("".join(f"{line}\n" for line in lines[start:stop]), left_out=left_out)


def _whole_characters(text: str) -> str:
    """The text with its characters joined that a server sent in two halves. Raises UnreadableAnswer for a lone half."""
    try:
        return _UTF_16.decode(_UTF_16.encode(text, "surrogatepass")[0])[0]
    except UnicodeDecodeError:
        # A question that quotes it could not be sent.
        raise UnreadableAnswer(
            f"the model's answer holds half a character; {AGAIN}", repairable=False
        ) from None


def _has_edit(text: str) -> bool:
    """Whether an answer edits, whatever its lines say. Raises UnreadableEdit."""
    return any(mark in text for mark in ("```", "<<<<<<<", f"<{TAG}")) or read_update(text).formats != (
        SKETCH,
    )


def short(text: str) -> str:
    """The beginning of a text, on one line, as a message quotes it."""
    line = " ".join(text.split())
    return line if len(line) <= _SAID else f"{line[: _SAID - 3]}..."


def without_thought(text: str) -> str:
    """The text after what the model thought aloud; nothing where it never stopped thinking."""
    text = _CONTROL.sub("", text)
    if not THOUGHT_BEGINS.match(text):
        # Some templates begin the thought for the model, so that only its end is seen.
        head, _, rest = text.partition("</think>")
        return text if not rest or "<think>" in head else rest
    thought = thought_of(text)
    shown = text[len(thought) :] if thought else ""
    return "" if THOUGHT_BEGINS.match(shown) else shown


def _error_in(text: str) -> str | None:
    """What a server says is wrong, where its whole answer is a JSON object that says so."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    error = value.get("error", value.get("detail")) if isinstance(value, dict) else None
    if not error or "operations" in value:
        return None
    said = error.get("message", error) if isinstance(error, dict) else error
    return short(str(said))


def why_open(text: str, edits: Sequence[range], left: Collection[str] = ()) -> str:
    """Why it is open which of its edits an answer means, of which these are the lines; empty where all are meant.
    `left` are files without one, of which it may say so.

    Raises UnreadableAnswer for one that would change nothing as well.
    """
    if not edits:
        return ""  # no format tells where they stand
    lines = text.split("\n")
    taken = {row for rows in edits for row in rows}
    others = [row for row in range(len(lines)) if row not in taken]
    reasons = (why for row in others if (why := declined(lines[row])) is not None)
    if (
        why := next((why for why in reasons if not why.strip("*`").startswith(tuple(left))), None)
    ) is not None:
        raise UnreadableAnswer(f"the model's answer says NO CHANGE ({short(why)}) and has an edit; {AGAIN}")
    said = next(questioned(lines, sorted(edits, key=lambda rows: rows.start)), None)
    if said is None:
        return ""
    return (
        f"the model's answer has words next to its edits (`{short(said)}`), which may take one back or offer a choice; "
        "send the edits that are meant, and nothing else"
    )
