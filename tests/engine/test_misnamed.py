"""Which file a path may mean that names none."""

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, change
from fastedit.engine.changes.misnamed import alike, misnamed
from fastedit.files.tree import Tree
from fastedit.result import Status
from tests.engine.test_changes import Memory

TEXT = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"


def _changed(tmp_path, message: str) -> ChangeResult:
    (tmp_path / "src").mkdir(exist_ok=True)
    (tmp_path / "src" / "log_file.py").write_text(TEXT)
    return change(Engine(), ChangeRequest(message), Tree(tmp_path))


@pytest.mark.parametrize("path", ["log_file.py", "project/src/log_file.py"])
def test_lines_of_a_file_below_its_bare_name_or_more_folders_are_no_new_file(tmp_path, path: str):
    result = _changed(tmp_path, f"{path}\n```python\ndef g():\n    return 3\n```\n")
    assert result.status is Status.SUSPECT
    assert "src/log_file.py has half of these lines" in result.reasons[0]


def test_a_file_of_a_name_that_others_have_is_new_where_it_has_lines_of_its_own(tmp_path):
    assert _changed(tmp_path, "log_file.py\n```python\nLIMIT = 3\n```\n").status is Status.OK


def test_lines_that_are_all_indented_are_no_new_file():
    assert misnamed("new.py", "    a = 1\n\n    b = 2\n", Memory({})) is not None
    assert misnamed("new.py", "if a:\n    b = 2\n", Memory({})) is None


def test_a_sketch_of_a_file_that_is_not_there_names_the_one_that_may_be_meant(tmp_path):
    result = _changed(tmp_path, "log_file.py\n```python\n# ... existing code ...\ndef h(): ...\n```\n")
    assert result.reasons == ("log_file.py: no such file; src/log_file.py may be meant",)


@pytest.mark.parametrize("above", ["**src/log\\_file.py**", "_src/log_file.py_"])
def test_a_path_as_markdown_writes_it_is_that_of_the_file(tmp_path, above: str):
    result = _changed(tmp_path, f"{above}\n```python\ndef g():\n    return 3\n```\n")
    assert [file.title for file in result.files] == ["edit src/log_file.py"]


def test_hidden_folders_are_not_looked_through(tmp_path):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "a.py").write_text(TEXT)
    assert alike("a.py", Tree(tmp_path)) == []
