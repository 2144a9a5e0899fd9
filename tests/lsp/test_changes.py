"""`fastedit.applyChange` over stdio: the clipboard's edit, in whatever format, over the workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.engine.test_engine import SKETCH, SOURCE, WANTED
from tests.lsp.editor import ALL, Editor, plain

SEVERAL = """*** Begin Patch
*** Update File: src/app.py
@@
-name = "app"
+name = "main"
*** Add File: src/new.py
+x = 1
*** Delete File: old.py
*** Update File: src/util.py
*** Move to: src/tools.py
@@
-a = 1
+a = 2
*** End Patch
"""
APP, UTIL = 'name = "app"\nprint(name)\n', "a = 1\nb = 1\n"


@pytest.fixture
def folder(editor, tmp_path):
    """A folder of the workspace with some files, none of them open."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text(APP)
    (tmp_path / "src" / "util.py").write_text(UTIL)
    (tmp_path / "old.py").write_text("gone = True\n")
    editor.folders(added=[tmp_path])
    yield tmp_path
    editor.folders(removed=[tmp_path])


def change(editor: Editor, message: str, **fields: object):
    argument = {"message": message, **fields}
    return plain(editor.execute({"command": "fastedit.applyChange", "arguments": [argument]}))


def kinds(editor: Editor) -> list[str]:
    """The operations of the one edit that was sent, with the names of their files."""
    [params] = editor.applied
    return [
        f"edit {Path(op.text_document.uri).name}"
        if isinstance(op, types.TextDocumentEdit)
        else f"{op.kind} {Path(op.old_uri if op.kind == 'rename' else op.uri).name}"
        for op in params.edit.document_changes
    ]


def search_replace(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def unclear(folder: Path) -> str:
    """A sketch of a file, which it says twice where to change."""
    twice = "x = 1\n    return x\n"
    (folder / "twice.py").write_text(f"def a():\n    {twice}\n\ndef b():\n    {twice}")
    marker = "# ... existing code ...\n"
    return f"\ntwice.py\n```python\n{marker}    x = 2\n    return x\n{marker}```\n"


def test_a_change_of_several_files_is_one_edit_that_needs_confirmation(editor, folder):
    app = (folder / "src" / "app.py").as_uri()
    editor.open(app, APP)
    editor.type(app, 0, 0, "# typed, not saved\n")
    answer = change(editor, SEVERAL)
    assert answer == {"status": "ok", "applied": True, "review": None}
    assert kinds(editor) == [
        "edit app.py",
        "create new.py",
        "edit new.py",
        "delete old.py",
        "edit util.py",
        "rename util.py",
    ]
    edit = editor.applied[0].edit
    assert edit.change_annotations["fastedit"].needs_confirmation
    first = edit.document_changes[0]
    assert first.text_document.version == 2
    assert {each.annotation_id for each in first.edits} == {"fastedit"}
    assert editor.text(app) == '# typed, not saved\nname = "main"\nprint(name)\n'
    assert editor.text((folder / "src" / "new.py").as_uri()) == "x = 1\n"
    assert editor.text((folder / "src" / "tools.py").as_uri()) == "a = 2\nb = 1\n"
    assert not (folder / "old.py").exists()
    assert not editor.questions


def test_an_editor_that_does_not_ask_has_its_person_asked_by_the_server(folder, editor, tmp_path):
    workspace = types.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=[*types.ResourceOperationKind]
    )
    able = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=workspace))
    with Editor(capabilities=able) as other:
        other.folders(added=[tmp_path])
        assert not change(other, SEVERAL)["applied"]
        assert not other.applied
        [question] = other.questions
        assert question.message == (
            "FastEdit: edit src/app.py, create src/new.py, delete old.py and edit and rename src/util.py to "
            "src/tools.py?"
        )
        other.answer = "Apply"
        assert change(other, SEVERAL)["applied"]
        assert other.applied[0].edit.change_annotations is None
    assert not (folder / "old.py").exists()


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        (None, "does not support edits of several files"),
        (types.WorkspaceEditClientCapabilities(document_changes=True), "cannot create files"),
    ],
)
def test_an_editor_that_cannot_do_it_is_told_the_way_out(tmp_path, edits, said):
    able = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=edits))
    with Editor(capabilities=able) as editor:
        editor.folders(added=[tmp_path])
        with pytest.raises(JsonRpcException, match=rf"{said}.*`fastedit apply`"):
            change(editor, "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch\n")
    assert not list(tmp_path.iterdir())


def test_one_hunk_without_a_place_refuses_the_whole_change_and_is_told_with_the_nearest_lines(editor, folder):
    message = search_replace("src/app.py", 'name = "app"', 'name = "x"')
    message += search_replace("src/util.py", "a = 1\nb = 3", "a = 2")
    message += search_replace("missing.py", "x", "y")
    with pytest.raises(JsonRpcException) as refused:
        change(editor, message)
    said = str(refused.value)
    assert "nothing was changed: src/util.py: hunk 1: its old text is not in the file" in said
    assert "line 2 is `b = 1` where it has `b = 3`" in said
    assert "missing.py: no such file" in said
    assert not editor.applied
    editor.wait_for(lambda: editor.log)
    assert editor.log[0].splitlines()[1:] == ["    1 | a = 1", "    2 | b = 1"]


def test_an_edit_of_one_open_file_is_applied_as_any_other_and_taken_back(editor, folder):
    app = (folder / "src" / "app.py").as_uri()
    editor.open(app, APP)
    assert change(editor, search_replace("src/app.py", "print(name)", "print(name, 1)"))["applied"]
    assert editor.text(app) == 'name = "app"\nprint(name, 1)\n'
    assert not editor.applied[0].edit.change_annotations["fastedit"].needs_confirmation
    editor.command("fastedit.undo", app)
    assert editor.text(app) == APP


@pytest.mark.parametrize(
    "message",
    [
        search_replace("src/app.py", 'name = "app"', 'name = "x"'),
        '--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,2 @@\n-name = "app"\n+name = "x"\n print(name)\n',
        json.dumps({"path": "src/app.py", "old_str": '"app"', "new_str": '"x"'}),
        '*** Begin Patch\n*** Update File: src/app.py\n-name = "app"\n+name = "x"\n*** End Patch\n',
        'src/app.py\n```python\nname = "x"\n# ... existing code ...\n```\n',
    ],
)
def test_a_client_with_a_review_is_told_the_file_and_gets_its_hunks_from_an_edit(editor, folder, message):
    app = (folder / "src" / "app.py").as_uri()
    answer = change(editor, message, review=True)
    assert answer == {"status": None, "applied": False, "review": app}
    editor.open(app, APP)
    outcome = editor.edit(app, update=message)
    assert outcome["status"] == "ok"
    assert outcome["hunks"] == [{"start": 0, "stop": 1, "lines": ['name = "x"']}]
    assert not editor.applied


def test_an_edit_that_names_no_file_is_for_the_one_in_front(editor, folder, uri):
    editor.open(uri, SOURCE)
    assert change(editor, SKETCH, uri=uri, review=True)["review"] == uri
    assert change(editor, SKETCH, uri=uri)["applied"]
    assert editor.text(uri) == WANTED
    with pytest.raises(JsonRpcException, match="names no file; open the file that it is for"):
        change(editor, SKETCH)


def test_an_untitled_buffer_in_front_takes_an_edit_too(editor):
    editor.open("untitled:Untitled-1", SOURCE)
    answer = change(editor, SKETCH, uri="untitled:Untitled-1", review=True)
    assert answer["review"] == "untitled:Untitled-1"


def test_a_short_path_that_leads_nowhere_means_the_file_in_front_if_it_ends_with_it(editor, folder):
    app = (folder / "src" / "app.py").as_uri()
    editor.open(app, APP)
    short = search_replace("app.py", 'name = "app"', 'name = "x"')
    assert change(editor, short, uri=app, review=True)["review"] == app
    with pytest.raises(JsonRpcException, match=r"app\.py: no such file"):
        change(editor, short)


def test_a_whole_path_within_the_workspace_is_taken_and_one_outside_is_refused(
    editor, folder, tmp_path_factory
):
    inside = search_replace(str(folder / "src" / "app.py"), 'name = "app"', 'name = "x"')
    assert change(editor, inside, review=True)["review"] == (folder / "src" / "app.py").as_uri()
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.py").write_text("x = 1\n")
    for path in (str(outside / "a.py"), "../a.py"):
        with pytest.raises(JsonRpcException, match=r"write (it|the path) from the root"):
            change(editor, search_replace(path, "x = 1", "x = 2"))
    (folder / "link").symlink_to(outside)
    with pytest.raises(JsonRpcException, match="by a symbolic link"):
        change(editor, search_replace("link/a.py", "x = 1", "x = 2"))
    assert not editor.applied


def test_of_two_folders_that_have_the_file_neither_is_taken_until_the_path_says_which(editor, folder):
    other = folder / "src"
    (other / "src").mkdir()
    (other / "src" / "app.py").write_text(APP)
    editor.folders(added=[other])
    try:
        with pytest.raises(JsonRpcException, match="write the whole path"):
            change(editor, search_replace("src/app.py", 'name = "app"', 'name = "x"'), review=True)
        whole = search_replace(str(folder / "src" / "app.py"), 'name = "app"', 'name = "x"')
        assert change(editor, whole, review=True)["review"] == (folder / "src" / "app.py").as_uri()
        new = "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** End Patch\n"
        with pytest.raises(JsonRpcException, match="several folders are open"):
            change(editor, new)
        (folder / "old.py").write_text("")
        assert change(editor, new, uri=(folder / "old.py").as_uri())["applied"]
        assert (folder / "new.py").exists()
    finally:
        editor.folders(removed=[other])


def test_of_two_folders_the_one_of_the_file_in_front_is_meant_or_the_one_that_the_path_begins_with(
    editor, folder, tmp_path_factory
):
    other = tmp_path_factory.mktemp("other")
    (other / "src").mkdir()
    (other / "src" / "app.py").write_text(APP)
    editor.folders(added=[other])
    try:
        short = search_replace("src/app.py", 'name = "app"', 'name = "x"')
        named = search_replace(f"{other.name}/src/app.py", 'name = "app"', 'name = "x"')
        meant = (other / "src" / "app.py").as_uri()
        assert change(editor, short, uri=meant, review=True)["review"] == meant
        assert change(editor, named, review=True)["review"] == meant
    finally:
        editor.folders(removed=[other])


def test_without_a_folder_paths_start_from_the_folder_of_the_file_in_front(editor, tmp_path):
    (tmp_path / "a.py").write_text(APP)
    (tmp_path / "b.py").write_text(UTIL)
    front = (tmp_path / "a.py").as_uri()
    editor.open(front, APP)
    message = search_replace("b.py", "a = 1", "a = 2")
    assert change(editor, message, uri=front, review=True)["review"] == (tmp_path / "b.py").as_uri()
    with pytest.raises(JsonRpcException, match="no folder is open"):
        change(editor, message)


def test_a_change_that_the_checks_hold_back_is_applied_only_if_the_person_says_so(editor, folder):
    message = search_replace("src/util.py", "a = 1", "a = 2") + unclear(folder)
    assert not change(editor, message)["applied"]
    [question] = editor.questions
    assert "suspect, nothing was changed: twice.py:" in question.message
    assert not editor.applied
    editor.answer = "Apply anyway"
    assert change(editor, message) == {"status": "suspect", "applied": True, "review": None}
    assert kinds(editor) == ["edit util.py", "edit twice.py"]


def test_what_is_typed_while_the_question_stands_refuses_the_change(editor, folder):
    util = (folder / "src" / "util.py").as_uri()
    editor.open(util, UTIL)
    message = search_replace("src/util.py", "a = 1", "a = 2") + unclear(folder)

    def late(question: types.ShowMessageRequestParams) -> types.MessageActionItem:
        editor.type(util, 0, 0, "# typed\n")
        return types.MessageActionItem("Apply anyway")

    editor.asked = late
    with pytest.raises(JsonRpcException, match=r"util\.py: was edited meanwhile; nothing was changed"):
        change(editor, message)
    assert not editor.applied


def test_a_person_who_discards_the_preview_is_told_that_nothing_was_applied(editor, folder, monkeypatch):
    monkeypatch.setattr(editor, "apply", lambda edit: False)
    assert not change(editor, SEVERAL)["applied"]
    assert editor.messages == [
        "FastEdit: the change was not applied; in a preview, tick the files that you want"
    ]


def test_a_file_named_in_two_ways_is_refused(editor, folder):
    (folder / "other.py").symlink_to(folder / "old.py")
    editor.open((folder / "old.py").as_uri(), "gone = True\n")
    message = search_replace("old.py", "gone = True", "gone = 1")
    message += search_replace("other.py", "gone = True", "gone = 2")
    with pytest.raises(JsonRpcException, match="is the same file as"):
        change(editor, message)


def test_line_ends_and_the_encoding_of_files_that_are_not_open_stay(editor, folder):
    util = folder / "src" / "util.py"
    util.write_bytes("# coding: latin-1\r\na = 'ä'\r\nb = 1\r\n".encode("latin-1"))
    message = search_replace("src/util.py", "b = 1", "b = 2\nc = 3") + search_replace(
        "old.py", "gone = True", "gone = 1"
    )
    edits = []
    editor.apply = lambda edit: edits.append(edit) or True
    try:
        assert change(editor, message)["applied"]
    finally:
        del editor.apply
    [one] = edits[0].document_changes[0].edits
    assert one.new_text == "b = 2\r\nc = 3\r\n"
    assert one.range.start == types.Position(2, 0)


def test_files_that_take_each_others_names_are_refused_and_a_name_that_gets_free_is_taken(editor, folder):
    begin, end = "*** Begin Patch\n", "*** End Patch\n"
    delete = "*** Delete File: src/app.py\n"
    move = "*** Update File: old.py\n*** Move to: src/app.py\n@@\n-gone = True\n+gone = 1\n"
    change(editor, begin + delete + move + end)
    assert kinds(editor) == ["delete app.py", "edit old.py", "rename old.py"]


def test_a_new_file_that_should_be_executable_is_told(editor, folder):
    diff = (
        "diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n"
        "@@ -0,0 +1,1 @@\n+echo\n"
    )
    assert change(editor, diff)["applied"]
    assert editor.messages == ["FastEdit: to be executable; run chmod +x run.sh"]


def test_files_that_are_as_they_should_be_already_are_left_alone(editor, folder):
    message = search_replace("src/app.py", 'name = "the old name"', 'name = "app"\nprint(name)')
    message += search_replace("src/util.py", "a = the_old_value", "a = 1\nb = 1")
    answer = change(editor, message)
    assert (answer["status"], answer["applied"]) == ("unchanged", False)
    assert "nothing changed" in editor.messages[0]


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({}, "message is empty"),
        ({"message": " \n"}, "message is empty"),
        ({"message": "x", "text": "y"}, "'text' is not a field of a change"),
        ({"message": 3}, "message must be a string"),
        ({"message": "I changed the file as you asked."}, "names no file"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused_by_name(editor, argument, said):
    with pytest.raises(JsonRpcException, match=said):
        editor.execute({"command": "fastedit.applyChange", "arguments": [argument]})


def test_a_sketch_among_several_files_is_merged_on_the_server_that_edits_run_on(folder, editor, tmp_path):
    """With an address where nothing listens, only what needs no backend is worked out."""
    (folder / "settings.py").write_text(SOURCE)
    sketch = f"settings.py\n```python\n{SKETCH}```\n"
    with Editor("--server", "http://127.0.0.1:9", capabilities=ALL) as remote:
        remote.folders(added=[tmp_path])
        with pytest.raises(JsonRpcException, match=r"127\.0\.0\.1:9"):
            change(remote, sketch + search_replace("old.py", "gone = True", "gone = 1"))
        assert not remote.applied
        assert change(remote, SEVERAL)["applied"]
    editor.forget()
    assert change(editor, sketch + search_replace("src/app.py", "print(name)", "print(name, 1)"))["applied"]
    assert editor.text((folder / "settings.py").as_uri()) == WANTED
