"""Exact answers on held-out packages.

Greedy decoding gives the wanted answer exactly when every wanted token is the argmax behind the tokens before it, so
one teacher-forced pass tells it without decoding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise

import torch
from transformers import Qwen3ForCausalLM

from fastedit.train.examples import Example, pack
from fastedit.train.trainer import answer_hits


@dataclass(frozen=True, slots=True)
class Score:
    """Shares that are right of the answers, of their tokens, of the tokens that are not copied, and of the lines."""

    examples: int
    exact: float
    token_accuracy: float
    novel_accuracy: float
    line_accuracy: float


@torch.inference_mode()
def evaluate(model: Qwen3ForCausalLM, examples: list[Example], tokens: int = 16_384) -> dict[str, Score]:
    """Scores by kind of example, `update` and each instruction family."""
    asked: dict[str, list[Example]] = defaultdict(list)
    right: dict[str, list[list[bool]]] = defaultdict(list)
    for batch in pack(examples, tokens):
        with torch.autocast(model.device.type, dtype=torch.bfloat16):
            _, hits, rows = answer_hits(model, batch)
        for row, example in enumerate(batch):
            asked[example.kind].append(example)
            right[example.kind].append(hits[rows == row].tolist())
    return {kind: _score(asked[kind], right[kind]) for kind in sorted(asked)}


def _score(asked: Sequence[Example], right: Sequence[list[bool]]) -> Score:
    """`right` tells of each answer's tokens which the model would have written."""
    tokens, novel, lines = list[bool](), list[bool](), list[bool]()
    for example, hits in zip(asked, right, strict=True):
        tokens += hits
        novel += compress(hits, example.novel)
        lines += [all(hits[start:stop]) for start, stop in pairwise(accumulate(example.lines, initial=0))]
    return Score(len(asked), _share([all(hits) for hits in right]), *map(_share, (tokens, novel, lines)))


def _share(right: Sequence[bool]) -> float:
    """Of those that are right; all where nothing was asked."""
    return sum(right) / len(right) if right else 1.0
