"""A lean forward pass for the Llama family (Llama, Mistral, Qwen2, Qwen3), straight from its safetensors.

Arithmetic as in transformers' modules, with the causes of their overhead taken out: one matrix product for q,
k and v and one for gate and up, one mask a pass, no module calls, and no import of transformers, which takes
longer than a small edit. Products run in the weights' dtype; the residual stream, norms, RoPE, attention and
logits in float32.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from fastedit_kernels import fused
from fastedit_kernels.tree_attention.plan import Heads
from torch import Tensor

from fastedit.model.base import Inputs
from fastedit.model.packed import Pack, gated
from fastedit.model.quantize import Quantize

FAMILY = frozenset({"llama", "mistral", "qwen2", "qwen3"})


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a model, as its config.json gives them."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    theta: float
    eps: float
    vocab: int
    context: int
    tied: bool | None

    @classmethod
    def of(cls, config: dict[str, Any]) -> Shape | None:
        """None where the config asks for anything that this forward pass does not do, or leaves it open."""
        rope = config.get("rope_parameters") or config
        scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
        window = config.get("use_sliding_window", config.get("sliding_window") is not None)
        plain = (
            config.get("model_type") in FAMILY
            and config.get("hidden_act") == "silu"
            and scaling.get("rope_type", scaling.get("type", "default"))
            == "default"  # `type` is the older name
            and scaling.get("partial_rotary_factor", 1.0) == 1.0
            and not window
            and not config.get("attention_bias")
            and not config.get("mlp_bias")
            and set(config.get("layer_types") or ()) <= {"full_attention"}
            and "quantization_config" not in config
        )
        if not plain or "rope_theta" not in rope:
            return None
        heads = config["num_attention_heads"]
        return cls(
            layers=config["num_hidden_layers"],
            heads=heads,
            kv_heads=config.get("num_key_value_heads") or heads,
            head_dim=config.get("head_dim") or config["hidden_size"] // heads,
            theta=float(rope["rope_theta"]),
            eps=float(config["rms_norm_eps"]),
            vocab=config["vocab_size"],
            context=config["max_position_embeddings"],
            tied=config.get("tie_word_embeddings"),
        )


@dataclass(frozen=True, slots=True)
class LayerWeights:
    """Weights of one block; `qkv` and `gate_up` stack the products that share an input. In each head of q and k the
    numbers that RoPE turns together lie side by side. Packed for a processor, gate and up stay apart.

    `head_norm` is float32 [heads + kv_heads, head_dim], the norms of q and k (Qwen3 only).
    """

    norm: Tensor
    qkv: Tensor
    qkv_bias: Tensor | None
    head_norm: Tensor | None
    out: Tensor
    mlp_norm: Tensor
    gate_up: Tensor | tuple[Tensor, Tensor]
    down: Tensor


class FusedNetwork:
    """The Llama family. `weights` are named as transformers names them; they are taken out of the mapping. `quantize`
    is applied to every matrix of the blocks, `pack` to these and to the head.

    Raises KeyError for a weight that is missing, ValueError for one that this forward pass would not use or
    that has another size than `shape` says.
    """

    def __init__(
        self,
        shape: Shape,
        weights: dict[str, Tensor],
        dtype: torch.dtype,
        device: torch.device,
        quantize: Quantize | None = None,
        pack: Pack | None = None,
    ) -> None:
        self.shape = shape
        self.layers, self.vocab, self.context = shape.layers, shape.vocab, shape.context
        self.heads = Heads(shape.heads, shape.kv_heads, shape.head_dim)
        self.windows = frozenset[int | None]({None})
        self.ops: Any = fused  # products and what lies between: plain torch, or kernels of the same names
        self.kv_width = 2 * shape.layers * shape.kv_heads * shape.head_dim
        self._dtype, self._device, self._quantize, self._pack = dtype, device, quantize, pack
        self._blocks = [self._layer(weights, f"model.layers.{i}.") for i in range(shape.layers)]
        self._norm = self._full(weights.pop("model.norm.weight"))
        self.embedding = weights.pop("model.embed_tokens.weight").to(device, dtype)
        head = weights.pop("lm_head.weight", None)
        self.head = self.embedding if head is None or shape.tied else head.to(device, dtype)
        self.packed_head = self.head if pack is None else pack(self.head)
        unused = [name for name in weights if not name.endswith("rotary_emb.inv_freq")]
        if unused:
            raise ValueError(f"weights that no Llama, Mistral or Qwen model has: {', '.join(unused[:3])}")
        wide = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
        self.hidden = self.embedding.shape[1]
        if len(self.head) != shape.vocab or any(block.qkv.shape[0] != wide for block in self._blocks):
            raise ValueError("the weights have other sizes than config.json says")
        self._scale = shape.head_dim**-0.5
        half = torch.arange(0, shape.head_dim, 2, dtype=torch.float32, device=device)
        self._frequencies = 1.0 / shape.theta ** (half / shape.head_dim)

    def early(self, layers: int) -> FusedNetwork:
        """The same weights with an exit after so many layers, where the final norm and the head read."""
        first = copy(self)
        first.shape, first.layers = replace(self.shape, layers=layers), layers
        first.kv_width = self.kv_width // self.layers * layers
        first._blocks = self._blocks[:layers]
        return first

    def forward(self, inputs: Inputs) -> Tensor:
        ops, shape, dtype, memory = self.ops, self.shape, self._dtype, inputs.memory
        taps = inputs.taps
        whole = taps is not None and self.layers in taps.layers
        cos, sin = ops.turns(inputs.positions, self._frequencies)
        x, delta = F.embedding(inputs.tokens, self.embedding).float(), None
        for index, layer in enumerate(self._blocks):
            x, normed = ops.add_norm(x, delta, layer.norm, shape.eps, dtype)
            if taps is not None:
                taps.offer(index, x)
            qkv = ops.linear(normed, layer.qkv, layer.qkv_bias)
            place = memory.place(index, shape.kv_heads, shape.head_dim)
            q = ops.rope_write(qkv, cos, sin, layer.head_norm, shape.eps, *place)
            if index == self.layers - 1 and not whole and not len(inputs.wanted):
                return torch.empty(0, self.vocab, dtype=dtype, device=x.device)  # what stays is written
            out = memory.attend(index, q, scale=self._scale).flatten(1).to(dtype)
            if index == self.layers - 1 and not whole:  # only keys and values are needed of the other rows
                x, out = x[inputs.wanted], out[inputs.wanted]
            x, normed = ops.add_norm(x, ops.linear(out, layer.out), layer.mlp_norm, shape.eps, dtype)
            if isinstance(layer.gate_up, tuple):
                inner = gated(normed, *layer.gate_up)
            else:
                inner = ops.gate(ops.linear(normed, layer.gate_up))
            delta = ops.linear(inner, layer.down)
        _, normed = ops.add_norm(x, delta, self._norm, shape.eps, dtype)
        if taps is not None and whole:
            taps.offer(self.layers, normed)
            normed = normed[inputs.wanted]
        logits: Tensor = ops.linear(normed, self.packed_head)
        return logits

    def _layer(self, weights: dict[str, Tensor], prefix: str) -> LayerWeights:
        def take(*names: str) -> Tensor:
            parts = [self._part(name, weights.pop(f"{prefix}{name}")) for name in names]
            return torch.cat(parts).to(self._device, self._dtype)

        def matrix(*names: str) -> Tensor:
            wide = take(*(f"{name}.weight" for name in names))
            for change in (self._quantize, self._pack):
                wide = wide if change is None else change(wide)
            return wide

        mlp = ("mlp.gate_proj", "mlp.up_proj")
        attention = [f"self_attn.{name}_proj" for name in "qkv"]
        biased = f"{prefix}{attention[0]}.bias" in weights
        return LayerWeights(
            norm=self._full(weights.pop(f"{prefix}input_layernorm.weight")),
            qkv=matrix(*attention),
            qkv_bias=take(*(f"{name}.bias" for name in attention)) if biased else None,
            head_norm=self._head_norm(weights, prefix),
            out=matrix("self_attn.o_proj"),
            mlp_norm=self._full(weights.pop(f"{prefix}post_attention_layernorm.weight")),
            gate_up=matrix(*mlp) if self._pack is None else (matrix(mlp[0]), matrix(mlp[1])),
            down=matrix("mlp.down_proj"),
        )

    def _part(self, name: str, weight: Tensor) -> Tensor:
        """A matrix or bias; of q and k with the rows of each head in pairs."""
        return (
            paired(weight, self.shape.head_dim) if name.startswith(("self_attn.q", "self_attn.k")) else weight
        )

    def _head_norm(self, weights: dict[str, Tensor], prefix: str) -> Tensor | None:
        if f"{prefix}self_attn.q_norm.weight" not in weights:
            return None
        q = self._full(weights.pop(f"{prefix}self_attn.q_norm.weight"))
        k = self._full(weights.pop(f"{prefix}self_attn.k_norm.weight"))
        q, k = (paired(norm, self.shape.head_dim) for norm in (q, k))
        return torch.cat([q.expand(self.shape.heads, -1), k.expand(self.shape.kv_heads, -1)])

    def _full(self, weight: Tensor) -> Tensor:
        return weight.to(self._device, torch.float32)


def paired(weight: Tensor, size: int) -> Tensor:
    """Rows of heads of this size [heads * size, ..], each number of a head's first half followed by its partner in the
    second."""
    halves = weight.reshape(-1, 2, size // 2, *weight.shape[1:])
    return halves.transpose(1, 2).reshape(weight.shape)
