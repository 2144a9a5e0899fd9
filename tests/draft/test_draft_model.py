"""Drafts with models: a small one, one that looks up first, and the target's own first layers."""

from __future__ import annotations

import json
import random
import shutil

import pytest

from fastedit.decode.session import Session
from fastedit.draft.models.draft_model import DraftModel, DraftModelDrafter
from fastedit.draft.registry import Drafting
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.sampling import Sampling
from tests.checkpoints import checkpoint
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.helpers import free

SAMPLED = Sampling(temperature=1.2, top_p=0.95, seed=5)


def drafted(model, prompt, setting, sampling=GREEDY):
    drafters = Drafting(model).drafters(setting, prompt, sampling)
    for drafter in drafters:
        free(drafter)
    return Session(model, prompt, drafters, sampling, costs=CHEAP)


def plain(model, prompt, sampling=GREEDY):
    return answer(Session(model, prompt, (), sampling, costs=CHEAP, speculation=False))


@pytest.mark.parametrize("setting", ["draft={llama}", "draft={qwen3}", "cascade={qwen3}", "layerskip=1"])
@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_the_answer_is_that_of_plain_decoding(setting, sampling):
    model, rng = target("qwen3"), random.Random(1)
    setting = setting.format(llama=checkpoint("llama"), qwen3=checkpoint("qwen3"))
    for length in (1, 40):
        prompt = prompt_of(random_ids(rng, length), stop=[3], limit=20)
        session = drafted(model, prompt, setting, sampling)
        assert answer(session) == plain(model, prompt, sampling)
        assert not session.tally.switched_off


@pytest.mark.parametrize("name", ["draft", "cascade"])
def test_a_draft_model_that_is_the_target_is_always_right(name):
    model = target("qwen3")
    prompt = prompt_of(random_ids(random.Random(2), 40), limit=24)
    session = drafted(model, prompt, f"{name}={checkpoint('qwen3')}")
    assert answer(session) == plain(model, prompt)
    assert session.tally.accepted[name] == 24 - session.tally.passes + 1
    assert session.tally.passes <= 13


@pytest.mark.parametrize("acceptance", ["block", "branches"])
def test_drawn_drafts_of_the_target_itself_all_stand(acceptance):
    model = target("qwen3")
    sampling = Sampling(temperature=1.0, seed=3, acceptance=acceptance)
    prompt = prompt_of(random_ids(random.Random(3), 30), limit=16)
    session = drafted(model, prompt, f"draft={checkpoint('qwen3')}", sampling)
    assert len(answer(session)) == 16
    assert not session.tally.switched_off
    assert session.tally.passes <= 8
    assert session.tally.accepted["draft"] >= 8


def test_a_sampled_answer_repeats_with_its_seed():
    model = target("qwen3")
    prompt = prompt_of(random_ids(random.Random(4), 30), limit=12)
    for acceptance in ("block", "branches"):
        sampling = Sampling(temperature=1.0, seed=8, acceptance=acceptance)
        # What a drafter has learned decides how much it draws: each answer begins anew.
        answers = [
            answer(Session(model, prompt, _fresh(model, prompt, sampling), sampling, costs=CHEAP))
            for _ in range(2)
        ]
        assert answers[0] == answers[1]


def _fresh(model, prompt, sampling):
    drafter = DraftModelDrafter(DraftModel("draft", target("llama"), model), prompt)
    drafter.inform(sampling, "")
    free(drafter)
    return [drafter]


def test_the_memory_of_a_draft_model_is_given_back_at_the_end():
    model = target("qwen3")
    source = DraftModel("draft", target("llama"), model)
    prompt = prompt_of(random_ids(random.Random(5), 30), limit=8)
    answer(Session(model, prompt, source.drafters(prompt), GREEDY, costs=CHEAP))
    assert not source.model.pool._holders.any()


def test_a_draft_model_with_another_vocabulary_is_refused_and_both_are_named(tmp_path):
    folders = {}
    for name, text in (("mine", "one"), ("theirs", "two")):
        folders[name] = tmp_path / name
        shutil.copytree(checkpoint("qwen3"), folders[name])
        vocab = {"a": 0, text: 1}
        (folders[name] / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocab}}))
    model = type(target()).load(folders["mine"])
    with pytest.raises(
        ModelUnavailable, match=r"theirs \(2 tokens\).*mine \(2 tokens\).*'two' is 1.*unknown"
    ):
        Drafting(model).drafters(f"draft={folders['theirs']}", prompt_of([1]))
    with pytest.raises(ModelUnavailable, match=r"qwen3 \(61 tokens\) is not that of mine \(2 tokens\)"):
        Drafting(model).drafters(f"draft={checkpoint('qwen3')}", prompt_of([1]))
    with pytest.raises(ModelUnavailable, match="no model in"):
        Drafting(model).drafters(f"draft={tmp_path}", prompt_of([1]))


@pytest.mark.parametrize("layer", ["0", "2", "x"])
def test_an_exit_behind_a_layer_that_there_is_not_is_refused(layer):
    with pytest.raises(UsageError, match="has 2 layers; exit after one from 1 to 1"):
        Drafting(target()).drafters(f"layerskip={layer}", prompt_of([1]))


def test_a_target_whose_layers_cannot_run_alone_is_refused():
    with pytest.raises(ModelUnavailable, match="early exits are there for plain Llama"):
        Drafting(target("qwen3", generic=True)).drafters("layerskip=1", prompt_of([1]))
