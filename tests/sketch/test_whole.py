from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.engine.merge.whole import sent_whole
from fastedit.request import LineRange
from fastedit.sketch.whole import anew
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks, changed_lines
from fastedit.train.merge import whole
from fastedit.train.merge.cases import Case

STORE = """\
import json
import os

LIMIT = 10


def load(path):
    with open(path) as stream:
        return json.load(stream)


def save(path, values):
    with open(path, "w") as stream:
        json.dump(values, stream)


def clear(path):
    os.remove(path)
"""


def document(text: str = STORE, name: str = "store.py") -> Document:
    return Document.from_text(text, Path(name))


def merge(update: str, old: Document | None = None) -> Merge:
    old = old or document()
    return Merge(old, update, LineRange(0, len(old.lines)))


def merged(update: str, old: Document | None = None) -> str:
    old = old or document()
    return apply_hunks(old, merge(update, old).best.hunks)


def test_a_file_sent_whole_loses_what_it_does_not_show():
    new = STORE.replace("LIMIT = 10\n\n\n", "\n").replace("    os.remove(path)\n", "    save(path, {})\n")
    assert sent_whole(document(), new) > 0.9
    assert merge(new).best.sure
    assert merged(new) == new


def test_definitions_that_a_file_sent_whole_lacks_are_named():
    whole = merge(STORE[: STORE.index("def save")] + STORE[STORE.index("def clear") :])
    assert whole.left_out(whole.best) == ["the update is taken for the whole file, which loses save"]


def test_methods_whose_heads_open_their_block_on_the_next_line_are_named_too():
    methods = [
        f"    static string Step{n}(string x)\n    {{\n        return x + {n};\n    }}\n" for n in range(9)
    ]
    old = "class A\n{\n" + "\n".join(methods) + "}\n"
    whole = merge(old.replace(methods[4] + "\n", "").replace("x + 2", "x - 2"), document(old, "A.cs"))
    assert whole.left_out(whole.best) == ["the update is taken for the whole file, which loses Step4"]


def test_a_function_that_a_file_sent_whole_wraps_in_a_call_is_not_lost():
    names = ["a", "ab", "load", "save"]
    old = "\n".join(f"const {name} = (x) => {{\n  run('{name}', x);\n}};\n" for name in names)
    new = old.replace("ab = (x)", "ab = debounce((x)").replace("'ab', x);\n}", "'ab', x);\n}, 300)")
    for update, lost in ((new, []), (new[new.index("const ab") :], ["a"])):
        whole = merge(update, Document.from_text(old, Path("a.js")))
        said = [f"the update is taken for the whole file, which loses {name}" for name in lost]
        reading = next(each for each in whole.every if whole.takes_for_whole(each))
        assert whole.left_out(reading) == said


def test_a_file_sent_whole_keeps_comments_that_it_was_sent_with():
    new = STORE.replace("LIMIT = 10", "LIMIT = 60  # seconds, was 10")
    assert "# seconds, was 10" in merged(new)


@pytest.mark.parametrize(
    "part",
    [
        'def load(path):\n    with open(path, encoding="utf-8") as stream:\n        return json.load(stream)\n',
        "LIMIT = 20\n",
        "import json\nimport os\n\nLIMIT = 20\n",
        "def save(path, values):\n    write(path, json.dumps(values))\n\n\ndef clear(path):\n    save(path, {})\n",
    ],
)
def test_a_part_of_a_file_is_not_the_whole_of_it(part):
    assert sent_whole(document(), part) < 0.2


def test_what_the_file_goes_on_with_below_all_that_is_shown_tells_against_it():
    rules = [f".c{number} {{\n  color: red;\n}}\n" for number in range(4)]
    old = document("\n".join(rules), "a.css")
    assert sent_whole(old, "\n".join(rules[:2]) + "\n.c2 {\n  color: blue;\n}\n") < 0.95
    # What comes last in its place may be its new version.
    assert sent_whole(old, "\n".join(rules[:3]) + "\n.d {\n  all: unset;\n}\n") > 0.96


def test_an_update_with_a_marker_is_not_the_whole_file():
    assert sent_whole(document(), STORE.replace("LIMIT = 10", "# ... existing code ...")) == 0.0


def test_a_part_that_stands_further_in_is_hardly_the_whole_file():
    old = document('{\n  "name": "x",\n  "left": 1,\n  "right": 2\n}\n', "a.json")
    inside = '  "name": "x",\n  "left": 1,\n  "right": 3\n'
    assert sent_whole(old, inside) < sent_whole(old, "{\n" + inside + "}\n")


def test_a_comment_that_may_stand_for_what_is_missing_tells_against_it():
    half = STORE[: STORE.index("def save")] + "{}\n\n\n" + STORE[STORE.index("def clear") :]
    spoken = sent_whole(document(), half.format("# the functions between stay the same"))
    assert spoken < 0.5 < sent_whole(document(), half.format("# Files are written elsewhere."))


def test_long_files_sent_whole_need_no_alignment():
    old = document("".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(1200)))
    new = (
        "".join(f"def f{n}():\n    return {n + (n % 50 == 0)}\n\n\n" for n in range(1200)).rstrip("\n") + "\n"
    )
    assert merge(new, old).best.sure
    assert merged(new, old).rstrip() == new.rstrip()


def test_what_the_checks_hold_against_the_whole_file_speaks_for_a_part_of_it():
    old = document("import os\n\n\ndef clear(path):\n    os.remove(path)\n")
    part = "def clear(path):\n    os.remove(path)\n    os.sync()\n"
    best = merge(part, old).best
    assert changed_lines(old.lines, best.hunks)[0] == "import os"
    assert best.posterior > 1.0 - sent_whole(old, part)


def test_lines_that_differ_in_blanks_at_their_end_alone_stay_byte_for_byte():
    path, prediction = anew(("a = 1  ", "b = 2"), ("a = 1", "b = 3"))
    assert prediction.lines == ("a = 1  ", "b = 3")
    assert prediction.origins == (0, None)
    assert [(step.sketch, list(step.lines)) for step in path] == [(0, [0]), (1, [1])]


def test_the_fit_learns_from_sketches_what_tells_a_whole_file():
    file = "import os\n" + "".join(f"v{n} = {n}\n" for n in range(20))
    cases = [
        Case(str(n), "toy", "python", file, sketch, new)
        for n in range(6)
        for sketch, new in (
            (file.replace(f"v{n} = {n}\n", ""), file.replace(f"v{n} = {n}\n", "")),
            (f"v{n} = 9\n", file.replace(f"v{n} = {n}\n", f"v{n} = 9\n")),
        )
    ]
    weights = whole.fitted(cases)
    assert weights["its length in that of the file"] > 0.0 > weights["any update without markers"]


COMPOSE = 'services:\n  web:\n    image: a\n  db:\n    image: b\n    ports:\n      - "5432:5432"\n'
TSCONFIG = (
    '{\n  "compilerOptions": {\n    "target": "es5",\n    "strict": true\n  },\n  "include": ["src"]\n}\n'
)


@pytest.mark.parametrize(
    ("name", "old", "piece"),
    [
        ("compose.yml", COMPOSE, COMPOSE.replace("  web:\n    image: a\n", "").replace("5432:", "5433:")),
        ("tsconfig.json", TSCONFIG, TSCONFIG.replace("es5", "es2020").replace(',\n  "include": ["src"]', "")),
        ("d.json", '{"a": {"b": [1, 2]}, "c": "x"}\n', '{"c": "y"}\n'),
        ("a.css", ".a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n", ".a {\n  color: green;\n}\n"),
    ],
)
def test_entries_of_data_that_a_short_piece_leaves_out_are_never_deleted_for_certain(name, old, piece):
    best = merge(piece, document(old, name)).best
    lost = merged(piece, document(old, name)) == piece
    assert not (best.sure and lost)


def test_a_file_of_data_sent_whole_loses_the_key_that_it_lacks():
    old = document("".join(f"key{number}: {number}\n" for number in range(20)), "a.yml")
    new = old.text.replace("key7: 7\n", "").replace("key12: 12", "key12: 0")
    whole = merge(new, old)
    assert whole.best.sure
    assert merged(new, old) == new
    assert whole.left_out(whole.best) == ["the update is taken for the whole file, which loses key7"]


def test_a_function_of_a_short_file_is_not_feared_to_be_all_of_it():
    old = document("def a():\n    return 1\n\n\ndef b():\n    return 2\n")
    part = "def b():\n    x = 1\n    return x + 2\n"
    assert merge(part, old).best.sure
    assert merged(part, old).startswith("def a():")


@pytest.mark.parametrize("blank", ["", "\n\n"])
def test_the_blank_lines_at_the_end_of_a_file_stay(blank):
    old = "def f(x):\n    return 1\n"
    document = Document.from_text(old + "\n\n", Path("a.py"))
    update = old.replace("1", "2") + blank
    merge = Merge(document, update, LineRange(0, len(document.lines)))
    assert merge.takes_for_whole(merge.best)
    assert apply_hunks(document, merge.best.hunks) == old.replace("1", "2") + "\n\n"
