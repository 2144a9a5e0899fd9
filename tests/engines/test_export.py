"""A head that `fastedit train eagle` writes has the names and sizes that vLLM's loader wants."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from fastedit.model.eagle import EagleHead
from fastedit.model.heads import load_head, write_head
from tests.checkpoints import VOCAB
from tests.decode.helpers import target
from tests.train.test_eagle import SHAPE

LOADER: dict[str, Any] = json.loads((Path(__file__).parent / "vllm_eagle3.json").read_text())


def written(folder: Path, draft_vocab: int) -> Path:
    network = target().network
    torch.manual_seed(0)
    head = EagleHead(replace(SHAPE, draft_vocab=draft_vocab), network.embedding, None)
    write_head(
        head,
        folder,
        target="tiny",
        architectures=["Qwen3ForCausalLM"],
        embedding=network.embedding,
        context=64,
    )
    return folder


def parameter(name: str) -> str:
    """What the loader makes of a tensor's name."""
    name = LOADER["renamed"].get(name, name)
    return name if name.split(".")[0] in LOADER["unprefixed"] else f"model.{name}"


def product(size: str, sizes: dict[str, int]) -> int:
    return math.prod(int(factor) if factor.isdigit() else sizes[factor] for factor in size.split(" * "))


@pytest.mark.parametrize("draft_vocab", [32, VOCAB])
def test_vllm_finds_every_tensor_by_name_and_size_and_no_other(draft_vocab, tmp_path):
    folder = written(tmp_path, draft_vocab)
    config = json.loads((folder / "config.json").read_text())
    sizes = config["transformer_layer_config"] | {
        name: config[name] for name in ("draft_vocab_size", "target_hidden_size")
    }
    own = draft_vocab != sizes["vocab_size"]
    wanted = {
        name: [product(size, sizes) for size in shape]
        for name, shape in LOADER["tensors"].items()
        if own or name not in LOADER["only_with_a_vocabulary_of_its_own"]
    }
    tensors = load_file(folder / "model.safetensors")
    found = {parameter(name): list(t.shape) for name, t in tensors.items() if name not in LOADER["skipped"]}
    assert found == wanted
    loaded = load_head(folder, target().network, torch.float32)
    assert loaded.target_ids(torch.arange(draft_vocab)).tolist() == list(range(draft_vocab))


def test_vllm_finds_what_it_reads_of_the_configuration(tmp_path):
    config = json.loads((written(tmp_path, 32) / "config.json").read_text())
    for path, values in LOADER["config"].items():
        at: Any = config
        for step in path.split("."):
            at = at[int(step)] if step.isdigit() else at[step]
        assert at in values if values else at is not None, path
    assert (
        len(config["eagle_aux_hidden_state_layer_ids"]) == 3
    )  # as many as the loader counts without being told
