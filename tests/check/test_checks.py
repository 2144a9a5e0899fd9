from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit import Engine
from fastedit.check import check_merge, check_written
from fastedit.request import EditRequest
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.source.language import language_in
from fastedit.source.markers import parse_update

MODULE = '''import os
from typing import Any, Dict


class Store:
    """Keeps."""

    def load(self, path: str) -> Dict[str, Any]:
        data = open(path).read()
        return {"data": data}

    @staticmethod
    def save(path, text):
        os.remove(path)
        open(path, "w").write(text)


def main():
    store = Store()
    store.load("a")
    return 0
'''


def objections(name, old, new, update=None):
    """What is held against a change that an update came to, or without one, that a strong model wrote."""
    document = Document.from_text(old, Path(name))
    hunks = diff_lines(document.lines, Document.from_text(new).lines)
    if update is None:
        return check_written(document, hunks, None)
    return check_merge(document, hunks, parse_update(update, language_in(document), document.lines))


def reasons(name, old, new, update=None):
    return [one.reason for one in objections(name, old, new, update)]


def inserted(code, name, old, row, added, update=None):
    """What a rule holds against an update that inserts text above a line; by default it is that below a marker."""
    document = Document.from_text(old, Path(name))
    read = parse_update(
        f"# ...\n{added}" if update is None else update, language_in(document), document.lines
    )
    found = check_merge(document, (Hunk(row, row, tuple(added.split("\n"))),), read)
    return [one for one in found if one.rule.code == code]


def replaced(old, new, text=MODULE):
    assert old in text
    return text.replace(old, new)


UPDATE = """# ...
    def load(self, path: str) -> Dict[str, Any]:
        data = Path(path).read_text()
        return {"data": data}
# ...
"""
RIGHT = replaced("data = open(path).read()", "data = Path(path).read_text()")


@pytest.mark.parametrize("old", [MODULE, RIGHT])
def test_an_update_applied_as_written_is_trusted(old):
    assert reasons("a.py", old, RIGHT, UPDATE) == []


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (f"{RIGHT}    # ... existing code ...\n", "marker"),
        (
            replaced("from typing import Any, Dict\n", "", RIGHT),
            "the import Any vanishes",
        ),
    ],
)
def test_an_update_applied_wrongly_is_suspect(new, words):
    assert any(words in reason for reason in reasons("a.py", MODULE, new, UPDATE))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.py", "x = (1)\n", "x = (1\n"),
        ("a.js", "f(1);\n", "f(1;\n"),
        ("a.ts", "let a: number = 1;\n", "let a: = 1;\n"),
        ("a.go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f() {\n"),
        ("a.rs", "fn f() {}\n", "fn f( {}\n"),
        ("A.java", "class A { int x; }\n", "class A { int x }\n"),
        ("a.c", "int f(void) { return 1; }\n", "int f(void) { return 1;\n"),
        ("a.cpp", "class A { int x; };\n", "class A { int x; ;\n"),
    ],
)
def test_a_result_that_parses_worse_is_suspect_in_every_language(name, old, new):
    assert any("syntax error" in reason for reason in reasons(name, old, new))
    assert not any("syntax" in reason for reason in reasons(name, new + old, old + old))


def test_python_is_also_held_to_what_only_python_knows():
    new = replaced("def save(path, text):", "def save(path, path):")
    assert any("duplicate argument" in reason for reason in reasons("a.py", MODULE, new))


def test_what_was_broken_before_may_stay_broken():
    assert reasons("a.py", "def f(:\n\nx = 1\n", "def f(:\n\nx = 2\n") == []


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (replaced("def main", "# ... existing code ...\ndef main"), "marker"),
        (replaced("def main", "```\ndef main"), "fence"),
        (replaced("def main", "# </updated-code>\ndef main"), "delimiter"),
        (f"{MODULE}\n\ndef main():\n    return 0\n", "main is now defined 2 times"),
        (MODULE[MODULE.index("def main") :], "Store vanishes, but result line 2 still uses it"),
        ("import os\n", "of the file's"),
    ],
)
def test_a_wrong_answer_is_suspect(new, words):
    document = Document.from_text(MODULE, Path("a.py"))
    hunks = diff_lines(document.lines, new.splitlines())
    found = [one.reason for one in check_written(document, hunks, "delete Store", leaves_out=True)]
    assert any(words in reason for reason in found), found


def test_a_definition_that_the_update_plainly_leaves_out_may_go():
    new = MODULE.replace(MODULE[MODULE.index("    def load") : MODULE.index("    @static")], "")
    plain = '# ...\n    """Keeps."""\n\n    @staticmethod\n    def save(path, text):\n# ...\n'
    veiled = plain.replace("\n\n", "\n    # ...\n")
    assert not any("load" in reason for reason in reasons("a.py", MODULE, new, plain))
    assert any("Store.load vanishes" in reason for reason in reasons("a.py", MODULE, new, veiled))


ONE_TWO = "def one():\n    return {}\n\n\ndef two():\n    return 2\n"


@pytest.mark.parametrize(
    ("old", "new", "held"),
    [
        # A strong model that takes a definition out with its uses means it to go.
        (ONE_TWO.format("two()"), "def one():\n    return 2\n", False),
        (ONE_TWO.format("1"), "def one():\n    return 1\n", True),
        (f"{ONE_TWO.format('two()')}\n\none(two)\n", "def one():\n    return 2\n\n\none(two)\n", False),
        # As many have other names, unless nothing of the file stays.
        (ONE_TWO.format("1"), "def three():\n    return 1\n\n\ndef four():\n    return 4\n", False),
        (ONE_TWO.format("1"), "def three():\n    return 3\n\n\ndef four():\n    return 4\n", True),
        (ONE_TWO.format("1"), "def one():\n    return 3\n\n\ndef four():\n    return 4\n", False),
    ],
)
def test_a_definition_may_go_from_a_strong_models_edit_where_that_was_meant(old, new, held):
    assert ("FE107" in {one.rule.code for one in objections("a.py", old, new)}) is held


@pytest.mark.parametrize(
    ("name", "old", "added", "held"),
    [
        ("a.py", "class A:\n  def f(self):\n    return 1\n", "  def f(self, x=2):\n    return x\n", True),
        ("a.js", "class A {\n  f() { return 1 }\n", "  f(x) { return x }\n", True),
        ("a.js", "class A {\n  get f() { return 1 }\n", "  set f(x) { this.x = x }\n", False),
        ("a.js", "class A {\n  f() { return 1 }\n", "  static f() { return 2 }\n", False),
        ("A.java", "class A {\n  int f() { return 1; }\n", "  int f(int x) { return x; }\n", False),
    ],
)
def test_a_block_of_a_strong_model_may_not_define_again_what_stays(name, old, added, held):
    end = "}\n" if "{" in old else ""
    found = objections(name, old + end, old + added + end)
    assert ("FE107" in {one.rule.code for one in found}) is held


@given(st.integers(0, 20), st.text("abc =()\"'", max_size=12))
def test_any_answer_gets_a_verdict_and_never_an_error(line, text):
    lines = MODULE.splitlines()
    lines[line] = text
    found = reasons("a.py", MODULE, "\n".join(lines) + "\n")
    assert all(isinstance(reason, str) and reason for reason in found)
    assert len(set(found)) == len(found)


DATA = [
    ("a.json", '{\n  "a": 1\n}\n', '{\n  "a": 1\n  "b": 2\n}\n', "json: Expecting ',' delimiter (line 3)"),
    ("a.ndjson", '{"a": 1}\n', '{"a": 1}\n{"b": }\n', "jsonl: Expecting value (line 2)"),
    ("a.toml", "a = 1\n", "a = 1\nb = yes\n", "toml: Invalid value (at line 2, column 5)"),
    ("a.yml", "a: 1\n", "a: 1\n  b: 2\n", "yaml: mapping values are not allowed in this context (line 2)"),
    ("a.yaml", "a: 1\nb: []\n", "a: 1\nb: []\na:\n  c: 2\n", "yaml: the key a is there twice (line 3)"),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), DATA, ids=[case[0] for case in DATA])
def test_data_that_can_be_read_no_more_is_not_trusted(name, old, new, said):
    assert reasons(name, old, new) == [f"the result is not valid {said}"]
    assert reasons(name, "", new) != []
    assert reasons(name, old, old.replace("1", "3")) == []
    assert reasons(name, new, new.replace("1", "3")) == []  # it was no better before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tsconfig.json", "", '{\n  // strict\n  "a": "http://b", /* c */\n  "d": [1,],\n}\n'),
        ("a.json", "", '{"name": "{{ name }}", "count": {{ count }}}\n'),
        ("a.yaml", "", "{{- if .Values.a }}\na: {{ .Values.a }}\n{{- end }}\n"),
        ("a.json", "", "\n"),
        ("a.yaml", "a: &x 1\nb:\n- a: 1\n- {a: 2}\n? [a]\n: d\n---\na: 1\n", "a: 1\nb:\n  a: a\n---\na: 1\n"),
        (
            "a.yaml",
            "a: !Ref b\n---\nc: !!python/object:x.Y {}\n",
            "a: !Ref d\n---\nc: !!python/object:x.Y {}\n",
        ),
    ],
)
def test_data_that_is_a_template_or_has_comments_tags_and_documents_is_trusted(name, old, new):
    assert not any("not valid" in reason for reason in reasons(name, old, new))


@pytest.mark.parametrize("text", ['{"a": 1,}\n', '{"a": "// b",}\n', '{"a": {{ b }}, "c": }\n', "{ // b\n"])
def test_new_data_that_cannot_be_read_is_not_trusted(text):
    assert "not valid json" in reasons("a.json", "", text)[0]


RUBY = "def size(path)\n  File.size(path)\nend\n"


@pytest.mark.parametrize(
    ("update", "said"),
    [
        (f"```ruby\n{RUBY}```\nHope this helps!\n", "a code fence was written into the file"),
        (RUBY.replace("  File", "-  File") + "+  1\n", "`-  File.size(path)` looks like a line of a diff"),
        (RUBY.replace("  File", "+  1\n  File"), "`+  1` looks like a line of a diff"),
        (f"@@ -1,3 +1,4 @@\n{RUBY}", "`@@ -1,3 +1,4 @@` looks like a line of a diff"),
        (f"<<<<<<< SEARCH\n{RUBY}", "`<<<<<<< SEARCH` looks like a line of a diff"),
    ],
)
def test_what_stands_around_code_in_an_answer_does_not_get_into_the_file(update, said):
    assert said in reasons("a.cr", RUBY, update, update)
    for prose in ("a.md", "a.rst", "a.adoc"):
        assert said not in reasons(prose, RUBY, update, update)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.yaml", "a:\n- b\n- c\n", "a:\n- b\n- c\n- d\n"),
        ("README", "x\n```\ny\n```\n", "x\n```\ny\n```\n```\nz\n```\n"),
        ("a.csv", "+49\n", "+49\n+48\n"),
        ("a.patch", "@@ -1 +1 @@\n-a\n+b\n", "@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-a\n+c\n"),
    ],
)
def test_signs_and_fences_that_a_file_has_already_are_its_own(name, old, new):
    assert reasons(name, old, new, new) == []


@pytest.mark.parametrize(
    ("update", "held"),
    [
        ("        data = open(path).read()\n        retu", True),
        ('class Store:\n    """Ke', True),
        ("        os.remove(path)\n        open(path, ", True),
        ("        os.remove(path)\n        open(path, \n# ...", False),
        ("        data = open(path).read()\n        return data", False),
        ("        data = open(path).read()", False),
    ],
)
def test_an_update_that_ends_with_the_beginning_of_the_line_of_the_file_there_is_cut_off(update, held):
    document = Document.from_text(MODULE, Path("a.py"))
    result = Engine.load().apply(EditRequest(document, None, update, policy="merge"))
    assert any("break off at" in reason for reason in result.reasons) is held


@pytest.mark.parametrize(("last", "held"), [("stop()", False), ("sto", True), ("stop()  # at", True)])
def test_a_last_line_without_the_comment_that_the_file_has_behind_it_is_not_cut_off(last, held):
    old, new = "def f():\n    run()\n    stop()  # at once\n", f"def f():\n    run()\n    {last}\n"
    assert ("FE116" in {one.rule.code for one in objections("a.py", old, new, new)}) is held


def test_a_whole_file_that_changes_other_lines_and_loses_the_files_end_is_cut_off():
    changed = MODULE.replace("import os", "import os.path")
    for end, held in (
        ("        os.remove(path)\n", True),
        ("write(text)\n", True),
        ("    return 0\n", False),
    ):
        new = changed[: changed.index(end) + len(end)]
        assert any("nobody asked to lose" in reason for reason in reasons("a.py", MODULE, new, new)) is held
    new = MODULE[: MODULE.index("        open(path, ")]  # nothing else changes, so that is meant
    assert not reasons("a.py", MODULE, new, new)


MOVED = "const ROOT = join('a')\nconst TYPES = {\n  'a.html': 'text'\n}\nrun(ROOT)\n"
ARM = "    Some(_) => {\n        go();\n    }"
MATCH = "match kind {\n    Some(_) => stop(),\n    None => go(),\n}\n"
CASES = (
    "switch (kind) {\ncase Kind::First:\n  open();\n  break;\ncase Kind::Second:\n  close();\n  break;\n}\n"
)
JOBS = "jobs:\n  publish:\n    needs: test\n    run: make\n"
PAGES = "Feature: pages\n  Scenario: one\n    Given a\n  Scenario: two\n    Given b\n"
KEYS = "kind: Service\nname: web\n---\nkind: Secret\nname: key\n"
SHEET = "ul {\n  margin: 0;\n  color: red;\n}\n\n@media print {\n  a {\n    color: red;\n  }\n}\n"


@pytest.mark.parametrize(
    ("name", "old", "row", "added", "said"),
    [
        ("a.js", MOVED, 4, "const ROOT = join('a')", "`ROOT` stands at result line 1 and again at line 5"),
        ("a.js", MOVED, 4, "const ROOT = join('b')", "`ROOT` stands at result line 1 and again at line 5"),
        ("a.js", MOVED, 3, "  'a.html': 'other'", "`a.html:` stands at result line 3 and again at line 4"),
        ("a.js", MOVED, 4, "ROOT = join('b')", None),  # a variable may be given another value
        ("a.js", MOVED, 3, "  'ROOT': join('a')", None),
        ("a.js", MOVED, 5, "function f() {\n  const ROOT = join('a')\n}", None),  # another block
        ("a.js", MOVED, 5, "run(ROOT)", None),  # a call may be made twice
        ("a.rs", MATCH, 2, ARM, "`Some(_) =>` stands at result line 2 and again at line 3"),
        (
            "a.cpp",
            CASES,
            7,
            "case Kind::First:\n  open();",
            "`case Kind::First:` stands at result line 2 and again at line 8",
        ),
        ("a.cpp", CASES, 7, "case Kind::Third:\n  open();", None),
        ("a.css", ".a:hover {\n  top: 0;\n}\n", 3, ".a:focus {\n  top: 1;\n}", None),
        ("a.feature", PAGES, 3, "  Scenario: three\n    Given c", None),  # what its block has several times
        ("a.yml", KEYS, 2, "kind: ConfigMap", "`kind:` stands at result line 1 and again at line 3"),
        ("a.yml", KEYS, 3, "kind: ConfigMap\n---", None),  # another document
    ],
)
def test_what_a_block_may_give_but_once_and_stays_is_not_given_again(name, old, row, added, said):
    assert [one.reason for one in inserted("FE117", name, old, row, added)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("name", "kept", "added", "held"),
    [
        ("a.c", "old_t *info;", "new_t info;", True),
        ("A.java", "Old info = Old.begin(1);", "New<A> info = new New<>(1);", True),
        ("A.cs", "Old info;", "var info = new New();", True),
        ("a.c", "old_t info;", "return info;", False),
        ("a.c", "old_t info;", "info = next();", False),
        ("A.java", "for (int i = 0; i < 9; i++) a(i);", "for (int i = 0; i < 9; i++) b(i);", False),
        ("a.cpp", "int info(int a);", "int info(char a);", False),
        ("a.py", "info = 1", "info = 2", False),
    ],
)
def test_a_name_that_follows_its_type_is_declared_once_in_a_block(name, kept, added, held):
    braces = ("void f() {", "}") if name != "a.py" else ("def f():", "    pass")
    old = f"{braces[0]}\n    {kept}\n    use(info);\n{braces[1]}\n"
    old = f"class A {{\n{old}}}\n" if name.startswith("A") else old
    row = 1 + old.split("\n").index("    use(info);")
    assert bool(inserted("FE117", name, old, row, f"    {added}")) is held


SHOWN_TWICE = "    x = 1\n    x = 2\n    x = 1\n    g()"
SCENARIO = "  Scenario: three\n    Given c"


@pytest.mark.parametrize(
    ("name", "old", "row", "added", "update"),
    [
        ("a.py", "def f(x):\n    x = 1\n    g()\n", 2, "    x = 2\n    x = 1", SHOWN_TWICE),
        ("a.rs", MATCH, 2, ARM, f"match kind {{\n    Some(_) => stop(),\n{ARM}\n    // ...\n}}"),
        ("a.feature", PAGES, 3, SCENARIO, f"  # ...\n{SCENARIO}\n  Scenario: two\n"),
    ],
)
def test_what_the_update_shows_twice_stands_twice(name, old, row, added, update):
    assert inserted("FE117", name, old, row, added, update) == []


def test_a_line_that_stood_beside_one_that_gives_the_same_may_get_another_value():
    old = "f(\n  match a { User => 'end', _ => 'start' },\n  match a { User => 'blue', _ => 'red' },\n)\n"
    found = objections(
        "a.rs", old, old.replace("blue", "green"), "  match a { User => 'green', _ => 'red' },"
    )
    assert "FE117" not in {one.rule.code for one in found}


def test_a_line_that_an_update_shows_as_a_new_one_elsewhere_is_not_the_one_that_stays():
    new = JOBS.replace("jobs:\n", "jobs:\n  docs:\n    needs: test\n") + "    needs: [test, docs]\n"
    update = new.replace("    needs: test\n    run: make\n", "    # ...\n")
    assert "`needs:` stands at result line 5 and again at line 7" in reasons("a.yml", JOBS, new, update)


@pytest.mark.parametrize(
    ("added", "shows", "doubled"),
    [
        ("ul,\nol {\n  margin: 0;\n  padding: 0;\n}\n", "", [(0,)]),
        ("ul, ol {\n  margin: 1px;\n}\n", "", [(0,)]),
        ("ul,\nol {\n  margin: 0;\n}\n", SHEET, []),
        ("ul,\nol {\n  padding: 0;\n}\n", "", []),
        ("ol {\n  margin: 0;\n}\n", "", []),
        ("ul a {\n  margin: 0;\n}\n", "", []),
        ("ul,\nol {\n}\n\nol {\n  margin: 0;\n}\n", "", []),
        ("@media print {\n  b {\n    color: red;\n  }\n}\n", "", []),
        ("@media screen {\n  ul {\n    margin: 0;\n  }\n}\n", "", []),
    ],
)
def test_a_selector_that_becomes_one_of_a_list_has_no_property_in_two_rules(added, shows, doubled):
    found = inserted("FE117", "a.css", SHEET, 10, f"\n{added}".rstrip(), f"{shows}/* ... */\n\n{added}")
    assert [one.doubled for one in found] == doubled


@pytest.mark.parametrize("run", ["const ", "const a: ", "a ", " ", "a: "])
def test_a_line_that_repeats_itself_for_long_is_checked_at_once(run):
    line = f"const {run * 10_000}b"
    inserted("FE117", "a.txt", f"run()\n{line} = 1\n", 0, line, f"{line}\n# ...")


@pytest.mark.parametrize(
    ("new", "held"),
    [
        ("// Remove two", True),
        ("// two() moved to utils", True),
        ("// what follows is of the store", False),
        ("// function two() {\n//   run()\n// }", False),  # commented out
        ("// of two\nconst two = run", False),
    ],
)
def test_a_comment_in_place_of_a_definition_that_it_names_is_objected_to(new, held):
    found = objections(
        "a.js", "one()\nfunction two() {\n  run()\n}\nthree()\n", *[f"one()\n{new}\nthree()\n"] * 2
    )
    assert any(one.rule.code == "FE103" for one in found) is held


@pytest.mark.parametrize(
    ("name", "old", "new", "again"),
    [
        ("a.py", "    a, b = f(x)\n", "    a, c = f(x)\n", True),
        ("a.js", "  const [a, b] = f(x);\n", "  const [a, c] = f(x);\n", True),
        # All that one assigns, over several lines, in a pattern, or above other new lines.
        ("a.py", "    a = f(x)\n    b = g(\n        x\n    )\n", "    a, b = h(x)\n", True),
        ("a.js", "  const a = f({\n    x,\n  });\n", "  const { data: a, b = 3 } = g(x);\n", True),
        ("a.js", "  const a = f(x);\n", "  const {\n    a,\n    ...rest\n  } = g(x);\n", True),
        ("a.py", "    a = f(\n        x\n    )\n", "    pool = Pool(x)\n    a = pool.a()\n", True),
        # What stands between uses it, or the value does.
        ("a.py", "    a = f(x)\n", "    pool = Pool(a)\n    a = pool.f()\n", False),
        ("a.py", "    a = f(x)\n", "    a, b = g(\n        x,\n        a,\n    )\n", False),
        ("a.py", "    a = f(x)\n", "    a = g(a)\n", False),
        # Another value, a call that goes on below, nothing in common, and what nobody wants.
        ("a.py", "    a, b = f(x)\n", "    a, c = f(y)\n", False),
        ("a.py", "    a, b = f(\n        x)\n", "    a, c = f(\n        y)\n", False),
        ("a.py", "    a, b = f(x)\n", "    c, d = f(x)\n", False),
        ("a.py", "    first, _ = next(pairs)\n", "    second, _ = next(pairs)\n", False),
        # Fields of one object, and a field that gets another name.
        ("a.py", "    a.b = 0\n", "    a.c = 0\n", False),
        ("a.js", "  const { a: b } = f(x);\n", "  const { a: c } = f(y);\n", False),
    ],
)
def test_a_name_is_not_assigned_twice_in_a_row(name, old, new, again):
    head, tail = ("def f(x):\n", "    return a\n") if name == "a.py" else ("function f(x) {\n", "}\n")
    said = reasons(name, head + old + tail, head + old + new + tail, f"{head}# ...\n{new}{tail}")
    assert any("is assigned at" in one for one in said) == again


MINIMUM = "MIN = 1\n\n\ndef f():\n    low = MIN\n    return low\n"
REST = "".join(f"\n\ndef f{at}():\n    return {at} + 1\n" for at in range(100))


@pytest.mark.parametrize(
    ("old", "new", "update", "lost_at"),
    [
        (MINIMUM, MINIMUM.replace("MIN = 1", "MAX = 9"), "MAX = 9\n", 5),
        (MINIMUM, MINIMUM.replace("MIN", "LOW"), MINIMUM.replace("MIN", "LOW"), None),
        (MINIMUM, MINIMUM.replace("low = MIN", "low = 3"), "    low = 3\n", None),
        (
            f"MIN = 1\n{REST}\n\ng(MIN)\n",
            f"MAX = 9\n{REST}\n\ng(MIN)\n",
            "MAX = 9\n",
            404,
        ),  # told from around the change
    ],
)
def test_a_variable_of_the_file_that_vanishes_and_is_still_used_is_noticed(old, new, update, lost_at):
    said = f"the variable MIN vanishes, but result line {lost_at} still uses it"
    assert reasons("a.py", old, new, update) == ([said] if lost_at else [])


def unbound(new: str, name: str = "a.py", *, complete: bool = True) -> list[str]:
    document = Document.from_text(MODULE, Path(name))
    hunks = diff_lines(document.lines, Document.from_text(new).lines)
    found = check_written(document, hunks, None, complete=complete)
    return [one.reason for one in found if one.rule.code == "FE108"]


def test_a_forgotten_import_holds_a_strong_models_edit_back():
    new = replaced("open(path).read()", "json.loads(Path(path).read_text())")
    said = "result line 9 uses {}, which the file neither imports nor defines"
    assert unbound(new) == [said.format("json"), said.format("Path")]
    assert unbound("import json\nfrom pathlib import Path\n" + new) == []
    assert unbound("from everything import *\n" + new) == []
    assert unbound(new, complete=False) == []
    assert unbound(new, "a.txt") == []


@pytest.mark.parametrize(
    "code",
    [
        "size(key=path)",
        "[size(path) for size in (len, str)]",
        "(size := len)(path)",
        "self.size.total()",
        "Any.size()",
        "size += 1",
        "lambda size: size",
        "[open(size) for size, _ in path]",
    ],
)
def test_a_name_that_may_be_bound_or_belongs_to_something_else_holds_nothing_back(code):
    bound = "def size(**given):\n    return given\n\n\n" if code == "size(key=path)" else ""
    assert unbound(bound + replaced("open(path).read()", code)) == []


GO = """package store

import (
	"fmt"

	"github.com/mattn/go-colorable"
	"github.com/nats-io/nats/v2"
)

func Load(path string) {
	fmt.Println(path)
}
"""
RUST = """use std::fs;

pub fn load(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
}
"""
TABLE = RUST.replace("super::*", "crate::helpers::*")


def unbound_after(old: str, line: str, code: str, name: str) -> list[str]:
    """What is said of a text in which code stands below a line."""
    document = Document.from_text(old, Path(name))
    row = document.lines.index(line) + 1
    found = check_written(document, [Hunk(row, row, tuple(code.split("\n")))], None)
    return [one.reason.split()[4].rstrip(",") for one in found if one.rule.code == "FE108"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("\ttime.Sleep(time.Second)", ["time"]),
        ("\tvar out http.Handler", ["http"]),
        ("\ttime := clock{}\n\ttime.Sleep(1)", []),  # a variable
        ("\tout := colorable.NewColorableStdout()", []),  # what an import may call it
        ("\tnats.Connect(path)", []),
        ("\tmetrics.count = 1", []),  # no package gives a name that begins with a small letter
        ("\trootCmd.Execute()", []),  # nor is one called so
        ("\tsave(path)", []),  # another file of the package may have it
    ],
)
def test_a_package_that_a_go_file_does_not_import_holds_a_strong_models_edit_back(code, names):
    assert unbound_after(GO, "func Load(path string) {", code, "store.go") == names


@pytest.mark.parametrize(
    ("old", "code", "names"),
    [
        (RUST, "    let path = Path::new(path);", ["Path"]),
        (RUST, "    let held: Option<Arc<String>> = None;", ["Arc"]),
        (RUST, "    spawn(|| 1);", ["spawn"]),
        (RUST, "    use std::path::Path;\n    let path = Path::new(path);", []),
        (RUST, "    let all: Vec<Box<str>> = Vec::new();", []),  # of the prelude
        (RUST, "    serde_json::to_string(path).unwrap();", []),  # may be a crate
        (RUST, "    let path = Path::new(path);\n    made!(Path);", []),  # a macro may bind it
        (TABLE, "    let path = Path::new(path);", ["Path"]),  # the test's names are the test's
        (f"use everything::*;\n{RUST}", "    let path = Path::new(path);", []),
    ],
)
def test_a_name_that_a_rust_file_does_not_use_holds_a_strong_models_edit_back(old, code, names):
    assert unbound_after(old, "pub fn load(path: &str) -> String {", code, "store.rs") == names


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("int load( int a ) { return 1; }", ["the method A.load is now defined 2 times"]),
        ("int load(String name) { return 1; }", []),
    ],
)
def test_a_definition_stands_once_with_the_same_parameters_where_names_may_have_several(added, said):
    document = Document.from_text("class A {\n  int load(int a) { return 1; }\n}\n", Path("A.java"))
    update = parse_update(f"class A {{\n  // ...\n  {added}\n}}\n", "java", document.lines)
    found = check_merge(document, (Hunk(2, 2, (f"  {added}",)),), update)
    assert [one.reason for one in found if one.rule.code == "FE107"] == said


def test_definitions_of_one_name_that_vanish_are_told_once_with_the_line_of_each():
    methods = ("int f(int a) { return a; }", "int f(long a) { return 1; }", "int g() { return 2; }")
    source = "class A {\n" + "".join(f"    {method}\n" for method in methods) + "}\n"
    update = parse_update("class A {\n    // ...\n    int g() { return 3; }\n}\n", "java")
    found = check_merge(Document.from_text(source, Path("A.java")), [Hunk(1, 3, ())], update)
    assert [(one.reason, one.lost) for one in found] == [
        ("the method A.f vanishes, and nobody asked for that", ((1, "f"), (2, "f")))
    ]


def test_definitions_that_vanish_are_told_in_one_sentence():
    source = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(8))
    update = parse_update("# ...\ndef f7():\n    return 8\n", "python")
    hunks = [Hunk(0, 28, ()), Hunk(29, 30, ("    return 8",))]
    found = check_merge(Document.from_text(source, Path("a.py")), hunks, update)
    assert [one.reason for one in found if one.rule.code == "FE107"] == [
        "f0, f1, f2, f3, f4 and 2 more vanish, and nobody asked for that"
    ]


ARROW = """function A() {
  const add = (x) => {
    const one = () => 1;
    return x + one();
  };
  return add;
}
"""
WRAPPED = ARROW.replace("= (x)", "= useCallback((x)").replace("  };\n", "  }, []);\n")


@pytest.mark.parametrize(
    ("new", "lost"),
    [
        (WRAPPED, []),
        (WRAPPED.replace("    const one = () => 1;\n", "").replace("one()", "1"), ["A.add.one"]),
        (ARROW.replace("const add =", "const more ="), ["A.add"]),
    ],
)
def test_a_function_that_is_wrapped_in_a_call_has_not_vanished(new, lost):
    said = reasons("a.js", ARROW, new, "# ...\n")
    vanished = [one for one in said if "nobody asked" in one]
    assert vanished == [f"the function {name} vanishes, and nobody asked for that" for name in lost]


TESTS = "it('loads', () => {\n  function Page() {}\n  render(Page)\n})\n"


@pytest.mark.parametrize(
    ("name", "old", "added"),
    [
        ("a.test.js", TESTS, TESTS.replace("loads", "saves")),
        ("a.js", "add({\n  run() {\n    return 1\n  },\n})\n", "add({\n  run() {\n    return 2\n  },\n})\n"),
        ("a.py", "if A:\n\n    def f():\n        return 1\n", "else:\n\n    def f():\n        return 2\n"),
        ("a.swift", "extension A {\n    func f() {}\n}\n", "extension A {\n    func g() {}\n}\n"),
        ("a.cs", "namespace A {\n    class B {}\n}\n", "namespace A {\n    class C {}\n}\n"),
        ("a.md", "```go\nfunc main() {\n\ta()\n}\n```\n", "```go\nfunc main() {\n\tb()\n}\n```\n"),
    ],
)
def test_a_definition_in_a_block_of_its_own_doubles_none(name, old, added):
    assert reasons(name, old, f"{old}{added}", f"# ...\n{added}") == []


@pytest.mark.parametrize(
    ("kept", "added", "held"),
    [
        ("type Key<A> = A", "type Key<B> = B | null", True),
        ("function run(a: A) {\n  a()\n}", "function run(b: B) {\n  b()\n}", True),
        ("function run(a: A): void", "function run(b: B): void", False),
        ("interface A { b: 1 }", "interface A extends B { c: 1 }", False),
    ],
)
def test_of_definitions_of_one_name_in_typescript_one_has_a_body(kept, added, held):
    said = reasons("a.ts", f"{kept}\n", f"{kept}\n{added}\n", f"# ...\n{added}\n")
    assert any("is now defined 2 times" in one for one in said) is held


def test_a_definition_that_the_update_shows_deeper_has_not_vanished():
    old = "module A\n  class B\n    def c\n      1\n    end\n  end\nend\n"
    new = "module A\n  module D\n    class B\n      def c\n        1\n      end\n    end\n  end\nend\n"
    update = "module A\n  module D\n    class {}\n      # ...\n    end\n  end\nend\n"
    assert reasons("a.rb", old, new, update.format("B")) == []
    assert any("vanish" in one for one in reasons("a.rb", old, new, update.format("E")))


TESTED = "class A {\n  @Test\n  void loads() {\n    a();\n  }\n}\n"
INNER = "  const f = () => 1;\n"
BOTH = f"function a() {{\n  return 2;\n}}\n\nfunction b() {{\n{INNER}"
REACT = "import React from 'react';\nlet a: React.Node;\n"


@pytest.mark.parametrize(
    ("name", "old", "new", "update"),
    [
        ("A.java", TESTED, TESTED.replace("loads", "saves"), TESTED.replace("loads", "saves")),
        ("a.js", f"function a() {{\n{INNER}  return f;\n}}\n", f"{BOTH}  return f;\n}}\n", f"{BOTH}# ...\n"),
        (
            "a.js",
            "import {\n  a,\n  b,\n} from 'd';\n",
            "import {\n  a,\n} from 'd';\n",
            "# ...\n  a,\n# ...\n",
        ),
        ("a.tsx", "import { Node } from 'react';\nlet a: Node;\n", REACT, REACT),
        (
            "a.ts",
            "const A: R = /a/;\n",
            "const A: R = /a/;\nconst B: R = /b/;\n",
            "# ...\nconst B: R = /b/;\n",
        ),
        ("a.toml", '[a]\nname = "a"\n', '[a]\nname = "a"\n\n[b]\nname = "b"\n', '# ...\n\n[b]\nname = "b"\n'),
    ],
)
def test_what_an_update_plainly_says_is_held_against_it_in_no_language(name, old, new, update):
    assert reasons(name, old, new, update) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "held"),
    [
        ("a.html", '<img src="/logo.png">\n', '<img ... loading="lazy">\n', True),
        ("a.vue", '<a-drawer width="35%"\n  placement="right">\n', '<a-drawer width="50%" ...>\n', True),
        ("a.tsx", 'x = <a className="p-4">b</a>;\n', 'x = <a className="...">c</a>;\n', True),
        ("a.html", "<li>One</li>\n", "<li>...</li>\n", True),
        ("a.py", "show = Presenter(size, 2)\n", "show = Presenter(..., sync=True)\n", True),
        ("a.py", "run: Callable[[str], int]\n", "run: Callable[..., int]\n", False),
        ("a.py", 'text = "Load"\n', 'text = "Loading..."\n', False),
        ("a.js", "f(a);\n", "f(...a);\n", False),
        ("a.cpp", "void log(const char *f, int n);\n", "void log(const char *f, ...);\n", False),
        ("a.md", "One, two, three.\n", "One, ..., three.\n", False),
    ],
)
def test_dots_within_a_line_are_not_written_over_what_they_may_stand_for(name, old, new, held):
    said = reasons(name, old, new, new)
    assert any("would be written into the file" in reason for reason in said) == held


@pytest.mark.parametrize(
    ("new", "held"),
    [("// delete this line: load(a);\n", True), ("// load(a);\n", False), ("// see: load(b)\n", False)],
)
def test_a_comment_that_has_the_code_of_a_line_that_goes_is_not_written(new, held):
    said = reasons("a.js", "load(a);\n", new, new)
    assert any("has the code of a line that goes" in reason for reason in said) == held


@pytest.mark.parametrize(
    ("last", "held"),
    [("# etc.", True), ("(rest unchanged)", True), ("# omitted", True), ("return 2", False)],
)
def test_a_comment_that_ends_a_block_of_which_lines_go_may_be_a_marker(last, held):
    old = "def f(x):\n    a = 1\n    b = 2\n    return a + b\n\n\ndef g():\n    return 1\n"
    new = f"def f(x):\n    check(x)\n    {last}\n\n\ndef g():\n    return 1\n"
    said = reasons("a.py", old, new, new)
    assert any("may be meant as a marker" in reason for reason in said) == held


def test_a_comment_that_ends_a_block_may_come_where_nothing_goes():
    old, new = "def f(x):\n    a = 1\n", "def f(x):\n    a = 1\n    check(x)\n    # etc.\n"
    assert not any("marker" in reason for reason in reasons("a.py", old, new, new))
