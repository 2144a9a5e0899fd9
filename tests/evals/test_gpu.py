from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import tree_attention

from evals import gpu as evals_gpu
from evals import kernels as evals_kernels
from fastedit.draft.budget import CostTable
from fastedit.prompt.base import Prompt
from tests.kernels.helpers import DEVICE

TINY = {"tiny": ("qwen2", 2, 32, 48, 4, 2, 61, False)}
without_gpu = pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU")


def edit(seed: int) -> evals_gpu.Case:
    rng = random.Random(seed)
    old = tuple(rng.randrange(60) for _ in range(80))
    new = [*old[:30], 7, 8, 9, *old[33:]]
    return Prompt((), old, tuple(new[25:40]), tuple(new), frozenset(), len(old)), tuple(new)


def test_a_replayed_edit_writes_the_real_answer_whatever_the_model_says(monkeypatch):
    monkeypatch.setattr(evals_gpu, "SHAPES", TINY)
    monkeypatch.setattr(evals_gpu, "_timed", lambda run: run() or 1.0)
    torch.manual_seed(0)
    target = evals_gpu.random_target("tiny", torch.device("cpu"))
    costs, cases = CostTable((1, 256), (10.0, 10.1)), [edit(i) for i in range(3)]
    fast = evals_gpu.ours(target, costs, cases, "fast", speculation=True, at_once=2, rows=64)
    plain = evals_gpu.ours(target, costs, cases, "plain", speculation=False, at_once=1, rows=64)
    assert fast.tokens == plain.tokens == 3 * 80
    assert plain.passes == 3 * 81
    assert fast.passes < 20


@without_gpu
@pytest.mark.parametrize("main", [evals_kernels.main, evals_gpu.main])
def test_without_a_gpu_the_command_says_what_is_missing(main, capsys):
    import typer
    from typer.testing import CliRunner

    app = typer.Typer()
    app.command()(main)
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 2
    assert "no CUDA GPU is at hand" in result.output


def test_the_dense_mask_shows_the_same_as_the_ancestor_words():
    case = evals_kernels.Case("7B", 2, 70, 9)
    batch = evals_kernels.tree_batch(case, random.Random(0))
    heads = evals_kernels.Heads(2, 1, 8)
    dense = evals_kernels._dense(case, heads, batch, torch.device("cpu"))
    slots = 64 * sum(len(span.pages) for span in batch.spans)
    k = torch.zeros(slots, 1, 8, dtype=torch.bfloat16)
    v = k.clone()
    for i, span in enumerate(batch.spans):
        own = torch.from_numpy(span.slots(0, span.end))
        k[own], v[own] = dense.k[i].transpose(0, 1), dense.v[i].transpose(0, 1)
    q = dense.q.transpose(1, 2).flatten(0, 1)
    found = tree_attention(q.float(), k.float(), v.float(), batch, scale=0.3).unflatten(0, (2, 9))
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(part.float() for part in dense[:3]), dense.sees, scale=0.3, enable_gqa=True
    )
    torch.testing.assert_close(found, expected.transpose(1, 2), atol=1e-5, rtol=1e-5)


def test_the_floor_is_the_larger_of_two_times():
    card = evals_kernels.Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
    few = evals_kernels._floor(evals_kernels.Case("7B", 1, 16384, 1), evals_kernels.HEADS["7B"], card)
    many = evals_kernels._floor(evals_kernels.Case("7B", 1, 16384, 256), evals_kernels.HEADS["7B"], card)
    assert few == (pytest.approx(1000 * 16385 * 4 * 4 * 128 / 4e12), "bytes")
    assert many[1] == "operations"
    assert np.isclose(many[0], 1000 * 4 * 256 * 28 * 16640 * 128 / 8e14)
