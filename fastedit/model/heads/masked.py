"""How P-EAGLE heads are trained (Hui et al. 2026, arXiv 2602.01469): all tokens ahead in one pass, as they are drafted.

After each row that is asked stand the rows of mask tokens that a draft from there would have. They attend to the rows
with states up to that row and to the mask rows before them. Published heads sample tokens anew for each depth; here the
rows that are asked are the sample, each with all of its depths.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from fastedit.model.heads.lesson import Lesson
from fastedit.model.heads.parallel import ParallelHead
from fastedit.model.heads.run import attended


def masked(head: ParallelHead, lesson: Lesson, rows: Tensor, steps: int) -> Iterator[Tensor]:
    """Logits [rows, draft_vocab] of the first token after each of `rows` int64, then of the second, up to `steps`."""
    ids = torch.tensor(lesson.answer.ids, device=rows.device)
    end, masks = len(ids) - 2, len(rows) * (steps - 1)
    ahead = rows[:, None] + torch.arange(1, steps, device=rows.device)
    out = head.through(
        torch.cat([ids[1 : end + 1], ids.new_full((masks,), head.mask)]),
        torch.cat([lesson.states[:end], head.mask_hidden.expand(masks, -1)]),
        torch.cat([torch.arange(end, device=rows.device), ahead.flatten()]),
        [partial(_attend, rows, end)] * len(head.layers),
    )
    chains = torch.cat([out[rows][:, None], out[end:].view(len(rows), steps - 1, out.shape[1])], dim=1)
    for depth in range(steps):
        yield head.logits(head.norm(chains[:, depth]))


def _attend(rows: Tensor, end: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """q [n, heads, d], k and v [n, kv_heads, d]: of `end` rows with states, and of as many mask rows after each of
    `rows` as there are of the others."""
    places, groups = torch.arange(end, device=q.device), q.shape[1] // k.shape[1]
    read = attended(q[:end], k[:end], v[:end], places <= places[:, None])
    keys, values = (x.repeat_interleave(groups, dim=1) for x in (k, v))
    chains = (len(rows), (len(q) - end) // len(rows), *q.shape[1:])
    q, own, drawn = (x[end:].reshape(chains) for x in (q, keys, values))
    before = torch.einsum("rmhd,khd->rhmk", q, keys[:end])
    before = before.masked_fill((places > rows[:, None])[:, None, None], float("-inf"))
    later = torch.ones(q.shape[1], q.shape[1], dtype=torch.bool, device=q.device).triu(1)
    behind = torch.einsum("rmhd,rjhd->rhmj", q, own).masked_fill(later, float("-inf"))
    share = (torch.cat([before, behind], dim=-1) * q.shape[-1] ** -0.5).softmax(-1)
    guessed = torch.einsum("rhmk,khd->rmhd", share[..., :end], values[:end])
    guessed = guessed + torch.einsum("rhmj,rjhd->rmhd", share[..., end:], drawn)
    return torch.cat([read, guessed.flatten(0, 1)])
