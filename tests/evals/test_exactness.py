from __future__ import annotations

import torch

from evals import exactness
from fastedit.model.settings import Settings
from fastedit.model.target import Target
from tests.checkpoints import checkpoint


def test_in_exact_mode_no_row_differs_from_the_same_token_alone(monkeypatch):
    monkeypatch.setattr(exactness, "CONTEXT", 60)
    monkeypatch.setattr(exactness, "ROWS", (1, 20))
    monkeypatch.setattr(exactness, "RUNS", 1)
    settings = Settings(exactness="bitwise")
    target = Target.load(checkpoint("qwen3"), dtype=torch.bfloat16, settings=settings)
    found = list(exactness.prices(target))
    assert [(one.rows, one.differ, one.flipped) for one in found] == [(1, 0.0, 0.0), (20, 0.0, 0.0)]
    assert not target.pool._holders.any()
