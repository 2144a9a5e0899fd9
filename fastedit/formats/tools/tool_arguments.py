"""The arguments of edit tools, under the names that agents give them, and the hunks that they describe."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeGuard

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FormatHunk, LineSpan, Replacement, Sketch, unreadable
from fastedit.formats.text.views import ended
from fastedit.formats.tools.json_values import plain

NAME = "str_replace"

# In the names of what puts a new text in place of an old one: Edit, str_replace, apply_diff, `"op": "update"`.
_REPLACES = re.compile(r"replac|edit|updat|chang|modif|patch|diff")


@dataclass(frozen=True, slots=True)
class Name:
    """One argument and its spellings. Case and separators make no difference."""

    label: str
    spellings: frozenset[str]


def name(*spellings: str) -> Name:
    return Name(spellings[0], frozenset(plain(spelling) for spelling in spellings))


PATH = name("path", "file_path", "target_file", "file", "filename", "relative_path")
OLD = name(
    *("old_string", "old_str", "old_text", "old", "before", "search", "find"),
    *("original", "original_lines", "target_content"),
)
NEW = name(
    *("new_string", "new_str", "new_text", "new", "after", "replace", "replacement", "updated"),
    *("updated_lines", "replacement_content", "insert_text", "text", "content"),
)
ALL = name("replace_all", "all", "allow_multiple")
COUNT = name("expected_replacements")
OCCURRENCE = name("occurrence")
START_LINE = name("start_line")
END_LINE = name("end_line")
LINES = name("replacement_text")
INSERT_LINE = name("insert_line", "line")
CODE_EDIT = name("code_edit")
CODE = name("code")
EDITS = name("edits", "changes", "operations", "replacements", "replacement_chunks")
CONTENT = name("content", "contents", "file_text", "code_content")
OVERWRITE = name("overwrite")
COMMAND = name("command")
TYPE = name("type")
OPERATION = name("operation")
ACTION = name("op", "operation", "action", "type", "command", "tool", "tool_name")
DIFF = name("diff")
SAID = name("text", "thinking")
PATCH = name("input", "patch", "patch_text")
REMARK = name("description", "explanation", "instruction", "instructions", "line_count", "task_progress")


class Arguments:
    """One object of arguments. `hunk` is its number where it is one of several."""

    def __init__(self, value: Mapping[str, object], tool: str | None, hunk: int | None) -> None:
        self.hunk = hunk
        self._members = {key: member for key, member in value.items() if member is not None}
        self._missing = [key for key, member in value.items() if member is None]
        # Agents put a namespace before the name: functions.edit, mcp__files__write_file.
        self._called = re.split(r"[.:/]|__", tool)[-1] if tool else ""
        self.tool = plain(self._called)

    def first(self, name: Name) -> object:
        """The value under any spelling, None where there is none."""
        return next((member for key, member in self._members.items() if plain(key) in name.spellings), None)

    def get(self, name: Name) -> object:
        """The same; refuses two spellings with different values."""
        given = [(key, member) for key, member in self._members.items() if plain(key) in name.spellings]
        for key, member in given[1:]:
            if member != given[0][1]:
                raise self.error(f"{given[0][0]} and {key} say different things", "send one of them")
        return given[0][1] if given else None

    def besides(self, *names: Name) -> list[str]:
        """The arguments that none of `names` is."""
        known = frozenset[str]().union(*(name.spellings for name in names))
        return [key for key in self._members if plain(key) not in known]

    def called(self) -> list[str]:
        """What the call and its arguments say that it does."""
        said = (member for key, member in self._members.items() if plain(key) in ACTION.spellings)
        return [*filter(None, [self._called]), *(each for each in said if isinstance(each, str))]

    def has(self, *names: Name) -> bool:
        return all(self.first(name) is not None for name in names)

    def has_text(self, name: Name) -> bool:
        return isinstance(self.first(name), str) or _is_lines(self.first(name))

    def text(self, name: Name) -> str:
        """A string, or an array of lines joined by LF."""
        lines, text = self.lines(name), self.get(name)
        if lines is not None:
            return "\n".join(lines)
        if isinstance(text, str):
            return text
        if text is None:
            spelled = next((key for key in self._missing if plain(key) in name.spellings), name.label)
            raise self.error(f"{spelled} is missing", "send it as a string")
        raise self.error(f"{name.label} is neither a string nor an array of lines", "send it as a string")

    def lines(self, name: Name) -> tuple[str, ...] | None:
        """An array of lines, with or without their ends; None where the value is none."""
        lines = self.get(name)
        if not _is_lines(lines):
            return None
        return tuple(part for line in lines for part in line.removesuffix("\n").split("\n"))

    def path(self) -> str | None:
        path = self.get(PATH)
        if path is None or (isinstance(path, str) and path):
            return path
        raise self.error(f"the path is {path!r}", "send the file's path as a string")

    def named_path(self) -> str:
        path = self.path()
        if path is None:
            raise self.error("the path is missing", "send the file's path")
        return path

    def flag(self, name: Name) -> bool | None:
        flag = self.get(name)
        if isinstance(flag, str) and flag.lower() in ("true", "false"):
            return flag.lower() == "true"
        if flag is None or isinstance(flag, bool):
            return flag
        raise self.error(f"{name.label} is {flag!r}", "send true or false")

    def number(self, name: Name, least: int) -> int | None:
        number = self.get(name)
        if isinstance(number, str) and number.strip().isdecimal():
            number = int(number)
        if number is None:
            return None
        if isinstance(number, int) and not isinstance(number, bool) and number >= least:
            return number
        raise self.error(f"{name.label} is {number!r}", f"send a whole number from {least} up")

    def error(self, problem: str, way_out: str) -> UnreadableEdit:
        return unreadable(NAME, self.hunk, problem, way_out)


def _is_lines(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(line, str) for line in value)


def hunk_reader(arguments: Arguments) -> Callable[[Arguments], FormatHunk] | None:
    """The function that reads a hunk from these arguments, None where there is no hunk in them."""
    if arguments.has_text(OLD) and arguments.has_text(NEW):
        return replacement
    if isinstance(arguments.first(CODE_EDIT), str):
        return partial(_sketch, code=CODE_EDIT)
    if arguments.tool == "inserteditintofile" and isinstance(arguments.first(CODE), str):
        return partial(_sketch, code=CODE)
    # Under other names, tools differ in whether lines count from 0 or 1.
    if arguments.has(START_LINE, END_LINE) and arguments.has_text(LINES):
        return _lines
    return None


def replacement(arguments: Arguments) -> Replacement:
    """Old and new text. Without the new one the old one is deleted.

    Refuses those of a call or an operation by another name, such as `insert_after`: they may mean anything.
    """
    for said in arguments.called():
        if not _REPLACES.search(plain(said)):
            raise arguments.error(f"{said} is not a replacement", "send str_replace, insert or create")
    old_lines, new_lines = arguments.lines(OLD), arguments.lines(NEW)
    whole_lines = old_lines is not None and (new_lines is not None or not arguments.has(NEW))
    if whole_lines:
        old, new = ended(old_lines or ()), ended(new_lines or ())
    else:
        old, new = arguments.text(OLD), arguments.text(NEW) if arguments.has(NEW) else ""
    if old == new:
        raise arguments.error(
            "the old and the new text are the same, so nothing would change",
            "send the text as it should become",
        )
    return Replacement(
        old, new, whole_lines, line=arguments.number(START_LINE, least=1), count=_count(arguments)
    )


def insertion(arguments: Arguments) -> LineSpan:
    """Lines after line `insert_line`, 0 for the beginning of the file."""
    line = arguments.number(INSERT_LINE, least=0)
    if line is None:
        raise arguments.error("insert_line is missing", "send the line to insert after, 0 for the first")
    return LineSpan(line, line, _split(arguments.text(NEW)))


def _split(text: str) -> tuple[str, ...]:
    """The lines of a text, whose last one may end with LF or not."""
    return tuple(text.removesuffix("\n").split("\n"))


def _lines(arguments: Arguments) -> LineSpan:
    start, stop = arguments.number(START_LINE, least=1), arguments.number(END_LINE, least=1)
    assert start is not None
    assert stop is not None
    if start > stop:
        raise arguments.error(f"start_line {start} is after end_line {stop}", "send the first line first")
    text = arguments.text(LINES)
    return LineSpan(start - 1, stop, _split(text) if text else ())


def _sketch(arguments: Arguments, code: Name) -> Sketch:
    return Sketch(arguments.text(code))


def _count(arguments: Arguments) -> int | None:
    occurrence = arguments.get(OCCURRENCE)
    if occurrence not in (None, "all"):
        raise arguments.error(
            f"occurrence is {occurrence!r}", "send more of the text around the one place, or all"
        )
    number = arguments.number(COUNT, least=1)
    if number is not None:
        return number
    return None if arguments.flag(ALL) or occurrence == "all" else 1
