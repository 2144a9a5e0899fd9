"""What a message makes of many files, in memory."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastedit
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, FileChange, change, stream
from fastedit.errors import Undecodable, UnreadableEdit, UsageError
from fastedit.files.effects import Effect
from fastedit.files.plan import make_plan
from fastedit.files.transaction import commit
from fastedit.files.tree import Tree
from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    Edit,
    FileOperation,
    LineSpan,
    ModifyFile,
    RenameFile,
    Replacement,
    Sketch,
    TypedOperation,
    WriteFile,
    join_modifications,
)
from fastedit.ops import from_json
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.source.document import Document
from tests.formats.placing import lines

TEXT = "a = 1\nb = 2\n"


class Memory:
    def __init__(self, files: dict[str, str | bytes]) -> None:
        self._files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def read(self, path: str) -> Document | None:
        data = self._files.get(path)
        return None if data is None else Document.from_bytes(data, Path(path))


def made(
    operations: list[FileOperation], files: dict[str, str | bytes] | None = None, **fields
) -> ChangeResult:
    edit = Edit(("v4a",), tuple(operations))
    return change(Engine(), ChangeRequest(edit, **fields), Memory({"a.py": TEXT} if files is None else files))


def only(result: ChangeResult) -> FileChange:
    (file,) = result.files
    return file


def edit(path: str | None, *pairs: tuple[str, str]) -> ModifyFile:
    return ModifyFile(path, tuple(lines(old, new) for old, new in pairs))


def moves(result: ChangeResult) -> list[tuple[str | None, str | None]]:
    """What becomes of the files' names."""
    return [(effect.path, effect.to) for effect in result.effects()]


def text_of(file: FileChange) -> str:
    assert file.after is not None
    return file.after.text


def test_a_fence_that_may_be_an_edit_holds_all_files_back_and_the_rest_is_shown():
    block = "<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n"
    message = f"a.py\n{block}\nb.py\n{block}\nAnd:\n```\nc = 1\n```\n"
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT, "b.py": TEXT}))
    assert result.status is Status.SUSPECT
    assert [file.status for file in result.files] == [Status.SUSPECT, Status.SUSPECT]
    assert "nothing says which file the code fence `c = 1` is for" in result.reasons[0]
    assert (result.effects(), len(result.effects(force=True))) == ((), 2)
    [file] = change(
        Engine(), ChangeRequest(message.replace(f"b.py\n{block}", "")), Memory({"a.py": TEXT})
    ).files
    assert (file.status, text_of(file)) == (Status.SUSPECT, "a = 2\nb = 2\n")


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ("a = 2\nb = 2", Status.OK),
        ("  a = 2\n\n  b = 2", Status.OK),
        ("a = 2", Status.SUSPECT),  # the same may be wanted elsewhere
        ("b = 2", Status.SUSPECT),
        ("a = 2\nb = 2\nc = 3", Status.SUSPECT),
    ],
)
def test_a_fence_that_shows_what_the_edit_makes_is_no_edit(shown: str, status: Status):
    block = "<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n"
    message = f"a.py\n{block}\nIt now reads:\n```python\n{shown}\n```\n"
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT}))
    assert result.status is status
    note = "update line 9: the code fence shows what the edit makes, and is no edit itself"
    assert result.notes == ((note,) if status is Status.OK else ())


def test_an_empty_fence_below_the_path_of_a_file_with_text_is_refused_and_makes_an_empty_new_file():
    message = "a.py\n```python\n```\n\nnew.py\n```python\n```\n"
    files = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT})).files
    assert "is empty" in files[0].problem
    assert (files[1].status, text_of(files[1])) == (Status.OK, "")


def test_a_path_is_the_same_file_with_backslashes_and_with_slashes():
    operations = [
        edit("src\\a.py", ("a = 1", "a = 2")),
        edit("src/a.py", ("b = 2", "b = 3")),
        CreateFile("src\\new.py", "c = 1\n"),
    ]
    result = made(operations, {"src/a.py": TEXT})
    assert moves(result) == [("src/a.py", "src/a.py"), (None, "src/new.py")]
    assert text_of(result.files[0]) == "a = 2\nb = 3\n"


def test_a_name_with_a_backslash_is_meant_where_the_files_have_it_and_none_with_slashes():
    assert moves(made([edit("odd\\a.py", ("a = 1", "a = 2"))], {"odd\\a.py": TEXT})) == [
        ("odd\\a.py", "odd\\a.py")
    ]


def test_a_file_on_disk_whose_name_has_a_backslash_is_not_mistaken_for_one_in_a_folder(tmp_path):
    (tmp_path / "odd\\a.py").write_text(TEXT)
    result = change(
        Engine(), ChangeRequest(Edit(("v4a",), (CreateFile("odd\\a.py", "x\n"),))), Tree(tmp_path)
    )
    assert "may mean odd\\a.py, which stands there, or odd/a.py" in (only(result).problem or "")
    assert result.effects() == ()


def test_files_are_edited_created_renamed_and_deleted_in_one_message():
    message = (
        "*** Begin Patch\n*** Update File: a.py\n*** Move to: src/a.py\n@@\n-b = 2\n+b = 3\n"
        "*** Add File: c.py\n+c = 1\n*** Delete File: d.py\n*** End Patch\n"
    )
    files = Memory({"a.py": TEXT, "d.py": "d\n"})
    result = change(Engine(), ChangeRequest(message), files)
    assert result.status is Status.OK
    assert result.formats == ("v4a",)
    assert [(file.action, file.name) for file in result.files] == [
        ("rename", "src/a.py"),
        ("create", "c.py"),
        ("delete", "d.py"),
    ]
    assert moves(result) == [("a.py", "src/a.py"), (None, "c.py"), ("d.py", None)]
    assert [effect.data for effect in result.effects()] == [b"a = 1\nb = 3\n", b"c = 1\n", None]


def test_a_later_operation_sees_what_an_earlier_one_made():
    result = made(
        [edit("a.py", ("b = 2", "b = 3")), CreateFile("c.py", "c\n"), edit("a.py", ("b = 3", "b = 4"))]
    )
    assert text_of(result.files[0]) == "a = 1\nb = 4\n"
    assert [report.number for report in result.files[0].reports] == [1, 2]


def test_the_hunks_of_a_file_are_counted_over_all_its_operations():
    result = made(
        [edit("a.py", ("b = 2", "b = 3")), CreateFile("c.py", "c\n"), edit("a.py", ("nothing", "x"))]
    )
    file = result.files[0]
    assert file.problem.startswith("hunk 2: its old text is not in the file")
    assert [report.step.placed for report in file.reports] == [True, False]


def test_a_renamed_file_is_edited_by_its_new_name():
    result = made([RenameFile("a.py", "b.py"), edit("b.py", ("b = 2", "b = 3"))])
    (effect,) = result.effects()
    assert effect == Effect("a.py", "b.py", b"a = 1\nb = 3\n", effect.expected_sha256)


def test_a_renamed_file_that_is_edited_by_its_old_name_is_refused_with_the_new_one():
    result = made([RenameFile("a.py", "b.py"), edit("a.py", ("b = 2", "b = 3"))])
    assert result.reasons == ("a.py: was renamed to b.py earlier in the edit; use that name",)
    assert result.effects() == ()


def test_a_hunk_that_fails_after_a_rename_names_the_file_once():
    result = made([RenameFile("a.py", "b.py"), edit("b.py", ("nothing", "x"))])
    assert only(result).problem.startswith("hunk 1: ")


def test_the_name_that_a_rename_leaves_is_free_for_a_new_file():
    result = made([RenameFile("a.py", "b.py"), CreateFile("a.py", "new\n")])
    assert moves(result) == [("a.py", "b.py"), (None, "a.py")]


def test_files_that_swap_their_names_keep_their_contents_and_modes(tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("a\n")
    (root / "b.py").write_text("b\n")
    (root / "b.py").chmod(0o750)
    operations = (RenameFile("a.py", "t.py"), RenameFile("b.py", "a.py"), RenameFile("t.py", "b.py"))
    result = change(Engine(), ChangeRequest(Edit(("v4a",), operations)), Tree(root))
    commit(root, result.effects(), "swap", 2)
    assert {path.name: path.read_text() for path in root.iterdir()} == {"a.py": "b\n", "b.py": "a\n"}
    assert (root / "a.py").stat().st_mode & 0o777 == 0o750


def test_a_file_that_is_created_and_edited_is_a_new_file():
    result = made([CreateFile("c.py", "c = 1\n"), edit("c.py", ("c = 1", "c = 2"))])
    assert result.effects() == (Effect(None, "c.py", b"c = 2\n"),)


def test_a_new_file_that_cannot_be_read_is_held_back():
    for path, text, said in (
        (
            "a.json",
            '{"a": 1,}\n',
            "not valid json: Expecting property name enclosed in double quotes (line 1)",
        ),
        ("a.py", "def f(:\n", "a syntax error near its line 1: `def f(:`"),
    ):
        (file,) = made([CreateFile(path, text)], {}).files
        assert file.status == Status.SUSPECT
        assert said in file.reasons[0]


def test_a_file_that_is_created_and_deleted_is_nothing():
    result = made([CreateFile("c.py", "c = 1\n"), DeleteFile("c.py")])
    assert (result.status, result.files, result.effects()) == (Status.UNCHANGED, (), ())


def test_a_file_that_is_deleted_and_created_is_replaced():
    result = made([DeleteFile("a.py"), CreateFile("a.py", "new\r\n")], {"a.py": "old\r\n"})
    assert moves(result) == [("a.py", "a.py")]
    assert text_of(only(result)) == "new\r\n"


@pytest.mark.parametrize("text", ["a = 1\n", "a = 1\nb = 3\n", "a = 1\nb = 2\nc = 3\n", ""])
def test_a_deletion_is_refused_where_the_lines_that_it_repeats_are_not_the_file(text):
    result = made([DeleteFile("a.py", text)])
    assert "has changed since it was read" in (only(result).problem or "")
    assert result.effects() == ()


@pytest.mark.parametrize("data", [b"a = 1\nb = 2\n", b"\xef\xbb\xbfa = 1\r\nb = 2"])
def test_a_deletion_that_repeats_the_file_needs_none_of_its_line_ends(data):
    text = data.decode().replace("\r", "").removesuffix("\n") + "\n"
    assert moves(made([DeleteFile("a.py", text)], {"a.py": data})) == [("a.py", None)]


def test_a_deleted_file_cannot_be_edited():
    result = made([DeleteFile("a.py"), edit("a.py", ("b = 2", "b = 3"))])
    assert result.reasons == ("a.py: was deleted earlier in the edit; change it before that",)


def test_a_file_that_is_there_is_not_created_over():
    result = made([CreateFile("a.py", "other\n")])
    assert only(result).problem == "exists already; edit it, or delete it first"
    assert result.effects() == ()


@pytest.mark.parametrize("data", [b"a = 1\nb = 2\n", b"a = 1\r\nb = 2\r\n"])
def test_a_file_that_is_there_with_the_same_lines_is_unchanged(data):
    assert made([CreateFile("a.py", TEXT)], {"a.py": data}).status is Status.UNCHANGED


def test_a_new_file_may_overwrite_one_that_is_there():
    assert moves(made([CreateFile("a.py", "x\n", overwrite=True)])) == [("a.py", "a.py")]


def test_a_rename_onto_another_file_needs_to_be_told():
    files = {"a.py": TEXT, "b.py": "b\n"}
    refused = made([RenameFile("a.py", "b.py")], files)
    assert refused.reasons == ("a.py: b.py: exists already; choose another name, or delete it first",)
    told = made([RenameFile("a.py", "b.py", overwrite=True)], files)
    assert sorted(moves(told), key=str) == [("a.py", "b.py"), ("b.py", None)]


def test_a_rename_to_the_same_name_is_nothing():
    assert made([RenameFile("a.py", "./a.py")]).status is Status.UNCHANGED


@pytest.mark.parametrize(
    "operation", [DeleteFile("x.py"), RenameFile("x.py", "y.py"), edit("x.py", ("a", "b"))]
)
def test_a_file_that_is_not_there_is_refused_by_its_name(operation):
    result = made([operation])
    assert result.reasons == ("x.py: no such file; check the path",)


def test_hunks_that_replace_nothing_make_a_new_file():
    assert made([edit("new.py", ("", "a = 1"))], {}).effects() == (Effect(None, "new.py", b"a = 1\n"),)


@pytest.mark.parametrize("path", ["./a.py", ".//a.py", "/home/me/project/a.py", "/link/a.py"])
def test_other_spellings_of_a_path_are_the_same_file(path):
    operations = [edit("a.py", ("b = 2", "b = 3")), CreateFile("c.py", ""), edit(path, ("a = 1", "a = 0"))]
    result = made(operations, roots=("/home/me/project/", "/link"))
    assert [file.name for file in result.files] == ["a.py", "c.py"]
    assert text_of(result.files[0]) == "a = 0\nb = 3\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../a.py", "/home/me/projects/a.py"])
def test_a_path_outside_is_left_for_the_reader_to_refuse(path, tmp_path):
    request = ChangeRequest(Edit(("v4a",), (CreateFile(path, "x\n"),)), roots=("/home/me/project",))
    file = only(change(Engine(), request, Tree(tmp_path)))
    assert file.status is None
    assert file.name == path
    assert "from the root of the edit" in file.problem


def test_an_edit_without_a_path_is_for_the_file_that_the_request_names():
    assert text_of(only(made([edit(None, ("b = 2", "b = 3"))], path="./a.py"))) == "a = 1\nb = 3\n"


def test_an_edit_that_names_no_file_is_refused_before_anything_is_read():
    with pytest.raises(UnreadableEdit, match="names no file"):
        made([CreateFile("c.py", ""), edit(None, ("b = 2", "b = 3"))])


def test_a_message_without_operations_is_refused():
    with pytest.raises(UnreadableEdit, match="changes no file"):
        made([])


def test_line_ends_and_byte_order_mark_stay():
    data = b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"
    (effect,) = made([edit("a.py", ("b = 2", "b = 3"))], {"a.py": data}).effects()
    assert effect.data == b"\xef\xbb\xbfa = 1\r\nb = 3\r\n"


def test_a_whole_text_takes_the_line_ends_of_its_file():
    (effect,) = made([WriteFile("a.py", "a = 1\nb = 3\n")], {"a.py": b"a = 1\r\nb = 2\r\n"}).effects()
    assert effect.data == b"a = 1\r\nb = 3\r\n"


@pytest.mark.parametrize(
    ("text", "data"), [("a = 1\r\nb = 3\r\n", b"a = 1\nb = 3\n"), ("a = 1\r\n", b"a = 1\r\n")]
)
def test_a_whole_file_in_cr_lf_changes_line_ends_only_where_that_is_all_that_it_changes(text, data):
    old = "a = 1\nb = 2\n" if b"b" in data else "a = 1\n"
    (effect,) = made([WriteFile("a.py", text)], {"a.py": old.encode()}).effects()
    assert effect.data == data


@pytest.mark.parametrize("operation", [WriteFile, partial(CreateFile, overwrite=True)])
def test_a_whole_text_that_begins_with_the_byte_order_mark_of_its_file_adds_none(operation):
    data = b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"
    (effect,) = made([operation("a.py", "\ufeffa = 1\nb = 3\n")], {"a.py": data}).effects()
    assert effect.data == b"\xef\xbb\xbfa = 1\r\nb = 3\r\n"
    same = made([CreateFile("a.py", "\ufeffa = 1\nb = 2\n")], {"a.py": data})
    assert same.status is Status.UNCHANGED


def test_a_new_file_whose_text_begins_with_a_byte_order_mark_has_it_once():
    (effect,) = made([WriteFile("c.py", "\ufeffa = 1\n")], {}).effects()
    assert effect.data == b"\xef\xbb\xbfa = 1\n"


def test_a_file_in_another_encoding_keeps_it_through_several_edits():
    data = "# coding: latin-1\né = 1\nb = 2\n".encode("latin-1")
    operations = [edit("a.py", ("b = 2", "ü = 2")), CreateFile("c.py", ""), edit("a.py", ("é = 1", "é = 3"))]
    effect, _ = made(operations, {"a.py": data}).effects()
    assert effect.data == "# coding: latin-1\né = 3\nü = 2\n".encode("latin-1")


def test_a_new_file_has_the_encoding_that_it_declares_also_after_an_edit():
    text = "# coding: latin-1\né = 1\n"
    result = made([CreateFile("c.py", text), edit("c.py", ("é = 1", "é = 2"))], {})
    assert result.effects() == (Effect(None, "c.py", "# coding: latin-1\né = 2\n".encode("latin-1")),)


@pytest.mark.parametrize("text", ["a\0b\n", "# coding: latin-1\nд\n", "\ud800"])
def test_a_new_file_that_cannot_be_encoded_is_refused(text):
    file = only(made([CreateFile("c.py", text)], {}))
    assert isinstance(file.error, Undecodable)
    assert file.name == "c.py"


@pytest.mark.parametrize(
    "words", [{"message": "a.py\n```\n\udc80\n```\n"}, {"message": None, "instruction": "\udc80"}]
)
def test_words_that_are_no_text_are_refused_where_they_are_asked_for(words):
    with pytest.raises(UsageError, match=r"the (message|instruction) is not UTF-8 at character"):
        ChangeRequest(**words)


def test_a_file_that_is_no_text_is_refused():
    file = only(made([DeleteFile("a.png")], {"a.png": b"\x89PNG\0"}))
    assert "looks binary" in file.problem


def test_all_files_are_delivered_or_none():
    result = made([edit("a.py", ("b = 2", "b = 3")), edit("x.py", ("a", "b"))])
    assert result.status is Status.SUSPECT
    assert (result.delivered, result.effects()) == ((), ())


def test_partial_delivers_the_files_that_can_be_changed():
    result = made([edit("a.py", ("b = 2", "b = 3")), edit("x.py", ("a", "b"))], partial=True)
    assert [file.name for file in result.delivered] == ["a.py"]


def test_a_file_of_which_one_hunk_has_no_place_is_held_back_as_a_whole():
    result = made([edit("a.py", ("b = 2", "b = 3"), ("x", "y")), CreateFile("c.py", "")], partial=True)
    assert [file.name for file in result.delivered] == ["c.py"]
    assert [report.step.value for report in result.files[0].reports] == ["exact", "unplaced"]


def test_partial_holds_back_the_file_that_would_take_the_name_of_one_that_is_held_back():
    operations = [
        RenameFile("a.py", "b.py"),
        edit("b.py", ("x", "y")),
        CreateFile("a.py", "new\n"),
        CreateFile("d.py", ""),
    ]
    result = made(operations, partial=True)
    assert [file.name for file in result.delivered] == ["d.py"]


def test_partial_holds_back_the_files_that_need_what_is_held_back():
    files = {
        "store.py": "def load():\n    pass\n",
        "app.py": "import store\n\nstore.load()\n",
        "b.py": "b = 1\n",
    }
    renamed = [edit("app.py", ("store.load()", "store.read()")), edit("b.py", ("b = 1", "b = 2"))]
    result = made([edit("store.py", ("def lod():", "def read():")), *renamed], files, partial=True)
    assert [file.name for file in result.delivered] == ["b.py"]
    assert result.reasons[1] == "app.py: app.py uses read from store.py, which does not have it"
    whole = made([edit("store.py", ("def load():", "def read():")), *renamed], files, partial=True)
    assert len(whole.delivered) == 3
    # What its author alone makes of it is none of its files' reasons.
    assert len(made(renamed, files, partial=True).delivered) == 2


def test_operations_after_a_failed_one_do_not_hide_what_failed():
    result = made([edit("a.py", ("x", "y")), RenameFile("a.py", "b.py"), edit("b.py", ("b = 2", "b = 3"))])
    assert only(result).name == "a.py"
    assert only(result).problem.startswith("hunk 1: its old text is not in the file")


def test_a_hunk_that_stands_already_leaves_the_file_unchanged():
    hunk = ("a = 1\nb = 1\nc = 3", "a = 1\nb = 2\nc = 3")
    result = made([edit("a.py", hunk)], {"a.py": "a = 1\nb = 2\nc = 3\n"})
    assert result.status is Status.UNCHANGED
    assert only(result).reports[0].step.value == "already"


SKETCHED = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
SKETCH = Sketch("# ... existing code ...\n\ndef g():\n    return 3\n")


def test_a_sketch_is_merged_beside_other_formats():
    result = made([ModifyFile("a.py", (SKETCH,)), CreateFile("c.py", "c\n")], {"a.py": SKETCHED})
    assert result.status is Status.OK
    assert text_of(result.files[0]) == SKETCHED.replace("2", "3")


def test_a_fence_within_a_sketch_is_text_and_no_edit_of_another_file():
    inner = "src/b.py\n```python\n# ... existing code ...\nx = 1\n```\n"
    sketch = Sketch(f"# Title\n\n<!-- ... existing code ... -->\n\n## Use\n\n{inner}")
    file = only(made([ModifyFile("a.md", (sketch,))], {"a.md": "# Title\n\nText.\n\n## Use\n\nNothing.\n"}))
    assert not file.problem
    assert "## Use\n\nsrc/b.py\n```python\n" in text_of(file)


def test_a_suspect_file_holds_all_back_unless_forced():
    suspect = ModifyFile("a.py", (Replacement("  x = 1\n", "  x = (\n", True),))
    result = made([suspect, CreateFile("c.py", "c\n")], {"a.py": "if a:\n    x = 1\n"})
    assert result.files[0].status is Status.SUSPECT
    assert result.effects() == ()
    assert len(result.effects(force=True)) == 2


def test_force_does_not_deliver_what_cannot_be_done():
    assert made([edit("a.py", ("b = 2", "b = 3")), DeleteFile("x.py")]).effects(force=True) == ()


def test_files_are_told_as_soon_as_nothing_more_is_to_be_done_to_them():
    operations = (
        edit("a.py", ("b = 2", "b = 3")),
        CreateFile("c.py", "c\n"),
        edit("./a.py", ("b = 3", "b = 4")),
        RenameFile("c.py", "d.py"),
    )
    events = list(stream(Engine(), ChangeRequest(Edit(("v4a",), operations)), Memory({"a.py": TEXT})))
    assert [event.name for event in events if isinstance(event, FileChange)] == ["a.py", "d.py"]
    assert isinstance(events[-1], ChangeResult)


NAMES = st.sampled_from(["a", "b", "c", "d"])
TEXTS = st.sampled_from(["1\n", "2\n", "3\n"])
OPERATIONS = st.one_of(
    st.builds(CreateFile, NAMES, TEXTS, st.booleans()),
    st.builds(WriteFile, NAMES, TEXTS),
    st.builds(DeleteFile, NAMES),
    st.builds(RenameFile, NAMES, NAMES, st.booleans()),
)
START = {"a": "a\n", "b": "b\n", "c": "c\n"}


def done(operations: list[FileOperation], files: dict[str, str]) -> dict[str, str] | None:
    """What the operations, one after the other, make of the files; None where one of them cannot be done."""
    for operation in operations:
        there = operation.path in files
        match operation:
            case CreateFile(path, text, overwrite):
                if there and not overwrite and files[path] != text:
                    return None
                files[path] = text
            case WriteFile(path, text):
                files[path] = text
            case _ if not there:
                return None
            case DeleteFile(path):
                del files[path]
            case RenameFile(path, to, overwrite) if path != to:
                if to in files and not overwrite:
                    return None
                files[to] = files.pop(path)
    return files


@given(st.lists(OPERATIONS, min_size=1, max_size=7))
def test_the_effects_come_to_what_the_operations_do_one_after_the_other(tmp_path_factory, operations):
    root = tmp_path_factory.getbasetemp() / "start"
    root.mkdir(exist_ok=True)
    for name, text in START.items():
        if not (root / name).exists():
            (root / name).write_text(text)
    request = ChangeRequest(Edit(("v4a",), tuple(operations)))
    result = change(Engine(), request, Tree(root))
    wanted = done(operations, dict(START))
    assert (wanted is None) == any(file.problem for file in result.files)
    if wanted is not None:
        found = {root / name: text.encode() for name, text in START.items()}
        for each in make_plan(root, result.effects()).changes:
            found.pop(each.path, None)
            if each.after is not None:
                found[each.path] = each.after
        assert {path.name: data.decode() for path, data in found.items()} == wanted


def test_the_package_offers_what_a_change_needs():
    assert set(fastedit.__all__) == set(fastedit._HOMES)
    assert fastedit.change is change
    assert fastedit.ChangeRequest is ChangeRequest


def test_the_program_in_the_documentation_changes_its_file(tmp_path, monkeypatch):
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    [program] = re.findall(r"```python\n(from fastedit import .*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("settings.py").write_text("LIMIT = 16\n")
    exec(program, {})
    assert Path("settings.py").read_text() == "LIMIT = 64\n"


def test_with_a_preview_each_hunk_that_has_one_place_is_told_before_its_file():
    operations = [
        edit("a.py", ("a = 1", "a = 2"), ("c = 1", "c = 2"), ("b = 2", "b = 3")),
        edit("b.py", ("b = 2", "b = 3")),
    ]
    request = ChangeRequest(Edit(("udiff",), tuple(operations)), partial=True, preview=True)
    told = list(stream(Engine(), request, Memory({"a.py": TEXT, "b.py": TEXT})))
    assert [type(event).__name__ for event in told] == [
        *["HunkPlaced"] * 2,
        "FileChange",
        "HunkPlaced",
        "FileChange",
        "ChangeResult",
    ]
    assert [(event.path, event.report.number) for event in told[:2]] == [("a.py", 1), ("a.py", 3)]


PROSE = "It belongs into {}:\n\n```python\nLIMIT = 3\n```\n"


def test_a_new_file_that_prose_alone_names_is_held_back():
    files = Memory({"a.py": TEXT})
    result = change(Engine(), ChangeRequest(f"a.py\n```\na = 2\nb = 2\n```\n{PROSE.format('b.py')}"), files)
    assert result.status is Status.SUSPECT
    assert "write its path alone on the line above the fence" in result.reasons[0]
    assert [effect.to for effect in result.effects(force=True)] == ["a.py", "b.py"]
    result = change(Engine(), ChangeRequest(PROSE.format("`a.py`").replace("LIMIT", "a")), files)
    assert [file.title for file in result.files] == ["edit a.py"]


def test_what_of_a_message_is_no_edit_is_noted():
    message = "a.py\n```\na = 2\nb = 2\n```\nRun:\n```sh\npython a.py\n```\n"
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT}))
    assert result.status is Status.OK
    assert result.notes == (
        "update line 7: `python a.py` is taken for a command or an output, not for an edit",
    )


def test_a_comment_of_a_sketch_that_is_left_out_is_noted_with_its_file():
    sketch = Sketch("# ...\nb = 3  # was: b = 2\nc = 3\n")
    file = only(made([ModifyFile("a.py", (sketch,))], {"a.py": "a = 1\nb = 2\nc = 3\n"}))
    assert text_of(file) == "a = 1\nb = 3\nc = 3\n"
    assert file.notes == ("`# was: b = 2` in update line 2 speaks of the edit and is left out",)


def test_sketches_of_one_file_are_merged_one_after_the_other():
    fence = "a.py\n```python\n{}\n```\n"
    message = fence.format("a = 3\n# ... existing code ...") + fence.format("# ... existing code ...\nb = 4")
    result = change(Engine(), ChangeRequest(message), Memory({"a.py": TEXT}))
    assert text_of(only(result)) == "a = 3\nb = 4\n"


def test_a_fence_that_is_merged_into_its_file_is_reported_as_a_sketch():
    files = Memory({"a.py": TEXT})
    assert change(Engine(), ChangeRequest("a.py\n```\na = 3\nb = 2\n```\n"), files).formats == ("sketch",)
    both = "a.py\n```\na = 3\nb = 2\n```\nb.py\n```\nc = 1\n```\n"
    assert change(Engine(), ChangeRequest(both), files).formats == ("sketch", "whole")


def test_a_file_is_read_as_often_for_many_blocks_with_backslashes_as_for_one():
    class Counted(Memory):
        count = 0

        def read(self, path: str) -> Document | None:
            self.count += 1
            return super().read(path)

    counts = []
    for blocks in (2, 20):
        files = Counted({"src/a.py": TEXT})
        operations = tuple(edit("src\\a.py", ("a = 1", f"a = {n}")) for n in range(blocks))
        change(Engine(), ChangeRequest(Edit(("v4a",), operations)), files)
        counts.append(files.count)
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "above", ["**Makefile**", "Makefile:", "In Makefile:", "`Makefile`:\n", "My Docs/a.py"]
)
def test_a_name_above_a_block_or_fence_is_that_of_a_file_that_is_there(above: str):
    name = "My Docs/a.py" if "Docs" in above else "Makefile"
    files = Memory({"a.py": TEXT, "Docs/a.py": TEXT, name: TEXT})
    block = "<<<<<<< SEARCH\na = 1\n=======\n{}\n>>>>>>> REPLACE\n"
    message = f"a.py\n{block.format('c = 0' + chr(10) + 'a = 1')}\n{above}\n{block.format('a = 9')}"
    texts = {file.path: text_of(file) for file in change(Engine(), ChangeRequest(message), files).files}
    assert texts == {"a.py": "c = 0\na = 1\nb = 2\n", name: "a = 9\nb = 2\n"}


def test_words_above_a_block_are_no_file_where_none_is_called_so():
    block = "<<<<<<< SEARCH\n{0} = 1\n=======\n{0} = 9\n>>>>>>> REPLACE\n"
    files = Memory({"a.py": "a = 1\nb = 1\nc = 1\n", "binary": b"\0\xff"})
    for above in ("Then:", "### Imports", "binary:", "../x:", "/:", "NUL \0:"):
        message = f"a.py\n{block.format('a')}\n{above}\n{block.format('b')}"
        assert text_of(only(change(Engine(), ChangeRequest(message), files))) == "a = 9\nb = 9\nc = 1\n"


def test_an_insertion_that_is_repeated_after_another_file_is_made_once():
    again = edit("a.py", ("a = 1\n", "c = 0\na = 1\n"))
    between: list[FileOperation] = [edit("b.py", ("a = 1\n", "a = 2\n")), CreateFile("c.py", "c\n")]
    operations = join_modifications([again, *between, again])
    result = made([*operations], {"a.py": TEXT, "b.py": TEXT})
    assert {file.name: text_of(file) for file in result.files} == {
        "a.py": f"c = 0\n{TEXT}",
        "b.py": "a = 2\nb = 2\n",
        "c.py": "c\n",
    }


@pytest.mark.parametrize(
    "between",
    [DeleteFile("a.py"), RenameFile("a.py", "b.py"), RenameFile("b.py", "a.py"), WriteFile("a.py", "")],
)
def test_edits_of_a_file_stay_apart_from_those_before_something_else_is_done_to_it(between: FileOperation):
    operations = (edit("a.py", ("a\n", "b\n")), between, edit("a.py", ("a\n", "b\n")))
    assert join_modifications(operations) == operations


@pytest.mark.parametrize(("new", "status"), [("a = 1\nb = 2", Status.UNCHANGED), ("a = 1\nb = 3", Status.OK)])
def test_that_a_string_leaves_the_end_of_the_last_line_is_noted(new, status):
    operation = ModifyFile("a.py", (Replacement("a = 1\nb = 2\n", new, whole_lines=False),))
    file = only(made([operation], {"a.py": "a = 1\nb = 2\n"}))
    assert (file.status, text_of(file)) == (status, f"{new}\n")
    assert file.notes == (
        "the last line keeps its line end, which the old text has and the new text leaves out",
    )


FENCE = "a.py\n```python\na = 2\nb = 2\n```\n\n"


@pytest.mark.parametrize("message", ["{}", FENCE + "{}", "{}" + FENCE])
def test_a_whole_file_may_have_a_line_like_a_marker_that_its_file_has(message):
    fence = "c.js\n```js\n//.....\nf(1)\n```\n\n"
    for before, text in (("//.....\nf()\n", "//.....\nf(1)\n"), ("f()\n", None)):
        files = Memory({"a.py": TEXT, "c.js": before})
        result = change(Engine(), ChangeRequest(message.format(fence), format="whole"), files)
        file = next(file for file in result.files if file.name == "c.js")
        assert file.after is not None
        if text is None:
            assert "it leaves code out at `//.....`" in file.problem
        else:
            assert (result.status, file.after.text, result.formats) == (Status.OK, text, ("whole",))


@pytest.mark.parametrize("format", [None, "whole"])
@pytest.mark.parametrize("above", ["LICENSE\n", "**LICENSE**\n\n", "## LICENSE\n\n", "`LICENSE`:\n\n"])
def test_plain_text_right_below_the_name_of_a_file_that_is_there_is_its_text(above, format):
    for info in ("", "text"):
        message = f"{FENCE}{above}```{info}\nLet all\nuse it\n```\n"
        files = {"a.py": TEXT, "LICENSE": "Let all\n"}
        result = change(Engine(), ChangeRequest(message, format=format), Memory(files))
        assert [file.name for file in result.files] == ["a.py", "LICENSE"]
        assert (result.status, text_of(result.files[1]), result.notes) == (Status.OK, "Let all\nuse it\n", ())
        if info and "`" not in above:
            result = change(Engine(), ChangeRequest(message, format=format), Memory({"a.py": TEXT}))
            assert [file.name for file in result.files] == ["a.py"]
            assert "`Let all` is taken for a command or an output" in result.notes[0]


LISTING = (
    "import os\n\nLIMIT = 16\n\n\ndef load():\n    return open(path).read()\n\n\ndef save():\n    return 1\n"
)


@pytest.mark.parametrize("marker", ["# ... existing code ...", "# (rest of the file unchanged)"])
@pytest.mark.parametrize("overwrite", [None, True])
def test_a_whole_file_by_a_call_that_leaves_code_out_is_merged_as_a_fence_is_and_no_new_file(
    marker, overwrite
):
    text = f"import os\n\nLIMIT = 64\n\n\n{marker}\n"
    arguments = {"path": "a.py", "content": text} | ({} if overwrite is None else {"overwrite": overwrite})
    call = json.dumps({"name": "write_file", "arguments": arguments})
    file = only(change(Engine(), ChangeRequest(call), Memory({"a.py": LISTING})))
    assert (file.status, text_of(file)) == (Status.OK, LISTING.replace("16", "64"))
    file = only(change(Engine(), ChangeRequest(call), Memory({})))
    assert file.problem == f"whole: it leaves code out at `{marker}`; send all of the file"


def test_a_comment_that_says_that_code_stays_is_not_all_that_a_call_leaves_of_it():
    after = LISTING.replace("16", "64")
    written = WriteFile("a.py", after.partition("def save")[0] + "# The other functions remain unchanged\n")
    assert text_of(only(made([written], {"a.py": LISTING}))) == after


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("b.pyi", "def load(path: str) -> str:\n    ...\n"),
        ("test_b.py", 'SKETCH = """\n# ... existing code ...\nx = 1\n"""\n'),
        ("b.md", "# Sketches\n\n```python\n# ... existing code ...\n```\n\nEnd.\n"),
    ],
)
def test_a_new_file_may_show_a_marker_in_a_string_or_an_example(path, text):
    for operation in (WriteFile(path, text), CreateFile(path, text)):
        assert text_of(only(made([operation], {}))) == text


@pytest.mark.parametrize(
    "operation",
    [
        CreateFile("b.py", "x = 1\n# ... existing code ...\n"),
        edit("b.py", ("", "x = 1\n# ... existing code ...")),
        ModifyFile("a.py", (LineSpan(1, 1, ("# ... existing code ...",)),)),
    ],
)
def test_new_lines_that_leave_code_out_are_refused_in_new_files_and_at_lines_too(operation):
    assert "leaves code out at `# ... existing code ...`" in only(made([operation])).problem


TITLED = '"""\nmod.py\n~~~~~~\n\nReads settings.\n\nUsage\n~~~~~~\n\nCall it.\n"""\nimport os\n\nLIMIT = {}\n'


@pytest.mark.parametrize("format", [None, "whole"])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mod.py", TITLED),
        ("docs/mod.rst", "mod.rst\n~~~~~~~\n\nText.\n\nOther\n~~~~~~~\n\nMore {}.\n"),
        ("README.md", "README.md\n```\na\n```\nMore {}\n"),
        ("docs/x.md", "# Layout\n\n`main.go`\n```go\nx()\n```\n\nMore {}\n"),
    ],
)
def test_a_path_above_a_fence_or_underline_of_the_file_itself_is_its_text(path, text, format):
    before, after = text.format(1), text.format(2)
    request = ChangeRequest(after, path=path, format=format)
    [file] = change(Engine(), request, Memory({path: before})).files
    assert (file.name, file.status, text_of(file)) == (path, Status.OK, after)
    document = Document.from_text(before, Path(path))
    result = Engine().apply(EditRequest(document, update=after, format=format))
    assert (result.status, result.text) == (Status.OK, after)


def test_a_title_underlined_with_tildes_begins_no_file_of_a_message():
    message = f"new.py\n```python\n{TITLED}```\n\nb.py\n~~~\nx = 1\n~~~\n"
    files = change(Engine(), ChangeRequest(message), Memory({})).files
    assert [text_of(file) for file in files] == [TITLED, "x = 1\n"]


def test_a_place_that_an_operation_leaves_is_not_told_where_the_rest_of_the_message_changes_it() -> None:
    text = "def a():\n    return 1\n\n\ndef b():\n    return a()\n"
    delete = ModifyFile("a.py", (TypedOperation(from_json({"op": "delete", "target": "a"})),))
    sketch = ModifyFile("a.py", (Sketch("def b():\n    return 2\n"),))
    assert [place.line for place in only(made([delete], {"a.py": text})).left] == [5]
    assert only(made([delete, sketch], {"a.py": text})).left == ()
