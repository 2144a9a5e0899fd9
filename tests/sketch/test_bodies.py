"""What a marker right below the head of a block stands for."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.read.updates import read_update

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


@pytest.mark.parametrize(
    ("language", "first", "other", "end", "marker"),
    [
        ("javascript", "  if (!name) {\n", "  if (!isName(name)) {\n", "  }\n", "//"),
        ("go", "  if name == none {\n", "  if !isName(name) {\n", "  }\n", "//"),
        ("python", "  if not name:\n", "  if not is_name(name):\n", "", "#"),
        ("ruby", "  if name.nil?\n", "  unless name?(name)\n", "  end\n", "#"),
    ],
)
def test_a_guard_whose_body_is_a_marker_keeps_it_where_a_like_one_follows(
    language, first, other, end, marker
):
    def body(text: str) -> str:
        return f'    tell(\n      "Error",\n      "{text}",\n      "destructive"\n    )\n    return\n'

    rest = "\n  setLoading(true)\n  send(name)\n"
    old = f"start()\n{first}{body('no name at all')}{end}{rest}"
    come = f"{end}\n{other}{body('not a name')}{end}"
    sketch = f"{first}    {marker} ... existing code ...\n{come}\n  setLoading(true)\n"
    assert merged(old, sketch, language) == f"start()\n{first}{body('no name at all')}{come}{rest}"


def test_the_end_of_a_body_may_move_to_a_block_below_it():
    old = "def f(a, b):\n    if a:\n        one(a)\n        two(b)\n        three(b)\n    return a\n"
    sketch = "    if a:\n        # ...\n    if b:\n        two(b)\n        three(b)\n    return a\n"
    moved = old.replace("        two(b)\n", "    if b:\n        two(b)\n")
    assert merged(old, sketch, "python") == moved


@pytest.mark.parametrize(
    ("language", "head", "body", "end"),
    [
        ("javascript", "if (raw === null) {", ("warn(key);", "throw new Missing(key);"), "  }\n"),
        ("python", "if raw is None:", ("warn(key)", "raise Missing(key)"), ""),
    ],
)
def test_what_a_sketch_shows_of_one_block_is_not_found_in_a_later_one_with_the_same_first_line(
    language, head, body, end
):
    def guard(*lines: str) -> str:
        return f"  {head}\n" + "".join(f"    {line}\n" for line in lines) + end

    first, function, marker = (
        ("  raw = read(key)\n", "def load(key):\n", "  # ...\n")
        if language == "python"
        else ("  raw = read(key);\n", "function load(key) {\n", "  // ...\n}\n")
    )
    changed = first.replace("key", "key, context")
    counted = "".join(guard(f"count(raw, {row})").replace("raw", f"x{row}", 1) for row in range(20))
    below = f"\n{counted}\n  raw = decode(raw)\n{guard('return 0')}\n  return raw\n" + ("}\n" if end else "")
    sketch = function + changed + guard("return 0") + "\n" + marker
    text = merged(function + first + guard(*body) + below, sketch, language)
    assert text == function + changed + guard("return 0") + below


def test_a_comment_at_the_margin_ends_no_block():
    old = "interface Box {\n  first(): void;\n//  second(): void;\n\n  third(): void;\n}\n"
    sketch = "interface Box {\n  first(): number;\n  third(): void;\n}\n"
    assert "first(): number" in (text := merged(old, sketch, "typescript"))
    assert text.count("third") == 1
