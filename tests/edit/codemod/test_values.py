"""Values in place of what a call or a text holds, and base classes in place of others."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction
from fastedit.edit.merge import Prediction

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


def predicted(text: str, source: str = PYTHON, language: str = "python") -> Prediction | None:
    return predict_instruction(source.split("\n"), language, text)


def surely(text: str, source: str = PYTHON, language: str = "python") -> str:
    """The new text, which nothing speaks against."""
    found = predicted(text, source, language)
    assert found is not None, text
    assert not found.reasons, (text, found.reasons)
    return "\n".join(found.lines)


def doubted(text: str, source: str = PYTHON, language: str = "python") -> bool:
    """Whether it is left to the model, or something speaks against what is made of it."""
    found = predicted(text, source, language)
    return found is None or bool(found.reasons)


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


def test_a_constant_said_without_capitals_is_set_and_not_renamed():
    java = 'class A {\n    static final String CURRENCY = "EUR";\n}\n'
    assert surely('currency should be "USD"', java, "java") == java.replace("EUR", "USD")
