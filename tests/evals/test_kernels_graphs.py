from __future__ import annotations

import pytest

from fastedit.model.buckets import MOST
from tests.kernels.helpers import needs_triton


@needs_triton
@pytest.mark.parametrize("model", ["0.5B", "7B"])
def test_the_graphs_of_each_card_follow_from_its_data_sheet_and_fit_into_its_memory(model):
    from evals.kernels.targets import CARDS, graphs_of

    found = {card: graphs_of(card, model) for card in CARDS}
    for one in found.values():
        assert one.rows[:3] == (2, 4, 9)  # the rows that tiles of 16, 32 and 64 queries hold of 7 heads each
        assert one.logits <= one.memory
    # An RTX 5090 has the fewest operations a byte of these, a B200 the most.
    assert min(found.values(), key=lambda one: one.rows[3]).card == "sm_120"
    assert max(found.values(), key=lambda one: one.rows[3]).card == "sm_100"


@needs_triton
def test_a_card_that_a_model_nearly_fills_has_graphs_of_the_longest_passes_too():
    from evals.kernels.targets import graphs_of

    assert graphs_of("sm_89", "7B").rows[-1] == MOST
