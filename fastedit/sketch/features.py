"""What speaks for and against each step of an alignment, as counts that weights are multiplied with."""

from __future__ import annotations

import numpy as np

from fastedit.sketch.added import Added
from fastedit.sketch.blocks import Blocks
from fastedit.sketch.comments import Comments
from fastedit.sketch.facts import Facts
from fastedit.sketch.gaps import Gaps
from fastedit.sketch.gone import cuts, gone, named
from fastedit.sketch.kept import Kept
from fastedit.sketch.leaps import Leaps
from fastedit.sketch.likeness import Likeness
from fastedit.sketch.openers import Openers
from fastedit.sketch.pairs import Pairs
from fastedit.sketch.reading import Outline
from fastedit.sketch.weights import Features
from fastedit.source.update import Update


class Reader:
    """Reads the features of a sketch against a file."""

    def __init__(self, file: Outline, update: Update) -> None:
        self._facts = Facts(file, update)

    @property
    def sketch(self) -> Outline:
        return self._facts.sketch

    def features(self) -> Features:
        facts = self._facts
        likeness, openers, comments = Likeness(facts), Openers(facts), Comments(facts)
        blocks = Blocks(facts, openers)
        gaps = Gaps(facts, blocks)
        added = Added(facts, likeness, comments, blocks)
        kept, leaps = Kept(facts, likeness, openers, blocks), Leaps(facts, gaps)
        rows, columns, match = Pairs(facts, likeness, openers).found()
        may_mark, mark = comments.marks()
        may_note, note = comments.notes()
        enter, leave = leaps.edges()
        cut, join = cuts(facts)
        told = named(facts)
        may_be = ~told.goes[columns]
        rows, columns, match = rows[may_be], columns[may_be], match[may_be]
        return Features(
            shape=facts.shape,
            pairs=(rows, columns),
            match=match,
            new=added.new(),
            put=added.put(),
            near=added.near(),
            spelled=np.array([i in facts.spelled for i in range(facts.shape[0])], dtype=bool),
            gone=gone(facts),
            named=told.notes,
            goes=told.goes,
            stays=told.stays,
            inside=gaps.inside(),
            whole=gaps.whole(),
            open_ends=gaps.open_ends(set(rows.tolist())),
            beyond=kept.beyond(),
            outwards=kept.outwards(),
            depth=kept.depth(),
            midst=kept.midst(),
            instead=kept.instead(),
            shown=kept.shown(),
            mark=mark,
            may_mark=may_mark,
            note=note,
            may_note=may_note,
            enclosed=kept.enclosed,
            leap=leaps.leap(),
            enter=enter,
            leave=leave,
            cut=cut,
            join=join,
        )
