from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import doubted

SOURCE = '''\
import json
from os import path, sep

LIMIT = 10


@total
class Store:
    def flush(self, timeout=3):
        """Write."""
        # stale note
        first = json.dumps(path)
        second = sep
        return first


def load(name: str, strict):
    # print(name)
    if name == "x":
        print(strict)
    value = name
    return value
'''


def carried_out(text: str) -> tuple[str, tuple[str, ...]]:
    """The new text, and what speaks against it."""
    found = predict_instruction(SOURCE.split("\n"), "python", text)
    assert found is not None, text
    return "\n".join(found.lines), found.reasons


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("`strict` in `load` is missing a default, make it `False`", "strict)", "strict=False)"),
        ("callers of `flush` should always have to pass `timeout`, so no default", "timeout=3", "timeout"),
        ("{p} of `load` isn't typed yet, it's `bool`", "strict)", "strict: bool)"),
        ("leave `name` untyped in `load`", "name: str", "name"),
        ("what `load` returns isn't typed, its return type is `str`", "strict):", "strict) -> str:"),
        ("`mode=1` as a new last parameter for `load`", "strict)", "strict, mode=1)"),
        ("the parameters of `load` should begin with `mode`", "(name: str", "(mode, name: str"),
        ("`Store` is missing the base class `Base`", "class Store:", "class Store(Base):"),
        ("there's no need for the docstring on `flush`, kill it", '        """Write."""\n', ""),
        ("`load` could use a docstring: \"Read.\"", "    # print(name)\n", '    # print(name)\n    """Read."""\n'),
        ("`load` is missing the decorator `@cache`", "def load", "@cache\ndef load"),
        ("could you get `@total` off `Store`, it's not needed", "@total\n", ""),
        ("`load` has to become a coroutine", "def load", "async def load"),
        ("the line `second = sep` serves no purpose, nuke it", "        second = sep\n", ""),
        ("`second = sep` needs to come twice, clone it", "        second = sep\n", "        second = sep\n" * 2),
        ("`print(name)` is commented out, bring it back", "    # print(name)", "    print(name)"),
        ("the comment `stale note` adds nothing, scrap it", "        # stale note\n", ""),
        ("reword the comment `stale note`, it should be `fresh`", "# stale note", "# fresh"),
        ("we should also import `join` from `os`", "path, sep", "path, sep, join"),
        ("`value = name` must be followed by `log(value)`", "    value = name\n", "    value = name\n    log(value)\n"),
        ("on entry to `load`, do `log(1)`", "    # print(name)", "    # print(name)"),
        ("`load` should give back `None`, not `value`", "return value", "return None"),
        ("I want `LIMIT` to start out as `20`", "LIMIT = 10", "LIMIT = 20"),
    ],
)  # fmt: skip
def test_one_plain_thing_is_understood_in_whatever_order_it_is_said(text, old, new):
    made, reasons = carried_out(text.replace("{p}", "`strict`"))
    if "on entry" in text:
        assert "    log(1)\n" in made
    else:
        assert made == SOURCE.replace(old, new, 1)
    assert not reasons


def test_two_lines_change_places_and_one_moves():
    swapped, _ = carried_out(
        "`second = sep` and `first = json.dumps(path)` are the wrong way round, swap them"
    )
    moved, _ = carried_out("`first = json.dumps(path)` belongs right below `second = sep`, move it")
    assert swapped == moved
    assert swapped.index("second = sep") < swapped.index("first = json")


@pytest.mark.parametrize(
    "text",
    [
        "do not make `strict` of `load` optional with the default `1`",
        "keep the parameter `timeout` of `flush`",
        "remove the parameter `timeout` from the calls of `flush`",
        "remove everything but `timeout` from `flush`",
        "`load` should not lose its parameter `strict`",
        "add a docstring like that of `flush` to `load`",
        "the default of `timeout` in `flush` depends on `LIMIT`",
        "make `load` and `flush` async",
        "swap `first` with `second`",
        "the comment `stale note` should stay",
        "delete `second = sep` unless `first = json.dumps(path)` needs it",
        "never return `None` from `load`",
        "`value = name` belongs below `return value`? ",
        "`first = json.dumps(path)` should sit inside `x()`",
    ],
)
def test_what_forbids_limits_or_speaks_of_something_else_is_not_sure(text):
    assert doubted(text, SOURCE, "python")
