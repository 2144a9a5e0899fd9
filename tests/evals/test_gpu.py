from __future__ import annotations

import math
import random
import subprocess
import sys

import pytest
import torch

from evals import gpu as evals_gpu
from evals import gpu_passes
from evals.gpu_machine import Gpu
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
@pytest.mark.parametrize(
    "command", [["evals.kernels"], ["evals.kernels", "--quick"], ["evals.gpu"]], ids=" ".join
)
def test_without_a_gpu_one_line_says_what_is_missing(command):
    run = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, timeout=300)
    assert run.returncode == 2
    assert run.stdout == ""
    assert [line for line in run.stderr.splitlines() if "no CUDA GPU is at hand" in line]


def test_passes_are_timed_beside_the_time_to_read_the_weights_once(monkeypatch):
    monkeypatch.setattr(evals_gpu, "SHAPES", TINY)
    monkeypatch.setattr(gpu_passes, "RUNS", 1)
    target = evals_gpu.random_target("tiny", torch.device("cpu"))
    card = Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
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
