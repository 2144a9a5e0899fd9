import unicodedata
from pathlib import Path

import pytest

from fastedit.formats.resolution.resolve import resolve
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats.placing import applied, lines, placed, problem, steps, string

SPACES = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
TABS = SPACES.replace("    ", "\t")


def test_whole_lines_match_whole_lines_only():
    assert applied("xa\na\nax\n", lines("a", "b")) == "xa\nb\nax\n"


def test_an_empty_new_string_leaves_the_rest_of_its_line():
    assert applied("a\nb\nc\n", string("b", "")) == "a\n\nc\n"


def test_trailing_blanks_of_either_side_are_ignored_and_the_file_keeps_its_own():
    text = "one  \ntwo\t\nthree\n"
    assert applied(text, lines("one\ntwo\nthree ", "one\nTWO\nthree ")) == "one  \nTWO\nthree\n"
    assert steps(text, lines("one\ntwo\nthree ", "one\nTWO\nthree ")) == ["white space"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("author", ["\n", "\r\n"])
def test_line_ends_of_either_side_do_not_matter(end, author):
    text = end.join(["one", "two", "three", ""])
    hunk = string(author.join(["one", "two"]), author.join(["one", "2", "2"]))
    assert applied(text, hunk) == end.join(["one", "2", "2", "three", ""])
    assert steps(text, hunk) == ["exact"]


@pytest.mark.parametrize("kind", [lines, string])
def test_a_uniform_shift_is_given_to_the_new_lines(kind):
    hunk = kind("def g(self):\n    return 2", "def g(self):\n    if self:\n        return 3\n    return 2")
    assert applied(SPACES, hunk) == SPACES.replace(
        "        return 2\n", "        if self:\n            return 3\n        return 2\n"
    )
    assert steps(SPACES, hunk) == ["indentation"]


def test_a_new_line_that_is_shallower_than_all_old_ones_is_shifted_with_them():
    text = "if a:\n    if b:\n        x()\n        y()\n"
    assert (
        applied(text, lines("            x()\n            y()", "        z()"))
        == "if a:\n    if b:\n    z()\n"
    )


def test_blanks_become_the_tabs_of_the_file():
    hunk = lines(
        "    def g(self):\n        return 2", "    def g(self):\n        if self:\n            return 3"
    )
    assert applied(TABS, hunk) == TABS.replace("\t\treturn 2", "\t\tif self:\n\t\t\treturn 3")


def test_blanks_become_tabs_in_lines_deeper_than_all_old_ones():
    hunk = lines("class A:\n  def f(self):", "class A:\n  def e(self):\n    pass\n\n  def f(self):")
    assert applied(TABS, hunk) == TABS.replace("A:\n", "A:\n\tdef e(self):\n\t\tpass\n\n")


def test_tabs_become_the_blanks_of_the_file():
    hunk = lines("\tdef g(self):\n\t\treturn 2", "\tdef g(self):\n\t\tif self:\n\t\t\treturn 3")
    assert applied(SPACES, hunk) == SPACES.replace(
        "        return 2", "        if self:\n            return 3"
    )


@pytest.mark.parametrize(
    ("text", "old", "added"),
    [
        ("  {\n    a\n    b\n", "   a\n   b", "    x"),
        ("  {\n    a\n    b\n", "   a\n   b", "        x"),
        ("  {\n    a\n    b\n", "   a\n    b", "    x"),
        ("  {\n    a  \n\n    b\n", "   a\n   b", "    x"),
    ],
)
def test_context_that_lacks_its_sign_has_the_blank_for_its_own(text, old, added):
    above, below = old.split("\n")
    hunk = lines(old, f"{above}\n{added}\n{below}", context=frozenset([above, below]))
    assert applied(text, hunk).replace(f"{added}\n", "", 1) == text


def test_context_that_has_its_sign_is_shifted_with_the_new_lines():
    hunk = lines("a\nb", "a\nx\nb", context=frozenset("ab"))
    assert applied("  a\n  b\n", hunk) == "  a\n  x\n  b\n"


def test_leading_blanks_that_were_lost_before_the_first_line_move_only_that_line():
    hunk = lines(
        "def g(self):\n        return 2",
        "def h(self):\n        return 3\n\n    def g(self):\n        return 2",
    )
    assert applied(SPACES, hunk) == SPACES.replace(
        "    def g", "    def h(self):\n        return 3\n\n    def g"
    )
    assert steps(SPACES, hunk) == ["indentation"]


def test_one_line_does_not_tell_whether_deep_lines_below_it_have_lost_their_indentation():
    text = "if a:\n    f()\n"
    assert "how deep its new lines belong" in problem(text, lines("f()", "g()\n    h()"))
    assert applied(text, lines("f()", "if b:\n    g()\nh()")) == "if a:\n    if b:\n        g()\n    h()\n"


def test_a_line_that_replaces_another_keeps_its_depth_where_the_indentation_differs_line_by_line():
    text = "if a:\n    one()\n    if b:\n        two()\n"
    hunk = lines("one()\nif b:\ntwo()", "one()\nif b:\n2()")
    assert applied(text, hunk) == text.replace("two", "2")
    assert steps(text, hunk) == ["indentation"]


def test_a_new_line_is_not_placed_where_lost_indentation_leaves_its_depth_open():
    text = "if a:\n    one()\n    if b:\n        two()\n"
    said = problem(text, lines("one()\nif b:\ntwo()", "one()\nif b:\ntwo()\nthree()"))
    assert said == (
        "hunk 1: its old text is not indented like lines 2-4, so how deep its new lines belong is not known; "
        "copy the old lines from the file"
    )


def test_a_new_line_is_not_placed_where_two_depths_of_its_author_are_one_in_the_file():
    text = "if a:\n    one()\n    two()\n    three()\n"
    old = "    one()\n        two()\n    three()"
    said = problem(text, lines(old, old.replace("    three()", "    if b:\n        three()")))
    assert "how deep its new lines belong" in said
    assert applied(text, lines(old, f"{old}\n    four()")) == f"{text}    four()\n"


def test_blank_lines_that_were_lost_or_added_do_not_matter_and_stay_as_in_the_file():
    assert applied("a\n\nb\nc\n", lines("a\nb\n\nc", "a\nB\n\nc")) == "a\n\nB\nc\n"
    assert steps("a\n\nb\nc\n", lines("a\nb\n\nc", "a\nB\n\nc")) == ["white space"]


def test_a_closing_bracket_of_another_block_is_not_the_same_line():
    text = "f {\n  g {\n    a\n  }\n}\n"
    assert not placed(text.replace("  }\n", "", 1), lines("    a\n  }", "    a\n    b\n  }")).is_complete


def test_punctuation_alone_is_told_by_its_depth():
    assert not placed("a {\n  b\n  }\n", lines("    }", "    c\n    }")).is_complete
    assert applied("a {\n  b\n  }\n", lines("}", "c\n}")) == "a {\n  b\n  c\n  }\n"


def test_lines_that_swap_their_depths_are_not_the_same_lines():
    assert not placed("  a\n    b\nc\n", lines("    a\n  b", "    a\n  b\n  x")).is_complete


def test_a_change_of_blanks_is_not_placed_by_a_step_that_ignores_them():
    assert not placed("  a  \n", lines("a", "a ")).is_complete
    assert not placed("a\nb\n", lines("a\n\nb", "a\nb")).is_complete


@pytest.mark.parametrize(
    ("file", "author"),
    [
        ("it’s “here”", 'it\'s "here"'),
        ("1–2 — 3 − 4", "1-2 - 3 - 4"),
        ("a\u00a0b\u202fc", "a b c"),
        ("wait…", "wait..."),
        ("caf\u0065\u0301", "caf\u00e9"),
        ("plain 'quotes'", "plain ‘quotes’"),
    ],
)
@pytest.mark.parametrize("kind", [lines, string])
def test_look_alikes_match_and_those_that_stay_keep_the_spelling_of_the_file(file, author, kind):
    text = f"above\n{file}; tail\nbelow\n"
    hunk = kind(f"{author}; tail", f"{author}; end")
    assert applied(text, hunk) == f"above\n{file}; end\nbelow\n"
    assert steps(text, hunk) == ["look-alikes"]


@pytest.mark.parametrize(
    ("file", "old", "new", "wanted"),
    [
        ('a = ["x"]', "a = [“x”]", "a = [“w”, “x”]", 'a = ["w", "x"]'),
        ("f('x')\nend", "f(‘x’)\nend", "f(‘x’)\ng(“y” – 1)\nend", "f('x')\ng(\"y\" - 1)\nend"),
        ("f('it’s')", "f(‘it’s’)", "f(‘it’s’, ‘x’)", "f('it’s', 'x')"),
        ("a “b” c", 'a "b" c', 'a "b" “d” c', "a “b” “d” c"),
    ],
)
@pytest.mark.parametrize("kind", [lines, string])
def test_where_an_old_text_has_look_alikes_for_plain_signs_its_new_ones_become_plain(
    file, old, new, wanted, kind
):
    assert applied(f"above\n{file}\nbelow\n", kind(old, new)) == f"above\n{wanted}\nbelow\n"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Use it — or not.", "Use it - or not.", "Run `pip install --user a-b` or not."),
        ("# pinned — see the wiki", "# pinned - see the wiki", "# https://a.b/setup-ruby/releases"),
        ('s = "a\u3000b"', 's = "a b"', 's = "other words"'),
    ],
)
@pytest.mark.parametrize("kind", [lines, string])
def test_a_sign_of_other_words_is_not_spelled_as_one_of_the_old_text(file, old, new, kind):
    assert applied(f"above\n{file}\nbelow\n", kind(old, new)) == f"above\n{new}\nbelow\n"


def test_quotes_around_other_words_stay_as_in_the_file():
    assert applied("say “a”, “b”\n", lines('say "a", "b"', 'say "c", "d"')) == "say “c”, “d”\n"
    assert applied("– one two\n", lines("- one two", "- three")) == "– three\n"


def test_a_hunk_whose_new_look_alikes_become_plain_says_so():
    (report,) = placed('a = "x"\n', lines("a = “x”", "a = “y”")).reports
    assert "plain ones are written" in report.remarks[0]
    (report,) = placed('a = "x" + b\n', lines("a = “x” + b", "a = 1")).reports
    assert report.remarks == ()


def test_letters_that_one_side_takes_apart_are_the_same():
    whole, apart = (unicodedata.normalize(form, "한국") for form in ("NFC", "NFD"))
    assert applied(f"a = '{whole}' + 1\n", lines(f"a = '{apart}' + 1", f"a = '{apart}' + 2")) == (
        f"a = '{whole}' + 2\n"
    )


def test_look_alikes_match_within_a_line():
    assert applied("say(“it’s so”, now)\n", string("it's so", "it's not so")) == "say(“it’s not so”, now)\n"


def test_one_character_of_the_file_that_is_several_of_the_hunk_is_not_divided():
    assert not placed("wait… x\n", string(". x", "! x")).is_complete
    assert applied("wait… x\n", string("wait... x", "wait.. x")) == "wait.. x\n"


def test_look_alikes_with_another_indentation_match_too():
    assert (
        applied("  a = “x”\n  b = 1\n", lines('a = "x"\nb = 1', 'a = "x"\nb = 2')) == "  a = “x”\n  b = 2\n"
    )


def test_a_change_of_look_alikes_needs_the_exact_text():
    assert applied("a “b”\n", lines("a “b”", 'a "b"')) == 'a "b"\n'
    assert not placed("a “b”\n", lines("a ”b”", 'a "b"')).is_complete


def test_a_looser_step_does_not_settle_what_a_stricter_one_leaves_ambiguous():
    text = "  a\nb\n\n  a\nc\n\n a\nd\n"
    assert steps(text, lines("  a", "  x")) == ["ambiguous"]


def test_a_stricter_match_wins_over_looser_ones():
    text = "a \n  a\na\n"
    assert applied(text, lines("a", "b")) == "a \n  a\nb\n"


def test_count_asks_for_that_many_exact_places():
    text = "a a\na\n"
    assert applied(text, string("a", "b", count=3)) == "b b\nb\n"
    assert applied(text, string("a", "b", count=None)) == "b b\nb\n"
    assert problem(text, string("a", "b", count=2)) == (
        "hunk 1: its old text stands 3 times, not 2, at lines 1 and 2; correct the number or the text"
    )
    assert not placed("a \n", lines("a", "b", count=None)).is_complete
    assert not placed("x\n", string("a", "b", count=None)).is_complete


def test_overlapping_occurrences_count_once_for_all_and_are_ambiguous_for_one():
    assert applied("aaaa\n", string("aa", "b", count=None)) == "bb\n"
    assert steps("aaa\n", string("aa", "b")) == ["ambiguous"]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ('    x = """\n  a\nb\n"""\n    return x', '        x = """\n  a\nb\n"""\n        return x\n'),
        ('    """Doc.\n\n    More.\n    """', '        """Doc.\n\n        More.\n        """\n'),
        ("    x = (\n        'a'\n        'b'\n    )", "        x = (\n            'a'\n            'b'\n        )\n"),
    ],
)  # fmt: skip
def test_a_shift_leaves_the_lines_of_a_new_string_alone_but_for_a_docstring(new, expected):
    document = Document.from_text(SPACES, Path("a.py"))
    resolution = resolve(document, [lines("def g(self):\n    return 2", f"def g(self):\n{new}")])
    assert apply_hunks(document, resolution.hunks) == SPACES.replace("        return 2\n", expected)


def test_lines_at_the_end_of_a_paragraph_that_goes_on_now_have_no_place():
    hunk = lines("a = 1\n", "a = 1\na += 1\n")
    assert applied("a = 1\n\nb = 1\n", hunk) == "a = 1\na += 1\n\nb = 1\n"
    assert applied("b = 1\n\na = 1\n", hunk) == "b = 1\n\na = 1\na += 1\n"
    assert not placed("a = 1\nif x:\n    a = 2\n\nb = 1\n", hunk).is_complete
    assert (
        applied("a = 1\nb = 1\n", lines("a = 1\n\nb = 1", "a = 1\nc = 1\n\nb = 1")) == "a = 1\nc = 1\nb = 1\n"
    )
    head = lines("\na = 1", "\nz = 1\na = 1")
    assert not placed("b = 1\n\nc = 1\na = 1\n", head).is_complete


def test_a_line_alone_at_another_depth_needs_a_word_that_no_other_line_has():
    text = "def f(x):\n    if x is None:\n        return None\n    return x\n"
    assert not placed(text, lines("            return None", "            return 0")).is_complete
    assert applied(text, lines("return None", "return 0")) == text.replace("return None", "return 0")
    text = text.replace("return None", "return empty(None)")
    hunk = lines("            return empty(None)", "            return 0")
    assert applied(text, hunk) == text.replace("return empty(None)", "return 0")


def test_a_common_line_alone_is_at_the_same_depth_where_tabs_stand_for_its_blanks():
    blanks = "def f(x):\n    if x is None:\n        return None\n    return x\n"
    tabs = blanks.replace("    ", "\t")
    for text, depth in (tabs, "    "), (blanks, "\t"):
        hunk = lines(f"{2 * depth}return None", f"{2 * depth}return 0")
        assert applied(text, hunk) == text.replace("return None", "return 0")
        assert not placed(text, lines(f"{depth}return None", f"{depth}return 0")).is_complete
