"""The native API over a socket: what it answers, what it streams, what it refuses."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fastedit
from fastedit.ops import from_json
from fastedit.request import EditRequest
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit.source.rebase import rebase
from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK
from tests.cli.caches import UPDATE as TWICE
from tests.serve.conftest import MERGED, SKETCH, SOURCE, serving


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def events(response) -> list[tuple[str, dict]]:
    found = []
    for block in response.text.split("\n\n"):
        if block and not block.startswith(":"):
            name, data = block.split("\n")
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def error(response, status: int) -> dict:
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error"}
    assert {"message", "type", "param", "code"} <= set(body["error"])
    return body["error"]


def test_an_edit_comes_back_whole_with_its_hunks_hashes_and_receipt(server):
    wish = {"content": SOURCE, "update": SKETCH, "policy": "merge", "path": "a.py"}
    answer = server.http.post("/v1/edits", json=wish)
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "ok"
    assert body["content"] == MERGED
    assert body["sha256"] == {"before": sha256(SOURCE), "after": sha256(MERGED)}
    assert body["receipt"]["policy"] == "merge"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("policy", ["merge", "model", "auto"])
def test_streamed_hunks_applied_to_the_content_give_the_hash_of_the_result(server, policy):
    wish = {"content": SOURCE, "update": SKETCH, "policy": policy}
    answer = server.http.post("/v1/edits", json=wish, headers={"Accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    seen = events(answer)
    assert seen[0][0] == "located"
    assert seen[-1][0] == "result"
    hunks = [data for name, data in seen if name == "hunk"]
    assert [hunk["id"] for hunk in hunks] == list(range(len(hunks)))
    spans = [Hunk(hunk["old"]["start"], hunk["old"]["stop"], tuple(hunk["lines"])) for hunk in hunks]
    text = apply_hunks(Document.from_text(SOURCE), spans)
    assert sha256(text) == seen[-1][1]["sha256"]["after"]
    for hunk in hunks:
        assert text.split("\n")[hunk["new"]["start"] : hunk["new"]["stop"]] == hunk["lines"]


@pytest.mark.parametrize("line", ["b", "c"])
def test_hunks_come_with_whether_the_last_line_loses_its_end(server, line):
    diff = f"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+{line}\n\\ No newline at end of file\n"
    wish = {"path": "a.txt", "content": "a\nb\n", "update": diff}
    answer = server.http.post("/v1/edits", json=wish).json()
    assert (answer["status"], answer["content"], answer["drops_final_newline"]) == ("ok", f"a\n{line}", True)
    streamed = events(server.http.post("/v1/edits", json=wish, headers={"Accept": "text/event-stream"}))
    assert streamed[-1][1]["drops_final_newline"] is True
    change = {"message": diff, "files": [{"path": "a.txt", "content": "a\nb\n"}]}
    [file] = server.http.post("/v1/changes", json=change).json()["files"]
    assert (file["content"], file["drops_final_newline"]) == (f"a\n{line}", True)


@pytest.mark.parametrize("content", ["\ufeffa = 1\r\nb = 2\nc = 3", "a = 1\rb = 2\r\nc = 3\n", "a = 1\n\n\n"])
def test_bytes_that_no_hunk_touches_come_back_as_they_were(server, content):
    answer = server.http.post("/v1/edits", json={"content": content, "update": "a = 1\na2 = 1"}).json()
    document = Document.from_bytes(content.encode())
    spans = [Hunk(h["old"]["start"], h["old"]["stop"], tuple(h["lines"])) for h in answer["hunks"]]
    assert answer["hunks"]
    assert answer["content"].encode() == document.bom + apply_hunks(document, spans).encode()


def test_a_suspect_result_is_delivered_with_its_reasons(server):
    answer = server.http.post("/v1/edits", json={"content": SOURCE, "instruction": "make it faster"})
    assert answer.status_code == 200
    assert answer.json()["status"] == "suspect"
    assert answer.json()["reasons"]


def test_an_ignored_rule_holds_nothing_back(server):
    wish = {"content": "x = 1\ny = 2\n", "update": "x = 1\n>>>>>>> theirs\ny = 2\n", "policy": "merge"}
    wish |= {"path": "a.cfg"}
    assert server.http.post("/v1/edits", json=wish).json()["status"] == "suspect"
    assert server.http.post("/v1/edits", json=wish | {"ignore": ["FE104"]}).json()["status"] == "ok"


def test_each_reading_of_an_update_comes_with_its_number_and_is_had_by_it(server):
    wish = {"content": CACHES, "update": TWICE, "path": "a.py"}
    answer = server.http.post("/v1/edits", json=wish).json()
    assert (answer["status"], answer["receipt"]["passes"]) == ("suspect", 0)
    [other] = answer["alternatives"]
    assert (other["number"], other["line"]) == (2, 3)
    assert 0 < other["posterior"] < 1
    chosen = server.http.post("/v1/edits", json=wish | {"choice": 2}).json()
    assert (chosen["status"], chosen["reasons"]) == ("ok", [])
    assert chosen["hunks"] == other["hunks"]
    assert [one["number"] for one in chosen["alternatives"]] == [1]
    assert chosen["alternatives"][0]["hunks"] == answer["hunks"]
    assert {answer["content"], chosen["content"]} == {IN_MEMORY, ON_DISK}


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"update": SKETCH, "choice": 9}, "there is no reading 9"),
        ({"instruction": "rename load to read", "choice": 1}, "only an update sketch has several readings"),
    ],
)
def test_a_reading_that_there_is_not_is_refused(server, wish, said):
    assert said in error(server.http.post("/v1/edits", json={"content": SOURCE} | wish), 400)["message"]


def test_the_last_event_of_a_stream_has_the_readings_too(server):
    wish = {"content": CACHES, "update": TWICE, "path": "a.py"}
    answer = server.http.post("/v1/edits", json=wish, headers={"Accept": "text/event-stream"})
    name, result = events(answer)[-1]
    assert (name, [one["number"] for one in result["alternatives"]]) == ("result", [2])


def test_a_model_and_a_prediction_that_disagree_are_two_opinions_without_numbers(server):
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model"}
    answer = server.http.post("/v1/edits", json=wish).json()
    assert answer["status"] == "suspect"
    [other] = answer["alternatives"]
    assert (other["number"], other["posterior"]) == (None, None)
    assert other["hunks"]


def test_a_stale_base_is_refused_with_the_current_hash(server):
    wish = {"content": SOURCE, "update": SKETCH, "base_sha256": sha256("other")}
    assert error(server.http.post("/v1/edits", json=wish), 409)["current_sha256"] == sha256(SOURCE)
    wish["base_sha256"] = sha256(SOURCE)
    assert server.http.post("/v1/edits", json=wish).status_code == 200


def test_an_edit_of_a_base_is_carried_over_and_conflicts_are_409(server):
    now = "# since\n" + SOURCE
    wish = {"content": now, "base": SOURCE, "update": SKETCH, "policy": "merge"}
    assert server.http.post("/v1/edits", json=wish).json()["content"] == "# since\n" + MERGED
    changed = next(a for a, b in zip(SOURCE.split("\n"), MERGED.split("\n"), strict=False) if a != b)
    wish["content"] = SOURCE.replace(changed, changed + "  # since")
    assert "of the base changed since" in error(server.http.post("/v1/edits", json=wish), 409)["message"]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "not JSON"),
        (b'{"content": "a', 400, "string starting at character 12"),
        (b'{"content": "\xff"}', 400, "UTF-8"),
        (b'{"content": ' + b"[" * 100_000, 400, "nested"),
        (b"[]", 422, "JSON object"),
        (b'{"content": 1}', 422, "content"),
        (b'{"content": "a", "policy": "best"}', 422, "policy"),
        (b'{"content": "a", "plan": "best"}', 422, "plan"),
        (b'{"content": "a", "speculation": 1}', 422, "speculation"),
        (b'{"content": "a", "sampling": {"temperature": NaN}}', 422, "sampling.temperature"),
        (b'{"content": "a", "colour": "red"}', 422, "colour is not supported; leave it out"),
        (b'{"content": "a", "updat": "b"}', 422, "updat is not supported; did you mean update?"),
        (b'{"content": "\xe9"}', 400, "the body is not UTF-8"),
        (b'{"content": "a", "base_sha256": "1"}', 422, "base_sha256: must be a SHA-256 hash"),
        (b'{"content": "a", "instruction": "\\ud800"}', 422, "instruction: lone surrogate"),
        (b'{"content": "a", "instruction": "go", "drafter": "eagle=/etc"}', 400, "this server has lookup"),
        (b'{"content": "a", "instruction": "go", "drafter": 1}', 422, "drafter"),
        (b'{"content": "a", "instruction": "go", "tenant": "%s"}' % (b"x" * 257), 422, "tenant"),
        (b'{"content": "a", "sampling": {"acceptance": "all"}}', 422, "sampling.acceptance"),
        (b'{"content": "a", "update": "a", "choice": 0}', 422, "choice"),
        (b'{"content": "a", "update": "a", "time_limit": 0}', 422, "time_limit"),
        (b'{"content": "a\\u0000", "instruction": "go"}', 400, "NUL"),
        (b'{"content": "a"}', 400, "nothing to do"),
        (b'{"content": "a", "update": "a", "ignore": ["FE999"]}', 400, "is none of FE101"),
        (b'{"content": "a", "update": "a", "ignore": ["FE101"]}', 400, "cannot be ignored"),
        (b'{"content": "a", "update": "zzz = 1"}', 422, "update"),
        (b'{"content": "a", "instruction": "go", "scope": {"lines": {"start": 3, "stop": 9}}}', 400, "lines"),
        (
            b'{"content": "a", "instruction": "go", "scope": {"lines": [3, 9]}}',
            422,
            "scope.lines: must be an object with start, stop",
        ),
        (b'{"content": "a", "instruction": "go", "model": "gpt-9"}', 404, "gpt-9"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_bad_input_gets_its_status_and_one_clear_line(server, body, status, said, accept):
    headers = {"Content-Type": "application/json", "Accept": accept}
    message = error(server.http.post("/v1/edits", content=body, headers=headers), status)["message"]
    assert said in message
    assert "\n" not in message
    assert server.http.get("/health").status_code == 200


def test_a_region_beyond_the_context_is_refused_with_both_numbers(server):
    wish = {"content": f"x = [{'1, ' * 20_000}]\n", "instruction": "rename x to y", "policy": "model"}
    message = error(server.http.post("/v1/edits", json=wish), 400)["message"]
    assert "tokens, the model's context holds" in message


@pytest.mark.parametrize(
    ("wish", "status", "said"),
    [
        ({"operations": []}, 400, "give an instruction, an update or operations"),
        ({"update": " "}, 400, "give an instruction, an update or operations"),
        ({"update": SKETCH, "scope": {"symbol": "lod"}}, 422, "lod"),
        (
            {"update": SKETCH, "scope": {"lines": {"start": 1, "stop": 0}}},
            400,
            "scope.lines: 1 to 0 is not a span",
        ),
        ({"update": SKETCH, "scope": {"lines": {"start": 0, "stop": 999}}}, 400, "lines count from 0"),
        (
            {"update": "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"},
            422,
            "apply it as one of several files",
        ),
    ],
)
def test_errors_say_what_is_wrong_without_flags_of_the_command_line(server, wish, status, said):
    body = {"path": "a.py", "content": SOURCE} | wish
    message = error(server.http.post("/v1/edits", json=body), status)["message"]
    assert said in message
    assert "--" not in message
    assert "(-" not in message


@pytest.mark.parametrize(
    ("wish", "status", "ways_out"),
    [
        ({"update": "zzz = 1"}, 422, ["scope.symbol", "scope.lines", "instruction"]),
        ({"instruction": "make it faster", "policy": "merge"}, 400, ["update", "policy"]),
        ({"update": "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"}, 422, ["/v1/changes"]),
        ({"update": SKETCH, "choice": 9}, 400, None),
    ],
)
def test_errors_name_the_fields_of_the_body_that_are_a_way_out(server, wish, status, ways_out):
    body = {"path": "a.py", "content": SOURCE} | wish
    assert error(server.http.post("/v1/edits", json=body), status).get("ways_out") == ways_out


def test_errors_name_no_fields_that_the_body_does_not_have(server):
    body = {"initial_code": SOURCE, "edit_snippet": "zzz = 1"}
    assert "ways_out" not in error(server.http.post("/v1/code/apply", json=body), 422)


def test_unknown_paths_and_methods_are_errors_of_the_same_shape(server):
    assert error(server.http.get("/v1/nothing"), 404)["code"] == "not_found"
    assert error(server.http.get("/v1/edits"), 405)["code"] == "method_not_allowed"


def test_hunks_are_rebased_onto_a_changed_file_and_conflicts_reported(server):
    hunks = [
        {"old": {"start": 1, "stop": 2}, "lines": ["B"]},
        {"old": {"start": 3, "stop": 4}, "lines": ["D"]},
    ]
    wish = {"base": "a\nb\nc\nd\n", "current": "new\na\nb\nc\nX\n", "hunks": hunks}
    body = server.http.post("/v1/edits:rebase", json=wish).json()
    assert body["content"] == "new\na\nB\nc\nX\n"
    assert [hunk["old"] for hunk in body["hunks"]] == [{"start": 2, "stop": 3}]
    assert body["conflicts"] == [hunks[1]]
    assert body["sha256"] == {"before": sha256(wish["current"]), "after": sha256(body["content"])}


def test_the_hunks_of_an_answer_can_be_rebased_as_they_are(server):
    edited = server.http.post(
        "/v1/edits", json={"content": SOURCE, "update": SKETCH, "policy": "merge"}
    ).json()
    wish = {"base": SOURCE, "current": f"# new\n{SOURCE}", "hunks": edited["hunks"]}
    body = server.http.post("/v1/edits:rebase", json=wish).json()
    assert (body["content"], body["conflicts"]) == (f"# new\n{edited['content']}", [])


@pytest.mark.parametrize("old", [{"start": 2, "stop": 1}, {"start": 0, "stop": 99}])
def test_hunks_that_do_not_fit_their_base_are_refused(server, old):
    wish = {"base": "a\n", "current": "a\n", "hunks": [{"old": old, "lines": []}]}
    assert error(server.http.post("/v1/edits:rebase", json=wish), 422)["param"] == "hunks"


def test_a_hunk_with_a_line_end_in_a_line_is_refused(server):
    wish = {"base": "a\n", "current": "a\n", "hunks": [{"old": {"start": 0, "stop": 1}, "lines": ["x\ny"]}]}
    error(server.http.post("/v1/edits:rebase", json=wish), 422)


def test_others_are_served_while_hunks_of_a_long_file_are_rebased(server, monkeypatch):
    begun, go = threading.Event(), threading.Event()

    def slow(*args):
        begun.set()
        assert go.wait(30)
        return rebase(*args)

    monkeypatch.setattr("fastedit.serve.surfaces.native.rebase", slow)
    wish = {"base": "a\n", "current": "a\n", "hunks": []}
    with ThreadPoolExecutor(1) as another:
        answer = another.submit(server.http.post, "/v1/edits:rebase", json=wish)
        try:
            assert begun.wait(30)
            assert server.http.get("/health", timeout=30).status_code == 200
        finally:
            go.set()
        assert answer.result().status_code == 200


def test_others_are_served_while_the_operations_of_a_body_are_read(server, monkeypatch):
    begun, go = threading.Event(), threading.Event()

    def slow(value):
        begun.set()
        assert go.wait(30)
        return from_json(value)

    monkeypatch.setattr("fastedit.serve.bodies.operation_fields.from_json", slow)
    wish = {"content": "a = 1\n", "path": "a.py", "operations": [{"op": "rename", "target": "a", "new": "b"}]}
    with ThreadPoolExecutor(1) as another:
        answer = another.submit(server.http.post, "/v1/edits", json=wish)
        try:
            assert begun.wait(30)
            assert server.http.get("/health", timeout=30).status_code == 200
        finally:
            go.set()
        assert answer.result().json()["content"] == "b = 1\n"


def test_a_number_beyond_all_bounds_is_a_wrong_field(server):
    for field in ({"deadline_ms": 10**400}, {"scope": {"lines": {"start": 0, "stop": 10**400}}}):
        wish = {"content": SOURCE, "update": SKETCH} | field
        assert server.http.post("/v1/edits", json=wish).status_code in (400, 422)
    wish = {"base": "a\n", "current": "a\n", "hunks": [{"old": {"start": 0, "stop": 10**400}, "lines": []}]}
    assert error(server.http.post("/v1/edits:rebase", json=wish), 422)["param"] == "hunks"


def test_a_stale_base_of_a_rebase_is_refused(server):
    wish = {"base": "a\n", "current": "b\n", "hunks": [], "base_sha256": sha256("c")}
    assert error(server.http.post("/v1/edits:rebase", json=wish), 409)["current_sha256"] == sha256("a\n")


def test_bitwise_exactness_is_had_where_the_model_runs_so_and_refused_elsewhere(copier, server):
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model", "exactness": "bitwise"}
    refused = error(server.http.post("/v1/edits", json=wish), 422)
    assert (refused["code"], refused["param"]) == ("not_exact", "exactness")
    assert "--exactness bitwise" in refused["message"]
    with serving(copier, exactness="bitwise") as exact:
        answer = exact.http.post("/v1/edits", json=wish)
        assert answer.json()["receipt"]["exactness"] == "bitwise"
        assert exact.http.post("/v1/edits", json=wish | {"exactness": "default"}).status_code == 200


def asked(running) -> list[EditRequest]:
    """What the engine was asked for, without the server's own warming up."""
    return [request for request in running.engine.asked if request.document.text == SOURCE]


def test_drafters_are_those_that_the_server_lists_by_name(copier):
    listed = {"quick": "lookup+lookahead", "plain": "lookup"}
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model"}
    with serving(copier, drafters=listed) as choosing:
        hunks = [
            choosing.http.post("/v1/edits", json=wish | fields).json()["hunks"]
            for fields in ({}, {"drafter": "quick"}, {"drafter": "plain"})
        ]
        assert hunks[0] == hunks[1] == hunks[2]
        drafters = [request.drafter for request in asked(choosing)]
        assert drafters == ["lookup+lookahead", "lookup+lookahead", "lookup"]
        for name in ("lookup", "eagle=/etc", "quick+plain", ""):
            refused = error(choosing.http.post("/v1/edits", json=wish | {"drafter": name}), 400)
            assert (refused["code"], refused["param"]) == ("drafter_not_found", "drafter")
            assert "quick, plain" in refused["message"]


def test_the_other_surfaces_draft_as_the_server_does_by_default(copier):
    with serving(copier, drafters={"only": "lookup+suffix-cache"}) as choosing:
        body = {"initial_code": SOURCE, "edit_snippet": SKETCH}
        assert choosing.http.post("/v1/code/apply", json=body).status_code == 200
        text = f"<code>{SOURCE}</code>\n<update>{SKETCH}</update>"
        body = {"model": "auto", "messages": [{"role": "user", "content": text}]}
        assert choosing.http.post("/v1/chat/completions", json=body).status_code == 200
        assert [request.drafter for request in asked(choosing)] == ["lookup+suffix-cache"] * 2


def test_tenants_are_told_apart_and_so_are_keys_that_name_the_same(copier):
    wish = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
    with serving(copier, keys=("one", "two")) as shared:
        for key, tenant in (("one", "team"), ("one", "other"), ("two", "team")):
            headers = {"Authorization": f"Bearer {key}"}
            answer = shared.http.post("/v1/edits", json=wish | {"tenant": tenant}, headers=headers)
            assert answer.status_code == 200
        assert len({request.tenant for request in asked(shared)}) == 3


@pytest.mark.parametrize("acceptance", ["block", "branches"])
def test_an_edit_is_sampled_as_its_acceptance_says(copier, acceptance):
    sampling = {"temperature": 0.5, "seed": 3, "acceptance": acceptance}
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model", "sampling": sampling}
    with serving(copier) as running:
        answer = running.http.post("/v1/edits", json=wish)
        assert answer.json()["receipt"]["passes"] > 0
        assert [request.sampling.acceptance for request in asked(running)] == [acceptance]


@pytest.mark.parametrize(
    ("fields", "param"),
    [({"drafter": "lookup"}, "drafter"), ({"sampling": {"acceptance": "block"}}, "sampling.acceptance")],
)
def test_what_an_upstream_decides_itself_is_refused(server, monkeypatch, fields, param):
    monkeypatch.setattr(server.service.backend, "model", "http://127.0.0.1:9/v1")
    wish = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
    assert error(server.http.post("/v1/edits", json=wish | fields), 400)["param"] == param


def test_every_error_is_documented_as_it_is_answered(server):
    for path, methods in server.http.get("/openapi.json").json()["paths"].items():
        for method in methods.values():
            refused = method["responses"].get("422")
            told = refused and refused["content"]["application/json"]["schema"]["$ref"]
            assert told in (None, "#/components/schemas/ErrorOut"), path


def test_no_schema_has_the_name_of_another_class(server):
    names = server.http.get("/openapi.json").json()["components"]["schemas"]
    classes = Counter(
        name
        for file in Path(fastedit.__file__).parent.rglob("*.py")
        for name in re.findall(r"^class (\w+)", file.read_text("utf-8"), re.MULTILINE)
    )
    assert [name for name in names if classes[name] != 1] == []


def test_every_body_has_examples_and_each_is_answered(server):
    api = server.http.get("/openapi.json").json()
    for path, methods in api["paths"].items():
        if "post" not in methods:
            continue
        schema = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        examples = api["components"]["schemas"][schema["$ref"].rpartition("/")[2]].get("examples")
        assert examples, path
        for example in examples:
            answer = server.http.post(path, json=example)
            if path == "/v1/changes" and "instruction" in example:
                assert "needs a strong model" in error(answer, 400)["message"]
                continue
            assert answer.status_code == 200, answer.text
            # What the untrained model of these tests writes is another matter.
            assert example.get("policy") == "model" or answer.json().get("status", "ok") == "ok"


@pytest.mark.parametrize(
    ("headers", "status", "said"),
    [
        ({"Content-Type": "text/plain"}, 422, "Content-Type is text/plain; send JSON with"),
        (
            {"Content-Encoding": "gzip", "Content-Type": "application/json"},
            400,
            "Content-Encoding: gzip is not",
        ),
    ],
)
def test_a_header_that_is_wrong_is_named(server, headers, status, said):
    body = gzip.compress(b"{}") if "Content-Encoding" in headers else b'{"content": "a"}'
    told = error(server.http.post("/v1/edits", content=body, headers=headers), status)
    assert told["message"].startswith(said)


def test_a_number_of_thousands_of_digits_is_called_that(server):
    body = '{"content": "a = 1\\n", "update": "a = 2\\n", "choice": %s}' % ("1" * 5000)
    answer = server.http.post("/v1/edits", content=body, headers={"Content-Type": "application/json"})
    assert "too long" in error(answer, 400)["message"]


def test_a_top_p_of_next_to_nothing_is_refused_since_no_token_is_left(server):
    sampling = {"temperature": 1, "top_p": 1e-300}
    wish = {"content": "a = 1\n", "update": "a = 2\n", "sampling": sampling}
    assert "top_p 1e-300" in error(server.http.post("/v1/edits", json=wish), 400)["message"]
