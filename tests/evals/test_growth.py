"""The same edit stands in every length of file, and the cases are such that the merge puts it in everywhere."""

from __future__ import annotations

import random

import pytest

from evals import workloads
from evals.cases import lines_of
from evals.edits import RealEdit
from evals.growth import Grown
from fastedit.engine import Engine


def module(number: int) -> str:
    body = "".join(f"    value_{number}_{line} = a + {line}\n" for line in range(12))
    return f'"""Module {number}."""\n\nfrom __future__ import annotations\n\n\ndef f{number}(a):\n{body}    return a\n'


@pytest.fixture
def files():
    return [RealEdit("p", f"{n}.py", module(n), module(n), 0.0) for n in range(300)]


def test_longer_files_hold_the_short_one_and_the_same_edit(files):
    drawn = Grown.draw(files, (60, 600, 2400), random.Random(0))
    short, *longer = drawn.cases.values()
    for case, length in zip(longer, (600, 2400), strict=True):
        assert short.old in case.old
        assert short.wanted in case.wanted
        assert case.update == short.update
        assert length <= len(lines_of(case.old)) < length + 60
        compile(case.old, "joined", "exec")
    assert drawn.exact(Engine.load())


def test_files_without_a_place_for_a_kind_of_change_are_passed_over(files, monkeypatch):
    plain = [RealEdit("p", f"plain{n}.py", f"a = {n}\n" * 20, "", 0.0) for n in range(200)]
    monkeypatch.setattr(workloads, "load", lambda name: [*files[:50], *plain])
    assert len(workloads.made("pure insertion", 6, lines=20)) == 6
