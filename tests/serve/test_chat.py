"""Ordinary chat through the server: with a local chat model, and with a model behind another server."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Callable
from pathlib import Path

import openai
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest
from fastedit.errors import Cancelled, ModelUnavailable
from fastedit.request import EditRequest
from fastedit.serve.jobs.backend import Local
from fastedit.serve.jobs.held import HeldChange
from fastedit.serve.surfaces.stops import Stops
from fastedit.source.document import Document
from tests.cli.caches import CACHES
from tests.cli.caches import UPDATE as TWICE
from tests.connect.fake import call_chunk, chunk, refuses, sends, silent, stalls
from tests.engine.conftest import talker
from tests.engine.test_upstream import SOURCE as REMOTE_SOURCE
from tests.engine.test_upstream import upstream
from tests.serve.conftest import MERGED, SKETCH, SOURCE, Running, serving
from tests.serve.test_native import error
from tests.waiting import ended, eventually, started

__all__ = ["talker", "upstream"]

HELLO = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]


@pytest.fixture(scope="module")
def chatting(talker):
    with serving(Engine.load(talker)) as running:
        yield running


@pytest.fixture
def sdk(chatting):
    with openai.OpenAI(base_url=f"{chatting.url}/v1", api_key="any", max_retries=0) as client:
        yield client


def ask(sdk: openai.OpenAI, **fields):
    return sdk.chat.completions.create(model="auto", messages=HELLO, max_tokens=24, **fields)


def test_a_chat_model_answers_and_its_usage_is_told(sdk):
    answer = ask(sdk)
    assert answer.usage.completion_tokens == 24
    assert answer.usage.prompt_tokens > 0
    assert answer.choices[0].finish_reason == "length"


def test_a_prediction_changes_no_word_and_is_counted(sdk):
    text = ask(sdk).choices[0].message.content
    answer = ask(sdk, prediction={"type": "content", "content": text})
    assert answer.choices[0].message.content == text
    details = answer.usage.completion_tokens_details
    assert details.accepted_prediction_tokens >= 0
    assert details.rejected_prediction_tokens >= 0


def test_a_streamed_answer_is_the_whole_one(sdk):
    chunks = list(ask(sdk, stream=True, stream_options={"include_usage": True}))
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert said == ask(sdk).choices[0].message.content
    assert chunks[-1].usage.completion_tokens == 24


def test_an_answer_ends_before_the_first_of_its_stop_sequences(sdk):
    text = ask(sdk).choices[0].message.content
    later, sooner = text[len(text) // 2 :][:4], text[len(text) // 3 :][:3]
    wanted = min((text.split(stop)[0] for stop in (later, sooner)), key=len)
    answer = ask(sdk, stop=[later, sooner])
    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == (wanted, "stop")
    chunks = [chunk.choices[0] for chunk in ask(sdk, stop=[later, sooner], stream=True)]
    assert "".join(chunk.delta.content or "" for chunk in chunks) == wanted
    assert chunks[-1].finish_reason == "stop"


@example(["ba", "b"], ["a", "bab"])
@given(st.lists(st.text("ab", max_size=4)), st.lists(st.text("ab", min_size=1, max_size=3), max_size=2))
def test_stop_sequences_are_found_however_the_text_is_cut_into_pieces(pieces, sequences):
    stops = Stops(sequences)
    passed = "".join([*map(stops.push, pieces), stops.rest()])
    text = "".join(pieces)
    complete = [(text.find(stop) + len(stop), text.find(stop)) for stop in sequences if stop in text]
    assert passed == (text[: min(complete)[1]] if complete else text)
    assert stops.reached == any(stop in text for stop in sequences)


def test_a_conversation_beyond_the_context_is_refused_with_both_numbers(chatting):
    body = {"model": "auto", "messages": HELLO, "max_tokens": 99_999}
    message = error(chatting.http.post("/v1/chat/completions", json=body), 400)["message"]
    assert "context holds 2048" in message


def test_a_server_in_front_of_a_server_edits_and_chats_with_its_model(upstream, chatting):
    with serving(Engine.load(upstream.root)) as front:
        assert front.http.get("/v1/models").json()["data"][0]["id"] == "big-model"
        wish = {"content": REMOTE_SOURCE, "instruction": "rename load to read", "policy": "model"}
        answer = front.http.post("/v1/edits", json=wish).json()
        assert answer["status"] == "ok"
        assert answer["content"] == REMOTE_SOURCE.replace("load", "read")
        assert answer["receipt"]["model"] == "big-model"
        merged = front.http.post("/v1/code/apply", json={"initial_code": SOURCE, "edit_snippet": SKETCH})
        assert merged.json()["mergedCode"] == MERGED
        said = {"model": "auto", "messages": HELLO, "max_tokens": 3}
        answer = front.http.post("/v1/chat/completions", json=said).json()
        assert answer["usage"]["completion_tokens"] == 9, (
            "as that server counts, which cuts its answers off itself"
        )
        upstream.always = refuses(500, Retry_After="0")
        refused = front.http.post("/v1/edits", json=wish)
        assert error(refused, 503)["code"] == "model_unavailable"
        assert refused.headers["x-should-retry"] == "false"
    with serving(Engine.load(f"{chatting.url}/v1")) as front:
        body = {"model": "auto", "messages": HELLO, "max_tokens": 24}
        through = front.http.post("/v1/chat/completions", json=body).json()
        direct = chatting.http.post("/v1/chat/completions", json=body).json()
        assert through["choices"][0]["message"] == direct["choices"][0]["message"]


def hang_up_once(holds: Callable[[], object], front: Running) -> None:
    """Asks for an edit that needs the model, and leaves when this holds."""
    connection = http.client.HTTPConnection(*front.url.removeprefix("http://").split(":"))
    wish = {"content": SOURCE, "instruction": "rename load to read", "policy": "model"}
    connection.request("POST", "/v1/edits", json.dumps(wish), {"Content-Type": "application/json"})
    assert eventually(holds)
    connection.close()


def test_a_model_that_calls_a_tool_in_a_conversation_is_an_error(upstream):
    upstream.always = sends(call_chunk("{}", first=True), chunk("", "tool_calls"), "[DONE]")
    with serving(Engine.load(upstream.url)) as front:
        body = {"model": "auto", "messages": HELLO}
        said = error(front.http.post("/v1/chat/completions", json=body), 502)
        assert (said["code"], "called a tool, and none was offered" in said["message"]) == (
            "unreadable_answer",
            True,
        )
        streamed = front.http.post("/v1/chat/completions", json=body | {"stream": True}).text
        assert "called a tool" in streamed
        assert "tool_calls" not in streamed


def test_hanging_up_in_front_hangs_up_behind(upstream):
    upstream.says = "<updated-code>\n" + "x = 1\n" * 200_000
    with serving(Engine.load(upstream.root)) as front:
        hang_up_once(lambda: upstream.asked, front)
        assert upstream.hung_up.wait(30)


@pytest.mark.parametrize("fault", [silent, stalls])
def test_hanging_up_in_front_of_a_silent_server_hangs_up_behind_at_once(upstream, fault):
    upstream.always = fault
    with serving(Engine.load(upstream.url)) as front:
        hang_up_once(upstream.stalled.is_set, front)
        assert upstream.hung_up.wait(30)


@pytest.mark.parametrize("kind", ["edit", "change"])
def test_who_leaves_an_edit_or_a_change_hangs_up_on_the_model_that_settles_its_sketch(upstream, kind):
    upstream.always = silent
    backend = Local(Engine.load(upstream.url))
    document = Document.from_text(CACHES, Path("a.py"))
    hangup = Hangup()
    if kind == "edit":
        events = backend.run(EditRequest(document, update=TWICE, time_limit=600.0), hangup)
    else:
        wish = ChangeRequest(f"```python\n{TWICE}```\n", path="a.py", time_limit=600.0)
        events = backend.run(HeldChange(wish, {"a.py": document}), hangup)

    def read() -> None:
        with contextlib.suppress(ModelUnavailable, Cancelled):
            list(events)

    reading = started(read)
    assert upstream.stalled.wait(30)
    hangup()
    assert upstream.hung_up.wait(30)
    assert ended(reading)


def test_clients_of_a_silent_upstream_that_hang_up_hold_no_worker():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1#model"
        with serving(Engine.load(address), workers=1) as front:
            for _ in range(3):
                late = {
                    "content": SOURCE,
                    "instruction": "rename load to read",
                    "policy": "model",
                    "deadline_ms": 100,
                }
                assert error(front.http.post("/v1/edits", json=late), 408)["code"] == "deadline"
            assert eventually(lambda: front.service.pool.live == 0)
            wish = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
            assert front.http.post("/v1/edits", json=wish).json()["content"] == MERGED


@pytest.mark.parametrize(("letter", "status"), [("A", "ok"), ("B", "ok"), ("neither", "suspect")])
def test_a_model_behind_an_address_settles_by_one_letter_which_reading_is_meant(upstream, letter, status):
    wish = {"content": CACHES, "update": TWICE, "path": "a.py"}
    upstream.says = letter
    with serving(Engine.load(upstream.url)) as front:
        offered = front.http.post("/v1/edits", json=wish | {"policy": "merge"}).json()
        settled = front.http.post("/v1/edits", json=wish).json()
    assert (settled["status"], settled["receipt"]["model"]) == (status, "m")
    other = offered["alternatives"][0]["hunks"]
    assert settled["hunks"] == (other if letter == "B" else offered["hunks"])
