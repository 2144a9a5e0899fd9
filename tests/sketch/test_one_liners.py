"""Definitions that a sketch has on one line and the file on several."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.features.one_liners import in_one_line
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update

NAMES = ("load", "save", "done", "first", "total")
FORMS = [
    ("kotlin", "class A {\n", "    fun {0}(): Boolean {{\n        return {0}_items.isEmpty()\n    }}\n",
     "    fun done(): Boolean = done_items.isEmpty() && children.isEmpty()\n", "}\n"),
    ("csharp", "class A\n{\n", "    public bool {0}()\n    {{\n        return {0}_items.Count == 0;\n    }}\n",
     "    public bool done() => done_items.Count == 0 && children.Count == 0;\n", "}\n"),
    ("c", '#include "a.h"\n', "int {0}(struct a *a) {{\n  return a->{0}_count == 0;\n}}\n",
     "int done(struct a *a) {{ return a->done_count == 0 && !a->children; }}\n".format(), ""),
    ("go", "package a\n", "func (a *A) {0}() bool {{\n\treturn len(a.{0}_items) == 0\n}}\n",
     "func (a *A) done() bool { return len(a.done_items) == 0 && len(a.children) == 0 }\n", ""),
    ("text", "local M = {}\n", "function M.{0}(a)\n  return #a.{0}_items == 0\nend\n",
     "function M.done(a) return #a.done_items == 0 and #a.children == 0 end\n", "return M\n"),
    ("ruby", "class A\n", "  def {0}(a)\n    a.{0}_items.empty?\n  end\n",
     "  def done(a) = a.done_items.empty? && a.children.empty?\n", "end\n"),
    ("python", "class A:\n", "    def {0}(self):\n        return not self.{0}_items\n",
     "    def done(self): return not self.done_items and not self.children\n", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "above", "form", "new", "below"), FORMS, ids=[form[0] for form in FORMS]
)
def test_a_definition_sent_on_one_line_takes_the_place_of_all_its_lines(language, above, form, new, below):
    def file(done: str) -> str:
        return above + "\n".join(done if name == "done" else form.format(name) for name in NAMES) + below

    lines = file(form.format("done")).split("\n")
    assert "\n".join(lay(lines, read_update(new, language, lines)).text.lines) == file(new)


JAVA = ["class A {", "  int done(int a) {", "    return a;", "  }", "}"]
RUBY = ["def done(a)", "  a.first", "end"]
GO = ["func (a *A) done() int {", "\treturn 1", "}"]


@pytest.mark.parametrize(
    ("file", "line", "rows"),
    [
        (JAVA, "  int done(int a) { return a + 1; }", range(1, 4)),
        (JAVA, "  int done(int a, int b) { return a + b; }", None),  # an overload
        (JAVA, "  int other(int a) { return a; }", None),
        (JAVA, "  int done(int a) {", None),
        (JAVA, "  int b = done(1);", None),
        (JAVA, "  if (done(a)) { return b; }", None),
        (JAVA, "  // int done(int a) { return a; }", None),
        (RUBY, "def done(a) = a.first || a.last", range(3)),
        (RUBY, "def done(a)", None),  # its head alone
        (GO, "func (a *A) done() int { return 2 }", range(3)),
        (GO, "func (b *B) done() int { return 2 }", None),  # of another type
    ],
)
def test_only_all_of_the_same_definition_is_one(file, line, rows):
    outline = Outline(file)
    heads = {name: [row] for row, name in outline.heads.items()}
    assert in_one_line(outline, Outline([line]), heads) == ({} if rows is None else {0: rows})


def test_a_definition_with_lines_of_its_own_below_or_of_another_class_is_not_on_one_line():
    outline, heads = Outline(JAVA), {"A": [0], "done": [1]}
    assert in_one_line(outline, Outline(["int done(int a) => a", "  + 1;"]), heads) == {}
    assert in_one_line(outline, Outline(["class B {", "  int done(int a) { return a; }", "}"]), heads) == {}
