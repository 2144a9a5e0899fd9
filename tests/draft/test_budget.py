import pytest

from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable, Pace, RequestDrafts, share
from fastedit.draft.tree import Merger
from tests.draft.helpers import choose

FLAT = CostTable((1, 128), (10.0, 10.0))
STEEP = CostTable((1, 101), (1.0, 101.0))


def test_costs_are_interpolated_and_go_on_at_the_last_slope():
    table = CostTable((1, 16, 64), (6.0, 9.0, 21.0))
    assert table.cost(1) == 6.0
    assert table.cost(16) == 9.0
    assert table.cost(40) == pytest.approx(15.0)
    assert table.cost(128) == pytest.approx(37.0)


def test_a_table_of_one_entry_is_flat():
    assert CostTable((1,), (5.0,)).cost(300) == 5.0


@pytest.mark.parametrize("rows", [(), (4, 4), (8, 2)])
def test_a_table_without_rising_rows_is_refused(rows: tuple[int, ...]):
    with pytest.raises(ValueError, match="rising"):
        CostTable(rows, tuple(1.0 for _ in rows))


def test_nothing_proposed_gives_an_empty_tree():
    assert len(choose([], FLAT, 10)) == 0
    assert len(choose([Branch((), (), "a")], FLAT, 10)) == 0
    assert len(choose([Branch((1,), (0.9,), "a")], FLAT, 0)) == 0


def test_free_rows_are_all_taken_up_to_the_limit():
    branch = Branch(tuple(range(50)), tuple(0.9**i for i in range(50)), "a")
    assert len(choose([branch], FLAT, 100)) == 50
    assert len(choose([branch], FLAT, 20)) == 20


def test_a_node_that_gains_less_than_it_costs_is_left_out():
    branch = Branch((1, 2, 3, 4), (0.99, 0.98, 0.25, 0.2), "a")
    table = CostTable((1, 5), (4.0, 6.0))
    assert choose([branch], table, 10, rate=1.0).tokens.tolist() == [1, 2]


def test_dear_rows_leave_only_the_plain_pass():
    assert len(choose([Branch((1, 2), (0.9, 0.8), "a")], STEEP, 10, rate=1.0)) == 0


def test_the_likeliest_nodes_are_taken_across_branches():
    likely = Branch((1, 2, 3), (0.6, 0.55, 0.1), "a")
    other = Branch((7, 8, 9), (0.4, 0.35, 0.3), "b")
    tree = choose([likely, other], FLAT, 5)
    assert sorted(tree.tokens.tolist()) == [1, 2, 7, 8, 9]


def test_a_step_in_the_cost_is_climbed_when_what_lies_behind_pays_for_it():
    table = CostTable((1, 16, 17, 128), (10.0, 10.0, 11.0, 11.0))
    sure = Branch(tuple(range(100)), (0.99,) * 100, "a")
    short = Branch(tuple(range(17)), (0.9,) * 15 + (0.05, 0.05), "a")
    assert len(choose([sure], table, 127, rate=0.5)) == 100
    assert len(choose([short], table, 127, rate=0.5)) == 15


def test_rows_are_worth_what_their_time_would_bring_elsewhere():
    branch = Branch((1, 2, 3), (0.5, 0.3, 0.1), "a")
    table = CostTable((1, 101), (10.0, 20.0))  # a row costs 0.1 ms
    assert len(choose([branch], table, 10, rate=0.5)) == 3
    assert len(choose([branch], table, 10, rate=2.0)) == 2
    assert len(choose([branch], table, 10, rate=4.0)) == 1
    assert len(choose([branch], table, 10, rate=6.0)) == 1


def test_a_first_token_is_worth_the_pass_that_it_saves_and_those_behind_it_only_their_own_time():
    table = CostTable((1, 101), (10.0, 20.0))
    copied = Branch((1, 2, 3), (0.05, 0.05, 0.05), "a")
    assert choose([copied], table, 10, rate=6.0).tokens.tolist() == [1]
    assert len(choose([Branch((1,), (0.005,), "a")], table, 10, rate=6.0)) == 0


def test_a_pass_that_answers_share_saves_each_of_them_its_share_alone():
    table = CostTable((1, 101), (10.0, 20.0))
    unlikely = RequestDrafts(Merger([Branch((1,), (0.02,), "a")]), 10)
    sure = RequestDrafts(Merger([Branch((2,), (0.9,), "a")]), 10)
    assert [len(tree) for tree in share([unlikely], table, 40, rate=6.0)] == [1]
    trees = share([unlikely, *[sure] * 9], table, 40, rate=6.0)
    assert [len(tree) for tree in trees] == [0, *[1] * 9]


def test_the_pace_follows_what_passes_bring():
    table = CostTable((1, 128), (10.0, 10.0))
    pace = Pace(table)
    for _ in range(1000):
        pace.observe(rows=60, tokens=50)
    assert pace.rate == pytest.approx(5.0, rel=0.05)


def test_what_must_be_verified_does_not_keep_out_what_pays_for_itself():
    probes = [Branch((10 + i, 20 + i), (1e-3, 1e-3), "window", probe=True) for i in range(6)]
    copied = Branch((1, 2), (0.9, 0.8), "a")
    table = CostTable((1, 101), (10.0, 20.0))  # a row costs 0.1 ms: 12 probes cost more than the copy brings
    tree = choose([copied, *probes], table, 30, rate=4.0)
    assert len(tree) == 14
    assert {1, 2} <= set(tree.tokens.tolist())
