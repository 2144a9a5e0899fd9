from __future__ import annotations

import subprocess

import pytest

from fastedit.files.git_patch import git_patch
from fastedit.source.document import Document
from tests.files.trees import files_in

MARK = b"\xef\xbb\xbf"


def patch(path: str | None, to: str | None, old: bytes | None, new: bytes | None, *, executable=False) -> str:
    before = None if old is None else Document.from_bytes(old)
    after = None if new is None else Document.from_bytes(new)
    return git_patch(path, to, before, after, executable=executable)


@pytest.mark.parametrize(
    ("path", "to", "old", "new"),
    [
        ("a.py", "a.py", b"a\nb\n", b"a\nc\n"),
        ("a.py", "b/c.py", b"a\nb\n", b"a\nb\n"),
        ("a.py", "b/c.py", b"a\nb\n", b"a\nc\n"),
        ("a b.py", "c d.py", b"a\nb\n", b"a\nc\n"),
        ("a\tb.py", "ü.py", b"a\nb\n", b"a\nc\n"),
        (None, "b/c.py", None, b"a\nb\n"),
        (None, "c.py", None, b"a\nb"),
        (None, "c.py", None, b""),
        (None, "c.py", None, b"a\r\n"),
        ("a.py", None, b"a\nb", None),
        ("a.py", None, b"", None),
        ("a.py", "a.py", b"a\nb\n", b"a\nb"),
        ("a.py", "a.py", b"a\nb", b"a\nb\n"),
        ("a.py", "a.py", b"a\nb\n", b""),
        ("a.py", "a.py", MARK + b"a\r\nb\r\n", MARK + b"A\r\nb\r\n"),
        ("a.py", None, MARK + b"a\n", None),
    ],
)
def test_git_applies_it(tmp_path, path, to, old, new):
    if path is not None:
        (tmp_path / path).write_bytes(old)
    diff = patch(path, to, old, new).encode()
    command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(command, input=diff, cwd=tmp_path, check=True, env={"GIT_CEILING_DIRECTORIES": "/"})
    assert files_in(tmp_path) == ({} if to is None else {to: new})


def test_an_executable_file_is_created_as_one():
    assert "new file mode 100755\n" in patch(None, "run.sh", None, b"x\n", executable=True)


def test_a_file_that_stays_the_same_has_no_section():
    assert patch("a.py", "a.py", b"a\n", b"a\n") == ""


def test_the_names_of_a_section_are_those_before_and_after():
    first, *rest = patch("a.py", "b.py", b"a\n", b"b\n").splitlines()
    assert first == "diff --git a/a.py b/b.py"
    assert rest[:4] == ["rename from a.py", "rename to b.py", "--- a/a.py", "+++ b/b.py"]
