"""Whether a result may be delivered as `ok`."""

from __future__ import annotations

from fastedit.edit.checks import check
from fastedit.edit.hunks import Hunk, apply_hunks
from fastedit.edit.result import EditResult, Receipt, Status
from fastedit.engine.plan import Plan


def judge(plan: Plan, hunks: tuple[Hunk, ...], doubts: tuple[str, ...], receipt: Receipt) -> EditResult:
    """The result with its status: suspect where the checks, a second opinion or the plan itself give a reason."""
    request = plan.request
    reasons = [*doubts, *check(request.document, hunks, request.instruction, plan.update, plan.ranges)]
    if receipt.passes and not hunks and plan.update is None:
        reasons.append("the model changed nothing")
    alternative = None
    if receipt.model != "none" and plan.update is not None:
        predicted = plan.predicted
        if apply_hunks(request.document, predicted) != apply_hunks(request.document, hunks):
            reasons.append("the model and the predicted merge disagree")
            # On the dev edits the merge is right more often than the model where it is unsure of itself.
            hunks, alternative = (predicted, hunks) if request.policy == "auto" else (hunks, predicted)
    unique = tuple(dict.fromkeys(reasons))
    passed = Status.OK if hunks else Status.UNCHANGED
    status = Status.SUSPECT if unique else passed
    return EditResult(request.document, hunks, status, unique, receipt, alternative)
