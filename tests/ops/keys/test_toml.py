from __future__ import annotations

import pytest

from tests.ops.keys.keyed import add_item, delete_key, done, refused, remove_item, rename_key, set_key

TEXT = """\
# about the file
title = 'x' # t

# the owner
[owner]
name = "Tom" # who
# born
dob = 1979-05-27
a.b = 1
tags = [ "x", 'y' ]

[tool.ruff.lint]
select = [
    # basics
    "E",
    "F", # pyflakes
    "I"
]
per = { a = 1, b.c = 2 }

# first
[[fruit]]
name = "apple"
[fruit.color]
r = 1

[[fruit]]
name = "pear"
# tail

# last
[end]
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (set_key("title", "new"), "'x' #", "'new' #"),
        (set_key("title", "it's"), "'x' #", '"it\'s" #'),
        (set_key("owner.dob", "1980-01-01", literal=True), "1979-05-27", "1980-01-01"),
        (set_key("owner.a.b", 0.5), "a.b = 1", "a.b = 0.5"),
        (set_key("owner.age", 5), "'y' ]\n", "'y' ]\nage = 5\n"),
        (set_key("owner.a.c", [1, {"z": True}]), "a.b = 1\n", "a.b = 1\na.c = [1, { z = true }]\n"),
        (set_key("age", 5), "# t\n", "# t\nage = 5\n"),
        (set_key("fruit.1.size", 3), '"pear"\n', '"pear"\nsize = 3\n'),
        (set_key("fruit.1.color", {"r": 2}), "# tail\n", "# tail\n\n[fruit.color]\nr = 2\n"),
        (set_key("end.x y", "z"), "[end]\n", '[end]\n"x y" = "z"\n'),
        (set_key("tool.ruff.lint.per.d", 1), "b.c = 2 }", "b.c = 2, d = 1 }"),
        (
            set_key("tool.mypy", {"strict": True, "x": {"y": 1}}),
            "b.c = 2 }\n",
            "b.c = 2 }\n\n[tool.mypy]\nstrict = true\n\n[tool.mypy.x]\ny = 1\n",
        ),
        (set_key("tool.black.x", 1, parents=True), "b.c = 2 }\n", "b.c = 2 }\n\n[tool.black]\nx = 1\n"),
        (delete_key("title"), "title = 'x' # t\n", ""),
        (delete_key("owner.dob"), "# born\ndob = 1979-05-27\n", ""),
        (delete_key("owner.a.b"), "a.b = 1\n", ""),
        (delete_key("owner"), TEXT[TEXT.index("# the owner") : TEXT.index("[tool.ruff.lint]")], ""),
        (delete_key("tool"), TEXT[TEXT.index("[tool.ruff.lint]") : TEXT.index("# first")], ""),
        (delete_key("fruit.0"), TEXT[TEXT.index("# first") : TEXT.index('[[fruit]]\nname = "pear"')], ""),
        (delete_key("fruit"), TEXT[TEXT.index("# first") : TEXT.index("# last")], ""),
        (delete_key("end"), "\n# last\n[end]\n", ""),
        (delete_key("tool.ruff.lint.per.a"), "{ a = 1, ", "{ "),
        (rename_key("owner.name", "first name"), 'name = "Tom"', '"first name" = "Tom"'),
        (rename_key("tool.ruff", "ruff.old"), "[tool.ruff.", '[tool."ruff.old".'),
        (rename_key("owner.a", "z"), "a.b = 1\n", "z.b = 1\n"),
        (add_item("tool.ruff.lint.select", "G"), "# pyflakes\n", '# pyflakes\n    "G",\n'),
        (add_item("tool.ruff.lint.select", "X"), '"I"\n', '"I",\n    "X"\n'),
        (add_item("owner.tags", "z"), "'y' ]", "'y', \"z\" ]"),
        (add_item("fruit", {"name": "fig"}), "# tail\n", '# tail\n\n[[fruit]]\nname = "fig"\n'),
        (remove_item("tool.ruff.lint.select", "F"), '    "F", # pyflakes\n', ""),
        (remove_item("owner.tags", "x"), "[ \"x\", 'y' ]", "[ 'y' ]"),
    ],
)
def test_only_what_changes_is_written(operation, old, new):
    assert TEXT.count(old) == 1
    assert done("pyproject.toml", TEXT, operation) == TEXT.replace(old, new)
    crlf = TEXT.replace("\n", "\r\n")
    assert done("pyproject.toml", crlf, operation) == TEXT.replace(old, new).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "operation", "new"),
    [
        ("", set_key("a", 1), "a = 1\n"),
        ("# only\n", set_key("a", 1), "# only\n\na = 1\n"),
        ("# top\n[t]\n", set_key("a", 1), "# top\na = 1\n\n[t]\n"),
        ("[t]\n\n# above\n[u]\n", set_key("t.a", 1), "[t]\na = 1\n\n# above\n[u]\n"),
        ("x = []", add_item("x", "a"), 'x = ["a"]'),
        ("x = [\n  1,\n]\n", remove_item("x", 1), "x = []\n"),
        ("x = [\n  1,\n]\n", set_key("x", [2, 3]), "x = [\n  2,\n  3,\n]\n"),
        ('a = """\nx\n# y"""\nb = 1\n', set_key("a", "z"), 'a = "z"\nb = 1\n'),
        ("b = 1\nc = 2\nd = 3\n", set_key("a", 0), "a = 0\nb = 1\nc = 2\nd = 3\n"),
        ("x = { a = 1 }\n", set_key("y", {"b": 2}), "x = { a = 1 }\ny = { b = 2 }\n"),
    ],
)
def test_new_keys_and_items_go_where_a_person_would_put_them(text, operation, new):
    assert done("a.toml", text, operation) == new


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (set_key("owner", {"x": 1}), "`owner` is a table; set its keys one by one"),
        (set_key("owner.dob", "1980-01-01"), "is of another type"),
        (set_key("owner.name", None), "TOML has no null"),
        (set_key("owner.name", [None]), "TOML has no null"),
        (set_key("tool.ruff.lint.select", ["A"]), "the comment on line 14 would go too"),
        (set_key("tool.ruff.lint.per.b.d", 1), "stands after dots in brackets"),
        (delete_key("tool.ruff.lint.per.b.c"), "stands after dots in brackets"),
        (add_item("fruit", "x"), "`fruit` is a list of tables; give an object"),
        (set_key("title", "1\nowner.x = 2", literal=True), "is not a value in toml"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(operation, reason):
    assert reason in refused("a.toml", TEXT, operation)


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("'''\nx\n'''", "^a|\n^b\n", "'''\n^a|\n^b\n'''"),
        ('"""x\ny"""', "a\\\nb", '"""a\\\\\nb"""'),
        ('"""x\ny"""', "\nb", '"""\n\nb"""'),
        ("'''\nx\n'''", "a\n'", '"a\\n\'"'),
        ("'''\nx\n'''", "flat", '"flat"'),
        ("'x'", "a\nb", '"a\\nb"'),
    ],
)
def test_a_string_over_several_lines_stays_one_where_the_new_one_has_several(old, value, new):
    assert done("a.toml", f"k = {old}\nl = 1\n", set_key("k", value)) == f"k = {new}\nl = 1\n"
