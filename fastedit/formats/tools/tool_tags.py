"""Calls of edit tools as Cline, Roo and Kilo ask for them: a tag named after the tool, with one for each argument."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FileOperation, FoundEdit, ModifyFile, Replacement, unreadable
from fastedit.formats.diffs.edit_tags import BEFORE, Element, elements_in, lines_between, trimmed
from fastedit.formats.markdown.code_fences import is_one_fence
from fastedit.formats.tools.json_values import past_blanks
from fastedit.formats.tools.str_replace import read_value

NAME = "invoke"

# The arguments that a call must have, and those that it may have beside them.
_TOOLS = {
    "write_to_file": (("path", "content"), ("line_count",)),
    "insert_content": (("path", "line", "content"), ()),
    "search_and_replace": (("path", "search", "replace"), ()),
    "str_replace": (("path", "old_str", "new_str"), ()),
    "edit_file": (("target_file", "code_edit"), ("instructions",)),
}
_LINES, _TEXTS = ("content", "code_edit"), ("search", "replace", "old_str", "new_str")
_OPENING = re.compile(rf"{BEFORE}(?P<tag><(?P<tool>{'|'.join(_TOOLS)})>)\s*(?=<\w+>)", re.MULTILINE)
_ARGUMENT = re.compile(r"<(?P<name>\w+)>")
_LOOK_ALIKE = (
    "can be read in several ways: text and tags look alike",
    "send it as JSON, or in another format",
)


@dataclass(frozen=True, slots=True)
class TagCall(Element):
    """A call, with the arguments that are whole. `broken` is a problem of its tags, and the way out."""

    tool: str
    arguments: dict[str, str]
    broken: tuple[str, str] | None


def find(lines: Sequence[str]) -> list[FoundEdit]:
    return elements_in(lines, list(calls("\n".join(lines), _OPENING, _call)), _operations)


def calls(
    text: str, opening: re.Pattern[str], read: Callable[[str, re.Match[str]], TagCall]
) -> Iterator[TagCall]:
    """The calls of a message: `read` gives the one that an `opening` begins."""
    found = opening.search(text)
    while found:
        call = read(text, found)
        yield call
        found = opening.search(text, max(call.stop - 1, found.end()))  # the `>` before it may count


def _operations(call: TagCall, number: int) -> Sequence[FileOperation]:
    """What one call asks for. Raises UnreadableEdit."""
    if call.broken is not None:
        raise _refused(call, number, *call.broken)
    needed, also = _TOOLS[call.tool]
    for name in needed:
        if name not in call.arguments:
            raise _refused(call, number, f"has no <{name}>", "send the whole call again")
    for name, value in call.arguments.items():
        if name not in (*needed, *also) and value.strip().lower() != "false":
            raise _refused(
                call, number, f"has a <{name}>, which is not read", "send the edit in another format"
            )
        if name in _LINES and is_one_fence(value.split("\n")[:-1], call.arguments.get("path", "")):
            raise _refused(call, number, f"has its <{name}> in a code fence", "send it without the fence")
    if call.tool == "insert_content":
        return [_insertion(call, number)]
    return read_value({"name": call.tool, "arguments": {name: call.arguments[name] for name in needed}})


def _insertion(call: TagCall, number: int) -> FileOperation:
    """Lines above a line, counted from 1; 0 is the end of the file."""
    path, line, content = (call.arguments[name] for name in ("path", "line", "content"))
    if not line.isdecimal():
        raise _refused(call, number, f"has the <line> {line}", "send a whole number")
    if int(line) == 0:
        return ModifyFile(path, (Replacement("", content, whole_lines=True, at_end=True),))
    above = {"path": path, "insert_line": int(line) - 1, "new_str": content}
    (operation,) = read_value({"name": "insert", "arguments": above})
    return operation


def _refused(call: TagCall, number: int, problem: str, way_out: str) -> UnreadableEdit:
    return unreadable(NAME, number, f"<{call.tool}> {problem}", way_out)


def _call(text: str, opening: re.Match[str]) -> TagCall:
    """One call. Nothing in it is escaped, so an argument that holds its own closing tag can be read in two ways."""
    closing = f"</{opening['tool']}>"
    end = text.find(closing, opening.end())
    limit, stop = (len(text), len(text)) if end < 0 else (end, end + len(closing))
    arguments: dict[str, str] = {}
    at = opening.end()
    broken = ("breaks off", "send the whole call again") if end < 0 else None
    if broken is None and opening["tag"] in text[opening.end() : end]:
        broken = _LOOK_ALIKE
    while at < limit and broken is None:
        argument = _ARGUMENT.match(text, at)
        after = -1 if argument is None else text.find(f"</{argument['name']}>", argument.end(), limit)
        if argument is None or after < 0 or argument["name"] in arguments:
            broken = _LOOK_ALIKE
            break
        name = argument["name"]
        arguments[name] = _value(name, text[argument.end() : after])
        at = past_blanks(text, after + len(f"</{name}>"))
    return TagCall(opening.start("tag"), stop, opening["tool"], arguments, broken)


def _value(name: str, content: str) -> str:
    if name in _LINES:
        return lines_between(content)
    return trimmed(content) if name in _TEXTS else content.strip()
