"""Public drafting schemes, for comparison: fixed-length n-gram lookup as in transformers and vLLM."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.draft.base import Branch


class NgramLookup:
    """Continues the first occurrence of the longest n-gram that ends the output, always `length` tokens long.

    transformers' prompt lookup (`prompt_lookup_num_tokens`, `max_matching_ngram_size`) and vLLM's n-gram proposer
    do this. They rescan the text at every step; the table here gives the same drafts faster.
    """

    name = "lookup"

    def __init__(self, text: Sequence[int], shortest: int, longest: int, length: int) -> None:
        self._text: list[int] = []
        self._sizes = range(longest, shortest - 1, -1)
        self._length = length
        self._first: dict[tuple[int, ...], int] = {}
        self._output: list[int] = []
        self._learn(text)

    def observe(self, tokens: Sequence[int]) -> None:
        self._output = [*self._output, *tokens][-self._sizes[0] :]
        self._learn(tokens)

    def propose(self, limit: int) -> list[Branch]:
        for size in self._sizes:
            at = self._first.get(tuple(self._output[-size:])) if len(self._output) >= size else None
            if at is not None and at < len(self._text):
                tokens = self._text[at : at + min(limit, self._length)]
                return [Branch(tokens, [1.0] * len(tokens), self.name)]
        return []

    def _learn(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            self._text.append(token)
            end = len(self._text)
            for size in self._sizes:
                if end >= size:
                    self._first.setdefault(tuple(self._text[end - size : end]), end)
