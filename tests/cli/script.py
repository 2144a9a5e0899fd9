"""An engine that answers what a test tells it, for the commands of this process and for those at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

import fastedit.engine.changes.again  # noqa: F401 - which commands find once this stands in for the package
from fastedit.connect import Hangup
from fastedit.engine.events import Event, Located, Progressed, Resulted
from fastedit.request import EditRequest, LineRange
from fastedit.result import Alternative, EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk


@dataclass
class Verification:
    identical: bool = True
    tokens: int = 12
    first_difference: int | None = None
    passes_with: int = 2
    passes_without: int = 12


def at_once() -> None:
    """Answers without a pause."""


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
        self.before_answer: Callable[[], object] = at_once
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

    @property
    def module(self) -> ModuleType:
        """What commands import the engine from."""
        module = ModuleType("fastedit.engine")
        module.Engine = self
        return module


def installed() -> Script | None:
    """The script that commands of this process run with."""
    engine = getattr(sys.modules.get("fastedit.engine"), "Engine", None)
    return engine if isinstance(engine, Script) else None
