"""What is free of syntax errors, as judges of people's instructions see it."""

import pytest

from evals.outside.people import parses


@pytest.mark.parametrize(
    ("text", "language", "sound"),
    [
        ("x = 1", "python", True),
        ("def f(:", "python", False),
        ("return 1", "python", False),
        ("function f() { return 1; }", "javascript", True),
        ("function f() { return 1;", "javascript", False),
        ("anything (at all", "text", True),
    ],
)
def test_errors_of_the_syntax_are_seen_and_in_python_those_of_the_compiler(text, language, sound):
    assert parses([text], language) is sound
