"""Flags that are turned on and off."""

from __future__ import annotations

import pytest

from .reading import doubted, surely

PYTHON = """\
DEBUG = True
verify = True


def get(url, verify=True, cache=False):
    retry = False
    return fetch(url, stream=True)
"""
SCRIPT = """\
const options = {
  autoplay: true,
  loop: false,
};
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("turn off DEBUG", "DEBUG = True", "DEBUG = False"),
        ("switch DEBUG off please", "DEBUG = True", "DEBUG = False"),
        ("toggle the DEBUG flag", "DEBUG = True", "DEBUG = False"),
        ("enable retry in get", "retry = False", "retry = True"),
        ("enable cache by default", "cache=False", "cache=True"),
    ],
)
def test_a_flag_is_turned_to_its_other_value(text, old, new):
    assert surely(text, PYTHON, "python") == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("autoplay should be off by default", "autoplay: true", "autoplay: false"),
        ("turn on loop in options", "loop: false", "loop: true"),
    ],
)
def test_a_flag_of_a_table_is_turned_as_well(text, old, new):
    assert surely(text, SCRIPT, "javascript") == SCRIPT.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "turn on DEBUG",
        "don't turn off DEBUG",
        "turn off verify",
        "turn off stream",
        "enable cache",
        "should DEBUG be off?",
        "disable logging",
        "turn off DEBUG if nobody needs it",
    ],
)
def test_a_flag_that_is_so_already_or_not_surely_meant_is_left_alone(text):
    assert doubted(text, PYTHON, "python")


def test_a_flag_of_a_data_file_keeps_its_quotation_marks():
    assert surely("turn off lto", "lto = true\n", "toml") == "lto = false\n"
    assert surely("disable x", 'x: "true"\n', "yaml") == 'x: "false"\n'
