"""What speaks for and against each step of an alignment, as counts that weights are multiplied with."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.added import Added
from fastedit.sketch.features.apart import Apart
from fastedit.sketch.features.beginnings import Beginnings
from fastedit.sketch.features.blocks import Blocks
from fastedit.sketch.features.bodies import Bodies
from fastedit.sketch.features.comments import Comments
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.gaps import Gaps
from fastedit.sketch.features.gone import NamedGone, cuts, gone, named, unsaid_imports
from fastedit.sketch.features.kept import Kept
from fastedit.sketch.features.leaps import Leaps
from fastedit.sketch.features.likeness import Likeness
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.features.pairs import Pairs
from fastedit.sketch.features.torn import Torn
from fastedit.sketch.paths.weights import Features
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.read.wording import Wording
from fastedit.source.update import Update

_NEAR = 3  # lines on either side of what the sketch may show
_RARE = 20  # times that such a line stands there at most


class FeatureReader:
    """Reads the features of a sketch against a file."""

    def __init__(self, file: Outline, update: Update, wording: Wording) -> None:
        facts = self._facts = Facts(file, update)
        self._openers = Openers(facts)
        self._blocks = Blocks(facts, self._openers)
        apart = Apart(facts, self._openers, self._blocks)
        self._likeness = Likeness(facts, apart)
        self._gaps = Gaps(facts, self._blocks)
        self._leaps = Leaps(facts, self._gaps)
        self._kept = Kept(facts, self._likeness, self._openers, self._blocks)
        self.comments = Comments(facts, self._likeness, self._kept, wording)
        self._pairs = Pairs(facts, self._likeness, self._openers, apart)

    @property
    def sketch(self) -> Outline:
        return self._facts.sketch

    def telling_places(self) -> Any:
        """Places of a long file where something may begin or end: near what the sketch may show, at the ends of blocks
        that it may show and of what notes name, at either end. No path parts the lines between two of them."""
        facts, (_, n) = self._facts, self._facts.shape
        telling = np.zeros(n + 1, dtype=bool)
        telling[:_NEAR] = telling[-_NEAR:] = True
        paired = self._pairs.columns()
        shown = paired[
            (facts.inks[paired] == FULL) & (facts.counts[paired] <= _RARE) & ~self._named.goes[paired]
        ]
        beside = np.array(facts.beside_new(_RARE), dtype=int)
        sides = self._gaps.inside[:, facts.inked]
        ends = facts.inked[:-1][(sides[:, 1:] != sides[:, :-1]).any(axis=0)]
        beyond = np.nonzero(self._kept.beyond.any(axis=0))[0]
        ended = np.nonzero((self._leaps.ended > 0).any(axis=0))[0]
        named = np.nonzero(np.diff(self._named.goes, prepend=False, append=False))[0]
        headed = np.array(self._likeness.block_ends(), dtype=int)
        for step in range(-_NEAR, _NEAR + 1):
            for lines in (shown, beside, ends, beyond, ended, named, headed):
                telling[np.clip(lines + step, 0, n)] = True
        return np.nonzero(telling)[0]

    @cached_property
    def _named(self) -> NamedGone:
        return named(self._facts)

    def features(self, places: Any = None) -> Features:
        """Those of all steps; with `places` only those pairs of lines that stand alone between two of them."""
        facts, gaps, kept, told = self._facts, self._gaps, self._kept, self._named
        comments = self.comments
        added, leaps = Added(facts, self._likeness, comments, self._blocks), self._leaps
        may_be = ~told.goes
        if places is not None:
            lone = np.zeros_like(may_be)
            lone[places[:-1][np.diff(places) == 1]] = True
            may_be &= lone
        bodies, beginnings = Bodies(facts, self._openers), Beginnings(facts)
        rows, columns, match = self._pairs.found(may_be)
        apart = ~(bodies.outside(rows, columns) | beginnings.above_last(rows, columns))
        rows, columns, match = rows[apart], columns[apart], match[apart]
        may_mark, mark = comments.marks()
        may_note, note = comments.notes()
        enter, leave = leaps.edges()
        cut, join = cuts(facts)
        importing, in_order = added.imports()
        torn = Torn(facts)
        leap_torn, leap_whole = torn.leap()
        return Features(
            shape=facts.shape,
            pairs=(rows, columns),
            match=match,
            new=added.new(),
            put=added.put(),
            near=added.near(),
            elsewhere=added.elsewhere(),
            entered=added.entered(),
            stands_out=added.stands_out(),
            near_like=added.near_like,
            barred=added.barred() | beginnings.torn(),
            importing=importing,
            in_order=in_order,
            spelled=np.array([i in facts.spelled for i in range(facts.shape[0])], dtype=bool),
            gone=gone(facts),
            named=told.notes,
            goes=told.goes,
            stays=told.stays | beginnings.stays() | unsaid_imports(facts),
            inside=gaps.inside,
            open_ends=gaps.open_ends(self._likeness),
            piece=np.array([[facts.is_piece]]),
            beyond=kept.beyond,
            outside=kept.outside(),
            depth=kept.depth(),
            midst=kept.midst(),
            instead=kept.instead(comments.unsure, comments.idle),
            torn=torn.begin() | bodies.midst(),
            within=torn.within(),
            replaced=torn.replaced(rows, columns, self._likeness.wrapped(rows, columns)),
            leap_torn=leap_torn | beginnings.leaps(),
            leap_over=leaps.over_next(),
            leap_whole=leap_whole,
            beyond_block=gaps.beyond,
            shown=kept.shown(),
            mark=mark,
            may_mark=may_mark,
            note=note,
            may_note=may_note,
            enclosed=kept.enclosed,
            leap=leaps.leap(),
            enter=enter,
            ended=leaps.ended,
            leave=leave,
            cut=cut,
            join=join,
        )
