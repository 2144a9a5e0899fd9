"""Code fences in the lines of a message: Markdown's, and the tags that aider writes in their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

OPENING = re.compile(r"(?P<indent>\s*)(?P<mark>`{3,}+|~{3,}+)(?P<info>[^`]*)")


# In place of backticks where the files have such themselves: https://aider.chat, `all_fences` in `base_coder.py`.
_TAG = r"(?P<tag>source|code|pre|codeblock|sourcecode)>"
_TAG_OPENING = re.compile(rf"(?P<indent>\s*)<{_TAG}(?P<info>[^\s<>]*)\s*")
_TAG_CLOSING = re.compile(rf"(?P<indent>\s*)</{_TAG}\s*")


class Fence(NamedTuple):
    """A code fence. `lines` includes both marks; without a closing mark it runs to the end of the message. `tag` is the
    name of the tags that are its marks, empty for those of Markdown."""

    lines: range
    indent: str
    info: str
    closed: bool
    tag: str = ""

    @classmethod
    def of(cls, opening: re.Match[str], start: int, closing: int | None, end: int) -> Fence:
        """From line `start` to the line that closes it; where none does, to the message's `end`."""
        stop = end if closing is None else closing + 1
        tag = opening.groupdict().get("tag", "")
        return cls(range(start, stop), opening["indent"], opening["info"].strip(), closing is not None, tag)

    @property
    def inside(self) -> range:
        return self.lines[1:-1] if self.closed else self.lines[1:]

    def text(self, lines: Sequence[str]) -> list[str]:
        """The lines inside without the indentation of the fence, as in CommonMark."""
        return [self.inner(lines[at]) for at in self.inside]

    def inner(self, line: str) -> str:
        """A line inside without the indentation of the fence."""
        size = len(self.indent)
        return line[:size].lstrip() + line[size:]


def first_word(info: str) -> str:
    """What an info string calls the language, in lower case."""
    return re.split(r"[\s:{]", info)[0].lower()


def fences(lines: Sequence[str]) -> list[Fence]:
    """The code fences in order. A fence inside another one is text of the outer one, as in CommonMark."""
    found = []
    start, closings = 0, Closings(lines)
    while start < len(lines):
        fence = closings.fence(start)
        if fence is not None:
            found.append(fence)
        start = start + 1 if fence is None else fence.lines.stop
    return found


def pairs_up(lines: Sequence[str]) -> bool:
    """Whether all fences are closed."""
    return all(fence.closed for fence in fences(lines))


class Closings:
    """Where the fences of a message end, which is asked of one line after the other.

    `closes` says whether a line, by its number, closes a fence with a mark.
    """

    def __init__(self, lines: Sequence[str], closes: Callable[[int, str], bool] | None = None) -> None:
        self._lines = lines
        self._closes = closes or (lambda at, mark: _closes(lines[at], mark))
        self._known: dict[str, tuple[int, int | None]] = {}

    def after(self, at: int, mark: str) -> int | None:
        """The first line after another one that closes a fence with this mark."""
        first, closing = self._known.get(mark, (at + 1, None))
        # What is the first after a line above is it for all lines between.
        if first > at or (closing is not None and closing <= at):
            rows = range(at + 1, len(self._lines))
            closing = next((row for row in rows if self._closes(row, mark)), None)
            self._known[mark] = at, closing
        return closing

    def fence(self, start: int, text: int | None = None) -> Fence | None:
        """The fence that a line opens; its lines down to `text` are known to be inside."""
        opening = OPENING.fullmatch(self._lines[start])
        if opening is None or _underlines(self._lines, start):
            return None
        closing = self.after(start if text is None else text, opening["mark"])
        return Fence.of(opening, start, closing, len(self._lines))


class Nested:
    """Where the fences of a message end if they may hold fences of the same mark, which models forget to make longer:
    at the first bare mark as long, indented alike, that closes no fence inside. Tags are marks too, which HTML has as
    text: whoever asks for the fence that a line opens has to know better."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._tags = _Tags(lines)
        found = ((at, OPENING.fullmatch(line)) for at, line in enumerate(lines))
        self._lines, self._end = lines, len(lines)
        self._marks = {at: mark for at, mark in found if mark is not None}
        self._closing: dict[tuple[str, str], dict[int, int]] = {}

    def fence(self, start: int) -> Fence | None:
        """The fence that a line opens."""
        opening = self._marks.get(start)
        if opening is None:
            return self._tags.fence(start)
        if _underlines(self._lines, start):
            return None
        kind = opening["indent"], opening["mark"]
        if kind not in self._closing:
            self._closing[kind] = self._closings(*kind)
        return Fence.of(opening, start, self._closing[kind].get(start), self._end)

    def closes(self, fence: Fence, at: int) -> bool:
        """Whether the mark on a line could close a fence as well."""
        mark, opening = self._marks[at], self._marks[fence.lines.start]
        return (
            mark["indent"] == opening["indent"]
            and mark["mark"].startswith(opening["mark"])
            and not mark["info"].strip()
        )

    def left_over(self, fence: Fence) -> int | None:
        """The last closing tag below a fence of tags, before the next such fence, that closes none: the fence may end
        there too."""
        return self._tags.left_over(fence)

    def _closings(self, indent: str, mark: str) -> dict[int, int]:
        """The line that closes each fence."""
        closing: dict[int, int] = {}
        depth = 0
        open_at: list[tuple[int, int]] = []  # fences with the depth inside of them, which grows or stays
        for at, found in self._marks.items():
            if found["indent"] != indent or not found["mark"].startswith(mark):
                continue
            depth += 1 if found["info"].strip() else -1
            while open_at and open_at[-1][1] > depth:
                closing[open_at.pop()[0]] = at
            open_at.append((at, depth))
        return closing


class _Tags:
    """Where fences end whose marks are tags, each alone on its line and indented alike, in pairs."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._end = len(lines)
        self._openings: dict[int, re.Match[str]] = {}
        self._closing: dict[int, int] = {}
        self._left_over: dict[int, int] = {}  # by the opening of the last pair above
        kinds: dict[tuple[str, str], tuple[list[int], list[int]]] = {}  # those open, and the last pair
        for at, line in enumerate(lines):
            mark = _TAG_OPENING.fullmatch(line) or _TAG_CLOSING.fullmatch(line)
            if mark is None:
                continue
            opened, last = kinds.setdefault((mark["indent"], mark["tag"]), ([], []))
            if "info" in mark.groupdict():
                self._openings[at] = mark
                opened.append(at)
            elif opened:
                last[:] = [opened.pop()]
                self._closing[last[0]] = at
            elif last:
                self._left_over[last[0]] = at

    def fence(self, start: int) -> Fence | None:
        opening = self._openings.get(start)
        if opening is None:
            return None
        return Fence.of(opening, start, self._closing.get(start), self._end)

    def left_over(self, fence: Fence) -> int | None:
        return self._left_over.get(fence.lines.start)


def outermost(lines: Sequence[str]) -> Fence | None:
    """The fence from the first mark of all to the last, or one that is not closed, if the marks inside of it pair up:
    that of a text that has fences of its own."""
    marks = [at for at, line in enumerate(lines) if OPENING.fullmatch(line) and not _underlines(lines, at)]
    opening = OPENING.fullmatch(lines[marks[0]]) if marks else None
    if opening is None:
        return None
    closed, left_open = (Fence.of(opening, marks[0], stop, len(lines)) for stop in (marks[-1], None))
    for found in [closed, left_open] if _closes(lines[marks[-1]], opening["mark"]) else [left_open]:
        if pairs_up([lines[at] for at in found.inside]):
            return found
    return None


def mark_around(text: str) -> str:
    """The mark of a code fence longer than any that stands in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(longest + 1, 3)


def fenced(text: str, info: str = "") -> str:
    """The text in a code fence that ends after all of it."""
    mark = mark_around(text)
    return f"{mark}{info}\n{text}\n{mark}"


def _underlines(lines: Sequence[str], at: int) -> bool:
    """Whether a line of tildes is the underline of a title in reStructuredText, which is as long as that."""
    mark, title = lines[at].rstrip(), lines[at - 1].rstrip() if at else ""
    return len(mark) > 3 and 0 < len(title) <= len(mark) and set(mark) == {"~"}


def _closes(line: str, mark: str) -> bool:
    text = line.strip()
    return len(text) >= len(mark) and set(text) == {mark[0]}
