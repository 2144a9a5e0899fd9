"""A P-EAGLE head is trained as it drafts, goes on where it stopped, and what comes out drafts."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from typer.testing import CliRunner

from fastedit.decode.session import Session
from fastedit.draft.heads.parallel import ParallelSource
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.heads import load_head, write_head
from fastedit.model.heads.learn import FAR, accepted, learn
from fastedit.model.heads.lesson import Answer
from fastedit.model.heads.parallel import ParallelHead, ParallelRun, load_parallel
from fastedit.model.heads.run import HeadRun
from fastedit.model.target import Target
from fastedit.train.__main__ import app
from fastedit.train.eagle.answers import Teacher
from fastedit.train.eagle.heads import HeadSize, going_on, new_head
from fastedit.train.eagle.trainer import EagleRecipe, EagleTrainer
from tests.checkpoints import VOCAB, refusal
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, target
from tests.draft.helpers import free
from tests.draft.test_eagle import Hopeful
from tests.train.test_eagle import head_of as head_of_eagle
from tests.train.test_lora import user_model

AHEAD = 4
SIZE = HeadSize("p-eagle", AHEAD, layers=2, draft_vocab=0, mlp=48, heads=0)


def head_of(model: Target, answers: list[Answer], folder: Path, size: HeadSize = SIZE) -> ParallelHead:
    folder.mkdir(exist_ok=True)
    head = new_head(size, model, answers, folder)
    assert isinstance(head, ParallelHead)
    return head


def trainer_of(model: Target, answers: list[Answer], folder: Path) -> EagleTrainer:
    head = head_of(model, answers, folder)
    teacher = Teacher(model, head.shape.layers)
    recipe = EagleRecipe(60.0, rate=3e-3, steps=AHEAD, batch=3, warmup=2)
    return EagleTrainer(head, teacher.output, answers, teacher.lesson, recipe, folder)


def write(head: ParallelHead, model: Target, folder: Path) -> Path:
    embedding = model.network.embedding
    write_head(head, folder, target="tiny", architectures=[], embedding=embedding, context=2048)
    return folder


@pytest.mark.parametrize("layers", [1, 3])
def test_a_row_and_its_mask_rows_compute_in_training_what_they_do_in_a_draft(
    layers, model, answers, tmp_path
):
    head = head_of(model, answers, tmp_path, replace(SIZE, layers=layers))
    for parameter in head.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    known, asked = answers[0], []
    lesson, logits = Teacher(model, head.shape.layers).lesson(known), type(head).logits

    def noting(self: ParallelHead, out: Tensor) -> Tensor:
        asked.append(logits(self, out).detach())
        return asked[-1]

    head.logits = noting.__get__(head)  # type: ignore[method-assign]
    learn(head, lesson, model.network.head, AHEAD)
    del head.logits
    for row in (known.start - 1, known.start + 3):
        found = ParallelRun(head).extend(lesson.states[: row + 1], known.ids[1 : row + 2], 0, AHEAD)
        trained = torch.stack([asked[depth][row - known.start + 1] for depth in range(AHEAD)])
        torch.testing.assert_close(found, trained, atol=1e-4, rtol=1e-4)


def test_training_raises_acceptance_above_chance_and_above_the_new_head_at_every_depth(
    model, answers, tmp_path
):
    trainer = trainer_of(model, answers, tmp_path)
    learned = answers[1:]
    trainer.held_out = learned
    before = trainer.score()
    for _ in range(60):
        trainer.update(learned)
    after = trainer.score()
    assert after.loss < 0.75 * before.loss
    assert after.tokens_per_pass == pytest.approx(1 + sum(after.accepted))
    for depth, (was, now) in enumerate(zip(before.accepted, after.accepted, strict=True), 1):
        assert now > was
        assert now > 10 / VOCAB**depth


def test_a_run_goes_on_as_if_it_had_not_stopped(model, answers, tmp_path):
    trainer = trainer_of(model, answers, tmp_path)
    for _ in range(3):
        trainer.update(next(trainer.batches(trainer.step)))
    trainer.save()
    again = trainer_of(model, answers, tmp_path)
    assert again.resume()
    for _ in range(3):
        assert again.update(next(again.batches(again.step))) == trainer.update(
            next(trainer.batches(trainer.step))
        )
    for own, other in zip(trainer.head.parameters(), again.head.parameters(), strict=True):
        assert torch.equal(own, other)


def test_a_run_of_another_head_is_refused(model, answers, tmp_path):
    trainer_of(model, answers, tmp_path).save()
    head = head_of(model, answers, tmp_path, replace(SIZE, layers=1))
    other = EagleTrainer(head, model.network.head, answers, lambda a: a, EagleRecipe(1.0), tmp_path)  # type: ignore[arg-type, return-value]
    with pytest.raises(ModelUnavailable, match="its run is of another head than the one asked for"):
        other.resume()


def test_a_written_head_comes_back_as_it_was_drafts_and_leaves_the_answer_as_it_is(model, answers, tmp_path):
    trainer = trainer_of(model, answers, tmp_path / "run")
    known = answers[1]
    for _ in range(80):
        trainer.update([known])
    assert isinstance(trainer.head, ParallelHead)
    folder = write(trainer.head, model, tmp_path / "head")
    config = json.loads((folder / "config.json").read_text())
    assert config["transformer_layer_config"]["num_hidden_layers"] == 2
    assert load_file(folder / "model.safetensors")["mask_hidden"].shape == (1, 96)
    head = load_parallel(folder, model.network, torch.float32)
    assert (head.mask, head.depth, head.shape) == (VOCAB - 1, AHEAD, trainer.head.shape)
    prompt = prompt_of(known.ids[: known.start], limit=20)
    (drafter,) = ParallelSource(head, Hopeful(AHEAD)).drafters(prompt)
    free(drafter)
    session = Session(model, prompt, [drafter], GREEDY, costs=CHEAP)
    assert answer(session) == list(known.ids[known.start :])
    assert session.tally.passes <= 12
    assert session.tally.accepted["p-eagle"] >= 8


def test_a_head_for_earlier_weights_is_refused_as_a_drafter_and_trained_on_from(model, answers, tmp_path):
    old, after = head_of(model, answers, tmp_path / "run"), target()
    with torch.no_grad():
        after.network.embedding.add_(0.01)
    folder = write(old, model, tmp_path / "head")
    assert "train it again" in refusal(
        lambda folder: load_parallel(folder, after.network, torch.float32), folder
    )
    head = going_on(folder, replace(SIZE, steps=6), after)
    assert isinstance(head, ParallelHead)
    assert head.depth == 6
    assert all(parameter.requires_grad for parameter in head.parameters())


def test_a_head_begun_with_an_eagle_head_drafts_its_first_token_and_any_other_is_refused(
    model, answers, tmp_path
):
    eagle = head_of_eagle(model)
    embedding = model.network.embedding
    write_head(eagle, tmp_path / "eagle", target="tiny", architectures=[], embedding=embedding, context=2048)
    lesson = Teacher(model, eagle.shape.layers).lesson(answers[0])
    parallel = going_on(tmp_path / "eagle", SIZE, model)
    assert isinstance(parallel, ParallelHead)
    assert (len(parallel.layers), parallel.depth) == (2, AHEAD)
    _, first = HeadRun(load_head(tmp_path / "eagle", model.network, torch.float32)).extend(
        lesson.states, [*answers[0].ids[1:], 0], 0
    )
    found = ParallelRun(parallel).extend(lesson.states, [*answers[0].ids[1:], 0], 0, AHEAD)
    torch.testing.assert_close(found[:1], first, atol=1e-4, rtol=1e-4)
    folder = write(parallel, model, tmp_path / "parallel")
    with pytest.raises(UsageError, match="a head of 2 layers: drop --layers"):
        going_on(folder, replace(SIZE, layers=3), model)


def test_what_an_answer_takes_does_not_grow_with_its_length_where_rows_are_drawn(model, answers, tmp_path):
    head, rng = head_of(model, answers, tmp_path), random.Random(2)
    long = Answer(tuple(rng.randrange(VOCAB) for _ in range(1000)), 10, (True,) * 990)
    lesson = Teacher(model, head.shape.layers).lesson(long)
    with torch.no_grad():
        learned = learn(head, lesson, model.network.head, AHEAD, range(400, 480))
        whole = learn(head, lesson, model.network.head, AHEAD)
    assert len(learned.novel) == 80 + 2 * FAR
    assert accepted(whole)[0] == 989 - (AHEAD - 1)


def test_the_command_stops_goes_on_and_leaves_few_small_files(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = user_model("llama", tmp_path / "llama")
    wish = ["eagle", "--kind", "p-eagle", "--model", str(own), "--edits", str(edits), "--answers", "3"]
    wish += ["--minutes", "0.02", "--layers", "2", "--out"]
    begun = CliRunner().invoke(app, [*wish, "head", "--stop-after", "0"])
    assert begun.exit_code == 0, begun.output
    assert "stopped with 1 of 3 answers; give the same command again to go on" in begun.output
    assert not Path("head").exists()
    first = CliRunner().invoke(app, [*wish, "head"])
    assert first.exit_code == 0, first.output
    assert "lookup+p-eagle=head" in first.output
    files = [path for folder in ("runs/eagle", "head") for path in Path(folder).iterdir()]
    assert len(files) <= 8
    again = CliRunner().invoke(app, [*wish, "again", "--minutes", "60", "--stop-after", "0"])
    assert again.exit_code == 0, again.output
    assert "going on at step" in again.output
    assert "of training left; go on with --run eagle and another --out" in again.output
