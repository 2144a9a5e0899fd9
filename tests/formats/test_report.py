import pytest

from fastedit.formats.report import PlacementStep, Report, quoted, spans
from fastedit.formats.resolution.refusals import in_words
from fastedit.formats.text.views import ViewedText
from fastedit.source.document import Document
from tests.formats.placing import lines, placed, problem, string

FILE = "def area(w, h):\n    size = w * h\n    return size\n\n\ndef volume(w, h, d):\n    return w * h * d\n"


def test_a_report_says_where_a_hunk_went_and_by_which_step():
    assert (
        str(placed(FILE, lines("return size", "return size + 1")).reports[0])
        == "hunk 1: indentation at line 3"
    )
    assert str(placed(FILE, string("h):\n    size", "h):\n    s")).reports[0]) == "hunk 1: exact at lines 1-2"
    assert str(Report(4, PlacementStep.ALREADY)) == "hunk 4: already"
    assert str(Report(1, PlacementStep.LINE, (range(3, 3),))) == "hunk 1: by its line number at line 4"


def test_reports_are_in_the_order_of_the_hunks_and_numbered_from_one():
    reports = placed(
        FILE, string("w * h * d", "0"), string("nowhere", ""), string("size = w * h", "1")
    ).reports
    assert [(report.number, report.step.value) for report in reports] == [
        (1, "exact"),
        (2, "unplaced"),
        (3, "exact"),
    ]
    assert [report.lines for report in reports] == [(range(6, 7),), (), (range(1, 2),)]


def test_only_an_ambiguous_or_unplaced_hunk_is_not_placed():
    assert [step.value for step in PlacementStep if not step.placed] == ["unplaced", "ambiguous"]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([range(2, 3)], "line 3"),
        ([range(2, 4)], "lines 3-4"),
        ([range(2, 2)], "line 3"),
        ([range(1), range(4, 6)], "lines 1 and 5-6"),
        ([range(1), range(1), range(4, 5)], "lines 1 and 5"),
        ([range(k, k + 1) for k in range(20)], "lines 1, 2, 3, 4, 5, 6, 7 and 13 more places"),
    ],
)
def test_lines_are_told_as_people_count_them(found, said):
    assert spans(found) == said


def test_a_long_line_is_quoted_in_part():
    assert quoted("  a = 1") == "`a = 1`"
    assert len(quoted("x" * 500)) < 120


def test_an_unplaced_hunk_names_the_nearest_lines_and_what_first_differs():
    hunk = lines("def area(w, h):\n    size = w + h\n    return size", "")
    report = placed(FILE, hunk).reports[0]
    assert str(report) == (
        "hunk 1: its old text is not in the file: nearest are lines 1-3, but line 2 is `size = w * h` "
        "where it has `size = w + h`; copy the old lines from the file"
    )
    assert report.nearest == ("1 | def area(w, h):", "2 |     size = w * h", "3 |     return size")


def test_of_lines_with_as_many_of_the_words_the_most_alike_is_the_nearest():
    text = '"""Each event in its order."""\n\nqueue.remove(event)\nevent\n'
    assert "nearest is line 3" in problem(text, lines("list.delete(event)", ""))


def test_the_nearest_lines_are_found_by_words_where_no_line_is_the_same():
    assert "nearest is line 7, but line 7 is `return w * h * d`" in problem(
        FILE, lines("return  h * d * w", "")
    )


def test_old_lines_beyond_the_end_of_the_file_are_told():
    assert "nearest is line 7, but the file ends where it has `more`" in problem(
        FILE, lines("    return w * h * d\nmore", "x")
    )


def test_lines_that_differ_in_blanks_alone_are_told_so():
    said = problem("a\n    b\n", lines("a\nb", "a\n  b"))
    assert "nearest are lines 1-2, which differ from it in blanks" in said


def test_an_old_text_like_nothing_in_the_file_is_told_so():
    text = ViewedText(Document.from_text("a\nb\n"))
    assert in_words(text, ["zzz"]) == ("nothing in it is like the old text", ())


def test_an_empty_file_is_told_so():
    assert problem("", lines("a", "b")) == (
        "hunk 1: the file is empty, so its old text is not in it; send the whole text"
    )


def test_a_hunk_whose_short_new_text_is_there_says_that_it_may_have_been_made():
    told = placed("a = 2\nb = 2\n", lines("a = 1", "a = 2")).reports[0].problem
    assert "leave the hunk out if it was made before, as its new text is at line 1, or copy" in told
