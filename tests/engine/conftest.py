"""Untrained models: one in the embedded format, which copies by construction, and one that chats at random."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from fastedit.engine import Engine
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.embedded import shape
from fastedit.train.embedded.export import export
from fastedit.train.embedded.tokenizer import save_tokenizer, train_tokenizer
from tests.checkpoints import SIZES


@pytest.fixture(scope="session")
def copier(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder: Path = tmp_path_factory.mktemp("copier")
    tokenizer = train_tokenizer(inspect.getsource(textwrap).split("\n"), 600)
    form = EmbeddedFormat(tokenizer)
    export(shape.fresh(shape.config(form.vocab_size, layers=3, mlp=32), 0, form.tags), folder)
    save_tokenizer(tokenizer, folder / "tokenizer.json")
    return Engine.load(str(folder))


@pytest.fixture(scope="session")
def talker(tmp_path_factory) -> str:
    """A random model with a tokenizer and a chat template."""
    folder = tmp_path_factory.mktemp("talker")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(inspect.getsource(textwrap).split("\n"), 300), eos_token="<eos>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(**SIZES | {"vocab_size": len(tokenizer)}, head_dim=16))
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight + 0.25 * torch.randn_like(weight))
    model.save_pretrained(folder)
    return str(folder)
