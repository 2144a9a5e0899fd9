from pathlib import Path

import pytest

from fastedit.locate import language_of


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("A.JSX", "javascript"),
        ("a.mjs", "javascript"),
        ("a.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.go", "go"),
        ("a.rs", "rust"),
        ("A.java", "java"),
        ("a.c", "c"),
        ("a.hpp", "cpp"),
        ("a.yaml", "text"),
        ("Makefile", "text"),
    ],
)
def test_a_suffix_tells_the_language(name, language):
    assert language_of(Path(name), "") == language


@pytest.mark.parametrize(
    ("first", "language"),
    [
        ("#!/usr/bin/env python3\n", "python"),
        ("#!/usr/bin/python\n", "python"),
        ("#!/usr/bin/env -S node --no-warnings\n", "javascript"),
        ("#!/bin/sh\n", "text"),
        ("plain words\n", "text"),
    ],
)
def test_without_a_suffix_the_first_line_tells(first, language):
    assert language_of(Path("tool"), first) == language
    assert language_of(None, first) == language


def test_a_header_is_cpp_only_where_its_lines_say_so():
    assert language_of(Path("a.h"), "struct point { int x; };\nint area(struct point p);\n") == "c"
    assert language_of(Path("a.h"), "namespace geo {\nclass Point;\n}\n") == "cpp"
