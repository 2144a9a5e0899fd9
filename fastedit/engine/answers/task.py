"""What a strong model is asked for a plan, and in which way."""

from __future__ import annotations

from dataclasses import replace

from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.models.folder import chats, is_address, only_edits, takes_tools
from fastedit.errors import AnchorNotFound, InputRefused
from fastedit.plan.base import DocumentTask, Way
from fastedit.plan.context import is_whole
from fastedit.plan.price import PlanChoice, choose
from fastedit.result import Receipt


def planned(plan: EditPlan, model: str) -> tuple[DocumentTask, PlanChoice]:
    """What a model is asked, and how. One that runs here writes with drafts; one that does not chat only goes on with a
    text. An embedded one stands for a server's that chats and takes tools. Raises ModelUnavailable."""
    embedded = only_edits(model)
    drafted = not embedded and not is_address(model)
    talks, tools = embedded or chats(model), embedded or takes_tools(model)
    task = _task_of(plan)
    # What a change needs outside of the regions, such as an import, a rewrite brings only if it is of the whole file.
    whole = plan.request.plan == "auto" and talks and not drafted and plan.narrowed is None
    asked: Way | None = plan.request.plan if plan.request.plan != "auto" else None if talks else "rewrite"
    places = max(len(task.regions), 1)
    shown = replace(task, regions=()) if whole else task
    choice = choose(shown, asked, places=places, drafted=drafted, tools=tools)
    return (shown if choice.way == "rewrite" else task), choice


def is_placed(task: DocumentTask) -> bool:
    """Whether the prompt shows what is to be changed, as far as that is known."""
    return bool(task.regions) or is_whole(task)


def _task_of(plan: EditPlan) -> DocumentTask:
    """What a model is to do, and where as far as the instruction tells."""
    request = plan.request
    task = DocumentTask(
        request.document,
        (request.instruction or "").strip() or None,
        plan.language,
        scope=plan.narrowed,
        update=request.update,
        unplaced=plan.unplaced.told if plan.unplaced else None,
        conventions=request.conventions,
        ignore=plan.ignore,
    )
    try:
        return replace(task, regions=tuple(part.region for part in plan.parts))
    except (AnchorNotFound, InputRefused):
        return task  # the file, or its outline, says more


def note(receipt: Receipt, *choices: PlanChoice) -> None:
    """Writes down the way taken and what it is expected to cost."""
    receipt.plan, receipt.other_plan = choices[0].way, choices[0].other
    receipt.plan_tokens = sum(choice.tokens for choice in choices)
    others = [choice.other_tokens for choice in choices if choice.other_tokens is not None]
    receipt.other_plan_tokens = sum(others) if others else None
