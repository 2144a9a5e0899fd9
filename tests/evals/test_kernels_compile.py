"""Launches of the runtime, compiled for real GPUs: in a process of its own, for here kernels are interpreted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import typer
from fastedit_kernels.tree_attention.plan import block_for
from typer.testing import CliRunner

from evals import gpu_plan
from evals.kernels import __main__ as kernels
from tests.kernels.helpers import needs_triton

CARDS = {"sm_80": ("mma", 163), "sm_90": ("wgmma", 227)}


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize("card", CARDS)
def test_loads_overlap_products_on_tensor_cores_nothing_spills_or_is_too_large_and_plans_count_these_programs(
    card, tmp_path
):
    file = tmp_path / "compiled.json"
    command = [
        sys.executable,
        "-m",
        "evals.kernels",
        "--compile",
        "--quick",
        "--card",
        card,
        "--json",
        str(file),
    ]
    clean = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    made = subprocess.run(command, env=clean, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    launches = json.loads(file.read_text())["launches"]
    assert {launch["kernel"] for launch in launches} == {"_attend", "_join", "_paths", "_move"}
    unit, shared_kb = CARDS[card]
    widest = [launch for launch in launches if launch["variant"] == "tree_attention 7B bf16, 64 rows"]
    assert {launch["unit"] for launch in widest if launch["kernel"] == "_attend"} == {unit}
    for launch in launches:
        assert not launch["alarms"], launch
        assert launch["shared"] <= shared_kb << 10
        assert launch["resident"] > 0
        assert launch["depth"] > 0 or launch["kernel"] != "_attend"
    if card == "sm_90":  # the card of the table of balances
        held = {launch["variant"]: launch["resident"] for launch in launches if launch["kernel"] == "_attend"}
        for rows in (1, 4, 8, 64):
            block = block_for(rows, gpu_plan.HEADS)
            assert held[f"tree_attention 7B bf16, {rows} rows"] == gpu_plan.RESIDENT[block]


def test_where_kernels_are_interpreted_compiling_is_refused_in_one_line():
    app = typer.Typer()
    app.command()(kernels.main)
    made = CliRunner(env={"TRITON_INTERPRET": "1"}).invoke(app, ["--compile", "--card", "sm_90"])
    assert made.exit_code == 2
    assert made.stderr.strip().endswith("unset TRITON_INTERPRET")
