"""Whole answers in bitwise exactness."""

from __future__ import annotations

import random

import pytest
import torch

from fastedit.decode.session import Session
from fastedit.decode.verify import Verdict
from fastedit.model.device import Device
from fastedit.model.settings import ModelSettings
from fastedit.model.target import Target
from tests.checkpoints import checkpoint
from tests.decode.helpers import CHEAP, GREEDY, Noisy, prompt_of, random_ids
from tests.kernels.helpers import DEVICE, needs_triton

BITWISE = ModelSettings(exactness="bitwise")


def margins(session: Session) -> dict[int, float]:
    """Runs it to its end; by output position, how far the best token was ahead of the second."""
    found, settle = dict[int, float](), session._settle

    def noted(turn):
        assert isinstance(turn.verdict, Verdict)
        if turn.drafts is not None:
            found.update(enumerate(turn.verdict.margins, turn.position))
        return settle(turn)

    session._settle = noted
    while session.finished is None:
        session.step()
    return found


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_answers_and_margins_are_the_same_bits_with_any_draft(dtype):
    rng, model = random.Random(0), Target.load(checkpoint("qwen3"), dtype=dtype, settings=BITWISE)
    prompt = prompt_of(random_ids(rng, 70), limit=30)
    plain = Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)
    expected = margins(plain)
    for error in (0.0, 0.1, 0.3):
        model.pool.forget()
        drafted = Session(model, prompt, [Noisy(plain.output, rng, error)], GREEDY, costs=CHEAP, max_rows=40)
        found = margins(drafted)
        assert drafted.output == plain.output
        assert found.items() >= expected.items()


@needs_triton
def test_the_kernels_give_the_same_bits_with_any_draft():
    rng = random.Random(1)
    model = Target.load(checkpoint("qwen3"), dtype=torch.float32, device=str(DEVICE))
    model.kernels = Device(model.network, model.pool, graphs=DEVICE.type == "cuda", exact=True)
    prompt = prompt_of(random_ids(rng, 9), limit=3)
    plain = Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)
    expected = margins(plain)
    drafted = Session(model, prompt, [Noisy(plain.output, rng, 0.1)], GREEDY, costs=CHEAP, max_rows=4)
    found = margins(drafted)
    assert drafted.output == plain.output
    assert found.items() >= expected.items()
