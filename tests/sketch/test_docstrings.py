"""Docstrings that a sketch abridges."""

from __future__ import annotations

import pytest

from fastedit.sketch.read.docstrings import abridged
from fastedit.sketch.read.updates import read_update

FILE = (
    '"""Tools."""',
    "def count(",
    "    path,",
    "):",
    '    """Count the words of a file.',
    "",
    "    Blanks part them.",
    '    """',
    "    return 1",
)


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ('"""..."""', '"""'),
        ("'''Count. ...'''", "'''Count."),
        ('r"""Count…"""', 'r"""Count'),
        ('"""Count. (unchanged)"""', '"""Count.'),
        ('"""Count. (docstring unchanged)"""', '"""Count.'),
        ('"""Count. (fast)"""', None),
        ('"""Count."""', None),
        ('"Count..."', None),
    ],
)
def test_dots_or_words_before_the_closing_quotes_say_that_more_follows(line, begins):
    assert abridged(line) == begins


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ('"""..."""', [("...", True)]),
        ('"""Count the words of a file. ..."""', [('"""Count the words of a file.', False), ("...", True)]),
        # It begins otherwise, so it is another text.
        ('"""Count letters ..."""', [('"""Count letters ..."""', False)]),
    ],
)
def test_an_abridged_docstring_stands_for_the_one_that_the_definition_has(line, taken):
    sketch = read_update(f"def count(path, wide):\n    {line}\n    return 2\n", "python", FILE)
    assert [(one.text.strip(), one.marker) for one in sketch.lines[1:-1]] == taken


@pytest.mark.parametrize("dots", ["...", "... existing docstring ..."])
def test_dots_behind_the_quotes_that_open_a_docstring_stand_for_how_it_begins(dots):
    sketch = read_update(
        f'def count(path):\n    """{dots}\n\n    New.\n    """\n    return 2\n', "python", FILE
    )
    assert [(one.text.strip(), one.marker) for one in sketch.lines[1:3]] == [
        ('"""Count the words of a file.', False),
        ("...", True),
    ]


def test_a_docstring_on_one_line_goes_on_below_dots_behind_its_quotes():
    file = ("def load():", '    """Load."""', "    return 1")
    sketch = read_update('def load():\n    """...\n    New.\n    """\n', "python", file)
    assert [one.text.strip() for one in sketch.lines] == ["def load():", '"""Load.', "...", "New.", '"""']


def test_a_docstring_may_begin_below_its_quotes():
    file = ("def load():", '    """', "    Load.", '    """', "    return 1")
    sketch = read_update('def load():\n    """Load. ..."""\n    return 2\n', "python", file)
    assert [one.text.strip() for one in sketch.lines] == ["def load():", '"""', "Load.", "...", "return 2"]


def test_a_new_definition_has_the_docstring_that_is_shown():
    for text in ('"""..."""', '"""...\n    More.\n    """'):
        sketch = read_update(f"def load(path):\n    {text}\n    return 2\n", "python", FILE)
        assert not any(line.marker for line in sketch.lines)
