from __future__ import annotations

import os

import pytest

from fastedit.errors import FileUnreadable, StaleFile, UnreadableEdit, WriteFailed
from fastedit.files.plan import make_plan
from tests.files.trees import OLD, create, delete, effects, everything_in, grow, rename, replace, sha256

A, B = sha256(OLD["a.py"]), sha256(OLD["src/b.py"])


@pytest.fixture
def root(tmp_path):
    return grow(tmp_path)


def test_a_check_says_what_would_happen_and_writes_nothing(root):
    before = everything_in(root)
    assert make_plan(root, effects()).lines() == [
        "edit a.py",
        "create src/new/deep/c.py",
        "delete src/b.py",
        "rename src/old.py to src/moved.py",
        "rename run.sh to bin/run.sh",
    ]
    assert everything_in(root) == before


def test_what_stays_the_same_is_no_change(root):
    assert make_plan(root, [replace("a.py", OLD["a.py"], A)]).changes == ()


def test_a_name_that_one_effect_leaves_is_free_for_another(root):
    swapped = [rename("src/b.py", "a.py", None, B), rename("a.py", "src/b.py", b"new", A)]
    after = {change.name: change.after for change in make_plan(root, swapped).changes}
    assert after == {"a.py": OLD["src/b.py"], "src/b.py": b"new"}
    for replaced in (
        [delete("a.py", A), create("a.py", b"new")],
        [create("a.py", b"new"), delete("a.py", A)],
    ):
        (change,) = make_plan(root, replaced).changes
        assert (change.before, change.after) == (OLD["a.py"], b"new")
    moved = [rename("a.py", "b.py", None, A), create("a.py", b"from b import *\n")]
    assert make_plan(root, moved).lines() == ["edit a.py", "rename a.py to b.py"]


@pytest.mark.parametrize(
    ("effect", "error", "problem"),
    [
        (replace("z.py", b"", A), FileUnreadable, "z.py: no such file"),
        (replace("no/z.py", b"", A), FileUnreadable, "no/z.py: no such file"),
        (delete("z.py", A), FileUnreadable, "no such file"),
        (rename("z.py", "y.py", None, A), FileUnreadable, "z.py: no such file"),
        (replace("a.py", b"", B), StaleFile, "a.py: changed on disk"),
        (delete("a.py", B), StaleFile, "a.py: changed on disk"),
        (rename("a.py", "b.py", None, B), StaleFile, "a.py: changed on disk"),
        (create("a.py", b""), WriteFailed, "a.py: is there already"),
        (rename("a.py", "src/b.py", None, A), WriteFailed, "src/b.py: is there already"),
        (rename("a.py", "./a.py", None, A), UnreadableEdit, "a.py: is renamed to itself"),
        (create("src", b""), FileUnreadable, "src: is a folder"),
        (delete("src", A), FileUnreadable, "src: is a folder"),
        (rename("a.py", "src", None, A), FileUnreadable, "src: is a folder"),
        (create("a.py/b.py", b""), FileUnreadable, "a.py is a file, not a folder"),
        (create("pipe", b""), WriteFailed, "pipe: is not a regular file"),
        (create("n" * 300, b""), WriteFailed, "choose a shorter name"),
        (create("../z.py", b""), FileUnreadable, r"paths with \.\."),
        (rename("a.py", "/etc/z.py", None, A), FileUnreadable, "absolute paths are refused"),
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
        ([replace("a.py", b"1", A), replace("a.py", b"2", A)], "a.py: is changed twice"),
        ([replace("a.py", b"1", A), delete("a.py", A)], "a.py: is changed twice"),
        ([delete("a.py", A), replace("a.py", b"1", A)], "a.py: is changed twice"),
        ([rename("a.py", "b.py", None, A), delete("a.py", A)], "a.py: is changed twice"),
        ([create("z.py", b"1"), create("z.py", b"1")], "z.py: is made twice"),
        ([rename("a.py", "z.py", None, A), create("z.py", b"1")], "z.py: is made twice"),
        ([create("z", b""), create("z/y", b"")], "z/y: lies in z, which the edit makes a file"),
        ([create("z/y/x", b""), rename("a.py", "z", None, A)], "z/y/x: lies in z"),
    ],
)
def test_effects_that_contradict_each_other_are_one_line(root, contradiction, problem):
    with pytest.raises(UnreadableEdit, match=problem) as caught:
        make_plan(root, contradiction)
    assert "\n" not in str(caught.value)


def test_two_names_of_one_file_are_refused(root):
    os.link(root / "a.py", root / "b.py")
    with pytest.raises(UnreadableEdit, match=r"b\.py: is the same file as a\.py"):
        make_plan(root, [replace("a.py", b"1", A), delete("b.py", A)])


def test_a_link_inside_the_root_can_be_edited_but_not_deleted_renamed_or_made(root):
    (root / "link.py").symlink_to("src/b.py")
    (change,) = make_plan(root, [replace("link.py", b"1", B)]).changes
    assert change.path == (root / "src" / "b.py").resolve()
    for effect in (
        delete("link.py", B),
        rename("link.py", "z.py", None, B),
        rename("a.py", "link.py", None, A),
        create("link.py", b""),
    ):
        with pytest.raises(WriteFailed, match=r"link\.py: is a symbolic link"):
            make_plan(root, [effect])


def test_a_link_and_its_target_are_one_path(root):
    (root / "link.py").symlink_to("a.py")
    with pytest.raises(UnreadableEdit, match=r"a\.py: is changed twice"):
        make_plan(root, [replace("link.py", b"1", A), replace("a.py", b"2", A)])


def test_a_read_only_file_or_folder_is_refused_before_anything_is_written(root, monkeypatch):
    (root / "a.py").chmod(0o444)
    with pytest.raises(WriteFailed, match=r"a\.py: is read-only"):
        make_plan(root, [delete("a.py", A)])
    # The superuser may write anywhere, so the refusal itself has to be played.
    monkeypatch.setattr(os, "access", lambda path, mode, dir_fd: path != ".")
    with pytest.raises(WriteFailed, match=r"src/c\.py: its folder is read-only"):
        make_plan(root, [create("src/c.py", b"")])
