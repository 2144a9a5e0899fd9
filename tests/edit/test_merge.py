import argparse
import inspect
import random
import textwrap
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.edit import doubts
from fastedit.edit.align import align
from fastedit.edit.markers import parse_update, reindent
from fastedit.edit.merge import Prediction, predict
from fastedit.edit.outline import indent_width
from fastedit.edit.update import Update, UpdateLine

ORIGINAL = """import os
import re


def first(a, b):
    total = a + b
    if total > 3:
        return None
    return total


def second(path):
    with open(path) as stream:
        data = stream.read()
    return data


class Store:
    def load(self):
        self.count = 1
        return self.count

    def clear(self):
        self.count = 0
        return self.count
""".splitlines()


def merge(sketch: str, original: list[str] = ORIGINAL, language: str = "python") -> Prediction:
    update = reindent(original, parse_update(textwrap.dedent(sketch), language, original))
    return predict(original, update, align(original, update))


def replaced(old: str, new: str) -> tuple[str, ...]:
    text = "\n".join(ORIGINAL)
    assert text.count(old) == 1
    return tuple(text.replace(old, new).split("\n"))


def assert_certain(found: Prediction, wanted: tuple[str, ...]) -> None:
    assert found.lines == wanted
    assert found.reasons == ()
    assert found.unambiguous


def test_one_changed_line_between_unique_lines_is_unambiguous():
    found = merge("""\
        # ... existing code ...
            total = a + b
            if total > 4:
                return None
        # ... existing code ...""")
    assert_certain(found, replaced("total > 3", "total > 4"))
    assert found.origins[6] is None
    assert [origin for origin in found.origins if origin is not None] == [*range(6), *range(7, len(ORIGINAL))]


def test_a_changed_signature_alone_is_unambiguous():
    found = merge("# ...\ndef second(path, mode):\n    # ...")
    assert_certain(found, replaced("second(path)", "second(path, mode)"))


def test_lines_left_out_between_shown_lines_are_deleted():
    found = merge("# ...\n    total = a + b\n    return total\n# ...")
    assert_certain(found, replaced("    if total > 3:\n        return None\n", ""))


def test_new_lines_behind_a_shown_line_are_inserted_there():
    found = merge("import os\nimport sys\n# ...")
    assert_certain(found, replaced("import os\n", "import os\nimport sys\n"))


def test_a_new_method_in_a_shown_class_goes_to_its_end():
    found = merge("# ...\nclass Store:\n    # ...\n    def size(self):\n        return self.count + 1\n# ...")
    assert found.lines == (*ORIGINAL, "", "    def size(self):", "        return self.count + 1")
    assert found.unambiguous


def test_a_new_definition_behind_the_last_marker_is_appended():
    found = merge("# ... existing code ...\n\ndef third():\n    pass")
    assert_certain(found, (*ORIGINAL, "", "", "def third():", "    pass"))


@pytest.mark.parametrize("blanks", ["\n", "\n\n", "\n\n\n"])
def test_a_new_definition_keeps_the_files_distance_whatever_the_sketch_shows(blanks):
    found = merge(f"# ...{blanks}def middle(x):\n    return x * 5\n\n\ndef second(path):\n# ...")
    assert found.lines == replaced("def second", "def middle(x):\n    return x * 5\n\n\ndef second")


def test_a_new_definition_squeezed_between_two_others_takes_no_blank_lines_from_them():
    found = merge("# ...\n    return total\ndef middle(x):\n    return x * 5\ndef second(path):\n# ...")
    assert found.lines == replaced("def second", "def middle(x):\n    return x * 5\n\n\ndef second")
    method = "    def size(self):\n        return self.count\n"
    found = merge(
        f"# ...\nclass Store:\n    def load(self):\n        # ...\n{method}    def clear(self):\n# ..."
    )
    assert found.lines == replaced("    def clear", f"{method}\n    def clear")
    overload = "def second(path: int): ...\n\n\n@overload\n"
    found = merge(f"# ...\n{overload}def second(path):\n# ...")
    assert found.lines == replaced("def second", f"{overload}def second")
    found = merge("# ...\n    return total\nlimit = first(1, 2)\ndef second(path):\n# ...")
    assert found.lines == replaced("\n\n\ndef second", "\nlimit = first(1, 2)\ndef second")


def test_blank_lines_between_markers_and_code_are_neither_doubled_nor_lost():
    found = merge("# ...\n\n\n\ndef second(path):\n    # ...\n    return data.strip()\n\n\n\n# ...")
    assert found.lines == replaced("return data", "return data.strip()")


def test_a_definition_spelled_out_whole_replaces_the_old_one():
    found = merge("# ...\ndef first(a, b):\n    return max(a, b)\n\n# ...")
    body = "    total = a + b\n    if total > 3:\n        return None\n    return total"
    assert found.lines == replaced(body, "    return max(a, b)")


def test_code_moves_into_a_new_block():
    found = merge("""\
        # ...
        def second(path):
            if path:
                with open(path) as stream:
                    data = stream.read()
            return data
        # ...""")
    old = "    with open(path) as stream:\n        data = stream.read()"
    assert_certain(found, replaced(old, "    if path:\n" + textwrap.indent(old, "    ")))


def test_trailing_blanks_of_untouched_lines_survive_a_sketch_without_them():
    original = ["a_name = 1  ", "b_name = 2\t", "c_name = 3"]
    assert merge("a_name = 1\nb_name = 2\nc_name = 4", original).lines == (
        "a_name = 1  ",
        "b_name = 2\t",
        "c_name = 4",
    )


BRACES = """func Load(path string) (Data, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(raw)
}

func Save(path string, data Data) error {
	raw, err := format(data)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o644)
}""".splitlines()


def test_equal_braces_stay_with_the_function_that_the_sketch_shows():
    found = merge(
        "// ... existing code ...\nfunc Save(path string, data Data) error {\n\t// ... existing code ...\n"
        "\tlog.Print(path)\n\treturn os.WriteFile(path, raw, 0o600)\n}",
        BRACES,
        "go",
    )
    assert found.lines == (*BRACES[:13], "\tlog.Print(path)", "\treturn os.WriteFile(path, raw, 0o600)", "}")
    assert found.unambiguous


LOADERS = "".join(
    f"def load_{i}(path):\n    with open(path) as handle:\n        return handle.read()\n\n\n"
    for i in range(9)
).splitlines()


def test_an_equal_line_of_the_next_definition_is_no_other_end_for_one_that_the_sketch_shows():
    sketch = "# ...\ndef load_4(path):\n    with open(path, 'rb') as handle:\n        return handle.read()\n\n\n# ..."
    found = merge(sketch, LOADERS)
    assert found.lines == (*LOADERS[:21], "    with open(path, 'rb') as handle:", *LOADERS[22:])
    assert found.unambiguous
    twice = merge(sketch, [*LOADERS, *LOADERS[20:25]])
    assert doubts.SEVERAL_PLACES in twice.reasons


STEPS = """def run(path):
    start(path)
    log("done")
    report(path)
    log("done")
    finish(path)
    close(path)
""".splitlines()


def test_a_repeated_line_next_to_a_change_is_no_doubt_where_another_place_would_have_lines_go_for_nothing():
    found = merge('# ...\n    log("done")\n    finish(path, 1)\n    close(path)\n# ...', STEPS)
    assert_certain(found, (*STEPS[:5], "    finish(path, 1)", STEPS[6]))


def test_a_repeated_line_is_no_doubt_where_its_other_places_lie_behind_what_the_sketch_shows_next():
    found = merge(
        '# ...\n    log("done")\n    report(path, 1)\n    log("done")\n    finish(path)\n# ...', STEPS
    )
    assert_certain(found, (*STEPS[:3], "    report(path, 1)", *STEPS[4:]))


def test_a_repeated_line_is_doubted_where_lines_next_to_it_go_or_may_have_become_others():
    nearer = merge('# ...\n    log("done")\n    report(path, 1)\n    finish(path)\n# ...', STEPS)
    assert doubts.SEVERAL_PLACES in nearer.reasons
    version = merge(
        '# ...\n    log("done")\n    count(path)\n    report(path, log)\n    finish(path, 1)\n    close(path)\n# ...',
        STEPS,
    )
    assert doubts.SEVERAL_PLACES in version.reasons


HEADED = [
    "import a",
    "import b",
    "",
    "LIMIT = 3",
    "",
    "",
    "def f():",
    "    return a.x",
    "",
    "",
    "def g():",
    "    return b.x",
    "",
    "",
    "f()",
    "g()",
]


def test_who_marks_what_stays_and_begins_below_the_files_head_means_it_to_go():
    found = merge("import b\n\nLIMIT = 4\n\n\ndef f():\n    # ...", HEADED)
    assert found.lines == ("import b", "", "LIMIT = 4", *HEADED[4:])
    assert doubts.OPEN_END in found.reasons


def test_who_marks_what_stays_and_ends_above_the_files_tail_means_it_to_go():
    found = merge("# ...\ndef g():\n    # ...\n\n\nf()", HEADED)
    assert found.lines == tuple(HEADED[:-1])
    assert doubts.OPEN_END in found.reasons


def test_who_marks_what_stands_above_and_not_a_long_tail_leaves_it_open_whether_that_stays():
    tail = [line for number in range(30) for line in (f"def g{number}():", f"    return {number}", "")]
    original = [*HEADED, "", *tail]
    unmarked = "# ...\ndef g():\n    return c.x\n\n\nf()\ng()"
    for update, others, doubted in (
        (unmarked, original, True),
        (unmarked + "\n# ...", original, False),
        (unmarked, HEADED, False),
        ("def g7():\n    return 70\n# ...", original, True),
        ("# ...\ndef g7():\n    return 70\n# ...", original, False),
    ):
        assert (doubts.OPEN_END in merge(update, others).reasons) == doubted, update


def test_around_a_single_definition_everything_stays_though_only_what_is_in_it_is_marked():
    for sketch in (
        "def g():\n    # ...\n    return b.y",
        "LIMIT = 3\n\n\ndef f():\n    # ...\n    return a.y",
    ):
        found = merge(sketch, HEADED[3:])
        assert found.lines[-2:] == ("f()", "g()")
        assert "LIMIT = 3" in found.lines


def test_comments_that_a_sketch_leaves_out_at_the_files_head_stay_unless_others_take_their_place():
    licence = ["# Licensed to all.", "", *HEADED]
    left_out = merge("import a\nimport c\n\nLIMIT = 3\n# ...", licence)
    assert left_out.lines == (*licence[:3], "import c", *licence[4:])
    first = merge("import c\nimport a\nimport b\n# ...", licence)
    assert first.lines[:4] == (*licence[:2], "import c", "import a")
    other = merge("# Licensed to few.\n\nimport a\nimport c\n\nLIMIT = 3\n# ...", licence)
    assert other.lines == ("# Licensed to few.", "", licence[2], "import c", *licence[4:])


@pytest.mark.parametrize("new", [["/**", " * Gives two.", " */"], ["/// Gives two."]])
def test_a_definition_that_comes_with_documentation_loses_the_one_it_had(new):
    original = ["int a();", "", "/** Gives one. */", "int b() {", "  return 1;", "}", "", "int c();"]
    found = merge("\n".join(["// ...", *new, "int b() {", "  return 2;", "}", "// ..."]), original, "c")
    assert found.lines == (*original[:2], *new, original[3], "  return 2;", *original[5:])


@pytest.mark.parametrize(
    "above",
    [["// for b and c"], ["/** Gives one. */", "// NOLINT"], ["/******** b and c ********/"]],
    ids=["alone", "below documentation", "banner"],
)
def test_a_comment_that_documents_nothing_stays_above_documentation(above):
    original = ["int a();", "", *above, "int b() {", "  return 1;", "}"]
    found = merge("// ...\n/// Gives two.\nint b() {\n  return 2;\n}", original, "c")
    assert found.lines == (*original[:-3], "/// Gives two.", original[-3], "  return 2;", "}")


def test_an_arm_of_a_match_is_known_by_its_pattern():
    original = ["match v {", "    A::One(_) => 1,", "    A::Two(_) => first(2),", "    _ => 0,", "}"]
    found = merge("match v {\n    // ...\n    A::One(x) => x.len(),\n    // ...\n}", original, "rust")
    assert found.lines == (original[0], "    A::One(x) => x.len(),", *original[2:])


CASES = [
    "switch (kind) {",
    "case TEXT:",
    "\tc.column += 4;",
    "\tc.visit(node);",
    "\tbreak;",
    "case BYTES:",
    "\tc.column += 5;",
    "\tc.visit(node);",
    "\tbreak;",
    "case NONE:",
    "\treturn;",
    "}",
]


def test_an_entry_between_two_that_follow_each_other_is_new_though_it_is_like_the_one_before():
    new = ["case LINES:", "\tc.column += 6;", "\tc.visit(node);", "\tbreak;"]
    sketch = ["// ...", "\tc.visit(node);", "\tbreak;", *new, "case NONE:", "\treturn;", "// ..."]
    found = merge("\n".join(sketch), CASES, "c")
    assert found.lines == (*CASES[:9], *new, *CASES[9:])


def test_a_line_that_says_more_than_before_replaces_it_between_equal_ones():
    sketch = [
        "// ...",
        "\tc.visit(node);",
        "\tbreak;",
        "case BYTES:",
        "\tc.column += 5 + width;",
        "\tc.visit(node);",
    ]
    found = merge("\n".join([*sketch, "\tbreak;", "case NONE:", "// ..."]), CASES, "c")
    assert found.lines == (*CASES[:6], "\tc.column += 5 + width;", *CASES[7:])


def test_lines_that_stand_once_are_not_said_to_be_new():
    original = ["a();", "first();", "b();", "second();", "c();", "a();", "third();"]
    found = merge("// ...\na();\nb();\nsecond();\nc();\na();\n// ...", original, "c")
    assert found.lines == ("a();", *original[2:])


def test_tests_of_other_titles_are_no_versions_of_each_other():
    original = ['it("adds", () => {', "  run(1);", "});", "", 'it("drops", () => {', "  run(2);", "});"]
    new = ['it("moves", () => {', "  run(3);", "});", ""]
    sketch = "\n".join(["// ...", "  run(1);", "});", "", *new, original[4], "// ..."])
    assert_certain(merge(sketch, original, "javascript"), (*original[:4], *new, *original[4:]))


@pytest.mark.parametrize("step", [1, -1])
def test_a_bare_line_is_a_place_at_the_head_and_the_tail_of_a_file(step):
    original = ["/*", " * Copyright 2020 the authors.", " */", "int a(void);", "int b(void);", "/*"][::step]
    changed = [line.replace("2020", "2020-2026") for line in original]
    sketch = [*changed[:4], "// ..."] if step > 0 else ["// ...", *changed[2:]]
    assert_certain(merge("\n".join(sketch), original, "c"), tuple(changed))


@pytest.mark.parametrize("guard", ["return f(x, 0)", "return f(x, y)"])
def test_an_early_exit_before_a_marker_is_no_version_of_what_the_marker_stands_for(guard):
    original = ["func a() int {", "\treturn f(x, y)", "}", "", "func b() int {", "\treturn g(x)", "}"]
    new = ["\tif y == 0 {", f"\t\t{guard}", "\t}"]
    sketch = "\n".join(["func a() int {", *new, "\t// ...", "}", "", "// ..."])
    assert_certain(merge(sketch, original, "go"), (original[0], *new, *original[1:]))


def test_a_declaration_of_a_name_replaces_the_one_that_declares_it_otherwise():
    original = [
        "void a(void) {",
        "  int s = 0;",
        "  q(s);",
        "}",
        "",
        "void b(void) {",
        "  int s = 0;",
        "  r(s);",
        "}",
    ]
    sketch = "// ...\nvoid b(void) {\n  long long s = init();\n  // ...\n}"
    assert merge(sketch, original, "c").lines == (*original[:6], "  long long s = init();", *original[7:])


ENTRIES = """map_of!(
    Names,
    usize,
    "Names by number"
);

map_of!(
    Places,
    usize,
    "Places by number"
);""".splitlines()


def test_a_changed_entry_that_may_be_a_new_one_before_the_next_is_doubted():
    sketch = '// ...\nmap_of!(\n    {},\n    usize,\n    "{} by number"\n);\n\nmap_of!(\n    Places,\n// ...'
    assert merge(sketch.format("Times", "Times"), ENTRIES, "rust").reasons == (doubts.SEVERAL_PLACES,)
    assert merge(sketch.format("Names", "Words"), ENTRIES, "rust").unambiguous


def test_a_new_line_next_to_a_marker_is_doubted_though_the_sketch_shows_the_equal_one_of_the_file_below():
    original = ["def run(path):", *STEPS[1:3], "", "", "def stop(path):", "    close(path)"]
    sketch = '    log("done")\n\n    start(path, 2)\n    log("done")\n\n\ndef stop(path):'
    found = merge(f"def run(path):\n    # ...\n{sketch}\n# ...", original)
    assert doubts.REPEATED in found.reasons


def test_an_import_that_goes_where_it_stood_has_moved():
    imports = ["import os", "import sys", "import ast", "", "x_name = 1", "y_name = 2", "z_name = 3"]
    found = merge("import ast\nimport os\nimport sys\n\nx_name = 1\n# ...", imports)
    assert_certain(found, ("import ast", "import os", "import sys", *imports[3:]))


def test_lines_within_a_new_definition_may_be_like_others_of_the_file():
    found = merge(
        "# ...\n    return data\n\n\ndef third(path):\n    data = stream.read()\n    return len(data)\n\n\n"
        "class Store:\n# ..."
    )
    assert found.unambiguous
    found = merge(
        "# ...\n    with open(path) as stream:\n        data = stream.read()\n    return data\n\n\ndef third(a, b):\n"
        "    total = a + b\n    return 2 * total\n# ..."
    )
    assert doubts.REPEATED not in found.reasons


UNIFORMS = ["a = 1", "", "uniform gamma {", "  float low;", "  float high;", "};", "b = 2"]


def test_a_block_with_another_head_that_goes_on_as_the_one_behind_is_that_one():
    found = merge("a = 1\n\nlayout(std140) {\n  float low;\n# ...", UNIFORMS)
    assert found.lines == ("a = 1", "", "layout(std140) {", *UNIFORMS[3:])
    above = merge("a = 1\n\nlayout(std140) {\n  // of both\n  float low;\n# ...", UNIFORMS)
    assert above.lines == ("a = 1", "", "layout(std140) {", "  // of both", *UNIFORMS[3:])


def test_a_new_block_that_goes_on_differently_or_as_one_far_below_replaces_nothing():
    for sketch, original in (
        ("a = 1\n\nlayout(std140) {\n  float mid;\n};\n# ...", UNIFORMS),
        (
            "a = 1\n\nlayout(std140) {\n  float low;\n};\n# ...",
            [*UNIFORMS[:2], *(f"c{number} = 3" for number in range(9)), *UNIFORMS[2:]],
        ),
    ):
        assert merge(sketch, original).lines[-len(original) + 2 :] == tuple(original[2:])


def test_a_line_of_a_new_block_taken_for_one_at_another_indentation_is_doubted():
    original = [
        "def fire(self, event):",
        "    if not self.running:",
        "        return",
        "    event.stop()",
        "    if event.callback is not None:",
        "        try:",
        "            invoke(event.callback)",
        "        except ValueError:",
        "            log(event)",
    ]
    new = "        try:\n            show()\n        except LookupError:\n            warn(1)\n            return\n"
    old = "        try:\n            invoke(event.callback)\n    # ..."
    found = merge(f"def fire(self, event):\n    # ...\n{new}{old}", original)
    assert found.reasons == (doubts.SEVERAL_PLACES,)


SPACED = ["import os", "", "", "def first(a, b):", "", "    total = a + b", "", "    return total"]


def test_a_blank_line_left_out_is_meant_where_the_sketch_shows_others_or_changes_nothing_else():
    found = merge("# ...\n\n\ndef first(a, b):\n    total = a + b + 1\n\n    return total\n", SPACED)
    assert_certain(found, (*SPACED[:4], "    total = a + b + 1", "", "    return total"))
    assert_certain(
        merge("# ...\ndef first(a, b):\n    total = a + b\n# ...", SPACED), (*SPACED[:4], *SPACED[5:])
    )
    found = merge("# ...\ndef first(a, b):\n    total = a + b\n    return total + 1\n", SPACED)
    assert doubts.BLANK_LINES in found.reasons


def test_lines_may_move_out_of_a_branch_whose_bare_head_goes():
    original = [
        "def sign(x):",
        "    if x < 0:",
        "        return -1",
        "    else:",
        "        return 1 if x else 0",
    ]
    found = merge("# ...\n    if x < 0:\n        return -1\n    return 1 if x else 0\n", original)
    assert_certain(found, (*original[:3], "    return 1 if x else 0"))


def test_definitions_of_one_name_that_the_file_has_too_are_not_defined_twice():
    original = [
        "class Box:",
        "    @property",
        "    def size(self):",
        "        return self._size",
        "",
        "    @size.setter",
        "    def size(self, value):",
        "        self._size = value",
    ]
    found = merge("# ...\n" + "\n".join(original[1:]).replace("value):", "value: int):"), original)
    assert_certain(found, tuple(line.replace("value):", "value: int):") for line in original))


def test_a_bracket_closes_the_list_of_the_line_above_though_its_beginning_is_not_shown():
    original = ["NAMES = [", '    "alpha",', '    "beta",', "]", "", "SIZES = [", "    1,", "    2,", "]"]
    found = merge('# ...\n    "beta",\n    "gamma",\n]\n# ...', original)
    assert_certain(found, (*original[:3], '    "gamma",', *original[3:]))


def test_a_new_function_between_others_is_closed_by_its_own_brace():
    found = merge(
        "// ...\nfunc Drop() {\n\tclear(cache)\n}\n\nfunc Save(path string, data Data) error {\n// ...",
        BRACES,
        "go",
    )
    assert found.lines == (*BRACES[:8], "func Drop() {", "\tclear(cache)", "}", "", *BRACES[8:])
    assert found.unambiguous


@pytest.mark.parametrize(
    ("sketch", "reason"),
    [
        ("def first(a, b):\n    total = a * b", doubts.NO_MARKERS),
        ("# ...\nprint(1)\n# ...", doubts.NO_PLACE),
        ("# ...\n    return self.count * 2\n# ...", doubts.NO_PLACE),
        ("# ...\n        return self.count\n        # done\n# ...", doubts.SEVERAL_PLACES),
        ("import os\n\n\nclass Store:\n# ...", doubts.MANY_OMITTED),
        ("# ...\nclass Store:\n    # ...\n    def clear(self):\n        self.count = -1\n# ...", None),
        ("# ...\n    return data\n\n\ndef first(x):\n    return x\n# ...", doubts.DEFINED_TWICE),
        ("# ...\n    total = a + b\n    if total > 30:\n        return 0\n# ...", doubts.SIMILAR_ONLY),
        ("# ...\ndef second(path):\n    data = stream.read()\n    return data\n# ...", doubts.INDENTATION),
        ("# ...\n    return total\n\ndef second(path):\n# ...", doubts.BLANK_LINES),
        ("# ...\nimport re\nimport os\n# ...", doubts.REPEATED),
        ("# ...\nclass Store:\n    # ... existing code ...\n    def load(self):\n        ...", doubts.DOTS),
        ("# ...\n    total = a + b\n    print(total)", doubts.OPEN_END),
    ],
)
def test_what_could_be_read_otherwise_is_told(sketch, reason):
    found = merge(sketch)
    assert found.unambiguous == (not found.reasons)
    assert (reason in found.reasons) if reason else found.unambiguous


def test_an_update_for_a_short_file_needs_no_markers():
    assert merge("a_name = 1\nb_name = 5\nc_name = 3", ["a_name = 1", "b_name = 2", "c_name = 3"]).unambiguous


lines = st.lists(
    st.sampled_from(
        ["", "}", "    }", "return None", "    return None", "x = 1", "def f():", "class A:", "    y = f(x)"]
    ),
    max_size=14,
)
sketches = st.lists(
    st.one_of(st.just(UpdateLine("# ...", True)), lines.filter(bool).map(lambda some: UpdateLine(some[0]))),
    max_size=14,
).map(lambda some: Update(tuple(some)))


@given(lines)
def test_a_sketch_that_is_the_whole_file_gives_the_file(original):
    update = Update(tuple(UpdateLine(line) for line in original))
    assert predict(original, update, align(original, update)).lines == tuple(original)


@given(lines, st.integers(0, 3))
def test_markers_alone_give_the_original(original, count):
    update = Update((UpdateLine("# ...", True),) * count)
    found = predict(original, update, align(original, update))
    assert found == Prediction(tuple(original), tuple(range(len(original))), True, ())


@given(lines, sketches)
def test_no_line_of_the_sketch_is_lost_and_no_marker_appears(original, update):
    found = predict(original, update, align(original, update))
    result = iter(line.rstrip() for line in found.lines)
    assert all(line.text in result for line in update.lines if line.text.strip() and not line.marker)
    assert "# ..." not in found.lines
    kept = [origin for origin in found.origins if origin is not None]
    assert kept == sorted(set(kept))
    assert len(found.origins) == len(found.lines)
    assert all(
        line == original[origin]
        for line, origin in zip(found.lines, found.origins, strict=True)
        if origin is not None
    )


SOURCE = inspect.getsource(argparse).splitlines()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SOURCE) - 80), st.integers(0, 10_000))
def test_real_code_changed_between_unique_lines_comes_back_changed(start, seed):
    rng = random.Random(seed)
    old = SOURCE[start : start + 80]
    unique = [i for i in range(1, 79) if len(old[i].strip()) > 12 and old.count(old[i]) == 1]
    # Side by side as the sketch shows them, lines of unlike indentation would make no code.
    pairs = [
        (a, b)
        for a, b in pairwise(unique)
        if 2 <= b - a <= 5 and indent_width(old[a]) == indent_width(old[b])
    ]
    if not pairs:
        return
    above, below = rng.choice(pairs)
    indent = old[above][: len(old[above]) - len(old[above].lstrip())]
    changed = [
        f"{indent}{word} = compute_{word}()" for word in ("alpha", "beta", "gamma")[: rng.randint(0, 3)]
    ]
    sketch = ["# ...", old[above], *changed, old[below], "# ..."]
    update = Update(tuple(UpdateLine(line, line == "# ...") for line in sketch))
    found = predict(old, update, align(old, update))
    assert list(found.lines) == [*old[: above + 1], *changed, *old[below:]]


def test_a_marker_that_the_file_has_too_drops_nothing_in_silence():
    lines = ["def f():", "    # ...", "    # kept", "    return 1", "", "", "x = 1"]
    update = parse_update("def f():\n    # ...\n    return 2\n# ...", "python", lines)
    found = predict(lines, update, align(lines, update))
    assert doubts.MARKER_IN_FILE in found.reasons


def test_a_short_assignment_replaces_the_one_of_its_name():
    found = merge("a = 1\nb = 3\n", ["a = 1", "b = 2"])
    assert_certain(found, ("a = 1", "b = 3"))


BESIDE = """int add(int a, int b) {
    int c = a + b;
    return c;
}

int sub(int a, int b) {
    int c = a - b;
    return c;
}

void show(int a) {
    if (a) {
        print(a);
    }
}
""".splitlines()


def below(lines: list[str]) -> list[str]:
    """The same code with each opening brace on a line of its own."""
    split = (
        [f"{line[:-2]}", f"{line[: indent_width(line)]}{{"] if line.endswith(" {") else [line]
        for line in lines
    )
    return [line for part in split for line in part]


@pytest.mark.parametrize(
    "sketch",
    [
        # Inserted between: with nothing but braces in common it was taken for a new version of `add`.
        "// ...\nint mul(int a, int b) {\n    return a * b;\n}\n\nvoid show(int a) {\n    // ...\n}\n// ...",
        "// ...\n\nint sub(int a, int b) {\n    // ...\n    log(c);\n    return c;\n}\n\n// ...",
        "// ...\nint sub(int a, int b) {\n    return a - b;\n}\n// ...",
    ],
)
@pytest.mark.parametrize("language", ["c", "text"])
def test_where_the_brace_stands_makes_no_difference(sketch, language):
    beside = merge(sketch, BESIDE, language)
    found = merge("\n".join(below(sketch.splitlines())), below(BESIDE), language)
    assert list(found.lines) == below(list(beside.lines))
    assert found.reasons == beside.reasons


def changed(original: str, *changes: tuple[str, str]) -> tuple[str, ...]:
    for old, new in changes:
        assert original.count(old) == 1
        original = original.replace(old, new)
    return tuple(original.split("\n"))


def test_a_head_put_on_one_line_replaces_the_one_on_several_though_others_are_more_alike():
    alike = "\n".join(f"def find_{i}(self, name: str, default: int) -> int: ..." for i in range(15))
    original = f'{alike}\n\ndef find(\n    self, name, default=0\n):\n    """Look it up."""\n    return self.at[name]'
    found = merge(
        '# ...\ndef find(self, name: str, default: int) -> int:\n    """Look it up."""\n# ...',
        original.split("\n"),
    )
    head = "def find(\n    self, name, default=0\n):"
    assert_certain(found, changed(original, (head, "def find(self, name: str, default: int) -> int:")))


TWINS = """class Store:
    def read(self):
        if self.path:
            return open_file(
                self.path,
            )

    def write(self, text):
        value = self.load()
        if value is not None:
            return value
        return text

    def check(self, text):
        data = self.load()
        if data is not None:
            return data
        else:
            raise ValueError(text)
        return None"""


def test_a_line_behind_a_marker_may_stand_in_an_inner_block_that_is_not_shown():
    steps = "".join(
        f"        self.add(\n            step(\n                {i},\n            )\n        )\n"
        for i in range(10)
    )
    original = TWINS.replace("    def write", f"    def between(self):\n{steps}\n    def write")
    found = merge(
        "# ...\nclass Store:\n                # ...\n                self.path,\n"
        "            )\n\n    def write(self, text):\n# ...",
        original.split("\n"),
    )
    assert found.lines == tuple(TWINS.split("\n"))


def test_a_line_takes_the_place_of_the_old_one_here_though_an_equal_one_stands_elsewhere():
    found = merge("# ...\n    def check(self, text):\n        value = self.load()\n# ...", TWINS.split("\n"))
    assert found.lines == changed(TWINS, ("data = self.load()", "value = self.load()"))


def test_a_definition_whose_last_line_opens_a_block_is_not_spelled_out_whole():
    found = merge("# ...\ndef first(a, b):\n    while a > b:\n# ...")
    assert "    return total" in found.lines


NAMESAKES = """class Integer:
    def validate(self, value):
        number = self.parse(value)
        # Is it an integer?
        whole = number.is_integer()
        if not whole:
            return self.failure(value)

        return self.success()

    def describe(self):
        return "an integer"


class Address:
    def validate(self, value):
        try:
            self.split(value)
        except ValueError:
            return self.failure(self)

        return self.success()"""


def test_a_line_does_not_leave_the_definition_that_its_neighbours_stand_in():
    found = merge(
        "# ...\nclass Integer:\n    # ...\n    def validate(self, value):\n        # ...\n"
        "        # Is it an integer?\n        try:\n            int(value)\n        except ValueError:\n"
        "            return self.failure(value)\n        return self.success()\n# ...",
        NAMESAKES.split("\n"),
    )
    old = "        whole = number.is_integer()\n        if not whole:\n            return self.failure(value)\n\n"
    new = "        try:\n            int(value)\n        except ValueError:\n            return self.failure(value)\n"
    assert found.lines == changed(NAMESAKES, (old, new))


def test_trailing_blanks_that_the_sketch_adds_are_a_change():
    found = merge("a = 1\nb = 2  \nc = 3", ["a = 1", "b = 2", "c = 3"])
    assert found.lines == ("a = 1", "b = 2  ", "c = 3")


def test_trailing_blanks_that_the_sketch_leaves_out_stay_unless_nothing_else_changes():
    original = ["a = 1  ", "b = 2", "  ", "c = 3\t"]
    found = merge("a = 1\nb = 4\n\nc = 3", original)
    assert found.lines == ("a = 1  ", "b = 4", "  ", "c = 3\t")
    found = merge("# ...\nb = 2\n\nc = 3", original)
    assert found.lines == ("a = 1  ", "b = 2", "", "c = 3")
    assert merge("# ...\nb = 2\n# ...", original).lines == tuple(original)


def test_lines_above_the_sketch_that_it_has_further_down_are_not_kept_twice():
    original = ["import sys", "import argparse", "", "", "def main():", "    run(sys.argv)"]
    found = merge("import argparse\nimport sys\n\n\ndef main():\n# ...", original)
    assert found.lines == ("import argparse", "import sys", *original[2:])
    assert doubts.OPEN_END in found.reasons


@pytest.mark.parametrize(
    ("original", "sketch"),
    [
        (
            [
                "switch (k) {",
                "case A:",
                "  m = 1;",
                "  break;",
                "case B:",
                "  m = 2;",
                "  break;",
                "default:",
                "  m = 0;",
                "}",
            ],
            ["switch (k) {", "// ...", "case C:", "  m = 3;", "  break;", "default:", "// ...", "}"],
        ),
        (
            [
                "class A {",
                "  @Get",
                "  a() {",
                "    x(1);",
                "  }",
                "",
                "  @Get",
                "  b() {",
                "    x(2);",
                "  }",
                "}",
            ],
            ["// ...", "    x(1);", "  }", "", "  @Get", "  c() {", "    x(3);", "  }", "// ..."],
        ),
        (
            ["mod tests {", "    #[test]", "    fn a() {", "        x(1);", "    }", "}"],
            ["mod tests {", "    // ...", "    #[test]", "    fn b() {", "        x(2);", "    }", "}"],
        ),
    ],
    ids=["tail", "decorator", "attribute"],
)
def test_a_line_of_a_new_entry_that_is_taken_for_that_of_its_neighbour_is_doubted(original, sketch):
    assert merge("\n".join(sketch), original, "typescript").reasons


def test_a_sketch_that_begins_with_the_end_of_a_block_is_not_the_files_head():
    original = ["package p", "", "func f() {", "\tx()", "}", "", "func g() {", "\ty()", "}"]
    found = merge("}\n\nfunc g() {\n\tyy()\n}\n// ...", original, "go")
    assert found.lines == (*original[:7], "\tyy()", "}")


@pytest.mark.parametrize(
    "line",
    ["impl a" + " " * 50_000 + "b", "A" + " " * 50_000 + "b", "A(" + ") if " * 20_000, "a<b> " * 500 + "!"],
)
def test_hostile_lines_are_merged_like_others(line):
    assert merge(f"x = 1\n{line}\n# ...", ["x = 1", "y = 2"]).lines[1].rstrip() == line.rstrip()


def test_the_rest_of_a_last_block_that_is_shown_to_its_end_goes_and_is_doubted():
    original = [
        "def f():",
        "    return 1",
        "",
        "class A:",
        "    def g(self):",
        "        x = 1",
        "        return x",
    ]
    found = merge("# ...\nclass A:\n    def g(self) -> int:\n        x = 1", original)
    assert found.lines == (*original[:4], "    def g(self) -> int:", "        x = 1")
    assert doubts.OPEN_END in found.reasons
    assert merge("# ...\nclass A:\n    def g(self) -> int:", original).lines[4:] == (
        "    def g(self) -> int:",
        *original[5:],
    )


def test_what_closes_a_last_statement_goes_with_it_only_where_the_sketch_closes_it_too():
    original = ["export const one = 1;", "", "type Link<T> = (", "  runtime: Runtime,", ") => Result<T>;"]
    found = merge("// ...\ntype Link<S> = (\n  runtime: Runtime,\n) => Outcome<S>;", original, "typescript")
    assert found.lines == (*original[:2], "type Link<S> = (", "  runtime: Runtime,", ") => Outcome<S>;")
    assert doubts.OPEN_END in found.reasons
    opened = merge("// ...\ntype Link<S> = (\n  runtime: Runtime,", original, "typescript")
    assert opened.lines[-1] == original[-1]


def test_a_method_that_a_class_gets_is_not_the_one_of_a_class_further_down():
    body = [
        "point = Point()",
        "self.move(point)",
        "self.turn(point, self.angle)",
        "return point.centre_of(self)",
    ]
    centre = ["    def centre(self):", *(f"        {line}" for line in body)]
    original = [
        *["class Shape:", "    def union(self, other):", "        return join(self, other)", "", ""],
        *["class Line(Shape):", "    def ends(self):", "        return self.a, self.b", "", ""],
        *["class Polygon(Shape):", *centre],
    ]
    sketch = [original[0], "    # ...", *original[1:3], "", *centre, "", ""]
    found = merge("\n".join([*sketch, "class Line(Shape):", "    def ends(self):", "# ..."]), original)
    assert found.lines == (*original[:3], "", *centre, *original[3:])


def test_a_block_whose_one_changed_line_recurs_is_changed_and_not_written_again():
    body = ["    kind, error = sys.exc_info()", "    trace = pack(error)"]
    again = [*(f"    {line}" for line in body), "        result = dump(trace)"]
    head = ["def pack_error(error):", *body, "    try:", "        result = dump(trace)"]
    original = [*head, "    except BaseException as e:", *again, "    return result"]
    sketch = [*head, "    except Exception as e:", *again, "# ..."]
    assert merge("\n".join(sketch), original).lines == (*sketch[:-1], "    return result")


def test_lines_that_recur_deeper_in_what_is_new_are_no_others():
    loop = ["    for part in parts:", "        text, style = part", "        yield Part(text, style)"]
    original = ["def render(parts, color):", "    style = Style()", *loop, "    yield Part(end, style)"]
    special = ["    if color.a == 0:", *(f"    {line}" for line in loop), "        return"]
    sketch = [*original[:2], *special, *loop[:2], "# ..."]
    found = merge("\n".join(sketch), original)
    assert found.lines == (*original[:2], *special, *original[2:])


def test_parameters_on_lines_of_their_own_are_no_versions_of_the_arguments_of_a_call():
    names = ["key", "endpoint", "method", "parsed", "headers"]
    original = [
        *[
            "def request(key, endpoint, method, parsed, headers):",
            "    # a pool by key",
            "    key += self.conf",
        ],
        *["    return super().request(", *(f"        {name}={name}," for name in names), "    )"],
    ]
    sketch = [
        "def request(",
        *(f"    {name}: Any," for name in names),
        ") -> Deferred:",
        "    # a pool by key",
    ]
    assert merge("\n".join([*sketch, "# ..."]), original).lines == (*sketch, *original[2:])


def test_blank_lines_at_a_files_end_stay_where_a_sketch_ends_above_them():
    original = ["def f():", "    x = 1", "    return x", "", ""]
    assert merge("def f():\n    # ...\n    return 2", original).lines == (
        *original[:2],
        "    return 2",
        "",
        "",
    )


def test_a_decorator_above_a_new_method_is_not_that_of_another():
    def cached(name: str, least: int) -> list[str]:
        return ["    @cached", f"    def {name}(self):", f"        return self.version >= ({least},)", ""]

    head, next_one = ["class Features:", *cached("frames", 19), *cached("json", 21)], cached("booleans", 23)
    sketch = ["class Features:", "    # ...", *cached("exclusion", 21), *next_one]
    found = merge("\n".join(sketch), [*head, *next_one])
    assert found.lines == (*head, *cached("exclusion", 21), *next_one)


def test_the_lines_of_a_block_comment_belong_where_it_begins():
    comment = ["  /**", "   * @param {Controller} controller", "   * @param {number} status", "   */"]
    original = [
        *["class Handler {", "  #cleanup () {", "    this.parts.length = 0", "  }", ""],
        *[*comment, "  onStart (controller, status) {", "    return true", "  }", ""],
        *[*comment, "  onEnd (controller, status) {", "    return false", "  }", "}"],
    ]
    new = ["  onUpgrade (controller) {", "    return super.onUpgrade(controller)", "  }", ""]
    sketch = ["// ...", *original[1:5], *new, *comment[:2], "// ..."]
    found = merge("\n".join(sketch), original, "javascript")
    assert found.lines == (*original[:5], *new, *original[5:])


def test_a_line_that_stands_elsewhere_less_deep_does_not_move_a_sketch():
    head = ["void f() {", "  for (a) {", "    if (a) {", "      continue;", "    }", "  }", "  while (b) {"]
    loop, rest = ["    for (c) {", "      begin(c);"], ["      end(c);", "      last(c);"]
    body = ["      if (!used[c]) {", "        continue;", "      }"]
    original = [*head, *loop, "      if (!used[c]) { continue; }", *rest, "    }", "  }", "}"]
    sketch = "\n".join(["    // ...", *loop, *body, *rest, "// ..."])
    update = reindent(original, parse_update(sketch, "cpp", original))
    assert predict(original, update, align(original, update)).lines == (
        *head,
        *loop,
        *body,
        *rest,
        *original[-3:],
    )


def test_without_markers_nearly_all_of_a_file_is_the_whole_of_it():
    original = [*(f"value_{number} = {number}" for number in range(12)), "} // namespace"]
    shown = [line.replace(" 5", " 6") for line in original]
    found = merge("\n".join(shown[:-1]), original)
    assert found.lines == tuple(shown[:-1])
    assert doubts.OPEN_END in found.reasons
    part = merge("\n".join(shown[:8]), original)
    assert part.lines == tuple(shown)
    assert doubts.NO_MARKERS in part.reasons
