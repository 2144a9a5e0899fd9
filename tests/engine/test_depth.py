"""How deep the lines stand that a model wrote of a region alone."""

from __future__ import annotations

import pytest

from fastedit.engine.answers.depth import at_depth

METHOD = ["    def size(self):", "        return len(self.notes)"]
CHANGED = ["    def size(self):", "        return len(self.notes or ())"]
YAML = ["  build:", "    steps:", "      - run: make", "      - run: make test"]


def _moved(lines, width):
    return [" " * width + line if width > 0 else line[-width:] for line in lines]


@pytest.mark.parametrize("width", [-4, -2, 4])
def test_a_region_that_is_written_at_another_depth_as_a_whole_takes_the_depth_of_the_file(width):
    assert at_depth(METHOD, _moved(CHANGED, width)) == CHANGED


@pytest.mark.parametrize(
    ("old", "new", "placed"),
    [
        (["        b(y)"], ["b(y + 1)"], ["        b(y + 1)"]),
        (
            YAML,
            [*_moved(YAML[:3], -2), "    - run: make test V=1"],
            [*YAML[:3], "      - run: make test V=1"],
        ),
        (
            ["\tdef size(self):", "\t\treturn 1"],
            ["def size(self):", "\treturn 2"],
            ["\tdef size(self):", "\t\treturn 2"],
        ),
        (
            METHOD,
            ["", "def size(self):", "", "    return 2"],
            ["", "    def size(self):", "", "        return 2"],
        ),
    ],
)
def test_a_line_alone_keys_and_lines_with_tabs_are_moved_alike(old, new, placed):
    assert at_depth(old, new) == placed


@pytest.mark.parametrize(
    "new",
    [
        ["def size(self):", "        return len(self.notes)"],
        ["def size(self, wide):", "        return 2"],
    ],
)
def test_a_first_line_that_lost_its_blanks_alone_gets_them_back(new):
    assert at_depth(METHOD, new) == [f"    {new[0]}", new[1]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (METHOD, CHANGED),
        (METHOD, ["    with self.lock:", "        x()"]),
        (["        x = 1", "    y = 2"], ["    y = 2"]),
        (["        x = 1", "    y = 2", "    z = 3"], ["    y = 3", "    z = 3"]),
        ([], ["x = 1"]),
        (METHOD, [""]),
    ],
)
def test_lines_that_stand_where_the_file_has_them_stay(old, new):
    assert at_depth(old, new) == new


@pytest.mark.parametrize(
    "new",
    [
        ["import json", "", *CHANGED],
        ["def size(self):", '    """', "    All", "        return len(self.notes)", "  x"],
        ["  def size(self):", "return len(self.notes)"],
    ],
)
def test_lines_of_which_only_some_stand_at_another_depth_have_none(new):
    assert at_depth(METHOD, new) is None
