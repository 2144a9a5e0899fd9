"""Where in a fixed text the latest output occurs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DEEPEST = 24  # tokens of a match: longer ones are told apart no further
FEW = 6  # places from which single comparisons are cheaper than numpy's


class TextPlace(NamedTuple):
    """`at`: index of the text's next token; `matched`: how many tokens before it agree with the end of the output."""

    at: int
    matched: int


class TextIndex:
    """Suffix matches of an output in a text. Built by one sort, at the first query; each looks at one token's
    occurrences."""

    def __init__(self, text: Sequence[int]) -> None:
        self.text = list(text)
        self._tokens = np.array(self.text, dtype=np.int64)

    @cached_property
    def _after(self) -> dict[int, NDArray[np.int64]]:
        """The places after each token. A copy that never breaks asks for none."""
        order = np.argsort(self._tokens, kind="stable")
        ranked = self._tokens[order]
        starts = np.flatnonzero(np.diff(ranked, prepend=-1))
        stops = [*starts[1:].tolist(), len(order)]
        after = order + 1  # of which each token has a view: an array for each would take most of the time
        return {
            token: after[start:stop]
            for token, start, stop in zip(ranked[starts].tolist(), starts.tolist(), stops, strict=False)
        }

    def places(self, tail: Sequence[int], near: int, most: int) -> list[TextPlace]:
        """At most `most` places that the end of the output, `tail`, matches; the longest matches first.

        Of equal matches the nearest at or after `near` comes first. Of matches shorter than that of a few places
        only the nearest such place is named, for a longer match further off may be chance.
        """
        levels = self._levels(tail)
        if not levels:
            return []
        deepest = levels.pop()
        if len(deepest) > FEW:
            split = int(deepest.searchsorted(near))
            deepest = deepest[max(0, split - 1) : split + most]
        few = deepest.tolist()
        lengths = {at: self._length(at, tail, len(levels) + 1) for at in few}
        few.sort(key=lambda at: (-lengths[at], at < near, at))
        for matched in range(len(levels), 0, -1):
            if len(lengths) >= most:
                break
            level = levels[matched - 1]
            split = int(level.searchsorted(near))
            if split < len(level) and (at := int(level[split])) not in lengths:
                lengths[at] = matched
                few.append(at)
        return [TextPlace(at, lengths[at]) for at in few[:most]]

    def _levels(self, tail: Sequence[int]) -> list[NDArray[np.int64]]:
        """The places that match one token, two, ... until few are left; none where no place matches."""
        first = self._after.get(tail[-1], self._tokens[:0]) if tail else self._tokens[:0]
        # Nothing goes on after the text's last token.
        first = first[: int(first.searchsorted(len(self.text)))]
        if not len(first):
            return []
        levels = [first]
        while len(levels) < min(DEEPEST, len(tail)) and len(levels[-1]) > FEW:
            at = levels[-1]
            depth = len(levels) + 1
            longer = at[self._tokens[at - depth] == tail[-depth]]
            if len(longer) and longer[0] < depth:
                longer = longer[longer >= depth]
            if not len(longer):
                break
            levels.append(longer)
        return levels

    def ends(self, run: Sequence[int]) -> list[int]:
        """The places after every occurrence of `run`, rising."""
        at = self._after.get(run[-1], self._tokens[:0])
        for back, token in enumerate(reversed(run[:-1]), 2):
            at = at[at >= back]
            at = at[self._tokens[at - back] == token]
        return [int(place) for place in at]

    def _length(self, at: int, tail: Sequence[int], known: int) -> int:
        """The whole length of a match of at least `known` tokens."""
        most = min(DEEPEST, len(tail), at)
        while known < most and self.text[at - known - 1] == tail[-known - 1]:
            known += 1
        return known
