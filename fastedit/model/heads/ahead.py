"""Heads without attention, which read only the target's last state: Medusa (Cai et al. 2024) and the MLP speculator
(Wertheimer et al. 2024). The LSTM speculator stands in `lstm.py`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.heads.formats import whole
from fastedit.model.heads.load import FILES, check_target, check_tensors, read_config, read_tensors

Sizes = Iterator[tuple[str, tuple[int, ...]]]
"""Of the tensors that a head has, by name."""
_PART = re.compile(r"^((?:emb|proj|ln)\.\d+)\.0\.")
MEDUSA_FILES = ("medusa_lm_head.safetensors", "medusa_lm_head.pt", *FILES)


class AheadHead(Protocol):
    """`depth` tokens ahead, each from a state [k, width] that begins as the final norm's output of the last token."""

    depth: int

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        """After tokens [k] of depth `level` (0: the token after the last state): the next state, and logits
        [k, vocab]."""


class Medusa:
    """One head a depth, each from the same state: residual blocks, then a matrix to the vocabulary.

    Tensors as FasterDecoding's code names them: `K.L.linear.weight` and `.bias` for block L of head K, and after the
    blocks `K.L.weight`.
    """

    def __init__(self, tensors: Mapping[str, Tensor], depth: int, blocks: int) -> None:
        self.depth = depth
        self._blocks = [
            [(tensors[f"{k}.{i}.linear.weight"], tensors[f"{k}.{i}.linear.bias"]) for i in range(blocks)]
            for k in range(depth)
        ]
        self._heads = [tensors[f"{k}.{blocks}.weight"] for k in range(depth)]

    @staticmethod
    def sizes(depth: int, blocks: int, hidden: int, vocab: int) -> Sizes:
        for k in range(depth):
            yield f"{k}.{blocks}.weight", (vocab, hidden)
            for i in range(blocks):
                yield f"{k}.{i}.linear.weight", (hidden, hidden)
                yield f"{k}.{i}.linear.bias", (hidden,)

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        x = state
        for weight, bias in self._blocks[level]:
            x = x + F.silu(F.linear(x, weight, bias))
        return state, F.linear(x, self._heads[level])


class MlpSpeculator:
    """Goes on from its own state and the token just guessed. Tensors as IBM's checkpoints name them:
    `speculator.{emb,proj,ln,head}.N`; with `tie_weights` all depths share those of the first, and all but the first a
    `proj`."""

    def __init__(
        self, tensors: Mapping[str, Tensor], depth: int, inner: int, *, tied: bool, scaled: bool
    ) -> None:
        names = ("emb.weight", "proj.weight", "ln.weight", "ln.bias", "head.weight")
        self.depth, self._scaled = depth, scaled
        self._levels = [[tensors[_at(level, name, tied)] for name in names] for level in range(depth)]
        share = 0.5 ** (0.5 / depth)
        self._embedded = math.sqrt((1 - share**2) * inner / 2) / share

    @staticmethod
    def sizes(depth: int, inner: int, hidden: int, vocab: int, *, tied: bool) -> Sizes:
        for level in range(depth):
            yield _at(level, "head.weight", tied), (vocab, inner)
            yield _at(level, "proj.weight", tied), (inner, inner if level else hidden)
            yield _at(level, "emb.weight", tied), (vocab, inner)
            for part in ("weight", "bias"):
                yield _at(level, f"ln.{part}", tied), (inner,)

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        embedding, project, weight, bias, head = self._levels[level]
        if level == 0 and self._scaled:
            state = normed(state) / math.sqrt(2)
        mixed = F.linear(state, project) + self._embedded * F.embedding(tokens, embedding)
        state = F.gelu(normed(mixed) * weight + bias)
        return state, F.linear(state, head)


def load_medusa(folder: Path, network: Network, dtype: torch.dtype) -> Medusa:
    """Raises ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    depth = number(folder, config, "medusa_num_heads")
    blocks = number(folder, {"medusa_num_layers": 1, **config}, "medusa_num_layers")
    given = read_tensors(folder, MEDUSA_FILES, "heads")
    tensors = {name.removeprefix("medusa_head."): tensor for name, tensor in given.items()}
    told = told_size(tensors, f"0.{blocks}.weight")
    check_target(folder, network, width=told(1), vocab=told(0))
    check_tensors(folder, "Medusa heads", tensors, Medusa.sizes(depth, blocks, network.hidden, network.vocab))
    return Medusa(ready(tensors, network, dtype), depth, blocks)


def load_mlp_speculator(folder: Path, network: Network, dtype: torch.dtype) -> MlpSpeculator:
    """Raises ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    depth = number(folder, config, "n_predict")
    inner = width(folder, config, "inner_dim", network.hidden)
    tied, scaled = bool(config.get("tie_weights", False)), bool(config.get("scale_input", False))
    tensors = {_ibm(name): tensor for name, tensor in read_tensors(folder).items()}
    check_target(
        folder,
        network,
        width=told_size(tensors, "speculator.proj.0.weight")(1),
        vocab=told_size(tensors, "speculator.head.0.weight")(0),
    )
    sizes = MlpSpeculator.sizes(depth, inner, network.hidden, network.vocab, tied=tied)
    check_tensors(folder, "an MLP speculator", tensors, sizes)
    return MlpSpeculator(ready(tensors, network, dtype), depth, inner, tied=tied, scaled=scaled)


def _at(level: int, name: str, tied: bool) -> str:
    """IBM's name of a part of this depth."""
    first = min(level, 1 if name.startswith("proj") else 0) if tied else level
    kind, _, part = name.partition(".")
    return f"speculator.{kind}.{first}.{part}"


def _ibm(name: str) -> str:
    """Arctic's `emb.N.0.weight` (blocks of one part) under the name that IBM gives it, `speculator.emb.N.weight`."""
    return "speculator." + _PART.sub(r"\1.", name.removeprefix("speculator."))


def ready(tensors: Mapping[str, Tensor], network: Network, dtype: torch.dtype) -> dict[str, Tensor]:
    """On the target's device, in its type."""
    device = network.embedding.device
    return {name: tensor.to(device, dtype) for name, tensor in tensors.items()}


def number(folder: Path, config: Mapping[str, Any], name: str) -> int:
    """Raises ModelUnavailable where the configuration does not give it."""
    try:
        return whole(config, name)
    except KeyError:
        raise ModelUnavailable(
            f"{folder}: config.json has no {name}: the folder holds another kind of head"
        ) from None
    except ValueError as error:
        raise ModelUnavailable(f"{folder}: {error}; fetch it again") from None


def width(folder: Path, config: Mapping[str, Any], name: str, otherwise: int) -> int:
    """A width that Arctic writes as text, and more than one of them where its blocks have several parts. Raises
    ModelUnavailable."""
    said = str(config.get(name) or otherwise)
    if not said.isdecimal():
        raise ModelUnavailable(f"{folder}: its {name} is {said}, and only blocks of one part are supported")
    return int(said)


def told_size(tensors: Mapping[str, Tensor], name: str) -> Callable[[int], int | None]:
    """By axis, what this matrix says of the target; None where there is none."""
    matrix = tensors.get(name)
    return lambda axis: None if matrix is None or matrix.dim() != 2 else matrix.shape[axis]


def normed(x: Tensor) -> Tensor:
    """Of root mean square 1."""
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
