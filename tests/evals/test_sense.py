"""A change that tears a file is told from one that can be asked for alone."""

from __future__ import annotations

import pytest

from evals.sense import parses, stands_alone

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
