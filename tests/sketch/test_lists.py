"""Lists, tables and paragraphs that a marker stands in."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.read.updates import read_update

PROSE = """# Tool

## Install

- get it
- run it
  - twice
- test it

That was it.

| key | value |
|-----|-------|
| a   | 1     |
| b   | 2     |

| name | size |
|------|------|
| x    | 1    |

## Use

1. open
2. click

The end.
"""
SETTINGS = """# Database
DB_HOST=a
DB_PORT=1

# Mail
SMTP=c
"""


def merged(text: str, sketch: str, language: str) -> str:
    lines = text.splitlines()
    return "\n".join(lay(lines, read_update(sketch, language, lines)).text.lines) + "\n"


@pytest.mark.parametrize(
    ("sketch", "above"),
    [
        ("- get it\n<!-- ... -->\n- ship all\n", "- test it\n"),
        ("## Install\n\n<!-- ... -->\n- ship all\n", "- test it\n"),
        ("## Use\n\n<!-- ... -->\n3. close the window\n", "2. click\n"),
        ("| key | value |\n|-----|-------|\n...\n| c | 3 |\n", "| b   | 2     |\n"),
        ("| name | size |\n|------|------|\n...\n| y | 3 |\n", "| x    | 1    |\n"),
    ],
)
def test_a_new_item_below_a_marker_ends_the_list_that_is_shown_above_it(sketch, above):
    new = sketch.splitlines()[-1]
    assert merged(PROSE, sketch, "markdown") == PROSE.replace(above, f"{above}{new}\n")


def test_a_new_item_comes_above_the_item_that_is_shown_below_it():
    sketch = "- get it\n<!-- ... -->\n- ship all\n- test it\n"
    assert merged(PROSE, sketch, "markdown") == PROSE.replace("- test it\n", "- ship all\n- test it\n")


@pytest.mark.parametrize("shown", ["# Database\n", "# Database\nDB_HOST=b\n"])
def test_a_new_line_below_a_marker_ends_the_paragraph_that_a_comment_heads(shown):
    text = merged(SETTINGS, f"{shown}# ...\nDB_POOL=5\n", "text")
    assert text.partition("\n\n")[0].splitlines()[2:] == ["DB_PORT=1", "DB_POOL=5"]


@pytest.mark.parametrize(
    ("text", "sketch"),
    [
        # the first comment speaks of the file, for the paragraphs have none
        ("# Settings\nA=1\n\nB=2\n", "# Settings\n# ...\nC=3\n"),
        (SETTINGS, "# Database\n# ...\n\n# Log\nLOG=1\n"),
        ("# A\n\nWords.\n", "# A\n\n<!-- ... -->\n\n- new\n"),
    ],
)
def test_a_new_line_that_belongs_to_no_list_or_paragraph_ends_the_file(text, sketch):
    assert merged(text, sketch, "text").endswith(sketch.splitlines()[-1] + "\n")


def test_a_line_below_a_marker_changes_the_one_with_its_key_in_another_paragraph():
    assert merged(SETTINGS, "# Database\n# ...\nSMTP=d\n", "text") == SETTINGS.replace("SMTP=c", "SMTP=d")


def test_a_new_item_of_a_list_with_blank_lines_has_some_on_both_sides():
    text = "* one\n\n* two\n\nWords.\n"
    sketch = "* one\n\n.. ...\n\n* three\n"
    assert merged(text, sketch, "rst") == "* one\n\n* two\n\n* three\n\nWords.\n"
