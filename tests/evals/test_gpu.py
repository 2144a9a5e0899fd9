from __future__ import annotations

import math
import random

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import tree_attention

from evals import gpu as evals_gpu
from evals import gpu_passes
from evals import kernels as evals_kernels
from fastedit.draft.budget import CostTable
from fastedit.model.fused import Shape
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
    heads = evals_kernels.HEADS["7B"]
    card = evals_kernels.Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
    few, many = (
        evals_kernels.floor_of(evals_kernels.work_of(evals_kernels.Case("7B", 1, 16384, rows), heads), card)
        for rows in (1, 256)
    )
    assert few == (pytest.approx(1000 * 16385 * 4 * 4 * 128 / 4e12), "bytes")
    assert many[1] == "operations"
    assert np.isclose(many[0], 1000 * 4 * 256 * 28 * 16640 * 128 / 8e14)


def test_passes_are_timed_beside_the_time_to_read_the_weights_once(monkeypatch):
    monkeypatch.setattr(evals_gpu, "SHAPES", TINY)
    monkeypatch.setattr(gpu_passes, "RUNS", 1)
    target = evals_gpu.random_target("tiny", torch.device("cpu"))
    card = evals_kernels.Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
    found = list(gpu_passes.measured(target, card, context=512))
    numbers = 61 * 32 + 2 * (32 * 64 + 32 * 32 + 3 * 32 * 48)
    assert found[0].weights_ms == pytest.approx(1000 * 2 * numbers / 4e12)
    assert found[0].work == (2 * numbers + 513 * 2 * 2 * 16 * 4, 2 * numbers + 4 * 2 * 32 * 513)
    assert [one.rows for one in found] == list(gpu_passes.ROWS)
    assert "| rows | context |" in gpu_passes.show_passes(found)
    assert not target.pool._holders.any()


def test_the_largest_shape_has_the_weights_that_its_name_says():
    shape = Shape.of(evals_gpu.random_config("llama-3-70b"))
    sizes = evals_gpu.sizes_of("llama-3-70b", shape)
    assert sum(math.prod(size) for size in sizes.values()) == 70_553_706_496
