"""An EAGLE head that learns while it serves: from what its drafts got wrong, between answers, for each tenant apart.

Nothing is written to disk. What is drafted never changes an answer, so a head that learned badly costs time only, and
is taken back. After OSD (Liu et al. 2023, Online Speculative Decoding), with the states of an EAGLE head.
"""

from __future__ import annotations

import atexit
import logging
from collections import Counter, OrderedDict
from collections.abc import Sequence
from statistics import fmean
from threading import Condition, Thread
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.base import Drafter
from fastedit.draft.confidence import AnswerHopes, Confidence, known_of
from fastedit.draft.heads.eagle import EagleDrafter, EagleSource, head_folder
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.heads.learner import Learner
from fastedit.draft.heads.notes import Notes
from fastedit.draft.seam import Computed, LearningReport
from fastedit.errors import ModelUnavailable
from fastedit.model.eagle import EagleHead
from fastedit.model.heads import load_head
from fastedit.model.heads.steps import Runs
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

log = logging.getLogger(__name__)

MEMORY = 512 << 20  # bytes of all tenants' lessons, heads and optimizers
TENANTS = 64
KEPT_BACK = 4  # every so many-th answer of a tenant is not learned from: heads are tried on it
# Of so many answers these are drafted for whatever that costs: a head that is never asked learns nothing. The second
# is one that is kept back.
CYCLE, ASKED = 16, (0, KEPT_BACK - 1)


class OnlineSource(EagleSource):
    """Heads by tenant. `work` learns; `start` has a thread do so whenever no answer is being written."""

    head: EagleHead

    def __init__(self, head: EagleHead, target: Target, known: Confidence) -> None:
        super().__init__(head.packed(target.network.packed_head), known, "online")
        self.head = head  # whose weights learning begins with
        self.last, self._output = target.network.layers, target.network.head
        self.packed_head = target.network.packed_head
        self._learners: OrderedDict[str, Learner] = OrderedDict()
        self._gone: Counter[str] = Counter()  # counts of tenants that had to make room
        self._running = self._ended = 0
        self._stopped = False
        self._change = Condition()

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (OnlineDrafter(self),)

    def learner(self, tenant: str) -> Learner:
        """That of an answer which is to begin; the tenant not served for longest makes room."""
        with self._change:
            if tenant not in self._learners:
                self._learners[tenant] = Learner(self.head, self._output, self.known.depth)
            self._learners.move_to_end(tenant)
            self._make_room(tenant)
            return self._learners[tenant]

    def began(self) -> None:
        with self._change:
            self._running += 1

    def ended(self) -> None:
        with self._change:
            self._running -= 1
            self._ended += 1
            self._change.notify_all()

    def work(self) -> bool:
        """Learn from what has come, until an answer begins. Whether there was anything to learn."""
        worked = False
        with self._change:
            tenants = list(self._learners)
        for tenant in tenants:
            with self._change:
                learner = self._learners.get(tenant)
                if learner is None or not learner.waiting:
                    continue
                self._make_room(tenant, Learner.most(self.head) - learner.bytes)
            worked |= learner.work(lambda: not (self._running or self._stopped))
        return worked

    def start(self) -> OnlineSource:
        thread = Thread(target=self._keep_working, daemon=True, name="online")
        thread.start()

        def stop() -> None:
            """An interpreter that ends in the middle of an update would abort."""
            with self._change:
                self._stopped = True
                self._change.notify_all()
            thread.join()

        atexit.register(stop)
        return self

    def learned(self) -> LearningReport:
        with self._change:
            learners = list(self._learners.values())
            counts = sum((learner.counts() for learner in learners), self._gone)
        tried = [learner.acceptance for learner in learners if learner.acceptance]
        return LearningReport(
            tenants=len(learners),
            learned=sum(learner.learned for learner in learners),
            off=sum(learner.off is not None for learner in learners),
            bytes=sum(learner.bytes for learner in learners),
            counts=counts,
            acceptance={name: fmean(rates[name] for rates in tried) for name in ("base", "live") if tried},
        )

    def _keep_working(self) -> None:
        while not self._stopped:
            with self._change:
                self._change.wait_for(lambda: self._stopped or not self._running)
                ended = self._ended
            try:
                worked = self.work()
            except Exception as error:
                log.warning("online learning ends: %s: %s", type(error).__name__, error)
                return
            if not worked:
                with self._change:
                    while self._ended == ended and not self._stopped:
                        self._change.wait()

    def _make_room(self, tenant: str, needed: int = 0) -> None:
        """For so many bytes more of this tenant: those not served for longest go."""
        others = [other for other in self._learners if other != tenant]
        for oldest in others:
            held = sum(learner.bytes for learner in self._learners.values())
            if len(self._learners) <= TENANTS and held + needed <= MEMORY:
                return
            self._gone += self._learners.pop(oldest).counts()


class OnlineDrafter(EagleDrafter):
    """Of one answer, which keeps the head that it began with."""

    def __init__(self, source: OnlineSource) -> None:
        super().__init__(source)
        self._source = source
        self._learner: Learner | None = None
        self._notes: Notes | None = None
        self._asked = self._running = False

    def inform(self, sampling: Sampling, tenant: str) -> None:
        learner = self._learner = self._source.learner(tenant)
        live = learner.live
        if live is not self._source.head:
            # A head that goes on learning is another one for the next answer: a graph would serve this one alone.
            self.name, self._head = "online-learned", live
            self._runs = Runs(live.packed(self._source.packed_head), graphs=False)
            self._known, self._hopes = learner.known, AnswerHopes(learner.known)
        if learner.off is None:
            self._number = learner.next_answer()
            self._asked = self._number % CYCLE in ASKED
            self._notes = Notes(self._head.reads, self._source.last)
            self.layers = frozenset((*self._head.reads, self._source.last))

    def prices(self) -> NDArray[np.float64]:
        return super().prices() * (not self._asked)

    def read(self, computed: Computed) -> None:
        if not self._running:
            self._running = True
            self._source.began()
        super().read(computed)
        if self._notes is not None:
            self._notes.read(computed)

    def observe(self, tokens: Sequence[int]) -> None:
        super().observe(tokens)
        if self._notes is not None:
            self._notes.observe(tokens)

    def close(self) -> None:
        super().close()
        notes, self._notes = self._notes, None
        if notes is not None and self._learner is not None:
            kept_back = self._number % KEPT_BACK == KEPT_BACK - 1
            self._learner.add(notes.lessons(wrong=not kept_back), kept_back=kept_back)
        if self._running:
            self._running = False
            self._source.ended()


def source(target: Target, argument: str) -> OnlineSource:
    """The head in folder `argument`, without one that which comes with the target, learning. Raises ModelUnavailable
    where there is none, it does not belong to this target, or takes too much memory to learn."""
    folder = head_folder(target, argument, "online")
    head = load_head(folder, target.network, target.dtype)
    needed = Learner.most(head)
    if needed > MEMORY:
        raise ModelUnavailable(
            f"{folder}: takes {needed >> 20} MiB to learn, and all heads together have {MEMORY >> 20}: "
            f"write eagle={folder}, which does not learn"
        )
    made = OnlineSource(head, target, known_of("online", target, DEPTH, folder.resolve(), head.shape))
    return made.start()
