"""The regions of a plan, rewritten one by one by a model that runs here."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from fastedit.engine.edits.calibration import calibration_of
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.edits.verdict import judge
from fastedit.engine.events import Event, Progressed, of_all
from fastedit.engine.models.folder import model_folder
from fastedit.engine.models.local import loaded
from fastedit.model.settings import ModelSettings
from fastedit.result import EditResult, Receipt
from fastedit.source.hunks import Hunk

if TYPE_CHECKING:
    from fastedit.engine.models.rewrite import Rewrite
    from fastedit.plan.base import DocumentTask


def rewrites(
    model: str, settings: ModelSettings, plan: EditPlan, receipt: Receipt, told: DocumentTask | None = None
) -> Iterator[Rewrite]:
    """One rewrite a part; `told` is what a model that was not trained for edits alone is told of the file."""
    ready = loaded(model, settings)
    from fastedit.engine.models.rewrite import Rewrite, with_surroundings

    for part in plan.parts:
        task = part.task if told is None else with_surroundings(part, told)
        yield Rewrite(ready, plan.request, part._replace(task=task), receipt)


def rewritten(
    model: str,
    settings: ModelSettings,
    plan: EditPlan,
    receipt: Receipt,
    started: float,
    told: DocumentTask | None = None,
    *,
    live: bool,
) -> Generator[Event, None, EditResult]:
    """The model's answers as a result; where they are `live`, hunks come while they are written. `started` is when the
    edit was, by `time.perf_counter`. Raises TooLong."""
    receipt.rewritten_chars = sum(len(line) + 1 for part in plan.parts for line in part.task.lines)
    hunks: list[Hunk] = []
    doubts = list(plan.guesses)
    for region, rewrite in enumerate(rewrites(model, settings, plan, receipt, told), 1):
        for event in rewrite:
            if isinstance(event, Progressed):
                yield of_all(event.progress, receipt, region, len(plan.parts))
                continue
            receipt.first_hunk_ms = receipt.first_hunk_ms or 1000.0 * (time.perf_counter() - started)
            hunks.append(event.hunk)
            if live:
                yield event
        doubts += rewrite.doubts
    calibration = calibration_of(model_folder(model))
    return judge(plan, tuple(hunks), tuple(doubts), receipt, calibration, strong=told is not None)
