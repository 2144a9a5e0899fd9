from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.base import Beside, ModifyFile, Replacement
from fastedit.formats.diffs.edit_tags import FORMAT
from tests.formats import reading


def hunks(text: str) -> list[tuple[str, str, bool]]:
    (operation,) = reading.operations(FORMAT, text.split("\n"))
    assert isinstance(operation, ModifyFile)
    found = [hunk for hunk in operation.hunks if isinstance(hunk, Replacement)]
    return [(_shown(hunk, hunk.old), _shown(hunk, hunk.new), hunk.whole_lines) for hunk in found]


def _shown(hunk: Replacement, text: str) -> str:
    return text.removesuffix("\n" * hunk.whole_lines)


def problem_of(text: str) -> str:
    return reading.refused(lambda text: reading.operations(FORMAT, text.split("\n")), text)


def segments(text: str) -> list[str]:
    return reading.segments(FORMAT, text.split("\n"))


ONE_TO_TWO = "<old_text>one</old_text><new_text>two</new_text>"


class TestPairs:
    def test_tags_within_a_line_enclose_any_text(self):
        assert hunks(ONE_TO_TWO) == [("one", "two", False)]

    def test_an_attribute_of_an_element_around_pairs_is_the_path_of_their_file(self):
        first, second = (f'<edit path="{path}">\n{ONE_TO_TWO}\n</edit>' for path in ("a.py", "lib/b.py"))
        text = f"<edits>\n{first}\n{second}\n</edits>"
        assert [each.path for each in reading.operations(FORMAT, text.split("\n"))] == ["a.py", "lib/b.py"]

    def test_tags_on_their_own_lines_enclose_whole_lines(self):
        text = "<edits>\n<old_text>\n    one\n  \n</old_text>\n<new_text>\n\ttwo\n</new_text>\n</edits>"
        assert hunks(text) == [("    one\n  ", "\ttwo", True)]

    def test_indented_tags_are_no_text(self):
        text = "<edits>\n  <old_text>\n    one\n  </old_text>\n  <new_text>\n    two\n  </new_text>\n</edits>"
        assert hunks(text) == [("    one", "    two", True)]

    def test_the_old_text_decides_whether_lines_are_whole(self):
        text = "<old_text>\none\n</old_text><new_text>two</new_text>\n<old_text>a</old_text><new_text>\nb\n</new_text>"
        assert hunks(text) == [("one", "two", True), ("a", "b", False)]

    def test_one_line_end_next_to_a_tag_is_no_text(self):
        assert hunks("<old_text>one\ntwo\n</old_text><new_text>\nthree</new_text>") == [
            ("one\ntwo", "three", False)
        ]

    @pytest.mark.parametrize("new", ["", "\n"])
    def test_an_empty_new_text_deletes(self, new: str):
        assert hunks(f"<old_text>\none\n</old_text>\n<new_text>{new}</new_text>") == [("one", "", True)]

    def test_other_tags_and_text_around_pairs_do_not_count(self):
        text = f"<old_text><b>one</b></old_text> as <new_text><i>two</i></new_text> done\n{ONE_TO_TWO}"
        assert hunks(text) == [("<b>one</b>", "<i>two</i>", False), ("one", "two", False)]

    @pytest.mark.parametrize("hint", ["line=12", 'line="12"', "line='12'", ' foo="1" line=12'])
    def test_the_line_is_a_hint(self, hint: str):
        (operation,) = reading.operations(
            FORMAT, [f"<old_text {hint}>one</old_text><new_text>two</new_text>"]
        )
        assert operation == ModifyFile(None, (Replacement("one", "two", whole_lines=False, line=12),))

    @pytest.mark.parametrize(
        "above", ["src/a.py", "In `src/a.py`:", "<path>src/a.py</path>", "src/a.py\n```xml"]
    )
    def test_the_lines_above_name_the_file(self, above: str):
        (operation,) = reading.operations(FORMAT, f"{above}\n<edits>\n{ONE_TO_TWO}\n</edits>".split("\n"))
        assert isinstance(operation, ModifyFile)
        assert operation.path == "src/a.py"

    def test_a_name_above_is_the_file_if_there_is_such_a_file(self):
        [found] = FORMAT.find(f"**My Docs/x.py**\n{ONE_TO_TWO}".split("\n"))
        for files, path in (({"My Docs/x.py", "Docs/x.py"}, "My Docs/x.py"), ({"Docs/x.py"}, "Docs/x.py")):
            assert [operation.path for operation in found.operations(Beside(is_file=files.__contains__))] == [
                path
            ]


class TestOtherClosingTags:
    def test_a_tag_may_be_closed_by_another(self):
        pair = "<old_text>\na\n</new_text>\n<new_text>\nb\n</old_text>\n"
        assert hunks(pair * 2) == [("a", "b", True)] * 2

    @pytest.mark.parametrize("end", ["</edits>", "</parameter></invoke>", "</parameter>\n</invoke>"])
    def test_the_end_of_the_edits_closes_a_tag(self, end: str):
        assert hunks(f"<edits>\n<old_text>\na\n</old_text>\n<new_text>\nb\n{end}") == [("a", "b", True)]

    def test_other_closing_tags_are_text_where_the_right_one_follows(self):
        assert hunks("<old_text>a</edits></old_text><new_text>b</old_text></new_text>") == [
            ("a</edits>", "b</old_text>", False)
        ]


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("<old_text>one", "hunk 1: there is no <new_text>; write it after <old_text>"),
            (f"{ONE_TO_TWO}\n<old_text>one</old_text>", "hunk 2: there is no <new_text>"),
            (f"<old_text>one</old_text>\n{ONE_TO_TWO}", "hunk 1: there is no <new_text>"),
            ("<old_text>one</old_text><new_text>two", "hunk 1: the edit breaks off before </new_text>; send it again"),
            ("<old_text>one<new_text>two</new_text>", "hunk 1: the edit breaks off before </old_text>"),
            ("<old_text>\n</old_text><new_text>two</new_text>", "hunk 1: <old_text> is empty"),
            ("<old_text>\na\n</old_text><new_text>\n\n</new_text>", "hunk 1: <new_text> is one blank line"),
            ("<old_text>a</old_text>b</old_text><new_text></new_text>", "hunk 1: 2 times </old_text> in one element"),
        ],
    )  # fmt: skip
    def test_a_malformed_pair_is_refused_by_its_number(self, text: str, problem: str):
        assert problem in problem_of(text)


class TestSegments:
    def test_a_segment_has_its_envelope_and_no_prose(self):
        pair = "<old_text>a</old_text>\n<new_text>b</new_text>"
        edit = f"src/a.py\n```xml\n<edits>\n\n{ONE_TO_TWO}\n\n{pair}\n</edits>\n```"
        assert segments(f"Here it is.\n\n{edit}\n\nDone.") == [edit]

    def test_pairs_with_prose_between_are_segments_of_their_own(self):
        assert segments(f"a.py\n{ONE_TO_TWO}\nand\nb.py\n{ONE_TO_TWO}") == [
            f"a.py\n{ONE_TO_TWO}",
            f"b.py\n{ONE_TO_TWO}",
        ]

    def test_a_tag_in_a_sentence_is_no_edit(self):
        assert segments("Write <old_text> before <new_text>.") == []

    @pytest.mark.parametrize("broken", ["<old_text>one", "<old_text>one\n</old_text>\n<new_text>two\nDone."])
    @pytest.mark.parametrize("before", ["", f"{ONE_TO_TWO}\n", ONE_TO_TWO])
    def test_a_truncated_pair_is_a_segment(self, before: str, broken: str):
        assert segments(f"Prose.\n\n{before}{broken}") == [before + broken]


TEXT = st.text("ab <\t\n", max_size=12)


@given(st.lists(st.tuples(TEXT.filter(str.strip), TEXT), min_size=1, max_size=3))
def test_what_is_written_is_read_back(pairs: list[tuple[str, str]]):
    edits = [f"<old_text>\n\n{old}|\n</old_text><new_text>{new}|</new_text>" for old, new in pairs]
    assert hunks("\n".join(edits)) == [
        (f"\n{old}|", f"{new}|".removeprefix("\n"), True) for old, new in pairs
    ]
