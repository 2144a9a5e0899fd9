"""What is worked out in part is what the whole would say."""

import random

from fastedit.edit.original import original
from fastedit.edit.outline import parents

PIECES = (
    "def f(a):\n    if a:\n        b()\n    else:\n        c()\n",
    "class A:\n\n    x = 1\n\n    def g(self):\n        return [\n            1,\n        ]\n",
    "func h() {\n  x()\n}\n",
    "if a:\n    b()\nelse:\n    c()\n# note\n    d()\n",
    "x = {\n  1: 2,\n}\n",
    "   loose\n\n  lines\n",
)


def test_the_block_of_each_line_is_that_of_the_whole_file_in_whatever_order_lines_are_asked_for():
    rng = random.Random(0)
    for _ in range(50):
        lines = "".join(rng.choices(PIECES, k=6)).split("\n")
        asked = original(tuple(lines))
        wanted = parents(lines)
        assert {place: asked.parent(place) for place in rng.sample(range(len(lines)), len(lines))} == dict(
            enumerate(wanted)
        )


def test_lines_are_found_and_counted_without_their_blanks():
    found = original(("  a", "b", "", "a  "))
    assert found.places(["a", "c"]) == {"a": [0, 3], "c": []}
    assert [found.count(text) for text in ("a", "c", "")] == [2, 0, 1]
    assert found.places(["b", "a"]) == {"b": [1], "a": [0, 3]}
