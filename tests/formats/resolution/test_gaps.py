from pathlib import Path

import pytest

from fastedit.formats.resolution.resolve import resolve
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats.placing import applied, lines, placed

TWO = """\
function f() {
  a();
  b();
  return c() + 1;
}

function g() {
  a2();
  return c();
}
"""


@pytest.mark.parametrize("head", ["", "function f() {\n"])
@pytest.mark.parametrize("foot", ["", "\n}"])
def test_a_hunk_does_not_go_on_in_another_function(head, foot):
    old = f"{head}  a();\n  b();\n  return c();{foot}"
    assert not placed(TWO, lines(old, old.replace("return c", "return d"))).is_complete
    assert applied(TWO.replace(" + 1", ""), lines(old, old.replace("return c", "return d")))


def test_a_hunk_does_not_begin_in_another_function_than_it_goes_on_in():
    text = "function g() {\n  a2();\n  open();\n}\n\nfunction f() {\n  b();\n  x();\n}\n"
    assert not placed(text, lines("  open();\n  b();\n  x();", "  b();\n  x();")).is_complete


def test_a_hunk_that_shows_a_whole_function_does_not_change_another_one():
    text = "def f(x):\n    a()\n    return x\n\n\ndef g(x):\n    b()\n    return x\n"
    old = "def f(x):\n    a()\n    b()\n    return x"
    assert not placed(text, lines(old, old.replace("b()", "b2()"))).is_complete


@pytest.mark.parametrize(
    ("text", "old", "was", "new"),
    [
        (
            "- name: a\n  run: x\n- name: b\n  run: z\n  if: always()\n",
            "- name: a\n  run: x\n  if: always()",
            "always",
            "success",
        ),
        (
            '{\n  "a": {\n    "x": 1\n  },\n  "b": {\n    "x": 1,\n    "t": 3\n  }\n}\n',
            '  "a": {\n    "x": 1\n    "t": 3',
            "3",
            "4",
        ),
        (
            '<p id="a">\n  <b>A</b>\n</p>\n<p id="b">\n  <i>B</i>\n</p>\n',
            '<p id="a">\n  <b>A</b>\n  <i>B</i>\n</p>',
            "B",
            "C",
        ),
    ],
)
def test_a_hunk_does_not_go_on_in_another_step_object_or_element(text, old, was, new):
    assert not placed(text, lines(old, old.replace(was, new))).is_complete


def test_a_hunk_does_not_go_on_in_another_section():
    text = "[a]\nx = 1\n\n[b]\ny = 1\nport = 80\n"
    hunk = lines("[a]\nx = 1\nport = 80", "[a]\nx = 1\nport = 81")
    assert not resolve(Document.from_text(text, Path("a.toml")), [hunk]).is_complete
    document = Document.from_text("# A\n\nOne.\nTwo.\n\n# B\n\nThree.\n", Path("a.md"))
    assert not resolve(document, [lines("# A\n\nOne.\nThree.", "# A\n\nOne.\n3.")]).is_complete
    fenced = Document.from_text("One.\n\n```sh\n# all\nmake\n```\n", Path("a.md"))
    assert resolve(fenced, [lines("One.\n\n```sh\nmake", "One.\n\n```sh\nmake all")]).is_complete
    text = "# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n"
    hunk = lines("One.\n\n## C\n\nThree.", "One.\n\n## C\n\n3.")
    document = Document.from_text(text, Path("a.md"))
    assert apply_hunks(document, resolve(document, [hunk]).hunks) == text.replace("Three", "3")


def test_a_hunk_does_not_go_from_a_decorator_to_a_definition_below_that_of_another_one():
    text = "class A {\n  @Override\n  void write() {\n  }\n\n  void read() {\n  }\n}\n"
    assert not placed(text, lines("  @Override\n  void read() {", "  @O\n  void read() {")).is_complete


def test_lines_that_someone_else_has_written_into_the_block_do_not_matter():
    hunk = lines("  a();\n  b();\n  return c();", "  a();\n  b();\n  return d();")
    for between in "  if (x) {\n    y();\n  }\n", "// off\n", "  z();\n":
        text = f"function f() {{\n  a();\n  b();\n{between}  return c();\n}}\n"
        assert applied(text, hunk) == text.replace("c()", "d()")


def test_lines_that_someone_else_has_put_into_a_block_of_their_own_are_the_same_lines():
    text = "def f():\n    a()\n    b()\n    if x:\n        c()\n"
    assert applied(text, lines("    a()\n    b()\n    c()", "    a()\n    b()\n    d()")) == text.replace(
        "c", "d"
    )


def test_a_hunk_goes_on_below_a_head_that_was_renamed_and_not_below_a_further_one():
    old = "    return 1\n\n\ndef g(x):\n    a()\n    b()\n    c()"
    hunk = lines(old, old.replace("b()", "b2()"))
    text = "def f():\n    return 1\n\n\n@cached\ndef g2(x):\n    a()\n    b()\n    c()\n"
    assert applied(text, hunk) == text.replace("b()", "b2()")
    between = text.replace("@cached\n", "def h():\n    pass\n\n\n")
    assert not placed(between, hunk).is_complete
