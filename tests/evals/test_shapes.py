"""What `evals.shapes` counts: passes and bounds."""

from __future__ import annotations

import pytest

from evals import shapes
from evals.timing.ceilings import Ceilings, PassWork


def test_a_pass_takes_at_least_what_its_bytes_or_its_operations_take():
    ceilings = Ceilings(bytes_per_s=100.0, flop_per_s=1000.0)
    assert ceilings.floor(PassWork(50, 100)) == (0.5, "bytes")
    assert ceilings.floor(PassWork(50, 1000)) == (1.0, "operations")


def test_the_higher_of_two_measurements_is_the_ceiling():
    assert Ceilings(100.0, 1000.0).best(Ceilings(120.0, 900.0)) == Ceilings(120.0, 1000.0)


def test_an_unknown_shape_is_named(capsys):
    with pytest.raises(shapes.typer.Exit) as stopped:
        shapes.main(shapes=["qwen9"])
    assert stopped.value.exit_code == 2
    assert "no shape 'qwen9'; there are " in capsys.readouterr().err


def test_speeds_are_held_against_each_way_that_ran_beside():
    row = {"share_of_bound": 0.5, "share_of_passes": 0.4}
    speeds = {shapes.OURS: (12.0, 6.0), shapes.THEIRS: (2.0, 1.0), shapes.LLAMA_TUNED: (4.0, 3.0)}
    rows = {
        way: row | {"decoding_tokens_per_s": decoding, "tokens_per_s": whole}
        for way, (decoding, whole) in speeds.items()
    }
    assert shapes.headline(rows) == row | {
        "x transformers": 6.0,
        "x llama.cpp, prompt lookup": 2.0,
        "decoding_x transformers": 6.0,
        "decoding_x llama.cpp, prompt lookup": 3.0,
    }
    assert shapes.beside(rows)[shapes.OURS]["decoding_x_plain"] == 6.0
