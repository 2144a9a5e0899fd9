"""Places hunks in a file that has changed since their author read it: a three-way merge.

What a hunk removes or changes must all be there, and what it inserts must have both its neighbours; only context may be
lost. The place must be better than any other one by a clear margin.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastedit.formats.base import Replacement
from fastedit.formats.resolution.gaps import leaves_block
from fastedit.formats.resolution.ladder import HunkPlace, OldNew, as_lines, depths, placed, with_blank_lines
from fastedit.formats.text.alignment import Aligner, HunkAlignment, Rules
from fastedit.formats.text.views import KeyedView, ViewedText
from fastedit.source.hunks import Hunk, along_equal_lines, diff_lines

_MARGIN = 1.0  # in lines that stand once in the file
_MOST = 20_000_000  # pairs of lines that are worth comparing, in all alignments


def drifted(text: ViewedText, hunk: Replacement) -> HunkPlace | None:
    """The one place of a hunk whose old text does not stand in the file as a whole."""
    lines = as_lines(hunk)
    if lines is None or not lines.is_visible_in(text.ascii):
        return None
    needs = _Needs.of(lines, text.ascii)
    if len(needs.keys) * len(text.ascii.keys) * (2 + len(needs.anchors)) > _MOST:
        return None
    aligner = Aligner(needs.keys, text.ascii)
    best = aligner.align(needs.rules)
    if best is None or not _is_supported(text, needs, best):
        return None
    if any(best.score - other.score < _MARGIN for other in _others(aligner, needs, best)):
        return None
    rows: list[int | None] = [None] * len(lines.old)
    for at, row in best.rows.items():
        rows[needs.shown[at]] = text.ascii.rows[row]
    place = placed(text, with_blank_lines(lines.old, rows, text))
    fits = depths(text, lines, place).is_plausible and _is_closed(text, lines, place)
    return place if fits and not leaves_block(text, lines, place) else None


@dataclass(frozen=True, slots=True)
class _Needs:
    """The old lines that are not blank, by their keys.

    `shown` are their indices among all old lines, and `changed` those that are removed or replaced. `rules` tell where
    the hunk may be. Another place of it differs by an anchor: the first line of a removal, or a line next to an
    insertion, that the file has more than once. There the lines next to an insertion may stand apart, as in `apart`:
    its author left out what is between them, and it could belong to either of them.
    """

    keys: list[str]
    shown: list[int]
    anchors: list[int]
    changed: set[int]
    rules: Rules
    apart: Rules

    @classmethod
    def of(cls, lines: OldNew, view: KeyedView) -> _Needs:
        keys = list(map(view.key, lines.old))
        shown = [at for at, k in enumerate(keys) if k]
        changed: set[int] = set()
        within: set[int] = set()
        beside: set[int] = set()
        linked: set[int] = set()
        anchors: list[int] = []
        from_head = to_end = False
        for group in diff_lines(lines.old, lines.new):
            inside = range(bisect_left(shown, group.start), bisect_left(shown, group.stop))
            if inside:
                changed.update(inside)
                within.update(inside[:-1])
                anchors.append(inside.start)
                continue
            rows = along_equal_lines(group, lines.old)  # between which its new lines may stand
            above, below = bisect_left(shown, rows.start) - 1, bisect_left(shown, rows.stop)
            from_head |= above < 0
            to_end |= below == len(shown)
            around = range(max(above, 0), min(below + 1, len(shown)))
            beside.update(around)
            linked.update(around[:-1])
            anchors += around
        required = frozenset(changed | beside)
        rules = Rules(required, frozenset(within | linked), from_head, to_end)
        apart = Rules(required, frozenset(within))
        repeated = [at for at in anchors if len(view.places.get(keys[shown[at]], ())) > 1]
        return cls([keys[at] for at in shown], shown, repeated, changed, rules, apart)


def _others(aligner: Aligner, needs: _Needs, best: HunkAlignment) -> Iterator[HunkAlignment]:
    """The next best place for each change, and the best one elsewhere even if something required is missing there."""
    for at in needs.anchors:
        if other := aligner.align(needs.apart, without=(at, best.rows[at])):
            yield other
    if elsewhere := aligner.align(Rules(), without_rows=list(best.rows.values())):
        yield elsewhere


def _is_supported(text: ViewedText, needs: _Needs, found: HunkAlignment) -> bool:
    """Whether half of the context that says something is matched, and what is lost of it is hardly found elsewhere.

    A lost line that the file has once tells of another place, and so do several that it has a few times.
    """
    counts = {at: len(text.ascii.places.get(key, ())) for at, key in enumerate(needs.keys)}
    context = [
        at for at, key in enumerate(needs.keys) if at not in needs.changed and any(map(str.isalnum, key))
    ]
    lost = [at for at in context if at not in found.rows]
    elsewhere = [1 / counts[at] for at in lost if counts[at]]
    beside = [1 / counts[at] for at in found.rows if at not in needs.rules.required]
    return 2 * len(lost) <= len(context) and 1 not in elsewhere and 2 * sum(elsewhere) <= sum(beside)


def _is_closed(text: ViewedText, lines: OldNew, place: HunkPlace) -> bool:
    """Whether the hunk leaves out no line between those that a change replaces, nor next to one that adds lines."""
    known = [(at, row) for at, row in enumerate(place.rows) if row is not None]

    def leaves_out(at: int) -> bool:
        (above, top), (below, bottom) = known[at : at + 2]
        return _shown(text.lines[top + 1 : bottom]) > _shown(lines.old[above + 1 : below])

    for group in diff_lines(lines.old, lines.new):
        first, stop = bisect_left(known, (group.start,)), bisect_left(known, (group.stop,))
        if first == stop:
            continue
        grows = _grows(group, lines.old)
        start, end = (max(first - 1, 0), min(stop, len(known) - 1)) if grows else (first, stop - 1)
        if any(map(leaves_out, range(start, end))):
            return False
    return True


def _grows(group: Hunk, old: Sequence[str]) -> bool:
    return _shown(group.lines) > _shown(old[group.start : group.stop])


def _shown(lines: Sequence[str]) -> int:
    """How many lines are not blank."""
    return sum(map(bool, map(str.strip, lines)))
