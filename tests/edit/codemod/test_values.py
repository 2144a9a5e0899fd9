"""Values in place of what a call or a text holds, and base classes in place of others."""

from __future__ import annotations

import pytest

from . import reading

PYTHON = """\
from decimal import Decimal

RATE = Decimal("0.19")
PORT = "8080"
LEVEL = getenv("LEVEL")
STEPS = max(3, 4)


class Broken(Exception):
    pass


class Shape(Base):
    pass
"""


def surely(text: str, source: str = PYTHON, language: str = "python") -> str:
    return reading.surely(text, source, language)


def doubted(text: str, source: str = PYTHON, language: str = "python") -> bool:
    return reading.doubted(text, source, language)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("change RATE to 0.21", '"0.19"', '"0.21"'),
        ("RATE should be 0.21", '"0.19"', '"0.21"'),
        ("set PORT to 9090", '"8080"', '"9090"'),
        ('change RATE to Decimal("0.3")', '"0.19"', '"0.3"'),
    ],
)
def test_a_number_takes_the_place_of_the_one_that_a_call_or_a_text_holds(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize("text", ['set LEVEL to "debug"', "set STEPS to 5", "set LEVEL to 3"])
def test_a_value_in_place_of_what_is_computed_is_not_sure(text):
    assert doubted(text)


def test_a_base_class_gives_way_only_to_one_that_inherits_from_it():
    assert surely("make Broken inherit from RuntimeError") == PYTHON.replace("(Exception)", "(RuntimeError)")
    assert doubted("make Broken inherit from Mixin")
    assert doubted("let Shape inherit from Mixin")
    assert surely("`Mixin` is missing as a base of `Broken`") == PYTHON.replace(
        "(Exception)", "(Exception, Mixin)"
    )


def test_a_constant_said_without_capitals_is_set_and_not_renamed():
    java = 'class A {\n    static final String CURRENCY = "EUR";\n}\n'
    assert surely('currency should be "USD"', java, "java") == java.replace("EUR", "USD")


NUMBERS = """\
class Mailer:
    def __init__(self, port=25, timeout=10):
        self.port = port


def main(argv):
    if len(argv) < 1:
        sys.exit(1)
    return argv[1]
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("exit with code 2 instead of 1 in main", "exit(1)", "exit(2)"),
        ("The default timeout in Mailer should be 30 seconds instead of 10.", "timeout=10", "timeout=30"),
    ],
)
def test_a_number_is_told_by_the_words_of_its_line_and_by_what_it_stands_in(text, old, new):
    assert surely(text, NUMBERS) == NUMBERS.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "use code 2 instead of 1 in main",
        "quit with code 2 instead of 1 in main",
        "exit with code 2 instead of 1 or 3",
        "the default timeout in Job should be 30 seconds instead of 10",
    ],
)
def test_a_number_that_no_word_tells_from_others_stays(text):
    assert doubted(text, NUMBERS)


FORMAT = """\
function format(first) {
  var full = first + "!";
  return full;
}

function total(rows) {
  var sum = 0;
  for (const row of rows) {
    sum += row;
  }
  return sum;
}
"""


@pytest.mark.parametrize(
    "text", ["var -> const in format", "use const instead of var in format", "change var to const in format"]
)
def test_the_only_variable_of_a_function_is_declared_by_another_word(text):
    assert surely(text, FORMAT, "javascript") == FORMAT.replace("var full", "const full")


@pytest.mark.parametrize(
    "text",
    [
        "var -> const in total",
        "var -> const",
        "let -> const in format",
        "don't use const instead of var in format",
    ],
)
def test_a_variable_that_is_set_again_or_not_surely_meant_keeps_its_word(text):
    assert doubted(text, FORMAT, "javascript")
