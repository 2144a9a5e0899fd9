"""The commands in a real Emacs with eglot, in batch mode."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.test_engine import SKETCH, SOURCE, WANTED

HERE = Path(__file__).parent
MODULE = HERE.parent.parent / "editors" / "emacs"


def test_an_update_is_applied_around_typing_and_taken_back_in_one_step(tmp_path):
    if shutil.which("emacs") is None:
        pytest.skip("Emacs is not installed")
    command = ["emacs", "--batch", "-q", "--eval", "(package-initialize)", "-L", str(MODULE)]
    has_eglot = subprocess.run([*command, "--eval", "(require 'eglot)"], capture_output=True, timeout=100)
    if has_eglot.returncode != 0:
        pytest.skip("this Emacs has no eglot")
    (tmp_path / "a.py").write_text(SOURCE)
    out = tmp_path / "out.json"
    environment = os.environ | {
        "FASTEDIT_OUT": str(out),
        "FASTEDIT_PYTHON": sys.executable,
        "FASTEDIT_SKETCH": SKETCH,
        "HOME": str(tmp_path),
    }
    command += ["-l", str(HERE / "emacs_session.el")]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280)
    assert out.exists(), run.stderr
    seen = json.loads(out.read_text())
    assert "failure" not in seen, seen["failure"] + run.stderr
    assert seen["applied"] == "# typed\n" + WANTED
    assert seen["undone"] == "# typed\n" + SOURCE
    renamed = SOURCE.replace("def load", "def read").replace("= load(", "= read(")
    assert seen["operated"] == "# typed\n" + renamed
    assert seen["refused"] == "Line 1 has a carriage return within; take it out first"
    assert (tmp_path / "a.py").read_text() == SOURCE
