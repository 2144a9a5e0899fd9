"""Regions for an instruction: where the file has what its sentence names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from fastedit.english.said import Mention, Said
from fastedit.errors import NARROWER, AnchorNotFound
from fastedit.locate.filemap import FileMap
from fastedit.locate.naming import SIMPLE, Naming
from fastedit.locate.region import Region
from fastedit.locate.windows import COMFORT, windows
from fastedit.request import LineRange
from fastedit.source.definitions import Definition
from fastedit.source.imports import IMPORT_LINE

_WAY_OUT = "name a definition, quote a line that it is about, or say which lines it is about"
_MOST_GUESSES = 3
_SHOWN, _ENTRY = 8, 30  # lines of a body after its signature, of imports or of a long signature

Core = tuple[LineRange, str | None]
_LONGEST = 120  # lines of a region where nothing tells a place


class InstructionLocator:
    """Finds the regions of one instruction within `scope`."""

    def __init__(self, files: FileMap, said: Said, scope: LineRange) -> None:
        self._files, self._said, self._scope = files, said, scope
        self._naming = Naming(files, said, scope)

    def regions(self) -> tuple[Region, ...]:
        """Sorted and disjoint, at least one. Raises AnchorNotFound."""
        ways: tuple[Callable[[], list[Core]], ...] = (
            self._numbered,
            self._imported,
            self._in_definitions,
            self._told_in_scope,
            self._quoted_code,
            self._names,
            self._in_scope,
        )
        for way in ways:
            if cores := way():
                return self._regions(cores)
        if len(self._scope) <= _LONGEST:
            reason = "whole file" if len(self._scope) == len(self._files.lines) else "as requested"
            return (Region(self._scope.start, self._scope.stop, reason, True),)
        where = "it"
        if len(self._scope) < len(self._files.lines):
            where = f"lines {self._scope.start + 1}:{self._scope.stop}"
        raise AnchorNotFound(
            f"{self._files.name}: nothing that the instruction names was found in {where}; {_WAY_OUT}",
            ways_out=NARROWER,
        )

    def _regions(self, cores: Sequence[Core]) -> tuple[Region, ...]:
        found = windows(self._files, [self._clipped(lines) for lines, _ in cores], self._scope)
        return tuple(self._doubted(region, cores) for region in found)

    def _doubted(self, region: Region, cores: Sequence[Core]) -> Region:
        """The region, with why it is a guess where one of its own cores is."""
        inside = (
            why for lines, why in cores if why and lines.start < region.stop and region.start < lines.stop
        )
        why = next(inside, None)
        return region if why is None else replace(region, reason=f"{region.reason}: {why}", certain=False)

    def _clipped(self, lines: LineRange) -> LineRange:
        start = min(max(lines.start, self._scope.start), max(self._scope.stop - 1, self._scope.start))
        return LineRange(start, max(min(lines.stop, self._scope.stop), min(start + 1, self._scope.stop)))

    def _numbered(self) -> list[Core]:
        lines = self._said.lines
        if lines is None:
            return []
        if not self._scope.holds(lines.start, lines.stop):
            raise AnchorNotFound(
                f"{self._files.name}: the instruction speaks of line {lines.stop}, which is not among lines "
                f"{self._scope.start + 1}:{self._scope.stop}; correct the number"
            )
        return [(lines, None)]

    def _imported(self) -> list[Core]:
        """The file's imports, where nothing but imports is handed over that it has not."""
        given = self._said.given
        if not given or any(not IMPORT_LINE.match(text) or self._spans(text) for text in given):
            return []
        block = self._files.import_block
        return [(LineRange(max(block.start, block.stop - _ENTRY), block.stop), None)]

    def _in_definitions(self) -> list[Core]:
        if self._quoted_lines() and not any(self._naming.named(m) for m in self._said.mentions if m.place):
            return []
        return [core for definition in self._naming.meant() for core in self._within(definition)]

    def _told_in_scope(self) -> list[Core]:
        return [core for core in self._in_scope() if core[1] is None]

    def _in_scope(self) -> list[Core]:
        """The definition that is all that may change, or the part of it that is meant."""
        around = self._files.enclosing(self._scope.start, self._scope.stop)
        return [] if around is None or len(around) != len(self._scope) else self._within(around)

    def _within(self, definition: Definition) -> list[Core]:
        """The definition, or where it is long the part of it that the sentence speaks of."""
        whole = LineRange(definition.start, definition.stop)
        if len(whole) <= COMFORT:
            return [(whole, None)]
        quoted = [
            span
            for text in self._said.given
            if not SIMPLE.fullmatch(text)
            for span in self._files.spans_of(text)
            if whole.holds(span.start, span.stop)
        ]
        names = [m.text for m in self._said.mentions if m.sure and m.text not in definition.path]
        lines = [n for name in names for n in self._files.lines_with(name) if whole.start <= n < whole.stop]
        head = self._head(definition)
        if quoted:
            return [(span, None) for span in quoted]
        if lines and max(lines) - min(lines) < COMFORT:
            return [(LineRange(min(lines), max(lines) + 1), None)]
        return [(head, f"{definition.dotted} has {len(whole)} lines, and nothing says which of them")]

    def _head(self, definition: Definition) -> LineRange:
        """The first lines of a long definition; of a long signature its end."""
        stop = min(definition.body + _SHOWN, definition.stop)
        if stop - definition.start <= COMFORT:
            return LineRange(definition.start, stop)
        return LineRange(max(definition.start, definition.body - _ENTRY), stop)

    def _spans(self, code: str) -> list[LineRange]:
        return [span for span in self._files.spans_of(code) if self._scope.holds(span.start, span.stop)]

    def _quoted_lines(self) -> list[LineRange]:
        blocks = [span for block in self._said.blocks for span in self._spans(block)]
        return [span for m in self._said.mentions if m.quoted for span in self._code_lines(m)] + blocks

    def _code_lines(self, mention: Mention) -> list[LineRange]:
        """Where quoted code stands that is more than a name."""
        if mention.literal is not None and (spans := self._spans(mention.literal)):
            return spans
        return [] if SIMPLE.fullmatch(mention.text.strip()) else self._spans(mention.text)

    def _quoted_code(self) -> list[Core]:
        return self._few(self._quoted_lines())

    def _names(self) -> list[Core]:
        """Where a name stands that is no definition's, its assignment first."""
        mentions = self._said.mentions
        tiers: Iterable[list[Mention]] = (
            [m for m in mentions if m.place and m.sure],
            [m for m in mentions if m.sure],
            [m for m in mentions if self._files.syntax is None or self._files.lines_with(m.text)],
        )
        for tier in tiers:
            found = [lines for mention in tier for lines in self._uses(mention)]
            if found:
                return self._few(found)
        return []

    def _uses(self, mention: Mention) -> list[LineRange]:
        assigned = self._files.assignments(mention.text)
        if len(assigned) == 1 and self._scope.holds(assigned[0].start, assigned[0].stop):
            return [assigned[0]]
        lines = [n for n in self._files.lines_with(mention.text) if self._scope.holds(n, n + 1)]
        if not lines and mention.sure:
            return self._spans(mention.text)
        return [LineRange(n, n + 1) for n in lines]

    def _few(self, found: Sequence[LineRange]) -> list[Core]:
        """All these places; a guess where they are far apart."""
        if not found:
            return []
        spread = max(lines.stop for lines in found) - min(lines.start for lines in found)
        if spread <= COMFORT:
            return [(lines, None) for lines in found]
        places = sorted({lines.start + 1 for lines in found})
        numbers = ", ".join(map(str, places[:5])) + (
            f" and {len(places) - 5} more" if len(places) > 5 else ""
        )
        if len(places) > _MOST_GUESSES:
            raise AnchorNotFound(
                f"{self._files.name}: what the instruction names stands on lines {numbers}; {_WAY_OUT}",
                ways_out=NARROWER,
            )
        return [(lines, f"what the instruction names stands on lines {numbers}") for lines in found]
