from __future__ import annotations

import difflib
import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unidiff import PatchSet

from fastedit.files.patch import unified_diff
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks, diff_lines
from tests.source.test_hunks import ENDS, LINES, documents


def patched(old: str, diff: str) -> str:
    """`old` with a diff applied as unidiff understands it."""
    lines = [line + "\n" for line in old.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    out, touched, at = [], [], 0
    for section in PatchSet(diff)[0] if diff else ():
        source, target = [], []
        for line in section:
            sides = ([] if line.is_added else [source]) + ([] if line.is_removed else [target])
            if line.line_type == "\\":
                for side in touched:
                    side[-1] = side[-1].removesuffix("\n")
            else:
                for side in sides:
                    side.append(line.value)
            touched = sides
        begin = section.source_start - (1 if section.source_length else 0)
        assert lines[begin : begin + section.source_length] == source
        assert section.target_length == len(target)
        out += [*lines[at:begin], *target]
        at = begin + section.source_length
    return "".join(out + lines[at:])


@given(documents(st.sampled_from(["\n", "\r\n"])), LINES, st.integers(0, 3))
def test_the_diff_says_the_same_as_the_hunks(document, new, context):
    hunks = diff_lines(document.lines, [*new, "z"])
    diff = unified_diff(document, hunks, "a.py", context)
    assert patched(document.text, diff) == apply_hunks(document, hunks)


def whole_diff(old: str, new: str, context: int) -> str:
    """What difflib makes of two whole texts, with counts of 1 and the last line's missing end as git writes them."""
    texts = [re.findall(r"[^\n]*\n|[^\n]+", text) for text in (old, new)]
    rows = [
        re.sub(r"([-+]\d+)(?= )", r"\1,1", row) if row.startswith("@@") else row
        for row in difflib.unified_diff(*texts, "a/f", "b/f", n=context)
    ]
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


@given(st.lists(ENDS, max_size=20), st.booleans(), st.data(), st.integers(0, 3))
def test_where_no_line_is_twice_the_diff_is_that_of_the_whole_texts(ends, ends_in_line, data, context):
    text = "".join(f"{i}{end}" for i, end in enumerate(ends)) + ("last" if ends_in_line else "")
    document = Document.from_text(text)
    rows = st.integers(0, len(document.lines))
    cuts = sorted(data.draw(st.lists(st.tuples(rows, rows), max_size=4)))
    hunks, at = [], 0
    for start, stop in cuts:
        start, stop = max(start, at), max(start, stop, at)
        count = data.draw(st.integers(0, 2))
        hunks.append(Hunk(start, stop, tuple(f"new {start}.{k}.{len(hunks)}" for k in range(count))))
        at = stop
    diff = unified_diff(document, hunks, "f", context)
    assert diff == whole_diff(document.text, apply_hunks(document, hunks), context)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=documents(), new=LINES)
def test_git_applies_the_diff(tmp_path, document, new):
    hunks = diff_lines(document.lines, [*new, "z"])
    path = tmp_path / "some file.py"
    path.write_bytes(document.encode(document.text))
    diff = unified_diff(document, hunks, path.name)
    if diff:
        command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"]
        run = subprocess.run(command, input=diff.encode(), cwd=tmp_path, capture_output=True, check=False)
        assert run.returncode == 0, run.stderr
    assert path.read_bytes() == document.encode(apply_hunks(document, hunks))


def test_a_diff_reads_as_git_would_write_it():
    document = Document.from_text("".join(f"{i}\n" for i in range(20)) + "end")
    hunks = [Hunk(2, 3, ("two",)), Hunk(8, 8, ("new",)), Hunk(20, 21, ("END", "more"))]
    assert unified_diff(document, hunks, "n.txt", context=1) == (
        "--- a/n.txt\n+++ b/n.txt\n"
        "@@ -2,3 +2,3 @@\n 1\n-2\n+two\n 3\n"
        "@@ -8,2 +8,3 @@\n 7\n+new\n 8\n"
        "@@ -20,2 +21,3 @@\n 19\n-end\n\\ No newline at end of file\n"
        "+END\n+more\n\\ No newline at end of file\n"
    )


def test_a_line_whose_end_alone_changes_is_shown():
    document = Document.from_text("a\nb")
    assert unified_diff(document, [Hunk(1, 2, ())], "f") == (
        "--- a/f\n+++ b/f\n@@ -1,2 +1,1 @@\n"
        "-a\n-b\n\\ No newline at end of file\n+a\n\\ No newline at end of file\n"
    )


@pytest.mark.parametrize(
    ("hunks", "rows"),
    [
        ([], " a\n-b\n+b\n\\ No newline at end of file\n"),
        ([Hunk(1, 2, ("c",))], " a\n-b\n+c\n\\ No newline at end of file\n"),
        ([Hunk(1, 2, ())], "-a\n-b\n+a\n\\ No newline at end of file\n"),
        ([Hunk(0, 1, ("c",))], "-a\n-b\n+c\n+b\n\\ No newline at end of file\n"),
        ([Hunk(2, 2, ("c",))], " a\n b\n+c\n\\ No newline at end of file\n"),
    ],
)
def test_a_final_newline_that_goes_is_shown(hunks, rows):
    diff = unified_diff(Document.from_text("a\nb\n"), hunks, "f", drops_final_newline=True)
    assert diff.split("@@\n")[1] == rows


def test_the_byte_order_mark_belongs_to_the_first_line():
    document = Document.from_bytes(b"\xef\xbb\xbfa\n")
    assert "-\ufeffa\n+\ufeffb\n" in unified_diff(document, [Hunk(0, 1, ("b",))], "f")


NAMES = [
    "a b.txt",
    "trailing ",
    "tab\t.txt",
    "new\nline.txt",
    'quoted "\t\\.txt',
    "plain \"'\\.txt",
    "é日本.txt",
]


@pytest.mark.skipif(
    not (shutil.which("git") and shutil.which("patch")), reason="git and patch are the judges"
)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", [["git", "apply"], ["patch", "-p1", "--quiet"]])
def test_any_name_is_read_back_from_the_diff(tmp_path, name, command):
    path = tmp_path / name
    path.write_bytes(b"a\n")
    diff = unified_diff(Document.read(path), [Hunk(0, 1, ("b",))], name)
    subprocess.run(command, input=diff.encode(), cwd=tmp_path, check=True)
    assert path.read_bytes() == b"b\n"


def test_hunks_that_change_nothing_give_no_diff():
    assert unified_diff(Document.from_text("a\n"), [], "f") == ""
