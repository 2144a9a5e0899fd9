"""What a tree reads of a folder."""

from __future__ import annotations

import os

import pytest

from fastedit.errors import FileUnreadable, Undecodable
from fastedit.files.tree import Tree, read_inside


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "a.py").write_text("a = 1\n")
    (root / "b.bin").write_bytes(b"a\0b")
    (root / "out.py").symlink_to(tmp_path / "secret.py")
    (root / "in.py").symlink_to("inner/a.py")
    (tmp_path / "secret.py").write_text("key = 1\n")
    os.mkfifo(root / "pipe.py")
    return Tree(root)


@pytest.mark.parametrize("path", ["inner/a.py", "in.py"])
def test_a_file_is_read_also_through_a_link_that_stays_inside(tree, path):
    assert tree.read(path).text == "a = 1\n"


def test_a_file_that_is_not_there_is_none(tree):
    assert tree.read("none/none.py") is None


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../secret.py", "paths with .. are refused"),
        ("/etc/passwd", "absolute paths are refused"),
        ("out.py", "leads out of"),
        ("inner", "is a folder"),
        ("pipe.py", "is a pipe or a device"),
        ("a\0.py", "NUL"),
        ("a\ud800.py", "half a character"),
    ],
)
def test_what_is_outside_or_no_file_is_refused(tree, path, said):
    with pytest.raises(FileUnreadable, match=said):
        tree.read(path)


def test_a_binary_file_is_refused_under_its_name_in_the_tree(tree):
    with pytest.raises(Undecodable, match=r"^b\.bin: holds NUL bytes"):
        tree.read("b.bin")


@pytest.mark.parametrize("replaced", ["inner", "inner/a.py"])
def test_a_link_that_takes_a_place_after_the_look_is_not_read_through(tree, tmp_path, replaced):
    found = tree.root / "inner" / "a.py"
    outside = tmp_path / "outside"
    (tree.root / replaced).rename(outside)
    (tree.root / replaced).symlink_to(outside)
    with pytest.raises(FileUnreadable):
        read_inside(tree.root, found)
