from __future__ import annotations

import difflib
import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fastedit.formats.base import Beside, CreateFile, DeleteFile, ModifyFile, RenameFile, Replacement
from fastedit.formats.diffs.udiff import FORMAT
from fastedit.formats.text.views import lines_of
from tests.formats import reading
from tests.formats.placing import applied, problem

HEAD = "--- a/app.py\n+++ b/app.py\n"


def read(text):
    return reading.operations(FORMAT, reading.lines_of(text))


def hunks(text):
    [operation] = read(text)
    assert isinstance(operation, ModifyFile)
    return operation.hunks


def hunk(text):
    [found] = hunks(text)
    return found


def segments(text):
    return [f"{found}\n" for found in reading.segments(FORMAT, reading.lines_of(text))]


def refused(text):
    return reading.refused(read, text)


# Hunks


def test_a_hunk_replaces_context_and_removed_lines_by_context_and_added_lines():
    text = HEAD + "@@ -3,3 +3,3 @@\n def f():\n-    return 1\n+    return 2\n \n"
    assert read(text) == (
        ModifyFile(
            "app.py",
            (
                Replacement(
                    "def f():\n    return 1\n\n", "def f():\n    return 2\n\n", whole_lines=True, line=3
                ),
            ),
        ),
    )


@pytest.mark.parametrize("numbers", ["-1 +1", "-1,9 +1,1", "-1,2 +1,2", "-1,0 +1,0"])
def test_lines_are_counted_in_the_body_whatever_the_header_says(numbers):
    found = hunk(f"{HEAD}@@ {numbers} @@\n x\n-a\n+b\n y\n")
    assert (found.old, found.new) == ("x\na\ny\n", "x\nb\ny\n")


@pytest.mark.parametrize(
    ("header", "line", "scopes"),
    [
        ("@@ -2 +2 @@", 2, ()),
        ("@@@ -2 +2 @@@", 2, ()),
        ("@@ -104,7 + 105,7 @@", 104, ()),
        ("@@ - 104,7 + 105,7 @@", 104, ()),
        ("@@-4,7 +4,7@@", 4, ()),
        ("@@ -10,6 @@", 10, ()),
        ("@@ -10,6 +10,7", 10, ()),
        ("@@ 10,6 10,7 @@", 10, ()),
        ("@@", None, ()),
        ("@@ @@", None, ()),
        ("@@ ... @@", None, ()),
        ("@@...@@", None, ()),
        ("@@ … @@", None, ()),
        ("@@ -X,Y +X,Y @@", None, ()),
        ("@@ -1,3 +1,4 @@ class A:", 1, ("class A:",)),
        ("@@ -1,3 +1,4 @@     def f(self):", 1, ("    def f(self):",)),
        ("@@ -1,3 +1,4 @@ ...", 1, ()),
        ("@@ ... @@ class A:", None, ("class A:",)),
        ("@@ class A:", None, ("class A:",)),
        ("@@ return @@", None, ("return",)),
        ("@@ class A @@ def f():", None, ("class A", "def f():")),
        ("@@ @@count = 0", None, ("@@count = 0",)),
        ("@@ 42", None, ("42",)),
    ],
)
def test_the_header_gives_a_line_hint_and_scopes(header, line, scopes):
    found = hunk(f"{HEAD}{header}\n-a\n+b\n")
    assert (found.old, found.new, found.line, found.scopes) == ("a\n", "b\n", line, scopes)


def test_a_heading_that_is_one_of_the_old_lines_is_no_line_above_them():
    assert hunk(HEAD + "@@ -3,2 +3,2 @@ def f():\n def f():\n-    a\n+    b\n").scopes == ()


@pytest.mark.parametrize(
    ("numbers", "line"), [("-5,0 +6", 6), ("-0,0 +1", 1), ("-5,1 +5,2", 5), ("-0,2 +1,3", 1)]
)
def test_an_insertion_without_context_has_the_number_of_the_line_above(numbers, line):
    found = hunk(f"{HEAD}@@ {numbers} @@\n+new\n")
    assert (found.old, found.new, found.line) == ("", "new\n", line)


@pytest.mark.parametrize("header", ["@@", "@@ ... @@", "@@ -X,Y +X,Y @@"])
def test_lines_that_are_added_without_a_place_go_into_an_empty_file_alone(header):
    addition = hunk(f"{HEAD}{header}\n+a\n")
    assert applied("", addition) == "a\n"
    assert "its old text is empty, but the file is not" in problem("x\n", addition)


def test_hunks_that_change_nothing_are_dropped():
    assert len(hunks(HEAD + "@@ -1 +1 @@\n a\n@@ -3 +3 @@\n@@ -5 +5 @@\n-a\n+b\n")) == 1


def test_an_edit_of_which_nothing_is_left_is_refused():
    assert "changes nothing" in refused(HEAD + "@@ -1,2 +1,2 @@\n a\n b\n")


def test_a_diff_without_file_header_is_for_the_file_that_the_caller_names():
    assert read("@@ -1 +1 @@\n-a\n+b\n") == (ModifyFile(None, (Replacement("a\n", "b\n", True, line=1),)),)


def test_a_hunk_needs_no_header_below_the_header_of_a_file():
    found = hunk(HEAD + " x\n-a\n+b\n")
    assert (found.old, found.new, found.line) == ("x\na\n", "x\nb\n", None)


def test_removed_and_added_lines_alone_are_a_hunk():
    assert hunk("```diff\n-a\n+b\n```") == Replacement("a\n", "b\n", True)


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        ("-a\n", "a\n", ""),
        ("-a\n+\n", "a\n", "\n"),
        ("-\n", "\n", ""),
        ("+\n", "", "\n"),
        (" \n+a\n", "\n", "\na\n"),
        (" \n-a\n", "\na\n", "\n"),
        ("-a\n \n", "a\n\n", "\n"),
    ],
)
def test_a_blank_line_is_another_side_than_none(body, old, new):
    assert hunk(f"{HEAD}@@ -3,2 +3 @@\n{body}") == Replacement(old, new, True, line=3)


def test_an_error_numbers_the_hunks_of_all_files():
    text = HEAD + "@@ @@\n-a\n+b\n--- a/b.py\n+++ b/b.py\n@@ @@\n-a\n+b\n@@@ -1 -1 +1 @@@\n+c\n"
    assert "hunk 3:" in refused(text)


# Context


@pytest.mark.parametrize(
    ("text", "old"),
    [
        (f"{HEAD}@@ -1,3 +1,3 @@\n\n x\n\n-a\n+b\n", "\nx\n\na\n"),
        (f"{HEAD}@@ @@\n-a\n+b\n\n\n", "a\n"),
        (f"{HEAD}@@ @@\n+a\n\n def f():\n", "\ndef f():\n"),
        (f"{HEAD}@@ -1,4 +1,4 @@\n-a\n+b\n\nreturn c\n-d\n+e\n", "a\n\nreturn c\nd\n"),
        (f"{HEAD}@@ -1,2 +1 @@\n x\n--\n", "x\n-\n"),  # not the signature of a mail
        (f"```diff\n{HEAD}@@ @@\n+a\ndef f():\n```", "def f():\n"),
        (f"```diff\n{HEAD}@@ @@\n ```\n-a\n+b\n ```\n```", "```\na\n```\n"),
        (f"```diff\n{HEAD}@@ @@\n-a\n+b\n```\n-c\n+d\n```", "a\n```\nc\n"),
        ("```diff\nThe change:\n@@ @@\n-a\n+b\n```", "a\n"),
    ],
)
def test_context_is_told_from_what_stands_around_a_hunk(text, old):
    assert segments(text) == [f"{text.rstrip()}\n"]
    assert hunk(text).old == old


@pytest.mark.parametrize("fence", ["", "```diff\n"])
def test_context_without_its_leading_blank_is_read_between_changed_lines(fence):
    text = f"{fence}{HEAD}@@ @@\n-a\n+b\ndef f():\n@property\n\tx\n-c\n+d\n{'```' if fence else ''}"
    assert hunk(text).old == "a\ndef f():\n@property\n\tx\nc\n"


def test_context_is_told_from_lines_that_have_no_sign():
    found = hunk(f"```diff\n{HEAD}@@ @@\ndef f():\n    x\n\n-    a\n+        b\n```")
    assert found.old == "def f():\n   x\n\n    a\n"
    assert found.context == {"   x"}


# Prose around a diff without a fence


@pytest.mark.parametrize(
    ("numbers", "prose"),
    [
        ("@@", "\nThis replaces a.\n"),
        ("@@", "This replaces a.\n"),
        ("-1 +1 @@", "\nChanges:\n- a is gone\n"),
        ("-1 +1 @@", "\nChanges:\n\n- a is gone\n+ b is new\n"),
    ],
)
def test_prose_below_a_hunk_is_no_part_of_it(numbers, prose):
    text = f"{HEAD}@@ {numbers}\n-a\n+b\n"
    assert segments(text + prose) == [text]
    assert hunk(text).new == "b\n"


@pytest.mark.parametrize(
    "below",
    [
        "\nreturn c\n+    d\n",  # context without its blank, or prose above a list
        "\nChanges:\n- a is gone\n",
        "This replaces a.\n- a is gone\n",
    ],
)
def test_a_line_that_may_be_context_or_prose_is_refused_if_changes_follow(below):
    numbers = "-1 +1 @@" if below.startswith("This") else "@@"
    text = f"{HEAD}@@ {numbers}\n-a\n+b\n{below}"
    assert segments(text) == [text]
    assert "hunk 1: the line " in refused(text)


@pytest.mark.parametrize("item", ["+ b is new", "- a is gone"])
def test_an_item_of_a_list_below_the_lines_that_the_counts_name_is_not_taken_for_a_change(item):
    assert f"hunk 1: the line {item!r} may be" in refused(f"{HEAD}@@ -1 +1 @@\n-a\n+b\n\n{item}\n")
    assert hunk(f"{HEAD}@@ -1,2 +1,3 @@\n-a\n+b\n\n+c\n").new == "b\n\nc\n"


def test_a_line_without_sign_is_no_prose_for_certain_where_context_above_it_has_none_either():
    text = f"{HEAD}@@ -1,3 +1,3 @@\nimport a\n-x\n+y\nz\n\nu\n-v\n+w\n"
    assert "hunk 1: the line 'u' may be" in refused(text)
    assert hunk(text.replace("3", "6")).old == "import a\nx\nz\n\nu\nv\n"


def test_a_line_that_may_be_the_only_context_of_an_insertion_is_refused():
    assert "hunk 1: the line 'def f():'" in refused(HEAD + "@@ @@\n+a\n\ndef f():\n")


def test_prose_between_files_belongs_to_neither():
    first, second = HEAD + "@@ -1 +1 @@\n-a\n+b\n", "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-c\n+d\n"
    assert segments(f"First:\n\n{first}\nThen the other one:\n\n{second}\nDone.\n") == [first, second]


def test_a_whole_mail_can_be_read():
    text = (
        "From 1234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Fix\n\nWhy.\n---\n app.py | 2 +-\n\n"
        "diff --git a/app.py b/app.py\nindex 1..2 100644\n--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-a\n+b\n"
        "-- \n2.40.0\n"
    )
    assert read(text) == (ModifyFile("app.py", (Replacement("a\n", "b\n", True, line=1),)),)


@pytest.mark.parametrize(
    "head", [f"commit {'1' * 40}\nAuthor: A <a@b.c>\nDate:   Tue Dec 1\n\n   ", "1234567"]
)
def test_what_git_says_of_a_commit_belongs_to_its_diff(head):
    change = f"diff --git a/app.py b/app.py\n{HEAD}@@ -1 +1 @@\n-a\n+b\n"
    text = f"{head} Do not use a\n\n{change}"
    assert segments(f"{text}\n{text}") == [text, text]
    assert segments(f"commit 1234567 is wrong:\nUse b.\n\n{change}") == [change]


@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_a_diff_of_a_message_that_is_indented_as_a_whole_is_read(indent):
    text = f"{HEAD}@@ -1,3 +1,3 @@\n x\n \n-a\n+b\n"
    indented = "".join(f"{indent}{line}\n".replace(f"{indent} \n", "\n") for line in text.splitlines())
    assert read(indented) == read(text)
    assert reading.segments(FORMAT, reading.lines_of(f"Use it so:\n\n{indented}")) == []


# Code fences


@pytest.mark.parametrize(
    ("fence", "close"),
    [
        ("```diff", "```"),
        ("```", "```"),
        ("~~~patch", "~~~"),
        ("````udiff", "````"),
        ('```diff title="a"', "```  "),
    ],
)
def test_a_code_fence_belongs_to_the_diff_in_it(fence, close):
    text = f"{fence}\n{HEAD}@@ ... @@\n-a\n+b\n{close}\n"
    assert segments(f"Here:\n{text}\nDone.") == [text]
    assert hunk(text).new == "b\n"


@pytest.mark.parametrize("item", ["1. First:\n\n   ", "- x\n  ", "- \n\t"])
def test_a_fence_of_a_list_item_belongs_to_the_diff_in_it(item):
    indent = item.rpartition("\n")[2]
    text = f"```diff\n{HEAD}@@ ... @@\n a\n-\tb\n+\tc\n```\n".replace("\n", f"\n{indent}").removesuffix(
        indent
    )
    assert segments(f"{item}{text}\n2. Done.") == [indent + text]
    assert hunk(item + text).new == "a\n\tc\n"


def test_a_diff_in_a_fence_of_an_indented_text_is_text():
    shown = f"+- x\n+  ```diff\n+  {HEAD.replace(chr(10), chr(10) + '+  ')}@@ @@\n+  -a\n+  +b\n+  ```\n"
    text = f"--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,7 @@\n{shown}"
    assert segments(text) == [text]


def test_a_fence_that_is_not_closed_may_break_off():
    text = f"Here:\n```diff\n{HEAD}@@ @@\n-a\n"
    assert segments(text) == [text.removeprefix("Here:\n")]
    assert "break off" in refused(text.removeprefix("Here:\n"))


@pytest.mark.parametrize("info", ["diff", ""])
@pytest.mark.parametrize("header", ["@@", "@@ -7,2 +7,2 @@ def f():"])
def test_changes_above_the_first_header_of_a_fence_are_a_hunk(info, header):
    first, second = hunks(f"```{info}\n-a\n+b\n c\n{header}\n-d\n+e\n```\n")
    assert (first.old, first.new) == ("a\nc\n", "b\nc\n")
    assert (second.old, second.new) == ("d\n", "e\n")


def test_a_bare_diff_that_lacks_announced_lines_and_its_last_context_may_break_off():
    head = f"{HEAD}@@ -1,8 +1,8 @@\n a\n\n b\n"
    assert "break off" in refused(f"{head}-c\n-d")
    assert "break off" in refused(f"{head}-c\n+C\n-d\n+D")
    assert "break off" in refused(f"{HEAD}@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -8,2 +8,2 @@\n")
    assert hunk(f"{HEAD}@@\n-a\n+b\n@@\n").new == "b\n"
    assert hunk(f"{head}-c\n+C\n d\n").new == "a\n\nb\nC\nd\n"
    assert hunk(f"{HEAD}@@ -1,4 +1,4 @@\n a\n\n b\n-c\n+C\n").new == "a\n\nb\nC\n"
    assert hunk(f"{HEAD}@@ -1,5 +1,5 @@\n a\n\n b\n-c\n+C\n").new == "a\n\nb\nC\n"
    assert hunk(f"{HEAD}@@ -1,7 +1,7 @@\n b\n-c\n+C\n").new == "b\nC\n"


@pytest.mark.parametrize(
    "text",
    [
        "Use - for lists.\n\n- one\n- two\n",
        "```python\nx = 1\n```\n",
        "```diff\nnothing here\n```\n",
        "```diff\n<<<<<<< SEARCH\n- a\n=======\n+ b\n>>>>>>> REPLACE\n```\n",
        "```diff\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n```\n",
        "---\ntitle: x\n---\n",
        "@@ is the marker of a hunk.\n",
        "```bash\ndiff -u old new\n```\n",
        "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch\n",
        "*** Update File: a\n@@ -1 +1 @@\n-a\n+b\n",
    ],
)
def test_other_text_is_no_diff(text):
    assert segments(text) == []


def test_a_diff_of_a_patch_is_a_diff():
    text = HEAD + "@@ -1,4 +1,4 @@\n *** Begin Patch\n *** Update File: x\n-@@\n+@@ f\n *** End Patch\n"
    assert segments(text) == [text]


# Files


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("a/src/x.py", "b/src/x.py", "src/x.py"),
        ("src/x.py", "src/x.py", "src/x.py"),
        ("i/src/x.py", "w/src/x.py", "src/x.py"),
        ("x.py", "b/x.py", "x.py"),
        ("a/x.py", "x.py", "x.py"),
        ("a/x.py", "a/x.py", "a/x.py"),
        ("x.py.orig", "x.py", "x.py"),
        ("a/old.py", "b/new.py", "new.py"),
        ("src/x.py", "lib/x.py", "lib/x.py"),
        ("/tmp/x.py", "/tmp/x.py", "/tmp/x.py"),
        ("a/x.py\t2024-01-02 10:20:30.5 +0100", "b/x.py\t2024-01-02 10:20:31", "x.py"),
        ("a/x.py 2024-01-02 10:20:30 +0100", "b/x.py 2024-01-02 10:20:31", "x.py"),
        ("a/a file.txt\t", "b/a file.txt\t", "a file.txt"),
        (r'"a/\303\251 \"q\"\\.py"', r'"b/\303\251 \"q\"\\.py"', 'é "q"\\.py'),
        ('"a/x\\ty"\t2024', '"b/x\\ty"\t2024', "x\ty"),
        ("", "", None),
    ],
)
def test_the_path_has_no_prefixes_quotes_or_timestamps(old, new, path):
    [operation] = read(f"--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n")
    assert operation.path == path


@pytest.mark.parametrize(("header", "path"), [("--- a/x.py", "x.py"), ("+++ b/x.py", "x.py")])
def test_one_line_with_the_path_is_enough(header, path):
    text = f"{header}\n@@ -1 +1 @@\n-a\n+b\n"
    assert segments(text) == [text]
    assert read(text)[0].path == path


def test_several_files_follow_each_other():
    text = (
        "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
        "diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"
        "Index: z\n====\n--- z\t(revision 1)\n+++ z\t(working copy)\n@@ -1 +1 @@\n-e\n+f\n"
        "--- a/v\n+++ b/v\n@@ @@\n-g\n+h\n"
    )
    assert segments(text) == [text]
    assert [operation.path for operation in read(text)] == ["x", "y", "z", "v"]


@pytest.mark.parametrize(
    "header", ["--- /dev/null\n+++ b/x\n", "diff --git a/x b/x\nnew file mode 100644\n+++ b/x\n"]
)
def test_a_new_file_has_the_added_lines(header):
    assert read(header + "@@ -0,0 +1,3 @@\n+a\n\n+b\n") == (CreateFile("x", "a\n\nb\n"),)


def test_a_new_file_may_lack_the_newline_at_its_end():
    assert read("--- /dev/null\n+++ b/x\n@@ @@\n+a\n\\ No newline at end of file\n") == (
        CreateFile("x", "a"),
    )


def test_a_new_file_may_be_empty_or_executable():
    text = "diff --git a/x b/x\nnew file mode 100755\nindex 0000000..e69de29\n"
    assert segments(text) == [text]
    assert read(text) == (CreateFile("x", "", executable=True),)


def test_a_new_file_with_context_or_other_than_one_hunk_is_refused():
    head = "--- /dev/null\n+++ b/x\n"
    assert "without +" in refused(head + "@@ @@\n+a\n b\n")
    assert "hunk 2: the new file x has several hunks" in refused(head + "@@ @@\n+a\n@@ @@\n+b\n")
    assert "the new file x has no hunk" in refused(head)


@pytest.mark.parametrize(
    ("diff", "text"),
    [
        ("--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\n"),
        ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n@@ -2,2 +0,0 @@\n-\n-b\n", "a\n\nb\n"),
        (
            "diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            "a\n",
        ),
        ("diff --git a/x b/x\ndeleted file mode 100644\n", None),
    ],
)
def test_a_file_is_deleted_with_the_lines_that_its_hunks_repeat(diff, text):
    assert read(diff) == (DeleteFile("x", text),)


def test_a_deleted_file_with_lines_that_stay_is_refused():
    assert "x is deleted, but has lines without -" in refused("--- a/x\n+++ /dev/null\n@@ @@\n-a\n b\n")


def test_a_new_file_without_a_path_is_refused():
    assert "no path" in refused("--- /dev/null\n+++ /dev/null\n@@ @@\n+a\n")


def test_a_file_is_renamed_after_its_changes():
    head = "diff --git a/old b/new\nsimilarity index 90%\nrename from old\nrename to new\n"
    assert read(head) == (RenameFile("old", "new"),)
    assert read(head + "--- a/old\n+++ b/new\n@@ -1 +1 @@\n-a\n+b\n") == (
        ModifyFile("old", (Replacement("a\n", "b\n", True, line=1),)),
        RenameFile("old", "new"),
    )


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("diff --git a/x b/y\nrename from x\nrename to y\n--- a/z\n+++ b/z\n", "`rename from x` and `a/z`"),
        ("rename from x\nrename to y\n--- a/x\n+++ b/z\n", "`rename to y` and `b/z`"),
        ("diff --git a/x b/y\nrename from z\nrename to y\n--- a/z\n+++ b/z\n", "`rename to y` and `b/z`"),
    ],
)
def test_a_rename_whose_header_names_another_file_is_refused(head: str, said: str):
    assert f"{said} in one header are two files; name the same file" in refused(
        f"{head}@@ -1 +1 @@\n-a\n+b\n"
    )


@pytest.mark.parametrize(
    "sides", ["--- a/src/x\n+++ b/src/y\n", "--- src/x\n+++ src/y\n", "--- a/x\n+++ b/y\n"]
)
def test_a_rename_may_be_written_with_and_without_prefixes(sides: str):
    operations = read(f"rename from src/x\nrename to src/y\n{sides}@@ -1 +1 @@\n-a\n+b\n")
    assert operations[1:] == (RenameFile("src/x", "src/y"),)


def test_a_rename_needs_no_command_line():
    text = 'rename from "a b"\nrename to c\n'
    assert segments(text) == [text]
    assert read(text) == (RenameFile("a b", "c"),)


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("old mode 100644\nnew mode 100755\n", "my x gets nothing but the file mode 100755"),
        ("index 1..2\nBinary files a/my x and b/my x differ\n", "my x is a binary patch"),
        ("index 1..2 100644\nGIT binary patch\nliteral 3\nabc\n", "my x is a binary patch"),
        ("similarity index 100%\ncopy from my x\ncopy to y\n", "y is a copy of my x"),
        ("new file mode 120000\n", "my x is a symbolic link"),
        ("index 1..2 160000\n--- a/my x\n+++ b/my x\n@@ -1 +1 @@\n-a\n+b\n", "my x is a submodule"),
        ("index 1..2 100644\n", "my x has no hunks"),
    ],
)
def test_what_is_no_edit_of_text_is_refused_by_name(rest, problem):
    text = "diff --git a/my x b/my x\n" + rest
    assert segments(text)[0].startswith("diff --git")
    assert problem in refused(text)


def test_the_text_of_a_file_whose_mode_changes_is_edited_and_the_mode_told():
    mode = "old mode 100644\nnew mode 100755\n"
    body = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    [found] = FORMAT.find(reading.lines_of(f"diff --git a/run b/run\n{mode}diff --git a/x b/x\n{mode}{body}"))
    assert [operation.path for operation in found.read()] == ["x"]
    assert found.notes == (
        "run keeps its file mode, where the diff has 100755; use chmod",
        "x keeps its file mode, where the diff has 100755; use chmod",
    )


EPOCH = "1970-01-01 00:00:00.000000000 +0000"
CHANGED = "--- old/x\t2026-11-30 07:42:24 +0000\n+++ new/x\t2026-11-30 07:42:25 +0000\n@@ -1 +1 @@\n-a\n+b\n"
GONE = f"--- old/y\t2026-11-30 07:42:24 +0000\n+++ new/y\t{EPOCH}\n@@ -1 +0,0 @@\n-a\n"
MADE = f"--- old/z\t{EPOCH}\n+++ new/z\t2026-11-30 07:42:24 +0000\n@@ -0,0 +1 @@\n+a\n"


@pytest.mark.parametrize(
    ("there", "paths"),
    [
        ({"x", "y"}, ["x", "y", "z"]),  # as `patch -p1` names them
        ({"new/x", "x"}, ["new/x", "new/y", "new/z"]),  # both folders may be part of the tree
        (set(), ["x", "y", "z"]),
    ],
)
def test_folders_that_tell_the_sides_apart_are_no_part_of_a_path(there, paths):
    text = f"diff -ruN old/x new/x\n{CHANGED}diff -ruN old/y new/y\n{GONE}diff -ruN old/z new/z\n{MADE}"
    [found] = FORMAT.find(reading.lines_of(text))
    operations = found.operations(Beside(is_file=there.__contains__))
    assert [operation.path for operation in operations] == paths
    assert [type(operation) for operation in operations] == [ModifyFile, DeleteFile, CreateFile]


def test_two_folders_of_one_changed_file_stay_where_nothing_tells_that_they_are_sides():
    [found] = FORMAT.find(reading.lines_of(CHANGED))
    assert [each.path for each in found.operations(Beside(is_file="x".__eq__))] == ["x"]
    assert [each.path for each in found.operations(Beside())] == ["new/x"]


@pytest.mark.parametrize(
    ("there", "path"), [({"a.py"}, "a.py"), ({"a.py", "new.py"}, "new.py"), (set(), "new.py")]
)
def test_the_name_before_a_change_is_the_file_where_that_alone_is_one(there, path):
    for old, new in ("a.py", "new.py"), ("a/a.py", "b/new.py"):
        text = f"--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"
        [found] = FORMAT.find(reading.lines_of(text))
        assert [each.path for each in found.operations(Beside(is_file=there.__contains__))] == [path]


def test_a_file_of_which_a_hunk_has_lines_is_there_though_it_is_dated_1970():
    assert read(CHANGED.replace("2026-11-30 07:42:24 +0000", EPOCH)) == read(CHANGED)
    assert read(MADE.replace("2026-11-30 07:42:24 +0000", EPOCH)) == read(MADE)


@pytest.mark.parametrize("sides", [("c", "i"), ("a", "b"), ("src/a", "src/a")])
def test_a_deleted_file_has_the_prefix_of_both_sides(sides):
    old, new = (f"{side}/gone.py" for side in sides)
    text = f"diff --git {old} {new}\ndeleted file mode 100644\n--- {old}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert read(text) == (DeleteFile("src/a/gone.py" if old == new else "gone.py", "a\n"),)


def test_a_diff_in_colours_is_read_without_them():
    text = (
        "\x1b[1mdiff --git a/k.py b/k.py\x1b[m\n\x1b[1m--- a/k.py\x1b[m\n\x1b[1m+++ b/k.py\x1b[m\n"
        "\x1b[36m@@ -1,2 +1,2 @@\x1b[m\n x\x1b[m\n\x1b[31m-y = 1\x1b[m\n\x1b[32m+\x1b[m\x1b[32my = 3\x1b[m\n"
    )
    assert read(text) == (ModifyFile("k.py", (Replacement("x\ny = 1\n", "x\ny = 3\n", True, line=1),)),)
    own = HEAD + "@@ -1 +1 @@\n-a\n+\x1b[1mb\n"
    assert hunk(own).new == "\x1b[1mb\n"


@pytest.mark.parametrize("around", ["{}", "Here:\n```diff\n{}```\n"])
def test_a_context_diff_is_refused_by_name(around):
    text = around.format(
        "*** k.py\t2026\n--- n.py\t2026\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n"
    )
    assert "a context diff (`diff -c`) is not read; send a unified one (`diff -u`)" in refused(text)


@pytest.mark.parametrize("text", ["a\nb\n", "é\r\nb\r\n", ""])
def test_git_s_hash_of_the_file_before_is_a_tag_that_verifies_its_text(text):
    data = text.encode()
    blob = hashlib.sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()[:7]
    found = hunk(f"diff --git a/x b/x\nindex {blob}..1234567 100644\n{HEAD}@@ -1 +1 @@\n-a\n+b\n")
    assert found.tag.digest(text) == found.tag.value == blob
    assert found.tag.digest(f"{text}b\n") != blob


# Lines that look like headers


def test_a_removed_line_that_looks_like_a_header_is_content():
    found = hunks(HEAD + "@@ -1,2 +1 @@\n x\n--- old comment\n@@ -6 +5 @@\n-a\n+b\n")
    assert [one.old for one in found] == ["x\n-- old comment\n", "a\n"]


def test_the_counts_tell_a_pair_of_changed_lines_from_a_header():
    found = hunks(HEAD + "@@ -1,2 +1,2 @@\n x\n--- i;\n+++ i;\n@@ -6 +6 @@\n-a\n+b\n")
    assert [(one.old, one.new) for one in found] == [("x\n-- i;\n", "x\n++ i;\n"), ("a\n", "b\n")]


@pytest.mark.parametrize("numbers", ["@@", "-1 +1 @@", "-1,7 +1,7 @@"])
def test_wrong_counts_do_not_hide_the_header_of_a_file(numbers):
    text = f"{HEAD}@@ {numbers}\n-a\n+b\n--- old.py\n+++ new.py\n@@ -1 +1 @@\n-c\n+d\n"
    assert [operation.path for operation in read(text)] == ["app.py", "new.py"]


def test_a_header_of_one_line_needs_the_counts():
    text = f"{HEAD}@@ -1 +1 @@\n-a\n+b\n--- a/y.py\n@@ -1 +1 @@\n-c\n+d\n+++ b/z.py\n@@ -1 +1 @@\n-e\n+f\n"
    assert [operation.path for operation in read(text)] == ["app.py", "y.py", "z.py"]


def test_a_new_file_follows_a_hunk_without_counts():
    text = f"{HEAD}@@ @@\n-a\n+b\n--- /dev/null\n+++ b/y.py\n+c\n"
    assert read(text)[1] == CreateFile("y.py", "c\n")


# The end of the file


MARK = "\\ No newline at end of file\n"


@pytest.mark.parametrize("body", [f"-a\n+b\n c\n{MARK}", f"-a\n{MARK}+b\n{MARK}"])
def test_the_mark_for_a_missing_newline_puts_the_hunk_at_the_end_of_the_file(body):
    found = hunk(HEAD + "@@ @@\n" + body)
    assert found.at_end
    assert found.whole_lines


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        (f"-a\n{MARK}+a\n", "a", "a\n"),
        (f"-a\n+a\n{MARK}", "a\n", "a"),
        (f" x\n-a\n{MARK}+a\n+b\n", "x\na", "x\na\nb\n"),
        (f" x\n-a\n{MARK}", "x\na", "x\n"),
    ],
)
def test_a_hunk_that_changes_the_newline_at_the_end_is_a_substring(body, old, new):
    assert hunk(HEAD + "@@ -1 +1 @@\n" + body) == Replacement(old, new, False, line=1, at_end=True)


# Properties

LINES = st.lists(
    st.sampled_from(
        [
            "a",
            "    b",
            "c",
            "",
            " ",
            "-",
            "-- x",
            "++ y",
            "--- z",
            "@@ -1 +1 @@",
            "```",
            "\\ x",
            "diff --git a/x b/x",
        ]
    ),
    max_size=12,
)


@given(LINES, LINES, st.integers(0, 3), st.booleans())
def test_what_difflib_writes_leads_from_the_old_to_the_new_lines(old, new, context, fenced):
    diff = list(difflib.unified_diff(old, new, "a/f", "b/f", n=context, lineterm=""))
    assume(diff)
    [operation] = reading.operations(FORMAT, ["```diff", *diff, "```"] if fenced else diff)
    assert operation.path == "f"
    lines, shift = list(old), 0
    for one in operation.hunks:
        before, after = lines_of(one.old), lines_of(one.new)
        start = one.line - 1 + shift
        assert lines[start : start + len(before)] == before
        lines[start : start + len(before)] = after
        shift += len(after) - len(before)
    assert lines == new
