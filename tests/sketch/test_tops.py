"""Where new imports go that a sketch begins with."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.tops import ABOVE
from fastedit.sketch.sampled import likely_texts
from fastedit.sketch.signs.signs import Signs

HEADED = '"""A shelf."""\n\nimport json\n\n\ndef f():\n    return json\n'


def readings(old: str, sketch: str) -> dict[str, dict[str, float]]:
    """The texts that a sketch may mean, each with its signs."""
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, "python", lines))
    signs = Signs(alignment.file, alignment.sketch)
    found = likely_texts(alignment, alignment.best(), most=6)
    return {"\n".join(one.text.lines) + "\n": signs.of(one.text, one.path) for one in found}


def test_an_import_that_a_sketch_begins_with_may_go_among_the_others():
    found = readings(HEADED, "import os\n# ... existing code ...\n")
    assert ABOVE.name in found["import os\n" + HEADED]
    places = [
        text for text in found if text.startswith(HEADED.partition("import")[0]) and "import json" in text
    ]
    assert any(ABOVE.name not in found[text] for text in places if "import os" in text)


def test_nothing_goes_above_an_import_from_the_future():
    old = HEADED.replace("import json", "from __future__ import annotations\nimport json")
    found = readings(old, "import os\n# ... existing code ...\n")
    assert old.replace("import json", "import os\nimport json") in found


@pytest.mark.parametrize(
    "old", ["import json\n\n\ndef f():\n    return json\n", "# A shelf.\n\n\ndef f():\n    pass\n"]
)
def test_above_a_file_that_begins_with_its_imports_or_has_none_is_where_they_go(old):
    assert all(
        ABOVE.name not in signs for signs in readings(old, "import os\n# ... existing code ...\n").values()
    )


def test_a_definition_that_a_sketch_begins_with_may_go_below_the_imports():
    old = "import json\nimport os\n\n\ndef f():\n    return json\n"
    sketch = "def g():\n    return 1\n\n\n# ... existing code ...\n    return json\n"
    found = readings(old, sketch)
    assert ABOVE.name not in found[old.replace("def f", "def g():\n    return 1\n\n\ndef f")]
    assert ABOVE.name in found["def g():\n    return 1\n\n" + old]


def test_a_new_import_is_in_order_between_two_that_it_is_in_alphabetical_order_with():
    lines = ("# A shelf.", "", "import ape", "import cat", "", "def f():", "    pass")
    features = Alignment(lines, read_update("import bee\n# ...\n", "python", lines)).features
    assert features.in_order[0].nonzero()[0].tolist() == [3]


def test_a_marker_that_speaks_of_imports_keeps_no_more_than_these():
    lines = ("# A shelf.", "", "import collections", "from pathlib import Path", "", "def f():", "    pass")
    sketch = read_update("# ... existing imports ...\nimport threading\n", "python", lines)
    alignment = Alignment(lines, sketch)
    assert alignment.features.beyond[0].nonzero()[0].tolist() == [5]
    assert alignment.best().text.lines == (*lines[:4], "import threading", *lines[4:])


def test_a_new_import_below_a_marker_within_a_function_is_not_of_its_block():
    lines = ("import collections", "", "def f():", "    pass", "    stop()")
    sketch = read_update("def f():\n    # ... existing code ...\nimport threading\n", "python", lines)
    assert not Alignment(lines, sketch).features.put[2].any()


@pytest.mark.parametrize("above", ["", "---\n"])
def test_a_heading_comes_neither_above_front_matter_nor_into_it(above):
    lines = ("---", "title: a", "---", "# Old title", "", "Text.", "", "## More", "", "x")
    alignment = Alignment(lines, read_update(f"{above}# New title\n<!-- ... -->\n", "markdown", lines))
    texts = [one.text.lines for one in likely_texts(alignment, alignment.best(), most=6)]
    assert all(text[:3] == lines[:3] for text in texts if "title: a" in text)
    assert any("# New title" in text[3:] for text in texts)


@pytest.mark.parametrize(
    ("sketch", "matter"),
    [
        ('---\nimport { b } from "../b";\n---\n<!-- ... -->\n', ['import { b } from "../b";']),
        ("---\n// ...\nstart(c);\n---\n", ["const c = [", "  1,", "];", "start(c);"]),
    ],
)
def test_the_fences_around_front_matter_are_a_pair(sketch, matter):
    lines = ("---", "const c = [", "  1,", "];", "---", "", "<ul>", "  {c}", "</ul>")
    text = Alignment(lines, read_update(sketch, "text", lines)).best().text.lines
    assert list(text) == ["---", *matter, *lines[4:]]


def test_a_rule_that_a_sketch_begins_with_is_no_fence():
    lines = ("---", "title: a", "---", "", "One.", "", "---", "", "Two.", "", "---", "", "Three.")
    sketch = read_update("---\n\nTwo and more.\n\n---\n", "markdown", lines)
    best = Alignment(lines, sketch).best().text.lines
    assert best == tuple("Two and more." if line == "Two." else line for line in lines)
