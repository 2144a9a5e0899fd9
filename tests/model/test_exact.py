"""Bitwise exactness: the same tokens give the same bits, however they are cut, drafted, placed or joined."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels import exact
from fastedit_kernels.tree_attention import Batch, Span

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Rows
from fastedit.model.settings import ModelSettings
from fastedit.model.target import Target
from tests.checkpoints import FUSED, checkpoint
from tests.model.test_target import forward, tokens_of

BITWISE = ModelSettings(exactness="bitwise")
NO_NODES = np.zeros((0, 0), dtype=np.uint64)


def exactly(name: str, dtype: torch.dtype = torch.float32) -> Target:
    return Target.load(checkpoint(name), dtype=dtype, settings=BITWISE)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
@pytest.mark.parametrize("name", FUSED)
def test_logits_are_the_same_bits_however_the_tokens_are_cut_into_passes(name, dtype):
    model, tokens = exactly(name, dtype), tokens_of(1, 150)
    whole = forward(model, tokens, model.new_cache())
    rng = random.Random(0)
    for longest in (1, 5, 90):
        cache, at, parts = model.new_cache(), 0, []
        while at < len(tokens):
            count = rng.randint(1, longest)
            parts.append(forward(model, tokens[at : at + count], cache))
            at += count
        assert torch.equal(torch.cat(parts), whole)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_logits_are_the_same_bits_alone_and_among_others_in_any_slots(dtype):
    model = exactly("qwen3", dtype)
    prompts = [tokens_of(seed, length) for seed, length in ((2, 70), (3, 9), (4, 130))]
    expected = [forward(model, tokens, model.new_cache()) for tokens in prompts]
    caches = [model.new_cache() for _ in prompts]
    for turn in range(3):  # pages are taken in turn, so that no cache lies in one piece
        for cache in caches:
            assert cache.reserve(64 * (turn + 1))
    spans = []
    for cache, tokens in zip(caches, prompts, strict=True):
        cache.begin(len(tokens))
        spans.append(Span(0, len(tokens), np.arange(len(tokens)), NO_NODES, cache.pages))
    every = np.concatenate(prompts)
    logits = model.forward(Rows(every, np.arange(len(every)), Batch(spans)))
    assert torch.equal(logits, torch.cat(expected))


def test_exact_logits_are_those_of_the_default_but_for_rounding():
    tokens = tokens_of(5, 100)
    model, plain = exactly("qwen3"), Target.load(checkpoint("qwen3"))
    torch.testing.assert_close(
        forward(model, tokens, model.new_cache()),
        forward(plain, tokens, plain.new_cache()),
        atol=2e-4,
        rtol=2e-4,
    )


def test_a_library_whose_products_depend_on_the_company_is_found_out(monkeypatch):
    def company(x, weight, bias=None):
        return torch.nn.functional.linear(x, weight, bias) + 1e-6 * len(x)

    monkeypatch.setattr(exact, "linear", company)
    with pytest.raises(ModelUnavailable, match=r"depend on how many rows share a pass.*use the default"):
        exactly("llama")


def test_models_without_a_forward_pass_of_ours_cannot_be_exact():
    with pytest.raises(ModelUnavailable, match="Qwen3 models only"):
        exactly("gemma")
