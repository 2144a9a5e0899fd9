"""`python -m evals.shapes_heads`: where heads pay beside lookup, at the shape of Qwen2.5-Coder-0.5B on this processor.

The target's passes and the head's steps are really computed, with random weights; *which* tokens the target takes, and
which of the head's guesses are right, is REPLAYED: its first choice is the answer's next token as often as a head was
measured to be right, by a seed. A head of EAGLE-3's layout: one layer, a vocabulary of 32,000.

Workloads are real edits: few or many new lines, with their update in the prompt or without it, as where a model is told
in words what to do. Whether the head is asked before a pass is the engine's own decision, by its measured time.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import log

import torch
import typer
from torch import Tensor

from evals.ceilings import Clock, faster_dtype
from evals.edits import Split
from evals.publish import Json, Quick, publish
from evals.recommend import SURE, faster
from evals.replay.edits import Case, drawn
from evals.replay.models import SHAPES, Watched, random_target
from evals.replay.ways import Ours, Processor, Way, Written, clock_of, compared
from fastedit.decode.costs import measure
from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable
from fastedit.draft.confidence import Confidence
from fastedit.draft.eagle import EagleDrafter, EagleSource
from fastedit.draft.guesses import DEPTH
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt

SHAPE = "qwen2.5-0.5b"
DRAFT_VOCAB = 32000
LOOKUP = "lookup"
RATES: Mapping[str, float] = {
    "lookup + head, 1.3 tokens a pass": 0.23,  # the embedded models' heads (docs/drafters.md)
    "lookup + head, 1.8 tokens a pass": 0.44,
    "lookup + head, 2.6 tokens a pass": 0.61,  # one that has learned on the stream that it drafts for
}
"""How often each token of a chain is right: a pass yields 1 / (1 - rate) tokens of new text."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Edits that change `low` up to `high` of a file's lines."""

    low: float
    high: float
    shown: bool


WORKLOADS: Mapping[str, Workload] = {
    "few new lines, shown": Workload(0.0, 0.15, True),
    "few new lines, told": Workload(0.0, 0.15, False),
    "30 % new lines or more, shown": Workload(0.3, 1.01, True),
    "30 % new lines or more, told": Workload(0.3, 1.01, False),
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Edits of a workload, and the most tokens of prompt and answer."""

    edits: int
    longest: int


FULL, QUICK = Sizes(6, 1024), Sizes(2, 768)


def random_head(target: Target) -> EagleHead:
    """EAGLE-3's layout for this target, with the widths of one of its layers."""
    _, layers, width, inner, heads, kv_heads, vocab, _ = SHAPES[target.name]
    shape = HeadShape(
        generation=3, hidden=width, target_hidden=width, intermediate=inner, heads=heads, kv_heads=kv_heads,
        head_dim=width // heads, vocab=vocab, draft_vocab=DRAFT_VOCAB, layers=(2, layers // 2, layers - 3),
    )  # fmt: skip
    head = EagleHead(shape, target.network.embedding, None)
    return head.to(target.network.embedding.device, target.dtype).eval().requires_grad_(False)


class ReplayedHead(EagleDrafter):
    """Computes what its head does, and then says what a head would say that is right at this rate and knows it."""

    def __init__(self, source: EagleSource, wanted: Sequence[int], rate: float) -> None:
        super().__init__(source)
        self._wanted, self._rate, self._at = wanted, rate, 0
        self._true: list[bool] = []  # by row since the last `extend`: it stands on the answer's own path

    def observe(self, tokens: Sequence[int]) -> None:
        super().observe(tokens)
        self._at += len(tokens)

    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        self._true = []
        fed, logits = super().extend(states, following, start)
        return fed, self._said(logits, [True], 0)

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        fed, logits = super().step(fed, tokens, parents, level)
        here = self._next(level - 1)
        true = [
            (parent < 0 or self._true[parent]) and token == here
            for parent, token in zip(parents, tokens.tolist(), strict=True)
        ]
        self._true += true
        return fed, self._said(logits, true, level)

    def _next(self, ahead: int) -> int | None:
        at = self._at + ahead
        return self._wanted[at] if at < len(self._wanted) else None

    def _said(self, logits: Tensor, true: Sequence[bool], ahead: int) -> Tensor:
        """One token a row with the probability `rate`, all others alike. A position is guessed right or wrong whenever
        it is guessed, so that all ways of asking meet the same head."""
        drawn = random.Random(self._at + ahead)
        right, other = drawn.random() < self._rate, drawn.randrange(DRAFT_VOCAB)
        wanted = self._next(ahead)
        said = torch.zeros_like(logits)
        for row, on_path in enumerate(true):
            hit = on_path and right and wanted is not None and wanted < DRAFT_VOCAB
            token = wanted if hit else other
            said[row, token] = log((DRAFT_VOCAB - 1) * self._rate / (1.0 - self._rate))
        return said


def ways_of(target: Watched, costs: CostTable, clock: Clock) -> dict[str, Way]:
    """Lookup alone, and beside it heads that are right at each of the rates."""
    head = random_head(target)
    ways: dict[str, Way] = {LOOKUP: Ours(target, costs, clock)}
    for name, rate in RATES.items():
        source = EagleSource(head, Confidence(DEPTH))
        ways[name] = Ours(target, costs, clock, extra=partial(_drafters, source, rate))
    return ways


def _drafters(source: EagleSource, rate: float, prompt: Prompt, wanted: Sequence[int]) -> tuple[Drafter, ...]:
    return (ReplayedHead(source, wanted, rate),)


def cases_of(workload: Workload, split: Split, sizes: Sizes) -> Iterator[Case]:
    found = drawn(split, sizes.longest, workload.low, workload.high, with_update=workload.shown)
    return (case for _, case in islice(found, sizes.edits))


def figures(written: Mapping[str, Sequence[Written]]) -> dict[str, dict[str, float]]:
    """`surely_faster`: how often it is faster than lookup when the edits are drawn anew."""
    plain = [one.decoding_s for one in written[LOOKUP]]
    return {
        name: {
            "tokens": sum(one.tokens for one in edits),
            "tokens_a_pass": sum(one.decoded for one in edits)
            / sum(len([p for p in one.passes if p.tokens]) - 1 for one in edits),
            "decoding_tokens_per_s": sum(one.decoded for one in edits) / sum(one.decoding_s for one in edits),
            "x_lookup": sum(plain) / sum(one.decoding_s for one in edits),
            "surely_faster": faster([one.decoding_s for one in edits], plain),
            "drafting_share": sum(one.drafting_s for one in edits) / sum(one.seconds for one in edits),
        }
        for name, edits in written.items()
    }


def recommended(rows: Mapping[str, Mapping[str, float]]) -> str:
    """The least able head that is surely faster than lookup alone."""
    return next((name for name in RATES if rows[name]["surely_faster"] >= SURE), LOOKUP)


def main(quick: Quick = False, processor: Processor = False, json_file: Json = None) -> None:
    """Decoding with lookup alone and with heads beside it, replayed, on this processor."""
    sizes = QUICK if quick else FULL
    clock = clock_of(processor)
    width, inner = SHAPES[SHAPE][2:4]
    dtype, _ = faster_dtype(width, inner, clock)
    target = random_target(SHAPE, torch.device("cpu"), dtype=dtype)
    ways = ways_of(target, measure(target), clock)
    compared(
        list(cases_of(WORKLOADS["few new lines, told"], "dev", QUICK)), ways, {}
    )  # warms up, heads learn of themselves
    name = str(dtype).removeprefix("torch.")
    found: dict[str, dict[str, dict[str, float]]] = {}
    for workload, edits in WORKLOADS.items():
        found[workload] = figures(compared(list(cases_of(edits, "test", sizes)), ways, {}))
        print(f"{workload}: done", file=sys.stderr)
    pays = {f"from which on a head pays, {workload}": recommended(rows) for workload, rows in found.items()}
    kind = "processor time" if processor else "wall time"
    where = f"{torch.get_num_threads()} threads, torch {torch.__version__}, {name}, {SHAPE}; {kind}, REPLAYED"
    publish(where, pays, found, json_file, quick=quick, load=os.getloadavg())


if __name__ == "__main__":
    typer.run(main)
