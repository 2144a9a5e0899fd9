"""Lines of strings that go over several lines."""

from __future__ import annotations

from fastedit.sketch.read.quoted import quoted
from fastedit.sketch.read.reading import Outline
from fastedit.source.languages import named


def test_lines_that_begin_within_a_string_are_told_with_the_line_it_begins_on():
    lines = ['x = """a', "b", '""" + f("""c""")  # """', "y = 1", "z = '''", "'''"]
    assert quoted(lines, named("python")) == {1: 0, 2: 0, 5: 4}
    lines = ["f(`a // ` + '`'); // `", "g(`", "text", "`, `b`);", "h('it\\'s', \"`\");", "done();"]
    assert quoted(lines, named("javascript")) == {2: 1, 3: 1}


def test_a_string_without_an_end_is_none_nor_is_one_that_a_marker_stands_in():
    lines = ["x = '''a", "b", "# ...", "c", "'''"]
    assert quoted(lines[:2], named("python")) == {}
    assert quoted(lines, named("python"), {2}) == {}
    assert quoted(["`", "`"], named("java")) == {}


def test_text_at_the_margin_ends_no_block():
    lines = ["class A {", "  stop() {", "    fail(`wait", "", "and see`);", "  }", "}"]
    assert Outline(lines, language="javascript").parents == [None, 0, 1, None, 1, 1, 0]
    assert Outline(lines, language="java").parents[5] != 1


def test_the_shells_strings_and_here_documents_are_strings_up_to_their_ends():
    lines = [
        "a() {",
        "  cat <<-'END' > b",
        "don't",
        "END",
        '  b "$(c "d")" "e \\"',
        "f\" # it's",
        "  x=$#",
        "}",
    ]
    assert quoted(lines, named("shell")) == {2: 1, 3: 1, 5: 4}
    assert Outline(lines, language="shell").parents == [None, 0, 0, 0, 0, 0, 0, 0]
    assert quoted(["$(cat <<A)", "a", "A;", "b <<< A", "A"], named("shell")) == {1: 0, 2: 0}
    assert quoted(["cat <<A", "# ...", "A"], named("shell"), {1}) == {}
    assert quoted(["a(<<~B, c)", "b", "B", "d << e", "e"], named("ruby")) == {1: 0, 2: 0}


def test_a_backslash_escapes_no_end_of_a_string_that_is_read_as_it_stands():
    lines = ['var a = @"c:\\";', 'var b = @"x', "y", '";']
    assert quoted(lines, named("csharp")) == {2: 1, 3: 1}
