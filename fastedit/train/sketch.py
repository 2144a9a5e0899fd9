"""Update sketches of a change, as people and models write them."""

from __future__ import annotations

import random
from itertools import pairwise

from fastedit.edit.update import Update, UpdateLine
from fastedit.train.change import Change

MARKER = UpdateLine("# ... existing code ...", True)


def sketch(rng: random.Random, change: Change) -> tuple[Update, list[int | None]]:
    """A sketch, and for each of its lines the answer line that it shows (None for markers and decoration)."""
    shown = _shown(rng, change)
    lines: list[UpdateLine] = []
    sources: list[int | None] = []

    def marker() -> None:
        if not lines or not lines[-1].marker:
            lines.append(MARKER)
            sources.append(None)

    hidden_head = rng.random() < 0.8
    for index, _ in enumerate(change.answer):
        if index in shown:
            lines.append(UpdateLine(change.answer[index].text))
            sources.append(index)
        elif lines or hidden_head:
            marker()
    if lines and lines[-1].marker and rng.random() < 0.2:
        lines.pop()
        sources.pop()
    elif rng.random() < 0.05:
        marker()
    _decorate(rng, lines, sources)
    return Update(tuple(lines)), sources


def _shown(rng: random.Random, change: Change) -> set[int]:
    """Indices of answer lines that the sketch spells out: what changed, with context."""
    answer, shown = change.answer, set[int]()
    before, after = rng.choices(range(5), (5, 40, 30, 15, 10), k=2)
    for index, out in enumerate(answer):
        if not out.kept:
            shown.update(range(max(0, index - before), min(len(answer), index + after + 1)))
    for left, right in _gaps(change):
        replaced = right - left - 1
        lost = _line_at(change, right) - _line_at(change, left) - 1
        modified = sum(out.line is not None for out in answer[left + 1 : right])
        if lost > modified:
            shown.update({max(0, left), min(len(answer) - 1, right)})
        elif replaced and not {left, right} & shown:
            shown.add(left if left >= 0 else right)
        if lost and not replaced:
            shown.update(range(max(0, left - before), min(len(answer), right + after)))
    if answer[0].kept and rng.random() < 0.35:
        shown.add(0)
    for index in range(1, len(answer) - 1):
        if index not in shown and {index - 1, index + 1} <= shown:
            shown.add(index)
    return shown


def _gaps(change: Change) -> list[tuple[int, int]]:
    """Neighbouring kept answer lines (-1 and the length stand for the edges) between which something changed."""
    marks = [-1, *(i for i, out in enumerate(change.answer) if out.kept), len(change.answer)]
    return [
        (left, right)
        for left, right in pairwise(marks)
        if right - left > 1 or _line_at(change, right) - _line_at(change, left) > 1
    ]


def _line_at(change: Change, index: int) -> int:
    if index < 0:
        return -1
    line = change.answer[index].line if index < len(change.answer) else len(change.lines)
    assert line is not None
    return line


def _decorate(rng: random.Random, lines: list[UpdateLine], sources: list[int | None]) -> None:
    """Blank lines beside markers, which mean nothing."""
    for index in range(len(lines) - 1, -1, -1):
        if lines[index].marker and rng.random() < 0.06:
            at = index + rng.randint(0, 1)
            lines.insert(at, UpdateLine(""))
            sources.insert(at, None)
