"""Hydra heads (Ankner et al. 2024): as Medusa's, but each also reads the embeddings of the tokens guessed before it.

Layouts of the authors' repository (zankner/Hydra), by `hydra_head_arch`: `mlp`, whose heads begin at the target's
state, and `prefix-mlp` (Hydra++), where one more layer of the target's kind attends to all states first.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.eagle import Attend, HeadLayer, HeadShape
from fastedit.model.heads.ahead import Sizes, number, ready, told_size
from fastedit.model.heads.formats import block
from fastedit.model.heads.load import (
    FILES,
    check_embedding,
    check_target,
    check_tensors,
    read_config,
    read_tensors,
    some,
)

HYDRA_FILES = ("hydra_lm_head.safetensors", "hydra_lm_head.pt", *FILES)
ARCHITECTURES = ("mlp", "prefix-mlp")
_PREFIX = "prefix_embeding_layer."  # as the authors spell it
_EMBEDDING = "input_embed_fn.weight"  # the target's own, which a checkpoint carries along
_NEEDLESS = (_EMBEDDING, f"{_PREFIX}embed_tokens.weight", "rotary_emb.inv_freq")


class Hydra:
    """Heads that begin at the target's state. A state here is that one, and after it the embeddings of the tokens so
    far, so it grows by each step.

    Tensors: block L of head K is `hydra_mlp.K.L.linear`, of the first also `hydra_mlp.K.0.res_connection`; then
    `hydra_lm_head.K`. `layer` is the one whose input the first state is.
    """

    def __init__(
        self, tensors: Mapping[str, Tensor], embedding: Tensor, depth: int, blocks: int, layer: int
    ) -> None:
        def linear(name: str) -> tuple[Tensor, Tensor]:
            return tensors[f"{name}.weight"], tensors[f"{name}.bias"]

        self.depth, self.layer = depth, layer
        self._embedding = embedding
        self._short = [linear(f"hydra_mlp.{k}.0.res_connection") for k in range(depth)]
        self._blocks = [[linear(f"hydra_mlp.{k}.{i}.linear") for i in range(blocks)] for k in range(depth)]
        self._heads = [linear(f"hydra_lm_head.{k}") for k in range(depth)]

    @staticmethod
    def sizes(depth: int, blocks: int, hidden: int, vocab: int) -> Sizes:
        def linear(name: str, rows: int, columns: int) -> Sizes:
            yield f"{name}.weight", (rows, columns)
            yield f"{name}.bias", (rows,)

        for k in range(depth):
            yield from linear(f"hydra_lm_head.{k}", vocab, hidden)
            yield from linear(f"hydra_mlp.{k}.0.res_connection", hidden, (k + 2) * hidden)
            for i in range(blocks):
                yield from linear(f"hydra_mlp.{k}.{i}.linear", hidden, hidden if i else (k + 2) * hidden)

    def joined(self, state: Tensor, tokens: Tensor) -> Tensor:
        return torch.cat([state, F.embedding(tokens, self._embedding).to(state.dtype)], dim=-1)

    def asked(self, state: Tensor, level: int) -> Tensor:
        """Logits of head `level`, from a state that is joined with all tokens before."""
        first, *others = self._blocks[level]
        x = F.linear(state, *self._short[level]) + F.silu(F.linear(state, *first))
        for further in others:
            x = x + F.silu(F.linear(x, *further))
        return F.linear(x, *self._heads[level])

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        state = self.joined(state, tokens)
        return state, self.asked(state, level)


class PrefixHydra:
    """Heads that begin at what a layer of their own makes of all states: a `heads.run.Head` for the first step, whose
    further steps go without attention."""

    def __init__(self, heads: Hydra, shape: HeadShape, tensors: Mapping[str, Tensor]) -> None:
        self.heads, self.shape = heads, shape
        self._layer = HeadLayer(shape, shape.hidden, "input_layernorm")
        self._norm = torch.nn.RMSNorm(shape.hidden, eps=shape.eps)
        modules = {"layers.0.": self._layer, "norm.": self._norm}
        for prefix, module in modules.items():
            own = module.state_dict()
            for name, wanted in own.items():
                given = tensors[f"{_PREFIX}{prefix}{name}"]
                if given.shape != wanted.shape:
                    raise ValueError(
                        f"{_PREFIX}{prefix}{name} has the sizes {list(given.shape)}, "
                        f"and by the target's config.json {list(wanted.shape)}"
                    )
                own[name] = given
            module.load_state_dict(own, assign=True)
            module.eval().requires_grad_(False)

    @property
    def depth(self) -> int:
        return self.heads.depth

    @property
    def reads(self) -> tuple[int, ...]:
        return (self.heads.layer,)

    @property
    def width(self) -> int:
        return self.shape.hidden

    @property
    def device(self) -> torch.device:
        return self._norm.weight.device

    def fuse(self, states: Tensor) -> Tensor:
        return states.to(self._norm.weight.dtype)

    def keys(self, tokens: Tensor, hidden: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        _, key, value = self._layer.project(self._layer.input_layernorm(hidden), positions)
        return key, value

    def __call__(
        self, tokens: Tensor, hidden: Tensor, positions: Tensor, attend: Attend
    ) -> tuple[Tensor, Tensor]:
        out = self._norm(self._layer(hidden, self._layer.input_layernorm(hidden), positions, attend))
        state = self.heads.joined(out, tokens)
        return state, state

    def logits(self, asked: Tensor) -> Tensor:
        """Of the first head."""
        return self.heads.asked(asked, 0)

    def target_ids(self, ids: Tensor) -> Tensor:
        return ids


def load_hydra(
    folder: Path, network: Network, dtype: torch.dtype, target: Path | None
) -> Hydra | PrefixHydra:
    """`target` is the target's folder, whose config.json says what the layer of `prefix-mlp` is like. Raises
    ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    depth = number(folder, config, "hydra_num_heads")
    blocks = number(folder, {"hydra_num_layers": 1, **config}, "hydra_num_layers")
    kind = config.get("hydra_head_arch", "mlp")
    if kind not in ARCHITECTURES:
        raise ModelUnavailable(
            f"{folder}: its hydra_head_arch is {kind}, and known are {' and '.join(ARCHITECTURES)}: choose other heads"
        )
    if not config.get("grounded_heads", False):
        raise ModelUnavailable(
            f"{folder}: its heads read no guessed tokens (grounded_heads is not set), as Medusa's: choose other heads"
        )
    offset = config.get("hidden_state_offset", 0)
    if not isinstance(offset, int) or not 0 <= offset <= network.layers:
        raise ModelUnavailable(
            f"{folder}: the heads read {offset} layers before the last, and the target has {network.layers}: "
            "choose its own heads"
        )
    layer = network.layers - offset
    given = read_tensors(folder, HYDRA_FILES, "heads")
    own = given.get(_EMBEDDING)
    if (
        own is not None and own.shape == network.embedding.shape
    ):  # other sizes are named by the heads themselves
        check_embedding(folder, own, network)
    tensors = {_plain(n, kind): t for n, t in given.items() if not n.endswith(_NEEDLESS)}
    told = told_size(tensors, "hydra_lm_head.0.weight")
    check_target(folder, network, width=told(1), vocab=told(0))
    sizes = partial(Hydra.sizes, depth, blocks, network.hidden, network.vocab)
    check_tensors(folder, "Hydra heads", tensors, sizes())
    _check_further(folder, tensors, {name for name, _ in sizes()}, prefixed=kind == "prefix-mlp")
    tensors = ready(tensors, network, dtype)
    heads = Hydra(tensors, network.embedding, depth, blocks, layer)
    if kind == "mlp":
        return heads
    try:
        return PrefixHydra(heads, _shape(network, target), tensors)
    except KeyError as error:
        raise ModelUnavailable(
            f"{folder}: the tensors of the Hydra heads lack {error}; fetch it again"
        ) from None
    except ValueError as error:
        raise ModelUnavailable(f"{folder}: {error}; choose other heads") from None


def _plain(name: str, kind: str) -> str:
    """Where `prefix-mlp` counts a dropout before every layer, the name without it."""
    if kind == "mlp":
        return name
    name = re.sub(r"^(hydra_mlp\.\d+\.)(\d+)", lambda m: f"{m[1]}{int(m[2]) // 2}", name)
    return re.sub(r"^(hydra_lm_head\.\d+)\.1\.", r"\1.", name)


def _shape(network: Network, target: Path | None) -> HeadShape:
    """Of the layer in front of the heads: what the target's own are, by its configuration. Raises ValueError."""
    if target is None:
        raise ValueError("its layer is like the target's own, which was loaded from no folder")
    config: dict[str, Any] = read_config(target)
    try:
        made = block(
            {**(config.get("text_config") or config), "num_hidden_layers": 1, "attention_bias": False}
        )
    except KeyError as error:
        raise ValueError(f"its layer is like the target's own, whose config.json has no {error}") from None
    return HeadShape(
        generation=1,
        hidden=network.hidden,
        target_hidden=network.hidden,
        vocab=network.vocab,
        draft_vocab=network.vocab,
        layers=(network.layers,),
        **made,
    )


def _check_further(folder: Path, tensors: Iterable[str], wanted: Container[str], *, prefixed: bool) -> None:
    """Raises ModelUnavailable for what the configuration does not announce: heads, blocks, or a whole layer."""
    needless = [
        name for name in tensors if name not in wanted and not (prefixed and name.startswith(_PREFIX))
    ]
    if needless:
        raise ModelUnavailable(
            f"{folder}: by its config.json the heads have no {some(needless)}; choose other heads"
        )
