"""New lines indented as their file is: by tabs for blanks, or by blanks for tabs, where they fit at one depth only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fastedit.formats.views import Text
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.language import language_in
from fastedit.source.outline import indentation, is_closer
from fastedit.source.syntax import Syntax, parse

_WIDTHS = (2, 3, 4, 8)  # blanks that may stand for a tab
_OPENERS = ("{", "(", "[", ":")


def in_style(document: Document, text: Text, hunks: tuple[Hunk, ...]) -> tuple[Hunk, ...]:
    """The hunks with their new lines in the indentation of a file that is indented by tabs alone, or by blanks alone.

    `text` is the document's. Lines stay as they are within strings and comments, in languages without a grammar, and
    where several depths fit.
    """
    by_tabs = text.by_tabs
    if by_tabs is None or not any(_is_foreign(line, by_tabs) for hunk in hunks for line in hunk.lines):
        return hunks
    language = language_in(document)
    before, after = (parse(tuple(lines), language) for lines in (document.lines, _made(document, hunks)))
    if before is None or after is None or any(_foreign(before, by_tabs)):
        return hunks
    if not any(
        _foreign(before, not by_tabs)
    ):  # only strings and comments are indented so, which says nothing of code
        return hunks
    new = _NewLines(after, by_tabs)
    units = [unit for unit in _WIDTHS if new.fit(unit)] if by_tabs else [text.step]
    if len(units) != 1:
        return hunks
    styled = tuple(new.styled(hunks, units[0]))
    found = parse(tuple(_made(document, styled)), language)
    return styled if found and found.damage <= before.damage else hunks


def _made(document: Document, hunks: Sequence[Hunk]) -> list[str]:
    return changed_lines(document.lines, hunks)


def _is_foreign(line: str, by_tabs: bool) -> bool:
    """Whether a line is indented by the other kind of blank."""
    return bool(line.strip()) and set(indentation(line)) == {" " if by_tabs else "\t"}


def _foreign(syntax: Syntax, by_tabs: bool) -> Iterator[int]:
    """Such lines that do not begin within a string or a comment."""
    for row, line in enumerate(syntax.lines):
        if _is_foreign(line, by_tabs):
            node = syntax.root.descendant_for_point_range((row, 0), (row, 0))
            while node is not None and node.start_point.row == row:
                node = node.parent
            if node is None or not (node.child_count == 0 or "string" in node.type or "comment" in node.type):
                yield row


class _NewLines:
    """The lines of a text that are indented otherwise than its file."""

    def __init__(self, syntax: Syntax, by_tabs: bool) -> None:
        self._lines, self._by_tabs = syntax.lines, by_tabs
        self._rows = set(_foreign(syntax, by_tabs))

    def fit(self, unit: int) -> bool:
        """Whether they fit with so many blanks for a tab: a line is deeper than the one above only where that opens a
        block, and a closer is one level shallower."""
        if any(len(indentation(self._lines[row])) % unit for row in self._rows):
            return False
        inked = [row for row, line in enumerate(self._lines) if line.strip()]
        return all(
            self._follows(above, row, unit)
            for above, row in pairwise(inked)
            if not self._rows.isdisjoint((above, row))
        )

    def _follows(self, above: int, row: int, unit: int) -> bool:
        deeper = self._depth(row, unit) - self._depth(above, unit)
        opens = self._lines[above].rstrip().endswith(_OPENERS)
        return deeper == opens - 1 if is_closer(self._lines[row]) else deeper <= opens

    def _depth(self, row: int, unit: int) -> int:
        """In tabs. Blanks that align a line with another one do not count."""
        blanks = indentation(self._lines[row])
        return len(blanks) // unit if row in self._rows else blanks.count("\t")

    def styled(self, hunks: Sequence[Hunk], unit: int) -> Iterator[Hunk]:
        """The hunks that make the text, their lines in the style of the file."""
        shift = 0
        for hunk in hunks:
            rows = range(hunk.start + shift, hunk.start + shift + len(hunk.lines))
            yield Hunk(hunk.start, hunk.stop, tuple(self._as_in_file(row, unit) for row in rows))
            shift += len(hunk.lines) - (hunk.stop - hunk.start)

    def _as_in_file(self, row: int, unit: int) -> str:
        line = self._lines[row]
        blanks = indentation(line) if row in self._rows else ""
        depth = "\t" * (len(blanks) // unit) if self._by_tabs else " " * (len(blanks) * unit)
        return depth + line[len(blanks) :]
