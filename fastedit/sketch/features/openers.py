"""Which line opens the block around each line of a sketch, as far as markers do not hide it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fastedit.sketch.features.facts import Facts


class Openers:
    """The blocks and definitions that sketch lines certainly stand in."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._places: dict[int, Sequence[int]] = {}

    @cached_property
    def rows(self) -> list[int | None]:
        """[m]: the line that opens the block around each sketch line. None where a marker hides it: below a marker,
        indented by another step than the file indents the lines of the block above."""
        facts, sketch = self._facts, self._facts.sketch
        found = list(sketch.parents)
        for i, above in enumerate(sketch.parents):
            if above is None or not any(row in facts.spelled for row in range(above + 1, i)):
                continue
            steps = self._steps_in(above)
            if steps and sketch.widths[i] - sketch.widths[above] not in steps | {0}:
                found[i] = None
        return found

    def _steps_in(self, row: int) -> set[int]:
        """By how many columns the file indents what stands below a line of the sketch."""
        facts, file = self._facts, self._facts.file
        places = facts.places[row] or facts.heads.get(facts.sketch.heads.get(row, ""), [])
        found: set[int] = set()
        for place in places:
            below = next((j for j in range(place + 1, len(file.texts)) if file.stripped[j]), None)
            if below is not None and file.widths[below] > file.widths[place]:
                found.add(file.widths[below] - file.widths[place])
        return found

    @cached_property
    def definitions(self) -> list[tuple[str, ...]]:
        """[m]: the names of the definitions around each sketch line, none where a marker may hide some."""
        sketch = self._facts.sketch
        hidden = [False] * len(sketch.texts)
        for i, above in enumerate(sketch.parents):
            hidden[i] = above is not None and (hidden[above] or self.rows[i] is None)
        return [() if hidden[i] else sketch.qualified(i) for i in range(len(sketch.texts))]

    def places(self, row: int) -> Sequence[int]:
        """The file lines with the text of a sketch line: those in its definition, where the file has that."""
        if row not in self._places:
            self._places[row] = self._found(row)
        return self._places[row]

    def _found(self, row: int) -> Sequence[int]:
        facts, around = self._facts, self.definitions[row]
        if not facts.defines(around):
            return facts.places[row]
        return [at for at in facts.places[row] if facts.file.qualified(at)[-len(around) :] == around]
