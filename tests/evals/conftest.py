"""A tiny random model in the embedded format, and two edits for it."""

from __future__ import annotations

import inspect
import textwrap

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from evals.cases import Case
from evals.replay import models
from evals.ways import region_parts
from fastedit.decode.scheduler import Scheduler
from fastedit.draft.budget import CostTable
from fastedit.draft.registry import Drafting
from fastedit.engine.models import LoadedModel
from fastedit.engine.plan import Part
from fastedit.model.target import Target
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.tokenizer import train_tokenizer

OLD = "size = 1\ncolour = 2\nprint(size)\n"
CASE = Case(
    "own/a.py:1", "update", "python", "own/a.py", OLD, OLD, 3, update="size = 5\n# ... existing code ...\n"
)
INSTRUCTION = Case("own/a.py:1", "rename", "python", "own/a.py", OLD, OLD, 3, "rename `size` to `width`")


@pytest.fixture(scope="module")
def form() -> EmbeddedFormat:
    return EmbeddedFormat(train_tokenizer(inspect.getsource(textwrap).split("\n"), 400))


@pytest.fixture(scope="module")
def plain(form) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=form.vocab_size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
    )
    return Qwen3ForCausalLM(config).eval()


@pytest.fixture(scope="module")
def model(form, plain, tmp_path_factory) -> LoadedModel:
    folder = tmp_path_factory.mktemp("model")
    plain.save_pretrained(folder)
    costs = CostTable((1, 128), (1.0, 2.0))
    target = Target.load(folder, dtype=torch.float32)
    return LoadedModel("tiny", target, form, costs, Scheduler(target, costs), Drafting(target))


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    return region_parts([CASE, INSTRUCTION])


@pytest.fixture
def tiny(monkeypatch):
    """A model with random weights of a shape that has a name."""
    monkeypatch.setitem(models.SHAPES, "tiny", ("qwen2", 2, 32, 48, 4, 2, 61, False))
    torch.manual_seed(0)
    return models.random_target("tiny", torch.device("cpu"))
