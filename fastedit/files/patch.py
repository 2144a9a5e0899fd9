"""Hunks as a unified diff that `git apply`, `patch` and unidiff accept.

The diff comes from the hunks alone, so it never shows as changed what an edit did not touch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, splice

_ESCAPES = {chr(code): f"\\{code:03o}" for code in (*range(32), 127)} | {'"': '\\"', "\\": "\\\\"}
_NO_NEWLINE = "\\ No newline at end of file\n"


class Replaced(NamedTuple):
    """The characters `begin` up to but not including `end` of a text, which become `new`."""

    begin: int
    end: int
    new: str


class _ChangedLines(NamedTuple):
    """The same of whole lines: `old` and `new`, which begin at these rows of either text."""

    begin: int
    end: int
    row: int
    new_row: int
    old: list[str]
    new: list[str]


def unified_diff(
    document: Document,
    hunks: Iterable[Hunk],
    path: str,
    context: int = 3,
    *,
    drops_final_newline: bool = False,
) -> str:
    """The diff of `path` with `context` lines around each change; empty where the text stays the same.

    As in every diff tool a line ends at LF: a lone CR is a character within it. A byte order mark is part of
    the first line. `drops_final_newline` is as in `apply_hunks`.
    """
    text, first = document.mark + document.text, len(document.mark)
    replaced: Iterable[Replaced] = (
        Replaced(first + one.begin, first + one.end, one.text) for one in splice(document, hunks)
    )
    if drops_final_newline:
        replaced = _without_final_newline(text, list(replaced))
    body = sections(text, replaced, context)
    return header(f"a/{path}", f"b/{path}") + body if body else ""


def _without_final_newline(text: str, replaced: list[Replaced]) -> list[Replaced]:
    """The parts, with the end of the new text's last line taken away."""
    if not replaced or replaced[-1].end < len(text):
        replaced.append(Replaced(len(text), len(text), ""))
    *others, last = replaced
    if last.new:
        return [*others, last._replace(new=_open(last.new))]
    return [*others, last._replace(begin=len(_open(text[: last.begin])))]


def _open(text: str) -> str:
    """The text without the end of its last line."""
    return text.removesuffix("\n").removesuffix("\r")


def header(old: str, new: str) -> str:
    """The lines that name a file before and after; a tab follows a name with a blank in it, as git writes it."""
    names = (
        f"{name}\t" if " " in name and not name.startswith('"') else name for name in map(quoted, (old, new))
    )
    return "--- {}\n+++ {}\n".format(*names)


def quoted(path: str) -> str:
    """A path as git writes it: in quotes where it would not be read back."""
    if path.endswith(" ") or any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        return '"' + "".join(_ESCAPES.get(letter, letter) for letter in path) + '"'
    return path


def sections(text: str, replaced: Iterable[Replaced], context: int = 3) -> str:
    """The `@@` sections of a text of which parts are replaced, sorted and disjoint."""
    return "".join(_section(text, group, context) for group in _groups(_changes(text, replaced), context))


def lf_lines(text: str) -> list[str]:
    """The lines of a text as diff tools see them: up to and with LF."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _changes(text: str, replaced: Iterable[Replaced]) -> Iterator[_ChangedLines]:
    row = new_row = at = 0
    for begin, end, new in _whole_lines(text, replaced):
        kept = text.count("\n", at, begin)
        change = _ChangedLines(
            begin, end, row + kept, new_row + kept, lf_lines(text[begin:end]), lf_lines(new)
        )
        yield change
        row, new_row, at = change.row + len(change.old), change.new_row + len(change.new), end


def _whole_lines(text: str, replaced: Iterable[Replaced]) -> Iterator[Replaced]:
    """Parts widened to whole lines, before and after. Those between which no line is kept are one."""
    last: Replaced | None = None
    for one in replaced:
        if last is not None:
            whole = _to_line_end(text, last)
            if text.find("\n", whole.end, one.begin) < 0:
                last = Replaced(last.begin, one.end, last.new + text[last.end : one.begin] + one.new)
                continue
            yield whole
        begin = text.rfind("\n", 0, one.begin) + 1
        last = Replaced(begin, one.end, text[begin : one.begin] + one.new)
    if last is not None:
        yield _to_line_end(text, last)


def _to_line_end(text: str, part: Replaced) -> Replaced:
    begin, end, new = part
    if (new and not new.endswith("\n")) or (end and text[end - 1] != "\n"):
        end = text.find("\n", end) + 1 or len(text)
    return Replaced(begin, end, new + text[part.end : end])


def _groups(changes: Iterable[_ChangedLines], context: int) -> Iterator[list[_ChangedLines]]:
    """Changes so near that their context would meet stand in one section."""
    group: list[_ChangedLines] = []
    for change in changes:
        if group and change.row - group[-1].row - len(group[-1].old) > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _section(text: str, group: list[_ChangedLines], context: int) -> str:
    first, last = group[0], group[-1]
    begin, end = first.begin, last.end
    for _ in range(context):
        begin = text.rfind("\n", 0, max(begin - 1, 0)) + 1
        end = text.find("\n", end) + 1 or len(text)
    lead, trail = lf_lines(text[begin : first.begin]), lf_lines(text[last.end : end])
    old_span = _span(first.row - len(lead), last.row + len(last.old) + len(trail))
    new_span = _span(first.new_row - len(lead), last.new_row + len(last.new) + len(trail))
    parts = [f"@@ -{old_span} +{new_span} @@\n"]
    for change in group:
        parts.extend(_row(" ", line) for line in lf_lines(text[begin : change.begin]))
        parts.extend(_row("-", line) for line in change.old)
        parts.extend(_row("+", line) for line in change.new)
        begin = change.end
    parts.extend(_row(" ", line) for line in trail)
    return "".join(parts)


def _span(start: int, stop: int) -> str:
    """Lines `start:stop` from 0 as `first,count` from 1; an empty span names the line before it."""
    return f"{start + 1 if stop > start else start},{stop - start}"


def _row(sign: str, text: str) -> str:
    return f"{sign}{text}" if text.endswith("\n") else f"{sign}{text}\n{_NO_NEWLINE}"
