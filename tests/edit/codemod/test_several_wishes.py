"""Two things asked for at once are told apart where each is understood, whatever stands between and in them."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

SOURCE = """\
import json


def load(path):
    data = open(path)
    return json.loads(data)


def save(path):
    check(path)
    return path
"""
TRIED = """\
    try:
        data = open(path)
    except OSError:
        return None
"""


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (
            "wrap `data = open(path)` in a try and `return None` on OSError, and rename `save` to `store`",
            [("    data = open(path)\n", TRIED), ("def save", "def store")],
        ),
        (
            "rename `save` to `store` and wrap `data = open(path)` in a try, and `return None` on OSError",
            [("    data = open(path)\n", TRIED), ("def save", "def store")],
        ),
        (
            "rename save to store, and wrap `data = open(path)` in a try and return None on OSError",
            [("    data = open(path)\n", TRIED), ("def save", "def store")],
        ),
        (
            "rename `save` to `store`. delete the line `check(path)`",
            [("def save", "def store"), ("    check(path)\n", "")],
        ),
        (
            "could you rename `save` to `store`, also delete the line `check(path)`?",
            [("def save", "def store"), ("    check(path)\n", "")],
        ),
        (
            "rename `save` to `store`. Then add this below `check(path)`:\n    note(path)\n    warn(path)",
            [
                ("def save", "def store"),
                ("    check(path)\n", "    check(path)\n    note(path)\n    warn(path)\n"),
            ],
        ),
    ],
)
def test_each_wish_is_carried_out_though_one_has_an_and_of_its_own(text, changes):
    wanted = SOURCE
    for old, new in changes:
        wanted = wanted.replace(old, new, 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "rename `save` to `store` and polish the rest",
        "delete the line `check(path)` and only then, if it is safe, rename `save` to `store`",
        "do not rename `save` to `store` and delete the line `check(path)`",
    ],
)
def test_no_wish_is_carried_out_without_the_others(text):
    assert predicted(text, SOURCE, "python") is None


def test_a_sentence_of_many_parts_is_read_all_the_same():
    names = [f"item_{number}" for number in range(9)]
    source = "".join(f"{name} = 1\n" for name in names)
    text = " and ".join(f"rename `{name}` to `{name}_new`" for name in names)
    assert surely(text, source, "python") == "".join(f"{name}_new = 1\n" for name in names)
    assert doubted(f"{text} and sort them", source, "python")
