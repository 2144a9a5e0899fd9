from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.text.alignment import Aligner, Rules
from fastedit.formats.text.views import KeyedView

KEYS = st.sampled_from("abc")


def all_alignments(old, file, rules):
    """Every alignment that the rules allow, with its score."""
    for size in range(1, len(old) + 1):
        for left in combinations(range(len(old)), size):
            for right in combinations(range(len(file)), size):
                pairs = list(zip(left, right, strict=True))
                if all(old[a] == file[b] for a, b in pairs) and allowed(dict(pairs), old, file, rules):
                    yield (
                        dict(pairs),
                        sum(1 / file.count(old[a]) for a in left)
                        - sum(
                            0 if (c, d) == (a + 1, b + 1) else 0.5 + (c - a - 1 + d - b - 1) / 16
                            for (a, b), (c, d) in pairwise(pairs)
                        ),
                    )


def allowed(rows, old, file, rules):
    linked = all(rows.get(at + 1) == rows.get(at, -2) + 1 for at in rules.linked)
    head = not rules.from_head or rows.get(0, 0) == 0
    end = not rules.to_end or rows.get(len(old) - 1, len(file) - 1) == len(file) - 1
    return linked and head and end and rules.required <= rows.keys()


@given(st.lists(KEYS, min_size=1, max_size=4), st.lists(KEYS, max_size=6), st.data())
def test_the_best_alignment_of_all_is_found(old, file, data):
    required = data.draw(st.sets(st.integers(0, len(old) - 1)))
    linked = frozenset(at for at in required if at + 1 in required and data.draw(st.booleans()))
    rules = Rules(frozenset(required), linked, data.draw(st.booleans()), data.draw(st.booleans()))
    found = Aligner(old, KeyedView(file, str, blank=True)).align(rules)
    known = list(all_alignments(old, file, rules))
    best = max((score for _, score in known), default=None)
    assert (found is None) == (best is None)
    if found:
        assert found.score == pytest.approx(best)
        assert (found.rows, pytest.approx(found.score)) in known


def test_a_pair_or_rows_can_be_ruled_out():
    aligner = Aligner(["a", "b"], KeyedView(["a", "b", "x", "a", "b"], str, blank=True))
    assert aligner.align(Rules(), without=(0, 0)).rows == {0: 3, 1: 4}
    assert aligner.align(Rules(), without_rows=[3, 4]).rows == {0: 0, 1: 1}
    assert aligner.align(Rules(), without_rows=range(5)) is None
