"""The LSTM speculator (Arctic Inference 2025): the MLP speculator's successor, with gates and a cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.heads.ahead import Sizes, normed, number, ready, told_size, width
from fastedit.model.heads.load import check_target, check_tensors, read_config, read_tensors

GATES = ("forget", "input", "output", "cell")


class LstmSpeculator:
    """Goes on from its own state and cell and the token just guessed.

    Tensors as Arctic's training names them, with or without `speculator.` before them: `{gate}_proj.N` and
    `{gate}_emb.0` for each of GATES, `cell_ln.0`, `state_ln.0`, `head.N`. Depth 0 has projections of its own and all
    others share theirs; everything else is shared by all depths. With `one_embedding` all gates use that of `forget`.
    """

    def __init__(
        self, tensors: Mapping[str, Tensor], depth: int, inner: int, *, one_embedding: bool, scaled: bool
    ) -> None:
        self.depth, self._scaled = depth, scaled
        self._projects = [
            torch.cat([tensors[f"{gate}_proj.{level}.weight"] for gate in GATES])
            for level in range(min(depth, 2))
        ]
        self._embeddings = [tensors[f"{gate}_emb.0.weight"] for gate in _embedded(one_embedding)]
        self._cell_norm = tensors["cell_ln.0.weight"], tensors["cell_ln.0.bias"]
        self._state_norm = tensors["state_ln.0.weight"], tensors["state_ln.0.bias"]
        self._head = tensors["head.0.weight"]
        share = 0.5 ** (0.5 / depth)
        self._embedded = math.sqrt((1 - share**2) * inner / 2) / share

    @staticmethod
    def sizes(depth: int, inner: int, hidden: int, vocab: int, *, one_embedding: bool) -> Sizes:
        yield "head.0.weight", (vocab, inner)
        for gate in _embedded(one_embedding):
            yield f"{gate}_emb.0.weight", (vocab, inner)
        for gate in GATES:
            for level in range(min(depth, 2)):
                yield f"{gate}_proj.{level}.weight", (inner, inner if level else hidden)
        for norm in ("cell_ln", "state_ln"):
            for part in ("weight", "bias"):
                yield f"{norm}.0.{part}", (inner,)

    def step(self, state: Tensor, tokens: Tensor, level: int) -> tuple[Tensor, Tensor]:
        """After depth 0 a state [k, 2 * inner] is the hidden state and the cell."""
        hidden, cell = (state, None) if level == 0 else state.chunk(2, dim=-1)
        if level == 0 and self._scaled:
            hidden = normed(hidden) / math.sqrt(2)
        said = torch.cat([F.embedding(tokens, table) for table in self._embeddings], dim=-1)
        if len(self._embeddings) == 1:
            said = said.repeat(1, len(GATES))
        mixed = F.linear(hidden, self._projects[min(level, 1)]) + self._embedded * said
        forget, enter, leave, candidate = mixed.chunk(len(GATES), dim=-1)
        candidate = _activated(candidate, *self._cell_norm) * enter.sigmoid()
        cell = candidate if cell is None else cell * forget.sigmoid() + candidate
        hidden = _activated(cell, *self._state_norm) * leave.sigmoid()
        return torch.cat([hidden, cell], dim=-1), F.linear(hidden, self._head)


def load_lstm_speculator(folder: Path, network: Network, dtype: torch.dtype) -> LstmSpeculator:
    """Raises ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    method = config.get("method")
    if method != "sum_lstm":
        raise ModelUnavailable(
            f"{folder}: config.json says method {method!r}, and an LSTM speculator's is 'sum_lstm'"
        )
    depth = number(folder, config, "n_predict")
    inner, *_ = (width(folder, config, name, network.hidden) for name in ("inner_dim", "proj_dim", "emb_dim"))
    if not config.get("tie_weights", False):
        raise ModelUnavailable(
            f"{folder}: its depths do not share their weights (tie_weights), as an LSTM speculator's do"
        )
    one, scaled = bool(config.get("tie_lstm_embs", False)), bool(config.get("scale_input", False))
    tensors = {name.removeprefix("speculator."): tensor for name, tensor in read_tensors(folder).items()}
    check_target(
        folder,
        network,
        width=told_size(tensors, f"{GATES[0]}_proj.0.weight")(1),
        vocab=told_size(tensors, "head.0.weight")(0),
    )
    sizes = LstmSpeculator.sizes(depth, inner, network.hidden, network.vocab, one_embedding=one)
    check_tensors(folder, "an LSTM speculator", tensors, sizes)
    return LstmSpeculator(ready(tensors, network, dtype), depth, inner, one_embedding=one, scaled=scaled)


def _embedded(one_embedding: bool) -> Sequence[str]:
    """The gates that have an embedding of their own."""
    return GATES[:1] if one_embedding else GATES


def _activated(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(normed(x) * weight + bias)
