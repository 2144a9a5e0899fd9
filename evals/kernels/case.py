"""What a kernel's benchmark is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from fastedit_kernels.tree_attention.plan import Heads

from evals.timing.ceilings import PassWork


class ModelShape(NamedTuple):
    """The sizes of a model that its kernels see."""

    heads: Heads
    width: int
    inner: int
    vocab: int
    layers: int


# Qwen2.5-Coder-0.5B and CodeGemma-2B have the smaller and the larger size of a head.
SHAPES = {
    "7B": ModelShape(Heads(28, 4, 128), 3584, 18944, 152064, 28),
    "70B": ModelShape(Heads(64, 8, 128), 8192, 28672, 128256, 80),
    "0.5B": ModelShape(Heads(14, 2, 64), 896, 4864, 151936, 24),
    "2B, d256": ModelShape(Heads(8, 1, 256), 2048, 16384, 256000, 18),
}


class KernelCase(NamedTuple):
    """A pass over `batch` requests with `rows` rows each, after `context` tokens each, of which attention sees a
    `window`; the full pages of these are `shared` by all requests, or each has its own."""

    op: str
    shape: str
    batch: int
    context: int
    rows: int
    window: int | None = None
    shared: bool = False


Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Trial:
    """A case with its tensors on the device.

    `error` is how far `run` is from the reference, relative and by the norm, or the share of results that differ.
    `rivals` are the same by others, by name; calling one prepares it, compiling included. All are timed
    inside a CUDA graph, as a pass runs them, `cold` ones with an empty L2 cache, as what they read was not written just
    before.
    """

    run: Run
    error: Callable[[], float]
    work: PassWork
    rivals: Mapping[str, Callable[[], Run]] = field(default_factory=dict)
    cold: bool = False


Make = Callable[[KernelCase, ModelShape, torch.dtype, torch.device], Trial]
