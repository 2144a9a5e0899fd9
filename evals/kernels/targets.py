"""The GPUs that kernels are compiled for where there is none: what they are called and what they hold, and for how many
rows they would keep graphs, by the runtime's own choice, with products that take what the card's data sheet says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

from fastedit_kernels.occupancy import RESERVED, Limits
from fastedit_kernels.tree_attention.plan import block_for, heights
from triton.backends.compiler import GPUTarget

from evals.kernels.case import SHAPES, ModelShape
from evals.publish import rows_table
from evals.timing.ceilings import Ceilings, PassWork
from fastedit.model.buckets import LEAST, buckets_of, seconds_of
from fastedit.model.device import CACHE_SHARE
from fastedit.model.target import GPU_SHARE

MODELS = ("0.5B", "7B")
WIDTH = 2  # bytes of a number in bf16


class Card(NamedTuple):
    """`example` is a card of this kind; `ceilings` are what its data sheet says of memory and of products in bfloat16
    that are summed in float32, `memory` its bytes."""

    example: str
    target: GPUTarget
    limits: Limits
    ceilings: Ceilings
    memory: int


# From the CUDA programming guide's table of compute capabilities, AMD's CDNA3 architecture guide, and data sheets.
CARDS = {
    "sm_80": Card(
        "A100", GPUTarget("cuda", 80, 32),
        Limits(65536, 163 << 10, 164 << 10, 2048, RESERVED), Ceilings(2.039e12, 312e12), 80 * 10**9,
    ),
    "sm_89": Card(
        "RTX 4090", GPUTarget("cuda", 89, 32),
        Limits(65536, 99 << 10, 100 << 10, 1536, RESERVED), Ceilings(1.008e12, 165.2e12), 24 * 10**9,
    ),
    "sm_90": Card(
        "H200", GPUTarget("cuda", 90, 32),
        Limits(65536, 227 << 10, 228 << 10, 2048, RESERVED), Ceilings(4.8e12, 989e12), 141 * 10**9,
    ),
    "sm_100": Card(
        "B200", GPUTarget("cuda", 100, 32),
        Limits(65536, 227 << 10, 228 << 10, 2048, RESERVED), Ceilings(8e12, 2.25e15), 180 * 10**9,
    ),
    "sm_120": Card(
        "RTX 5090", GPUTarget("cuda", 120, 32),
        Limits(65536, 99 << 10, 100 << 10, 1536, RESERVED), Ceilings(1.792e12, 209.5e12), 32 * 10**9,
    ),
    "gfx942": Card(
        "MI300X", GPUTarget("hip", "gfx942", 64),
        Limits(131072, 64 << 10, 64 << 10, 2048, 0), Ceilings(5.3e12, 1307e12), 192 * 10**9,
    ),
}  # fmt: skip


class Absent:
    """Stands where Triton looks for a GPU's driver: says which card to compile for, and launches nothing."""

    def __init__(self, card: Card) -> None:
        self._card = card
        properties = {"max_shared_mem": card.limits.shared_a_block}
        self.utils = SimpleNamespace(get_device_properties=lambda device: properties)

    def get_current_target(self) -> GPUTarget:
        return self._card.target

    def get_current_device(self) -> str:
        """Launches are cached by device: one a card."""
        return self._card.example

    def get_current_stream(self, device: str) -> int:
        return 0


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


def graphs_table(names: Sequence[str]) -> Iterator[Graphs]:
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


def show_graphs(found: Iterable[Graphs]) -> str:
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
