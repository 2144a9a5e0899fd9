from __future__ import annotations

import math
from pathlib import Path

import pytest
import typer

from evals import load, plots, soak

pytest.importorskip("matplotlib", reason="needs matplotlib: pip install matplotlib")

LEVEL = {
    "first_hunk_ms_p50": 9.0,
    "first_hunk_ms_p95": math.nan,
    "total_ms_p50": 20.0,
    "total_ms_p95": 31.0,
    "overhead_ms_p50": 2.0,
    "edits_per_s": 40.0,
}


def test_latency_and_throughput_are_drawn_by_number_of_clients_and_gaps_are_left(tmp_path: Path):
    panels = load.panels({"1": LEVEL, "64": LEVEL | {"edits_per_s": 90.0}})
    assert panels[1].lines == {"edits per s": [40.0, 90.0]}
    assert [panel.xs for panel in panels] == [[1.0, 64.0]] * 2
    plots.draw(panels, "a machine", tmp_path / "load.svg")
    assert "<svg" in (tmp_path / "load.svg").read_text()


def test_a_soak_is_drawn_as_far_as_it_went(tmp_path: Path):
    found = [soak.Reading(0, 0.0, 100.0, 9, 20), soak.Reading(1000, 5.0, 101.0, 9, 21)]
    panels = soak.panels(found)
    assert panels[0].lines == {"resident": [100.0, 101.0]}
    plots.draw(panels, "a machine", tmp_path / "soak.png")
    assert (tmp_path / "soak.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "said"), [("no/load.svg", "no folder"), ("load.txt", ".svg, .png or .pdf")])
def test_a_plot_that_cannot_be_made_is_refused_before_anything_is_measured(
    tmp_path: Path, name: str, said: str
):
    with pytest.raises(typer.BadParameter, match=said):
        plots.drawable(tmp_path / name)
    assert plots.drawable(None) is None
