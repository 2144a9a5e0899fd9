"""What a marker right below the head of a block stands for."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.reading import read_update

TIDY = '    this.count += 1;\n    this.emit("done", id);\n    this.unlock(id);\n'
TRY = f"""async function load(id) {{
  try {{
    return await fetchItem(id);
  }} catch (err) {{
{TIDY}    return null;
  }}
}}
"""
PYTHON = """def load(id):
    try:
        return fetch(id)
    except OSError:
        count(1)
        emit("done", id)
        unlock(id)
        return None
"""


def merged(old: str, sketch: str, language: str = "javascript") -> str:
    lines = tuple(old.removesuffix("\n").split("\n"))
    return "\n".join(lay(lines, read_update(sketch, language, lines)).text.lines) + "\n"


@pytest.mark.parametrize(
    ("old", "language", "branch", "new", "marker"),
    [
        (
            TRY,
            "javascript",
            "    return await fetchItem(id);\n",
            f"    const item = 1;\n{TIDY}    return item;\n",
            "//",
        ),
        (
            PYTHON,
            "python",
            "        return fetch(id)\n",
            '        item = fetch(id)\n        count(1)\n        emit("done", id)\n        unlock(id)\n'
            "        return item\n",
            "#",
        ),
    ],
)
def test_a_marker_below_the_head_of_a_block_keeps_what_the_block_begins_with_though_one_above_shows_it(
    old, language, branch, new, marker
):
    above, _, below = old.partition(branch)
    head, hidden = (
        ("  } catch (err) {\n", "    // ... existing error handling ...\n  }\n}\n")
        if language == "javascript"
        else ("    except OSError:\n", f"        {marker} ... existing error handling ...\n")
    )
    assert below.startswith(head)
    assert merged(old, above + new + head + hidden, language) == above + new + below


def test_lines_that_move_out_of_a_block_to_above_its_head_do_not_stay_in_it():
    moved = ("const limit = readLimit();", "const size = readSize(1);", 'const own = readOwn("a");')
    within, above = ("".join(f"{blanks}{line}\n" for line in moved) for blanks in ("    ", "  "))
    head, rest = "  for (const x of xs) {\n", "  }\n}\n"
    old = f"function f(xs) {{\n{head}{within}    push(x, limit);\n{rest}"
    sketch = f"function f(xs) {{\n{above}{head}    // ... existing code ...\n{rest}"
    assert merged(old, sketch) == f"function f(xs) {{\n{above}{head}    push(x, limit);\n{rest}"


def test_new_code_that_the_sketch_leaves_open_encloses_its_block_alone():
    one = "int one(int a) {\n    check(a);\n    int b = load(a);\n    return b;\n}\n"
    other = "\nint other(int a) {\n    return a;\n}\n"
    sketch = "int one(int a) {\n    check(a);\n    if (a > limit) {\n        // ... existing code ...\n"
    text = merged(one + other, sketch, "c")
    assert text.endswith(other)
