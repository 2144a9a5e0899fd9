"""EAGLE heads: one decoder layer that reads the target's hidden states and guesses what the target writes next.

Li et al. 2024 (EAGLE), 2024 (EAGLE-2: the same head, a tree grown by confidence), 2025 (EAGLE-3). The head's row t
holds the target's state of token t and the embedding of token t + 1, and predicts token t + 2. After the last token
that the target has seen, the head's own output stands for the state that is missing.

The arithmetic is the same in training and in use, so it knows nothing of batches, caches or trees: whoever calls it
brings the attention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple, Self

import torch
import torch.nn.functional as F
from fastedit_kernels.fused import linear
from torch import Tensor, nn

from fastedit.model.packed import gated, packer

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
"""q [..., heads, d], k and v [..., kv_heads, d] of the rows -> [..., heads, d]; keys turned by RoPE."""


class Llama3Rope(NamedTuple):
    """How Llama 3.1 stretches its context."""

    factor: float
    low: float
    high: float
    original: float


@dataclass(frozen=True, slots=True)
class HeadShape:
    """What an EAGLE head is made of.

    `generation` 3 reads the states that enter `layers` of the target and has a vocabulary of its own; 1 (also EAGLE-2's
    heads) reads what the target's final norm gives out and uses its output matrix. `vocab` and `target_hidden` are the
    target's sizes.

    `norm_before_fc`: the states are normed, all together, before they are fused; `fc_norm`: each by itself.
    `query_norms`: queries and keys are normed, head by head (Qwen3). `norm_before_residual`: what the layer adds to is
    the normed state. `post_norm`: the final norm's output is what the next step gets (speculators'
    `norm_output`), not only what the vocabulary is asked with.
    """

    generation: int
    hidden: int
    target_hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    draft_vocab: int
    layers: tuple[int, ...]
    theta: float = 10000.0
    rope: Llama3Rope | None = None
    eps: float = 1e-6
    norm_before_fc: bool = False
    fc_norm: bool = False
    norm_before_residual: bool = False
    post_norm: bool = False
    fc_bias: bool = False
    attention_bias: bool = False
    query_norms: bool = False


class Product(nn.Linear):
    """A matrix that may be packed for a processor."""

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


class EagleHead(nn.Module):
    """Parameters are named as the speculators library names them.

    `embedding` [vocab, hidden] is the target's own, None where the head brings one; `output` [vocab, hidden] is the
    target's output matrix, which only generation 1 uses. Neither is a parameter.
    """

    def __init__(self, shape: HeadShape, embedding: Tensor | None, output: Tensor | None) -> None:
        super().__init__()
        self.shape = shape
        wide = shape.hidden * 2
        fused = shape.target_hidden * len(shape.layers) if shape.generation == 3 else wide
        self.fc = Product(fused, shape.hidden, bias=shape.fc_bias)
        first = (
            HeadLayer(shape, wide, "input_layernorm", "hidden_norm")
            if shape.generation == 3
            else HeadLayer(shape, shape.hidden)
        )
        self.layers = nn.ModuleList([first])
        self.embed_tokens = nn.Embedding(shape.vocab, shape.hidden) if embedding is None else None
        self.input_norm = nn.RMSNorm(fused, eps=shape.eps) if shape.norm_before_fc else None
        each = [nn.RMSNorm(shape.target_hidden, eps=shape.eps) for _ in shape.layers]
        self.fc_norm = nn.ModuleList(each) if shape.fc_norm else None
        self._embedding = None if embedding is None else embedding.detach()
        self._output = None if output is None else output.detach()
        if shape.generation == 3:
            self.norm = nn.RMSNorm(shape.hidden, eps=shape.eps)
            self.lm_head = Product(shape.hidden, shape.draft_vocab, bias=False)
            self.register_buffer("d2t", torch.zeros(shape.draft_vocab, dtype=torch.int64))

    @property
    def reads(self) -> tuple[int, ...]:
        """The layers of the target whose inputs a row reads, one after the other."""
        return self.shape.layers

    @property
    def width(self) -> int:
        """Of the target's states."""
        return self.shape.target_hidden

    @property
    def device(self) -> torch.device:
        return self.fc.weight.device

    @property
    def layer(self) -> HeadLayer:
        layer = self.layers[0]
        assert isinstance(layer, HeadLayer)
        return layer

    def copy(self, dtype: torch.dtype) -> EagleHead:
        """Another head with the same weights, for drafting; embedding and output stay shared with the target."""
        with torch.device(self.device):
            head = EagleHead(self.shape, self._embedding, self._output)
        head.load_state_dict(self.state_dict())
        return head.to(dtype).eval().requires_grad_(False)

    def packed(self, output: Tensor) -> Self:
        """Another head with the same tensors, for drafting: packed where the processor has products of packed
        matrices. `output` is the target's output matrix as its own products read it."""
        shared = [*self.parameters(), *self.buffers(), self._embedding, self._output]
        other = deepcopy(self, {id(tensor): tensor for tensor in shared if tensor is not None})
        if (pack := packer(self.fc.weight.dtype, self.device)) is not None:
            for part in other.modules():
                if isinstance(part, Product):
                    part.weight = nn.Parameter(pack(part.weight), requires_grad=False)
            other._output = output
        return other

    def target_ids(self, ids: Tensor) -> Tensor:
        """The target's ids of ids of the draft vocabulary."""
        if self.shape.generation != 3:
            return ids
        offsets: Tensor = self.d2t  # type: ignore[assignment]
        return ids + offsets[ids]

    def fuse(self, states: Tensor) -> Tensor:
        """The target's states [..., layers * target_hidden] -> what a row starts from [..., hidden]."""
        states = states.to(self.fc.weight.dtype)
        if self.shape.generation != 3:
            return states
        if self.input_norm is not None:
            states = self.input_norm(states)
        if self.fc_norm is not None:
            parts = states.chunk(len(self.fc_norm), dim=-1)
            states = torch.cat([norm(part) for norm, part in zip(self.fc_norm, parts, strict=True)], dim=-1)
        fused: Tensor = self.fc(states)
        return fused

    def forward(
        self, tokens: Tensor, hidden: Tensor, positions: Tensor, attend: Attend
    ) -> tuple[Tensor, Tensor]:
        """tokens and positions [...], hidden [..., hidden] -> what the next step starts from, and what the vocabulary
        is asked with, both [..., hidden]."""
        residual, x = self.enter(tokens, hidden)
        out = self.layer(residual, x, positions, attend)
        if self.shape.generation != 3:
            return out, out
        asked = self.norm(out)
        return (asked if self.shape.post_norm else out), asked

    def keys(self, tokens: Tensor, hidden: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [..., kv_heads, d] of rows of which nothing else is wanted."""
        _, key, value = self.layer.project(self.enter(tokens, hidden)[1], positions)
        return key, value

    def enter(self, tokens: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """What the layer adds to, and what its attention reads."""
        embedding = self._embedding if self.embed_tokens is None else self.embed_tokens.weight
        assert embedding is not None
        embeds = F.embedding(tokens, embedding).to(hidden.dtype)
        if self.shape.generation != 3:
            fused = self.fc(torch.cat([embeds, hidden], dim=-1))
            return fused, fused
        normed = self.layer.hidden_norm(hidden)
        residual = normed if self.shape.norm_before_residual else hidden
        return residual, torch.cat([self.layer.input_layernorm(embeds), normed], dim=-1)

    def logits(self, asked: Tensor) -> Tensor:
        """[..., draft_vocab]."""
        if self.shape.generation == 3:
            logits: Tensor = self.lm_head(asked)
            return logits
        assert self._output is not None
        return linear(asked, self._output.to(asked.dtype))


class _Attention(nn.Module):
    def __init__(self, shape: HeadShape, width: int) -> None:
        super().__init__()
        inner, kv, bias = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim, shape.attention_bias
        self.q_proj = Product(width, inner, bias=bias)
        self.k_proj = Product(width, kv, bias=bias)
        self.v_proj = Product(width, kv, bias=bias)
        self.o_proj = Product(inner, shape.hidden, bias=False)
        if shape.query_norms:
            self.q_norm = nn.RMSNorm(shape.head_dim, eps=shape.eps)
            self.k_norm = nn.RMSNorm(shape.head_dim, eps=shape.eps)


class _Mlp(nn.Module):
    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.gate_proj = Product(shape.hidden, shape.intermediate, bias=False)
        self.up_proj = Product(shape.hidden, shape.intermediate, bias=False)
        self.down_proj = Product(shape.intermediate, shape.hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate, up = self.gate_proj.weight, self.up_proj.weight
        inner = gated(x, gate, up) if gate.is_mkldnn else F.silu(linear(x, gate)) * linear(x, up)
        out: Tensor = self.down_proj(inner)
        return out


class HeadLayer(nn.Module):
    """A Llama layer whose attention reads rows of `width`. `norms` are those that whoever calls it norms them with."""

    input_layernorm: nn.RMSNorm
    hidden_norm: nn.RMSNorm

    def __init__(self, shape: HeadShape, width: int, *norms: str) -> None:
        super().__init__()
        self.shape = shape
        for name in norms:
            setattr(self, name, nn.RMSNorm(shape.hidden, eps=shape.eps))
        self.self_attn = _Attention(shape, width)
        self.post_attention_layernorm = nn.RMSNorm(shape.hidden, eps=shape.eps)
        self.mlp = _Mlp(shape)

    def forward(self, residual: Tensor, x: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """What the layer adds to, and what its attention reads, both [..., width of its own]."""
        q, k, v = self.project(x, positions)
        residual = residual + self.self_attn.o_proj(attend(q, k, v).flatten(-2))
        out: Tensor = residual + self.mlp(self.post_attention_layernorm(residual))
        return out

    def project(self, x: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        attention, shape, size = self.self_attn, self.shape, self.shape.head_dim
        q, k, v = (
            product(x).unflatten(-1, (-1, size))
            for product in (attention.q_proj, attention.k_proj, attention.v_proj)
        )
        if shape.query_norms:
            q, k = attention.q_norm(q), attention.k_norm(k)
        angles = positions[..., None, None].float() * frequencies(size, shape.theta, shape.rope, x.device)
        cos, sin = angles.cos().to(q.dtype), angles.sin().to(q.dtype)
        return turned(q, cos, sin), turned(k, cos, sin), v


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """RoPE over halves, as Llama does it: x [..., d], cos and sin [..., d / 2]."""
    left, right = x.chunk(2, dim=-1)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1)


def frequencies(size: int, theta: float, rope: Llama3Rope | None, device: torch.device) -> Tensor:
    """float32 [size / 2]: how far a step turns each pair of a head's numbers."""
    exponents = torch.arange(0, size, 2, dtype=torch.float32, device=device) / size
    plain = theta**-exponents
    if rope is None:
        return plain
    factor, low, high, original = rope
    turns = original * plain / (2 * math.pi)  # over the original context
    share = ((turns - low) / (high - low)).clamp(0.0, 1.0)
    return share * plain + (1 - share) * plain / factor
