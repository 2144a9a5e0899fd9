"""Pairs of `<old_text>` and `<new_text>`, as Zed asks models for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FileOperation, Format, Modify, Replacement, join_modifications, unreadable
from fastedit.formats.search_replace_paths import Lead, wrapping_end
from fastedit.formats.views import ended, lines_of

NAME = "edit_tags"

_OLD = re.compile(r"(?:^|>)[ \t]*(?P<tag><old_text(?P<attributes>[^<>]*)>)", re.MULTILINE)
_NEW = re.compile(r"<new_text[^<>]*>")
_LINE = re.compile(r"""\bline=["']?(\d+)""")
# Models close one tag by another, or by the end of a tool call.
_ANY_CLOSING = re.compile(r"</(?:old_text|new_text|edits)>|</parameter>\s*</invoke>")
_WHOLE_LINES = re.compile(r"\n((?:.*\n)*)[ \t]*")


@dataclass(frozen=True, slots=True)
class _Pair:
    """A pair from character `start` up to but not including `stop` of a message."""

    start: int
    stop: int
    replacement: Replacement


class EditTags:
    name = NAME

    def segments(self, lines: Sequence[str]) -> list[range]:
        found: list[range] = []
        for extent, fenced, _ in in_lines(lines, _extents("\n".join(lines))):
            end = wrapping_end(lines, extent.stop, fenced)
            if found and not any(map(str.strip, lines[found[-1].stop : extent.start])):
                found[-1] = range(found[-1].start, end)
            else:
                found.append(range(extent.start, end))
        return found

    def read(self, lines: Sequence[str]) -> tuple[FileOperation, ...]:
        pairs = list(_pairs("\n".join(lines)))
        if not pairs:
            raise unreadable(
                NAME, None, "there is no <old_text>", "put the text to replace between such tags"
            )
        path: str | None = None
        operations: list[FileOperation] = []
        extents = in_lines(lines, [(pair.start, pair.stop) for pair in pairs])
        for pair, (_, _, own_path) in zip(pairs, extents, strict=True):
            path = own_path or path
            operations.append(Modify(path, (pair.replacement,)))
        return join_modifications(operations)


FORMAT: Format = EditTags()


def _extents(text: str) -> Iterator[tuple[int, int]]:
    """From where to where each pair goes. A malformed one goes to the end."""
    stop = 0
    try:
        for pair in _pairs(text):
            stop = pair.stop
            yield pair.start, stop
    except UnreadableEdit:
        broken = _OLD.search(text, max(stop - 1, 0))  # the `>` before it counts
        assert broken is not None
        yield broken.start("tag"), len(text)


def in_lines(
    lines: Sequence[str], extents: Iterable[tuple[int, int]]
) -> Iterator[tuple[range, bool, str | None]]:
    """The lines of each pair, whether they are in a code fence, and the path that the lines above name."""
    text = "\n".join(lines)
    lead = Lead()
    fed = 0
    for start, stop in extents:
        first, last = text.count("\n", 0, start), text.count("\n", 0, stop)
        for index in range(fed, first):
            lead.feed(index, lines[index])
        yield range(first if lead.start is None else lead.start, last + 1), lead.fenced, lead.path
        lead.reset()
        fed = last + 1


def _pairs(text: str) -> Iterator[_Pair]:
    """Raises UnreadableEdit."""
    number = 0
    old = _OLD.search(text)
    while old:
        number += 1
        new = _NEW.search(text, old.end())
        following = _OLD.search(text, old.end())
        if new is None or (following and following.start("tag") < new.start()):
            raise unreadable(
                NAME, number, "there is no <new_text>", "write it after <old_text>; empty, it deletes"
            )
        following = _OLD.search(text, new.end())
        limit = following.start("tag") if following else len(text)
        before, _ = _content(text, old.end(), new.start(), "old_text", number)
        after, stop = _content(text, new.end(), limit, "new_text", number)
        line = _LINE.search(old["attributes"])
        yield _Pair(
            old.start("tag"), stop, _replacement(before, after, int(line[1]) if line else None, number)
        )
        old = following


def _content(text: str, start: int, limit: int, tag: str, number: int) -> tuple[str, int]:
    """The text of an element that ends before `limit`, and where it ends."""
    closing = f"</{tag}>"
    count = text.count(closing, start, limit)
    if count > 1:
        problem = f"{count} times {closing} in one element: text and tag look alike"
        raise unreadable(NAME, number, problem, "send this edit in another format, such as search_replace")
    if count:
        stop = text.index(closing, start, limit)
        return text[start:stop], stop + len(closing)
    other = _ANY_CLOSING.search(text, start, limit)
    if other is None:
        raise unreadable(NAME, number, f"the edit breaks off before {closing}", "send it again")
    return text[start : other.start()], other.end()


def _replacement(before: str, after: str, line: int | None, number: int) -> Replacement:
    """Tags on lines of their own enclose whole lines, tags within a line any text."""
    whole = _WHOLE_LINES.fullmatch(before) is not None
    old, new = (_lines(part) if whole else _trimmed(part) for part in (before, after))
    if old in ("", "\n"):
        raise unreadable(
            NAME, number, "<old_text> is empty", "give the text that the new one replaces or follows"
        )
    if whole and new == "\n":
        way_out = "leave it empty to delete the lines; to keep a blank one, repeat a line next to it in both elements"
        raise unreadable(NAME, number, "<new_text> is one blank line, which may mean none", way_out)
    return Replacement(old, new, whole, line=line)


def _lines(content: str) -> str:
    whole = _WHOLE_LINES.fullmatch(content)
    return whole[1] if whole else ended(lines_of(_trimmed(content)))


def _trimmed(content: str) -> str:
    """Without the line ends next to the tags."""
    return content.removeprefix("\n").removesuffix("\n")
