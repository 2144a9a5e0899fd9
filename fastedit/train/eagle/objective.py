"""What `fastedit train eagle --objective` means: text of the head's own, and the tokens that a reference picks."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Literal

import torch
from torch import Tensor

from fastedit.errors import UsageError
from fastedit.model.eagle import EagleHead
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.model.heads.objective import Divergence, Objective
from fastedit.model.heads.run import HeadRun
from fastedit.train.eagle.answers import Teacher
from fastedit.train.eagle.heads import HeadKind

ObjectiveName = Literal["eagle3", "distillspec", "adaspec"]
OWN_LENGTH = 24  # tokens that the head writes


def picking(divergence: Divergence, reference: EagleHead, keep: float, head: EagleHead) -> Objective:
    """AdaSPEC's. Raises UsageError for a reference of another draft vocabulary than `head`."""
    if not torch.equal(_drafted(reference), _drafted(head)):
        raise UsageError(
            "--reference drafts another vocabulary than the head in training; begin with the reference: --init"
        )
    return Objective(divergence, reference, keep)


def _drafted(head: EagleHead) -> Tensor:
    """Ids of the tokens that a head can draft."""
    return head.target_ids(torch.arange(head.shape.draft_vocab, device=head.device))


def check_objective(name: ObjectiveName, reference: Path | None, kind: HeadKind) -> None:
    """Raises UsageError for what does not go together, before anything is loaded."""
    if name == "adaspec" and reference is None:
        raise UsageError("--objective adaspec needs --reference HEAD, one that is trained already")
    if name != "adaspec" and reference is not None:
        raise UsageError(
            f"--reference goes with --objective adaspec; drop it, or write that in place of {name}"
        )
    if name == "distillspec" and kind == "p-eagle":
        raise UsageError(
            "--objective distillspec is for heads that read what they guessed; drop it, or --kind"
        )


class OwnText:
    """Text that the head writes itself after the beginning of an answer, scored by the target.

    A head that reads only the target's text never learns what to do after its own mistakes: DistillSpec (Zhou et al.
    2023, section 3) learns on-policy for that reason.
    """

    def __init__(self, head: EagleHead, teacher: Teacher) -> None:
        self._head, self._teacher = head, teacher

    def __call__(self, lesson: Lesson, rng: Random) -> Lesson:
        """A lesson whose last tokens the head has drawn, after a novel token of `lesson` or, without one, any."""
        answer = lesson.answer
        places = [i for i, novel in enumerate(answer.novel) if novel] or range(len(answer.novel))
        begin = answer.start + rng.choice(places)
        drawn = self._drawn(lesson, begin, rng)
        marks = (False, *(True for _ in drawn))
        return self._teacher.lesson(Answer((*answer.ids[: begin + 1], *drawn), begin, marks))

    def _drawn(self, lesson: Lesson, begin: int, rng: Random) -> list[int]:
        """Tokens after `begin`, drawn from the head's own distribution."""
        run, tokens = HeadRun(self._head), list(lesson.answer.ids[1 : begin + 1])
        fed, logits = run.extend(lesson.states[:begin], tokens, 0)
        generator = torch.Generator(fed.device).manual_seed(rng.getrandbits(63))
        drawn: list[int] = []
        while True:
            chosen = torch.multinomial(logits[0].float().softmax(-1), 1, generator=generator)
            drawn.append(int(self._head.target_ids(chosen)))
            if len(drawn) == OWN_LENGTH:
                return drawn
            fed, logits = run.guess(fed, torch.tensor(drawn[-1:], device=fed.device), [len(drawn) - 2])
