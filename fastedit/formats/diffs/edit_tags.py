"""Pairs of `<old_text>` and `<new_text>`, as Zed asks models for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TypeVar

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import (
    ALONE,
    Beside,
    FileOperation,
    Format,
    FoundEdit,
    ModifyFile,
    Replacement,
    in_file,
    unreadable,
)
from fastedit.formats.markdown.lead import EditLead, Lead, wrapping_end
from fastedit.formats.text.views import ended, lines_of

NAME = "edit_tags"

BEFORE = r"(?:^|>)[ \t]*"  # what may stand on its line in front of an element
_OLD = re.compile(BEFORE + r"(?P<tag><old_text(?P<attributes>[^<>]*)>)", re.MULTILINE)
_NEW = re.compile(r"<new_text[^<>]*>")
_LINE = re.compile(r"""\bline=["']?(\d+)""")
# Models close one tag by another, or by the end of a tool call.
_ANY_CLOSING = re.compile(r"</(?:old_text|new_text|edits)>|</parameter>\s*</invoke>")
_WHOLE_LINES = re.compile(r"\n((?:.*\n)*)[ \t]*")


@dataclass(frozen=True, slots=True)
class Element:
    """What stands from character `start` up to but not including `stop` of a message."""

    start: int
    stop: int


E = TypeVar("E", bound=Element)


@dataclass(frozen=True, slots=True)
class _Pair(Element):
    """A pair of elements, or why it is none: a malformed one goes to the end of the message."""

    read: Replacement | UnreadableEdit


def find(lines: Sequence[str]) -> list[FoundEdit]:
    return elements_in(lines, list(_pairs("\n".join(lines))), _operations)


FORMAT = Format(NAME, (find,))


def elements_in(
    lines: Sequence[str], elements: Sequence[E], read: Callable[[E, int], Sequence[FileOperation]]
) -> list[FoundEdit]:
    """The elements of a message, as one edit where only blank lines are between them. `read` gives what one of them
    asks for, by its number in the edit, of the file that the lines above it or the one before name."""
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    groups: list[tuple[range, list[tuple[E, EditLead]]]] = []
    lead, fed = Lead(), 0
    for element in elements:
        first, last = (bisect_right(starts, at) - 1 for at in (element.start, element.stop))
        for index in range(fed, first):
            lead.feed(index, lines[index])
        said, end = lead.above(first), wrapping_end(lines, last + 1, lead.fenced)
        above = groups[-1][0] if groups else None
        if above is not None and not any(map(str.strip, lines[above.stop : said.start])):
            groups[-1] = range(above.start, end), [*groups[-1][1], (element, said)]
        else:
            groups.append((range(said.start, end), [(element, said)]))
        lead.reset()
        fed = last + 1
    found = ((span, partial(_read, read, members)) for span, members in groups)
    return [FoundEdit(span, read_it, read_it) for span, read_it in found]


def _read(
    read: Callable[[E, int], Sequence[FileOperation]],
    members: Sequence[tuple[E, EditLead]],
    beside: Beside = ALONE,
) -> list[FileOperation]:
    path: str | None = None
    operations: list[FileOperation] = []
    for number, (element, said) in enumerate(members, 1):
        path = said.file(beside.is_file) or path
        operations += (in_file(each, path) for each in read(element, number))
    return operations


def _operations(pair: _Pair, _: int) -> list[FileOperation]:
    if isinstance(pair.read, UnreadableEdit):
        raise pair.read
    return [ModifyFile(None, (pair.read,))]


def _pairs(text: str) -> Iterator[_Pair]:
    number = 0
    old = _OLD.search(text)
    while old:
        number += 1
        following: re.Match[str] | None = None
        try:
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
            read = _replacement(before, after, int(line[1]) if line else None, number)
        except UnreadableEdit as error:
            yield _Pair(old.start("tag"), len(text), error)
            return
        yield _Pair(old.start("tag"), stop, read)
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
    old, new = (lines_between(part) if whole else trimmed(part) for part in (before, after))
    if old in ("", "\n"):
        raise unreadable(
            NAME, number, "<old_text> is empty", "give the text that the new one replaces or follows"
        )
    if whole and new == "\n":
        way_out = "leave it empty to delete the lines; to keep a blank one, repeat a line next to it in both elements"
        raise unreadable(NAME, number, "<new_text> is one blank line, which may mean none", way_out)
    return Replacement(old, new, whole, line=line, in_order=False)


def lines_between(content: str) -> str:
    whole = _WHOLE_LINES.fullmatch(content)
    return whole[1] if whole else ended(lines_of(trimmed(content)))


def trimmed(content: str) -> str:
    """Without the line ends next to the tags."""
    return content.removeprefix("\n").removesuffix("\n")
