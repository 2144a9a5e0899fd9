"""Verification in Triton: a program a stretch of a row's logits finds the likeliest tokens there, one a row picks among
these, one a request finds its path.

Bound by the bytes of the logits: 2 or 4 * rows * vocab. A draw with top_k or top_p reads its row about ten times, from
the L2 cache: the threshold is sought by quartering the range of the scores' bits, over the whole row until BLOCK tokens
are left, then over these alone.
"""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.tree_verify.forest import MOST_NODES, Forest, Picked, Walked

BLOCK, WARPS = 8192, 16  # of a row at once: a thread has two loads of 16 bytes on their way
DRAW = BLOCK // 2  # at once in a draw, whose three sums would not fit in registers on sm_120


def pick(logits: Tensor, forest: Forest) -> Picked:
    """As the reference; a draw sums in float32."""
    assert logits.stride(1) == 1
    rows, vocab = logits.shape
    parts = triton.cdiv(vocab, BLOCK)
    bests = torch.empty(rows, parts, 2, dtype=torch.float32, device=logits.device)
    found = torch.empty(rows, parts, dtype=torch.int32, device=logits.device)
    tokens = torch.empty(rows, dtype=torch.int32, device=logits.device)
    margins = torch.empty(rows, dtype=torch.float32, device=logits.device)
    _scan[(rows, parts)](logits, bests, found, logits.stride(0), vocab, parts, BLOCK=BLOCK, num_warps=WARPS)
    _pick[(rows,)](
        logits, bests, found, logits.new_empty(rows, DRAW), forest.draws, tokens, margins, logits.stride(0), vocab,
        parts, PARTS=triton.next_power_of_2(parts), BLOCK=DRAW, num_warps=WARPS,
    )  # fmt: skip
    return Picked(tokens, margins)


def walk(picked: Picked, forest: Forest) -> Walked:
    requests = len(forest.requests)
    found = torch.empty(requests, 2, dtype=torch.int32, device=picked.tokens.device)
    paths = torch.empty(requests, MOST_NODES, dtype=torch.int32, device=picked.tokens.device)
    words = forest.words.shape[1]
    _walk[(requests,)](
        picked.tokens, forest.requests, forest.nodes, forest.words, found, paths,
        words, NODES=triton.next_power_of_2(words * 32), WORDS=triton.next_power_of_2(words), MOST=MOST_NODES,
        num_warps=4,
    )  # fmt: skip
    return Walked(found, paths)


@triton.jit
def _scan(logits, bests, found, stride, vocab, parts, BLOCK: tl.constexpr):
    """Of a stretch of one row its best logit, the second, and the token of the best; -1 where it holds no numbers."""
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    at = part * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(logits + row * stride + at, mask=at < vocab, other=-float("inf")).to(tl.float32)
    broken = tl.max(((here != here) | (here == float("inf"))).to(tl.int32), 0)
    best = tl.max(here, 0)
    token = tl.min(tl.where(here == best, at, vocab), 0)
    place = row * parts + part
    tl.store(bests + place * 2, best)
    tl.store(bests + place * 2 + 1, tl.max(tl.where(at == token, -float("inf"), here), 0))
    tl.store(found + place, tl.where(broken != 0, -1, token))


@triton.jit
def _pick(
    logits, bests, found, few, draws, tokens, margins, stride, vocab, parts,
    PARTS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    part = tl.arange(0, PARTS)
    place, there = row * parts + part, part < parts
    best = tl.load(bests + place * 2, mask=there, other=-float("inf"))
    second = tl.load(bests + place * 2 + 1, mask=there, other=-float("inf"))
    token = tl.load(found + place, mask=there, other=0)
    numbers = tl.min(token, 0) >= 0
    top = tl.max(best, 0)
    numbers = numbers & (top > -float("inf"))
    winner = tl.min(tl.where(best == top, token, vocab), 0)
    runner_up = tl.maximum(tl.max(tl.where(token == winner, second, best), 0), -3.0e38)
    tl.store(margins + row, top - runner_up)
    temperature = tl.load(draws + row * 4).to(tl.float32, bitcast=True)
    if (temperature > 0.0) & numbers:
        top_p = tl.load(draws + row * 4 + 1).to(tl.float32, bitcast=True)
        uniform = tl.load(draws + row * 4 + 2).to(tl.float32, bitcast=True)
        top_k = tl.load(draws + row * 4 + 3)
        winner = _draw(
            logits + row * stride, few + row * BLOCK, vocab, top, temperature, top_k, top_p, uniform, BLOCK
        )
    tl.store(tokens + row, tl.where(numbers, winner, -1))


@triton.jit
def _ordered(x):
    """The bits of a float32 as integers in the same order."""
    bits = x.to(tl.int32, bitcast=True)
    return tl.where(bits >= 0, bits, bits ^ 0x7FFFFFFF)


@triton.jit
def _scores(x, start, vocab, top, temperature, BLOCK: tl.constexpr):
    """Log-probabilities up to a constant: at most 0."""
    at = start + tl.arange(0, BLOCK)
    here = tl.load(x + at, mask=at < vocab, other=-float("inf")).to(tl.float32)
    return (here - top) / temperature


@triton.jit
def _above(x, vocab, top, temperature, least, BLOCK: tl.constexpr):
    """How many scores reach `least`, and their weight."""
    count = tl.zeros([BLOCK], tl.float32)
    weight = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        scores = _scores(x, start, vocab, top, temperature, BLOCK)
        kept = (_ordered(scores) >= least) & (scores > -float("inf"))
        count += tl.where(kept, 1.0, 0.0)
        weight += tl.where(kept, tl.exp(scores), 0.0)
    return tl.sum(count, 0), tl.sum(weight, 0)


@triton.jit
def _reaching(x, vocab, top, temperature, floor, one, two, three, by_weight, BLOCK: tl.constexpr):
    """How many scores, or how much weight, reach each of three bounds, and how many the first; scores below `floor`
    count for nothing."""
    first = tl.zeros([BLOCK], tl.float32)
    second = tl.zeros([BLOCK], tl.float32)
    third = tl.zeros([BLOCK], tl.float32)
    number = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        scores = _scores(x, start, vocab, top, temperature, BLOCK)
        order = _ordered(scores)
        counts = (order >= floor) & (scores > -float("inf"))
        share = tl.where(counts, tl.where(by_weight, tl.exp(scores), 1.0), 0.0)
        first += tl.where(order >= one, share, 0.0)
        second += tl.where(order >= two, share, 0.0)
        third += tl.where(order >= three, share, 0.0)
        number += tl.where(counts & (order >= one), 1.0, 0.0)
    return tl.sum(first, 0), tl.sum(second, 0), tl.sum(third, 0), tl.sum(number, 0)


@triton.jit
def _threshold(x, vocab, top, temperature, floor, enough, by_weight, most, BLOCK: tl.constexpr):
    """The highest score, as ordered bits, such that those that reach it are enough, by number or by weight; and more
    than reach it, if anything. Each sweep over the row quarters the range; a lower score does once no more than `most`
    reach it."""
    # The ordered bits of -inf, and of 0, which the best score has; what is searched lies from low to high.
    low = tl.full([], -2139095041, tl.int64)
    high = tl.full([], 0, tl.int64)
    reached = tl.full([], 3.0e38, tl.float32)
    while (low < high) & (reached > most):
        span = high - low
        one, two, three = low + (span + 3) // 4, low + (2 * span + 3) // 4, low + (3 * span + 3) // 4
        first, second, third, number = _reaching(
            x, vocab, top, temperature, floor, one.to(tl.int32), two.to(tl.int32), three.to(tl.int32),
            by_weight, BLOCK,
        )  # fmt: skip
        below = tl.where(second >= enough, three, tl.where(first >= enough, two, one)) - 1
        high = tl.where(third >= enough, high, tl.maximum(below, low))
        reached = tl.where(first >= enough, number, reached)
        low = tl.where(first >= enough, one, low)
        low = tl.where(second >= enough, two, low)
        low = tl.where(third >= enough, three, low)
    return low.to(tl.int32), reached


@triton.jit
def _gather(x, to, vocab, top, temperature, least, BLOCK: tl.constexpr):
    """The logits whose scores reach `least`, BLOCK at most, one after the other, and -inf after them."""
    lane = tl.arange(0, BLOCK)
    tl.store(to + lane, tl.full([BLOCK], -float("inf"), to.dtype.element_ty))
    tl.debug_barrier()
    before = tl.full([], 0, tl.int32)
    for start in tl.range(0, vocab, BLOCK):
        here = tl.load(x + start + lane, mask=start + lane < vocab, other=-float("inf"))
        scores = (here.to(tl.float32) - top) / temperature
        kept = ((_ordered(scores) >= least) & (scores > -float("inf"))).to(tl.int32)
        tl.store(to + before + tl.cumsum(kept, 0) - 1, here, mask=kept != 0)
        before += tl.sum(kept, 0)
    tl.debug_barrier()  # other threads read them


@triton.jit
def _cut(x, few, vocab, top, temperature, top_k, top_p, BLOCK: tl.constexpr):
    """What top_k and top_p leave: the score that must be reached, as ordered bits, how many of those right at it stay
    (the lowest ids), and the weight of all that stay. `few` is room for BLOCK logits."""
    floor = tl.full([], -2147483647, tl.int32)
    equals = tl.full([], 3.0e38, tl.float32)
    by_number = (top_k > 0) & (top_k < vocab)
    _, total = _above(x, vocab, top, temperature, floor, BLOCK)
    if by_number | (top_p < 1.0):
        # First whatever either may keep; where that is little, the rest is sought in it alone.
        enough = tl.where(by_number, top_k.to(tl.float32), top_p * total)
        least, reached = _threshold(x, vocab, top, temperature, floor, enough, by_number == 0, BLOCK, BLOCK)
        if reached <= BLOCK:
            _gather(x, few, vocab, top, temperature, least, BLOCK)
            floor, equals, total = _kept(few, BLOCK, top, temperature, by_number, top_k, top_p, total, BLOCK)
        else:
            floor, equals, total = _kept(x, vocab, top, temperature, by_number, top_k, top_p, total, BLOCK)
    return floor, equals, total


@triton.jit
def _kept(x, vocab, top, temperature, by_number, top_k, top_p, total, BLOCK: tl.constexpr):
    floor = tl.full([], -2147483647, tl.int32)
    equals = tl.full([], 3.0e38, tl.float32)
    if by_number:
        floor, _ = _threshold(x, vocab, top, temperature, floor, top_k.to(tl.float32), False, 0, BLOCK)
        _, total = _above(x, vocab, top, temperature, floor, BLOCK)
    if top_p < 1.0:
        enough = top_p * total
        floor, _ = _threshold(x, vocab, top, temperature, floor, enough, True, 0, BLOCK)
        over_count, over = _above(x, vocab, top, temperature, floor + 1, BLOCK)
        count, weight = _above(x, vocab, top, temperature, floor, BLOCK)
        each = (weight - over) / (count - over_count)
        equals = tl.maximum(tl.ceil((enough - over) / each), 1.0)
        total = over + equals * each
    return floor, equals, total


@triton.jit
def _weights(x, start, vocab, top, temperature, floor, equals, met, BLOCK: tl.constexpr):
    """Of a stretch of tokens those that stay, their weights, and how many lie at the floor, as `met` did before."""
    scores = _scores(x, start, vocab, top, temperature, BLOCK)
    order = _ordered(scores)
    level = tl.where(order == floor, 1.0, 0.0)
    kept = (order > floor) | ((order == floor) & (met + tl.cumsum(level, 0) <= equals))
    kept = kept & (scores > -float("inf"))
    return kept, tl.where(kept, tl.exp(scores), 0.0), tl.sum(level, 0)


@triton.jit
def _draw(x, few, vocab, top, temperature, top_k, top_p, uniform, BLOCK: tl.constexpr):
    """The token at which the weight of all kept tokens up to it, in order of id, passes a share `uniform` of all."""
    floor, equals, total = _cut(x, few, vocab, top, temperature, top_k, top_p, BLOCK)
    wanted = uniform * total
    found = tl.full([], -1, tl.int32)
    last = tl.full([], -1, tl.int32)
    before = tl.full([], 0.0, tl.float32)
    met = tl.full([], 0.0, tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        kept, weight, level = _weights(x, start, vocab, top, temperature, floor, equals, met, BLOCK)
        upto = before + tl.cumsum(weight, 0)
        at = start + tl.arange(0, BLOCK)
        here = tl.min(tl.where(kept & (upto > wanted), at, vocab), 0)
        found = tl.where((found < 0) & (here < vocab), here, found)
        last = tl.maximum(last, tl.max(tl.where(kept, at, -1), 0))
        before += tl.sum(weight, 0)
        met += level
    return tl.where(found < 0, last, found)  # rounding may leave the very last share to nobody


@triton.jit
def _walk(
    picked, requests, nodes, words, found, paths, word_count,
    NODES: tl.constexpr, WORDS: tl.constexpr, MOST: tl.constexpr,
):  # fmt: skip
    """A node is refuted where its own token or an ancestor's is not the one picked: one AND over ancestor words."""
    request = tl.program_id(0)
    first, count = tl.load(requests + request * 2), tl.load(requests + request * 2 + 1)
    word, bit = tl.arange(0, WORDS), tl.arange(0, 32)
    node = word[:, None] * 32 + bit[None, :]
    exists = node < count
    entry = nodes + (first + 1 + node) * 3
    decider = tl.load(entry + 1, mask=exists, other=0)
    right = tl.load(entry, mask=exists, other=0) == tl.load(picked + decider, mask=exists, other=0)
    wrong = tl.sum(tl.where(exists & (right == 0), 1, 0).to(tl.uint32) << bit[None, :].to(tl.uint32), 1)

    each = tl.arange(0, NODES)
    lines = tl.load(
        words + (first + 1 + each)[:, None] * word_count + word[None, :],
        mask=(each < count)[:, None] & (word < word_count)[None, :], other=0,
    )  # fmt: skip
    refuted = tl.max(((lines.to(tl.uint32, bitcast=True) & wrong[None, :]) != 0).to(tl.int32), 1)
    depth = tl.load(nodes + (first + 1 + each) * 3 + 2, mask=each < count, other=0)
    rank = tl.where((each < count) & (refuted == 0), depth * NODES + (NODES - 1 - each), -1)
    best = tl.max(rank, 0)
    length = tl.where(best < 0, 0, best // NODES)
    row = tl.where(best < 0, first, first + 1 + (NODES - 1 - best % NODES))
    tl.store(found + request * 2, length)
    tl.store(found + request * 2 + 1, tl.load(picked + row))

    any_stands = tl.zeros_like(word) + best >= 0
    line = tl.load(words + row * word_count + word, mask=(word < word_count) & any_stands, other=0)
    on = ((line.to(tl.uint32, bitcast=True)[:, None] >> bit[None, :].to(tl.uint32)) & 1) != 0
    place = tl.load(entry + 2, mask=exists, other=1) - 1
    tl.store(paths + request * MOST + place, node, mask=exists & on)
