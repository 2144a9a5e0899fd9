"""Replayed edits write the real answer, whatever the random model says, and tell what each pass took."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch

from evals.edits import RealEdit, digest
from evals.replay import edits, llama_cpp, models, ways
from evals.replay.edits import Case
from evals.replay.models import PassCost
from evals.replay.passes import ReplayedEdit, ReplayedPass
from evals.replay.ways import Ours
from fastedit.draft.budget import CostTable
from fastedit.model.device import Device
from fastedit.prompt.base import Prompt
from fastedit.train import jsonl
from tests.kernels.helpers import needs_triton

COSTS = CostTable((1, 256), (10.0, 10.1))
CPU = torch.device("cpu")


def edit(seed: int) -> Case:
    rng = random.Random(seed)
    old = tuple(rng.randrange(60) for _ in range(80))
    new = [*old[:30], 7, 8, 9, *old[33:]]
    return Prompt((), old, tuple(new[25:40]), tuple(new), frozenset(), len(old)), tuple(new)


@pytest.mark.parametrize("at_once", [1, 2])
def test_an_edit_is_written_as_it_was_really_made(tiny, at_once):
    cases = [edit(i) for i in range(at_once)]
    fast = Ours(tiny, COSTS, rows=64).together(cases)
    slow = Ours(tiny, COSTS, rows=64, speculation=False).together(cases)
    assert [one.tokens for one in (*fast, *slow)] == [80] * 2 * at_once
    assert all(len(one.passes) == 81 for one in slow)
    assert all(len(one.passes) < 8 for one in fast)
    # Of each edit the prompt, without its last token and what earlier ones share, and what was drafted.
    assert all(one.rows >= 95 and one.seconds > 0 for one in fast)


def test_an_answer_may_be_cut_short_and_reckoned_at_its_own_pace(tiny):
    cut = Ours(tiny, COSTS, rows=1, speculation=False)(edit(0), 11)
    assert (cut.tokens, len(cut.passes)) == (11, 12)
    written = ReplayedEdit(
        10, (ReplayedPass(10, 1, 0, 1, 2.0), ReplayedPass(1, 1, 10, 1, 3.0), ReplayedPass(1, 1, 11, 1, 4.0))
    )
    assert written.whole_s(3) == pytest.approx(4.0)
    assert written.whole_s(13) == pytest.approx(14.0)


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_pass_that_fails_ends_the_run_instead_of_counting_as_a_fast_one(tiny, monkeypatch, at_once):
    def broken(inputs):
        raise RuntimeError("illegal memory access")

    monkeypatch.setattr(tiny.network, "forward", broken)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        Ours(tiny, COSTS, rows=8).together([edit(0), edit(1)][:at_once])


@needs_triton
def test_the_host_time_between_passes_is_noted_for_all_but_an_edits_first(tiny):
    tiny.gaps_ms.clear()
    tiny.kernels = Device(tiny.network, tiny.pool, graphs=False)
    short = [(Prompt((), old[:8], (), new[:8], frozenset(), 8), new[:8]) for old, new in
             ((found[0].original, found[1]) for found in (edit(0), edit(1)))]  # fmt: skip
    made = [Ours(tiny, COSTS, rows=8)(found) for found in short]
    assert sum(one.tokens for one in made) == 16
    assert len(tiny.gaps_ms) == sum(len(one.passes) - 1 for one in made) > 0
    assert all(gap > 0 for gap in tiny.gaps_ms)


def test_transformers_writes_the_real_answer_too_whatever_its_settings(tiny, monkeypatch):
    monkeypatch.setattr(ways, "SWEEP", ways.SWEEP[:2])
    model = models.random_model("tiny", torch.float32, CPU)
    lookup, setting = ways.tuned(lambda one: ways.theirs(model, ways.time.perf_counter, one), edit(2), 20)
    assert setting in map(str, ways.SWEEP)
    for way in (ways.theirs(model, ways.time.perf_counter), lookup):
        assert (way(edit(0), None).tokens, way(edit(0), 20).tokens) == (80, 20)


def test_the_gguf_file_holds_the_same_numbers_under_llama_cpps_names_and_others_are_refused(tmp_path):
    gguf = pytest.importorskip("gguf")
    config, file = models.random_config("tiny"), tmp_path / "tiny.gguf"
    weights = models.random_model("tiny", torch.float32, CPU).state_dict()
    del weights["lm_head.weight"]
    llama_cpp.write_tensors(config, weights.items(), file, torch.float32)
    read = {tensor.name: tensor.data for tensor in gguf.GGUFReader(file).tensors}
    assert {"token_embd.weight", "blk.0.attn_q.bias", "blk.1.ffn_down.weight"} <= read.keys()
    wanted = weights["model.layers.1.mlp.gate_proj.weight"].numpy()
    assert (read["blk.1.ffn_gate.weight"].reshape(wanted.shape) == wanted).all()
    with pytest.raises(ValueError, match="is llama; only qwen2 and qwen3 are converted"):
        llama_cpp.write_tensors(config | {"model_type": "llama"}, [], file, torch.float32)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Real edits in memory, with a sketch of all but the last."""
    texts = ["".join(f"a{i} = {i}\n" for i in range(size)) for size in (900, 20, 30, 40)]
    every = [RealEdit("p", f"{len(text)}.py", text, f"{text}b = 1\n", 0.01) for text in texts]
    rows = [
        {"package": "p", "path": one.path, "old": digest(one.old), "edit": "# ...\nb = 1"}
        for one in every[:-1]
    ]
    jsonl.write(tmp_path / "edits-dev.jsonl", rows)
    monkeypatch.setattr(edits, "HERE", tmp_path)
    monkeypatch.setattr(edits, "load", lambda split: every)
    return every


def test_edits_are_drawn_alike_everywhere_and_fit_into_the_context_that_is_asked_for(kept, monkeypatch):
    found = list(edits.drawn("dev", 1500))
    assert len(found) == 2
    assert all(len(prompt.original) + len(prompt.update) + len(wanted) < 1500 for prompt, wanted in found)
    assert all(prompt.update and prompt.prediction for prompt, _ in found)
    monkeypatch.setattr(edits, "load", lambda split: kept[::-1])
    assert list(edits.drawn("dev", 1500)) == found
    monkeypatch.setattr(edits, "load", lambda split: [replace(edit, changed=0.5) for edit in kept])
    assert not list(edits.drawn("dev", 1500))


def test_without_updates_edits_are_drawn_that_have_no_sketch(kept):
    found = list(edits.drawn("dev", 1500, with_update=False))
    assert len(found) == 3
    assert not any(prompt.update or prompt.prediction for prompt, _ in found)


def test_the_shipped_tokenizer_never_crosses_a_line_end():
    encode = edits.line_encoder()
    first, second = encode("def f():"), encode("    return 1")
    assert encode("def f():\n    return 1") == (*first, encode("\n")[0], *second)


def test_a_pass_must_read_all_matrices_and_what_is_cached_and_compute_its_rows(tiny):
    cost = PassCost.of(tiny)
    blocks = 2 * (32 * 64 + 32 * 32 + 3 * 32 * 48)
    assert (cost.block, cost.head) == (2 * blocks, 2 * 61 * 32)
    work = cost.work(3, 2, 10)
    assert work.bytes == 2 * (blocks + 61 * 32) + 13 * 2 * 2 * 16 * tiny.pool.dtype.itemsize
    assert work.operations == 3 * cost.block + 2 * cost.head + (3 * 10 + 6) * 4 * 2 * 32


def test_the_largest_shape_has_the_weights_that_its_name_says():
    weights = models.Random("llama-3-70b", CPU)
    assert sum(weight.numel() for weight in weights.values()) == 70_553_706_496
