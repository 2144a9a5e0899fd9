"""Code fences that no format reads: each is an edit of a file that prose names, no edit, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Beside, Edit, ModifyFile, WriteFile
from fastedit.formats.detect import read_edit
from fastedit.formats.registry import FORMATS
from tests.formats import reading

NAMED = "`a.py`:\n```python\nx = 1\n```\n"


def read(message: str, **beside: Any) -> Edit:
    return read_edit(message, tuple(FORMATS.values()), beside=Beside(**beside))


def paths(message: str) -> list[str | None]:
    return [operation.path for operation in read(message).operations]


refused = partial(reading.refused, read)


@pytest.mark.parametrize(
    ("prose", "path"),
    [
        ("Then in tool.py use 20:", "tool.py"),
        ("In `src/tool.py`, use 20:\n", "src/tool.py"),
        ("In /home/My Docs/tool.py use 20:\n", "/home/My Docs/tool.py"),
        ("For src/a, tool.py has 20:\n", "tool.py"),
        ("Here's the updated **tool.py**:\n", "tool.py"),
        ("`tool.py` — use 20", "tool.py"),
        ("At `tool.py:12-14`:\n", "tool.py"),
        ("Change [the tool](./src/tool.py):\n", "src/tool.py"),
        ("<summary>tool.py</summary>\n", "tool.py"),
        ("### 2. tool.py\n\nUse 20:\n", "tool.py"),
        ("**tool.py**\n\nUse 20:\n", "tool.py"),
        ("## Use `tool.py`\n\n### The default\n\nIt is 20:\n", "tool.py"),
    ],
)
def test_prose_above_a_fence_names_its_file(prose: str, path: str):
    for info in ("python", "py", ""):
        edit = read(f"{NAMED}\n{prose}\n```{info}\ny = 20\n```\n")
        assert edit.operations[1] == WriteFile(path, "y = 20\n", stated=False, in_prose=True)
        assert not edit.notes


@pytest.mark.parametrize(
    ("path", "info"),
    [
        ("a.tsx", "typescript"),
        ("a.js", "jsx"),
        ("a.h", "cpp"),
        ("a.sql", "sql"),
        ("src/App.vue", "ts"),
        ("Dockerfile", "dockerfile"),
    ],
)
def test_a_fence_may_call_the_language_of_its_file_by_a_relative(path: str, info: str):
    assert paths(f"In {path} write:\n\n```{info}\nx\n```\n") == [path]


def test_a_sketch_and_an_edit_in_another_format_take_the_file_from_prose_too():
    sketch = "In `a.py`:\n\n```python\n# ... existing code ...\nx = 1\n```\n"
    hunk = "In `b.py`:\n\n```diff\n-x = 1\n+x = 2\n```\n"
    block = "In `c.py`:\n\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
    edit = read(sketch + hunk + block)
    assert [type(operation) for operation in edit.operations] == [ModifyFile] * 3
    assert [operation.path for operation in edit.operations] == ["a.py", "b.py", "c.py"]


@pytest.mark.parametrize(
    ("above", "path"),
    [
        ("`Makefile`:\n\n", "Makefile"),
        ("## AUTHORS\n\n", "AUTHORS"),
        ("Makefile\n", "Makefile"),
        ("File: AUTHORS\n", "AUTHORS"),
        ("## AUTHORS\n\nIt is:\n", "AUTHORS"),
        ("**my docs/b.py**\n", "my docs/b.py"),
    ],
)
def test_a_line_that_is_the_name_of_a_file_names_it_for_the_fence_below(above: str, path: str):
    files = {"Makefile", "AUTHORS", "b.py", "docs/b.py", "my docs/b.py"}
    for others in ("", NAMED):
        edit = read(f"{others}{above}```\nall: x\n```\n", is_file=files.__contains__)
        assert edit.operations[-1] == WriteFile(path, "all: x\n", stated=False, in_prose=True)
    assert "nothing says which file" in refused(f"{NAMED}`load`:\n\n```\nall: x\n```\n")


@pytest.mark.parametrize(
    "edit",
    [
        "```python\n# file: b.py\ny = 1\n```\n",
        "```python\n# b.py\ny = 1\n```\n",
        "**b.py**\n```python\ny = 1\n```\n",
        "b.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
    ],
)
def test_the_name_of_a_file_that_prose_names_with_its_folder_is_that_file(edit: str):
    for prose in ("In `src/b.py`:\n\n", "### Changes to src/b.py\n\nThese:\n\n"):
        assert paths(f"{NAMED}{prose}{edit}") == ["a.py", "src/b.py"]
    beside = read(f"{NAMED}In `src/b.py`:\n\n{edit}", is_file="b.py".__eq__)
    assert [operation.path for operation in beside.operations] == ["a.py", "b.py"]


def test_a_path_above_a_diff_without_a_header_names_its_file():
    assert paths("**a.py**\n```diff\n-x = 1\n+x = 2\n```\n") == ["a.py"]


def test_further_fences_of_a_section_are_for_the_file_of_its_heading():
    fence = "```python\n# ...\nx = {}\n```\n"
    message = f"# a.py\n\nFirst:\n{fence}\nThen:\n{fence}\n# Notes\n\n"
    assert paths(message) == ["a.py", "a.py"]
    assert "nothing says which file" in refused(f"{message}Use it:\n{fence}")


def test_two_files_above_a_fence_leave_open_which_is_meant():
    assert refused(f"{NAMED}Change `b.py` as c.py has it:\n```python\ny = 1\n```\n") == (
        "update line 6: the code fence `y = 1` may be for b.py or c.py, which the text above it names; write its path "
        "in backticks on the line right above it, or `text` after its opening marks if it is no edit"
    )
    assert "may be for b.py or c.py" in refused(
        f"{NAMED}**b.py**\n\nAs c.py has it.\n\nSo:\n```\ny = 1\n```\n"
    )


@pytest.mark.parametrize("prose", ["", "Use it:\n", "In `Shelf.add`:\n", "See https://a.org/b.py:\n"])
def test_a_fence_that_nothing_names_a_file_for_is_refused_and_not_dropped(prose: str):
    for message in (f"{NAMED}\n{prose}```python\ny = 1\n```\n", f"{prose}```python\ny = 1\n```\n{NAMED}"):
        assert "nothing says which file the code fence `y = 1` is for" in refused(message)


def test_a_fence_in_another_language_than_the_file_above_is_refused():
    assert "the code fence `{}` says that it is json, and the text above it names b.py" in refused(
        f"{NAMED}Now b.py returns:\n```json\n{{}}\n```\n"
    )


BLOCK = "src/a.py\n```python\n<<<<<<< SEARCH\nx = 1\n    y = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n"


@pytest.mark.parametrize("prose", ["", "Use it:\n", "1. Use it:\n   "])
def test_beside_edits_that_say_what_they_replace_such_a_fence_holds_them_back(prose: str):
    for message in (f"{BLOCK}\n{prose}```\nz = 1\n```\n", f"{prose}```python\nz = 1\n```\n{BLOCK}"):
        edit = read(message)
        assert [operation.path for operation in edit.operations] == ["src/a.py"]
        [doubt] = edit.doubts
        assert "nothing says which file the code fence `z = 1` is for; write its path" in doubt


def test_every_fence_that_may_be_an_edit_is_named():
    message = f"{BLOCK}```\nz = 1\n```\nb.py or c.py:\n```\ny = 1\n```\n\n> ```\n> x\n> ```\n"
    assert ["z = 1" in read(message).doubts[0], "b.py or c.py" in read(message).doubts[1]] == [True, True]
    assert "stands in a quotation" in read(message).doubts[2]


def test_a_fence_that_shows_what_the_edit_replaces_is_a_quotation():
    for shown in ("x = 1", "x = 1\ny = 2", "  x = 1\n\n  y = 2\n"):
        edit = read(f"Now it is:\n```python\n{shown}\n```\n{BLOCK}")
        assert edit.doubts == ()
        assert edit.notes == (
            "update line 2: `x = 1` is what the edit replaces, and taken for no edit itself",
        )


@pytest.mark.parametrize("shown", ["x = 3", "y = 2\nx = 1", "x = 1\ny = 2\nz", "y ="])
def test_what_the_edit_writes_or_has_elsewhere_is_no_quotation(shown: str):
    assert len(read(f"{BLOCK}The same below:\n```python\n{shown}\n```\n").doubts) == 1


def test_what_is_replaced_is_no_quotation_below_the_name_of_another_file():
    assert paths(f"{BLOCK}In `b.py`:\n```python\nx = 1\n```\n") == ["src/a.py", "b.py"]


def test_statements_that_import_the_file_are_an_example_of_its_use():
    edit = read(f"{BLOCK}Then:\n```python\nfrom src.a import f\n\nprint(f())\n```\n")
    note = "update line 11: `from src.a import f` imports src/a.py, and is taken for an example"
    assert (edit.doubts, edit.notes) == ((), (note,))


@pytest.mark.parametrize(
    "text",
    ["print(f())", "import ab\nab.f()", "from src.a import f\ndef test_f():\n    f()", "import a\nx = ("],
)
def test_other_statements_and_definitions_may_be_an_edit(text: str):
    assert len(read(f"{BLOCK}And:\n```python\n{text}\n```\n").doubts) == 1


@pytest.mark.parametrize("path", ["src/a.py", "src\\a.py"])
def test_a_fence_below_the_name_of_the_file_does_not_undo_the_edit(path: str):
    shown = "Before, `{}` had:\n```python\n{}\n```\n"
    for message in (BLOCK + shown.format(path, "x = 1"), shown.format(path, "    x = 1\n    y = 2") + BLOCK):
        edit = read(message)
        assert [operation.path for operation in edit.operations] == ["src/a.py"]
        assert edit.notes[0].endswith("`x = 1` is what the edit replaces, and taken for no edit itself")
    more = "def f():\n    x = 1\n    y = 2\n    z = 3"
    edit = read(BLOCK + shown.format(path, more))
    assert [operation.path for operation in edit.operations] == ["src/a.py"]
    assert "the code fence `def f():` has text of" in edit.doubts[0]
    for message in (shown.format(path, more) + BLOCK, BLOCK + shown.format(path, "def f():\n    x = 3")):
        assert len(read(message).operations) == 2


@pytest.mark.parametrize("word", ["Python", "bash", "PowerShell", "`json`", "cmd"])
def test_the_name_of_a_language_names_no_file(word: str):
    info = word.strip("`").lower()
    edit = read(f"{BLOCK}In {word}:\n```{info}\nz\n```\n{info}\n```{info}\nz\n```\n")
    assert {operation.path for operation in edit.operations} == {"src/a.py"}
    assert len(edit.doubts) + len(edit.notes) == 2
    assert paths(f"{BLOCK}In the Makefile:\n```makefile\nall:\n```\n")[1] == "Makefile"


@pytest.mark.parametrize("info", ["cmd", "bat", "powershell", "ps1"])
def test_commands_of_windows_are_no_edit_but_of_a_script_that_prose_names(info: str):
    edit = read(f"{BLOCK}\n```{info}\nset PORT=1\n```\n")
    assert (edit.doubts, len(edit.notes), len(edit.operations)) == ((), 1, 1)
    assert paths(f"{BLOCK}In `run.bat`:\n```{info}\nset PORT=1\n```\n") == ["src/a.py", "run.bat"]
    assert paths(f"{BLOCK}Start `run.bat`:\n```{info}\nrun.bat\n```\n") == ["src/a.py"]


def test_a_file_without_a_suffix_that_is_known_is_named_as_code_where_prose_names_no_other():
    message = f"{NAMED}\n{{}}\n\n```\nx: y\n```\n"
    there = {".gitignore", "Makefile"}.__contains__
    for name in (".gitignore", "Makefile"):
        assert read(message.format(f"Add this to `{name}`, too:"), is_file=there).operations[1].path == name
    beside = read(message.format("Add to `b.yml` what `Makefile` needs:"), is_file=there)
    assert beside.operations[1].path == "b.yml"
    with pytest.raises(UnreadableEdit, match="nothing says which file"):
        read(message.format("Use `.map` for this:"), is_file=there)


def test_a_message_of_commands_alone_says_that_they_are_no_edit():
    edit = read("Rename it:\n\n```sh\ngit mv a.py b.py\n```\n")
    assert "`git mv a.py b.py` is taken for a command or an output, not for an edit" in edit.hint


@pytest.mark.parametrize("info", ["sh", "bash", "console", "text", "plaintext"])
@pytest.mark.parametrize("prose", ["Then run:", "Then run `b.py`:", "Then run `b.sh`:"])
def test_commands_and_plain_text_below_no_path_are_no_edits_and_noted(info: str, prose: str):
    edit = read(f"{NAMED}\n{prose}\n\n```{info}\n./b.sh --all\n```\n")
    assert [operation.path for operation in edit.operations] == ["a.py"]
    assert edit.notes == (
        "update line 8: `./b.sh --all` is taken for a command or an output, not for an edit",
    )


def test_a_fence_of_commands_below_the_name_of_a_script_is_the_script_or_runs_it():
    message = f"{NAMED}gradlew\n\n```sh\n{{}}\n```\n"
    assert read(message.format("exec java"), is_file="gradlew".__eq__).operations[1].path == "gradlew"
    with pytest.raises(UnreadableEdit, match="says that it is sh, and the text above it names gradlew"):
        read(message.format("./gradlew build"), is_file="gradlew".__eq__)
    assert len(read(message.format("exec java")).notes) == 1


@pytest.mark.parametrize(
    "prose",
    [
        "New file `b.py`:",
        "Create `b.py`:",
        "### Add the new file b.py",
        "3. Create a file **b.py**",
    ],
)
def test_a_line_that_only_says_of_a_file_that_it_is_new_names_it(prose: str):
    written = WriteFile("b.py", "y = 1\n", stated=False)
    assert read(f"{NAMED}\n{prose}\n```python\ny = 1\n```\n").operations[1] == written


@pytest.mark.parametrize(
    "prose", ["Run `b.py`:", "As in `b.py`:", "Add b.py to the list:", "The file `b.py`:", "❌ `b.py`"]
)
def test_any_other_line_may_be_about_a_file(prose: str):
    assert read(f"{NAMED}\n{prose}\n```python\ny = 1\n```\n").operations[1].in_prose


@pytest.mark.parametrize(
    ("path", "command"),
    [("src/a.py", "rm src/a.py"), ("lib/b.js", "cat > x <<E\nE\nls"), ("a/b.conf", "server a/b.conf")],
)
def test_commands_right_below_the_path_of_what_is_no_script_are_not_its_text(path: str, command: str):
    message = f"{NAMED}`{path}`\n\n```bash\n{command}\n```\n"
    assert f"`{command.splitlines()[0]}` says that it is bash, and the text above it names {path}" in refused(
        message
    )
    assert len(read(message.replace("```bash", "Run:\n```bash")).notes) == 1


def test_plain_text_right_below_the_path_of_code_is_not_its_text():
    assert "says that it is text, and the text above it names b.py; put words between" in refused(
        f"{NAMED}`b.py`\n```text\n{{}}\n```\n"
    )
    assert paths(f"{NAMED}`b.txt`\n```text\n{{}}\n```\n") == ["a.py", "b.txt"]


def test_a_script_and_settings_without_a_language_of_their_own_may_be_called_bash():
    assert paths(f"{NAMED}b.sh\n```bash\n./b.sh --all\n```\n") == ["a.py", "b.sh"]
    assert paths(f"{NAMED}.env\n```bash\nPORT=1\n```\n") == ["a.py", ".env"]


def test_lines_that_a_fence_cites_are_no_edit_and_noted():
    edit = read(f"{NAMED}\nSee:\n```12:14:b.py\ny = 1\n```\n")
    assert edit.notes == (
        "update line 7: the code fence `y = 1` cites lines 12-14 of b.py, and is taken for no edit; for an edit write "
        "the path alone after its opening marks",
    )
    assert read("```12:14:b.py\ny = 1\n```\n").hint.startswith("update line 1: the code fence `y = 1` cites")


def test_where_a_file_with_fences_of_its_own_is_meant_prose_names_none():
    text = "Write `main.py`:\n\n```python\nx = 1\n```\n"
    assert read(text, prose_names=False).operations[0].path is None


@pytest.mark.parametrize(
    "message",
    [
        "```\na.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n",
        "```patch\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n```\n",
        '```json\n{"path": "a.py", "old_string": "x", "new_string": "y"}\n```\n',
        "```xml\n<edits>\n<old_text>x</old_text>\n<new_text>y</new_text>\n</edits>\n```\n",
        '```xml\n<invoke name="str_replace"><parameter name="path">a.py</parameter><parameter name="old_str">x'
        '</parameter><parameter name="new_str">y</parameter></invoke>\n```\n',
    ],
)
def test_a_fence_around_an_edit_is_no_other_fence(message: str):
    assert paths(f"{message}\nb.py:\n```python\ny = 1\n```\n")[1] == "b.py"
    assert len(read(message).operations) == 1


def test_tags_are_a_fence_as_others_are():
    edit = read(f"{NAMED}\nIn `b.py`:\n<source>\ny = 1\n</source>\n")
    assert edit.operations[1] == WriteFile("b.py", "y = 1\n", stated=False, in_prose=True)
    block = "<source>\nb.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</source>\n"
    assert paths(f"{NAMED}{block}") == ["a.py", "b.py"]
    assert "nothing says which file the code fence `y = 1` is for" in refused(
        f"{NAMED}\nThen:\n<source>\ny = 1\n</source>\n"
    )
    assert len(read(f"{NAMED}\nSee <source>\n<source>\n").operations) == 1


def test_a_fence_in_a_quotation_is_refused_and_not_dropped():
    quotation = "> In `b.py`:\n>\n> ```python\n> y = 1\n> ```\n"
    assert "stands in a quotation" in read(quotation).hint
    said = refused(f"{NAMED}\n{quotation}")
    assert said.startswith("update line 8: the code fence `> ```python` stands in a quotation")


@pytest.mark.parametrize(
    "text", ["flask --app app run", "   flask db upgrade", "pip install x\npip install y", "127 tests passed"]
)
def test_a_fence_without_a_language_that_is_no_code_of_an_edited_file_is_no_edit(text):
    edit = read(f"{BLOCK}Then:\n```\n{text}\n```\n")
    assert edit.doubts == ()
    assert "is taken for a command or an output" in edit.notes[0]


@pytest.mark.parametrize("text", ["z = 1", "    return z", "else:", "ls"])
def test_a_fence_without_a_language_that_may_be_a_part_of_an_edited_file_is_a_doubt(text):
    assert len(read(f"{BLOCK}And:\n```\n{text}\n```\n").doubts) == 1


def _has(path: str, lines: Sequence[str]) -> bool:
    return path == "a.py" and "z = 1" in lines


@pytest.mark.parametrize("between", ["", "and the other one:\n\n", "In `a.py`, then:\n", "...\n"])
@pytest.mark.parametrize("label", ["`a.py`:", "In `a.py`, add:", "#### a.py", "1. **a.py**"])
def test_a_further_fence_is_for_the_file_above_it_where_it_has_a_line_of_that(label: str, between: str):
    message = f"{label}\n\n```python\ny = 2\n```\n\n{between}```python\nz = 1\nz = 2\n```\n"
    edit = read(message, has_one_of=_has)
    assert [operation.path for operation in edit.operations] == ["a.py", "a.py"]


@pytest.mark.parametrize(
    "further",
    [
        "```python\nq = 1\n```\n",
        "## Details\n\n```python\nz = 1\n```\n",
        "Unlike in b.py and c.py:\n```python\nz = 1\n```\n",
        "The answer:\n```json\nz = 1\n```\n",
    ],
)
def test_a_further_fence_that_may_be_for_another_file_is_refused(further: str):
    with pytest.raises(UnreadableEdit):
        read(f"{NAMED}\n{further}", has_one_of=_has)


def test_further_diffs_are_for_the_file_that_words_name_above_the_first():
    diff = "```diff\n-y = {0}\n+y = 0\n```\n"
    message = f"In `a.py`:\n{diff.format(1)}\n{diff.format(2)}and\n{diff.format(3)}"
    [operation] = read(message).operations
    assert isinstance(operation, ModifyFile)
    assert (operation.path, len(operation.hunks)) == ("a.py", 3)


@pytest.mark.parametrize(
    "above", ["To run the tests:", "The API now answers with:", "Usage:", "Раньше было так:"]
)
def test_a_fence_that_words_introduce_as_an_example_or_output_is_noted(above: str):
    edit = read(f"{NAMED}\n{above}\n\n```\nf(x):\n```\n")
    assert len(edit.operations) == 1
    assert edit.notes == (f"update line 8: `f(x):` is no edit by the words above it, `{above}`",)


def test_a_fence_that_words_introduce_as_old_is_an_edit_that_may_not_be_meant_where_its_file_has_its_lines():
    edit = read(f"{NAMED}\nBefore:\n\n```python\nz = 1\n```\n", has_one_of=_has)
    assert [operation.path for operation, _ in edit.withheld] == ["a.py"]


def test_a_fence_with_a_call_that_is_noted_as_no_edit_holds_nothing_back():
    call = '```json\n{"name": "run_shell_command", "args": {"command": "npm test"}}\n```\n'
    edit = read(f"{BLOCK}\n{call}")
    assert not edit.doubts
    assert ["the call of run_shell_command" in note for note in edit.notes] == [True]


def test_a_path_that_ends_a_message_right_below_an_edit_begins_another_one():
    assert "opens a further edit" in refused(f"{BLOCK}\nsrc/b.py\n")
    assert len(read(f"{BLOCK}\nThe tests:\n\nsrc/b.py\n").operations) == 1


@pytest.mark.parametrize(
    "above", ["If not already imported, add:", "Nicht vergessen:", "Не забудьте импорт:"]
)
def test_a_fence_that_only_imports_is_no_example_whatever_words_introduce_it(above: str):
    edit = read(f"{BLOCK}\n{above}\n\n```python\nimport sys\nfrom os import path\n```\n")
    assert "nothing says which file the code fence `import sys` is for" in edit.doubts[0]
    assert edit.notes == ()
