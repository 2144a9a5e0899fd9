"""`fastedit/edit` over stdio: what streams, what comes back, what is refused."""

from __future__ import annotations

import hashlib

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter

from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK
from tests.cli.caches import UPDATE as TWICE
from tests.engine.test_engine import SKETCH, SOURCE, WANTED
from tests.lsp.editor import ALL, Editor

# The copying model follows no instruction, so an edit that it decides is suspect, and long enough to be met.
COPIED = {"instruction": "rename merged to joined", "policy": "model"}


def applied(editor, uri, edit) -> str:
    structured = default_converter().structure(edit, types.WorkspaceEdit)
    assert editor.apply(structured)
    return editor.text(uri)


def test_hunks_stream_on_the_callers_token_and_the_answer_is_one_versioned_edit(editor, uri):
    editor.open(uri, SOURCE)
    answer = editor.edit(uri, update=SKETCH, partialResultToken="hunks")
    [located] = editor.streamed("hunks", "located")
    assert located["base"] == {"version": 1, "sha256": hashlib.sha256(SOURCE.encode()).hexdigest()}
    streamed = [value["hunk"] for value in editor.streamed("hunks", "hunk")]
    assert streamed == answer["hunks"]
    places = [{"start": hunk["start"], "stop": hunk["stop"], "reason": "as shown"} for hunk in streamed]
    assert located["regions"] == places
    assert (answer["status"], answer["version"]) == ("ok", 1)
    assert answer["edit"]["documentChanges"][0]["textDocument"]["version"] == 1
    assert applied(editor, uri, answer["edit"]) == WANTED


def test_a_file_that_is_not_open_gets_an_edit_too(editor, tmp_path):
    file = tmp_path / "closed.py"
    file.write_text(SOURCE)
    answer = editor.edit(file.as_uri(), update=SKETCH)
    assert (answer["status"], answer["version"], answer["conflicts"]) == ("ok", None, [])
    editor.open(file.as_uri(), SOURCE)
    assert applied(editor, file.as_uri(), answer["edit"]) == WANTED


def test_progress_tells_tokens_and_speed_and_ends_with_the_number_of_hunks(editor, uri):
    editor.open(uri, SOURCE)
    editor.edit(uri, **COPIED, partialResultToken="hunks", workDoneToken="work")
    counts = [value["outputTokens"] for value in editor.streamed("hunks", "progress")]
    assert counts == sorted(counts)
    assert counts[-1] > 0
    shown = [value for token, value in editor.progress if token == "work"]
    assert (shown[0]["kind"], shown[0]["cancellable"]) == ("begin", True)
    assert any("tokens/s" in value.get("message", "") for value in shown)
    assert shown[-1]["kind"] == "end"


def test_a_suspect_result_comes_without_an_edit_unless_the_caller_insists(editor, uri):
    editor.open(uri, "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n")
    wish = {"update": "x = 2\n    return x", "policy": "merge"}
    answer = editor.edit(uri, **wish)
    assert (answer["status"], answer["edit"]) == ("suspect", None)
    assert answer["reasons"]
    assert answer["hunks"]
    forced = editor.edit(uri, **wish, force=True)
    assert forced["status"] == "suspect"
    assert "x = 2" in applied(editor, uri, forced["edit"])


def test_an_ignored_rule_holds_nothing_back(editor, tmp_path):
    uri = (tmp_path / "a.cfg").as_uri()
    editor.open(uri, "x = 1\ny = 2\n", "plaintext")
    wish = {"update": "x = 1\n>>>>>>> theirs\ny = 2\n", "policy": "merge"}
    assert editor.edit(uri, **wish)["status"] == "suspect"
    assert editor.edit(uri, **wish, ignore=["FE104"])["status"] == "ok"


def test_each_reading_of_an_update_comes_with_its_number_and_is_had_by_it(editor, uri):
    editor.open(uri, CACHES)
    answer = editor.edit(uri, update=TWICE)
    assert (answer["status"], answer["edit"]) == ("suspect", None)
    [other] = answer["alternatives"]
    assert (other["number"], other["line"]) == (2, 3)
    assert 0 < other["posterior"] < 1
    chosen = editor.edit(uri, update=TWICE, choice=2, timeLimit=2.5)
    assert (chosen["status"], chosen["hunks"]) == ("ok", other["hunks"])
    assert [one["number"] for one in chosen["alternatives"]] == [1]
    assert applied(editor, uri, chosen["edit"]) in (IN_MEMORY, ON_DISK)


def test_readings_of_a_sketch_in_the_buffer_take_it_out_too(editor, uri):
    editor.open(uri, TWICE + CACHES)
    lines = TWICE.count("\n")
    answer = editor.edit(uri, update=TWICE, remove={"start": 0, "stop": lines})
    [other] = answer["alternatives"]
    for hunks in (answer["hunks"], other["hunks"]):
        assert hunks[0] == {"start": 0, "stop": lines, "lines": []}
    assert other["line"] == 3


def test_a_request_about_another_version_is_sent_back(editor, uri):
    editor.open(uri, SOURCE)
    editor.type(uri, 0, 0, "\n")
    with pytest.raises(JsonRpcException, match="is at version 2, the request is about 1") as error:
        editor.edit(uri, update=SKETCH, version=1)
    assert error.value.code == types.LSPErrorCodes.ContentModified.value


def test_a_cancelled_edit_says_so_and_the_next_one_works(editor, uri):
    editor.open(uri, SOURCE)
    running = editor.start(uri, **COPIED, partialResultToken="hunks")
    editor.wait_for(lambda: editor.streamed("hunks", "located"))
    editor.cancel(running)
    with pytest.raises(JsonRpcException) as error:
        editor.wait(running)
    assert error.value.code == types.LSPErrorCodes.RequestCancelled.value
    assert editor.edit(uri, update=SKETCH)["status"] == "ok"
    assert editor.text(uri) == SOURCE


def test_the_progress_bars_own_cancel_cancels_too(editor, uri):
    editor.open(uri, SOURCE)
    for attempt in range(20):  # an edit may be done before its cancellation arrives
        token = f"bar {attempt}"
        running = editor.start(uri, **COPIED, workDoneToken=token)
        editor.wait_for(lambda token=token: any(name == token for name, _ in editor.progress))
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        try:
            editor.wait(running)
        except JsonRpcException as error:
            code = error.code
            break
    else:
        pytest.fail("no cancellation came in time")
    assert code == types.LSPErrorCodes.RequestCancelled.value


def test_a_selection_narrows_where_the_edit_lands(editor, uri):
    editor.open(uri, "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n")
    range_ = {"start": {"line": 5, "character": 0}, "end": {"line": 8, "character": 0}}
    editor.edit(uri, update="x = 2\n    return x", range=range_, policy="merge", partialResultToken="hunks")
    [located] = editor.streamed("hunks", "located")
    assert all(5 <= region["start"] <= region["stop"] <= 8 for region in located["regions"])
    assert all(5 <= value["hunk"]["start"] <= 8 for value in editor.streamed("hunks", "hunk"))


def test_line_ends_and_characters_of_any_width_stay_where_they_were(copier):
    text = 'a = "😋"\r\nb = "\f\u2028"\r\ndef f():\n    return 1\r\n\r\n\r\ndef g():\r    return 2'
    for encoding in ("utf-8", "utf-16"):
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=[encoding]), workspace=ALL.workspace
        )
        with Editor("--model", copier.model, capabilities=capabilities) as editor:
            assert editor.encoding == encoding
            editor.open("untitled:1", text)
            editor.type("untitled:1", 5, 6, "é😋")
            answer = editor.edit("untitled:1", update="# ...\ndef g():\n    return '😋'\n", policy="merge")
            wanted = text.replace("😋", "é😋", 1).replace("return 2", "return '😋'")
            assert applied(editor, "untitled:1", answer["edit"]) == wanted


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({}, "give instruction, update or operations"),
        ({"operations": []}, "give instruction, update or operations"),
        ({"instrction": "go"}, "'instrction' is not a field of an edit; there are textDocument, instruction"),
        ({"instruction": 7}, "instruction must be a string"),
        ({"instruction": "go", "policy": "best"}, "choose one of model, merge, auto"),
        ({"instruction": "go", "range": {"start": 1}}, "range.start must be an object"),
        (
            {
                "update": "x",
                "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 31, "character": 0}},
            },
            "line must be a whole number from 0 to 2147483647",
        ),
        ({"update": "x", "remove": {"start": 3, "stop": 99}}, "does not fit"),
        ({"update": "x", "remove": [3, 9]}, "remove must be an object"),
        ({"update": "x", "workDoneToken": {}}, "workDoneToken must be a string or a whole number"),
        ({"update": "x", "partialResultToken": []}, "partialResultToken must be a string or a whole number"),
        ({"instruction": "go", "version": "1"}, "version must be a whole number"),
        ({"update": "x", "choice": "2"}, "choice must be a whole number"),
        ({"update": SKETCH, "choice": 9}, "there is no reading 9"),
        ({"update": "x", "ignore": "FE104"}, "ignore must be a list of codes"),
        ({"update": "x", "ignore": ["FE101"]}, "cannot be ignored"),
        ({"update": "x", "timeLimit": "2"}, "timeLimit must be a number of seconds"),
        ({"update": "x", "timeLimit": 0}, "must be above 0 seconds"),
    ],
)
def test_a_wish_that_says_nothing_or_nonsense_is_refused_by_name(editor, uri, wish, said):
    editor.open(uri, SOURCE)
    with pytest.raises(JsonRpcException, match=said) as error:
        editor.edit(uri, **wish)
    assert error.value.code == -32602
    assert error.value.data["code"] == "usage"


def test_a_missing_model_is_named_and_the_server_lives_on(uri):
    with Editor("--model", "no/such/model") as editor:
        editor.open(uri, SOURCE)
        with pytest.raises(JsonRpcException, match="no/such/model") as error:
            editor.edit(uri, **COPIED)
        assert error.value.data["code"] == "model_unavailable"
        assert editor.edit(uri, update=SKETCH)["status"] == "ok"
