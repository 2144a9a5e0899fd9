"""The names of the features, a weight for each, and what both make of the steps of an alignment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from fastedit.sketch.paths.lattice import NEVER, Layer, Scores
from fastedit.sketch.read.wording import Wording

INK = ("blank", "bare", "short", "full")
APART: Final = (
    "in another block than the one shown around it",
    "in another block than what is shown next to it",
)
MATCH: Final = (
    *(f"equal, {ink}, {often}" for ink in INK for often in ("once", "few", "many")),
    *(f"equal, {ink}, in another definition" for ink in INK[1:]),
    "same blanks",
    "line above equal too",
    "line below equal too",
    "same block",
    "another block",
    "same definition",
    "another definition",
    "changed",
    "changed: alikeness",
    "changed: alikeness above 0.6",
    "changed: alikeness above 0.9",
    "changed: same head",
    "changed: same target",
    "changed: other head",
    "inline marker",
    "bare, of the same block",
    "bare: alikeness of the lines that open the blocks",
    "changed: same target, of many",
    "changed: opens a block no more, or only now",
    "changed: words only come or only go",
    "changed by a marker",
    "changed by a marker: same head or target",
    "changed by a marker: words only come or only go",
    "changed: another file line is more alike",
    "changed: words of its own stay",
    "changed: words of its own go",
    "changed: as another line is",
    "changed: a name in place of its value",
    *APART,
)
NEW: Final = (
    *(f"new, {ink}" for ink in INK),
    "new, as in the file once",
    "new, as in the file",
    "new head",
    "new head of a name in the file",
    "new, like a line of the file",
    "new, with the target of a line of the file",
    "new, in a new definition",
    "new import",
    "new closer of an old block",
    "new comment among known lines",
)
PUT: Final = (
    "new in the block shown",
    "new outside of the block shown",
    "new near an equal line",
    "new elsewhere than where the block of the marker above ends",
    "new key where the block shown by its head ends",
    "new key elsewhere than where the block shown by its head ends",
    "new deeper than the lines above and below",
    "new further out than the lines above and below",
    "new next to a line that it may be a version of",
    "new next to a line that it may be a version of: alikeness",
    "new import in alphabetical order",
)
GONE: Final = (
    *(f"gone, {ink}" for ink in INK),
    "gone, shown elsewhere",
    "gone import",
    "gone in data",
    "gone key",
    "gone in data without any marker",
    "gone key without any marker",
)
INSIDE: Final = (
    "gone in the block shown",
    "gone outside of the block shown",
    "gone with an open end",
)
COMMENTED = ("among known lines", "in brackets", "names what is hidden")
MARK: Final = (
    "marker",
    "marker: dots",
    "marker: what it says",
    "marker: says that lines go",
    "marker: other comment",
    "marker: as in the file",
    *(f"marker: {how}" for how in COMMENTED),
)
KEEP: Final = (
    "kept beyond the block of the marker",
    "kept, though shown",
    "kept import, though shown",
)
BEGIN: Final = (
    "kept from deeper in than the marker",
    "kept from further out than the marker",
    "markers part in the midst of a block",
    "kept with the end of a definition shown whole",
)
CUT: Final = ("gone below a common line",)
JOIN: Final = ("gone above a common line",)
NOTE: Final = (
    "note",
    "note: what it says",
    "note: says that lines go",
    *(f"note: {how}" for how in COMMENTED),
)
LEAP: Final = (
    "leap",
    "leap at the top",
    "leap at the end",
    "leap to a head",
    "leap outwards",
    "leap after a blank line",
    "leap to an import",
    "leap without any marker",
    "leap to the margin",
    "leap within a block",
    "leap, share of the file shown",
    "leap in a definition shown whole",
    "leap in a definition with markers",
    "leap to a head without any marker",
    "leap within a block without any marker",
    "leap from the head of a block",
    "leap from the head of a block without any marker",
    "leap next to a line that stays",
    "leap in a block left open",
    "leap in data",
    "leap in data in a block without any marker",
    "leap in data at the top or the end",
    "leap in data next to a line that stays",
    "leap to a key",
    "leap where all that is shown is in the file",
)
ENTER: Final = ("leap from a blank line or a closer", "leap over a head")
ENDED: Final = (
    "leap from the end of a definition shown whole",
    "leap over the end of a definition shown whole",
    "leap over the end of a definition shown whole, from its last line shown",
)
# Where a definition that the sketch shows whole ends in the file, where the last of its lines that are shown ends, and
# elsewhere in it.
ENDS, SHOWN_UP_TO, WITHIN = 1, -1, -2
LEAVE: Final = ("leap up to a line after a blank one",)
TURNED: Final = (
    (Layer.MATCH, Layer.NEW),
    (Layer.MATCH, Layer.GONE),
    (Layer.MATCH, Layer.MARK),
    (Layer.NEW, Layer.MATCH),
    (Layer.NEW, Layer.NEW),
    (Layer.NEW, Layer.MARK),
    (Layer.NEW, Layer.LEAP),
    (Layer.GONE, Layer.MATCH),
    (Layer.GONE, Layer.NEW),
    (Layer.GONE, Layer.MARK),
    (Layer.GONE, Layer.LEAP),
    (Layer.MARK, Layer.MATCH),
    (Layer.MARK, Layer.NEW),
    (Layer.MARK, Layer.GONE),
    (Layer.KEEP, Layer.NEW),
    (Layer.KEEP, Layer.GONE),
    (Layer.LEAP, Layer.NEW),
    (Layer.EDGE, Layer.NEW),
    (Layer.EDGE, Layer.GONE),
    (Layer.NEW, Layer.EDGE),
    (Layer.GONE, Layer.EDGE),
)
TURNS: Final = tuple(f"{one.name} to {other.name}" for one, other in TURNED)
GROUPS: Final = {
    "match": MATCH,
    "new": NEW,
    "put": PUT,
    "gone": GONE,
    "inside": INSIDE,
    "mark": MARK,
    "begin": BEGIN,
    "cut": CUT,
    "join": JOIN,
    "keep": KEEP,
    "note": NOTE,
    "leap": LEAP,
    "enter": ENTER,
    "ended": ENDED,
    "leave": LEAVE,
    "turns": TURNS,
}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
# What an ablation takes away together: each is one kind of knowledge.
FAMILIES: Final = {
    "neighbours": tuple(name for name in MATCH if name.startswith("line ")),
    "blocks": tuple(name for name in MATCH if " block" in name),
    "definitions": tuple(name for name in MATCH if "definition" in name),
    "blocks shown": (*PUT[:2], *INSIDE[:2], KEEP[0]),
    "definitions shown whole": tuple(name for name in LEAP if "in a definition" in name),
    "repeats": ("new, as in the file once", "new, as in the file", PUT[2], "gone, shown elsewhere", KEEP[1]),
    "heads": tuple(name for name in NAMES if " head" in name),
    "imports": tuple(name for name in NAMES if "import" in name),
    "where a leap is": LEAP[1:] + ENTER + LEAVE,
    "where a comment is": tuple(
        name for name in NAMES if name.endswith(COMMENTED) or name.startswith("new comment")
    ),
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Features:
    """Counts of each step's features: rows are steps, columns the names of the group.

    `pairs` are the (sketch, file) lines that may be one, `match` their rows; `spelled` [m] are markers for certain. Of
    blocks that the sketch shows, 1 stands for inside, -1 for outside and 0 where none can be told: `inside` [m + 1, n]
    for a file line between two sketch lines, `put` [m, n + 1] for a place of a new line. `near` [m, n + 1] is 1 where a
    new line would stand by an equal one, `open_ends` [m + 1] the sides of a gap, 0 to 2, on which the piece between
    markers shows no line of the file, `beyond` [m, n] 1 for the first file line after the block of a marker, `outside`
    [m, n] where what a marker keeps would go on beyond the new code around it, which no weight allows, `depth`
    [m, n + 1] 1 where the file goes on deeper in than a marker stands and -1 where further out, `midst` [m, n + 1] 1
    where a marker right below another one would begin within a block, `instead` [m, n + 1] where a comment without the
    dots or words of a marker would begin to keep lines at a comment, or has none to keep, which no weight allows.
    `torn` [m, n + 1] is where a marker and `leap_torn` [m + 1, n + 1] where a leap would begin with the rest of a
    statement whose first line gives way to one that is whole, which none allows either, `leap_whole` [m + 1, n + 1]
    where such a rest ends, `within` [m, n + 1] where a new line that is whole would part such a statement; `replaced`
    [pairs, 3] are such lines, next to a marker, at the end of the sketch and, if wrapped anew, above others.
    `enclosed` [m]: 1 where a line that the file lacks stands around it, 0.5 where that may be a changed one. `named`
    [m] are notes that name what goes, `goes` [n] what they name, which no weight keeps, `stays` [m + 1, n] the other
    lines beside them. `shown` [n, 2] has the last columns of KEEP, for lines that file and sketch have once. `ended` [m
    + 1, n + 1] is ENDS, SHOWN_UP_TO or WITHIN for definitions that the sketch has shown without markers right above a
    gap, 0 elsewhere. `piece` [1, 1] tells whether the sketch is put over a file of entries, so that others stay next to
    one that goes. `elsewhere` [m, n + 1] is 1 but where the block of a deeper marker right above a new line ends.
    `entered` [m, n + 1] is 1 where the block ends that the line right above a new key opens, -1 elsewhere. `stands_out`
    [m, n + 1] is 1 where a new line would be deeper than the file's lines above and below, -1 where further out,
    `near_like` [m, n + 1] how alike it would be to a line next to it that it may be a version of. `importing` [k] are
    lines that import something at the margin, `in_order` [k, n + 1] is 1 where they would be in alphabetical order.
    `barred` [m, n + 1] is where no new line comes, nor is one right above the file's line there. `beyond_block`
    [m + 1, n] is the first line after a block around a gap, which no leap passes there, `leap_over` [m + 1, n + 1]
    where one would begin over the line shown next.
    """

    shape: tuple[int, int]
    pairs: tuple[Any, Any]
    match: Any
    new: Any
    spelled: Any
    put: Any
    near: Any
    elsewhere: Any
    entered: Any
    stands_out: Any
    near_like: Any
    barred: Any
    importing: Any
    in_order: Any
    gone: Any
    named: Any
    goes: Any
    stays: Any
    inside: Any
    open_ends: Any
    piece: Any
    beyond: Any
    outside: Any
    depth: Any
    midst: Any
    instead: Any
    torn: Any
    within: Any
    replaced: Any
    leap_torn: Any
    leap_over: Any
    leap_whole: Any
    beyond_block: Any
    shown: Any
    mark: Any
    may_mark: Any
    note: Any
    may_note: Any
    enclosed: Any
    leap: Any
    enter: Any
    ended: Any
    leave: Any
    cut: Any
    join: Any


class SketchWeights:
    """A number for each feature's name, and what words of comments tell."""

    def __init__(self, values: Mapping[str, float], wording: Wording) -> None:
        self.values = {name: values.get(name, 0.0) for name in NAMES}
        self.wording = wording

    def of(self, group: str) -> Any:
        return np.array([self.values[name] for name in GROUPS[group]])


class Grouped(Protocol):
    """Weights by the group of their features."""

    def of(self, group: str) -> Any: ...


def _sided(sides: Any, weights: Any, arrays: Any) -> Any:
    """The first weight where a side is 1, the second where it is -1."""
    return arrays.where(sides > 0, weights[0], arrays.where(sides < 0, weights[1], 0.0))


def scores(features: Features, weights: Grouped, arrays: Any = np) -> Scores:
    """The score of each step, by numpy; or by torch, where features and weights are tensors."""
    m, n = features.shape
    match = arrays.full((m, n + 1), NEVER, dtype=arrays.float64)
    turns = arrays.zeros((7, 7), dtype=arrays.float64)
    turns[tuple(zip(*TURNED, strict=True))] = weights.of("turns")
    # What goes with the first line of its statement takes no turn of its own.
    marked = turns[Layer.MATCH, Layer.MARK] - turns[Layer.MATCH, Layer.GONE] - turns[Layer.GONE, Layer.MARK]
    ended = turns[Layer.MATCH, Layer.LEAP] - turns[Layer.MATCH, Layer.GONE] - turns[Layer.GONE, Layer.LEAP]
    shown_on = -turns[Layer.MATCH, Layer.GONE] - turns[Layer.GONE, Layer.MATCH]
    match[features.pairs] = (
        features.match @ weights.of("match")
        + features.replaced[:, 0] * marked
        + features.replaced[:, 1] * ended
        + features.replaced[:, 2] * shown_on
    )
    match[:, :-1] = arrays.where(features.barred[:, 1:], NEVER, match[:, :-1])
    put, inside, kept = weights.of("put"), weights.of("inside"), weights.of("keep")
    begin, whole = weights.of("begin"), weights.of("ended")
    new, gone, shown = (
        features.new @ weights.of("new"),
        features.gone @ weights.of("gone"),
        features.shown @ kept[1:],
    )
    stay = arrays.where(features.goes, NEVER, shown)
    added = (
        arrays.where(features.spelled | features.named, NEVER, new)[:, None]
        + _sided(features.put, put, arrays)
        + features.near * put[2]
        + features.elsewhere * put[3]
        + _sided(features.entered, put[4:6], arrays)
        + _sided(features.stands_out, put[6:8], arrays)
        + arrays.where(features.near_like > 0, put[8], 0.0)
        + features.near_like * put[9]
    )
    added[features.importing] = added[features.importing] + features.in_order * put[10]
    added = arrays.where(features.barred | features.within, NEVER, added)
    return Scores(
        match=match,
        new=added,
        gone=arrays.where(features.stays, NEVER, gone[None, :] + _sided(features.inside, inside, arrays))
        + (features.open_ends * inside[2])[:, None],
        mark=arrays.where(features.may_mark, features.mark @ weights.of("mark"), NEVER),
        note=arrays.where(features.may_note, features.note @ weights.of("note"), NEVER),
        begin=arrays.where(
            features.instead | features.torn,
            NEVER,
            _sided(features.depth, begin, arrays) + features.midst * begin[2],
        )
        + arrays.where(features.ended[:m] < 0, begin[3], 0.0),
        keep=arrays.where(features.outside, NEVER, features.beyond * kept[0] + stay),
        # What stays behind a marker's own lines stays at its depth: only where these move does it matter.
        onward=arrays.where(features.enclosed > 0, 0.0, NEVER),
        stay=arrays.where(features.beyond_block, NEVER, stay[None, :]),
        leap=features.leap @ weights.of("leap"),
        enter=arrays.where(features.leap_torn | features.leap_over, NEVER, 0.0)
        + (features.enter @ weights.of("enter"))[None, :]
        + _sided(features.ended, whole, arrays)
        + arrays.where(features.ended == SHOWN_UP_TO, whole[2], 0.0),
        ended=arrays.where((features.ended == ENDS) | features.leap_whole | features.piece, 0.0, NEVER),
        leave=features.leave @ weights.of("leave"),
        cut=features.cut @ weights.of("cut"),
        join=features.join @ weights.of("join"),
        turns=turns,
    )
