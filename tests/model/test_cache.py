from __future__ import annotations

import pytest
import torch

from fastedit.errors import TooLong
from fastedit.model.cache import Cache

LAYERS = 2


def write(cache: Cache, first: int, rows: int) -> None:
    """One pass whose row i carries the number first + i (plus a half in the values) in every layer."""
    cache.begin(rows)
    numbers = torch.arange(first, first + rows, dtype=torch.float32).view(1, 1, rows, 1)
    for layer in range(LAYERS):
        k, v = numbers.expand(1, 3, rows, 4), (numbers + 0.5).expand(1, 3, rows, 5)
        keys, values = cache.update(k + 1000 * layer, v + 1000 * layer, layer)
        assert keys.shape == (1, 3, cache.length + rows, 4)
        assert values.shape == (1, 3, cache.length + rows, 5)


def numbers(cache: Cache) -> list[int]:
    """What the committed slots carry, after a look that every layer and head agrees."""
    kept = cache.length
    cache.begin(1)
    row = torch.zeros(1, 3, 1, 4)
    found = [cache.update(row, row[..., :1].expand(1, 3, 1, 5), layer)[0][0, :, :kept] for layer in (0, 1)]
    cache.truncate(kept)
    assert torch.equal(found[0] + 1000, found[1])
    assert torch.equal(found[0], found[0][:1, :, :1].expand_as(found[0]))
    return found[0][0, :, 0].int().tolist()


def test_only_the_kept_rows_of_a_pass_stay_and_move_to_the_front():
    cache = Cache(LAYERS, 100, torch.float32)
    write(cache, 0, 5)
    cache.keep(range(5))
    write(cache, 10, 8)
    cache.keep([0, 1, 4, 7])
    cache.check_integrity()
    assert numbers(cache) == [0, 1, 2, 3, 4, 10, 11, 14, 17]


def test_growth_keeps_what_is_committed():
    cache = Cache(LAYERS, 2000, torch.float32)
    for first in range(0, 1900, 19):
        write(cache, first, 19)
        cache.keep(range(19))
        cache.check_integrity()
    assert numbers(cache) == list(range(1900))
    assert cache.capacity == 2000


def test_truncating_forgets_the_end():
    cache = Cache(LAYERS, 100, torch.float32)
    write(cache, 0, 9)
    cache.keep(range(9))
    cache.truncate(4)
    write(cache, 50, 2)
    cache.keep([1])
    assert numbers(cache) == [0, 1, 2, 3, 51]


def test_a_pass_beyond_the_limit_is_refused_with_both_numbers():
    cache = Cache(LAYERS, 10, torch.float32)
    write(cache, 0, 8)
    cache.keep(range(8))
    with pytest.raises(TooLong, match=r"11 tokens .* 10"):
        cache.begin(3)
    cache.check_integrity()


def test_a_freed_cache_holds_nothing_and_can_be_used_again():
    cache = Cache(LAYERS, 100, torch.float32)
    write(cache, 0, 9)
    cache.keep(range(9))
    cache.free()
    assert (cache.length, cache.capacity) == (0, 0)
    cache.check_integrity()
    write(cache, 30, 2)
    cache.keep([0, 1])
    assert numbers(cache) == [30, 31]


def test_integrity_fails_on_a_committed_value_that_is_no_number():
    cache = Cache(LAYERS, 100, torch.float32)
    write(cache, 0, 3)
    cache.update(torch.full((1, 3, 3, 4), torch.nan), torch.zeros(1, 3, 3, 5), 1)
    cache.keep(range(2))
    with pytest.raises(AssertionError):
        cache.check_integrity()
