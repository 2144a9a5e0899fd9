"""Exact answers on held-out packages.

Greedy decoding gives the wanted answer exactly when every wanted token is the argmax after the tokens before it, so
one teacher-forced pass tells it without decoding.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

import torch
from transformers import Qwen3ForCausalLM

from fastedit.train.examples import Example, pack
from fastedit.train.trainer import answer_hits

TOKENS = 16_384  # of a batch


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """Shares that are right of the answers, and of their tokens."""

    examples: int
    exact: float
    token_accuracy: float


@torch.inference_mode()
def evaluate(model: Qwen3ForCausalLM, examples: list[Example]) -> dict[str, AnswerScore]:
    """Scores by kind of example, `update` and each instruction family."""
    # Of each answer, whether its tokens would have been written.
    right: dict[str, list[list[bool]]] = defaultdict(list)
    for batch in pack(examples, TOKENS):
        with torch.autocast(model.device.type, dtype=torch.bfloat16):
            _, hits, rows = answer_hits(model, batch)
        for row, example in enumerate(batch):
            right[example.kind].append(hits[rows == row].tolist())
    return {
        kind: AnswerScore(len(found), fmean(map(all, found)), fmean(chain.from_iterable(found)))
        for kind, found in sorted(right.items())
    }
