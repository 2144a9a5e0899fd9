"""A model that no single device holds: split over processes it learns as in one, resumes, and comes out whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from transformers import AutoModelForCausalLM, get_cosine_schedule_with_warmup

from fastedit.train.loop import LOG
from fastedit.train.lora.trainer import IGNORED, padded
from tests.train.test_lora import edits, tuned, user_model
from tests.train.torchrun_shards import EXAMPLES, STEPS, adapted, examples, recipe

__all__ = ["edits"]  # a fixture
pytestmark = pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning")

ROOT = Path(__file__).parent.parent.parent


def torchrun(*words: str, cwd: Path) -> None:
    """Two processes. Raises AssertionError with what they said where they fail.

    gloo now and then aborts a process that has nothing left to do (torch 2.13). A user gives the command again, and the
    run goes on where it stood: so does this, twice, and only where a process died of that signal.
    """
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    found = os.environ | {
        "PYTHONPATH": f"{ROOT}:{ROOT / 'kernels'}",
        "OMP_NUM_THREADS": "1",
        "PYTHONFAULTHANDLER": "1",  # says where an aborted process stood
    }
    for last in (False, False, True):
        done = subprocess.run(
            [*start, "-m", "--", *words],
            cwd=cwd, env=found, capture_output=True, text=True, timeout=400, check=False,
        )  # fmt: skip
        if done.returncode == 0:
            return
        if last or "Signal 6" not in done.stderr:
            raise AssertionError(done.stderr.partition("ChildFailedError")[0][-6000:])


def losses_in_one_process(kind: str) -> list[float]:
    """The same training without any of the library's shards."""
    model, wish, rows = adapted(kind).train(), recipe(1), examples()
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=wish.rate, weight_decay=0.0)
    schedule = get_cosine_schedule_with_warmup(optimizer, wish.warmup, wish.steps)
    found = []
    for _ in range(STEPS):
        batch = padded(list(islice(rows, EXAMPLES)))
        labels = batch.pop("labels")[:, 1:].flatten()
        loss = F.cross_entropy(model(**batch).logits[:, :-1].flatten(0, 1), labels, ignore_index=IGNORED)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        found.append(loss.item())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["qwen3", "llama"])
def test_each_process_holds_half_and_together_they_learn_and_resume_as_one(kind, tmp_path):
    (tmp_path / "whole").mkdir()  # of a run that died before it kept anything
    (tmp_path / "whole" / LOG).write_text(json.dumps({"step": 1, "loss": 9.0}) + "\n")
    torchrun("tests.train.torchrun_shards", kind, str(tmp_path), cwd=ROOT)
    found = json.loads((tmp_path / "found.json").read_text())
    assert {name for _, _, name in found["sizes"]} == {"DTensor"}
    assert all(
        abs(whole - 2 * local) <= 0.05 * whole for whole, local, _ in found["sizes"]
    )  # 61 rows are odd
    assert found["whole"] == pytest.approx(losses_in_one_process(kind), rel=1e-4)
    assert found["resumed"] == pytest.approx(found["whole"], rel=1e-5)
    assert all("lora_" in name for name in found["adapters"])


@pytest.mark.slow
def test_a_model_tuned_in_parts_is_the_one_tuned_whole(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = user_model("qwen3", tmp_path / "model")
    assert tuned(model, edits, tmp_path / "whole", "--batch", "2").exit_code == 0
    wish = f"--model {model} --edits {edits} --out {tmp_path / 'parts'} --steps 2 --rank 2 --rate 0.05"
    torchrun(
        *f"fastedit.train finetune --fsdp --run parts {wish} --batch 1 --accumulate 1".split(), cwd=tmp_path
    )
    # Adapters are kept whole: what is begun in parts may go on, here to be merged alone, in one process.
    assert tuned(model, edits, tmp_path / "again", "--run", "parts").exit_code == 0
    whole, parts, again = (
        AutoModelForCausalLM.from_pretrained(tmp_path / name).state_dict()
        for name in ("whole", "parts", "again")
    )
    assert whole.keys() == parts.keys()
    for name in whole:
        torch.testing.assert_close(parts[name], whole[name], rtol=1e-3, atol=1e-4)
        torch.testing.assert_close(parts[name], again[name], rtol=1e-5, atol=1e-6)


def test_a_model_is_split_under_torchrun_alone(edits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = user_model("llama", tmp_path / "model")
    alone = tuned(model, edits, tmp_path / "out", "--fsdp")
    assert alone.exit_code == 2
    assert "torchrun --nproc-per-node" in alone.output
