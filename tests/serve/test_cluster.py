"""A deployment on a real Ray of this machine: two replicas, one front, a replica that dies."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.engine.test_engine import SKETCH, SOURCE
from tests.serve.test_changes import ABSENT, BLOCKS, CACHE, FILES, PATCH
from tests.serve.test_native import error, events
from tests.waiting import eventually

pytest.importorskip("ray", reason="ray is not installed: pip install '.[ray]'")
ROOT = Path(__file__).parents[2]
TWICE = "import os\n\n\ndef first(a):\n    return a\n\n\ndef second(b):\n    return b\n"
BOTH = (
    "# ... existing code ...\ndef first(a):\n    print(a)\n    return a\n\n\n"
    "def second(b):\n    print(b)\n    return b\n"
)


@pytest.fixture(scope="module")
def cluster(copier, tmp_path_factory):
    """A client of the deployment; what its replicas leave behind is in `cluster.folder`."""
    folder = tmp_path_factory.mktemp("cluster")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.serve.deployed", str(port), copier.model, str(folder)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False)
    client.folder = folder
    try:
        assert eventually(lambda: "listening" in (folder / "log").read_text() or process.poll(), 240)
        assert process.poll() is None, (folder / "log").read_text()
        assert eventually(lambda: client.get("/ready").status_code == 200)
        yield client
    finally:
        client.close()
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def halted(cluster) -> Path:
    """The file in which a held edit leaves its process's id."""
    for name in ("halted", "left"):
        (cluster.folder / name).unlink(missing_ok=True)
    return cluster.folder / "halted"


def streamed(cluster, **body) -> list[tuple[str, dict]]:
    return events(cluster.post("/v1/edits", json=body, headers={"Accept": "text/event-stream"}))


def process_of(cluster, source: str) -> str:
    told = streamed(cluster, content=source, update=SKETCH, policy="merge")
    return told[0][1]["reasons"][0]


def test_edits_of_one_file_stay_on_one_replica_while_files_spread_over_all(cluster):
    files = ["".join(f"value_{i}_{j} = {j}\n" for j in range(60)) + SOURCE for i in range(12)]
    # The second edit of each file sees a line more than the first, as after an edit that was taken.
    seen = [{process_of(cluster, file), process_of(cluster, "added = 1\n" + file)} for file in files]
    assert sum(len(processes) == 1 for processes in seen) >= 10
    assert len(set.union(*seen)) == 2


def test_every_surface_answers_as_on_one_machine(cluster, server):
    for path, body in (
        ("/v1/edits", {"content": SOURCE, "update": SKETCH, "policy": "model"}),
        ("/v1/code/apply", {"initial_code": SOURCE, "edit_snippet": SKETCH}),
        ("/v1/edits", {"content": "a = 1\n", "update": "a = 2", "scope": {"symbol": "nowhere"}}),
        ("/v1/edits", {"content": CACHE, "update": ABSENT}),
        ("/v1/changes", {"message": BLOCKS, "files": FILES}),
        ("/v1/changes", {"message": PATCH, "files": FILES}),
        ("/v1/chat/completions", {"model": "auto", "messages": [{"role": "user", "content": "hello"}]}),
    ):
        there, here = (client.post(path, json=body) for client in (cluster, server.http))
        assert there.status_code == here.status_code, there.text
        for key in ("content", "hunks", "files", "mergedCode", "error"):
            assert there.json().get(key) == here.json().get(key)


def test_a_replica_killed_mid_edit_costs_a_retry_and_nothing_else(cluster, halted, server):
    wish = {"content": TWICE, "update": BOTH, "instruction": "halt", "policy": "merge"}
    told: list[str] = []
    headers = {"Accept": "text/event-stream"}
    with cluster.stream("POST", "/v1/edits", json=wish, headers=headers) as answer:
        for line in answer.iter_lines():
            told.append(line)
            if line.startswith("event: hunk") and told.count("event: hunk") == 1:
                assert eventually(lambda: halted.exists() and halted.read_text())
                os.kill(int(halted.read_text()), signal.SIGKILL)
    assert [line for line in told if line.startswith("event:") and "progress" not in line] == [
        "event: located",
        "event: hunk",
        "event: hunk",
        "event: result",
    ]
    result = json.loads(
        told[-2].removeprefix("data: ") if told[-1] == "" else told[-1].removeprefix("data: ")
    )
    alone = server.http.post("/v1/edits", json=wish).json()
    assert result["sha256"] == alone["sha256"]
    assert result["status"] == alone["status"]
    assert "fastedit_retries_total 1.0" in cluster.get("/metrics").text
    assert process_of(cluster, SOURCE)


def test_a_client_that_hangs_up_frees_the_replica(cluster, halted):
    wish = {"content": TWICE, "update": BOTH, "instruction": "halt", "policy": "merge"}
    headers = {"Accept": "text/event-stream"}
    with cluster.stream("POST", "/v1/edits", json=wish, headers=headers) as answer:
        next(line for line in answer.iter_lines() if line.startswith("event: hunk"))
        assert eventually(halted.exists)
    assert eventually((cluster.folder / "left").exists)


def test_errors_keep_their_status_and_shape(cluster):
    assert error(cluster.post("/v1/edits", json={"content": "a\n", "colour": 1}), 422)
    late = {"content": SOURCE, "instruction": "rename x to y", "deadline_ms": 1}
    assert error(cluster.post("/v1/edits", json=late), 408)["code"] == "deadline"
