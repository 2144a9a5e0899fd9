"""What a message makes of many files, in memory."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastedit
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, FileChange, change, stream
from fastedit.errors import Undecodable, UnreadableEdit, UsageError
from fastedit.files.plan import make_plan
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


def test_a_file_on_disk_whose_name_has_a_backslash_is_not_mistaken_for_one_in_a_folder(tmp_path):
    (tmp_path / "odd\\a.py").write_text(TEXT)
    result = change(
        Engine(), ChangeRequest(Edit(("v4a",), (CreateFile("odd\\a.py", "x\n"),))), Tree(tmp_path)
    )
    assert "may mean odd\\a.py, which stands there, or odd/a.py" in (only(result).problem or "")
    assert result.effects() == ()


B3 = edit("a.py", ("b = 2", "b = 3"))
MARKED = b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"
MARKED_3 = MARKED.replace(b"2", b"3")
LATIN = "# coding: latin-1\n{} = {}\n"


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ([RenameFile("a.py", "b.py"), B3], "a.py: was renamed to b.py earlier in the edit; use that name"),
        ([DeleteFile("a.py"), B3], "a.py: was deleted earlier in the edit; change it before that"),
        ([CreateFile("a.py", "other\n")], "a.py: exists already; edit it, or delete it first"),
        (
            [RenameFile("a.py", "there.py")],
            "a.py: there.py: exists already; choose another name, or delete it first",
        ),
        ([DeleteFile("x.py")], "x.py: no such file; check the path"),
        ([RenameFile("x.py", "y.py")], "x.py: no such file; check the path"),
        ([edit("x.py", ("a", "b"))], "x.py: no such file; check the path"),
        ([edit("a.py", ("x", "y")), RenameFile("a.py", "b.py"), B3], "a.py: hunk 1: its old text is not"),
        ([RenameFile("a.py", "b.py"), edit("b.py", ("x", "y"))], "a.py: hunk 1: its old text is not"),
        ([B3, CreateFile("c.py", "c\n"), edit("a.py", ("x", "y"))], "a.py: hunk 2: its old text is not"),
        ([DeleteFile("a.png")], "a.png: holds NUL bytes, so it looks binary"),
        ([CreateFile("a.json", '{"a": 1,}\n')], "a.json: the result is not valid json: "),
    ],
)
def test_what_cannot_be_done_is_told_with_its_file_and_nothing_is_delivered(operations, reason):
    result = made(operations, {"a.py": TEXT, "there.py": "b\n", "a.png": b"\x89PNG\0"})
    assert result.status is Status.SUSPECT
    assert result.reasons[0].startswith(reason)
    assert (result.delivered, result.effects()) == ((), ())


A2 = ("a = 1", "a = 2")
LATIN_1, LATIN_3 = (LATIN.format("é", n) for n in (1, 3))


@pytest.mark.parametrize(
    ("operations", "before", "names", "data"),
    [
        ([edit("src\\a.py", A2)], {"src/a.py": TEXT}, ("src/a.py", "src/a.py"), "a = 2\nb = 2\n"),
        ([edit("odd\\a.py", A2)], {"odd\\a.py": TEXT}, ("odd\\a.py", "odd\\a.py"), "a = 2\nb = 2\n"),
        ([RenameFile("a.py", "b.py"), edit("b.py", A2)], {}, ("a.py", "b.py"), "a = 2\nb = 2\n"),
        ([B3, edit("a.py", ("b = 3", "b = 4"))], {}, ("a.py", "a.py"), "a = 1\nb = 4\n"),
        ([DeleteFile("a.py"), CreateFile("a.py", "new\r\n")], {"a.py": "\r\n"}, ("a.py", "a.py"), "new\r\n"),
        ([edit("new.py", ("", "a = 1"))], {}, (None, "new.py"), "a = 1\n"),
        # Line ends, byte order marks and encodings stay.
        ([B3], {"a.py": MARKED}, ("a.py", "a.py"), MARKED_3),
        ([WriteFile("a.py", "a = 1\nb = 3\n")], {"a.py": MARKED}, ("a.py", "a.py"), MARKED_3),
        ([WriteFile("a.py", "\ufeffa = 1\nb = 3\n")], {"a.py": MARKED}, ("a.py", "a.py"), MARKED_3),
        ([WriteFile("c.py", "\ufeffa = 1\n")], {}, (None, "c.py"), b"\xef\xbb\xbfa = 1\n"),
        (
            [edit("a.py", ("é = 1", "é = 3"))],
            {"a.py": LATIN_1.encode("l1")},
            ("a.py", "a.py"),
            LATIN_3.encode("l1"),
        ),
        (
            [CreateFile("c.py", LATIN_1), edit("c.py", ("é = 1", "é = 3"))],
            {},
            (None, "c.py"),
            LATIN_3.encode("l1"),
        ),
        # CR LF comes where it is all that changes.
        ([WriteFile("a.py", "a = 1\r\nb = 3\r\n")], {}, ("a.py", "a.py"), "a = 1\nb = 3\n"),
        ([WriteFile("a.py", "a = 1\r\n")], {"a.py": "a = 1\n"}, ("a.py", "a.py"), "a = 1\r\n"),
    ],
)
def test_the_operations_of_a_file_come_to_one_effect(operations, before, names, data):
    (effect,) = made(operations, {"a.py": TEXT} | before).effects()
    wanted = data.encode() if isinstance(data, str) else data
    assert ((effect.path, effect.to), effect.data) == (names, wanted)


@pytest.mark.parametrize(
    ("operation", "data"),
    [
        (CreateFile("a.py", TEXT), b"a = 1\nb = 2\n"),
        (CreateFile("a.py", TEXT), b"a = 1\r\nb = 2\r\n"),
        (CreateFile("a.py", f"\ufeff{TEXT}"), MARKED),
    ],
)
def test_a_file_that_is_there_with_the_same_lines_is_unchanged(operation, data):
    assert made([operation], {"a.py": data}).status is Status.UNCHANGED


def test_an_edit_that_names_or_changes_no_file_is_refused_unless_the_request_names_it():
    unnamed = edit(None, ("b = 2", "b = 3"))
    with pytest.raises(UnreadableEdit, match="names no file"):
        made([CreateFile("c.py", ""), unnamed])
    with pytest.raises(UnreadableEdit, match="changes no file"):
        made([])
    assert text_of(only(made([unnamed], path="./a.py"))) == "a = 1\nb = 3\n"


def test_files_are_delivered_all_or_none_or_those_that_can_be_where_it_is_partial():
    operations = [edit("a.py", ("b = 2", "b = 3"), ("x", "y")), CreateFile("c.py", "")]
    result = made(operations)
    assert (result.status, result.delivered, result.effects(force=True)) == (Status.SUSPECT, (), ())
    result = made(operations, partial=True)
    assert [file.name for file in result.delivered] == ["c.py"]
    assert [report.step.value for report in result.files[0].reports] == ["exact", "unplaced"]


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


@pytest.mark.parametrize("text", ["a = 1\n", "a = 1\nb = 3\n", "a = 1\nb = 2\nc = 3\n", ""])
def test_a_deletion_is_refused_where_the_lines_that_it_repeats_are_not_the_file(text):
    result = made([DeleteFile("a.py", text)])
    assert "has changed since it was read" in (only(result).problem or "")
    assert result.effects() == ()


@pytest.mark.parametrize("data", [b"a = 1\nb = 2\n", b"\xef\xbb\xbfa = 1\r\nb = 2"])
def test_a_deletion_that_repeats_the_file_needs_none_of_its_line_ends(data):
    text = data.decode().replace("\r", "").removesuffix("\n") + "\n"
    assert moves(made([DeleteFile("a.py", text)], {"a.py": data})) == [("a.py", None)]


@pytest.mark.parametrize("path", ["./a.py", ".//a.py", "/home/me/project/a.py", "/link/a.py"])
def test_other_spellings_of_a_path_are_the_same_file(path):
    operations = [edit("a.py", ("b = 2", "b = 3")), CreateFile("c.py", ""), edit(path, ("a = 1", "a = 0"))]
    result = made(operations, roots=("/home/me/project/", "/link"))
    assert [file.name for file in result.files] == ["a.py", "c.py"]
    assert text_of(result.files[0]) == "a = 0\nb = 3\n"


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


def test_a_hunk_that_stands_already_leaves_the_file_unchanged():
    hunk = ("a = 1\nb = 1\nc = 3", "a = 1\nb = 2\nc = 3")
    result = made([edit("a.py", hunk)], {"a.py": "a = 1\nb = 2\nc = 3\n"})
    assert result.status is Status.UNCHANGED
    assert only(result).reports[0].step.value == "already"


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
