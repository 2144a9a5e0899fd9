"""The hunks of one edit that have a place so far, and what is to be said about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from fastedit.formats.report import PlacementStep, Report, Unplaced, spans
from fastedit.formats.text.changes import TextChange, apply, collisions, compose, ordered
from fastedit.formats.text.views import ViewedText, lines_of


class Placements:
    """Hunks are known by their number, from 1. `changes` are ordered."""

    def __init__(self, text: ViewedText) -> None:
        self.text = text
        self.changes: list[TextChange] = []
        self.reports: dict[int, Report] = {}
        self._earlier: tuple[list[TextChange], ViewedText] = ([], text)
        self._made: set[tuple[int, int, str]] = set()

    @contextmanager
    def refusing(self, number: int) -> Iterator[None]:
        """Reports that hunk `number` is not placed where Unplaced is raised."""
        try:
            yield
        except Unplaced as error:
            self._refuse(number, error)

    def _refuse(self, number: int, error: Unplaced) -> None:
        self.reports[number] = Report(number, error.step, error.lines, error.problem, error.nearest)

    def has(self, changes: Sequence[TextChange]) -> bool:
        """Whether another hunk makes all of these changes."""
        return bool(changes) and all(_bare(change) in self._made for change in changes)

    def leave(self, number: int, lines: Sequence[range] = (), remark: str = "") -> None:
        """Hunk `number` is applied already."""
        remarks = (remark,) if remark else ()
        self.reports[number] = Report(number, PlacementStep.ALREADY, tuple(lines), remarks=remarks)

    def add(
        self,
        number: int,
        step: PlacementStep,
        changes: Sequence[TextChange],
        lines: Sequence[range],
        remarks: Iterable[str] = (),
    ) -> None:
        """Places a hunk. Call `refuse_collisions` after the last one."""
        self.reports[number] = Report(number, step, tuple(lines), remarks=tuple(remarks))
        owners = frozenset((number,))
        self.changes += (change._replace(owners=owners) for change in changes)
        self._made.update(map(_bare, changes))

    def text_before(self, number: int) -> ViewedText:
        """The text that the hunks before this one make."""
        earlier = self._before(number)
        if earlier != self._earlier[0]:
            made = apply(self.text.whole, earlier)
            self._earlier = earlier, ViewedText(self.text.document, lines_of(made))
        return self._earlier[1]

    def add_after(self, number: int, step: PlacementStep, changes: Sequence[TextChange]) -> None:
        """Places a hunk whose changes are of the text that the hunks before it make."""
        earlier = self._before(number)
        later = [change for change in self.changes if max(change.owners) > number]
        owners = frozenset((number,))
        for change in reversed(ordered(changes)):
            earlier = compose(earlier, change._replace(owners=owners))
        self.changes = [*earlier, *later]
        own = [change for change in earlier if number in change.owners]
        self.reports[number] = Report(
            number, step, tuple(self.text.rows(change.start, change.stop) for change in own)
        )
        self.refuse_collisions()

    def _before(self, number: int) -> list[TextChange]:
        return [change for change in self.changes if max(change.owners) < number]

    def refuse_collisions(self) -> None:
        """Takes out hunks that change the same text, and those that build on them."""
        self.changes = ordered(self.changes)
        against: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in collisions(self.changes):
            for number in one.owners | other.owners:
                against[number] |= (one.owners | other.owners) - {number}
        self._take_out(against)
        for number, others in sorted(against.items()):
            lines = self.reports[number].lines
            named = " and ".join(str(other) for other in sorted(others))
            where = f" at {spans(lines)}" if lines else ""
            problem = f"changes the same text as hunk {named}{where}; make one hunk of them"
            self._refuse(number, Unplaced(problem, lines))

    def take_out(self, number: int) -> None:
        """Takes out the changes of a hunk, and refuses those that build on it."""
        against: defaultdict[int, set[int]] = defaultdict(set, {number: set()})
        self._take_out(against)
        for other in sorted(against.keys() - {number}):
            self._refuse(other, Unplaced(f"builds on hunk {number}, which is not made; send it alone"))

    def _take_out(self, against: defaultdict[int, set[int]]) -> None:
        """Takes out the changes of hunks, and adds to them those that build on these."""
        while built := [change for change in self.changes if not against.keys().isdisjoint(change.owners)]:
            self.changes = [change for change in self.changes if against.keys().isdisjoint(change.owners)]
            for change in built:
                for number in change.owners:
                    against[number] |= change.owners - {number}


def _bare(change: TextChange) -> tuple[int, int, str]:
    return change.start, change.stop, change.new
