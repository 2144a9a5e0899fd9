from dataclasses import replace

import pytest

from fastedit.formats.base import Tag
from tests.formats.placing import applied, lines, placed, problem, steps, string

CLASSES = """\
class First:
    def run(self):
        pass

    def stop(self):
        pass

class Second:
    def run(self):
        pass

    def stop(self):
        pass
"""
THRICE = "a\nx\nb\nx\nc\nx\nd\n"


def rows(text, *hunks):
    return [[span.start for span in report.lines] for report in placed(text, *hunks).reports]


def test_several_places_without_evidence_are_ambiguous_and_all_named():
    assert problem(THRICE, lines("x", "y")) == (
        "hunk 1: its old text stands 3 times, at lines 2, 4 and 6; add lines around it that only one place has"
    )
    assert rows(THRICE, lines("x", "y")) == [[1, 3, 5]]


def test_scopes_are_followed_from_the_outermost_in():
    hunk = lines("        pass", "        return 1", scopes=("class Second:", "def run(self):"))
    assert rows(CLASSES, hunk) == [[9]]


def test_the_innermost_scope_alone_is_not_enough_where_it_is_not_the_only_one():
    assert steps(CLASSES, lines("        pass", "        x", scopes=("def run(self):",))) == ["ambiguous"]


def test_an_outer_scope_alone_is_enough_where_it_has_one_place():
    hunk = lines(
        "    def run(self):\n        pass", "    def run(self):\n        x", scopes=("class First:",)
    )
    assert rows(CLASSES, hunk) == [[1]]


def test_a_scope_may_be_the_first_line_of_the_old_text_itself():
    hunk = lines("    def run(self):\n        pass", "    x", scopes=("class Second:", "    def run(self):"))
    assert rows(CLASSES, hunk) == [[8]]


def test_a_scope_that_is_cut_off_is_found_by_its_beginning():
    text = CLASSES.replace("Second:", "Second(Base, metaclass=Meta):")
    assert rows(text, lines("        pass", "        x", scopes=("class Second(Base", "def stop("))) == [[12]]


def test_a_scope_whose_parameters_stand_on_several_lines_encloses_its_body():
    text = "def f(\n    a,\n) -> int:\n    pass\n\ndef g(\n    a,\n) -> int:\n    pass\n"
    assert rows(text, lines("    pass", "    return 1", scopes=("def g(",))) == [[8]]


def test_a_scope_whose_brace_stands_on_a_line_of_its_own_encloses_its_body():
    text = "void f(int a)\n{\n    call();\n}\n\nvoid g(\n    int a)\n{\n    call();\n}\n\nint h;\n"
    assert rows(text, lines("    call();", "    done();", scopes=("void f(int a)",))) == [[2]]
    assert rows(text, lines("    call();", "    done();", scopes=("void g(",))) == [[8]]


def test_a_scope_in_text_without_blocks_leaves_the_places_below_it():
    text = "# One\nitem\n# Two\nitem\n"
    assert rows(text, lines("item", "thing", scopes=("# Two",))) == [[3]]
    text = "# One\nitem\n# Two\nfirst\nitem\n"
    assert rows(text, lines("item", "thing", scopes=("# Two",))) == [[4]]
    assert steps(text + "item\n", lines("item", "thing", scopes=("# Two",))) == ["ambiguous"]


STALE = (
    "def f(a):\n    one(a)\n    two(a)\n\ndef g(a):\n    one(a)\n    two(a, 3)\n\ndef h(a):\n    three(a)\n"
)


@pytest.mark.parametrize("named", [False, True])
def test_text_that_stands_only_above_its_scope_is_stale(named):
    hunk = lines("    one(a)\n    two(a)", "    one(a)\n    two(a, 1)", scopes=("def g(a):",), named=named)
    side = "outside of" if named else "above"
    assert f"stands at lines 2-3, {side} `def g(a):` at line 5, so the file has changed" in problem(
        STALE, hunk
    )


@pytest.mark.parametrize("named", [False, True])
def test_what_contradicts_its_scope_is_neither_merged_nor_there_already(named):
    scope = {"scopes": ("def h(a):",), "named": named}
    assert "`def h(a):` at line 9" in problem(STALE, lines("    two(a)", "    two(a, 3)", **scope))
    there = lines("    gone()\n    two(a)", "    one(a)\n    two(a, 3)", **scope)
    assert "`def h(a):` at line 9" in problem(STALE, there)
    drifted = lines("def f(a):\n    gone()\n    two(a)", "def f(a):\n    gone()\n    two(b)", **scope)
    assert steps(STALE, replace(drifted, scopes=())) == ["drift"]
    assert "`def h(a):` at line 9" in problem(STALE, drifted)


def test_text_below_the_block_of_its_scope_is_stale_only_where_the_block_is_named():
    hunk = lines("    three(a)", "    four(a)", scopes=("def f(a):",))
    assert rows(STALE, hunk) == [[9]]
    assert "stands at line 10, outside of `def f(a):` at line 1" in problem(STALE, replace(hunk, named=True))


def test_a_named_line_without_a_block_is_above_its_text():
    hunk = lines("    two(a, 3)", "    four(a)", scopes=("    one(a)",), named=True)
    assert rows(STALE, hunk) == [[6]]
    inner = ("def g(a):", "    one(a)")
    assert rows(STALE, replace(hunk, scopes=inner)) == [[6]]
    outside = lines("    three(a)", "    four(a)", scopes=inner, named=True)
    assert "stands at line 10, outside of `one(a)` at line 6" in problem(STALE, outside)


def test_a_named_line_as_deep_as_its_text_is_above_it():
    assert rows(STALE, lines("def h(a):", "def i(a):", scopes=("def f(a):",), named=True)) == [[8]]
    above = lines("def f(a):", "def i(a):", scopes=("def h(a):",), named=True)
    assert "stands at line 1, outside of `def h(a):` at line 9" in problem(STALE, above)


def test_one_of_several_equal_scopes_is_enough():
    text = STALE.replace("def h", "def f")
    assert rows(text, lines("    three(a)", "    four(a)", scopes=("def f(a):",), named=True)) == [[9]]
    assert rows(text, lines("    two(a)", "    four(a)", scopes=("def f(a):",), named=True)) == [[2]]


def test_a_block_goes_on_behind_an_equal_one_within_it():
    text = "while True:\n    while True:\n        a()\n    b()\nb()\n"
    assert rows(text, lines("    b()", "    c()", scopes=("while True:",), named=True)) == [[3]]


def test_a_heading_may_be_among_the_old_lines_cut_off():
    assert rows(STALE, lines("\ndef h(a):\n    three(a)", "", scopes=("def h(",))) == [[7]]


def test_a_named_scope_that_the_file_lacks_is_refused_by_name():
    hunk = lines("    two(a)", "    four(a)", scopes=("class Gone:", "def nothere():"), named=True)
    assert "cannot find the line `class Gone:`" in problem(STALE, hunk)
    hunk = replace(hunk, scopes=("def g(a):", "def nothere():"))
    assert "cannot find the line `def nothere():`" in problem(STALE, hunk)
    hunk = replace(hunk, old="    pass\n")
    assert "cannot find the line `def nothere():`" in problem(STALE, hunk), (
        "though its text stands nowhere too"
    )


def test_a_named_scope_may_be_renamed_by_an_earlier_hunk():
    first = lines("def f(a):", "def e(a):")
    second = lines("    two(a)", "    four(a)", scopes=("def f(a):",), named=True)
    third = lines("    four(a)", "    five(a)", scopes=("def f(a):",), named=True)
    assert applied(STALE, first, second, third) == STALE.replace("f(a)", "e(a)", 1).replace(
        "two(a)", "five(a)", 1
    )


def test_a_heading_that_the_file_lacks_does_not_refuse_a_place_that_is_the_only_one():
    assert applied("a\nb\n", lines("b", "B", scopes=("nope", "neither"))) == "a\nB\n"
    assert steps(THRICE, lines("x", "y", scopes=("nope",))) == ["ambiguous"]


def test_at_end_is_the_last_place():
    assert rows(THRICE + "x\n\n", lines("x", "y", at_end=True)) == [[7]]
    assert steps(THRICE, lines("x", "y", at_end=True)) == ["ambiguous"]
    assert rows(
        CLASSES, lines("        pass", "    x", scopes=("class First:", "def run(self):"), at_end=True)
    ) == [[12]]


def test_hunks_of_whole_lines_stand_in_order():
    assert rows(THRICE, lines("a", "A"), lines("x", "y"), lines("b", "B")) == [[0], [1], [2]]
    assert rows(THRICE, lines("b", "B"), lines("x", "y"), lines("c", "C")) == [[2], [3], [4]]
    assert rows(THRICE, lines("c", "C"), lines("x", "y")) == [[4], [5]]


def test_a_place_found_by_order_is_evidence_for_the_next():
    text = "x\na\nx\nb\nx\n"
    assert rows(
        text, lines("x", "1"), lines("a", "A"), lines("x", "2"), lines("b", "B"), lines("x", "3")
    ) == [
        [0],
        [1],
        [2],
        [3],
        [4],
    ]


def test_hunks_out_of_order_are_no_evidence():
    found = placed(THRICE, lines("d", "D"), lines("x", "y"), lines("a", "A"))
    assert [report.step.value for report in found.reports] == ["exact", "ambiguous", "exact"]


def test_of_blocks_one_neighbour_is_no_evidence_and_two_are():
    a, x, b = (lines(old, new, in_order=False) for old, new in (("a", "A"), ("x", "y"), ("b", "B")))
    assert rows(THRICE, a, x, b) == [[0], [1], [2]]
    assert steps("a\nx\nb\nx\n", b, x) == ["exact", "ambiguous"]
    assert steps("a\nx\nb\nx\n", lines("b", "B"), lines("x", "y")) == ["exact", "exact"]


@pytest.mark.parametrize("in_order", [False, True])
def test_twin_hunks_that_stand_in_order_at_one_place_each_are_placed(in_order):
    def hunks(*pairs):
        return [lines(old, new, in_order=in_order) for old, new in pairs]

    text = "a\n1\nb\n2\na\n3\nb\n4\n"
    four = hunks(("a", "A"), ("b", "B"), ("a", "C"), ("b", "D"))
    assert applied(text, *four) == "A\n1\nB\n2\nC\n3\nD\n4\n"
    assert "ambiguous" in steps(f"a\n{text}", *four)
    assert steps(text, *four[:2]) == ["ambiguous", "ambiguous"]
    assert "ambiguous" in steps(text, *hunks(("b", "B"), ("a", "A"), ("b", "D"), ("a", "C")))


def test_strings_may_come_in_any_order():
    assert steps(THRICE, string("b", "B"), string("x", "y"), string("c", "C")) == [
        "exact",
        "ambiguous",
        "exact",
    ]


@pytest.mark.parametrize("line", [2, 3, 4])
def test_a_line_alone_settles_nothing(line):
    assert steps(THRICE, lines("x", "y", line=line)) == ["ambiguous"]


@pytest.mark.parametrize(("line", "row"), [(2, 1), (4, 3), (6, 5)])
def test_a_line_of_the_file_that_its_author_read_is_believed(line, row):
    same = Tag(None, THRICE, str)
    assert rows(THRICE, lines("x", "y", line=line, tag=same)) == [[row]]
    assert steps(f"new\n{THRICE}", lines("x", "y", line=line, tag=same)) == ["ambiguous"]


def test_a_line_is_corrected_by_what_other_hunks_show():
    text = "new\nnew\n" + THRICE
    b, x, c = string("b", "B", line=3), string("x", "y", line=4), string("c", "C", line=5)
    assert rows(text, b, x, c) == [[4], [5], [6]]
    assert rows(text, b, x) == [[4], [3, 5, 7]]
    assert rows(text, x, c) == [[3, 5, 7], [6]]


def test_a_line_next_to_a_place_is_not_believed():
    hunks = string("b", "B", line=3), string("x", "y", line=5), string("d", "D", line=7)
    assert steps(THRICE, *hunks) == ["exact", "ambiguous", "exact"]


def test_hunks_that_disagree_about_the_offset_confirm_no_line():
    text = "a\nx\nx\nx\nd\n"
    hunks = string("a", "A", line=1), string("x", "y", line=2), string("d", "D", line=4)
    assert steps(text, *hunks) == ["exact", "ambiguous", "exact"]


def test_equal_hunks_that_are_as_many_as_the_places_take_one_each():
    assert applied(THRICE, *[lines("x", "y")] * 3) == THRICE.replace("x", "y")
    assert steps(THRICE, *[lines("x", "y")] * 2) == ["ambiguous", "ambiguous"]


def test_equal_hunks_share_what_other_evidence_leaves_to_them():
    hunks = string("x", "y", scopes=("b",)), string("x", "y", at_end=True), string("x", "y")
    text = "x\n  a\nb\n  x\nc\nx\n"
    assert applied(text, *hunks) == text.replace("x", "y")


def test_a_string_with_a_line_end_may_mean_a_last_line_without_one():
    assert applied("a\nb", string("b\n", "c\n")) == "a\nc"
    assert "its old text stands 2 times, at lines 1 and 3" in problem("b\n\nb", string("b\n", "a"))


def test_an_empty_old_text_appends():
    assert applied("a\n", lines("", "b\nc")) == "a\nb\nc\n"
    assert applied("a", string("", "b\n", at_end=True)) == "a\nb"
    assert applied("", lines("", "a\n\nb")) == "a\n\nb\n"
    assert applied("a\n", lines("", "b"), lines("", "c")) == "a\nb\nc\n"


def test_an_empty_string_is_no_place_in_a_file_with_text():
    assert problem("a\n", string("", "b")).startswith("hunk 1: its old text is empty, but the file is not")


def test_an_empty_old_text_with_scopes_inserts_below_the_innermost():
    hunk = lines("", "        first()", scopes=("class Second:", "def run(self):"), named=True)
    assert applied(CLASSES, hunk) == "run(self):\n        first()\n".join(CLASSES.rsplit("run(self):\n", 1))
    assert problem(CLASSES, lines("", "x", scopes=("def run(self):",), named=True)) == (
        "hunk 1: could insert at lines 3 and 10; add the lines around it"
    )
    assert problem(CLASSES, lines("", "x", scopes=("class Third:",), named=True)).startswith(
        "hunk 1: the file has no line `class Third:`"
    )


def test_an_empty_old_text_is_not_right_below_the_heading_of_a_diff():
    hunk = lines("", "        last()", scopes=("class Second:",), line=11)
    assert problem(CLASSES, hunk).startswith("hunk 1: only its line tells where it inserts")
    assert problem(CLASSES, replace(hunk, line=None)).startswith("hunk 1: its old text is empty")
    same = replace(hunk, tag=Tag(None, CLASSES, str))
    assert applied(CLASSES, same) == "pass\n        last()\n\n    def stop".join(
        CLASSES.rsplit("pass\n\n    def stop", 1)
    )


def test_an_empty_old_text_with_a_line_inserts_there_in_the_file_that_its_author_read():
    same = Tag(None, "a\nb\n", str)
    assert applied("a\nb\n", lines("", "x", line=2, tag=same)) == "a\nx\nb\n"
    assert applied("a\nb\n", lines("", "x", line=3, tag=same)) == "a\nb\nx\n"
    assert steps("a\nb\n", lines("", "x", line=2, tag=same)) == ["line"]
    for hunk in (lines("", "x", line=4, tag=same), lines("", "x", line=2)):
        assert problem("a\nb\n", hunk).startswith("hunk 1: only its line tells where it inserts")


def test_the_line_of_an_insertion_needs_hunks_on_both_sides_that_show_where_it_is():
    a, x, c = lines("a", "A", line=1), lines("", "x", line=3), lines("c", "C", line=3)
    assert applied("new\na\nb\nc\n", a, x, c) == "new\nA\nb\nx\nC\n"
    assert steps("new\na\nb\nc\n", a, x) == ["exact", "unplaced"]
    assert steps("new\na\nb\nc\n", x, c) == ["unplaced", "exact"]
    assert steps("new\na\nb\nnew\nc\n", a, x, c) == ["exact", "unplaced", "exact"]
