"""Speculation and plain decoding are compared token by token."""

from __future__ import annotations

from evals.identity import Comparison, compare, headline


def test_a_model_in_float32_writes_the_same_with_and_without_speculation(model, parts):
    found = [compare(model, part) for part in parts]
    assert all(one.first_difference is None and one.tokens > 0 for one in found)


def test_the_headline_counts_a_region_that_differs():
    figures = headline([Comparison(10, None), Comparison(30, 4)])
    assert figures == {"regions": 2, "tokens": 40, "identical": 0.5}
