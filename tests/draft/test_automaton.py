from hypothesis import given
from hypothesis import strategies as st

from fastedit.draft.lookup.automaton import SuffixAutomaton

TEXTS = st.lists(st.integers(0, 2), max_size=24)


def language(automaton: SuffixAutomaton) -> dict[tuple[int, ...], int]:
    """Every string that the automaton reads, with the place where its first occurrence ends."""
    found: dict[tuple[int, ...], int] = {}
    todo: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while todo:
        state, read = todo.pop()
        for token, to in automaton.follow[state].items():
            found[(*read, token)] = automaton.end[to]
            todo.append((to, (*read, token)))
    return found


def substrings(text: list[int]) -> set[tuple[int, ...]]:
    return {tuple(text[i:j]) for i in range(len(text)) for j in range(i + 1, len(text) + 1)}


@given(TEXTS, st.integers(0, 24))
def test_it_reads_exactly_the_substrings_however_they_are_added(text: list[int], cut: int):
    automaton = SuffixAutomaton()
    automaton.add(text[:cut])
    automaton.add(text[cut:])
    found = language(automaton)
    assert set(found) == substrings(text)
    assert all(tuple(text[end - len(read) : end]) == read for read, end in found.items())


@given(TEXTS, TEXTS)
def test_separate_texts_share_no_substring_across_their_border(first: list[int], second: list[int]):
    automaton = SuffixAutomaton()
    for text in (first, second):
        automaton.separate()
        automaton.add(text)
    assert set(language(automaton)) == substrings(first) | substrings(second)


def test_states_stay_below_twice_the_tokens():
    automaton = SuffixAutomaton()
    automaton.add([i * i % 7 for i in range(2000)])
    assert len(automaton.follow) <= 2 * 2000
