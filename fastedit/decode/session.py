"""One answer: from a prompt to its last token, a pass at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Literal

import numpy as np
from torch import Tensor

from fastedit.decode.layout import lay_out
from fastedit.decode.verify import chooser, walk
from fastedit.draft.base import Branch, Drafter
from fastedit.draft.budget import CostTable, Pace, choose
from fastedit.draft.tree import TokenTree
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
    """What an answer has cost so far. `rows` holds the row count of every pass, prompt passes included.

    `margin` is the least difference between the best and second-best logit where no draft held the next
    token.
    """

    prompt: int = 0
    output: int = 0
    passes: int = 0
    prefills: int = 0
    draft_ms: float = 0.0
    margin: float | None = None
    drafted: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    rows: list[int] = field(default_factory=list)


class Session:
    """Decodes one prompt. Each `step` is one pass; the pass that reads the prompt's end already verifies a
    draft.

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
        self._target, self._prompt, self._sampling = target, prompt, sampling
        self._drafters = tuple(drafters) if speculation else ()
        self._costs, self._max_nodes = costs, max_rows - 1
        self._pace = Pace(costs)
        self._pending = list(prompt.ids)  # certain tokens that are not in the cache yet
        self._cache = target.new_cache()
        self._closed = False
        self._running = Lock()

    def step(self) -> Accepted:
        """One pass."""
        assert self.finished is None, "the answer is finished"
        with self._running:
            try:
                if self._closed:
                    raise Cancelled("the edit was cancelled: nothing was written")
                accepted = self._prefill() if len(self._pending) > CHUNK else self._decide()
                if self._closed:
                    raise Cancelled("the edit was cancelled: nothing was written")
                return accepted
            finally:
                if self._closed:
                    self._cache.free()

    def record(self, receipt: Receipt) -> None:
        """Add what this answer has cost to a receipt, which may hold other answers already."""
        tally = self.tally
        receipt.prompt_tokens += tally.prompt
        receipt.output_tokens += tally.output
        receipt.generated_tokens += tally.output - tally.accepted.total()
        receipt.passes += tally.passes
        receipt.draft_ms += tally.draft_ms
        for kept, counted in ((receipt.drafted, tally.drafted), (receipt.accepted, tally.accepted)):
            for source, count in counted.items():
                kept[source] = kept.get(source, 0) + count
        receipt.margin = min((m for m in (receipt.margin, tally.margin) if m is not None), default=None)

    def close(self) -> None:
        self._closed = True
        if self._running.acquire(blocking=False):
            self._cache.free()
            self._running.release()

    def _prefill(self) -> Accepted:
        chunk, self._pending = self._pending[:CHUNK], self._pending[CHUNK:]
        self._forward(chunk, TokenTree.empty())
        self._cache.keep(range(len(chunk)))
        self.tally.prefills += 1
        return Accepted((), ())

    def _decide(self) -> Accepted:
        tree = self._draft()
        logits = self._forward(self._pending, tree)
        path, last = walk(tree, chooser(logits, self._sampling), len(self.output))
        trunk = len(self._pending)
        self._cache.keep([*range(trunk), *(trunk + node for node in path)])
        self._pending = [last]
        self.tally.passes += 1
        accepted = self._commit(tree, path, last)
        self._pace.observe(1 + len(tree), len(path) + 1)
        if len(accepted.tokens) + (accepted.finished is not None) > len(path):
            self._note_margin(logits[1 + path[-1] if path else 0])
        if accepted.tokens:
            self._observe(accepted.tokens)
        return accepted

    def _forward(self, trunk: Sequence[int], tree: TokenTree) -> Tensor:
        rows = lay_out(trunk, tree, self._cache.length, self._target.device)
        self.tally.rows.append(len(rows))
        return self._target.forward(rows, self._cache)

    def _draft(self) -> TokenTree:
        deepest = min(self._max_nodes, self._prompt.answer_limit - len(self.output))
        if not self._drafters or deepest < 1:
            return TokenTree.empty()
        start = perf_counter()
        branches = [_cut(branch, deepest) for d in self._drafters for branch in d.propose(deepest)]
        tree = choose(branches, self._costs, self._max_nodes, self._pace.rate)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)
        for source, count in enumerate(np.bincount(tree.sources, minlength=len(tree.names)).tolist()):
            if count:
                self.tally.drafted[tree.names[source]] += count
        return tree

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

    def _note_margin(self, logits: Tensor) -> None:
        best, second = logits.topk(2).values.tolist()
        least = self.tally.margin
        self.tally.margin = best - second if least is None else min(least, best - second)

    def _observe(self, tokens: Sequence[int]) -> None:
        start = perf_counter()
        for drafter in self._drafters:
            drafter.observe(tokens)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)


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
