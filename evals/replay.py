"""Replayed edits: a target that always agrees with the real new file, so that only the drafting is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable, Pace, choose
from fastedit.draft.tree import TokenTree
from fastedit.prompt.base import Prompt

Factory = Callable[[Prompt], Sequence[Drafter]]


@dataclass(slots=True)
class Tally:
    """Totals over replays; `seconds` is CPU time of drafting: building, observing, proposing, merging, choosing."""

    tokens: int = 0
    passes: int = 0
    drafted: int = 0
    seconds: float = 0.0
    accepted: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        self.tokens += other.tokens
        self.passes += other.passes
        self.drafted += other.drafted
        self.seconds += other.seconds
        for name, count in other.accepted.items():
            self.accepted[name] = self.accepted.get(name, 0) + count

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / max(self.passes, 1)

    @property
    def drafted_per_token(self) -> float:
        return self.drafted / max(self.tokens, 1)

    @property
    def us_per_token(self) -> float:
        return 1e6 * self.seconds / max(self.tokens, 1)

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {
            "tokens_per_pass": self.tokens_per_pass,
            "drafted_per_token": self.drafted_per_token,
            "us_per_token": self.us_per_token,
        }


def replay(prompt: Prompt, target: Sequence[int], factory: Factory, costs: CostTable, rows: int) -> Tally:
    """Write `target`, then the stop token, with at most `rows` rows a pass, the last committed token's included."""
    tally = Tally(tokens=len(target))
    wanted = [*target, -1]
    at = 0
    started = time.thread_time()
    drafters = factory(prompt)
    pace = Pace(costs)
    tally.seconds += time.thread_time() - started
    while at < len(wanted):
        started = time.thread_time()
        branches = [branch for drafter in drafters for branch in drafter.propose(rows - 1)]
        tree = choose(branches, costs, rows - 1, pace.rate)
        tally.seconds += time.thread_time() - started
        path = accepted_path(tree, wanted[at:])
        tally.passes += 1
        tally.drafted += len(tree)
        for node in path:
            name = tree.names[tree.sources[node]]
            tally.accepted[name] = tally.accepted.get(name, 0) + 1
        new = wanted[at : at + len(path) + 1]
        at += len(new)
        started = time.thread_time()
        for drafter in drafters:
            drafter.observe(new)
        pace.observe(1 + len(tree), len(new))
        tally.seconds += time.thread_time() - started
    return tally


def accepted_path(tree: TokenTree, wanted: Sequence[int]) -> list[int]:
    """Nodes from a root down that spell the beginning of `wanted`."""
    children: dict[tuple[int, int], int] = {}
    for node, (parent, token) in enumerate(zip(tree.parents.tolist(), tree.tokens.tolist(), strict=True)):
        children[parent, token] = node
    path: list[int] = []
    node = -1
    for token in wanted:
        found = children.get((node, token))
        if found is None:
            break
        path.append(found)
        node = found
    return path
