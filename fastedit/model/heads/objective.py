"""What a head in training lowers: how far its distribution is from the target's, and at which tokens that counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.model.eagle import EagleHead

Divergence = Literal["forward-kl", "reverse-kl", "total-variation", "cross-entropy"]


@dataclass(frozen=True, slots=True)
class Objective:
    """`divergence` is measured at every token that counts. With a `reference` head only the share `keep` of the tokens
    counts: those at which the head is furthest behind the reference (AdaSPEC, Hu et al. 2025, arXiv 2510.19779)."""

    divergence: Divergence = "forward-kl"
    reference: EagleHead | None = None
    keep: float = 1.0


def diverged(kind: Divergence, logits: Tensor, wanted: Tensor) -> Tensor:
    """From the target's log-probabilities `wanted` [..., vocab] to the head's `logits` [..., vocab]: [...].

    The divergences of DistillSpec (Zhou et al. 2023, arXiv 2310.08461, section 4). `forward-kl` is given up to the
    target's entropy, which no head changes. `total-variation` is one minus the chance that a sampled draft is accepted.
    `cross-entropy` is of the target's likeliest token alone, the one that greedy decoding accepts.
    """
    said = logits.log_softmax(-1)
    if kind == "forward-kl":
        return -(wanted.exp() * said).sum(-1)
    if kind == "reverse-kl":
        return F.kl_div(wanted, said, reduction="none", log_target=True).sum(-1)
    if kind == "cross-entropy":
        return F.nll_loss(said, wanted.argmax(-1), reduction="none")
    return 0.5 * (wanted.exp() - said.exp()).abs().sum(-1)


def furthest_behind(losses: Tensor, reference: Tensor, counted: Tensor, keep: float) -> Tensor:
    """bool, of the sizes of `losses`: of those `counted`, the share `keep` with the largest excess over `reference`."""
    excess = (losses - reference).masked_fill(~counted, float("-inf")).flatten()
    wanted = math.ceil(keep * int(counted.sum()))
    chosen = torch.zeros_like(excess, dtype=torch.bool)
    chosen[excess.topk(wanted).indices] = True
    return chosen.view_as(losses)
