"""What is said above an edit, and whether it tells that it is not to be made."""

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes import ChangeRequest, ChangeResult, change
from fastedit.formats.withheld import score, traits, withheld
from fastedit.result import Status
from tests.engine.test_changes import TEXT, Memory


@pytest.mark.parametrize(
    "line",
    [
        "Don't write this in `src/a.py`:",
        "Until last week `src/a.py` used to contain:",
        "**src/a.py** (before)",
        "### Option B: a helper",
        "Does your `src/a.py` by any chance contain this?",
        "If you would rather have logging, add this to `src/a.py`:",
        "Это не нужно менять в `src/a.py`, раньше было так:",
    ],
)
def test_denial_the_past_conditions_alternatives_and_questions_tell_that_an_edit_is_not_to_be_made(line: str):
    assert score(line) > 0


@pytest.mark.parametrize(
    "line",
    [
        "src/a.py",
        "In `src/a.py`, add:",
        "**src/a.py** (new):",
        "Change `src/a.py` so that it does not crash on an empty list:",
        "In `src/a.py`, replace the old function with:",
        "Don't forget the import in `src/a.py`:",
        "Jetzt noch `src/a.py`:",
        "### 3. Configure the endpoints",
        "To this:",
        "with the following code:",
        "Altere para:",
    ],
)
def test_words_of_denial_and_the_past_in_what_an_edit_does_tell_nothing(line: str):
    assert score(line) < 0


def test_the_last_sentence_counts_with_all_paths_as_one_word():
    assert traits("It was wrong. In `src/a.py`, add:") == traits("- **In lib/b.rs, add:**")


def test_a_line_above_a_path_alone_counts_where_it_introduces_the_edit():
    block = ["<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"]
    lines = ["My first idea was this:", "", "a.py", *block, "", "I had this at first.", "", "a.py", *block]
    found = list(withheld(lines, [range(2, 8), range(11, 17)]))
    assert [start for start, _ in found] == [2]
    assert "`My first idea was this:`" in found[0][1]


def _changed(message: str) -> ChangeResult:
    return change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT}))


def test_an_edit_that_may_not_be_meant_holds_its_file_back():
    said = "You should not put this in `a.py`:\n\n```python\na = 1\nb = 3\n```\n"
    result = _changed(said)
    assert result.status is Status.SUSPECT
    assert "may say that it is not to be made" in result.reasons[0]


def test_a_fence_of_code_that_is_there_holds_nothing_back_whatever_is_said_of_it():
    message = f"`a.py` currently has:\n\n```python\n{TEXT}```\n\nc.py\n```python\nc = 1\n```\n"
    assert _changed(message).status is Status.OK
