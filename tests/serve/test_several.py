"""An instruction about several files, over HTTP and MCP: the server's strong model writes the edit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fastedit import Engine
from fastedit.serve.mcp.server import create_mcp
from tests.connect.fake import Fake, running
from tests.serve.conftest import Running, serving
from tests.serve.test_mcp import call, root
from tests.serve.test_mcp_changes import done, refused
from tests.serve.test_native import error, events

__all__ = ["root"]

FILES = {"store.py": "MOST = 10\n", "app.py": "from store import MOST\n\nprint(MOST)\n"}
WANTED = {name: text.replace("MOST", "LIMIT") for name, text in FILES.items()}
ANSWER = "".join(f"{name}\n```python\n{text}```\n\n" for name, text in WANTED.items())
BODY = {
    "instruction": "call MOST LIMIT",
    "files": [{"path": path, "content": text} for path, text in FILES.items()],
}
README = {"path": "README.md", "content": "MOST is 10.\n", "context": True}


@pytest.fixture(scope="module")
def fake() -> Iterator[Fake]:
    with running() as fake:
        yield fake


@pytest.fixture(scope="module")
def front(fake) -> Iterator[Running]:
    with serving(Engine.load(fake.url)) as front:
        yield front


@pytest.fixture(autouse=True)
def says(fake) -> None:
    fake.says = ANSWER


def test_an_instruction_alone_changes_all_files_of_the_body(fake, front):
    body = front.http.post("/v1/changes", json=BODY | {"files": [*BODY["files"], README]}).json()
    assert (body["status"], body["deliver"]) == ("ok", list(FILES))
    assert {file["to"]: file["content"] for file in body["files"]} == WANTED
    assert (body["receipt"]["output_tokens"], body["receipt"]["model"]) == (9, body["model"])
    assert "File: README.md" in fake.bodies[-1]["messages"][-1]["content"]


def test_a_stream_has_each_file_and_then_the_result(front):
    answer = front.http.post("/v1/changes", json=BODY, headers={"Accept": "text/event-stream"})
    assert [name for name, _ in events(answer)] == ["file", "file", "result"]


def test_context_that_the_answer_changes_is_refused(fake, front):
    fake.says = f"{ANSWER}README.md\n```\nLIMIT is 10.\n```\n"
    body = front.http.post("/v1/changes", json=BODY | {"files": [*BODY["files"], README]}).json()
    assert (body["status"], body["deliver"]) == ("suspect", [])
    assert body["reasons"] == ["README.md: is only to be read; leave it as it is"]


def test_an_answer_that_is_no_edit_is_502(fake, front):
    fake.says = "I cannot do that."
    answer = front.http.post("/v1/changes", json=BODY)
    assert error(answer, 502)["code"] == "unreadable_answer"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (BODY | {"message": ANSWER, "files": [*BODY["files"], README]}, "files.2.context"),
        (BODY | {"format": "whole"}, "message"),
        ({"files": BODY["files"]}, "message"),
    ],
)
def test_what_no_model_is_asked_with_is_named(front, body, param):
    answer = front.http.post("/v1/changes", json=body)
    assert error(answer, 422)["param"] == param


def test_a_server_without_a_strong_model_says_so(server):
    answer = server.http.post("/v1/changes", json=BODY)
    assert "needs a strong model" in error(answer, 400)["message"]


@pytest.fixture
def tools(fake, root):
    for name, text in FILES.items():
        (root / name).write_text(text)
    return create_mcp(Engine.load(fake.url), [root])


def test_an_agent_has_several_files_edited_as_one_change(tools, root):
    asked = {"instruction": "call MOST LIMIT", "paths": [*FILES]}
    shown = done(tools, "edit_files", **asked)
    assert (shown["status"], shown["written"], shown["receipt"]["output_tokens"]) == ("ok", False, 9)
    assert (root / "app.py").read_text() == FILES["app.py"]
    assert done(tools, "edit_files", **asked, dry_run=False)["written"]
    assert {name: (root / name).read_text() for name in FILES} == WANTED
    call(tools, "undo_edit", path="store.py")
    assert {name: (root / name).read_text() for name in FILES} == FILES


def test_an_agent_is_told_what_keeps_the_change_from_being_written(fake, tools, root):
    fake.says = "store.py\n```python\nLIMIT = 10\n```\n"
    said = refused(tools, "edit_files", instruction="call MOST LIMIT", paths=[*FILES], dry_run=False)
    assert "store.py: app.py imports MOST from store.py, which does not have it" in said
    assert (root / "store.py").read_text() == FILES["store.py"]


def test_an_agent_is_told_that_a_file_is_read_only_before_the_model_is_asked(fake, tools, root):
    (root / "store.py").chmod(0o444)
    before = len(fake.bodies)
    asked = {"instruction": "call MOST LIMIT", "dry_run": False}
    for tool, named in (("edit_files", {"paths": [*FILES]}), ("edit_file", {"path": "store.py"})):
        assert "store.py: is read-only; make it writable first" in refused(tools, tool, **asked, **named)
    assert len(fake.bodies) == before


def test_without_a_strong_model_the_way_out_is_a_tool_that_takes_an_update(root):
    tools = create_mcp(Engine(), [root])
    (root / "store.py").write_text(FILES["store.py"])
    said = refused(tools, "edit_files", instruction="call MOST LIMIT", paths=["store.py"])
    assert said.endswith("or send an update that names its files (apply_change)")
