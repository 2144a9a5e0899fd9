"""Multi-token-prediction modules: the block that a model was trained with to guess the token after the next one.

DeepSeek-AI 2024 (DeepSeek-V3, section 2.2). A row joins the target's last state of token t, after its final norm, with
the embedding of token t + 1, each normed; one block of the target's own kind and the target's output matrix predict
token t + 2. As an EAGLE head does, it goes on from its own output; where a checkpoint has several modules, the first
one takes all steps.

The module lies in the target's own checkpoint, in one of three layouts. Blocks with latent attention or a mixture of
experts are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from fastedit_kernels.fused import linear
from safetensors import SafetensorError, safe_open
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.eagle import Attend, Llama3Rope, frequencies, turned
from fastedit.model.heads.formats import rope
from fastedit.model.heads.load import check_embedding, check_target, check_tensors, check_values, read_config
from fastedit.model.packed import packer
from fastedit.model.storage import weight_files

_BLOCK = {
    "input_layernorm.weight": "entry_norm",
    "post_attention_layernorm.weight": "mlp_norm",
    **{f"self_attn.{x}_proj.weight": x for x in "qkvo"},
    **{f"self_attn.{x}_proj.bias": f"{x}_bias" for x in "qkv"},
    **{f"self_attn.{x}_norm.weight": f"{x}_norm" for x in "qk"},
    **{f"mlp.{x}_proj.weight": x for x in ("gate", "up", "down")},
}
_OPTIONAL = frozenset({"q_bias", "k_bias", "v_bias", "q_norm", "k_norm", "embedding", "output"})
_NORMS = frozenset({"embed_norm", "hidden_norm", "norm", "entry_norm", "mlp_norm", "q_norm", "k_norm"})
_PRODUCTS = frozenset({"join", *"qkvo", "gate", "up", "down", "output"})


class Layout(NamedTuple):
    """How a family of models names a module's tensors, and what it does differently.

    `prefix` takes the number of the target's layers. `hidden_first`: the state stands before the embedding where both
    are joined. `post_norm`: the next step gets the final norm's output. `centred`: a norm's weight is what it differs
    from one by. `gated`: after each head's query, q_proj gives a gate for what the head brings.
    """

    name: str
    prefix: Callable[[int], str]
    names: Mapping[str, str]
    hidden_first: bool = False
    post_norm: bool = False
    centred: bool = False
    gated: bool = False


DEEPSEEK = Layout(
    "DeepSeek-V3",  # GLM-4.5 as well
    lambda layers: f"model.layers.{layers}.",
    {
        "enorm.weight": "embed_norm",
        "hnorm.weight": "hidden_norm",
        "eh_proj.weight": "join",
        "shared_head.norm.weight": "norm",
        "shared_head.head.weight": "output",
        "embed_tokens.weight": "embedding",
        **_BLOCK,
    },
)
QWEN3_NEXT = Layout(
    "Qwen3-Next",  # Qwen3.5 as well
    lambda layers: "mtp.",
    {
        "pre_fc_norm_embedding.weight": "embed_norm",
        "pre_fc_norm_hidden.weight": "hidden_norm",
        "fc.weight": "join",
        "norm.weight": "norm",
        **{f"layers.0.{name}": ours for name, ours in _BLOCK.items()},
    },
    post_norm=True,
    centred=True,
    gated=True,
)
MIMO = Layout(
    "MiMo",
    lambda layers: "model.mtp_layers.0.",
    {
        "token_layernorm.weight": "embed_norm",
        "hidden_layernorm.weight": "hidden_norm",
        "input_proj.weight": "join",
        "final_layernorm.weight": "norm",
        **_BLOCK,
    },
    hidden_first=True,
    post_norm=True,
)
LAYOUTS = (DEEPSEEK, QWEN3_NEXT, MIMO)


@dataclass(frozen=True, slots=True)
class MtpShape:
    """`head_dim` numbers a head, `turned` of which RoPE turns; `intermediate` is the MLP's width."""

    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    turned: int
    theta: float
    rope: Llama3Rope | None
    eps: float


class MtpHead:
    """One module. `weights` are named as `Layout.names` has them; `embedding` and `output` may be the target's own."""

    def __init__(self, shape: MtpShape, layout: Layout, weights: Mapping[str, Tensor], reads: int) -> None:
        self.shape, self.layout, self.weights = shape, layout, weights
        self.reads, self.width = (reads,), weights["output"].shape[1]

    @property
    def device(self) -> torch.device:
        return self.weights["join"].device

    def packed(self) -> MtpHead:
        """The same with its matrices packed, where the processor has products of packed ones."""
        pack = packer(self.weights["join"].dtype, self.device)
        if pack is None:
            return self
        weights = {
            name: pack(w) if name in _PRODUCTS and not w.is_mkldnn else w for name, w in self.weights.items()
        }
        return MtpHead(self.shape, self.layout, weights, *self.reads)

    def target_ids(self, ids: Tensor) -> Tensor:
        """The head has the target's vocabulary."""
        return ids

    def fuse(self, states: Tensor) -> Tensor:
        return states.to(self.weights["join"].dtype)

    def keys(self, tokens: Tensor, hidden: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [n, kv_heads, d] of rows of which nothing else is wanted."""
        return self._keys(self._norm(self._joined(tokens, hidden), "entry_norm"), positions)

    def __call__(
        self, tokens: Tensor, hidden: Tensor, positions: Tensor, attend: Attend
    ) -> tuple[Tensor, Tensor]:
        """tokens and positions [n], hidden [n, width] -> what the next step starts from, and what the vocabulary is
        asked with, both [n, width]."""
        w, residual = self.weights, self._joined(tokens, hidden)
        x = self._norm(residual, "entry_norm")
        q, gate = self._split(self._product(x, "q"))
        if "q_norm" in w:
            q = self._norm(q, "q_norm")
        out = attend(self._turned(q, positions), *self._keys(x, positions)).flatten(-2)
        if gate is not None:
            out = out * gate.flatten(-2).sigmoid()
        residual = residual + linear(out, w["o"])
        x = self._norm(residual, "mlp_norm")
        residual = residual + linear(F.silu(linear(x, w["gate"])) * linear(x, w["up"]), w["down"])
        asked = self._norm(residual, "norm")
        return (asked if self.layout.post_norm else residual), asked

    def logits(self, asked: Tensor) -> Tensor:
        """[n, vocab]."""
        return linear(asked, self.weights["output"])

    def _joined(self, tokens: Tensor, hidden: Tensor) -> Tensor:
        embedded = F.embedding(tokens, self.weights["embedding"]).to(hidden.dtype)
        parts = [self._norm(embedded, "embed_norm"), self._norm(hidden, "hidden_norm")]
        if self.layout.hidden_first:
            parts.reverse()
        return linear(torch.cat(parts, dim=-1), self.weights["join"])

    def _split(self, q: Tensor) -> tuple[Tensor, Tensor | None]:
        """Queries [n, heads, d], and gates of the same size where there are any."""
        if not self.layout.gated:
            return _heads(q, self.shape.head_dim), None
        query, gate = _heads(q, 2 * self.shape.head_dim).chunk(2, dim=-1)
        return query, gate

    def _keys(self, x: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        k, v = (_heads(self._product(x, name), self.shape.head_dim) for name in "kv")
        if "k_norm" in self.weights:
            k = self._norm(k, "k_norm")
        return self._turned(k, positions), v

    def _product(self, x: Tensor, name: str) -> Tensor:
        return linear(x, self.weights[name], self.weights.get(f"{name}_bias"))

    def _turned(self, x: Tensor, positions: Tensor) -> Tensor:
        shape, size = self.shape, self.shape.turned
        angles = positions[..., None, None].float() * frequencies(size, shape.theta, shape.rope, x.device)
        front = turned(x[..., :size], angles.cos().to(x.dtype), angles.sin().to(x.dtype))
        return front if size == x.shape[-1] else torch.cat([front, x[..., size:]], dim=-1)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight = self.weights[name]
        return F.rms_norm(x, weight.shape, weight, self.shape.eps)


def _heads(x: Tensor, size: int) -> Tensor:
    """[n, heads * size] -> [n, heads, size]."""
    return x.view(len(x), -1, size)


def load_mtp(folder: Path, network: Network, dtype: torch.dtype) -> MtpHead:
    """The module in a target's checkpoint, on the target's device. Raises ModelUnavailable, naming what differs or is
    missing."""
    config = read_config(folder)
    config = config.get("text_config") or config
    try:
        files = _names(folder)
        layout, prefix = _layout(folder, config, files)
        shape = _shape(config, layout)
        _check_target(folder, config, files, network)
        weights = _weights(folder, layout, prefix, files)
    except (KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailable(f"{folder}: config.json is no model's: {error} is missing") from None
    except ValueError as error:
        raise ModelUnavailable(f"{folder}: {error}; use another drafter") from None
    except (OSError, SafetensorError) as error:
        raise ModelUnavailable(f"cannot read the weights in {folder}: {error}; fetch them again") from None
    device = network.embedding.device
    weights = {
        name: (tensor.float() + 1.0 if layout.centred and name in _NORMS else tensor).to(device, dtype)
        for name, tensor in weights.items()
    }
    own = {"embedding": network.embedding, "output": network.packed_head}
    _check_sizes(folder, shape, layout, own | weights, network)
    return MtpHead(shape, layout, own | weights, network.layers).packed()


def _names(folder: Path) -> dict[str, Path]:
    """By the name of every tensor, its file."""
    found: dict[str, Path] = {}
    for file in weight_files(folder):
        with safe_open(file, framework="pt") as tensors:
            found |= dict.fromkeys(tensors.keys(), file)
    return found


def _layout(folder: Path, config: Mapping[str, Any], names: Mapping[str, Path]) -> tuple[Layout, str]:
    """Which layout, and what the names of its tensors begin with."""
    for layout in LAYOUTS:
        prefix = layout.prefix(int(config["num_hidden_layers"]))
        join = next(name for name, ours in layout.names.items() if ours == "join")
        if prefix + join in names:
            return layout, prefix
    known = ", ".join(layout.name for layout in LAYOUTS)
    raise ModelUnavailable(
        f"{folder}: no multi-token-prediction module in it; layouts that are known are {known}"
    )


def _shape(config: Mapping[str, Any], layout: Layout) -> MtpShape:
    """Raises ValueError for what no module here does."""
    if config.get("hidden_act", "silu") != "silu":
        raise ValueError(f"its activation is {config['hidden_act']}, not silu")
    heads = int(config["num_attention_heads"])
    size = int(config.get("head_dim") or int(config["hidden_size"]) // heads)
    theta, scaled = rope(config)
    parameters = config.get("rope_parameters") or {}
    share = parameters.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    return MtpShape(
        intermediate=int(config["intermediate_size"]),
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head_dim=size,
        turned=int(size * float(share)),
        theta=theta,
        rope=scaled,
        eps=float(config["rms_norm_eps"]),
    )


def _weights(folder: Path, layout: Layout, prefix: str, files: Mapping[str, Path]) -> dict[str, Tensor]:
    inside = [name for name in files if name.startswith(prefix) and not name.endswith("inv_freq")]
    further = [name for name in inside if name.removeprefix(prefix) not in layout.names]
    if layout is QWEN3_NEXT:
        further = [name for name in further if not _further_module(name.removeprefix(prefix))]
    if further:
        raise ModelUnavailable(
            f"{folder}: its module has {further[0]}, which no dense block with plain attention has; "
            "experts and latent attention are not supported"
        )
    needed = {name for name, ours in layout.names.items() if ours not in _OPTIONAL}
    missing = sorted(name for name in needed if prefix + name not in files)
    if missing:
        raise ModelUnavailable(
            f"{folder}: as a {layout.name} module it lacks {prefix}{missing[0]}; fetch it again"
        )
    weights = {}
    for name in inside:
        if name.removeprefix(prefix) in layout.names:
            with safe_open(files[name], framework="pt") as tensors:
                weight = tensors.get_tensor(name)
            check_values(files[name], name, weight)
            weights[layout.names[name.removeprefix(prefix)]] = weight
    return weights


def _further_module(name: str) -> bool:
    """Whether a tensor belongs to a second module."""
    return name.startswith("layers.") and not name.startswith("layers.0.")


def _check_target(
    folder: Path, config: Mapping[str, Any], files: Mapping[str, Path], network: Network
) -> None:
    """Raises ModelUnavailable where the module was trained with another target."""
    check_target(folder, network, width=int(config["hidden_size"]), vocab=int(config["vocab_size"]))
    name = next((name for name in files if name.endswith("model.embed_tokens.weight")), None)
    if name is None:
        return
    with safe_open(files[name], framework="pt") as tensors:
        embedding = tensors.get_tensor(name)
    check_tensors(folder, "a target", {name: embedding}, [(name, (network.vocab, network.hidden))])
    check_embedding(folder, embedding, network)


def _check_sizes(
    folder: Path, shape: MtpShape, layout: Layout, weights: Mapping[str, Tensor], network: Network
) -> None:
    hidden = network.hidden
    inner, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    queries, wide = inner * (2 if layout.gated else 1), shape.intermediate
    wanted: dict[str, list[int]] = {
        **{norm: [hidden] for norm in _NORMS},
        "join": [hidden, 2 * hidden],
        "q": [queries, hidden],
        "k": [kv, hidden],
        "v": [kv, hidden],
        "q_bias": [queries],
        "k_bias": [kv],
        "v_bias": [kv],
        "o": [hidden, inner],
        "gate": [wide, hidden],
        "up": [wide, hidden],
        "down": [hidden, wide],
        "embedding": [network.vocab, hidden],
        "output": [network.vocab, hidden],
        "q_norm": [shape.head_dim],
        "k_norm": [shape.head_dim],
    }
    for ours, tensor in weights.items():
        if list(tensor.shape) != wanted[ours]:
            name = next((theirs for theirs, known in layout.names.items() if known == ours), ours)
            raise ModelUnavailable(
                f"{folder}: {name} has the sizes {list(tensor.shape)}, and by config.json {wanted[ours]}"
            )
