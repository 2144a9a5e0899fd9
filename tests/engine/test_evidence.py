"""What signs make of posteriors."""

from __future__ import annotations

import pytest

from fastedit.engine.merge.evidence import LEAD, against, weighed
from fastedit.sketch.rivals.replaced import UNLIKE
from fastedit.sketch.signs.apart import FOUND_APART, TORN_APART
from fastedit.sketch.signs.imports import GOES_WITH_USES, IDLE_AS_SAID


def test_a_text_that_leaves_a_broken_file_loses_to_one_that_does_not():
    broken, whole = weighed([0.6, 0.39], [{"objection: syntax": 1.0}, {}])
    assert whole > broken


def test_posteriors_leave_a_share_for_texts_that_nobody_looked_at():
    (alone,) = weighed([0.8], [{}])
    assert 0.5 < alone < 1.0


def test_a_sign_that_the_fit_never_met_says_nothing():
    assert weighed([0.7, 0.2], [{"no such sign": 1.0}, {}]) == pytest.approx(weighed([0.7, 0.2], [{}, {}]))


def test_the_rarer_the_texts_are_among_which_one_is_certain_the_less_sure_it_is():
    certain, among_few, among_fewer = (weighed([1.0], [{}], rare)[0] for rare in (0.0, 3.0, 12.0))
    assert certain > among_few > among_fewer


def test_how_its_lines_compare_with_others_is_no_sign_against_a_text():
    assert against({LEAD: 2.0, "a line is never reached": 1.0}) == "a line is never reached"
    assert against({LEAD: 2.0}) is against({LEAD: -2.0}) is None


@pytest.mark.parametrize("sign", [IDLE_AS_SAID, FOUND_APART, UNLIKE])
def test_a_sign_set_by_hand_tells_between_texts_and_nothing_of_others(sign):
    found = {sign.name: 1.0}
    assert weighed([0.9], [found], likely=True) == pytest.approx(weighed([0.9], [{}]))
    assert weighed([0.9], [found]) < weighed([0.9], [{}])
    one, other = weighed([0.5, 0.4], [found, {}], likely=True)
    assert one < other


def test_that_no_text_has_a_new_line_for_what_is_shown_apart_tells_of_others_too():
    assert weighed([0.9], [{TORN_APART.name: 1.0}], likely=True) < weighed([0.9], [{}])


def test_that_an_import_goes_with_its_uses_makes_no_other_place_surer():
    told = {GOES_WITH_USES: 1.0}
    assert weighed([0.65], [told]) == pytest.approx(weighed([0.65], [{}]))
    one, other = weighed([0.5, 0.4], [told, {}])
    assert one > other
