"""Whether a result may be delivered as `ok`."""

from __future__ import annotations

from fastedit.edit import doubts as merge_doubts
from fastedit.edit.checks import check
from fastedit.edit.document import Document
from fastedit.edit.hunks import Hunk, apply_hunks, changed_lines, diff_lines
from fastedit.edit.request import LineRange
from fastedit.edit.result import EditResult, Receipt, Status
from fastedit.engine.calibration import Calibration
from fastedit.engine.plan import MORE, Plan

UNSURE = "the model is unsure of its answer"
# What stands where, goes or is code at all is left open: there the embedded model takes a sketch as the merge does,
# right or wrong. And a word that is not understood here may be one that it does not understand either.
SHARED = frozenset(
    {
        merge_doubts.SEVERAL_PLACES,
        merge_doubts.MANY_OMITTED,
        merge_doubts.OPEN_END,
        merge_doubts.NO_MARKERS,
        merge_doubts.DOTS,
        merge_doubts.UNKNOWN_WORD,
    }
)


def judge(
    plan: Plan,
    hunks: tuple[Hunk, ...],
    doubts: tuple[str, ...],
    receipt: Receipt,
    calibration: Calibration | None = None,
) -> EditResult:
    """The result with its status: suspect where the checks, a second opinion or the plan itself give a reason.

    So does the model itself where it is unsure, unless the prediction, which knows nothing of it, says the same. A
    model with a calibration is the embedded one, whose agreement does not settle the doubts that it shares.
    """
    request, predicted = plan.request, plan.predicted
    confidence = None if calibration is None else calibration.confidence(receipt.margin)
    receipt.confidence = confidence
    compared = receipt.model != "none" and plan.foreseen
    agreed = compared and apply_hunks(request.document, predicted) == apply_hunks(request.document, hunks)
    # What code alone makes of an instruction and doubts is no opinion beside a large model's.
    counts = plan.update is not None or not plan.doubts or calibration is not None
    differs = compared and not agreed and not plan.beyond and counts
    reasons = (
        [f"the model and the predicted {'merge' if plan.update else 'edit'} disagree"] if differs else []
    )
    alternative = predicted if differs else None
    if differs and request.policy == "auto":
        # On the dev edits the prediction is right more often than the model, even where it is doubted.
        hunks, alternative = predicted, hunks
        reasons += (*plan.doubts, *_checked(plan, hunks, plan.understood))
    else:
        reasons += (*doubts, *_checked(plan, hunks, receipt.model == "none" and plan.understood))
        if receipt.passes and not hunks and plan.update is None:
            reasons.append("the model changed nothing")
        if calibration and confidence is not None and confidence < calibration.suspect and not agreed:
            reasons.append(f"{UNSURE} (confidence {confidence:.2f})")
    if agreed and calibration is not None:
        reasons += (doubt for doubt in plan.doubts if doubt in SHARED)
    if agreed and plan.beyond:
        reasons.append(MORE)  # and nothing more was done
    unique = tuple(dict.fromkeys(reasons))
    passed = Status.OK if hunks else Status.UNCHANGED
    status = Status.SUSPECT if unique else passed
    return EditResult(request.document, hunks, status, unique, receipt, alternative)


def _checked(plan: Plan, hunks: tuple[Hunk, ...], foretold: bool) -> tuple[str, ...]:
    """What speaks against the hunks; `foretold` where code alone made them of the instruction."""
    request = plan.request
    if foretold and plan.update is not None:
        return _checked_in_turn(plan, hunks)
    return check(request.document, hunks, request.instruction, plan.update, plan.allowed, foretold=foretold)


def _checked_in_turn(plan: Plan, hunks: tuple[Hunk, ...]) -> tuple[str, ...]:
    """What speaks against the merge as what the update asks for, and against the rest as what the instruction does.

    An instruction may change lines that the update shows.
    """
    document, asked = plan.request.document, plan.request.instruction
    between = Document.from_text(apply_hunks(document, plan.merged), document.path)
    rest = diff_lines(between.lines, changed_lines(document.lines, hunks))
    everywhere = (LineRange(0, len(between.lines)),)
    return (
        *check(document, plan.merged, None, plan.update, plan.allowed),
        *check(between, rest, asked, None, everywhere, foretold=True),
    )
