"""The tools for edits of many files, under fastedit's own name and under those that agents know."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from fastedit.files import transaction
from fastedit.serve.mcp import server as mcp
from fastedit.serve.mcp.server import create_mcp
from tests.cli.caches import CACHES
from tests.cli.caches import UPDATE as TWICE
from tests.serve.conftest import MERGED, SKETCH, Endless
from tests.serve.test_changes import BLOCKS, CACHE, DIFF, LIMITS, PATCH, WANTED
from tests.serve.test_mcp import call, root, using

__all__ = ["root"]

BROKEN = "*** Begin Patch\n*** Update File: limits.py\n@@\n-MOST = 1024\n+MOST = (\n*** End Patch\n"
EDITOR = "str_replace_based_edit_tool"


@pytest.fixture
def project(root):
    (root / "cache.py").write_text(CACHE)
    (root / "limits.py").write_text(LIMITS)
    return root


@pytest.fixture
def server(copier, project):
    return create_mcp(Endless(copier.model), [project])


def done(server, tool: str, **arguments) -> dict:
    answer = call(server, tool, **arguments)
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content


def refused(server, tool: str, **arguments) -> str:
    answer = call(server, tool, **arguments)
    assert answer.is_error, answer.structured_content
    return answer.content[0].text


def test_a_change_of_many_files_is_written_as_one_and_undone_as_one(server, project):
    told = done(server, "apply_change", message=PATCH)
    assert (told["status"], told["written"], told["held"]) == ("ok", True, "")
    assert told["actions"] == ["rename cache.py to caches/memory.py", "delete limits.py", "create sizes.py"]
    [report] = told["files"][0]["reports"]
    assert (report["number"], report["step"], report["lines"]) == (1, "exact", "lines 1-2")
    diff = told["files"][0]["diff"]
    assert "rename to caches/memory.py\n" in diff
    assert "\n+SIZE = 64\n" in diff
    assert (project / "caches" / "memory.py").read_text() == WANTED
    assert not (project / "limits.py").exists()
    call(server, "undo_edit", path="sizes.py")
    assert (project / "cache.py").read_text() == CACHE
    assert (project / "limits.py").read_text() == LIMITS
    assert not (project / "caches").exists()


def test_a_name_above_a_block_is_that_of_a_file_of_the_project(server, project):
    (project / "NOTICE").write_text("one\n")
    done(
        server,
        "apply_change",
        message="**NOTICE**\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n",
        format="search_replace",
    )
    assert (project / "NOTICE").read_text() == "two\n"


def test_one_hunk_without_a_place_keeps_the_whole_change_from_being_written(server, project):
    said = refused(server, "apply_change", message=BLOCKS)
    assert "nothing was written" in said
    assert "limits.py: hunk 1: " in said
    assert "\n    1 | MOST = 1024\n" in said
    assert (project / "cache.py").read_text() == CACHE


def test_with_partial_the_rest_is_written_and_the_answer_says_what_was_left(server, project):
    told = done(server, "apply_change", message=BLOCKS, partial=True)
    assert (told["status"], told["written"], told["actions"]) == ("suspect", True, ["edit cache.py"])
    assert told["held"].startswith("limits.py: hunk 1: ")
    assert (project / "cache.py").read_text() == WANTED


def test_with_partial_nobody_is_told_to_take_partial(server):
    unplaced = {"file_path": "limits.py", "old_string": "nowhere at all", "new_string": "x"}
    placed = {"file_path": "cache.py", "old_string": "SIZE = 16", "new_string": "SIZE = 64"}
    message = json.dumps([placed, unplaced])
    assert "apply_change and apply_operations take partial" in refused(
        server, "apply_change", message=message
    )
    assert "partial" not in done(server, "apply_change", message=message, partial=True)["held"]


def test_a_hard_link_is_told_before_its_file_is_replaced(server, project):
    (project / "other.py").hardlink_to(project / "cache.py")
    told = done(server, "edit_file", path="cache.py", code_edit=DIFF)
    assert told["notes"] == ["cache.py: the file has another name, a hard link, which keeps the old text"]
    assert told["notes"][0] in done(server, "apply_change", message=DIFF, check=True)["actions"]


def test_edit_file_lists_the_places_that_it_leaves(server, project):
    (project / "s.py").write_text(
        "class A:\n    def put(self):\n        pass\n\n\ndef f(x):\n    x.put()\n    A().put()\n"
    )
    told = done(server, "edit_file", path="s.py", instruction="rename A.put to insert")
    assert [place["line"] for place in told["left"]] == [7]


def test_with_partial_a_file_that_needs_the_name_of_one_that_is_held_back_is_held_back_too(server, project):
    patch = (
        "*** Begin Patch\n*** Update File: limits.py\n*** Move to: old.py\n@@\n-LEAST\n+MOST\n"
        "*** Update File: cache.py\n*** Move to: limits.py\n@@\n-SIZE = 16\n+SIZE = 64\n*** End Patch\n"
    )
    said = refused(server, "apply_change", message=patch, partial=True)
    assert "limits.py: held back, as it takes" in said
    assert (project / "limits.py").read_text() == LIMITS


def test_a_check_tells_what_would_happen_and_writes_nothing(server, project):
    told = done(server, "apply_change", message=PATCH, check=True)
    assert (told["status"], told["written"]) == ("ok", False)
    assert "create sizes.py" in told["actions"]
    told = done(server, "apply_change", message=BLOCKS, check=True)
    assert (told["status"], told["actions"]) == ("suspect", [])
    assert told["files"][1]["reports"][0]["nearest"] == ["1 | MOST = 1024"]
    assert (project / "cache.py").read_text() == CACHE


def test_a_suspect_change_is_written_only_with_force_or_with_the_reading_that_is_chosen(server, project):
    (project / "caches.py").write_text(CACHES)
    wish = {"message": f"caches.py\n```python\n# ... existing code ...\n{TWICE}```\n"}
    said = refused(server, "apply_change", **wish)
    assert "write it as it is with force=true" in said
    assert "reading 2 of 2, " in said
    [choices] = re.findall(r"choices=(\{.*\}) with the same message takes another reading", said)
    assert (project / "caches.py").read_text() == CACHES
    told = done(server, "apply_change", **wish, force=True)
    assert (told["written"], told["held"]) == (True, "")
    first = (project / "caches.py").read_text()
    assert first != CACHES
    (project / "caches.py").write_text(CACHES)
    told = done(server, "apply_change", **wish, choices=json.loads(choices))
    assert (told["status"], told["written"]) == ("ok", True)
    assert (project / "caches.py").read_text() not in (CACHES, first)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("replace", {"file_path": "limits.py", "old_string": "MOST", "new_string": "MOST = ("}),
        (EDITOR, {"command": "str_replace", "path": "limits.py", "old_str": "MOST", "new_str": "MOST = ("}),
        ("apply_patch", {"input": BROKEN}),
    ],
)
def test_the_tools_that_agents_know_write_a_suspect_change_with_force_too(server, project, tool, arguments):
    assert "write it as it is with force=true" in refused(server, tool, **arguments)
    assert done(server, tool, **arguments, force=True)["written"]
    assert "MOST = (" in (project / "limits.py").read_text()


def test_an_ignored_rule_holds_no_tool_back(server, project):
    (project / "a.cfg").write_text("x = 1\ny = 2\n")
    sketch = "x = 1\n>>>>>>> theirs\ny = 2\n"
    wish = {"message": f"a.cfg\n```\n{sketch}```\n"}
    assert "FE104" in refused(server, "apply_change", **wish)
    assert "is none of FE101" in refused(server, "apply_change", **wish, ignore=["FE999"])
    assert done(server, "apply_change", **wish, ignore=["FE104"])["status"] == "ok"
    (project / "a.cfg").write_text("x = 1\ny = 2\n")
    assert done(server, "edit_file", path="a.cfg", code_edit=sketch, ignore=["FE104"])["status"] == "ok"


def test_a_format_can_be_insisted_on(server, project):
    assert done(server, "apply_change", message=DIFF, format="udiff")["formats"] == ["udiff"]
    assert "it looks like udiff" in refused(server, "apply_change", message=DIFF, format="v4a")
    assert "there is no format best" in refused(server, "apply_change", message=DIFF, format="best")


def test_paths_start_from_the_root_that_is_named_or_that_holds_an_absolute_path(copier, project, tmp_path):
    (project / "inner").mkdir()
    (project / "inner" / "cache.py").write_text(CACHE)
    second = tmp_path / "second"
    second.mkdir()
    (second / "cache.py").write_text(CACHE)
    server = create_mcp(Endless(copier.model), [project, second])
    done(server, "apply_change", message=DIFF, root="inner")
    assert (project / "inner" / "cache.py").read_text() == WANTED
    done(server, "replace", file_path=str(second / "cache.py"), old_string="16", new_string="64")
    assert (second / "cache.py").read_text() == WANTED
    assert (project / "cache.py").read_text() == CACHE
    assert "lies outside" in refused(server, "apply_change", message=DIFF, root="..")
    assert "is not a folder" in refused(server, "apply_change", message=DIFF, root="cache.py")


def test_an_absolute_path_may_go_through_the_link_that_the_server_was_started_with(copier, project, tmp_path):
    (tmp_path / "short").symlink_to(project)
    server = create_mcp(Endless(copier.model), [tmp_path / "short"])
    path = tmp_path / "short" / "cache.py"
    done(server, EDITOR, command="str_replace", path=str(path), old_str="16", new_str="64")
    assert path.read_text() == WANTED
    (project / "inner").mkdir()
    add = f"*** Begin Patch\n*** Add File: {path.parent / 'inner' / 'new.py'}\n+a = 1\n*** End Patch\n"
    done(server, "apply_change", message=add, root="inner")
    assert (project / "inner" / "new.py").read_text() == "a = 1\n"


@pytest.mark.parametrize(
    "path", ["../secret.py", "link.py", "/etc/passwd", "a\0.py", "a\ud800.py", "pipe.py"]
)
def test_no_tool_leaves_the_roots_or_reads_what_is_no_file(server, project, path):
    assert refused(server, "replace", file_path=path, old_string="key", new_string="lock")
    assert refused(server, EDITOR, command="create", path=path, file_text="key = 2\n")
    assert (project.parent / "secret.py").read_text() == "key = 1\n"


def test_apply_patch_takes_the_patch_alone(server, project):
    assert done(server, "apply_patch", input=PATCH)["formats"] == ["v4a"]
    assert (project / "caches" / "memory.py").read_text() == WANTED
    assert "v4a" in refused(server, "apply_patch", input="SIZE = 64")


@pytest.mark.parametrize("absolute", [False, True])
def test_the_text_editor_replaces_inserts_and_creates(server, project, absolute):
    path = str(project / "cache.py") if absolute else "cache.py"
    done(server, EDITOR, command="str_replace", path=path, old_str="SIZE = 16", new_str="SIZE = 64")
    done(server, EDITOR, command="insert", path=path, insert_line=0, insert_text="import os\n")
    assert (project / "cache.py").read_text() == f"import os\n{WANTED}"
    done(server, EDITOR, command="create", path=path.replace("cache", "new/cache"), file_text=CACHE)
    assert (project / "new" / "cache.py").read_text() == CACHE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"command": "view"}, "read the file with another tool"),
        ({"command": "undo_edit"}, "a tool of its own"),
        ({"command": "str_replace"}, "old_str is missing"),
        ({"command": "insert", "insert_text": "a"}, "insert_line is missing"),
        ({"command": "insert", "insert_line": 1}, "insert_text is missing"),
        (
            {"command": "insert", "insert_line": 99, "insert_text": "a"},
            "inserts after line 99 of a file with 2 lines",
        ),
        ({"command": "create"}, "file_text is missing"),
        ({"command": "create", "file_text": "a"}, "exists already"),
        ({"command": "str_replace", "old_str": "E", "new_str": "e"}, "hunk 1: "),
        ({"command": "str_replace", "old_str": "SIZES", "new_str": "e"}, "cache.py: hunk 1: "),
    ],
)
def test_the_text_editor_says_what_is_wrong_and_the_way_out(server, project, arguments, said):
    assert said in refused(server, EDITOR, path="cache.py", **arguments)
    assert (project / "cache.py").read_text() == CACHE


@pytest.mark.parametrize("text", ["null", "[]", '{"a": 1}', "true", "1", '"x"'])
def test_text_that_is_json_too_stays_text(server, project, text):
    done(server, EDITOR, command="create", path="new.json", file_text=text)
    assert (project / "new.json").read_text() == text
    done(server, EDITOR, command="str_replace", path="cache.py", old_str="16", new_str=text)
    assert (project / "cache.py").read_text() == CACHE.replace("16", text)
    done(server, EDITOR, command="str_replace", path="cache.py", old_str=text, new_str="16")
    assert (project / "cache.py").read_text() == CACHE
    done(server, EDITOR, command="insert", path="cache.py", insert_line=0, insert_text=text)
    assert (project / "cache.py").read_text() == f"{text}\n{CACHE}"
    assert f"no definition of `{text}`" in refused(
        server, "edit_file", path="a.py", code_edit=SKETCH, symbol=text
    )


def test_a_list_may_come_as_json_in_a_string(server):
    operations = '[{"path": "cache.py", "op": "rename", "target": "SIZE", "new": "LIMIT"}]'
    assert done(server, "apply_operations", operations=operations, check=True)["status"] == "ok"


def test_replace_changes_one_place_or_as_many_as_are_asked_for(server, project):
    (project / "cache.py").write_text(CACHE * 2)
    arguments = {"file_path": "cache.py", "old_string": "SIZE = 16", "new_string": "SIZE = 64"}
    assert "stands 2 times" in refused(server, "replace", **arguments)
    assert refused(server, "replace", **arguments, expected_replacements=3)
    done(server, "replace", **arguments, allow_multiple=True)
    assert (project / "cache.py").read_text() == WANTED * 2


def test_calls_side_by_side_for_one_file_are_all_carried_out(server, project):
    (project / "many.py").write_text("".join(f"x{n} = 0\n" for n in range(10, 34)))

    async def all_at_once(client):
        calls = (
            {"file_path": "many.py", "old_string": f"x{n} = 0", "new_string": f"x{n} = 1"}
            for n in range(10, 34)
        )
        return await asyncio.gather(*(client.call_tool("replace", call) for call in calls))

    assert not any(answer.is_error for answer in using(server, all_at_once))
    assert (project / "many.py").read_text() == "".join(f"x{n} = 1\n" for n in range(10, 34))


def test_what_another_server_writes_meanwhile_stays(server, project, monkeypatch):
    file = project / "cache.py"

    def first_by_hand(module, name):
        inner = getattr(module, name)

        def wrapped(*args, **more):
            monkeypatch.setattr(module, name, inner)
            file.write_text(file.read_text() + "# more\n")
            return inner(*args, **more)

        monkeypatch.setattr(module, name, wrapped)

    first_by_hand(transaction, "commit")
    done(server, "replace", file_path="cache.py", old_string="SIZE = 16", new_string="SIZE = 64")
    first_by_hand(mcp, "save")
    block = "<<<<<<< SEARCH\nSIZE = 64\n=======\nSIZE = 128\n>>>>>>> REPLACE\n"
    told = done(server, "edit_file", path="cache.py", code_edit=block, dry_run=False)
    assert (told["status"], told["written"]) == ("ok", True)
    assert file.read_text() == CACHE.replace("SIZE = 16", "SIZE = 128") + "# more\n# more\n"


def test_replace_makes_a_file_of_an_empty_old_string(server, project):
    done(server, "replace", file_path="new.py", old_string="", new_string=CACHE)
    assert (project / "new.py").read_text() == CACHE


def test_edit_file_takes_any_format_too(server, project):
    done(server, "edit_file", path="cache.py", code_edit=DIFF, dry_run=False)
    assert (project / "cache.py").read_text() == WANTED


def test_a_change_may_be_a_sketch(server, project):
    told = done(server, "apply_change", message=f"a.py\n```python\n{SKETCH}```\n")
    assert told["formats"] == ["sketch"]
    assert (project / "a.py").read_text() == MERGED


def test_a_refusal_of_the_only_file_offers_no_others(server):
    told = refused(server, "replace", file_path="cache.py", old_string="nowhere", new_string="x")
    assert "partial" not in told


def test_prose_is_told_to_be_no_edit(server):
    assert "has no edit in a format that does" in refused(server, "apply_change", message="gibberish")
