"""A stretch of a long file that reads the same alone as within the file: whole statements of the top level.

To parse a long file takes longer than all the rest of an edit. What surrounds a change is enough where it is certain
that the stretch begins at the top level: no string, comment or bracket that opens above it is still open there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from fastedit.source.definitions import Definition, definitions
from fastedit.source.hunks import Hunk
from fastedit.source.languages import Language, named
from fastedit.source.original import Original, original
from fastedit.source.outline import definition_name, head_of
from fastedit.source.syntax import ChangedSyntax, Syntax, has_grammar, parse

_LONG_FILE = 300
# In Python a string in three quotes goes on over lines, and one in a single quote does after a backslash. Brackets
# need not be counted: no definition stands at the margin within one.
_THREE_QUOTES = ('"""', "'''")
# The rest of a line, and of the further ones that its strings reach into, with all of them closed.
_PYTHON_LINE = re.compile(
    r"""(?: [^"'#\n]++ | \#[^\n]*+
      | "{3} (?:[^"\\]++ | \\. | "(?!""))*+ "{3} | '{3} (?:[^'\\]++ | \\. | '(?!''))*+ '{3}
      | "(?!"") (?:[^"\\\n]++ | \\.)*+ " | '(?!'') (?:[^'\\\n]++ | \\.)*+ ' )*+ (?=\n|\Z)""",
    re.VERBOSE | re.DOTALL,
)
# In the others, delimiters come in pairs, or open and close by turns.
_PAIRS = (("{", "}"), ("(", ")"), ("[", "]"), ("/*", "*/"))
# Comments, strings on one line, and what is escaped outside of them; strings in single quotes have several characters
# where there are raw strings in backticks, and else they are lifetimes too. A comment that nothing ends stays open.
_COMMENTS = r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|(?P<open>/\*).*+"
_STRINGS = r'\\.|"(?:[^"\\\n]|\\.)*+"'
_QUOTED = re.compile(rf"{_COMMENTS}|{_STRINGS}|'(?:\\.[^'\n]*+|[^'\\\n])'", re.DOTALL)
_QUOTED_OR_RAW = re.compile(rf"{_COMMENTS}|{_STRINGS}|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`", re.DOTALL)


class Stretch(NamedTuple):
    """The file's lines `start` up to but not including `stop`. Rows of the `syntax` count from `start`."""

    start: int
    stop: int
    syntax: Syntax

    def changed(self, hunks: Iterable[Hunk]) -> ChangedSyntax:
        """What those of the file's hunks make of it that stand in it."""
        inside = [
            Hunk(hunk.start - self.start, hunk.stop - self.start, hunk.lines)
            for hunk in hunks
            if self.start <= hunk.start and hunk.stop <= self.stop
        ]
        return self.syntax.changed(inside)

    def enclosing(self, start: int, stop: int) -> Definition | None:
        """The smallest definition around these lines of the file."""
        found = [
            item
            for item in definitions(self.syntax)
            if item.start + self.start <= start and stop <= item.stop + self.start
        ]
        return min(found, key=len).moved(self.start) if found else None


def stretch(lines: tuple[str, ...], start: int, stop: int, language: str) -> Stretch | None:
    """The one stretch around lines [start, stop); None where there is none."""
    return next(iter(stretches(lines, [(start, stop)], language)), None)


def stretches(lines: tuple[str, ...], spans: Iterable[tuple[int, int]], language: str) -> tuple[Stretch, ...]:
    """Disjoint rising stretches around all rising spans of lines [start, stop), a definition to spare on either side.

    None at all where the file is not long, or one of them is not certain to be a stretch, or has an error.
    """
    if len(lines) <= _LONG_FILE or not has_grammar(language) or not named(language).parted:
        return ()
    bounds: list[tuple[int, int]] = []
    covered = same = 0  # lines within the bounds; up to where those of a further span are the last one's
    for start, stop in spans:
        if bounds and stop <= same:
            continue
        same = _below(lines, stop, 1)
        first, last = _above(lines, start), _below(lines, stop, 2)
        if bounds and first <= bounds[-1][1]:
            first, end = bounds.pop()
            covered -= end - first
        bounds.append((first, last))
        covered += last - first
        if 2 * covered > len(lines):
            return ()
    return _stretches(original(lines), tuple(bounds), language)


@lru_cache(maxsize=4)
def _stretches(file: Original, bounds: tuple[tuple[int, int], ...], language: str) -> tuple[Stretch, ...]:
    lines, found = file.lines, list[Stretch]()
    top_level = 0
    for first, last in bounds:
        between = at_top_level("\n".join(lines[top_level:first]), language)
        if not between and not _begins_a_statement(lines, first, language):
            return ()
        syntax = Syntax(lines[first:last], language)
        if syntax.has_error:
            return ()
        found.append(Stretch(first, last, syntax))
        top_level = first
    return tuple(found)


def _begins_a_statement(lines: tuple[str, ...], row: int, language: str) -> bool:
    """Whether the parser, to whom no line of the file is an error, sees no statement go on here."""
    syntax = parse(lines, language)
    if syntax is None or syntax.has_error:
        return False
    node = syntax.root.descendant_for_point_range((row, 0), (row, 0))
    while node is not None and node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node is not None and (node.parent is None or node.start_point.row >= row)


def _above(lines: Sequence[str], line: int) -> int:
    """Where the definition at the margin begins that stands before the one around or above `line`."""
    seen = 0
    for index in range(min(line, len(lines) - 1), -1, -1):
        seen += _defines(lines[index])
        if seen == 2:
            return head_of(lines, index)
    return 0


def _below(lines: Sequence[str], line: int, count: int) -> int:
    """Where the definition at the margin begins that is the first or second at or after `line`."""
    seen = 0
    for index in range(line, len(lines)):
        seen += _defines(lines[index])
        if seen == count:
            return head_of(lines, index)
    return len(lines)


def _defines(line: str) -> bool:
    return bool(line[:1].strip()) and definition_name(line) is not None


def at_top_level(text: str, language: str) -> bool:
    """Whether nothing that opens in `text` is open at its end."""
    known = named(language)
    if known.triple_quotes:
        return _python_at_top_level(text)
    quoted = _QUOTED_OR_RAW if "`" in known.raw_quotes else _QUOTED
    return _in_pairs(text, known) or _in_pairs(quoted.sub(r"\g<open>", text), known)


def _in_pairs(text: str, language: Language) -> bool:
    return not any(text.count(mark) % 2 for mark in language.raw_quotes) and all(
        text.count(left) == text.count(right) for left, right in _PAIRS
    )


def _python_at_top_level(text: str) -> bool:
    """Reads the lines that have three quotes, and no others: most of a file has none."""
    at = 0
    ahead = {quotes: text.find(quotes) for quotes in _THREE_QUOTES}
    while found := {place: quotes for quotes, place in ahead.items() if place >= 0}:
        opened = min(found)
        line = max(text.rfind("\n", at, opened) + 1, at)
        closed = text.find(found[opened], opened + 3)
        if text[line:opened].strip() or text.endswith("\\\n", at, line) or text[closed - 1] == "\\":
            # Only at a glance: a string or comment may have begun before, or not end here.
            while text.endswith("\\\n", at, line):
                line = max(text.rfind("\n", at, line - 1) + 1, at)
            whole = _PYTHON_LINE.match(text, line)
            if whole is None:
                return False
            at = whole.end()
        elif closed < 0:
            return False
        else:
            at = closed + 3
        ahead = {
            quotes: text.find(quotes, at) if 0 <= place < at else place for quotes, place in ahead.items()
        }
    return not text.endswith("\\")
