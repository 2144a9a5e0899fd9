"""A statement whose first line gives way to one that is whole goes with the rest of it."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.sampled import likely_texts

JS = """\
function f(items, query) {
  const key = items.key
  const hash =
    items.hash ?? keyOf(items, key)
  let found = find(hash)
  const label = query.length > 10
    ? query.slice(0, 10)
    : query
  return found || label
}
"""
GO = """\
func Describe(items []string, limit int) string {
\tok := len(items) > 0 &&
\t\tlimit > 0 &&
\t\tlen(items) < limit
\tq := New("items").
\t\tWhere("limit", limit).
\t\tOrderBy("name")
\treturn q.String(ok)
}
"""
CSS = """\
.button {
  transition:
    color 0.2s ease,
    background-color 0.2s ease;
  box-shadow: 0 1px 2px rgba(0, 0, 0, 0.1),
    0 2px 4px rgba(0, 0, 0, 0.1);
  padding: 4px;
}
"""
VUE = """\
<template>
  <a-drawer width="50%"
            :visible="open"
            @close="onClose">
    <p>
      {{ message }}
    </p>
    <a-button type="primary">Save</a-button>
  </a-drawer>
</template>
"""
PYTHON = """\
def f(items, limit):
    found = pick(
        items,
        limit,
    )
    names = [item.name for item in found]
    if names:
        show(names)
    return names
"""


def laid(old: str, sketch: str, language: str) -> str:
    """The likeliest text."""
    lines = tuple(old.removesuffix("\n").split("\n"))
    return "\n".join(Alignment(lines, read_update(sketch, language, lines)).best().text.lines) + "\n"


@pytest.mark.parametrize(
    ("old", "language", "sketch", "gone"),
    [
        (
            JS,
            "javascript",
            "  const key = items.key\n  const hash = hashOf(items)\n  // ...\n",
            "    items.hash ?? keyOf(items, key)\n",
        ),
        (
            GO,
            "go",
            "func Describe(items []string, limit int) string {\n\tok := len(items) > 0\n\t// ...\n}\n",
            "\t\tlimit > 0 &&\n\t\tlen(items) < limit\n",
        ),
        (
            GO,
            "go",
            '\t// ...\n\tq := New("all items")\n\t// ...\n',
            '\t\tWhere("limit", limit).\n\t\tOrderBy("name")\n',
        ),
        (
            CSS,
            "css",
            ".button {\n  transition: none;\n  /* ... */\n}\n",
            "    color 0.2s ease,\n    background-color 0.2s ease;\n",
        ),
        (
            CSS,
            "css",
            "  /* ... */\n  box-shadow: 0 1px 3px rgba(0, 0, 0, 0.2);\n  /* ... */\n",
            "    0 2px 4px rgba(0, 0, 0, 0.1);\n",
        ),
        (
            VUE,
            "text",
            '<template>\n  <a-drawer width="70%" :visible="open">\n    <!-- ... -->\n  </a-drawer>\n</template>\n',
            '            :visible="open"\n            @close="onClose">\n',
        ),
        (
            PYTHON,
            "python",
            "def f(items, limit):\n    found = pick(items, limit + 1)\n    # ...\n",
            "        items,\n        limit,\n    )\n",
        ),
    ],
)
def test_the_rest_of_a_statement_goes_with_its_first_line(old, language, sketch, gone):
    new = laid(old, sketch, language)
    assert gone not in new
    shown = {line for line in sketch.split("\n") if "..." not in line}
    assert set(new.split("\n")) == set(old.replace(gone, "").split("\n")) - _replaced(old, gone) | shown


def _replaced(old: str, gone: str) -> set[str]:
    """The line above what goes."""
    return {old[: old.index(gone)].split("\n")[-2]}


def test_a_sketch_may_end_with_a_line_that_replaces_all_of_its_statement():
    above = "function g(items) {\n  return items\n}\n" * 6
    new = laid(JS + above, "  const key = items.key\n  const hash = items.hash\n", "javascript").removesuffix(
        above
    )
    assert new == JS.replace(
        "  const hash =\n    items.hash ?? keyOf(items, key)\n", "  const hash = items.hash\n"
    )


@pytest.mark.parametrize(
    ("old", "language", "sketch"),
    [
        (
            JS,
            "javascript",
            "  const key = items.key\n  const digest =\n    // ...\n  let found = find(digest)\n",
        ),
        (
            JS,
            "javascript",
            "  // ...\n  const label = query.length > 20\n  // ...\n  return found || label\n",
        ),
        (PYTHON, "python", "    # ...\n    if names and limit:\n        # ...\n    return names\n"),
        (PYTHON, "python", "def f(items, limit):\n    check(items)\n    # ...\n    return names\n"),
        (PYTHON, "python", "def f(items, limit):\nfound = choose(\n# ...\n)\n# ...\nreturn names\n"),
        (GO, "go", '\t// ...\n\tq := New("all").\n\t\t// ...\n\treturn q.String(ok)\n'),
    ],
)
def test_a_line_that_goes_on_or_leads_to_more_keeps_what_stands_below_it(old, language, sketch):
    kept = {line for line in old.split("\n") if line.startswith(("    ", "\t\t"))}
    lost = {line.strip() for line in kept} - {
        line.strip() for line in laid(old, sketch, language).split("\n")
    }
    assert len(lost) <= 1  # the line that the sketch changes


TYPED = """\
const a = 1;

export const cidr: RegExp =
  /old/;

const label =
  "a" +
  name;

function use(value) {
  return cidr.test(value);
}
"""


@pytest.mark.parametrize(
    ("begins", "ends", "gone"),
    [
        ("export const cidr: RegExp =\n", "  /[a-z]+(?:x{2}|y)$/i;\n", "  /old/;\n"),
        ("const label =\n", "  `${prefix}: ${name}`;\n", '  "a" +\n  name;\n'),
    ],
)
@pytest.mark.parametrize("below", ["", "\n// ...\n"])
def test_a_value_below_what_begins_its_statement_takes_the_place_of_the_old_one(begins, ends, gone, below):
    assert laid(TYPED, begins + ends + below, "typescript") == TYPED.replace(gone, ends)


def test_a_value_below_one_that_does_not_end_the_statement_stays():
    sketch = "const label =\n  prefix +\n"
    assert laid(TYPED, sketch, "typescript") == TYPED.replace('"a" +', 'prefix +\n  "a" +')


MEMBERS = [
    (
        "public class QueueTests\n{\n    [Fact]\n    public void Push()\n    {\n        Add(1);\n    }\n}\n",
        "    [Fact]\n    public void Pop()\n    {\n        Remove(1);\n        Count(0);\n    }\n",
        "csharp",
    ),
    (
        "namespace detail {\n\ntemplate <typename T>\nvoid copy(T& out, T value) {\n  out = value;\n}\n\n}\n",
        "template <typename T>\nvoid fill(T& out, int size) {\n  while (size > 0) push(out);\n}\n",
        "cpp",
    ),
    (
        "class QueueTests {\n    @Test\n    fun push() {\n        add(1)\n    }\n}\n",
        "    @Test\n    fun count() {\n        remove(1)\n        check(size == 0)\n    }\n",
        "kotlin",
    ),
]


@pytest.mark.parametrize(("old", "member", "language"), MEMBERS)
def test_nothing_new_comes_between_an_attribute_and_what_it_belongs_to(old: str, member: str, language: str):
    lines = tuple(old.splitlines())
    attribute = next(line for line in lines if line.strip() == member.split("\n")[0].strip())
    first, owner = lines[: lines.index(attribute)], lines[lines.index(attribute) + 1]
    sketch = "\n".join(first) + f"\n{member}\n    // ... existing code ...\n"
    alignment = Alignment(lines, read_update(sketch, language, lines))
    for reading in likely_texts(alignment, alignment.best()):
        text = reading.text.lines
        assert owner not in text or text[text.index(owner) - 1] == attribute
