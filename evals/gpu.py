"""`python -m evals.gpu`: whole real edits on a GPU, with random weights in the exact shapes of well-known models.

Every pass is really computed, verification included; only *which* tokens are accepted comes from the real edit
(REPLAYED): a random model would agree with no draft. Prompts are the file and its update, answers the whole new file,
in the embedded tokenizer's ids, which are shorter than those of the models whose shapes these are. The clock runs from
the prompt's ids to the last token. Beside it, with the same replay: the same passes without speculation, and
transformers' generate, plain and with prompt lookup, whose logits are overruled token by token.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Annotated

import torch
import typer

from evals.drafts import Case
from evals.gpu_machine import RESULTS, Gpu, gpu, lacking, matrix_rate
from evals.gpu_passes import matrices, measured, show_passes
from evals.gpu_shapes import SHAPES, Watched, random_target
from evals.gpu_ways import Speed, ours, plain, real_edits, theirs
from evals.machine import machine
from evals.publish import fail
from evals.table import table
from fastedit.decode.costs import measure
from fastedit.draft.budget import CostTable
from fastedit.errors import ModelUnavailable
from fastedit.model.fused import FusedNetwork
from fastedit.model.narrow import narrower
from fastedit.model.settings import DEFAULT, Exactness, Settings, Weights

LONGEST, QUICK_LONGEST = 16384, 4096  # tokens of prompt and answer
EDITS, QUICK_EDITS = 16, 2
WARM_TOKENS = 20  # of each answer, token by token: such passes are nearly all alike

Figures = dict[str, float]


def headline(
    ways: Sequence[Speed], gaps_ms: Sequence[float], row_operations: int, card: Gpu, *, fp8: bool = False
) -> Figures:
    """`ways` are those of `main`, in its order. Ratios are over the same edits.

    `slowest_x` is the request that gains least, of those made at once, against itself at once without speculation;
    `matrix_share` that part of the matrix rate (of bf16 or `fp8`) that the products of all rows but the head's make up.
    """
    alone, together, together_plain, plainly, *others = ways
    found = {
        "tokens_per_s": alone.rate,
        "x_no_speculation": alone.times_as_fast_as(plainly),
        "host_between_passes_us": 1000 * median(gaps_ms),
        "together_tokens_per_s": together.rate,
        "together_matrix_share": together.rows
        * row_operations
        / together.seconds
        / matrix_rate(card, fp8=fp8),
        "slowest_x": min(
            slow.seconds / fast.seconds
            for slow, fast in zip(together_plain.edits, together.edits, strict=True)
        ),
    }
    return found | {f"x_{way.way}": alone.times_as_fast_as(way) for way in others}


def operations_of(target: Watched) -> int:
    """Of one row in the products of all blocks."""
    network = target.network
    assert isinstance(network, FusedNetwork)
    return sum(2 * one.shape[0] * one.shape[1] for one in matrices(network) if one is not network.head)


def show(ways: Sequence[Speed], figures: Figures) -> str:
    body = [
        [one.way, str(one.at_once), str(len(one.edits)), str(one.tokens), f"{one.rate:.0f}",
         "yes" if one.reckoned else "-"]
        for one in ways
    ]  # fmt: skip
    rows = [[name.replace("_", " "), f"{value:.4g}"] for name, value in figures.items()]
    head = ["way", "at once", "edits", "tokens", "tokens/s", "reckoned from 200 tokens"]
    return f"{table(head, body)}\n{table(['headline', ''], rows)}"


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
    if shape not in SHAPES:
        raise typer.BadParameter(f"no shape {shape}: choose one of {', '.join(SHAPES)}")
    reason = lacking()
    if reason is not None:
        fail("evals.gpu", reason)
    settings = Settings(exactness, weights)
    file = json_file or RESULTS / f"{_name(shape, settings, quick=quick)}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    count, longest = (QUICK_EDITS, QUICK_LONGEST) if quick else (EDITS, LONGEST)
    device = torch.device("cuda")
    try:
        cases, (tuning,) = real_edits("test", count, longest), real_edits("dev", 1, longest)
        narrower(weights, device)  # before the card is measured: it may lack what that needs
    except (FileNotFoundError, ModelUnavailable) as error:
        fail("evals.gpu", error)
    card = gpu()
    print(
        f"{card}; {machine()}\nshape {shape}, {settings}, random weights; acceptance REPLAYED from real edits"
    )
    data: dict[str, object] = {
        "gpu": card.as_dict(),
        "machine": machine(),
        "shape": shape,
        "settings": asdict(settings),
        "quick": quick,
        "replayed": True,
    }

    def keep(**more: object) -> None:
        """After every step, so that an interrupted run leaves what it has."""
        data.update(more)
        file.write_text(json.dumps(data, indent=1))

    target = random_target(shape, device, settings)
    costs, passes = measure(target), list(measured(target, card))
    keep(passes=[asdict(one) | one.work._asdict() for one in passes], costs=asdict(costs))
    print(show_passes(passes))
    ways: list[Speed] = []

    def add(way: Speed) -> None:
        ways.append(way)
        keep(ways=[asdict(one) | {"rate": one.rate} for one in ways])

    for way in _ways(target, costs, cases, rows, count):
        add(way)
        if len(ways) == 1:
            gaps = list(target.gaps_ms)
            keep(host_between_passes_ms=gaps)
    row_operations = operations_of(target)
    graphs = target.kernels is not None and target.kernels.has_graphs
    del target
    gc.collect()  # its cache takes most of the card, which transformers needs next
    torch.cuda.empty_cache()
    if settings == DEFAULT and not quick:
        # transformers has neither setting, and the largest shape does not fit without.
        for way in theirs(shape, cases, tuning, device):
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


def _ways(target: Watched, costs: CostTable, cases: Sequence[Case], rows: int, count: int) -> Iterator[Speed]:
    """Ours, in the order that `headline` takes them. All but the last are gone through once before their time is
    taken: graphs are captured, and kernels compiled, for the sizes of pass that come up."""
    for way, speculation, at_once in (
        ("fastedit", True, 1),
        ("fastedit", True, count),
        ("fastedit, no speculation", False, count),
    ):
        for last in (False, True):
            target.gaps_ms.clear()
            most = None if speculation or last else WARM_TOKENS
            made = ours(
                target, costs, cases, way, speculation=speculation, at_once=at_once, rows=rows, most=most
            )
        yield made
    yield plain(target, costs, cases[:4])


def _name(shape: str, settings: Settings, *, quick: bool) -> str:
    """Of the file of figures."""
    parts = [shape, *(value for value in asdict(settings).values() if value != "default")]
    return "-".join([*parts, "quick"] if quick else parts)


if __name__ == "__main__":
    typer.run(main)
