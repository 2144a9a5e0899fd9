from hypothesis import given
from hypothesis import strategies as st

from fastedit.draft.lookup.index import TextIndex, TextPlace

TEXT = [1, 2, 3, 9, 1, 2, 4, 9, 1, 2, 5, 9, 7, 1, 2, 6]


def test_the_longest_match_comes_first():
    assert TextIndex(TEXT).places([7, 1, 2], near=0, most=3)[0] == TextPlace(15, 3)


def test_of_equal_matches_the_nearest_behind_the_place_left_comes_first():
    index = TextIndex(TEXT)
    assert index.places([8, 1, 2], near=3, most=2) == [TextPlace(6, 2), TextPlace(10, 2)]
    assert index.places([8, 1, 2], near=7, most=2) == [TextPlace(10, 2), TextPlace(15, 2)]


def test_an_unknown_token_matches_nowhere():
    assert TextIndex(TEXT).places([1, 2, 42], near=0, most=3) == []
    assert TextIndex([]).places([1], near=0, most=3) == []


def test_the_end_of_the_text_is_no_place_to_go_on():
    assert TextIndex([1, 2, 3]).places([3], near=0, most=3) == []


def test_every_occurrence_of_a_run_is_found():
    assert TextIndex(TEXT).ends([1, 2]) == [2, 6, 10, 15]
    assert TextIndex(TEXT).ends([2, 5]) == [11]
    assert TextIndex(TEXT).ends([5, 2]) == []


TOKENS = st.integers(0, 2)


@given(st.lists(TOKENS, max_size=60), st.lists(TOKENS, min_size=1, max_size=12), st.integers(0, 60))
def test_every_place_matches_as_long_as_it_says(text: list[int], tail: list[int], near: int):
    index = TextIndex(text)
    places = index.places(tail, near, most=4)
    assert len({place.at for place in places}) == len(places) <= 4
    for at, matched in places:
        assert text[at - matched : at] == tail[len(tail) - matched :]
    lengths = [matched for _, matched in places]
    best = max(
        (n for n in range(1, len(tail) + 1) for e in index.ends(tail[-n:]) if e < len(text)), default=0
    )
    if best:
        assert max(lengths, default=0) == best or best > index.deepest
