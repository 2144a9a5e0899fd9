"""Reads one SEARCH/REPLACE block: where REPLACE begins, line hints, escapes, line numbers and `...` lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from fastedit.files.paths import slashed
from fastedit.formats.base import Replacement, unreadable
from fastedit.formats.diffs.search_replace_blocks import Opening, SearchReplaceBlock, is_divider
from fastedit.formats.text.views import ended
from fastedit.source.languages import TEXT, named, notation_of
from fastedit.source.outline import indent_width

NAME = "search_replace"

_WORD = re.compile(r"\w")
_CONFLICT_BEGINS, _CONFLICT_ENDS = re.compile(r"<{7} \S"), re.compile(r">{7} \S")
_HINT = re.compile(r"[ \t]*:(start|end)_line:[ \t]*(\d+)[ \t]*")
_HINTS_END = re.compile(r"-{7,}[ \t]*")
_ESCAPE = re.compile(r"\\(?=<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:)")
_NUMBERED = re.compile(r"\s*(\d+)\s+\|(?!\|)\s?(.*)")

Lines = Sequence[str]


def read_block(block: SearchReplaceBlock, number: int, path: str | None = None) -> tuple[Replacement, ...]:
    """The replacements of a block, the `number`th of its message from 1, of the file at `path`. Raises
    UnreadableEdit."""
    opening = _opening(block, number)
    at, end = _parts(block.body, opening, number, path)
    line, old = _without_hints(block.body[:at])
    new: Lines = block.body[at + 1 : end]
    if any(map(_HINT.fullmatch, new)):
        way_out = "move it to SEARCH, or write a backslash before it if it is text"
        raise unreadable(NAME, number, "`:start_line:` or `:end_line:` stands in REPLACE", way_out)
    if line is not None and list(old) == [""]:
        problem = "SEARCH is one blank line, which may be a line to replace or none"
        raise unreadable(NAME, number, problem, "repeat a line next to it in both parts")
    first, old, new = _without_numbers(_unescaped(old), _unescaped(new))
    return replacements(old, new, number, opening.line or line or first)


def replacements(old: Lines, new: Lines, number: int = 1, line: int | None = None) -> tuple[Replacement, ...]:
    """The replacements of lines by others, in pieces where both have `...`. Raises UnreadableEdit."""
    pairs = _pieces(old, new) or [(old, new)]
    if any(other == [""] and not _is_empty(piece) for piece, other in pairs):
        way_out = "leave REPLACE empty to delete the lines; to keep a blank one, repeat a line next to it in both parts"
        raise unreadable(NAME, number, "REPLACE is one blank line, which may mean none", way_out)
    found: list[Replacement] = []
    above: list[str] = []
    for piece, other in pairs:
        scopes = _around(above, piece)
        # Tools differ in whether an empty SEARCH adds to a file or replaces it: as a string it has no place in a text.
        is_placed = not _is_empty(piece) or line is not None
        hunk = Replacement(
            _text(piece), _text(other), is_placed, scopes, line, named=bool(scopes), in_order=False
        )
        found.append(hunk)
        above += piece
        line = None
    return tuple(found)


def _opening(block: SearchReplaceBlock, number: int) -> Opening:
    if block.opening is None:
        problem = "`>>>>>>> REPLACE` has no line `<<<<<<< SEARCH` above it"
        raise unreadable(NAME, number, problem, "begin the block with that line and nothing else in it")
    if not block.closed:
        way_out = "send all of it, with a backslash before lines of its text that look like markers"
        raise unreadable(NAME, number, f"the block breaks off before `{block.opening.closing}`", way_out)
    return block.opening


def _parts(body: Lines, opening: Opening, number: int, path: str | None) -> tuple[int, int]:
    """The line between SEARCH and REPLACE, and the one after REPLACE.

    The former is indented like the opening line and as long; any other line of `=` is text if there is such a one.
    Aider takes one more for the end of REPLACE. It is that right above the closing line, where neither can be text: in
    code, a line of `=` is one only below a title within a string.
    """
    marker = opening.indent + "=" * opening.size
    found = _dividers(body, lambda text: text.rstrip() == marker) or _dividers(body, is_divider)
    if len(found) == 1:
        return found[0], len(body)
    ends_twice = len(found) == 2 and found[1] == len(body) - 1
    if ends_twice and _is_code(path) and not any(_underlines(body, at) for at in found):
        return found[0], found[1]
    if not found:
        raise unreadable(NAME, number, f"there is no `{marker}` line", "write it between SEARCH and REPLACE")
    problem = f"{len(found)} lines may be the `=======` between SEARCH and REPLACE"
    raise unreadable(NAME, number, problem, "write it once, and a backslash before text like it")


def _is_code(path: str | None) -> bool:
    notation = TEXT if path is None else notation_of(Path(slashed(path)), "")
    return notation != TEXT and not named(notation).prose


def _underlines(body: Lines, at: int) -> bool:
    """Whether a line may underline a title, the line above it: that has words, and is indented alike."""
    above = body[at - 1] if at else ""
    return _WORD.search(above) is not None and indent_width(above) == indent_width(body[at])


def _dividers(body: Lines, divides: Callable[[str], bool]) -> list[int]:
    """The lines that may be the divider: all but those of a merge conflict in the text."""
    found: list[int] = []
    before_conflict = None
    for at, text in enumerate(body):
        if _CONFLICT_BEGINS.match(text):
            before_conflict = len(found)
        elif before_conflict is not None and _CONFLICT_ENDS.match(text):
            del found[before_conflict:]
            before_conflict = None
        elif divides(text):
            found.append(at)
    return found


def _without_hints(old: Lines) -> tuple[int | None, Lines]:
    """The line number at the head of SEARCH, and the lines below. A `-------` ends the head."""
    line = None
    size = 0
    while size < len(old) and (hint := _HINT.fullmatch(old[size])):
        line = int(hint[2]) if hint[1] == "start" else line
        size += 1
    if 0 < size < len(old) and _HINTS_END.fullmatch(old[size]):
        size += 1
    return line, old[size:]


def _unescaped(lines: Lines) -> Lines:
    return [_ESCAPE.sub("", text, count=1) if _ESCAPE.match(text) else text for text in lines]


def _without_numbers(old: Lines, new: Lines) -> tuple[int | None, Lines, Lines]:
    """Both parts without the line numbers of a listing, and the first number; as they are if any line has none."""
    numbered_old, numbered_new = [[_NUMBERED.fullmatch(text) for text in part] for part in (old, new)]
    found = [match for match in numbered_old + numbered_new if match]
    if not old or len(found) < len(old) + len(new):
        return None, old, new
    numbers = [int(match[1]) for match in found[: len(old)]]
    if numbers != list(range(numbers[0], numbers[0] + len(old))):
        return None, old, new
    texts = [match[2] for match in found]
    if _is_empty(texts[: len(old)]):
        return None, old, new
    return numbers[0], texts[: len(old)], texts[len(old) :]


def _pieces(old: Lines, new: Lines) -> list[tuple[Lines, Lines]]:
    """What stands between `...` lines, which are the same in both parts and stand for lines that stay.

    Empty without such lines, or where text would be added next to nothing but `...`: then they are text themselves.
    """
    gaps = [[text for text in part if text.strip() == "..."] for part in (old, new)]
    if not gaps[0] or gaps[0] != gaps[1] or old == new:
        return []
    pairs = list(zip(_split(old), _split(new), strict=True))
    if any(_is_empty(piece) and other != piece for piece, other in pairs):
        return []
    return [(piece, other) for piece, other in pairs if not _is_empty(piece)]


def _around(above: Lines, piece: Lines) -> tuple[str, ...]:
    """The blocks around a piece as the pieces above show them, outermost first, and the last line above it."""
    found: list[str] = []
    depth = indent_width(next(filter(str.strip, piece), ""))
    for line in filter(str.strip, reversed(above)):
        if not found or indent_width(line) < depth:
            found.insert(0, line)
            depth = min(depth, indent_width(line))
    return tuple(found)


def _split(lines: Lines) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for text in lines:
        if text.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(text)
    return pieces


def _text(part: Lines) -> str:
    return "" if _is_empty(part) else ended(part)


def _is_empty(part: Lines) -> bool:
    """Whether there is no text to find. One blank line is none."""
    return not "\n".join(part)
