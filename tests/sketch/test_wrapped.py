"""A statement whose lines a sketch breaks elsewhere than the file is one."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.sampled import likely_texts

ONE_LINE = """\
export function save(a: string, b: number) {
  prepare(a)
  if (a && b > 2) {
    const url = new URL(a)
    return url
  }
  return null
}
"""
SEVERAL = ONE_LINE.replace("if (a && b > 2) {", "if (\n    a &&\n    b > 2\n  ) {")
FORM = """\
<form>
  <p>Delete your data.</p>
  <button
    class="red"
    type="button"
    id="go"
  >
    Delete
  </button>
  <p>After</p>
</form>
"""


def best(old: str, sketch: str, language: str | None) -> str:
    lines = tuple(old.removesuffix("\n").split("\n"))
    return "\n".join(Alignment(lines, read_update(sketch, language, lines)).best().text.lines) + "\n"


@pytest.mark.parametrize(
    ("old", "head", "new"),
    [
        (ONE_LINE, "if (a && b > 2) {", "if (\n    a &&\n    b > 2\n  ) {"),
        (ONE_LINE, "if (a && b > 2) {", "if (\n    a &&\n    b > 2 &&\n    !skip(a)\n  ) {"),
        (SEVERAL, "if (\n    a &&\n    b > 2\n  ) {", "if (a && b > 2) {"),
        (SEVERAL, "if (\n    a &&\n    b > 2\n  ) {", "if (a && b > 1) {"),
    ],
)
def test_a_head_on_more_or_fewer_lines_takes_the_place_of_the_old_one_and_keeps_its_block(old, head, new):
    sketch = f"  prepare(a)\n  {new}\n    // ... existing code ...\n  }}\n  return null\n"
    assert best(old, sketch, "typescript") == old.replace(head, new)


def test_a_tag_on_fewer_lines_takes_the_place_of_all_lines_of_the_old_one():
    tag = '<button class="danger" id="go">'
    sketch = f"  <p>Delete your data.</p>\n  {tag}\n    Delete\n  </button>\n  <p>After</p>\n"
    old = FORM[FORM.index("<button") : FORM.index("    Delete\n")]
    assert best(FORM, sketch, "html") == FORM.replace(old, f"{tag}\n")


@pytest.mark.parametrize("below", ["  <p>After</p>\n", "  <!-- ... -->\n"])
def test_an_element_on_one_line_takes_the_place_of_all_lines_of_the_old_one(below: str):
    element = '  <button class="danger" id="go">Delete</button>\n'
    old = FORM[FORM.index("  <button") : FORM.index("  <p>After")]
    new = FORM.replace(old, element)
    assert best(FORM, f"  <p>Delete your data.</p>\n{element}{below}", "html") == new
    assert best(new, f"  <p>Delete your data.</p>\n{old}{below}", "html") == FORM


def test_a_new_element_never_comes_between_the_lines_of_a_tag():
    sketch = '  <!-- ... -->\n  <button class="blue" name="stop">\n    Delete\n  </button>\n  <!-- ... -->\n'
    lines = tuple(FORM.splitlines())
    alignment = Alignment(lines, read_update(sketch, "html", lines))
    tag = lines[2:7]
    for reading in likely_texts(alignment, alignment.best()):
        kept = [line for line in reading.text.lines if line in tag]
        at = reading.text.lines.index(kept[0]) if kept else 0
        assert not kept or reading.text.lines[at : at + len(tag)] == tag


def test_a_head_that_is_shown_in_part_is_compared_by_its_first_line():
    old = "def load(\n    path,\n    mode,\n):\n    return path\n\n\ndef save(path):\n    return path\n"
    sketch = "def load(  # noqa\n    # ...\n\ndef save(path):  # noqa\n    # ...\n"
    new = old.replace("def load(", "def load(  # noqa").replace("save(path):", "save(path):  # noqa")
    assert best(old, sketch, "python") == new


def test_an_entry_on_one_line_that_grows_over_several_is_still_known_by_what_it_begins_with():
    old = 'TYPES = [\n    ("vhdl", ["*.vhd"]),\n    ("vim", ["*.vim"]),\n    ("wiki", ["*.wiki"]),\n]\n'
    new = '    ("vim", [\n        "*.vim", ".vimrc", ".gvimrc", "vimrc", "gvimrc", "_vimrc", "_gvimrc",\n    ]),\n'
    sketch = f"TYPES = [\n    # ...\n{new}    # ...\n]\n"
    assert best(old, sketch, "python") == old.replace('    ("vim", ["*.vim"]),\n', new)


@pytest.mark.parametrize(
    ("old", "language"),
    [
        ("rate(rows) / (\n  count by(cluster, node) (\n    sum(pods)\n  )\n)\n", None),
        ("def run(job):\n  if job.ready:\n    start(job)\n  return job\n", "python"),
        ("run() {\n  if [ $cluster = node ]; then\n    start\n  fi\n}\n", "bash"),
    ],
)
def test_a_head_that_says_all_of_the_old_one_takes_its_place_however_long_it_is(
    old: str, language: str | None
):
    head = old.splitlines()[1]
    more = "region_of_the_account, zone_of_the_account, tenant_of_the_account, product_line, "
    middle = head.index("cluster") if "cluster" in head else head.index("job")
    new = head[:middle] + more + head[middle:]
    marker = "    # ...\n" if "job" in old or "$" in old else "    // ...\n"
    first, _, _, *rest = old.splitlines(keepends=True)
    assert best(old, f"{first}{new}\n{marker}{''.join(rest)}", language) == old.replace(head, new)


@pytest.mark.parametrize(
    "head", ["  if (a && b > 2 && !skip(a)) {\n", "  if (\n    a &&\n    b > 2\n  ) {\n"]
)
def test_the_block_below_a_changed_head_ends_where_it_did_in_a_long_file_too(head: str):
    body = "".join(f"    send(a, {number})\n" for number in range(12))
    old = f"function save(a, b) {{\n  if (a && b > 2) {{\n{body}  }}\n"
    rest = (
        "".join(f"  for (const each of all[{number}]) {{\n    stop({number})\n  }}\n" for number in range(30))
        + "}\n"
    )
    sketch = f"function save(a, b) {{\n{head}    // ...\n  }}\n  // ...\n}}\n"
    lines = tuple((old + rest).splitlines())
    found = Alignment(lines, read_update(sketch, "javascript", lines), long=20).best()
    assert "\n".join(found.text.lines) + "\n" == (old + rest).replace("  if (a && b > 2) {\n", head)


def test_a_new_element_below_the_first_line_of_another_one_is_read():
    old = "<ul>\n  <li>\n    one\n  </li>\n  <li>two</li>\n</ul>\n"
    assert best(old, '<ul>\n  <li>\n  <li class="new">three</li>\n  <!-- ... -->\n</ul>\n', "html")


def test_a_condition_of_several_lines_takes_the_place_of_another_one_of_several():
    body = "    {\n        level = least;\n        return;\n    }\n"
    one = "    if (context.starts(name) &&\n        (context.length == size || context[size] == '.'))\n"
    other = (
        "    if (\n        (\n            context.length == size ||\n"
        "            (context.length > size && context[size] == '.')\n"
        "        ) &&\n        context.starts(name, ANY_CASE))\n"
    )
    old = f"void get()\n{{\n{one}{body}}}\n"
    sketch = other + body.split("        return")[0]
    assert best(old, sketch, "csharp") == old.replace(one, other)
