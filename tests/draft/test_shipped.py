"""The head that comes with the embedded model: it fits the weights, and answers stay what they are."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from fastedit import Document, EditRequest
from fastedit.decode.session import Session
from fastedit.draft.heads.eagle import OWN, EagleDrafter
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.registry import Drafting
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.models.folder import NANO, SMALL
from fastedit.engine.models.load import LoadedModel, load_model
from fastedit.errors import ModelUnavailable
from fastedit.model.checkpoint import read_checkpoint
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling
from fastedit.train.embedded.shape import SIZES
from tests.checkpoints import checkpoint
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of
from tests.draft.helpers import free

MOST_BYTES = 2_200_000
CODE = '''"""Reads settings."""

import json


def load(path, default):
    with open(path) as file:
        return json.load(file)


def save(path, settings):
    with open(path, "w") as file:
        json.dump(settings, file)
'''
UPDATE = """def load(path, default):
    try:
        with open(path) as file:
            return json.load(file)
    except OSError as error:
        raise SettingsError(f"{path}: {error}") from error
"""
SAMPLED = Sampling(temperature=0.8, seed=4)
WISHES = (
    {"instruction": "add a docstring to load that says what it returns"},
    {"instruction": "log a warning when the file is missing in load"},
    {"update": UPDATE},
)


@pytest.fixture(scope="module")
def models() -> dict[str, LoadedModel]:
    return {size: load_model(size) for size in SIZES}


def prompts(model: LoadedModel) -> list[Prompt]:
    requests = (EditRequest(Document.from_text(CODE), **wish, policy="model") for wish in WISHES)
    parts = [part for request in requests for part in EditPlan(request).parts]
    return [model.format.encode(part.task, part.prediction) for part in parts]


def asked(model: LoadedModel, prompt: Prompt, setting: str, sampling: Sampling) -> Session:
    """A session whose head is asked before every pass."""
    drafters = model.drafting.drafters(setting, prompt, sampling)
    for drafter in drafters:
        if isinstance(drafter, EagleDrafter):
            free(drafter)
            drafter.hopes = lambda: np.ones(DEPTH)  # type: ignore[method-assign]
    return Session(model.target, prompt, drafters, sampling, costs=CHEAP)


def plain(model: LoadedModel, prompt: Prompt, sampling: Sampling) -> list[int]:
    model.target.pool.forget()
    return answer(Session(model.target, prompt, (), sampling, costs=CHEAP, speculation=False))


@pytest.mark.parametrize("folder", [NANO, SMALL])
def test_the_head_is_small_and_listed_with_the_model(folder):
    size = sum(file.stat().st_size for file in (folder / OWN).iterdir())
    assert size <= MOST_BYTES
    assert "eagle" in read_checkpoint(folder).drafters()
    assert read_checkpoint(folder / OWN).detail == "speculators, eagle3"


@pytest.mark.parametrize(
    ("size", "setting", "sampling"),
    [
        ("nano", "eagle", GREEDY),
        ("nano", "lookup+eagle", SAMPLED),
        ("small", "eagle", SAMPLED),
        ("small", "lookup+eagle", GREEDY),
    ],
)
def test_answers_are_those_of_plain_decoding(models, size, setting, sampling):
    model, accepted, drafted = models[size], 0, 0
    for prompt in prompts(model):
        expected = plain(model, prompt, sampling)
        model.target.pool.forget()
        session = asked(model, prompt, setting, sampling)
        assert answer(session) == expected
        assert not session.tally.switched_off
        drafted += session.tally.drafted["eagle"]
        accepted += session.tally.accepted["eagle"]
    if setting == "eagle":  # beside lookup there may be nothing left to draft
        assert drafted > accepted > 0


def test_a_setting_without_a_folder_needs_a_head_that_comes_with_the_model(tmp_path):
    other = Target.load(checkpoint("qwen3"))
    with pytest.raises(ModelUnavailable, match="no EAGLE head comes with qwen3: write eagle=FOLDER"):
        Drafting(other).drafters("lookup+eagle", prompt_of([1]))
    with pytest.raises(ModelUnavailable, match="no multi-token-prediction module"):
        Drafting(other).drafters("mtp", prompt_of([1]))
    shutil.copytree(checkpoint("qwen3"), tmp_path / "model")
    shutil.copytree(NANO / OWN, tmp_path / "model" / OWN)
    with pytest.raises(ModelUnavailable, match="hidden states of size 256, and this one has 32"):
        Drafting(Target.load(tmp_path / "model")).drafters("eagle", prompt_of([1]))
