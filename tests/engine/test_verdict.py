from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Status
from fastedit.edit import doubts
from fastedit.edit.hunks import Hunk
from fastedit.edit.result import EditResult, Receipt
from fastedit.engine.calibration import Calibration
from fastedit.engine.plan import MORE, make_plan
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


RENAME = {"instruction": "rename load to read"}
UPDATE = {"update": "# ...\ndef save(path):\n    return 3\n"}
UNSURE = Calibration(middle=5.0, slope=1.0, suspect=0.9)


def _judged(wish: dict[str, str], hunks: tuple[Hunk, ...], margin: float) -> EditResult:
    plan = make_plan(EditRequest(Document.from_text(SOURCE), **wish))
    return judge(plan, hunks, (), Receipt(model="own", passes=1, margin=margin), UNSURE)


@pytest.mark.parametrize(("margin", "status"), [(9.0, Status.OK), (6.0, Status.SUSPECT)])
def test_an_answer_of_which_the_model_is_unsure_is_doubted(margin, status):
    result = _judged(RENAME, (Hunk(0, 1, ("def read(path):",)),), margin)
    assert result.status is status
    assert result.receipt.confidence == UNSURE.confidence(margin)
    assert any(reason.startswith("the model is unsure") for reason in result.reasons) == (
        status is Status.SUSPECT
    )


def test_a_merge_that_says_the_same_outweighs_the_models_doubt():
    assert _judged(UPDATE, (Hunk(5, 6, ("    return 3",)),), 0.1).status is Status.OK


STEPS = "".join(f"    step_{number}(path)\n" for number in range(12))
RUN = f"{SOURCE}\n\ndef run(path):\n    begin(path)\n{STEPS}    finish_all_of_it(path)\n    return path\n"


@pytest.mark.parametrize(
    ("update", "doubt"),
    [
        (
            "# ...\ndef run(path):\n    begin(path)\n    finish_all_of_it(path)\n    return path\n",
            doubts.MANY_OMITTED,
        ),
        ("# ...\ndef run(path):\n    begin(path, 1)\n", doubts.OPEN_END),
        ("def run(path):\n    begin(path, 1)\n    step_0(path)\n", doubts.NO_MARKERS),
        ("# ...\ndef run(path):\n    begin(path, 1)\n    ...\n    return path\n# ...\n", doubts.DOTS),
    ],
)
def test_a_small_model_that_agrees_with_the_merge_does_not_settle_what_the_sketch_leaves_open(update, doubt):
    plan = make_plan(EditRequest(Document.from_text(RUN), update=update))
    assert doubt in plan.doubts
    receipt = Receipt(model="own", passes=1, margin=9.0)
    assert doubt in judge(plan, plan.predicted, (), receipt, UNSURE).reasons
    larger = judge(plan, plan.predicted, (), receipt)
    assert doubt not in larger.reasons, "a larger one reads for itself"


STILL_USED = {"instruction": "remove the parameter path from load"}
USING = "def load(path):\n    return open(path)\n"


def test_an_embedded_model_does_not_outweigh_what_code_makes_of_an_instruction_and_doubts():
    plan = make_plan(EditRequest(Document.from_text(USING, Path("load.py")), **STILL_USED))
    assert plan.doubts
    other = (Hunk(1, 2, ("    return open()",)),)
    receipt = Receipt(model="own", passes=1, margin=9.0)
    result = judge(plan, other, (), receipt, UNSURE)
    assert result.text == "def load():\n    return open(path)\n"
    assert result.alternative == other
    assert result.reasons == ("the model and the predicted edit disagree", "`path` is still used on line 2")
    assert judge(plan, other, (), receipt).hunks == other, "a larger one reads for itself"


def test_a_small_model_that_agrees_does_not_settle_what_an_unknown_word_says():
    document = Document.from_text(SOURCE, Path("load.py"))
    plan = make_plan(EditRequest(document, instruction="`load` should henceforth be async"))
    assert doubts.UNKNOWN_WORD in plan.doubts
    receipt = Receipt(model="own", passes=1, margin=9.0)
    assert judge(plan, plan.predicted, (), receipt, UNSURE).reasons == (doubts.UNKNOWN_WORD,)
    assert judge(plan, plan.predicted, (), receipt).status is Status.OK


def test_a_merge_does_not_answer_an_instruction_that_asks_for_more():
    asked, told = (
        make_plan(EditRequest(Document.from_text(SOURCE), **UPDATE, instruction=instruction))
        for instruction in ("also rename load to read", "return 3 from save")
    )
    assert MORE in asked.doubts
    assert MORE not in told.doubts
    assert [(r.start, r.stop) for r in asked.ranges] == [(0, 2), (4, 6)]
    both = (Hunk(0, 1, ("def read(path):",)), Hunk(5, 6, ("    return 3",)))
    assert judge(asked, both, (), Receipt(model="own", passes=1)).status is Status.OK
    assert judge(told, both, (), Receipt(model="own", passes=1)).status is Status.SUSPECT


@pytest.mark.parametrize(
    ("instruction", "doubted"),
    [
        ("make save async", True),  # all that it names is shown, and yet it is not done
        ("return 3 from save", False),
        ("in save, return 3 from Store", False),  # the block around the change is named to say where
        ("in save, raise a KeyError", True),
    ],
)
def test_a_merge_is_doubted_where_it_leaves_out_what_the_instruction_says(instruction, doubted):
    source = SOURCE.replace("def save", "class Store:\n    def save").replace(
        "    return 2", "        return 2"
    )
    request = EditRequest(
        Document.from_text(source, Path("store.py")),
        update="# ...\n    def save(self):\n        return 3\n",
        instruction=instruction,
    )
    assert (MORE in make_plan(request).doubts) == doubted


def test_a_model_that_leaves_out_what_the_instruction_asks_besides_is_held_back_though_the_merge_agrees():
    wish = UPDATE | {"instruction": "also rename load to read"}
    result = _judged(wish, (Hunk(5, 6, ("    return 3",)),), 9.0)
    assert result.reasons == (MORE,)
    assert _judged(UPDATE, (Hunk(5, 6, ("    return 3",)),), 9.0).status is Status.OK


TALKING = """\
def greet(name):
    if name is None:
        return None
    text = build(name)
    return text
"""
SHOWN = "# ...\n    text = build(name, short=True)\n    return text\n"


def _merged(update: str, instruction: str) -> EditResult:
    request = EditRequest(
        Document.from_text(TALKING, Path("greet.py")), update=update, instruction=instruction, policy="merge"
    )
    plan = make_plan(request)
    return judge(plan, plan.predicted, plan.doubts, Receipt())


def test_an_instruction_may_change_what_the_update_shows():
    result = _merged(SHOWN, "apply the update and call `make_text` instead of `build`")
    assert result.text == TALKING.replace("build(name)", "make_text(name, short=True)")
    assert not any("is not in the result" in reason for reason in result.reasons)


@pytest.mark.parametrize("shown", ["if name is None:", "if name is not None:"])
def test_a_wish_that_names_only_what_the_update_shows_is_carried_out_unless_the_update_did(shown):
    update = f"def greet(name):\n    {shown}\n        return ''\n    # ...\n"
    result = _merged(update, "negate the condition `name is None`")
    assert "    if name is not None:\n        return ''\n" in result.text
    assert result.status is Status.SUSPECT
