"""What becomes of an edit while the buffer changes under it, at the moments that a client cannot choose."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from fastedit_lsp import ClientSettings, FasteditServer
from fastedit_lsp.backend import LocalBackend
from fastedit_lsp.requests import BufferRequest
from fastedit_lsp.session import BufferOutcome, run
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from fastedit import Document, EditRequest
from fastedit.engine.events import HunkReady, Located
from fastedit.source.hunks import apply_hunks
from tests.connect.fake import running, silent
from tests.engine.test_engine import SKETCH, SOURCE, WANTED
from tests.lsp.test_hunks import KNOWS_VERSIONS, applied

URI = "file:///work/a.py"


def typed(server, text, start=0, stop=0) -> None:
    """The buffer's characters `start:stop` replaced, as the client tells it."""
    buffer = server.buffers.find(URI)
    range_ = types.Range(buffer.index.position(start), buffer.index.position(stop))
    server.buffers.changed(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(buffer.version + 1, URI),
            [types.TextDocumentContentChangePartial(range_, text)],
        )
    )


def edited(meanwhile, wish=None, moment=Located) -> tuple[FasteditServer, BufferOutcome]:
    """Runs an edit; `meanwhile` is called with the server at its first event of a kind."""
    server = FasteditServer(ClientSettings())
    server.buffers.opened(types.TextDocumentItem(URI, "python", 1, SOURCE))
    moments = iter([meanwhile])

    async def session() -> BufferOutcome:
        def on_event(event, base) -> None:
            if isinstance(event, moment):
                next(moments, lambda server: None)(server)

        outcome = await run(server, wish or BufferRequest(URI, 1, update=SKETCH), on_event)
        await server.close()
        return outcome

    return server, asyncio.run(session())


async def _last(events):
    async with aclosing(events):
        async for event in events:
            last = event
    return last


def test_a_cancelled_edit_hangs_up_on_a_silent_model():
    async def session(backend: LocalBackend) -> None:
        wish = EditRequest(Document.from_text(SOURCE), "make it thread-safe")
        waiting = asyncio.create_task(_last(backend.events(wish)))
        assert await asyncio.to_thread(fake.stalled.wait, 30)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await asyncio.to_thread(fake.hung_up.wait, 30)
        await backend.close()

    with running() as fake:
        fake.always = silent
        asyncio.run(session(LocalBackend(fake.url)))


def answer(server, outcome):
    return outcome.as_json(server.buffers.find(URI), KNOWS_VERSIONS)


def test_typing_elsewhere_while_the_edit_runs_is_kept_and_so_is_the_edit():
    for moment in (Located, HunkReady):
        server, outcome = edited(lambda server: typed(server, "# typed\n\f\u2028\n"), moment=moment)
        told = answer(server, outcome)
        assert (told["base"]["version"], told["version"], told["conflicts"]) == (1, 2, [])
        [change] = told["edit"].document_changes
        assert change.text_document.version == 2
        now = server.buffers.find(URI).text
        assert applied(now, change.edits, "utf-16") == "# typed\n\f\u2028\n" + WANTED


def test_typing_where_the_edit_lands_is_a_conflict_and_no_edit_is_offered():
    at = SOURCE.index("    return merged")
    server, outcome = edited(lambda server: typed(server, "    typed()\n", at, at))
    told = answer(server, outcome)
    assert told["edit"] is None
    assert told["conflicts"] == told["hunks"]
    assert told["hunks"]


def test_a_buffer_closed_meanwhile_gets_no_edit():
    server, outcome = edited(lambda server: server.buffers.closed(URI))
    told = answer(server, outcome)
    assert (told["version"], told["edit"]) == (None, None)
    assert told["hunks"]


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_whatever_is_typed_is_kept_and_the_edit_is_whole_or_not_offered(data):
    start = data.draw(st.integers(0, len(SOURCE)))
    stop = data.draw(st.integers(start, min(start + 9, len(SOURCE))))
    text = data.draw(st.sampled_from(["", "x", "\n", "typed\n", "\f"]))
    server, outcome = edited(lambda server: typed(server, text, start, stop))
    current = server.buffers.find(URI)
    assert current.text == SOURCE[:start] + text + SOURCE[stop:]
    hunks, conflicts = outcome.onto(current)
    if not conflicts:
        lines = apply_hunks(current.document, hunks).split("\n")
        assert lines.count('    merged.pop("version", None)') == 1
