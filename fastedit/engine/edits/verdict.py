"""Whether a result may be delivered as `ok`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from fastedit.check import Objection, check_literal, check_merge, check_written
from fastedit.engine.edits.described import not_carried_out
from fastedit.engine.edits.plan import EditPlan
from fastedit.readings import share
from fastedit.result import Alternative, EditResult, Receipt, Status
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks

if TYPE_CHECKING:
    from fastedit.engine.answers.answered import AnswerHunks
    from fastedit.engine.edits.calibration import Calibration
    from fastedit.engine.edits.operated import Placed
    from fastedit.engine.merge.merge import Merge
    from fastedit.engine.merge.reading import Reading

UNSURE = "the model is unsure of its answer"
UNCONFIRMED = "only the embedded model decided it"


def judge_predicted(plan: EditPlan, receipt: Receipt) -> EditResult:
    """What code alone makes of the request, as a result."""
    hunks = plan.predicted
    assert hunks is not None
    if plan.merge is not None:
        receipt.confidence = plan.merge.best.posterior
        return _result(plan, hunks, plan.doubts, receipt, _beside(plan.merge, plan.merge.best))
    # What someone has named is done; what it leaves is told with the result, as it is for typed operations.
    return _result(plan, hunks, plan.doubts, receipt)


def judge_placed(plan: EditPlan, placed: Placed, receipt: Receipt) -> EditResult:
    """An edit in another format than a sketch: done as its author wrote it, and held back where it breaks the file."""
    reasons = list[str]()
    if placed.outcome is None:  # operations see to that themselves
        document = plan.request.document
        reasons += map(str, check_literal(document, placed.hunks, anew=placed.anew, ignore=plan.ignore))
    return _result(plan, placed.hunks, reasons, receipt, drops_final_newline=placed.drops_final_newline)


def judge_choice(plan: EditPlan, chosen: Reading, receipt: Receipt) -> EditResult:
    """The reading of an update that a person or a model took: sure but for what the checks say."""
    assert plan.merge is not None
    receipt.confidence = chosen.posterior
    return _result(plan, chosen.hunks, chosen.faults, receipt, _beside(plan.merge, chosen))


def judge(
    plan: EditPlan,
    hunks: tuple[Hunk, ...],
    doubts: tuple[str, ...],
    receipt: Receipt,
    calibration: Calibration | None = None,
    *,
    strong: bool = False,
) -> EditResult:
    """A model's answer as a result: suspect where the checks, a second opinion or the plan itself give a reason.

    So does the model itself where it is unsure, unless the prediction, which knows nothing of it, says the same. One
    that is not `strong` was trained for edits alone, with a calibration or yet without: its agreement settles no doubt,
    and what it alone makes of an instruction is never sure.
    """
    request, predicted = plan.request, plan.predicted
    confidence = None if calibration is None else calibration.confidence(receipt.margin)
    receipt.confidence = confidence
    agreed = predicted is not None and apply_hunks(request.document, predicted) == apply_hunks(
        request.document, hunks
    )
    differs = predicted is not None and not agreed
    reasons = [f"the model and the predicted {'merge' if plan.merge else 'edit'} disagree"] if differs else []
    other = predicted if differs else None
    if differs and request.policy == "auto":
        # On the dev edits the prediction is right more often than the model, even where it is doubted.
        assert predicted is not None
        hunks, other = predicted, hunks
        reasons += (*plan.doubts, *map(str, _objections(plan, hunks)))
    else:
        # A command is done as its author named it, with a model as without.
        done = agreed and plan.merge is None and not strong
        reasons += (*doubts, *map(str, () if done else _objections(plan, hunks, strong=strong)))
        reasons += _beyond(plan, hunks)
        asked = receipt.passes and plan.merge is None
        if asked and not strong and not agreed:  # however sure it is
            said = UNCONFIRMED if hunks else "the embedded model changes nothing"
            why = f": {plan.unread}" if plan.unread else ""
            reasons.append(f"{said}{why}; connect a strong model")
        elif asked and not hunks:
            reasons.append("the model changed nothing")
        elif calibration and confidence is not None and confidence < calibration.suspect and not agreed:
            reasons.append(f"{UNSURE} (confidence {share(confidence)})")
    if agreed and not strong:
        reasons += plan.doubts
    return _result(plan, hunks, reasons, receipt, () if other is None else (Alternative(other),))


def judge_written(
    plan: EditPlan, read: AnswerHunks, receipt: Receipt, *, complete: bool = True
) -> EditResult:
    """What a strong model wrote: sure but for doubts about what it means, and for what breaks the file. One that is not
    `complete` is about a stretch of several."""
    document, merge = plan.request.document, plan.merge
    receipt.confidence = read.posterior
    receipt.rewritten_chars = changed_chars(document, read.hunks)
    objections = check_written(
        document,
        read.hunks,
        plan.request.instruction,
        plan.narrowed,
        leaves_out=read.leaves_out,
        complete=complete,
        ignore=plan.ignore,
    )
    reasons = [*read.open, *map(str, objections), *_beyond(plan, read.hunks)]
    if complete and not read.hunks and not read.drops_final_newline:
        reasons.append("the model's edit changes nothing")
    others = [Alternative(hunks) for hunks in read.others]
    if merge is not None and merge.best.sure and merge.best.hunks != read.hunks:
        reasons.append("the model and the predicted merge disagree")
        others.append(Alternative(merge.best.hunks))
    result = _result(
        plan, read.hunks, reasons, receipt, tuple(others), drops_final_newline=read.drops_final_newline
    )
    return replace(result, notes=(*result.notes, *read.notes), left=read.left)


def judge_nothing(plan: EditPlan, why: str, receipt: Receipt) -> EditResult:
    """The model would change nothing, and says why."""
    return replace(_result(plan, (), (), receipt), notes=(f"the model would change nothing: {why}",))


def changed_chars(document: Document, hunks: Iterable[Hunk]) -> int:
    """Characters of the lines that hunks take away and bring."""
    lines = document.lines
    return sum(len(line) + 1 for hunk in hunks for line in (*lines[hunk.start : hunk.stop], *hunk.lines))


def _beyond(plan: EditPlan, hunks: tuple[Hunk, ...]) -> tuple[str, ...]:
    """How what a model writes differs from the hunks that it was to place."""
    return () if plan.unplaced is None else tuple(plan.unplaced.differences(hunks))


def _beside(merge: Merge, taken: Reading) -> tuple[Alternative, ...]:
    """The readings that were not taken."""
    return tuple(
        Alternative(reading.hunks, number, reading.posterior)
        for number, reading in enumerate(merge.offered, 1)
        if reading is not taken
    )


def _result(
    plan: EditPlan,
    hunks: tuple[Hunk, ...],
    reasons: tuple[str, ...] | list[str],
    receipt: Receipt,
    alternatives: tuple[Alternative, ...] = (),
    *,
    drops_final_newline: bool = False,
) -> EditResult:
    unique = tuple(dict.fromkeys(reasons))
    passed = Status.OK if hunks or drops_final_newline else Status.UNCHANGED
    # A model's answer may be another text, of which operations say nothing.
    said = plan.outcome if plan.outcome is not None and plan.outcome.hunks == hunks else None
    document, beside = plan.request.document, plan.request.instruction if plan.request.update else None
    return EditResult(
        document,
        hunks,
        Status.SUSPECT if unique else passed,
        unique,
        receipt,
        alternatives,
        drops_final_newline,
        notes=(*plan.notes, *(said.notes if said else ()), *not_carried_out(beside, document, hunks)),
        left=said.left if said else (),
    )


def _objections(plan: EditPlan, hunks: tuple[Hunk, ...], *, strong: bool = False) -> tuple[Objection, ...]:
    """What speaks against the hunks; `strong` where a strong model wrote the regions anew."""
    request, ignore = plan.request, plan.ignore
    if plan.merge is not None and not strong:
        return check_merge(request.document, hunks, plan.merge.update, ignore=ignore)
    return check_written(
        request.document, hunks, request.instruction, plan.narrowed, leaves_out=True, ignore=ignore
    )
