import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.draft.base import Branch
from fastedit.draft.tree import Merger, TokenTree


def whole(*branches: Branch) -> TokenTree:
    merger = Merger(branches)
    return merger.tree([len(run.tokens) for run in merger.runs])


def chances(*branches: Branch) -> dict[tuple[int, ...], float]:
    """Of the paths of the whole tree."""
    survival = Merger(branches).survival().tolist()
    return dict(zip(paths(whole(*branches)), survival, strict=True))


def paths(tree: TokenTree) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for token, parent in zip(tree.tokens.tolist(), tree.parents.tolist(), strict=True):
        found.append((*(found[parent] if parent >= 0 else ()), token))
    return found


def set_bits(row: np.ndarray) -> set[int]:
    return {64 * w + b for w, word in enumerate(row.tolist()) for b in range(64) if word >> b & 1}


def test_an_empty_tree_has_no_nodes_and_no_words():
    tree = TokenTree.empty()
    assert len(tree) == 0
    assert tree.ancestors.shape == (0, 0)
    assert tree.names == ()


def test_branches_share_their_common_prefix():
    tree = whole(Branch((1, 2, 3), (0.9, 0.8, 0.7), "a"), Branch((1, 2, 4), (0.5, 0.4, 0.05), "b"))
    assert paths(tree) == [(1,), (1, 2), (1, 2, 3), (1, 2, 4)]
    assert tree.parents.tolist() == [-1, 0, 1, 1]
    assert tree.depths.tolist() == [1, 2, 3, 3]
    assert [tree.names[s] for s in tree.sources] == ["a", "a", "a", "b"]


def test_a_longer_branch_continues_where_the_shorter_one_ends():
    branches = Branch((1, 2), (0.9, 0.8), "a"), Branch((1, 2, 3), (0.7, 0.6, 0.5), "b")
    assert chances(*branches) == pytest.approx({(1,): 0.9, (1, 2): 0.8, (1, 2, 3): 0.5})
    tree = whole(*branches)
    assert [tree.names[s] for s in tree.sources] == ["a", "a", "b"]


def test_agreement_takes_the_higher_survival():
    agreeing = Branch((1, 2), (0.9, 0.2), "a"), Branch((1, 2), (0.6, 0.5), "b")
    assert chances(*agreeing) == pytest.approx({(1,): 0.9, (1, 2): 0.5})


def test_children_of_one_node_never_claim_more_than_its_survival():
    by_path = chances(
        Branch((1, 2), (0.9, 0.8), "a"),
        Branch((1, 3), (0.9, 0.7), "b"),
        Branch((4,), (0.6,), "c"),
        Branch((5,), (0.5,), "d"),
    )
    assert by_path[(1, 2)] + by_path[(1, 3)] == pytest.approx(0.9)
    assert by_path[(4,)] == pytest.approx(0.1)
    assert (5,) not in by_path


def branch_lists() -> st.SearchStrategy[list[Branch]]:
    def build(tokens: list[int], first: float, keep: float) -> Branch:
        return Branch(
            tuple(tokens), tuple(first * keep**i for i in range(len(tokens))), "abcd"[len(tokens) % 4]
        )

    token_runs = st.lists(st.integers(0, 2), max_size=90)
    return st.lists(st.builds(build, token_runs, st.floats(0.01, 0.99), st.floats(0.5, 1.0)), max_size=6)


@given(branch_lists())
def test_every_tree_is_well_formed(branches: list[Branch]):
    tree = whole(*branches)
    found, known = paths(tree), chances(*branches) if len(tree) else {}
    assert len(set(found)) == len(found)
    proposed = {tuple(b.tokens[: i + 1]) for b in branches for i in range(len(b.tokens))}
    assert set(found) <= proposed
    assert tree.ancestors.shape == (len(tree), -(-len(tree) // 64))
    for i, parent in enumerate(tree.parents.tolist()):
        assert parent < i
        above = set_bits(tree.ancestors[parent]) if parent >= 0 else set()
        assert set_bits(tree.ancestors[i]) == above | {i}
        assert tree.depths[i] == len(found[i])
        if parent >= 0:
            assert known[found[i]] <= known[found[parent]] + 1e-6


@given(branch_lists(), st.data())
def test_what_a_tree_is_expected_to_bring_is_its_likeliest_branch_and_the_likeliest_token_after_it(
    branches: list[Branch], data: st.DataObject
):
    merger = Merger(branches)
    known = chances(*branches) if merger.runs else {}
    kept: list[int] = []
    for run in merger.runs:
        above = run.parent is None or kept[merger.runs.index(run.parent)] > run.offset
        kept.append(data.draw(st.integers(0, len(run.tokens))) if above else 0)
    verified = {(), *paths(merger.tree(kept))}
    expected = tuple(merger.expected())
    for depth in range(1, len(expected) + 1):
        above = expected[: depth - 1]
        siblings = [chance for path, chance in known.items() if len(path) == depth and path[:-1] == above]
        assert known[expected[:depth]] == max(siblings)
    if expected:
        assert expected not in verified
        assert expected[:-1] in verified


def test_nothing_is_expected_where_no_token_is_proposed_after_the_likeliest_branch():
    merger = Merger([Branch((1, 2, 3), (0.9, 0.5, 0.4), "a"), Branch((1, 4, 5), (0.9, 0.3, 0.2), "b")])
    merger.tree([3, 0])
    assert merger.expected() == []
    merger.tree([1, 1])
    assert merger.expected() == [1, 2]
