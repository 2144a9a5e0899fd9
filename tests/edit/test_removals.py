import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.edit import doubts
from fastedit.edit.align import align
from fastedit.edit.checks import check
from fastedit.edit.document import Document
from fastedit.edit.hunks import diff_lines
from fastedit.edit.markers import parse_update, reindent
from fastedit.edit.merge import Prediction, predict
from fastedit.edit.removals import read_removals, removal_note
from fastedit.edit.request import LineRange
from fastedit.edit.update import Update

NOTES = {
    "# removed: old_function": "old_function",
    "# removed": "",
    "# REMOVED": "",
    "// deleted": "",
    "# (removed)": "",
    "# ... removed ...": "",
    "# removed old_function": "old_function",
    "# Removed the `load` method": "the `load` method",
    "// removed: const a = 1;": "const a = 1",
    "/* deleted: .button */": ".button",
    "<!-- removed: <p>old</p> -->": "<p>old</p>",
    "{/* removed: <Old /> */}": "<Old />",
    "-- dropped: total": "total",
    "# old_function removed": "old_function",
    "// load() has been removed.": "load()",
    "# removed unused import os": "unused import os",
    "# removed load and save": "load and save",
    "# REMOVE: load": "load",
    "# ... removed old_function ...": "old_function",
}
NO_NOTES = """# Remove the temporary file
# removed in version 2
# deleted rows are skipped
# deleted_at
### Removed
--removed
%removed
removed
x = removed  # removed
# the removed items come first
# this was removed because it broke""".splitlines()


@pytest.mark.parametrize("line", NO_NOTES)
def test_other_comments_are_comments(line):
    assert removal_note(line) is None


def test_a_comment_tells_what_is_gone():
    assert {line: removal_note(line) for line in NOTES} == NOTES


ORIGINAL = """import os
import re

LIMIT = 3
OTHER = 4


def first(a, b):
    return a + b


# Reads it all.
@cached
def second(path):
    with open(path) as stream:
        data = stream.read()
    for line in data:
        print(line)
        print(line)
        print(line)
        print(line)
        print(line)
        print(line)
    return data


class Store:
    def load(self):
        return self.count

    def clear(self):
        self.count = 0

    def save(self):
        return None


def last():
    return re
""".splitlines()


def read(sketch: str, original: list[str] = ORIGINAL, language: str = "python") -> Update:
    update = reindent(original, parse_update(textwrap.dedent(sketch), language, original))
    return read_removals(original, update, language)


def merge(sketch: str, original: list[str] = ORIGINAL, language: str = "python") -> Prediction:
    update = read(sketch, original, language)
    return predict(original, update, align(original, update))


def without(*dropped: tuple[int, int], original: list[str] = ORIGINAL) -> tuple[str, ...]:
    """The original without its lines from the first up to the last of each pair, counted from 1."""
    return tuple(
        line for n, line in enumerate(original, 1) if not any(first <= n <= last for first, last in dropped)
    )


@pytest.mark.parametrize(
    ("sketch", "wanted"),
    [
        ("# ... existing code ...\n# removed: second\n# ... existing code ...", without((12, 26))),
        ("# removed: def second(path):", without((12, 26))),
        ("# removed second, clear", None),
        ("# removed: first, Store.clear", without((8, 11), (31, 33))),
        ("# ...\nclass Store:\n    # ...\n    # removed: clear\n    # ...", without((31, 33))),
        ("# ...\nclass Store:\n    # removed: load\n    # ...", without((28, 30))),
        ("# ...\nclass Store:\n    # ...\n    # removed: save\n# ...", without((33, 35))),
        ("# ...\n# removed: last", without((36, 39))),
        ("import os\n# removed: import re\n# ...", without((2, 2))),
        ("# removed unused import os\nimport re\n# ...", without((1, 1))),
        ("# ...\nLIMIT = 3\n# removed: OTHER = 4\n# ...", without((5, 5))),
        ("# ...\n# removed: LIMIT\n# ...", without((4, 4))),
        ("# ...\nLIMIT = 3\n\n\n# removed\n\n\ndef first(a, b):\n# ...", without((5, 5))),
        ("# ...\n    return a + b\n\n\n# second removed\n\n\nclass Store:\n# ...", without((12, 26))),
        ("# ...\n    return a + b\n\n\n# removed\n\n\nclass Store:\n# ...", without((12, 26))),
    ],
)
def test_what_a_comment_says_is_gone_goes_where_one_thing_can_be_meant(sketch, wanted):
    found = merge(sketch)
    if wanted is None:
        assert doubts.TOLD_GONE in found.reasons
    else:
        assert found.lines == wanted
        assert found.reasons == ()


@pytest.mark.parametrize(
    "sketch",
    [
        "# ...\n# removed: nowhere\n# ...",
        "# ...\n# removed\n# ...",
        "# ...\n# removed: print(line)\n# ...",
        "# ...\n# removed: clear\n# ...",
        "# ...\nclass Store:\n    # ...\n    # removed: last\n    # ...",
        "# ...\n# removed: first\ndef first(a, b, c):\n    return a + b + c\n# ...",
        "# ...\nLIMIT = 3\n# removed: LIMIT\n# ...",
        "# ...\n# removed: with open(path) as stream:\n# ...",
        "# ...\nLIMIT = 3\n# removed: first\n\n\ndef first(a, b):\n# ...",
        "# ...\nLIMIT = 3\n# removed\nOTHER = 4\n# ...",
        "# ... existing code, clear is deleted ...\nLIMIT = 4\n# ...",
    ],
)
def test_what_can_be_read_otherwise_is_a_doubt_and_takes_nothing_away(sketch):
    found = merge(sketch)
    assert doubts.TOLD_GONE in found.reasons
    kept = {line.strip() for line in found.lines}
    assert {line.strip() for line in ORIGINAL} - kept <= {
        "LIMIT = 3",
        "OTHER = 4",
        "def first(a, b):",
        "return a + b",
    }


def test_a_comment_that_the_file_has_is_one():
    original = ["first = 1", "# removed: second", "third = 1", "fourth = 2"]
    found = merge("first = 1\n# removed: second\nthird = 2\n# ...", original)
    assert found.lines == ("first = 1", "# removed: second", "third = 2", "fourth = 2")
    assert found.unambiguous


@pytest.mark.parametrize(
    ("language", "original", "sketch", "wanted"),
    [
        (
            "javascript",
            "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n\nlet c = a;",
            "// ...\n// removed: b\n// ...",
            "function a() {\n  return 1;\n}\n\nlet c = a;",
        ),
        (
            "go",
            "package a\n\nfunc A() int {\n\treturn 1\n}\n\nfunc B() int {\n\treturn 2\n}",
            "// ...\n// removed: func B() int {",
            "package a\n\nfunc A() int {\n\treturn 1\n}",
        ),
        (
            "rust",
            "use std::fs;\nuse std::io;\n\nfn main() {\n    a();\n}",
            "// removed: use std::io;\n// ...",
            "use std::fs;\n\nfn main() {\n    a();\n}",
        ),
        (
            "c",
            "#include <a.h>\n#include <b.h>\nint x;",
            "/* removed: #include <b.h> */",
            "#include <a.h>\nint x;",
        ),
        (
            "text",
            "one: 1\ntwo:\n  a: 1\n  b: 2\nthree: 3",
            "# ...\n# removed: two\n# ...",
            "one: 1\nthree: 3",
        ),
        ("text", "<p>a</p>\n<p>b</p>", "<!-- ... -->\n<!-- removed: <p>b</p> -->", "<p>a</p>"),
        ("text", '{\n  "a": 1,\n  "b": 2\n}', '// ...\n// removed: "a": 1,\n// ...', '{\n  "b": 2\n}'),
        ("text", '{\n  "a": 1,\n  "b": 2\n}', "// ...\n// removed: b\n// ...", None),
    ],
)
def test_every_language_has_comments_that_say_so(language, original, sketch, wanted):
    found = merge(sketch, original.split("\n"), language)
    if wanted is None:
        assert doubts.TOLD_GONE in found.reasons
    else:
        assert found.lines == tuple(wanted.split("\n"))
        assert found.unambiguous


def test_the_checks_let_go_what_a_comment_says_is_gone_and_no_more():
    document = Document.from_text("\n".join(ORIGINAL) + "\n")
    whole = [LineRange(0, len(ORIGINAL))]
    update = read("# ...\n# removed: second\n# ...")
    assert update.gone == (LineRange(11, 26),)
    wanted = list(without((12, 26)))
    assert check(document, diff_lines(ORIGINAL, wanted), None, update, whole) == ()
    more = list(without((8, 26)))
    assert any("vanish" in why for why in check(document, diff_lines(ORIGINAL, more), None, update, whole))


def test_a_comment_that_may_say_so_does_not_get_into_the_file_unseen():
    document = Document.from_text("\n".join(ORIGINAL) + "\n")
    update = read("# ...\nLIMIT = 3\n# removed: gone\n# ...")
    hunks = diff_lines(ORIGINAL, [*ORIGINAL[:4], "# removed: gone", *ORIGINAL[4:]])
    reasons = check(document, hunks, None, update, [LineRange(0, len(ORIGINAL))])
    assert reasons == ("the comment `# removed: gone` may say that something is to go",)


LINES = [
    "",
    "}",
    "    return x",
    "x = 1",
    "def f():",
    "class A:",
    "    y = f(x)",
    "# removed: x = 1",
    "# removed",
]


@given(
    st.lists(st.sampled_from(LINES), max_size=12), st.lists(st.sampled_from([*LINES, "# ..."]), max_size=10)
)
def test_no_line_that_a_sketch_shows_goes_by_a_comment(original, sketch):
    update = read_removals(original, parse_update("\n".join(sketch), "python", original), "python")
    found = predict(original, update, align(original, update))
    result = iter(line.rstrip() for line in found.lines)
    assert all(line.text in result for line in update.lines if line.text.strip() and not line.marker)
