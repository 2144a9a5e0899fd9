from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
import torch

from evals import gpu as evals_gpu
from evals import gpu_passes, gpu_shapes, gpu_ways, scaling
from evals.drafts import Case
from evals.edits import RealEdit
from evals.gpu_machine import Gpu, Work, floor_of
from fastedit.draft.budget import CostTable
from fastedit.model.device import Device
from fastedit.model.fused import Shape
from fastedit.prompt.base import Prompt
from tests.kernels.helpers import DEVICE, needs_triton

CARD = Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
COSTS = CostTable((1, 256), (10.0, 10.1))
TINY = {"tiny": ("qwen2", 2, 32, 48, 4, 2, 61, False)}
without_gpu = pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU")


def edit(seed: int) -> Case:
    rng = random.Random(seed)
    old = tuple(rng.randrange(60) for _ in range(80))
    new = [*old[:30], 7, 8, 9, *old[33:]]
    return Prompt((), old, tuple(new[25:40]), tuple(new), frozenset(), len(old)), tuple(new)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(gpu_shapes, "SHAPES", TINY)
    torch.manual_seed(0)
    return gpu_shapes.random_target("tiny", torch.device("cpu"))


def test_a_replayed_edit_writes_the_real_answer_whatever_the_model_says(tiny):
    cases = [edit(i) for i in range(3)]
    fast = gpu_ways.ours(tiny, COSTS, cases, "fast", speculation=True, at_once=2, rows=64)
    slow = gpu_ways.ours(tiny, COSTS, cases, "slow", speculation=False, at_once=1, rows=64)
    assert fast.tokens == slow.tokens == 3 * 80
    assert sum(made.passes for made in slow.edits) == 3 * 81
    assert sum(made.passes for made in fast.edits) < 20
    # Of each edit the prompt, without its last token and what earlier ones share, and what was drafted.
    assert all(made.rows >= 95 and made.seconds > 0 for made in fast.edits)


def test_an_answer_may_be_cut_short_and_reckoned_from_its_first_tokens(tiny, monkeypatch):
    monkeypatch.setattr(gpu_ways, "PLAIN_TOKENS", 11)
    cut = gpu_ways.ours(tiny, COSTS, [edit(0)], "cut", speculation=False, at_once=1, rows=1, most=11)
    assert (cut.tokens, cut.edits[0].passes, cut.reckoned) == (11, 12, True)
    assert gpu_ways.plain(tiny, COSTS, [edit(0), edit(1)]).tokens == 160
    first, more = gpu_ways.Made(1, 2, 0, 3.0), gpu_ways.Made(11, 12, 0, 5.0)
    whole = gpu_ways.reckoned("plain", [first], [more], [81])
    assert whole.seconds == pytest.approx(3.0 + 80 * 0.2)


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_pass_that_fails_ends_the_run_instead_of_counting_as_a_fast_one(tiny, monkeypatch, at_once):
    def broken(inputs):
        raise RuntimeError("illegal memory access")

    monkeypatch.setattr(tiny.network, "forward", broken)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        gpu_ways.ours(tiny, COSTS, [edit(0), edit(1)], "", speculation=True, at_once=at_once, rows=8)


def test_products_in_fp8_are_held_against_the_rate_of_fp8_where_the_card_has_one():
    work = Work(10**9, 8 * 10**11)
    assert floor_of(work, CARD, fp8=True) == floor_of(work, CARD) == (1.0, "operations")
    assert floor_of(work, replace(CARD, fp8_flop_per_s=1.6e15), fp8=True) == (0.5, "operations")


@needs_triton
def test_the_host_time_between_passes_is_noted_for_all_but_an_edits_first(tiny):
    tiny.kernels = Device(tiny.network, tiny.pool, graphs=False)
    short = [(Prompt((), old[:20], (), new[:20], frozenset(), 20), new[:20]) for old, new in
             ((found[0].original, found[1]) for found in (edit(0), edit(1)))]  # fmt: skip
    speed = gpu_ways.ours(tiny, COSTS, short, "", speculation=True, at_once=1, rows=8)
    assert speed.tokens == 40
    assert len(tiny.gaps_ms) == sum(made.passes - 1 for made in speed.edits) > 0
    assert all(gap > 0 for gap in tiny.gaps_ms)


def test_transformers_writes_the_real_answer_too_whatever_its_settings(monkeypatch):
    monkeypatch.setattr(gpu_shapes, "SHAPES", TINY)
    monkeypatch.setattr(gpu_ways, "SWEEP", gpu_ways.SWEEP[:2])
    monkeypatch.setattr(gpu_ways, "PLAIN_TOKENS", 20)
    plain, lookup = gpu_ways.theirs("tiny", [edit(0), edit(1)], edit(2), torch.device("cpu"))
    assert plain.reckoned
    assert plain.tokens == lookup.tokens == 160


def test_real_edits_fit_into_the_context_that_is_asked_for(monkeypatch):
    texts = ["".join(f"a{i} = {i}\n" for i in range(size)) for size in (900, 20, 30)]
    every = [RealEdit("p", f"{len(text)}.py", text, f"{text}b = 1\n", 0.01) for text in texts]
    monkeypatch.setattr(gpu_ways, "load", lambda split: every)
    found = gpu_ways.real_edits("dev", 5, 1500)
    assert len(found) == 2
    assert all(len(prompt.original) + len(prompt.update) + len(wanted) < 1500 for prompt, wanted in found)
    assert len(gpu_ways.real_edits("dev", 1, 1500)) == 1


def test_ratios_are_over_the_edits_that_both_ways_made():
    def speed(way, at_once, *seconds):
        made = tuple(gpu_ways.Made(100, 5, 40, one) for one in seconds)
        return gpu_ways.Speed(way, at_once, False, made, sum(seconds) / at_once)

    ways = [
        speed("fastedit", 1, 1.0, 3.0), speed("fastedit", 2, 2.0, 4.0), speed("no speculation", 2, 8.0, 6.0),
        speed("no speculation", 1, 9.0), speed("transformers", 1, 20.0),
    ]  # fmt: skip
    found = evals_gpu.headline(ways, [0.1, 0.3, 0.2], 10**9, CARD)
    assert found == pytest.approx(
        {
            "tokens_per_s": 50.0,
            "x_no_speculation": 9.0,
            "host_between_passes_us": 200.0,
            "together_tokens_per_s": 200 / 3,
            "together_matrix_share": 80 * 10**9 / 3.0 / 8e14,
            "slowest_x": 1.5,
            "x_transformers": 20.0,
        }
    )
    assert "x transformers" in evals_gpu.show(ways, found)


def test_the_products_of_a_row_are_those_of_all_blocks(tiny):
    assert evals_gpu.operations_of(tiny) == 2 * 2 * (32 * 64 + 32 * 32 + 3 * 32 * 48)


@without_gpu
@pytest.mark.parametrize("command", ["evals.kernels", "evals.gpu"])
def test_without_a_gpu_one_line_says_what_is_missing(command):
    run = subprocess.run([sys.executable, "-m", command], capture_output=True, text=True, timeout=300)
    assert run.returncode == 2
    assert run.stdout == ""
    assert [line for line in run.stderr.splitlines() if "no CUDA GPU is at hand" in line]


def test_passes_are_timed_beside_the_time_to_read_the_weights_once(tiny, monkeypatch):
    monkeypatch.setattr(gpu_passes, "RUNS", 1)
    found = list(gpu_passes.measured(tiny, CARD, context=512))
    numbers = 61 * 32 + 2 * (32 * 64 + 32 * 32 + 3 * 32 * 48)
    assert found[0].weights_ms == pytest.approx(1000 * 2 * numbers / 4e12)
    assert found[0].work == (
        2 * numbers + 513 * 2 * 2 * 16 * tiny.pool.dtype.itemsize,
        2 * numbers + 4 * 2 * 32 * 513,
    )
    assert [one.rows for one in found] == list(gpu_passes.ROWS)
    assert "| rows | context |" in gpu_passes.show_passes(found)
    assert not tiny.pool._holders.any()


def test_the_largest_shape_has_the_weights_that_its_name_says():
    shape = Shape.of(gpu_shapes.random_config("llama-3-70b"))
    sizes = gpu_shapes.sizes_of("llama-3-70b", shape)
    assert sum(math.prod(size) for size in sizes.values()) == 70_553_706_496


def test_what_a_run_writes_is_one_replica_to_the_sum_of_many():
    def way(at_once: int, seconds: float) -> dict[str, object]:
        made = tuple(gpu_ways.Made(100, 5, 40, seconds) for _ in range(4))
        return asdict(gpu_ways.Speed("fastedit", at_once, False, made, seconds))

    slow = way(4, 90.0) | {"way": "fastedit, no speculation"}
    data = {"shape": "tiny", "gpu": {"name": "card"}, "ways": [way(1, 8.0), way(4, 2.0), slow]}
    replica = scaling.Replica.of(json.loads(json.dumps(data)))
    assert (replica.edits_per_s, replica.at_once, replica.alone_s) == (2.0, 4, 2.0)
