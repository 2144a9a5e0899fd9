"""Of a long file each question shows a stretch: cut between definitions, within the budget, all of it once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.locate.search import around
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.places import places_budget
from fastedit.plan.question import question
from fastedit.plan.stretches import LEAST, smaller, stretches
from fastedit.request import LineRange
from fastedit.source.document import Document

METHODS = "".join(f"    def step_{n}(self, value):\n        return value + {n}\n\n" for n in range(60))
CODE = "import json\n\n\n" + "".join(f"class Part{n}:\n{METHODS}\n" for n in range(6))


def wish(text: str, *places: tuple[int, int], budget: int = 2000, path: str = "a.py") -> DocumentTask:
    document = Document.from_text(text, Path(path))
    whole = LineRange(0, len(document.lines))
    lines = [LineRange(*place) for place in places] or [whole]
    return DocumentTask(document, "type hints", "python", around(document, lines, whole), budget=budget)


def shown(wish: DocumentTask) -> list[int]:
    return [line for region in wish.regions for line in range(region.start, region.stop)]


def test_what_one_question_shows_is_one_question():
    assert stretches(few := wish(CODE, (4, 8)), "sketch") == (few,)
    assert stretches(short := wish("x = 1\n"), "sketch") == (short,)
    assert len(stretches(wish(CODE), "operations")) == 1
    assert stretches(large := wish(CODE, budget=30_000), "sketch") == (large,)


def test_a_long_file_is_cut_between_its_definitions():
    asked = stretches(wish(CODE), "sketch")
    assert 3 < len(asked) < 10
    lines = asked[0].document.lines
    assert [line for each in asked for line in shown(each)] == list(range(len(lines)))
    for each in asked:
        assert tokens_of(each.text_of(each.stretch)) <= places_budget(each)
        assert "return" not in lines[each.stretch.start]


def test_places_that_lie_apart_share_a_question_as_long_as_they_fit():
    asked = stretches(wish(CODE, *((at, at + 30) for at in range(3, 900, 90))), "sketch")
    assert 1 < len(asked) < 10
    assert all(len(each.regions) > 1 for each in asked[:-1])


def test_all_stretches_begin_alike_and_say_what_they_are_about():
    first, second, *_ = (question(each, "sketch")[1][1] for each in stretches(wish(CODE), "sketch"))
    at = first.index("\n\nLines 1-", first.index("Outline"))
    head, rest = first[:at], first[at:]
    assert second.startswith(head)
    assert "    4  class Part0:" in head
    assert "This question is about lines 1-" in rest
    assert "each on a line of its own" in rest


@given(st.lists(st.sampled_from(["", "x = 1", "def f():", "    return 2", "y" * 300]), max_size=80))
def test_any_text_is_cut_without_loss(lines):
    asked = stretches(wish("\n".join(lines) + "\n", budget=40), "sketch")
    if asked[0].stretch is not None:
        assert [line for each in asked for line in shown(each)] == list(range(len(asked[0].document.lines)))


@pytest.mark.parametrize(("budget", "held", "less"), [(8000, 50_000, 4000), (8000, 3000, 1500)])
def test_a_smaller_question_shows_half(budget, held, less):
    found = smaller(wish(CODE, budget=budget), held)
    assert found is not None
    assert found.budget == less
    assert smaller(wish(CODE, budget=2 * LEAST - 1), held) is None
