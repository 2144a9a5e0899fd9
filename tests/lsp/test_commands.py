"""Commands and code actions over stdio, as editors without a client of ours use them."""

from __future__ import annotations

import re

import pytest
from fastedit_lsp.settings import ClientSettings
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

from fastedit.errors import UsageError
from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK, UPDATE
from tests.engine.test_engine import SKETCH, SOURCE, WANTED
from tests.lsp.editor import Editor

START = types.Position(0, 0)
TWICE = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"


def test_apply_puts_the_result_into_the_buffer_as_one_annotated_edit(editor, uri):
    editor.open(uri, SOURCE)
    answer = editor.command("fastedit.apply", uri, update=SKETCH)
    assert (answer["status"], answer["applied"]) == ("ok", True)
    assert editor.text(uri) == WANTED
    [params] = editor.applied
    assert params.edit.change_annotations["fastedit"].label == "FastEdit: apply the update"
    assert [value["kind"] for _, value in editor.progress] == ["begin", "report", "end"]


def test_undo_takes_the_edit_back_around_what_was_typed_since(editor, uri):
    editor.open(uri, SOURCE)
    editor.command("fastedit.apply", uri, update=SKETCH)
    editor.type(uri, 0, 0, "# typed\n")
    # With a position beside the document, as Sublime Text can say it.
    assert editor.command("fastedit.undo", uri, position={"line": 0, "character": 0})["applied"]
    assert editor.text(uri) == "# typed\n" + SOURCE
    with pytest.raises(JsonRpcException, match="no edit by fastedit left to undo"):
        editor.command("fastedit.undo", uri)


@pytest.mark.parametrize("beside", [0, 1])
def test_undo_keeps_what_was_typed_right_above_and_below(editor, uri, beside):
    editor.open(uri, SOURCE)
    editor.command("fastedit.apply", uri, update=SKETCH)
    line = '    merged.pop("version", None)\n'
    at = WANTED.index(line) + beside * len(line)
    editor.type(uri, at, at, "    # typed\n")
    assert editor.command("fastedit.undo", uri)["applied"]
    assert editor.text(uri) == (WANTED[:at] + "    # typed\n" + WANTED[at:]).replace(line, "")


def test_undo_of_lines_that_changed_since_is_refused_and_loses_nothing(editor, uri):
    editor.open(uri, SOURCE)
    editor.command("fastedit.apply", uri, update=SKETCH)
    at = WANTED.index("version")
    editor.type(uri, at, at, "my ")
    with pytest.raises(JsonRpcException, match="changed after the edit"):
        editor.command("fastedit.undo", uri)
    assert '"my version"' in editor.text(uri)


def test_what_was_done_to_a_buffer_is_forgotten_when_it_is_closed(editor, uri):
    editor.open(uri, SOURCE)
    editor.command("fastedit.apply", uri, update=SKETCH)
    editor.close(uri)
    editor.open(uri, WANTED)
    with pytest.raises(JsonRpcException, match="no edit by fastedit left to undo"):
        editor.command("fastedit.undo", uri)


def test_an_edit_that_meets_typing_on_its_way_to_the_editor_is_made_again_for_the_new_version(editor, uri):
    editor.open(uri, SOURCE)

    def type_once() -> None:
        editor.before_applying = lambda: None
        editor.type(uri, 0, 0, "# typed\n")

    editor.before_applying = type_once
    assert editor.command("fastedit.apply", uri, update=SKETCH)["applied"]
    assert editor.text(uri) == "# typed\n" + WANTED
    assert [p.edit.document_changes[0].text_document.version for p in editor.applied] == [1, 2]


def test_an_editor_that_never_takes_the_edit_is_told_and_keeps_its_text(editor, uri):
    editor.open(uri, SOURCE)
    editor.before_applying = lambda: editor.type(uri, 0, 0, "\n")
    with pytest.raises(JsonRpcException, match="did not take the edit"):
        editor.command("fastedit.apply", uri, update=SKETCH)
    assert editor.text(uri).lstrip("\n") == SOURCE


@pytest.mark.parametrize("answer", [None, "Discard", "Apply anyway"])
def test_a_suspect_result_is_applied_only_if_the_person_says_so(editor, uri, answer):
    editor.open(uri, TWICE)
    editor.answer = answer
    done = editor.command("fastedit.apply", uri, update="x = 2\n    return x", policy="merge")
    [question] = editor.questions
    assert "suspect, nothing was changed" in question.message
    assert done["applied"] == (answer == "Apply anyway")
    assert (editor.text(uri) == TWICE) != done["applied"]


def take(question: types.ShowMessageRequestParams) -> list[str]:
    """The titles of the readings that are offered."""
    return [item.title for item in question.actions if item.title.startswith("Take reading")]


def test_a_person_who_is_asked_may_take_another_reading(editor, uri):
    editor.open(uri, CACHES)

    def other(question: types.ShowMessageRequestParams) -> types.MessageActionItem:
        editor.questions.append(question)
        return types.MessageActionItem(take(question)[0])

    editor.asked = other
    done = editor.command("fastedit.apply", uri, update=UPDATE)
    assert (done["status"], done["applied"]) == ("ok", True)
    [question] = editor.questions
    assert "sure (reading 2: " in question.message
    assert len(take(question)) == 1
    taken = editor.text(uri)
    assert taken in (IN_MEMORY, ON_DISK)
    editor.command("fastedit.undo", uri)
    editor.asked, editor.answer = editor._answered, "Apply anyway"
    assert editor.command("fastedit.apply", uri, update=UPDATE)["applied"]
    assert {taken, editor.text(uri)} == {IN_MEMORY, ON_DISK}


def test_a_reading_is_taken_around_what_was_typed_while_the_question_stood(editor, uri):
    editor.open(uri, CACHES)

    def late(question: types.ShowMessageRequestParams) -> types.MessageActionItem:
        editor.type(uri, 0, 0, "# typed\n")
        return types.MessageActionItem(take(question)[0])

    editor.asked = late
    assert editor.command("fastedit.apply", uri, update=UPDATE)["applied"]
    assert editor.text(uri) in (f"# typed\n{IN_MEMORY}", f"# typed\n{ON_DISK}")


def readings(editor: Editor, uri: str) -> list[dict]:
    """The code actions that take another reading."""
    return [action for action in editor.actions(uri, START, START) if "reading" in action["title"]]


def test_readings_of_an_update_that_was_held_back_stay_code_actions_until_the_text_changes(editor, uri):
    editor.open(uri, CACHES)
    assert not editor.command("fastedit.apply", uri, update=UPDATE)["applied"]
    [action] = readings(editor, uri)
    assert re.fullmatch(r"FastEdit: Take reading 2 \(\d+ %\)", action["title"])
    assert editor.execute(action["command"])["applied"]
    assert editor.text(uri) in (IN_MEMORY, ON_DISK)
    assert not readings(editor, uri)
    editor.command("fastedit.undo", uri)
    assert not editor.command("fastedit.apply", uri, update=UPDATE)["applied"]
    editor.type(uri, 0, 0, "# typed\n")
    assert not readings(editor, uri)


@pytest.mark.parametrize("title", ["Apply anyway", "Take reading 2"])
def test_an_editor_that_cannot_ask_is_told_and_offers_what_was_held_back_as_code_actions(editor, uri, title):
    editor.open(uri, CACHES)

    def unknown(question: types.ShowMessageRequestParams) -> None:
        raise JsonRpcMethodNotFound

    editor.asked = unknown
    assert not editor.command("fastedit.apply", uri, update=UPDATE)["applied"]
    assert editor.text(uri) == CACHES
    [message] = editor.messages
    assert "suspect, nothing was changed" in message
    assert message.endswith("the code actions of the file take it or another reading")
    actions = {action["title"]: action for action in editor.actions(uri, START, START)}
    [taken] = [action for name, action in actions.items() if name.startswith(f"FastEdit: {title}")]
    assert editor.execute(taken["command"])["applied"]
    assert editor.text(uri) in (IN_MEMORY, ON_DISK)


def test_a_final_newline_that_an_edit_takes_away_goes_and_comes_back(editor, uri):
    before = "a = 1\nb = 2\n"
    head = "@@ -1,2 +1,2 @@\n a = 1\n"
    for new, wanted in (("b = 3", "a = 1\nb = 3"), ("b = 2", "a = 1\nb = 2")):
        editor.open(uri, before)
        diff = f"{head}-b = 2\n+{new}\n\\ No newline at end of file\n"
        assert editor.edit(uri, update=diff)["dropsFinalNewline"]
        assert editor.command("fastedit.apply", uri, update=diff)["applied"]
        assert editor.text(uri) == wanted
        editor.command("fastedit.undo", uri)
        assert editor.text(uri) == before
        editor.close(uri)


def test_nothing_to_change_is_said_and_nothing_is_applied(editor, uri):
    editor.open(uri, SOURCE)
    assert not editor.command("fastedit.apply", uri, update=SOURCE)["applied"]
    assert not editor.applied
    assert "nothing changed" in editor.messages[0]


def test_apply_selection_needs_a_range(editor, uri):
    editor.open(uri, SOURCE)
    with pytest.raises(JsonRpcException, match="needs a range"):
        editor.command("fastedit.applySelection", uri, update=SKETCH)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert editor.command("fastedit.applySelection", uri, update=SKETCH, range=everything)["applied"]
    assert editor.text(uri) == WANTED


def test_a_comment_that_asks_for_an_edit_is_offered(editor, uri):
    text = SOURCE.replace("def merge", "  # fastedit: delete the function merge\ndef merge")
    editor.open(uri, text)
    line = text[: text.index("  # fastedit")].count("\n")
    [action] = editor.actions(uri, types.Position(line, 4), types.Position(line, 4))
    assert action["title"] == "FastEdit: Apply edit from comment: delete the function merge"
    assert action["kind"] == types.CodeActionKind.RefactorRewrite
    assert not editor.actions(uri, START, START)
    [wish] = action["command"]["arguments"]
    assert (wish["instruction"], wish["remove"]) == (
        "delete the function merge",
        {"start": line, "stop": line + 1},
    )


def test_a_selected_sketch_is_merged_into_the_rest_and_goes_away(editor, uri):
    editor.open(uri, SOURCE + SKETCH)
    end = types.Position(len((SOURCE + SKETCH).split("\n")), 0)
    [action] = editor.actions(uri, types.Position(SOURCE.count("\n"), 0), end)
    assert action["title"] == "FastEdit: Apply update from selection"
    assert editor.execute(action["command"])["applied"]
    assert editor.text(uri) == WANTED
    editor.command("fastedit.undo", uri)
    assert editor.text(uri) == SOURCE + SKETCH


@pytest.mark.parametrize(
    "edit",
    [
        "<<<<<<< SEARCH\nb = 2\n=======\nb = 3\n>>>>>>> REPLACE\n",
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n",
    ],
)
def test_a_selected_diff_or_block_is_made_and_goes_away(editor, edit):
    uri, text = "file:///work/a.py", "a = 1\nb = 2\n"
    editor.open(uri, text + edit)
    [action] = editor.actions(uri, types.Position(2, 0), types.Position(2 + edit.count("\n"), 0))
    assert action["title"] == "FastEdit: Apply update from selection"
    assert editor.execute(action["command"])["applied"]
    assert editor.text(uri) == "a = 1\nb = 3\n"


ONE, OTHER = (f"class {name}:\n    def load(self):\n        return 1\n" for name in "AB")


@pytest.mark.parametrize("first", [True, False])
def test_a_selected_sketch_changes_the_class_that_it_stands_in(editor, uri, first):
    sketch = "    def load(self):\n        # ... existing code ...\n        return 2\n"
    parts = [ONE, "\n\n", OTHER]
    parts.insert(1 if first else 3, sketch)
    editor.open(uri, "".join(parts))
    start = "".join(parts[: 1 if first else 3]).count("\n")
    [action] = editor.actions(uri, types.Position(start, 0), types.Position(start + 3, 0))
    assert editor.execute(action["command"])["applied"]
    changed = [
        text.replace("return 1", "return 2") if (text == ONE) == first else text for text in (ONE, OTHER)
    ]
    assert editor.text(uri) == "\n\n".join(changed)


def test_a_file_that_is_not_open_is_edited_through_the_editor(editor, uri, tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(SOURCE.replace("\n", "\r\n").encode())
    editor.before_applying = lambda: editor.open(path.as_uri(), path.read_bytes().decode())
    editor.command("fastedit.apply", path.as_uri(), update=SKETCH)
    assert editor.text(path.as_uri()) == WANTED.replace("\n", "\r\n")
    assert path.read_bytes().decode() == SOURCE.replace("\n", "\r\n")


@pytest.mark.parametrize(("kept", "said"), [(True, "was closed while the edit ran"), (False, "no such file")])
def test_a_file_closed_or_deleted_under_way_is_told_and_nothing_is_written(editor, tmp_path, kept, said):
    path = tmp_path / "a.py"
    path.write_text(TWICE)
    editor.open(path.as_uri(), TWICE)

    def gone(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
        editor.close(path.as_uri())
        if not kept:
            path.unlink()
        return types.MessageActionItem("Apply anyway")

    editor.asked = gone
    with pytest.raises(JsonRpcException, match=said):
        editor.command("fastedit.apply", path.as_uri(), update="x = 2\n    return x", policy="merge")
    assert not editor.applied
    assert path.exists() == kept


def test_an_unknown_command_is_refused_by_name(editor, uri):
    with pytest.raises(JsonRpcException, match=r"there are fastedit\.apply"):
        editor.execute({"command": "fastedit.nope", "arguments": []})


def test_options_that_make_no_sense_are_said_and_ignored(uri):
    with Editor(options={"modle": "x"}) as editor:
        editor.wait_for(lambda: editor.messages)
        assert "unknown option 'modle'" in editor.messages[0]
        editor.open(uri, SOURCE)
        assert editor.command("fastedit.apply", uri, update=SKETCH)["applied"]


def test_a_value_that_an_option_does_not_take_is_refused():
    with pytest.raises(UsageError, match="choose one of"):
        ClientSettings().updated({"policy": "best"})
