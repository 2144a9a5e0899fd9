"""Verification in Triton: one program a row picks its token, one program a request finds its path.

Bound by the bytes of the logits: 2 or 4 * rows * vocab. A draw with top_k or top_p reads its row 17 times more for
each, to find the threshold by quartering the range of the scores' bits; those reads come from the L2 cache.
"""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.tree_verify.forest import MOST_NODES, Forest, Picked, Walked

# Of a row at once: a program has four loads of 16 bytes a thread on their way.
BLOCK, WARPS = 8192, 16
SWEEPS = tl.constexpr(17)  # that leave one of the 2^31 values of a score at most 0


def pick(logits: Tensor, forest: Forest) -> Picked:
    """As the reference; a draw sums in float32."""
    assert logits.stride(1) == 1
    rows, vocab = logits.shape
    tokens = torch.empty(rows, dtype=torch.int32, device=logits.device)
    margins = torch.empty(rows, dtype=torch.float32, device=logits.device)
    _pick[(rows,)](
        logits, forest.draws, tokens, margins, logits.stride(0), vocab, BLOCK=BLOCK, num_warps=WARPS
    )
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
def _pick(logits, draws, tokens, margins, stride, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = logits + row.to(tl.int64) * stride
    lane = tl.arange(0, BLOCK)
    best = tl.full([BLOCK], -float("inf"), tl.float32)
    second = tl.full([BLOCK], -float("inf"), tl.float32)
    token = tl.full([BLOCK], 0, tl.int32)
    broken = tl.full([BLOCK], 0, tl.int32)
    for start in tl.range(0, vocab, BLOCK):
        here = tl.load(x + start + lane, mask=start + lane < vocab, other=-float("inf")).to(tl.float32)
        broken = broken | ((here != here) | (here == float("inf"))).to(tl.int32)
        second = tl.where(here > best, best, tl.maximum(second, here))
        token = tl.where(here > best, start + lane, token)
        best = tl.maximum(best, here)
    top = tl.max(best, 0)
    winner = tl.min(tl.where(best == top, token, vocab), 0)
    runner_up = tl.maximum(tl.max(tl.where(token == winner, second, best), 0), -3.0e38)
    tl.store(margins + row, top - runner_up)
    temperature = tl.load(draws + row * 4).to(tl.float32, bitcast=True)
    if temperature > 0.0:
        top_p = tl.load(draws + row * 4 + 1).to(tl.float32, bitcast=True)
        uniform = tl.load(draws + row * 4 + 2).to(tl.float32, bitcast=True)
        winner = _draw(x, vocab, top, temperature, tl.load(draws + row * 4 + 3), top_p, uniform, BLOCK)
    numbers = (tl.max(broken, 0) == 0) & (top > -float("inf"))
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
def _above(x, vocab, top, temperature, floor, least, BLOCK: tl.constexpr):
    """How many scores reach `least`, and the weight of those; scores below `floor` count for nothing."""
    count = tl.zeros([BLOCK], tl.float32)
    weight = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        scores = _scores(x, start, vocab, top, temperature, BLOCK)
        order = _ordered(scores)
        kept = (order >= least) & (order >= floor) & (scores > -float("inf"))
        count += tl.where(kept, 1.0, 0.0)
        weight += tl.where(kept, tl.exp(scores), 0.0)
    return tl.sum(count, 0), tl.sum(weight, 0)


@triton.jit
def _reached(
    x, vocab, top, temperature, floor, one, two, three, BY_WEIGHT: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    """How many scores, or how much weight, reach each of three bounds; scores below `floor` count for nothing."""
    first = tl.zeros([BLOCK], tl.float32)
    second = tl.zeros([BLOCK], tl.float32)
    third = tl.zeros([BLOCK], tl.float32)
    for start in tl.range(0, vocab, BLOCK):
        scores = _scores(x, start, vocab, top, temperature, BLOCK)
        order = _ordered(scores)
        counts = (order >= floor) & (scores > -float("inf"))
        share = tl.where(counts, tl.exp(scores) if BY_WEIGHT else 1.0, 0.0)
        first += tl.where(order >= one, share, 0.0)
        second += tl.where(order >= two, share, 0.0)
        third += tl.where(order >= three, share, 0.0)
    return tl.sum(first, 0), tl.sum(second, 0), tl.sum(third, 0)


@triton.jit
def _threshold(x, vocab, top, temperature, floor, enough, BY_WEIGHT: tl.constexpr, BLOCK: tl.constexpr):
    """The highest score, as ordered bits, such that those that reach it are enough: by number or by weight. Each sweep
    over the row quarters the range."""
    # The ordered bits of -inf, and of 0, which the best score has; what is searched lies from low to high.
    low = tl.full([], -2139095041, tl.int64)
    high = tl.full([], 0, tl.int64)
    for _ in tl.range(0, SWEEPS):
        span = high - low
        one, two, three = low + (span + 3) // 4, low + (2 * span + 3) // 4, low + (3 * span + 3) // 4
        first, second, third = _reached(
            x, vocab, top, temperature, floor, one.to(tl.int32), two.to(tl.int32), three.to(tl.int32),
            BY_WEIGHT, BLOCK,
        )  # fmt: skip
        below = tl.where(second >= enough, three, tl.where(first >= enough, two, one)) - 1
        low_before = low
        low = tl.where(first >= enough, one, low)
        low = tl.where(second >= enough, two, low)
        low = tl.where(third >= enough, three, low)
        high = tl.where(third >= enough, high, tl.maximum(below, low_before))
    return low.to(tl.int32)


@triton.jit
def _cut(x, vocab, top, temperature, top_k, top_p, BLOCK: tl.constexpr):
    """What top_k and top_p leave: the score that must be reached, as ordered bits, how many of those right at it stay
    (the lowest ids), and the weight of all that stay."""
    lowest = -2147483647
    floor = tl.full([], lowest, tl.int32)
    if (top_k > 0) & (top_k < vocab):
        floor = _threshold(x, vocab, top, temperature, floor, top_k.to(tl.float32), False, BLOCK)
    _, total = _above(x, vocab, top, temperature, floor, floor, BLOCK)
    equals = tl.full([], 3.0e38, tl.float32)
    if top_p < 1.0:
        enough = top_p * total
        floor = _threshold(x, vocab, top, temperature, floor, enough, True, BLOCK)
        over_count, over = _above(x, vocab, top, temperature, floor + 1, floor + 1, BLOCK)
        count, weight = _above(x, vocab, top, temperature, floor, floor, BLOCK)
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
def _draw(x, vocab, top, temperature, top_k, top_p, uniform, BLOCK: tl.constexpr):
    """The token at which the weight of all kept tokens up to it, in order of id, passes a share `uniform` of all."""
    floor, equals, total = _cut(x, vocab, top, temperature, top_k, top_p, BLOCK)
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
