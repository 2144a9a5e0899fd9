"""A user's own model is tuned on a user's own edits, and what comes out is a model like any other."""

from __future__ import annotations

import gzip
import inspect
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from typer.testing import CliRunner

from fastedit import Document, EditRequest, Engine
from fastedit.train.__main__ import app
from fastedit.train.embedded.tokenizer import train_tokenizer
from fastedit.train.lora import trainer as lora_trainer
from fastedit.train.synthesis import examples
from tests.checkpoints import MODELS

# Renamed after 5.17, which is supported too; PEFT uses the old name.
pytestmark = pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning")

OLD = "import os\n\n\ndef load(path):\n    data = open(path).read()\n    return data\n\n\nprint(load('a'))\n"
NEW = OLD.replace(
    "    data = open(path).read()\n", "    with open(path) as file:\n        data = file.read()\n"
)


@pytest.fixture
def edits(tmp_path) -> Path:
    path = tmp_path / "edits.jsonl.gz"
    with gzip.open(path, "wt") as out:
        out.write(json.dumps({"old": OLD, "new": NEW}) + "\n")
    return path


def user_model(kind: str, folder: Path, vocab: int | None = None) -> Path:
    """A random model of this kind as a user would have it: weights, configuration, tokenizer, chat template."""
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(inspect.getsource(textwrap).split("\n"), 300), eos_token="<eos>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    tokenizer.save_pretrained(folder)
    make, config = MODELS[kind]
    torch.manual_seed(0)
    make(
        type(config).from_dict(config.to_dict() | {"vocab_size": vocab or len(tokenizer) + 15})
    ).save_pretrained(folder)
    return folder


def tuned(model: Path, edits: Path, out: Path, *more: str):
    wish = (
        f"finetune --model {model} --edits {edits} --out {out} --batch 1 --accumulate 1 --rank 2 --rate 0.05"
    )
    return CliRunner().invoke(app, [*wish.split(), "--steps", "2", *more])


@pytest.mark.parametrize("kind", ["llama", "mistral", "qwen2", "qwen3", "gemma"])
def test_a_tuned_model_of_any_kind_is_served_like_any_other(kind, edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = user_model(kind, tmp_path / kind)
    done = tuned(model, edits, tmp_path / "out")
    assert done.exit_code == 0, done.output
    before = AutoModelForCausalLM.from_pretrained(model).state_dict()
    after = AutoModelForCausalLM.from_pretrained(tmp_path / "out").state_dict()
    assert before.keys() == after.keys()
    assert any(not torch.equal(before[name], after[name]) for name in before if "proj" in name)
    result = Engine.load(str(tmp_path / "out")).apply(
        EditRequest(Document.from_text("x = 1\n"), instruction="rename x to y", policy="model")
    )
    assert result.receipt.output_tokens > 0


def interrupted(folder: Path, row: object) -> str:
    """At the last step, before it is kept."""
    raise KeyboardInterrupt


def test_a_run_that_was_interrupted_goes_on_where_it_stood(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = user_model("llama", tmp_path / "llama")
    assert tuned(model, edits, tmp_path / "whole", "--steps", "4", "--run", "whole").exit_code == 0
    monkeypatch.setattr(lora_trainer, "add_row", interrupted)
    assert tuned(model, edits, tmp_path / "half", "--steps", "4", "--run", "half").exit_code != 0
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert tuned(model, edits, tmp_path / "again", "--steps", "4", "--run", "half").exit_code == 0
    whole = AutoModelForCausalLM.from_pretrained(tmp_path / "whole").state_dict()
    again = AutoModelForCausalLM.from_pretrained(tmp_path / "again").state_dict()
    assert all(torch.equal(whole[name], again[name]) for name in whole)


@pytest.mark.parametrize("command", ["eagle", "finetune"])
def test_edits_that_are_all_too_long_end_in_one_line_and_not_in_an_endless_search(
    command, edits, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(examples, "MISSES", 20)
    wish = (
        f"{command} --model {user_model('llama', tmp_path / 'llama')} --edits {edits} --out out --longest 1"
    )
    refused = CliRunner().invoke(app, wish.split())
    assert refused.exit_code == 2
    assert "too long to learn from, or none: raise --longest" in refused.output.splitlines()[-1]


def test_what_cannot_be_tuned_is_said_before_anything_is_loaded(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for out, more, said in (
        ("full", ("--edits", str(edits)), "not empty"),
        ("out", (), "nothing to learn from"),
        ("out", ("--edits", "none.gz"), "none.gz: no such file"),
        ("out", ("--edits", str(edits), "--model", "nowhere"), "no such model folder"),
        ("out", ("--edits", __file__), ": no JSON lines with `old`, `new` (JSONDecodeError: "),
    ):
        model = () if "--model" in more else ("--model", str(user_model("llama", tmp_path / "llama")))
        run = CliRunner().invoke(app, ["finetune", *model, "--out", out, *more])
        assert run.exit_code != 0
        assert said in run.output


def test_a_tokenizer_that_is_not_the_models_is_refused_with_both_sizes(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = tuned(user_model("llama", tmp_path / "llama", vocab=100), edits, tmp_path / "out")
    assert run.exit_code == 5
    assert "301 tokens" in run.output
    assert "100 rows" in run.output


@pytest.mark.slow
def test_two_processes_tune_one_model_on_batches_of_unlike_lengths(edits, tmp_path):
    model = user_model("qwen2", tmp_path / "model")
    with gzip.open(edits, "at") as out:
        longer = OLD + "".join(f"x{i} = {i}\n" for i in range(12))
        out.write(json.dumps({"old": longer, "new": longer.replace("x1 =", "x_1 =")}) + "\n")
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        "-m",
        "--",
    ]
    wish = (
        f"fastedit.train finetune --model {model} --edits {edits} --out {tmp_path / 'out'} --steps 2 --rank 2"
    )
    root = Path(__file__).parent.parent.parent
    found = os.environ | {"PYTHONPATH": f"{root}:{root / 'kernels'}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*torchrun, *wish.split(), "--batch", "1", "--accumulate", "2"],
        cwd=tmp_path, env=found, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert (done.stdout + done.stderr).count("the tuned model is in") == 1
    before, after = (AutoModelForCausalLM.from_pretrained(folder) for folder in (model, tmp_path / "out"))
    assert not torch.equal(
        before.model.layers[0].mlp.up_proj.weight, after.model.layers[0].mlp.up_proj.weight
    )
