"""Two code fences of which the second replaces the first, or comes next to it, by the words around them."""

from __future__ import annotations

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, change
from fastedit.formats.files.withheld import says
from fastedit.result import Status
from tests.engine.test_changes import Memory

FILE = """import os


def load(path):
    check(path)
    data = open(path).read()
    log(path)
    audit(path)
    return data
"""
OLD = "    data = open(path).read()\n    log(path)\n    audit(path)\n"
NEW = "    data = open(path, 'rb').read()\n    log(path)\n"
CHECK, LOG = "    check(path)\n", "    log(path)\n"


def _pair(above: str, old: str, between: str, new: str) -> ChangeResult:
    message = f"{above}\n\n```python\n{old}```\n\n{between}\n\n```python\n{new}```\n"
    return change(Engine(), ChangeRequest(message), Memory({"a.py": FILE}))


def _text(result: ChangeResult) -> str | None:
    [file] = result.files
    return file.after.text if result.status is Status.OK and file.after is not None else None


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("### `a.py`\n\nChange", "to"),
        ("In `a.py`, change this:", "so that it reads:"),
        ("1. Open `a.py` and look for", "and turn it into"),
        ("In `a.py`:\n\nBefore:", "After:"),
        ("**a.py**\n\nCurrently it is:", "#### New version"),
        ("The reader in `a.py` decodes, which it need not.\n\nOld code:", "should be updated to"),
        ("En `a.py`, cambia esta línea:", "por esta otra:"),
    ],
)
def test_what_the_second_fence_lacks_of_the_first_one_goes(above: str, between: str):
    assert _text(_pair(above, OLD, between, NEW)) == FILE.replace(OLD, NEW)


@pytest.mark.parametrize(
    ("above", "between", "is_below"),
    [
        ("### `a.py`\n\nAfter this line:", "add:", True),
        ("In `a.py`, right below", "insert this", True),
        ("`a.py`\n\nFind:", "and add below it:", True),
        ("In `a.py`, above", "add", False),
        ("### `a.py`\n\nLook for:", "Add before it:", False),
    ],
)
def test_words_of_a_place_say_where_the_second_fence_comes_and_that_nothing_goes(
    above: str, between: str, is_below: bool
):
    added = LOG + "    trace(path)\n" if is_below else "    trace(path)\n" + LOG
    assert _text(_pair(above, LOG, between, "    trace(path)\n")) == FILE.replace(LOG, added)


def test_an_old_text_that_the_file_does_not_have_is_refused_like_that_of_a_block():
    result = _pair("### `a.py`\n\nChange", OLD.replace("open", "read"), "to", NEW)
    assert result.status is Status.SUSPECT
    assert "its old text is not in the file" in result.reasons[0]


def test_a_whole_block_is_not_put_in_place_of_one_of_its_lines():
    result = _pair("In `a.py`, find", "def load(path):\n", "and replace it with", FILE[11:].replace(OLD, NEW))
    assert "which stands next to its old text at line 5" in result.reasons[0]


def test_comments_at_the_head_of_the_fences_say_it_too():
    message = f"`a.py`:\n\n```python\n# Before\n{OLD}```\n\n```python\n# After\n{NEW}```\n"
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": FILE}))
    assert _text(result) == FILE.replace(OLD, NEW)


def test_markers_in_both_fences_stand_for_lines_that_stay():
    old, new = (
        f"def load(path):\n    # ... existing code ...\n{text}    return data\n"
        for text in ("    audit(path)\n", "    audit(data)\n")
    )
    assert _text(_pair("### `a.py`\n\nChange", old, "to", new)) == FILE.replace("audit(path)", "audit(data)")


@pytest.mark.parametrize(
    "above", ["Optionally, in `a.py`, change", "In `a.py`, move", "Do not change this in `a.py`:"]
)
def test_words_that_leave_the_edit_open_or_do_something_else_make_no_pair(above: str):
    with pytest.raises(Exception, match="nothing says which file"):
        _pair(above, CHECK, "to", "    trace(path)\n")


@pytest.mark.parametrize(
    "words",
    [
        "Change the return to:",
        "and in `save`:",
        "Then call it:",
        "Here is the full updated function:",
        "The new test:",
        "Usage:",
    ],
)
def test_words_for_another_edit_or_a_part_do_not_say_that_it_takes_the_place_of_what_is_above(words: str):
    assert says("instead", words) < 0
    assert says("adds", words) < 0


def test_what_is_said_to_go_in_words_that_the_code_ends_is_held_back_too():
    result = _pair(f"### `a.py`\n\nDelete\n\n```python\n{CHECK}```\n\nand change", OLD, "to", NEW)
    assert result.status is Status.SUSPECT
    assert "may say that its lines go" in result.reasons[0]
