"""A change that tears a file is told from one that can be asked for alone."""

from __future__ import annotations

import pytest

from evals.sense import asks_for_something, parses, stands_alone

OLD = ["import os", "from re import match as find", "", "print(os.name, find)"]


@pytest.mark.parametrize(
    ("lines", "language", "expected"),
    [
        (OLD, "python", True),
        (["print 'hello'"], "python", False),
        (["return 1"], "python", False),
        (["int f(void) { return 1; }"], "c", True),
        (["int f(void) { return 1;"], "c", False),
        (["a: ["], "text", True),
    ],
)
def test_errors_of_syntax_are_found_where_there_is_a_grammar(lines, language, expected):
    assert parses(lines, language) is expected


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (["import os", "", "print(os.name)"], True),
        (["import os", "", "print(os.name, find)"], False),
        (["from re import match as find", "", "print(os.name, find)"], False),
        (["import os", "from re import match as find", "", "print(os.name, find"], False),
    ],
)
def test_a_change_that_drops_a_used_import_or_breaks_the_syntax_does_not_stand_alone(new, expected):
    assert stands_alone(OLD, new, "python") is expected


def test_a_file_that_was_broken_before_may_stay_so():
    assert stands_alone(["print 'a'"], ["print 'b'"], "python")


REPEATED = ["def a():", "    x()", "    y()", "", "def b():", "    x()", "    y()"]


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("# ... existing code ...\ndef a():\n    x()\n# ... existing code ...", False),
        ("def a():\n# ... existing code ...\ndef b():\n    x()", False),
        ("# ... existing code ...\ndef a():\n    y()\n# ... existing code ...", True),
        ("# ... existing code ...\ndef b():\n# ... existing code ...\ndef a():", True),
        ("# ... existing code ...\n    z()", True),
    ],
)
def test_a_sketch_that_fits_the_old_text_asks_for_nothing(update, expected):
    assert asks_for_something(update, REPEATED, "python") is expected
