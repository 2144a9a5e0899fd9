"""`python -m evals.kernels`: every kernel on a GPU against its floor, its reference and what others offer.

The floor of a case is the larger of two times: the bytes that must be read or written once over the measured copy rate,
and the operations over the measured matrix rate. `share` is the floor over the time. Every case is compared with its
reference before it is timed; a case that differs is reported as wrong, without a time.

OPS is the registry: a kernel is not finished before it has an entry there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from importlib.metadata import version
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated

import torch
import typer

from evals.kernels import attention, layer
from evals.kernels.case import SHAPES, KernelCase, Make
from evals.publish import Json, KeptFigures, check_known, machine, percent, rows_table, shown
from evals.timing.ceilings import PassWork
from evals.timing.gpu import RESULTS, Gpu, check_gpu, cold_ms, gpu, graph_ms
from fastedit.console import reported
from fastedit.errors import UsageError, reason

LIMIT_S = 90  # of a case, with the start of its process
CLOSE = 1e-2  # relative error of bf16, by the norm
TIMED = ("7B", "70B")  # shapes
ROWS = (1, 16, 64, 256)
MOST_ROWS = {"tree_verify.reject": 16}  # drafts that are drawn at random are short

OPS: dict[str, Make] = {
    "tree_attention": attention.by_slot,
    "exact.attention": attention.by_position,
    "exact.linear": layer.linear,
    "tree_verify.pick": layer.pick,
    "tree_verify.draw": layer.draw,
    "tree_verify.reject": layer.reject,
    "tree_verify.walk": layer.walk,
    "kv.move": layer.move,
    "fused.add_norm": layer.add_norm,
    "fused.gate": layer.gate,
    "fused.rope_write": layer.rope_write,
}


@dataclass(frozen=True, slots=True)
class KernelOutcome:
    """Milliseconds, None where a case is wrong or, for a `reason`, could not be measured; `rivals` has those that could
    run (memory, support)."""

    case: KernelCase
    error: float | None
    ms: float | None
    work: PassWork
    floor_ms: float
    bound: str
    rivals: Mapping[str, float]
    reason: str = ""

    @property
    def share(self) -> float:
        return 0.0 if self.ms is None else self.floor_ms / self.ms

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | self.case._asdict() | self.work._asdict() | {"share": self.share}


def cases(quick: bool) -> Iterator[KernelCase]:
    """Attention over contexts and batches, everything else over rows; the smaller shape first."""
    if quick:
        yield from (KernelCase("tree_attention", "7B", *size) for size in ((1, 4096, 64), (4, 1024, 16)))
        yield KernelCase("tree_attention", "7B", 16, 4096, 1, shared=True)
        yield from (KernelCase(op, "7B", 1, 1024, 16) for op in OPS if op != "tree_attention")
        return
    for shape in TIMED:
        for context in (1024, 4096, 8192, 16384, 65536):
            yield from (KernelCase("tree_attention", shape, 1, context, rows) for rows in ROWS)
        for batch in (4, 16, 32):
            yield from (KernelCase("tree_attention", shape, batch, 8192, rows) for rows in ROWS[:-1])
            yield KernelCase("tree_attention", shape, batch, 8192, 1, shared=True)
        for op in OPS:
            if op != "tree_attention":
                context = 8192 if op == "exact.attention" else 64
                most = MOST_ROWS.get(op, ROWS[-1])
                yield from (KernelCase(op, shape, 1, context, rows) for rows in ROWS if rows <= most)


def outcomes(
    cases: Iterable[KernelCase], card: Gpu, measured: Callable[[KernelCase, Gpu], KernelOutcome]
) -> Iterator[KernelOutcome]:
    """Of each case, in another process. One that fails may hang, take that down, or leave a device on which nothing
    runs any more: the next one gets a new process."""
    pool: ProcessPoolExecutor | None = None
    for case in cases:
        pool = pool or ProcessPoolExecutor(1, get_context("spawn"))
        try:
            outcome = pool.submit(measured, case, card).result(LIMIT_S)
        except BrokenProcessPool:
            outcome = _failed(case, "took its process down")
        except TimeoutError:
            outcome = _failed(case, f"took more than {LIMIT_S} s")
        yield outcome
        if outcome.reason:
            for process in active_children():
                process.kill()
            pool.shutdown()
            pool = None
    if pool is not None:
        pool.shutdown()


def outcome_of(case: KernelCase, card: Gpu) -> KernelOutcome:
    """As `measure`; a case that ends in an error is one without a time."""
    try:
        return measure(case, card)
    except Exception as error:
        return _failed(case, reason(error)[:200])


def _failed(case: KernelCase, why: str) -> KernelOutcome:
    print(f"  {case.op} failed: {why}", file=sys.stderr)
    return KernelOutcome(case, None, None, PassWork(0, 0), 0.0, "", {}, why)


def measure(case: KernelCase, card: Gpu) -> KernelOutcome:
    torch.manual_seed(0)
    trial = OPS[case.op](case, SHAPES[case.shape], torch.bfloat16, torch.device("cuda"))
    error = trial.error()
    floor, bound = card.ceilings().floor(trial.work)
    floor *= 1000.0
    if not error < CLOSE:
        return KernelOutcome(case, error, None, trial.work, floor, bound, {})
    clock = cold_ms if trial.cold else graph_ms
    rivals = {
        name: ms
        for name, prepare in trial.rivals.items()
        if (ms := _try(f"{case.op}, {name}", lambda prepare=prepare: clock(prepare()))) is not None  # type: ignore[misc]
    }
    return KernelOutcome(case, error, clock(trial.run), trial.work, floor, bound, rivals)


def _try(name: str, run: Callable[[], float]) -> float | None:
    try:
        return run()
    except Exception as error:  # another's kernel may refuse a shape or run out of memory
        print(f"  skipped {name}: {reason(error)[:100]}", file=sys.stderr)
        return None


def show(outcomes: list[KernelOutcome]) -> str:
    return rows_table(
        {
            "kernel": o.case.op,
            "shape, batch x context x rows": f"{o.case.shape} {o.case.batch} x {o.case.context} x {o.case.rows}"
            f"{', shared' if o.case.shared else ''}",
            "ms": o.ms if o.ms is not None else "FAILED" if o.reason else "WRONG",
            "floor ms": o.floor_ms,
            "bound by": o.bound,
            "share": percent(o.share),
            "others, ms": ", ".join(f"{name} {shown(ms)}" for name, ms in o.rivals.items()) or None,
        }
        for o in outcomes
    )


@reported
def main(
    quick: Annotated[bool, typer.Option("--quick", help="A case or two of each kernel.")] = False,
    compiles: Annotated[
        bool, typer.Option("--compile", help="Compile for real GPUs, without one, and check what comes out.")
    ] = False,
    cards: Annotated[
        list[str] | None,
        typer.Option("--card", help="With --compile: sm_90, gfx942 ..; all of them by default."),
    ] = None,
    json_file: Json = None,
) -> None:
    """Every kernel: milliseconds, share of the floor, and the same by others; or what the compiler makes of it."""
    if compiles:
        _compile(cards or (), json_file or RESULTS / "kernels-compiled.json", quick=quick)
        return
    check_gpu()
    file = json_file or RESULTS / f"kernels{'-quick' if quick else ''}.json"
    card, found = gpu(), list[KernelOutcome]()
    torch.cuda.empty_cache()  # another process measures
    kept = KeptFigures(file, gpu=asdict(card), machine=machine(), quick=quick)
    print(f"{card}; {machine()}")
    for outcome in outcomes(cases(quick), card, outcome_of):
        found.append(outcome)
        kept.keep(cases=[outcome.as_dict() for outcome in found])
    print(show(found))
    print(f"wrote {file}")
    if any(outcome.ms is None for outcome in found):
        raise typer.Exit(1)


def _compile(cards: Sequence[str], file: Path, *, quick: bool) -> None:
    if os.environ.get("TRITON_INTERPRET") == "1":
        raise UsageError("nothing compiles in Triton's interpreter: unset TRITON_INTERPRET")
    from evals.kernels import compile as kernels_compile
    from evals.kernels.targets import CARDS, graphs_table, show_graphs

    check_known("card", cards, CARDS)
    names = cards or tuple(CARDS)
    graphs = list(graphs_table(names))
    kept, found = KeptFigures(file, triton=version("triton"), graphs=[asdict(one) for one in graphs]), []
    print(show_graphs(graphs))
    for one in kernels_compile.table_of(names, OPS, quick=quick):
        found.append(one)
        kept.keep(launches=[asdict(one) for one in found])
    print(kernels_compile.show(found))
    alarms = sum(bool(one.alarms) for one in found)
    print(f"{len(found)} launches compiled, {alarms} with an alarm; wrote {file}")
    if alarms:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
