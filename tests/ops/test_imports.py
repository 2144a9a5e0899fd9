from __future__ import annotations

import re

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def add(module: str, member: str | None = None, alias: str | None = None) -> dict[str, object]:
    return {"op": "add-import", "module": module, "member": member, "alias": alias}


def remove(module: str, member: str | None = None) -> dict[str, object]:
    return {"op": "remove-import", "module": module, "member": member}


PYTHON = '''"""Doc."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from yaml import (
    load,
    safe_load,
)

from . import x

Path, load
'''
GO = 'package p\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"github.com/a/b"\n)\n'
ADDED = {
    "python: sorted": ((PYTHON, "import os\n", "import os\nimport re\n"), add("re")),
    "python: to its module's lines": ((PYTHON, "    load,", "    dump,\n    load,"), add("yaml", "dump")),
    "python: of the package": ((PYTHON, "import x\n", "import x\nfrom .y import q\n"), add(".y", "q")),
    "python: first of a script": ("#!/x\n‹\nimport os\n\n›x = 1\n", add("os")),
    "python: below a docstring": ('"""D."""\n‹\nimport os\n\n›x = 1\n', add("os")),
    "python: of an empty file": ("‹import os\n›", add("os")),
    "javascript: named": ("import A, { b‹, c› } from 'm'\n", add("m", "c")),
    "typescript: named on lines": ('import {\n  a,\n  c‹,\n  d›\n} from "m";\n', add("m", "d")),
    "tsx: default": ('import "./x";\n‹import R from "react";\n›', add("react", "default", "R")),
    "javascript: whole": ('‹import * as n from "m";\n\n›const a = 1;\n', add("m", "*", "n")),
    "go: grouped": ((GO, '"fmt"\n', '"fmt"\n\t"io"\n'), add("io")),
    "go: of others": ((GO, '\t"git', '\tq "github.com/a/a"\n\t"git'), add("github.com/a/a", None, "q")),
    "go: made a group": ('package p\n\nimport «"fmt"»‹(\n\t"errors"\n\t"fmt"\n)›\n', add("errors")),
    "go: the last group": ('package p\n\nimport (\n\t"fmt"\n‹\n\t"a.b/c"\n›)\n', add("a.b/c")),
    "go: the first": ('package p\n\n‹import "fmt"\n\n›var x int\n', add("fmt")),
    "rust: in braces": ("use std::io::{Read, Seek‹, Write›};\n", add("std::io", "Write")),
    "rust: sorted": ("use std::fs;\nuse std::io;\n‹use std::io::Read;\n›", add("std::io", "Read")),
    "c: C": ("#include <a.h>\n‹#include <b.h>\n›#include <c.h>\n", add("<b.h>")),
    "c: behind no condition": (
        "#ifndef A\n#error A\n#endif\n#ifdef B\n#include <c.h>\n#endif\n#include <a.h>\n‹#include <b.h>\n›",
        add("<b.h>"),
    ),
    "c: the first": ("‹#include <c.h>\n\n›#ifdef B\n#include <c.h>\n#endif\n", add("<c.h>")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(ADDED), ids=ADDED)
def test_an_import_is_added_where_it_belongs(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REMOVED = {
    "python: a line": ((PYTHON, "import os\n", ""), remove("os")),
    "python: one of several": ("from a import b, «c, »d\n", remove("a", "c")),
    "python: one of several lines": ((PYTHON, "    safe_load,\n", ""), remove("yaml", "safe_load")),
    "python: the last": ("«from a import b\n»x = 1\n", remove("a", "b")),
    "python: in a function": ("def f():\n    «import a»‹pass›\n", remove("a")),
    "javascript: a specifier": ('import { a«, b» } from "m";\n', remove("m", "b")),
    "go: a Go path": ((GO, '\t"os"\n', ""), remove("os")),
    "go: all of a Go group": ((GO, '\n\t"github.com/a/b"\n', ""), remove("github.com/a/b")),
    "go: all of a Go list": ('package p\n«\nimport (\n\t"os"\n)\n»', remove("os")),
    "rust: of braces": ("use a::{«b, »c, d};\n", remove("a", "b")),
    "rust: of two in braces": ("use a::«{b, c as d}»‹c as d›;\n", remove("a", "b")),
    "rust: beside self": ("use a::{self«, b»};\n", remove("a", "b")),
    "rust: under an alias": ("use a::{«b as c, »d, e};\n", remove("a", "b")),
    "javascript: all braces": ("import A«, { b }» from 'c';\n", remove("c", "b")),
    "java: a Java class": ("«import a.B;\n»class A {}\n", remove("a", "B")),
    "c: an include": ('«#include "a.h"\n»int x;\n', remove("a.h")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(REMOVED), ids=REMOVED)
def test_an_import_is_removed(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


@pytest.mark.parametrize(
    ("language", "text", "operation"),
    [
        ("python", "import os\n", add("os")),
        ("python", "from a import b as c\n", add("a", "b", "c")),
        ("javascript", 'import { a } from "m";\n', add("m", "a")),
        ("go", GO, add("os")),
        ("rust", "use a::b;\n", add("a", "b")),
        ("java", "import a.*;\n", add("a", "B")),
        ("c", "#include <a.h>\n", add("<a.h>")),
    ],
)
def test_an_import_that_is_there_is_noted_and_nothing_changes(language, text, operation):
    new, found = outcome(text, operation, language=language)
    assert new == text
    assert "imports it already" in found.notes[0]


def test_an_import_has_the_quotes_of_the_other_one_of_its_module():
    text = "import type { A } from \"./a\";\nimport b from 'b';\n"
    assert 'import { C } from "./a";\n' in carried(text, add("./a", "C"), language="typescript")
    assert "import { C } from 'c';\n" in carried(text, add("c", "C"), language="typescript")


def test_what_needs_an_import_that_is_bound_again_in_some_cases_is_reported():
    text = "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n\nyaml.load()\n"
    assert [place.line for place in outcome(text, remove("yaml"))[1].left] == [5]
    text = "use std::fmt::{self, Display};\n\nfn f() -> fmt::Error { fmt::Error }\n"
    assert [place.line for place in outcome(text, remove("std::fmt", "self"), language="rust")[1].left] == [2]


@pytest.mark.parametrize(
    ("language", "text", "operation", "reason"),
    [
        ("python", "def load(): pass\n", add("m", "load"), "`load` is something else on line 1"),
        ("python", "", add("a b"), "is not a module"),
        ("python", "", add(".a"), "needs a member"),
        ("python", "", remove("os"), "is not imported here"),
        ("python", "import os; x = 1\n", remove("os"), "line 1 holds other code too"),
        ("go", "package p\n", add("a", "b"), "`member` has no meaning"),
        ("go", 'package p\n\nimport ("a"; "b")\n', add("c"), "the imports share line 3"),
        ("java", "import a.B;\n", add("c", "B"), "`B` is another's on line 1"),
        ("java", "", add("a", "B", "C"), "`alias` has no meaning"),
        ("javascript", "", add("m", "default"), "needs an alias"),
        ("typescript", "const a = 1;\n", add("m", "a"), "`a` is something else on line 1"),
        ("rust", "", remove("a", "b"), "is not used here"),
        ("c", "", remove("a.h"), "is not included here"),
    ],
)
def test_an_import_that_cannot_be_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("def f(): ...\n", "import os\n\n\ndef f(): ...\n"),
        ("@cache\ndef f(): ...\n", "import os\n\n\n@cache\ndef f(): ...\n"),
        ('"""Doc."""\n\nclass A: ...\n', '"""Doc."""\n\nimport os\n\n\nclass A: ...\n'),
        ("\n\n\ndef f(): ...\n", "import os\n\n\n\ndef f(): ...\n"),
        ("x = 1\n", "import os\n\nx = 1\n"),
    ],
)
def test_the_first_import_stands_two_blank_lines_above_a_definition_and_one_above_other_code(text, wanted):
    assert carried(text, add("os")) == wanted


@pytest.mark.parametrize(
    ("text", "member", "expected"),
    [
        ("import A, { b } from 'c';\n", "default", "import { b } from 'c';\n"),
        ("import A, { b } from 'c';\n", "A", "import { b } from 'c';\n"),
        ("import A from 'c';\nimport { b } from 'c';\n", "default", "import { b } from 'c';\n"),
        ("import A, * as d from 'c';\n", "*", "import A from 'c';\n"),
    ],
)
def test_a_default_and_all_of_a_module_go_by_their_words_and_by_their_names(text, member, expected):
    assert carried(text, remove("c", member), language="javascript") == expected


@pytest.mark.parametrize("text", ['const a = require("a");\n', '"use strict";\nexports.a = 1;\n'])
def test_a_file_that_is_no_module_gets_no_import(text):
    wanted = op("add-import b c")
    assert "the file is no module" in refused(text, wanted, language="javascript")
    assert carried(f"export {{ x }};\n{text}", wanted, language="javascript").startswith("import { c } from")


STATIC = "import a.B;\n\nimport static java.lang.Math.max;\n"


@pytest.mark.parametrize(
    ("module", "member", "wanted"),
    [
        ("java.lang.Math", "min", STATIC + "import static java.lang.Math.min;\n"),
        ("java.lang.Math.min", None, STATIC + "import static java.lang.Math.min;\n"),
        ("java.lang.Math", "*", STATIC.replace("\n\n", "\n\nimport static java.lang.Math.*;\n")),
        ("java.util.Map", "Entry", STATIC.replace("\n\n", "\nimport java.util.Map.Entry;\n\n")),
    ],
)
def test_a_method_or_constant_of_java_is_imported_among_static_ones(module, member, wanted):
    assert carried(STATIC, add(module, member), language="java") == wanted


@pytest.mark.parametrize("alias", [None, "b"])
def test_the_module_itself_stands_without_self_where_it_stands_alone(alias):
    text, said = "use std::fmt;\n", "use std::io as b;\n" if alias else "use std::io;\n"
    assert carried(text, add("std::io", "self", alias), language="rust") == text + said
    assert outcome(said, add("std::io", "self", alias), language="rust")[1].hunks == ()
    listed = "use std::io::{Read};\n"
    assert carried(listed, add("std::io", "self"), language="rust") == "use std::io::{Read, self};\n"


@pytest.mark.parametrize(("language", "module"), [("kotlin", "a.b.C"), ("php", "A\\b\\C")])
def test_an_import_under_an_alias_goes_where_there_is_none_of_the_name_itself(language, module):
    head, word = ("<?php\n", "use") if language == "php" else ("", "import")
    end = ";" if language == "php" else ""
    one, other = f"{word} {module} as D{end}\n", f"{word} {module}{end}\n"
    assert carried(head + one, remove(module), language=language) == head
    assert carried(head + one + other, remove(module), language=language) == head + one


def test_a_list_in_a_list_of_rust_takes_no_member_for_the_outer_one():
    text = "use a::{b, c::{d, e}};\n"
    assert carried(text, add("a::c", "g"), language="rust") == text + "use a::c::g;\n"
    assert carried(text, add("a", "g"), language="rust") == "use a::{b, g, c::{d, e}};\n"
    assert "line 1 uses another `d`; give an alias" in refused(text, add("x", "d"), language="rust")


def test_an_import_with_a_comment_on_it_gets_no_others_in_brackets():
    text = 'package p\n\n// #include <a.h>\nimport "C"\n'
    assert carried(text, add("os"), language="go") == text + 'import "os"\n'


@pytest.mark.parametrize(
    "head", ["//! About the file.\n", "#![allow(x)]\n//! About the file.\n", "/*! About. */\n"]
)
@pytest.mark.parametrize("between", ["", "\n"])
def test_what_documents_a_file_of_rust_stays_above_all_else(head, between):
    text = f"{head}{between}fn f() {{}}\n"
    assert carried(text, add("a", "b"), language="rust") == f"{head}\nuse a::b;\n\nfn f() {{}}\n"
    assert carried(text, op("delete f"), language="rust") == head


@pytest.mark.parametrize(
    ("language", "text", "module", "said"),
    [
        ("rust", "use std::io::{self, Read};\n", "std::io", "`std::io::self`, `std::io::Read` on line 1"),
        ("java", "import java.io.*;\n\nclass A {}\n", "java.io", "`java.io.*` on line 1"),
    ],
)
def test_an_import_that_is_not_there_is_refused_with_those_from_within_it(language, text, module, said):
    with pytest.raises(OperationRefused, match=re.escape(f"{module}: is not ") + ".*" + re.escape(said)):
        carried(text, {"op": "remove-import", "module": module}, language=language)
