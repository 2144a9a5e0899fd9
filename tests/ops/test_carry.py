from __future__ import annotations

import re
from pathlib import Path

import pytest

from fastedit.errors import OperationRefused
from fastedit.ops import carry_out, from_json
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from tests.ops.carried import carried, op, outcome, refused, rename

TEXT = "import os\n\n\ndef load(path):\n    return path\n\n\ndef save(path):\n    return load(path)\n"


def test_operations_are_carried_out_in_order_and_their_hunks_are_of_the_document():
    operations = [
        op("add-import sys"),
        rename("load", "read"),
        op("insert read 'check(path)' first"),
        rename("read.path", "where"),
    ]
    document = Document.from_text(TEXT, Path("a.py"))
    found = carry_out(document, [from_json(operation) for operation in operations])
    assert found.hunks == (
        Hunk(1, 1, ("import sys",)),
        Hunk(3, 5, ("def read(where):", "    check(where)", "    return where")),
        Hunk(8, 9, ("    return read(path)",)),
    )


def test_lines_count_in_the_document_throughout():
    operations = [op("add-import sys"), rename("path@8", "where")]
    assert "def save(where):\n    return load(where)" in carried(TEXT, *operations)


def test_places_left_alone_count_in_the_document():
    text = "import os\nclass A:\n    def f(self): pass\nx.f()\n"
    _, found = outcome(text, op("add-import sys"), rename("A.f", "g"))
    assert [place.line for place in found.left] == [3]


def test_there_and_back_leaves_no_hunks():
    _, found = outcome(TEXT, rename("load", "read"), rename("read", "load"))
    assert found.hunks == ()


def test_an_operation_that_finds_nothing_any_more_is_named_and_nothing_changes():
    assert "operation 2 of 2: load: is not in this file" in refused(
        TEXT, rename("load", "read"), rename("load", "fetch")
    )


def test_the_same_operation_twice_is_refused():
    assert "operation 2 of 2: rename: operation 1 says the same" in refused(
        TEXT, rename("load", "read"), rename("load", "read")
    )


@pytest.mark.parametrize("name", ["a.txt", None])
def test_a_file_without_a_language_is_refused(name):
    document = Document.from_text("x\n", Path(name) if name else None)
    with pytest.raises(OperationRefused, match="the language of the file is not known"):
        carry_out(document, [from_json(rename("a", "b"))])


def test_code_that_does_not_compile_is_refused():
    operation = op("add-decorator load 'a b'")
    assert "correct the fields of the operation" in refused(TEXT, operation)


OPERATIONS = {
    "rename": rename("load", "read"),
    "delete": op("delete load"),
    "import": op("add-import sys"),
    "parameter": op("add-parameter load b=1"),
    "last line": op("add 'DONE = 1' after save"),
    "decorator": op("add-decorator save cache"),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["CRLF", "CR", "LF"])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_line_ends_stay_as_they_are(operation, end, closed):
    text = TEXT if closed else TEXT.removesuffix("\n")
    plain = carried(text, operation)
    assert carried(text.replace("\n", end), operation) == plain.replace("\n", end)
    assert plain.endswith("\n") == closed


BROKEN = {
    "comment": (op("add-comment a%sb A"), "# a\n# b\nclass A:\n    x = 1\n"),
    "text": (op("replace :%s ':%s    y = 2%s' --inside text"), "class A:\n    y = 2\n    x = 1\n"),
    "base": (op("add-base A 'f(B,%sC)'"), "class A(f(B,\nC)):\n    x = 1\n"),
    "decorator": (op("add-decorator A 'd(1,%s2)'"), "@d(1,\n2)\nclass A:\n    x = 1\n"),
}


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["CRLF", "CR", "LF"])
@pytest.mark.parametrize(("operation", "wanted"), BROKEN.values(), ids=BROKEN)
def test_line_ends_within_a_field_become_those_of_the_file(operation, wanted, end):
    written = {name: value.replace("%s", end) for name, value in operation.items()}
    assert carried("class A:\n    x = 1\n", written) == wanted


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_bytes_outside_stay_as_they_are(operation):
    odd = '# ünï\t \x0c\nx =  1 ;y= "\u2028 load"\t\n'
    text = TEXT + odd
    document = Document.from_bytes(b"\xef\xbb\xbf" + text.encode(), Path("a.py"))
    found = carry_out(document, [from_json(operation)])
    data = document.encode(apply_hunks(document, found.hunks))
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(odd.encode())


@pytest.mark.parametrize(
    "operations",
    [
        [{"op": "set-value", "target": "LIMIT", "value": value} for value in ("2", "3", "4")],
        [op("insert load 'check()' first"), op("delete load")],
    ],
    ids=["set again", "deleted"],
)
def test_an_operation_of_which_those_after_it_leave_nothing_is_refused(operations):
    with pytest.raises(
        OperationRefused, match=r"operation 1 of \d: .*: those after it leave nothing of what"
    ):
        carried("LIMIT = 1\n\n\ndef load():\n    return 1\n", *operations)


@pytest.mark.parametrize(
    ("language", "text", "operation"),
    [
        ("java", "interface A {\n}\n", op("wrap 'if (a) {' @1")),
        ("rust", "fn f() {}\n", op("wrap 'while a {' @1")),
        ("c", "int f(void) { return 1; }\n", op("add 'for (;;) {\n}'")),
    ],
)
def test_a_statement_outside_of_functions_is_refused_where_the_language_has_none_there(
    language, text, operation
):
    assert "would stand outside of functions" in refused(text, operation, language=language)


LOOSE = "let y = 1\nlet x = 2;\n[1, 2].forEach(z => z)\nfunction f(a) {\n  const t = a\n  return t\n}\n"
JOINED = {
    "deleted between": (op("delete x"), "`let y = 1` and `[1, 2].forEach(z => z)`"),
    "removed between": (op("remove-statement @2"), "`let y = 1` and `[1, 2]"),
    "moved before": (op("move y after x"), "`let y = 1` and `[1, 2]"),
    "inserted after": (op("insert f '[1].map(g)' after 'const t = a'"), "`const t = a` and `[1].map(g)`"),
    "added before": (op("add '// Say.\ng()' after x"), "`g()` and `[1, 2].forEach(z => z)`"),
}


@pytest.mark.parametrize("language", ["javascript", "typescript"])
@pytest.mark.parametrize(("operation", "lines"), JOINED.values(), ids=JOINED)
def test_two_statements_without_a_semicolon_are_not_made_one(language, operation, lines):
    with pytest.raises(OperationRefused, match=re.escape(lines)) as raised:
        carried(LOOSE, operation, language=language)
    assert str(raised.value).endswith("would be one statement; put a `;` between them")


@pytest.mark.parametrize("code", [";[1].map(g)", ".at(0)", "++a", "g()"])
def test_what_is_apart_or_cannot_stand_alone_is_inserted_after_a_statement_without_a_semicolon(code):
    operation = {"op": "insert", "function": "f", "code": code, "where": "after", "anchor": "const t = a"}
    assert f"  const t = a\n  {code}\n  return t\n" in carried(LOOSE, operation, language="javascript")
