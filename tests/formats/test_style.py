"""New lines take the tabs or blanks of their file, and nothing else of an edit changes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.base import Hunk, LineSpan, Tag
from fastedit.formats.resolve import resolve
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats.placing import lines, string

GO = "func f() {\n\tone()\n\tif two {\n\t\tthree()\n\t}\n}\n"
PYTHON = "def f():\n    one()\n    if two:\n        three()\n"


def applied(text: str, *hunks: Hunk, path: str) -> str:
    document = Document.from_text(text, Path(path))
    resolution = resolve(document, hunks)
    assert resolution.is_complete, [str(report) for report in resolution.reports]
    return apply_hunks(document, resolution.hunks)


@pytest.mark.parametrize("unit", [2, 4, 8])
@pytest.mark.parametrize("write", [lines, string])
def test_blanks_become_the_tabs_of_the_file(unit, write):
    blanks = " " * unit
    hunk = write(
        "\t\tthree()\n\t}", f"\t\tthree()\n{blanks * 2}if four {{\n{blanks * 3}five()\n{blanks * 2}}}\n\t}}"
    )
    wanted = GO.replace("three()\n", "three()\n\t\tif four {\n\t\t\tfive()\n\t\t}\n")
    assert applied(GO, hunk, path="a.go") == wanted


def test_tabs_become_the_blanks_of_the_file():
    hunk = string("        three()", "\t\tthree(\n\t\t\t4)")
    assert applied(PYTHON, hunk, path="a.py") == PYTHON.replace("three()", "three(\n            4)")


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        pytest.param("\tone()", "\tone()\n    two()", "a.txt", id="no grammar"),
        pytest.param("\tone()", "\tone()\n     two()", "a.go", id="a depth that is none"),
        pytest.param("\tone()", "\tx := `\n    two\n`", "a.go", id="in a string"),
        pytest.param("\tone()", "\t/*\n    two\n\t*/", "a.go", id="in a comment"),
        pytest.param("func f() {", "func f() {\n        g(\n            2,\n  )", "a.go", id="several units"),
    ],
)
def test_lines_that_need_not_be_meant_so_stay_as_they_are(old, new, path):
    assert applied(GO, lines(old, new), path=path) == GO.replace(old, new, 1)


def test_where_two_depths_fit_a_line_stays_as_it_is():
    text = "def f():\n\tif a:\n\t\tb()\n\tc()\n"
    hunk = lines("\t\tb()", "\t\tb()\n        d()")
    assert applied(text, hunk, path="a.py") == text.replace("b()\n", "b()\n        d()\n")


def test_a_file_that_mixes_tabs_and_blanks_has_no_style():
    text = GO + "\nfunc g() {\n    four()\n}\n"
    assert applied(text, lines("\tone()", "    one(1)"), path="a.go") == text.replace("\tone()", "    one(1)")


@pytest.mark.parametrize(
    "hunk",
    [
        LineSpan(1, 2, ("    one(1)",)),
        lines("\tone()", "    one(1)", tag=Tag(None, GO, str)),
    ],
    ids=["lines by number", "the file that the author read"],
)
def test_what_is_exact_by_its_format_stays_as_it_is(hunk):
    assert applied(GO, hunk, path="a.go") == GO.replace("\tone()", "    one(1)")


def test_the_inside_of_a_string_is_no_style_of_indentation():
    text = "first()\nx = '''\n  text\n'''\n"
    block = "b = [\n\t1,\n]"
    assert applied(text, lines("first()", f"first()\n{block}"), path="a.py") == f"first()\n{block}{text[7:]}"


STATEMENTS = st.recursive(
    st.sampled_from(["a()", "b = [\n    1,\n]", "# note", "x = '''\n  text\n'''", "return"]),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(
        lambda body: "if c:\n" + "\n".join(f"    {line}" for one in body for line in one.split("\n"))
    ),
    max_leaves=8,
)


@given(st.lists(STATEMENTS, min_size=2, max_size=5), st.lists(STATEMENTS, min_size=1, max_size=3), st.data())
def test_an_edit_in_the_style_of_its_file_is_made_as_it_is_written(old, new, data):
    tabs = data.draw(st.booleans())
    before, block = ("\n".join(part).replace("    ", "\t" if tabs else "    ") for part in (old, new))
    text = f"first()\n{before}\nlast()\n"
    assert applied(text, lines("first()", f"first()\n{block}"), path="a.py") == f"first()\n{block}{text[7:]}"
