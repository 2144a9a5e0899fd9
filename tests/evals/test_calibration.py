"""The curve follows what was right, and the threshold keeps what is delivered below its share of wrong answers."""

from __future__ import annotations

import json
import random

import pytest

from evals.calibration import WRONG, CheckedAnswer, answered, fit, threshold, write
from evals.outside.case import Case
from fastedit.engine import Engine
from fastedit.engine.edits.calibration import Calibration, calibration_of

CURVE = Calibration(middle=2.0, slope=1.5, suspect=0.5)


def drawn(count: int) -> list[CheckedAnswer]:
    rng = random.Random(0)
    margins = [rng.uniform(0, 6) for _ in range(count)]
    return [CheckedAnswer(margin, rng.random() < CURVE.confidence(margin)) for margin in margins]


def test_the_fit_finds_the_curve_that_answers_were_drawn_from():
    middle, slope = fit(drawn(4000))
    assert middle == pytest.approx(CURVE.middle, abs=0.2)
    assert slope == pytest.approx(CURVE.slope, abs=0.2)


def test_answers_that_margins_tell_apart_without_exception_give_a_curve_too():
    middle, slope = fit([CheckedAnswer(float(m), m > 3) for m in range(8)])
    assert 3 < middle < 4
    assert 0 < slope < 50


def test_from_the_threshold_on_hardly_any_answer_is_wrong():
    answers = drawn(4000)
    least = threshold(answers, CURVE)
    delivered = [a for a in answers if CURVE.confidence(a.margin) >= least]
    assert sum(not a.right for a in delivered) <= WRONG * len(delivered)
    assert len(delivered) > 1000


def test_where_all_are_wrong_nothing_is_delivered():
    assert threshold([CheckedAnswer(1.0, False), CheckedAnswer(9.0, False)], CURVE) == 1.0


def test_what_was_chosen_is_kept_in_the_folder(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "qwen3"}))
    write(CURVE, tmp_path)
    assert calibration_of(tmp_path) == CURVE
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "qwen3"


@pytest.mark.parametrize("instruction", ["rename `save` to `store`", "  "])
def test_what_needed_no_model_or_was_refused_is_no_answer_of_the_models(instruction):
    old = "def save(text):\n    return text\n"
    case = Case("x", "rename", "", "python", "a.py", old, old.replace("save", "store").__eq__, instruction)
    assert answered(Engine(), case) is None
