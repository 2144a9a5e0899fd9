"""Calls of edit tools as Claude writes them, an `<invoke>` with a `<parameter>` for each argument, as it is, and as
Qwen and OpenHands do, a `<function=...>` with a `<parameter=...>` for each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from fastedit.formats.base import FileOperation, Format, FoundEdit, unreadable
from fastedit.formats.diffs.edit_tags import BEFORE, elements_in
from fastedit.formats.tools import tool_tags
from fastedit.formats.tools.json_values import past_blanks
from fastedit.formats.tools.str_replace import is_edit, read_value
from fastedit.formats.tools.tool_tags import NAME as NAME
from fastedit.formats.tools.tool_tags import TagCall

_OPENING = re.compile(
    BEFORE + r"""(?P<tag><(?:(?:\w+:)?invoke\s+name=["']|(?P<bare>function=))(?P<tool>[^"'<>]++)["']?\s*>)""",
    re.MULTILINE,
)
_PARAMETER = re.compile(
    r"""<(?:(?:\w+:)?parameter\s+name=["']|parameter=)(?P<name>[^"'<>]+)(?:["'][^<>]*)?>"""
)
_PARAMETER_END = re.compile(r"</(?:\w+:)?parameter>")
_END = re.compile(r"</(?:(?:\w+:)?invoke|function)>")
_AGAIN = "send the whole call again"
_AS_JSON = "send this call as JSON"


def find(lines: Sequence[str]) -> list[FoundEdit]:
    """Calls of tools that edit nothing are left out, as prose is."""
    edits = [call for call in _calls("\n".join(lines)) if _is_edit(call)]
    return elements_in(lines, edits, _operations)


def calls_left(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The calls of a message that are no edits, each with its line and the name of its tool."""
    ends = list(accumulate(len(line) + 1 for line in lines))
    for call in _calls("\n".join(lines)):
        if not _is_edit(call):
            yield bisect_right(ends, call.start), call.tool


def left_open(lines: Sequence[str]) -> int | None:
    """The line of the last call, where the message ends before that is an edit or anything else."""
    text = "\n".join(lines)
    last = max(_calls(text), key=lambda call: call.start, default=None)
    if last is None or _is_edit(last) or last.broken is None or _END.search(text, last.start):
        return None
    return text.count("\n", 0, last.start)


FORMAT = Format(NAME, (find, tool_tags.find))


def _operations(call: TagCall, number: int) -> tuple[FileOperation, ...]:
    if call.broken is not None:
        raise unreadable(NAME, number, *call.broken)
    return read_value(call.arguments, call.tool, number)


def _is_edit(call: TagCall) -> bool:
    return is_edit(call.arguments, call.tool, broken=call.broken is not None)


def _calls(text: str) -> Iterator[TagCall]:
    return tool_tags.calls(text, _OPENING, _call)


def _call(text: str, opening: re.Match[str]) -> TagCall:
    """One call. Nothing in it is escaped, so an argument that holds the tags of a call can be read in two ways."""
    arguments: dict[str, str] = {}
    at, broken = past_blanks(text, opening.end()), None
    while broken is None and (parameter := _PARAMETER.match(text, at)):
        name = parameter["name"]
        end = _PARAMETER_END.search(text, parameter.end())
        value = text[parameter.end() : end.start() if end else len(text)]
        if end is None:
            broken = (f"the call breaks off in its parameter {name}", _AGAIN)
        elif name in arguments:
            broken = (f"the parameter {name} is there twice", _AS_JSON)
        elif _PARAMETER.search(value) or _OPENING.search(value):
            broken = (f"the parameter {name} holds tags of a call", _AS_JSON)
        arguments.setdefault(name, _inner(value) if opening["bare"] else value)
        at = past_blanks(text, end.end() if end else len(text))
    end = _END.match(text, at)
    if end is None and broken is None:
        closing = "</function>" if opening["bare"] else "</invoke>"
        broken = (f"no {closing} comes after the parameters", f"{_AGAIN}, or as JSON")
    if end is None:
        end = _END.search(text, at)
    stop = len(text) if end is None else end.end()
    return TagCall(opening.start("tag"), stop, opening["tool"].strip(), arguments, broken)


def _inner(value: str) -> str:
    """A value without the line ends next to its tags, which stand on lines of their own."""
    return value[1:].removesuffix("\n") if value.startswith("\n") else value
