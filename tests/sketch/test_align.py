"""What sketches mean, and how sure that is."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fastedit.sketch.align import Alignment, lay, shipped
from fastedit.sketch.explain.grounds import counted
from fastedit.sketch.paths.lattice import Best, Lattice
from fastedit.sketch.paths.weights import MATCH, NAMES, scores
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.sampled import likely_texts, paired_texts

STORE = """import os


class Store:
    def __init__(self, path):
        self.path = path
        self.items = {}

    def load(self):
        with open(self.path) as handle:
            self.items = json.load(handle)

    def save(self):
        with open(self.path, "w") as handle:
            json.dump(self.items, handle)


def main():
    store = Store("items.json")
    store.load()
    print(store.items)
"""


def merged(old: str, sketch: str, language: str = "python") -> tuple[str, float]:
    lines = tuple(old.removesuffix("\n").split("\n"))
    best = Alignment(lines, read_update(sketch, language, lines)).best()
    return "\n".join(best.text.lines) + "\n", best.posterior


def test_a_sketch_of_the_file_itself_changes_nothing():
    assert merged(STORE, STORE)[0] == STORE


def test_markers_lose_no_line():
    text, _ = merged(STORE, "# ... existing code ...\n    def load(self):\n        # ... existing code ...\n")
    assert text == STORE


def test_a_changed_function_without_any_marker_is_replaced_in_its_place():
    sketch = "def main():\n    store = Store('other.json')\n    store.load()\n    print(store.items)\n"
    assert merged(STORE, sketch)[0] == STORE.replace('"items.json"', "'other.json'")


QUEUE = """class Queue:
    def push(self, item):
        self.rows.insert(item)
        self.rows.flush()
        self.count += 1

    def pop(self):
        return self.rows.take()
"""


@pytest.mark.parametrize(
    ("shown", "stays"),
    [
        # Its last line is another, or stands elsewhere now: the old end goes.
        ("        with self.lock:\n            self.rows.insert(item)\n", False),
        ("        self.rows.extend([item])\n        self.count += 2\n", False),
        # A marker stands for it.
        ("        assert item\n        self.rows.insert(item)\n        # ...\n", True),
    ],
)
def test_the_old_end_of_a_function_shown_without_markers_goes(shown, stays):
    text, _ = merged(QUEUE, f"    def push(self, item):\n{shown}")
    assert ("self.rows.flush()" in text) is stays
    assert "    def pop(self):\n        return self.rows.take()\n" in text


def test_a_marker_outside_of_a_function_shown_whole_keeps_its_old_end_less_surely_than_one_within():
    shown = "# ...\n    def push(self, item):\n        self.rows.insert(item)\n        self.seen(item)\n"
    outside, within = (merged(QUEUE, f"{shown}{depth}# ...\n")[1] for depth in ("", "        "))
    assert outside < within


def test_a_body_wrapped_in_a_block_moves_in_with_its_marker():
    sketch = "class Store:\n    # ... existing code ...\n    def save(self):\n        with LOCK:\n"
    sketch += "            # ... existing code ...\n\n# ... existing code ...\n"
    text, _ = merged(STORE, sketch)
    assert '        with LOCK:\n            with open(self.path, "w") as handle:\n' in text
    assert "                json.dump(self.items, handle)\n" in text


def test_what_a_marker_keeps_moves_with_the_line_that_opens_its_block():
    old = "def f(rows):\n    for row in rows:\n        a(row)\n        b(row)\n    return rows\n"
    sketch = "def f(rows):\n    with LOCK:\n        for row in rows:\n            # ... existing code ...\n"
    sketch += "    return rows\n"
    text, _ = merged(old, sketch)
    assert text.splitlines()[1:5] == [
        "    with LOCK:",
        "        for row in rows:",
        "            a(row)",
        "            b(row)",
    ]


def test_attributes_that_a_marker_keeps_move_with_their_tag():
    old = 'return (\n  <Card\n    title="a"\n    open\n  >\n    <Tabs />\n  </Card>\n);\n'
    sketch = "return (\n  <Spin>\n    <Card\n      // ... existing props ...\n    >\n      <Tabs />\n"
    sketch += "    </Card>\n  </Spin>\n);\n"
    text, _ = merged(old, sketch, "tsx")
    assert text.splitlines()[1:6] == ["  <Spin>", "    <Card", '      title="a"', "      open", "    >"]


def test_the_outermost_line_that_is_the_files_tells_the_depth_of_all_pieces():
    old = "class A {\n\tapply() {\n\t\tone();\n\t\tfor (const x of y) {\n\t\t\ttwo(x);\n\t\t}\n\t}\n}\n"
    sketch = "// ...\n\tapply() {\n\t\ttap(() => {\n\t\t\tone();\n\t\t\tfor (const x of y) {\n"
    sketch += "\t\t\t\t// ... existing code ...\n\t\t\t}\n\t\t});\n\t}\n}\n"
    text, _ = merged(old, sketch, "javascript")
    assert text.splitlines()[:6] == [
        "class A {",
        "\tapply() {",
        "\t\ttap(() => {",
        "\t\t\tone();",
        "\t\t\tfor (const x of y) {",
        "\t\t\t\ttwo(x);",
    ]


def test_what_new_code_encloses_tells_the_depth_of_the_line_that_encloses_it():
    old = (
        "class Add:\n    def load(self, all):\n        for one in all:\n            self.add(one)\n"
        "        log.info(\n            'loaded %s',\n            self.all,\n        )\n"
    )
    wrapped = (
        "        # ... rest of load ...\n        if self.all:\n            log.info(\n                'loaded %s',\n"
        "                self.all,\n            )\n"
    )
    assert merged(old, wrapped)[0] == old.partition("        log")[0] + wrapped.partition("\n")[2]


def test_a_snippet_cut_out_at_the_margin_keeps_its_depth_behind_a_marker_within_it():
    call = "{}(\n                rows,\n                size,\n            )\n"
    body = (
        f"        if rows:\n            {call.format('one')}        else:\n            {call.format('two')}"
    )
    old = f"class A:\n    def f(self, rows, size):\n{body}"
    sketch = "class A:\n# ... existing code ...\nif rows:\n    # ... existing code ...\nelse:\n"
    sketch += "    # ... existing code ...\n    two(\n        rows,\n        size,\n        extra,\n    )\n"
    text, _ = merged(old, sketch)
    added = call.format("two").replace("size,\n", "size,\n                extra,\n")
    assert text == old.replace(call.format("two"), added)


def test_an_early_return_before_a_marker_keeps_the_old_body():
    guarded = "def load(self):\n        if not os.path.exists(self.path):\n            return\n"
    sketch = f"# ...\n    {guarded}        # ... existing code ...\n# ...\n"
    assert merged(STORE, sketch)[0] == STORE.replace("def load(self):\n", guarded)


def test_a_method_at_the_left_margin_takes_the_depth_of_its_place():
    sketch = "def load(self):\n    with open(self.path) as handle:\n        self.items = json.loads(handle.read())\n"
    assert merged(STORE, sketch)[0] == STORE.replace("json.load(handle)", "json.loads(handle.read())")


def test_an_inline_marker_stands_for_the_rest_of_its_line_or_block():
    old = "const server = {\n  port: 80,\n  host: 'here',\n  path: {\n    root: 1,\n  },\n};\n"
    sketch = (
        "const server = {\n  port: // ... existing code ...\n  host: 'there',\n  path: { /* ... */ },\n};\n"
    )
    assert merged(old, sketch, "javascript")[0] == old.replace("'here'", "'there'")


def test_an_inline_marker_for_parameters_hides_those_on_one_line_or_on_lines_of_their_own():
    sketch = "fn run(/* ... */) -> u64 {\n    let a = first();\n    a + 2\n}\n"
    for parameters in ("mut self", "&self, path: &str", "\n    &self,\n    path: &str,\n"):
        old = f"fn run({parameters}) -> u64 {{\n    let a = first();\n    a + 1\n}}\n\nfn stop() {{}}\n"
        assert merged(old, sketch, "rust")[0] == old.replace("a + 1", "a + 2")


def test_a_place_that_could_be_two_is_less_sure_than_one_that_could_not():
    twice = STORE + "\n\n" + STORE.replace("Store", "Cache")
    change = "        with open(self.path) as handle:\n            self.items = read(handle)\n"
    sure = merged(STORE, "    def load(self):\n" + change)[1]
    unsure = merged(twice, "    def load(self):\n" + change)[1]
    assert unsure < 0.9
    assert unsure < sure


PAGE = """class Page:
    def unpack(self, body):
        if body.zipped:
            try:
                raw = unzip(body)
            except TooLarge:
                return None
            log.debug('unpacked %s', body)
            return raw
        # Some are only packed on the way.
        if body.url.endswith('.xml') or body.url.endswith('.gz'):
            return body.raw

    def close(self):
        self.file.close()
"""


@pytest.mark.parametrize("deeper", ["  ", "    "])
@pytest.mark.parametrize("start", ["    def load", "    # Reads it"])
def test_a_sketch_that_is_deeper_as_a_whole_takes_the_depth_of_the_file(deeper, start):
    old = STORE.replace("    def load(self):", "    # Reads it.\n    def load(self):")
    new = old.replace("def load(self):", "def load(self, path):").replace("self.path)", "path)", 1)
    shown = new[new.index(start) : new.index("    def save")]
    sketch = f"    # ... existing code ...\n{shown}    # ... existing code ...\n"
    assert merged(old, "".join(f"{deeper}{line}\n" for line in sketch.splitlines()))[0] == new


def test_a_line_with_dots_that_the_file_has_takes_the_depth_that_the_sketch_shows():
    old = "int f() {\n  int a = 1;\n  return load(a,\n      make<T ...>(args ...));\n}\n"
    new = old.replace("      make", "              make").replace("a = 1", "a = 2")
    assert merged(old, new + "\n// ... existing code ...\n", "cpp")[0] == new


def test_one_line_that_stands_deeper_does_not_move_a_sketch_that_is_not_at_the_margin():
    changed = "        if body.url.endswith(('.xml', '.gz')):\n            return body.raw\n"
    text, _ = merged(PAGE, f"# ...\n{changed}        return None\n# ...\n")
    assert changed in text


def test_a_changed_line_that_stands_where_it_did_tells_the_depth_of_what_is_below():
    old = "type A<T> =\n  {\n    [K in keyof T]: V<T[K]> extends {\n      a?: any;\n    }\n  }[keyof T];\n"
    new = "type A<\n  T extends B,\n> = {\n  [K in keyof T]: V<T[K]> extends {\n    a?: any;\n  }\n}[keyof T];\n"
    lines, sketch = tuple(old.splitlines()), f"// ... existing code ...\n\n{new}"
    assert list(lay(lines, read_update(sketch, "typescript", lines)).text.lines) == new.splitlines()


def test_more_samples_find_less_likely_readings():
    old = "".join(f"def f{at}():\n    a = load()\n    return a\n\n\n" for at in range(4))
    lines = tuple(old.split("\n"))
    alignment = Alignment(lines, read_update("    a = load()\n    a.save()\n", "python", lines))
    best = alignment.best()
    few, many = (likely_texts(alignment, best, most=100, samples=samples) for samples in (64, 1000))
    assert len(few) < len(many)


def test_other_readings_differ_from_the_best_and_are_no_likelier():
    twice = STORE + "\n\n" + STORE.replace("Store", "Cache")
    lines = tuple(twice.split("\n"))
    update = read_update("    def load(self):\n        self.items = read(self.path)\n", "python", lines)
    alignment = Alignment(lines, update)
    best = alignment.best()
    first, *others = likely_texts(alignment, best)
    assert first.text == best.text
    assert first.posterior >= best.posterior - 1e-6
    assert others
    assert all(other.text.lines != best.text.lines for other in others)
    assert first.posterior + sum(other.posterior for other in others) <= 1.0 + 1e-6


@pytest.mark.parametrize(
    "sketch",
    [
        "def main():\n    # ...\n    print(1)\n",
        "def main():\n    # removed the store\n    # as nobody needs it\n    print(store.load())\n",
    ],
)
def test_the_score_of_a_path_is_the_weighted_sum_of_its_features(sketch):
    lines = tuple(STORE.split("\n"))
    alignment = Alignment(lines, read_update(sketch, "python", lines))
    counts = counted(alignment.features, alignment.best().path)
    assert set(counts) <= set(NAMES)
    total = sum(count * shipped().values[name] for name, count in counts.items())
    assert total == pytest.approx(
        float(Lattice(scores(alignment.features, shipped()), Best()).total), abs=1e-6
    )


def test_a_comment_of_the_file_is_no_note_of_what_goes():
    old = "def load(path):\n    # drop what is no longer used\n    clean(path)\n    return read(path)\n"
    sketch = old.replace("    return read(path)\n", "    return read(path, True)\n")
    assert merged(old, sketch)[0] == sketch


def test_a_comment_where_nothing_goes_is_code():
    old = "def load(path):\n    clean(path)\n    return read(path)\n"
    sketch = "def load(path):\n    # Removes what is unused.\n    clean(path)\n    return read(path)\n"
    text, posterior = merged(old, sketch)
    assert text == sketch
    assert posterior > 0.8


@pytest.mark.parametrize("blank", ["", "\n", "    \n"])
def test_blank_lines_around_a_sketch_change_nothing(blank):
    sketch = "def main():\n    store = Store('other.json')\n    # ... existing code ...\n"
    assert merged(STORE, blank + sketch + blank)[0] == merged(STORE, sketch)[0]


def test_hash_seeds_change_no_posterior():
    program = """
import sys
from fastedit.sketch.align import Alignment, lay, shipped
from fastedit.sketch.read.updates import read_update

lines = tuple(open(sys.argv[1]).read().split("\\n"))
sketch = "def merged(old, sketch, more):\\n    text = sketch\\n    return lines, best\\n"
print(repr(Alignment(lines, read_update(sketch, "python", lines)).best().posterior))
"""
    found = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program, __file__]
        found.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(found) == 1


def test_a_line_within_a_block_comment_is_no_comment_of_its_own():
    file = ["/**", " * Gives a.", " */", "int a(void);", "int b(void);"]
    sketch = [
        "/**",
        " * Gives a, or nothing where the rest was removed.",
        " * It stays.",
        " */",
        "int a(void);",
        "// ...",
    ]
    text = lay(file, read_update("\n".join(sketch), "c", file)).text
    assert list(text.lines) == [*sketch[:-1], "int b(void);"]


def test_a_marker_in_a_new_block_ends_with_its_own_definition_though_the_file_opens_such_a_block_elsewhere():
    old = "function read(path) {\n  try {\n    return load(path);\n  } catch (error) {\n    return null;\n  }\n}\n\n"
    old += "function write(\n  path,\n  text,\n) {\n  store(path, text);\n}\n\nfunction last() {\n  return 1;\n}\n"
    sketch = (
        "// ...\nfunction write(\n  path,\n  text,\n) {\n  try {\n    // ...\n  } catch (error) {\n  }\n}\n"
    )
    lines = tuple(old.split("\n"))
    alignment = Alignment(lines, read_update(sketch, "javascript", lines))
    (behind,) = alignment.features.beyond[6].nonzero()[0]
    assert alignment.sketch.stripped[6] == "// ..."
    assert lines[behind] == "function last() {"


def test_a_block_whose_name_the_file_has_twice_is_that_of_the_line_shown():
    old = "class Store {\n  Store(Context context) {\n    this(context, null);\n  }\n\n"
    old += "  Store(Context context, Path path) {\n    open(path);\n  }\n}\n"
    sketch = "// ... existing code ...\n  Store(Context context) {\n    // ... existing code ...\n    count();\n  }\n"
    text, _ = merged(old, sketch + "// ... existing code ...\n", "java")
    assert text == old.replace("    this(context, null);\n", "    this(context, null);\n    count();\n")


@pytest.mark.parametrize(
    ("line", "named", "only"),
    [("    load(2)", 0.0, 0.0), ("    load(1, wide=True)", 0.0, 1.0), ("    size = read(2)", 1.0, 0.0)],
)
def test_a_changed_line_by_a_marker_is_told_by_its_name_and_by_whether_words_go_and_others_come(
    line, named, only
):
    lines = ("def f():", "    size = read(1)", "    load(1)", "    stop()")
    by_marker = Alignment(lines, read_update(f"{lines[0]}\n    # ...\n{line}\n    stop()\n", "python", lines))
    in_place = Alignment(lines, read_update(f"{lines[0]}\n{line}\n    stop()\n", "python", lines))
    of_line = 1 if "size" in line else 2
    for alignment, row, marked in ((by_marker, 2, 1.0), (in_place, 1, 0.0)):
        rows, columns = alignment.features.pairs
        (pair,) = ((rows == row) & (columns == of_line)).nonzero()[0]
        found = dict(zip(MATCH, alignment.features.match[pair], strict=True))
        assert found["changed: words only come or only go"] == only
        assert found["changed by a marker"] == marked
        assert found["changed by a marker: same head or target"] == marked * named
        assert found["changed by a marker: words only come or only go"] == marked * only


def test_an_entry_without_a_name_whose_lines_go_by_a_marker_may_be_a_further_one():
    lines = (
        "[",
        "  {",
        '    "name": "a",',
        '    "size": 1',
        "  },",
        "  {",
        '    "name": "b",',
        '    "size": 2',
        "  }",
        "]",
    )
    update = read_update('[\n  // ...\n  {\n    "name": "c",\n    "kind": 3\n  }\n]\n', "json", lines)
    alignment = Alignment(lines, update)
    best = alignment.best()
    found = (*likely_texts(alignment, best), *paired_texts(alignment, best, 6, 400))
    readings = ["\n".join(one.text.lines) for one in found]
    wanted = "\n".join(lines[:-2]) + '\n  },\n  {\n    "name": "c",\n    "kind": 3\n  }\n]'
    assert wanted in readings


def test_a_comment_without_dots_takes_the_place_of_comments_and_hides_none():
    old = "# HTTP client\n# It avoids the other one, and\n# the provider is told below.\nreqwest = 1\nrustls = 2\n"
    sketch = "# ...\n# HTTP client\n# It needs the provider below.\nreqwest = 1\n# ...\n"
    text, _ = merged(old, sketch, "toml")
    assert text == "# HTTP client\n# It needs the provider below.\nreqwest = 1\nrustls = 2\n"


@pytest.mark.parametrize(
    "comment",
    [
        "Never fails, see above",
        "Skip the rest of the body",
        "See the comment above",
        "No longer needed on Python 3",
    ],
)
def test_a_comment_between_the_lines_that_a_comment_of_the_file_stands_between_is_a_version_of_it(comment):
    old = "def f():\n    r = run()\n    s = r.body()\n    # Same goes for this call\n    return s.get()\n"
    sketch = f"    # ... existing code ...\n    s = r.body()\n    # {comment}\n    return s.get()\n"
    assert merged(old, sketch)[0] == old.replace("Same goes for this call", comment)


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize(
    "comment", ["# log each request", "# cache the result", "# close the file handles", "# retry once"]
)
def test_a_new_comment_between_lines_that_blank_lines_alone_part_is_code(blank, comment):
    old = f"def start(self):\n    tcp = Server(workers)\n{blank}    tcp.accept = Validator(most)\n    tcp.go()\n"
    new = f"    {comment}\n    tcp.log(self.log)\n"
    sketch = old.replace(blank + "    tcp.accept", f"{new}    tcp.accept") + "# ... existing code ...\n"
    text, _ = merged(old + "\n\ndef stop(self):\n    self.tcp.stop()\n", sketch)
    assert new in text


WORDED = """def find(self):
    text = self.input()
    # The whole point is to avoid running
    # the engine, so the words look like this:
    #
    #{0}
    #
    # What we want are the offsets of the regex.
    at = text.start()
    return at
"""


@pytest.mark.parametrize(
    ("was", "said"),
    [
        (" no longer needed since v1", " no longer needed since v2"),
        (" existing keys stay as they are", " existing keys stay where they are"),
        ("     (a)(<original regex>)(b|c)", "     (a)(<original regex>)(c|b)"),
    ],
)
def test_a_comment_that_keeps_most_of_one_between_the_same_lines_is_a_version_of_it(was, said):
    sketch = "# ... existing code ...\n" + WORDED.format(said).removesuffix("    return at\n") + "    # ...\n"
    assert merged("x = 1\n\n\n" + WORDED.format(was), sketch)[0] == "x = 1\n\n\n" + WORDED.format(said)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("# lint: enable Errors/RescueException", "# lint: enable Errors/RescueException"),
        ("# lint: ... unchanged", "# lint: enable RescueException"),
        ("# the rest stays", "# lint: enable RescueException"),
    ],
)
def test_a_comment_that_ends_a_sketch_is_a_version_of_the_one_there_of_which_it_keeps_most(said, text):
    old = "def f():\n    return 1\n\n\n# lint: enable RescueException\n\n\ndef g():\n    return 2\n"
    sketch = f"def f():\n    return 3\n\n\n{said}\n"
    new = old.replace("return 1", "return 3").replace("# lint: enable RescueException", text)
    assert merged(old, sketch)[0] == new


def test_a_note_that_a_comment_was_removed_is_no_version_of_it():
    old = "def f():\n    s = body()\n    # Same goes for this call\n    return s.get()\n"
    sketch = "def f():\n    s = body()\n    # removed: the comment\n    return s.get()\n"
    assert merged(old, sketch)[0] == old.replace("    # Same goes for this call\n", "")


def test_there_is_no_text_that_has_a_line_and_has_it_not():
    sketch = (
        "# ... existing code ...\n    def load(self):\n        self.items = {}\n# ... existing code ...\n"
    )
    laid = Alignment(STORE.splitlines(), read_update(sketch, "python", STORE.splitlines()))
    row = STORE.splitlines().index("    store.load()")
    assert laid.otherwise({(row, "store")}, ()) is not None
    assert laid.otherwise({(row, "store")}, {row}) is None


def test_a_comment_that_says_in_its_own_words_that_lines_stay_hides_comments_too():
    code = "\nexport class Store {\n  load() {\n    return a;\n  }\n}\n"
    old = f"// Copyright the authors.\nimport {{ a }} from './a';\n{code}"
    sketch = "// license and imports as they were\n" + code.replace("return a;", "return a();")
    text, _ = merged(old, sketch, "typescript")
    assert text == old.replace("return a;", "return a();")


def test_what_stands_behind_a_marker_may_be_in_a_later_part_of_a_document():
    old = "[tool.first]\nlevel = 1\nquiet = true\n\n[tool.second]\nplugins = []\nwidth = 80\n"
    sketch = "[tool.first]\nlevel = 2\n# ...\nwidth = 100\n"
    text, posterior = merged(old, sketch, "toml")
    assert text == old.replace("level = 1", "level = 2").replace("width = 80", "width = 100")
    assert posterior > 0.9


NAMED = "def load(path):\n    return path\n\n\ndef delete(path):\n    path.unlink()\n\n\ndef stop():\n    return 1\n"


@pytest.mark.parametrize(
    "comment",
    ["# delete() unchanged", "# same delete()", "# keep delete()", "# unchanged: delete", "# delete stays"],
)
def test_the_name_of_a_definition_is_no_word_of_a_removal(comment):
    sketch = f"def load(path):\n    return str(path)\n\n\n{comment}\n\n\ndef stop():\n    return 1\n"
    assert merged(NAMED, sketch)[0] == NAMED.replace("return path", "return str(path)")


def test_what_is_told_not_to_be_removed_is_not_told_to_go():
    sketch = (
        "def load(path):\n    return str(path)\n\n\n# delete not removed\n\n\ndef stop():\n    return 1\n"
    )
    lines = tuple(NAMED.split("\n"))
    assert not Alignment(lines, read_update(sketch, "python", lines)).removing


def test_no_import_goes_that_stands_above_all_that_is_shown():
    lines = ("import time", "def first():", "    return time.time()")
    found = Alignment(lines, read_update("def first():\n    return now()\n", "python", lines))
    texts = [one.text.lines for one in likely_texts(found, found.best(), most=8, samples=500)]
    assert all(text[0] == "import time" for text in texts)
