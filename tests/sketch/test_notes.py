"""Comments above new code, which are the code's own or tell of lines that go."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

SAVE = {
    "a.py": """def save(item):
    client = connect()
    client.put(item)
    return item.id


def load(item):
    return connect().get(item)
""",
    "a.js": """function save(item) {
  const client = connect();
  client.put(item);
  return item.id;
}

function load(item) {
  return connect().get(item);
}
""",
    "deploy.sh": """# Build the site
build a

# Copy the server
copy b
echo c

# Pack the result
pack e
""",
}
ANEW = {
    "a.py": "def save(item):\n    # {}\n    log(item)\n    return item.id\n",
    "a.js": "function save(item) {{\n  // {}\n  log(item);\n  return item.id;\n}}\n",
    "deploy.sh": "# Build the site\nbuild a\n\n# {}\nrsync d\nverify d\n\n# Pack the result\npack e\n",
}


ORDERS = """def orders(customer):
    return query("orders", customer)


def invoices(customer):
    return query("invoices", customer)


def payments(customer):
    return query("payments", customer)
"""


def text_of(merge: Merge) -> str:
    return apply_hunks(merge._document, merge.best.hunks)


def replaced(path: str, comment: str) -> Merge:
    document = Document.from_text(SAVE[path], Path(path))
    return Merge(document, ANEW[path].format(comment), LineRange(0, len(document.lines)))


@pytest.mark.parametrize("path", SAVE)
@pytest.mark.parametrize(
    "comment", ["Tell the metrics service", "Kunden ohne Konto kommen zuerst", "ログに書き込む"]
)
def test_a_comment_of_new_code_is_written_though_old_lines_go_there(path, comment):
    merge = replaced(path, comment)
    assert ANEW[path].format(comment) in text_of(merge)
    assert not merge.left_out(merge.best)


@pytest.mark.parametrize("path", SAVE)
def test_a_comment_above_new_code_that_tells_of_a_removal_is_left_out_and_named(path):
    comment = "the old client calls were removed, nobody reads them any more"
    merge = replaced(path, comment)
    assert comment not in text_of(merge)
    assert any(comment in note for note in merge.left_out(merge.best))


@pytest.mark.parametrize("path", SAVE)
def test_where_the_words_leave_open_what_a_comment_above_new_code_is_both_texts_are_offered(path):
    comment = "Everything else is ignored"
    merge = replaced(path, comment)
    assert not merge.best.sure
    assert {comment in apply_hunks(merge._document, one.hunks) for one in merge.offered} == {True, False}


def test_a_note_above_new_code_that_names_what_goes_is_no_comment_of_it():
    document = Document.from_text(ORDERS, Path("a.py"))
    above = 'def orders(customer):\n    return query("orders", customer)\n\n\n'
    sketch = f"{above}# removed: invoices\n\n\ndef payments(customer):\n    return query(customer)\n"
    merge = Merge(document, sketch, LineRange(0, len(document.lines)))
    assert "invoices" not in text_of(merge)
    assert merge.best.sure
    assert not merge.left_out(merge.best)


WORKFLOW = """name: ci
on: push

env:
  A: 1

jobs:
  build:
    runs-on: ubuntu-latest
"""
RESOURCES = "\n".join(
    f'resource "a" "{name}" {{\n  size = "{name}0"\n  kind = "{name}1"\n}}\n'
    for name in ("one", "two", "three")
)
SIZES = "\n".join(f"[{name}]\nsize = 1\nkind = {name}\n" for name in ("one", "two", "three"))
FUNCTIONS = "\n\n".join(
    f"func {name}() {{\n\trun()\n\tstop({name[0]})\n}}" for name in ("one", "two", "three")
)


def merged(path: str, source: str, sketch: str) -> Merge:
    document = Document.from_text(source, Path(path))
    return Merge(document, sketch, LineRange(0, len(document.lines)))


@pytest.mark.parametrize("comment", ["packages: write", "more: settings", "timeout: 10"])
def test_a_comment_in_a_block_that_the_sketch_begins_with_hides_nothing_of_the_file(comment):
    block = f"permissions:\n  contents: read\n  # {comment}\n\n"
    merge = merged("ci.yml", WORKFLOW, f"{block}jobs:\n  build:\n    # ...\n")
    assert text_of(merge) == WORKFLOW.replace("jobs:", f"{block}jobs:")
    assert merge.best.sure


@pytest.mark.parametrize("comment", ["keep existing values", "unchanged values are skipped"])
def test_a_comment_where_nothing_is_hidden_is_not_lost_without_a_question(comment):
    source = "def read(text):\n    return text.split()\n\n\ndef write(words):\n    return join(words)\n"
    new = f"def read(text):\n    # {comment}\n    if text.old:\n        text = text.new\n    return text.split()\n"
    merge = merged("a.py", source, f"{new}\n\n# ... existing code ...\n")
    texts = [apply_hunks(merge._document, one.hunks) for one in merge.offered]
    assert comment in texts[0]
    assert merge.best.sure or any(comment not in text for text in texts)


@pytest.mark.parametrize(
    ("path", "source", "sketch"),
    [
        ("a.tf", RESOURCES, 'resource "a" "one" {\n  size = "5"\n  kind = "one1"\n}\n\n# Removed: two\n'),
        ("a.tf", RESOURCES, 'resource "a" "one" {\n  size = "5"\n  kind = "one1"\n}\n\n# Removed: a.two\n'),
        ("a.ini", SIZES, "[one]\nsize = 5\nkind = one\n\n; Removed: two\n"),
        ("a.go", FUNCTIONS, "func one() {\n\trun(5)\n\tstop(o)\n}\n\n// Removed: two\n"),
    ],
)
def test_a_note_removes_what_it_names_in_any_notation_and_nothing_else(path, source, sketch):
    merge = merged(path, source, sketch)
    text = text_of(merge)
    assert "two" not in text.replace("stop(t)", "")
    assert "three" in text
    assert "emoved" not in text
    assert merge.best.sure
