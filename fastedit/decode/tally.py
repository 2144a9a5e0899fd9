"""What an answer has cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.tree import TokenTree

if TYPE_CHECKING:
    from fastedit.result import Receipt


@dataclass(slots=True)
class Tally:
    """What an answer has cost so far. `rows` holds the row count of every pass, prompt passes included; `reused` is how
    many prompt tokens needed no pass, because an earlier prompt began with them.

    `margin` is what `least_margin` finds. `offered_at` and `accepted_at` count the passes whose draft, and whose
    accepted tokens, reached position 2**i of the draft, by i; `undrafted` those that had no draft. `switched_off`
    counts, by name, drafters that failed.
    """

    prompt: int = 0
    output: int = 0
    passes: int = 0
    prefills: int = 0
    draft_ms: float = 0.0
    margin: float | None = None
    reused: int = 0
    undrafted: int = 0
    offered_at: list[int] = field(default_factory=list)
    accepted_at: list[int] = field(default_factory=list)
    drafted: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    rows: list[int] = field(default_factory=list)
    switched_off: Counter[str] = field(default_factory=Counter)

    def note_drafted(self, tree: TokenTree) -> None:
        self.drafted.update(_by_source(tree, tree.sources))

    def note_accepted(self, tree: TokenTree, path: Sequence[int]) -> None:
        self.accepted.update(_by_source(tree, tree.sources[path]))

    def note_positions(self, tree: TokenTree, accepted: int) -> None:
        self.undrafted += not len(tree)
        _count_to(self.offered_at, int(tree.depths.max(initial=0)))
        _count_to(self.accepted_at, accepted)

    def record(self, receipt: Receipt) -> None:
        """Add what this answer has cost to a receipt, which may hold other answers already."""
        receipt.prompt_tokens += self.prompt
        receipt.output_tokens += self.output
        receipt.generated_tokens += self.output - self.accepted.total()
        receipt.passes += self.passes
        receipt.rows += sum(self.rows)
        receipt.undrafted_passes += self.undrafted
        receipt.offered_at = _added(receipt.offered_at, self.offered_at)
        receipt.accepted_at = _added(receipt.accepted_at, self.accepted_at)
        receipt.draft_ms += self.draft_ms
        for kept, counted in (
            (receipt.drafted, self.drafted),
            (receipt.accepted, self.accepted),
            (receipt.switched_off, self.switched_off),
        ):
            for source, count in counted.items():
                kept[source] = kept.get(source, 0) + count
        receipt.margin = min((m for m in (receipt.margin, self.margin) if m is not None), default=None)


def _by_source(tree: TokenTree, sources: NDArray[np.integer]) -> dict[str, int]:
    """How many of these nodes' sources each name has, of those that have any."""
    counts = np.bincount(sources, minlength=len(tree.names)).tolist()
    return {name: count for name, count in zip(tree.names, counts, strict=True) if count}


def _count_to(counts: list[int], position: int) -> None:
    """One more that reached this position, counted from 1, and every 2**i before it."""
    reached = position.bit_length()
    counts += [0] * (reached - len(counts))
    counts[:reached] = [count + 1 for count in counts[:reached]]


def _added(left: list[int], right: list[int]) -> list[int]:
    return [a + b for a, b in zip_longest(left, right, fillvalue=0)]
