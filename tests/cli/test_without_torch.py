"""An installation without the extra `local`: what needs no model works, and what needs one says how to get one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fastedit import Engine
from fastedit.errors import ModelUnavailable

LOCAL = ("torch", "transformers", "huggingface_hub", "safetensors", "tokenizers")
MAIN = f"import sys; sys.modules.update(dict.fromkeys({LOCAL})); from fastedit.cli import main; main()"
OLD = "def load(path):\n    return open(path).read()\n"
BLOCK = "<<<<<<< SEARCH\ndef load(path):\n=======\ndef load(path: str) -> str:\n>>>>>>> REPLACE\n"
SKETCH = "def load(path):\n    # read it\n    return open(path).read()\n"


def command(folder, *words: str, update: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "app.py").write_text(OLD)
    return subprocess.run(
        [sys.executable, "-c", MAIN, *words], cwd=folder, input=update, capture_output=True, text=True, check=False
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "update", "made"),
    [
        (("apply", "app.py", "-u", "-"), SKETCH, SKETCH),
        (("apply", "app.py", "-u", "-"), BLOCK, OLD.replace("(path):", "(path: str) -> str:")),
        (("apply", "app.py", "-i", "rename load to read"), "", OLD.replace("load", "read")),
        (("op", "rename", "app.py", "load", "read"), "", OLD.replace("load", "read")),
    ],
    ids=["sketch", "blocks", "command", "operation"],
)
def test_what_needs_no_model_is_applied(words, update, made, tmp_path):
    done = command(tmp_path, *words, "--write", update=update)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "app.py").read_text() == made


@pytest.mark.parametrize("model", ["embedded", "nano", "owner/name"])
def test_an_instruction_that_needs_a_model_is_one_line_with_both_ways_to_get_one(model, tmp_path):
    done = command(tmp_path, "apply", "app.py", "-i", "cache what was read", "--model", model)
    assert done.returncode == 5
    (line,) = done.stderr.splitlines()
    assert "is not installed; run in fastedit's folder: pip install '.[local]'" in line
    assert model == "owner/name" or "openai:NAME" in line


def test_a_server_gets_ready_without_the_embedded_model_but_not_without_one_that_was_chosen(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    engine = Engine()
    engine.warm()
    assert engine.learned() == []
    with pytest.raises(ModelUnavailable, match=r"pip install '\.\[local\]'"):
        Engine("nano").warm()
