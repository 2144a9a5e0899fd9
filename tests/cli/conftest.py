from __future__ import annotations

import signal
import sys

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app
from tests.cli.caches import CACHES, UPDATE
from tests.cli.script import Script


@pytest.fixture(autouse=True)
def _own_journal(tmp_path_factory, monkeypatch):
    """No test may touch the journal of whoever runs it."""
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(autouse=True)
def _interrupts():
    """A command that wrote leaves Ctrl-C ignored until its process ends, which here it does not."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def script(monkeypatch):
    script = Script()
    monkeypatch.setitem(sys.modules, "fastedit.engine", script.module)
    return script


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\r\nthree")
    return path


@pytest.fixture
def caches(path, tmp_path):
    """A file, and beside it an update that has two readings."""
    (tmp_path / "a.py").write_text(CACHES)
    (tmp_path / "update").write_text(UPDATE)
    return tmp_path / "a.py"


@pytest.fixture
def fastedit():
    def run(*args: object, stdin: bytes = b""):
        return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, prog_name="fastedit")

    return run
