"""Training-time test (Li et al. 2025, EAGLE-3, section 3): the head is trained on its own outputs, as it is used.

Step 0 reads the target's states at all rows. Step k stands k tokens after the last state that it has: at row t it
reads the output of step k - 1 at row t - 1, and attends to the step-0 rows up to t - k and to its own chain's row of
every later step.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.model.eagle import EagleHead
from fastedit.model.heads.lesson import Lesson


def unrolled(head: EagleHead, lesson: Lesson, rows: Tensor, steps: int) -> Iterator[Tensor]:
    """Logits [rows, draft_vocab] of the first token after each of `rows`, then of the second, up to `steps`.

    `rows` int64 ascend. Where as many do not stand without a gap after a row, its guess means nothing.
    """
    ids = torch.tensor(lesson.answer.ids, device=rows.device)
    end = len(ids) - 2  # the last row's guess is the last token
    positions = torch.arange(end, device=rows.device)
    hidden, tokens = head.fuse(lesson.states[:end]), ids[1 : end + 1]
    chain = _Chain(head.keys(tokens, hidden, positions), rows)
    fed = hidden[rows]
    for step in range(steps):
        fed, asked = head(tokens[rows], fed, positions[rows], chain.attend)
        yield F.pad(head.logits(asked[step:]), (0, 0, 0, min(step, len(rows))))
        fed = torch.cat([fed[:1], fed[:-1]])


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
