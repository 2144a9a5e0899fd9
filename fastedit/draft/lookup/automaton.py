"""A suffix automaton that grows token by token (Blumer et al. 1985; online construction as in Ukkonen's tree).

States stand for sets of substrings that end at the same places. Reading a text takes amortised constant work per
token, and so does matching another text against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy


class SuffixAutomaton:
    """Of all texts added. `follow[s]` maps a token to the next state, `link[s]` is the longest suffix state elsewhere,
    `length[s]` the longest substring in it, `end[s]` the index after its first occurrence in `text`."""

    def __init__(self) -> None:
        self.text: list[int] = []
        self.follow: list[dict[int, int]] = [{}]
        self.link = [-1]
        self.length = [0]
        self.end = [0]
        self._last = 0

    def copy(self) -> SuffixAutomaton:
        twin = copy(self)
        twin.text, twin.link, twin.length, twin.end = (
            numbers.copy() for numbers in (self.text, self.link, self.length, self.end)
        )
        twin.follow = [ways.copy() for ways in self.follow]
        return twin

    def separate(self) -> None:
        """What is added next does not follow what was added last."""
        self._last = 0

    def add(self, tokens: Sequence[int]) -> None:
        follow, link, length, end = self.follow, self.link, self.length, self.end
        last, position = self._last, len(self.text)
        self.text += tokens
        for token in tokens:
            position += 1
            state = len(follow)
            follow.append({})
            length.append(length[last] + 1)
            end.append(position)
            link.append(0)
            at, to = last, follow[last].get(token)
            while to is None:
                follow[at][token] = state
                at = link[at]
                if at < 0:
                    break
                to = follow[at].get(token)
            last = state
            if to is not None:
                link[state] = to if length[at] + 1 == length[to] else self._split(at, token, to)
        self._last = last

    def match(self, tokens: Sequence[int], state: int = 0, matched: int = 0) -> tuple[int, int]:
        """The state of the longest end of `tokens` that is a substring, and its length; they follow such an end."""
        follow, link, length = self.follow, self.link, self.length
        for token in tokens:
            while state and token not in follow[state]:
                state = link[state]
                matched = length[state]
            if token in follow[state]:
                state = follow[state][token]
                matched += 1
        return state, matched

    def followed(self, state: int, matched: int) -> tuple[int, int]:
        """The longest end of this substring that something follows."""
        while state and not self.follow[state]:
            state = self.link[state]
            matched = self.length[state]
        return state, matched

    def _split(self, at: int, token: int, to: int) -> int:
        """A new state for the shorter substrings of `to`: those that end in more places than its longest."""
        follow, link = self.follow, self.link
        clone = len(follow)
        follow.append(follow[to].copy())
        self.length.append(self.length[at] + 1)
        self.end.append(self.end[to])
        link.append(link[to])
        link[to] = clone
        while at >= 0 and follow[at].get(token) == to:
            follow[at][token] = clone
            at = link[at]
        return clone
