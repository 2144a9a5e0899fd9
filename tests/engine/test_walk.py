"""An edit is read once: what was parsed or aligned is passed on."""

from __future__ import annotations

import pytest

from tests.engine.walk import EDITS, walked

MOST_PACKAGES, MOST_RETURNS = 18, 20


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_parses_each_text_once_aligns_a_sketch_once_and_leads_through_few_packages(name):
    walk = walked(EDITS[name])
    assert set(walk.parsed.values()) == {1}
    assert walk.aligned == (name == "sketch")
    assert len(walk.rooms) <= MOST_PACKAGES
    assert walk.returns <= MOST_RETURNS
