"""P-EAGLE heads (Hui et al. 2026): EAGLE-3 heads that guess all tokens in one pass.

After the last row that has a state of the target's stand rows that have none: each reads the embedding of a mask token
and, for its states, one learned vector (`mask_hidden`). A row attends to all rows with states and to the mask rows
before it; row k predicts the k-th token ahead. Such heads may have several layers: the first is EAGLE-3's, the others
are Llama's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.checkpoint import MASK_SETTINGS
from fastedit.model.eagle import Attend, EagleHead, HeadLayer, HeadShape
from fastedit.model.heads.formats import (
    MASK,
    NEEDLESS,
    SAFEAI_3,
    SPECFORGE,
    SPECULATORS_3,
    HeadFormat,
    TargetSizes,
    told_layers,
    whole,
)
from fastedit.model.heads.load import built, read_config, read_tensors
from fastedit.model.heads.run import KeysAndValues, attended

_RENAME = {"model.": "", "midlayer.": "layers.0."}
_LAYER = re.compile(r"(?:^|\.)layers\.(\d+)\.")
_UNUSED = re.compile(
    r"(?:^|\.)layers\.[1-9]\d*\.hidden_norm\."
)  # vLLM makes one in every layer, and reads the first


class ParallelHead(EagleHead):
    """`depth` tokens ahead, by as many layers as `further` says beyond the first."""

    def __init__(
        self,
        shape: HeadShape,
        embedding: Tensor | None,
        output: Tensor | None,
        *,
        further: int,
        mask: int,
        depth: int | None,
    ) -> None:
        super().__init__(shape, embedding, output)
        self.layers.extend(HeadLayer(shape, shape.hidden, "input_layernorm") for _ in range(further))
        self.mask_hidden = nn.Parameter(torch.zeros(1, shape.target_hidden * len(shape.layers)))
        self.mask, self.depth = mask, depth

    def through(self, tokens: Tensor, states: Tensor, positions: Tensor, attends: Sequence[Attend]) -> Tensor:
        """Rows with tokens and positions [n] and states [n, layers * width] through all layers, each with its own
        attention -> what the final norm gets [n, hidden]."""
        residual, x = self.enter(tokens, self.fuse(states))
        for index, (layer, attend) in enumerate(zip(self.layers, attends, strict=True)):
            assert isinstance(layer, HeadLayer)
            if index:
                x = layer.input_layernorm(residual)
            residual = layer(residual, x, positions, attend)
        return residual


class ParallelRun:
    """Keys and values of the rows read so far, `length` of them; those of mask rows are forgotten at once."""

    def __init__(self, head: ParallelHead) -> None:
        self.head, self.length = head, 0
        self._rows = [KeysAndValues() for _ in head.layers]

    @torch.inference_mode()
    def extend(self, states: Tensor, following: Sequence[int], start: int, depth: int) -> Tensor:
        """Read rows at positions from `start` on: the target's states [n, layers * width] and the tokens after them.

        Returns logits [depth, draft_vocab] of the tokens ahead.
        """
        head, count, device = self.head, len(following), states.device
        masks = depth - 1
        states = torch.cat([states.to(head.mask_hidden.dtype), head.mask_hidden.expand(masks, -1)])
        tokens = torch.tensor([*following, *[head.mask] * masks], device=device)
        positions = torch.arange(start, start + count + masks, device=device)
        total = self.length + len(tokens)
        seen = torch.ones(len(tokens), total, dtype=torch.bool, device=device).tril(self.length)
        out = head.through(
            tokens, states, positions, [partial(self._attend, rows, seen) for rows in self._rows]
        )
        self.length += count
        return head.logits(head.norm(out[-depth:]))

    def _attend(self, rows: KeysAndValues, seen: Tensor, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        keys, values = rows.put(self.length, k, v)
        return attended(q, keys, values, seen)


def load_parallel(
    folder: Path, network: Network, dtype: torch.dtype, *, of_these_weights: bool = True
) -> ParallelHead:
    """As `load_head` loads EAGLE heads. Raises ModelUnavailable, naming what differs or is missing."""
    config = read_config(folder)
    if (kind := config.get("speculators_model_type", "peagle")) != "peagle":
        raise ModelUnavailable(f"{folder}: a speculators {kind} head, not a peagle one: choose another head")
    mask = next((config[name] for name in MASK_SETTINGS if config.get(name) is not None), None)
    if mask is None:
        raise ModelUnavailable(
            f"{folder}: config.json names no mask token ({', '.join(MASK_SETTINGS)}): "
            "add the one that the head was trained with, or choose another drafter"
        )
    if not str(mask).isdecimal() or int(mask) >= network.vocab:
        raise ModelUnavailable(
            f"{folder}: its mask token is {mask}, and the target has a vocabulary of {network.vocab}: "
            "choose its own head"
        )
    try:
        layer = config.get("transformer_layer_config") or config
        further, depth = whole(layer, "num_hidden_layers", 1) - 1, _depth(config)
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        raise ModelUnavailable(
            f"{folder}: its config.json is no P-EAGLE head's ({error}); fetch it again"
        ) from None
    make = partial(ParallelHead, further=further, mask=int(mask), depth=depth)
    tensors = {
        name: tensor.reshape(1, -1) if name.endswith(MASK) else tensor
        for name, tensor in read_tensors(folder).items()
        if not _UNUSED.search(name)
    }
    held = 1 + max((int(found[1]) for name in tensors if (found := _LAYER.search(name))), default=0)
    if held != further + 1:
        raise ModelUnavailable(
            f"{folder}: by its config.json the head has {further + 1} layers, and its tensors are of {held}; "
            "fetch it again"
        )
    form = _format(config)
    return built(make, folder, form, config, tensors, network, dtype, of_these_weights=of_these_weights)


def _depth(config: Mapping[str, Any]) -> int | None:
    """The most tokens that the head was trained to guess, where it says so."""
    proposals = (config.get("speculators_config") or {}).get("proposal_methods") or [{}]
    return whole(proposals[0], "speculative_tokens", 0) or None


def _format(config: Mapping[str, Any]) -> HeadFormat:
    """That of an EAGLE-3 head, of which this one differs by its layers and its mask."""
    if config.get("speculators_model_type") is not None:
        base, name = SPECULATORS_3, "speculators peagle"
    else:
        base, name = SPECFORGE if "eagle_config" in config else SAFEAI_3, "P-EAGLE"

    def shape(config: Mapping[str, Any], tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
        first = {**config, "num_hidden_layers": 1}
        if base is SPECULATORS_3:
            first["transformer_layer_config"] = {**config["transformer_layer_config"], "num_hidden_layers": 1}
        found = base.shape(first, tensors, target)
        told = config.get("eagle_aux_hidden_state_layer_ids")
        return replace(found, layers=told_layers(told, 0, target)) if told else found

    return HeadFormat(name, shape, _RENAME, tuple(part for part in NEEDLESS if part != MASK))
