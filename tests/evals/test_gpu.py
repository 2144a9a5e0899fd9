from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from evals import gpu as evals_gpu
from evals.kernels import __main__ as evals_kernels
from evals.replay.passes import ReplayedEdit, ReplayedPass
from evals.timing.ceilings import PassWork
from evals.timing.gpu import Gpu
from fastedit.decode.costs import ROWS
from tests.kernels.helpers import DEVICE

CARD = Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
without_gpu = pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU")


def test_products_in_fp8_are_held_against_the_rate_of_fp8_where_the_card_has_one():
    work = PassWork(10**9, 8 * 10**11)
    assert CARD.ceilings(fp8=True).floor(work) == CARD.ceilings().floor(work) == (1e-3, "operations")
    faster = replace(CARD, fp8_flop_per_s=1.6e15)
    assert faster.ceilings(fp8=True).floor(work) == (5e-4, "operations")
    assert faster.ceilings().floor(work) == (1e-3, "operations")


def test_ratios_are_over_the_edits_that_both_ways_made():
    def speed(way, at_once, *seconds):
        made = tuple(ReplayedEdit(60, (ReplayedPass(40, 1, 0, 100, one),)) for one in seconds)
        return evals_gpu.Speed(way, made, (100,) * len(made), at_once)

    ways = [
        speed("fastedit", False, 1.0, 3.0), speed("fastedit", True, 2.0, 4.0), speed("plain", True, 8.0, 6.0),
        speed("plain", False, 9.0), speed("transformers", False, 20.0),
    ]  # fmt: skip
    found = evals_gpu.headline(ways, [0.1, 0.3, 0.2], 10**9, CARD)
    assert found == pytest.approx(
        {
            "tokens_per_s": 50.0,
            "x_no_speculation": 9.0,
            "host_between_passes_us": 200.0,
            "together_tokens_per_s": 200 / 4,
            "together_matrix_share": 80 * 10**9 / 4.0 / 8e14,
            "slowest_x": 1.5,
            "x_transformers": 20.0,
        }
    )
    assert [way.name for way in ways[:2]] == ["fastedit, 1 at once", "fastedit, 2 at once"]
    assert not any(way.figures()["reckoned"] for way in ways)


def test_an_answer_that_was_broken_off_counts_as_a_whole_one_at_its_own_pace():
    cut = ReplayedEdit(60, (ReplayedPass(60, 1, 0, 1, 3.0), ReplayedPass(1, 1, 60, 10, 5.0)))
    speed = evals_gpu.Speed("plain", (cut,), (81,))
    assert speed.seconds == pytest.approx(3.0 + 80 * 0.2)
    assert speed.figures()["reckoned"]
    assert speed.figures()["tokens_per_s"] == pytest.approx(81 / 19.0)


@without_gpu
@pytest.mark.parametrize("command", [evals_kernels, evals_gpu])
def test_without_a_gpu_one_line_says_what_is_missing(command):
    app = typer.Typer()
    app.command()(command.main)
    run = CliRunner().invoke(app)
    assert run.exit_code == 2
    assert run.stdout == ""
    assert [line for line in run.stderr.splitlines() if "no CUDA GPU is at hand" in line]


def test_passes_are_timed_beside_the_time_to_read_the_weights_once(tiny):
    found = list(evals_gpu.measured(tiny, CARD, context=512))
    numbers = 61 * 32 + 2 * (32 * 64 + 32 * 32 + 3 * 32 * 48)
    assert found[0]["weights_ms"] == pytest.approx(1000 * 2 * numbers / 4e12)
    assert found[0]["bytes"] == 2 * numbers + 513 * 2 * 2 * 16 * tiny.pool.dtype.itemsize
    assert found[0]["operations"] == 2 * numbers + 4 * 2 * 32 * 513
    assert [one["rows"] for one in found] == list(ROWS)
    assert not tiny.pool._holders.any()


def test_no_part_of_make_gpu_keeps_another_from_running(tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$2" >> "$0.log"\n[ "$2" = evals.kernels ] || exit 3\n')
    python.chmod(0o755)
    script = Path(evals_gpu.__file__).with_name("gpu.sh")
    made = subprocess.run(
        ["sh", script, tmp_path / "out", "tests/kernels"],
        env={**os.environ, "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (tmp_path / "python.log").read_text().split() == ["pytest", "evals.kernels", "evals.gpu"]
    assert made.stdout.splitlines() == ["tests: failed (3)", "kernels: passed", "edits: failed (3)"]
    assert made.returncode == 1
