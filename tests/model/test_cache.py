from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import PAGE, Batch, Span, place

from fastedit.errors import TooLong
from fastedit.model.cache import Cache, Memory
from fastedit.model.pages import PagePool
from tests.waiting import ended, started

LAYERS = 2
NO_NODES = np.zeros((0, 0), dtype=np.uint64)


def pool_of(pages: int) -> PagePool:
    return PagePool(LAYERS, pages, torch.float32)


def write(pool: PagePool, *writes: tuple[Cache, int, int]) -> None:
    """One pass. A cache's row i carries the number first + i (plus a half in the values) in every layer."""
    spans, numbers = [], []
    for cache, first, rows in writes:
        cache.begin(rows)
        spans.append(Span(cache.length, rows, np.arange(rows) + cache.length, NO_NODES, cache.pages))
        numbers.append(torch.arange(first, first + rows, dtype=torch.float32))
    memory, column = Memory.of(pool, Batch(spans)), torch.cat(numbers)[:, None, None]
    for layer in range(LAYERS):
        k, v = column.expand(-1, 3, 4), (column + 0.5).expand(-1, 3, 5)
        memory.write(layer, k + 1000 * layer, v + 1000 * layer)


def numbers(pool: PagePool, cache: Cache) -> list[int]:
    """What the committed slots carry, after a look that every layer and head agrees."""
    slots = place(cache.pages, np.arange(cache.length))
    first, second = (store[slots] for store in pool.keys)
    assert torch.equal(first + 1000, second)
    assert torch.equal(first, first[:, :1, :1].expand_as(first))
    assert torch.equal(pool.values[0][slots][..., :4], first + 0.5)
    return first[:, 0, 0].int().tolist()


def commit(pool: PagePool, cache: Cache, first: int, rows: int) -> None:
    write(pool, (cache, first, rows))
    cache.keep(range(rows))


def adopted(cache: Cache, tokens: Sequence[int]) -> int | None:
    return cache.adopt(tokens, 0, lambda: True)


def test_only_the_kept_rows_of_a_pass_stay_and_move_to_the_front():
    pool = pool_of(4)
    cache = Cache(pool)
    commit(pool, cache, 0, PAGE - 3)
    write(pool, (cache, 100, 8))
    cache.keep([0, 1, 4, 7])
    cache.check_integrity()
    assert numbers(pool, cache) == [*range(PAGE - 3), 100, 101, 104, 107]


def test_growth_keeps_what_is_committed_though_pages_lie_apart():
    pool, rng = pool_of(40), random.Random(0)
    caches = [Cache(pool), Cache(pool)]
    for first in range(0, 1140, 19):
        one, other = caches
        write(pool, (one, first, 19), (other, 5000 + first, 19))
        kept = sorted(rng.sample(range(19), 15))
        one.keep(range(19))
        other.keep(kept)
        one.check_integrity()
        other.check_integrity()
    assert numbers(pool, caches[0]) == list(range(1140))
    assert len(numbers(pool, caches[1])) == 15 * 60
    assert not set(caches[0].pages.tolist()) & set(caches[1].pages.tolist())
    pool.check_integrity()


def test_reserved_pages_lie_side_by_side_where_they_can():
    pool = pool_of(10)
    caches = [Cache(pool) for _ in range(3)]
    for cache in caches:
        assert cache.reserve(3 * PAGE)
    caches[1].free()
    long, short = Cache(pool), Cache(pool)
    assert short.reserve(2 * PAGE)
    assert short.pages.tolist() == [3, 4]
    assert long.reserve(2 * PAGE)
    assert long.pages.tolist() == [5, 9]


def test_truncating_forgets_the_end():
    pool = pool_of(2)
    cache = Cache(pool)
    commit(pool, cache, 0, 9)
    cache.truncate(4)
    write(pool, (cache, 50, 2))
    cache.keep([1])
    assert numbers(pool, cache) == [0, 1, 2, 3, 51]


def test_a_pass_beyond_the_limit_is_refused_with_both_numbers():
    pool = pool_of(2)
    cache = Cache(pool)
    commit(pool, cache, 0, 100)
    with pytest.raises(TooLong, match=r"129 tokens .* 128"):
        cache.begin(29)
    cache.check_integrity()
    with pytest.raises(TooLong, match="other edits hold"):
        Cache(pool).begin(1)


def test_a_freed_cache_holds_nothing_and_can_be_used_again():
    pool = pool_of(2)
    cache = Cache(pool)
    commit(pool, cache, 0, 128)
    cache.free()
    assert (cache.length, cache.capacity) == (0, 0)
    commit(pool, cache, 30, 2)
    assert numbers(pool, cache) == [30, 31]


def test_integrity_fails_on_a_committed_value_that_is_no_number():
    pool = pool_of(2)
    cache = Cache(pool)
    commit(pool, cache, 0, 3)
    pool.keys[1][1] = torch.nan
    with pytest.raises(AssertionError):
        cache.check_integrity()


def test_what_was_published_is_found_by_the_same_beginning_only():
    pool, tokens = pool_of(8), list(range(200))
    first = Cache(pool)
    commit(pool, first, 0, 200)
    first.publish(tokens)
    shared, other = Cache(pool), Cache(pool)
    assert adopted(shared, tokens[:150] + [7] * 50) == 2 * PAGE
    assert numbers(pool, shared) == list(range(128))
    assert adopted(other, [1, *tokens[1:]]) == 0
    assert adopted(Cache(pool), tokens[: PAGE - 1]) == 0
    first.free()
    again = Cache(pool)
    assert adopted(again, tokens) == 3 * PAGE
    commit(pool, again, 900, 5)
    assert numbers(pool, again) == [*range(192), 900, 901, 902, 903, 904]
    assert numbers(pool, shared) == list(range(128))
    pool.check_integrity()


def test_published_pages_are_taken_back_the_longest_unused_first():
    pool = pool_of(4)
    for start in (0, 1000, 2000):
        cache = Cache(pool)
        commit(pool, cache, start, PAGE)
        cache.publish(range(start, start + PAGE))
        cache.free()
    used = Cache(pool)
    assert adopted(used, range(PAGE)) == PAGE
    used.free()
    taker = Cache(pool)
    assert taker.reserve(2 * PAGE)
    pool.check_integrity()
    assert [adopted(Cache(pool), range(start, start + PAGE)) for start in (0, 1000, 2000)] == [PAGE, 0, PAGE]


def test_of_a_text_that_is_taken_back_in_part_the_beginning_is_still_found():
    pool = pool_of(4)
    cache = Cache(pool)
    commit(pool, cache, 0, 3 * PAGE)
    cache.publish(range(3 * PAGE))
    cache.free()
    assert Cache(pool).reserve(2 * PAGE)
    assert adopted(Cache(pool), range(3 * PAGE)) == 2 * PAGE
    pool.check_integrity()


def test_edits_that_end_before_others_leave_pages_up_to_the_watermark_only():
    pool = PagePool(LAYERS, 60, torch.float32, watermark=16)
    live: list[Cache] = []
    for start in range(0, 100_000, 1000):
        live.append(Cache(pool))
        commit(pool, live[-1], start, 3 * PAGE)
        live[-1].publish(range(start, start + PAGE))
        if len(live) > 2:
            live.pop(0).free()
    used = {page for cache in live for page in cache.pages.tolist()}
    assert pool.watermark == 16
    assert max(used) < 16
    pool.check_integrity()


def test_edits_that_run_together_take_pages_beyond_the_watermark():
    pool = PagePool(LAYERS, 12, torch.float32, watermark=4)
    caches = [Cache(pool) for _ in range(3)]
    assert all(cache.reserve(4 * PAGE) for cache in caches)
    assert pool.watermark == 12


def test_whoever_needs_pages_waits_for_them_until_it_gives_up():
    pool, given_up = pool_of(2), threading.Event()
    first, second = Cache(pool), Cache(pool)
    assert first.reserve(2 * PAGE)
    assert not second.reserve(PAGE)
    got: list[int | None] = []
    waiter = started(lambda: got.append(second.adopt((), PAGE, given_up.is_set)))
    first.free()
    assert ended(waiter)
    assert got == [0]
    waiter = started(lambda: got.append(first.adopt((), 2 * PAGE, given_up.is_set)))
    given_up.set()
    pool.wake()
    assert ended(waiter)
    assert got == [0, None]


def test_two_that_share_other_pages_do_not_wait_for_each_other():
    pool, got = pool_of(11), list[int | None]()
    beginnings = [range(start, start + 3 * PAGE) for start in (0, 1000)]
    for tokens in beginnings:
        cache = Cache(pool)
        commit(pool, cache, tokens.start, 3 * PAGE)
        cache.publish(tokens)
        cache.free()
    running = Cache(pool)
    assert running.reserve(5 * PAGE)

    def edit(tokens: range) -> None:
        cache = Cache(pool)
        got.append(cache.adopt(tokens, 9 * PAGE, lambda: False))
        cache.free()

    waiters = [started(partial(edit, tokens)) for tokens in beginnings]
    running.free()
    assert all(map(ended, waiters))
    assert len(got) == 2
    assert 3 * PAGE in got
    assert None not in got
    pool.check_integrity()


def test_forgotten_pages_are_not_found():
    pool = pool_of(2)
    cache = Cache(pool)
    commit(pool, cache, 0, PAGE)
    cache.publish(range(PAGE))
    pool.forget()
    assert adopted(Cache(pool), range(PAGE)) == 0
    cache.free()
    pool.check_integrity()
