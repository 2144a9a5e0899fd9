"""What stands between two brackets, separated by commas: one more of it at the end, or one less."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_CHARACTER = r"'(?:\\[^']*|[^'\\])'"
_TEXT = r"'(?:\\.|[^'\\])*'"
_REST = r"|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//|/\*|\S"
_TOKENS = {quoted: re.compile(quoted + _REST) for quoted in (_CHARACTER, _TEXT)}
_HASHED = frozenset({"python", "yaml", "toml", "shell", "bash"})
_SLASHED = frozenset({"javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp", "css"})
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_WIDEST = 120  # columns that a line may come to have


@dataclass(frozen=True, slots=True)
class Entry:
    """Its text, with lines and columns in characters: `start` is that of its first, `stop` is behind its last one."""

    text: str
    row: int
    start: int
    last_row: int
    stop: int


@dataclass(frozen=True, slots=True)
class Bracketed:
    """`row` and `start` are those behind the opening bracket, `last_row` and `stop` those of the closing one."""

    entries: tuple[Entry, ...]
    row: int
    start: int
    last_row: int
    stop: int


def bracketed(source: Source, row: int, column: int) -> Bracketed | None:
    """What the bracket at a column opens; None where it is not closed, or has a comment within."""
    lines, pattern = source.lines, _tokens(source.language)
    comments = (
        "#" if source.language in _HASHED else "//" if source.language in _SLASHED else None,
        "/*" if source.language in _SLASHED else None,
    )
    closers, entries = [_CLOSERS[lines[row][column]]], list[Entry]()
    first = last = None
    for at in range(row, min(len(lines), row + 400)):
        if '"""' in lines[at] or "'''" in lines[at]:
            return None
        for token in pattern.finditer(lines[at], column + 1 if at == row else 0):
            text = token[0]
            if text in comments:
                return None
            if text in _CLOSERS:
                closers.append(_CLOSERS[text])
            elif text in (")", "]", "}") and closers.pop() != text:
                return None
            separates = not closers or (text == "," and len(closers) == 1)
            if separates and first is not None and last is not None:
                entries.append(Entry(_between(lines, first, last), *first, *last))
            elif text == "," and len(closers) == 1:
                return None
            if not closers:
                return Bracketed(tuple(entries), row, column + 1, at, token.start())
            if separates:
                first = last = None
            else:
                first, last = first or (at, token.start()), (at, token.end())
    return None


def _tokens(language: str) -> re.Pattern[str]:
    return _TOKENS[_CHARACTER if language in ("rust", "go", "c", "cpp", "java") else _TEXT]


def _between(lines: tuple[str, ...], first: tuple[int, int], last: tuple[int, int]) -> str:
    if first[0] == last[0]:
        return lines[first[0]][first[1] : last[1]]
    inner = lines[first[0] + 1 : last[0]]
    return "\n".join((lines[first[0]][first[1] :], *inner, lines[last[0]][: last[1]]))


def with_last(source: Source, found: Bracketed, new: str) -> Codemod | None:
    """One more at the end, on a line of its own where the others have theirs."""
    if not source.holds(found.row, found.last_row + 1):
        return None
    if not found.entries:
        empty = found.row == found.last_row
        return _spliced(source, found.row, found.start, found.start, new) if empty else None
    last = found.entries[-1]
    row, line = last.last_row, source.lines[last.last_row]
    behind = line[last.stop :]
    comma = re.match(r"\s*,", behind)
    apart = not source.lines[last.row][: last.start].strip()
    if not apart:
        put = f" {new}," if comma else f", {new}"
        at = last.stop + (comma.end() if comma else 0)
        several = found.row != found.last_row and len(found.entries) > 1 and found.row != last.last_row
        reasons = ["several stand on one line"] if several else []
        if len(line) <= _WIDEST < len(line) + len(put):
            reasons.append("the line gets long")
        return _spliced(source, row, at, at, put, *reasons)
    added = indentation(source.lines[last.row]) + new
    if found.last_row == row:
        return None if comma else Codemod((Hunk(row, row + 1, (line[: last.stop] + ",", added + behind)),))
    if source.lines[found.last_row][: found.stop].strip():
        return None
    if comma:
        return Codemod((Hunk(row + 1, row + 1, (added + ",",)),))
    return Codemod((Hunk(row, row + 1, (f"{line[: last.stop]},{behind}", added)),))


def without(source: Source, found: Bracketed, gone: Entry) -> Codemod | None:
    """All but one entry, whose lines go where nothing else stands on them."""
    if not source.holds(found.row, found.last_row + 1):
        return None
    at = found.entries.index(gone)
    reasons = ["nothing is left"] if len(found.entries) == 1 else []
    head, tail = source.lines[gone.row][: gone.start], source.lines[gone.last_row][gone.stop :]
    if not head.strip() and tail.strip() in ("", ","):
        before = found.entries[at - 1] if at and at + 1 == len(found.entries) and not tail.strip() else None
        whole = Hunk(gone.row, gone.last_row + 1, ())
        if before is None:
            return Codemod((whole,), tuple(reasons))
        line = source.lines[before.last_row]
        uncommaed = line[: before.stop] + re.sub(r"\A\s*,", "", line[before.stop :])
        return Codemod((Hunk(before.last_row, before.last_row + 1, (uncommaed,)), whole), tuple(reasons))
    if gone.row != gone.last_row:
        return None
    if at + 1 < len(found.entries) and found.entries[at + 1].row == gone.row:
        return _spliced(source, gone.row, gone.start, found.entries[at + 1].start, "", *reasons)
    if at and found.entries[at - 1].last_row == gone.row:
        return _spliced(source, gone.row, found.entries[at - 1].stop, gone.stop, "", *reasons)
    if len(found.entries) == 1 and not re.match(r"\s*,", tail):
        return _spliced(source, gone.row, gone.start, gone.stop, "", *reasons)
    return None


def _spliced(source: Source, row: int, start: int, stop: int, text: str, *reasons: str) -> Codemod:
    line = source.lines[row]
    return Codemod((Hunk(row, row + 1, (line[:start] + text + line[stop:],)),), reasons)
