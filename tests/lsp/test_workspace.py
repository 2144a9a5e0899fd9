"""What the language server reads of a workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fastedit_lsp.buffers import Buffers
from fastedit_lsp.workspace import WorkspaceFiles

from fastedit.errors import FileUnreadable


def test_a_path_may_be_written_as_on_windows(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("a = 1\n")
    files = WorkspaceFiles(Buffers(), [tmp_path], None)
    found = files.read("src\\a.py")
    assert found is not None
    assert found.text == "a = 1\n"
    assert files.uri("src\\b.py") == (tmp_path / "src" / "b.py").as_uri()


def test_a_pipe_is_refused_and_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(FileUnreadable, match=r"pipe\.py: is a pipe or a device; name a file"):
        WorkspaceFiles(Buffers(), [tmp_path], None).read("pipe.py")
