"""A tiny target, its answers, and an edit to ask a model for."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from fastedit.decode.session import Session
from fastedit.model.heads.lesson import Answer
from fastedit.model.target import Target
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.train.test_lora import NEW, OLD


@pytest.fixture(scope="module")
def model() -> Target:
    return target()


@pytest.fixture(scope="module")
def answers(model: Target) -> list[Answer]:
    rng, found = random.Random(0), []
    for _ in range(6):
        prompt = prompt_of(random_ids(rng, 12), limit=20)
        output = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
        found.append(Answer((*prompt.ids, *output), len(prompt.ids), (True,) * len(output)))
    return found


@pytest.fixture
def edits(tmp_path: Path) -> Path:
    path = tmp_path / "edits.jsonl.gz"
    with gzip.open(path, "wt") as out:
        out.write(json.dumps({"old": OLD, "new": NEW}) + "\n")
    return path
