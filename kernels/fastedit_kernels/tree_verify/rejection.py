"""Tokens that were drawn at random, accepted by what they were drawn from, in Triton.

The reference is `fastedit.decode.rejection`, where the two rules are explained. Here they overrule what `pick` has
picked: along the path that stands each row picks the next node's token, and the row at its end what is drawn from the
rest. So `walk` finds that path, and goes on after it by single draws.

Bound by bytes: a distribution is written for every row that an offer concerns (with top_k or top_p its logits are read
about ten times, from the L2 cache), and each offer that falls reads and writes one more.
"""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.tree_verify.forest import BLOCK as BY_BLOCK
from fastedit_kernels.tree_verify.forest import BRANCHES, Forest, Offers, Picked
from fastedit_kernels.tree_verify.triton import DRAW, WARPS, _cut, _weights


def reject(logits: Tensor, picked: Picked, forest: Forest, offers: Offers) -> None:
    """Overrule `picked.tokens`; rows that hold no numbers keep their -1, and end the path. logits [rows, vocab]."""
    rows, vocab = logits.shape
    p = torch.empty(rows, vocab, dtype=torch.float32, device=logits.device)
    rest = torch.empty(len(offers.requests), vocab, dtype=torch.float32, device=logits.device)
    _distribute[(rows,)](
        logits, logits.new_empty(rows, DRAW), forest.draws, offers.rest, p, logits.stride(0), vocab,
        BLOCK=DRAW, num_warps=WARPS,
    )  # fmt: skip
    for rule in (_by_branches, _by_block):
        rule[(len(offers.requests),)](
            p, rest, forest.requests, offers.requests, offers.offers, offers.accept, offers.rest, offers.chances,
            picked.tokens, vocab, KIND=BRANCHES if rule is _by_branches else BY_BLOCK, BLOCK=DRAW, num_warps=WARPS,
        )  # fmt: skip


@triton.jit
def _distribute(logits, few, draws, rest, p, stride, vocab, BLOCK: tl.constexpr):
    """softmax(logits / temperature) of one row, cut to top_k and top_p."""
    row = tl.program_id(0).to(tl.int64)
    if tl.load(rest + row) < 0.0:
        return
    x, lane = logits + row * stride, tl.arange(0, BLOCK)
    best = tl.full([BLOCK], -float("inf"), tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        here = tl.load(x + start + lane, mask=start + lane < vocab, other=-float("inf")).to(tl.float32)
        best = tl.maximum(best, here)
    top = tl.max(best, 0)
    temperature = tl.load(draws + row * 4).to(tl.float32, bitcast=True)
    top_p = tl.load(draws + row * 4 + 1).to(tl.float32, bitcast=True)
    top_k = tl.load(draws + row * 4 + 3)
    floor, equals, total = _cut(x, few + row * BLOCK, vocab, top, temperature, top_k, top_p, BLOCK)
    met = tl.full([], 0.0, tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        _, weight, level = _weights(x, start, vocab, top, temperature, floor, equals, met, BLOCK)
        tl.store(p + row * vocab + start + lane, weight / total, mask=start + lane < vocab)
        met += level


@triton.jit
def _by_branches(
    p, rests, forest, requests, offers, accept, rest, chances, picked, vocab, KIND: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    """Siblings are offered to what is left of p in turn."""
    request = tl.program_id(0)
    first, count = tl.load(requests + request * 3), tl.load(requests + request * 3 + 1)
    if tl.load(requests + request * 3 + 2) != KIND:
        return
    left = rests + request.to(tl.int64) * vocab
    row = tl.load(forest + request * 2)
    going = tl.load(picked + row) >= 0
    while going:
        _remain(left, p + row.to(tl.int64) * vocab, 1.0, p, False, vocab, BLOCK)
        stands = tl.full([], -1, tl.int32)
        token = tl.full([], -1, tl.int32)
        for index in tl.range(0, count):
            offer = first + index
            if (stands < 0) & (tl.load(offers + offer * 3) == row):
                offered = tl.load(offers + offer * 3 + 2)
                q = chances + offer.to(tl.int64) * vocab
                if tl.load(accept + offer) * tl.load(q + offered) < tl.load(left + offered):
                    stands = tl.load(offers + offer * 3 + 1)
                    token = offered
                else:
                    _remain(left, left, 1.0, q, True, vocab, BLOCK)
        if stands < 0:
            token = _drawn(left, tl.load(rest + row), vocab, BLOCK)
        tl.store(picked + row, token)
        row = tl.where(stands < 0, row, stands)
        going = (stands >= 0) & (tl.load(picked + row) >= 0)


@triton.jit
def _by_block(
    p, rests, forest, requests, offers, accept, rest, chances, picked, vocab, KIND: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    """The chain is accepted as one, up to the last of its tokens that may stand."""
    request = tl.program_id(0)
    first, count = tl.load(requests + request * 3), tl.load(requests + request * 3 + 1)
    end = tl.load(forest + request * 2)
    if (tl.load(requests + request * 3 + 2) != KIND) | (tl.load(picked + end) < 0):
        return
    stand = tl.full([], 0, tl.int32)
    weight = tl.full([], 1.0, tl.float32)
    kept = tl.full([], 1.0, tl.float32)
    for index in tl.range(0, count):
        offer = first + index
        token = tl.load(offers + offer * 3 + 2)
        before = p + tl.load(offers + offer * 3).to(tl.int64) * vocab
        q = chances + offer.to(tl.int64) * vocab
        weight = tl.minimum(1.0, weight * tl.load(before + token) / tl.load(q + token))
        chance = weight
        if index + 1 < count:
            behind = p + tl.load(offers + offer * 3 + 1).to(tl.int64) * vocab
            gained = _spare(behind, weight, q + vocab, vocab, BLOCK)
            chance = tl.where(gained > 0.0, gained / (gained + 1.0 - weight), 0.0)
        if tl.load(accept + offer) < chance:
            stand = index + 1
            kept = weight
    for index in tl.range(0, stand):
        offer = first + index
        tl.store(picked + end, tl.load(offers + offer * 3 + 2))
        end = tl.load(offers + offer * 3 + 1)
    left = rests + request.to(tl.int64) * vocab
    q = chances + (first + stand).to(tl.int64) * vocab
    _remain(left, p + end.to(tl.int64) * vocab, kept, q, stand < count, vocab, BLOCK)
    token = _drawn(left, tl.load(rest + end), vocab, BLOCK)
    tl.store(picked + end, tl.where(tl.load(picked + end) < 0, -1, token))


@triton.jit
def _spare(p, weight, q, vocab, BLOCK: tl.constexpr):
    """The sum of max(0, weight * p - q)."""
    lane = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        inside = start + lane < vocab
        here = tl.load(p + start + lane, mask=inside, other=0.0)
        total += tl.maximum(weight * here - tl.load(q + start + lane, mask=inside, other=0.0), 0.0)
    return tl.sum(total, 0)


@triton.jit
def _remain(to, p, weight, q, subtracts, vocab, BLOCK: tl.constexpr):
    """Write max(0, weight * p - q), renormalised; p itself where nothing is to be subtracted or would be left."""
    lane = tl.arange(0, BLOCK)
    total = tl.full([], 0.0, tl.float32)
    if subtracts:
        total = _spare(p, weight, q, vocab, BLOCK)
    tl.debug_barrier()
    for start in tl.range(0, vocab, BLOCK):
        inside = start + lane < vocab
        here = tl.load(p + start + lane, mask=inside, other=0.0)
        if total > 0.0:
            spared = tl.load(q + start + lane, mask=inside, other=0.0)
            here = tl.maximum(weight * here - spared, 0.0) / total
        tl.store(to + start + lane, here, mask=inside)
    tl.debug_barrier()  # other threads read single tokens of it


@triton.jit
def _drawn(p, number, vocab, BLOCK: tl.constexpr):
    """The token at which the weight of all up to it passes the share `number` of all."""
    lane = tl.arange(0, BLOCK)
    sums = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        sums += tl.load(p + start + lane, mask=start + lane < vocab, other=0.0)
    wanted = number * tl.sum(sums, 0)
    found = tl.full([], -1, tl.int32)
    last = tl.full([], 0, tl.int32)
    before = tl.full([], 0.0, tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        weight = tl.load(p + start + lane, mask=start + lane < vocab, other=0.0)
        upto = before + tl.cumsum(weight, 0)
        here = tl.min(tl.where((weight > 0.0) & (upto > wanted), start + lane, vocab), 0)
        found = tl.where((found < 0) & (here < vocab), here, found)
        last = tl.maximum(last, tl.max(tl.where(weight > 0.0, start + lane, 0), 0))
        before += tl.sum(weight, 0)
    return tl.where(found < 0, last, found)  # rounding may leave the very last share to nobody
