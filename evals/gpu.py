"""`python -m evals.gpu`: whole real edits on a GPU, with random weights in the exact shapes of well-known models.

Every pass is really computed, verification included; only *which* tokens are accepted comes from the real edit
(REPLAYED): a random model would agree with no draft. Prompts are the file and its update, answers the whole new file,
in the embedded tokenizer's ids, which are shorter than those of the models whose shapes these are. The clock runs from
the prompt's ids to the last token. Beside it, with the same replay: the same passes without speculation, and
transformers' generate, plain and with prompt lookup, whose logits are overruled token by token.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from statistics import median
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import torch
import typer

from evals.publish import Json, KeptFigures, check_known, headline_table, machine, rows_table, tables
from evals.replay.edits import Case, drawn
from evals.replay.models import SHAPES, PassCost, Watched, random_model, random_target
from evals.replay.passes import ReplayedEdit
from evals.replay.ways import Ours, Way, theirs, tuned
from evals.timing.ceilings import PassWork
from evals.timing.gpu import RESULTS, Gpu, check_gpu, gpu
from fastedit.console import reported
from fastedit.decode.costs import measure
from fastedit.draft.budget import CostTable
from fastedit.model.quantize import quantizer
from fastedit.model.settings import DEFAULT, Exactness, ModelSettings, WeightFormat
from fastedit.model.target import Target

LONGEST, QUICK_LONGEST = 16384, 4096  # tokens of prompt and answer
EDITS, QUICK_EDITS = 16, 2
CONTEXT = 8192  # tokens before the passes that are timed by themselves
WARM_TOKENS = 20  # of each answer, token by token: such passes are nearly all alike
# Of each edit that is written token by token: every token costs the same, and whole files would take an hour.
PLAIN_TOKENS = 200
TUNED_ON = 1000  # tokens of an answer

Figures = dict[str, float]


class Speed(NamedTuple):
    """Edits made in one way, one after the other or all `at_once`; `answers` are the tokens of each whole answer."""

    way: str
    edits: Sequence[ReplayedEdit]
    answers: Sequence[int]
    at_once: bool = False

    @property
    def each_s(self) -> list[float]:
        """Seconds of each edit; where it was not written to its end, as if it had been."""
        return [one.whole_s(tokens) for one, tokens in zip(self.edits, self.answers, strict=True)]

    @property
    def seconds(self) -> float:
        return max(self.each_s) if self.at_once else sum(self.each_s)

    def times_as_fast_as(self, other: Speed) -> float:
        """Over the edits that both have made, one after the other."""
        both = min(len(self.edits), len(other.edits))
        return sum(other.each_s[:both]) / sum(self.each_s[:both])

    @property
    def name(self) -> str:
        return f"{self.way}, {len(self.edits) if self.at_once else 1} at once"

    def figures(self) -> dict[str, object]:
        """`reckoned`: from the first tokens of each answer."""
        return {
            "edits": len(self.edits),
            "tokens": sum(self.answers),
            "tokens_per_s": sum(self.answers) / self.seconds,
            "reckoned": any(
                one.tokens < tokens for one, tokens in zip(self.edits, self.answers, strict=True)
            ),
            "seconds": self.each_s,
            "passes": [len(one.passes) for one in self.edits],
            "rows": [one.rows for one in self.edits],
        }


def headline(
    ways: Sequence[Speed], gaps_ms: Sequence[float], row_operations: int, card: Gpu, *, fp8: bool = False
) -> Figures:
    """`ways` are those of `main`, in its order. Ratios are over the same edits.

    `slowest_x` is the request that gains least, of those made at once, against itself at once without speculation;
    `matrix_share` that part of the matrix rate (of bf16 or `fp8`) that the products of all rows but the head's make up.
    """
    alone, together, together_plain, plainly, *others = ways
    operations = row_operations * sum(one.rows for one in together.edits)
    found = {
        "tokens_per_s": sum(alone.answers) / alone.seconds,
        "x_no_speculation": alone.times_as_fast_as(plainly),
        "host_between_passes_us": 1000 * median(gaps_ms),
        "together_tokens_per_s": sum(together.answers) / together.seconds,
        "together_matrix_share": operations / together.seconds / card.ceilings(fp8=fp8).flop_per_s,
        "slowest_x": min(
            slow / fast for slow, fast in zip(together_plain.each_s, together.each_s, strict=True)
        ),
    }
    return found | {f"x_{way.way}": alone.times_as_fast_as(way) for way in others}


@reported
def main(
    shape: Annotated[str, typer.Option(help=f"One of {', '.join(SHAPES)}.")] = "qwen2.5-7b",
    quick: Annotated[bool, typer.Option("--quick", help="Two short edits, without transformers.")] = False,
    weights: Annotated[
        WeightFormat, typer.Option(help="The 70B shape fits on one card in fp8 only.")
    ] = "default",
    exactness: Annotated[Exactness, typer.Option(help="bitwise shows the price of exact mode.")] = "default",
    json_file: Json = None,
) -> None:
    """Output tokens a second over whole edits, replayed."""
    check_known("shape", [shape], SHAPES)
    check_gpu()
    settings = ModelSettings(exactness, weights)
    file = json_file or RESULTS / f"{_name(shape, settings, quick=quick)}.json"
    count, longest = (QUICK_EDITS, QUICK_LONGEST) if quick else (EDITS, LONGEST)
    device = torch.device("cuda")
    cases = list(islice(drawn("test", longest), count))
    tuning = next(drawn("dev", longest))
    quantizer(weights, device)  # before the card is measured: it may lack what that needs
    card = gpu()
    print(
        f"{card}; {machine()}\nshape {shape}, {settings}, random weights; acceptance REPLAYED from real edits"
    )
    keep = KeptFigures(
        file,
        gpu=asdict(card),
        machine=machine(),
        shape=shape,
        settings=asdict(settings),
        quick=quick,
        replayed=True,
    ).keep
    target = random_target(shape, device, settings)
    costs, passes = measure(target), list(measured(target, card))
    keep(passes=passes, costs=asdict(costs))
    print(rows_table(passes))
    ways: list[Speed] = []

    def add(way: Speed) -> None:
        ways.append(way)
        keep(ways={one.name: one.figures() for one in ways})

    for way in _ours(target, costs, cases):
        add(way)
        if len(ways) == 1:
            gaps = list(target.gaps_ms)
            keep(host_between_passes_ms=gaps)
    row_operations = PassCost.of(target).block
    graphs = target.kernels is not None and target.kernels.has_graphs
    del target
    gc.collect()  # its cache takes most of the card, which transformers needs next
    torch.cuda.empty_cache()
    if settings == DEFAULT and not quick:
        # transformers has neither setting, and the largest shape does not fit without.
        for way in _theirs(shape, cases, tuning, device):
            add(way)
    figures = headline(ways, gaps, row_operations, card, fp8=weights == "fp8")
    keep(headline=figures, graphs=graphs)
    print("\n".join((*tables({way.name: way.figures() for way in ways}), headline_table(figures))))
    print(f"wrote {file}")
    if not graphs:
        print(
            "evals.gpu: passes ran without CUDA graphs, see the log above: no figure counts", file=sys.stderr
        )
        raise typer.Exit(1)


def measured(target: Target, card: Gpu, context: int = CONTEXT) -> Iterator[dict[str, Any]]:
    """Passes of several row counts after `context` tokens. `weights_ms` is the time to read the weights once,
    `floor_ms` the larger of the times for all bytes and for all operations of the pass."""
    cost, fp8, table = PassCost.of(target), target.settings.weights == "fp8", measure(target, context)
    alone, _ = card.ceilings().floor(PassWork(cost.bytes, 0))
    for rows, ms in zip(table.rows, table.ms, strict=True):
        work = cost.work(rows, rows, context)
        floor, bound = card.ceilings(fp8=fp8).floor(work)
        times = {"ms": ms, "weights_ms": 1000 * alone, "floor_ms": 1000 * floor}
        yield {"rows": rows, "context": context} | times | {"bound": bound} | work._asdict()


def _ours(target: Watched, costs: CostTable, cases: Sequence[Case]) -> Iterator[Speed]:
    """In the order that `headline` takes them. All but the last are gone through once before their time is taken:
    graphs are captured, and kernels compiled, for the sizes of pass that come up."""
    plain = "fastedit, no speculation"
    for way, at_once in (("fastedit", False), ("fastedit", True), (plain, True)):
        engine = Ours(target, costs, speculation=way != plain)
        made(way, engine, cases, WARM_TOKENS if way == plain else None, at_once=at_once)
        target.gaps_ms.clear()
        yield made(way, engine, cases, at_once=at_once)
    yield made(plain, Ours(target, costs, speculation=False, rows=1), cases[:4], PLAIN_TOKENS)


def made(
    way: str, write: Way, cases: Sequence[Case], most: int | None = None, *, at_once: bool = False
) -> Speed:
    """The edits, of each answer its first `most` tokens; `at_once` is for the engine alone."""
    edits = (
        write.together(cases, most)
        if at_once and isinstance(write, Ours)
        else [write(case, most) for case in cases]
    )
    return Speed(way, edits, [len(wanted) for _, wanted in cases], at_once)


def _theirs(name: str, cases: Sequence[Case], tuning: Case, device: torch.device) -> Iterator[Speed]:
    """transformers' generate: plain, and with prompt lookup in that setting which is the fastest on `tuning`."""
    model = random_model(name, torch.bfloat16, device)
    plain = theirs(model, _now)
    plain(cases[0], WARM_TOKENS)
    lookup, setting = tuned(lambda one: theirs(model, _now, one), tuning, TUNED_ON)
    yield made("transformers", plain, cases[:2], PLAIN_TOKENS)
    yield made(f"transformers, prompt lookup {setting}", lookup, cases[:4])


def _now() -> float:
    """Seconds, when the device has done what it was asked for."""
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()
    return perf_counter()


def _name(shape: str, settings: ModelSettings, *, quick: bool) -> str:
    """Of the file of figures."""
    parts = [shape, *(value for value in asdict(settings).values() if value != "default")]
    return "-".join([*parts, "quick"] if quick else parts)


if __name__ == "__main__":
    typer.run(main)
