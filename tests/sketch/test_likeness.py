"""Which lines of a file a line of an update may be a new version of."""

from __future__ import annotations

import pytest

from fastedit.sketch.features.apart import Apart
from fastedit.sketch.features.blocks import Blocks
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import Likeness
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.features.reader import FeatureReader
from fastedit.sketch.paths.weights import MATCH
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import Wording

PLUGIN = """export class Plugin {
  apply(hooks) {
    hooks.rule.tap("PlainMatcher", (path) => {
      this.match(path);
    });
  }
}
"""


def read(old: str, sketch: str, language: str) -> tuple[Outline, Facts]:
    lines = tuple(old.removesuffix("\n").split("\n"))
    file = Outline(lines, language=language)
    return file, Facts(file, read_update(sketch, language, lines))


def likeness(facts: Facts) -> Likeness:
    openers = Openers(facts)
    return Likeness(facts, Apart(facts, openers, Blocks(facts, openers)))


def test_a_key_is_looked_for_in_the_part_that_the_update_shows_however_many_parts_have_it():
    tables = [f'[dependencies.part{k}]\npath = "../part{k}"\nversion = "0.3"\n' for k in range(20)]
    file, facts = read(
        "\n".join(tables), '[dependencies.part15]\npath = "../part15"\nversion = "0.4"\n', "toml"
    )
    changed = likeness(facts).changed[2]
    assert [file.stripped[row - 1] for row, _ in changed] == ['path = "../part15"']


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('const NAME = "PlainMatcher";', 1.0),
        ('const NAME: string = "PlainMatcher"', 1.0),
        ('const NAME = "OtherMatcher";', 0.0),
        ('register(NAME = "PlainMatcher");', 0.0),
    ],
)
def test_a_line_with_a_name_in_place_of_its_value_is_a_version_of_the_line_with_the_value(given, expected):
    lines = tuple(PLUGIN.removesuffix("\n").split("\n"))
    sketch = f"{given}\n// ...\n    hooks.rule.tap(NAME, (path) => {{\n"
    features = FeatureReader(
        Outline(lines, language="typescript"), read_update(sketch, "typescript", lines), Wording()
    ).features()
    pairs = zip(*features.pairs, strict=True)
    rows = dict(zip(pairs, features.match, strict=True))
    assert rows[2, 2][MATCH.index("changed: a name in place of its value")] == expected


def test_a_new_line_is_held_against_the_depth_of_the_lines_around_its_place():
    lines = ("def f():", "    if x:", "        run()", "    return x", "", "y = 1")
    update = read_update("# ...\n        walk()\n# ...\nz = 2\n", "python", lines)
    found = FeatureReader(Outline(lines, language="python"), update, Wording()).features().stands_out
    assert found[1].tolist() == [1, 1, 0, 0, 1, 1, 1]
    assert found[3].tolist() == [0, 0, -1, -1, 0, 0, 0]


LOOP = """void loop(q *q) {
    lock(q);
    while (q->len > 0) {
        n += pop(q);
        trace(q, n);
    }
    unlock(q);
}
"""


@pytest.mark.parametrize(
    "within", ["        n += pop(q);\n        trace(q, n);\n", "        n += pop(q);\n        // ...\n"]
)
def test_the_head_of_a_block_that_is_shown_as_the_file_has_it_may_be_new_in_all_its_words(within):
    sketch = f"void loop(q *q) {{\n    // ...\n    if (has_items(q)) {{\n{within}    }}\n    // ...\n}}\n"
    _, facts = read(LOOP, sketch, "c")
    assert [row for row, _ in likeness(facts).changed[2]] == [2]
    deeper = f"void loop(q *q) {{\n    // ...\n        if (has_items(q)) {{\n{within}    }}\n    // ...\n}}\n"
    _, facts = read(LOOP, deeper, "c")
    assert 2 not in likeness(facts).changed


LOADER = '''"""Tools."""


def load(path):
    """Read what was saved from
    disk.
    """
    # keep
    return open(path)
    # debug = True
'''


@pytest.mark.parametrize(
    ("line", "versions"),
    [
        ("disk = 5", []),
        ("import disk", []),
        ("print('disk')", []),
        ("keep()", []),
        ("Read what was saved from the disk.", ['"""Read what was saved from']),
        ("# keep it", ["# keep"]),
        ("debug = False", ["# debug = True"]),
        ('"""Read a file from\n    disk or cache.\n    """', ["disk."]),
    ],
)
def test_code_takes_the_place_of_words_in_a_comment_or_docstring_where_it_is_what_they_say(line, versions):
    file, facts = read(LOADER, line, "python")
    changed = likeness(facts).changed
    found = {file.stripped[row] for near in changed.values() for row, _ in near}
    assert set(versions) <= found
    assert versions or not found


TRIED = """import os

try:
    from werkzeug.urls import url_parse
except ImportError:
    from urllib.parse import urlsplit as url_parse


def run():
    return url_parse(os.name)
"""


@pytest.mark.parametrize(
    ("sketch", "is_version"),
    [
        ("import werkzeug\n# ... existing imports ...\n\ndef run():\n    return werkzeug\n", False),
        ("from werkzeug import url_parse\n# ... existing imports ...\n\ndef run():\n    return 1\n", True),
        ("try:\n    from werkzeug import url_quote\n# ...\n\ndef run():\n    return 1\n", True),
        ("from werkzeug import url_quote\n", True),  # nothing tells at which depth
    ],
)
def test_an_import_at_the_margin_is_no_version_of_one_in_a_block_that_binds_another_name(sketch, is_version):
    file, facts = read(TRIED, sketch, "python")
    begins = next(i for i, text in enumerate(facts.sketch.stripped) if "werkzeug" in text)
    tried = file.stripped.index("from werkzeug.urls import url_parse")
    assert (tried in dict(likeness(facts).changed.get(begins, ()))) is is_version


def changed_row(old: str, sketch: str, language: str) -> list[str]:
    file, facts = read(old, sketch, language)
    return [file.stripped[row] for row, _ in likeness(facts).changed[0][:1]]


@pytest.mark.parametrize(
    ("ada", "bob", "new", "language"),
    [
        (
            '{"id": "ada", "role": "viewer"},',
            '{"id": "bob", "role": "admin", "until": "2026-01-01"},',
            '{"id": "ada", "role": "admin", "until": "2026-01-01"},',
            "json",
        ),
        (
            'ADA("Ada", VIEWER),',
            'BOB("Bob", ADMIN, "2026-01-01"),',
            'ADA("Ada", ADMIN, "2026-01-01"),',
            "java",
        ),
        ("| ada | viewer |", "| bob | admin, until 2026 |", "| ada | admin, until 2026 |", "markdown"),
    ],
)
def test_an_entry_is_a_version_of_the_one_with_its_key_though_another_one_has_its_values(
    ada, bob, new, language
):
    assert changed_row(f"[\n  {ada}\n  {bob}\n]\n", f"  {new}\n", language) == [ada]
    assert changed_row(f"[\n  {bob}\n]\n", f"  {new}\n", language) == [bob]
