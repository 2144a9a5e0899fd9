"""What an edit makes of one document, and what typed operations make of it, which need none of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks

if TYPE_CHECKING:
    from fastedit.connect import Hangup
    from fastedit.formats.report import Report
    from fastedit.ops.base import Operation, Outcome


class Placed(NamedTuple):
    """The hunks of one file's edit over its lines, and a report for each hunk that was placed by its text.

    `anew` where they are a whole new text. `drops_final_newline` is as in `apply_hunks`. `outcome` is what typed
    operations gave. `notes` say what of the edit is not done.
    """

    hunks: tuple[Hunk, ...]
    reports: tuple[Report, ...] = ()
    anew: bool = False
    drops_final_newline: bool = False
    outcome: Outcome | None = None
    notes: tuple[str, ...] = ()

    def text(self, document: Document) -> str:
        return apply_hunks(document, self.hunks, drops_final_newline=self.drops_final_newline)


def operated(
    document: Document, operations: Sequence[Operation], within: LineRange | None, hangup: Hangup | None
) -> Placed:
    """What typed operations make of a document. Places that they leave, as these may be another's, and undefined names
    are told in the outcome: whoever names operation and target has said what is to change.

    Raises Cancelled between two operations once `hangup` was called.
    """
    # Not above: edits in other formats are `Placed` too.
    from fastedit.check.change import Change
    from fastedit.check.unbound import names_are_bound
    from fastedit.ops.carry import carry_out

    go_on = (lambda: None) if hangup is None else hangup.check
    outcome = carry_out(document, operations, go_on, within)
    unbound = names_are_bound(Change(document, outcome.hunks, None, None, "literal"))
    return Placed(outcome.hunks, outcome=replace(outcome, notes=(*outcome.notes, *unbound)))
