"""Features and signs in words that a user knows."""

from __future__ import annotations

from json import loads

import pytest

from fastedit.engine.merge.evidence import BY_HAND
from fastedit.sketch.explain.phrases import OF_UNSHOWN, SIGNS, for_and_against, phrase
from fastedit.sketch.paths.fitted import WEIGHTS
from fastedit.sketch.paths.weights import NAMES

BLANK = {
    "equal, blank, once",
    "equal, blank, few",
    "equal, blank, many",
    "same blanks",
    "new, blank",
    "gone, blank",
}


@pytest.mark.parametrize("feature", NAMES)
def test_every_feature_has_a_phrase_but_those_of_blank_lines(feature):
    assert bool(phrase(feature)) is (feature not in BLANK)


def test_signs_that_have_phrases_have_weights():
    weighed = loads(WEIGHTS.read_text("utf-8"))["evidence"].keys() | BY_HAND.keys()
    assert SIGNS.keys() | OF_UNSHOWN.keys() <= weighed


def test_a_feature_speaks_for_the_reading_whose_score_it_raises_and_names_the_one_that_has_it():
    grounds = {
        "leap": (-1.0, 9.0),
        "changed: alikeness": (1.0, -2.0),
        "changed: words of its own stay": (1.0, 0.5),
    }
    first, other = for_and_against(grounds, ("reading 1", "reading 2"))
    assert first == ["in reading 2, lines stay without a marker"]
    assert other == ["in reading 1, a changed line keeps many of its words"]
