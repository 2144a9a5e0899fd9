"""`fastedit models` on real and broken checkpoint folders."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from typer.testing import CliRunner

from fastedit.cli.app import app
from fastedit.errors import ModelUnavailable
from fastedit.model.checkpoint import read_checkpoint
from tests.checkpoints import checkpoint


def folder_of(tmp_path: Path, config: dict, **tensors: tuple[int, ...]) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(config))
    if tensors:
        save_file(
            {name: torch.zeros(shape) for name, shape in tensors.items()}, tmp_path / "model.safetensors"
        )
    return tmp_path


def test_the_embedded_models_are_described_without_torch():
    code = (
        "import sys; from fastedit.cli.app import app; sys.argv = ['fastedit', 'models'];"
        "\ntry: app()\nexcept SystemExit as end: assert not end.code\nassert 'torch' not in sys.modules"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for name in ("nano", "small"):
        assert f"{name}: model, Qwen3ForCausalLM, prompt format embedded" in run.stdout
    assert "num_hidden_layers 6" in run.stdout
    assert "drafters    eagle, online, " in run.stdout
    assert "\n  heads " not in run.stdout


def test_a_model_of_transformers_is_described_as_json():
    run = CliRunner().invoke(app, ["models", str(checkpoint("qwen3")), str(checkpoint("llama")), "--json"])
    first, second = (json.loads(line) for line in run.stdout.splitlines())
    assert (first["kind"], first["detail"], first["vocab"]) == ("model", "Qwen3ForCausalLM", 61)
    assert first["sizes"]["num_hidden_layers"] == 2
    assert first["parameters"] < second["parameters"]  # one ties its embeddings
    assert first["drafters"][0] == "layerskip=1 to layerskip=1"
    assert first["dtypes"] == ["F32"]


@pytest.mark.parametrize(
    ("config", "tensors", "kind", "heads", "mtp"),
    [
        ({"speculators_model_type": "eagle3", "draft_vocab_size": 9}, {}, "eagle head", 0, 0),
        ({"architectures": ["LlamaForCausalLMEagle3"], "eagle_config": {}}, {}, "eagle head", 0, 0),
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, {"fc.weight": (2, 4)}, "eagle head", 0, 0),
        ({"speculators_model_type": "peagle", "mask_token_id": 9}, {}, "p-eagle head", 0, 0),
        ({"architectures": ["LlamaForCausalLMEagle3"], "ptd_token_id": 9}, {}, "p-eagle head", 0, 0),
        ({"architectures": ["PEagleDraftModel"], "draft_vocab_size": 9}, {}, "p-eagle head", 0, 0),
        ({"medusa_num_heads": 3}, {}, "medusa heads", 3, 0),
        ({"hydra_num_heads": 4, "hydra_head_arch": "prefix-mlp"}, {}, "hydra heads", 4, 0),
        ({}, {"0.0.linear.weight": (2, 2), "1.0.linear.weight": (2, 2)}, "medusa heads", 2, 0),
        ({"model_type": "mlp_speculator", "n_predict": 3}, {}, "mlp speculator", 0, 0),
        ({"model_type": "mlp_speculator", "method": "sum_lstm"}, {}, "lstm speculator", 0, 0),
        ({"peft_type": "LORA"}, {}, "adapter", 0, 0),
        (
            {"architectures": ["DeepseekV3ForCausalLM"], "num_hidden_layers": 1, "num_nextn_predict_layers": 1},
            {"model.layers.0.a": (2,), "model.layers.1.eh_proj.weight": (2,)},
            "model", 0, 1,
        ),
        (
            {"architectures": ["DeepseekV3ForCausalLM"], "num_hidden_layers": 1, "num_nextn_predict_layers": 1},
            {"model.layers.0.a": (2,)},
            "model", 0, 0,
        ),
        ({"architectures": ["Qwen3NextForCausalLM"]}, {"mtp.layers.0.a": (2,)}, "model", 0, 1),
    ],
)  # fmt: skip
def test_heads_and_modules_are_told_apart_by_what_is_there(tmp_path, config, tensors, kind, heads, mtp):
    found = read_checkpoint(folder_of(tmp_path, config, **tensors))
    assert (found.kind, found.heads, found.mtp) == (kind, heads, mtp)


def test_the_drafters_that_come_with_a_model_are_listed(tmp_path):
    layers = {"architectures": ["Qwen3ForCausalLM"], "num_hidden_layers": 1}
    names = {"model.layers.0.a": (2,), "model.layers.1.eh_proj.weight": (2,)}
    assert read_checkpoint(folder_of(tmp_path, layers, **names)).drafters()[0] == "mtp"
    (tmp_path / "eagle").mkdir()
    folder_of(tmp_path / "eagle", {"speculators_model_type": "eagle3"})
    assert read_checkpoint(tmp_path).drafters()[:3] == ["eagle", "online", "mtp"]
    names["model.layers.1.mlp.experts.0.up_proj.weight"] = (2,)
    assert read_checkpoint(folder_of(tmp_path, layers, **names)).own == ("eagle", "online")


@pytest.mark.parametrize("odd", [3, "x", [1], {"a": 1}], ids=repr)
@pytest.mark.parametrize(
    "name",
    ["architectures", "medusa_num_heads", "num_hidden_layers", "text_config", "transformer_layer_config"],
)
def test_a_setting_of_another_type_than_it_should_have_is_as_good_as_none(name, odd, tmp_path):
    layers = {"architectures": ["Qwen3ForCausalLM"], "num_hidden_layers": 1, "num_nextn_predict_layers": 1}
    folder = folder_of(tmp_path, layers | {"medusa_num_heads": 2, name: odd}, fc=(2, 2))
    assert read_checkpoint(folder).kind == "medusa heads"
    folder_of(tmp_path, {"speculators_model_type": odd})
    with pytest.raises(ModelUnavailable, match="neither a language model nor a drafter's heads"):
        read_checkpoint(folder)


def test_a_head_serves_the_drafter_of_its_kind(tmp_path):
    heads = folder_of(tmp_path, {"model_type": "mlp_speculator", "method": "sum_lstm"})
    assert read_checkpoint(heads).drafters() == [f"lstm={heads}"]
    folder_of(tmp_path, {"hydra_num_heads": 4})
    assert read_checkpoint(tmp_path).drafters() == [f"hydra={tmp_path}"]
    folder_of(tmp_path, {"speculators_model_type": "peagle"})
    assert read_checkpoint(tmp_path).drafters() == [f"p-eagle={tmp_path}"]


def test_what_is_no_checkpoint_is_refused_in_one_line(tmp_path):
    for make in (
        lambda: None,
        lambda: (tmp_path / "config.json").write_text("{"),
        lambda: (tmp_path / "config.json").write_text("[]"),
        lambda: folder_of(tmp_path, {"architectures": ["BertForMaskedLM"]}),
        lambda: (
            folder_of(tmp_path, {"architectures": ["LlamaForCausalLM"]}),
            (tmp_path / "model.safetensors").write_bytes(b"\xff" * 40),
        ),
    ):
        make()
        run = CliRunner().invoke(app, ["models", str(tmp_path)])
        assert run.exit_code == 5
        assert run.stdout == ""
        assert run.stderr.count("\n") == 1
        assert run.stderr.startswith(f"fastedit: {tmp_path}")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailable, match=r"no config\.json"):
        read_checkpoint(tmp_path / "empty")
    with pytest.raises(ModelUnavailable, match="nowhere: no such folder"):
        read_checkpoint(tmp_path / "nowhere")
