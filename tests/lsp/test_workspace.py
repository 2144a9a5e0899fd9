"""What the language server reads of a workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fastedit_lsp.buffers import Buffers
from fastedit_lsp.workspace import WorkspaceFiles

from fastedit.errors import FileUnreadable


def test_a_pipe_is_refused_and_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(FileUnreadable, match=r"pipe\.py: is a pipe or a device; name a file"):
        WorkspaceFiles(Buffers(), [tmp_path], None).read("pipe.py")
