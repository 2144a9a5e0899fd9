from dataclasses import replace
from pathlib import Path

import pytest

from fastedit.errors import UsageError
from fastedit.source.document import Document
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import check_language, language_of, names


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
        ("a.cs", "csharp"),
        ("a.kt", "kotlin"),
        ("a.swift", "swift"),
        ("a.php", "php"),
        ("a.rb", "ruby"),
        ("build.gradle.kts", "kotlin"),
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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("def load(path):\n    return path\n", "python"),
        ("export function load(path) {\n  return path;\n}\n", "javascript"),
        ("export function load(path: string): string {\n  return path;\n}\n", "typescript"),
        ("export const Load = (p: string) => {\n  return <b>{p}</b>;\n};\n", "tsx"),
        ("package a\n\nfunc load(path string) string {\n\treturn path\n}\n", "go"),
        ("fn load(path: &str) -> &str {\n    path\n}\n", "rust"),
        ("public class A {\n    static int load(int a) {\n        return a;\n    }\n}\n", "java"),
        ("#include <stdio.h>\nstatic int load(int a) { return a; }\n", "c"),
        ("namespace a {\ntemplate <typename T> T load(T a) { return a; }\n}\n", "cpp"),
    ],
)
def test_a_text_without_a_name_is_in_the_one_language_that_reads_all_of_it(text, language):
    assert language_in(Document.from_text(text)) == language
    assert language_in(Document.from_text(text, Path("tool"))) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = 1\n",  # several languages read it
        "name: fastedit\non:\n  push:\n",
        "Please import the new settings for all of us.\n",
        '{"load": "read"}\n',
        "[package]\nname = 'a'\n",
        "#!/bin/sh\nif true; then\n  return\nfi\n",
        "fun load(path: String): String {\n    return path\n}\n",
        "def load(path)\n  path\nend\n",
        "def load(path):\n    return path\n\ndef (:\n",  # a language that does not read all of it
    ],
)
def test_a_text_that_no_language_or_more_than_one_reads_is_in_none(text):
    assert language_in(Document.from_text(text)) == "text"


def test_a_name_with_a_suffix_is_believed_before_the_text():
    assert language_in(Document.from_text("def load(path):\n    return path\n", Path("a.txt"))) == "text"


@pytest.mark.parametrize("name", names())
def test_what_the_caller_says_counts_most(name):
    document = Document.from_text("def load(path):\n    return path\n", Path("a.py"))
    assert notation_in(replace(document, language=name)) == name
    check_language(name)


def test_a_notation_is_no_language_that_is_parsed():
    document = replace(Document.from_text("a: 1\n"), language="yaml")
    assert (language_in(document), notation_in(document)) == ("text", "yaml")


@pytest.mark.parametrize(("text", "notation"), [('{"load": "read"}\n', "json"), ("[1, 2\n", "text")])
def test_a_text_without_a_name_is_json_where_its_parser_reads_it(text, notation):
    assert notation_in(Document.from_text(text)) == notation


def test_a_language_that_there_is_not_is_refused_with_those_there_are():
    with pytest.raises(
        UsageError, match=r"language 'basic': there is none of that name; there are c, cpp, .*, text"
    ):
        check_language("basic")
    with pytest.raises(UsageError, match=r"language 'pyhton': .*; did you mean python\?"):
        check_language("pyhton")
