"""What a sketch shows of the file and spells otherwise, as nobody sees or types it."""

import pytest

from fastedit.sketch.read.updates import read_update

FILE = ["{", '  pname = "a-tool";', "    port = 80;", "  # “dots” …", "}"]


def texts(sketch, file=FILE, language="javascript"):
    return [line.text for line in read_update(sketch, language, file).lines]


@pytest.mark.parametrize(
    "line", ["  pname = “a-tool”;", '  pname = "a–tool";', '  pname\u00a0= "a-tool";', '  # "dots" ...']
)
def test_a_line_that_is_the_files_but_for_look_alikes_is_the_files(line):
    assert texts(f"{{\n{line}\n    port = “81”;")[1:] == [
        FILE[1 if "pname" in line else 3],
        "    port = “81”;",
    ]


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("# long\u200bword", "# longword"),
        ("# co\u00adop x\u200ey", "# coop xy"),
        ("# cafe\u0301", "# caf\u00e9"),
        ("# caf\u00e9", "# cafe\u0301"),
        ("# one\u2028two", "# one two"),
        ("# \fsection", "# section"),
        ("# \u2764\ufe0f", "# \u2764"),
        ("# \uff08x\uff09", "# (x)"),
    ],
)
def test_a_line_that_looks_like_one_of_the_file_is_the_files(own, said):
    assert texts(f"{said}\nport = 81;", [own, "port = 80;"]) == [own, "port = 81;"]
    assert texts(said, [own, "port = 80;"]) == [said]


def test_what_shows_is_no_look_alike():
    assert texts("# CO2\na\tb\nnew", ["# CO₂", "a b"]) == ["# CO2", "a\tb", "new"]


def test_look_alikes_are_what_a_sketch_is_about_that_says_nothing_else():
    assert texts('{\n  # "dots" ...\n}')[1] == '  # "dots" ...'


def test_lines_that_the_file_tells_apart_by_look_alikes_are_told_apart():
    assert texts("a - b\nnew", ["a – b", "a ‑ b"]) == ["a - b", "new"]


def test_code_is_indented_by_no_other_blanks_than_the_files():
    assert texts("{\n\u00a0\u00a0port = 81;\n}")[1] == "  port = 81;"
    assert texts("\u3000new\nold", ["old"], "markdown")[0] == "\u3000new"
