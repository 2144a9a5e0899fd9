"""What a text as a whole says of how it was laid."""

from __future__ import annotations

from math import log1p

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.evened import evened
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.brackets import misplaced_brackets
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.siblings import CONTESTED, SIBLINGS
from fastedit.sketch.sampled import likely_texts
from fastedit.sketch.signs.imports import IDLE_AS_SAID
from fastedit.sketch.signs.signs import Signs
from fastedit.sketch.signs.unsaid import STAYS_RELATED
from fastedit.sketch.text.merge import MergedText, Writer
from fastedit.sketch.text.written import Written

LOST = "an entry keeps no word of its own"
UNRELATED = "lines that go unsaid have nothing to do with what changes"
BEREFT = "what belongs to a line that stays goes"


def signs(old: str, sketch: str, language: str = "python") -> dict[str, float]:
    """Those of the likeliest text."""
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, language, lines))
    best = alignment.best()
    return Signs(alignment.file, alignment.sketch, alignment.removing).of(best.text, best.path)


def test_a_file_that_stays_as_it_is_has_no_other_sign():
    old = "import os\n\n\ndef f(path):\n    name = os.path.basename(path)\n    return name\n"
    assert signs(old, old) == {}


@pytest.mark.parametrize(("language", "found"), [("shell", False), ("text", True)])
def test_an_arm_of_case_leaves_no_bracket_askew(language, found):
    old = 'term() {\n  if [ "$TERM" = kitty ]; then\n    return 0\n  fi\n}\n'
    new = 'term() {\n  case "$TERM" in\n  kitty|alacritty) return 0 ;;\n  esac\n}\n'
    assert ("brackets askew" in signs(old, new, language)) == found


@pytest.mark.parametrize("left_out", [False, True])
def test_an_update_may_come_twice_but_one_that_leaves_lines_out_says_something(left_out):
    file = Outline(["lint = 1", "old = 2", "test = 3", "types = 4"])
    sketch = Outline(["lint = 1", "test = 3" if left_out else "old = 2"], frozenset())
    out = [PathStep(Layer.LEAP, None, range(1, 2))] if left_out else []
    at = 1 + len(out)
    second = PathStep(Layer.MATCH, 1, range(at, at + 1))
    path = [PathStep(Layer.MATCH, 0, range(1)), *out, second, PathStep(Layer.LEAP, None, range(at + 1, 4))]
    found = Signs(file, sketch).of(Writer(file, sketch).write(path), path)
    assert ("nothing changes, though lines are left out" in found) == left_out


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        (
            "import os\n\n\ndef f(path):\n    return os.path.basename(path)\n",
            "import os\n\n\ndef f(path):\n    return path.name\n",
            IDLE_AS_SAID.name,
        ),
        (
            "import os\n\n\ndef f(path):\n    os.sync()\n    return path.name\n",
            "import os\n\n\ndef f(path):\n    return path.name\n",
            "an import stays and its uses go",
        ),
        (
            "import io\nimport os\nimport re\n\n\ndef f(path):\n    return os.path.basename(path)\n",
            "import io\nimport re\n\n\ndef f(path):\n    return path.name\n",
            "an import goes with its uses",
        ),
        (
            "import { Box } from 'a';\n\nexport const size = new Box();\n",
            "import { Box } from 'a';\nimport { Box } from './b';\n\nexport const size = new Box();\n",
            "a name is imported twice",
        ),
        (
            "def f(path):\n    name = path.name\n    print(path)\n    return name\n",
            "def f(path):\n    print(path)\n    return name\n",
            "a name loses its first line",
        ),
        (
            "class A:\n    def f(self, name):\n        self.size = 1\n        self.name = name\n",
            "class A:\n    def f(self):\n        self.size = 2\n        self.name = name\n",
            "a name loses its first line",
        ),
        (
            "def f(path):\n    print(path)\n    return path.name\n",
            "def f(path):\n    return None\n    print(path)\n    return path.name\n",
            "a line is never reached",
        ),
        (
            "def f(path):\n    return path.name\n",
            "def f(path):\n    return path.name\n    @cached\n    def g(path):\n        return path\n",
            "a line is never reached",
        ),
        (
            "def f(path):\n    return path.name\n",
            "def f(path):\n    return path.name\n    try:\n        load(path)\n    finally:\n        stop()\n",
            "a line is never reached",
        ),
        (
            "function f() {\n  if (a) {\n    b();\n  }\n}\n",
            "function f() {\n  if (a) {\n    b();\n    }\n}\n",
            "brackets askew",
        ),
        (
            "def f(path):\n    load(path)\n    return 1\n",
            "def f(path):\n    load(path)\n    load(path)\n    return 1\n",
            "a line stands twice",
        ),
    ],
)
def test_what_a_reader_stops_at_is_a_sign(old, new, sign):
    assert sign in signs(old, new, "javascript" if "{" in old else "python")


def test_a_key_of_data_is_no_name_that_another_line_uses():
    old = 'one = { version = "1", free = true }\ntwo = { version = "2", free = true }\n'
    new = old.replace('version = "1"', 'git = "https://example.org/one"')
    assert "a name loses its first line" in signs(old, new, "python")
    assert "a name loses its first line" not in signs(old, new, "toml")


def test_comments_and_strings_that_head_a_file_are_missed_where_nothing_comes_instead():
    file = Outline(["# A shelf.", "", '"""It holds', 'books."""', "import os"], language="python")
    gone = [PathStep(Layer.GONE, None, range(4)), PathStep(Layer.MATCH, 0, range(4, 5))]
    assert file.heading == [0, 2, 3]
    for first, told in (("import os", True), ("# A rack.", False)):
        path = gone if told else [PathStep(Layer.GONE, None, range(4)), PathStep(Layer.NEW, 0, range(4, 4))]
        sketch = Outline([first], language="python")
        found = Signs(file, sketch).of(Writer(file, sketch).write(path), path)
        assert ("what heads the file goes" in found) == told


SIBLING = "an entry takes the place of a sibling"
OTHER = "an entry takes other words next to what is hidden"
ROWS = "rows = [\n    Row('a', size=1),\n    Row('b', size=2),\n]\n"
PAGE = """<main>
  <section class="card">
    <h2>First</h2>
  </section>
  <section class="card">
    <h2>Second</h2>
  </section>
</main>
"""


@pytest.mark.parametrize(
    ("old", "sketch", "sign", "found"),
    [
        (ROWS, "rows = [\n    # ... existing code ...\n    Row('c', size=3),\n]\n", SIBLING, True),
        # It has the key of the one that it is laid onto.
        (ROWS, "rows = [\n    # ... existing code ...\n    Row('b', size=2, wide=True)\n]\n", SIBLING, False),
        (
            PAGE,
            '  <!-- existing cards -->\n  <section class="card">\n    <h2>Third</h2>\n  </section>\n</main>\n',
            SIBLING,
            True,
        ),
        # All is shown, so nothing is hidden that it could stand beside.
        (ROWS, ROWS.replace("'b', size=2", "'c', size=3"), SIBLING, False),
    ],
)
def test_an_entry_that_could_as_well_be_one_more_beside_what_is_hidden_is_a_sign(old, sketch, sign, found):
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, "python", lines))
    told = Signs(alignment.file, alignment.sketch)
    readings = likely_texts(alignment, alignment.best(), most=6)
    assert any(sign in told.of(one.text, one.path) for one in readings) is found


OPTIONS = """def add_options(parser):
    parser.add_argument(
        "--headers",
        help="print headers",
    )
    parser.add_argument(
        "--no-redirect",
        help="stay",
    )
"""
DECLARED = """API int
get_text(int aligned,
         int size);

API int
get_bytes(int aligned,
          int size);
"""


@pytest.mark.parametrize(
    ("old", "sketch", "lost", "found"),
    [
        # A key has its hyphens: what both begin with is no more than what all options begin with.
        (
            OPTIONS,
            OPTIONS.split("    parser")[0]
            + '    # ...\n    parser.add_argument(\n        "--no-body",\n        help="none",\n    )\n',
            "--no-redirect",
            {SIBLING, OTHER},
        ),
        # The line above, which begins others too, belongs to the entry.
        (
            DECLARED,
            "/* ... */\n\nAPI int\nget_names(int aligned,\n          int size);\n",
            "get_bytes",
            {SIBLING, OTHER},
        ),
        # One that is only added to is still the same.
        (
            "def f():\n    one()\n    load(path)\n",
            "def f():\n    # ...\n    load(path, wide=True)\n",
            "load(path)",
            set(),
        ),
    ],
)
def test_an_entry_in_place_of_one_of_its_kind_next_to_a_marker_is_a_sign(old, sketch, lost, found):
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, "python" if "def" in old else "c", lines))
    readings = likely_texts(alignment, alignment.best(), most=6)
    instead = next(one for one in readings if lost not in "\n".join(one.text.lines))
    told = Signs(alignment.file, alignment.sketch).of(instead.text, instead.path)
    assert {sign for sign in told if sign.startswith("an entry")} - {LOST} == found
    assert (CONTESTED.name in told) == bool(found)


@pytest.mark.parametrize(("above", "told"), [("#include <a.h>\n\n", True), ("", False)])
def test_what_a_sketch_of_a_part_of_a_file_is_laid_onto_last_may_stay_below(above, told):
    old = f"{above}int read(int at);\nint write(int at, int size);\n"
    lines = tuple(old.removesuffix("\n").split("\n"))
    sketch = read_update("int read(int at);\nint close(int all);\n", "c", lines)
    alignment = Alignment(lines, sketch)
    best = alignment.best()
    texts = {"\n".join(one.text.lines) + "\n" for one in evened(alignment, [best])}
    further = old.replace("int write", "int close(int all);\nint write")
    assert (further in texts) == told


@pytest.mark.parametrize(
    ("old", "sketch", "further"),
    [
        # Blank lines between an entry and what is hidden are no obstacle.
        (
            "BEGIN;\n\nCREATE TABLE b (id int);\n\nCOMMIT;\n",
            "BEGIN;\n\nCREATE TABLE a (id int);\n\n-- ... existing code ...\n",
            "CREATE TABLE a (id int);\n\nCREATE TABLE b (id int);",
        ),
        (
            "x()\n\napp.register(b)\n\napp.run()\n",
            "# ... existing code ...\n\napp.register(c)\n\napp.run()\n",
            "app.register(b)\n\napp.register(c)",
        ),
        # It makes no difference whether a path takes a line for changed or for gone.
        (
            '"use client";\n\nimport "./b.css";\n\nrun();\n',
            '"use client";\n\nimport "./a.css";\n\n// ... existing code ...\n',
            'import "./a.css";\n\nimport "./b.css";',
        ),
        # What is shown above an entry may be the end of the one that is hidden above.
        (
            "<ul>\n"
            + "".join(f"  <li>\n    <a>{name}</a>\n  </li>\n" for name in ("one", "two", "three"))
            + "</ul>\n",
            "    <!-- ... existing code ... -->\n  </li>\n"
            "  <li>\n    <a>new</a>\n  </li>\n  <li>\n    <a>three</a>\n    <!-- ... -->\n",
            "<a>two</a>\n  </li>\n  <li>\n    <a>new</a>",
        ),
    ],
)
def test_an_entry_is_weighed_against_a_further_one_beside_the_hidden_one(old, sketch, further):
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, None, lines))
    texts = ["\n".join(one.text.lines) for one in evened(alignment, [alignment.best()])]
    assert any(further in text for text in texts)
    assert len(texts) > 1


@pytest.mark.parametrize(
    ("entry", "kept"), [("b.load(one, 1)", 0.0), ("c.load(two, 4)", 0.0), ("a.load(one, 3)", 1.0)]
)
def test_an_entry_is_known_by_the_words_that_its_neighbours_lack(entry, kept):
    lines = ("def f():", "    a.load(one, 2)", "    b.load(two, 1)", "    a.load(two, 3)", "    return")
    sketch = read_update(f"def f():\n    # ...\n    {entry}\n    return\n", "python", lines)
    alignment = Alignment(lines, sketch)
    path = [
        PathStep(Layer.MATCH, 0, range(1)),
        PathStep(Layer.MARK, 1),
        PathStep(Layer.KEEP, None, range(1, 3)),
        PathStep(Layer.MATCH, 2, range(3, 4)),
        PathStep(Layer.MATCH, 3, range(4, 5)),
    ]
    told = SIBLINGS.told(Laid(alignment.file, alignment.sketch, path))
    assert told["share of its own words that an entry keeps"] == kept
    assert (LOST in told) == (not kept)


@pytest.mark.parametrize(
    ("sketch", "found"),
    [
        # Nothing else changes: that is what the update is for.
        ("def f():\n    one = 1\n    return one\n", set()),
        ("def f():\n    one = 2\n    return one\n", {UNRELATED}),
        ("def f():\n    one = 2\n    return one\n    # ...\n", {UNRELATED}),
        ("def f():\n    one = 1\n    return one\n\n\ndef g():\n    pass\n", {UNRELATED}),
        # It comes elsewhere, much alike.
        ("def f():\n    one = check(limit - 1)\n    return one\n", set()),
        # What the piece around them is for.
        ("# ...\ndef f():\n    one = 1\n    return one\n# ...\ndef g():\n    pass\n", set()),
        ("def f():\n    one = check(1)\n    return one\n", set()),
    ],
)
def test_lines_that_go_unsaid_while_something_else_changes_are_a_sign(sketch, found):
    told = signs("def f():\n    one = 1\n    check(limit)\n    return one\n", sketch)
    assert {sign for sign in told if "unsaid" in sign} == found


def test_lines_that_go_unsaid_are_a_sign_however_the_path_tells_the_line_above_them():
    lines = ("def f():", "    one = 1", "    check(limit)", "    return one")
    file, sketch = Outline(lines), Outline((lines[0], "    one = 2", lines[3]), frozenset())
    first, last = PathStep(Layer.MATCH, 0, range(1)), PathStep(Layer.MATCH, 2, range(3, 4))
    changed = [PathStep(Layer.MATCH, 1, range(1, 2)), PathStep(Layer.GONE, None, range(2, 3))]
    replaced = [PathStep(Layer.GONE, None, range(1, 3)), PathStep(Layer.NEW, 1, range(3, 3))]
    for told in (changed, replaced):
        path = [first, *told, last]
        found = Signs(file, sketch).of(Writer(file, sketch).write(path), path)
        assert {sign for sign in found if "unsaid" in sign} == {UNRELATED}


@pytest.mark.parametrize(
    ("new", "language", "marker", "told"),
    [
        # If it went, that would be what the update is for, or go with what changes.
        ("one = 1", "python", "# ...", True),
        ("one = check(1)", "python", "# ...", True),
        ("one = 2", "python", "# ...", False),
        # Pieces of data leave out what stays, and so do updates without any marker.
        ("one = 1", "toml", "# ...", False),
        ("one = 1", "python", "", False),
    ],
)
def test_lines_that_stay_unmarked_and_have_to_do_with_what_changes_are_a_sign(new, language, marker, told):
    file = Outline(("two = 0", "one = 1", "check(limit)", "end = one"), language=language)
    hidden = frozenset({3} if marker else ())
    sketch = Outline(("two = 0", new, "end = one", marker), hidden, language=language)
    path = [
        PathStep(Layer.MATCH, 0, range(1)),
        PathStep(Layer.MATCH, 1, range(1, 2)),
        PathStep(Layer.LEAP, None, range(2, 3)),
        PathStep(Layer.MATCH, 2, range(3, 4)),
        PathStep(Layer.MARK if marker else Layer.NEW, 3),
    ]
    found = Signs(file, sketch).of(Writer(file, sketch).write(path), path)
    assert (STAYS_RELATED.name in found) == told


def test_a_comment_that_goes_from_above_what_stays_is_a_sign():
    old = "# One.\na = 1\n\n# Two.\nb = 2\n"
    assert BEREFT in signs(old, "# One.\na = 1\n\nb = 2\n")
    assert BEREFT not in signs(old, "# One.\na = 1\n\n# Both.\nb = 2\n")
    assert BEREFT not in signs(old, "# One.\na = 1\n")


def test_a_method_that_goes_unshown_where_another_stays_so_is_a_sign():
    methods = [
        f"    def {name}(self):\n        return {name!r}\n" for name in ("one", "two", "three", "four")
    ]
    lines = tuple("".join(methods).splitlines())
    file, sketch = Outline(lines), Outline((*lines[:2], *lines[4:6]), frozenset())
    match = [PathStep(Layer.MATCH, at, range(row, row + 1)) for at, row in enumerate((0, 1, 4, 5))]
    path = [
        *match[:2],
        PathStep(Layer.GONE, None, range(2, 4)),
        *match[2:],
        PathStep(Layer.LEAP, None, range(6, 8)),
    ]
    told = Signs(file, sketch).of(Writer(file, sketch).write(path), path)
    assert told["a definition goes unshown where another stays so"] == 1.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another line binds the name.
        (
            "def f(path):\n    name = path.name\n    print(path)\n    return name\n",
            "def f(path):\n    print(path)\n    name = path.stem\n    return name\n",
        ),
        # A branch goes on behind what leaves the block above.
        (
            "def f(a):\n    if a:\n        b()\n    else:\n        c()\n",
            "def f(a):\n    if a:\n        return b()\n    else:\n        c()\n",
        ),
        # What is returned goes on below.
        ("def f(a):\n    b()\n", "def f(a):\n    return (\n        b()\n    )\n"),
    ],
)
def test_what_is_as_it_should_be_is_none(old, new):
    assert signs(old, new) == {}


def test_a_marker_that_hides_nothing_is_a_sign():
    old = "def f(path):\n    print(path)\n    return path\n"
    sketch = "def f(path):\n    print(path)\n    # ... existing code ...\n    return str(path)\n"
    assert "a marker hides nothing" in signs(old, sketch)


def test_a_comment_that_is_taken_for_a_marker_and_hides_nothing_is_a_sign():
    lines = ("def main():", "    load()", "    stop()")
    shown = (lines[0], lines[1], "    # as before", lines[2])
    file, sketch = Outline(lines), Outline(shown, frozenset())
    match = [PathStep(Layer.MATCH, row, range(at, at + 1)) for row, at in ((0, 0), (1, 1), (3, 2))]
    path = [*match[:2], PathStep(Layer.MARK, 2, range(2, 2)), match[2]]
    assert "a marker hides nothing" in Signs(file, sketch).of(Writer(file, sketch).write(path), path)


def test_a_marker_above_all_code_may_hide_nothing():
    old = "def f(path):\n    return path\n"
    assert signs(old, "# ... existing code ...\ndef f(path):\n    return str(path)\n") == {}


@pytest.mark.parametrize(
    ("old", "sketch", "language", "lost"),
    [
        (
            "import { Cell } from './cell';\nimport { Row } from './row';\n\nnew Cell(Row);\n",
            "import { Cell } from './cell';\nimport type { Row } from '@grid/row';\n// ... existing code ...\n",
            "typescript",
            "'./row'",
        ),
        (
            "use first;\nuse trivia::{\n    first_token, BackTokenizer,\n};\nuse size::Range;\n",
            "// ...\nuse trivia::{\n    BackTokenizer, first_token,\n};\n// ...\n",
            "rust",
            "first_token, BackTokenizer,",
        ),
    ],
)
def test_an_import_of_the_same_names_is_the_same_entry(old, sketch, language, lost):
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, language, lines))
    readings = likely_texts(alignment, alignment.best(), most=6)
    instead = next(one for one in readings if lost not in "\n".join(one.text.lines))
    told = Signs(alignment.file, alignment.sketch).of(instead.text, instead.path)
    assert not [sign for sign in told if sign.startswith("an entry")]


def test_lines_that_the_file_has_once_and_that_come_once_more_are_a_sign():
    old = (
        "switch (kind) {\n  case FIRST_KIND:\n    out = open_first();\n    break;\n"
        "  case OTHER_KIND:\n    out = open_other();\n    break;\n}\n"
    )
    twice = old.replace("}\n", "  case FIRST_KIND:\n    out = open_first();\n    break;\n}\n")
    found = signs(old, twice, "c")
    assert found["lines that the file has once stand twice"] == pytest.approx(log1p(2))
    assert not any("twice" in sign for sign in signs(old, old.replace("open_other", "load_other"), "c"))


def test_lines_of_a_new_block_that_another_block_has_are_no_sign_but_in_a_block_around_them_are():
    old = "def test_stops(app):\n    store = app.make_store()\n    assert store.stop() == 1\n"
    block = "    store = app.make_store()\n    assert store.start() == 1\n"
    sign = "lines that the file has once stand twice"
    assert sign not in signs(old, f"# ... existing tests ...\n\ndef test_starts(app):\n{block}")
    assert sign in signs(old, f"{old}    with app.lock():\n        store = app.make_store()\n")


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        (
            "import { A } from 'a';\nimport { B } from 'b';\n\nnew A(B);\n",
            "import { A } from 'a';\nimport { B } from 'b';\nimport type {\n  B,\n} from './c';\n\nnew A(B);\n",
            "a name is imported twice",
        ),
        (
            "def f():\n    a = load()\n    return a\n",
            "def f():\n    a = load()\n    # The cache of load() was dropped, for it is read once.\n    return a\n",
            "a comment stays that tells of a removal",
        ),
        (
            "def f(rows):\n    for row in rows:\n        a(row)\n        b(row)\n",
            "def f(rows):\n    for row in rows:\n        a(row)\n    for row in sorted(rows):\n        b(row)\n",
            "a line leaves its block",
        ),
    ],
)
def test_what_stands_askew_to_the_file_is_a_sign(old, new, sign):
    assert sign in signs(old, new, "typescript" if "{" in old else "python")


@pytest.mark.parametrize(
    ("old", "new", "sign", "line"),
    [
        (
            "def f():\n    a = load()\n    return a\n",
            "def f():\n    a = load()\n    # The cache of load() was dropped, for it is read once.\n    return a\n",
            "a comment stays that tells of a removal",
            2,
        ),
        (
            "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 1\n",
            "    # ...\n    def f(self):\n        return 2\n    # ...\n",
            "a definition could be any of several",
            1,
        ),
        (
            "def f():\n    return 1\n",
            "def f():\n    return 2\n",
            "a definition could be any of several",
            None,
        ),
        (
            "def f():\n    a = load_all()\n    b = 1\n    return a\n",
            "def f():\n    a = load_all()\n    b = 1\n    a = load_all()\n    return a\n",
            "lines that the file has once stand twice",
            3,
        ),
    ],
)
def test_a_sign_of_a_line_of_the_sketch_names_it(old, new, sign, line):
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(new, "python", lines))
    path = alignment.best().path
    assert Signs(alignment.file, alignment.sketch, alignment.removing).line_of(sign, path) == line


def test_a_wrapped_line_neither_leaves_nor_moves_within_its_block():
    old = "def f():\n    a = load()\n    return a\n"
    assert signs(old, "def f():\n    with LOCK:\n        a = load()\n    return a\n") == {}


def test_lines_that_go_beside_a_marker_and_are_not_replaced_are_a_sign():
    old = "a = 1\nb = 2\n\n\n# What it does.\ndef f():\n    return 1\n"
    lines = tuple(old.removesuffix("\n").split("\n"))
    update = read_update("# ... existing code ...\ndef f():\n    return 2\n", "python", lines)
    file, sketch = Outline(lines), Outline([line.text for line in update.lines], frozenset({0}))
    shown = [PathStep(Layer.MATCH, 1, range(5, 6)), PathStep(Layer.MATCH, 2, range(6, 7))]
    keeps = [PathStep(Layer.MARK, 0), PathStep(Layer.KEEP, None, range(5)), *shown]
    drops = [
        PathStep(Layer.MARK, 0),
        PathStep(Layer.KEEP, None, range(4)),
        PathStep(Layer.GONE, None, range(4, 5)),
        *shown,
    ]
    one, other = (Signs(file, sketch).of(Writer(file, sketch).write(path), path) for path in (keeps, drops))
    assert "lines go next to a marker" not in one
    assert "lines go next to a marker" in other


def test_brackets_of_one_piece_of_new_code_stand_as_their_author_put_them():
    lines = ("const ranges = text", "  ? text.map(one => {", "      return one;", "    })", "  : [];")
    assert misplaced_brackets(lines) == 1
    assert misplaced_brackets(lines, [None, 1, 1, 1, None]) == 0
    assert misplaced_brackets(lines, [None, 1, 1, None, None]) == 1


def test_conditions_of_the_preprocessor_are_brackets():
    assert misplaced_brackets(("#ifdef DEBUG", "log();", "#endif")) == 0
    assert misplaced_brackets(("log();", "#endif")) == 1
    assert misplaced_brackets(("#if A", "log();")) == 1


def test_brackets_in_strings_and_comments_are_not_counted():
    assert misplaced_brackets(('a = "("', "// )", "f(", "  1,", ")")) == 0
    assert misplaced_brackets(("f(", "  1,", "  )", "]")) == 2


def test_names_and_colours_of_stylesheets_are_no_comments():
    assert misplaced_brackets((".a, #b {", "  color: #fff; }", "#c { d: url(e) }  # (")) == 0


def test_a_line_that_moves_though_it_is_shown_where_it_stands_is_a_sign():
    lines = ("if a:", "    b()", "c()")
    file, sketch = Outline(lines), Outline(lines, frozenset())
    path = [PathStep(Layer.MATCH, row, range(row, row + 1)) for row in range(3)]
    text = Writer(file, sketch).write(path)
    moved = text._replace(sketch=(*lines[:2], "    c()"))
    sign = "a line moves that is shown where it stands"
    assert [sign in Signs(file, sketch).of(one, path) for one in (text, moved)] == [False, True]


@pytest.mark.parametrize(
    ("sketch", "found"),
    [
        ("def name(self):\n    return 'new'\n", True),
        ("class B:\n    def name(self):\n        return 'new'\n", False),
        ("def name(self):\n    self.second()\n    return 'new'\n", False),
    ],
)
def test_a_definition_that_could_be_any_of_several_is_a_sign(sketch, found):
    old = (
        "class A:\n    def name(self):\n        self.first()\n        return 1\n\n\n"
        "class B:\n    def name(self):\n        self.second()\n        return 2\n"
    )
    assert ("a definition could be any of several" in signs(old, sketch)) is found


def test_what_is_asked_of_a_text_is_the_same_by_arrays_as_line_by_line():
    file = Outline(("import os", "", "def f():", "    a()", "    b()", "", "c()"))
    lines = ("import os", "import re", "", "def f():", "    with d:", "        a()", "    b(1)", "c()")
    text = MergedText(
        lines, (0, None, 1, 2, None, None, None, 6), lines, (0, None, 1, 2, None, 3, 4, 6), (), (3,), {}
    )
    written = Written(file, text)
    assert written.fresh == [1, 4, 5, 6]
    assert written.lost == [3, 4, 5]
    assert written.gone == [4]
    assert [lines[row] for row in written.come] == ["import re", "    with d:", "    b(1)"]
    assert [written.image(row) for row in range(7)] == [0, 2, 3, 5, 6, None, 7]
    assert written.imports == [0, 1]
    assert written.rows_with(["b", "os"], range(8)) == [0, 6]
    assert written.around(range(4, 5)) == range(4, 7)


def test_what_follows_a_return_with_a_condition_after_it_is_reached():
    old = "def load\n  read\nend\n"
    for line, told in (("return", True), ("return unless path", False), ("raise Gone if path.nil?", False)):
        found = signs(old, old.replace("  read", f"  {line}\n  read"), "ruby")
        assert ("a line is never reached" in found) is told


def test_an_import_that_nothing_was_seen_to_use_is_missed():
    unused = "an import goes that nothing was seen to use"
    old = "from __future__ import annotations\n\nimport os\n\n\ndef f(path):\n    return os.stat(path)\n"
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update("import json\nimport os\n# ...\n", "python", lines))
    told = Signs(alignment.file, alignment.sketch)
    readings = likely_texts(alignment, alignment.best(), most=6)
    found = {"__future__" in "\n".join(one.text.lines): told.of(one.text, one.path) for one in readings}
    assert unused in found[False]
    assert unused not in found[True]
    # One that binds the name that a new one binds is replaced.
    assert unused not in signs(old, "import posix as os\n# ...\n")


@pytest.mark.parametrize(
    "new",
    [
        "def f():\n    import json\n    return json\n\n\ndef g():\n    import json\n    return json.loads\n",
        "def f():\n    import json\n    return json\n\n\ndef g():\n"
        "    try:\n        import json\n    except ImportError:\n        json = None\n    return json.loads\n",
    ],
)
def test_imports_of_two_blocks_are_no_import_that_comes_twice(new):
    old = "def f():\n    import json\n    return json\n\n\ndef g():\n    return None\n"
    assert "a name is imported twice" not in signs(old, new)
    again = old.replace("    return json\n", "    import json\n    return json\n")
    assert "a name is imported twice" in signs(old, again)


def test_a_comment_of_code_without_a_word_of_a_removal_tells_of_none():
    old = "def f(item):\n    kind = item.kind\n    return kind\n"
    comment = "    # Determine if the item type is a Pandas ExtensionDtype\n"
    assert "a comment stays that tells of a removal" not in signs(
        old, old.replace("    kind =", f"{comment}    kind =")
    )


@pytest.mark.parametrize(("line", "odd"), [("   * <p>It waits.", False), ("   <p>It waits.", True)])
def test_an_element_in_a_comment_needs_no_end(line: str, odd: bool):
    page = ["/**", " * <p>A shelf.</p>", " */", "const page = (", "  <p>one</p>", ");"]
    file, sketch = Outline(page, language="tsx"), Outline([])
    lines, rows = (*page, line), (*range(len(page)), None)
    text = MergedText(lines, rows, lines, rows, (), (), {})
    found = Signs(file, sketch).of(text, [PathStep(Layer.LEAP, None, range(len(page)))])
    assert ("elements or blocks without an end" in found) is odd


@pytest.mark.parametrize(
    ("marker", "sign"), [("", "an import stays and its uses go"), ("# ...\n", IDLE_AS_SAID.name)]
)
def test_an_idle_import_that_stays_unmarked_where_others_are_shown_may_be_to_go(marker, sign):
    old = "import io\nimport os\n\n\ndef f(path):\n    return io.open(path)\n"
    lines = tuple(old.removesuffix("\n").split("\n"))
    sketch = f"{marker}import os\n\n\ndef f(path):\n    return path.open()\n"
    alignment = Alignment(lines, read_update(sketch, "python", lines))
    readings = likely_texts(alignment, alignment.best(), most=6)
    told = Signs(alignment.file, alignment.sketch)
    found = {one.text.lines[0]: told.of(one.text, one.path) for one in readings[::-1]}
    assert sign in found["import io"]
