from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit import Engine
from fastedit.check import check, check_merge, check_written, rule_of
from fastedit.check.change import Change
from fastedit.request import EditRequest, LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, diff_lines
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


def reasons(new, instruction=None, update=None, *, old=MODULE, name="a.py", regions=None):
    document = Document.from_text(old, Path(name))
    lines = Document.from_text(new).lines
    hunks = diff_lines(document.lines, lines)
    if update is not None:
        return tuple(
            one.reason for one in check_merge(document, hunks, parse_update(update, "python", document.lines))
        )
    inside = [LineRange(0, len(document.lines))] if regions is None else regions
    return tuple(one.reason for one in check(document, hunks, instruction, inside))


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


def test_an_update_applied_as_written_is_trusted():
    assert reasons(RIGHT, update=UPDATE) == ()


def test_a_line_of_the_files_own_that_looks_like_a_marker_does_not_go_with_an_update():
    old = replaced("def main():\n", "# ... existing code ...\ndef main():\n")
    right = replaced("data = open(path).read()", "data = Path(path).read_text()", old)
    assert reasons(right, update=UPDATE, old=old) == ()
    said = reasons(replaced("# ... existing code ...\n", "", right), update=UPDATE, old=old)
    assert any("looks like a marker, vanishes" in reason for reason in said)


@pytest.mark.parametrize("marker", ["# ...", "..."])
def test_an_ellipsis_of_the_files_own_may_go_where_the_update_has_none_for_a_marker(marker):
    old = replaced("data = open(path).read()\n", "...\n")
    assert old != MODULE
    body = replaced("# ...\n", f"{marker}\n", UPDATE)
    held = any("looks like a marker, vanishes" in reason for reason in reasons(RIGHT, update=body, old=old))
    assert held == (marker == "...")


def test_an_update_that_is_there_already_changes_nothing_and_is_no_suspect():
    assert reasons(RIGHT, update=UPDATE, old=RIGHT) == ()


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (RIGHT + "    # ... existing code ...\n", "marker"),
        (
            replaced("from typing import Any, Dict\n", "", RIGHT),
            "import of Any vanishes, but Any is still used",
        ),
    ],
)
def test_an_update_applied_wrongly_is_suspect(new, words):
    assert any(words in reason for reason in reasons(new, update=UPDATE))


def test_a_change_outside_the_regions_is_suspect():
    assert reasons(replaced("return 0", "return 1"), regions=[LineRange(0, 5)]) == (
        "file line 21 changes, which is outside the requested region",
    )


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
    assert any("syntax error" in reason for reason in reasons(new, "make it better", old=old, name=name))
    assert not any(
        "syntax" in reason for reason in reasons(old + old, "make it better", old=new + old, name=name)
    )


def test_python_is_also_held_to_what_only_python_knows():
    new = replaced("def save(path, text):", "def save(path, path):")
    assert any("duplicate argument" in reason for reason in reasons(new, "add a parameter"))


def test_what_was_broken_before_may_stay_broken():
    old = "def f(:\n\nx = 1\n"
    assert reasons(old.replace("x = 1", "x = 2"), "set `x` to 2", old=old) == ()


@pytest.mark.parametrize(
    ("instruction", "new"),
    [
        ("rename `data` to `content`", MODULE.replace("data", "content").replace('"content"', '"data"')),
        ("rename `data` to `content`", MODULE.replace("data", "content")),
        (
            "delete the method load",
            MODULE.replace(MODULE[MODULE.index("    def load") : MODULE.index("    @static")], ""),
        ),
        ("add import json", replaced("import os\n", "import json\nimport os\n")),
        ("replace `Store()` with `Store(1)`", replaced("Store()", "Store(1)")),
        ("after `store = Store()` add: `print(store)`", replaced("Store()\n", "Store()\n    print(store)\n")),
        ('add the docstring "Runs." to main', replaced("def main():\n", 'def main():\n    """Runs."""\n')),
        ("give path a default of None in save", replaced("save(path, text)", "save(path=None, text=None)")),
        ('remove `store.load("a")`', replaced('    store.load("a")\n', "")),
        (
            "wrap `os.remove(path)` in try/except OSError and pass",
            replaced(
                "        os.remove(path)",
                "        try:\n            os.remove(path)\n        except OSError:\n            pass",
            ),
        ),
        (
            "make main return 1 if there is an error",
            replaced(
                "    return 0",
                "    try:\n        code = 0\n    except OSError:\n        code = 1\n    return code",
            ),
        ),
    ],
)
def test_an_instruction_carried_out_is_trusted(instruction, new):
    assert reasons(new, instruction) == ()


@pytest.mark.parametrize(
    ("instruction", "new", "words"),
    [
        ("make it quiet", replaced("def main", "def run"), "main vanishes, and nobody"),
        (
            "make Store faster",
            MODULE[MODULE.index("def main") :],
            "Store vanishes, but is still used at result line 2",
        ),
        ("add import json", replaced("import os\n", "import json\n"), "import of os vanishes"),
        (
            "give path a default of None in save",
            replaced("save(path, text)", "save(patch=None, text=None)"),
            "`patch`",
        ),
        (
            "make main return 1",
            replaced("    return 0\n", "    return 30\n"),
            "the number 30 comes from nowhere",
        ),
        (
            "make main quiet",
            replaced("    store = Store()\n", "    stroe = Store()\n"),
            "`stroe` comes from nowhere",
        ),
        (
            "log the start of main",
            replaced("    return 0\n", "    return 0\n    store = Store()\n"),
            "is repeated",
        ),
        ("add a comment to main", replaced("def main", "# ... existing code ...\ndef main"), "marker"),
        ("add a comment to main", replaced("def main", "```\ndef main"), "fence"),
        ("comment main", replaced("def main", "# </updated-code>\ndef main"), "delimiter"),
        ("make main nicer", MODULE + "\n\ndef main():\n    return 0\n", "main is now defined 2 times"),
        (
            "make main nicer",
            MODULE + "\n\n# Starts it.\ndef main():\n    return 0\n",
            "main is now defined 2 times",
        ),
    ],
)
def test_a_wrong_answer_to_an_instruction_is_suspect(instruction, new, words):
    found = reasons(new, instruction)
    assert any(words in reason for reason in found), found


def test_a_file_that_is_mostly_gone_is_suspect():
    assert any("of the file's" in reason for reason in reasons("import os\n", "delete Store"))


def test_a_definition_that_the_update_plainly_leaves_out_may_go():
    new = MODULE.replace(MODULE[MODULE.index("    def load") : MODULE.index("    @static")], "")
    plain = '# ...\n    """Keeps."""\n\n    @staticmethod\n    def save(path, text):\n# ...\n'
    assert not any("load" in reason for reason in reasons(new, update=plain))
    veiled = '# ...\n    """Keeps."""\n    # ...\n    @staticmethod\n    def save(path, text):\n# ...\n'
    assert any("Store.load vanishes" in reason for reason in reasons(new, update=veiled))


@pytest.mark.parametrize(
    ("old", "held"),
    [
        ("def one():\n    return two()\n\n\ndef two():\n    return 2\n", False),
        ("def one():\n    return 1\n\n\ndef two():\n    return 2\n", True),
        ("def one():\n    return two()\n\n\ndef two():\n    return 2\n\n\none(two)\n", False),
    ],
)
def test_a_definition_that_a_strong_model_takes_out_with_its_uses_was_meant_to_go(old, held):
    document = Document.from_text(old, Path("a.py"))
    new = old.replace("two()", "2", 1).replace("def two():\n    return 2\n", "")
    hunks = diff_lines(document.lines, new.splitlines())
    found = check_written(document, hunks, "make it quick")
    assert ("FE107" in {one.rule.code for one in found}) is held


@pytest.mark.parametrize(
    ("new", "held"),
    [
        ("def three():\n    return 1\n\n\ndef four():\n    return 4\n", False),
        ("def three():\n    return 3\n\n\ndef four():\n    return 4\n", True),
        ("def one():\n    return 3\n\n\ndef four():\n    return 4\n", False),
    ],
)
def test_as_many_definitions_have_other_names_unless_nothing_of_the_file_stays(new, held):
    document = Document.from_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n", Path("a.py"))
    found = check_written(document, diff_lines(document.lines, new.splitlines()), "make it quick")
    assert ("FE107" in {one.rule.code for one in found}) is held


@pytest.mark.parametrize(
    ("name", "old", "added", "held"),
    [
        (
            "a.py",
            "class A:\n    def f(self):\n        return 1\n",
            "    def f(self, x=2):\n        return x\n",
            True,
        ),
        ("a.js", "class A {\n  f() { return 1 }\n", "  f(x) { return x }\n", True),
        ("a.js", "class A {\n  get f() { return 1 }\n", "  set f(x) { this.x = x }\n", False),
        ("a.js", "class A {\n  f() { return 1 }\n", "  static f() { return 2 }\n", False),
        ("A.java", "class A {\n  int f() { return 1; }\n", "  int f(int x) { return x; }\n", False),
    ],
)
def test_a_block_of_a_strong_model_may_not_define_again_what_stays(name, old, added, held):
    end = "}\n" if "{" in old else ""
    document = Document.from_text(old + end, Path(name))
    hunks = diff_lines(document.lines, Document.from_text(old + added + end).lines)
    assert ("FE107" in {one.rule.code for one in check_written(document, hunks, "let f take x")}) is held


@given(
    st.integers(0, 20),
    st.text("abc =()\"'", max_size=12),
    st.sampled_from(["rename data to content", "add import json", "fix it"]),
)
def test_any_answer_gets_a_verdict_and_never_an_error(line, text, instruction):
    lines = MODULE.splitlines()
    lines[line] = text
    found = reasons("\n".join(lines) + "\n", instruction)
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
    assert reasons(new, old=old, name=name) == (f"the result is not valid {said}",)
    assert reasons(new, "write it", old="", name=name) != ()
    assert reasons(old.replace("1", "3"), old=old, name=name) == ()
    assert reasons(new.replace("1", "3"), old=new, name=name) == ()  # it was no better before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tsconfig.json", '{\n  // strict\n  "a": "http://b", /* c */\n  "d": [1,],\n}\n'),
        ("a.json", '{"name": "{{ name }}", "count": {{ count }}}\n'),
        ("a.yaml", "{{- if .Values.a }}\na: {{ .Values.a }}\n{{- end }}\n"),
        ("a.json", "\n"),
    ],
)
def test_new_data_that_is_a_template_or_has_comments_is_trusted(name, text):
    assert reasons(text, old="", name=name) == ()


@pytest.mark.parametrize("text", ['{"a": 1,}\n', '{"a": "// b",}\n', '{"a": {{ b }}, "c": }\n', "{ // b\n"])
def test_new_data_that_cannot_be_read_is_not_trusted(text):
    assert "not valid json" in reasons(text, old="", name="a.json")[0]


def test_yaml_may_have_a_key_once_in_each_mapping():
    old = "a: &x 1\nb: *x\nc:\n- a: 1\n- {a: 2, b: 1}\n? [a]\n: d\n---\na: 1\n"
    assert reasons(f"{old}b:\n  a: a\n", old=old, name="a.yaml") == ()


def test_yaml_with_tags_and_several_documents_is_valid():
    old = "a: !Ref b\n---\nc: !!python/object:x.Y {}\n"
    assert reasons(old.replace("b", "d"), old=old, name="a.yaml") == ()


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
    assert said in reasons(update, update=update, old=RUBY, name="a.cr")
    for prose in ("a.md", "a.rst", "a.adoc"):
        assert said not in reasons(update, update=update, old=RUBY, name=prose)


def test_signs_and_fences_that_a_file_has_already_are_its_own():
    lists = "a:\n- b\n- c\n"
    for old, new, name in (
        (lists, lists + "- d\n", "a.yaml"),
        ("x\n```\ny\n```\n", "x\n```\ny\n```\n```\nz\n```\n", "README"),
        ("+49\n", "+49\n+48\n", "a.csv"),
        ("@@ -1 +1 @@\n-a\n+b\n", "@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-a\n+c\n", "a.patch"),
    ):
        assert reasons(new, update=new, old=old, name=name) == ()


def test_what_code_alone_made_of_an_instruction_may_go_in_whatever_words_it_is_named():
    new, document = MODULE[: MODULE.index("def main")], Document.from_text(MODULE, Path("a.py"))
    hunks, whole = (
        diff_lines(document.lines, Document.from_text(new).lines),
        [LineRange(0, len(document.lines))],
    )
    assert not check(document, hunks, "nuke `main`", whole, predicted=True)
    assert check(document, hunks, "nuke `save`", whole, predicted=True)


CUT = [
    ("        data = open(path).read()\n        retu", True),
    ('class Store:\n    """Ke', True),
    ("        os.remove(path)\n        open(path, ", True),
    ("        os.remove(path)\n        open(path, \n# ...", False),
    ("        data = open(path).read()\n        return data", False),
    ("        data = open(path).read()", False),
]


@pytest.mark.parametrize(("update", "held"), CUT)
def test_an_update_that_ends_with_the_beginning_of_the_line_of_the_file_there_is_cut_off(update, held):
    document = Document.from_text(MODULE, Path("a.py"))
    result = Engine.load().apply(EditRequest(document, None, update, policy="merge"))
    assert any("break off at" in reason for reason in result.reasons) is held


@pytest.mark.parametrize(("last", "held"), [("stop()", False), ("sto", True), ("stop()  # at", True)])
def test_a_last_line_without_the_comment_that_the_file_has_behind_it_is_not_cut_off(last, held):
    document = Document.from_text("def f():\n    run()\n    stop()  # at once\n", Path("a.py"))
    update = parse_update(f"def f():\n    run()\n    {last}\n", "python", document.lines)
    found = check_merge(document, (Hunk(2, 3, (f"    {last}",)),), update)
    assert ("FE116" in {one.rule.code for one in found}) is held


def test_a_whole_file_that_changes_other_lines_and_loses_the_files_end_is_cut_off():
    changed = MODULE.replace("import os", "import os.path")
    for end, held in (
        ("        os.remove(path)\n", True),
        ("write(text)\n", True),
        ("    return 0\n", False),
    ):
        new = changed[: changed.index(end) + len(end)]
        assert any("nobody asked to lose" in reason for reason in reasons(new, update=new)) is held
    new = MODULE[: MODULE.index("        open(path, ")]  # nothing else changes, so that is meant
    assert not reasons(new, update=new)


MOVED = "const ROOT = join('a')\nconst TYPES = {\n  'a.html': 'text'\n}\nrun(ROOT)\n"


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ((4, "const ROOT = join('a')"), "`ROOT` stands at result line 1 and again at line 5"),
        ((4, "const ROOT = join('b')"), "`ROOT` stands at result line 1 and again at line 5"),
        ((3, "  'a.html': 'other'"), "`a.html:` stands at result line 3 and again at line 4"),
        ((4, "ROOT = join('b')"), None),  # a variable may be given another value
        ((3, "  'ROOT': join('a')"), None),
        ((5, "function f() {\n  const ROOT = join('a')\n}"), None),  # another block
        ((5, "run(ROOT)"), None),  # a call may be made twice
    ],
)
def test_what_a_block_may_give_but_once_and_stays_is_not_given_again(added, said):
    document = Document.from_text(MOVED, Path("a.js"))
    row, text = added
    update = parse_update("# ...\n" + text, "javascript", document.lines)
    found = check_merge(document, (Hunk(row, row, tuple(text.split("\n"))),), update)
    assert [one.reason for one in found if one.rule.code == "FE117"] == ([said] if said else [])


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
    document = Document.from_text(old, Path(name))
    row = 1 + old.split("\n").index("    use(info);")
    update = parse_update(f"    // ...\n    {added}\n    // ...", document.language, document.lines)
    found = check_merge(document, (Hunk(row, row, (f"    {added}",)),), update)
    assert any(one.rule.code == "FE117" for one in found) is held


def test_a_line_that_stood_beside_one_that_gives_the_same_may_get_another_value():
    old = "f(\n  match a { User => 'end', _ => 'start' },\n  match a { User => 'blue', _ => 'red' },\n)\n"
    document = Document.from_text(old, Path("a.rs"))
    new = "  match a { User => 'green', _ => 'red' },"
    found = check_merge(document, (Hunk(2, 3, (new,)),), parse_update(new, "rust", document.lines))
    assert [one for one in found if one.rule.code == "FE117"] == []


def test_an_assignment_that_the_update_shows_twice_stands_twice():
    old = "def draw(self):\n    self.color = 1\n    text()\n"
    document = Document.from_text(old, Path("a.py"))
    new = ("    self.color = 2", "    more()", "    self.color = 1")
    shown = "\n".join(("    self.color = 1", *new, "    text()"))
    found = check_merge(document, (Hunk(2, 2, new),), parse_update(shown, "python", document.lines))
    assert [one for one in found if one.rule.code == "FE117"] == []


def test_what_a_block_has_several_times_may_be_given_once_more():
    scenarios = [f"  Scenario: Include {name}\n    Given a page\n    Then I see {name}\n" for name in "abc"]
    document = Document.from_text("Feature: Includes\n" + "\n".join(scenarios[:2]), Path("a.feature"))
    row = len(document.lines)
    hunk = Hunk(row, row, ("", *scenarios[2].rstrip().split("\n")))
    update = parse_update("# ...\n" + scenarios[2], "text", document.lines)
    assert check_merge(document, (hunk,), update) == ()


LIST = "# Plan\n\n1. **Goals**\n   - one\n\n2. **Steps**\n   - two\n\nThat is all.\n\n1. More\n"


@pytest.mark.parametrize(
    ("row", "added", "shown", "doubled"),
    [
        (4, ["2. **Actions**", "   - three"], "", [(5,)]),
        (8, ["2. **Actions**"], "", [(5,)]),
        (4, ["2. **Actions**"], "2. **Steps**\n", []),  # shown as well
        (8, ["3. **Actions**", "2) other"], "", []),
        (9, ["2. another list"], "", []),
        (4, ["   2. an inner list"], "", []),
    ],
)
def test_an_item_has_not_the_number_of_another_that_stays(row, added, shown, doubled):
    document = Document.from_text(LIST, Path("a.md"))
    update = parse_update("<!-- ... -->\n" + "\n".join(added) + "\n" + shown, "markdown", document.lines)
    found = check_merge(document, (Hunk(row, row, tuple(added)),), update)
    assert [one.doubled for one in found if one.rule.code == "FE117"] == doubled


def test_a_list_that_numbers_all_items_alike_gets_another_one():
    document = Document.from_text("1. one\n1. two\n", Path("a.md"))
    update = parse_update("1. two\n1. three\n", "markdown", document.lines)
    assert check_merge(document, (Hunk(2, 2, ("1. three",)),), update) == ()


@pytest.mark.parametrize(
    ("new", "held"),
    [
        (["// Remove two"], True),
        (["// two() moved to utils"], True),
        (["// what follows is of the store"], False),
        (["// function two() {", "//   run()", "// }"], False),  # commented out
        (["// of two", "const two = run"], False),
    ],
)
def test_a_comment_in_place_of_a_definition_that_it_names_is_objected_to(new, held):
    document = Document.from_text("one()\nfunction two() {\n  run()\n}\nthree()\n", Path("a.js"))
    update = parse_update("\n".join(["one()", *new, "three()"]), "javascript", document.lines)
    found = check_merge(document, (Hunk(1, 4, tuple(new)),), update)
    assert any(one.rule.code == "FE103" for one in found) is held


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("a()\n\n\ndef b():\n    load()\n", "a()\n\n\ndef b():\n    read()\n", []),
        ("a()\n\n\ndef b():\n    load()\n", "a()\n\n\ndef b():\n    load()\n", ["FE105", "FE107"]),
        ("a()\n", "a()\n", ["FE107"]),  # nothing tells that it was one
    ],
)
def test_a_definition_that_has_another_name_now_and_so_have_all_its_uses_does_not_vanish(old, new, codes):
    before, after = f"def load():\n    return 1\n\n\n{old}", f"def read():\n    return 1\n\n\n{new}"
    document = Document.from_text(before, Path("a.py"))
    hunks = diff_lines(document.lines, Document.from_text(after).lines)
    update = parse_update("# ...\ndef read():\n# ...\n    read()\n", "python", document.lines)
    assert [one.rule.code for one in check_merge(document, hunks, update)] == codes


def test_an_imported_name_that_is_assigned_instead_does_not_vanish():
    document = Document.from_text("from a import now as b\n\nb()\n", Path("a.py"))
    new = ("from a import now as _b", "", "b = _b")
    update = parse_update("\n".join((*new, "# ...")), "python", document.lines)
    assert check_merge(document, (Hunk(0, 1, new),), update) == ()


def test_an_arm_of_a_pattern_that_has_one_is_objected_to_unless_the_update_shows_both():
    document = Document.from_text(
        "match kind {\n    Some(_) => stop(),\n    None => go(),\n}\n", Path("a.rs")
    )
    arm = "    Some(_) => {\n        go();\n    }"
    hunks = (Hunk(2, 2, tuple(arm.split("\n"))),)
    for shown, held in (("", True), ("    Some(_) => stop(),\n", False)):
        update = parse_update(f"match kind {{\n{shown}{arm}\n    // ...\n}}", "rust", document.lines)
        assert any(one.rule.name == "twice" for one in check_merge(document, hunks, update)) is held


def test_an_import_may_go_with_all_its_uses_and_else_with_a_word_alone():
    old = "import json\nimport os\nimport readline\n\nA = os.sep\nB = 1\n"
    update = parse_update("import json\n# ...\nA = 1\n", "python", old.split("\n"))
    objected = [
        [one.reason for one in check_merge(Document.from_text(old, Path("a.py")), hunks, update)]
        for hunks in ((Hunk(1, 2, ()), Hunk(4, 5, ("A = 1",))), (Hunk(2, 3, ()),))
    ]
    assert objected == [[], ["the import of readline vanishes, and nobody asked for that"]]


def test_an_assignment_that_overwrites_a_kept_one_in_the_next_statement_is_objected_to():
    old = "def f():\n    a = 1\n    b = g(\n        a,\n    )\n    return b\n"
    update = "def f():\n    # ...\n    b = h(a)\n    return b\n"
    document = Document.from_text(old, Path("a.py"))
    hunks = (Hunk(5, 5, ("    b = h(a)",)),)
    objections = check_merge(document, hunks, parse_update(update, "python", document.lines))
    assert [one.rule.name for one in objections] == ["store"]


@pytest.mark.parametrize("line", ["    b = h(b)", "    c = h(a)"])
def test_an_assignment_that_uses_the_old_value_or_has_another_name_is_not(line):
    document = Document.from_text("def f():\n    b = g()\n    return b\n", Path("a.py"))
    update = parse_update(f"def f():\n    # ...\n{line}\n    return b\n", "python", document.lines)
    assert check_merge(document, (Hunk(2, 2, (line,)),), update) == ()


def test_a_second_docstring_next_to_the_old_one_is_noticed():
    new = replaced('"""Keeps."""', '"""Keeps all."""\n    """Keeps."""')
    assert reasons(new, update='# ...\nclass Store:\n    """Keeps all."""\n    # ...\n') == (
        "a docstring begins at result line 6 and another at line 7",
    )
    assert (
        reasons(replaced('"""Keeps."""', '"""Keeps all."""'), update='class Store:\n    """Keeps all."""\n')
        == ()
    )


def test_a_variable_of_the_file_that_vanishes_and_is_still_used_is_noticed():
    old = "MIN = 1\n\n\ndef f():\n    low = MIN\n    return low\n"
    said = reasons(old.replace("MIN = 1", "MAX = 9"), update="MAX = 9\n", old=old)
    assert said == ("the variable MIN vanishes, but result line 5 still uses it",)
    both = old.replace("MIN", "LOW")
    assert reasons(both, update=both, old=old) == ()
    assert reasons(old.replace("low = MIN", "low = 3"), update="    low = 3\n", old=old) == ()


def test_a_name_that_a_long_file_loses_is_noticed_from_what_surrounds_the_change():
    rest = "".join(f"\n\ndef f{at}():\n    return {at} + 1\n" for at in range(100))
    old = f"MIN = 1\n\n\ndef first():\n    return 1\n{rest}\n\ndef last():\n    return MIN\n"
    said = reasons(old.replace("MIN = 1", "MAX = 9"), update="MAX = 9\n", old=old)
    assert said == ("the variable MIN vanishes, but result line 409 still uses it",)


def test_a_second_docstring_in_a_long_file_is_noticed_at_its_line():
    rest = "".join(f"\n\ndef f{at}():\n    return {at} + 1\n" for at in range(100))
    old = f"{MODULE}{rest}\n\n{MODULE}{rest}"
    new = old[:-900].rsplit('    """Keeps."""\n', 1)
    said = reasons(
        '    """Keeps all."""\n    """Keeps."""\n'.join(new) + old[-900:],
        update='class Store:\n    """Keeps all."""\n',
        old=old,
    )
    assert said == ("a docstring begins at result line 429 and another at line 430",)


LABEL = "int f(char *p)\n{\n    if (!p)\n        goto out;\nout:\n    free(p);\n    return 0;\n}\n"


def test_a_condition_that_the_grammar_has_no_place_for_is_no_error_where_each_branch_parses():
    guarded = LABEL.replace("    free(p);\n", "#ifdef A\n    free(p);\n#else\n    {}\n#endif\n")
    assert reasons(guarded, update=guarded, old=LABEL, name="a.c") == ()
    for broken in (
        guarded.replace("(p);", "(p;"),
        guarded.replace("{}", "{"),
        guarded.replace("#endif\n", ""),
    ):
        said = reasons(broken, update=broken, old=LABEL, name="a.c")
        assert any("syntax error" in one for one in said)


@pytest.mark.parametrize("code", ["FE105", "FE115"])
def test_a_change_that_is_sound_by_itself_does_not_parse_all_of_a_long_file(code):
    rest = "".join(f"\n\ndef f{at}():\n    return {at} + 1\n" for at in range(100))
    document = Document.from_text(f"MIN = 1\n{rest}", Path("a.py"))
    change = Change(document, [Hunk(0, 1, ("MIN = 2",))], None, parse_update("MIN = 2\n", "python"), "merge")
    assert not list(rule_of(code).check(change))
    assert not {"old_syntax", "new_syntax"} & vars(change).keys()


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


@pytest.mark.parametrize(
    "code", ["path if size else None", "open(size)", "f'{size}'", "path[size]", "size == path"]
)
def test_a_name_that_is_read_and_nowhere_bound_holds_a_strong_models_edit_back(code):
    said = "result line 9 uses size, which the file neither imports nor defines"
    assert unbound(replaced("open(path).read()", code)) == [said]


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


@pytest.mark.parametrize("run", ["const ", "const a: ", "a ", " ", "a: "])
def test_a_line_that_repeats_itself_for_long_is_checked_at_once(run):
    line = f"const {run * 10_000}b"
    document = Document.from_text(f"run()\n{line} = 1\n", Path("a.txt"))
    added = Hunk(0, 0, (line,))
    check_merge(document, (added,), parse_update(f"{line}\n# ...", "text", document.lines))


def test_rules_of_one_element_are_several():
    old = ".a:hover {\n  top: 0;\n}\n"
    document = Document.from_text(old, Path("a.css"))
    hunk = Hunk(3, 3, (".a:focus {", "  top: 1;", "}"))
    found = check_merge(
        document, (hunk,), parse_update("/* ... */\n" + "\n".join(hunk.lines), "css", document.lines)
    )
    assert [one for one in found if one.rule.code == "FE117"] == []


def test_a_line_that_an_update_shows_as_a_new_one_elsewhere_is_not_the_one_that_stays():
    old = "jobs:\n  publish:\n    needs: test\n    run: make\n"
    document = Document.from_text(old, Path("a.yml"))
    new = (Hunk(1, 1, ("  docs:", "    needs: test")), Hunk(4, 4, ("    needs: [test, docs]",)))
    update = parse_update(
        "jobs:\n  docs:\n    needs: test\n  publish:\n    # ...\n    needs: [test, docs]\n",
        "yaml",
        document.lines,
    )
    found = check_merge(document, new, update)
    assert [one.reason for one in found if one.rule.code == "FE117"] == [
        "`needs:` stands at result line 5 and again at line 7"
    ]


def test_what_a_block_has_several_times_may_come_once_more_where_the_update_shows_one_of_them():
    old = "Feature: pages\n  Scenario: one\n    Given a\n  Scenario: two\n    Given b\n"
    document = Document.from_text(old, Path("a.feature"))
    hunk = Hunk(3, 3, ("  Scenario: three", "    Given c"))
    update = parse_update(
        "  # ...\n" + "\n".join(hunk.lines) + "\n  Scenario: two\n    # ...\n", "text", document.lines
    )
    assert [one for one in check_merge(document, (hunk,), update) if one.rule.code == "FE117"] == []


def test_each_document_of_a_text_may_give_its_own_keys():
    document = Document.from_text("kind: Service\nname: web\n---\nkind: Secret\nname: key\n", Path("a.yml"))
    for row, held in ((3, False), (2, True)):
        hunk = Hunk(row, row, ("kind: ConfigMap", "---") if row == 3 else ("kind: ConfigMap",))
        update = parse_update("# ...\n" + "\n".join(hunk.lines), "yaml", document.lines)
        found = check_merge(document, (hunk,), update)
        assert any(one.rule.code == "FE117" for one in found) is held


ANNOTATED = [
    ("A.java", "class A {\n  @Test\n  void a() {}\n}\n", "@Test(timeout = 9)"),
    ("A.java", 'class A {\n  @Column(name = "a")\n  int a;\n}\n', '@Column(name = "a", nullable = false)'),
    ("A.kt", "class A {\n  @Test\n  // slow\n  fun a() {}\n}\n", "@Test(timeout = 9)"),
    ("A.cs", "class A {\n  [Test]\n  void A() {}\n}\n", "[Test(9)]"),
    ("a.ts", "class A {\n  @Input()\n  a = 1;\n}\n", "@Input({ required: true })"),
    ("a.py", "class A:\n  @cache\n  def a(self): ...\n", "@cache(9)"),
    ("a.rs", "mod a {\n  #[cfg(a)]\n  fn a() {}\n}\n", "#[cfg(b)]"),
    ("a.php", "<?php\nclass A {\n  #[Test]\n  function a() {}\n}\n", "#[Test(9)]"),
    ("A.swift", "class A {\n  @Test\n  func a() {}\n}\n", '@Test("a")'),
]


def annotated_twice(name, old, added, update):
    document = Document.from_text(old, Path(name))
    kept = next(row for row, line in enumerate(document.lines) if line.strip().startswith(("@", "[", "#[")))
    update = parse_update(update, document.language, document.lines)
    found = check_merge(document, (Hunk(kept + 1, kept + 1, (f"  {added}",)),), update)
    return [one.doubled == (kept,) for one in found if one.rule.code == "FE117"]


@pytest.mark.parametrize(("name", "old", "added"), ANNOTATED)
def test_a_declaration_keeps_no_annotation_beside_the_new_one_of_its_name(name, old, added):
    lines = old.splitlines()
    kept = next(row for row, line in enumerate(lines) if line.strip().startswith(("@", "[", "#[")))
    above, below = "\n".join(lines[:kept]), "\n".join(lines[kept + 1 :])
    assert annotated_twice(name, old, added, f"{above}\n  {added}\n{below}\n") == [True]
    assert annotated_twice(name, old, added, f"{above}\n{lines[kept]}\n  {added}\n{below}\n") == []


def test_an_annotation_that_the_file_repeats_or_a_marker_stands_for_may_come_again():
    old = "class A:\n  @patch('a')\n  def a(self): ...\n"
    assert annotated_twice("a.py", old, "@patch('b')", "class A:\n  @patch('b')\n  def a(self): ...\n") == [
        True
    ]
    marked = "class A:\n  @patch('b')\n  # ... existing patches ...\n  def a(self): ...\n"
    assert annotated_twice("a.py", old, "@patch('b')", marked) == []
    twice = f"{old}  @patch('c')\n  @patch('d')\n  def b(self): ...\n"
    assert (
        annotated_twice("a.py", twice, "@patch('b')", "class A:\n  @patch('b')\n  def a(self): ...\n") == []
    )


SHEET = "ul {\n  margin: 0;\n  color: red;\n}\n\n@media print {\n  a {\n    color: red;\n  }\n}\n"


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
    document = Document.from_text(SHEET, Path("a.css"))
    update = parse_update(f"{shows}/* ... */\n\n{added}", "css", document.lines)
    found = check_merge(document, (Hunk(10, 10, ("", *added.splitlines())),), update)
    assert [one.doubled for one in found if one.rule.code == "FE117"] == doubled


def test_a_case_that_stays_is_not_given_again():
    old = "switch (kind) {\ncase Kind::First:\n  open();\n  break;\ncase Kind::Second:\n  close();\n  break;\n}\n"
    document = Document.from_text(old, Path("a.cpp"))
    for case, said in (
        ("Kind::First", ["`case Kind::First:` stands at result line 2 and again at line 8"]),
        ("Kind::Third", []),
    ):
        hunk = Hunk(7, 7, (f"case {case}:", "  open();", "  break;"))
        update = parse_update("\n".join(hunk.lines), "cpp", document.lines)
        found = check_merge(document, (hunk,), update)
        assert [one.reason for one in found if one.rule.code == "FE117"] == said


@pytest.mark.parametrize(
    ("update", "held"),
    [
        ("class A(Exception):\n    def __init__(self):\n        self.code = 1\n", True),
        ("class A(Exception):\n    code = 1\n", True),
        ("class A(Exception):\n    code = 1\n    pass\n", False),
        ("class A(Exception):\n    # Nothing more.\n    pass\n", False),
    ],
)
def test_a_placeholder_that_stays_next_to_new_code_is_objected_to_unless_the_update_shows_it(update, held):
    document = Document.from_text("class A(Exception):\n    pass\n", Path("a.py"))
    new = update.splitlines()[1:]
    shown = parse_update(update, "python", document.lines)
    hunk = Hunk(1, 1, tuple(line for line in new if line.strip() != "pass"))
    found = check_merge(document, (hunk,), shown)
    assert any(one.rule.code == "FE118" for one in found) is held


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("fun load(): Int {", ["load is now defined 2 times"]),
        ("fun load(name: String): Int {", []),
        ("val one = load()", []),
    ],
)
def test_a_definition_stands_once_in_a_language_without_a_grammar_too(added, said):
    document = Document.from_text("fun load(): Int {\n}\n\nfun save() {}\n", Path("a.pony"))
    hunk = Hunk(4, 4, ("", added, "}"))
    update = parse_update(f"// ...\nfun save() {{}}\n\n{added}\n", "text", document.lines)
    found = check_merge(document, (hunk,), update)
    assert [one.reason for one in found if one.rule.code == "FE107"] == said


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
    said = beside("a.js", ARROW, new, "# ...\n")
    vanished = [one for one in said if "nobody asked" in one]
    assert vanished == [f"the function {name} vanishes, and nobody asked for that" for name in lost]


def beside(name, old, new, update):
    document = Document.from_text(old, Path(name))
    hunks = diff_lines(document.lines, Document.from_text(new).lines)
    return tuple(
        one.reason for one in check_merge(document, hunks, parse_update(update, "python", document.lines))
    )


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
    assert beside(name, old, f"{old}{added}", f"# ...\n{added}") == ()


@pytest.mark.parametrize(
    ("kept", "added", "held"),
    [
        ("type Key<A> = A", "type Key<B> = B | null", True),
        ("function run(a: A) {\n  a()\n}", "function run(b: B) {\n  b()\n}", True),
        ("function run(a: A): void", "function run(b: B): void", False),
    ],
)
def test_of_definitions_of_one_name_in_typescript_one_has_a_body(kept, added, held):
    said = beside("a.ts", f"{kept}\n", f"{kept}\n{added}\n", f"# ...\n{added}\n")
    assert any("is now defined 2 times" in one for one in said) is held


def test_a_definition_that_the_update_shows_deeper_has_not_vanished():
    old = "module A\n  class B\n    def c\n      1\n    end\n  end\nend\n"
    new = "module A\n  module D\n    class B\n      def c\n        1\n      end\n    end\n  end\nend\n"
    update = "module A\n  module D\n    class {}\n      # ...\n    end\n  end\nend\n"
    assert beside("a.rb", old, new, update.format("B")) == ()
    assert any("vanish" in one for one in beside("a.rb", old, new, update.format("E")))


def test_a_definition_that_is_twice_in_one_block_is_doubled():
    twice = "add({\n  run() {\n    return 1\n  },\n  run() {\n    return 2\n  },\n})\n"
    said = beside("a.js", "add({\n  run() {\n    return 1\n  },\n})\n", twice, "# ...\n  },\n})\n")
    assert any("run is now defined 2 times" in one for one in said)


@pytest.mark.parametrize(
    ("name", "old", "new", "update"),
    [
        (
            "A.java",
            "class A {\n  @Test\n  void loads() {\n    a();\n  }\n}\n",
            "class A {\n  @Test\n  void saves() {\n    a();\n  }\n}\n",
            "class A {\n  @Test\n  void saves() {\n    a();\n  }\n}\n",
        ),
        (
            "a.js",
            "function a() {\n  const f = () => 1;\n  return f;\n}\n",
            "function a() {\n  return 2;\n}\n\nfunction b() {\n  const f = () => 1;\n  return f;\n}\n",
            "function a() {\n  return 2;\n}\n\nfunction b() {\n  const f = () => 1;\n# ...\n",
        ),
        (
            "a.js",
            "import {\n  a,\n  b,\n  c,\n} from 'd';\n\na(c);\n",
            "import {\n  a,\n  c,\n} from 'd';\n\na(c);\n",
            "# ...\n  a,\n  c,\n# ...\n",
        ),
        (
            "a.tsx",
            "import { Node } from 'react';\nlet a: Node;\n",
            "import React from 'react';\nlet a: React.Node;\n",
            "import React from 'react';\nlet a: React.Node;\n",
        ),
        (
            "a.ts",
            "const A: RegExp = /a/;\n",
            "const A: RegExp = /a/;\nconst B: RegExp = /b/;\n",
            "# ...\nconst B: RegExp = /b/;\n",
        ),
        ("a.toml", '[a]\nname = "a"\n', '[a]\nname = "a"\n\n[b]\nname = "b"\n', '# ...\n\n[b]\nname = "b"\n'),
    ],
)
def test_what_an_update_plainly_says_is_held_against_it_in_no_language(name, old, new, update):
    assert beside(name, old, new, update) == ()


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
    said = reasons(new, update=new, old=old, name=name)
    assert any("would be written into the file" in reason for reason in said) == held


@pytest.mark.parametrize(
    ("new", "held"),
    [("// delete this line: load(a);\n", True), ("// load(a);\n", False), ("// see: load(b)\n", False)],
)
def test_a_comment_that_has_the_code_of_a_line_that_goes_is_not_written(new, held):
    said = reasons(new, update=new, old="load(a);\n", name="a.js")
    assert any("has the code of a line that goes" in reason for reason in said) == held


@pytest.mark.parametrize(
    ("last", "held"),
    [("# etc.", True), ("(rest unchanged)", True), ("# omitted", True), ("return 2", False)],
)
def test_a_comment_that_ends_a_block_of_which_lines_go_may_be_a_marker(last, held):
    old = "def f(x):\n    a = 1\n    b = 2\n    return a + b\n\n\ndef g():\n    return 1\n"
    new = f"def f(x):\n    check(x)\n    {last}\n\n\ndef g():\n    return 1\n"
    said = reasons(new, update=new, old=old)
    assert any("may be meant as a marker" in reason for reason in said) == held


def test_a_comment_that_ends_a_block_may_come_where_nothing_goes():
    old, new = "def f(x):\n    a = 1\n", "def f(x):\n    a = 1\n    check(x)\n    # etc.\n"
    assert not any("marker" in reason for reason in reasons(new, update=new, old=old))


@pytest.mark.parametrize(
    ("name", "old", "new", "again"),
    [
        ("a.py", "    wanted, most = limits(item)\n", "    wanted, budget = limits(item)\n", True),
        (
            "a.js",
            "  const [wanted, most] = limits(item);\n",
            "  const [wanted, budget] = limits(item);\n",
            True,
        ),
        # All that one assigns, over several lines, in a pattern, or above other new lines.
        (
            "a.py",
            "    wanted = limit(item)\n    most = top(\n        item\n    )\n",
            "    wanted, most = limits(item)\n",
            True,
        ),
        (
            "a.js",
            "  const wanted = find({\n    item,\n  });\n",
            "  const { data: wanted, most = 3 } = limits(item);\n",
            True,
        ),
        (
            "a.js",
            "  const wanted = find(item);\n",
            "  const {\n    wanted,\n    ...rest\n  } = limits(item);\n",
            True,
        ),
        (
            "a.py",
            "    wanted = limit(\n        item\n    )\n",
            "    pool = Pool(item)\n    wanted = pool.wanted()\n",
            True,
        ),
        # What stands between uses it, or the value does.
        ("a.py", "    wanted = limit(item)\n", "    pool = Pool(wanted)\n    wanted = pool.limit()\n", False),
        (
            "a.py",
            "    wanted = limit(item)\n",
            "    wanted, most = limits(\n        item,\n        wanted,\n    )\n",
            False,
        ),
        # Another value, a call that goes on below, nothing in common, and what nobody wants.
        ("a.py", "    wanted, most = limits(item)\n", "    wanted, budget = limits(line)\n", False),
        (
            "a.py",
            "    wanted, most = limits(\n        a)\n",
            "    wanted, budget = limits(\n        b)\n",
            False,
        ),
        ("a.py", "    wanted, most = limits(item)\n", "    budget, least = limits(item)\n", False),
        ("a.py", "    first, _ = next(pairs)\n", "    second, _ = next(pairs)\n", False),
        # Fields of one object, and a field that gets another name.
        ("a.py", "    wanted.most = 0\n", "    wanted.least = 0\n", False),
        (
            "a.js",
            "  const { wanted: most } = limits(item);\n",
            "  const { wanted: least } = limits(line);\n",
            False,
        ),
    ],
)
def test_a_name_is_not_assigned_the_same_value_twice_among_others(name, old, new, again):
    head, tail = (
        ("def f(item):\n", "    return wanted\n") if name == "a.py" else ("function f(item) {\n", "}\n")
    )
    said = reasons(
        head + old + new + tail, update=head + "# ...\n" + new + tail, old=head + old + tail, name=name
    )
    assert any("is assigned at" in one for one in said) == again


@pytest.mark.parametrize(
    ("old", "added", "said"),
    [
        ("type A<T> = T[]\n", "type A<T, K> = K[]", ["the type A is now defined 2 times"]),
        ("function f(a) {}\n", "function f(b) {}", ["the function f is now defined 2 times"]),
        ("function f(a) {}\n", "function f(b);", []),
        ("interface A { b: 1 }\n", "interface A extends B { c: 1 }", []),
    ],
)
def test_of_typescript_overloads_and_interfaces_alone_are_there_twice(old, added, said):
    document = Document.from_text(old, Path("a.ts"))
    update = parse_update(f"// ...\n{added}\n", "typescript", document.lines)
    found = check_merge(document, (Hunk(1, 1, (added,)),), update)
    assert [one.reason for one in found if one.rule.code == "FE107"] == said
