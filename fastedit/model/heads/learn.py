"""Training-time test (Li et al. 2025, EAGLE-3, section 3): the head is trained on its own outputs, as it is used.

Step 0 reads the target's states at all rows. Step k stands k tokens behind the last state that it has: at row t it
reads the output of step k - 1 at row t - 1, and attends to the step-0 rows up to t - k and to its own chain's row of
every later step.

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
from fastedit.model.heads.objective import Objective, diverged, furthest_behind

DECAY = 0.8  # weight of each further step
COPIED = 0.3  # weight of a token that lookup drafts have
EAGLE3 = Objective()


@dataclass(frozen=True, slots=True)
class Learned:
    """`loss` is the weighted mean of one answer. `rows` int64 [n], ascending, were asked; `novel` bool [n].

    `hits` bool [steps, n]: where the head's first choice was the target's. Row r of step k is right for the guess that
    is k + 1 tokens deep; rows without k rows right before them have no such guess and are False.
    """

    loss: Tensor
    hits: Tensor
    rows: Tensor
    novel: Tensor


def learn(
    head: EagleHead,
    lesson: Lesson,
    output: Tensor,
    steps: int,
    beside: range = range(0),
    objective: Objective = EAGLE3,
) -> Learned:
    """One answer's loss; `output` [vocab, width] is the target's output matrix. Tokens `beside` of the answer are
    learned from even where they are copied."""
    marks = torch.tensor(
        lesson.answer.novel[1 : len(lesson.answer.ids) - lesson.answer.start], device=lesson.states.device
    )
    near = _near(marks, steps, beside)
    rows, novel, age = near + lesson.answer.start - 1, marks[near], _age(near)
    wanted, known, best = _wanted(head, lesson.final[1 + near], output)
    losses, chosen = _unrolled(head, lesson, rows, wanted, steps, objective)
    depths = torch.arange(steps, device=rows.device)[:, None]
    reached = age >= depths
    weights = torch.where(novel, 1.0, COPIED) * known * reached * DECAY**depths
    if objective.reference is not None:
        with torch.no_grad():
            reference, _ = _unrolled(objective.reference, lesson, rows, wanted, steps, objective)
        weights = weights * furthest_behind(losses.detach(), reference, weights > 0, objective.keep)
    loss = (losses * weights).sum() / weights.sum().clamp(min=1e-6)
    return Learned(loss, (head.target_ids(chosen) == best) & reached, rows, novel)


def _unrolled(
    head: EagleHead, lesson: Lesson, rows: Tensor, wanted: Tensor, steps: int, objective: Objective
) -> tuple[Tensor, Tensor]:
    """Every step's divergence from `wanted` at the rows, and the head's first choice there, both [steps, rows]."""
    ids = torch.tensor(lesson.answer.ids, device=rows.device)
    end = len(ids) - 2  # the last row's guess is the last token
    positions = torch.arange(end, device=rows.device)
    hidden, tokens = head.fuse(lesson.states[:end]), ids[1 : end + 1]
    chain = _Chain(head.keys(tokens, hidden, positions), rows)
    fed, losses, chosen = hidden[rows], [], []
    for _ in range(steps):
        fed, asked = head(tokens[rows], fed, positions[rows], chain.attend)
        logits = head.logits(asked).float()
        losses.append(diverged(objective.divergence, logits, wanted))
        chosen.append(logits.argmax(-1))
        fed = torch.cat([fed[:1], fed[:-1]])
    return torch.stack(losses), torch.stack(chosen)


def _near(novel: Tensor, steps: int, beside: range) -> Tensor:
    """int64, ascending: the novel rows and the first, those before them that their later steps go on from, those behind
    them that a guess of `steps` tokens reaches, and those `beside`."""
    near = novel.clone()
    near[:steps] = True
    for far in range(1, steps):
        near[far:] |= novel[:-far]
        near[:-far] |= novel[far:]
    near[beside.start : beside.stop] = True
    return near.nonzero()[:, 0]


def _age(rows: Tensor) -> Tensor:
    """How many rows stand without a gap before each."""
    index = torch.arange(len(rows), device=rows.device)
    begins = torch.ones_like(rows, dtype=torch.bool)
    begins[1:] = rows.diff() != 1
    return index - (index * begins).cummax(0).values


def _wanted(head: EagleHead, final: Tensor, output: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """For each row the target's log-probability of each token of the draft vocabulary [rows, draft_vocab], whether its
    own choice is among them, and this choice."""
    with torch.no_grad():
        logits = F.linear(final.to(output.dtype), output).float()
        ids = head.target_ids(torch.arange(head.shape.draft_vocab, device=final.device))
        best = logits.argmax(-1)
        return logits[:, ids].log_softmax(-1), torch.isin(best, ids), best


class _Chain:
    """The attention of one answer's steps, one after the other."""

    def __init__(self, base: tuple[Tensor, Tensor], rows: Tensor) -> None:
        """`base` are step 0's keys and values of every row, `rows` those that are asked."""
        self._base, self._rows = base, rows
        self._later: list[tuple[Tensor, Tensor]] = []
        self._step = -1

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """q [rows, heads, d]; k and v [rows, kv_heads, d] of this step."""
        self._step += 1
        step, groups = self._step, q.shape[1] // k.shape[1]
        if step:
            self._later.append((k.repeat_interleave(groups, dim=1), v.repeat_interleave(groups, dim=1)))
        keys, values = (x.repeat_interleave(groups, dim=1) for x in self._base)
        unseen = torch.arange(len(keys), device=q.device) > self._rows[:, None] - step
        scores = torch.einsum("rhd,khd->hrk", q, keys).masked_fill(unseen, float("-inf"))
        chain = [
            (_behind(key, step - index), _behind(value, step - index))
            for index, (key, value) in enumerate(self._later, 1)
        ]
        own = [torch.einsum("rhd,rhd->hr", q, key)[..., None] for key, _ in chain]
        share = (torch.cat([scores, *own], dim=-1) * q.shape[-1] ** -0.5).softmax(-1)
        out = torch.einsum("hrk,khd->rhd", share[..., : len(keys)], values)
        for index, (_, value) in enumerate(chain):
            out = out + share[..., len(keys) + index].transpose(0, 1)[..., None] * value
        return out


def _behind(x: Tensor, rows: int) -> Tensor:
    """Row r holds what row r - rows held; the first rows, which have no such chain, are filled with the first."""
    return (
        x
        if rows == 0
        else torch.cat([x[:1].expand(min(rows, len(x)), *x.shape[1:]), x[: max(0, len(x) - rows)]])
    )


def tokens_per_pass(learned: Learned) -> tuple[float, int]:
    """What passes that begin at novel tokens would bring with a chain of the head's first choices: the sum of
    1 + accepted over such passes, and how many there are."""
    total, count = 0.0, 0
    steps, rows = learned.hits.shape
    hits, novel, places = learned.hits.tolist(), learned.novel.tolist(), learned.rows.tolist()
    for base in range(rows - steps + 1):
        if novel[base] and places[base + steps - 1] == places[base] + steps - 1:
            right = 0
            while right < steps and hits[right][base + right]:
                right += 1
            total, count = total + 1 + right, count + 1
    return total, count
