"""Arctic Inference's suffix tree (`arctic-inference` on PyPI) as a drafter, for `evals.drafts`."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

from evals.replay import Factory
from fastedit.draft.base import Branch

PACKAGE = "arctic_inference"


class SuffixTree:
    """One request of Arctic's cache: prompt and output in one tree, matched from the root at every step.

    `depth` is the tree's, `factor` how many tokens are drafted for each matched one, `most` their limit.
    """

    name = "arctic"

    def __init__(self, text: Sequence[int], depth: int, factor: float, most: int) -> None:
        from arctic_inference.suffix_decoding import SuffixDecodingCache

        self._cache: Any = SuffixDecodingCache(max_tree_depth=depth, max_cached_requests=0)
        self._cache.start_request(0, list(text))
        self._depth, self._factor, self._most = depth, factor, most
        self._output: list[int] = []

    def observe(self, tokens: Sequence[int]) -> None:
        self._cache.add_active_response(0, list(tokens))
        self._output = [*self._output, *tokens][-self._depth :]

    def propose(self, limit: int) -> list[Branch]:
        if not self._output:
            return []
        draft = self._cache.speculate(
            0, self._output, max_spec_tokens=min(limit, self._most), max_spec_factor=self._factor
        )
        return [Branch(list(draft.token_ids), list(draft.probs), self.name)] if draft.token_ids else []


def lacking() -> str | None:
    return None if importlib.util.find_spec(PACKAGE) else f"{PACKAGE} is not installed"


def factories(*, with_update: bool) -> Mapping[str, Factory]:
    """Its defaults in vLLM, and the best of the settings tried; empty where it is not installed."""
    if lacking():
        return {}

    def factory(depth: int, factor: float, most: int) -> Factory:
        return lambda p: [
            SuffixTree((*p.original, *p.update) if with_update else p.original, depth, factor, most)
        ]

    return {
        "Arctic suffix tree, vLLM's defaults": factory(24, 1.0, 32),
        "Arctic suffix tree, depth 256, factor 4, 128 tokens": factory(256, 4.0, 128),
    }
