from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, LineRange, Status
from fastedit.engine.edits.calibration import Calibration
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.edits.verdict import UNCONFIRMED, judge, judge_predicted
from fastedit.errors import OperationRefused
from fastedit.ops import from_json
from fastedit.result import EditResult, Receipt
from fastedit.source.hunks import Hunk

SOURCE = "def load(path):\n    return 1\n\n\ndef save(path):\n    return 2\n"


NOTHING = (
    "the embedded model changes nothing: the instruction is not a command such as `rename load to read`; "
    "connect a strong model"
)


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
    plan = EditPlan(EditRequest(Document.from_text(SOURCE), **wish))
    result = judge(plan, (), (), Receipt(passes=passes))
    assert result.status is status
    assert result.reasons == (NOTHING,) * (status is Status.SUSPECT)


RENAME = {"instruction": "rename load to read"}
UPDATE = {"update": "# ...\ndef save(path):\n    return 3\n"}
UNSURE = Calibration(middle=5.0, slope=1.0, suspect=0.9)


def _judged(wish: dict[str, str], hunks: tuple[Hunk, ...], margin: float) -> EditResult:
    plan = EditPlan(EditRequest(Document.from_text(SOURCE), **wish))
    return judge(plan, hunks, (), Receipt(model="own", passes=1, margin=margin), UNSURE)


@pytest.mark.parametrize(("margin", "unsure"), [(9.0, False), (6.0, True)])
def test_an_answer_of_which_the_model_is_unsure_is_doubted(margin, unsure):
    result = _judged(UPDATE | {"policy": "model"}, (Hunk(5, 6, ("    return 4",)),), margin)
    assert result.receipt.confidence == UNSURE.confidence(margin)
    assert any(reason.startswith("the model is unsure") for reason in result.reasons) == unsure


def test_what_nothing_but_an_embedded_model_makes_of_words_is_held_back_however_sure_it_is():
    plan = EditPlan(EditRequest(Document.from_text(SOURCE), instruction="let load give 3"))
    hunks, receipt = (Hunk(1, 2, ("    return 3",)),), Receipt(model="own", passes=1, margin=99.0)
    result = judge(plan, hunks, (), receipt, UNSURE)
    assert result.status is Status.SUSPECT
    (reason,) = result.reasons
    assert reason.startswith(UNCONFIRMED)
    assert judge(plan, hunks, (), replace(receipt, margin=0.1), UNSURE).reasons == (reason,), "nor how unsure"
    assert judge(plan, hunks, (), receipt, strong=True).status is Status.OK, "a larger one may be connected"
    assert judge(plan, hunks, (), receipt).status is Status.SUSPECT, (
        "one that is not calibrated yet is as unsure"
    )


def test_a_merge_that_says_the_same_outweighs_the_models_doubt():
    assert _judged(UPDATE, (Hunk(5, 6, ("    return 3",)),), 0.1).status is Status.OK


TWICE = """\
class Store:
    def load(self):
        return self.items


class Cache:
    def load(self):
        return self.items
"""


def test_a_small_model_that_agrees_with_one_of_two_readings_does_not_settle_which():
    plan = EditPlan(
        EditRequest(Document.from_text(TWICE), update="    def load(self):\n        return self.all\n")
    )
    assert plan.doubts
    receipt = Receipt(model="own", passes=1, margin=9.0)
    assert set(plan.doubts) <= set(judge(plan, plan.predicted, (), receipt, UNSURE).reasons)
    assert judge(plan, plan.predicted, (), receipt, strong=True).status is Status.OK, "it reads for itself"


@pytest.mark.parametrize("instruction", ["return 3 from save", "also rename load to read", "negate it"])
def test_an_instruction_beside_an_update_describes_it_and_casts_no_doubt(instruction):
    document = Document.from_text(SOURCE)
    alone = judge_predicted(EditPlan(EditRequest(document, update=UPDATE["update"])), Receipt())
    told = judge_predicted(
        EditPlan(EditRequest(document, update=UPDATE["update"], instruction=instruction)), Receipt()
    )
    assert told.status is alone.status
    assert told.text == alone.text == SOURCE.replace("return 2", "return 3")


DELETION = {"instruction": "delete load"}
USING = "def load(path):\n    return open(path)\n\n\ndef main():\n    load(1)\n"
DELETED = "def main():\n    load(1)\n"


@pytest.mark.parametrize("policy", ["merge", "auto"])
def test_what_an_exact_command_leaves_is_told_as_it_is_of_a_typed_operation_and_casts_no_doubt(policy):
    document = Document.from_text(USING, Path("load.py"))
    typed = (from_json({"op": "delete", "target": "load"}),)
    for request in (
        EditRequest(document, policy=policy, **DELETION),
        EditRequest(document, operations=typed),
    ):
        result = Engine.load().apply(request)
        assert (result.status, result.reasons, result.text) == (Status.OK, (), DELETED)
        assert [str(place) for place in result.left] == ["line 6: still uses `load`: load(1)"]


@pytest.mark.parametrize("narrowed", [{"symbol": "load"}, {"lines": LineRange(0, 2)}])
@pytest.mark.parametrize("policy", ["merge", "auto", "model"])
def test_a_command_that_changes_more_than_its_lines_is_refused_and_no_model_is_asked(narrowed, policy):
    document = Document.from_text(USING, Path("load.py"))
    with pytest.raises(OperationRefused, match=r"file line 6 would change, .* widen them"):
        EditPlan(EditRequest(document, instruction="rename load to read", policy=policy, **narrowed))


TWO = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"


@pytest.mark.parametrize(
    ("command", "operation", "lines"),
    [
        ("replace `x = 1` with `x = 2`", {"op": "replace", "old": "x = 1", "new": "x = 2"}, {6: "    x = 2"}),
        (
            "replace every `1` with `2`",
            {"op": "replace", "old": "1", "new": "2", "every": True},
            {6: "    x = 2"},
        ),
        ("rename x to y", {"op": "rename", "target": "x", "new": "y"}, {6: "    y = 1", 7: "    return y"}),
    ],
)
def test_of_several_things_a_command_or_operation_takes_the_one_in_the_lines_that_may_change(
    command, operation, lines
):
    document = Document.from_text(TWO, Path("two.py"))
    for said in ({"instruction": command}, {"operations": (from_json(operation),)}):
        result = Engine.load().apply(EditRequest(document, lines=LineRange(5, 8), **said))
        new = result.text.split("\n")
        changed = {i: new[i] for i, line in enumerate(document.lines) if new[i] != line}
        assert (result.status, changed) == (Status.OK, lines)
