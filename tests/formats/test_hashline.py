from functools import partial

import pytest

from fastedit.formats.base import DeleteFile, LineSpan, ModifyFile, RenameFile, Replacement
from fastedit.formats.hashline.anchor import file_tag
from fastedit.formats.hashline.hashline import FORMAT
from tests.formats import reading
from tests.formats.placing import placed


def read(message):
    lines = message.splitlines()
    assert len(reading.spans(FORMAT, lines)) == 1
    return reading.operations(FORMAT, lines)


refusal = partial(reading.refused, read)


def spans(operation):
    """The spans of a ModifyFile as (start, stop, lines, tags); tags as "line:value", line None for the file."""
    return [
        (hunk.start, hunk.stop, hunk.lines, [f"{tag.line}:{tag.value}" for tag in hunk.tags])
        for hunk in operation.hunks
        if isinstance(hunk, LineSpan)
    ]


class TestJson:
    def test_set_line_replaces_the_line_of_the_anchor(self):
        (operation,) = read(
            '{"path": "a.py", "edits": [{"set_line": {"anchor": "2:f1", "new_text": "x = 1\\ny = 2"}}]}'
        )
        assert operation.path == "a.py"
        assert spans(operation) == [(1, 2, ("x = 1", "y = 2"), ["1:f1"])]

    def test_replace_lines_includes_both_anchors_and_has_the_hashes_of_both(self):
        (operation,) = read(
            '{"edits": [{"replace_lines": {"start_anchor": "1:a3", "end_anchor": "3:0e", "new_text": "x"}}]}'
        )
        assert operation.path is None
        assert spans(operation) == [(0, 3, ("x",), ["0:a3", "2:0e"])]

    def test_replace_lines_without_an_end_replaces_one_line(self):
        (operation,) = read('[{"replace_lines": {"start_anchor": "4:a3", "new_text": "x"}}]')
        assert spans(operation) == [(3, 4, ("x",), ["3:a3"])]

    @pytest.mark.parametrize("key", ["text", "new_text"])
    def test_insert_after_inserts_below_the_anchor(self, key):
        (operation,) = read(
            f'{{"path": "a", "edits": [{{"insert_after": {{"anchor": "3:0e", "{key}": "x"}}}}]}}'
        )
        assert spans(operation) == [(3, 3, ("x",), ["2:0e"])]

    def test_an_empty_new_text_deletes_the_lines(self):
        (operation,) = read('[{"set_line": {"anchor": "2:f1", "new_text": ""}}]')
        assert spans(operation) == [(1, 2, (), ["1:f1"])]

    @pytest.mark.parametrize(("options", "count"), [("", 1), (', "all": true', None)])
    def test_replace_finds_its_place_by_text(self, options, count):
        (operation,) = read(f'[{{"replace": {{"old_text": "a", "new_text": "b"{options}}}}}]')
        assert operation.hunks == (Replacement("a", "b", whole_lines=False, count=count),)

    @pytest.mark.parametrize("anchor", ["9#KT", "9#KT:  return 1", " >>> 9#KT", "9 # KT"])
    def test_an_anchor_may_be_copied_with_what_surrounds_it(self, anchor):
        (operation,) = read(
            f'{{"path": "a", "edits": [{{"op": "replace", "pos": "{anchor}", "lines": ["x"]}}]}}'
        )
        assert spans(operation) == [(8, 9, ("x",), ["8:KT"])]

    def test_operations_with_pos_and_end_replace_append_and_prepend(self):
        (operation,) = read(
            """{"path": "a", "edits": [
                {"op": "replace", "pos": "2#VR", "end": "3#KT", "lines": null},
                {"op": "append", "pos": "5#BH", "lines": ["x", ""]},
                {"op": "prepend", "pos": "9#ZZ", "lines": "y"}
            ]}"""
        )
        assert spans(operation) == [
            (1, 3, (), ["1:VR", "2:KT"]),
            (5, 5, ("x", ""), ["4:BH"]),
            (8, 8, ("y",), ["8:ZZ"]),
        ]

    def test_append_and_prepend_without_an_anchor_stand_at_the_ends_of_the_file(self):
        (operation,) = read(
            '{"path": "a", "edits": [{"op": "prepend", "lines": ["x"]}, {"loc": "append", "content": ["y"]}]}'
        )
        assert operation.hunks == (LineSpan(0, 0, ("x",)), Replacement("", "y\n", whole_lines=True))

    @pytest.mark.parametrize(
        ("operation", "expected"),
        [
            ('{"op": "set", "tag": "2#VR", "content": ["x"]}', (1, 2, ("x",), ["1:VR"])),
            ('{"op": "replace", "first": "2#VR", "last": "3#KT", "content": ["x"]}', (1, 3, ("x",), ["1:VR", "2:KT"])),
            ('{"op": "append", "after": "2#VR", "content": ["x"]}', (2, 2, ("x",), ["1:VR"])),
            ('{"op": "prepend", "before": "2#VR", "content": ["x"]}', (1, 1, ("x",), ["1:VR"])),
            ('{"op": "insert", "after": "2#VR", "before": "3#KT", "content": ["x"]}', (2, 2, ("x",), ["1:VR", "2:KT"])),
            ('{"loc": {"append": "2sr"}, "content": ["x"]}', (2, 2, ("x",), ["1:sr"])),
            ('{"loc": {"prepend": "2sr"}, "content": ["x"]}', (1, 1, ("x",), ["1:sr"])),
            ('{"loc": {"range": {"pos": "2sr", "end": "4th"}}, "content": null}', (1, 4, (), ["1:sr", "3:th"])),
        ],
    )  # fmt: skip
    def test_every_spelling_of_the_operations_is_read(self, operation, expected):
        assert spans(read(f"[{operation}]")[0]) == [expected]

    def test_every_edit_may_name_its_own_file(self):
        first, second = read(
            """{"edits": [
                {"path": "a", "loc": {"append": "2#VR"}, "content": ["x"]},
                {"path": "b", "loc": {"append": "3#KT"}, "content": ["y"]}
            ]}"""
        )
        assert (first.path, second.path) == ("a", "b")

    def test_a_file_is_moved_after_its_edits(self):
        modify, rename = read('{"path": "a", "move": "b", "edits": [{"op": "append", "lines": ["x"]}]}')
        assert isinstance(modify, ModifyFile)
        assert rename == RenameFile("a", "b")

    def test_the_calls_of_one_fence_are_one_edit_of_the_file(self):
        call = '{"path": "a", "edits": [{"set_line": {"anchor": "%s", "new_text": "x"}}]}'
        (operation,) = read("\n".join(["```json", call % "2:f1", call % "3:f1", "```"]))
        assert len(operation.hunks) == 2

    @pytest.mark.parametrize("anchor", ["5", "5:", "5#AB", "5:x9z", "HEAD"])
    def test_an_anchor_without_a_known_hash_is_refused(self, anchor):
        message = f'{{"path": "a", "edits": [{{"set_line": {{"anchor": "{anchor}", "new_text": "x"}}}}]}}'
        assert "hunk 1: the anchor" in refusal(message)

    @pytest.mark.parametrize(
        ("operation", "problem"),
        [
            ('{"op": "replace", "pos": "2#VR", "lines": ""}', "a blank line or nothing"),
            ('{"op": "replace", "pos": "2#VR", "lines": ["a\\n"]}', "has a line break"),
            ('{"op": "replace", "pos": "2#VR", "lines": 3}', "neither a string nor a list"),
            ('{"op": "append", "pos": "2#VR", "lines": []}', "inserts nothing"),
            ('{"op": "replace", "pos": "4#VR", "end": "2#KT", "lines": ["x"]}', "ends before it begins"),
            ('{"op": "swap", "pos": "4#VR", "lines": ["x"]}', "is not known"),
            ('{"set_line": {"anchor": "2:f1"}}', "is not known"),
        ],
    )
    def test_an_operation_that_does_not_say_what_it_means_is_refused_by_number(self, operation, problem):
        message = refusal(f'[{{"op": "append", "lines": ["x"]}}, {operation}]')
        assert problem in message
        assert "hunk 2" in message

    def test_a_file_cannot_be_deleted_and_edited(self):
        assert "deletes a" in refusal(
            '{"path": "a", "delete": true, "edits": [{"op": "append", "lines": ["x"]}]}'
        )

    def test_a_file_without_a_path_cannot_be_moved(self):
        assert "without its path" in refusal('{"move": "b", "edits": [{"op": "append", "lines": ["x"]}]}')

    @pytest.mark.parametrize(
        "message",
        [
            '[{"op": "replace", "path": "/a", "value": 1}]',
            '{"path": "a", "edits": [{"old_text": "a", "new_text": "b"}]}',
            '{"range": {"start": {"line": 1}}}',
            "See lines 2:f1 and 3:0e.",
        ],
    )
    def test_other_json_and_prose_are_no_hashline_edit(self, message):
        assert reading.spans(FORMAT, message.splitlines()) == []


class TestTagged:
    def test_swap_del_and_ins_become_spans_with_the_hash_of_the_file(self):
        (operation,) = read(
            """\
[src/a.py#F2B2]
SWAP 3.=5:
+three

+five
DEL 8.=9
DEL 11
INS.PRE 13:
+before
INS.POST 13:
+after
INS.HEAD:
+top
INS.TAIL:
+bottom
"""
        )
        assert operation.path == "src/a.py"
        tag = ["None:F2B2"]
        assert spans(operation) == [
            (2, 5, ("three", "", "five"), tag),
            (7, 9, (), tag),
            (10, 11, (), tag),
            (12, 12, ("before",), tag),
            (13, 13, ("after",), tag),
            (0, 0, ("top",), tag),
        ]
        assert operation.hunks[-1] == Replacement("", "bottom\n", whole_lines=True)

    def test_put_and_cut_are_the_same_operations(self):
        (operation,) = read("[a#f2b2]\nPUT 3.=5:\n+x\nPUT <7:\n+y\nPUT >7:\n+z\nCUT 9-10\nPUT >$:\n+end\n")
        tag = ["None:F2B2"]
        assert spans(operation) == [
            (2, 5, ("x",), tag),
            (6, 6, ("y",), tag),
            (7, 7, ("z",), tag),
            (8, 10, (), tag),
        ]

    @pytest.mark.parametrize("place", ["3.=5", "3..5", "3-5", "3…5", "3 5", "3, 5", "3 .= 5"])
    def test_a_range_may_have_any_of_the_separators_in_use(self, place):
        assert spans(read(f"[a#F2B2]\nSWAP {place}:\n+x")[0])[0][:2] == (2, 5)

    def test_operations_in_words_are_read_below_a_pilcrow_header(self):
        (operation,) = read(
            "¶a b.py#f2b2\nreplace 3..5:\n+x\ninsert before 7:\n+y\ndelete 9\ninsert head:\n+z\n"
        )
        assert operation.path == "a b.py"
        assert [span[:3] for span in spans(operation)] == [
            (2, 5, ("x",)),
            (6, 6, ("y",)),
            (8, 9, ()),
            (0, 0, ("z",)),
        ]

    def test_rows_with_arrows_stand_above_and_below_the_lines(self):
        (operation,) = read("¶a#fff5\n7-10:\n↓below\n|new\n↑above\n12:\n|twelve\n")
        assert [span[:3] for span in spans(operation)] == [
            (6, 6, ("above",)),
            (6, 10, ("new",)),
            (10, 10, ("below",)),
            (11, 12, ("twelve",)),
        ]

    def test_the_text_behind_the_plus_is_literal(self):
        (operation,) = read("[a#F2B2]\nSWAP 1:\n+\n++x\n+-y\n+DEL 3\n+  \tz \n")
        assert spans(operation)[0][2] == ("", "+x", "-y", "DEL 3", "  \tz ")

    def test_a_removal_is_verified_by_the_hash(self):
        modify, delete = read("[a#F2B2]\nREM\n")
        assert spans(modify) == [(0, 0, (), ["None:F2B2"])]
        assert delete == DeleteFile("a")

    def test_a_move_follows_the_edits(self):
        modify, rename = read('[a#F2B2]\nDEL 1\nMV "b c"\n')
        assert spans(modify) == [(0, 1, (), ["None:F2B2"])]
        assert rename == RenameFile("a", "b c")

    def test_an_appended_line_is_verified_by_the_hash(self):
        (modify,) = read("[a#F2B2]\nPUT >$:\n+x\n")
        assert spans(modify) == [(0, 0, (), ["None:F2B2"])]

    def test_sections_of_one_file_are_one_edit_and_other_files_follow(self):
        first, second = read("[a#F2B2]\nDEL 1\n[b#0001]\nDEL 2\n[a#F2B2]\nDEL 3\n")
        assert [span[:2] for span in spans(first)] == [(0, 1), (2, 3)]
        assert second.path == "b"

    def test_a_fence_or_an_envelope_bounds_rows_without_a_plus(self):
        body = "[a#F2B2]\nSWAP 3.=4:\nx = 1\n\ny = 2"
        expected = ("x = 1", "", "y = 2")
        assert spans(read(f"```\n{body}\n```")[0])[0][2] == expected
        assert spans(read(f"*** Begin Patch\n{body}\n*** End Patch")[0])[0][2] == expected
        assert "does not begin with +" in refusal("[a#F2B2]\nSWAP 3.=4:\nx = 1")

    def test_comments_above_the_first_header_are_skipped(self):
        (operation,) = read("```\n# Delete line 3\n[a#F2B2]\nDEL 3\n```")
        assert operation.path == "a"

    def test_prose_below_a_blank_line_is_not_part_of_an_edit(self):
        assert reading.spans(FORMAT, "Here:\n\n[a#F2B2]\nDEL 3\n\nThat is all.".splitlines()) == [range(2, 4)]
        assert reading.spans(FORMAT, "Here:\n[a#F2B2]\nDEL 3\nThat is all.".splitlines()) == [range(1, 4)]

    def test_no_operation_after_prose_is_lost(self):
        assert "does not take rows" in refusal("[a#F2B2]\nDEL 3\n\nand also\n\nDEL 9\n")

    def test_every_header_after_prose_begins_an_edit(self):
        lines = "[a#F2B2]\nDEL 3\n\nand also\n\n[b#F2B2]\nDEL 9\n".splitlines()
        assert reading.spans(FORMAT, lines) == [range(2), range(5, 7)]

    def test_an_edit_that_touches_the_path_above_the_next_ends_with_it(self):
        lines = "[a#F2B2]\nDEL 3\nb.py\n```\n[b.py#F2B2]\nDEL 9\n```".splitlines()
        assert reading.spans(FORMAT, lines) == [range(3), range(3, 7)]

    def test_a_listing_of_the_file_is_no_edit(self):
        assert reading.spans(FORMAT, ["[greet.py#A1B2]", "1:def greet(name):", "2:    return name"]) == []
        assert reading.spans(FORMAT, ["[project]", 'name = "a"', "[tool]", "+x"]) == []

    @pytest.mark.parametrize(
        ("edit", "problem"),
        [
            ("[a]\nDEL 3", "has no hash of the file"),
            ("[a#0A3]\nDEL 3", "has no hash of the file"),
            ("[a#F2B2]\nDEL 3\n[a#F2B3]\nDEL 4", "two hashes for a"),
            ("[a#F2B2]\nDEL 3\n+x", "does not take rows"),
            ("[a#F2B2]\nDEL 5.=3", "ends before it begins"),
            ("[a#F2B2]\nSWAP 3:", "no new text"),
            ("[a#F2B2]\nINS.PRE 3:", "inserts nothing"),
            ("[a#F2B2]\nSWAP 3:\n+x\ny", "does not begin with +"),
            ("```\n[a#F2B2]\nSWAP 3:\n-x\ny\n```", "does not begin with +"),
            ("[a#F2B2]\nREM\nDEL 3", "edits and deletes"),
            ("[a#F2B2]\nMV b\nMV c", "second REM or MV"),
            ("[a#F2B2]\nDEL 3\n[b#F2B2]\nREPLACE 3", "is not an operation"),
            ("[a#F2B2]\nDEL 3\n[b#F2B2]", "no operation for b"),
            ("[a#F2B2]\nREPLACE 3\n+x", "is not an operation"),
            ("[a#F2B2]\n7:\n+x", "begins with none of"),
            ("[a#F2B2]\n7:", "no new text"),
            ("[a#F2B2]\nDEL 3\n*** Abort", "gave it up"),
            ("*** Begin Patch\n[a#F2B2]\nDEL 3", "only one of"),
            ("```\n[a#F2B2]\nDEL 3", "fence is not closed"),
            ("```\nDEL 2\n[a#F2B2]\nDEL 3\n```", "no header above"),
        ],
    )
    def test_a_malformed_edit_is_refused(self, edit, problem):
        assert problem in refusal(edit)

    @pytest.mark.parametrize(
        "operation",
        ["SWAP.BLK 3:", "DEL.BLK 3", "INS.BLK.POST 3:", "PUT 3*:", "PUT >3*:", "CUT 3*", "replace block 3:"],
    )
    def test_block_operations_are_refused_by_name(self, operation):
        message = refusal(f"[a#F2B2]\n{operation}\n+x")
        assert repr(operation) in message
        assert "syntax" in message
        assert "PUT 3.=5:" in message

    @pytest.mark.parametrize("operation", ["CUT 3.=5 @r", "PUT >9 @r", "PUT >9", "PUT 3.=5", "PASTE.POST 9"])
    def test_registers_are_refused_by_name(self, operation):
        assert "register" in refusal(f"[a#F2B2]\n{operation}")


def collision(operations):
    """What is said about two hunks of a file of six lines."""
    text = "1\n2\n3\n4\n5\n6\n"
    (operation,) = read(f"[a#{file_tag('').digest(text)}]\n{operations}")
    return [str(report) for report in placed(text, *operation.hunks).reports]


class TestSpans:
    def test_overlapping_ranges_are_refused_with_both_hunks(self):
        first, second = collision("SWAP 2.=4:\n+x\nSWAP 4.=5:\n+y\n")
        assert first.startswith("hunk 1: changes the same text as hunk 2 at lines 2-4")
        assert second.startswith("hunk 2: changes the same text as hunk 1 at lines 4-5")

    def test_insertions_at_the_edges_of_a_range_keep_their_order(self):
        (operation,) = read("[a#F2B2]\nSWAP 2.=4:\n+x\nINS.PRE 2:\n+y\nINS.POST 4:\n+z\nINS.POST 4:\n+w\n")
        assert [span[2] for span in spans(operation)] == [("x",), ("y",), ("z",), ("w",)]

    def test_an_identical_hunk_counts_once(self):
        (operation,) = read("[a#F2B2]\nSWAP 2.=4:\n+x\nDEL 9\nSWAP 2.=4:\n+x\nDEL 9\n")
        assert len(operation.hunks) == 2

    @pytest.mark.parametrize("prefix", ["%d:a3|", "%d#KT:", "%d#KT|", "%dsr|", ">>> %d:a3|", "    %d:a3|"])
    def test_copied_anchors_are_stripped_where_every_line_has_one(self, prefix):
        lines = [prefix % 2 + "  x", prefix % 3 + "", prefix % 9 + "y"]
        (operation,) = read("[a#F2B2]\nSWAP 2:\n" + "\n".join("+" + line for line in lines))
        assert spans(operation)[0][2] == ("  x", "", "y")

    def test_copied_anchors_stay_where_one_line_has_none(self):
        (operation,) = read("[a#F2B2]\nSWAP 2:\n+2:a3|x\n+y")
        assert spans(operation)[0][2] == ("2:a3|x", "y")

    @pytest.mark.parametrize("operation", ["SWAP 2.=9:", "INS.POST 1:", "INS.PRE 2:"])
    def test_copied_line_numbers_are_stripped_where_they_go_on_from_the_place(self, operation):
        (modify,) = read(f"[a#F2B2]\n{operation}\n+2:x\n+3:    y\n+\n+5:z")
        assert spans(modify)[0][2] == ("x", "    y", "", "z")

    @pytest.mark.parametrize(
        "lines", [["2:x", "y"], ["2:x", "4:y"], ["80:x", "81:y"], ["2: one", "3: two"], ["2:x", "2:y"]]
    )
    def test_other_numbers_at_the_start_of_lines_are_text(self, lines):
        (operation,) = read("[a#F2B2]\nSWAP 2:\n" + "\n".join("+" + line for line in lines))
        assert list(spans(operation)[0][2]) == lines


class TestHashes:
    """The first two are checked against values that pi-hashline-readmap and oh-my-openagent publish."""

    @pytest.mark.parametrize(
        ("anchor", "line"),
        [
            ("1:c27", "export   function foo() {}"),
            ("1:27", "\texport function foo() {}\r"),
            ("1:DA", "  return 1;"),
            ("1:d05", " \t\u00a0"),
            ("1#MM", "hello world  "),
            ("1#ZM", "hello world"),
            ("7#ST", "  }"),
            ("2oa", "\treturn [ \r"),
        ],
    )
    def test_the_hash_of_the_line_is_that_of_the_anchor(self, anchor, line):
        (operation,) = read(f'[{{"op": "replace", "pos": "{anchor}", "lines": ["x"]}}]')
        (tag,) = operation.hunks[0].tags
        assert tag.digest(line) == tag.value

    @pytest.mark.parametrize("text", ["one\n\ttwo\n", "one \r\n\ttwo\t\r\n", "\ufeffone\n\ttwo\n"])
    def test_the_hash_of_a_file_ignores_white_space_at_the_ends_of_lines(self, text):
        (operation,) = read("[a#8d06]\nDEL 1")
        (tag,) = operation.hunks[0].tags
        assert (tag.line, tag.value) == (None, "8D06")
        assert tag.digest(text) == "8D06"
