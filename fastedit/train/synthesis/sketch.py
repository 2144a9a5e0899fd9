"""Update sketches of a change, as people and models write them.

What stands for lines that stay is a marker. The embedded format shows its model that there is one and never how it is
spelled; other formats show the spelling, which is therefore drawn from those that people use.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from fastedit.sketch.align import lay
from fastedit.source.languages import named
from fastedit.source.outline import indentation
from fastedit.source.update import Update, UpdateLine
from fastedit.train.changes.change import Out, RegionChange
from fastedit.train.families.wording import phrases

SHIFTED, RESPACED, TOLD_GONE = 0.08, 0.08, 0.02  # shares of sketches
# How many unchanged lines are shown before and after what changed: sparse, usual, generous.
CONTEXTS = ((range(2), 30), (range(5), 50), (range(3, 14), 20))


TracedLine = tuple[UpdateLine, int | None]


@dataclass(frozen=True, slots=True)
class TracedSketch:
    """`sources` has for each line the answer line that it shows, None for markers and what means nothing."""

    update: Update
    sources: tuple[int | None, ...]

    @classmethod
    def of(cls, lines: Sequence[TracedLine]) -> TracedSketch:
        return cls(Update(tuple(line for line, _ in lines)), tuple(source for _, source in lines))


def sketch(rng: random.Random, change: RegionChange, language: str) -> TracedSketch:
    """A sketch from which the change follows."""
    drawn = _drawn(rng, change, language)
    for share, noisy in ((SHIFTED, _shifted), (RESPACED, _respaced)):
        if rng.random() < share:
            drawn = noisy(rng, change, drawn) or drawn
    return drawn


class ToldChange(NamedTuple):
    """A change as its sketch tells it. `sources` are those of the sketch, for this change's answer."""

    change: RegionChange
    sources: tuple[int | None, ...]
    targets: tuple[int | None, ...]


def told(change: RegionChange, drawn: TracedSketch) -> ToldChange | None:
    """The change in the light of how its sketch is aligned; None where nobody could tell it from the sketch.

    Of lines that are alike the alignment may take another than the change had in mind. Where the predicted merge
    comes to the same text, the lines are taken from where it has them.
    """
    laid = lay(change.lines, drawn.update)
    targets, merged = laid.targets, laid.text
    if merged.lines != change.text:
        return ToldChange(change, drawn.sources, targets) if _follows(change, drawn, targets) else None
    answer: list[Out] = []
    sources: list[int | None] = [None] * len(drawn.sources)
    at = 0
    for text, origin in zip(merged.lines, merged.origins, strict=True):
        if origin is None:
            new = range(at, len(sources))
            place = next((i for i in new if drawn.update.lines[i] == UpdateLine(text)), None)
            if place is not None:
                sources[place], at = len(answer), place + 1
                answer.append(Out(text, targets[place]))
                continue
        answer.append(Out(text, origin, origin is not None))
    return ToldChange(RegionChange(change.lines, tuple(answer)), tuple(sources), targets)


def _follows(change: RegionChange, drawn: TracedSketch, targets: Sequence[int | None]) -> bool:
    """Whether no line that stays has its place taken by another, and none goes that a marker or the ends stand for."""
    shown = {source for source in drawn.sources if source is not None}
    taken = {target for target in targets if target is not None}
    stays = {out.line for place, out in enumerate(change.answer) if out.kept and place not in shown}
    if not stays.isdisjoint(taken):
        return False
    covered, last, marked = set[int | None](), -1, True
    for line, target in zip(drawn.update.lines, targets, strict=True):
        marked = marked or line.marker
        if target is not None:
            covered.update(range(last + 1, target) if marked else ())
            last, marked = target, False
    covered.update(range(last + 1, len(change.lines)))
    return covered <= stays


def _drawn(rng: random.Random, change: RegionChange, language: str) -> TracedSketch:
    shown = _shown(rng, change)
    said = _comment(language, rng.choice(phrases("markers")))
    gone = _told_gone(rng, change, language) if rng.random() < TOLD_GONE else {}
    lines: list[TracedLine] = []
    hidden_head = rng.random() < 0.8
    for index, out in enumerate(change.answer):
        if index in gone and lines and not lines[-1][0].marker:
            lines.append((UpdateLine(gone[index]), None))
        if index in shown:
            lines.append((UpdateLine(out.text), index))
        elif (lines or hidden_head) and not (lines and lines[-1][0].marker):
            lines.append((UpdateLine(indentation(out.text) + said, True), None))
    if lines and lines[-1][0].marker and rng.random() < 0.2:
        lines.pop()
    elif lines and not lines[-1][0].marker and rng.random() < 0.05:
        lines.append((UpdateLine(said, True), None))
    _decorate(rng, lines)
    return TracedSketch.of(lines)


def _comment(language: str, text: str) -> str:
    before, after = named(language).comment or ("//", "")
    return f"{before} {text} {after}".rstrip()


def _told_gone(rng: random.Random, change: RegionChange, language: str) -> dict[int, str]:
    """By the answer line that now follows, comments in the place of lines that go without another in their place."""
    gone: dict[int, str] = {}
    for left, right in _gaps(change) if named(language).comment else []:
        first = _line_at(change, left) + 1
        if right - left == 1 and right < len(change.answer) and "\n" not in change.lines[first]:
            line = change.lines[first]
            text = rng.choice(phrases("gone")).format(line=line.strip())
            gone[right] = indentation(line) + _comment(language, text)
    return gone


def _shown(rng: random.Random, change: RegionChange) -> set[int]:
    """Indices of answer lines that the sketch spells out: what changed, with context."""
    answer, shown = change.answer, set[int]()
    touched = sum(not out.kept for out in answer)
    if rng.random() < (0.6 if touched > len(answer) / 2 else 0.04):
        return set(range(len(answer)))
    usual = rng.choices([counts for counts, _ in CONTEXTS], [share for _, share in CONTEXTS])[0]
    before, after = rng.choice(usual), rng.choice(usual)
    if not touched and tuple(out.line for out in answer) == tuple(range(len(change.lines))):
        start = rng.randrange(len(answer))
        return set(range(start, min(len(answer), start + before + after + 1)))
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


def _gaps(change: RegionChange) -> list[tuple[int, int]]:
    """Neighbouring kept answer lines (-1 and the length stand for the edges) between which something changed."""
    marks = [-1, *(i for i, out in enumerate(change.answer) if out.kept), len(change.answer)]
    return [
        (left, right)
        for left, right in pairwise(marks)
        if right - left > 1 or _line_at(change, right) - _line_at(change, left) > 1
    ]


def _line_at(change: RegionChange, index: int) -> int:
    if index < 0:
        return -1
    line = change.answer[index].line if index < len(change.answer) else len(change.lines)
    assert line is not None
    return line


def _decorate(rng: random.Random, lines: list[TracedLine]) -> None:
    """Blank lines beside markers, which mean nothing."""
    for index in range(len(lines) - 1, -1, -1):
        if lines[index][0].marker and rng.random() < 0.06:
            lines.insert(index + rng.randint(0, 1), (UpdateLine(""), None))


def _shifted(rng: random.Random, change: RegionChange, drawn: TracedSketch) -> TracedSketch | None:
    """All of it at another indentation, as the engine hands that on; None where nothing tells by how much."""
    code = [line.text for line in drawn.update.lines if line.text.strip()]
    least = min((len(indentation(text)) for text in code), default=0)
    more = rng.choice(("    ", "  ", "\t")) if not least or rng.random() < 0.2 else ""
    lines = tuple(
        line._replace(text=more + line.text[least:]) if line.text.strip() else line
        for line in drawn.update.lines
    )
    laid = lay(change.lines, Update(lines))
    known = [
        source is not None and target is not None and change.answer[source].line == target
        for source, target in zip(drawn.sources, laid.targets, strict=True)
    ]
    moved = tuple(line._replace(text=text) for line, text in zip(lines, laid.sketch.texts, strict=True))
    return TracedSketch(Update(moved), drawn.sources) if any(known) else None


def _respaced(rng: random.Random, change: RegionChange, drawn: TracedSketch) -> TracedSketch | None:
    """With blank lines left out or too many, where a careful reader still gets the same text."""
    kept = [
        (line, source)
        for line, source in zip(drawn.update.lines, drawn.sources, strict=True)
        if line.text.strip() or rng.random() < 0.4
    ]
    at = rng.randrange(len(kept) + 1)
    if rng.random() < 0.4:
        kept.insert(at, (UpdateLine(""), None))
    made = TracedSketch.of(kept)
    return made if lay(change.lines, made.update).text.lines == change.text else None
