"""One answer: from a prompt to its last token, a pass at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from fastedit.decode.certainty import least_margin
from fastedit.decode.panel import Panel
from fastedit.decode.passes import Runner, Turn
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.tally import Tally
from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable, Pace, RequestDrafts, clock_for
from fastedit.draft.seam import Computed
from fastedit.draft.tree import Merger, TokenTree
from fastedit.errors import Cancelled, TooLong
from fastedit.model.target import Target
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from fastedit.prompt.base import Prompt
    from fastedit.result import Receipt

CHUNK = 512  # prompt rows a pass: bounds the memory of its mask and activations
# Rows of one answer in a pass after its prompt. Their price decides how many pay; this bounds the memory of their
# logits and the time until the next text.
MAX_ROWS = 256

Finish = Literal["stop", "limit"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What one pass added to the answer. The first `drafted` tokens were proposed, the rest is the model's own.

    `finished` is "stop" after the model's stop token, which is not among the tokens, and "limit" where the
    answer reached its limit and the model would have gone on. A pass over a part of a long prompt adds
    nothing.
    """

    tokens: tuple[int, ...]
    drafted: int
    finished: Finish | None = None


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
        max_rows: int = MAX_ROWS,
        runner: Runner | None = None,
    ) -> None:
        needed = len(prompt.ids) + prompt.answer_limit
        if needed > target.context:
            raise TooLong(
                f"prompt and answer take up to {needed} tokens, the model's context holds {target.context}: "
                "shorten the region or use a model with a longer context"
            )
        self.output: list[int] = []
        self.finished: Finish | None = None
        self._margins: list[float] = []
        self.tally = Tally(prompt=len(prompt.ids))
        self._runner = runner or Scheduler(target, costs)
        self._prompt, self._sampling = prompt, sampling
        self._panel = Panel(drafters if speculation else (), target.vocab, clock_for(target.device.type))
        self.tally.switched_off = self._panel.off
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
        self.tally.margin = least_margin(
            (self._prompt.update, self._prompt.original), self.output, self._margins
        )
        self.tally.record(receipt)

    def close(self) -> None:
        self._closed = True
        self._pool.wake()
        self._runner.leave(self)
        self._free()

    def _free(self) -> None:
        """Give the cache back unless a step runs, which does it at its end."""
        if self._running.acquire(blocking=False):
            self._panel.close()
            self._cache.free()
            self._running.release()

    def _check_open(self) -> None:
        if self._closed:
            raise Cancelled

    def _turn(self) -> Turn:
        self._check_open()
        if not self._cache.capacity:
            self._open()
        trunk, drafts = self._pending[:CHUNK], None
        if len(self._pending) <= CHUNK:
            drafts = self._drafts()
        self._check_open()
        position, layers, listens = len(self.output), self._panel.layers, self._panel.listens
        turn = Turn(self, trunk, drafts, self._pace, self._cache, self._sampling, position, layers, listens)
        turn.meanwhile = self._prepare
        return turn

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
        trunk, (path, last, margins, moved) = len(turn.trunk), turn.verdict
        self.tally.rows.append(trunk + len(turn.tree))
        if turn.drafts is None:
            self._read(turn, self._pending[trunk])
            self._cache.keep(range(trunk))
            del self._pending[:trunk]
            self.tally.prefills += 1
            return Accepted((), 0)
        self._read(turn, last, turn.tree.tokens[path].tolist())
        self._cache.keep([*range(trunk), *(trunk + node for node in path)], moved=moved)
        if not self.output:
            self._cache.publish(self._prompt.ids)
        self._pending = [last]
        self.tally.passes += 1
        self.tally.draft_ms += turn.draft_ms
        self.tally.note_drafted(turn.tree)
        self.tally.note_positions(turn.tree, len(path))
        accepted = self._commit(turn.tree, path, last)
        share = (1 + len(turn.tree)) / turn.rows
        self._pace.observe(turn.rows, len(path) + 1, share, self._panel.priced_ms)
        self._margins += margins[: len(accepted.tokens) + (accepted.finished == "stop")]
        if accepted.tokens:
            self._panel.hear(turn.tree, turn.said)
            self._observe(list(accepted.tokens))
        if accepted.finished:
            self._cache.publish([*self._prompt.ids, *self.output])
        return accepted

    def _drafts(self) -> RequestDrafts:
        limit = self._limit(len(self.output))
        if not limit:
            return RequestDrafts(Merger(()), 0)
        start = perf_counter()
        drafts = self._panel.propose(limit, self._max_nodes, self._costs, self._pace.rate)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)
        return drafts

    def _limit(self, written: int) -> int:
        """Of tokens that are proposed after so many of the answer: with one more than a tree has nodes it is known what
        may follow it."""
        room = self._prompt.answer_limit - written
        return max(0, min(self._max_nodes + 1, room)) if self._panel and self._max_nodes else 0

    def _prepare(self, turn: Turn) -> None:
        """Draft for the pass after this one, as if this one accepted its likeliest branch whole and the model went on
        as is proposed. If it does not, what was drafted is thrown away."""
        assert turn.drafts is not None
        tokens = turn.drafts.merger.expected()
        _, finished = self._ends(tokens)
        limit = self._limit(len(self.output) + len(tokens))
        if not tokens or finished or not limit:
            return
        pace = copy(self._pace)  # as it will be then
        pace.observe(turn.rows, len(tokens), draft_ms=self._panel.priced_ms)
        self._panel.prepare(tokens, limit, self._max_nodes, self._costs, pace.rate)

    def _ends(self, tokens: Sequence[int]) -> tuple[int, Finish | None]:
        """How many of these verified tokens become output, and how that ends it, if it does."""
        room = self._prompt.answer_limit - len(self.output)
        ends = (tokens.index(stop) for stop in self._prompt.stop if stop in tokens)
        end = min(ends, default=None)
        if end is not None and end <= room:
            return end, "stop"
        return (room, "limit") if len(tokens) > room else (len(tokens), None)

    def _commit(self, tree: TokenTree, path: Sequence[int], last: int) -> Accepted:
        """Verified tokens become output, up to the stop token or the limit."""
        tokens = [*tree.tokens[path].tolist(), last]
        count, self.finished = self._ends(tokens)
        self.output += tokens[:count]
        self.tally.output = len(self.output)
        drafted = path[:count]
        self.tally.note_accepted(tree, drafted)
        return Accepted(tuple(tokens[:count]), len(drafted), self.finished)

    def _read(self, turn: Turn, following: int, accepted: Sequence[int] = ()) -> None:
        """Hand on what the pass has computed for the tokens that stay."""
        if turn.layers:
            start = perf_counter()
            tokens = [*turn.trunk, *accepted]
            self._panel.read(Computed(tokens, self._cache.length, following, turn.states))
            self.tally.draft_ms += 1000.0 * (perf_counter() - start)

    def _observe(self, tokens: list[int]) -> None:
        start = perf_counter()
        self._panel.observe(tokens)
        self.tally.draft_ms += 1000.0 * (perf_counter() - start)


def decode(session: Session) -> Iterator[Accepted]:
    """Every pass up to the last. The cache is given back at the end, and where the caller stops early."""
    try:
        while session.finished is None:
            yield session.step()
    finally:
        session.close()
