from __future__ import annotations

import contextlib
import os
import resource
import signal
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.errors import InputRefused, JournalUnavailable, StaleFile, WriteFailed
from fastedit.files import swap, transaction
from fastedit.files.entry import EntryStatus
from fastedit.files.journal import Journal
from fastedit.files.plan import make_plan
from fastedit.files.transaction import commit
from fastedit.files.undo import undo as take_back
from tests.files.killing import run_at_once, run_forked
from tests.files.trees import (
    NEW,
    OLD,
    create,
    delete,
    effects,
    everything_in,
    files_in,
    grow,
    rename,
    replace,
    sha256,
)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root").mkdir()
    return grow(tmp_path / "root")


def undo(target: Path | int | None = None):
    with Journal.open() as journal:
        return take_back(journal, target)


def entries():
    with Journal.open() as journal:
        return journal.entries()


def test_a_transaction_makes_all_changes_and_one_undo_takes_all_of_them_back(root):
    before = everything_in(root)
    number = commit(root, effects(), "move things", 7)
    assert files_in(root) == NEW
    (entry,) = entries()
    assert (entry.id, entry.instruction, entry.hunks, entry.status) == (number, "move things", 7, "written")
    assert {file.path.name for file in entry.files} == {
        "a.py",
        "c.py",
        "b.py",
        "old.py",
        "moved.py",
        "run.sh",
    }
    undo()
    assert everything_in(root) == before
    assert [entry.status for entry in entries()] == [EntryStatus.UNDONE]


def test_a_file_changed_since_is_named_and_nothing_is_undone(root):
    commit(root, effects(), "", 1)
    after = everything_in(root)
    (root / "src" / "moved.py").write_bytes(b"by hand")
    with pytest.raises(
        StaleFile,
        match=r"nothing was written: .*src/moved\.py: changed after edit 1; take later changes back",
    ):
        undo()
    (root / "src" / "moved.py").write_bytes(NEW["src/moved.py"])
    (root / "a.py").unlink()
    with pytest.raises(StaleFile, match=r"a\.py: was removed after edit 1; put it back"):
        undo()
    (root / "a.py").write_bytes(NEW["a.py"])
    (root / "src" / "b.py").write_bytes(b"by hand")
    with pytest.raises(StaleFile, match=r"src/b\.py: was created again after edit 1; move it away"):
        undo()
    (root / "src" / "b.py").unlink()
    assert everything_in(root) == after


def test_a_transaction_taken_back_by_other_means_is_nothing_to_undo(root):
    commit(root, effects()[:1], "", 1)
    (root / "a.py").write_bytes(OLD["a.py"])
    with pytest.raises(InputRefused, match="nothing to undo"):
        undo()
    with pytest.raises(InputRefused, match="no edit left"):
        undo()


def test_a_later_edit_of_one_file_has_to_be_undone_first(root):
    commit(root, effects(), "", 1)
    commit(root, [replace("a.py", b"a = 3\n", sha256(NEW["a.py"]))], "", 1)
    with pytest.raises(StaleFile, match=r"a\.py: changed after edit 1"):
        undo(root / "src" / "b.py")
    undo(root / "a.py")
    undo(root / "a.py")
    assert files_in(root) == OLD


def test_folders_that_the_edit_made_go_with_undo_unless_something_else_is_in_them(root):
    commit(root, effects(), "", 1)
    (root / "src" / "new" / "other.py").touch()
    undo()
    assert (root / "src" / "new" / "other.py").exists()
    assert not (root / "src" / "new" / "deep").exists()
    assert not (root / "bin").exists()


def test_undo_makes_the_folder_of_a_deleted_file_again(root):
    commit(root, [delete("src/b.py", sha256(OLD["src/b.py"]))], "", 1)
    (root / "src" / "old.py").unlink()
    (root / "src").rmdir()
    undo()
    assert (root / "src" / "b.py").read_bytes() == OLD["src/b.py"]


@pytest.mark.parametrize(
    "bad",
    [
        replace("src/b.py", b"", sha256(b"other")),
        create("src/old.py", b""),
        create("../z.py", b""),
        delete("nowhere", sha256(b"")),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_one_bad_effect_leaves_every_file_as_it_was(root, bad, last):
    good = [replace("a.py", b"new", sha256(OLD["a.py"])), create("z/z.py", b"")]
    before = everything_in(root)
    with pytest.raises(InputRefused):
        commit(root, [*good, bad] if last else [bad, *good], "", 1)
    assert everything_in(root) == before
    assert entries() == []


def test_modes_move_with_a_file_and_a_created_one_can_be_executable(root):
    (root / "usual").touch()
    usual = stat.S_IMODE((root / "usual").stat().st_mode)
    commit(
        root,
        [*effects(), create("tool", b"#!/bin/sh\n", executable=True), create("text", b"")],
        "",
        1,
    )
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*") if path.is_file()}
    assert modes["run.sh"] == 0o750
    assert modes["tool"] == usual | (usual & 0o444) >> 2
    assert modes["text"] == usual


def test_undo_brings_back_the_mode_of_a_file_that_a_rename_replaced(root):
    replaced = delete("run.sh", sha256(OLD["run.sh"]))
    commit(root, [replaced, rename("a.py", "run.sh", None, sha256(OLD["a.py"]))], "", 1)
    assert (root / "run.sh").read_bytes() == OLD["a.py"]
    undo()
    assert files_in(root) == OLD
    assert stat.S_IMODE((root / "run.sh").stat().st_mode) == 0o750


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes")
def test_extended_attributes_move_with_a_file(root):
    try:
        os.setxattr(root / "run.sh", "user.origin", b"here")
    except OSError:
        pytest.skip("the file system keeps no extended attributes")
    commit(root, effects(), "", 1)
    assert os.getxattr(root / "bin" / "run.sh", "user.origin") == b"here"


def test_a_link_inside_the_root_stays_one_and_its_target_is_written(root):
    (root / "link.py").symlink_to("a.py")
    commit(root, [replace("link.py", b"new", sha256(OLD["a.py"]))], "", 1)
    assert (root / "link.py").is_symlink()
    assert (root / "a.py").read_bytes() == b"new"
    undo(root / "link.py")
    assert (root / "a.py").read_bytes() == OLD["a.py"]


@pytest.mark.parametrize("effect", effects())
def test_a_folder_that_becomes_a_link_after_the_check_leads_nowhere(root, monkeypatch, effect):
    outside = grow(root.parent / "outside")
    (outside / "src" / "new").mkdir()
    before = everything_in(outside)
    inner, plan_made = transaction.write, []

    def swapped_folder(*args):
        for name in ("src", "bin"):
            with contextlib.suppress(FileNotFoundError):
                (root / name).rename(root.parent / f"old-{name}")
            (root / name).symlink_to(outside / "src")
        plan_made.append(True)
        return inner(*args)

    monkeypatch.setattr(transaction, "write", swapped_folder)
    with contextlib.suppress(InputRefused):
        commit(root, [effect], "", 1)
    assert plan_made
    assert everything_in(outside) == before


def test_undo_does_not_follow_a_folder_that_became_a_link(root):
    outside = root.parent / "outside"
    outside.mkdir()
    commit(root, [delete("src/b.py", sha256(OLD["src/b.py"]))], "", 1)
    (root / "src").rename(root.parent / "old-src")
    (root / "src").symlink_to(outside)
    with pytest.raises(StaleFile, match=r"src/b\.py"):
        undo()
    assert files_in(outside) == {}


def test_a_file_that_appears_meanwhile_is_not_replaced(root, monkeypatch):
    before = everything_in(root)
    inner = swap._place_new

    def appear(folder, change):
        if change.name == "src/moved.py":
            change.path.write_bytes(b"another's")
        inner(folder, change)

    monkeypatch.setattr(swap, "_place_new", appear)
    with pytest.raises(StaleFile, match=r"src/moved\.py: was created since"):
        commit(root, effects(), "", 1)
    assert (root / "src" / "moved.py").read_bytes() == b"another's"
    (root / "src" / "moved.py").unlink()
    assert everything_in(root) == before
    assert entries() == []


def test_without_hard_links_a_file_is_created_all_the_same(root, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    commit(root, effects(), "", 1)
    assert files_in(root) == NEW


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "link", "unlink", "mkdir", "fchmod"])
@pytest.mark.parametrize("failing", [1, 2])
def test_an_error_at_any_step_takes_everything_back(root, monkeypatch, call, failing):
    (root / "z.py").write_bytes(b"z")
    before = everything_in(root)
    inner_swap, inner, calls = swap.swap, getattr(os, call), []

    def fail(*args, **kwargs):
        calls.append(args)
        if len(calls) == failing:
            raise OSError(28, "No space left on device")
        return inner(*args, **kwargs)

    def swap_on_a_full_disk(*args):
        monkeypatch.setattr(os, call, fail)
        inner_swap(*args)

    monkeypatch.setattr(transaction, "swap", swap_on_a_full_disk)
    with pytest.raises(WriteFailed, match="No space left on device; free some space"):
        commit(root, [*effects(), replace("z.py", b"y", sha256(b"z"))], "", 1)
    assert everything_in(root) == before
    assert entries() == []


def test_an_edit_that_cannot_be_taken_back_at_once_is_taken_back_by_the_next_one(root, monkeypatch):
    before = everything_in(root)

    def fail(*args, **kwargs):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "unlink", fail)
        with pytest.raises(
            WriteFailed, match=r"cannot be put back yet .* the next fastedit command tries again"
        ):
            commit(root, effects(), "", 1)
    assert files_in(root) not in (OLD, NEW)
    with pytest.raises(InputRefused, match="no edit left"):
        undo()
    assert everything_in(root) == before


def test_a_full_disk_leaves_every_file_as_it_was(root):
    before = everything_in(root)
    many = [create("big", os.urandom(1 << 20)), *effects()]

    def fill_up():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))
        with pytest.raises(WriteFailed, match=r"big: File too large; raise the limit"):
            commit(root, many, "", 1)

    assert run_forked(fill_up) == 0
    assert everything_in(root) == before


def test_without_a_journal_nothing_is_written(root, monkeypatch):
    before = everything_in(root)
    monkeypatch.setenv("FASTEDIT_STATE", str(root / "a.py"))
    with pytest.raises(JournalUnavailable, match="FASTEDIT_STATE"):
        commit(root, effects(), "", 1)
    assert everything_in(root) == before


def test_more_files_than_a_process_may_open(root):
    many = [create(f"many/{number}", b"") for number in range(260)]

    def with_few_descriptors():
        os.fsync = lambda file: None
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        commit(root, many, "", 1)
        commit(root, [delete(effect.to, sha256(b"")) for effect in many], "", 1)

    assert run_forked(with_few_descriptors) == 0
    assert files_in(root) == OLD


def test_every_file_and_every_folder_is_synced_once(root, monkeypatch):
    synced, inner = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_ino), inner(file))[1])
    many = [create(f"many/{number}", b"") for number in range(200)]
    commit(root, many, "", 1)
    assert len(synced) == len(set(synced)) == 200 + 2  # the new folder and the one it was made in


@pytest.mark.parametrize("effect", effects())
def test_what_another_program_did_to_a_file_before_this_one_could_is_never_taken_back(root, effect):
    """Whatever the effect is: also a rename, a deletion and a new file."""
    plan = make_plan(root, [effect])
    with Journal.open() as journal:
        transaction.write(journal, plan.root, plan.changes, "", 1)
        journal.remove(1)
        after = everything_in(root)
        with pytest.raises(StaleFile):
            transaction.write(journal, plan.root, plan.changes, "", 1)
    assert everything_in(root) == after
    assert entries() == []


@pytest.mark.parametrize("call", ["replace", "unlink"])
def test_only_the_files_that_were_replaced_go_back_where_another_program_makes_the_same_change(
    root, monkeypatch, call
):
    plan = make_plan(root, [replace("run.sh", b"new", sha256(OLD["run.sh"])), *effects()[:4]])
    inner = getattr(os, call)

    def last_file_by_hand(*args, **kwargs):
        monkeypatch.setattr(os, call, inner)
        (root / "src" / "old.py").unlink()  # the last of the changes
        return inner(*args, **kwargs)

    monkeypatch.setattr(os, call, last_file_by_hand)
    with Journal.open() as journal, pytest.raises(StaleFile, match=r"src/old\.py"):
        transaction.write(journal, plan.root, plan.changes, "", 1)
    assert files_in(root) == {name: data for name, data in OLD.items() if name != "src/old.py"}
    assert entries() == []


def test_transactions_of_several_processes_follow_each_other(root):
    def count_up():
        for _ in range(5):
            while True:
                data = (root / "a.py").read_bytes()
                number = int(data.split()[-1]) + 1
                try:
                    commit(root, [replace("a.py", b"a = %d\n" % number, sha256(data))], "", 1)
                    break
                except StaleFile:
                    continue

    assert run_at_once([count_up] * 3) == [0] * 3
    assert (root / "a.py").read_bytes() == b"a = 16\n"


NAMES = ["a", "b", "d/a", "d/b", "d/e/a"]
NAME, DATA = st.sampled_from(NAMES), st.sampled_from([b"0", b"1", b"2", b"3"])
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("create"), NAME, DATA),
        st.tuples(st.just("replace"), NAME, DATA),
        st.tuples(st.just("delete"), NAME),
        st.tuples(st.just("rename"), NAME, NAME, st.none() | DATA, st.booleans()),
    ),
    max_size=6,
)


def played(tree: dict[str, bytes], moves: list) -> tuple[list, dict[str, bytes]]:
    """The moves that are possible side by side, as effects, and the tree that they come to."""
    made, used, done = dict(tree), set(), []
    for kind, name, *rest in moves:
        data = tree.get(name)
        if name in used or (data is None) != (kind == "create"):
            continue
        if kind == "create":
            done.append(create(name, rest[0]))
            made[name] = rest[0]
        elif kind == "replace":
            done.append(replace(name, rest[0], sha256(data)))
            made[name] = rest[0]
        elif kind == "delete":
            done.append(delete(name, sha256(data)))
            del made[name]
        else:
            to, new, over = rest
            if to in used or to == name or (to in tree and not over):
                continue
            if to in tree:
                done.append(delete(to, sha256(tree[to])))
            done.append(rename(name, to, new, sha256(data)))
            del made[name]
            made[to] = data if new is None else new
            used.add(to)
        used.add(name)
    return done, made


@settings(max_examples=20, deadline=None)
@given(tree=st.dictionaries(NAME, DATA), moves=MOVES)
def test_any_possible_effects_come_to_what_they_say_and_back(tmp_path_factory, tree, moves):
    root = tmp_path_factory.mktemp("root")
    for name, data in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    before = everything_in(root)
    done, expected = played(tree, moves)
    number = commit(root, done, "", 1)
    assert files_in(root) == expected
    if number is not None:
        undo(number)
    assert everything_in(root) == before


def test_a_plan_tells_of_each_file_that_is_a_hard_link_and_is_to_be_replaced(root):
    (root / "one.py").write_bytes(b"a")
    (root / "other.py").hardlink_to(root / "one.py")
    effects = [replace("one.py", b"b", sha256(b"a")), create("c.py", b"")]
    assert make_plan(root, effects).notes() == [
        "one.py: the file has another name, a hard link, which keeps the old text"
    ]
    commit(root, effects, "x", 1)
    assert (root / "other.py").read_bytes() == b"a"
