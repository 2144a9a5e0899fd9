from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import CreateFile, DeleteFile, ModifyFile, RenameFile, Replacement
from fastedit.formats.detect import read_edit
from fastedit.formats.diffs import v4a
from fastedit.formats.diffs.v4a import FORMAT
from fastedit.formats.diffs.v4a_stream import PatchStream
from fastedit.formats.registry import FORMATS
from fastedit.formats.text.views import ended
from tests.formats import reading


def read(text):
    return reading.operations(FORMAT, reading.lines_of(text))


def patch(*body):
    return "\n".join(["*** Begin Patch", *body, "*** End Patch", ""])


def hunks(*body):
    [operation] = read(patch("*** Update File: app.py", *body))
    assert isinstance(operation, ModifyFile)
    assert operation.path == "app.py"
    return operation.hunks


def hunk(*body):
    [found] = hunks(*body)
    return found


def segments(text):
    return [f"{found}\n" for found in reading.segments(FORMAT, reading.lines_of(text))]


def refused(text):
    return reading.refused(read, text)


SIMPLE = patch("*** Update File: app.py", "@@", "-a", "+b")
CHANGE = (ModifyFile("app.py", (Replacement("a\n", "b\n", whole_lines=True),)),)


# Files


def test_a_patch_adds_deletes_updates_and_moves_files_in_its_order():
    text = patch(
        "*** Add File: path/new.py", "+abc", "+def",
        "*** Delete File: path/old.py",
        "*** Update File: path/update.py", "*** Move to: path/moved.py", "@@ def f():", "-    pass", "+    return 123",
    )  # fmt: skip
    assert read(text) == (
        CreateFile("path/new.py", "abc\ndef\n"),
        DeleteFile("path/old.py"),
        ModifyFile(
            "path/update.py",
            (Replacement("    pass\n", "    return 123\n", True, scopes=("def f():",), named=True),),
        ),
        RenameFile("path/update.py", "path/moved.py"),
    )


def test_a_fence_of_a_list_item_and_backticks_around_a_path_are_no_part_of_a_patch():
    text = f"- Patch:\n\n  ```\n{SIMPLE}```\n".replace("\n*", "\n  *").replace("\n@", "\n  @")
    text = text.replace("\n-a", "\n  -a").replace("\n+b", "\n  +b").replace("\n```", "\n  ```")
    assert read(text) == read(text.replace("app.py", "`app.py`")) == CHANGE


def test_blank_lines_of_an_added_file_need_no_plus_except_at_the_end():
    assert read(patch("*** Add File: a", "", "+x", "", "+y", "")) == (CreateFile("a", "\nx\n\ny\n"),)


def test_an_added_file_may_have_a_hunk_header_and_lack_its_last_newline():
    text = patch("*** Add File: a", "@@ -0,0 +1 @@", "+x", "\\ No newline at end of file")
    assert read(text) == (CreateFile("a", "x"),)


def test_a_line_without_plus_in_an_added_file_is_refused():
    assert "the new file a has the line 'y' without +" in refused(patch("*** Add File: a", "+x", "y"))


def test_a_line_below_a_deleted_file_is_refused():
    assert "the line 'x' stands below *** Delete File: a" in refused(patch("*** Delete File: a", "x"))


def test_a_file_may_only_be_moved():
    text = patch("*** Update File: a b.py", "*** Move to: c/d.py")
    assert read(text) == (RenameFile("a b.py", "c/d.py"),)


@pytest.mark.parametrize("body", [(), ("@@", " x"), ("@@ f", ""), ("",)])
def test_an_update_that_changes_nothing_is_refused(body):
    assert "*** Update File: a changes nothing" in refused(patch("*** Update File: a", *body))


def test_a_patch_without_files_is_refused():
    assert "no file header" in refused("*** Begin Patch\n*** End Patch\n")


@pytest.mark.parametrize("line", ["*** Frobnicate File: foo", "bad", "@@", "+x"])
def test_a_line_that_is_no_file_header_is_refused_where_one_should_stand(line):
    assert f"the line {line!r} stands where a file header should" in refused(patch(line))


# Hunks


@pytest.mark.parametrize(
    ("headers", "scopes", "line"),
    [
        (["@@"], (), None),
        (["@@ class A"], ("class A",), None),
        (["@@ class A", "@@     def f():"], ("class A", "    def f():"), None),
        (["@@ class A", "@@"], ("class A",), None),
        (["@@ class A", "", "@@ def f():"], ("class A", "def f():"), None),
        (["@@", "@@"], (), None),
        (["@@ class A @@ def f():"], ("class A", "def f():"), None),
        (["@@ -3,2 +3,2 @@"], (), 3),
        (["@@@ -2 +2 @@@"], (), 2),
        (["@@ -3,2 +3,2 @@ class A"], ("class A",), 3),
        (["@@ class A", "@@ -3,2 +3,2 @@"], ("class A",), 3),
        (["@@ -3,2 +3,2 @@", "@@ class A"], ("class A",), 3),
        (["@@ ... @@"], (), None),
    ],
)
def test_headers_stack_and_their_numbers_are_hints(headers, scopes, line):
    found = hunk(*headers, "-a", "+b")
    assert (found.old, found.scopes, found.line) == ("a\n", scopes, line)


def test_only_a_header_without_a_range_names_a_block():
    assert hunk("@@ def f():", "-a", "+b").named
    assert not hunk("@@ -3,2 +3,2 @@ def f():", "-a", "+b").named
    assert not hunk("@@", "-a", "+b").named


def test_a_header_that_is_one_of_the_old_lines_is_no_line_above_them():
    assert hunk("@@ class A", "@@ def f():", " def f():", "-a", "+b").scopes == ("class A",)


def test_hunks_that_change_nothing_are_dropped():
    assert [one.old for one in hunks("@@ f", " a", "@@", "-b", "@@ g")] == ["b\n"]


def test_blank_lines_between_hunks_are_no_context():
    assert [one.old for one in hunks("@@", "-a", "+b", "", "@@", "", "-c", "+d", "")] == ["a\n", "\nc\n"]


def test_context_without_its_leading_blank_is_read():
    assert hunk("@@", "def f():", "-    a", "+    b").old == "def f():\n    a\n"


def test_the_end_of_file_marker_puts_the_hunk_at_the_end_of_the_file():
    found = hunks("@@", " first", "-second", "+second updated", "*** End of File", "", "@@", "-a", "+b")
    assert [one.at_end for one in found] == [True, False]


def test_lines_added_at_the_end_of_the_file_need_no_context():
    assert hunk("@@", "+quux", "*** End of File") == Replacement("", "quux\n", True, at_end=True)


@pytest.mark.parametrize(
    "body", [("@@", "*** End of File"), ("@@", "-a", "*** End of File", "*** End of File")]
)
def test_an_end_of_file_marker_without_lines_is_refused(body):
    assert "nothing stands above *** End of File" in refused(patch("*** Update File: a", *body))


def test_lines_below_the_end_of_file_marker_need_a_header():
    text = patch("*** Update File: a", "@@", "-a", "*** End of File", "-b")
    assert "hunk 2: the line '-b' stands below *** End of File" in refused(text)


@pytest.mark.parametrize("line", ["*** Bad Marker", "***"])
def test_an_unknown_marker_is_refused(line):
    text = patch("*** Update File: a", "@@", "-a", "+b", line)
    assert f"hunk 1: the line {line!r} does not belong to an update" in refused(text)


def test_a_file_is_not_moved_below_its_hunks():
    text = patch("*** Update File: a", "@@", "-a", "+b", "@@", "*** Move to: b")
    assert "hunk 2: the line '*** Move to: b' does not belong to an update" in refused(text)


def test_an_error_numbers_the_hunks_of_all_files():
    text = patch("*** Update File: a", "@@", "-a", "@@", "-b", "*** Update File: b", "@@", "*** End of File")
    assert "v4a, hunk 3: nothing stands above" in refused(text)


# Envelopes


@pytest.mark.parametrize(
    "text",
    [
        "*** Begin Patch ***\n*** Update File: app.py ***\n@@\n-a\n+b\n*** End Patch ***\n",
        " *** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch \n",
        "*** Begin Patch \n*** Update File: app.py\n@@\n-a\n+b\n *** End Patch\n",
        "*** Begin Patch\n  *** Update File: app.py\n@@\n-a\n+b\n*** End Patch\n",
        "*** Begin Patch\n\n*** Environment ID: e1\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch\n",
        "*** Update File: app.py\n@@\n-a\n+b\n",
        "*** Update File: app.py\n@@\n-a\n+b\n*** End Patch\n",
        f"<<EOF\n{SIMPLE}EOF\n",
        f"<<'EOF'\n{SIMPLE}EOF\n",
        f'<<"EOF"\n{SIMPLE}EOF\n',
        f"apply_patch <<'PATCH'\n{SIMPLE}PATCH\n",
        f"applypatch << EOF\n{SIMPLE}\nEOF\n",
        f"cat <<'EOF' | apply_patch\n{SIMPLE}EOF\n",
        f"%%bash\napply_patch\n{SIMPLE}",
        f"```\n{SIMPLE}```\n",
        f"```bash\napply_patch <<'EOF'\n{SIMPLE}EOF\n```\n",
        "```patch\n*** Update File: app.py\n@@\n-a\n+b\n```\n",
        "apply_patch <<'EOF'\n*** Update File: app.py\n@@\n-a\n+b\nEOF\n",
    ],
)
def test_the_envelope_and_what_wraps_it_belong_to_the_patch(text):
    assert segments(f"Here is the patch:\n\n{text}\nDone.\n") == [text]
    assert read(text) == CHANGE


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cd src && apply_patch <<'EOF'", "src/app.py"),
        ("cd src&&applypatch <<EOF", "src/app.py"),
        ("cd 'my src' && apply_patch <<EOF", "my src/app.py"),
        ('cd "my src" && apply_patch <<EOF', "my src/app.py"),
        ("cd /repo/src && apply_patch <<EOF", "/repo/src/app.py"),
        ("cd ./ && apply_patch <<EOF", "app.py"),
        ("cd src\ncd lib\napply_patch <<EOF", "src/lib/app.py"),
    ],
)
def test_paths_start_in_the_folder_that_the_command_changes_to(command, path):
    text = f"{command}\n*** Begin Patch\n*** Update File: app.py\n*** Move to: b.py\n*** End Patch\nEOF\n"
    assert segments(text) == [text]
    assert read(text) == (RenameFile(path, path.replace("app", "b")),)


def test_a_command_is_for_one_patch():
    assert read(f"cd src && apply_patch <<EOF\n{SIMPLE}EOF\n\n{SIMPLE}")[1].path == "app.py"


@pytest.mark.parametrize(
    "command",
    [
        "cd foo; apply_patch <<'EOF'",
        "cd foo || apply_patch <<'EOF'",
        "cd foo bar && apply_patch <<'EOF'",
        "cd foo && cd bar && apply_patch <<'EOF'",
        "echo foo && apply_patch <<'EOF'",
        "apply_patch foo <<'EOF'",
        "apply_patch <<'EOF' && rm -r .",
    ],
)
def test_a_command_that_does_more_than_apply_the_patch_is_refused(command):
    text = f"{command}\n{SIMPLE}"
    assert segments(text) == [text]
    assert f"the command {command!r} does more" in refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n",
        "*** Begin Patch\n*** Add File: a\n+x\n",
        "*** Begin Patch\n*** Delete File: a\n",
        "*** Begin Patch\n",
        "```\n*** Begin Patch\n*** Update File: a\n@@\n-a\n```\n",
        "<<EOF\n*** Begin Patch\n*** Update File: a\n@@\n-a\nEOF\n",
    ],
)
def test_a_patch_without_its_end_breaks_off(text):
    assert segments(text) == [text]
    assert "the patch breaks off" in refused(text)


def test_a_patch_that_breaks_off_leaves_the_next_one_alone():
    first = "*** Begin Patch\n*** Update File: a\n@@\n-a\n"
    assert segments(first + SIMPLE) == [first, SIMPLE]
    assert "breaks off: there is no *** End Patch" in refused(first + SIMPLE)


def test_an_indented_end_marker_is_context_if_more_of_the_patch_follows():
    body = ["*** Update File: app.py", "@@", " *** End Patch", "", "-a", "+b"]
    text = patch(*body)
    assert segments(text) == [text]
    assert read(text)[0].hunks[0].old == "*** End Patch\n\na\n"


@pytest.mark.parametrize(
    "text",
    [
        "*** Update File: app.py\n@@\n-a\n+b\n",
        "*** Update File: app.py\n@@\n-a\n+b\n c\n\n d\n",
        "*** Add File: a\n+x\n",
        "*** Delete File: a\n",
        "*** Delete File: a\n\n*** Add File: b\n+x\n\n*** Update File: c\n@@\n-a\n",
        "*** Update File: a\n*** Move to: b\n",
        "*** Update File: a\n*** Move to: b\ndef f():\n-    pass\n+    return\n",
    ],
)
def test_prose_below_a_patch_without_envelope_is_no_part_of_it(text):
    assert segments(f"{text}\nThat is all.\n\nBye.\n") == [text]


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_new_file_without_an_envelope_whose_lines_lack_their_signs_is_refused_and_not_made_empty(gap):
    text = f"*** Add File: a\n{gap}x = 1\n\ny = 2\n"
    assert "the new file a has the line 'x = 1' without +" in refused(text)
    assert read("*** Add File: a\n\n*** Add File: b\n") == (CreateFile("a", ""), CreateFile("b", ""))


@pytest.mark.parametrize("gap", ["", "\n", "\nAnd the notes:\n\n"])
def test_edits_of_other_files_below_a_rename_without_an_envelope_are_read(gap):
    block = "notes.md\n<<<<<<< SEARCH\nin a\n=======\nin b\n>>>>>>> REPLACE\n"
    edit = read_edit(f"*** Update File: a\n*** Move to: b\n{gap}{block}", tuple(FORMATS.values()))
    assert [operation.path for operation in edit.operations] == ["a", "notes.md"]


def test_prose_between_patches_belongs_to_neither():
    bare = "*** Update File: b\n@@\n-a\n+b\n"
    text = f"First:\n{SIMPLE}\nThen:\n{bare}\nThen:\n{bare}\nThen:\n{SIMPLE}Done."
    assert segments(text) == [SIMPLE, bare, bare, SIMPLE]


def test_a_fence_with_more_than_the_patch_is_left_out():
    assert segments(f"```bash\nmake\n{SIMPLE}make test\n```\n") == [SIMPLE]


def test_a_fence_above_that_is_closed_does_not_belong_to_the_patch():
    assert segments(f"```python\nx\n```\n{SIMPLE}") == [SIMPLE]


@pytest.mark.parametrize(
    "text",
    [
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n *** Begin Patch\n *** Update File: a\n-@@\n+@@ f\n *** End Patch\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-*** Begin Patch\n+*** Update File: a\n",
        "Write *** Begin Patch first.\n",
        "*** Important ***\n",
    ],
)
def test_other_text_is_no_patch(text):
    assert segments(text) == []


# Streams


def test_each_hunk_is_returned_when_it_is_complete():
    stream = PatchStream()
    returned = [
        (line, stream.feed(line))
        for line in [
            "Here:", "*** Begin Patch", "*** Update File: a", "*** Move to: b", "@@ f", "-a", "+b", "@@", " c", "-d",
            "*** Add File: e", "+f", "*** Delete File: g", "*** End Patch", "Done.",
        ]
    ]  # fmt: skip
    assert [(line, operations) for line, operations in returned if operations] == [
        ("@@", (ModifyFile("a", (Replacement("a\n", "b\n", True, scopes=("f",), named=True),)),)),
        ("*** Add File: e", (ModifyFile("a", (Replacement("c\nd\n", "c\n", True),)), RenameFile("a", "b"))),
        ("*** Delete File: g", (CreateFile("e", "f\n"),)),
        ("*** End Patch", (DeleteFile("g"),)),
    ]
    assert stream.close() == ()


def test_a_stream_may_lack_its_end_until_it_is_closed():
    stream = PatchStream()
    for line in ["*** Begin Patch", "*** Update File: a", "@@", "-a", "+b"]:
        assert stream.feed(line) == ()
    assert stream.feed("@@") == (ModifyFile("a", (Replacement("a\n", "b\n", True),)),)
    assert stream.feed("-c") == ()
    with pytest.raises(UnreadableEdit, match="hunk 2: the patch breaks off"):
        stream.close()


# Bodies of apply_patch calls


def test_a_call_updates_a_file():
    assert v4a.read_body(
        "a", "@@ class A\n@@     def f():\n-x\n+y\n\n@@ class B\n-x\n+z\n", "update_file"
    ) == (
        ModifyFile(
            "a",
            (
                Replacement("x\n", "y\n", True, scopes=("class A", "    def f():"), named=True),
                Replacement("x\n", "z\n", True, scopes=("class B",), named=True),
            ),
        ),
    )


def test_the_body_of_a_call_may_have_other_newlines_and_an_end_marker():
    diff = "@@ line1\r\n-line2\r\n+updated\r\n line3\r\n*** End Patch\r\n\r\n"
    assert v4a.read_body("a", diff, "update_file") == (
        ModifyFile(
            "a", (Replacement("line2\nline3\n", "updated\nline3\n", True, scopes=("line1",), named=True),)
        ),
    )


@pytest.mark.parametrize(
    ("diff", "text"),
    [
        ("+hello\n+world\n+", "hello\nworld\n"),
        ("+hello\n+world", "hello\nworld"),
        ("+hello\n\n\n", "hello"),
        ("+hello\r\n+world\r\n+", "hello\r\nworld\r\n"),
        ("@@\n+hello", "hello"),
        ("", ""),
    ],
)
def test_a_call_creates_a_file_of_exactly_its_lines(diff, text):
    assert v4a.read_body("a", diff, "create_file") == (CreateFile("a", text),)


@pytest.mark.parametrize(
    ("diff", "kind", "problem"),
    [
        ("plain line", "create_file", "without +"),
        ("", "update_file", "changes nothing"),
        ("*** Bad Marker", "update_file", "does not belong to an update"),
        ("*** Update File: b\n-a", "update_file", "stands in the diff for a"),
        (SIMPLE, "update_file", "stands in the diff for a"),
        ("-a", "patch_file", "'patch_file' is not an operation"),
    ],
)
def test_a_malformed_call_is_refused(diff, kind, problem):
    with pytest.raises(UnreadableEdit, match=problem.replace("+", "[+]")):
        v4a.read_body("a", diff, kind)


# Properties

CONTENT = st.sampled_from(
    ["x", "    y", "", " ", "-", "+ z", "*** End Patch", "@@ f", "*** Update File: a", "```", "EOF"]
)
HUNK = st.lists(st.tuples(st.sampled_from(" -+"), CONTENT), min_size=1, max_size=5).filter(
    lambda lines: any(sign != " " for sign, _ in lines)
)


@given(st.lists(HUNK, min_size=1, max_size=3), st.booleans())
def test_every_hunk_that_is_written_is_read(hunks, envelope):
    lines = ["*** Update File: app.py"]
    for one in hunks:
        lines += ["@@", *(sign + content for sign, content in one)]
    assume(envelope or not "\n".join(lines).rstrip().endswith("End Patch"))
    lines = ["*** Begin Patch", *lines, "*** End Patch"] if envelope else lines
    [operation] = reading.operations(FORMAT, lines)
    assert reading.spans(FORMAT, lines) == [range(len(lines))]
    for one, found in zip(hunks, operation.hunks, strict=True):
        old, new = ([content for sign, content in one if sign != other] for other in "+-")
        assert (found.old, found.new) == (ended(old), ended(new))
