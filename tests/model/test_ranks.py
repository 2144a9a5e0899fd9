"""One model in two processes."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest
import torch

from fastedit.model.target import Target
from tests.checkpoints import checkpoint
from tests.model.torchrun_answers import answers


@pytest.mark.skipif(
    importlib.util.find_spec("accelerate") is None,
    reason="needs accelerate: pip install '.[gpu]'",
)
def test_two_processes_that_share_a_model_write_what_one_writes():
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [*torchrun, "-m", "tests.model.torchrun_answers", str(checkpoint("llama"))]
    run = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    expected = answers(Target.load(checkpoint("llama"), dtype=torch.float32))
    assert found == {"answers": expected, "kv_heads": 1}
