from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.edit import align as module
from fastedit.edit.align import align
from fastedit.edit.markers import parse_update
from fastedit.edit.update import Match, Update, UpdateLine

ORIGINAL = """import os

def f(a, b):
    x = a + b
    if x > 3:
        return None
    return x


def g(path):
    with open(path) as f:
        data = f.read()
    return None


class A:
    def run(self):
        self.x = 1
        return self.x

    def stop(self):
        self.x = 0
        return self.x
""".splitlines()


def targets(sketch: str, original: list[str] = ORIGINAL) -> list[int | None]:
    return list(align(original, parse_update(sketch, "python", original)).targets)


def test_a_changed_line_between_unique_lines_stands_for_the_old_one():
    update = parse_update("    x = a + b\n    if x > 4:\n        return None")
    found = align(ORIGINAL, update)
    assert found.targets == (3, 4, 5)
    assert found.kinds == (Match.EXACT, Match.SIMILAR, Match.EXACT)


def test_a_changed_signature_is_found_between_markers():
    assert targets("# ...\ndef g(path, mode):\n    # ...") == [None, 9, None]


def test_equal_lines_attach_to_the_block_that_the_sketch_shows():
    sketch = "class A:\n    # ...\n    def stop(self):\n        self.x = 5\n        return self.x"
    assert targets(sketch) == [15, None, 20, 21, 22]


def test_lines_of_a_new_definition_are_new_even_where_another_has_the_same():
    new = "def new(path):\n    with open(path) as f:\n        data = f.read()\n    return None\n"
    assert targets(f"# ...\n\n{new}\n\nclass A:\n# ...") == [
        None,
        None,
        None,
        None,
        None,
        None,
        13,
        14,
        15,
        None,
    ]


TWO_LOADERS = """/// Reads the file.
///
/// Fails where there is none.
fn load(path: &Path) -> Data {
    let mut file = open(path)?;
    let text = file.read()?;
    parse(text)
}

/// Writes the file.
///
/// Fails where there is none.
fn save(path: &Path) {
    write(path);
}""".splitlines()


def test_a_definition_of_a_new_name_that_a_marker_stands_in_is_an_old_one_renamed():
    sketch = """// ...
fn read(path: &Path) -> Data {
    let mut file = open(path)?;
    // ...
    parse(text)
}
// ..."""
    assert targets(sketch, TWO_LOADERS) == [None, 3, 4, None, 6, 7, None]


def test_a_definition_of_a_new_name_that_is_shown_whole_is_new():
    sketch = """// ...
    parse(text)
}

/// Reads the file.
///
/// Fails where there is none.
fn read(path: &Path) -> Data {
    let mut file = open(path)?;
    parse(file)
}

/// Writes the file.
// ..."""
    assert targets(sketch, TWO_LOADERS) == [None, 6, 7, *[None] * 8, 8, 9, None]


def test_comments_above_a_definition_go_with_it():
    sketch = """// ...
///
/// Fails where there is none.
fn save(path: &Path) {
// ..."""
    assert targets(sketch, TWO_LOADERS) == [None, 10, 11, 12, None]


def test_the_bounds_of_a_head_are_found_though_a_marker_follows_them():
    original = ["impl<T> Index for T", "where", "    T: Sized,", "{", "    fn a() {}", "    fn b() {}", "}"]
    sketch = "impl<T> Index for T\nwhere\n    T: Sized,\n{\n    // ...\n    fn b() {}\n}"
    assert targets(sketch, original) == [0, 1, 2, 3, None, 5, 6]


def test_the_last_brace_of_a_class_is_its_own_though_one_behind_a_marker_could_take_it():
    original = """class Profile extends Callbacks {
  level: Level;

  constructor(level: Level) {
    this.level = level;
  }

  executeCallback(server: Server, callback: Callback) {
    STEPS
  }
}""".replace("STEPS", "\n    ".join(f"server.run({n}, callback);" for n in range(30))).splitlines()
    sketch = """class Profile extends Command {
  level: Level;
    // ...
    this.level = level;
  }

  get name() {
    return "profile";
  }

  async execute(server: Server) {
    await server.run({ profile: this.level });
  }
}"""
    found = targets(sketch, original)
    assert found[-1] == len(original) - 1


def test_lines_that_get_a_block_around_them_are_the_same_lines():
    update = parse_update(
        "def g(path):\n    if path:\n"
        "        with open(path) as f:\n            data = f.read()\n    return None"
    )
    found = align(ORIGINAL, update)
    assert found.targets == (9, None, 10, 11, 12)
    assert found.kinds[2] == Match.INDENT


def test_lines_left_out_without_a_marker_are_passed_over():
    assert targets("def f(a, b):\n    return x\n\n\ndef g(path):") == [2, 6, 7, 8, 9]


def test_a_brace_closes_the_block_that_the_sketch_shows():
    original = ["func a() {", "\tx()", "}", "", "func b() {", "\ty()", "}", "", "func c() {", "\tz()", "}"]
    assert targets("// ...\nfunc b() {\n\t// ...\n\tmore()\n}\n// ...", original) == [
        None,
        4,
        None,
        None,
        6,
        None,
    ]


def test_blank_lines_follow_their_neighbours_and_anchor_nothing():
    assert targets("# ...\n\nprint(1)\n\n# ...") == [None] * 5
    assert targets("# ...\n\n\nprint(1)\n\n\ndef g(path):") == [None, None, None, None, 7, 8, 9]


def test_a_sketch_of_markers_alone_matches_nothing():
    assert targets("# ...\n# ...") == [None, None]


def test_an_empty_sketch_and_an_empty_original_align():
    assert align(ORIGINAL, Update(())).targets == ()
    assert align([], parse_update("x = 1")).targets == (None,)


lines = st.lists(
    st.sampled_from(
        ["", "}", "    }", "return None", "    return None", "x = 1", "def f():", "class A:", "    y = f(x)"]
    ),
    max_size=14,
)
sketches = st.lists(
    st.one_of(st.just(UpdateLine("# ...", True)), lines.filter(bool).map(lambda some: UpdateLine(some[0]))),
    max_size=14,
).map(lambda some: Update(tuple(some)))


@given(lines, sketches)
def test_targets_rise_and_kinds_tell_the_truth(original, update):
    found = align(original, update)
    assert len(found.targets) == len(found.kinds) == len(update.lines)
    assert all(a < b for a, b in pairwise(place for place in found.targets if place is not None))
    for line, place, kind in zip(update.lines, found.targets, found.kinds, strict=True):
        assert (place is None) == (kind is None)
        assert not (line.marker and place is not None)
        if place is not None:
            assert (kind is Match.EXACT) == (line.text == original[place])
            assert (kind is Match.INDENT) <= (line.text.strip() == original[place].strip())


@given(lines.filter(any))
def test_the_file_itself_aligns_line_by_line(original):
    update = Update(tuple(UpdateLine(line) for line in original))
    assert align(original, update).targets == tuple(range(len(original)))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_long_sketch_aligned_in_stretches_aligns_the_same(data):
    original = [f"name_{i} = value_{i // 3}" if i % 5 else "" for i in range(400)]
    gone = data.draw(st.sets(st.integers(0, 399), max_size=20))
    update = Update(tuple(UpdateLine(line) for i, line in enumerate(original) if i not in gone))
    whole = align(original, update)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS_AT_ONCE", 0)
        assert align(original, update) == whole


def test_a_stretch_too_large_for_memory_is_aligned_at_its_ends(monkeypatch):
    monkeypatch.setattr(module, "_CELLS_AT_MOST", 10)
    assert targets("a\nb\nx\nc\nc", ["a", "b", "b", "y", "c", "c"]) == [0, 1, None, 4, 5]
    assert targets("a\na", ["a"] * 6) == [0, 1]


def test_a_whole_long_file_sent_back_is_aligned_by_its_long_runs_and_changed_between_them():
    lines = [line for n in range(600) for line in (f"def f{n}(x):", f"    y{n} = x", "    return y", "")]
    sketch = list(lines)
    sketch[1200:1200] = ["def fresh(x):", "    return x", ""]
    sketch[801] = "    y200 = x + 1"
    del sketch[402:404]
    found = align(lines, Update(tuple(UpdateLine(line) for line in sketch)))
    stood_for = {place for place in found.targets if place is not None}
    assert set(range(len(lines))) - stood_for == {402, 403}
    new = [sketch[index] for index, place in enumerate(found.targets) if place is None]
    assert sorted(new) == ["", "    return x", "def fresh(x):"]
    assert [kind for kind in found.kinds if kind not in (None, Match.EXACT)] == [Match.SIMILAR]
    pairs = [(index, place) for index, place in enumerate(found.targets) if place is not None]
    assert sum(sketch[index] == lines[place] for index, place in pairs) == len(pairs) - 1
