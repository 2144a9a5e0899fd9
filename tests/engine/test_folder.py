"""A model's name is a folder, the embedded model or a model of the hub; what is none of them is said at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fastedit.engine.models import folder
from fastedit.engine.models.folder import EMBEDDED, model_folder, resolved
from fastedit.errors import ModelUnavailable

ASK = "import sys; from fastedit.engine.models.folder import model_folder; print(model_folder(sys.argv[1]))"


def asked(name: str, home: Path) -> subprocess.CompletedProcess[str]:
    """`model_folder` in a process of its own, without a network, with the hub's folder under `home`."""
    env = os.environ | {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    return subprocess.run(
        [sys.executable, "-c", ASK, name], env=env, capture_output=True, text=True, check=False
    )


def test_a_hub_model_that_was_fetched_before_is_found_without_a_network(tmp_path):
    kept = tmp_path / "hub" / "models--acme--coder"
    snapshot = kept / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("a" * 40)
    found = asked("acme/coder", tmp_path)
    assert Path(found.stdout.strip()) == snapshot, found.stderr


def test_a_hub_model_that_cannot_be_fetched_is_one_line_with_the_way_out(tmp_path):
    said = asked("acme/none", tmp_path).stderr.strip().splitlines()[-1]
    assert "acme/none: no local folder, and the hub did not give it" in said
    assert said.endswith("or give a folder")


@pytest.mark.parametrize("name", ["none", "./none", "a/b/c", "../b", "/none", "owner/na me", "opnai:gpt"])
def test_what_is_no_folder_and_no_hub_id_never_asks_the_hub(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelUnavailable, match=r"no such model folder; give .*, openai:NAME, "):
        model_folder(name)


def test_a_model_that_the_environment_names_is_told_as_such(monkeypatch):
    monkeypatch.setenv("FASTEDIT_MODEL", "elsewhere")
    with pytest.raises(ModelUnavailable, match=r"^FASTEDIT_MODEL=elsewhere: no such model folder"):
        model_folder("elsewhere")


def test_a_folder_wins_over_a_hub_id(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "acme" / "coder").mkdir(parents=True)
    (tmp_path / "acme" / "coder" / "config.json").write_text("{}")
    assert model_folder("acme/coder") == Path("acme/coder")


@pytest.mark.parametrize(
    ("gpu", "cores", "size"), [(False, 2, "nano"), (False, 16, "small"), (True, 2, "small")]
)
def test_the_embedded_model_is_the_larger_one_beside_a_gpu_or_on_many_cores(
    monkeypatch, tmp_path, gpu, cores, size
):
    (tmp_path / "driver").touch()
    monkeypatch.setattr(folder, "_DRIVER", tmp_path / ("driver" if gpu else "none"))
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert resolved("embedded") == size
    assert model_folder("embedded") == EMBEDDED[size]
    assert [resolved(name) for name in ("nano", "small", "acme/coder")] == ["nano", "small", "acme/coder"]
