"""What a message has besides the edits that formats have found, and that may be edits in a way that none reads."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Format, FoundEdit
from fastedit.formats.markdown.paths import file_alone
from fastedit.formats.tools.marks import JSON, TAG
from fastedit.source.fences import fences

_OPENING = re.compile(r"\s*<(?P<tag>[A-Za-z]\w*)(?:\s(?P<attributes>[^<>]*))?>")
_BEGUN = re.compile(r"\s*(?:<+|<{3,} [A-Z]+|<[A-Za-z][^<>]*)")  # a tag or the mark of a block
_CLOSING = re.compile(r"</([A-Za-z]\w*)>")
_OF_A_FILE = re.compile(r"\b(?:path|file|filename|filePath)=")
_BEGUN_AMID = re.compile(r"""(?<=\S)[ \t]*(?=<\w|[{[]\s*["{])""")
_ENDED_AMID = re.compile(r"(?<=[>}\]])(?=[^\n])")
_PATH_INSIDE = re.compile(r"\s*<(?:path|file|filename|file_path|target_file)>[^<>]+</\w+>\s*")


def elements_left(lines: Sequence[str], read: Sequence[range]) -> Iterator[str]:
    """The elements that name a file and hold no edit. `read` are the lines of the edits."""
    taken = {row for rows in read for row in rows}
    rest = [row for row in range(len(lines)) if row not in taken]
    starts = sorted(rows.start for rows in read)
    closing: dict[str, list[int]] = {}
    for row in rest:
        for tag in _CLOSING.findall(lines[row]):
            closing.setdefault(tag, []).append(row)
    for row in rest:
        element = _OPENING.match(lines[row])
        if element is None or not _names_a_file(element, lines, row):
            continue
        ends = closing.get(element["tag"], [])
        at = bisect_left(ends, row)
        if at < len(ends) and bisect_right(starts, row) == bisect_left(starts, ends[at]):
            yield (
                f"update line {row + 1}: `{lines[row].strip()}` names a file, but no format is written so; below its "
                "path, send SEARCH/REPLACE blocks, or its contents in a fence"
            )


def calls_left(lines: Sequence[str], found: Sequence[tuple[str, FoundEdit]]) -> dict[int, str]:
    """A note on each call of a tool that is no edit, by its line, but for those in an edit's text. `found` are the
    edits with their formats."""
    calls: set[tuple[int, str]] = set()
    for format, left in _calls_left(lines):
        taken = {row for name, edit in found if name != format for row in edit.lines}
        calls |= {call for call in left if call[0] not in taken}
    return {
        row: f"update line {row + 1}: the call of {tool} is no edit in any format, and is not carried out"
        for row, tool in sorted(calls)
    }


def _calls_left(lines: Sequence[str]) -> Iterator[tuple[str, Iterator[tuple[int, str]]]]:
    """The calls that are no edits, by the format of those that are."""
    text = "\n".join(lines)  # what reads calls is imported only where there may be some
    if TAG.search(text):
        from fastedit.formats.tools import invoke

        yield invoke.NAME, invoke.calls_left(lines)
    if JSON.search(text):
        from fastedit.formats.tools import str_replace

        yield str_replace.NAME, str_replace.calls_left(lines)


def _call_left_open(lines: Sequence[str]) -> int | None:
    """The line of the last call, where the message ends before it tells what that is."""
    if not any(map(TAG.search, lines)):
        return None
    from fastedit.formats.tools import invoke  # not above, as in `_calls_left`

    return invoke.left_open(lines)


def opened_at_end(lines: Sequence[str], read: Sequence[range]) -> str:
    """What says that a message breaks off where a further edit begins; empty where nothing does. `read` are the lines
    of the edits."""
    below = max(rows.stop for rows in read)
    last = next((row for row in reversed(range(below, len(lines))) if lines[row].strip()), None)
    if last is None:
        return ""
    call, fence = _call_left_open(lines), fences(lines[below:])[-1:]
    again = _OPENING.fullmatch(lines[last]) and lines[last] in lines[:below]
    opened = (
        again
        or not (any(map(str.strip, lines[below:last])) or file_alone(lines[last]) is None)
        or _BEGUN.fullmatch(lines[last])
        or any(each.info and not each.closed for each in fence)
    )
    row = call if call is not None and call >= below else last if opened else None
    if row is None:
        return ""
    return (
        f"the message ends after update line {row + 1}, `{lines[row].strip()}`, which opens a further edit; "
        "send it whole"
    )


def begun_amid(lines: Sequence[str], read: Sequence[range], formats: Sequence[Format]) -> str:
    """What says that an edit begins in the midst of a line, where no format looks for it; empty where none does. `read`
    are the lines of the edits."""
    taken = {row for rows in (*read, *(fence.lines for fence in fences(lines))) for row in rows}
    taken -= {rows[-1] for rows in read if lines[rows[-1]].lstrip().startswith("</")}
    rows = [row for row, line in enumerate(lines) if row not in taken and _BEGUN_AMID.search(line)]
    for format in formats if rows else ():
        count = _count_operations(format, lines)
        if _count_operations(format, _broken(lines, rows)) > count:
            # Each try reads all of the message.
            first = bisect_left(
                range(1, len(rows)),
                True,
                key=lambda most: _count_operations(format, _broken(lines, rows[:most])) > count,
            )
            row = rows[first]
            return (
                f"update line {row + 1}: an edit in {format.name} begins in the midst of `{lines[row].strip()}`; "
                "begin and end it on lines of its own"
            )
    return ""


def _broken(lines: Sequence[str], rows: Sequence[int]) -> list[str]:
    """The lines, with some of them broken where an edit may begin or end."""
    broken = list(lines)
    for row in rows:
        broken[row] = _ENDED_AMID.sub("\n", _BEGUN_AMID.sub("\n", lines[row]))
    return "\n".join(broken).split("\n")


def _count_operations(format: Format, lines: Sequence[str]) -> int:
    count = 0
    for edit in format.find(lines):
        with suppress(UnreadableEdit):
            count += len(edit.read())
    return count


def _names_a_file(element: re.Match[str], lines: Sequence[str], row: int) -> bool:
    """Whether an element has a path, as an attribute or as the first of several elements inside."""
    if attributes := element["attributes"]:
        return _OF_A_FILE.search(attributes) is not None
    inside = [line for line in lines[row + 1 : row + 3] if line.strip()]
    return len(inside) == 2 and bool(_PATH_INSIDE.fullmatch(inside[0]) and _OPENING.match(inside[1]))
