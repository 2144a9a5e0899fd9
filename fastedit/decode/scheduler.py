"""Joins the passes of all live answers.

There is no thread of its own: whoever brings a turn while no pass runs leads the next one, for all turns that wait.
Drafting and reading happen in the answers' own threads, beside the pass that runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition
from time import perf_counter

import torch

from fastedit.decode.passes import Turn, run_pass
from fastedit.draft.budget import CostTable
from fastedit.errors import Cancelled, ModelUnavailable
from fastedit.model.device import REQUESTS
from fastedit.model.target import Target

PROMPT_ROWS = 512  # rows of prompts in one pass: more would keep the other answers waiting
# A pass waits so long, as a part of the last one's time, for turns that are soon due: one pass over two answers is
# cheaper than two, but an answer whose caller is slow must not slow down the others.
PATIENCE = 0.2


class Scheduler:
    """Settles turns of many threads. A turn joins the first pass that begins after it came, and may leave after any."""

    def __init__(self, target: Target, costs: CostTable) -> None:
        self._target, self._costs = target, costs
        self._changed = Condition()
        self._waiting: list[Turn] = []
        self._due: dict[object, _Due] = {}  # live answers, the longest living first
        self._leading = False
        self._pass_s = 0.0

    def run(self, turn: Turn) -> None:
        """Return when a pass has settled the turn. Raises Cancelled where its owner left in the meantime."""
        with self._changed:
            self._due.setdefault(turn.owner, _Due()).came()
            self._waiting.append(turn)
            self._changed.notify_all()
        while not self._wait(turn):
            self._lead()

    def leave(self, owner: object) -> None:
        with self._changed:
            self._due.pop(owner, None)
            for turn in [turn for turn in self._waiting if turn.owner is owner]:
                turn.error = Cancelled()
                self._waiting.remove(turn)
            self._changed.notify_all()

    def pause(self, work: Callable[[], None]) -> None:
        """Do `work` while no pass runs."""
        with self._changed:
            self._changed.wait_for(lambda: not self._leading)
            self._leading = True
        try:
            work()
        finally:
            with self._changed:
                self._leading = False
                self._changed.notify_all()

    def _wait(self, turn: Turn) -> bool:
        """True once the turn is settled, False where this thread is to lead a pass."""
        with self._changed:
            while self._leading and not turn.settled:
                self._changed.wait()
            self._leading = self._leading or not turn.settled
            return turn.settled

    def _lead(self) -> None:
        turns: list[Turn] = []
        try:
            self._gather(turns)
            started = perf_counter()
            self._settle(turns)
            self._pass_s = perf_counter() - started
        finally:
            with self._changed:
                # Where this thread was interrupted, another runs the pass again: nothing of it is committed yet.
                self._waiting[:0] = [turn for turn in turns if not turn.settled and turn.owner in self._due]
                for turn in turns:
                    if turn.owner in self._due:
                        self._due[turn.owner].left()
                    elif not turn.settled:
                        turn.error = Cancelled()
                self._leading = False
                self._changed.notify_all()

    def _gather(self, turns: list[Turn]) -> None:
        """Move the turns of the next pass from those that wait into `turns`."""
        deadline = perf_counter() + PATIENCE * self._pass_s
        with self._changed:
            while self._expected(deadline) and (left := deadline - perf_counter()) > 0:
                self._changed.wait(left)
            room = PROMPT_ROWS
            for turn in sorted(self._waiting, key=lambda turn: len(turn.trunk) > 1):
                if len(turns) == REQUESTS:
                    break
                if len(turn.trunk) == 1 or len(turn.trunk) <= room or room == PROMPT_ROWS:
                    room -= len(turn.trunk) if len(turn.trunk) > 1 else 0
                    turns.append(turn)
            self._waiting = [turn for turn in self._waiting if turn not in turns]
        # Side by side, so that attention reads a prefix that they share once.
        turns.sort(key=lambda turn: turn.cache.pages.tobytes())

    def _expected(self, deadline: float) -> bool:
        """Whether a live answer that does not wait yet is due before the deadline."""
        here = {turn.owner for turn in self._waiting}
        return any(due.at < deadline for owner, due in self._due.items() if owner not in here)

    def _settle(self, turns: Sequence[Turn]) -> None:
        """One pass, or smaller ones where it fails: out of memory, or by the fault of one of the turns."""
        if not turns:
            return
        try:
            run_pass(self._target, self._costs, turns)
            return
        except Exception as error:
            if len(turns) == 1:
                turns[0].error = _named(error)
                return
        # Not in the handler: the error holds on to what the failed pass has allocated.
        half = len(turns) // 2
        self._settle(turns[:half])
        self._settle(turns[half:])


class _Due:
    """When an answer's next turn can be expected: it takes about as long as the last time."""

    def __init__(self) -> None:
        self.at = self._since = perf_counter()
        self._pause = 0.0

    def came(self) -> None:
        self._pause = perf_counter() - self._since

    def left(self) -> None:
        self._since = perf_counter()
        self.at = self._since + self._pause


def _named(error: Exception) -> Exception:
    # For the memory of the machine itself torch raises a plain RuntimeError.
    if isinstance(error, torch.OutOfMemoryError | MemoryError) or "can't allocate memory" in str(error):
        return ModelUnavailable(
            f"the device ran out of memory in a pass over one edit: {error}".splitlines()[0]
        )
    return error
