"""Limits, keys, going away and shutting down: what keeps the server up and nobody waiting."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from dataclasses import replace

import httpx2
import pytest
from starlette.requests import Request

from fastedit.engine import Engine
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.answers import streamed
from fastedit.serve.jobs.backend import Local
from fastedit.serve.jobs.pool import Pool
from fastedit.serve.service import Service, State
from fastedit.serve.settings import ServerSettings
from fastedit.serve.telemetry.metrics import RECENT
from tests.serve.conftest import LONG, SKETCH, SOURCE, serving
from tests.serve.test_native import error, events
from tests.waiting import PATIENCE_S, ended, eventually, started

WISH = {"content": SOURCE, "update": SKETCH, "policy": "merge"}


def open_stream(url: str) -> socket.socket:
    """A connection on which a long edit streams; its first event has been read."""
    host, port = url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), PATIENCE_S)
    body = json.dumps(LONG)
    head = (
        f"POST /v1/edits HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall((head + body).encode())
    seen = b""
    while b"event: located" not in seen:
        piece = connection.recv(4096)
        assert piece, seen
        seen += piece
    return connection


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_past_its_deadline_an_edit_ends_with_408_and_is_cancelled(server, accept):
    answer = server.http.post("/v1/edits", json=LONG | {"deadline_ms": 50}, headers={"Accept": accept})
    if answer.status_code == 200:
        name, body = events(answer)[-1]
        assert (name, body["error"]["code"]) == ("error", "deadline")
    else:
        assert error(answer, 408)["code"] == "deadline"
    assert eventually(lambda: server.service.pool.live == 0)


def test_a_client_that_hangs_up_frees_its_worker_at_once(server):
    streaming = [open_stream(server.url) for _ in range(3)]
    assert eventually(lambda: server.service.pool.live == 3)  # what tests before this one left has ended
    for connection in streaming:
        connection.close()
    waiting = http.client.HTTPConnection(*server.url.removeprefix("http://").split(":"))
    waiting.request("POST", "/v1/edits", json.dumps(LONG), {"Content-Type": "application/json"})
    waiting.close()
    assert eventually(lambda: server.service.pool.live == 0)
    assert server.http.post("/v1/edits", json=WISH).status_code == 200


def test_a_storm_of_clients_that_hang_up_leaves_the_server_as_it_was(copier):
    with serving(copier, workers=4, queue=64) as stormy:
        host, port = stormy.url.removeprefix("http://").split(":")
        body = json.dumps(LONG)
        head = f"POST /v1/edits HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        whole = (head + body).encode()
        for cut in range(0, len(whole) + 1, len(whole) // 60):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(whole[:cut])
        for connection in [open_stream(stormy.url) for _ in range(4)]:
            connection.close()
        assert eventually(lambda: stormy.service.pool.live == 0)
        assert stormy.http.post("/v1/edits", json=WISH).json()["status"] == "ok"


def test_a_stream_that_nobody_begins_to_read_frees_its_worker():
    async def session() -> None:
        closed, pool = threading.Event(), Pool(1, 0)

        def steps(hangup):
            try:
                while True:
                    yield [b"data: 1\n\n"]
            finally:
                closed.set()

        async def gone() -> dict[str, str]:
            return {"type": "http.disconnect"}

        async def stalled(message: object) -> None:
            await asyncio.sleep(3600)

        async def silent() -> dict[str, str]:
            await asyncio.sleep(3600)
            raise AssertionError

        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        answer = await streamed(Request(scope, silent), pool.submit(steps, 60), lambda error: b"")
        await answer(scope, gone, stalled)
        assert await asyncio.to_thread(closed.wait, 30)
        pool.close()

    asyncio.run(session())


def test_a_full_queue_is_answered_429_with_the_time_to_wait(copier):
    with serving(copier, workers=1, queue=1) as small:
        connections = [open_stream(small.url)]
        late = started(lambda: connections.append(open_stream(small.url)))
        assert eventually(lambda: small.service.pool.live == 2)
        answer = small.http.post("/v1/edits", json=WISH)
        assert error(answer, 429)["code"] == "queue_full"
        assert int(answer.headers["retry-after"]) >= 1
        connections[0].close()
        assert ended(late)
        connections[1].close()
        assert eventually(lambda: small.service.pool.live == 0)
        assert small.http.post("/v1/edits", json=WISH).status_code == 200


def test_a_key_that_fills_the_queue_leaves_room_for_others_who_have_their_turn_first():
    async def session() -> list[str]:
        pool, go, told = Pool(1, 8, shared=True), threading.Event(), list[str]()

        def job(key):
            def steps(hangup):
                assert go.wait(30)
                told.append(key)
                yield [key]

            return pool.submit(steps, 60, key)

        jobs = [job("greedy")]
        assert await asyncio.to_thread(eventually, lambda: pool.waiting == 0)
        jobs += [job("greedy") for _ in range(4)]
        with pytest.raises(ApiError, match="the rest of the queue is for others") as refused:
            job("greedy")
        assert refused.value.status_code == 429
        jobs += [job("modest"), job("modest")]
        go.set()
        for each in jobs:
            assert [item async for item in each]
        pool.close()
        return told

    told = asyncio.run(session())
    assert told == ["greedy", "greedy", "modest", "greedy", "modest", "greedy", "greedy"]


def test_a_draining_server_ends_what_runs_and_takes_nothing_new(copier):
    with serving(copier) as leaving:
        connection = open_stream(leaving.url)
        leaving.service.state = State.DRAINING
        refused = leaving.http.post("/v1/edits", json=WISH)
        assert error(refused, 503)["code"] == "draining"
        assert refused.headers["retry-after"]
        assert leaving.http.get("/ready").status_code == 503
        assert leaving.http.get("/health").status_code == 200
        assert leaving.service.pool.live == 1
        connection.close()
        assert eventually(lambda: leaving.service.pool.live == 0)


def test_a_body_beyond_the_limit_is_refused_announced_or_not(copier):
    with serving(copier, max_body_bytes=1024, max_content_chars=100) as small:
        headers = {"Content-Type": "application/json"}
        large = b'{"content": "%s"}' % (b"x" * 2000)
        assert error(small.http.post("/v1/edits", content=large, headers=headers), 413)
        chunks = iter([large[:500], large[500:]])
        assert error(small.http.post("/v1/edits", content=chunks, headers=headers), 413)
        message = error(small.http.post("/v1/edits", json={"content": "x" * 101, "update": "y"}), 413)[
            "message"
        ]
        assert "101" in message
        assert "100" in message


@pytest.mark.parametrize(
    ("path", "wish", "param"),
    [
        ("/v1/edits", {"content": "a\n", "update": "b" * 101}, "update"),
        ("/v1/edits", {"content": "a\n", "instruction": "b" * 101}, "instruction"),
        ("/v1/code/apply", {"initial_code": "a\n", "edit_snippet": "b" * 101}, "edit_snippet"),
        (
            "/v1/chat/completions",
            {
                "model": "auto",
                "messages": [{"role": "user", "content": f"<code>a\n</code><update>{'b' * 101}</update>"}],
            },
            "messages",
        ),
    ],
)
def test_an_edit_beyond_the_limit_of_a_file_is_refused_too(copier, path, wish, param):
    with serving(copier, max_content_chars=100) as small:
        assert error(small.http.post(path, json=wish), 413)["param"] == param


def test_with_keys_only_their_holders_get_in(copier):
    with serving(copier, keys=("one", "zwei")) as locked:
        assert locked.http.get("/health").status_code == 200
        for given in (None, "Bearer three", "Basic one", "Bearer", "one"):
            headers = {"Authorization": given} if given else {}
            refused = locked.http.post("/v1/edits", json=WISH, headers=headers)
            assert error(refused, 401)["code"] == "invalid_api_key"
            assert refused.headers["www-authenticate"] == "Bearer"
        assert error(locked.http.get("/metrics"), 401)
        for key in ("one", "zwei"):
            headers = {"Authorization": f"Bearer {key}"}
            assert locked.http.post("/v1/edits", json=WISH, headers=headers).status_code == 200


def test_a_key_may_hold_any_characters(copier):
    key = "schlüssel voilà"
    with serving(copier, keys=(key,)) as locked:
        headers = {"Authorization": f"Bearer {key}".encode()}
        assert locked.http.post("/v1/edits", json=WISH, headers=headers).status_code == 200


def test_without_keys_a_page_from_elsewhere_does_not_get_in(server):
    headers = {"Host": "rebound.example"}
    assert error(server.http.post("/v1/edits", json=WISH, headers=headers), 403)["code"] == "foreign_host"
    plain = httpx2.post(
        f"{server.url}/v1/edits", content=json.dumps(WISH), headers={"Content-Type": "text/plain"}
    )
    assert plain.status_code == 422


def test_a_web_page_may_call_only_where_its_origin_is_listed(copier):
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,x-any"}
    body = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
    with serving(copier, keys=("k",), cors_origins=("https://example.org",)) as running:
        for origin, allowed in (("https://example.org", "https://example.org"), ("https://evil.org", None)):
            asked = running.http.options("/v1/edits", headers=asks | {"Origin": origin})
            refused = running.http.post("/v1/edits", json=body, headers={"Origin": origin})
            bearer = {"Origin": origin, "Authorization": "Bearer k"}
            answer = running.http.post("/v1/edits", json=body, headers=bearer)
            told = [reply.headers.get("access-control-allow-origin") for reply in (asked, refused, answer)]
            assert told == [allowed] * 3
            assert (asked.status_code == 200) == (allowed is not None)
            assert (refused.status_code, answer.status_code) == (401, 200)


@pytest.mark.parametrize("host", ["LOCALHOST:80", "localhost."])
def test_this_machine_may_be_named_in_any_case(server, host):
    assert server.http.get("/v1/models", headers={"Host": host}).status_code == 200


def test_without_listed_origins_no_web_page_may_call(server):
    answer = server.http.get("/v1/models", headers={"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in answer.headers


def test_a_key_that_comes_too_often_waits_and_others_do_not(copier):
    with serving(copier, keys=("one", "two"), rate=0.01, burst=2) as limited:
        one, two = ({"Authorization": f"Bearer {key}"} for key in ("one", "two"))
        seen = [limited.http.post("/v1/edits", json=WISH, headers=one).status_code for _ in range(3)]
        assert seen == [200, 200, 429]
        answer = limited.http.post("/v1/edits", json=WISH, headers=one)
        assert error(answer, 429)["code"] == "rate_limit_exceeded"
        assert int(answer.headers["retry-after"]) > 1
        assert limited.http.post("/v1/edits", json=WISH, headers=two).status_code == 200


def test_metrics_count_edits_tokens_and_answers(server):
    assert server.http.post("/v1/edits", json=WISH).json()["status"] == "ok"
    text = server.http.get("/metrics").text
    for name in (
        'fastedit_edits_total{status="ok"}',
        "fastedit_passes_total",
        'fastedit_tokens_total{kind="output"}',
        'fastedit_requests_total{path="/v1/edits",status="200"}',
        'fastedit_request_seconds_bucket{le="0.1",path="/v1/edits"}',
        "fastedit_waiting_edits 0.0",
    ):
        assert name in text


def test_metrics_and_receipt_tell_how_deep_drafts_were_right(copier):
    with serving(copier) as fresh:
        receipt = fresh.http.post("/v1/edits", json=WISH | {"policy": "model"}).json()["receipt"]
        text = fresh.http.get("/metrics").text
        assert receipt["accepted_at"][0] <= receipt["offered_at"][0] <= receipt["passes"]
        assert f'fastedit_drafts_at_position_total{{position="1"}} {receipt["offered_at"][0]}.0' in text
        assert f'fastedit_accepted_at_position_total{{position="2"}} {receipt["accepted_at"][1]}.0' in text
        assert f"fastedit_rows_total {receipt['rows']}.0" in text
        plain = WISH | {"policy": "model", "speculation": False}
        second = fresh.http.post("/v1/edits", json=plain).json()["receipt"]
        assert second["undrafted_passes"] == second["passes"]
        undrafted = receipt["undrafted_passes"] + second["passes"]
        assert f"fastedit_undrafted_passes_total {undrafted}.0" in fresh.http.get("/metrics").text


def test_metrics_count_edits_that_came_to_no_result(copier):
    with serving(copier) as fresh:
        fresh.http.post("/v1/edits", json={"content": SOURCE, "update": "zzz = 1"})
        open_stream(fresh.url).close()
        assert eventually(lambda: fresh.service.pool.live == 0)
        text = fresh.http.get("/metrics").text
        for status in ("refused", "cancelled"):
            assert f'fastedit_edits_total{{status="{status}"}} 1.0' in text


class Loading(Local):
    """Takes as long to load its model as the test wants."""

    loaded = threading.Event()

    def warm(self) -> None:
        assert self.loaded.wait(PATIENCE_S)
        super().warm()


def test_an_edit_that_needs_no_model_is_answered_while_the_model_is_being_loaded(copier):
    with serving(copier, Loading, State.LOADING) as fresh:
        assert fresh.http.get("/ready").json() == {"status": "loading"}
        assert fresh.http.post("/v1/edits", json=WISH).json()["status"] == "ok"
        assert fresh.http.get("/ready").status_code == 503
        Loading.loaded.set()
        assert eventually(lambda: fresh.service.state is State.READY)


def test_a_name_is_not_denied_before_the_models_server_has_given_its_own():
    service = Service(ServerSettings(), Local(Engine.load("http://127.0.0.1:9/v1")))
    service.pool.close()
    with pytest.raises(ApiError) as early:
        service.check_model("qwen")
    assert (early.value.status_code, early.value.code) == (503, "loading")


def test_no_client_learns_the_password_of_the_models_server():
    service = Service(ServerSettings(), Local(Engine.load("http://me:secret@127.0.0.1:9")))
    service.pool.close()
    assert service.model == "127.0.0.1:9"


def test_runs_that_end_while_the_newest_are_read_do_not_disturb(server):
    assert server.http.post("/v1/edits", json=WISH).status_code == 200
    metrics = server.service.metrics
    for run in metrics.newest():
        metrics.ended(replace(run), 0.1)
    assert len(metrics.newest()) <= RECENT


def test_a_server_whose_model_failed_says_why_until_it_ends(copier):
    with serving(copier) as fresh:
        fresh.service.failure = ModelUnavailable("no weights; fetch them")
        assert error(fresh.http.post("/v1/edits", json=WISH), 503)["message"] == "no weights; fetch them"


def test_a_drafter_that_cannot_be_loaded_keeps_the_server_from_starting(copier, tmp_path):
    settings = ServerSettings(drafters={"head": f"lookup+eagle={tmp_path}"})
    service = Service(settings, Local(Engine.load(copier.model), settings.drafters.values()))
    service.warm()
    service.pool.close()
    assert service.state is State.FAILED
    assert str(tmp_path) in str(service.failure)


def test_the_log_never_holds_code(server, caplog):
    caplog.set_level("DEBUG")
    server.http.post("/v1/edits", json={"content": "secret_word = 1\n", "update": "other_secret"})
    server.http.post(
        "/v1/edits", content=b'{"content": "secret_word', headers={"Content-Type": "application/json"}
    )
    assert "request" in caplog.text
    assert "secret" not in caplog.text
    assert not any(
        "secret" in str(vars(record)) for record in caplog.records if record.name.startswith("fastedit")
    )


def test_a_model_that_cannot_be_loaded_makes_the_server_say_so(tmp_path):
    service = Service(ServerSettings(), Local(Engine.load(str(tmp_path / "none"))))
    service.warm()
    service.pool.close()
    assert service.state is State.FAILED
    assert "no such model" in str(service.failure)


@pytest.mark.parametrize(
    ("flags", "file", "said"),
    [
        ({"host": "0.0.0.0"}, "", "FASTEDIT_SERVE_KEYS"),
        ({"port": 99_999}, "", "port: must be less than or equal to 65535"),
        ({}, "port = 'x'", "port: must be a valid integer$"),
        ({}, "keys = 'k'", "keys: must be a list"),
        ({}, "colour = 1", "colour: is no setting; leave it out"),
        ({}, "worker = 1", "worker: is no setting; did you mean workers"),
        ({}, "port = ", "correct the file"),
        ({"host": "0.0.0.0"}, 'keys = [""]', "empty key"),
        ({}, "[drafters]\nfast = 'warp'", "drafters: drafter 'warp'"),
        ({}, "[drafters]\nnearby = 'rest'", "drafters: drafter 'rest': write rest=FOLDER"),
        ({}, "drafters = {}", "drafters"),
        ({"cors_origins": ["example.org"]}, "", "example.org is not an origin"),
        ({}, 'cors_origins = ["*"]', "every web page"),
        ({"model": "http://127.0.0.1:9/v1"}, "[drafters]\na = 'lookahead'", "drafters"),
    ],
)
def test_wrong_settings_are_one_line_that_names_them(tmp_path, flags, file, said):
    config = tmp_path / "fastedit.toml"
    config.write_text(file)
    with pytest.raises(UsageError, match=said) as caught:
        ServerSettings.load(flags, config)
    assert "\n" not in str(caught.value)


def test_flags_go_before_environment_and_that_before_the_file(tmp_path, monkeypatch):
    config = tmp_path / "fastedit.toml"
    config.write_text("port = 1\nqueue = 2\nworkers = 3\nkeys = ['k']\n")
    monkeypatch.setenv("FASTEDIT_SERVE_QUEUE", "22")
    monkeypatch.setenv("FASTEDIT_SERVE_WORKERS", "33")
    settings = ServerSettings.load({"workers": 44}, config)
    assert (settings.port, settings.queue, settings.workers) == (1, 22, 44)
    assert settings.keys[0].get_secret_value() == "k"


def test_a_table_is_taken_whole_from_the_first_that_has_it(tmp_path, monkeypatch):
    config = tmp_path / "fastedit.toml"
    config.write_text("[drafters]\nfile = 'lookup'\n")
    assert ServerSettings.load({}, config).drafters == {"file": "lookup"}
    monkeypatch.setenv("FASTEDIT_SERVE_DRAFTERS", '{"environment": "lookup"}')
    assert ServerSettings.load({}, config).drafters == {"environment": "lookup"}
    assert ServerSettings.load({"drafters": {"flag": "lookup"}}, config).drafters == {"flag": "lookup"}


def test_a_missing_settings_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"none\.toml: no such file"):
        ServerSettings.load({}, tmp_path / "none.toml")


@pytest.mark.parametrize("sent", [b"", b'{"content":'])
def test_a_body_that_does_not_end_is_given_up_at_the_deadline(copier, sent):
    with serving(copier, deadline_s=0.2) as brief:
        host, port = brief.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
            head = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
            connection.sendall(f"POST /v1/edits HTTP/1.1\r\nHost: {host}\r\n{head}".encode() + sent)
            assert connection.recv(4096).startswith(b"HTTP/1.1 408 ")
