"""Heads to train: new ones for a target and its answers, and those that are trained on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor

from fastedit.errors import UsageError
from fastedit.model.checkpoint import MASK_SETTINGS
from fastedit.model.eagle import EagleHead, HeadLayer, HeadShape
from fastedit.model.heads import load_head
from fastedit.model.heads.formats import default_layers
from fastedit.model.heads.lesson import Answer
from fastedit.model.heads.load import read_config
from fastedit.model.heads.parallel import ParallelHead, load_parallel
from fastedit.model.target import Target

HeadKind = Literal["eagle3", "p-eagle"]
AHEAD: dict[HeadKind, int] = {"eagle3": 3, "p-eagle": 6}  # tokens drafted, where it is not given
SEEN = 0.999  # share of the answers' tokens that a draft vocabulary holds, where it is not given


@dataclass(frozen=True, slots=True)
class HeadSize:
    """Of a new head; 0 takes what the target or its answers suggest, of `layers` one. A P-EAGLE head drafts `steps`
    tokens."""

    kind: HeadKind
    steps: int
    layers: int
    draft_vocab: int
    mlp: int
    heads: int


def new_head(size: HeadSize, target: Target, answers: Sequence[Answer], folder: Path) -> EagleHead:
    """A run in `folder` that goes on keeps the vocabulary that it began with."""
    network = target.network
    kept = folder / "vocabulary.json"
    if not kept.exists():
        kept.write_text(json.dumps(_vocabulary(answers, target.vocab, size.draft_vocab)))
    ids = torch.tensor(json.loads(kept.read_text()))
    heads = size.heads or network.heads.heads
    shape = HeadShape(
        generation=3,
        hidden=network.hidden,
        target_hidden=network.hidden,
        intermediate=size.mlp or -(-8 * network.hidden // (3 * 64)) * 64,
        heads=heads,
        kv_heads=max(1, heads * network.heads.kv_heads // network.heads.heads),
        head_dim=network.heads.size,
        vocab=target.vocab,
        draft_vocab=len(ids),
        layers=default_layers(network.layers),
    )
    head = _made(shape, network.embedding, size, target)
    with torch.no_grad():
        rows = network.head[ids.to(target.device)].float()
        head.lm_head.weight.copy_(rows / rows.norm(dim=1).mean())  # it begins unsure
        offsets: Tensor = head.d2t  # type: ignore[assignment]
        offsets.copy_(ids - torch.arange(len(ids)))
    return head


def _made(shape: HeadShape, embedding: Tensor | None, size: HeadSize, target: Target) -> EagleHead:
    """With layers that add nothing."""
    torch.manual_seed(0)
    if size.kind == "p-eagle":
        further, mask = max(1, size.layers) - 1, target.vocab - 1  # padding, where the vocabulary has any
        head: EagleHead = ParallelHead(shape, embedding, None, further=further, mask=mask, depth=size.steps)
    else:
        head = EagleHead(shape, embedding, None)
    with torch.no_grad():
        if isinstance(head, ParallelHead):
            head.mask_hidden.normal_()
        for layer in head.layers:
            assert isinstance(layer, HeadLayer)
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
    return head.to(target.device)


def known_head(folder: Path, kind: HeadKind, target: Target, *, of_these_weights: bool = True) -> EagleHead:
    """The head in `folder`. Raises ModelUnavailable for another kind, or where it does not belong to the target."""
    load = load_parallel if kind == "p-eagle" else load_head
    head = load(folder, target.network, torch.float32, of_these_weights=of_these_weights)
    if head.shape.generation != 3:
        raise UsageError(f"{folder}: an EAGLE-{head.shape.generation} head; EAGLE-3 heads are trained here")
    return head


def going_on(folder: Path, size: HeadSize, target: Target) -> EagleHead:
    """The head in `folder`, to be trained for the target's weights, whichever it was trained for before. An EAGLE-3
    head becomes the first layer of a P-EAGLE head, whose first token is then the EAGLE-3 head's."""
    parallel = any(name in read_config(folder) for name in MASK_SETTINGS)
    if size.kind == "p-eagle" and not parallel:
        known = known_head(folder, "eagle3", target, of_these_weights=False)
        head = _made(
            known.shape, target.network.embedding if known.embed_tokens is None else None, size, target
        )
        head.load_state_dict(known.state_dict(), strict=False)
        return head
    head = known_head(folder, size.kind, target, of_these_weights=False).requires_grad_(True)
    if isinstance(head, ParallelHead):
        head.depth = size.steps
    if size.layers not in (0, len(head.layers)):
        raise UsageError(f"{folder}: a head of {len(head.layers)} layers: drop --layers")
    return head


def _vocabulary(answers: Sequence[Answer], vocab: int, wanted: int) -> list[int]:
    """Ids of the target, ascending: the most frequent of the answers' tokens, novel ones counted a hundredfold."""
    counts: Counter[int] = Counter()
    for answer in answers:
        for token, novel in zip(answer.ids[answer.start :], answer.novel, strict=True):
            counts[token] += 100 if novel else 1
    if not wanted:
        if vocab <= 8192:
            return list(range(vocab))
        needed, wanted = SEEN * counts.total(), 0
        for _, count in counts.most_common():
            needed, wanted = needed - count, wanted + 1
            if needed <= 0:
                break
        wanted = -(-wanted // 64) * 64
    frequent = [token for token, _ in counts.most_common(wanted)]
    spare = (token for token in range(vocab) if token not in counts)
    while len(frequent) < min(wanted, vocab):
        frequent.append(next(spare))
    return sorted(frequent)
