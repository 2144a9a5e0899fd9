"""Sketches of a real edit in the styles that coding agents write them.

Each style says all that a careful reader needs: what goes is shown to be gone by the lines around it, and what is shown
around new code is found once in the file. A style gives None for an edit that cannot be told its way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from fastedit.source.markers import looks_like_marker
from fastedit.source.outline import indentation
from fastedit.train.merge.edit import Edit, Span
from fastedit.train.merge.words import Spelling

Rows = set[int]
Style = Callable[["Page"], list[str] | None]
_WIDEST = 90  # lines of a whole definition that an agent would still write out


class Page:
    """An edit about to be told: which lines of the new text are shown, and how the rest is marked."""

    def __init__(self, edit: Edit, rng: random.Random) -> None:
        self.edit, self.rng = edit, rng
        self.spelling = Spelling(edit.language, rng)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def context(self, span: Span, above: int, below: int) -> Rows | None:
        """The span with so many inked lines around it, and more until one of them is found once in the file."""
        new, edit = self.edit.new, self.edit
        first, last = edit.inked(span.start, -1, above), edit.inked(span.stop - 1, 1, below)
        for _ in range(10):
            if any(edit.telling(row) for row in (*range(first, span.start), *range(span.stop, last + 1))):
                return set(range(first, last + 1))
            first = edit.inked(first, -1, 1) if above or not below else first
            last = edit.inked(last, 1, 1) if below else last
            if first == 0 and last >= len(new) - 1:
                break
        return None

    def marked(self, shown: Rows, *, head: bool = True, tail: bool = True) -> list[str]:
        """The shown lines, with a marker for each run of hidden ones that says something."""
        new, found = self.edit.new, list[str]()
        row = 0
        while row < len(new):
            if row in shown:
                found.append(new[row])
                row += 1
                continue
            stop = next((at for at in range(row, len(new)) if at in shown), len(new))
            inked = [at for at in range(row, stop) if new[at].strip()]
            at_edge = (row == 0 and not head) or (stop == len(new) and not tail)
            if inked and not at_edge:
                found += self._gap(row, stop, indentation(new[inked[0]]))
            elif not inked:
                found += new[row:stop]
            row = stop
        return found

    def _gap(self, row: int, stop: int, indent: str) -> list[str]:
        """A marker with the blank lines that stand around what it hides."""
        new = self.edit.new
        above, below = not new[row].strip(), not new[stop - 1].strip()
        if row == 0 or stop == len(new):
            indent = "" if self.chance(0.8) else indent
        names = [self.edit.outline.heads[at] for at in range(row, stop) if at in self.edit.outline.heads]
        return [""] * above + [indent + self.spelling.marker(names)] + [""] * below

    def edges(self) -> dict[str, bool]:
        """Whether a marker stands at the head and at the tail."""
        both = self.chance(0.12)
        return {"head": not both and self.chance(0.85), "tail": not both and self.chance(0.85)}

    def diff_rows(self, spans: Sequence[Span]) -> Rows | None:
        """The spans with some context; what goes is shown from both sides."""
        shown: Rows = set()
        for span in spans:
            above, below = self.rng.choice(((1, 1), (2, 1), (1, 2), (2, 2), (3, 3), (2, 0), (1, 0), (0, 1)))
            if span.lost or span.start == span.stop:
                above, below = max(above, 1), max(below, 1)
            rows = self.context(span, above, below)
            if rows is None:
                return None
            shown |= rows
        # Nobody puts a marker for one line.
        new = self.edit.new
        for row in range(1, len(new) - 1):
            if row not in shown and {row - 1, row + 1} <= shown:
                shown.add(row)
        return shown

    def wholes(self) -> tuple[list[range], list[Span]]:
        """The definitions that hold the spans, and the spans that none holds."""
        found: list[range] = []
        rest: list[Span] = []
        outermost = self.chance(0.3)
        for span in self.edit.spans:
            rows = self.edit.definition(span, outermost)
            if rows is None or len(rows) > _WIDEST or not self.edit.known(rows):
                rest.append(span)
            elif rows not in found:
                found.append(rows)
        return [rows for rows in found if not any(_within(rows, other) for other in found)], rest

    def heads(self, shown: Rows) -> Rows:
        """The heads of the definitions around what is shown."""
        edit, found = self.edit, set[int]()
        for row in shown:
            for head in edit.outline.chains[row]:
                found |= set(edit.head_rows(head))
        return found


def diff(page: Page) -> list[str] | None:
    """Changed lines with context, markers between."""
    shown = page.diff_rows(page.edit.spans)
    return None if shown is None else page.marked(shown, **page.edges())


def nested_diff(page: Page) -> list[str] | None:
    """The same under the heads of the classes and functions around it."""
    shown = page.diff_rows(page.edit.spans)
    return None if shown is None else page.marked(shown | page.heads(shown), **page.edges())


def definitions(page: Page) -> list[str] | None:
    """Whole changed definitions and nothing else."""
    wholes, rest = page.wholes()
    if rest or not wholes or not all(page.edit.named_once(rows) for rows in wholes):
        return None
    found: list[str] = []
    for rows in wholes:
        found += [""] * (page.edit.gap_above(rows) if found else 0) + [page.edit.new[row] for row in rows]
    return found


def margin(page: Page) -> list[str] | None:
    """A whole method at the left margin."""
    wholes, rest = page.wholes()
    if rest or len(wholes) != 1 or not page.edit.named_once(wholes[0]):
        return None
    texts = [page.edit.new[row] for row in wholes[0]]
    at = indentation(texts[0])
    if not at or any(text.strip() and not text.startswith(at) for text in texts):
        return None
    return [text.removeprefix(at) for text in texts]


def marked_definitions(page: Page) -> list[str] | None:
    """Whole changed definitions between markers, and what changes outside of any with context."""
    wholes, rest = page.wholes()
    shown = page.diff_rows(rest)
    if not wholes or shown is None or not all(page.edit.named_once(rows) for rows in wholes):
        return None
    return page.marked(shown.union(*wholes), **page.edges())


def nested_definitions(page: Page) -> list[str] | None:
    """The same under the heads of their classes."""
    wholes, rest = page.wholes()
    shown = page.diff_rows(rest)
    if not wholes or shown is None:
        return None
    shown = shown.union(*wholes)
    return page.marked(shown | page.heads(shown), **page.edges())


def inline(page: Page) -> list[str] | None:
    """The bodies of neighbours as markers on the line of their head."""
    shown = page.diff_rows(page.edit.spans)
    if shown is None:
        return None
    shown |= page.heads(shown)
    hidden = [rows for rows in page.edit.siblings(shown) if shown.isdisjoint(rows)]
    lines = page.marked(shown | {row for rows in hidden for row in rows}, **page.edges())
    # Their lines were shown as they are, so that the bodies are found by their first line.
    for rows in hidden:
        body = [page.edit.new[row] for row in rows]
        at = next((n for n in range(len(lines)) if lines[n : n + len(body)] == body), None)
        if at is None:
            return None
        closing = page.edit.closing(rows)
        lines[at : at + len(body)] = [body[0] + page.spelling.inline() + (f" {closing}" if closing else "")]
    return lines if hidden else None


def wrap(page: Page) -> list[str] | None:
    """A marker in a new block for the lines that only move in."""
    moved = [page.edit.moved_in(span) for span in page.edit.spans]
    shown = page.diff_rows(page.edit.spans)
    if shown is None or not any(moved):
        return None
    for rows in moved:
        shown -= set(rows or ())
    return page.marked(shown, **page.edges())


def told_gone(page: Page) -> list[str] | None:
    """Comments in the place of what goes."""
    lost = [span for span in page.edit.spans if span.start == span.stop]
    shown = page.diff_rows(page.edit.spans)
    if shown is None or not lost:
        return None
    lines = page.marked(shown, **page.edges())
    for span in lost:
        above = page.edit.new[span.start - 1] if span.start else None
        below = page.edit.new[span.stop] if span.stop < len(page.edit.new) else None
        places = [n for n in range(1, len(lines)) if lines[n - 1] == above and (lines[n] == below)]
        if len(places) != 1:
            return None
        gone = page.edit.gone(span)
        lines[places[0] : places[0]] = [indentation(gone[0]) + page.spelling.note(gone)]
    return lines


def whole_file(page: Page) -> list[str] | None:
    """The new file."""
    return list(page.edit.new) if len(page.edit.new) <= 250 else None


STYLES: Final[dict[str, tuple[Style, float]]] = {
    "diff": (diff, 5.0),
    "nested diff": (nested_diff, 4.0),
    "definitions": (definitions, 5.0),
    "margin": (margin, 1.5),
    "marked definitions": (marked_definitions, 4.0),
    "nested definitions": (nested_definitions, 3.0),
    "inline": (inline, 1.0),
    "wrap": (wrap, 2.0),
    "told gone": (told_gone, 2.0),
    "whole file": (whole_file, 1.0),
}


def choose(rng: random.Random) -> str:
    """The name of a style, by its share."""
    return rng.choices(list(STYLES), [share for _, share in STYLES.values()])[0]


def told(style: str, edit: Edit, rng: random.Random) -> str | None:
    """A sketch of the edit in this style; None where it cannot tell it."""
    lines = STYLES[style][0](Page(edit, rng))
    if not lines or all(not line.strip() or looks_like_marker(line) for line in lines):
        return None
    return "\n".join(_noisy(lines, rng)) + "\n"


def _noisy(lines: list[str], rng: random.Random) -> list[str]:
    """With the differences in blanks that nobody means anything by."""
    if rng.random() < 0.15:
        lines = [line for line in lines if line.strip() or rng.random() < 0.3]
    elif rng.random() < 0.3:
        lines = _respaced(lines, rng)
    if rng.random() < 0.04 and all(len(indentation(line)) % 4 == 0 for line in lines if line.strip()):
        lines = [indentation(line).replace("    ", "\t") + line.lstrip() for line in lines]
    if rng.random() < 0.06:
        at = min((indentation(line) for line in lines if line.strip()), key=len)
        lines = [line.removeprefix(at) for line in lines]
    return lines


def _respaced(lines: Sequence[str], rng: random.Random) -> list[str]:
    """With other blank lines beside the markers."""
    marks = {n for n, line in enumerate(lines) if looks_like_marker(line)}
    found: list[str] = []
    add = rng.random() < 0.5
    for n, line in enumerate(lines):
        if not line.strip() and {n - 1, n + 1} & marks:
            continue
        found += [""] if add and n in marks and found and found[-1].strip() else []
        found.append(line)
        found += [""] if add and n in marks else []
    return found


def _within(rows: range, other: range) -> bool:
    return rows != other and other.start <= rows.start and rows.stop <= other.stop
