"""Every fault that a server has is one line with the way out; what passes by itself is tried again."""

from __future__ import annotations

import gc
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fastedit import Sampling
from fastedit.connect import Hangup, Question, connect
from fastedit.connect.client import Client
from fastedit.connect.names import target
from fastedit.errors import FasteditError, ModelUnavailable, TooLong
from fastedit.files.state import state_folder
from fastedit.result import Receipt
from tests.connect import fake as faults
from tests.connect.fake import busy, chunk, page, refuses, says, sends
from tests.connect.test_apis import APIS, MESSAGES, ask, text
from tests.waiting import PATIENCE_S, ended, started

CLAUDE_LIMIT = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens"


def failure(name: str, kind: type[FasteditError] = ModelUnavailable, **wish) -> str:
    with pytest.raises(kind) as caught:
        ask(name, **wish)
    said = str(caught.value)
    assert "\n" not in said
    assert ".)" not in said
    assert type(caught.value) is kind
    return said


@pytest.mark.parametrize(
    ("fault", "said", "way_out"),
    [
        (refuses(401, "who?"), "401 (who?)", "OPENAI_API_KEY"),
        (refuses(403, "not you"), "403 (not you)", "OPENAI_API_KEY"),
        (refuses(404, "no such model"), "404 (no such model)", "the model's name, m"),
        (refuses(402, "pay first"), "pay first", "credit"),
        (refuses(429, "You exceeded your current quota", "insufficient_quota"), "quota", "credit"),
        (refuses(400, "Your credit balance is too low"), "credit balance", "credit"),
        (refuses(429, "slow down", Retry_After="3600"), "slow down", "wait 3600 s"),
        (refuses(418, "tea"), "418 (tea)", "log"),
        (page(), "web page", "/v1"),
        (page(404), "web page", "/v1"),
        (says({"error": {"message": "engine died"}}), "engine died", "log"),
        (says({"error": "engine died"}), "engine died", "log"),
        (says({"error": {"message": "bad key", "type": "authentication_error"}}), "401", "OPENAI_API_KEY"),
        (says([1, 2]), "not JSON", "check that it is a server"),
        (sends(chunk("begun")), "broke off", "try again"),
        (sends(chunk("")), "broke off", "try again"),
        (faults.breaks, "hung up", "try again"),
        (sends({"error": {"message": "died in the middle"}}), "died in the middle", "log"),
        (sends("5"), "not JSON", "check that it is a server"),
        (sends("[" * 100_000), "not JSON", "check that it is a server"),
        (sends({"response": 5}), "broke off", "try again"),
        (sends({"choices": 5}), "not part of an answer", "check that it is a server"),
        (sends({"choices": [None]}), "not part of an answer", "check that it is a server"),
        (sends({"choices": [{"delta": {"content": ["x"]}}]}), "not part of an answer", "check"),
        (sends({"usage": {"prompt_tokens": "x"}}), "not part of an answer", "check that it is a server"),
        (sends({"usage": {"prompt_tokens": -1}}), "not part of an answer", "check that it is a server"),
        (sends({"usage": {"prompt_tokens": 1.5}}), "not part of an answer", "check that it is a server"),
        (faults.endless, "more than 4194304 characters", "less at a time"),
    ],
)
def test_a_fault_is_one_line_with_the_way_out(fake, fault, said, way_out):
    fake.always = fault
    line = failure(fake.url)
    assert said in line
    assert way_out in line
    assert "nothing was changed" in line
    assert line.startswith(f"{fake.root}/v1: ")


@pytest.mark.parametrize(
    "fault",
    [
        refuses(400, "9 > 8", "context_length_exceeded"),
        refuses(400, "This model's maximum context length is 8 tokens. However, you requested 9 tokens"),
        refuses(400, "prompt is too long: 9 tokens > 8 maximum"),
        refuses(
            400,
            "request (9 tokens) exceeds the available context size (8 tokens)",
            "exceed_context_size_error",
        ),
        says({"error": {"message": "9 > 8", "code": "context_length_exceeded"}}),
    ],
)
def test_a_context_that_is_too_small_says_to_narrow_the_edit_and_is_not_asked_again(fake, fault):
    fake.always = fault
    assert "nothing was changed: limit the edit" in failure(fake.url, TooLong, prediction="x")
    assert len(fake.asked) == 1


def test_an_address_where_nobody_listens_is_said_at_once():
    refused = "connection refused; nothing was changed: start the server, or correct the address"
    assert failure("http://127.0.0.1:9/v1#m") == f"http://127.0.0.1:9/v1: {refused}"
    assert failure("http://localhost:9") == f"http://localhost:9/v1: {refused}"
    assert "correct the address" in failure("http://no..host/v1#m")


def test_a_company_whose_key_is_not_set_is_known_to_need_one(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert target("openai:m").lacks_key
    assert not target("http://127.0.0.1:9/v1#m").lacks_key
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert not target("openai:m").lacks_key


@pytest.mark.parametrize("address", ["http://[::1/v1", "http://a:b:c/v1"])
def test_an_address_that_is_none_is_named_and_refused(address):
    line = failure(f"{address}#m")
    assert line.startswith(f"{address}: ")
    assert line.endswith("; correct the model's address")
    assert failure(f"{address.replace('//', '//me:secret@')}#m") == line


def test_a_server_without_tls_at_an_address_with_it_is_told_as_such(fake):
    assert "check https:// and the server's certificate" in failure(fake.url.replace("http:", "https:"))


def failures(fake: faults.Fake, settings: Path, first_token: float, silence: float) -> Iterator[str]:
    """With these limits, then with longer ones: on a busy machine a wait may be over before the server is asked."""
    for unit in (1.0, 10.0, 100.0):
        settings.write_text(f"first_token_s = {first_token * unit}\nsilence_s = {silence * unit}")
        yield failure(fake.url)


@pytest.mark.parametrize("fault", [faults.silent, faults.headers_only, faults.keeps_alive])
def test_a_server_that_does_not_begin_its_answer_is_hung_up_on(fake, settings, fault):
    fake.always = fault
    lines = failures(fake, settings, first_token=0.1, silence=0.05)
    line = next(line for line in lines if fake.stalled.is_set())
    assert "said nothing for " in line
    assert "fastedit config" in line
    assert fake.hung_up.wait(PATIENCE_S)


def test_a_server_that_falls_silent_in_mid_answer_is_hung_up_on(fake, settings):
    settings.write_text(f"first_token_s = {PATIENCE_S}\nsilence_s = 0.05")
    fake.always = faults.stalls
    line = failure(fake.url)
    assert "fell silent for 0.05 s in mid-answer" in line
    assert "fastedit config" in line
    assert fake.hung_up.wait(PATIENCE_S)


def test_silence_in_an_answer_may_last_longer_than_its_beginning(fake, settings):
    fake.always = faults.stalls
    assert any("fell silent for " in line for line in failures(fake, settings, first_token=0.1, silence=0.2))


def test_a_time_limit_bounds_the_whole_answer(fake):
    for fault in (faults.stalls, faults.silent):
        fake.always = fault
        line = failure(fake.url, time_limit=0.1)
        assert ("within the time limit" in line, "`--time-limit`" in line) == (True, True)
    fake.always = refuses(503, "busy", Retry_After="5")
    started = time.monotonic()
    assert "wait 5 s" in failure(fake.url, time_limit=0.1)
    assert time.monotonic() - started < 4


@pytest.mark.parametrize(
    "fault", [busy(429), busy(500), busy(503), busy(529), page(502), faults.hangs_up, sends()]
)
def test_what_passes_is_tried_again(fake, fault):
    fake.faults = [fault, fault]
    assert text(ask(fake.url)) == fake.says
    assert len(fake.asked) == 3


def test_what_does_not_pass_is_given_up(fake):
    fake.always = busy(429)
    assert "try again later" in failure(fake.url)
    assert len(fake.asked) == 4


OVERLOADED = {"error": {"type": "overloaded_error", "message": "Overloaded"}}
STARTED = {"type": "message_start", "message": {"usage": {"input_tokens": 5}}}
BLOCK = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
CREATED = {"type": "response.created", "response": {"status": "in_progress"}}
FAILED = {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "busy"}}}
ROLE = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}


@pytest.mark.parametrize(
    ("api", "events"),
    [
        ("anthropic", [STARTED, {"type": "ping"}, {"type": "error", **OVERLOADED}]),
        ("anthropic", [STARTED, BLOCK, {"type": "error", **OVERLOADED}]),
        ("responses", [CREATED, FAILED]),
        ("responses", [CREATED, {"type": "error", "code": "server_is_overloaded", "message": "busy"}]),
        ("openai", [ROLE, OVERLOADED]),
    ],
)
def test_an_overload_that_is_told_before_any_text_is_asked_again(fake, api, events):
    fake.faults = [sends(*events)]
    assert text(ask(f"{api}:{fake.url}")) == fake.says
    assert len(fake.asked) == 2


def test_an_announced_answer_may_be_empty(fake):
    fake.faults = [sends(ROLE, "[DONE]")]
    assert text(ask(fake.url)) == ""


def test_nothing_is_asked_again_once_text_was_passed_on(fake):
    fake.faults = [sends(chunk("begun"), {"error": {"type": "overloaded_error", "message": "Overloaded"}})]
    assert "Overloaded" in failure(fake.url)
    assert len(fake.asked) == 1


def test_fields_that_a_server_refuses_are_left_out_one_by_one_and_remembered(fake):
    fake.refused = ("prediction", "stream_options", "seed", "temperature", "max_tokens")
    wish = {"prediction": "x", "max_tokens": 20, "sampling": Sampling(0.5, 0.9, seed=7)}
    assert text(ask(fake.url, **wish)) == fake.says
    assert len(fake.asked) == 6
    assert fake.bodies[-1].keys() == {"model", "messages", "stream", "top_p", "max_completion_tokens"}
    assert fake.bodies[-1]["max_completion_tokens"] == 20
    assert text(ask(fake.url, **wish)) == fake.says
    assert len(fake.asked) == 7
    ask(f"{fake.root}/v1#other")
    assert "temperature" in fake.bodies[7]


def test_the_next_process_knows_what_a_server_refused_until_a_week_has_passed(fake):
    fake.refused = ("temperature",)
    ask(fake.url)
    (kept,) = (state_folder() / "servers").iterdir()
    for _ in range(2):
        text = "".join(
            piece.text for piece in Client(target(fake.url)).chat(Question(MESSAGES, Sampling()), Receipt())
        )
        assert text == fake.says
    assert len(fake.asked) == 4
    os.utime(kept, (0, 0))
    assert not Client(target(fake.url))._refused
    kept.write_text("no JSON")
    assert not Client(target(fake.url))._refused


@pytest.mark.parametrize("api", APIS)
def test_each_api_can_do_without_a_temperature(fake, api):
    fake.refused = ("temperature",)
    assert text(ask(f"{api}:{fake.url}")) == fake.says
    assert len(fake.asked) == 2


def test_the_error_may_name_the_field_apart_from_its_words(fake):
    fake.faults = [refuses(400, "Unsupported value", param="temperature")]
    assert text(ask(fake.url, prediction="x")) == fake.says
    assert "temperature" not in fake.bodies[1]
    assert "prediction" in fake.bodies[1]


def test_a_server_that_names_no_field_is_asked_without_the_extras(fake):
    fake.faults = [refuses(400, "bad request")]
    assert text(ask(fake.url, prediction="x")) == fake.says
    assert not fake.bodies[1].keys() & {"prediction", "stream_options"}
    assert "temperature" in fake.bodies[1]


def test_a_request_that_is_refused_for_good_is_asked_no_more_and_costs_later_ones_nothing(fake):
    fake.always = refuses(400, "bad request")
    assert "bad request" in failure(fake.url, prediction="x")
    assert len(fake.asked) == 2
    fake.always = None
    ask(fake.url, prediction="x")
    assert "prediction" in fake.bodies[2]


def test_the_most_tokens_that_a_model_writes_are_taken_from_its_refusal(fake):
    fake.faults = [refuses(400, CLAUDE_LIMIT)]
    assert text(ask(f"anthropic:{fake.url}")) == fake.says
    assert [body["max_tokens"] for body in fake.bodies] == [32_000, 8192]
    fake.always = refuses(400, "max_tokens: Field required")
    assert "max_tokens" in failure(f"anthropic:{fake.url}")
    assert len(fake.asked) <= 5


def test_a_closed_answer_hangs_up(fake):
    fake.always = faults.stalls
    answer = connect(fake.url).chat(Question(MESSAGES, Sampling()), Receipt())
    assert next(answer).text == "begun"
    answer.close()
    assert fake.hung_up.wait(PATIENCE_S)


def called_soon(hangup: Hangup, moment: threading.Event) -> threading.Thread:
    def call() -> None:
        assert moment.wait(PATIENCE_S)
        hangup()

    return started(call)


@pytest.mark.parametrize("silence", ["before the headers", "in a list of models", "between two tries"])
def test_a_hangup_ends_whatever_is_waited_for_at_once(fake, silence):
    def busy_for_long(handler: faults.Handler) -> None:
        refuses(503, "busy", Retry_After="50")(handler)
        fake.stalled.set()

    fake.lists = faults.silent if silence == "in a list of models" else None
    fake.always = busy_for_long if silence == "between two tries" else faults.silent
    hangup = Hangup()
    caller = called_soon(hangup, fake.stalled)
    answer = connect(fake.root if fake.lists else fake.url).chat(
        Question(MESSAGES, Sampling()), Receipt(), hangup=hangup
    )
    with pytest.raises(ModelUnavailable):
        list(answer)
    assert ended(caller)
    assert silence == "between two tries" or fake.hung_up.wait(PATIENCE_S)


def test_a_hangup_breaks_a_connection_that_served_another_answer_before():
    """Of which nothing is known until it answers again."""
    whole = b'{"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}'
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(whole)
    asked, asked_again, hung_up = threading.Event(), threading.Event(), threading.Event()

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            for _ in range(2):
                while not connection.recv(65536).endswith(b"}"):
                    pass
                if not asked.is_set():
                    connection.sendall(head + whole)
                    asked.set()
            asked_again.set()
            if not connection.recv(65536):
                hung_up.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        started(lambda: serve(listener))
        name, hangup = f"http://127.0.0.1:{listener.getsockname()[1]}/v1#m", Hangup()
        assert text(ask(name)) == "hello"
        caller = called_soon(hangup, asked_again)
        with pytest.raises(ModelUnavailable):
            list(connect(name).chat(Question(MESSAGES, Sampling()), Receipt(), hangup=hangup))
        assert ended(caller)
        assert hung_up.wait(PATIENCE_S)


def test_threads_that_connect_first_share_one_event_loop(fake):
    program = (
        "import sys, threading\n"
        "from fastedit.connect import Question, connect\n"
        "from fastedit import Sampling\n"
        "from fastedit.result import Receipt\n"
        "question, meet, said = Question([], Sampling()), threading.Barrier(8), []\n"
        "def ask():\n"
        "    meet.wait()\n"
        "    said.append(''.join(piece.text for piece in connect(sys.argv[1]).chat(question, Receipt())))\n"
        "asking = [threading.Thread(target=ask) for _ in range(8)]\n"
        "for thread in asking: thread.start()\n"
        "for thread in asking: thread.join()\n"
        "print(len(said), set(said), [t.name for t in threading.enumerate()])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, fake.url], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert run.stdout == "8 {'hello, world'} ['MainThread', 'fastedit connections']\n", run.stderr


def test_connections_are_closed_with_the_last_user_of_a_server():
    closed = threading.Event()
    client = Client(target("http://127.0.0.1:9/v1#m"))
    client._line.http._transport.aclose = lambda close=client._line.http._transport.aclose: (
        closed.set() or close()
    )
    del client
    gc.collect()
    assert closed.wait(30)


def test_an_answer_that_ended_is_whole_though_the_connection_breaks_then(fake):
    def answer(handler: faults.Handler) -> None:
        handler.head(Content_Length="1000")
        handler.send(chunk("all", "stop"))

    fake.always = answer
    assert text(ask(fake.url)) == "all"
