"""Definitions on their own, where the last block of a file has none."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.homes import HOMELESS, HOMES
from fastedit.sketch.signs.signs import Signs

TESTS = """import pytest


class TestChat:
    def setup(self):
        self.x = 1

    def test_chat(self, m):
        tool = Chat()
        assert tool.run(m)
"""
NEW = "    def test_new(self, m):\n        assert New().run(m)\n"


@pytest.mark.parametrize(
    "tail", ['if __name__ == "__main__":\n    pytest.main([__file__])\n', "def helper():\n    return 1\n"]
)
def test_a_definition_that_comes_into_a_block_without_any_is_also_tried_where_others_are(tail: str):
    lines = f"{TESTS}\n\n{tail}".splitlines()
    alignment = Alignment(lines, read_update(f"# ...\n\n{NEW}", "python", lines))
    best = alignment.best()
    signs = Signs(alignment.file, alignment.sketch)
    assert HOMELESS.name in signs.of(best.text, best.path)
    (path,) = HOMES.others(Laid(alignment.file, alignment.sketch, best.path), alignment.relaid)
    other = alignment.candidate(path)
    assert "\n".join(other.text.lines) + "\n" == f"{TESTS}\n{NEW}\n\n{tail}"
    assert HOMELESS.name not in signs.of(other.text, other.path)


def test_a_definition_is_at_home_where_the_sketch_shows_its_block_or_the_block_has_others():
    guarded = TESTS + "\n\nif FAST:\n    def helper():\n        return 1\n"
    for file, sketch in (
        (guarded, "# ...\n\n    def other():\n        return 2\n"),
        (
            TESTS + "\n\nif FAST:\n    x = 1\n",
            "# ...\nif FAST:\n    # ...\n    def other():\n        return 2\n",
        ),
        (TESTS, f"# ...\n\n{NEW}"),
    ):
        alignment = Alignment(file.splitlines(), read_update(sketch, "python", file.splitlines()))
        assert not HOMES.told(Laid(alignment.file, alignment.sketch, alignment.best().path))
