"""JSON in the lines of a message, and the tool calls in which providers wrap the arguments of an edit."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder
from math import isfinite

from fastedit.formats.base import FileOperation, Find, FoundEdit, in_file, unreadable
from fastedit.formats.markdown.lead import stated
from fastedit.formats.markdown.paths import is_path
from fastedit.formats.tools.marks import JSON_START
from fastedit.source.fences import fences

RESEND = "send all of it as valid JSON"

_START = re.compile(JSON_START)
_FIRST = ("{", "[", '"')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?P<quote>"?)|[\[\]{},]', re.DOTALL)
_NON_BLANK = re.compile(r"\S")

_TOOL = ("name", "tool", "toolname", "recipientname")
_ARGUMENTS = ("arguments", "input", "parameters", "args", "toolinput")
_INNER = ("function", "functioncall", "toolcall", "params")
_SEVERAL = ("toolcalls", "tooluses", "files")


@dataclass(frozen=True, slots=True)
class JsonText:
    """JSON in a message, with its code fence and the line with a path above.

    Several values in one fence count as an array of them. `problem` says why the JSON cannot be read; `value` is then
    what stands before that place.
    """

    lines: range
    value: object
    problem: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a tool is called with. `problem` says why the arguments, JSON in a string, cannot be read."""

    tool: str | None
    arguments: object
    problem: str | None = None


def json_find(
    name: str, is_wanted: Callable[[JsonText], bool], read: Callable[[JsonText], Iterable[FileOperation]]
) -> Find:
    """Finds the edits of the format `name` that are JSON: `read` says what those that are wanted ask for."""

    def operations(text: JsonText) -> tuple[FileOperation, ...]:
        if text.problem is not None:
            raise unreadable(name, None, text.problem, RESEND)
        return tuple(in_file(operation, text.path) for operation in read(text))

    return lambda lines: [
        FoundEdit(text.lines, partial(operations, text)) for text in json_texts(lines, is_wanted)
    ]


def json_texts(lines: Sequence[str], wanted: Callable[[JsonText], bool]) -> list[JsonText]:
    """The JSON in a message that is `wanted`, in order.

    It begins a line, bare or as the first thing in a code fence of any language.
    """
    text = "\n".join(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    blocks = {fence.lines.start: fence for fence in fences(lines)}
    found, index = list[JsonText](), 0
    while index < len(lines):
        fence = blocks.get(index)
        if fence is not None:
            content = text[starts[fence.inside.start] : starts[fence.inside.stop]]
            candidate = JsonText(fence.lines, *decoded(content)) if _begins(content, 0) else None
        else:
            begins = lines[index].lstrip()[:1] in _FIRST
            candidate = _bare(text, starts, index, wanted) if begins else None
        if candidate is not None and wanted(candidate):
            floor = found[-1].lines.stop if found else 0
            start, path = stated(lines, index, floor, "" if fence is None else fence.info)
            found.append(replace(candidate, lines=range(start, candidate.lines.stop), path=path))
            index = candidate.lines.stop
        elif fence is not None and fence.closed:
            index = fence.lines.stop
        else:
            index = index + 1 if candidate is None else candidate.lines.stop
    return found


def decoded(text: str) -> tuple[object, str | None]:
    """The value of a JSON text, several as an array, and what is wrong with it."""
    values: list[object] = []
    at, problem = past_blanks(text, 0), None
    while problem is None and at < len(text):
        if values and not _begins(text, at):
            problem = f"line {_line(text, at)} has something else after the JSON"
            break
        read = _read(text, at)
        values.append(read.value)
        at, problem = past_blanks(text, read.end), read.problem
    return values[0] if len(values) == 1 else values, problem


def tool_calls(value: object, tool: str | None = None) -> list[ToolCall]:
    """The tool calls in a value, in order; what is no tool call is the arguments of `tool`."""
    outer = _unwrapped(ToolCall(tool, value))
    if not isinstance(outer.arguments, list):
        return [outer]
    items = (_unwrapped(ToolCall(outer.tool, item)) for item in outer.arguments)
    return [
        _unwrapped(ToolCall(item.tool, part)) if isinstance(item.arguments, list) else item
        for item in items
        for part in (item.arguments if isinstance(item.arguments, list) else [None])
    ]


def plain(key: str) -> str:
    """A member's name without case and separators: `oldString`, `old_string` and `old-string` are one name."""
    return key.replace("_", "").replace("-", "").lower()


def past_blanks(text: str, at: int) -> int:
    """Where the next character from `at` on that is not white space stands, or the end of the text."""
    found = _NON_BLANK.search(text, at)
    return len(text) if found is None else found.start()


def _unwrapped(call: ToolCall) -> ToolCall:
    while call.problem is None and isinstance(call.arguments, dict):
        inner = _inner(call.arguments)
        if inner is None:
            break
        call = replace(inner, tool=inner.tool or call.tool)
    return call


def _inner(value: dict[str, object]) -> ToolCall | None:
    """What a provider's wrapper holds, None where the value is no wrapper."""
    members = {plain(key): member for key, member in value.items()}
    several = next((members[key] for key in _SEVERAL if isinstance(members.get(key), list)), None)
    if isinstance(several, list) and all(isinstance(each, dict) for each in several):
        return ToolCall(None, several)
    if value and all(is_path(key) and isinstance(member, list) for key, member in value.items()):
        return ToolCall(None, [{"path": path, "edits": edits} for path, edits in value.items()])
    blocks = members.get("content")
    calls = blocks if isinstance(blocks, list) else []
    calls = [each for each in calls if isinstance(each, dict) and each.get("type") == "tool_use"]
    if calls:  # text may stand beside them
        return ToolCall(None, calls)
    tool = next((members[key] for key in _TOOL if isinstance(members.get(key), str)), None)
    arguments = next((members[key] for key in _ARGUMENTS if key in members), None)
    if isinstance(tool, str) and isinstance(arguments, str) and _begins(arguments, 0):
        return ToolCall(tool, *decoded(arguments))
    if isinstance(tool, str) and arguments is not None:
        return ToolCall(tool, arguments)
    inner = next((members[key] for key in _INNER if isinstance(members.get(key), dict)), None)
    return None if inner is None else ToolCall(None, inner)


@dataclass(frozen=True, slots=True)
class _ReadJson:
    """`end` is where the JSON ends, or where it is malformed."""

    value: object
    end: int
    problem: str | None = None


def _bare(text: str, starts: list[int], index: int, wanted: Callable[[JsonText], bool]) -> JsonText | None:
    """The JSON that begins in a line and ends one; None for what is not JSON.

    JSON that is broken and not `wanted` goes up to the line where it breaks: what is read is not read again.
    """
    if not _begins(text, starts[index]):
        return None
    read = _read(text, starts[index])
    if read.problem is None:
        stop = bisect_left(starts, read.end)
        if text[read.end : starts[stop] - 1].strip():
            return None
    elif wanted(JsonText(range(0), read.value, read.problem)):
        stop = bisect_left(starts, _balanced(text, starts[index]))
    else:
        stop = max(bisect_right(starts, read.end) - 1, index + 1)
    return JsonText(range(index, min(stop, len(starts) - 1)), read.value, read.problem)


def _read(text: str, at: int) -> _ReadJson:
    """The JSON value that begins at `at`, and whether it means one thing."""
    problems: list[str] = []

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) < len(pairs):
            name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            problems.append(f"the JSON has {name} twice in one object")
        return value

    def number(digits: str) -> float:
        if not isfinite(float(digits)):
            problems.append(f"the JSON has {digits}, which is not a number there")
        return float(digits)

    decoder = JSONDecoder(
        object_pairs_hook=members,
        parse_float=number,
        parse_constant=number,
        strict=False,  # models leave line breaks in strings unescaped
    )
    try:
        value, end = decoder.raw_decode(text, past_blanks(text, at))
        json.dumps(value, ensure_ascii=False).encode()
    except JSONDecodeError as error:
        return _broken(text, at, error)
    except UnicodeEncodeError:
        return _ReadJson(value, end, "the JSON has half of a surrogate pair in a string")
    except RecursionError:
        return _ReadJson(None, _balanced(text, at), "the JSON is nested too deeply")
    if isinstance(value, str) and _begins(value, 0):
        value, problem = decoded(value)
        return _ReadJson(value, end, problem)
    return _ReadJson(value, end, problems[0] if problems else None)


def _broken(text: str, at: int, error: JSONDecodeError) -> _ReadJson:
    """What can be read of JSON that is cut off or malformed."""
    if error.msg.startswith("Unterminated string") or past_blanks(text, error.pos) == len(text):
        line = _line(text, len(text.rstrip()), at)
        return _ReadJson(_completed(text[at:]), len(text), f"the JSON breaks off in its line {line}")
    problem = f"the JSON is malformed in its line {_line(text, error.pos, at)} ({error.msg})"
    return _ReadJson(_completed(text[at : error.pos]), error.pos, problem)


def _completed(text: str) -> object:
    """The value of a text that breaks off, with what is open closed, or else without its last member."""
    brackets: list[str] = []
    whole, quote = len(text), ""
    cut, open_at_cut = 0, brackets
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{" | "[" as bracket:
                brackets.append("}" if bracket == "{" else "]")
            case "}" | "]":
                del brackets[-1:]
            case ",":
                cut, open_at_cut = token.start(), brackets.copy()
            case _ if not token["quote"]:
                whole, quote = token.end(), '"'
    for end, closing in ((whole, [*brackets, quote]), (cut, open_at_cut)):
        try:
            value: object = json.loads(text[:end] + "".join(reversed(closing)), strict=False)
        except (JSONDecodeError, RecursionError):
            continue
        return value
    return None


def _balanced(text: str, at: int) -> int:
    """Where the brackets that open at `at` are all closed, or the end of the text."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        depth += (token[0] in ("{", "[")) - (token[0] in ("}", "]"))
        if depth <= 0 and token[0] != ",":
            return token.end()
    return len(text)


def _begins(text: str, at: int) -> bool:
    return _START.match(text, past_blanks(text, at)) is not None


def _line(text: str, at: int, start: int = 0) -> int:
    return text.count("\n", start, at) + 1
