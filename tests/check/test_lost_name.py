"""Which names a change loses: those whose binding goes while a line still uses it."""

from pathlib import Path

import pytest

from fastedit.check import check_written
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines


def lost(old: str, new: str, name: str = "a.py") -> list[str]:
    document = Document.from_text(old, Path(name))
    found = check_written(document, diff_lines(document.lines, Document.from_text(new).lines), None)
    return [one.reason for one in found if one.rule.code == "FE105"]


PYTHON = """\
def load(path, mode="r"):
    with open(path, mode) as file:
        return file.read()
"""
GO = """\
package p

import "net/http"

func load(path string, mode int) int {
\treturn http.Open(path, mode)
}
"""
JAVA = """\
import java.util.List;

class Store {
    private int size;

    List<String> load(String path, int mode) {
        return open(path, mode);
    }
}
"""
TYPESCRIPT = """\
import { open } from "fs";

function load(path: string, mode: number) {
  return open(path, mode);
}
"""
RUST = """\
use std::fs::open;

fn load(path: &str, mode: u8) -> u8 {
    open(path, mode)
}
"""
C = """\
#include <stdio.h>

static int limit = 3;

int load(char *path, int mode)
{
    return limit + do_open(path, mode);
}
"""


@pytest.mark.parametrize(
    ("name", "old", "taken"),
    [
        ("a.py", PYTHON, ', mode="r"'),
        ("a.go", GO, ", mode int"),
        ("a.java", JAVA, ", int mode"),
        ("a.ts", TYPESCRIPT, ", mode: number"),
        ("a.rs", RUST, ", mode: u8"),
        ("a.c", C, ", int mode"),
    ],
)
def test_a_parameter_that_a_signature_loses_and_its_body_uses_is_noticed_in_every_language(name, old, taken):
    (said,) = lost(old, old.replace(taken, "", 1), name)
    assert said.startswith("the parameter mode vanishes, but result line ")


@pytest.mark.parametrize(
    ("name", "old", "line"),
    [
        ("a.go", GO, 'import "net/http"'),
        ("a.java", JAVA, "import java.util.List;"),
        ("a.rs", RUST, "use std::fs::open;"),
    ],
)
def test_an_import_that_vanishes_is_noticed_where_its_line_is_a_path(name, old, line):
    (said,) = lost(old, old.replace(line, ""), name)
    assert said.startswith("the import ")


def test_a_parameter_is_not_used_by_what_merely_has_its_name():
    old = 'def load(self, path, mode):\n    self.mode = 1\n    return open(path, mode="r").mode  # mode\n'
    assert lost(old, old.replace(", mode)", ")")) == []


def test_a_local_that_vanishes_is_noticed_and_one_of_another_function_does_not_stand_in_for_it():
    old = "def f():\n    low = 1\n    g()\n    return low\n\n\ndef h():\n    low = 2\n    return low\n"
    assert lost(old, old.replace("    low = 1\n", "")) == [
        "the variable low vanishes, but result line 3 still uses it"
    ]


@pytest.mark.parametrize(("given", "found"), [("mut this =>", 0), ("&mut this,", 1)])
def test_a_macro_may_bind_a_name_that_it_is_given_as_a_pattern(given, found):
    old = "fn f(self) -> Self {\n    self.tap(|this| {\n        this.go();\n    })\n}\n"
    new = f"fn f(self) -> Self {{\n    tap!(self, {given} {{\n        this.go();\n    }})\n}}\n"
    assert len(lost(old, new, "a.rs")) == found


def test_what_a_function_binds_only_below_a_use_is_lost_there_unless_a_loop_comes_back_to_it():
    old = "def f(text):\n    g(text)\n    text = text.strip()\n    return text\n"
    assert lost(old, old.replace("f(text)", "f(line)")) == [
        "the parameter text vanishes, but result line 2 still uses it"
    ]
    own = "def f(text):\n    text = text.strip()\n    return text\n"
    assert lost(own, own.replace("f(text)", "f(line)")) == [
        "the parameter text vanishes, but result line 2 still uses it"
    ]
    loop = "def f(last, lines):\n    for line in lines:\n        if line:\n            g(last)\n        last = line\n"
    assert lost(loop, loop.replace("last, lines", "lines")) == []


@pytest.mark.parametrize(
    "new",
    [
        PYTHON.replace('mode="r"', "**mode"),
        PYTHON.replace(', mode="r"', "").replace("    with", '    mode = "r"\n    with'),
        'mode = "r"\n\n\n' + PYTHON.replace(', mode="r"', ""),
        "from modes import *\n\n\n" + PYTHON.replace(', mode="r"', ""),
        "import modes as mode\n\n\n" + PYTHON.replace(', mode="r"', ""),
    ],
)
def test_a_name_that_something_else_binds_where_it_is_used_is_not_lost(new):
    assert lost(PYTHON, new) == []


def test_a_field_stands_in_for_a_parameter_where_it_needs_no_object():
    old = JAVA.replace("private int size;", "private int mode;")
    assert lost(old, old.replace(", int mode", ""), "a.java") == []


def test_a_new_header_may_declare_what_moved_out_of_a_file():
    gone = C.replace("static int limit = 3;\n", "")
    assert lost(C, gone, "a.c") == ["the variable limit vanishes, but result line 6 still uses it"]
    assert lost(C, gone.replace("<stdio.h>", '<stdio.h>\n#include "limit.h"'), "a.c") == []


def test_a_new_line_that_uses_what_its_function_binds_no_more_is_noticed():
    old = "def f(path):\n    text = read(path)\n    lines = text.split()\n    return lines\n"
    new = old.replace("    text = read(path)\n", "").replace("text.split()", "text.strip().split()")
    assert lost(old, new) == ["the variable text vanishes, but result line 2 still uses it"]
    assert lost(old, new.replace("text.strip()", "path.read_text()")) == []


def test_a_new_line_may_use_what_the_file_bound_for_that_may_be_of_the_language():
    old = "max = 3\n\n\ndef f(rows):\n    return rows\n"
    assert lost(old, old.replace("max = 3\n", "").replace("return rows", "return max(rows)")) == []


def test_a_new_line_in_place_of_one_that_used_an_import_uses_it_still():
    old = "import { a } from './letters'\n\nexport const sum = a + 1\n"
    new = "import { b } from './letters'\n\nexport const sum = a + 2\n"
    assert lost(old, new, "a.ts") == ["the import a vanishes, but result line 3 still uses it"]
    assert lost(old, new.replace("a + 2", "b + 2"), "a.ts") == []
