"""Exact answers on held-out packages.

Greedy decoding gives the wanted answer exactly when every wanted token is the argmax behind the tokens before it, so
one teacher-forced pass tells it without decoding.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import torch
from transformers import Qwen3ForCausalLM

from fastedit.train.examples import Example, pack
from fastedit.train.trainer import answer_hits


@dataclass(frozen=True, slots=True)
class Score:
    examples: int
    exact: float
    token_accuracy: float


@torch.inference_mode()
def evaluate(model: Qwen3ForCausalLM, examples: list[Example], tokens: int = 16_384) -> dict[str, Score]:
    """Scores by kind of example, `update` and each instruction family."""
    exact: dict[str, list[bool]] = defaultdict(list)
    right: dict[str, list[int]] = defaultdict(list)
    for batch in pack(examples, tokens):
        with torch.autocast(model.device.type, dtype=torch.bfloat16):
            _, hits, rows = answer_hits(model, batch)
        for row, example in enumerate(batch):
            mine = hits[rows == row]
            exact[example.kind].append(bool(mine.all()))
            right[example.kind] += mine.int().tolist()
    return {
        kind: Score(
            len(exact[kind]), sum(exact[kind]) / len(exact[kind]), sum(right[kind]) / len(right[kind])
        )
        for kind in sorted(exact)
    }
