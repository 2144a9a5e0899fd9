"""Comments of a sketch that say what is gone, such as `# removed: old_function`, read as deletions.

Read so only where one thing in the original can be meant. Any other such comment stays a line of the sketch, and
whoever merges it has to tell that it leaves a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, takewhile

from fastedit.edit.align import align
from fastedit.edit.definitions import definitions
from fastedit.edit.imports import imports
from fastedit.edit.markers import said_in_comment
from fastedit.edit.original import original
from fastedit.edit.outline import block_end, definition_at, indent_width, is_closer
from fastedit.edit.request import LineRange
from fastedit.edit.scoring import target_name
from fastedit.edit.syntax import parse
from fastedit.edit.update import Update, UpdateLine

_GONE = r"(?:removed|deleted|dropped)"
_TOLD = re.compile(
    rf"(?:{_GONE}\b|(?:remove|delete|drop)(?=\s*:))\s*(?P<colon>:)?\s*(?P<what>.*)", re.IGNORECASE
)
_TOLD_BEHIND = re.compile(
    rf"(?P<what>\S.*?)\s+(?:(?:is|was|are|were|has\s+been|have\s+been)\s+)?(?:now\s+)?{_GONE}", re.IGNORECASE
)
_KIND = (
    r"(?:function|method|class|struct|enum|interface|trait|type|module|import|include|variable|constant|field|property"
    r"|helper|key|entry|option|setting|section|line|statement|definition|test)s?"
)
_THING = re.compile(
    rf"(?:(?:the|old|unused|obsolete|redundant|dead|now|no|longer|needed)\s+)*(?:{_KIND}\s+)?"
    rf"(?P<quote>[`'\"]?)(?P<name>[\w$@~][\w$.:#/-]*?)(?:\(\))?(?P=quote)(?:\s+{_KIND})?",
    re.IGNORECASE,
)
_REASON = re.compile(r"\s+(?:\(.*\)|[-–—]\s.*)$")
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+&\s+")
_OPENS = re.compile(r"[{(\[:\\]$")


def removal_note(line: str) -> str | None:
    """What a comment says is gone, "" where it does not say what; None for a line that says nothing of the kind."""
    said = said_in_comment(line)
    if said is None:
        return None
    if told := _TOLD.fullmatch(said):
        what: str = told["what"].strip()
        return what if told["colon"] or not what or _names(what) else None
    behind = _TOLD_BEHIND.fullmatch(said.rstrip(".!"))
    return behind["what"] if behind and _names(behind["what"]) else None


def read_removals(lines: Sequence[str], update: Update, language: str) -> Update:
    """`update` without the comments that say what is gone of `lines`, and with the lines that they mean as `gone`."""
    notes = {
        index: said
        for index, line in enumerate(update.lines)
        if (said := removal_note(line.text)) is not None
        and not original(tuple(lines)).count(line.text.strip())
    }
    if not notes:
        return update
    reader = _Reader(lines, update, notes, language)
    kept, gone = list[UpdateLine | None](update.lines), set[LineRange]()
    for index, said in notes.items():
        ranges = reader.ranges(index, said)
        kept[index] = UpdateLine(update.lines[index].text)
        if ranges:
            gone.update(ranges)
            # A model that reads text is told by it; where no marker stands beside it, it would be taken for one.
            kept[index] = UpdateLine(update.lines[index].text, True) if reader.beside_marker(index) else None
            if kept[index] is None:
                _close(kept, index)
    ordered = sorted(gone, key=lambda lost: (lost.start, lost.stop))
    return Update(tuple(line for line in kept if line is not None), tuple(ordered))


def _close(kept: list[UpdateLine | None], index: int) -> None:
    """Of the blank lines above and below a comment that was taken out, leave the longer run."""

    def blanks(step: int) -> list[int]:
        places = takewhile(lambda at: 0 <= at < len(kept), count(index + step, step))
        return list(takewhile(lambda at: kept[at] is not None and not kept[at].text.strip(), places))  # type: ignore[union-attr]

    for at in min(blanks(-1), blanks(1), key=len):
        kept[at] = None


def _names(what: str) -> list[str]:
    """The names in words such as "the old method `load`" or "load and save"; none where there is more to it."""
    found = [_THING.fullmatch(_REASON.sub("", piece)) for piece in _BETWEEN.split(what)]
    return [thing["name"] for thing in found if thing] if all(found) else []


class _Reader:
    """Finds in the original what a note of the sketch may mean."""

    def __init__(self, lines: Sequence[str], update: Update, notes: dict[int, str], language: str) -> None:
        self._lines, self._language = lines, language
        self._syntax = parse(tuple(lines), language)
        self._sketch = [
            UpdateLine(line.text, line.marker or index in notes) for index, line in enumerate(update.lines)
        ]
        self._notes = notes
        self._targets = align(lines, Update(tuple(self._sketch))).targets
        self._shown = {place for place in self._targets if place is not None}
        texts = update.texts
        self._defined = {definition_at(texts, i) for i, line in enumerate(self._sketch) if not line.marker}

    def beside_marker(self, index: int) -> bool:
        """Whether a marker stands next to the note, or there is no code at all."""
        if all(line.marker or not line.text.strip() for line in self._sketch):
            return True
        around = (self._neighbour(index, step) for step in (-1, 1))
        return any(at is not None and self._sketch[at].marker for at in around)

    def ranges(self, index: int, said: str) -> list[LineRange]:
        """The lines that are gone by note `index`; none where that is not certain."""
        above, below = self._neighbour(index, -1), self._neighbour(index, 1)
        low = next((t + 1 for t in reversed(self._targets[:index]) if t is not None), 0)
        high = next((t for t in self._targets[index:] if t is not None), len(self._lines))
        lost = [line for line in range(low, high) if self._lines[line].strip()]
        shown = [at is not None and self._targets[at] is not None for at in (above, below)]
        found = self._found(said, low, high, indent_width(self._sketch[index].text))
        if all(shown):
            covered = {line for item in found for line in range(item.start, item.stop)}
            if not lost or (said and not covered.issuperset(lost)):
                return []
            return [LineRange(lost[0], lost[-1] + 1)]
        return [self._with_blanks(item, low, high) for item in found]

    def _neighbour(self, index: int, step: int) -> int | None:
        """The next line of the sketch that is neither blank nor a note."""
        at = index + step
        while 0 <= at < len(self._sketch) and (at in self._notes or not self._sketch[at].text.strip()):
            at += step
        return at if 0 <= at < len(self._sketch) else None

    def _found(self, said: str, low: int, high: int, width: int) -> list[LineRange]:
        """Where all that a note speaks of stands, if each has one place."""
        if (whole := self._line(said, low, high)) is not None:
            return [whole]
        found = [self._named(name, low, high, width) for name in _names(said)]
        certain = [item for item in found if item is not None]
        return certain if len(certain) == len(found) else []

    def _line(self, said: str, low: int, high: int) -> LineRange | None:
        """The one line that is spelled so, with the rest of what it begins to define."""
        text = _bare(said)
        places = [line for line in range(low, high) if _bare(self._lines[line]) == text]
        if len(places) != 1 or not any(map(str.isalnum, text)):
            return None
        defined = next((item for item in self._definitions() if item[1] == places[0]), None)
        if defined is not None:
            return self._free(defined[2], low, high)
        return self._free(self._statement(places[0]), low, high)

    def _named(self, name: str, low: int, high: int, width: int) -> LineRange | None:
        """The one definition, import or assignment of this name."""
        wanted = tuple(part for part in re.split(r"::|[.#]", name) if part)
        if not wanted or wanted[-1] in self._defined:
            return None
        found = [
            lines
            for path, header, lines in self._definitions()
            if path[-len(wanted) :] == wanted
            and low <= header < high
            and (len(wanted) > 1 or indent_width(self._lines[header]) == width)
        ]
        if not found:
            found = [*self._imported(name, low, high), *self._assigned(name, low, high, width)]
        return self._free(found[0], low, high) if len(found) == 1 else None

    def _definitions(self) -> Iterator[tuple[tuple[str, ...], int, LineRange]]:
        """Path, header and lines of every definition."""
        if self._syntax is not None:
            for item in definitions(self._syntax):
                if item.kind != "impl":
                    yield item.path, item.header, LineRange(item.start, item.stop)
            return
        for index in range(len(self._lines)):
            if (name := definition_at(self._lines, index)) is not None:
                yield (name,), index, LineRange(index, block_end(self._lines, index))

    def _imported(self, name: str, low: int, high: int) -> Iterator[LineRange]:
        for item in imports(self._syntax) if self._syntax is not None else ():
            if item.names == {name} and low <= item.start < high:
                yield LineRange(item.start, item.stop)

    def _assigned(self, name: str, low: int, high: int, width: int) -> Iterator[LineRange]:
        for index in range(low, high):
            line = self._lines[index]
            if indent_width(line) == width and (target_name(line) or "").strip("\"'") == name:
                yield self._statement(index) or LineRange(index, len(self._lines))

    def _statement(self, line: int) -> LineRange | None:
        """A line that is a statement of its own, or a key with the block below it; None where it is part of more."""
        stop = block_end(self._lines, line)
        whole = stop == line + 1 and not _OPENS.search(self._lines[line].rstrip())
        if whole or (self._syntax is None and target_name(self._lines[line]) is not None):
            return LineRange(line, stop)
        return None

    def _free(self, lines: LineRange | None, low: int, high: int) -> LineRange | None:
        """These lines, unless the sketch shows some of them, or a closing bracket would be left with a comma."""
        if lines is None or not low <= lines.start < lines.stop <= high:
            return None
        if not self._shown.isdisjoint(range(lines.start, lines.stop)):
            return None
        above = next((line for line in reversed(self._lines[: lines.start]) if line.strip()), "")
        below = next((line for line in self._lines[lines.stop :] if line.strip()), "")
        dangling = above.rstrip().endswith(",") and not self._lines[lines.stop - 1].rstrip().endswith(",")
        return None if dangling and is_closer(below) else lines

    def _with_blanks(self, lines: LineRange, low: int, high: int) -> LineRange:
        """With the blank lines on one side: those that stay are what belongs between its neighbours."""
        width = indent_width(self._lines[lines.start])
        top, end = lines.start, lines.stop
        while top > low and not self._lines[top - 1].strip():
            top -= 1
        while end < high and not self._lines[end].strip():
            end += 1
        first = top == 0 or indent_width(self._lines[top - 1]) < width
        last = end == len(self._lines) or indent_width(self._lines[end]) < width
        if last or (not first and lines.start - top < end - lines.stop):
            return LineRange(top, lines.stop)
        return LineRange(lines.start, end)


def _bare(line: str) -> str:
    """A line of code without what may be left off when it is quoted."""
    return line.strip().strip("`").rstrip(",; ")
