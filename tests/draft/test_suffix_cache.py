from __future__ import annotations

import random

from fastedit.decode.session import Session
from fastedit.draft.lookup.suffix_cache import KNOWN, TENANTS, Shelf, SuffixCache
from fastedit.draft.registry import Drafting
from fastedit.sampling import Sampling
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.helpers import check


def drafter(cache: SuffixCache, tenant: str = ""):
    (made,) = cache.drafters(prompt_of([1]))
    made.inform(Sampling(), tenant)
    return made


def write(cache: SuffixCache, tokens: list[int], tenant: str = "") -> None:
    writer = drafter(cache, tenant)
    for token in tokens:
        writer.observe([token])
    writer.close()


def proposed(cache: SuffixCache, tail: list[int], tenant: str = "") -> list[int]:
    reader = drafter(cache, tenant)
    for token in tail:
        reader.observe([token])
    branches = reader.propose(30)
    for branch in branches:
        check(branch, 30)
    return list(branches[0].tokens) if branches else []


def test_the_same_answer_again_takes_fewer_passes_and_stays_the_same():
    model = target()
    drafting = Drafting(model)
    prompt = prompt_of(random_ids(random.Random(1), 40), limit=24)
    sessions = []
    for _ in range(2):
        sessions.append(
            Session(model, prompt, drafting.drafters("suffix-cache", prompt), GREEDY, costs=CHEAP)
        )
        answer(sessions[-1])
    plain = Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)
    assert sessions[0].output == sessions[1].output == answer(plain)
    assert sessions[1].tally.passes < sessions[0].tally.passes
    assert not sessions[1].tally.switched_off


def test_what_one_tenant_wrote_is_not_proposed_to_another():
    cache = SuffixCache()
    write(cache, [*range(20)], "one")
    assert proposed(cache, [3, 4, 5], "one")[:3] == [6, 7, 8]
    assert proposed(cache, [3, 4, 5], "two") == []


def test_an_answer_that_still_runs_is_not_there_yet():
    cache = SuffixCache()
    writer = drafter(cache)
    writer.observe([1, 2, 3, 4, 5])
    assert proposed(cache, [2, 3]) == []
    writer.close()
    writer.close()
    assert proposed(cache, [2, 3]) == [4, 5]


def test_of_copied_text_only_the_ends_beside_new_text_are_kept():
    cache = SuffixCache()
    writer = drafter(cache)
    writer.observe([*range(100, 100 + KNOWN + 1)])
    writer.observe([1, 2, 3])
    writer.observe([*range(200, 200 + KNOWN + 1)])
    writer.close()
    assert proposed(cache, [1, 2])[:3] == [3, 200, 201]
    assert proposed(cache, [100, 101]) == []
    assert len(cache.shelf("")) < 3 + 2 * KNOWN


def test_memory_is_bounded_for_each_tenant_and_in_all():
    shelf = Shelf(tokens=100)
    for start in range(0, 1000, 30):
        shelf.add([[*range(start, start + 30)], [*range(5)] * 50])
        assert len(shelf) <= 100
    cache = SuffixCache()
    for tenant in range(3 * TENANTS):
        cache.shelf(str(tenant))
    assert len(cache._shelves) == TENANTS


def test_the_latest_way_to_go_on_is_proposed():
    cache = SuffixCache()
    write(cache, [1, 2, 3, 4])
    write(cache, [1, 2, 9, 8])
    assert proposed(cache, [1, 2]) == [9, 8]
