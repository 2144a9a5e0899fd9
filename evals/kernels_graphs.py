"""For how many rows a GPU that need not be there would keep graphs: the runtime's own choice, with products that take
what the card's data sheet says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fastedit_kernels.tree_attention.plan import block_for, heights

from evals.ceilings import PassWork
from evals.kernels_case import SHAPES, ModelShape
from evals.kernels_targets import CARDS
from evals.publish import rows_table
from fastedit.model.buckets import LEAST, buckets_of, seconds_of
from fastedit.model.device import CACHE_SHARE
from fastedit.model.target import GPU_SHARE

MODELS = ("0.5B", "7B")
WIDTH = 2  # bytes of a number in bf16


@dataclass(frozen=True, slots=True)
class Graphs:
    """Of a model on a card. `graphs` is how many are captured when it is loaded, `logits` the bytes of the buffer that
    all write to, `memory` what it may take."""

    card: str
    model: str
    rows: tuple[int, ...]
    graphs: int
    logits: int
    memory: int


def table_of(names: Sequence[str]) -> Iterator[Graphs]:
    for name in names:
        for model in MODELS:
            yield graphs_of(name, model)


def graphs_of(name: str, model: str) -> Graphs:
    card, shape = CARDS[name], SHAPES[model]
    head = shape.vocab * shape.width

    def seconds(rows: int) -> float:
        return card.ceilings.floor(PassWork(WIDTH * head, 2 * rows * head))[0]

    memory = int(GPU_SHARE * (card.memory - WIDTH * _weights(shape))) // CACHE_SHARE
    found = buckets_of(heights(shape.heads, WIDTH), seconds_of(seconds), LEAST, WIDTH * shape.vocab, memory)
    samples = found.samples(lambda rows: block_for(rows, shape.heads, WIDTH))
    fitting = sum(sum(sample.counts) <= found.rows[-1] for sample in samples)
    return Graphs(name, model, found.rows, fitting, WIDTH * shape.vocab * found.rows[-1], memory)


def _weights(shape: ModelShape) -> int:
    """How many a model of this shape has, embedding and head apart."""
    heads = shape.heads
    attention = 2 * shape.width * heads.size * (heads.heads + heads.kv_heads)
    return shape.layers * (attention + 3 * shape.width * shape.inner) + 2 * shape.vocab * shape.width


def show(found: Iterable[Graphs]) -> str:
    return rows_table(
        {
            "card": f"{one.card} ({CARDS[one.card].example})",
            "model": one.model,
            "rows of the graphs": ", ".join(map(str, one.rows)),
            "graphs": one.graphs,
            "logits, MB": one.logits // 10**6,
            "at most, MB": one.memory // 10**6,
        }
        for one in found
    )
