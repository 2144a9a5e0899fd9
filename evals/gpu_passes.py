"""Single passes of a model beside the time to read its weights and its cache once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from evals.ceilings import PassWork
from evals.gpu_machine import Gpu
from evals.publish import rows_table
from evals.replay.models import PassCost
from fastedit.decode.costs import measure
from fastedit.model.target import Target

CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class MeasuredPass:
    """`weights_ms` is the time to read the weights once, `floor_ms` the larger of the times for all bytes and for all
    operations of the pass."""

    rows: int
    context: int
    ms: float
    weights_ms: float
    floor_ms: float
    bound: str
    work: PassWork


def measured(target: Target, card: Gpu, context: int = CONTEXT) -> Iterator[MeasuredPass]:
    """Passes of several row counts after `context` tokens."""
    cost, fp8, table = PassCost.of(target), target.settings.weights == "fp8", measure(target, context)
    alone, _ = card.ceilings().floor(PassWork(cost.bytes, 0))
    for rows, ms in zip(table.rows, table.ms, strict=True):
        work = cost.work(rows, rows, context)
        floor, bound = card.ceilings(fp8=fp8).floor(work)
        yield MeasuredPass(rows, context, ms, 1000 * alone, 1000 * floor, bound, work)


def show_passes(passes: Iterable[MeasuredPass]) -> str:
    columns = [field.name for field in fields(MeasuredPass) if field.name != "work"]
    return rows_table({name: getattr(one, name) for name in columns} for one in passes)
