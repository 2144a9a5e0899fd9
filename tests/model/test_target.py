from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import PAGE, Batch, Span
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, Gemma2Config, Gemma2ForCausalLM, MambaConfig, MambaForCausalLM

from fastedit.errors import ModelUnavailable
from fastedit.model import target as targets
from fastedit.model.base import Rows
from fastedit.model.cache import Cache
from fastedit.model.fused import FusedNetwork
from fastedit.model.target import Target
from tests.checkpoints import CONTEXT, FUSED, MODELS, SIZES, VOCAB, checkpoint

NO_NODES = np.zeros((0, 0), dtype=np.uint64)
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
CLOSE = {"atol": 2e-4, "rtol": 2e-4}


def chain(tokens: list[int], cache: Cache) -> Rows:
    """Rows that follow each other; logits of every one."""
    length = len(tokens)
    cache.begin(length)
    span = Span(cache.length, length, cache.length + np.arange(length), NO_NODES, cache.pages)
    return Rows(np.array(tokens), np.arange(length), Batch([span]))


def forward(target: Target, tokens: list[int], cache: Cache) -> torch.Tensor:
    logits = target.forward(chain(tokens, cache))
    cache.keep(range(len(tokens)))
    return logits


def tokens_of(seed: int, length: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(VOCAB) for _ in range(length)]


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
@pytest.mark.parametrize("name", MODELS)
def test_logits_are_those_of_transformers_however_the_prompt_is_cut(name, generic):
    target = Target.load(checkpoint(name), generic=generic)
    assert isinstance(target.network, FusedNetwork) == (name in FUSED and not generic)
    tokens = tokens_of(1, 40)
    with torch.inference_mode():
        model = AutoModelForCausalLM.from_pretrained(checkpoint(name), attn_implementation="eager")
        expected = model(torch.tensor([tokens])).logits[0]
    cache = target.new_cache()
    logits = torch.cat([forward(target, part, cache) for part in (tokens[:17], tokens[17:18], tokens[18:])])
    torch.testing.assert_close(logits, expected, **CLOSE)
    assert (target.vocab, target.context) == (VOCAB, CONTEXT)


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
@pytest.mark.parametrize("name", MODELS)
def test_after_a_path_is_kept_the_cache_is_as_good_as_a_fresh_one(name, generic):
    target = Target.load(checkpoint(name), generic=generic)
    cache, fresh = target.new_cache(), target.new_cache()
    prompt = tokens_of(2, 21)
    forward(target, prompt, cache)
    # Row 0 is the trunk; 1-2 a wrong branch; 3-5 the path that is kept, with a wrong sibling at 4.
    ancestors = np.array([[0b1], [0b11], [0b100], [0b1100], [0b10100]], dtype=np.uint64)
    depths = np.array([0, 1, 2, 1, 2, 2])
    drafted = tokens_of(3, 6)
    cache.begin(6)
    span = Span(len(prompt), 1, len(prompt) + depths, ancestors, cache.pages)
    in_tree = target.forward(Rows(np.array(drafted), np.arange(6), Batch([span])))
    cache.keep([0, 3, 5])
    cache.check_integrity()
    kept = [drafted[0], drafted[3], drafted[5]]
    alone = forward(target, prompt + kept, fresh)
    torch.testing.assert_close(in_tree[[0, 3, 5]], alone[-3:], **CLOSE)
    after = tokens_of(4, 12)
    torch.testing.assert_close(forward(target, after, cache), forward(target, after, fresh), **CLOSE)


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_only_the_wanted_rows_get_logits(generic):
    target = Target.load(checkpoint("qwen3"), generic=generic)
    rows = chain(tokens_of(5, 9), target.new_cache())
    every = target.forward(rows)
    some = target.forward(Rows(rows.tokens, np.array([0, 7, 8]), rows.batch))
    assert some.shape == (3, VOCAB)
    torch.testing.assert_close(some, every[[0, 7, 8]], **CLOSE)


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_rows_without_logits_are_known_to_those_behind_them(generic):
    target = Target.load(checkpoint("qwen3"), generic=generic)
    prompt, after = tokens_of(5, 9), tokens_of(6, 4)
    expected = forward(target, prompt + after, target.new_cache())[9:]
    cache = target.new_cache()
    rows = chain(prompt, cache)
    assert target.forward(Rows(rows.tokens, np.empty(0, dtype=np.int64), rows.batch)).shape == (0, VOCAB)
    cache.keep(range(9))
    torch.testing.assert_close(forward(target, after, cache), expected, **CLOSE)


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_bfloat16_weights_stay_near_the_float32_model(generic):
    exact = Target.load(checkpoint("qwen3"), dtype=torch.float32)
    rough = Target.load(checkpoint("qwen3"), dtype=torch.bfloat16, generic=generic)
    tokens = tokens_of(6, 30)
    a, b = (forward(target, tokens, target.new_cache()) for target in (exact, rough))
    assert (a - b).norm() < 0.1 * a.norm()
    assert Target.load(checkpoint("qwen3")).dtype == torch.float32


def test_a_model_of_the_family_is_loaded_without_transformers():
    code = f"""
import sys
from fastedit.model.target import Target
Target.load({str(checkpoint("llama"))!r})
assert "transformers" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.skipif(
    not HUGE_PAGES.exists() or "[never]" in HUGE_PAGES.read_text(), reason="the system has none"
)
def test_large_tensors_lie_in_huge_pages():
    code = """
import resource
import fastedit.decode.session, torch
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
torch.ones(1 << 24)
assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 4096, "64 MB came in pages of 4 kB"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("name", "windows"), [("mistral", {None}), ("mistral-window", {9}), ("qwen2-windows", {None, 9})]
)
def test_the_windows_of_layers_are_known_where_the_model_is_loaded(name, windows):
    assert Target.load(checkpoint(name), generic=True).network.windows == windows


@pytest.mark.parametrize(
    "change",
    [
        {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}},
        {"rope_parameters": None, "rope_theta": 10000.0, "rope_scaling": {"type": "linear", "factor": 2.0}},
        {"sliding_window": 8, "use_sliding_window": True, "max_window_layers": 0, "layer_types": None},
        {"hidden_act": "gelu"},
    ],
)
def test_what_our_own_forward_pass_does_not_do_is_left_to_transformers(tmp_path, change):
    folder = shutil.copytree(checkpoint("qwen3"), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text()) | change
    (folder / "config.json").write_text(json.dumps(config))
    target = Target.load(folder)
    assert not isinstance(target.network, FusedNetwork)
    tokens = tokens_of(7, 30)
    with torch.inference_mode():
        model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager")
        expected = model(torch.tensor([tokens])).logits[0]
    torch.testing.assert_close(forward(target, tokens, target.new_cache()), expected, **CLOSE)


def test_configurations_of_older_transformers_are_understood(tmp_path):
    folder = shutil.copytree(checkpoint("llama"), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["rope_theta"] = config.pop("rope_parameters")["rope_theta"]
    config["rope_scaling"] = None
    (folder / "config.json").write_text(json.dumps(config))
    old, new = Target.load(folder), Target.load(checkpoint("llama"))
    assert isinstance(old.network, FusedNetwork)
    tokens = tokens_of(8, 20)
    assert torch.equal(*(forward(target, tokens, target.new_cache()) for target in (old, new)))


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_weights_in_several_files_are_those_that_the_index_names(tmp_path, generic):
    folder = shutil.copytree(checkpoint("llama"), tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    files = {name: f"model-{len(name) % 2}.safetensors" for name in weights}
    for file in set(files.values()):
        part = {name: weight for name, weight in weights.items() if files[name] == file}
        save_file(part, folder / file, metadata={"format": "pt"})
    save_file({"another.layout": torch.zeros(3)}, folder / "consolidated.safetensors")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    tokens = tokens_of(9, 20)
    whole, parts = Target.load(checkpoint("llama"), generic=generic), Target.load(folder, generic=generic)
    assert torch.equal(*(forward(target, tokens, target.new_cache()) for target in (whole, parts)))


def test_a_folder_without_a_model_is_named(tmp_path):
    for folder in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(ModelUnavailable, match=str(folder)):
            Target.load(folder)


@pytest.mark.parametrize("config", ["{", "[]", '{"model_type": "no-such-model"}', "{}"])
def test_a_broken_configuration_is_named(tmp_path, config):
    folder = shutil.copytree(checkpoint("llama"), tmp_path / "model")
    (folder / "config.json").write_text(config)
    with pytest.raises(ModelUnavailable, match=str(folder)):
        Target.load(folder)


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
@pytest.mark.parametrize(
    "change",
    [
        {"num_attention_heads": None},
        {"rope_parameters": "default"},
        {"num_attention_heads": 0, "head_dim": None},
        {"rms_norm_eps": "tiny"},
    ],
)
def test_a_configuration_that_makes_no_sense_is_named(tmp_path, change, generic):
    folder = shutil.copytree(checkpoint("llama"), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text()) | change
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelUnavailable, match=str(folder)):
        Target.load(folder, generic=generic)


def test_weights_that_leave_no_memory_for_a_cache_are_refused_with_what_is_left_what_is_needed_and_the_ways_out(
    monkeypatch,
):
    network = Target.load(checkpoint("llama")).network
    page = 64 * network.kv_width * 2
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda device: (page, 1 << 30))
    left, needed = (f"{count / (1 << 20):.2f} MiB" for count in (page, int(page / 0.8)))
    said = f"leave {left} of GPU memory, a cache takes at least {needed}: load them as fp8 or int4"
    with pytest.raises(ModelUnavailable, match=said):
        targets._pages(network, torch.bfloat16, torch.device("cuda"))
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda device: (2 * page, 1 << 30))
    assert targets._pages(network, torch.bfloat16, torch.device("cuda")) == 1


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_running_out_of_memory_at_load_says_how_much_the_weights_take(monkeypatch, generic):
    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(
        "fastedit.model.attention.TransformersNetwork" if generic else "fastedit.model.target.FusedNetwork",
        full,
    )
    mebibytes = round((checkpoint("llama") / "model.safetensors").stat().st_size / (1 << 20), 2)
    with pytest.raises(ModelUnavailable, match=f"take {mebibytes} MiB.*fp8 or int4.*a smaller model"):
        Target.load(checkpoint("llama"), generic=generic)


def _cut_short(folder):
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])


def _remove(folder):
    (folder / "model.safetensors").unlink()


def _drop_one(folder):
    weights = load_file(folder / "model.safetensors")
    weights.pop("model.layers.1.mlp.down_proj.weight")
    save_file(weights, folder / "model.safetensors")


def _add_one(folder):
    weights = load_file(folder / "model.safetensors")
    save_file(weights | {"model.layers.0.adapter": torch.zeros(2)}, folder / "model.safetensors")


@pytest.mark.parametrize("damage", [_cut_short, _remove, _drop_one, _add_one])
def test_weights_that_are_not_the_models_are_refused(tmp_path, damage):
    folder = shutil.copytree(checkpoint("llama"), tmp_path / "model")
    damage(folder)
    with pytest.raises(ModelUnavailable, match=str(folder)):
        Target.load(folder)


def test_models_that_do_not_attend_in_trees_are_refused(tmp_path):
    sizes = {"vocab_size": VOCAB, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 4}
    MambaForCausalLM(MambaConfig(**sizes)).save_pretrained(tmp_path / "mamba")
    Gemma2ForCausalLM(Gemma2Config(**SIZES, head_dim=16)).save_pretrained(tmp_path / "gemma2")
    for name in ("mamba", "gemma2"):
        with pytest.raises(ModelUnavailable):
            Target.load(tmp_path / name)


def test_on_a_processor_edits_that_end_leave_at_most_a_quarter_of_the_cache():
    pool = Target.load(checkpoint("llama")).pool
    for start in range(0, 2 * pool.slots, PAGE):
        cache = Cache(pool)
        assert cache.reserve(PAGE)
        cache.length = PAGE
        cache.publish(range(start, start + PAGE))
        cache.free()
    assert 4 * pool.watermark <= pool.count + 3
