"""One answer: from a prompt to its last token, a pass at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Literal

import numpy as np

from fastedit.decode.passes import Alone, Runner, Turn
from fastedit.draft.base import Branch, Drafter
from fastedit.draft.budget import CostTable, Pace, Wish, merge
from fastedit.draft.tree import Merger, TokenTree
from fastedit.edit.request import Sampling
from fastedit.errors import Cancelled, TooLong
from fastedit.model.target import Target

if TYPE_CHECKING:
    from fastedit.edit.result import Receipt
    from fastedit.prompt.base import Prompt

CHUNK = 512  # prompt rows a pass: bounds the memory of its mask and activations
MODEL = "model"

Finish = Literal["stop", "limit"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What one pass added to the answer. `sources` name who proposed each token; "model" where nobody did.

    `finished` is "stop" after the model's stop token, which is not among the tokens, and "limit" where the
    answer reached its limit and the model would have gone on. A pass over a part of a long prompt adds
    nothing.
    """

    tokens: tuple[int, ...]
    sources: tuple[str, ...]
    finished: Finish | None = None


@dataclass(slots=True)
class Tally:
    """What an answer has cost so far. `rows` holds the row count of every pass, prompt passes included; `reused` is how
    many prompt tokens needed no pass, because an earlier prompt began with them.

    `margin` is the least difference between the best and second-best logit where no draft held the next
    token. `offered_at` and `accepted_at` count the passes whose draft, and whose accepted tokens, reached
    position 2**i of the draft, by i; `undrafted` those that had no draft.
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

    def note_drafted(self, tree: TokenTree) -> None:
        for source, count in enumerate(np.bincount(tree.sources, minlength=len(tree.names)).tolist()):
            if count:
                self.drafted[tree.names[source]] += count

    def note_positions(self, tree: TokenTree, accepted: int) -> None:
        self.undrafted += not len(tree)
        _count_to(self.offered_at, int(tree.depths.max(initial=0)))
        _count_to(self.accepted_at, accepted)


class Session:
    """Decodes one prompt. Each `step` is one pass; the pass that reads the prompt's end already verifies a
    draft.

    The passes are `runner`'s, which may join them with those of other sessions; without one they are this session's
    own. The first step waits where other sessions hold all pages of the cache.

    `close` may be called from any thread and at any time. It gives the cache back; a step after it, or one
    that it overtakes, raises Cancelled. Raises TooLong where prompt and answer do not fit in the model's
    context.
    """

    def __init__(
        self,
        target: Target,
        prompt: Prompt,
        drafters: Sequence[Drafter],
        sampling: Sampling,
        *,
        costs: CostTable,
        speculation: bool = True,
        max_rows: int = 128,
        runner: Runner | None = None,
    ) -> None:
        needed = len(prompt.ids) + prompt.answer_limit
        if needed > target.context:
            raise TooLong(
                f"prompt and answer take up to {needed} tokens, the model's context holds {target.context}: "
                "narrow the region or use a model with a longer context"
            )
        self.output: list[int] = []
        self.finished: Finish | None = None
        self.tally = Tally(prompt=len(prompt.ids))
        self._runner = runner or Alone(target, costs)
        self._prompt, self._sampling = prompt, sampling
        self._drafters = tuple(drafters) if speculation else ()
        self._costs, self._max_nodes = costs, max_rows - 1
        self._pace = Pace(costs)
        self._pending = list(prompt.ids)  # certain tokens that are not in the cache yet
        self._pool, self._cache = target.pool, target.new_cache()
        self._closed = False
        self._running = Lock()

    def step(self) -> Accepted:
        """One pass."""
        assert self.finished is None, "the answer is finished"
        try:
            with self._running:
                turn = self._turn()
                self._runner.run(turn)
                self._check_open()
                if turn.error is not None:
                    raise turn.error
                accepted = self._settle(turn)
        except BaseException:
            self._runner.leave(self)
            raise
        finally:
            if self._closed:  # by someone who found the step running and left the cache to it
                self._free()
        if self.finished is not None:
            self._runner.leave(self)
        return accepted

    def record(self, receipt: Receipt) -> None:
        """Add what this answer has cost to a receipt, which may hold other answers already."""
        tally = self.tally
        receipt.prompt_tokens += tally.prompt
        receipt.output_tokens += tally.output
        receipt.generated_tokens += tally.output - tally.accepted.total()
        receipt.passes += tally.passes
        receipt.rows += sum(tally.rows)
        receipt.undrafted_passes += tally.undrafted
        receipt.offered_at = _added(receipt.offered_at, tally.offered_at)
        receipt.accepted_at = _added(receipt.accepted_at, tally.accepted_at)
        receipt.draft_ms += tally.draft_ms
        for kept, counted in ((receipt.drafted, tally.drafted), (receipt.accepted, tally.accepted)):
            for source, count in counted.items():
                kept[source] = kept.get(source, 0) + count
        receipt.margin = min((m for m in (receipt.margin, tally.margin) if m is not None), default=None)

    def close(self) -> None:
        self._closed = True
        self._pool.wake()
        self._runner.leave(self)
        self._free()

    def _free(self) -> None:
        """Give the cache back unless a step runs, which does it at its end."""
        if self._running.acquire(blocking=False):
            self._cache.free()
            self._running.release()

    def _check_open(self) -> None:
        if self._closed:
            raise Cancelled

    def _turn(self) -> Turn:
        self._check_open()
        if not self._cache.capacity:
            self._open()
        trunk, wish = self._pending[:CHUNK], None
        if len(self._pending) <= CHUNK:
            wish = self._wish()
        self._check_open()
        return Turn(self, trunk, wish, self._pace, self._cache, self._sampling, len(self.output))

    def _open(self) -> None:
        """Take all the room that the answer can need, and what is known of the prompt from earlier ones.

        At least one token must be read: its logits decide the answer's first.
        """
        room = len(self._prompt.ids) + self._prompt.answer_limit + self._max_nodes + 1
        reused = self._cache.adopt(self._pending[:-1], room, lambda: self._closed)
        if reused is None:
            raise Cancelled
        self.tally.reused = reused
        del self._pending[:reused]

    def _settle(self, turn: Turn) -> Accepted:
        """Take over what a pass has found."""
        assert turn.verdict is not None
        trunk, (path, last, margin, moved) = len(turn.trunk), turn.verdict
        self.tally.rows.append(trunk + len(turn.tree))
        if turn.wish is None:
            self._cache.keep(range(trunk))
            del self._pending[:trunk]
            self.tally.prefills += 1
            return Accepted((), ())
        self._cache.keep([*range(trunk), *(trunk + node for node in path)], moved=moved)
        if not self.output:
            self._cache.publish(self._prompt.ids)
        self._pending = [last]
        self.tally.passes += 1
        self.tally.draft_ms += turn.draft_ms
        self.tally.note_drafted(turn.tree)
        self.tally.note_positions(turn.tree, len(path))
        accepted = self._commit(turn.tree, path, last)
        self._pace.observe(turn.rows, len(path) + 1, (1 + len(turn.tree)) / turn.rows)
        if len(accepted.tokens) + (accepted.finished is not None) > len(path):
            self.tally.margin = margin if self.tally.margin is None else min(self.tally.margin, margin)
        if accepted.tokens:
            self._observe(accepted.tokens)
        if accepted.finished:
            self._cache.publish([*self._prompt.ids, *self.output])
        return accepted

    def _wish(self) -> Wish:
        deepest = min(self._max_nodes, self._prompt.answer_limit - len(self.output))
        if not self._drafters or deepest < 1:
            return Wish(Merger(()), 0)
        start = perf_counter()
        branches = [_cut(branch, deepest) for d in self._drafters for branch in d.propose(deepest)]
        merger = merge(branches, self._costs, self._pace.rate)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)
        return Wish(merger, self._max_nodes)

    def _commit(self, tree: TokenTree, path: Sequence[int], last: int) -> Accepted:
        """Verified tokens become output, up to the stop token or the limit."""
        tokens = [*tree.tokens[path].tolist(), last]
        sources = [*(tree.names[source] for source in tree.sources[path].tolist()), MODEL]
        room = self._prompt.answer_limit - len(self.output)
        end = next((i for i, token in enumerate(tokens) if token in self._prompt.stop), None)
        if end is not None and end <= room:
            self.finished, count = "stop", end
        elif len(tokens) > room:
            self.finished, count = "limit", room
        else:
            count = len(tokens)
        self.output += tokens[:count]
        self.tally.output = len(self.output)
        self.tally.accepted.update(source for source in sources[:count] if source != MODEL)
        return Accepted(tuple(tokens[:count]), tuple(sources[:count]), self.finished)

    def _observe(self, tokens: Sequence[int]) -> None:
        start = perf_counter()
        for drafter in self._drafters:
            drafter.observe(tokens)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)


def _count_to(counts: list[int], position: int) -> None:
    """One more that reached this position, counted from 1, and every 2**i before it."""
    reached = position.bit_length()
    counts += [0] * (reached - len(counts))
    counts[:reached] = [count + 1 for count in counts[:reached]]


def _added(left: list[int], right: list[int]) -> list[int]:
    return [a + b for a, b in zip_longest(left, right, fillvalue=0)]


def _cut(branch: Branch, length: int) -> Branch:
    """Tokens beyond the answer's limit would lie beyond the context."""
    if len(branch.tokens) <= length:
        return branch
    return Branch(branch.tokens[:length], branch.survival[:length], branch.source)


def decode(session: Session) -> Iterator[Accepted]:
    """Every pass up to the last. The cache is given back at the end, and where the caller stops early."""
    try:
        while session.finished is None:
            yield session.step()
    finally:
        session.close()
