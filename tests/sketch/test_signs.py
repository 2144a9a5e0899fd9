"""What a text as a whole says of how it was laid."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.reading import read_update
from fastedit.sketch.signs import Signs, misplaced_brackets


def signs(old: str, sketch: str, language: str = "python") -> dict[str, float]:
    """Those of the likeliest text."""
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, language, lines))
    best = alignment.best()
    return Signs(alignment.file, alignment.sketch).of(best.text, best.path)


def test_a_file_that_stays_as_it_is_has_none():
    old = "import os\n\n\ndef f(path):\n    name = os.path.basename(path)\n    return name\n"
    assert signs(old, old) == {"gone": 0.0}


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        (
            "import os\n\n\ndef f(path):\n    return os.path.basename(path)\n",
            "import os\n\n\ndef f(path):\n    return path.name\n",
            "an import stays and its uses go",
        ),
        (
            "import io\nimport os\nimport re\n\n\ndef f(path):\n    return os.path.basename(path)\n",
            "import io\nimport re\n\n\ndef f(path):\n    return path.name\n",
            "an import goes with its uses",
        ),
        (
            "import { Box } from 'a';\n\nexport const size = new Box();\n",
            "import { Box } from 'a';\nimport { Box } from './b';\n\nexport const size = new Box();\n",
            "a name is imported twice",
        ),
        (
            "def f(path):\n    name = path.name\n    print(path)\n    return name\n",
            "def f(path):\n    print(path)\n    return name\n",
            "a name loses its first line",
        ),
        (
            "def f(path):\n    name = path.name\n    print(path)\n    return name\n",
            "def f(path):\n    name = path.name\n    print(path)\n    return None\n",
            "a name stays and its uses go",
        ),
        (
            "def f(path):\n    print(path)\n    return path.name\n",
            "def f(path):\n    return None\n    print(path)\n    return path.name\n",
            "a line is never reached",
        ),
        (
            "function f() {\n  if (a) {\n    b();\n  }\n}\n",
            "function f() {\n  if (a) {\n    b();\n    }\n}\n",
            "brackets askew",
        ),
        (
            "def f(path):\n    load(path)\n    return 1\n",
            "def f(path):\n    load(path)\n    load(path)\n    return 1\n",
            "a line stands twice",
        ),
    ],
)
def test_what_a_reader_stops_at_is_a_sign(old, new, sign):
    assert sign in signs(old, new, "javascript" if "{" in old else "python")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another line binds the name.
        (
            "def f(path):\n    name = path.name\n    print(path)\n    return name\n",
            "def f(path):\n    print(path)\n    name = path.stem\n    return name\n",
        ),
        # A branch goes on behind what leaves the block above.
        (
            "def f(a):\n    if a:\n        b()\n    else:\n        c()\n",
            "def f(a):\n    if a:\n        return b()\n    else:\n        c()\n",
        ),
        # What is returned goes on below.
        ("def f(a):\n    b()\n", "def f(a):\n    return (\n        b()\n    )\n"),
    ],
)
def test_what_is_as_it_should_be_is_none(old, new):
    assert set(signs(old, new)) == {"gone"}


def test_a_marker_that_hides_nothing_is_a_sign():
    old = "def f(path):\n    print(path)\n    return path\n"
    sketch = "def f(path):\n    print(path)\n    # ... existing code ...\n    return str(path)\n"
    assert "a marker hides nothing" in signs(old, sketch)


def test_brackets_in_strings_and_comments_are_not_counted():
    assert misplaced_brackets(('a = "("', "// )", "f(", "  1,", ")")) == 0
    assert misplaced_brackets(("f(", "  1,", "  )", "]")) == 2


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("(the cache.clear() call goes too)", {"a comment that goes names what goes too"}),
        ("(mind the order here)", {"a comment that goes names nothing that goes"}),
        ("removed: cache.clear()", set()),
    ],
)
def test_a_comment_that_is_taken_for_a_note_tells_by_what_it_names(comment, told):
    file = "def main():\n    store = load()\n    cache.clear()\n    return store\n"
    found = signs(file, f"def main():\n    store = load()\n    # {comment}\n    return store\n")
    assert {sign for sign in found if sign.startswith("a comment")} == told
