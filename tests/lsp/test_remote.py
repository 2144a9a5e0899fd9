"""Edits on a real server on loopback, through the language server over stdio."""

from __future__ import annotations

import asyncio

import pytest
from fastedit_lsp import ClientSettings
from fastedit_lsp.remote import RemoteBackend
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fastedit import Document, EditRequest, EditResult
from fastedit.errors import ModelUnavailable
from tests.cli.caches import CACHES, UPDATE
from tests.connect.fake import answering
from tests.lsp.editor import Editor
from tests.serve.conftest import LONG, MERGED, SKETCH, SOURCE, serving

URI = "file:///work/a.py"


@pytest.fixture(scope="module")
def server(copier):
    with serving(copier) as running:
        yield running


@pytest.fixture(scope="module")
def editor(server):
    with Editor(options={"serverUrl": server.url}) as editor:
        yield editor


def test_hunks_come_from_the_server_as_they_would_from_here(editor):
    editor.open(URI, SOURCE.replace("import json", "import json  # \u2028 é"))
    answer = editor.edit(URI, update=SKETCH, partialResultToken="hunks")
    assert [value["hunk"] for value in editor.streamed("hunks", "hunk")] == answer["hunks"]
    assert answer["status"] == "ok"
    assert editor.command("fastedit.apply", URI, update=SKETCH)["applied"]
    assert editor.text(URI) == MERGED.replace("import json", "import json  # \u2028 é")


def test_readings_come_from_the_server_as_they_would_from_here(editor, copier):
    uri = "file:///work/caches.py"
    editor.open(uri, CACHES)
    with Editor("--model", copier.model) as local:
        local.open(uri, CACHES)
        for wish in ({}, {"choice": 2}):
            there, here = (one.edit(uri, update=UPDATE, **wish) for one in (editor, local))
            assert there["alternatives"]
            for field in ("status", "reasons", "hunks", "alternatives"):
                assert there[field] == here[field], field


def test_cancelling_here_frees_the_server(editor, server):
    editor.forget()
    editor.open(URI, LONG["content"])
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 150, "character": 0}}
    running = editor.start(
        URI, instruction=LONG["instruction"], policy="model", range=range_, partialResultToken="long"
    )
    editor.wait_for(lambda: editor.streamed("long", "located"))
    editor.cancel(running)
    with pytest.raises(JsonRpcException) as error:
        editor.wait(running)
    assert error.value.code == types.LSPErrorCodes.RequestCancelled.value
    assert editor.edit(URI, update=SKETCH, force=True)["status"]


def test_an_error_of_the_servers_has_the_code_and_the_words_that_it_has_here(editor, copier):
    said = []
    with Editor("--model", copier.model) as local:
        for one in (editor, local):
            one.open(URI, SOURCE)
            with pytest.raises(JsonRpcException) as error:
                one.edit(URI, update="zzz = 1")
            said.append((error.value.data["code"], error.value.message.removeprefix("/work/")))
    code, message = said[0]
    assert code == "anchor_not_found"
    assert message.endswith("words belong in the instruction (symbol, range, instruction)"), (
        "as the fields of `fastedit/edit` are called"
    )
    assert said[1] == said[0]


def asked(url: str, key: str = "", data: bytes = SOURCE.encode()) -> EditResult:
    """The result of a sketch sent without an editor in between."""

    async def session() -> EditResult:
        backend = RemoteBackend(ClientSettings(server_url=url, api_key=key))
        request = EditRequest(Document.from_bytes(data), update=SKETCH)
        try:
            events = [event async for event in backend.events(request)]
        finally:
            await backend.close()
        return events[-1].result

    return asyncio.run(session())


def test_the_key_opens_the_server_and_a_wrong_one_is_told(copier):
    with serving(copier, keys=("right",)) as running:
        assert asked(running.url, "right").text == MERGED
        with pytest.raises(ModelUnavailable, match="key"):
            asked(running.url, "wrong")


def test_a_file_in_another_encoding_is_edited_as_well(server):
    for encoding in ("utf-8-sig", "utf-16"):
        assert asked(server.url, data=SOURCE.encode(encoding)).text == MERGED


EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def saying(response: bytes) -> str:
    """The address of a server that answers one request with these bytes and hangs up."""
    return answering(response).removesuffix("/v1#m")


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", "not a fastedit server, or one too old"),
        (
            EVENTS + b"event: hunk\ndata: ",
            "ended before its result; nothing was changed",
        ),
        (b"", "nothing was changed"),
    ],
)
def test_a_server_that_is_none_or_dies_mid_edit_is_named(response, said):
    url = saying(response)
    with pytest.raises(ModelUnavailable, match=said) as error:
        asked(url)
    assert url in str(error.value)


@pytest.mark.parametrize(
    "sent",
    [
        b"event: hunk\ndata: {",
        b"event: hunk\ndata: 5",
        b"event: hunk",
        b"event: \xff\ndata: \xff",
        b"event: error\ndata: {}",
        b"event: progress\ndata: " + b"[" * 100_000,
        b'event: hunk\ndata: {"old": {"start": 0, "stop": 1}, "lines": [5]}',
        b'event: result\ndata: {"receipt": {}, "status": "ok", "reasons": [], "alternatives": [{"posterior": 0.5, '
        b'"hunks": [{"old": {"start": 900, "stop": 901}, "lines": []}]}]}',
        b'event: hunk\ndata: {"old": {"start": 900, "stop": 901}, "lines": []}\n\n'
        b'event: result\ndata: {"receipt": {}, "alternatives": [], "status": "ok", "reasons": []}',
    ],
)
def test_garbage_from_a_server_is_one_line_that_says_so(sent):
    with pytest.raises(ModelUnavailable, match="nothing was changed"):
        asked(saying(EVENTS + sent + b"\n\n"))


def test_progress_of_a_newer_server_is_understood():
    numbers = b'{"fraction": 0.5, "output_tokens": 1, "passes": 1, "tokens_per_second": 1.0, "new": 1}'
    with pytest.raises(ModelUnavailable, match="ended before its result"):
        asked(saying(EVENTS + b"event: progress\ndata: " + numbers + b"\n\n"))


def test_a_server_that_does_not_run_is_named_with_the_way_out():
    with pytest.raises(ModelUnavailable, match="start the server with `fastedit serve`"):
        asked("http://127.0.0.1:9")
