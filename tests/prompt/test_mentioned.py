"""What an instruction names is found in the region, and only what it names."""

from __future__ import annotations

import pytest

from fastedit.prompt.mentioned import mentioned

LINES = (
    "def load(path):",
    "    data = open(path).read()",
    "    loads = json.loads(data)",
    "    return load.cache",
)
IMPORTS = ("import os", "from re import match", "", "import late")
RUN = ("def run():", "    run()")
LOAD = ("load", (0, 3))


@pytest.mark.parametrize(
    ("instruction", "lines", "named"),
    [
        ("rename `load` to `read`", LINES, [LOAD, ("read", (1,))]),  # as a whole word
        ("rename load to fetch", LINES, [LOAD, ("fetch", ())]),  # unquoted too, and handed over
        ("delete Loader.load", LINES, [("Loader.load", (0, 3))]),  # by its last part
        ("add `x = 1` to load", LINES, [("x = 1", ()), LOAD]),
        ("```\ncode here\n```\nrename `load` to `fetch`", LINES, [LOAD, ("fetch", ())]),
        ("after `def load(path):` add:\nreturn load.cache", LINES, [("def load(path):", (0,))]),
        # A call as the whole line, before its name elsewhere.
        ("wrap `run()` in try", RUN, [("run", (1,))]),
        ("delete `run()`", (RUN[0], "    pass"), [("run", (0,))]),
        # Words of the sentence, and a keyword behind a kind of thing.
        ("return early", LINES, []),
        ("add a line after this", LINES, []),
        ("delete the import from os", ("from os import path", "import sys"), [("os", (0,))]),
        # An import belongs behind the first run of imports.
        ("add `import sys`", IMPORTS, [("import sys", ()), ("", (1,))]),
        ("add `import sys`", ("x = 1",), [("import sys", ())]),
        ("delete `import os`", IMPORTS, [("import os", (0,))]),
    ],
)
def test_what_is_named_and_on_which_lines_it_stands(instruction, lines, named):
    assert [(instruction[m.start : m.stop], m.lines) for m in mentioned(instruction, lines)] == named


@pytest.mark.parametrize(
    ("instruction", "lines", "found", "places"),
    [
        ("delete `x`", ("x = x", "y", "fx(x)"), (0, 2), ((0, 0, 1), (0, 4, 5), (2, 3, 4))),
        ("delete `x`", ("x", "x = 1", "  x"), (0, 2), ()),  # whole lines win
        ("delete `x`", ("f(x)",) * 100, tuple(range(100)), ()),  # too many
        ("replace `get()` with `take()`", ("x = get() + get",), (0,), ((0, 4, 9),)),  # with its parentheses
    ],
)
def test_the_places_of_a_part_of_a_line_are_told(instruction, lines, found, places):
    first = mentioned(instruction, lines)[0]
    assert (first.lines, first.places) == (found, places)
