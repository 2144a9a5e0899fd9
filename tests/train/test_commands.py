"""The commands of `python -m fastedit.train`: from sources to a folder for `--model`, and what they refuse."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fastedit.engine.models.folder import NANO
from fastedit.engine.models.load import load_model
from fastedit.model.checkpoint import read_checkpoint
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.__main__ import app
from fastedit.train.embedded import shape
from fastedit.train.embedded.export import export, load_weights
from fastedit.train.sources import corpus as corpora
from fastedit.train.sources.corpus import SourceFile
from tests.cli.document import commands
from tests.cli.test_help import check_examples, check_first_line


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = inspect.getsource(textwrap)
    corpora.save([SourceFile("own", "1", "Apache-2.0", "a.py", "python", text)], tmp_path / "corpus.gz")
    return tmp_path


def run(words: str):
    return CliRunner().invoke(app, words.split())


def test_a_run_becomes_a_folder_that_the_engine_takes_in_either_storage(here):
    small = "--layers 3 --tokens 500 --minutes 0.01 --corpus corpus.gz"
    assert run(f"train --run tiny {small}").exit_code == 0
    for more, dtypes in (("", ("BF16",)), ("--int8", ("BF16", "F32", "I8")), ("", ("BF16",))):
        assert run(f"export --run tiny --out tuned {more}").exit_code == 0
        assert read_checkpoint(here / "tuned").dtypes == dtypes
    assert load_model(str(here / "runs" / "tiny" / "weights")).target.network.layers == 3
    again = run("train --run tiny --minutes 0.01 --corpus corpus.gz --size small")
    assert again.exit_code == 5
    assert "(4360 tokens, width 256, 3 layers, mlp 704)" in again.output
    assert "(4360 tokens, width 256, 10 layers, mlp 704)" in again.output


def test_a_run_has_the_tokenizer_made_for_it_and_hands_it_on_with_its_weights(here):
    small = "--layers 3 --tokens 500 --minutes 0.01 --corpus corpus.gz"
    made = "tokenizer --corpus corpus.gz --run own --vocabulary"
    assert run(f"{made} 300").exit_code == 0
    assert run(f"{made} 400").exit_code == 0  # for a run that has one
    assert run(f"train --run own {small}").exit_code == 0
    assert run("export --run own --out tuned").exit_code == 0
    assert run(f"train --run later --init tuned {small}").exit_code == 0
    for folder in ("runs/own", "runs/own/weights", "tuned", "runs/later", "runs/later/weights"):
        assert EmbeddedFormat.load(here / folder).text_vocab == 300
        assert load_weights(here / folder).config.vocab_size == EmbeddedFormat.load(here / folder).vocab_size


def test_a_corpus_too_small_for_the_vocabulary_is_refused_with_what_it_yields(here):
    found = run("tokenizer --corpus corpus.gz --run own")
    assert found.exit_code == 2
    assert "the corpus yields a vocabulary of " in found.stderr
    assert " tokens, not 3696; give another --vocabulary" in found.stderr
    assert not (here / "runs" / "own").exists()


def test_a_run_that_is_refused_leaves_no_tokenizer_behind(here):
    assert run(f"train --run own --init {NANO} --layers 5 --corpus corpus.gz").exit_code == 2
    assert not (here / "runs" / "own").exists()


def test_weights_of_another_vocabulary_are_refused_with_both_sizes(here):
    export(shape.Qwen3ForCausalLM(shape.config(920, layers=3, mlp=64)), here / "other")
    shutil.copy(NANO / "tokenizer.json", here / "other")
    for words in ("train --init other --corpus corpus.gz", "export --run other"):
        found = run(words)
        assert found.exit_code == 5
        assert "its embedding has 920 rows and the tokenizer, tags included, 4360 tokens" in found.output


def test_weights_do_not_shrink(here):
    found = run(f"train --init {NANO} --layers 5")
    assert found.exit_code == 2
    assert "6 layers do not become 5" in found.stderr.splitlines()[-1]


def test_what_cannot_be_trained_is_said_in_one_line(here):
    (here / "torn.gz").write_bytes((here / "corpus.gz").read_bytes()[:-40])
    kept = next(name for name in map(str, range(99)) if SourceFile(name, "", "", "", "", "").validation)
    corpora.save([SourceFile(kept, "1", "Apache-2.0", "a.py", "python", "a\nb\nc\n")], here / "kept.gz")
    (here / "runs" / "done").mkdir(parents=True)
    (here / "runs" / "done" / "last.pt").write_bytes(b"garbage")
    (here / "runs" / "done" / "log.jsonl").write_text("{}\n")
    (here / "own").mkdir()
    shutil.copy(textwrap.__file__, here / "own" / "a.py")
    (here / "file").touch()
    for words, code, said in (
        ("train --corpus none.gz", 2, "none.gz: no such corpus; make it with: fastedit train corpus --out"),
        ("train --corpus torn.gz", 2, "torn.gz: no JSON lines with `package`, `version`, "),
        ("train --init nowhere --corpus corpus.gz", 5, "cannot load the weights in nowhere"),
        ("train --corpus kept.gz", 2, "kept.gz: nothing to learn from in it; give more"),
        ("export --run done", 5, "last.pt: no state of a run, or a torn one; delete it to begin anew"),
        ("export --run nowhere", 5, "cannot load the weights in nowhere"),
        ("card --run nowhere --corpus kept.gz", 2, "nowhere: no run has left its log there; give the --run"),
        (
            "card --run done --corpus corpus.gz",
            2,
            "no package of the corpus is held out for validation; give a",
        ),
        ("corpus --folder own --out file/corpus.gz", 4, "file/corpus.gz: "),
    ):
        found = run(words)
        assert (found.exit_code, said in found.output) == (code, True), found.output
        assert found.stderr.count("\n") == 1


EVERY = pytest.mark.parametrize(
    "context", commands(app, "fastedit train"), ids=lambda context: context.command_path.split()[-1]
)


@EVERY
def test_a_number_out_of_bounds_is_refused_with_its_option_its_value_and_the_bounds(context):
    for param in context.command.get_params(context):
        of = param.type_descriptor
        if of.annotation not in (int, float):
            continue
        least, most = of.parameter_info.min, of.parameter_info.max
        kind = "a whole number" if of.annotation is int else "a number"
        values = ["nan", "inf", "-inf", "x", "", "1e400", "-1", str(least - 1), str(most + 1), "9" * 30]
        for value in [*values, *(["1.5"] if of.annotation is int else [])]:
            option = param.opts[0]
            refused = CliRunner().invoke(app, [context.info_name, f"{option}={value}"])
            assert refused.exit_code == 2
            assert refused.stderr == (
                f"fastedit: {option}: {value!r} must be {kind} from {least} to {most}; "
                f"`root {context.info_name} -h` shows the usage\n"
            )


@EVERY
def test_every_command_says_in_a_line_what_it_does_and_shows_how(context):
    check_first_line(context)
    check_examples(context)
