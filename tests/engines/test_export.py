"""A head that `fastedit train eagle` writes is one that vLLM and SGLang load, as recorded from their own classes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from fastedit.model.eagle import EagleHead, HeadShape, Llama3Rope
from fastedit.model.heads import load_head, write_head
from tests.decode.helpers import target
from tests.engines.record.head import VOCAB, Example, write_example, write_target
from tests.engines.test_settings import table
from tests.train.test_eagle import SHAPE

RECORDED = [(engine, head) for engine in ("vllm", "sglang") for head in table(engine)["heads"]]
NAMES = [
    f"{engine}-{number}" for engine in ("vllm", "sglang") for number, _ in enumerate(table(engine)["heads"])
]


def example(recorded: dict[str, Any], folder) -> Example:
    shape = HeadShape(**recorded["head"] | {"layers": tuple(recorded["head"]["layers"])})
    return write_example(shape, folder)


@pytest.mark.parametrize(("engine", "recorded"), RECORDED, ids=NAMES)
def test_every_tensor_fills_a_parameter_of_the_engine_and_only_the_embedding_stays_the_targets(
    engine, recorded, tmp_path
):
    sizes = {name: list(tensor.shape) for name, tensor in example(recorded, tmp_path).tensors()}
    filled = [name for entry in recorded["parameters"].values() for name in entry["of"]]
    assert len(filled) == len(set(filled))
    assert sizes.keys() == {*filled, *recorded["unread"]}
    assert set(recorded["unread"]) <= {"t2d"}  # which only says again what d2t says
    for name, entry in recorded["parameters"].items():
        if not entry["of"]:
            assert name == "model.embed_tokens.weight"
            continue
        rows = sum(sizes[part][0] for part in entry["of"])
        assert [rows, *sizes[entry["of"][0]][1:]] == entry["sizes"]


@pytest.mark.parametrize(("engine", "recorded"), RECORDED, ids=NAMES)
def test_the_engine_reads_the_layers_positions_and_norms_that_the_head_was_made_with(engine, recorded):
    head = recorded["head"]
    assert recorded["layers"] == head["layers"]
    assert recorded["theta"] == head["theta"]
    assert recorded["norm_output"] == head["post_norm"]
    assert ("model.input_norm.weight" in recorded["parameters"]) == head["norm_before_fc"]
    assert ("model.fc_norm.2.weight" in recorded["parameters"]) == head["fc_norm"]
    assert ("model.layers.0.self_attn.q_norm.weight" in recorded["parameters"]) == head["query_norms"]


@pytest.mark.parametrize(
    "changed",
    [
        {"draft_vocab": 32},
        {"rope": Llama3Rope(8.0, 1.0, 4.0, 32)},
        {"norm_before_fc": True, "norm_before_residual": True, "post_norm": True},
        {"fc_norm": True, "query_norms": True},
    ],
    ids=["own vocabulary", "stretched positions", "norms", "norms of each"],
)
def test_a_head_comes_back_from_its_folder_as_it_was(changed, tmp_path):
    network, shape = target().network, replace(SHAPE, **changed)
    torch.manual_seed(0)
    head = EagleHead(shape, network.embedding, None)
    write_head(head, tmp_path, target="tiny", architectures=[], embedding=network.embedding, context=64)
    assert load_head(tmp_path, network, torch.float32).shape == shape


def test_the_layer_is_told_alike_to_those_who_know_the_layout_and_those_who_do_not(tmp_path):
    folder = write_example(replace(SHAPE, vocab=VOCAB, draft_vocab=VOCAB), tmp_path / "head").folder
    config = json.loads((folder / "config.json").read_text())
    assert config["transformer_layer_config"].items() <= config.items()
    assert [i + 1 for i in config["eagle_config"]["eagle_aux_hidden_state_layer_ids"]] == list(SHAPE.layers)
    assert "t2d" not in load_file(folder / "model.safetensors")
    assert (write_target(tmp_path / "target") / "config.json").is_file()
