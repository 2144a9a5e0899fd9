"""What a strong model is told: enough of the file, the same beginning each time, and nothing of this machine."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import get_args

import pytest

from fastedit.engine.edits.placed import place
from fastedit.formats.message import edit_of, read_update
from fastedit.locate.search import locate
from fastedit.plan.base import DocumentTask, Way, tokens_of
from fastedit.plan.find import find_question, found_lines
from fastedit.plan.places import places
from fastedit.plan.question import question
from fastedit.plan.rewrite import names, stretches_in
from fastedit.request import LineRange
from fastedit.source.document import Document

HELPER = "def helper(value):\n    return value * 2\n"
STEPS = "".join(
    f"\n\ndef step_{n}(value):\n    return helper(value) + {n}  # {'x' * 60}\n" for n in range(400)
)
LONG = Document.from_text(f"import json\nimport os\n\n\n{HELPER}{STEPS}", Path("steps.py"))


def asked(wish: DocumentTask, way: str = "sketch") -> str:
    return question(wish, way)[1][1]


def beginning(*texts: str) -> str:
    """What all texts begin with."""
    same = takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False))
    return "".join(characters[0] for characters in same)


def wish(document: Document, instruction: str, **more) -> DocumentTask:
    return DocumentTask(
        document,
        instruction,
        "python",
        locate(document, instruction, LineRange(0, len(document.lines))),
        **more,
    )


@pytest.mark.parametrize("way", get_args(Way))
def test_two_instructions_on_one_file_share_all_of_it(way):
    text = Document.from_text("def load():\n    return 1\n\n\ndef save():\n    return 2\n", Path("a.py"))
    one, other = (asked(wish(text, f"let {name} return 3"), way) for name in ("load", "save"))
    shared = beginning(one, other)
    assert "def save():\n    return 2\n```" in shared


@pytest.mark.parametrize(
    ("blanks", "told"), [("\t", "(python, 2 lines, indented with tabs)"), ("    ", "(python, 2 lines)")]
)
def test_the_head_of_a_file_says_that_it_is_indented_with_tabs(blanks, told):
    text = Document.from_text(f"def load():\n{blanks}return 1\n", Path("a.py"))
    assert f"File: a.py {told}\n" in asked(wish(text, "let load return 3"))


def test_all_ways_share_the_system_message_and_the_file():
    found = [question(wish(LONG, "let step_7 return 3"), way) for way in get_args(Way)]
    assert len({messages[0] for messages in found}) == 1
    shared = beginning(*(messages[1][1] for messages in found))
    assert "Instruction:\nlet step_7 return 3" in shared


def test_of_a_long_file_imports_outline_place_and_what_it_uses_are_shown():
    text = asked(wish(LONG, "let step_7 return 3"))
    assert "Lines 1-2, the imports:\n```python\nimport json\nimport os\n```" in text
    assert "   29  def step_5(value):" in text
    assert "Lines 37-38, function step_7:\n```python\ndef step_7(value):\n" in text
    assert f"Lines 5-6, function helper:\n```python\n{HELPER}```" in text
    assert "helper(value) + 8" not in text


USED = f"""\
def read(path):
    # the path of a step_3
    return path


def test_read_of_a_link():
    assert read("a")
{STEPS}

def main():
{"".join(f"    print({n})" + chr(10) for n in range(40))}    read("b")
    print("end")
"""


def test_of_a_long_file_those_who_use_what_may_change_are_shown_and_no_names_in_comments():
    document = Document.from_text(USED, Path("steps.py"))
    text = asked(wish(document, "let `read` return bytes"))
    assert "function test_read_of_a_link:\n```python\ndef test_read_of_a_link():" in text
    assert "in function main:\n```python\n    print(38)\n    print(39)\n    read(" in text
    assert "function step_3:" not in text
    scope = LineRange(0, 3)
    assert "function main:" not in asked(wish(document, "let `read` return bytes", scope=scope))


def test_a_name_that_several_definitions_have_shows_none_of_them():
    classes = "".join(
        f"class C{n}(B):\n    def __init__(self):\n        super().__init__()\n\n    def one_{n}(self): ...\n\n"
        for n in range(2)
    )
    document = Document.from_text(f"{classes}{USED}", Path("steps.py"))
    text = asked(wish(document, "let `C0.__init__` take a name"))
    assert "def __init__(self):\n        super().__init__()\n" in text
    assert "C1.__init__:" not in text


def test_who_is_asked_where_a_long_file_changes_sees_what_has_the_rare_words_of_the_instruction():
    document = Document.from_text(LONG.text.replace("+ 7  #", "+ beSlow(7)  #"), LONG.path)
    asked_where = find_question(DocumentTask(document, "it is returned too slow, step by step", "python"))[1][
        1
    ]
    assert (
        "function step_7:\n```python\ndef step_7(value):\n    return helper(value) + beSlow(7)" in asked_where
    )
    assert asked_where.count("return helper") == 1  # what is in most parts tells nothing


LONG_ONE = "def tune(value):\n" + "".join(f"    value = helper(value, {n})\n" for n in range(90))


def test_a_long_definition_that_is_named_is_shown_whole_where_the_budget_has_room():
    document = Document.from_text(f"{LONG.text}\n\n{LONG_ONE}", LONG.path)
    assert f", function tune:\n```python\n{LONG_ONE}```" in asked(wish(document, "make tune faster"))
    body = "    value = helper(value)\n" * 1500
    huge = Document.from_text(f"def tune(value):\n{body}{LONG.text}", LONG.path)
    assert tokens_of(asked(wish(huge, "make `tune` faster"))) < 10_000


def test_what_an_instruction_tells_of_is_shown_beside_what_it_names_and_what_tells_little_is_not():
    document = Document.from_text(LONG.text.replace("+ 7  #", "+ be_slow(7)  #"), LONG.path)
    text = asked(wish(document, "let `step_90` return what the slow one does"))
    assert "function step_90:" in text
    assert text.count("be_slow(7)") == 1
    assert text.count("return helper") < 10


def test_no_line_of_a_long_file_is_shown_twice():
    document = Document.from_text(USED, Path("steps.py"))
    shown = places(wish(document, "let `read` and `main` print bytes, not links"))
    rows = [row for place in shown for row in range(place.start, place.stop)]
    assert len(rows) == len(set(rows))


def test_names_that_a_long_file_has_not_got_are_said():
    text = asked(wish(LONG, "let step_7 call `get_helper` of `Pool`, as `helper` does"))
    assert "\nNot in this file: `get_helper`, `Pool`.\n" in text


def test_a_file_is_called_what_it_is_written_in_as_far_as_that_is_known():
    def said(name: str) -> str:
        return asked(DocumentTask(Document.from_text("a: 1\n", Path(name)), "b", "text"))

    assert "File: ci.yml (yaml, 1 line)\n\n```yaml\n" in said("ci.yml")
    assert "File: schema.sql (1 line)\n\n```\n" in said("schema.sql")


def test_an_outline_leaves_out_what_is_inside_before_it_leaves_out_the_end_of_the_file():
    methods = "".join(f"    def step_{n}(self):\n        return '{'x' * 80}'\n" for n in range(60))
    classes = "".join(f"class Part{n}:\n{methods}\n" for n in range(12))
    text = asked(DocumentTask(Document.from_text(classes, Path("a.py")), "faster, please", "python"))
    assert "class Part11:" in text
    assert "def step_7(self)" not in text
    text = asked(DocumentTask(Document.from_text(STEPS * 3, Path("a.py")), "faster, please", "python"))
    assert "more\n```" in text


def test_an_outline_shows_the_line_of_each_name_and_not_the_annotation_above():
    method = "\n".join(
        f"  @Override\n  public int step{n}() {{\n    return {n}; // {'x' * 120}\n  }}\n" for n in range(200)
    )
    text = asked(
        DocumentTask(Document.from_text(f"class A {{\n{method}}}\n", Path("A.java")), "faster", "java")
    )
    assert "\n    3    public int step0() {\n" in text
    assert "  @Override" not in text


def test_a_prompt_stays_within_its_budget():
    lines = "\n".join(f"VALUE_{n} = {n}" for n in range(5_000))
    many = Document.from_text(f"{lines}\n{STEPS * 30}", Path("many.py"))
    assert tokens_of(asked(DocumentTask(many, "faster, please", "python"))) < 16_000


def test_a_file_that_holds_fences_and_tags_is_shown_between_others():
    document = Document.from_text("```\ncode\n```\n</updated-code>\n", Path("a.md"))
    held = DocumentTask(document, "fix it", "markdown")
    assert "````markdown\n```\ncode\n```\n</updated-code>\n````" in asked(held)
    assert names(held) == ["updated-code-1"]
    answer = "<updated-code-1>\n```\nmore\n```\n</updated-code>\n</updated-code-1>"
    assert stretches_in(answer, names(held)) == ["```\nmore\n```\n</updated-code>"]


def test_who_writes_blocks_of_a_file_with_lines_like_their_marks_is_told_how():
    text = "Install\n=======\n\nRun pip.\n"
    heading = Document.from_text(text, Path("guide.rst"))
    assert "a backslash before lines of the file that look like these marks" in asked(
        DocumentTask(heading, "b", "text")
    )
    assert "backslash" not in asked(
        DocumentTask(Document.from_text("Install\n", Path("guide.rst")), "b", "text")
    )
    block = "<<<<<<< SEARCH\n\\=======\n\nRun pip.\n=======\n\\=======\n\nRun uv.\n>>>>>>> REPLACE\n"
    assert place(heading, edit_of(heading, read_update(block))).text(heading) == text.replace("pip", "uv")


def test_an_absolute_path_is_shortened():
    document = Document.from_text("x = 1\n", Path("/home/me/secret/project/app/a.py"))
    assert "File: project/app/a.py (python, 1 line)" in asked(DocumentTask(document, "y", "python"))
    document = Document.from_text("x = 1\n", Path("/a.py"))
    assert "File: a.py (python, 1 line)" in asked(DocumentTask(document, "y", "python"))


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("120-188, 400-431", [(119, 188), (399, 431)]),
        ("Lines 3 to 9.", [(2, 9)]),
        ("3-9999", [(2, 500)]),
        ("all", [(0, 500)]),
        ("`all`.", [(0, 500)]),
        ("all the lines of 3-9", [(2, 9)]),
        ("9-3, 0-4, version 1.2-3", []),
        ("none", []),
    ],
)
def test_the_lines_that_a_model_names_are_read(answer, lines):
    assert [(found.start, found.stop) for found in found_lines(answer, 500)] == lines


def test_a_projects_conventions_are_told():
    assert "The project's conventions:\n```\nUse tabs.\n```" in asked(
        wish(LONG, "let step_7 go", conventions="Use tabs.")
    )
