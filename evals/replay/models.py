"""Models with random weights in the exact shapes of well-known ones, and what their passes must read and compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import torch
from fastedit_kernels.tree_verify.forest import Tree
from torch import Tensor

from evals.timing.ceilings import PassWork
from fastedit.model.base import Rows
from fastedit.model.device import Decided
from fastedit.model.fused import FusedNetwork, Shape
from fastedit.model.packed import packer
from fastedit.model.quantize import quantizer
from fastedit.model.settings import DEFAULT, ModelSettings
from fastedit.model.target import Target

SHAPES = {
    "qwen2.5-0.5b": ("qwen2", 24, 896, 4864, 14, 2, 151936, True),
    "qwen2.5-1.5b": ("qwen2", 28, 1536, 8960, 12, 2, 151936, True),
    "qwen2.5-7b": ("qwen2", 28, 3584, 18944, 28, 4, 152064, False),
    "llama-3-70b": ("llama", 80, 8192, 28672, 64, 8, 128256, False),
    # Of the embedded tokenizer's ids, to replay decisions with.
    "tiny": ("qwen2", 6, 16, 32, 2, 1, 4097, True),
    "qwen2.5-32b": ("qwen2", 64, 5120, 27648, 40, 8, 152064, False),
}
CONTEXT = 32768


class Watched(Target):
    """Notes, in `gaps_ms`, how long the host takes from the moment that a pass's outcome is back until the next pass is
    launched: the time in which the device has nothing to do. Says something of one edit at a time only.

    `logits` are the last pass's.
    """

    gaps_ms: list[float]
    logits: Tensor
    _back: float | None = None

    def begin(self) -> None:
        """What lies before the next pass does not count."""
        self._back = None

    def forward(self, rows: Rows) -> Tensor:
        self.logits = logits = super().forward(rows)
        if self._back is not None:
            self.gaps_ms.append(1000.0 * (perf_counter() - self._back))
        return logits

    def decide(
        self,
        logits: Tensor,
        trees: Sequence[Tree],
        rows: Rows,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[Decided] | None:
        decided = super().decide(logits, trees, rows, meanwhile)
        self._back = perf_counter()
        return decided


def random_config(name: str) -> dict[str, object]:
    kind, layers, width, inner, heads, kv_heads, vocab, tied = SHAPES[name]
    return {
        "model_type": kind, "hidden_act": "silu", "num_hidden_layers": layers, "hidden_size": width,
        "intermediate_size": inner, "num_attention_heads": heads, "num_key_value_heads": kv_heads,
        "vocab_size": vocab, "tie_word_embeddings": tied, "rms_norm_eps": 1e-6, "rope_theta": 1e6,
        "max_position_embeddings": CONTEXT,
    }  # fmt: skip


def random_target(
    name: str, device: torch.device, settings: ModelSettings = DEFAULT, dtype: torch.dtype = torch.bfloat16
) -> Watched:
    """A model of this shape with small random weights, made where it is to run."""
    config = random_config(name)
    shape = Shape.of(config)
    assert shape is not None
    network = FusedNetwork(
        shape,
        Random(name, device),
        dtype,
        device,
        quantizer(settings.weights, device),
        packer(dtype, device),
    )
    target = Watched(name, network, dtype, device, f"random {name}", settings)
    target.gaps_ms = []
    target.begin()
    return target


def random_model(name: str, dtype: torch.dtype, device: torch.device) -> Any:
    """transformers' model of this shape."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(**random_config(name))
    with device:
        return AutoModelForCausalLM.from_config(config, dtype=dtype).eval()


@dataclass(frozen=True, slots=True)
class PassCost:
    """Operations of a row in the blocks and in the head, and of a row for each slot that it attends to; bytes of all
    matrices, and of a slot of the cache."""

    block: int
    head: int
    slot: int
    bytes: int
    slot_bytes: int

    @classmethod
    def of(cls, target: Target) -> PassCost:
        network = target.network
        assert isinstance(network, FusedNetwork)
        every = list(_matrices(network))
        operations = [2 * one.shape[0] * one.shape[1] for one in every]
        return cls(
            sum(operations[:-1]),
            operations[-1],
            4 * network.layers * network.heads.heads * network.heads.size,
            sum(map(_stored, every)),
            network.kv_width * target.pool.dtype.itemsize,
        )

    def work(self, rows: int, wanted: int, before: int = 0) -> PassWork:
        """Of one pass of `rows` rows after `before` slots, `wanted` of them through the head."""
        seen = rows * before + rows * (rows + 1) // 2
        return PassWork(
            self.bytes + (before + rows) * self.slot_bytes,
            rows * self.block + wanted * self.head + seen * self.slot,
        )


def _matrices(network: FusedNetwork) -> Iterator[Tensor]:
    """Everything that a pass multiplies by, the head last; of the embedding it reads a few rows only."""
    for block in network._blocks:
        yield from (block.qkv, block.out, block.down)
        yield from (block.gate_up if isinstance(block.gate_up, tuple) else (block.gate_up,))
    yield network.head


def _stored(tensor: Any) -> int:
    """Bytes of a tensor, or of those that torchao has made of it."""
    if hasattr(tensor, "__tensor_flatten__"):
        names, _ = tensor.__tensor_flatten__()
        return sum(_stored(getattr(tensor, name)) for name in names)
    return int(tensor.nbytes)


class Random(dict[str, Tensor]):
    """Weights that are made when they are taken: all of the largest shape would not fit before they are quantized."""

    def __init__(self, name: str, device: torch.device) -> None:
        model = random_model(name, torch.bfloat16, torch.device("meta"))
        super().__init__(model.state_dict())
        if model.config.tie_word_embeddings:
            del self["lm_head.weight"]
        self._device = device

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        size = super().pop(name).shape
        if "norm" in name:
            return torch.ones(size, device=self._device)
        return torch.randn(size, device=self._device, dtype=torch.bfloat16) * 0.02
