"""One tenant's head, which learns from what it got wrong and is replaced only by a better one."""

from __future__ import annotations

import math
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Literal

import torch
from torch import Tensor

from fastedit.draft.confidence import Confidence
from fastedit.draft.heads.notes import size
from fastedit.model.eagle import EagleHead
from fastedit.model.heads.learn import accepted, learn
from fastedit.model.heads.lesson import Lesson

LESSONS = 16 << 20  # bytes of one tenant's lessons; a quarter of them is kept to try heads on
FRESH = 8  # lessons that must have come before a head learns again
ROUND = 12  # updates, after which the head is tried
BATCH = 8  # lessons an update
STEPS = 2  # tokens ahead
TRIAL = 64  # novel tokens that a trial needs
RATE = 1e-3
CLIP = 0.5
Why = Literal["diverged", "worse"]


class LessonShelf:
    """Lessons up to a bound in bytes; the oldest go first."""

    def __init__(self, bound: int) -> None:
        self._bound, self.bytes = bound, 0
        self.lessons: deque[Lesson] = deque()

    def add(self, lesson: Lesson) -> None:
        self.lessons.append(lesson)
        self.bytes += size(lesson)
        while self.bytes > self._bound and self.lessons:
            self.bytes -= size(self.lessons.popleft())


class Learner:
    """`live` is the head that drafts: the base head until a learned one was better on answers kept back, and again as
    soon as one gets worse than it. `off` says why nothing is learned any more.

    One thread calls `work`; any may read and add. An answer keeps the head that it began with.
    """

    def __init__(self, base: EagleHead, output: Tensor, depth: int) -> None:
        """`output` [vocab, width] is the target's output matrix."""
        self.base = self.live = base
        self.known = Confidence(depth)  # of heads learned here
        self.off: Why | None = None
        self.rolled_back: Counter[Why] = Counter()
        self.updates = self.swaps = 0
        self.acceptance: dict[str, float] = {}  # tokens a pass on answers kept back, by head
        self._output = output
        self._taught, self._kept_back = LessonShelf(LESSONS * 3 // 4), LessonShelf(LESSONS // 4)
        self._answers = self._fresh = 0
        self._round: Iterator[None] | None = None  # the one that is under way
        self._lock, self._rng = Lock(), random.Random(0)
        self._training: EagleHead | None = None
        self._optimizer: torch.optim.Optimizer | None = None

    @property
    def learned(self) -> bool:
        return self.live is not self.base

    @property
    def bytes(self) -> int:
        """Of the lessons, of heads other than the base head, and of what training one takes."""
        live, training = _bytes(self.base)
        heads = live * self.learned + training * (self._training is not None)
        return self._taught.bytes + self._kept_back.bytes + heads

    @staticmethod
    def most(base: EagleHead) -> int:
        """Bytes that one tenant takes at most: a trial may hold lessons that have made room since it began."""
        return LESSONS * 5 // 4 + sum(_bytes(base))

    def next_answer(self) -> int:
        """The number of an answer that begins, from 0."""
        with self._lock:
            self._answers += 1
            return self._answers - 1

    def counts(self) -> Counter[str]:
        """Updates, swaps and rollbacks by their reason; they never fall."""
        return Counter({"updates": self.updates, "swaps": self.swaps}) + Counter(self.rolled_back)

    def add(self, lessons: Iterable[Lesson], *, kept_back: bool) -> None:
        with self._lock:
            for lesson in lessons:
                (self._kept_back if kept_back else self._taught).add(lesson)
                self._fresh += 1

    @property
    def waiting(self) -> bool:
        """Whether there is anything to learn from that it has not learned."""
        return self.off is None and (self._fresh >= FRESH or self._round is not None)

    def work(self, idle: Callable[[], bool] = lambda: True) -> bool:
        """Learn a round, and try what came of it, as long as it is `idle`, which is asked before each lesson; the next
        call goes on. Whether there was anything to do."""
        if not self.waiting:
            return False
        self._round, over = self._round or self._begun(), object()
        try:
            step = None
            while step is not over:
                if not idle():
                    return True
                step = next(self._round, over)
        except FloatingPointError:
            self._roll_back("diverged")
        self._round, self._fresh = None, 0
        return True

    def _begun(self) -> Iterator[None]:
        """A round; stops before each lesson."""
        for _ in range(ROUND):
            yield from self._update()
        yield from self._try()

    def _update(self) -> Iterator[None]:
        """One step of the optimizer. Raises FloatingPointError for a loss or a weight that is no number."""
        with self._lock:
            lessons = list(self._taught.lessons)
        if not lessons:
            return
        head, optimizer = self._head()
        for lesson in self._rng.sample(lessons, min(BATCH, len(lessons))):
            yield
            loss = learn(head, _on(lesson, head.device), self._output, STEPS).loss
            torch.autograd.backward(loss / BATCH)
        norm = torch.nn.utils.clip_grad_norm_(head.parameters(), CLIP)
        if not math.isfinite(norm):
            raise FloatingPointError
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        self.updates += 1

    def _head(self) -> tuple[EagleHead, torch.optim.Optimizer]:
        if self._training is None or self._optimizer is None:
            self._training = self.live.copy(torch.float32).train().requires_grad_(True)
            self._optimizer = torch.optim.AdamW(self._training.parameters(), lr=RATE, betas=(0.9, 0.95))
        return self._training, self._optimizer

    def _try(self) -> Iterator[None]:
        """Compare the heads on what was kept back, then replace or roll back. Raises FloatingPointError."""
        with self._lock:
            lessons = list(self._kept_back.lessons)
        heads = {"base": self.base, "live": self.live}
        if self._training is not None:
            heads["learned"] = self._training
        found = dict.fromkeys(heads, (0, 0))
        while lessons:
            lesson = lessons.pop()
            for name, (tokens, passes) in found.items():
                yield
                more, further = self._tokens(heads[name], lesson)
                found[name] = tokens + more, passes + further
        if any(passes < TRIAL for _, passes in found.values()):
            return
        rates = {name: tokens / passes for name, (tokens, passes) in found.items()}
        self.acceptance = {"base": rates["base"], "live": rates["live"]}
        if rates["live"] < rates["base"]:
            self._roll_back("worse")
        elif self._training is not None and rates["learned"] < rates["base"]:
            self._forget()
            self.rolled_back["worse"] += 1
        elif self._training is not None and rates["learned"] > rates["live"]:
            self.live = self._training.copy(self.base.fc.weight.dtype)
            self.swaps += 1
            self.acceptance["live"] = rates["learned"]

    @torch.no_grad()
    def _tokens(self, head: EagleHead, lesson: Lesson) -> tuple[int, int]:
        """Tokens of passes that begin at novel tokens, and how many these are. Raises FloatingPointError."""
        learned = learn(head, _on(lesson, head.device), self._output, STEPS)
        if not math.isfinite(learned.loss):
            raise FloatingPointError
        counts = accepted(learned).tolist()
        return sum(counts), counts[0]

    def _roll_back(self, why: Why) -> None:
        """The base head drafts again, and no other will."""
        self.live, self.off = self.base, why
        self.rolled_back[why] += 1
        self._forget()
        with self._lock:
            self._taught, self._kept_back = LessonShelf(0), LessonShelf(0)

    def _forget(self) -> None:
        """What is in training; the next round begins with the head that drafts."""
        self._training = self._optimizer = None


def _bytes(head: EagleHead) -> tuple[int, int]:
    """Of a copy of the head, and of training one: weights, gradients and two moments in float32."""
    weights = list(head.parameters())
    return sum(p.nbytes for p in weights), 16 * sum(p.numel() for p in weights)


def _on(lesson: Lesson, device: torch.device) -> Lesson:
    return Lesson(lesson.answer, lesson.states.to(device).float(), lesson.final.to(device).float())
