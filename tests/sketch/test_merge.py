"""Texts that paths write are told apart by their lines with ink."""

from __future__ import annotations

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.text.merge import Writer

LINES = [f"line {n}" if n % 7 else "" for n in range(80)]


def identity(*steps: PathStep) -> int:
    return Writer(Outline(LINES), Outline([])).identity(steps)


def stays(start: int, stop: int) -> PathStep:
    return PathStep(Layer.LEAP, None, range(start, stop))


def test_a_run_of_lines_that_stay_is_the_same_text_in_one_piece_and_in_two() -> None:
    assert (
        identity(stays(0, 80)) == identity(stays(0, 33), stays(33, 80)) == identity(stays(0, 2), stays(2, 80))
    )


def test_a_text_without_one_of_the_lines_is_another_unless_that_is_blank() -> None:
    whole = identity(stays(0, 80))
    assert identity(stays(0, 36), stays(37, 80)) != whole
    assert identity(stays(0, 35), stays(36, 80)) == whole
