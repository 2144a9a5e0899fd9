"""`python -m evals.shapes_heads`: where heads pay beside lookup, at the shape of Qwen2.5-Coder-0.5B on this processor.

The target's passes and the heads' steps are timed once, with random weights, and then RECKONED: a tiny model makes the
same decisions, and each pass and each step counts as long as it took, so that a few per cent show on a busy machine.
*Which* tokens the target takes, and which guesses of a head are right, is REPLAYED: its first choice is the answer's
next token as often as a head was measured to be right, by a seed. Heads are EAGLE-3's, as large as published ones or as
small as one would train for a target of this size, and P-EAGLE's.

Workloads are real edits: few or many new lines, with their update in the prompt or without it, as where a model is told
in words what to do. Whether the head is asked before a pass is the engine's own decision, by its time.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial, reduce
from itertools import accumulate, islice
from math import log
from typing import NamedTuple

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import Tensor

from evals.edits import Split
from evals.publish import Json, Quick, publish
from evals.replay.edits import Case, drawn
from evals.replay.models import SHAPES, random_target
from evals.replay.passes import ReplayedEdit
from evals.replay.ways import Ours, Processor, Way, clock_of, compared
from evals.timing.ceilings import Clock as Stopwatch
from evals.timing.ceilings import dtype_of_processor
from evals.timing.turns import SURE, faster
from fastedit.console import reported
from fastedit.decode.costs import best_of, measure
from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable
from fastedit.draft.clock import AHEAD, Clock
from fastedit.draft.confidence import Confidence
from fastedit.draft.heads.eagle import AttendingDrafter, EagleSource
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.heads.parallel import ParallelSource
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads.parallel import ParallelHead
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt

SHAPE, TINY = "qwen2.5-0.5b", "tiny"
LOOKUP = "lookup"


@dataclass(frozen=True, slots=True)
class Kind:
    """Heads of one size: the width of their MLP as a share of the target's; `parallel` is P-EAGLE's."""

    vocab: int
    mlp: float
    parallel: bool = False


KINDS: Mapping[str, Kind] = {
    "large": Kind(32000, 1.0),
    "small": Kind(4096, 0.25),
    "small P-EAGLE": Kind(4096, 0.25, parallel=True),
}


class Able(NamedTuple):
    """How often each token of a chain is right: a pass yields 1 / (1 - rate) tokens of new text."""

    kind: str
    rate: float


HEADS: Mapping[str, Able] = {
    "small head, 1.3 tokens a pass": Able("small", 0.23),  # the embedded model's (docs/drafters.md)
    "small head, 1.54 tokens a pass": Able("small", 0.35),  # that of `small`
    "small head, 1.8 tokens a pass": Able("small", 0.44),
    "small P-EAGLE head, 1.54 tokens a pass": Able("small P-EAGLE", 0.35),
    "small P-EAGLE head, 1.8 tokens a pass": Able("small P-EAGLE", 0.44),
    "large head, 1.8 tokens a pass": Able("large", 0.44),
}


# By the share of a file's lines that an edit changes.
WORKLOADS: Mapping[str, Callable[[Split, int], Iterator[Case]]] = {
    "few new lines, shown": drawn,
    "few new lines, told": partial(drawn, with_update=False),
    "30 % new lines or more, shown": partial(drawn, low=0.3, high=1.01),
    "30 % new lines or more, told": partial(drawn, low=0.3, high=1.01, with_update=False),
}
# Edits of a workload, and the most tokens of prompt and answer.
FULL, QUICK = (16, 2048), (2, 768)


def source_of(target: Target, kind: Kind) -> EagleSource:
    """EAGLE-3's or P-EAGLE's layout for this target with random weights, ready to draft."""
    _, layers, width, inner, heads, kv_heads, vocab, _ = SHAPES[target.name]
    shape = HeadShape(
        generation=3, hidden=width, target_hidden=width, intermediate=int(inner * kind.mlp), heads=heads,
        kv_heads=kv_heads, head_dim=width // heads, vocab=vocab, draft_vocab=kind.vocab,
        layers=(2, layers // 2, layers - 3),
    )  # fmt: skip
    embedding = target.network.embedding
    head = (
        ParallelHead(shape, embedding, None, further=0, mask=0, depth=None)
        if kind.parallel
        else EagleHead(shape, embedding, None)
    )
    head = head.to(embedding.device, target.dtype).eval().requires_grad_(False)
    head = head.packed(target.network.packed_head)
    confidence = Confidence(DEPTH)
    return (
        ParallelSource(head, confidence) if isinstance(head, ParallelHead) else EagleSource(head, confidence)
    )


class ReplayedHead(AttendingDrafter):
    """Is asked when a head is, and says without computing what a head would say that is right at this rate and knows
    it."""

    def __init__(self, source: EagleSource, wanted: Sequence[int], rate: float) -> None:
        super().__init__(source)
        assert isinstance(source.head, EagleHead)
        self._wanted, self._rate, self._at, self._vocab = wanted, rate, 0, source.head.shape.draft_vocab
        self._true: list[bool] = []  # by row since `begin`: it stands on the answer's own path

    def observe(self, tokens: Sequence[int]) -> None:
        super().observe(tokens)
        self._at += len(tokens)

    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        self._true = []
        return states[-1:], self._said([True], 0)

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        here = self._next(level - 1)
        true = [
            (parent < 0 or self._true[parent]) and token == here
            for parent, token in zip(parents, tokens.tolist(), strict=True)
        ]
        self._true += true
        return fed, self._said(true, level)

    def _next(self, ahead: int) -> int | None:
        at = self._at + ahead
        return self._wanted[at] if at < len(self._wanted) else None

    def _said(self, true: Sequence[bool], ahead: int) -> Tensor:
        """One token a row with the probability `rate`, all others alike. A position is guessed right or wrong whenever
        it is guessed, so that all ways of asking meet the same head."""
        drawn, vocab = random.Random(self._at + ahead), self._vocab
        right, other = drawn.random() < self._rate, drawn.randrange(vocab)
        wanted = self._next(ahead)
        said = torch.zeros(len(true), vocab)
        for row, on_path in enumerate(true):
            hit = on_path and right and wanted is not None and wanted < vocab
            token = wanted if hit else other
            said[row, token] = log((vocab - 1) * self._rate / (1.0 - self._rate))
        return said


def _drafters(source: EagleSource, rate: float, prompt: Prompt, wanted: Sequence[int]) -> tuple[Drafter, ...]:
    return (ReplayedHead(source, wanted, rate),)


class Reckoned(Clock):
    """The times of a head of the target's size, for a tiny one that drafts in its place: `spent_ms` adds them up."""

    def __init__(self, timed: Clock) -> None:
        self.now, self._timed_one, self.spent_ms = timed.now, timed, 0.0

    @property
    def step_ms(self) -> float:
        return self._timed_one.step_ms

    def prices(self, depth: int, backlog: int) -> NDArray[np.float64]:
        return self._timed_one.prices(depth, backlog)

    def observe(self, backlog: int, steps: int, ms: float) -> None:
        self.spent_ms += float(self.prices(steps + 1, AHEAD * backlog)[-1])


def reckoned(way: Way, costs: CostTable, heads: Reckoned | None = None) -> Way:
    """The same edits, each pass as long as the table says and the heads' proposals as long as they were timed. The
    latter count as if all came after the first pass."""

    def write(found: Case, most: int | None = None) -> ReplayedEdit:
        before = heads.spent_ms if heads else 0.0
        written = way(found, most)
        spent = (heads.spent_ms - before if heads else 0.0) / 1000.0
        ends = list(accumulate(costs.cost(one.rows) / 1000.0 for one in written.passes))
        ends[-1] += spent
        passes = tuple(replace(one, seconds=end) for one, end in zip(written.passes, ends, strict=True))
        return replace(written, passes=passes, drafting_s=spent)

    return write


def ways_of(costs: CostTable, clocks: Mapping[str, Clock], clock: Stopwatch) -> dict[str, Way]:
    """Lookup alone, and each of the heads beside it."""
    tiny = random_target(TINY, torch.device("cpu"), dtype=torch.float32)
    ways: dict[str, Way] = {LOOKUP: reckoned(Ours(tiny, costs, clock), costs)}
    for name, (kind, rate) in HEADS.items():
        source = source_of(tiny, replace(KINDS[kind], vocab=4096))
        source.clock = times = Reckoned(clocks[kind])
        ways[name] = reckoned(Ours(tiny, costs, clock, extra=partial(_drafters, source, rate)), costs, times)
    return ways


def cases_of(workload: str, split: Split, edits: int, longest: int) -> list[Case]:
    return list(islice(WORKLOADS[workload](split, longest), edits))


def figures(written: Mapping[str, Sequence[ReplayedEdit]]) -> dict[str, dict[str, float]]:
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
    """The first head that is surely faster than lookup alone."""
    return next((name for name in HEADS if rows[name]["surely_faster"] >= SURE), LOOKUP)


@reported
def main(
    quick: Quick = False,
    processor: Processor = False,
    json_file: Json = None,
) -> None:
    """Decoding with lookup alone and with heads beside it, replayed by what passes and steps take on this processor."""
    clock = clock_of(processor)
    dtype = dtype_of_processor()
    target = random_target(SHAPE, torch.device("cpu"), dtype=dtype)
    costs = reduce(best_of, (measure(target) for _ in range(3)))
    clocks: dict[str, Clock] = {name: source_of(target, kind).clock for name, kind in KINDS.items()}
    ways = ways_of(costs, clocks, clock)
    # Heads learn how sure they may be of themselves.
    compared(cases_of("few new lines, told", "dev", *QUICK), ways, {})
    kept = str(dtype).removeprefix("torch.")
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in WORKLOADS:
        cases = cases_of(name, "test", *(QUICK if quick else FULL))
        found[name] = figures(compared(cases, ways, {}))
        print(f"{name}: done", file=sys.stderr)
    pays = {f"from which on a head pays, {name}": recommended(rows) for name, rows in found.items()}
    kind = "processor time" if processor else "wall time"
    where = f"{torch.get_num_threads()} threads, torch {torch.__version__}, {kept}, {SHAPE}"
    where += f"; {kind}, RECKONED and REPLAYED"
    publish(where, pays, found, json_file, quick=quick, load=os.getloadavg(),
            costs=asdict(costs),
            prices={name: one.prices(DEPTH, 0).tolist() for name, one in clocks.items()})  # fmt: skip


if __name__ == "__main__":
    typer.run(main)
