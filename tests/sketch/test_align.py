"""What sketches mean, and how sure that is."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.explain import counted
from fastedit.sketch.features import NAMES
from fastedit.sketch.reading import read_update

STORE = """import os


class Store:
    def __init__(self, path):
        self.path = path
        self.items = {}

    def load(self):
        with open(self.path) as handle:
            self.items = json.load(handle)

    def save(self):
        with open(self.path, "w") as handle:
            json.dump(self.items, handle)


def main():
    store = Store("items.json")
    store.load()
    print(store.items)
"""


def merged(old: str, sketch: str, language: str = "python") -> tuple[str, float]:
    lines = tuple(old.removesuffix("\n").split("\n"))
    best = Alignment(lines, read_update(sketch, language, lines)).best()
    return "\n".join(best.text.lines) + "\n", best.posterior


def test_a_sketch_of_the_file_itself_changes_nothing():
    assert merged(STORE, STORE)[0] == STORE


def test_markers_lose_no_line():
    text, _ = merged(STORE, "# ... existing code ...\n    def load(self):\n        # ... existing code ...\n")
    assert text == STORE


def test_a_changed_function_without_any_marker_is_replaced_in_its_place():
    sketch = "def main():\n    store = Store('other.json')\n    store.load()\n    print(store.items)\n"
    assert merged(STORE, sketch)[0] == STORE.replace('"items.json"', "'other.json'")


def test_a_body_wrapped_in_a_block_moves_in_with_its_marker():
    sketch = "class Store:\n    # ... existing code ...\n    def save(self):\n        with LOCK:\n"
    sketch += "            # ... existing code ...\n\n# ... existing code ...\n"
    text, _ = merged(STORE, sketch)
    assert '        with LOCK:\n            with open(self.path, "w") as handle:\n' in text
    assert "                json.dump(self.items, handle)\n" in text


def test_an_early_return_before_a_marker_keeps_the_old_body():
    guarded = "def load(self):\n        if not os.path.exists(self.path):\n            return\n"
    sketch = f"# ...\n    {guarded}        # ... existing code ...\n# ...\n"
    assert merged(STORE, sketch)[0] == STORE.replace("def load(self):\n", guarded)


def test_a_method_at_the_left_margin_takes_the_depth_of_its_place():
    sketch = "def load(self):\n    with open(self.path) as handle:\n        self.items = json.loads(handle.read())\n"
    assert merged(STORE, sketch)[0] == STORE.replace("json.load(handle)", "json.loads(handle.read())")


def test_an_inline_marker_stands_for_the_rest_of_its_line_or_block():
    old = "const server = {\n  port: 80,\n  host: 'here',\n  path: {\n    root: 1,\n  },\n};\n"
    sketch = (
        "const server = {\n  port: // ... existing code ...\n  host: 'there',\n  path: { /* ... */ },\n};\n"
    )
    assert merged(old, sketch, "javascript")[0] == old.replace("'here'", "'there'")


def test_a_place_that_could_be_two_is_less_sure_than_one_that_could_not():
    twice = STORE + "\n\n" + STORE.replace("Store", "Cache")
    change = "        with open(self.path) as handle:\n            self.items = read(handle)\n"
    sure = merged(STORE, "    def load(self):\n" + change)[1]
    unsure = merged(twice, "    def load(self):\n" + change)[1]
    assert unsure < 0.9
    assert unsure < sure


def test_other_readings_differ_from_the_best_and_are_no_likelier():
    twice = STORE + "\n\n" + STORE.replace("Store", "Cache")
    lines = tuple(twice.split("\n"))
    update = read_update("    def load(self):\n        self.items = read(self.path)\n", "python", lines)
    alignment = Alignment(lines, update)
    best = alignment.best()
    others = alignment.others(best)
    assert others
    assert all(other.text.lines != best.text.lines for other in others)
    assert best.posterior + sum(other.posterior for other in others) <= 1.0 + 1e-6


def test_the_score_of_a_path_is_the_weighted_sum_of_its_features():
    lines = tuple(STORE.split("\n"))
    alignment = Alignment(lines, read_update("def main():\n    # ...\n    print(1)\n", "python", lines))
    counts = counted(alignment.features, alignment.best().path)
    assert counts
    assert set(counts) <= set(NAMES)


@pytest.mark.parametrize("blank", ["", "\n", "    \n"])
def test_blank_lines_around_a_sketch_change_nothing(blank):
    sketch = "def main():\n    store = Store('other.json')\n    # ... existing code ...\n"
    assert merged(STORE, blank + sketch + blank)[0] == merged(STORE, sketch)[0]
