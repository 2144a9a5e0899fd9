"""A tiny model with random weights."""

from __future__ import annotations

import pytest
import torch

from evals.replay import models


@pytest.fixture
def tiny(monkeypatch):
    """A model with random weights of a shape that has a name."""
    monkeypatch.setitem(models.SHAPES, "tiny", ("qwen2", 2, 32, 48, 4, 2, 61, False))
    torch.manual_seed(0)
    return models.random_target("tiny", torch.device("cpu"))
