"""A suffix automaton that grows token by token (Blumer et al. 1985; online construction as in Ukkonen's tree).

States stand for sets of substrings that end at the same places. Reading a text takes amortised constant work per
token, and so does matching another text against it.
"""

from __future__ import annotations

from collections.abc import Iterable


class SuffixAutomaton:
    """Of all texts added. `follow[s]` maps a token to the next state, `link[s]` is the longest suffix state elsewhere,
    `length[s]` the longest substring in it, `end[s]` the index behind its first occurrence in `text`."""

    def __init__(self) -> None:
        self.text: list[int] = []
        self.follow: list[dict[int, int]] = [{}]
        self.link = [-1]
        self.length = [0]
        self.end = [0]
        self._last = 0

    def separate(self) -> None:
        """What is added next does not follow what was added last."""
        self._last = 0

    def add(self, tokens: Iterable[int]) -> None:
        follow, link, length, end, text = self.follow, self.link, self.length, self.end, self.text
        last = self._last
        for token in tokens:
            text.append(token)
            state = len(follow)
            follow.append({})
            length.append(length[last] + 1)
            end.append(len(text))
            at = last
            while at >= 0 and token not in follow[at]:
                follow[at][token] = state
                at = link[at]
            if at < 0:
                link.append(0)
            else:
                to = follow[at][token]
                if length[at] + 1 == length[to]:
                    link.append(to)
                else:
                    clone = state + 1
                    follow.append(follow[to].copy())
                    length.append(length[at] + 1)
                    end.append(end[to])
                    link.append(clone)
                    link.append(link[to])
                    link[to] = clone
                    while at >= 0 and follow[at].get(token) == to:
                        follow[at][token] = clone
                        at = link[at]
            last = state
        self._last = last
