"""Tiny random checkpoints of several families, written as transformers writes them."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
from transformers import (
    GemmaConfig,
    GemmaForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from fastedit.errors import ModelUnavailable

VOCAB = 61
CONTEXT = 2048
SIZES = {
    "vocab_size": VOCAB,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
}
MODELS = {
    "llama": (LlamaForCausalLM, LlamaConfig(**SIZES, head_dim=16)),
    "mistral": (MistralForCausalLM, MistralConfig(**SIZES, head_dim=8, sliding_window=None)),
    "mistral-window": (MistralForCausalLM, MistralConfig(**SIZES, head_dim=8, sliding_window=9)),
    "qwen2": (Qwen2ForCausalLM, Qwen2Config(**SIZES)),
    "qwen2-windows": (
        Qwen2ForCausalLM,
        Qwen2Config(**SIZES, use_sliding_window=True, sliding_window=9, max_window_layers=1),
    ),
    "qwen3": (Qwen3ForCausalLM, Qwen3Config(**SIZES, head_dim=16, tie_word_embeddings=True)),
    "gemma": (GemmaForCausalLM, GemmaConfig(**SIZES, head_dim=16)),
}
FUSED = ("llama", "mistral", "qwen2", "qwen3")


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="fastedit-checkpoints-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def refusal(load: Callable[[Path], object], path: Path) -> str:
    """The line in which a folder is refused."""
    with pytest.raises(ModelUnavailable) as refused:
        load(path)
    message = str(refused.value)
    assert "\n" not in message
    assert str(path) in message
    return message


@cache
def checkpoint(name: str) -> Path:
    """A folder with a random model of this family. Weights are large enough for logits to differ by token."""
    torch.manual_seed(len(name))
    kind, config = MODELS[name]
    model = kind(config)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight + 0.25 * torch.randn_like(weight))
    folder = _folder() / name
    model.save_pretrained(folder)
    return folder
