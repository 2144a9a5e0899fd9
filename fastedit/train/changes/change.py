"""A synthetic change of one region: the original lines, and each line of the answer with where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from fastedit.source.hunks import Hunk, changed

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NUMBER = re.compile(r"\b\d+\b")
STRING = re.compile(r"\"[^\"\\]{1,20}\"|'[^'\\]{1,20}'")
_ALIKE = 0.6  # of two lines of which one may be a version of the other
KEYWORDS = frozenset(
    """False None True false nil null nullptr true undefined and as assert async await break class continue def
    del elif else except finally for from global if import in is lambda nonlocal not or pass raise return
    try while with yield self cls int str float const let var function new this void static public private
    struct enum impl fn type interface""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Out:
    """One answer line. `line` is the original line that it keeps or, with `kept` false, that it is a version of."""

    text: str
    line: int | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class RegionChange:
    lines: tuple[str, ...]
    answer: tuple[Out, ...]

    @property
    def text(self) -> tuple[str, ...]:
        return tuple(out.text for out in self.answer)


def kept(lines: tuple[str, ...], start: int = 0, stop: int | None = None) -> list[Out]:
    return [Out(lines[i], i, True) for i in range(start, len(lines) if stop is None else stop)]


def spliced(line: str, found: re.Match[str], new: str) -> str:
    """The line with `new` in place of what was found in it."""
    return line[: found.start()] + new + line[found.end() :]


def revision(lines: tuple[str, ...], hunks: Sequence[Hunk]) -> RegionChange:
    """The change that the hunks make, each new line a version of the old one that it is like."""

    def versions(hunk: Hunk) -> Iterator[Out]:
        sources = _sources(lines[hunk.start : hunk.stop], hunk.lines)
        for text, source in zip(hunk.lines, sources, strict=True):
            line = None if source is None else hunk.start + source
            yield Out(text, line, line is not None and lines[line] == text)

    return RegionChange(lines, tuple(changed(kept(lines), hunks, versions)))


def _sources(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """For each new line the old one that it stands for, in order."""
    if len(old) == len(new):
        return list(range(len(old)))
    found: list[int | None] = []
    following = 0
    for text in new:
        like = (
            i
            for i in range(following, len(old))
            if SequenceMatcher(None, old[i].strip(), text.strip(), autojunk=False).ratio() > _ALIKE
        )
        source = next(like, None) if text.strip() else None
        following = following if source is None else source + 1
        found.append(source)
    return found


def combined(first: RegionChange, second: RegionChange) -> RegionChange | None:
    """Both changes of the same lines at once; None where they touch the same line or neighbouring ones."""
    before, after = _Places(first), _Places(second)
    if before.touched & after.touched:
        return None
    count = len(first.lines)
    answer: list[Out] = []
    for index in range(count + 1):
        answer += before.inserted.get(index, []) + after.inserted.get(index, [])
        if index < count:
            fate = (before if index in before.touched else after).fates.get(index)
            answer += [] if fate is None else [fate]
    return RegionChange(first.lines, tuple(answer))


class _Places:
    """A change by place: what becomes of each line, and what is inserted in front of it."""

    def __init__(self, change: RegionChange) -> None:
        self.fates = {out.line: out for out in change.answer if out.line is not None}
        self.inserted: dict[int, list[Out]] = {}
        gap = 0
        for out in change.answer:
            if out.line is None:
                self.inserted.setdefault(gap, []).append(out)
            else:
                gap = out.line + 1
        lines = range(len(change.lines))
        self.touched = {line for line in lines if line not in self.fates or not self.fates[line].kept}
        self.touched |= {line for gap in self.inserted for line in (gap - 1, gap) if line in lines}
