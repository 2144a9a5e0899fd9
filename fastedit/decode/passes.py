"""One pass of the model over the rows of one or more answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from time import perf_counter
from typing import Protocol

import torch
from fastedit_kernels.tree_verify.forest import Tree
from torch import Tensor

from fastedit.decode.layout import PassPart, lay_out
from fastedit.decode.rejection import drawn_of
from fastedit.decode.verify import Verdict, draws, no_numbers, verdict
from fastedit.draft.budget import CostTable, Pace, RequestDrafts, share
from fastedit.draft.tree import TokenTree
from fastedit.model.base import Rows, Taps
from fastedit.model.cache import Cache
from fastedit.model.target import Target
from fastedit.sampling import Sampling

UNDECIDED = -1  # in place of a token
MOST_DRAFTED = 1024  # rows of a pass, of all its answers together


@dataclass(slots=True, eq=False)
class Turn:
    """What one answer asks of its next pass, and what came of it.

    `trunk` are certain tokens that are not in the cache yet. `drafts` are what could be drafted after them at
    the answer's `pace`; None where the pass reads a part of the prompt and decides nothing. The pass sets
    `tree`, `rows` (of all answers that it decides for) and `draft_ms`, then `verdict`, or `error` if this turn failed.

    `layers` are those whose hidden states the answer's drafters read; `states` then holds, by layer, those of the rows
    that stay [trunk + accepted, width], in order. Where one of them `listens`, `said` is the likeliest token after the
    trunk and after each node.

    `meanwhile` is called with the turn, once its tree is known, where nothing else is to be done until the device has
    run the pass: not on a processor, and not where the pass is of several answers, of which each drafts while others'
    passes run.
    """

    owner: object
    trunk: Sequence[int]
    drafts: RequestDrafts | None
    pace: Pace
    cache: Cache
    sampling: Sampling
    position: int
    layers: frozenset[int] = frozenset()
    listens: bool = False
    meanwhile: Callable[[Turn], None] | None = None
    tree: TokenTree = field(default_factory=TokenTree.empty)
    rows: int = 0
    draft_ms: float = 0.0
    verdict: Verdict | None = None
    states: Mapping[int, Tensor] = field(default_factory=dict)
    said: Sequence[int] = ()
    error: Exception | None = None

    @property
    def settled(self) -> bool:
        return self.verdict is not None or self.error is not None


class Runner(Protocol):
    """Runs the passes of answers."""

    def run(self, turn: Turn) -> None:
        """Return when the turn is settled; called from the answer's own thread."""

    def leave(self, owner: object) -> None:
        """No more turns of this owner will come; one that still waits is dropped. From any thread."""


def run_pass(target: Target, costs: CostTable, turns: Sequence[Turn]) -> None:
    """Settle these turns by one pass."""
    started = perf_counter()
    deciding = [turn for turn in turns if turn.drafts is not None]
    if deciding:
        trees = choose_trees(turns, costs)
        rows = sum(1 + len(tree) for tree in trees)
        ms = 1000.0 * (perf_counter() - started) / len(deciding)
        for turn, tree in zip(deciding, trees, strict=True):
            turn.tree, turn.rows, turn.draft_ms = tree, rows, ms
    layers = frozenset[int]().union(*(turn.layers for turn in turns))
    taps = Taps(layers) if layers else None
    parts = [PassPart(turn.trunk, turn.tree, turn.cache) for turn in turns]
    laid = lay_out(parts, taps, decides=bool(deciding))
    logits = target.forward(laid)
    if not deciding:  # parts of prompts: nothing is to be learnt of them, so nobody waits for the device
        for turn, first in zip(turns, _firsts(turns), strict=True):
            _settle(turn, Verdict([], UNDECIDED, []), taps, first)
        return
    for turn, stop in zip(turns, accumulate(1 + len(turn.tree) for turn in turns), strict=True):
        if turn.listens:
            turn.said = logits[stop - 1 - len(turn.tree) : stop].argmax(-1).tolist()
    if not _decide_there(target, logits, laid, turns):
        _decide(logits, turns, taps)


def choose_trees(turns: Sequence[Turn], costs: CostTable) -> Sequence[TokenTree]:
    """What those of these turns that decide are to verify, in order. One with the pass to itself may know already."""
    requests = [turn.drafts for turn in turns if turn.drafts is not None]
    if len(turns) == 1 and requests[0].tree is not None:
        return [requests[0].tree]
    rate = Pace.joint([turn.pace for turn in turns if turn.drafts is not None])
    return share(requests, costs, MOST_DRAFTED, rate, sum(len(turn.trunk) for turn in turns))


def _decide(logits: Tensor, turns: Sequence[Turn], taps: Taps | None) -> None:
    start = 0
    for turn, first in zip(turns, _firsts(turns), strict=True):
        stop = start + 1 + len(turn.tree)
        try:
            found = verdict(logits[start:stop], turn.tree, turn.sampling, turn.position)
            _settle(turn, found, taps, first)
        except Exception as error:  # numbers that one answer fails on must not end the others
            turn.error = error
        start = stop


def _settle(turn: Turn, found: Verdict, taps: Taps | None, first: int) -> None:
    """`first` is the turn's first row. The verdict comes last: with it the turn is another thread's again."""
    if taps is not None and turn.layers:
        forest = first + len(turn.trunk)
        rows = [*range(first, forest), *(forest + node for node in found.path)]
        states = {layer: taps.states[layer] for layer in turn.layers}
        kept = torch.tensor(rows, device=next(iter(states.values())).device)
        # Copies, for the next pass may overwrite the rest.
        turn.states = {layer: state.index_select(0, kept) for layer, state in states.items()}
    turn.verdict = found


def _firsts(turns: Sequence[Turn]) -> Iterator[int]:
    """The row that each turn begins with."""
    return accumulate((len(turn.trunk) + len(turn.tree) for turn in turns[:-1]), initial=0)


def _decide_there(target: Target, logits: Tensor, rows: Rows, turns: Sequence[Turn]) -> bool:
    """On the device, without a look at the logits from here; False where it has no kernels, or these fail."""
    if target.kernels is None:
        return False
    trees = [
        Tree(
            t.tree.tokens,
            t.tree.parents,
            t.tree.depths,
            t.tree.ancestors,
            draws(t.tree, t.sampling, t.position),
            drawn_of(t.tree, t.sampling, t.position),
        )
        for t in turns
    ]
    alone = turns[0].meanwhile if len(turns) == 1 else None
    decided = target.decide(logits, trees, rows, None if alone is None else partial(alone, turns[0]))
    if decided is None:
        return False
    for turn, first, (path, last, margins) in zip(turns, _firsts(turns), decided, strict=True):
        if last < 0:
            turn.error = no_numbers(turn.position)
        else:
            _settle(turn, Verdict(path, last, margins, moved=True), rows.taps, first)
    return True
