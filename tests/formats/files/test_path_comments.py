"""Comments in code fences that are the path of a file."""

import pytest

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Beside
from fastedit.formats.files.path_comments import parts, path_in_comment, without_label


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("# lib/a.ex", "elixir"),
        ("-- db/a.sql", "sql"),
        ("<!-- src/a.html -->", "html"),
        ("// src/a.scss", ""),
        ("# filepath: src/a.js", "python"),
    ],
)
def test_a_path_of_a_language_that_is_not_known_is_one_in_any_comment_of_its_fence(line: str, info: str):
    assert path_in_comment(line, info) == next(word for word in line.split() if "/" in word and "." in word)


@pytest.mark.parametrize("line", ["# data/input.csv", "# main.tf", "# see lib/a.ex"])
def test_a_comment_of_a_known_language_that_names_other_things_is_no_path(line: str):
    assert path_in_comment(line, "python") is None


def test_a_label_for_the_path_is_no_part_of_a_new_file():
    assert without_label("// File: src/a.js\nx = 1\n", "src/a.js") == "x = 1\n"
    assert without_label("// File: src/a.js\nx = 1\n", "src/b.js") == "// File: src/a.js\nx = 1\n"


SEVERAL = ["# a.py", "a = 1", "", "# lib/b.py", "b = 1", "", "# c.py (new)", "", "c = 1"]


def test_each_comment_with_another_path_begins_the_next_file_below_one_with_the_first():
    assert parts("whole", "a.py", "python", SEVERAL) == [
        ("a.py", ["# a.py", "a = 1"]),
        ("lib/b.py", ["# lib/b.py", "b = 1"]),
        ("c.py", ["c = 1"]),
    ]


def test_a_comment_that_the_file_has_or_that_stands_deeper_begins_no_other_file():
    lines = ["# a.py", "def f():", "    # lib/b.py", "    return 1", "# c.py", "c = 1", "# a.py"]
    beside = Beside(has_one_of=lambda path, lines: path == "a.py" and lines == ["# c.py"])
    assert parts("whole", "a.py", "python", lines, beside) == [("a.py", lines)]


def test_a_first_comment_has_the_folder_that_the_path_above_the_fence_lacks():
    lines = ["# filepath: lib/b.py", "b = 1"]
    assert parts("whole", "b.py", "python", lines, Beside(is_file="lib/b.py".__eq__)) == [
        ("lib/b.py", ["b = 1"])
    ]
    with pytest.raises(UnreadableEdit, match="names another file"):
        parts("whole", "b.py", "python", lines, Beside(is_file=["b.py", "lib/b.py"].__contains__))


def test_a_comment_with_the_path_of_another_file_below_a_path_above_the_fence_is_refused():
    lines = ["a = 1", "", "# lib/b.py", "b = 1"]
    assert parts("whole", "a.py", "python", lines) == [("a.py", lines)]
    with pytest.raises(UnreadableEdit, match=r"`# lib/b.py` in the code fence of a.py names another file"):
        parts("whole", "a.py", "python", lines, Beside(is_file="lib/b.py".__eq__))
