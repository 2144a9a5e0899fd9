from __future__ import annotations

import os

import pytest

from fastedit.errors import FileUnreadable, StaleFile, UnreadableEdit, WriteFailed
from fastedit.files.effects import CreateFile, DeleteFile, RenameFile, ReplaceFile
from fastedit.files.plan import make_plan
from tests.files.trees import OLD, effects, everything_in, grow, sha256

A, B = sha256(OLD["a.py"]), sha256(OLD["src/b.py"])


@pytest.fixture
def root(tmp_path):
    return grow(tmp_path)


def test_a_check_says_what_would_happen_and_writes_nothing(root):
    before = everything_in(root)
    assert make_plan(root, effects()).lines() == [
        "replace a.py",
        "create src/new/deep/c.py",
        "delete src/b.py",
        "rename src/old.py to src/moved.py",
        "rename run.sh to bin/run.sh",
    ]
    assert everything_in(root) == before


def test_what_stays_the_same_is_no_change(root):
    assert make_plan(root, [ReplaceFile("a.py", OLD["a.py"], A)]).changes == ()
    there_and_back = [RenameFile("a.py", "z.py", None, A), RenameFile("z.py", "a.py", None, A)]
    assert make_plan(root, there_and_back).changes == ()


def test_each_effect_meets_the_tree_that_the_earlier_ones_left(root):
    swapped = [
        RenameFile("a.py", "c.py", None, A),
        RenameFile("src/b.py", "a.py", None, B),
        RenameFile("c.py", "src/b.py", b"new", A),
    ]
    plan = make_plan(root, swapped)
    after = {change.name: change.after for change in plan.changes}
    assert after == {"a.py": OLD["src/b.py"], "src/b.py": b"new"}
    replaced = [
        DeleteFile("a.py", A),
        CreateFile("a.py", b"new"),
        ReplaceFile("a.py", b"newer", sha256(b"new")),
    ]
    (change,) = make_plan(root, replaced).changes
    assert (change.before, change.after) == (OLD["a.py"], b"newer")
    moved = [RenameFile("a.py", "b.py", None, A), CreateFile("a.py", b"from b import *\n")]
    assert make_plan(root, moved).lines() == ["replace a.py", "rename a.py to b.py"]


@pytest.mark.parametrize(
    ("effect", "error", "problem"),
    [
        (ReplaceFile("z.py", b"", A), FileUnreadable, "z.py: no such file"),
        (ReplaceFile("no/z.py", b"", A), FileUnreadable, "no/z.py: no such file"),
        (DeleteFile("z.py", A), FileUnreadable, "no such file"),
        (RenameFile("z.py", "y.py", None, A), FileUnreadable, "z.py: no such file"),
        (ReplaceFile("a.py", b"", B), StaleFile, "a.py: changed on disk"),
        (DeleteFile("a.py", B), StaleFile, "a.py: changed on disk"),
        (RenameFile("a.py", "b.py", None, B), StaleFile, "a.py: changed on disk"),
        (CreateFile("a.py", b""), WriteFailed, "a.py: is there already"),
        (RenameFile("a.py", "src/b.py", None, A), WriteFailed, "src/b.py: is there already"),
        (RenameFile("a.py", "./a.py", None, A), UnreadableEdit, "a.py: is renamed to itself"),
        (CreateFile("src", b""), FileUnreadable, "src: is a folder"),
        (DeleteFile("src", A), FileUnreadable, "src: is a folder"),
        (RenameFile("a.py", "src", None, A), FileUnreadable, "src: is a folder"),
        (CreateFile("a.py/b.py", b""), FileUnreadable, "a.py is a file, not a folder"),
        (CreateFile("pipe", b""), WriteFailed, "pipe: is not a regular file"),
        (CreateFile("n" * 300, b""), WriteFailed, "choose a shorter name"),
        (CreateFile("../z.py", b""), FileUnreadable, r"paths with \.\."),
        (RenameFile("a.py", "/etc/z.py", None, A), FileUnreadable, "absolute paths are refused"),
    ],
)
def test_an_effect_that_is_impossible_is_one_line(root, effect, error, problem):
    os.mkfifo(root / "pipe")
    with pytest.raises(error, match=problem) as caught:
        make_plan(root, [effect])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("contradiction", "problem"),
    [
        ([ReplaceFile("a.py", b"1", A), ReplaceFile("a.py", b"2", A)], "a.py: is changed twice"),
        ([ReplaceFile("a.py", b"1", A), DeleteFile("a.py", A)], "a.py: is changed twice"),
        ([DeleteFile("a.py", A), DeleteFile("a.py", A)], "a.py: was deleted or renamed earlier"),
        ([DeleteFile("a.py", A), ReplaceFile("a.py", b"1", A)], "a.py: was deleted or renamed earlier"),
        (
            [RenameFile("a.py", "b.py", None, A), DeleteFile("a.py", A)],
            "a.py: was deleted or renamed earlier",
        ),
        ([CreateFile("z.py", b"1"), CreateFile("z.py", b"1")], "z.py: is made twice"),
        ([RenameFile("a.py", "z.py", None, A), CreateFile("z.py", b"1")], "z.py: is made twice"),
        ([CreateFile("z", b""), CreateFile("z/y", b"")], "z/y: lies in z, which the edit makes a file"),
        ([CreateFile("z/y/x", b""), RenameFile("a.py", "z", None, A)], "z/y/x: lies in z"),
    ],
)
def test_effects_that_contradict_each_other_are_one_line(root, contradiction, problem):
    with pytest.raises(UnreadableEdit, match=problem) as caught:
        make_plan(root, contradiction)
    assert "\n" not in str(caught.value)


def test_two_names_of_one_file_are_refused(root):
    os.link(root / "a.py", root / "b.py")
    with pytest.raises(UnreadableEdit, match=r"b\.py: is the same file as a\.py"):
        make_plan(root, [ReplaceFile("a.py", b"1", A), DeleteFile("b.py", A)])


def test_a_link_inside_the_root_can_be_edited_but_not_deleted_renamed_or_made(root):
    (root / "link.py").symlink_to("src/b.py")
    (change,) = make_plan(root, [ReplaceFile("link.py", b"1", B)]).changes
    assert change.path == (root / "src" / "b.py").resolve()
    for effect in (
        DeleteFile("link.py", B),
        RenameFile("link.py", "z.py", None, B),
        RenameFile("a.py", "link.py", None, A),
        CreateFile("link.py", b""),
    ):
        with pytest.raises(WriteFailed, match=r"link\.py: is a symbolic link"):
            make_plan(root, [effect])


def test_a_link_and_its_target_are_one_path(root):
    (root / "link.py").symlink_to("a.py")
    with pytest.raises(UnreadableEdit, match=r"a\.py: is changed twice"):
        make_plan(root, [ReplaceFile("link.py", b"1", A), ReplaceFile("a.py", b"2", A)])


def test_a_read_only_file_or_folder_is_refused_before_anything_is_written(root, monkeypatch):
    (root / "a.py").chmod(0o444)
    with pytest.raises(WriteFailed, match=r"a\.py: is read-only"):
        make_plan(root, [DeleteFile("a.py", A)])
    # The superuser may write anywhere, so the refusal itself has to be played.
    monkeypatch.setattr(os, "access", lambda path, mode, dir_fd: path != ".")
    with pytest.raises(WriteFailed, match=r"src/c\.py: its folder is read-only"):
        make_plan(root, [CreateFile("src/c.py", b"")])
