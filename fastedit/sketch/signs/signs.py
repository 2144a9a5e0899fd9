"""Signs of a text as a whole that it was meant, or that something was laid wrongly: what a reader of it stops at.

A path's score knows lines and their neighbours. These know names, brackets and what a marker came to hide, by spelling
alone, so that they hold in any language. `fastedit.engine.merge.evidence` weighs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log1p
from typing import TYPE_CHECKING, Final

from fastedit.sketch.features.rests import replaced_rests
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.brackets import is_balanced, misplaced_brackets
from fastedit.sketch.read.names import imports_of
from fastedit.sketch.read.reading import BLANK, FULL, Outline, is_import
from fastedit.sketch.read.tags import unpaired
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.kinds import KINDS
from fastedit.sketch.signs import markers
from fastedit.sketch.signs.apart import FOUND_APART, TORN_APART, is_torn_apart
from fastedit.sketch.signs.definitions import of_definitions
from fastedit.sketch.signs.imports import IDLE_AS_SAID, of_imports
from fastedit.sketch.signs.places import beheaded, bereft, leaving_blocks, next_to_each_other
from fastedit.sketch.signs.unsaid import STAYS_RELATED, Gap, gaps_of, goes_unrelated, stays_related
from fastedit.sketch.text.merge import MergedText
from fastedit.sketch.text.written import Written

if TYPE_CHECKING:
    from fastedit.sketch.align import Alignment

OF_TEXTS: Final = {sign.name: sign for sign in (FOUND_APART, TORN_APART, IDLE_AS_SAID, STAYS_RELATED)}
_UNRELATED: Final = "lines that go unsaid have nothing to do with what changes"
_TWICE: Final = "lines that the file has once stand twice"
_ASKEW: Final = "brackets askew"
_WITHOUT_END: Final = "elements or blocks without an end"
_TELLING = 12  # characters of a line that is no other by chance


class Signs:
    """The signs of texts that a sketch may mean for one file."""

    def __init__(
        self,
        file: Outline,
        sketch: Outline,
        removing: frozenset[int] = frozenset(),
        naming: frozenset[int] = frozenset(),
        named_gone: frozenset[int] = frozenset(),
        leading: frozenset[int] = frozenset(),
        apart: frozenset[tuple[int, int]] = frozenset(),
    ) -> None:
        """`removing` are the comments of the sketch that say that lines go, if they speak of the sketch; `naming` those
        that say so by the name of what goes, the lines `named_gone`; `leading` those that may be of new code; `apart`
        the lines of sketch and file of which the latter is in another block than the one shown."""
        self._file, self._sketch, self._removing = file, sketch, removing
        self._naming, self._named_gone, self._leading = naming, named_gone, leading
        self._apart = apart

    @classmethod
    def about(cls, alignment: Alignment) -> Signs:
        """Those of its texts."""
        told = alignment.removing, alignment.naming, alignment.named_gone, alignment.leading, alignment.apart
        return cls(alignment.file, alignment.sketch, *told)

    def of(self, text: MergedText, path: Sequence[PathStep]) -> dict[str, float]:
        """By name, how often each sign is met with; those that are not are left out."""
        laid, written = self._laid(path), Written(self._file, text)
        told = replaced_rests(self._file, self._sketch, laid.inked) | self._named_gone
        gaps = list(gaps_of(laid.inked))
        found = Counter(
            (
                *markers.of_nothing(written, self._file, path),
                *markers.of_markers(self._file, self._sketch, path, self._naming),
                *markers.of_removals(path, self._removing),
                *markers.next_to_markers(self._file, gaps, told),
                *markers.forgotten(self._file, self._sketch, path, self._named_gone),
                *self._carried_along(text, path),
                *self._of_names(laid, written, gaps),
                *leaving_blocks(written),
                *bereft(written),
                *beheaded(written),
                *dict.fromkeys(next_to_each_other(written)),
            )
        )
        made = {sign: float(count) for sign, count in found.items()}
        for kind in KINDS:
            made |= kind.told(laid)
        if any((step.sketch, step.file) in self._apart for step in laid.inked if step.layer is Layer.MATCH):
            made[FOUND_APART.name] = 1.0
        if not (written.come or written.gone) and is_torn_apart(self._file, self._sketch, laid.inked):
            made[TORN_APART.name] = 1.0
        if goes_unrelated(self._file, self._sketch, laid.inked, told):
            made[_UNRELATED] = 1.0
        if stays_related(self._file, self._sketch, laid.inked, told):
            made[STAYS_RELATED.name] = 1.0
        if self._is_askew(written):
            made[_ASKEW] = 1.0
        if odd := self._without_end(written):
            made[_WITHOUT_END] = float(odd)
        if repeated := self._repeated(path):
            made[_TWICE] = log1p(len(repeated))
        return made

    def line_of(self, sign: str, path: Sequence[PathStep]) -> int | None:
        """The first line of the sketch that such a sign is told of; None for a sign of the text as a whole."""
        lines: Iterator[int | None] = iter(())
        if sign == markers.STAYS:
            lines = (step.sketch for step in markers.staying(path, self._removing))
        elif sign == _TWICE:
            lines = iter(self._repeated(path))
        for kind in KINDS:
            if any(sign == one.name for one in kind.signs):
                lines = kind.lines(self._laid(path))
        return next(lines, None)

    def _laid(self, path: Sequence[PathStep]) -> Laid:
        return Laid(self._file, self._sketch, path, self._leading)

    def _of_names(self, laid: Laid, written: Written, gaps: Sequence[Gap]) -> Iterator[str]:
        """Names whose first line went while others use them, and names that nothing uses any more."""
        if written.file.language.prose or written.file.language.is_data:
            return
        if not written.gone and not any(is_import(written.new[row]) for row in written.come):
            return
        yield from of_imports(written, self._named_gone, lambda: self._unsaid(laid, gaps))
        yield from of_definitions(written)

    def _unsaid(self, laid: Laid, gaps: Sequence[Gap]) -> set[int]:
        """The lines that go where the sketch has nothing in their place, and those of imports that it neither shows nor
        hides, where it shows others."""
        silent = (run for run, _, _ in gaps if all(step.sketch is None for step in run))
        found = {row for run in silent for step in run for row in step.lines}
        if self._sketch.imports:
            imports = {row for statement in imports_of(self._file) for row in statement}
            left = (step.lines for step in laid.inked if step.layer is Layer.LEAP)
            found |= {row for rows in left for row in imports.intersection(rows)}
        return found

    def _carried_along(self, text: MergedText, path: Sequence[PathStep]) -> Iterator[str]:
        """Lines that the sketch shows where they stand, and that move with others of it."""
        file = self._file
        for step in path:
            if step.layer is Layer.MATCH and step.sketch is not None and file.ink[step.lines.start] != BLANK:
                shown = self._sketch.texts[step.sketch]
                if shown == file.texts[step.lines.start] and shown != text.sketch[step.sketch]:
                    yield "a line moves that is shown where it stands"
                    return

    def _is_askew(self, written: Written) -> bool:
        """Whether more brackets are misplaced than in the file."""
        paired = self._file.language.paired
        return (
            not all(is_balanced(text, paired) for text in written.changed)
            and misplaced_brackets(written.new, written.pieces, paired) > self._misplaced
        )

    def _without_end(self, written: Written) -> int:
        """How many elements or blocks, opened and closed by name, come or go in part."""
        if not self._file.ended_names:
            return 0
        is_comment = self._file.is_comment
        come = (text for row in written.come if not is_comment(text := written.new[row]))
        went = (text for row in written.gone if not is_comment(text := self._file.texts[row]))
        return unpaired(come, went, self._file.ended_names)

    def _repeated(self, path: Sequence[PathStep]) -> list[int]:
        """The new lines of the sketch that the file has once and keeps. A new block may have lines of another one."""
        file, sketch, inked = self._file, self._sketch, self._laid(path).inked
        there = {row for step in inked if step.layer is not Layer.GONE for row in step.lines}
        shown = next((step for step in inked if step.layer is Layer.MATCH), None)
        deeper = file.widths[shown.lines.start] - sketch.widths[shown.sketch or 0] if shown else 0
        new = (step.sketch for step in inked if step.layer is Layer.NEW and step.sketch is not None)
        places = ((line, self._once(sketch.stripped[line])) for line in new)
        return [line for line, row in places if row in there and not self._is_in_another(line, row, deeper)]

    def _is_in_another(self, line: int, row: int, deeper: int) -> bool:
        """Whether a line is in a new block of the sketch that is as deep in the file as that of the file's line."""
        file, sketch = self._file, self._sketch
        one, other = sketch.parents[line], file.parents[row]
        while one is not None and other is not None and sketch.stripped[one] == file.stripped[other]:
            one, other = sketch.parents[one], file.parents[other]
        if one is None or other is None or file.counts[sketch.stripped[one]]:
            return False
        return sketch.widths[one] + deeper == file.widths[other]

    def _once(self, text: str) -> int | None:
        """The line of the file that says this, if it says something and the file has it once."""
        file = self._file
        if len(text) < _TELLING or file.counts[text] != 1:
            return None
        row = file.stripped.index(text)
        return row if file.ink[row] == FULL else None

    @cached_property
    def _misplaced(self) -> int:
        return misplaced_brackets(self._file.texts, kinds=self._file.language.paired)
