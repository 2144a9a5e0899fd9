import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.base import Replacement
from fastedit.formats.text.views import ended
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats.placing import applied, lines, placed, problem, steps, string

FILE = """\
import os
import sys


def load(path):
    with open(path) as stream:
        text = stream.read()
    return parse(text)


def store(path, data):
    check(data)
    with open(path, "w") as stream:
        stream.write(dump(data))
    return path
"""
STORE = lines(
    'def store(path, data):\n    check(data)\n    with open(path, "w") as stream:\n'
    "        stream.write(dump(data))\n    return path",
    'def store(path, data):\n    check(data)\n    with open(path, "wb") as stream:\n'
    "        stream.write(dump(data))\n    return path",
)


def test_context_that_changed_does_not_matter_and_stays_as_in_the_file():
    text = FILE.replace("check(data)", "check(data, strict=True)")
    assert applied(text, STORE) == text.replace('"w"', '"wb"')
    assert steps(text, STORE) == ["drift"]


def test_context_that_is_gone_or_new_does_not_matter():
    text = FILE.replace("    check(data)\n", "")
    assert applied(text, STORE) == text.replace('"w"', '"wb"')
    text = FILE.replace("    check(data)\n", "    check(data)\n    log(path)\n    log(data)\n")
    assert applied(text, STORE) == text.replace('"w"', '"wb"')


def test_a_line_that_the_hunk_shows_as_unchanged_and_the_file_lacks_is_named():
    text = "def f():\n    one()\n    two()\n    three()\n"
    hunk = lines(
        "    one()\n    new()\n    two()\n    three()", "    one()\n    new()\n    two()\n    four()"
    )
    assert applied(text, hunk) == text.replace("three", "four")
    assert "the file lacks `new()`" in placed(text, hunk).reports[0].remarks[0]


def test_a_line_that_is_removed_must_be_there():
    assert not placed(FILE.replace('"w"', '"x"'), STORE).is_complete


def test_removed_lines_must_stand_together():
    hunk = lines("a\nb\nx = 1\ny = 2\nc\nd", "a\nb\nc\nd")
    assert applied("a\nnew\nb\nx = 1\ny = 2\nc\nd\n", hunk) == "a\nnew\nb\nc\nd\n"
    assert not placed("a\nb\nx = 1\nnew\ny = 2\nc\nd\n", hunk).is_complete


def test_a_blank_line_beside_a_foreign_line_is_not_removed_with_it():
    hunk = lines("a\nb\nx = 1\n\nc\nd", "a\nb\nc\nd")
    assert not placed("a\nb\nx = 1\n# new\n\nc\nd\n", hunk).is_complete


def test_an_insertion_needs_both_its_neighbours_next_to_each_other():
    hunk = lines("one\ntwo\nthree\nfour", "one\ntwo\nnew\nthree\nfour")
    assert applied("one\n1\ntwo\nthree\nfour\n", hunk) == "one\n1\ntwo\nnew\nthree\nfour\n"
    assert applied("ONE\ntwo\nthree\nfour\n", hunk) == "ONE\ntwo\nnew\nthree\nfour\n"
    assert not placed("one\ntwo\n2\nthree\nfour\n", hunk).is_complete
    assert not placed("one\nTWO\nthree\nfour\n", hunk).is_complete


def test_an_insertion_after_all_old_lines_needs_the_end_of_the_file():
    hunk = lines("one\ntwo\nthree", "one\ntwo\nthree\nnew")
    assert applied("zero\none\n2\nthree\n", hunk) == "zero\none\n2\nthree\nnew\n"
    assert not placed("one\n2\nthree\nfour\n", hunk).is_complete


def test_an_insertion_before_all_old_lines_needs_the_head_of_the_file():
    hunk = lines("one\ntwo\nthree", "new\none\ntwo\nthree")
    assert applied("one\n2\nthree\nfour\n", hunk) == "new\none\n2\nthree\nfour\n"
    assert not placed("zero\none\n2\nthree\n", hunk).is_complete


LISTS = "<div>\n<ul>\n<li>one</li>\n</ul>\n<ul>\n<li>two</li>\n</ul>\n</div>\n"


def test_an_insertion_is_refused_where_lines_left_out_may_be_above_or_below_it():
    hunk = lines(
        "<div>\n<ul>\n<li>one</li>\n</ul>\n</div>", "<div>\n<ul>\n<li>one</li>\n</ul>\n<p>new</p>\n</div>"
    )
    assert not placed(LISTS, hunk).is_complete
    hunk = lines(
        "<div>\n<ul>\n<li>two</li>\n</ul>\n</div>", "<div>\n<p>new</p>\n<ul>\n<li>two</li>\n</ul>\n</div>"
    )
    assert not placed(LISTS, hunk).is_complete


def test_lines_left_out_elsewhere_do_not_matter_to_an_insertion():
    hunk = lines("<div>\n<li>two</li>\n</ul>\n</div>", "<div>\n<li>two</li>\n<li>new</li>\n</ul>\n</div>")
    assert applied(LISTS, hunk) == LISTS.replace("two</li>\n", "two</li>\n<li>new</li>\n")


def test_a_change_that_adds_lines_is_refused_where_lines_next_to_it_are_left_out():
    text = "head\none\nx = 1\ntwo\nthree\nfoot\n"
    below = lines("head\none\nx = 1\nthree\nfoot", "head\none\nx = 2\ny = 3\nthree\nfoot")
    above = lines("head\nx = 1\ntwo\nthree\nfoot", "head\ny = 3\nx = 2\ntwo\nthree\nfoot")
    for hunk in below, above:
        assert not placed(text, hunk).is_complete
        assert applied(text, lines(hunk.old[:-1], hunk.old[:-1].replace("1", "2"))) == text.replace("1", "2")
    assert applied(
        text.replace("two", "2"), lines("one\nx = 1\ntwo\nthree\nfoot", "one\nx = 2\ny = 3\ntwo\nthree\nfoot")
    ) == ("head\none\nx = 2\ny = 3\n2\nthree\nfoot\n")


def test_an_insertion_of_a_line_like_its_neighbour_needs_the_lines_on_both_sides():
    hunk = lines("top\nabove\nsame\nbelow", "top\nabove\nsame\nsame\nbelow")
    assert applied("above\nsame\nbelow\n", hunk) == "above\nsame\nsame\nbelow\n"
    assert not placed("top\nabove\nnew\nsame\nbelow\n", hunk).is_complete
    assert not placed("top\nabove\nsame\nnew\nbelow\n", hunk).is_complete


def test_half_of_the_context_must_be_there():
    hunk = lines("a1\na2\na3\nx\nb1\nb2\nb3", "a1\na2\na3\nb1\nb2\nb3")
    assert applied("a1\nA\nA\nx\nB\nb2\nb3\n", hunk) == "a1\nA\nA\nB\nb2\nb3\n"
    assert not placed("A\nA\nA\nx\nB\nb2\nb3\n", hunk).is_complete


def test_context_that_stands_at_another_place_refuses_this_one():
    text = "def a():\n    setup()\n    run(1)\n    end()\n\ndef b():\n    setup()\n    run(2)\n    end()\n"
    hunk = lines(
        "def b():\n    setup()\n    run(1)\n    end()", "def b():\n    setup()\n    run(3)\n    end()"
    )
    assert not placed(text, hunk).is_complete


def test_two_places_that_are_about_as_good_are_refused():
    text = "one\ntwo\nX\nnine\n--\none\nY\nX\nnine\n"
    assert not placed(text, lines("one\nthree\nX\nnine", "one\nthree\nnine")).is_complete


def test_too_many_changes_of_lines_that_stand_often_are_not_tried_one_by_one():
    text = [f"{k % 600}" for k in range(1800)]
    old = [line for at, line in enumerate(text) if at % 100]
    new = [line for at, line in enumerate(old) if at % 4]
    assert not placed(ended(text), Replacement(ended(old), ended(new), True)).is_complete


def test_a_place_that_is_clearly_better_than_another_is_taken():
    text = "alpha\nbeta\ncall()\ngamma changed\ndelta\n\nother\ncall()\nmore\n"
    hunk = lines("alpha\nbeta\ncall()\ngamma\ndelta", "alpha\nbeta\ncalls()\ngamma\ndelta")
    assert applied(text, hunk) == text.replace("call()", "calls()", 1)


def test_several_changes_of_one_hunk_are_merged_one_by_one():
    hunk = lines("a\nb\nc\nd\ne\nf\ng", "a\nB\nc\nd\ne\nF\ng")
    assert applied("a\nb\nc\nnew 1\nnew 2\ne\nf\ng\n", hunk) == "a\nB\nc\nnew 1\nnew 2\ne\nF\ng\n"


def test_new_lines_take_the_indentation_of_a_file_that_has_drifted():
    text = "class A:\n    def f(self):\n        one()\n        more()\n        two()\n"
    hunk = lines(
        "def f(self):\n    one()\n    less()\n    two()",
        "def f(self):\n    if self:\n        1()\n    less()\n    two()",
    )
    assert applied(text, hunk) == text.replace("        one()", "        if self:\n            1()")


def test_strings_that_are_whole_lines_may_drift_too():
    text = FILE.replace("check(data)", "check(data, strict=True)")
    assert applied(text, string(STORE.old, STORE.new)) == text.replace('"w"', '"wb"')


def test_a_marker_that_both_texts_have_stands_for_the_lines_between():
    hunk = lines(
        "def load(path):\n...\n    return parse(text)", "def load(path: str):\n...\n    return parse(text)"
    )
    assert applied(FILE, hunk) == FILE.replace("load(path)", "load(path: str)")


def test_a_hunk_that_drifts_nowhere_shows_the_nearest_lines():
    text = FILE.replace('"w"', '"x"')
    assert problem(text, STORE) == (
        "hunk 1: its old text is not in the file: nearest are lines 11-15, but line 13 is "
        '`with open(path, "x") as stream:` where it has `with open(path, "w") as stream:`; '
        "copy the old lines from the file"
    )


NAMES = [f"name_{k}()" for k in range(150)]


@pytest.mark.parametrize("seed", range(40))
def test_a_drifted_file_is_merged_as_three_ways_say_or_refused(seed):
    """Random changes of other lines and of context: the result is the change made in the drifted file."""
    pick = random.Random(seed)
    base = [
        f"    {pick.choice(NAMES)}" if pick.random() < 0.7 else pick.choice(["}", "", "x = 1"])
        for _ in range(60)
    ]
    at = pick.randrange(5, 50)
    size = pick.choice([0, 1, 2])
    new = [f"    changed_{k}()" for k in range(pick.choice([1, 2]))]
    hunk = Replacement(
        ended(base[at - 3 : at + size + 3]),
        ended([*base[at - 3 : at], *new, *base[at + size : at + size + 3]]),
        True,
    )
    drifted, wanted = [], []
    for row, line in enumerate(base):
        wanted += new if row == at else []
        kept = line if row in range(at, at + size) else _drift(line, pick)
        drifted += [] if kept is None else [kept]
        wanted += [] if kept is None or row in range(at, at + size) else [kept]
    document = Document.from_text("".join(f"{line}\n" for line in drifted))
    resolution = placed(document.text, hunk)
    if resolution.is_complete and resolution.reports[0].step != "already":
        assert apply_hunks(document, resolution.hunks) == "".join(f"{line}\n" for line in wanted)


def _drift(line: str, pick: random.Random) -> str | None:
    if pick.random() > 0.08:
        return line
    return pick.choice([None, f"{line}  # touched"])


@given(st.lists(st.sampled_from(["a", "b", "  c", "  d", "}", ""]), min_size=4, max_size=24), st.data())
def test_no_drift_in_a_file_of_few_different_lines_is_merged_wrongly(base, data):
    at = data.draw(st.integers(1, len(base) - 2))
    hunk = Replacement(ended(base[at - 1 : at + 2]), ended([base[at - 1], "new", base[at + 1]]), True)
    touched = data.draw(st.integers(0, len(base) - 1).filter(lambda row: row != at))
    drifted = [f"{line}!" if row == touched else line for row, line in enumerate(base)]
    document = Document.from_text("".join(f"{line}\n" for line in drifted))
    resolution = placed(document.text, hunk)
    if resolution.reports[0].step == "drift":
        drifted[at] = "new"
        assert apply_hunks(document, resolution.hunks) == "".join(f"{line}\n" for line in drifted)
