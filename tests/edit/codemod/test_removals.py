"""What goes by what it is called: calls, marked comments, branches, imports."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

PYTHON = """\
def load(path):
    # TODO: close it
    print("loading", path)
    if DEBUG:
        log(path)
        print("debug")
    if not path:
        return None
    return open(path)


def main():
    print("done")
    count = print_all(load)
    return count
"""
SCRIPT = """\
const fs = require("fs");
const path = require("path");

function load(file) {
  // FIXME: slow
  console.log("loading", file);
  if (file == "x") {
    throw new Error("no");
  }
  const text = fs.readFileSync(file);
  console.log(text);
  return text;
}
"""
GO = """\
import (
	"fmt"
	"log"
)

func (p *Pool) Put(conn *Conn) error {
	fmt.Println("put", conn.ID)
	log.Printf("put")
	err := p.check(conn)
	if err != nil {
		return err
	}
	return fmt.Errorf("full")
}
"""


def without(source: str, *gone: str) -> str:
    for text in gone:
        assert text in source
        source = source.replace(text, "", 1)
    return source


def test_all_calls_of_a_name_go_where_all_are_said():
    gone = ['  console.log("loading", file);\n', "  console.log(text);\n"]
    for text in ("remove all console.logs", "drop the console.log calls", "delete every console.log in load"):
        assert surely(text, SCRIPT, "javascript") == without(SCRIPT, *gone)


@pytest.mark.parametrize(
    "text",
    [
        "remove the console.log",
        "remove all console.logs but the first",
        "remove all fs.readFileSync calls",
        "don't remove all console.logs",
        "remove all debug console.logs",
        "remove all console.logs?",
    ],
)
def test_of_several_calls_none_goes_that_is_not_surely_meant(text):
    assert doubted(text, SCRIPT, "javascript")


def test_a_statement_of_go_goes_unless_its_package_would_be_imported_for_nothing():
    assert surely("remove the fmt.Println in Put", GO, "go") == without(GO, '\tfmt.Println("put", conn.ID)\n')
    assert doubted("remove the log.Printf in Put", GO, "go")


@pytest.mark.parametrize("text", ["remove the TODO comment in load", "delete the todo", "drop all TODOs"])
def test_a_comment_goes_by_the_mark_that_it_begins_with(text):
    assert surely(text, PYTHON, "python") == without(PYTHON, "    # TODO: close it\n")


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("remove the TODO", "    # TODO: close it\n    # at the end\n"),
        ("remove the TODO", "    x = 1  # TODO: close it\n"),
        ("remove the TODO", "    # TODO: close it\n    y = 1\n    # TODO: open it\n"),
        ("do the TODO", "    # TODO: close it\n"),
        ("resolve the TODO in load", "    # TODO: close it\n"),
    ],
)
def test_a_marked_comment_that_goes_on_or_stands_behind_code_does_not_go_unasked(text, comment):
    assert doubted(text, PYTHON.replace("    # TODO: close it\n", comment), "python")


@pytest.mark.parametrize(
    ("text", "language", "gone"),
    [
        ("remove the if DEBUG block", "python", '    if DEBUG:\n        log(path)\n        print("debug")\n'),
        ("drop the `if not path` check in load", "python", "    if not path:\n        return None\n"),
        (
            'delete the `if (file == "x")` block from load',
            "javascript",
            '  if (file == "x") {\n    throw new Error("no");\n  }\n',
        ),
    ],
)
def test_a_branch_goes_with_what_hangs_on_it(text, language, gone):
    source = PYTHON if language == "python" else SCRIPT
    assert surely(text, source, language) == without(source, gone)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("remove the if DEBUG check", PYTHON),
        ("remove the if path block", PYTHON),
        (
            "remove the if DEBUG block",
            PYTHON.replace("    if not path", "    else:\n        pass\n    if not path"),
        ),
        ("remove the if DEBUG block in main", PYTHON),
    ],
)
def test_a_branch_that_has_another_or_whose_work_may_be_meant_to_stay_is_left_alone(text, source):
    assert doubted(text, source, "python")


def test_a_check_of_go_whose_variable_nothing_else_uses_is_not_sure():
    assert doubted("remove the `if err != nil` check in Put", GO, "go")


def test_what_a_script_requires_goes_where_nothing_uses_it():
    wanted = without(SCRIPT, 'const path = require("path");\n')
    assert surely("path is not used, remove that require", SCRIPT, "javascript") == wanted
    assert surely("remove the path require", SCRIPT, "javascript") == wanted
    assert doubted("remove the fs require", SCRIPT, "javascript")


def test_a_return_that_there_should_be_no_more_is_a_line_and_not_a_way_to_leave():
    found = predicted("there should be no `return count` any more", PYTHON, "python")
    assert found is not None
    assert "\n".join(found.lines) == PYTHON.replace("    return count\n", "")
    assert doubted("main must not `return count`", PYTHON, "python")
