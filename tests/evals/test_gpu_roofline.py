from __future__ import annotations

import importlib.util
import json
from dataclasses import asdict

import pytest
import typer
from typer.testing import CliRunner

from evals import gpu_roofline
from evals.gpu_machine import Gpu

CARD = asdict(
    Gpu("card", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14, fp8_flop_per_s=1.6e15)
)
CASE = {"rows": 64, "context": 8192, "bytes": 10**9, "operations": 10**11, "ms": 0.5}


def invoke(*arguments: str):
    app = typer.Typer()
    app.command()(gpu_roofline.main)
    return CliRunner().invoke(app, list(arguments))


def test_points_are_what_was_measured_and_the_roof_is_the_cards(tmp_path):
    file = tmp_path / "kernels.json"
    file.write_text(json.dumps({"gpu": CARD, "cases": [CASE, CASE | {"ms": None}]}))
    run = gpu_roofline.read(file)
    assert run.points == [gpu_roofline.Point(100.0, 2e14, "64 x 8192")]
    assert [run.roof(intensity) for intensity in (100, 200, 400)] == [4e14, 8e14, 8e14]


def test_what_only_moves_bytes_is_no_point_and_kernels_are_named(tmp_path):
    file = tmp_path / "kernels.json"
    attention, move = CASE | {"op": "tree_attention"}, CASE | {"op": "kv.move", "operations": 0}
    file.write_text(json.dumps({"gpu": CARD, "cases": [attention, move]}))
    assert [point.label for point in gpu_roofline.read(file).points] == ["tree_attention 64 x 8192"]


def test_without_figures_the_command_that_makes_them_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_roofline, "RESULTS", tmp_path)
    result = invoke()
    assert result.exit_code == 2
    assert "run python -m evals.kernels" in result.output


@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib: pip install matplotlib"
)
def test_a_plot_is_drawn_of_each_file(tmp_path):
    file, settings = tmp_path / "gpu.json", {"exactness": "default", "weights": "fp8"}
    file.write_text(json.dumps({"gpu": CARD, "shape": "qwen2.5-7b", "settings": settings, "passes": [CASE]}))
    assert invoke(str(file), "--out", str(tmp_path / "plots")).exit_code == 0
    drawn = (tmp_path / "plots" / "gpu.svg").read_text()
    assert "<svg" in drawn
    assert gpu_roofline.read(file).flop_per_s == 1.6e15


@pytest.mark.parametrize("text", ["", "[]", '{"gpu": {}}', '{"gpu": {"name": "card"}, "cases": [{}]}'])
def test_other_files_are_refused_by_name(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    result = invoke(str(tmp_path / "other.json"))
    assert result.exit_code == 2
    assert "other.json: not figures of evals.kernels or evals.gpu" in result.output
