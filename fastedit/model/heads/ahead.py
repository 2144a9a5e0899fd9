"""Heads without attention, which read only the target's last state: Medusa (Cai et al. 2024) and the MLP speculator
(Wertheimer et al. 2024). The LSTM speculator stands in `lstm.py`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.heads.load import FILES, read_config, read_tensors

A = TypeVar("A", bound="AheadHead")
_PART = re.compile(r"^((?:emb|proj|ln)\.\d+)\.0\.")
MEDUSA_FILES = ("medusa_lm_head.safetensors", "medusa_lm_head.pt", *FILES)


class AheadHead(Protocol):
    """`depth` tokens ahead for a target of this width and vocabulary, each from a state [k, width] that begins as the
    final norm's output of the last token."""

    depth: int
    width: int
    vocab: int

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        """Behind tokens [k] of depth `level` (0: the token behind the last state): the next state, and logits
        [k, vocab]."""


class Medusa:
    """One head a depth, each from the same state: residual blocks, then a matrix to the vocabulary.

    Tensors as FasterDecoding's code names them: `K.L.linear.weight` and `.bias` for block L of head K, and behind the
    blocks `K.L.weight`.
    """

    def __init__(self, tensors: Mapping[str, Tensor], depth: int, blocks: int) -> None:
        self.depth = depth
        self._blocks = [
            [(tensors[f"{k}.{i}.linear.weight"], tensors[f"{k}.{i}.linear.bias"]) for i in range(blocks)]
            for k in range(depth)
        ]
        self._heads = [tensors[f"{k}.{blocks}.weight"] for k in range(depth)]
        self.width, self.vocab = self._heads[0].shape[1], self._heads[0].shape[0]

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
        def at(level: int, name: str) -> Tensor:
            first = min(level, 1 if name.startswith("proj") else 0) if tied else level
            kind, _, part = name.partition(".")
            return tensors[f"speculator.{kind}.{first}.{part}"]

        names = ("emb.weight", "proj.weight", "ln.weight", "ln.bias", "head.weight")
        self.depth, self._scaled = depth, scaled
        self._levels = [[at(level, name) for name in names] for level in range(depth)]
        share = 0.5 ** (0.5 / depth)
        self._embedded = math.sqrt((1 - share**2) * inner / 2) / share
        self.width, self.vocab = self._levels[0][1].shape[1], self._levels[0][4].shape[0]
        check_embeddings([level[0] for level in self._levels], self.vocab)

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
    tensors = ready(read_tensors(folder, MEDUSA_FILES, "heads"), network, dtype)
    found = {name.removeprefix("medusa_head."): tensor for name, tensor in tensors.items()}
    head = assembled(folder, "Medusa heads", partial(Medusa, found, depth, blocks))
    check_head(folder, head, network, dtype)
    return head


def load_mlp_speculator(folder: Path, network: Network, dtype: torch.dtype) -> MlpSpeculator:
    """Raises ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    depth = number(folder, config, "n_predict")
    inner = width(folder, config, "inner_dim", network.hidden)
    tied, scaled = bool(config.get("tie_weights", False)), bool(config.get("scale_input", False))
    tensors = {_ibm(name): tensor for name, tensor in ready(read_tensors(folder), network, dtype).items()}
    make = partial(MlpSpeculator, tensors, depth, inner, tied=tied, scaled=scaled)
    head = assembled(folder, "MLP speculator", make)
    check_head(folder, head, network, dtype)
    return head


def _ibm(name: str) -> str:
    """Arctic's `emb.N.0.weight` (blocks of one part) under the name that IBM gives it, `speculator.emb.N.weight`."""
    return "speculator." + _PART.sub(r"\1.", name.removeprefix("speculator."))


def ready(tensors: Mapping[str, Tensor], network: Network, dtype: torch.dtype) -> dict[str, Tensor]:
    """On the target's device, in its type."""
    device = network.embedding.device
    return {name: tensor.to(device, dtype) for name, tensor in tensors.items()}


def number(folder: Path, config: Mapping[str, Any], name: str) -> int:
    """Raises ModelUnavailable where the configuration does not give it."""
    if not isinstance(config.get(name), int) or config[name] < 1:
        raise ModelUnavailable(f"{folder}: config.json has no {name}: the folder holds another kind of head")
    return int(config[name])


def width(folder: Path, config: Mapping[str, Any], name: str, otherwise: int) -> int:
    """A width that Arctic writes as text, and more than one of them where its blocks have several parts. Raises
    ModelUnavailable."""
    said = str(config.get(name) or otherwise)
    if not said.isdecimal():
        raise ModelUnavailable(f"{folder}: its {name} is {said}, and only blocks of one part are supported")
    return int(said)


def check_embeddings(tables: Sequence[Tensor], vocab: int) -> None:
    """Raises ValueError where one has not a row for each token: on a GPU nothing else would tell."""
    if wrong := [len(table) for table in tables if len(table) != vocab]:
        raise ValueError(f"an embedding has {wrong[0]} rows, and the output matrix {vocab}")


def assembled(folder: Path, what: str, make: Callable[[], A]) -> A:
    """What `make` makes of tensors. Raises ModelUnavailable where one is missing or of another kind than needed."""
    try:
        return make()
    except KeyError as error:
        raise ModelUnavailable(f"{folder}: the tensors of the {what} lack {error}; fetch it again") from None
    except (IndexError, ValueError, RuntimeError) as error:
        raise ModelUnavailable(
            f"{folder}: the tensors of the {what} do not fit each other ({error}); fetch it again"
        ) from None


@torch.inference_mode()
def check_head(folder: Path, head: AheadHead, network: Network, dtype: torch.dtype) -> None:
    """Raises ModelUnavailable where a head is for another target, or its tensors do not fit each other."""
    for what, mine, theirs in (
        ("hidden states of size", head.width, network.hidden),
        ("a vocabulary of", head.vocab, network.vocab),
    ):
        if mine != theirs:
            raise ModelUnavailable(
                f"{folder}: the head is for a target with {what} {mine}, and this one has {theirs}: choose its own head"
            )
    state = torch.zeros(1, network.hidden, dtype=dtype, device=network.embedding.device)
    token = torch.zeros(1, dtype=torch.int64, device=state.device)
    try:
        for level in range(head.depth):
            state, logits = head.step(state, token, level)
            if logits.shape[1] != network.vocab:
                raise ModelUnavailable(
                    f"{folder}: at depth {level} the head knows {logits.shape[1]} tokens, not all"
                )
    except (RuntimeError, IndexError) as error:
        raise ModelUnavailable(
            f"{folder}: the head's tensors do not fit each other ({str(error).splitlines()[0]}); fetch it again"
        ) from None


def normed(x: Tensor) -> Tensor:
    """Of root mean square 1."""
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
