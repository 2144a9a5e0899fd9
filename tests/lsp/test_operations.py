"""Typed operations in an editor: as edits, as code actions, and as renaming."""

from __future__ import annotations

from typing import Any

import pytest
from fastedit_lsp.buffers import MAX_CHARS
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fastedit.ops import operations
from tests.lsp.editor import Editor, plain

TEXT = "import json\n\n\ndef load(path):\n    return json.load(path)\n\n\nprint(load('a'))  # load\n"
RENAME = {"op": "rename", "target": "load", "new": "read"}
METHODS = (
    "class A:\n    def load(self):\n        return 1\n\n    def twice(self, other):\n"
    "        return self.load() + other.load()\n"
)
TWICE = "# load\nclass A:\n    def load(self): ...\n\n\nclass B:\n    def load(self): ...\n"


def at(text: str, words: str, inside: int = 0) -> types.Position:
    before = text[: text.index(words) + inside]
    return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def renamed(editor: Editor, uri: str, place: types.Position, new: str) -> types.WorkspaceEdit:
    params = types.RenameParams(types.TextDocumentIdentifier(uri), place, new)
    return editor.wait(editor.send(types.TEXT_DOCUMENT_RENAME, params))


def prepared(editor: Editor, uri: str, place: types.Position) -> Any:
    params = types.PrepareRenameParams(types.TextDocumentIdentifier(uri), place)
    return editor.wait(editor.send(types.TEXT_DOCUMENT_PREPARE_RENAME, params))


def titles(editor: Editor, uri: str, place: types.Position) -> list[str]:
    return [action["title"] for action in editor.actions(uri, place, place)]


def test_operations_are_an_edit_like_any_other(editor, uri):
    editor.open(uri, TEXT)
    answer = editor.edit(uri, operations=[RENAME])
    assert (answer["status"], [hunk["start"] for hunk in answer["hunks"]]) == ("ok", [3, 7])
    assert answer["notes"] == ["comments hold `load` too (line 8); the option `comments` renames them"]
    answer = editor.edit(uri, operations=[{"op": "delete", "target": "load"}])
    assert (answer["status"], [place["line"] for place in answer["left"]]) == ("ok", [8])


def test_an_applied_operation_says_its_notes_and_is_taken_back_in_one_step(editor, uri):
    editor.open(uri, TEXT)
    assert editor.command("fastedit.apply", uri, operations=[RENAME])["applied"]
    assert "def read(path)" in editor.text(uri)
    assert editor.messages == [
        "FastEdit: comments hold `load` too (line 8); the option `comments` renames them"
    ]
    [params] = editor.applied
    assert params.label == "FastEdit: rename"
    editor.command("fastedit.undo", uri)
    assert editor.text(uri) == TEXT


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"op": "renam"}, "renam: no such operation"),
        (RENAME | {"into": "x"}, "no field `into`"),
        (RENAME | {"target": "store"}, "store: is not in this file"),
    ],
)
def test_what_is_no_operation_here_is_refused_by_name(editor, uri, said, problem):
    editor.open(uri, TEXT)
    with pytest.raises(JsonRpcException, match=problem):
        editor.edit(uri, operations=[said])


def test_the_operations_of_a_buffers_language_are_listed_with_what_stands_at_the_cursor(editor, uri):
    editor.open(uri, TEXT)
    place = {"line": 4, "character": 16}
    told = plain(editor.command("fastedit.operations", uri, position=place))
    names = [one["properties"]["op"]["const"] for one in told["operations"]]
    assert names == [operation.name for operation in operations() if "python" in operation.languages]
    assert told["suggested"] == {"target": "load@5", "function": "load@4"}
    told = plain(editor.command("fastedit.operations", uri, position={"line": 3, "character": 0}))
    assert told["suggested"] == {"target": "load@4", "function": "load@4"}


def test_a_definition_is_deleted_by_a_code_action_on_its_first_line(editor, uri):
    text = TEXT.replace("print(load('a'))  # load", "print(json)")
    editor.open(uri, text)
    [action] = editor.actions(uri, at(text, "def load"), at(text, "def load"))
    assert action["title"] == "FastEdit: Delete `load`"
    assert editor.execute(action["command"])["applied"]
    assert editor.text(uri) == "import json\n\n\nprint(json)\n"
    assert titles(editor, uri, types.Position(3, 0)) == []


def test_what_still_uses_a_deleted_method_is_told(editor, uri):
    editor.open(uri, METHODS)
    [action] = editor.actions(uri, at(METHODS, "def load"), at(METHODS, "def load"))
    assert editor.execute(action["command"])["applied"]
    [told] = editor.messages
    assert told.startswith("FastEdit: left alone: line 6: ")


def test_an_operation_that_changes_nothing_says_why(editor, uri):
    editor.open(uri, TEXT)
    drop = {"op": "set-default", "function": "load", "parameter": "path"}
    assert not editor.command("fastedit.apply", uri, operations=[drop])["applied"]
    assert editor.messages == ["FastEdit: nothing changed: `path` has no default"]


def test_operations_that_need_more_words_are_offered_to_a_client_that_asks_for_them(uri):
    with Editor(options={"asks": True}) as editor:
        editor.open(uri, TEXT)
        place = at(TEXT, "def load")
        found = {action["title"]: action["command"] for action in editor.actions(uri, place, place)}
    assert "FastEdit: Delete `load`" in found
    command = found["FastEdit: Add parameter `load`…"]
    assert command["command"] == "fastedit.operation"
    [argument] = command["arguments"]
    assert argument["op"] == "add-parameter"
    assert argument["function"] == "load@4"


def test_operations_on_classes_are_offered_for_a_class_and_those_on_functions_for_a_function(uri):
    with Editor(options={"asks": True}) as editor:
        editor.open(uri, METHODS)
        of_class, of_method = (titles(editor, uri, at(METHODS, words)) for words in ("class A", "def load"))
    assert "FastEdit: Add base `A`…" in of_class
    assert "FastEdit: Add parameter `A`…" not in of_class
    assert "FastEdit: Add parameter `A.load`…" in of_method
    assert "FastEdit: Add base `A.load`…" not in of_method
    assert not any("Set value" in title or "Annotate" in title for title in (*of_class, *of_method))


@pytest.mark.parametrize("words", ["load(path)", "load('a')"])
def test_a_name_is_renamed_from_wherever_it_stands(editor, uri, words):
    editor.open(uri, TEXT)
    place = at(TEXT, words, 2)
    assert prepared(editor, uri, place).placeholder == "load"
    editor.apply(renamed(editor, uri, place, "read"))
    assert editor.text(uri) == TEXT.replace("def load", "def read").replace("print(load", "print(read")
    assert editor.messages == [
        "FastEdit: comments hold `load` too (line 8); the option `comments` renames them"
    ]


def test_places_that_may_be_meant_too_are_told_and_the_rest_is_renamed(editor, uri):
    editor.open(uri, METHODS)
    edit = renamed(editor, uri, at(METHODS, "load"), "read")
    editor.apply(edit)
    assert "self.read() + other.load()" in editor.text(uri)
    assert not edit.change_annotations["fastedit"].needs_confirmation
    assert "left alone: line 6: " in editor.messages[-1]


@pytest.mark.parametrize(
    ("text", "words", "problem"),
    [
        (TEXT, "load(path)\n\n", "what it means here is not known"),  # the attribute of a module
        (TEXT, "# load", "no name stands"),
        (METHODS, "load()\n", "there is none, but line 2: `A.load`"),  # of an object that may be anything
        (TEXT, "def load", "def@4: is a word of python, not a name"),
        (TWICE, "load\n", "there is none, but line 3: `A.load`; line 7: `B.load`; name one"),
        ("a = 1\n", "1", "no name stands on line 1 at the cursor"),
    ],
    ids=lambda given: "",
)
def test_a_name_without_one_sure_meaning_is_not_renamed(editor, uri, text, words, problem):
    editor.open(uri, text)
    with pytest.raises(JsonRpcException, match=problem):
        prepared(editor, uri, at(text, words))
    with pytest.raises(JsonRpcException, match=problem):
        renamed(editor, uri, at(text, words), "x")


@pytest.mark.parametrize("uri", ["file:///none.py", "file://[none/a.py", f"file:///{'a' * 5000}.py"])
def test_what_is_no_file_has_no_names_and_is_said_so_in_one_line(editor, uri):
    with pytest.raises(JsonRpcException, match=r"check the path|open it first") as error:
        prepared(editor, uri, types.Position(0, 0))
    assert error.value.data["code"] == "file_unreadable"


def test_a_text_that_cannot_be_edited_has_no_actions(editor, uri):
    editor.open(uri, f"{TEXT}#{' ' * MAX_CHARS}\n")
    assert titles(editor, uri, types.Position(3, 0)) == []


@pytest.mark.parametrize(("new", "problem"), [("class", "cannot be a name"), ("json", "exists already")])
def test_a_new_name_that_cannot_be_is_refused(editor, uri, new, problem):
    editor.open(uri, TEXT)
    with pytest.raises(JsonRpcException, match=problem):
        renamed(editor, uri, at(TEXT, "load(path)"), new)


def test_a_method_is_renamed_where_it_is_called_on_self(editor, uri):
    editor.open(uri, METHODS)
    editor.apply(renamed(editor, uri, at(METHODS, "self.load", 5), "read"))
    assert editor.text(uri) == METHODS.replace("def load", "def read").replace("self.load", "self.read")


@pytest.mark.parametrize(
    ("text", "words", "inside", "after"),
    [
        ("import os\n\nos.remove('a')\n", "os", 0, "import os as x\n\nx.remove('a')\n"),
        ("def f(f):\n    return f\n", "f):", 0, "def f(x):\n    return x\n"),
        (METHODS + "\n\ndef load(): ...\n", "self.load", 5, "def x(self):\n        return 1"),
    ],
    ids=["an import", "a parameter of the name of its function", "a method of the name of a function"],
)
def test_of_several_things_of_one_name_that_at_the_cursor_is_renamed(editor, uri, text, words, inside, after):
    editor.open(uri, text)
    editor.apply(renamed(editor, uri, at(text, words, inside), "x"))
    assert after in editor.text(uri)
    assert editor.text(uri).count("def load") == text.count("def load") // 2


def test_of_several_variables_of_one_name_in_rust_that_at_the_cursor_is_renamed(editor):
    text = "fn f() -> u8 {\n    let n = 1;\n    let n = n + 1;\n    n\n}\n"
    first = text.replace("n = 1;", "m = 1;").replace("= n + 1", "= m + 1")
    second = text.replace("n = n", "m = n").replace("    n\n", "    m\n")
    for number, (words, inside, after) in enumerate(
        [("n = n", 0, second), ("n + 1", 0, first), ("    n\n", 4, second)]
    ):
        uri = f"file:///work/{number}.rs"
        editor.open(uri, text, "rust")
        editor.apply(renamed(editor, uri, at(text, words, inside), "m"))
        assert editor.text(uri) == after


def test_the_editor_says_the_language_of_a_file_whose_name_does_not(editor):
    editor.open("file:///work/tool.in", "size = 1\n")
    editor.apply(renamed(editor, "file:///work/tool.in", types.Position(0, 0), "width"))
    assert editor.text("file:///work/tool.in") == "width = 1\n"


def test_columns_are_counted_as_the_editor_counts_them(editor, uri):
    text = "size = 1\nprint('😀', size)\n"
    editor.open(uri, text)
    found = prepared(editor, uri, types.Position(1, 12))
    assert (found.range.start.character, found.range.end.character) == (12, 16)
    editor.apply(renamed(editor, uri, types.Position(1, 16), "width"))
    assert editor.text(uri) == text.replace("size", "width")
