"""What `evals.shapes` counts: passes, bounds and second edits."""

from __future__ import annotations

import pytest

from evals import shapes
from evals.shapes_bound import Ceilings, Work
from evals.shapes_ways import Pass, Written
from fastedit.model.fused import Shape

CEILINGS = Ceilings("bfloat16", 1000.0, 100.0)
WORK = Work(block=10, head=5, slot=1, bytes=50)


def test_a_pass_takes_at_least_what_its_rows_or_its_weights_take():
    assert WORK.seconds(CEILINGS, rows=1, wanted=1) == pytest.approx(0.5)  # the weights are read
    assert WORK.seconds(CEILINGS, rows=100, wanted=10, before=20) == pytest.approx(
        (1000 + 50 + 2000 + 5050) / 1000
    )


def test_the_higher_of_two_measurements_is_the_ceiling():
    assert CEILINGS.best(Ceilings("bfloat16", 900.0, 120.0)) == Ceilings("bfloat16", 1000.0, 120.0)


def test_an_answer_that_was_broken_off_is_reckoned_at_its_own_pace():
    written = Written(10, (Pass(10, 1, 0, 1, 2.0), Pass(1, 1, 10, 1, 3.0), Pass(1, 1, 11, 1, 4.0)))
    assert shapes.whole_s(written, 3) == pytest.approx(4.0)
    assert shapes.whole_s(written, 13) == pytest.approx(14.0)


def test_an_unknown_shape_is_named(capsys):
    with pytest.raises(shapes.typer.Exit) as stopped:
        shapes.main(shapes=["qwen9"])
    assert stopped.value.exit_code == 2
    assert "no shape qwen9: choose from" in capsys.readouterr().err


def test_the_work_of_a_shape_counts_all_its_matrices():
    config = {
        "model_type": "qwen2", "num_hidden_layers": 2, "hidden_size": 8, "intermediate_size": 16,
        "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 32, "rms_norm_eps": 1e-6,
        "max_position_embeddings": 64, "rope_theta": 10000.0, "tie_word_embeddings": True, "hidden_act": "silu",
    }  # fmt: skip
    shape = Shape.of(config)
    assert shape is not None
    work = Work.of(shape, 8, 16, 2)
    attention, mlp, head = 8 * 8 + 2 * 4 * 8 + 8 * 8, 3 * 8 * 16, 32 * 8
    assert work.bytes == 2 * (2 * (attention + mlp) + head)
