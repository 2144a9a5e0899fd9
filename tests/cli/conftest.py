from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app
from fastedit.connect import Hangup
from fastedit.engine.events import Event, Located, Progressed, Resulted
from fastedit.request import EditRequest, LineRange
from fastedit.result import Alternative, EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk
from tests.cli.caches import CACHES, UPDATE


@dataclass
class Verification:
    identical: bool = True
    tokens: int = 12
    first_difference: int | None = None
    passes_with: int = 2
    passes_without: int = 12


class Script:
    """Stands in for the engine: what it answers is set by the test, what it was asked is kept.

    So the commands meet any answer that an engine may give, also those that no real edit gives at will.
    """

    def __init__(self) -> None:
        self.hunks: tuple[Hunk, ...] = (Hunk(1, 2, ("TWO",)),)
        self.status = Status.OK
        self.reasons: tuple[str, ...] = ()
        self.alternatives: tuple[Alternative, ...] = ()
        self.verification = Verification()
        self.error: BaseException | None = None
        self.before_answer: Callable[[], object] = lambda: None
        self.requests: list[EditRequest] = []
        self.models: list[str] = []

    def load(
        self, model: str = "embedded", *, exactness: str = "default", weights: str = "default"
    ) -> Script:
        self.models.append(model)
        return self

    def stream(self, request: EditRequest, hangup: Hangup | None = None) -> Iterator[Event]:
        yield Located((LineRange(1, 2),), ("the second line",))
        self.before_answer()
        yield Progressed(Progress(0.5, 6, 1, 100.0))
        yield Resulted(self.apply(request))

    def apply(self, request: EditRequest) -> EditResult:
        self.requests.append(request)
        if self.error is not None:
            raise self.error
        receipt = Receipt("nano", "model", output_tokens=12, passes=2, total_ms=500.0, rewritten_chars=100)
        return EditResult(request.document, self.hunks, self.status, self.reasons, receipt, self.alternatives)

    def verify(self, request: EditRequest) -> Verification:
        return self.verification


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
    module = ModuleType("fastedit.engine")
    module.Engine = script
    monkeypatch.setitem(sys.modules, "fastedit.engine", module)
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
