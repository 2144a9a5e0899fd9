"""`POST /v1/changes`, and edits in other formats than a sketch on every surface."""

from __future__ import annotations

import json
import pickle

import openai
import pytest

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, FileChange
from fastedit.errors import UnplacedHunk
from fastedit.formats.registry import FORMATS
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.serve.app import create_app
from fastedit.serve.jobs.held import HeldChange
from fastedit.serve.settings import ServerSettings
from fastedit.source.document import Document
from tests.cli.caches import CACHES
from tests.cli.caches import UPDATE as TWICE
from tests.serve.conftest import LONG, MERGED, SKETCH, SOURCE
from tests.serve.test_native import error, events, sha256
from tests.waiting import eventually

CACHE, LIMITS = "SIZE = 16\nNAME = 'cache'\n", "MOST = 1024\n"
FILES = [{"path": "cache.py", "content": CACHE}, {"path": "limits.py", "content": LIMITS}]
PATCH = """I changed the sizes:

*** Begin Patch
*** Update File: cache.py
*** Move to: caches/memory.py
@@
-SIZE = 16
+SIZE = 64
 NAME = 'cache'
*** Delete File: limits.py
*** Add File: sizes.py
+LEAST = 1
*** End Patch
"""
BLOCKS = """cache.py
<<<<<<< SEARCH
SIZE = 16
=======
SIZE = 64
>>>>>>> REPLACE

limits.py
<<<<<<< SEARCH
MOST = 1
=======
LEAST = 2
>>>>>>> REPLACE
"""
DIFF = "--- a/cache.py\n+++ b/cache.py\n@@ -1,2 +1,2 @@\n-SIZE = 16\n+SIZE = 64\n NAME = 'cache'\n"
BLOCK = "<<<<<<< SEARCH\nSIZE = 16\n=======\nSIZE = 64\n>>>>>>> REPLACE\n"
CALL = json.dumps({"old_string": "SIZE = 16", "new_string": "SIZE = 64"})
ENVELOPE = "*** Begin Patch\n*** Update File: cache.py\n@@\n-SIZE = 16\n+SIZE = 64\n*** End Patch\n"
WANTED = CACHE.replace("16", "64")
ABSENT = BLOCK.replace("SIZE = 16", "SIZES = 16")
STREAMING = {"Accept": "text/event-stream"}


def changed(server, message: str, **fields) -> dict:
    answer = server.http.post("/v1/changes", json={"message": message, "files": FILES} | fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_change_of_many_files_tells_what_becomes_of_each(server):
    body = changed(server, PATCH)
    assert (body["status"], body["formats"], body["reasons"]) == ("ok", ["v4a"], [])
    names = [(file["path"], file["to"], file["content"]) for file in body["files"]]
    assert names == [
        ("cache.py", "caches/memory.py", WANTED),
        ("limits.py", None, None),
        (None, "sizes.py", "LEAST = 1\n"),
    ]
    assert body["deliver"] == ["caches/memory.py", "limits.py", "sizes.py"]
    moved = body["files"][0]
    assert moved["hunks"][0]["lines"] == ["SIZE = 64"]
    assert [(report["number"], report["step"]) for report in moved["reports"]] == [(1, "exact")]


def test_a_hunk_without_a_place_is_reported_with_the_nearest_lines_and_nothing_is_to_be_written(server):
    body = changed(server, BLOCKS)
    assert (body["status"], body["deliver"]) == ("suspect", [])
    good, bad = body["files"]
    assert (good["status"], bad["status"], bad["content"]) == ("ok", "refused", None)
    [report] = bad["reports"]
    assert (report["number"], report["step"]) == (1, "unplaced")
    assert report["nearest"] == ["1 | MOST = 1024"]
    assert report["problem"] in bad["problem"]
    assert body["reasons"] == [f"limits.py: {bad['problem']}"]


@pytest.mark.parametrize(
    ("path", "message", "ways_out"),
    [
        ("cache.py", {"message": "cache.py\n```python\nzzz = 1\n```\n"}, ["/v1/edits"]),
        (
            "notes.xyz",
            {"operations": [{"path": "notes.xyz", "op": "rename", "target": "SIZE", "new": "MOST"}]},
            ["files.language"],
        ),
        ("cache.py", {"message": f"cache.py\n{ABSENT}"}, []),
        ("cache.py", {"message": f"other.py\n{ABSENT}"}, ["files"]),
    ],
)
def test_a_refused_file_names_the_fields_that_are_a_way_out(server, path, message, ways_out):
    body = message | {"files": [{"path": path, "content": CACHE}]}
    [file] = server.http.post("/v1/changes", json=body).json()["files"]
    assert (file["status"], file["ways_out"]) == ("refused", ways_out)


def test_with_partial_the_files_that_can_be_changed_are_delivered(server):
    body = changed(server, BLOCKS, partial=True)
    assert (body["status"], body["deliver"]) == ("suspect", ["cache.py"])


def test_each_file_comes_as_soon_as_it_is_finished(server):
    wish = {"message": PATCH, "files": FILES}
    seen = events(server.http.post("/v1/changes", json=wish, headers=STREAMING))
    assert [name for name, _ in seen] == ["hunk", "file", "file", "file", "result"]
    whole = changed(server, PATCH)
    assert [data for name, data in seen if name == "file"] == whole["files"]
    assert seen[-1][1] | {"id": ""} == whole | {"id": ""}


def test_each_hunk_comes_as_soon_as_it_has_a_place(server):
    twice = BLOCKS.replace("limits.py", "cache.py").replace("MOST = 1\n", "NAME = 'cache'\n")
    seen = events(server.http.post("/v1/changes", json={"message": twice, "files": FILES}, headers=STREAMING))
    placed = [data for name, data in seen if name == "hunk"]
    assert [(hunk["path"], hunk["report"]["number"]) for hunk in placed] == [("cache.py", 1), ("cache.py", 2)]
    assert [hunk["lines"] for one in placed for hunk in one["hunks"]] == [["SIZE = 64"], ["LEAST = 2"]]


@pytest.mark.parametrize(
    ("fields", "told"), [({"path": "cache.py"}, 200), ({}, 422), ({"files": FILES[:1]}, 200)]
)
def test_a_message_that_names_no_file_means_the_one_that_is_named_beside_it_or_the_only_one(
    server, fields, told
):
    answer = server.http.post("/v1/changes", json={"message": BLOCK, "files": FILES} | fields)
    assert answer.status_code == told
    if told == 200:
        assert answer.json()["files"][0]["content"] == WANTED
    else:
        assert "names no file" in error(answer, 422)["message"]


def test_a_path_is_the_same_file_however_it_is_spelled(server):
    body = changed(server, BLOCKS.replace("limits.py", "./cache.py").replace("MOST = 1", "NAME = 'cache'"))
    [file] = body["files"]
    assert (file["path"], file["status"]) == ("cache.py", "ok")


def test_absolute_paths_are_those_below_the_root_that_is_named(server):
    edit = {
        "range": {"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 9}},
        "newText": "64",
    }
    message = json.dumps({"changes": {"file:///home/u/my%20app/cache.py": [edit]}})
    answer = changed(server, message, root="/home/u/my app/")
    assert [(file["path"], file["content"]) for file in answer["files"]] == [("cache.py", WANTED)]
    refused = changed(server, message, root="/home/u")["files"] + changed(server, message)["files"]
    assert [file["status"] for file in refused] == ["refused", "refused"]


def test_a_path_may_be_written_as_on_windows_in_the_message_and_beside_it(server):
    message = "src\\cache.py\n<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n"
    for path in ("src\\cache.py", "src/cache.py"):
        body = {"message": message, "files": [{"path": path, "content": "a = 1\n"}]}
        [file] = server.http.post("/v1/changes", json=body).json()["files"]
        assert (file["path"], file["content"]) == ("src/cache.py", "a = 2\n")


@pytest.mark.parametrize(
    "path",
    ["../limits.py", "/etc/limits.py", "a/../../limits.py", "a\\..\\..\\limits.py", "\\\\host\\limits.py"],
)
def test_a_path_outside_the_root_is_refused_and_the_other_files_are_not(server, path):
    body = changed(
        server, f"*** Begin Patch\n*** Delete File: cache.py\n*** Add File: {path}\n+a\n*** End Patch\n"
    )
    assert [file["status"] for file in body["files"]] == ["ok", "refused"]
    assert "root of the edit" in body["files"][1]["problem"]
    assert body["deliver"] == []


def test_no_file_in_the_folder_of_git_is_taken_or_made(server):
    files = [{"path": ".git/config", "content": "a\n"}]
    refused = error(server.http.post("/v1/changes", json={"message": DIFF, "files": files}), 422)
    assert (refused["param"], refused["message"].count("lies in .git")) == ("files.0.path", 1)
    body = changed(server, "*** Begin Patch\n*** Add File: .git/hooks/pre-commit\n+a\n*** End Patch\n")
    assert "lies in .git" in body["files"][0]["problem"]
    assert body["deliver"] == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (ENVELOPE.replace("cache.py", "other.py"), "no such file"),
        (
            PATCH.replace("sizes.py", "limits.py").replace("*** Delete File: limits.py\n", ""),
            "exists already",
        ),
    ],
)
def test_a_file_that_is_not_there_or_there_already_is_refused(server, message, said):
    body = changed(server, message)
    assert said in body["files"][-1]["problem"]
    assert body["deliver"] == []


def test_a_sketch_is_merged_as_in_an_edit_and_its_cost_is_counted(server):
    before = server.service.metrics.totals()["rewritten_chars"]
    files = [{"path": "a.py", "content": SOURCE}]
    body = changed(server, SKETCH, files=files, instruction="drop the version")
    assert (body["formats"], body["files"][0]["content"]) == (["sketch"], MERGED)
    assert server.service.metrics.totals()["rewritten_chars"] > before


def test_a_reading_of_a_sketch_is_chosen_with_its_file(server):
    files = [{"path": "b.py", "content": CACHES}]
    held = changed(server, f"b.py\n```python\n{TWICE}```\n", files=files)["files"][0]
    [other] = held["alternatives"]
    chosen = changed(server, f"b.py\n```python\n{TWICE}```\n", files=[files[0] | {"choice": other["number"]}])
    assert (chosen["status"], chosen["files"][0]["hunks"]) == ("ok", other["hunks"])
    answer = server.http.post(
        "/v1/changes", json={"message": DIFF, "files": [FILES[0] | {"choice": 1}, FILES[1]]}
    )
    assert error(answer, 400)["message"].startswith("cache.py: the message has no sketch of it")


def test_an_ignored_rule_holds_no_sketch_back(server):
    message = "```\nx = 1\n>>>>>>> theirs\ny = 2\n```\n"
    files = [{"path": "a.cfg", "content": "x = 1\ny = 2\n"}]
    assert changed(server, message, files=files)["status"] == "suspect"
    assert changed(server, message, files=files, ignore=["FE104"])["status"] == "ok"


@pytest.mark.parametrize("format", ["v4a", "udiff"])
def test_a_format_can_be_insisted_on(server, format):
    wish = {"message": DIFF, "files": FILES, "format": format}
    answer = server.http.post("/v1/changes", json=wish)
    if format == "udiff":
        assert answer.json()["files"][0]["content"] == WANTED
    else:
        refused = error(answer, 422)
        assert refused["code"] == "unreadable_edit"
        assert "it looks like udiff" in refused["message"]


@pytest.mark.parametrize(
    ("fields", "status", "param"),
    [
        ({"format": "best"}, 422, "format"),
        ({"files": [*FILES, FILES[0]]}, 422, "files.2.path"),
        ({"files": [{"path": "/a.py", "content": ""}]}, 422, "files.0.path"),
        ({"files": [{"path": f"{'a/' * 100_000}b.py", "content": ""}]}, 422, "files.0.path"),
        ({"path": "../a.py"}, 422, "path"),
        ({"files": [FILES[0] | {"base_sha256": sha256("other")}]}, 409, "files.0.base_sha256"),
        ({"colour": "red"}, 422, "colour"),
        ({"drafter": "eagle=/etc"}, 400, "drafter"),
        ({"model": "gpt-9"}, 404, "model"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_bad_fields_of_a_change_are_named(server, fields, status, param, accept):
    wish = {"message": PATCH, "files": FILES} | fields
    refused = error(server.http.post("/v1/changes", json=wish, headers={"Accept": accept}), status)
    assert refused["param"] == param
    assert "\n" not in refused["message"]


def test_a_file_beyond_the_limit_is_refused_by_its_place(server):
    files = [FILES[0], {"path": "long.py", "content": "a" * 1_000_001}]
    answer = server.http.post("/v1/changes", json={"message": PATCH, "files": files})
    assert error(answer, 413)["param"] == "files.1.content"


def test_a_message_beyond_the_limit_of_a_file_is_refused(server):
    wish = {"message": "a" * 1_000_001, "files": [{"path": "a.py", "content": SOURCE}]}
    assert error(server.http.post("/v1/changes", json=wish), 413)["param"] == "message"


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_change_stops_at_its_deadline_and_ends_the_sketch_it_was_at(server, accept):
    wish = {"message": SKETCH, "files": [{"path": "a.py", "content": SOURCE}], "deadline_ms": 200}
    wish["instruction"] = LONG["instruction"]
    answer = server.http.post("/v1/changes", json=wish, headers={"Accept": accept})
    assert error(answer, 408)["code"] == "deadline"
    assert eventually(lambda: server.service.pool.live == 0)


def test_hunks_are_counted_by_format_and_step(server):
    def count() -> tuple[float, ...]:
        labels = [{"format": "search_replace", "step": step} for step in ("exact", "unplaced")]
        return tuple(
            server.service.metrics.registry.get_sample_value("fastedit_hunks_total", each) or 0
            for each in labels
        )

    before = count()
    changed(server, BLOCKS)
    assert count() == (before[0] + 1, before[1] + 1)


def test_binary_files_are_not_taken(server):
    files = [{"path": "a.bin", "content": "a\0b"}]
    assert (
        "NUL"
        in error(server.http.post("/v1/changes", json={"message": DIFF, "files": files}), 400)["message"]
    )


@pytest.mark.parametrize(
    "update", [DIFF, BLOCK, CALL, ENVELOPE], ids=["udiff", "search_replace", "str_replace", "v4a"]
)
def test_every_surface_takes_an_update_in_any_format(server, update):
    answer = server.http.post("/v1/edits", json={"content": CACHE, "update": update, "path": "cache.py"})
    assert (answer.json()["status"], answer.json()["content"]) == ("ok", WANTED)
    answer = server.http.post("/v1/code/apply", json={"initial_code": CACHE, "edit_snippet": update})
    assert answer.json()["mergedCode"] == WANTED
    message = f"<code>{CACHE}</code>\n<update>{update}</update>"
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0) as sdk:
        chat = sdk.chat.completions.create(model="auto", messages=[{"role": "user", "content": message}])
        assert chat.choices[0].message.content == WANTED


def test_an_update_in_another_format_streams_its_hunks(server):
    wish = {"content": CACHE, "update": DIFF, "format": "udiff"}
    seen = events(server.http.post("/v1/edits", json=wish, headers=STREAMING))
    assert [data["lines"] for name, data in seen if name == "hunk"] == [["SIZE = 64"]]


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/edits", {"content": CACHE, "update": ABSENT}),
        ("/v1/code/apply", {"initial_code": CACHE, "edit_snippet": ABSENT}),
        (
            "/v1/chat/completions",
            {
                "model": "auto",
                "messages": [{"role": "user", "content": f"<code>{CACHE}</code><update>{ABSENT}</update>"}],
            },
        ),
    ],
)
def test_a_hunk_that_has_no_place_is_an_error_with_its_number_and_the_nearest_lines(server, path, fields):
    refused = error(server.http.post(path, json=fields), 422)
    assert refused["code"] == "unplaced_hunk"
    assert "hunk 1: " in refused["message"]
    assert [report["nearest"] for report in refused["reports"]] == [["1 | SIZE = 16"]]


@pytest.mark.parametrize(
    ("held", "added", "problem"),
    [
        ("a.py", "a.py/x.py", "a.py is a file, not a folder; check the path"),
        ("a/x.py", "a", "is a folder; name a file in it"),
    ],
)
def test_no_file_is_made_where_a_folder_is_or_within_a_file(server, held, added, problem):
    wish = {
        "message": f"*** Begin Patch\n*** Add File: {added}\n+A = 9\n*** End Patch\n",
        "files": [{"path": held, "content": "A = 1\n"}],
    }
    answer = server.http.post("/v1/changes", json=wish).json()
    assert answer["deliver"] == []
    assert [file["problem"] for file in answer["files"]] == [problem]


def test_an_update_that_is_cut_off_is_an_error_with_the_number_of_its_hunk(server):
    wish = {"content": CACHE, "update": BLOCK + BLOCK.partition("=======")[0]}
    refused = error(server.http.post("/v1/edits", json=wish), 422)
    assert refused["code"] == "unreadable_edit"
    assert "hunk 2" in refused["message"]


def test_the_schema_lists_every_format():
    schemas = create_app(ServerSettings()).openapi()["components"]["schemas"]
    for name in ("EditIn", "ChangeIn"):
        assert schemas[name]["properties"]["format"]["anyOf"][0]["enum"] == [*FORMATS, "sketch"]


def test_what_replicas_send_survives_the_way_between_processes():
    held = HeldChange(ChangeRequest(BLOCKS), {"cache.py": Document.from_text(CACHE)})
    events = list(pickle.loads(pickle.dumps(held)).stream(Engine()))
    sent = pickle.loads(pickle.dumps(events))
    assert [file.status for file in sent[-1].files] == [Status.OK, None]
    with pytest.raises(UnplacedHunk) as raised:
        Engine().apply(EditRequest(Document.from_text(CACHE), update=ABSENT))
    assert pickle.loads(pickle.dumps(raised.value)).reports == raised.value.reports


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Ray's own
def test_a_lost_replica_costs_a_change_nothing_but_time():
    pytest.importorskip("ray")
    from fastedit.serve.cluster.remote import Remote

    files = [FileChange(None, name, None, None) for name in ("a", "b")]

    class Dying(Remote):
        def __init__(self) -> None:
            pass

        def _attempts(self, work):
            yield iter(files[:1])
            yield iter(files)

    assert list(Dying().run(HeldChange(ChangeRequest(""), {}), Hangup())) == files
