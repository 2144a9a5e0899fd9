from __future__ import annotations

import re

import pytest

from fastedit.errors import FasteditError, OperationRefused
from tests.ops.carried import carried
from tests.ops.keys.keyed import (
    add_item,
    delete_key,
    done,
    outcome,
    refused,
    remove_item,
    rename_key,
    set_key,
)

TEXT = """\
# about the file
name: CI # the name

on:
  push:
    branches: [main, "x"]
  pull_request:
env: &env
  A: 1
  # about B
  B: "two"
  C: 'three'
jobs:
  # build it
  build:
    steps:
      - uses: actions/checkout@v4
        with: {depth: 0, "q": 'z'}
      # second
      - name: run
        run: |
          make
          test

      - run: >-
          x
  docs:
    env:
      <<: *env
      D: 4
    python-version: "3.14"
list:
- a
- b # bb
- c
empty:
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (set_key("name", "CI 2"), "name: CI #", "name: CI 2 #"),
        (set_key("name", "a: b"), "name: CI #", 'name: "a: b" #'),
        (set_key("name", "a\nb"), "name: CI #", 'name: "a\\nb" #'),
        (set_key("name", "no"), "name: CI #", 'name: "no" #'),
        (set_key("name", "1e3"), "name: CI #", 'name: "1e3" #'),
        (set_key("name", ["a", {"b": 1}]), "name: CI #", "name: [a, {b: 1}] #"),
        (set_key("env.B", "3"), '"two"', '"3"'),
        (set_key("env.C", "it's"), "'three'", "'it''s'"),
        (set_key("env.Z", None), "  C: 'three'\n", "  C: 'three'\n  Z: null\n"),
        (set_key("jobs.docs.python-version", "3.13"), '"3.14"', '"3.13"'),
        (set_key("jobs.docs.python-version", "3.13", literal=True), '"3.14"', "3.13"),
        (set_key("jobs.docs.env.A", 7), "      D: 4\n", "      D: 4\n      A: 7\n"),
        (set_key("jobs.build.steps.0.with.depth", 5), "depth: 0", "depth: 5"),
        (set_key("jobs.build.steps.0.with.x", "a, b"), "'z'}", "'z', x: \"a, b\"}"),
        (set_key("jobs.build.steps.1.run", "make\nmore\n"), "          test\n", "          more\n"),
        (set_key("jobs.build.steps.1.run", "one"), "|\n          make\n          test\n", "one\n"),
        (set_key("jobs.build.steps.2.name", "r"), "          x\n", "          x\n        name: r\n"),
        (
            set_key("on.pull_request.types", ["opened"]),
            "  pull_request:\n",
            "  pull_request:\n    types:\n      - opened\n",
        ),
        (set_key("on.pull_request", True), "pull_request:", "pull_request: true"),
        (set_key("empty", ["x"]), "empty:\n", "empty:\n- x\n"),
        (delete_key("name"), "name: CI # the name\n", ""),
        (delete_key("env.B"), '  # about B\n  B: "two"\n', ""),
        (delete_key("on.push.branches"), 'push:\n    branches: [main, "x"]\n', "push: {}\n"),
        (delete_key("jobs.build.steps.1.name"), "- name: run\n        run: |", "- run: |"),
        (delete_key("jobs.build.steps.2.run"), "- run: >-\n          x\n", "- {}\n"),
        (delete_key("jobs.build"), TEXT[TEXT.index("  # build it") : TEXT.index("  docs:")], ""),
        (delete_key("empty"), "empty:\n", ""),
        (rename_key("jobs.build", "make"), "  build:\n", "  make:\n"),
        (rename_key("jobs.build.steps.0.with.q", "w"), '"q"', '"w"'),
        (rename_key("name", "yes"), "name: CI", '"yes": CI'),
        (add_item("list", "d"), "- c\n", "- c\n- d\n"),
        (add_item("list", {"k": "v", "l": [1]}), "- c\n", "- c\n- k: v\n  l:\n  - 1\n"),
        (add_item("on.push.branches", "dev"), '"x"]', '"x", dev]'),
        (remove_item("list", "b"), "- b # bb\n", ""),
        (remove_item("on.push.branches", "main"), '[main, "x"]', '["x"]'),
    ],
)
def test_only_what_changes_is_written(operation, old, new):
    # The first block list below a key tells how lists are indented: here those of jobs, or the last one alone.
    text = TEXT if "- k: v" not in new and new != "empty:\n- x\n" else TEXT[TEXT.index("list:") :]
    assert text.count(old) == 1
    assert done("ci.yml", text, operation) == text.replace(old, new)
    crlf = text.replace("\n", "\r\n").rstrip()
    assert done("ci.yml", crlf, operation) == text.replace(old, new).replace("\n", "\r\n").rstrip()


@pytest.mark.parametrize(
    ("text", "operation", "new"),
    [
        ("", set_key("a", {"b": 2}), "a:\n  b: 2\n"),
        ("# only\n", set_key("a", 2), "# only\na: 2\n"),
        ("a: 1", set_key("b", 2), "a: 1\nb: 2"),
        ("%YAML 1.2\n---\na: 1\n...\n", set_key("b", 2), "%YAML 1.2\n---\na: 1\nb: 2\n...\n"),
        ("a: {}\n", set_key("a.x", 1), "a: {x: 1}\n"),
        ("a: []\n", add_item("a", "k"), "a: [k]\n"),
        ("a:\n  - x\n  # tail\nb: 1\n", add_item("a", "y"), "a:\n  - x\n  - y\n  # tail\nb: 1\n"),
        ("a: |+\n  x\n\nb: 1\n", set_key("a", "y"), "a: y\n\nb: 1\n"),
        ('a: "x\n  y"\nb: z\n', set_key("a", "q"), 'a: "q"\nb: z\n'),
        ("a: # c\n  - 1\n", set_key("a", [5, 6]), "a: # c\n  - 5\n  - 6\n"),
        ("a:\n- 1\nb: 1\n", set_key("a", {"k": 1}), "a:\n  k: 1\nb: 1\n"),
        ("a: null\n", set_key("a", ""), 'a: ""\n'),
        ("a: 1\n", set_key("a", "x\ty"), 'a: "x\\ty"\n'),
        ("a: 1\n", delete_key("a"), ""),
        ("80: a\n", set_key("8080", "b"), "80: a\n8080: b\n"),
        ("? a\n: 1\n? [b]\n: 2\n", set_key("a", 3), "? a\n: 3\n? [b]\n: 2\n"),
        ("- a: 1\n  b: 2\n", set_key("0.c", 3), "- a: 1\n  b: 2\n  c: 3\n"),
    ],
)
def test_other_shapes_of_yaml_are_kept(text, operation, new):
    assert done("a.yaml", text, operation) == new


def test_a_change_below_an_anchor_is_told():
    text, found = outcome("ci.yml", TEXT, set_key("env.A", 2))
    assert text == TEXT.replace("A: 1", "A: 2")
    assert found.notes == ("`&env` is used on line 29, so it changes there too",)


@pytest.mark.parametrize(
    ("text", "operation", "reason"),
    [
        ("a: [1\n", set_key("a", 2), "cannot be read as yaml"),
        ("a: !ref x\n", set_key("a", "y"), "`a` would not come out as it should"),
        ("x: &a 5\ny: *a\n", set_key("x", 6), "`y` would not come out as it should"),
        ("x: &a {q: 5}\ny: *a\n", delete_key("x"), "found undefined alias on line 1"),
        ("x: &a {q: 5}\ny: *a\n", set_key("y.q", 5), "`y` cannot hold a key `q`, as it is `*a`;"),
        ("x: &a {q: 5}\ny: {<<: *a}\n", delete_key("y.q"), "there is none, but line 1: `x.q`"),
        ("a: # c\n  - 1\n", set_key("a", 5), "the comment on line 1 would go too"),
        ("a:\n  - x # c\n  - y\n", set_key("a", []), "the comment on line 2 would go too"),
        ("- a\n", delete_key("0"), "would not come out as it should"),
        ("a: &x\n  - b\nc: &d\n", set_key("a", "y\n- z", literal=True), "the result cannot be read as yaml"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(text, operation, reason):
    assert reason in refused("a.yaml", text, operation)


SEVERAL = "---\n# first\na: 1\nx: {y: [1]}\n---\n# second\na: 2\nz: 3\n---\n"


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        (set_key("1.a", 5), ("a: 2", "a: 5")),
        (set_key("a@7", 5), ("a: 2", "a: 5")),
        (set_key("z", 5), ("z: 3", "z: 5")),
        (set_key("0.b", 5), ("[1]}\n", "[1]}\nb: 5\n")),
        (add_item("x.y", 2), ("[1]", "[1, 2]")),
        (delete_key("1.a"), ("a: 2\n", "")),
        (rename_key("1.a", "b"), ("a: 2", "b: 2")),
    ],
)
def test_several_documents_are_a_list_of_them(operation, change):
    assert done("a.yaml", SEVERAL, operation) == SEVERAL.replace(*change)


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (set_key("a", 5), "can mean 2 things (line 3: `0.a`; line 7: `1.a`)"),
        (set_key("b", 5), "`the file` cannot hold a key `b`"),
        (set_key("2.a", 5), "`2` is a whole document"),
        (delete_key("1"), "`1` is a whole document"),
    ],
)
def test_a_path_that_does_not_say_which_document_is_refused_and_so_is_one_of_a_whole_document(
    operation, reason
):
    with pytest.raises(FasteditError, match=re.escape(reason)):
        done("a.yaml", SEVERAL, operation)


def test_many_aliases_of_aliases_take_no_time():
    laughs = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    text = "a0: &a0 [x]\n" + laughs + "b: 1\n"
    assert done("a.yaml", text, set_key("b", 2)) == text.replace("b: 1", "b: 2")


@pytest.mark.parametrize("text", ["a: [x]\n", "a: {0: x}\n"])
def test_what_one_reader_of_yaml_refuses_in_brackets_is_quoted(text):
    assert done("a.yaml", text, set_key("/a/0", "y?")) == text.replace("x", '"y?"')


def test_a_key_that_is_renamed_changes_no_value_that_is_used_elsewhere():
    text = "a: &a\n  b: 1\nc: *a\n"
    assert not outcome("a.yaml", text, rename_key("a", "d"))[1].notes
    _, found = outcome("a.yaml", text, rename_key("a.b", "d"))
    assert found.notes == ("`&a` is used on line 3, so it changes there too",)


@pytest.mark.parametrize(
    ("asked", "instead"),
    [
        ({"op": "delete", "target": "a"}, "delete-key"),
        ({"op": "rename", "target": "a", "new": "b"}, "rename-key"),
        ({"op": "set-value", "target": "a", "value": "2"}, "set-key"),
    ],
)
def test_an_operation_on_names_is_answered_with_the_one_on_keys(asked, instead):
    with pytest.raises(OperationRefused, match=rf"does not exist in yaml; did you mean {instead}\?"):
        carried("a: 1\n", asked, language="yaml")
