"""The trainer: the start already copies, the loss falls, a run resumes, weights come back."""

from __future__ import annotations

import inspect
import json
import shutil
import textwrap
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
import torch

from fastedit.engine.edits.calibration import Calibration, calibration_of
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.embedded import shape
from fastedit.train.embedded.card import card, read_log
from fastedit.train.embedded.export import blend, export, load_weights
from fastedit.train.embedded.tokenizer import train_tokenizer
from fastedit.train.embedded.trainer import AnswerScore, Trainer, answer_hits, evaluate, weighted
from fastedit.train.loop import Rates, add_row
from fastedit.train.sources.corpus import SourceFile
from fastedit.train.synthesis import examples
from fastedit.train.synthesis.examples import BatchLoader, ExampleSource, Stage, batches

TEXT = inspect.getsource(textwrap)
FILES = [SourceFile("own", "1", "Apache-2.0", "textwrap.py", "python", TEXT)]


@pytest.fixture(scope="module")
def form() -> EmbeddedFormat:
    return EmbeddedFormat(train_tokenizer(TEXT.split("\n"), 600))


def tiny(form: EmbeddedFormat) -> shape.Qwen3ForCausalLM:
    return shape.fresh(shape.config(form.vocab_size, layers=3, mlp=64), seed=0, tags=form.tags)


def data(form: EmbeddedFormat):
    return batches(iter(ExampleSource(FILES, form, Stage(4, 8, 0.3, 1), 0)), 500, pool=24)


def right_untrained(model: shape.Qwen3ForCausalLM, form: EmbeddedFormat) -> float:
    """The share of answer tokens that the start gets right on lines that it has never been trained on."""
    examples = list(islice(ExampleSource(FILES, form, Stage(6, 20, 0.3, 1), 0), 4))
    scores = evaluate(model, examples)
    return sum(score.token_accuracy * score.examples for score in scores.values()) / len(examples)


def test_training_lowers_the_loss_and_resumes_where_it_stopped(form, tmp_path):
    trainer = Trainer(tiny(form), Rates(minutes=60.0, warmup=4, matrix_rate=0.004), tmp_path)
    batch = next(data(form))
    before = trainer.update(batch).loss
    for _ in range(12):
        after = trainer.update(batch).loss
    assert after < 0.7 * before
    trainer.save()
    again = Trainer(tiny(form), trainer.rates, tmp_path)
    assert again.resume()
    assert (again.step, again.seen) == (trainer.step, trainer.seen)
    assert again.update(batch)[0] == pytest.approx(trainer.update(batch)[0], abs=1e-5)


@pytest.fixture
def small_pools(monkeypatch):
    """A loader makes that many examples before the first batch."""
    monkeypatch.setattr(examples, "batches", partial(batches, pool=24))


@pytest.mark.usefixtures("small_pools")
def test_a_run_that_died_goes_on_with_the_batches_and_the_losses_of_one_that_did_not(form, tmp_path):
    settings = Rates(minutes=600.0, warmup=1)
    loader = BatchLoader(FILES, form, Stage(4, 8, 0.3, 1), seed=0, tokens=300)

    def steps(trainer: Trainer, count: int) -> list[float]:
        wanted = trainer.step + count
        while trainer.step < wanted:
            trainer.run(partial(loader.stream, 0), trainer.spent_s + 1e-6)
        return [row["loss"] for row in read_log(trainer.folder)]

    whole = Trainer(tiny(form), settings, tmp_path / "whole")
    steps(whole, 2)
    shutil.copytree(tmp_path / "whole", tmp_path / "died")
    with (tmp_path / "died" / "log.jsonl").open("a") as log:
        log.write(json.dumps({"step": 3, "loss": 9.9}) + '\n{"step": 4, "lo')
    again = Trainer(tiny(form), settings, tmp_path / "died")
    again.resume()
    assert steps(again, 2) == pytest.approx(steps(whole, 2), abs=2e-4)
    assert len(read_log(tmp_path / "died")) == 4


def test_a_run_that_died_before_it_was_saved_begins_its_log_anew(form, tmp_path):
    trainer = Trainer(tiny(form), Rates(minutes=1.0), tmp_path)
    add_row(tmp_path, {"step": 7})
    assert not trainer.resume()
    assert (tmp_path / "log.jsonl").read_text() == ""


def test_a_run_of_another_shape_is_refused_with_both(form, tmp_path):
    Trainer(tiny(form), Rates(minutes=1.0), tmp_path).save()
    other = shape.fresh(shape.config(form.vocab_size, layers=4, mlp=64), seed=0, tags=form.tags)
    with pytest.raises(ModelUnavailable, match=r"width 256, 3 layers, mlp 64\).*width 256, 4 layers, mlp 64"):
        Trainer(other, Rates(minutes=1.0), tmp_path).resume()


def test_running_out_of_memory_says_which_setting_to_lower(form, tmp_path, monkeypatch):
    trainer = Trainer(tiny(form), Rates(minutes=1.0), tmp_path)
    step = trainer.update
    trainer.update = lambda batch: (torch.empty(1 << 60), step(batch))[1]
    with pytest.raises(UsageError, match="out of memory on cpu: lower --tokens"):
        trainer.run(lambda step: data(form), until_s=1.0)


@pytest.mark.parametrize(("name", "parameters"), [("nano", 6.7), ("small", 10.5)])
def test_each_size_has_the_parameters_that_it_says_and_copies_untrained(form, name, parameters):
    with torch.device("meta"):
        whole = shape.Qwen3ForCausalLM(shape.config(4360, layers=shape.SIZES[name]))
    count = sum(weight.numel() for weight in whole.parameters())
    assert count / 1e6 == pytest.approx(parameters, abs=0.05)
    model = shape.fresh(shape.config(form.vocab_size, layers=shape.SIZES[name]), seed=0, tags=form.tags)
    assert right_untrained(model, form) > 0.85


@pytest.mark.parametrize("layers", [3, 5, 8])
def test_a_model_that_grew_in_depth_answers_as_it_did_and_learns_in_all_its_layers(form, tmp_path, layers):
    model, batch = tiny(form), next(data(form))[:2]
    deeper = shape.grown(model, layers)
    assert len(deeper.model.layers) == layers
    before, after = (Trainer(one, Rates(minutes=60.0), tmp_path).update(batch) for one in (model, deeper))
    assert after == before
    assert all(layer.mlp.down_proj.weight.any() for layer in deeper.model.layers)


def test_a_model_does_not_shrink(form):
    with pytest.raises(UsageError, match="3 layers do not become 2"):
        shape.grown(tiny(form), 2)


@pytest.mark.parametrize("size", [{"width": 64}, {"layers": 2}])
def test_a_shape_that_the_copying_start_does_not_fit_into_is_refused(form, size):
    with pytest.raises(UsageError, match="it takes a width of 256 and 3 layers"):
        shape.fresh(shape.config(form.vocab_size, **{"layers": 3, "mlp": 64} | size), seed=0, tags=form.tags)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch.compile itself
def test_the_passes_that_are_compiled_are_the_plain_ones(form, tmp_path):
    batch = next(data(form))[:2]
    plain, fused = (Trainer(tiny(form), Rates(minutes=60.0), tmp_path, fuse=fuse) for fuse in (False, True))
    with torch.compiler.set_stance("force_eager"):  # the compiler itself takes minutes
        assert fused.update(batch)[0] == plain.update(batch)[0]


def test_equal_weights_give_the_mean_loss_and_zero_weights_leave_tokens_out(form):
    model, batch = tiny(form), next(data(form))
    losses, _, rows = answer_hits(model, batch)
    even = [replace(example, weights=(1.0,) * len(example.weights)) for example in batch]
    assert weighted(losses, even).item() == pytest.approx(losses.mean().item())
    first = [replace(e, weights=(float(not i),) * len(e.weights)) for i, e in enumerate(batch)]
    assert weighted(losses, first).item() == pytest.approx(losses[rows == 0].mean().item())


def test_the_log_tells_the_share_of_answers_that_are_right_as_a_whole(form, tmp_path):
    trainer = Trainer(tiny(form), Rates(minutes=60.0, warmup=4, matrix_rate=0.004), tmp_path)
    batch = next(data(form))
    while trainer.update(batch).exact == 0.0:
        assert trainer.step < 60
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _, hits, rows = answer_hits(trainer.model, batch)
    whole = [bool(hits[rows == row].all()) for row in range(len(batch))]
    step = trainer.update(batch)
    assert step.exact == pytest.approx(sum(whole) / len(whole))
    assert step.accuracy == pytest.approx(hits.float().mean().item())
    assert trainer.row([step])["exact"] == round(step.exact, 4)


def test_a_run_stops_at_its_budget_and_its_log_becomes_the_data_card(form, tmp_path):
    trainer = Trainer(tiny(form), Rates(minutes=0.05, warmup=2), tmp_path)
    trainer.run(lambda step: data(form), until_s=0.5)
    assert trainer.spent_s >= 0.5
    assert (tmp_path / "last.pt").exists()
    rows = read_log(tmp_path)
    assert rows[-1]["step"] == trainer.step
    shown = card(FILES, ["other"], [rows, rows], {"update": AnswerScore(10, 0.5, 0.99)})
    shown = " ".join(shown.split())  # columns are as wide as they must be
    assert "| own | 1 | Apache-2.0 | 1 |" in shown
    assert shown.count(f"{rows[-1]['tokens']:,} tokens") == 2
    assert "two releases each (`evals/edits.lock.json`, `evals/languages.lock.json`): other." in shown
    assert "| update | 10 | 0.500 | 0.99000 |" in shown


def test_exported_weights_and_checkpoints_load_as_the_same_model(form, tmp_path):
    trainer = Trainer(tiny(form), Rates(minutes=1.0), tmp_path / "run")
    trainer.save()
    ids = torch.arange(40)[None]
    with torch.inference_mode():
        wanted = trainer.model(ids).logits
        assert torch.equal(load_weights(tmp_path / "run")(ids).logits, wanted)
        for int8 in (False, True):
            export(trainer.model, tmp_path / "weights", int8=int8)
            rounded = load_weights(tmp_path / "weights")(ids).logits
            assert (rounded - wanted).norm() < 0.05 * wanted.norm()


def test_what_was_measured_with_weights_goes_with_them_and_not_with_others(form, tmp_path):
    model = tiny(form)
    model.config.calibration = {"middle": 1.0, "slope": 2.0, "suspect": 0.5}
    export(model, tmp_path / "first")
    export(load_weights(tmp_path / "first"), tmp_path / "second", int8=True)
    assert calibration_of(tmp_path / "second") == Calibration(1.0, 2.0, 0.5)
    export(blend(tmp_path / "first", tmp_path / "second", 0.5), tmp_path / "third")
    assert calibration_of(tmp_path / "third") is None


def test_an_answer_counts_as_exact_only_when_every_token_is_right(form):
    source = ExampleSource(FILES, form, Stage(4, 10, 0.5, 1), 3)
    # What changes nothing, a model that copies gets right untrained.
    examples = list(islice((example for example in source if example.change.text != example.task.lines), 12))
    scores = evaluate(tiny(form), examples)
    assert sum(score.examples for score in scores.values()) == 12
    assert all((score.exact == 1.0) == (score.token_accuracy == 1.0) for score in scores.values())
    assert any(score.exact == 0.0 < score.token_accuracy for score in scores.values())


def test_a_mistake_in_where_a_line_comes_from_counts_most(form):
    example = next(iter(ExampleSource(FILES, form, Stage(4, 10, 0.5, 1), 3)))
    for token, weight in zip(example.ids[example.answer :], example.weights, strict=True):
        assert (weight > 1.0) == (token >= form.tags.base)


@pytest.mark.filterwarnings("ignore:This DataLoader will create")  # on a machine of one core
@pytest.mark.usefixtures("small_pools")
def test_two_workers_make_different_batches_that_repeat_with_the_seed(form):
    def first(workers: int) -> list[tuple[int, ...]]:
        loader = BatchLoader(FILES, form, Stage(4, 8, 0.3, 1), seed=0, tokens=500)
        stream = loader.stream(workers)
        return [example.ids for _ in range(2) for example in next(stream)]

    once, again, alone = first(2), first(2), first(0)
    assert once == again
    assert once != alone
    assert len(set(once)) > len(once) // 2


def test_a_run_that_grew_is_blended_with_what_it_began_as(form, tmp_path):
    small = tiny(form)
    for name, model in (("first", small), ("second", shape.grown(small, 5))):
        export(model, tmp_path / name)
    blended = blend(tmp_path / "first", tmp_path / "second", 0.5)
    batch = next(data(form))[:2]
    scores = [evaluate(model, batch) for model in (load_weights(tmp_path / "first"), blended)]
    assert len(blended.model.layers) == 5
    assert scores[0] == scores[1]


def test_blended_weights_lie_between_two_models(form, tmp_path):
    folders = [tmp_path / name for name in ("first", "second")]
    for seed, folder in enumerate(folders):
        model = shape.fresh(shape.config(form.vocab_size, layers=3, mlp=64), seed=seed, tags=form.tags)
        export(model, folder)
    first, second = (load_weights(folder).state_dict() for folder in folders)
    for share, expected in ((0.0, first), (1.0, second)):
        for name, found in blend(*folders, share).state_dict().items():
            assert torch.equal(found, expected[name])
    export(shape.fresh(shape.config(form.vocab_size, layers=4), 0, form.tags), tmp_path / "other")
    with pytest.raises(ModelUnavailable, match="was not trained on from"):
        blend(folders[0], tmp_path / "other", 0.5)
    name = "model.layers.0.mlp.up_proj.weight"
    middle = blend(*folders, 0.75).state_dict()[name]
    torch.testing.assert_close(middle, 0.25 * first[name] + 0.75 * second[name])
