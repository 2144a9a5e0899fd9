"""EAGLE heads in an answer: the text stays the target's own, and a head that is right saves passes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session
from fastedit.draft.base import Branch
from fastedit.draft.confidence import Confidence
from fastedit.draft.heads.eagle import EagleDrafter, EagleSource, source
from fastedit.draft.heads.guesses import DEPTH
from fastedit.model.heads import load_head
from fastedit.model.target import Target
from fastedit.sampling import Sampling
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target
from tests.decode.test_scheduler import together
from tests.model.test_heads import CONFIGS, folder_of


def source_of(path: Path, model: Target, name: str = "speculators3") -> EagleSource:
    return EagleSource(load_head(folder_of(name, path), model.network, torch.float32), Hopeful(DEPTH))


class Hopeful(Confidence):
    """Believes in every guess, so that a random head's are verified."""

    def chances(self, said: Sequence[float]) -> list[float]:
        return [0.2] * len(said)


class Always(EagleDrafter):
    """Is asked before every pass."""

    def prices(self) -> np.ndarray:
        return np.zeros(DEPTH)

    def hopes(self) -> np.ndarray:
        return np.ones(DEPTH)


@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "qwen3") for name in CONFIGS), ("speculators3", "gemma")]
)
def test_a_random_head_leaves_the_greedy_answer_as_it_is(name, kind, tmp_path):
    model, rng = target(kind, generic=kind == "gemma"), random.Random(3)
    drafting = source_of(tmp_path, model, name)
    prompt = prompt_of(random_ids(rng, 50), limit=30)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    model.pool.forget()
    for others in ([], [Noisy(expected, rng, 0.3)]):
        session = Session(model, prompt, [*others, Always(drafting)], GREEDY, costs=CHEAP)
        assert answer(session) == expected
        assert not session.tally.switched_off
        assert session.tally.drafted["eagle"] > 0


def test_a_random_head_leaves_a_seeds_sample_as_it_is(tmp_path):
    model, rng = target(), random.Random(4)
    drafting, prompt = source_of(tmp_path, model), prompt_of(random_ids(rng, 30), limit=30)
    for seed in range(3):
        sampling = Sampling(temperature=0.8, seed=seed)
        expected = answer(Session(model, prompt, (), sampling, costs=CHEAP, speculation=False))
        session = Session(model, prompt, [Always(drafting)], sampling, costs=CHEAP)
        assert answer(session) == expected
        assert session.tally.drafted["eagle"] > 0


def test_answers_that_share_passes_share_a_head(tmp_path):
    model, rng = target(), random.Random(5)
    drafting = source_of(tmp_path, model)
    prompts = [prompt_of(random_ids(rng, 40), limit=12) for _ in range(3)]
    expected = [answer(Session(model, p, (), GREEDY, costs=CHEAP, speculation=False)) for p in prompts]
    scheduler = Scheduler(model, CHEAP)
    sessions = [Session(model, p, [Always(drafting)], GREEDY, costs=CHEAP, runner=scheduler) for p in prompts]
    assert together(sessions) == expected


class Sure(Noisy):
    def propose(self, limit: int) -> list[Branch]:
        tokens = self._answer[self._at : self._at + limit]
        return [Branch(tokens, [0.995] * len(tokens), "sure")] if tokens else []


def test_a_head_is_not_run_where_the_lookup_draft_is_long_and_sure(tmp_path, monkeypatch):
    model, rng = target(), random.Random(6)
    drafting = source_of(tmp_path, model)
    prompt = prompt_of(random_ids(rng, 40), limit=60)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))

    def fail(*_: object) -> None:
        raise AssertionError("the head was run")

    monkeypatch.setattr("fastedit.model.heads.run.HeadRun.extend", fail)
    sure = Sure(expected, rng, 0.0)
    session = Session(model, prompt, [sure, *drafting.drafters(prompt)], GREEDY, costs=CHEAP)
    assert answer(session) == expected
    assert not session.tally.switched_off


def test_a_head_that_fails_is_switched_off_and_the_answer_goes_on(tmp_path):
    model, rng = target(), random.Random(7)
    drafting = source_of(tmp_path, model)
    drafting.head.fc.weight = torch.nn.Parameter(torch.zeros(3, 3), requires_grad=False)
    prompt = prompt_of(random_ids(rng, 40), limit=10)
    session = Session(model, prompt, [Always(drafting)], GREEDY, costs=CHEAP)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(session) == expected
    assert session.tally.switched_off == {"eagle": 1}


def test_a_broken_heads_numbers_propose_nothing_wrong(tmp_path):
    model, rng = target(), random.Random(8)
    drafting = source_of(tmp_path, model)
    drafting.head.fc.weight.fill_(float("nan"))
    prompt = prompt_of(random_ids(rng, 40), limit=10)
    session = Session(model, prompt, [Always(drafting)], GREEDY, costs=CHEAP)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(session) == expected


def test_what_was_learned_of_a_head_is_kept_for_the_next_process(tmp_path):
    file = tmp_path / "cache" / "known.json"
    first = Confidence(DEPTH, file)
    before = first.chances([0.9])[0]
    for _ in range(200):
        first.tell([0.9, 0.05], [False, True])
        first.proposed(1, 0)
    assert first.chances([0.9])[0] < 0.2 * before
    first.save()
    again = Confidence(DEPTH, file)
    assert again.chances([0.9, 0.05]) == pytest.approx(first.chances([0.9, 0.05]))
    assert again.rates() == pytest.approx(first.rates())
    for damaged in ("{", "[]", json.dumps({"tried": [1.0]})):
        file.write_text(damaged)
        assert Confidence(DEPTH, file).chances([0.9])[0] == before


def test_the_source_of_a_folder_drafts_for_its_target(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model, rng = target(), random.Random(9)
    made = source(model, str(folder_of("speculators3", tmp_path / "head")))
    prompt = prompt_of(random_ids(rng, 40), limit=10)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(Session(model, prompt, made.drafters(prompt), GREEDY, costs=CHEAP)) == expected
