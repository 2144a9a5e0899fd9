"""A head learns what its target writes, goes on where it stopped, and what comes out drafts."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from fastedit import Document, EditRequest, Engine
from fastedit.decode.session import Session
from fastedit.draft.confidence import Confidence
from fastedit.draft.heads.eagle import EagleSource
from fastedit.draft.heads.guesses import DEPTH
from fastedit.errors import ModelUnavailable
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads import load_head, write_head
from fastedit.model.heads.learn import learn
from fastedit.model.heads.lesson import Answer
from fastedit.model.heads.run import HeadRun
from fastedit.model.target import Target
from fastedit.train.__main__ import app
from fastedit.train.eagle.answers import Teacher, keep_lesson, kept_lesson, read_answers
from fastedit.train.eagle.heads import HeadSize, going_on
from fastedit.train.eagle.trainer import EagleRecipe, EagleTrainer
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, target
from tests.train.test_lora import user_model

SHAPE = HeadShape(3, 32, 32, 48, 4, 2, 16, VOCAB, VOCAB, (0, 1, 2))


def head_of(model: Target, shape: HeadShape = SHAPE) -> EagleHead:
    torch.manual_seed(0)
    head = EagleHead(shape, model.network.embedding, None)
    with torch.no_grad():
        head.lm_head.weight.copy_(model.network.head)
    return head


def trainer_of(model: Target, answers: list[Answer], folder: Path, minutes: float = 60.0) -> EagleTrainer:
    recipe, teacher = (
        EagleRecipe(minutes, rate=3e-3, steps=3, batch=3, warmup=2),
        Teacher(model, SHAPE.layers),
    )
    return EagleTrainer(head_of(model), teacher.output, answers, teacher.lesson, recipe, folder)


@pytest.mark.parametrize(
    "shape", [SHAPE, replace(SHAPE, fc_norm=True, query_norms=True)], ids=["plain", "normed"]
)
def test_every_step_of_training_computes_what_drafting_computes(shape, model, answers):
    head, lesson = head_of(model, shape), Teacher(model, SHAPE.layers).lesson(answers[0])
    steps, first = 3, answers[0].start - 1
    ids, choices = answers[0].ids, []
    logits = EagleHead.logits

    def noting(self: EagleHead, asked: torch.Tensor) -> torch.Tensor:
        choices.append(logits(self, asked).detach())
        return logits(self, asked)

    head.logits = noting.__get__(head)  # type: ignore[method-assign]
    learn(head, lesson, model.network.head, steps)
    del head.logits
    run = HeadRun(head)
    base = first + 4  # a chain from the middle of the answer, along the answer's own tokens
    fed, found = run.extend(lesson.states[: base + 1], ids[1 : base + 2], 0)
    for step in range(steps):
        torch.testing.assert_close(found[0], choices[step][base - first], atol=1e-4, rtol=1e-4)
        fed, found = run.guess(fed, torch.tensor([ids[base + 2 + step]]), [step - 1])


def test_training_lowers_the_loss_and_resumes_where_it_stopped(model, answers, tmp_path):
    trainer = trainer_of(model, answers, tmp_path)
    before = trainer.score()
    batch = trainer.held_out
    for _ in range(30):
        trainer.update(batch)
    after = trainer.score()
    assert after.loss < 0.75 * before.loss
    assert after.tokens_per_pass > before.tokens_per_pass
    trainer.save()
    again = trainer_of(model, answers, tmp_path)
    assert again.resume()
    assert again.step == trainer.step
    for _ in range(2):
        assert again.update(batch) == trainer.update(batch)
    for own, other in zip(trainer.head.parameters(), again.head.parameters(), strict=True):
        assert torch.equal(own, other)


def test_a_run_stops_at_its_budget_with_a_log_and_every_epoch_sees_all_answers(
    model, answers, tmp_path, capsys
):
    trainer = trainer_of(model, answers, tmp_path, minutes=0.005)
    trainer.run(trainer.batches, 0.3)
    assert trainer.spent_s >= 0.3
    said = capsys.readouterr().out
    assert json.loads(said)["tokens_per_pass"] >= 1.0
    assert (tmp_path / "log.jsonl").read_text() == said
    trainer.recipe = replace(trainer.recipe, batch=1)
    epoch = [id(answer) for (answer,) in islice(trainer.batches(5), 5)]
    assert sorted(epoch) == sorted(id(answer) for answer in answers[1:])


def test_a_trained_head_is_written_loads_back_and_saves_passes(model, answers, tmp_path):
    trainer = trainer_of(model, answers, tmp_path / "run")
    known = answers[0]
    for _ in range(60):
        trainer.update([known])
    write_head(
        trainer.head,
        tmp_path / "head",
        target="tiny",
        architectures=["Qwen3ForCausalLM"],
        embedding=model.network.embedding,
        context=2048,
    )
    head = load_head(tmp_path / "head", model.network, torch.float32)
    drafting = EagleSource(head, Confidence(DEPTH))
    drafting.clock.prices = lambda depth, backlog: np.full(depth, 0.1)  # type: ignore[method-assign]
    prompt = prompt_of(known.ids[: known.start], limit=20)
    session = Session(model, prompt, drafting.drafters(prompt), GREEDY, costs=CHEAP)
    assert answer(session) == list(known.ids[known.start :])
    assert session.tally.passes <= 12
    assert session.tally.accepted["eagle"] >= 8


def test_lessons_and_answers_are_kept_on_disk(model, answers, tmp_path):
    lesson = Teacher(model, SHAPE.layers).lesson(answers[1])
    assert lesson.states.shape == (len(answers[1].ids), 96)
    keep_lesson(lesson, tmp_path / "a.safetensors")
    again = kept_lesson(answers[1], tmp_path / "a.safetensors", torch.device("cpu"))
    torch.testing.assert_close(again.states, lesson.states, atol=0.05, rtol=0.01)
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(answer.line() for answer in answers) + answers[0].line()[:40])
    assert read_answers(file) == answers


def test_text_that_lookup_drafts_have_counts_for_less(model, answers):
    head, teacher = head_of(model), Teacher(model, SHAPE.layers)
    marked = answers[2]
    even = learn(head, teacher.lesson(marked), teacher.output, 1).loss
    halves = []
    for half in (0, 1):
        novel = tuple((i < 10) == (half == 0) for i in range(20))
        halves.append(
            learn(head, teacher.lesson(Answer(marked.ids, marked.start, novel)), teacher.output, 1).loss
        )
    assert min(halves) < even < max(halves)


def test_the_command_trains_a_head_for_a_users_model_and_goes_on_with_its_run(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = user_model("llama", tmp_path / "llama")
    wish = ["eagle", "--model", str(own), "--edits", str(edits), "--answers", "3", "--offline", "--out"]
    first = CliRunner().invoke(app, [*wish, "head", "--minutes", "0.005"])
    assert first.exit_code == 0, first.output
    assert "tokens_per_pass" in first.output
    assert len(list((tmp_path / "runs" / "eagle" / "states").iterdir())) == 3
    again = CliRunner().invoke(app, [*wish, "again", "--minutes", "0.02"])
    assert again.exit_code == 0, again.output
    assert "going on at step" in again.output
    request = EditRequest(
        Document.from_text("x = 1\n"),
        instruction="rename x to y",
        policy="model",
        drafter="lookup+eagle=again",
    )
    receipt = Engine.load(str(own)).apply(request).receipt
    assert receipt.output_tokens > 0
    assert not receipt.switched_off
    refused = CliRunner().invoke(app, [*wish, "third", "--run", "c", "--init", "nowhere"])
    assert "no drafter head in nowhere" in refused.output
    assert not (tmp_path / "runs" / "c" / "answers.jsonl").exists()
    other = user_model("qwen2", tmp_path / "qwen2")
    refused = CliRunner().invoke(app, [*wish, "third", "--model", str(other)])
    assert refused.exit_code == 2
    assert "holds a run for another target; give another --run" in refused.output


def test_a_head_for_earlier_weights_is_refused_as_a_drafter_and_trained_on_from(tmp_path):
    before, after = target(), target()
    with torch.no_grad():
        after.network.embedding.add_(0.01)
    old = head_of(before)
    write_head(old, tmp_path, target="own", architectures=[], embedding=before.network.embedding, context=64)
    with pytest.raises(ModelUnavailable, match="train it again"):
        load_head(tmp_path, after.network, torch.float32)
    head = going_on(tmp_path, HeadSize("eagle3", 3, 0, 0, 0, 0), after)
    assert all(parameter.requires_grad for parameter in head.parameters())
    for name, tensor in head.state_dict().items():
        assert torch.equal(tensor, old.state_dict()[name].to(torch.bfloat16).to(tensor.dtype)), name


def test_what_cannot_be_trained_on_is_said_before_anything_is_loaded(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    monkeypatch.setattr("fastedit.train.synthesis.gather.CORPUS", tmp_path / "none")
    for arguments, said in (
        (["--out", "full", "--edits", str(edits)], "not empty"),
        (["--out", "full/file/head"], "file: no folder can be made in it; give another --out"),
        (["--out", "head"], "nothing to learn from"),
        (["--out", "head", "--edits", "none.gz"], "none.gz: no such file"),
        (["--out", "head", "--edits", __file__], ": no JSON lines with `old`, `new` (JSONDecodeError: "),
        (["--out", "head", "--init", "old", "--mlp", "64"], "old has a shape of its own"),
        (["--out", "head", "--layers", "2"], "an EAGLE-3 head has one layer"),
        (["--out", "head", "--steps", "-1"], "--steps: '-1' must be a whole number from 0 to 64"),
        (["--out", "head", "--batch", "0"], "--batch: '0' must be a whole number from 1 to"),
    ):
        refused = CliRunner().invoke(app, ["eagle", *arguments])
        assert refused.exit_code == 2
        assert said in refused.output
