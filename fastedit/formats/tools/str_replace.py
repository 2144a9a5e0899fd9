"""Old and new strings as the JSON arguments of edit tools, and the tools that agents have beside them.

Anthropic's text editor, Claude Code, Gemini, Goose, opencode, Continue, Roo, SWE-agent, sketches for `edit_file`, and
OpenAI's apply_patch calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from fastedit.formats.base import (
    CreateFile,
    FileOperation,
    Format,
    FormatHunk,
    ModifyFile,
    WriteFile,
    unreadable,
)
from fastedit.formats.diffs import v4a
from fastedit.formats.text.views import ended
from fastedit.formats.tools.json_values import (
    RESEND,
    JsonText,
    ToolCall,
    decoded,
    json_find,
    json_texts,
    plain,
    tool_calls,
)
from fastedit.formats.tools.tool_arguments import (
    COMMAND,
    CONTENT,
    DIFF,
    EDITS,
    INSERT_LINE,
    OLD,
    OPERATION,
    OVERWRITE,
    PATCH,
    PATH,
    REMARK,
    SAID,
    TYPE,
    Arguments,
    hunk_reader,
    insertion,
    replacement,
)
from fastedit.formats.tools.tool_arguments import NAME as NAME
from fastedit.formats.tools.windowed import windows_in

Reader = Callable[[Arguments], Sequence[FileOperation]]


def read_value(value: object, tool: str | None = None, number: int = 1) -> tuple[FileOperation, ...]:
    """The operations that the arguments of an edit tool ask for, or a tool call, or an array of either.

    `tool` is the name of the tool that was called, and `number` that of the first call in its message. Raises
    UnreadableEdit.
    """
    if isinstance(value, str):
        value, problem = decoded(value)
        if problem is not None:
            raise unreadable(NAME, None, problem, RESEND)
    found = tuple(_operations(value, tool, number))
    if not found:
        raise unreadable(
            NAME, None, "it looks at a file and is not an edit", "send str_replace, insert or create"
        )
    return found


def _operations(value: object, tool: str | None = None, number: int = 1) -> list[FileOperation]:
    found: list[FileOperation] = []
    calls = tool_calls(value, tool)
    has_edit = any(_is_edit(call, broken=False) for call in calls)
    for hunk, call in enumerate(calls, number):
        if call.problem is not None:
            raise unreadable(NAME, hunk, call.problem, RESEND)
        arguments = _arguments(call, hunk)
        read = _reader(arguments)
        if read is None and has_edit and (call.tool or not arguments.besides(TYPE, SAID)):
            continue  # words; `calls_left` tells of a call
        if read is None:
            problem = f"{call.tool or 'the JSON'} is not an edit"
            raise unreadable(NAME, hunk, problem, "send old_string and new_string, or path and content")
        found += read(arguments)
    return found


def is_edit(value: object, tool: str | None, *, broken: bool) -> bool:
    """Whether `read_value` takes this for an edit. The end of a `broken` value is missing."""
    return any(_is_edit(call, broken) for call in tool_calls(value, tool))


def calls_left(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The calls of a message that are no edits, each with its line and the name of its tool."""
    for text in json_texts(lines, lambda text: any(call.tool for call in tool_calls(text.value))):
        for call in tool_calls(text.value):
            if call.tool and _reader(_arguments(call, None)) is None:
                yield text.lines.start, call.tool


def _is_wanted(text: JsonText) -> bool:
    broken = text.problem is not None
    return any(_is_edit(call, broken) or _reader(_arguments(call, None)) for call in tool_calls(text.value))


FORMAT = Format(NAME, (json_find(NAME, _is_wanted, lambda text: _operations(text.value)), windows_in))


def _is_edit(call: ToolCall, broken: bool) -> bool:
    """Whether a call is in this format. The end of a `broken` one is missing."""
    arguments = _arguments(call, None)
    started = (broken or call.problem is not None) and arguments.has(PATH) and arguments.has_text(OLD)
    return started or _reader(arguments) not in (None, _look)


def _arguments(call: ToolCall, hunk: int | None) -> Arguments:
    if isinstance(call.arguments, str):
        return Arguments({PATCH.label: call.arguments}, call.tool, hunk)
    return Arguments(call.arguments if isinstance(call.arguments, dict) else {}, call.tool, hunk)


def _reader(arguments: Arguments) -> Reader | None:
    """The function that reads these arguments, None where they are no edit."""
    if _envelope(arguments) is not None:
        return _patches
    command = arguments.first(COMMAND)
    if isinstance(command, str) and arguments.has(PATH) and plain(command) in _COMMANDS:
        return _COMMANDS[plain(command)]
    if arguments.tool in ("strreplace", "insert", "create") and (
        arguments.has(PATH) or arguments.has(INSERT_LINE)
    ):
        return _COMMANDS[arguments.tool]
    if isinstance(arguments.first(OPERATION), dict) and arguments.first(TYPE) == "apply_patch_call":
        return _patch
    if any(
        isinstance(edit, dict) and hunk_reader(Arguments(edit, None, None)) for edit in _array(arguments)[0]
    ):
        return _edits
    if (read := hunk_reader(arguments)) is not None:
        return _hunk(read)
    if arguments.has(PATH) and arguments.has_text(CONTENT):
        named = "write" in arguments.tool or "create" in arguments.tool
        if named or not (arguments.tool or arguments.besides(PATH, CONTENT)):
            return _write
    return None


def _array(arguments: Arguments) -> tuple[list[object], str | None]:
    """The array of edits, which may come as a string, and what is wrong with that."""
    edits, problem = arguments.first(EDITS), None
    if isinstance(edits, str):
        edits, problem = decoded(edits)
    return (edits if isinstance(edits, list) else []), problem


def _edits(arguments: Arguments) -> list[ModifyFile]:
    """Several edits, in one file or each with its path."""
    edits, problem = _array(arguments)
    if problem is not None:
        raise arguments.error(problem, RESEND)
    found: list[tuple[str | None, FormatHunk]] = []
    for number, edit in enumerate(edits, 1):
        inner = Arguments(edit if isinstance(edit, dict) else {}, None, number)
        read = hunk_reader(inner)
        if read is None:
            raise inner.error("it has no old_string with a new_string", "send both as strings")
        found.append((inner.path() or arguments.path(), read(inner)))
    return [
        ModifyFile(path, tuple(hunk for _, hunk in group)) for path, group in groupby(found, itemgetter(0))
    ]


def _hunk(read: Callable[[Arguments], FormatHunk]) -> Reader:
    """The function that reads arguments which describe one hunk."""
    return lambda arguments: [ModifyFile(arguments.path(), (read(arguments),))]


def _create(arguments: Arguments) -> list[FileOperation]:
    path, text = arguments.named_path(), _file_text(arguments)
    return [WriteFile(path, text) if arguments.flag(OVERWRITE) else CreateFile(path, text)]


def _write(arguments: Arguments) -> list[FileOperation]:
    unknown = arguments.besides(COMMAND, PATH, CONTENT, OVERWRITE, REMARK)
    if unknown:
        raise arguments.error(f"{unknown[0]} is not an argument of a write", "send path and content alone")
    if arguments.flag(OVERWRITE) is None and "create" not in arguments.tool:
        return [WriteFile(arguments.named_path(), _file_text(arguments))]
    return _create(arguments)


def _file_text(arguments: Arguments) -> str:
    lines = arguments.lines(CONTENT)
    return arguments.text(CONTENT) if lines is None else ended(lines)


def _patch(arguments: Arguments) -> Sequence[FileOperation]:
    operation = arguments.first(OPERATION)
    assert isinstance(operation, dict)
    inner = Arguments(operation, None, arguments.hunk)
    return v4a.read_body(inner.named_path(), inner.text(DIFF) if inner.has(DIFF) else "", inner.text(TYPE))


def _envelope(arguments: Arguments) -> list[str] | None:
    """The lines of a V4A patch that is an argument, or what a shell is to run."""
    for value in (arguments.first(PATCH), arguments.first(COMMAND)):
        text = value[-1] if isinstance(value, list) and value else value
        if isinstance(text, str) and "*** Begin Patch" in text:
            return text.split("\n")
    return None


def _patches(arguments: Arguments) -> list[FileOperation]:
    found = v4a.find(_envelope(arguments) or [])
    return [operation for patch in found for operation in patch.read()]


def _look(_: Arguments) -> list[FileOperation]:
    """Nothing: agents look at a file before they edit it."""
    return []


def _no_edit(arguments: Arguments) -> list[FileOperation]:
    command = arguments.first(COMMAND)
    raise arguments.error(f"{command} is not an edit", "send str_replace, insert or create")


_COMMANDS: dict[str, Reader] = {
    "strreplace": _hunk(replacement),
    "insert": _hunk(insertion),
    "create": _create,
    "write": _write,
    "view": _look,
    "undoedit": _no_edit,
}
