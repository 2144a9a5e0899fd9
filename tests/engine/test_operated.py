from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, stream
from fastedit.errors import Cancelled
from fastedit.formats.base import Edit
from fastedit.formats.tools.operations import NAME, by_file
from fastedit.ops.base import Operation, Outcome
from fastedit.ops.definitions.decorators import AddDecorator
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.serve.jobs.held import HeldChange
from fastedit.source.document import Document

left: list[Hangup] = []
carried_out: list[str] = []


class Leave(Operation, example="a.py"):
    """Whoever asked for it leaves while it is carried out."""

    def carry_out(self, source):
        left.pop()()
        return Outcome(())


class Stay(Operation, example="a.py"):
    """Is noted."""

    def carry_out(self, source):
        carried_out.append(self.name)
        return Outcome(())


@pytest.mark.parametrize("kind", ["edit", "change"])
def test_who_leaves_is_not_kept_by_the_operations_that_are_left(kind):
    hangup, document = Hangup(), Document.from_text("a = 1\n", Path("a.py"))
    left[:], carried_out[:] = [hangup], []
    if kind == "edit":
        events = Engine.load().stream(EditRequest(document, operations=(Leave(), Stay())), hangup)
    else:
        edit = Edit((NAME,), by_file([("a.py", Leave()), ("a.py", Stay())]))
        request = ChangeRequest(edit)
        events = stream(Engine.load(), request, HeldChange(request, {"a.py": document}), hangup)
    with pytest.raises(Cancelled):
        list(events)
    assert carried_out == []


@pytest.mark.parametrize(
    ("head", "told"), [("", True), ("import functools\n", False), ("from os import *\n", False)]
)
def test_a_name_that_an_operation_brings_and_nothing_defines_is_noted(head: str, told: bool):
    document = Document.from_text(f"{head}def main():\n    pass\n", Path("a.py"))
    operation = AddDecorator("main", "functools.cache")
    result = Engine.load().apply(EditRequest(document, operations=(operation,)))
    said = "result line 1 uses functools, which the file neither imports nor defines"
    assert (result.status, result.notes) == (Status.OK, (said,) if told else ())
