"""A model's margins are worth what its folder says."""

from __future__ import annotations

import json

import pytest

from fastedit.engine.edits.calibration import Calibration, calibration_of
from fastedit.errors import ModelUnavailable

CALIBRATION = Calibration(middle=2.0, slope=1.5, suspect=0.7)


def test_a_folder_keeps_its_calibration_and_most_have_none(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "qwen3"}))
    assert calibration_of(tmp_path) is None
    own = tmp_path / "own"
    own.mkdir()
    (own / "config.json").write_text(
        json.dumps({"calibration": {"middle": 2.0, "slope": 1.5, "suspect": 0.7}})
    )
    assert calibration_of(own) == CALIBRATION


@pytest.mark.parametrize("text", ["{", '{"calibration": {"middle": 1}}'])
def test_a_broken_calibration_is_refused(tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(ModelUnavailable, match=r"config\.json: no usable calibration"):
        calibration_of(tmp_path)
