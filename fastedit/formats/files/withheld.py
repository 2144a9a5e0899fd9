"""Whether what is said next to code tells that it is no edit to be made, or not for sure. Above: it is old, wrong,
denied, one of several, for later, asked for, an example, a command or an output. Below: it is taken back. And
whether code that the file has is said to go, a file that there is not to be new, or one that there is to go.

Log-linear models of words, fitted on such lines (`fastedit.train.merge.withheld`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from json import loads
from pathlib import Path
from typing import Final

from fastedit.formats.base import IsFile
from fastedit.formats.diffs.search_replace_blocks import begins_or_ends_a_block
from fastedit.formats.markdown.paths import files_in_prose, is_path, path_alone
from fastedit.formats.report import quoted
from fastedit.source.fences import OPENING, fences

WEIGHTS: Final = Path(__file__).with_suffix(".json")
BIAS: Final = "any line"
FILE: Final = "FILE"  # a path
_UNKNOWN = -0.5  # for a word of no line of the fit, which speaks of what the code does
_HEAD = 3  # lines of an edit above its fence or block, at most
_MARKS = re.compile(r"[#*>_\s]+|[-+]\s+|\d+[.)]\s+")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?。！？])\s+")
_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[?？]")
_ENDS = (".", "!", "。", "！")  # of a statement


def withheld(lines: Sequence[str], edits: Sequence[range]) -> Iterator[tuple[int, str]]:
    """The edits of a message, by the line that each begins on, that may not be meant, and what says so. `edits` are the
    lines of all, in order."""
    for rows, line in _leads(lines, edits, "above"):
        said = f"{quoted(line)} above the edit may say that it is not to be made"
        way_out = "leave it out, or put nothing but the path of its file above it"
        yield rows.start, f"update line {rows.start + 1}: {said}; {way_out}"


def removals(lines: Sequence[str], edits: Sequence[range]) -> Iterator[tuple[int, str]]:
    """The same for edits which, if their file has all of them, may show what is to go. One whose lines lack all that
    is named to go may show what stays."""
    for rows, line in _leads(lines, edits, "removal"):
        names = [name.partition("(")[0] for name in _CODE.findall(line) if not is_path(name)]
        text = "\n".join(lines[rows.start : rows.stop])
        if not names or any(name in text for name in names):
            said = f"{quoted(line)} above the edit may say that its lines go, and the file has them"
            way_out = "delete them in a SEARCH/REPLACE block with an empty REPLACE"
            yield rows.start, f"update line {rows.start + 1}: {said}; {way_out}"


def additions(lines: Sequence[str], edits: Sequence[range]) -> Iterator[tuple[int, str]]:
    """The same for edits that add something and take nothing away."""
    for rows, line in _leads(lines, edits, "added"):
        said = f"{quoted(line)} above the edit says that it adds lines, and more would change"
        yield rows.start, f"update line {rows.start + 1}: {said}; show a line that stays next to them"


def withdrawn(lines: Sequence[str], edits: Sequence[range]) -> Iterator[tuple[range, str]]:
    """The edits, by their lines, that what is said below may take back, before the next edit or fence, and what."""
    for rows, row in _taken_back(lines, edits):
        said = f"{quoted(lines[row])} may take back the edit above it"
        yield rows, f"update line {row + 1}: {said}; leave out that edit, or these words"


def questioned(lines: Sequence[str], edits: Sequence[range]) -> Iterator[str]:
    """The lines that say such things of an edit, and the statements between edits, which may."""
    yield from (line for _, line in _leads(lines, edits, "above"))
    yield from (lines[row] for _, row in _taken_back(lines, edits))
    for above, below in pairwise(edits):
        between = (lines[row].strip() for row in range(above.stop, below.start))
        yield from (line for line in between if any(map(str.isalpha, line)) and not _introduces(line))


def gone(lines: Sequence[str], edits: Sequence[range], stays: IsFile) -> Iterator[str]:
    """Notes on what says beside all edits that a file goes, or gets another name, which `stays` tells of a file."""
    apart = [*edits, *(fence.lines for fence in fences(lines))]
    rows = set(range(len(lines))).difference(*apart)
    for row in sorted(rows):
        for sentence in sentences(lines[row]):
            file = next(filter(stays, files_in_prose(sentence)), None)
            if file is not None and says("gone", sentence) > 0:
                said = f"{quoted(sentence)} may say that {file} goes or gets another name"
                yield f"update line {row + 1}: {said}; no edit does so, and it stays"


def _taken_back(lines: Sequence[str], edits: Sequence[range]) -> Iterator[tuple[range, int]]:
    starts = sorted([*(fence.lines.start for fence in fences(lines)), *(rows.start for rows in edits)])
    for rows in edits:
        at = bisect_left(starts, rows.stop)
        for row in range(rows.stop, starts[at] if at < len(starts) else len(lines)):
            if any(says("below", sentence) > 0 for sentence in sentences(lines[row])):
                yield rows, row
                break


def _leads(lines: Sequence[str], edits: Sequence[range], side: str) -> Iterator[tuple[range, str]]:
    """The edits that a line above them says something of, with that line."""
    stops = sorted([*(fence.lines.stop for fence in fences(lines)), *(rows.stop for rows in edits)])
    at = floor = 0
    for rows in edits:
        while at < len(stops) and stops[at] <= rows.start:
            floor, at = stops[at], at + 1
        lead = _lead(lines, floor, rows)
        found = next((line for line in lead if says(side, line) > 0), None)
        if found is not None:
            yield rows, found


def _lead(lines: Sequence[str], floor: int, rows: range) -> Iterator[str]:
    """The lines that introduce an edit: the last one above its code and, where that is nothing but a path, the one
    above that."""
    begins = (at for at in rows[:_HEAD] if OPENING.fullmatch(lines[at]) or begins_or_ends_a_block(lines[at]))
    above = [line.strip() for line in lines[floor : next(begins, rows.start)] if line.strip()]
    is_path = bool(above) and path_alone(above[-1]) is not None
    for line in reversed(above[-2:] if is_path else above[-1:]):
        if _introduces(line) and path_alone(line) != line:
            yield line


def _introduces(line: str) -> bool:
    """Whether more belongs to a line: a heading, a name, or one that ends no statement, which stands for itself."""
    is_title = line.startswith(("#", "**")) or path_alone(line) is not None
    return is_title or not line.rstrip("*_").endswith(_ENDS)


def says(kind: str, line: str) -> float:
    """The logarithm of the odds that the last sentence of a line says what a model of this name is fitted to tell."""
    weights, found = _fitted()[kind], traits(sentences(line)[-1])
    unknown = sum(trait.startswith("word: ") and trait not in weights for trait in found)
    known = sum(weights.get(trait, 0.0) * value for trait, value in found.items())
    return weights[BIAS] + known + unknown * _UNKNOWN


@cache
def _fitted() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = loads(WEIGHTS.read_text("utf-8"))
    return found


def traits(sentence: str) -> dict[str, float]:
    """By name what a sentence has of each trait, where all paths are the same word."""
    from fastedit.sketch.read.abbreviated import traits_of  # most edits have a path alone above

    return traits_of(list(_words(sentence)))


def sentences(line: str) -> list[str]:
    begins = _MARKS.match(line.lstrip())
    text = line.strip()[begins.end() :] if begins else line
    return _SENTENCE_ENDS.split(text.replace("’", "'").strip())


def _words(sentence: str) -> Iterator[str]:
    from fastedit.sketch.read.wording import pairs_of_signs

    for at, part in enumerate(_CODE.split(sentence)):
        if at % 2:
            yield FILE if is_path(part) else "CODE"
            continue
        for word in part.split():
            bare = word.strip("*_()[]\"',:;!?")
            if bare == FILE or "://" in bare or is_path(bare):
                yield FILE
                word = word.replace(bare, " ")
            for each in _WORD.findall(word.lower()):
                yield from pairs_of_signs(each) or (each,)
