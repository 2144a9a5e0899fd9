"""Weights kept in int8 are read as the same model wherever weights are read, or refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from fastedit.errors import ModelUnavailable
from fastedit.model.checkpoint import read_checkpoint
from fastedit.model.storage import INT8, PLAIN, is_int8, pretrained, read_weights, save_int8
from fastedit.model.target import Target
from fastedit.train.embedded.export import load_weights
from tests.checkpoints import checkpoint

IDS = torch.arange(40)[None]


@pytest.fixture
def narrow(tmp_path) -> Path:
    """The tiny Qwen3 checkpoint with its matrices in int8."""
    folder = shutil.copytree(checkpoint("qwen3"), tmp_path / "narrow")
    save_int8(load_file(folder / PLAIN), folder)
    return folder


def damaged(folder: Path, **changes: torch.Tensor | None) -> Path:
    """The folder with these tensors of `model.layers.0.mlp.up_proj` put in others' place, or taken out for None."""
    weights = load_file(folder / INT8)
    for name, tensor in changes.items():
        full = f"model.layers.0.mlp.up_proj.{name}"
        weights.pop(full)
        if tensor is not None:
            weights[full] = tensor
    save_file(weights, folder / INT8)
    return folder


def test_a_number_is_off_by_half_a_step_of_its_row_at_most(tmp_path):
    weight = torch.randn(6, 50) * torch.tensor([[1e-6], [0.01], [1.0], [50.0], [0.0], [3.0]])
    save_int8({"a.weight": weight, "norm": torch.ones(3)}, tmp_path)
    found = read_weights(tmp_path)
    steps = weight.abs().amax(1, keepdim=True) / 127
    assert found.keys() == {"a.weight", "norm"}
    assert ((found["a.weight"] - weight).abs() <= 0.5001 * steps).all()
    assert found["norm"].dtype is torch.bfloat16


def test_int8_takes_a_byte_a_number_and_little_more(narrow):
    kept = read_checkpoint(narrow)
    assert kept.dtypes == ("BF16", "F32", "I8")
    assert kept.parameters == read_checkpoint(checkpoint("qwen3")).parameters
    matrices = sum(w.numel() for w in read_weights(narrow).values() if w.ndim == 2)
    assert matrices < kept.bytes < 1.3 * matrices


@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_every_reader_finds_the_same_numbers(narrow, generic, dtype):
    widened = read_weights(narrow)["model.embed_tokens.weight"].to(dtype)
    assert torch.equal(Target.load(narrow, dtype=dtype, generic=generic).network.embedding, widened)
    assert torch.equal(pretrained(narrow, dtype).get_input_embeddings().weight, widened)
    assert torch.equal(load_weights(narrow).get_output_embeddings().weight.to(dtype), widened)


def test_the_model_answers_nearly_as_with_the_weights_that_it_was_made_from(narrow):
    with torch.inference_mode():
        wanted = AutoModelForCausalLM.from_pretrained(checkpoint("qwen3"))(IDS).logits
        found = pretrained(narrow, torch.float32)(IDS).logits
    assert 0 < (found - wanted).norm() < 0.05 * wanted.norm()


def test_folders_in_other_types_are_left_to_transformers(narrow):
    assert is_int8(narrow)
    assert not is_int8(checkpoint("llama"))
    plain = pretrained(checkpoint("llama"), torch.float32)
    assert torch.equal(
        plain.lm_head.weight, AutoModelForCausalLM.from_pretrained(checkpoint("llama")).lm_head.weight
    )


def test_transformers_alone_refuses_what_it_would_read_wrongly(narrow):
    with pytest.raises(OSError, match="no file named"):
        AutoModelForCausalLM.from_pretrained(narrow)


def test_the_same_weights_are_the_same_bytes(narrow):
    before = (narrow / INT8).read_bytes()
    save_int8(load_file(checkpoint("qwen3") / PLAIN), narrow)
    assert (narrow / INT8).read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"weight_scale": None}, "up_proj.weight is int8 and has no"),
        ({"weight": None}, "up_proj.weight_scale belongs to no weight"),
        ({"weight_scale": torch.ones(5)}, r"up_proj.weight \[48, 32\] has scales \[5\]"),
        ({"weight_scale": torch.zeros(48)}, "up_proj.weight_scale is not float32 above 0"),
        ({"weight_scale": torch.full((48,), torch.nan)}, "up_proj.weight_scale is not float32 above 0"),
        ({"weight_scale": torch.ones(48, dtype=torch.int32)}, "up_proj.weight_scale is not float32 above 0"),
        ({"weight": torch.zeros(7, 32, dtype=torch.int8)}, r"up_proj.weight \[7, 32\] has scales \[48\]"),
    ],
)
def test_int8_weights_whose_scales_do_not_fit_are_refused_by_name(narrow, changes, said):
    damaged(narrow, **changes)
    for load in (Target.load, load_weights):
        with pytest.raises(ModelUnavailable, match=said):
            load(narrow)


def test_an_int8_file_cut_short_is_refused_with_its_folder(narrow):
    file = narrow / INT8
    file.write_bytes(file.read_bytes()[:-100])
    for load in (Target.load, load_weights):
        with pytest.raises(ModelUnavailable, match=str(narrow)):
            load(narrow)
