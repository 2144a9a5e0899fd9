"""The tools as an agent's SDK sees them: in memory, over a process's pipes and over HTTP."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from typer.testing import CliRunner

from fastedit.cli.app import app
from fastedit.engine import Engine
from fastedit.files.transaction import commit
from fastedit.serve.mcp.server import create_mcp
from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK
from tests.cli.caches import UPDATE as TWICE
from tests.connect.fake import running, silent
from tests.files.trees import create
from tests.serve.conftest import LONG, MERGED, SKETCH, SOURCE, Endless
from tests.waiting import PATIENCE_S, eventually

COMMAND = [sys.executable, "-c", "from fastedit.cli import main; main()", "mcp"]


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE)
    (tmp_path / "secret.py").write_text("key = 1\n")
    (folder / "link.py").symlink_to(tmp_path / "secret.py")
    os.mkfifo(folder / "pipe.py")
    return folder


@pytest.fixture
def server(copier, root):
    return create_mcp(Endless(copier.model), [root])


def using(server, use: Callable[[Client], Awaitable]):
    """What `use` gives with a connected client."""

    async def connected():
        async with Client(server) as client:
            return await use(client)

    return asyncio.run(asyncio.wait_for(connected(), PATIENCE_S))


def call(server, tool: str, **arguments):
    return using(server, lambda client: client.call_tool(tool, arguments))


def test_calls_that_come_together_wait_for_each_other(server, root):
    async def together(client):
        calls = [
            client.call_tool(
                "str_replace_based_edit_tool", {"command": "create", "path": f"{n}.py", "file_text": "a\n"}
            )
            for n in range(60)
        ]
        return await asyncio.gather(*calls)

    assert not any(answer.is_error for answer in using(server, together))
    assert all((root / f"{n}.py").read_text() == "a\n" for n in range(60))


def test_the_tools_say_what_they_take(server):
    tools = {tool.name: tool for tool in using(server, lambda client: client.list_tools()).tools}
    assert set(tools) == {
        "apply_change",
        "apply_operations",
        "apply_patch",
        "edit_file",
        "edit_files",
        "replace",
        "str_replace_based_edit_tool",
        "undo_edit",
    }
    assert tools["edit_file"].input_schema["required"] == ["path"]
    assert "hunks" in tools["edit_file"].output_schema["properties"]


def test_an_edit_is_a_dry_run_unless_told_otherwise_and_can_be_undone(server, root):
    shown = call(server, "edit_file", path="a.py", code_edit=SKETCH).structured_content
    assert shown["status"] == "ok"
    assert not shown["written"]
    assert '+    merged.pop("version", None)' in shown["diff"]
    assert shown["hunks"][0]["lines"] == ['    merged.pop("version", None)']
    assert (root / "a.py").read_text() == SOURCE
    done = call(server, "edit_file", path=str(root / "a.py"), code_edit=SKETCH, dry_run=False)
    assert done.structured_content["written"]
    assert done.structured_content["diff"] == shown["diff"]
    assert (root / "a.py").read_text() == MERGED
    undone = call(server, "undo_edit", path="a.py").structured_content
    assert undone["sha256"] == shown["sha256"]["before"]
    assert (root / "a.py").read_text() == SOURCE


def test_undo_takes_back_an_edit_of_many_files_only_where_all_lie_within_the_roots(server, root):
    commit(root, [create("b.py", b"b"), create("c.py", b"c")], "add two", 2)
    told = call(server, "undo_edit", path="b.py", dry_run=True).structured_content
    assert (told["edit"], told["written"], (root / "c.py").exists()) == ("add two", False, True)
    undone = call(server, "undo_edit", path="b.py").structured_content
    assert undone == told | {"written": True}
    assert undone["sha256"] is None
    assert undone["files"] == {str(root / "b.py"): None, str(root / "c.py"): None}
    assert not (root / "c.py").exists()
    commit(root.parent, [create("project/b.py", b"b"), create("outside.py", b"c")], "add two", 2)
    refused = call(server, "undo_edit", path="b.py")
    assert refused.is_error
    assert "outside.py: lies outside" in refused.content[0].text
    assert (root / "b.py").exists()


def test_a_path_may_be_written_as_on_windows(server, root):
    (root / "src").mkdir()
    (root / "src" / "a.py").write_bytes((root / "a.py").read_bytes())
    call(server, "edit_file", path="src\\a.py", code_edit=SKETCH, dry_run=False)
    assert (root / "src" / "a.py").read_bytes() != (root / "a.py").read_bytes()


def test_nothing_to_undo_is_said_without_a_command_that_an_agent_does_not_have(server, root):
    refused = call(server, "undo_edit", path="a.py")
    assert refused.is_error
    assert refused.content[0].text == f"{root / 'a.py'}: no edit left to undo"


def test_a_suspect_result_is_not_written_unless_forced(server, root):
    wish = {"path": "a.py", "instruction": "tidy load up", "dry_run": False}
    held = call(server, "edit_file", **wish).structured_content
    assert held["status"] == "suspect"
    assert held["reasons"]
    assert held["way_out"].endswith("or give the changed code as code_edit")  # there is nothing to force
    assert not held["written"]
    assert (root / "a.py").read_text() == SOURCE


def test_an_edit_that_asks_for_nothing_is_told_the_arguments_of_the_tool(server):
    refused = call(server, "edit_file", path="a.py")
    assert refused.is_error
    assert "give an instruction, an update or both (instruction, code_edit)" in refused.content[0].text


def test_an_agent_picks_a_reading_of_its_update_by_number(server, root):
    (root / "b.py").write_text(CACHES)
    wish = {"path": "b.py", "code_edit": TWICE, "dry_run": False}
    held = call(server, "edit_file", **wish).structured_content
    assert (held["status"], held["written"]) == ("suspect", False)
    [other] = held["readings"]
    assert (other["number"], other["line"]) == (2, 3)
    assert "+        return read(self.path).strip()" in other["diff"]
    assert other["diff"] != held["diff"]
    assert held["way_out"].startswith("pass choice=2 for another reading")
    assert held["receipt"].keys().isdisjoint(("passes", "drafted"))
    before = held["sha256"]["before"]
    (root / "b.py").write_text("import os\n" + CACHES)
    stale = call(server, "edit_file", **wish, choice=2, base_sha256=before)
    assert "b.py: is not the file of that base_sha256" in stale.content[0].text
    (root / "b.py").write_text(CACHES)
    done = call(server, "edit_file", **wish, choice=2, base_sha256=before).structured_content
    assert (done["status"], done["written"], done["way_out"]) == ("ok", True, "")
    assert done["diff"] == other["diff"]
    assert (root / "b.py").read_text() in (IN_MEMORY, ON_DISK)


def test_an_agent_is_told_that_there_is_no_such_reading(server):
    refused = call(server, "edit_file", path="a.py", code_edit=SKETCH, choice=9)
    assert refused.is_error
    assert "there is no reading 9" in refused.content[0].text


@pytest.mark.parametrize("path", ["../secret.py", "link.py", "/etc/passwd", "a\0.py"])
def test_no_file_outside_the_roots_is_read_or_written(server, path):
    for tool in ("edit_file", "undo_edit"):
        arguments = {"instruction": "rename key to lock"} if tool == "edit_file" else {}
        refused = call(server, tool, path=path, **arguments)
        assert refused.is_error
        assert "root" in refused.content[0].text or "NUL" in refused.content[0].text


def test_no_tool_touches_the_folder_of_git(server, root):
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("a = 1\n")
    wishes = {
        "edit_file": {"path": ".git/config", "code_edit": "a = 2\n", "dry_run": False},
        "undo_edit": {"path": ".git/config"},
        "replace": {"file_path": ".git/config", "old_string": "1", "new_string": "2"},
        "str_replace_based_edit_tool": {
            "command": "create",
            "path": str(root / ".git" / "new"),
            "file_text": "a\n",
        },
        "apply_change": {
            "message": "*** Begin Patch\n*** Add File: new\n+a\n*** End Patch\n",
            "root": ".git",
        },
    }
    for tool, arguments in wishes.items():
        refused = call(server, tool, **arguments)
        assert refused.is_error
        assert "lies in .git" in refused.content[0].text
    assert [file.name for file in (root / ".git").iterdir()] == ["config"]
    assert (root / ".git" / "config").read_text() == "a = 1\n"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a\ud800.py", "half a character"),
        ("pipe.py", "is a pipe"),
        ("a" * 5000, "too long; check the path"),
        (".", "is a folder; name a file in it"),
    ],
)
def test_what_is_no_file_is_refused_and_holds_up_nobody(server, path, said):
    refused = call(server, "edit_file", path=path, instruction="rename a to b")
    assert refused.is_error
    assert said in refused.content[0].text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "none.py", "instruction": "go"}, "no such file"),
        ({"path": "a.py"}, "nothing to do"),
        (
            {"path": "a.py", "instructions": "go"},
            "edit_file: no argument 'instructions'; it takes path, instruction,",
        ),
        (
            {"path": "a.py", "code_edit": SKETCH, "lines": [2]},
            "edit_file: lines: has fewer than 2 items",
        ),
        ({"path": "a.py", "code_edit": SKETCH, "lines": [3, 99]}, "the file has lines 1 to "),
        ({"path": "a.py", "instruction": "go", "symbol": "zzzz"}, "give its lines instead (lines)"),
        ({"path": "a.py", "code_edit": "zzz = 1"}, "update"),
        ({"instruction": "go"}, "path"),
    ],
)
def test_what_cannot_be_done_is_an_error_that_the_agent_can_read(server, arguments, said):
    refused = call(server, "edit_file", **arguments)
    assert refused.is_error
    assert said in refused.content[0].text
    assert "--" not in refused.content[0].text  # an agent has arguments, not flags
    assert "\n" not in refused.content[0].text


def test_an_edit_may_be_kept_within_lines(server, root):
    wish = {"path": "a.py", "instruction": "rename merged to joined"}
    whole, part = (call(server, "edit_file", **wish, **more) for more in ({}, {"lines": [1, 1]}))
    assert whole.structured_content["hunks"]
    assert part.is_error
    assert "is outside of the lines that may change; widen them (symbol, lines)" in part.content[0].text


def test_progress_is_reported_and_a_cancelled_call_ends_the_edit(copier, root):
    engine = Endless(copier.model)
    seen = asyncio.Event()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.set()

    async def use(client: Client) -> None:
        arguments = {"path": "a.py", "instruction": LONG["instruction"]}
        calling = asyncio.create_task(client.call_tool("edit_file", arguments, progress_callback=note))
        await seen.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        shown = await client.call_tool("edit_file", {"path": "a.py", "code_edit": SKETCH})
        assert not shown.is_error

    using(create_mcp(engine, [root]), use)
    assert engine.closed.wait(30)


@pytest.mark.parametrize("tool", ["edit_file", "apply_change"])
def test_a_cancelled_call_hangs_up_on_a_silent_model(root, tool):
    (root / "caches.py").write_text(CACHES)
    wish = {"path": "caches.py", "instruction": "make it thread-safe"}
    if tool == "apply_change":
        wish = {"message": f"caches.py\n```python\n{TWICE}```\n"}

    async def use(client: Client) -> None:
        calling = asyncio.create_task(client.call_tool(tool, wish))
        assert await asyncio.to_thread(fake.stalled.wait, 30)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert await asyncio.to_thread(fake.hung_up.wait, 5)  # choosing a reading gives up after 10 s

    with running() as fake:
        fake.always = silent
        using(create_mcp(Engine.load(fake.url), [root]), use)


def test_it_speaks_over_pipes(copier, root):
    pipes = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "--root", str(root), "--model", copier.model],
        env=dict(os.environ),
    )
    shown = call(pipes, "edit_file", path="a.py", code_edit=SKETCH)
    assert shown.structured_content["status"] == "ok"


def test_a_message_that_cannot_be_read_is_answered_with_the_id_of_its_request(copier, root):
    half = r'{"path":"a.py","command":"str_replace","old_str":"B","new_str":"\ud83d"}'
    deep = f'{{"operations":{"[" * 3000}{"]" * 3000}}}'
    sent = {
        f'{{"jsonrpc":"2.0","id":81,"method":"tools/call","params":{half}}}': (81, -32700),
        f'{{"method":"tools/call","params":{deep},"jsonrpc":"2.0","id":"last"}}': (None, -32700),
        "{bad json": (None, -32700),
        '{"result":': (None, -32700),
        "": None,
        "[]": (None, -32600),
        '{"jsonrpc":"1.0","id":7,"method":"ping"}': (7, -32600),
        '{"jsonrpc":"2.0","id":8}': (None, -32600),
    }
    command = [*COMMAND, "--root", str(root), "--model", copier.model]
    ended = subprocess.run(
        command, input="\n".join(sent) + "\n", capture_output=True, text=True, timeout=120, check=True
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    told = [(answer["id"], answer["error"]["code"]) for answer in answers]
    assert told == [wanted for wanted in sent.values() if wanted]
    assert all("send one object a line" in answer["error"]["message"] for answer in answers)


def test_a_message_that_is_not_utf_8_is_answered_with_an_error_and_writes_nothing(copier, root):
    texts = {"file_path": "a.py", "old_string": "", "new_string": "Bär"}
    request = {
        "jsonrpc": "2.0",
        "id": 9,
        "method": "tools/call",
        "params": {"name": "replace", "arguments": texts},
    }
    sent = json.dumps(request, ensure_ascii=False).encode("latin-1") + b"\n"
    command = [*COMMAND, "--root", str(root), "--model", copier.model]
    ended = subprocess.run(command, input=sent, capture_output=True, timeout=120, check=True)
    answer = json.loads(ended.stdout)
    assert (answer["id"], answer["error"]["code"]) == (9, -32700)
    assert answer["error"]["message"].endswith("send one object a line, in UTF-8")


def test_it_speaks_over_http_on_this_machine_only(copier, root, unused_port):
    command = [*COMMAND, "--root", str(root), "--http", "--port", str(unused_port)]
    url = f"http://127.0.0.1:{unused_port}/mcp"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            assert eventually(lambda: answers(url))
            shown = call(url, "edit_file", path="a.py", code_edit=SKETCH)
            assert shown.structured_content["status"] == "ok"
            foreign = httpx2.post(url, json={}, headers={"Host": "rebound.example"}, trust_env=False)
            assert foreign.status_code == 421
        finally:
            process.kill()


def test_a_root_that_is_no_folder_is_named(root):
    ended = CliRunner().invoke(app, ["mcp", "--root", str(root / "a.py")])
    assert ended.exit_code == 2
    assert "a.py: is not a folder" in ended.stderr


def answers(url: str) -> bool:
    try:
        httpx2.get(url, trust_env=False)
    except httpx2.TransportError:
        time.sleep(0.05)
        return False
    return True


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.mark.parametrize("tool", ["edit_file", "undo_edit"])
def test_while_another_process_holds_the_journal_the_server_answers_other_calls(server, root, tool):
    call(server, "edit_file", path="a.py", code_edit=SKETCH, dry_run=False)
    wish = {"code_edit": SOURCE, "dry_run": False, "force": True} if tool == "edit_file" else {}

    async def both(client):
        lock = os.open(root.parent / "state" / "journal.lock", os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        writing = asyncio.create_task(client.call_tool(tool, {"path": "a.py", **wish}))
        await asyncio.sleep(0.1)
        shown = await client.call_tool("edit_file", {"path": "a.py", "code_edit": SKETCH})
        waited = not writing.done()
        os.close(lock)
        return waited, shown.is_error, (await writing).is_error

    assert using(server, both) == (True, False, False)
    assert (root / "a.py").read_text() == SOURCE
