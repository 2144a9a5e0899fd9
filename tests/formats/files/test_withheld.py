"""What is said above an edit, and whether it tells that it is not to be made."""

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, change
from fastedit.formats.files.withheld import (
    removals,
    says,
    sentences,
    traits,
    withdrawn,
    withheld,
)
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
        "When the other release is out, `src/a.py` will get:",
        "In a later version we can extend `src/a.py` with:",
    ],
)
def test_denial_the_past_conditions_alternatives_and_questions_tell_that_an_edit_is_not_to_be_made(line: str):
    assert says("above", line) > 0


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
    assert says("above", line) < 0


def test_the_last_sentence_counts_with_all_paths_as_one_word():
    assert traits(sentences("It was wrong. In `src/a.py`, add:")[-1]) == traits(
        sentences("- **In lib/b.rs, add:**")[-1]
    )
    assert says("above", "It was wrong. In `src/a.py`, add:") == says("above", "- **In lib/b.rs, add:**")


def test_a_line_above_a_path_alone_counts_where_it_introduces_the_edit():
    block = ["<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"]
    lines = ["My first idea was this:", "", "a.py", *block, "", "I had this at first.", "", "a.py", *block]
    found = list(withheld(lines, [range(2, 8), range(11, 17)]))
    assert [start for start, _ in found] == [2]
    assert "`My first idea was this:`" in found[0][1]


def _changed(message: str) -> ChangeResult:
    return change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT}))


@pytest.mark.parametrize(
    "sentence",
    [
        "Oh wait, drop the edit above.",
        "On second thought, `src/a.py` should stay as it was.",
        "Sorry, that patch is wrong.",
        "Please ignore my first block:",
        "Actually, we should not create that file.",
        "Never mind, leave that out.",
        "Actually, ignore the second block, save is used with other formats too.",
        "Note: the second block is optional.",
        "(Only one of these two blocks should be applied.)",
    ],
)
def test_words_of_a_mistake_and_of_second_thoughts_take_an_edit_back(sentence: str):
    assert says("below", sentence) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Wait, the test needs the import too:",
        "Actually, `src/b.py` has to change as well:",
        "The old loader was wrong because it ignored the encoding.",
        "Don't forget to ignore the cache in `.gitignore`.",
        "No change is needed in `src/b.py`.",
        "Ignore blank lines in `src/b.py`:",
        "The edit above makes the old call fail, so fix that too:",
        "The first block adds the parameter, the second one uses it.",
        "Note: the second argument is optional now.",
    ],
)
def test_words_on_what_an_edit_does_or_on_further_edits_take_nothing_back(sentence: str):
    assert says("below", sentence) < 0


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Also delete `b.py`; it isn't used any more.", True),
        ("Rename `b.py` to `c.py`.", True),
        ("I removed the unused import from `b.py`.", False),
        ("Do not delete `b.py`.", False),
        ("Delete `missing.py`.", False),
        ("Delete `a.py`.", False),
    ],
)
def test_a_note_tells_that_a_file_stays_which_words_beside_the_edits_say_goes(sentence: str, left: bool):
    message = f"a.py\n<<<<<<< SEARCH\n{TEXT}=======\n# new\n{TEXT}>>>>>>> REPLACE\n\n{sentence}\n"
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT, "b.py": TEXT}))
    assert result.status is Status.OK
    assert any("b.py goes or gets another name" in note for note in result.notes) is left


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("Next, we need a new file called `src/a.py`:", True),
        ("### 2. Create a small module, `src/a.py`", True),
        ("Save the following as `src/a.py`:", True),
        ("Neue Datei `src/a.py`:", True),
        ("In `src/a.py`, add a new function:", False),
        ("The new version of `src/a.py`:", False),
        ("The build creates `src/a.py`:", False),
        ("It works as in `src/a.py`:", False),
    ],
)
def test_words_on_a_file_tell_whether_it_is_new(line: str, new: bool):
    assert (says("new", line) > 0) is new


def test_what_stands_below_the_next_edit_or_fence_takes_nothing_back():
    block = ["a.py", "<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"]
    lines = [
        *block,
        "",
        "It is done.",
        "```sh",
        "make",
        "```",
        "Please ignore that.",
        *block,
        "",
        "Ignore the edit above.",
    ]
    last = range(12, 18)
    assert [rows for rows, _ in withdrawn(lines, [range(6), last])] == [last]


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Remove the old helper from `a.py`:", True),
        ("Remove `b` from `a.py`:", True),
        ("Remove the call of `print` in `a.py`:", False),
        ("Replace the old helper in `a.py` with:", False),
        ("The new delete handler in `a.py`:", False),
    ],
)
def test_code_that_is_there_below_words_of_its_removal_may_go_unless_they_name_another(
    line: str, counts: bool
):
    assert bool(list(removals([line, "", "```python", "b = 2", "```"], [range(2, 5)]))) is counts


def test_a_fence_of_lines_that_are_to_go_holds_its_file_back_where_it_changes_nothing():
    result = _changed(f"Remove these lines from `a.py`:\n\n```python\n{TEXT}```\n")
    assert result.status is Status.SUSPECT
    assert "may say that its lines go, and the file has them" in result.reasons[0]


def test_an_edit_that_is_taken_back_below_holds_its_file_back_and_no_other():
    first, other = "a.py\n```python\na = 1\nb = 3\n```\n", "c.py\n```python\nc = 1\n```\n"
    result = _changed(f"{first}\nNo wait, that edit is wrong, leave it out.\n\n{other}")
    assert result.status is Status.SUSPECT
    (reason,) = result.reasons
    assert reason.startswith(
        "a.py: update line 7: `No wait, that edit is wrong, leave it out.` may take back"
    )


def test_an_edit_that_may_not_be_meant_holds_its_file_back():
    said = "You should not put this in `a.py`:\n\n```python\na = 1\nb = 3\n```\n"
    result = _changed(said)
    assert result.status is Status.SUSPECT
    assert "may say that it is not to be made" in result.reasons[0]


def test_a_fence_of_code_that_is_there_holds_nothing_back_whatever_is_said_of_it():
    message = f"`a.py` currently has:\n\n```python\n{TEXT}```\n\nc.py\n```python\nc = 1\n```\n"
    assert _changed(message).status is Status.OK


@pytest.mark.parametrize(
    ("lead", "status"),
    [
        ("Add the import:", Status.SUSPECT),
        ("Also import it in `c.php`:", Status.SUSPECT),
        ("Change the import:", Status.OK),
    ],
)
def test_an_edit_that_is_said_to_add_an_import_takes_none_away(lead: str, status: Status):
    before = "<?php\nuse Slim\\App;\nuse Slim\\Http\\Request;\n\nclass C {}\n"
    message = f"### `c.php`\n\n{lead}\n\n```php\nuse Slim\\Http\\Response;\n```\n"
    assert change(Engine(), ChangeRequest(message), Memory({"c.php": before})).status is status


@pytest.mark.parametrize(
    "line", ["Add a timeout to `load`:", "Change the import:", "Update the imports in `src/a.py`:"]
)
def test_words_for_a_change_of_lines_do_not_say_that_none_goes(line: str):
    assert says("added", line) < 0
