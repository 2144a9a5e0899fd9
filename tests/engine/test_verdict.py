from __future__ import annotations

import pytest

from fastedit import Document, EditRequest, Status
from fastedit.edit.result import Receipt
from fastedit.engine.plan import make_plan
from fastedit.engine.verdict import judge

SOURCE = "def load(path):\n    return 1\n\n\ndef save(path):\n    return 2\n"


@pytest.mark.parametrize(
    ("wish", "passes", "status"),
    [
        ({"instruction": "tidy load up"}, 1, Status.SUSPECT),  # it may have failed to do anything
        (
            {"update": "# ...\ndef save(path):\n    return 2\n"},
            1,
            Status.UNCHANGED,
        ),  # it is all there already
        ({"update": "# ...\ndef save(path):\n    return 2\n"}, 0, Status.UNCHANGED),
    ],
)
def test_an_answer_that_changes_nothing_is_doubted_where_only_words_asked_for_it(wish, passes, status):
    plan = make_plan(EditRequest(Document.from_text(SOURCE), **wish))
    result = judge(plan, (), (), Receipt(passes=passes))
    assert result.status is status
    assert ("the model changed nothing" in result.reasons) == (status is Status.SUSPECT)
