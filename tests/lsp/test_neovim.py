"""The Lua module in a real Neovim, headless."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.test_engine import SOURCE

HERE = Path(__file__).parent
MODULE = HERE.parent.parent / "editors" / "nvim"
SKETCH = """# ... existing code ...
def load(path):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged
"""
ENCODED = SOURCE.replace("open(path)", 'open(path, encoding="utf-8")')
BOTH = ENCODED.replace("    return merged", '    merged.pop("version", None)\n    return merged')


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    if shutil.which("nvim") is None:
        pytest.skip("Neovim is not installed")
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "a.py").write_text(SOURCE)
    out = folder / "out.json"
    environment = os.environ | {
        "FASTEDIT_OUT": str(out),
        "FASTEDIT_PYTHON": sys.executable,
        "FASTEDIT_SKETCH": SKETCH,
        "XDG_STATE_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    command = ["nvim", "--headless", "-n", "-u", "NONE", "--cmd", f"set runtimepath+={MODULE}", "a.py"]
    command += ["-c", f"luafile {HERE / 'neovim_session.lua'}"]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=280)
    assert out.exists(), run.stderr
    seen = json.loads(out.read_text())
    assert "failure" not in seen, seen["failure"]
    return seen


def text(lines):
    return "".join(f"{line}\n" for line in lines)


def test_a_proposal_is_shown_and_touches_nothing_while_typing_is_kept(session):
    assert session["proposed"] == {"lines": ["# typed", *session["before"]], "pending": 2}
    assert session["virtual"] == 2


def test_a_hunk_is_accepted_and_the_other_rejected_where_typing_has_moved_them(session):
    assert text(session["accepted_one"]) == "# typed\n" + ENCODED
    assert session["rejected_other"] == session["accepted_one"]
    assert session["over"]


def test_accepting_all_is_one_undo_step(session):
    assert text(session["accepted_all"]) == "# typed\n" + BOTH
    assert session["undone"] == session["rejected_other"]


def test_a_cancelled_edit_changes_nothing_and_a_read_only_buffer_is_refused(session):
    assert session["cancelled"] == {"lines": session["undone"], "over": True}
    assert session["notes"][-1] == "FastEdit: this buffer is read-only"
