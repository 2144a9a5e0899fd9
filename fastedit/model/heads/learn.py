"""What a head learns from an answer.

Only rows near novel tokens are asked what comes next, for elsewhere lookup drafts and nobody will ask the head, and
some copied ones beside them, for there is much to learn from how text goes on. Of all others the head reads keys and
values, as it does when it is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.model.eagle import EagleHead
from fastedit.model.heads.lesson import Lesson
from fastedit.model.heads.masked import masked
from fastedit.model.heads.parallel import ParallelHead
from fastedit.model.heads.unrolled import unrolled

DECAY = 0.8  # weight of each further step
COPIED = 0.3  # weight of a token that lookup drafts have
FAR = 256  # rows of an answer on either side of those drawn that count: what bounds the memory of a step


@dataclass(frozen=True, slots=True)
class LearnedAnswer:
    """`loss` is the weighted mean of one answer. Each of n rows has a guess for each of the tokens ahead.

    `hits` bool [steps, n]: whether it is the target's choice. `novel` bool [n]: the first of these tokens is novel.
    `whole` bool [n]: all of them are in the answer, and were looked at.
    """

    loss: Tensor
    hits: Tensor
    novel: Tensor
    whole: Tensor


def learn(
    head: EagleHead,
    lesson: Lesson,
    output: Tensor,
    steps: int,
    drawn: range | None = None,
) -> LearnedAnswer:
    """One answer's loss; `output` [vocab, width] is the target's output matrix. Tokens `drawn` of the answer are
    learned from even where they are copied, and no others than those near them; without, all novel ones are.

    What is lowered at each token is the soft cross-entropy of EAGLE-3: the forward Kullback-Leibler divergence, up to
    the target's entropy, which no head changes.
    """
    start = lesson.answer.start
    marks = torch.tensor(lesson.answer.novel[1 : len(lesson.answer.ids) - start], device=lesson.states.device)
    near = _near(marks, steps, drawn)
    depths = torch.arange(steps, device=near.device)[:, None]
    at = torch.arange(len(near), device=near.device) + depths  # where the row that precedes each guess stands
    inside, at = at < len(near), at.clamp(max=len(near) - 1)
    reached = inside & (near[at] == near + depths)
    rows, novel = near + start - 1, marks[near]
    wanted, known, best = _wanted(head, lesson.final[1 + near], output)
    if isinstance(head, ParallelHead):
        guesses = list(masked(head, lesson, rows, steps))
    else:
        guesses = list(unrolled(head, lesson, rows, steps))
    said = zip(guesses, wanted[at], strict=True)
    losses = torch.stack([-(want * logits.float().log_softmax(-1)).sum(-1) for logits, want in said])
    chosen = torch.stack([logits.argmax(-1) for logits in guesses])
    weights = torch.where(novel[at], 1.0, COPIED) * known[at] * reached * DECAY**depths
    loss = (losses * weights).sum() / weights.sum().clamp(min=1e-6)
    return LearnedAnswer(loss, (head.target_ids(chosen) == best[at]) & reached, novel, reached[-1])


def accepted(learned: LearnedAnswer) -> Tensor:
    """int64 [1 + steps], of passes that begin at novel tokens with a chain of the head's first choices: how many there
    are, and in how many the first token is right, the first two and so on. Their sum is what the passes bring."""
    hits = learned.hits[:, learned.novel & learned.whole].long()
    return torch.cat([torch.ones_like(hits[:1]), hits]).cumprod(0).sum(1)


def _near(novel: Tensor, steps: int, drawn: range | None) -> Tensor:
    """int64, ascending: the novel rows and the first, those before them that their later steps go on from, those after
    them that a guess of `steps` tokens reaches, and those `drawn`, which leave out what is far from them."""
    near = novel.clone()
    near[:steps] = True
    for far in range(1, steps):
        near[far:] |= novel[:-far]
        near[:-far] |= novel[far:]
    if drawn is not None:
        near[drawn.start : drawn.stop] = True
        near[: max(0, drawn.start - FAR)] = False
        near[drawn.stop + FAR :] = False
    return near.nonzero()[:, 0]


def _wanted(head: EagleHead, final: Tensor, output: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """For each row the target's probability of each token of the draft vocabulary [rows, draft_vocab], whether its
    own choice is among them, and this choice."""
    with torch.no_grad():
        logits = F.linear(final.to(output.dtype), output).float()
        ids = head.target_ids(torch.arange(head.shape.draft_vocab, device=final.device))
        best = logits.argmax(-1)
        return logits[:, ids].softmax(-1), torch.isin(best, ids), best
