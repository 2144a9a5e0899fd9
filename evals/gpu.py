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
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

import torch
import typer

from evals.gpu_machine import RESULTS, Gpu, check_gpu, gpu
from evals.gpu_passes import measured, show_passes
from evals.machine import machine
from evals.publish import Kept, check_known, headline_table, tables
from evals.replay.edits import Case, drawn
from evals.replay.models import SHAPES, PassCost, Watched, random_model, random_target
from evals.replay.ways import Ours, Way, Written, theirs, tuned
from fastedit.console import reported
from fastedit.decode.costs import measure
from fastedit.draft.budget import CostTable
from fastedit.model.narrow import narrower
from fastedit.model.settings import DEFAULT, Exactness, Settings, Weights

LONGEST, QUICK_LONGEST = 16384, 4096  # tokens of prompt and answer
EDITS, QUICK_EDITS = 16, 2
WARM_TOKENS = 20  # of each answer, token by token: such passes are nearly all alike
# Of each edit that is written token by token: every token costs the same, and whole files would take an hour.
PLAIN_TOKENS = 200
TUNED_ON = 1000  # tokens of an answer

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Speed:
    """The first edits of the run, made in one way, `at_once` at a time. `answers` are the tokens of each whole answer,
    and the whole lasts from each group's start to its last edit's end."""

    way: str
    at_once: int
    edits: tuple[Written, ...]
    answers: tuple[int, ...]

    @property
    def each_s(self) -> list[float]:
        """Seconds of each edit; where it was not written to its end, as if it had been."""
        return [one.whole_s(tokens) for one, tokens in zip(self.edits, self.answers, strict=True)]

    @property
    def seconds(self) -> float:
        groups = range(0, len(self.edits), self.at_once)
        return sum(max(self.each_s[start : start + self.at_once]) for start in groups)

    @property
    def tokens(self) -> int:
        return sum(self.answers)

    @property
    def rate(self) -> float:
        return self.tokens / self.seconds

    @property
    def reckoned(self) -> bool:
        return any(one.tokens < tokens for one, tokens in zip(self.edits, self.answers, strict=True))

    def times_as_fast_as(self, other: Speed) -> float:
        """Over the edits that both have made, one at a time."""
        both = min(len(self.edits), len(other.edits))
        return sum(other.each_s[:both]) / sum(self.each_s[:both])

    @property
    def name(self) -> str:
        return f"{self.way}, {self.at_once} at once"

    def figures(self) -> dict[str, object]:
        return {
            "edits": len(self.edits),
            "tokens": self.tokens,
            "tokens_per_s": self.rate,
            "reckoned": self.reckoned,
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
        "tokens_per_s": alone.rate,
        "x_no_speculation": alone.times_as_fast_as(plainly),
        "host_between_passes_us": 1000 * median(gaps_ms),
        "together_tokens_per_s": together.rate,
        "together_matrix_share": operations / together.seconds / card.ceilings(fp8=fp8).flop_per_s,
        "slowest_x": min(
            slow / fast for slow, fast in zip(together_plain.each_s, together.each_s, strict=True)
        ),
    }
    return found | {f"x_{way.way}": alone.times_as_fast_as(way) for way in others}


def show(ways: Sequence[Speed], figures: Figures) -> str:
    """`reckoned`: from the first tokens of each answer."""
    return "\n".join((*tables({way.name: way.figures() for way in ways}), headline_table(figures)))


@reported
def main(
    shape: Annotated[str, typer.Option(help=f"One of {', '.join(SHAPES)}.")] = "qwen2.5-7b",
    quick: Annotated[bool, typer.Option("--quick", help="Two short edits, without transformers.")] = False,
    rows: Annotated[int, typer.Option(help="Rows of one edit in a pass, at most.")] = 256,
    weights: Annotated[Weights, typer.Option(help="The 70B shape fits on one card in fp8 only.")] = "default",
    exactness: Annotated[Exactness, typer.Option(help="bitwise shows the price of exact mode.")] = "default",
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Where figures go instead of evals/results/gpu.")
    ] = None,
) -> None:
    """Output tokens a second over whole edits, replayed."""
    check_known("shape", [shape], SHAPES)
    check_gpu()
    settings = Settings(exactness, weights)
    file = json_file or RESULTS / f"{_name(shape, settings, quick=quick)}.json"
    count, longest = (QUICK_EDITS, QUICK_LONGEST) if quick else (EDITS, LONGEST)
    device = torch.device("cuda")
    cases = list(islice(drawn("test", longest), count))
    tuning = next(drawn("dev", longest))
    narrower(weights, device)  # before the card is measured: it may lack what that needs
    card = gpu()
    print(
        f"{card}; {machine()}\nshape {shape}, {settings}, random weights; acceptance REPLAYED from real edits"
    )
    keep = Kept(
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
    keep(passes=[asdict(one) | one.work._asdict() for one in passes], costs=asdict(costs))
    print(show_passes(passes))
    ways: list[Speed] = []

    def add(way: Speed) -> None:
        ways.append(way)
        keep(ways={one.name: one.figures() for one in ways})

    for way in _ours(target, costs, cases, rows, count):
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
    print(show(ways, figures))
    print(f"wrote {file}")
    if not graphs:
        print(
            "evals.gpu: passes ran without CUDA graphs, see the log above: no figure counts", file=sys.stderr
        )
        raise typer.Exit(1)


def _ours(target: Watched, costs: CostTable, cases: Sequence[Case], rows: int, count: int) -> Iterator[Speed]:
    """In the order that `headline` takes them. All but the last are gone through once before their time is taken:
    graphs are captured, and kernels compiled, for the sizes of pass that come up."""
    for way, speculation, at_once in (
        ("fastedit", True, 1),
        ("fastedit", True, count),
        ("fastedit, no speculation", False, count),
    ):
        engine = Ours(target, costs, speculation=speculation, rows=rows)
        together(way, engine, cases, at_once, None if speculation else WARM_TOKENS)
        target.gaps_ms.clear()
        yield together(way, engine, cases, at_once)
    plain = Ours(target, costs, speculation=False, rows=1)
    yield together("fastedit, no speculation", plain, cases[:4], 1, PLAIN_TOKENS)


def together(way: str, engine: Ours, cases: Sequence[Case], at_once: int, most: int | None = None) -> Speed:
    """Each group to its end before the next; of each answer its first `most` tokens."""
    groups = (cases[start : start + at_once] for start in range(0, len(cases), at_once))
    edits = tuple(one for group in groups for one in engine.together(group, most))
    return Speed(way, at_once, edits, tuple(len(wanted) for _, wanted in cases))


def _theirs(name: str, cases: Sequence[Case], tuning: Case, device: torch.device) -> Iterator[Speed]:
    """transformers' generate: plain, and with prompt lookup in that setting which is the fastest on `tuning`."""
    model = random_model(name, torch.bfloat16, device)
    plain = theirs(model, _now)
    plain(cases[0], WARM_TOKENS)
    lookup, setting = tuned(lambda one: theirs(model, _now, one), tuning, TUNED_ON)
    ways: tuple[tuple[str, Way, int, int | None], ...] = (
        ("transformers", plain, 2, PLAIN_TOKENS),
        (f"transformers, prompt lookup {setting}", lookup, 4, None),
    )
    for title, way, count, most in ways:
        answers = tuple(len(wanted) for _, wanted in cases[:count])
        yield Speed(title, 1, tuple(way(found, most) for found in cases[:count]), answers)


def _now() -> float:
    """Seconds, when the device has done what it was asked for."""
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()
    return perf_counter()


def _name(shape: str, settings: Settings, *, quick: bool) -> str:
    """Of the file of figures."""
    parts = [shape, *(value for value in asdict(settings).values() if value != "default")]
    return "-".join([*parts, "quick"] if quick else parts)


if __name__ == "__main__":
    typer.run(main)
