import pytest

from fastedit.edit.instruction import Insertion, Instruction, Rename, Replacement


@pytest.mark.parametrize(
    ("text", "rename"),
    [
        ("rename `load` to `read`", Rename("load", "read", True)),
        ("Rename the variable load -> read.", Rename("load", "read", True)),
        ("rename every use of 'load' to 'read'", Rename("load", "read", True)),
        ("change the name of load to read", Rename("load", "read", True)),
        ("load should be called read", Rename("load", "read", True)),
        ("use the name `read` instead of `load`", Rename("load", "read", True)),
        ("call it read rather than load", Rename("load", "read", True)),
        ("rename Store.load to read in `Store`", Rename("Store.load", "read", True)),
        ("rename load to read and add a docstring", Rename("load", "read", False)),
        ("add a function to rename files to lower case", None),
        ("load the file", None),
    ],
)
def test_a_rename_is_read_in_many_wordings(text, rename):
    assert Instruction(text).rename == rename


@pytest.mark.parametrize(
    ("text", "replacement"),
    [
        ("replace `a.b` with `c()`", Replacement("a.b", "c()")),
        ('swap "x" for `"y"` in load.', Replacement('"x"', '"y"')),
        ("use `json.loads` instead of `eval`", Replacement("eval", "json.loads")),
        ("change `timeout` to `30`", None),
        ("replace the whole thing with a better one", None),
    ],
)
def test_a_replacement_is_one_piece_for_another_and_nothing_else(text, replacement):
    assert Instruction(text).replacement == replacement


@pytest.mark.parametrize(
    ("text", "insertion"),
    [
        ("after `x = 1` add: `y = 2`", Insertion("x = 1", False, ("y = 2",))),
        ("Insert before the line `x = 1`:\ny = 2\n\nz = 3", Insertion("x = 1", True, ("y = 2", "z = 3"))),
        ("after `x = 1` add a check for errors", None),
    ],
)
def test_an_insertion_tells_line_side_and_code(text, insertion):
    assert Instruction(text).insertion == insertion


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("delete the function `load()`", "load"),
        ("get rid of load", "load"),
        ("load_all is no longer needed, remove it", "load_all"),
        ("remove the parameter 'x' from load", "x"),
    ],
)
def test_what_is_to_go_is_named_behind_the_verb(text, name):
    deleted = Instruction(text).deleted
    assert deleted is not None
    assert deleted.text == name


def test_words_in_quotes_are_code_and_not_the_sentence():
    said = Instruction('add the docstring "Remove line 3 and delete all." to load')
    assert not said.deletes
    assert said.lines is None
    assert said.quoted == ("Remove line 3 and delete all.",)


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("apply the update", False),
        ("I will let `load` take a path", False),
        ("rename the method old to load", False),
        ("improve Reader.load", False),
        ("also tidy up", True),
        ("rename load to fetch", True),
        ("delete the function merge", True),
        ("add `import os`", True),
        ("make this change; apart from what is shown, close the file", True),
    ],
)
def test_what_an_update_does_not_show_is_asked_for_beyond_it(text, beyond):
    assert Instruction(text).beyond("def load(self, path):\n    return path\n") is beyond


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("on line 3, fix it", (2, 3)),
        ("simplify lines 3-9", (2, 9)),
        ("change line 12 to 5", (11, 12)),
        ("no line", None),
    ],
)
def test_line_numbers_count_from_one(text, lines):
    found = Instruction(text).lines
    assert (found and (found.start, found.stop)) == lines


def test_code_on_lines_of_its_own_is_a_block():
    assert Instruction("add this to load:\n```python\nx = 1\ny = 2\n```").blocks == ("x = 1\ny = 2",)
    assert Instruction("after `x` add:\n    y = 2").given == ("x", "y = 2")
