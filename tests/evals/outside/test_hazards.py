"""What each hazard means: the sketch and the text, on files small enough to read."""

import random
import textwrap

import pytest

from evals.outside.hazards import sketches
from evals.outside.hazards.functions import functions
from evals.outside.hazards.sketches import File

PYTHON = textwrap.dedent(
    """\
    class Store:
        def get(self, key):
            value = self.items[key]
            return value

        def put(self, key, value):
            self.items[key] = value
            self.count += 1
            return value

        def drop(self, key):
            del self.items[key]
            self.count -= 1


    class Cache:
        def get(self, key):
            found = self.held[key]
            return found
    """
)
JAVASCRIPT = textwrap.dedent(
    """\
    const defaults = {
      port: 80,
      host: 'here',
      path: root,
    };

    function open(path) {
      const handle = find(path);
      log(handle);
    }

    function close(path) {
      const handle = find(path);
      forget(handle);
    }

    function reset(path) {
      close(path);
      open(path);
    }
    """
)


def made(maker, text, language="python"):
    return list(maker(File.read(text, language), random.Random(0)))


def test_functions_are_found_with_head_body_and_class():
    found = functions(PYTHON.split("\n"), "python")
    assert [f.name for f in found] == ["get", "put", "drop", "get"]
    assert [f.class_row for f in found] == [0, 0, 0, 15]
    (first, *_) = functions(JAVASCRIPT.split("\n"), "javascript")
    assert (first.name, first.start, first.body, first.end, first.stop) == ("open", 6, 7, 9, 10)


def test_a_wrapped_body_is_moved_in_under_the_new_head():
    hazard = next(h for h in made(sketches.wraps, PYTHON) if "put" in h.sketch[1])
    row = hazard.wanted.index("    def put(self, key, value):")
    assert hazard.wanted[row + 1].startswith("        ")
    assert "            self.items[key] = value" in hazard.wanted
    assert "        self.items[key] = value" not in hazard.wanted


def test_a_new_neighbour_stands_behind_the_function_that_the_sketch_shows_and_hides_none():
    (hazard,) = made(sketches.neighbours, JAVASCRIPT, "javascript")
    assert "function closeAgain(path) {" in hazard.sketch
    assert "function close(path) {" not in hazard.sketch
    assert hazard.wanted.index("function closeAgain(path) {") < hazard.wanted.index("function close(path) {")
    assert set(JAVASCRIPT.split("\n")) <= {*hazard.wanted, ""}


def test_a_method_of_two_classes_is_changed_where_its_class_is_shown():
    hazards = made(sketches.twins, PYTHON)
    assert {h.sketch[1] for h in hazards} == {"class Store:", "class Cache:"}
    cache = next(h for h in hazards if h.sketch[1] == "class Cache:")
    assert cache.wanted.index("        metrics.count('calls')") > cache.wanted.index("class Cache:")


def test_an_inline_marker_keeps_its_value():
    (hazard,) = made(sketches.inline, JAVASCRIPT, "javascript")
    assert "  port: // ... existing code ..." in hazard.sketch
    assert "  port: 80," in hazard.wanted
    assert "  host: DEFAULTS," in hazard.wanted


def test_a_method_at_the_margin_goes_back_to_its_depth():
    hazard = next(h for h in made(sketches.margins, PYTHON) if "put" in h.sketch[0])
    assert hazard.sketch[0] == "def put(self, key, value):"
    assert "        metrics.count('calls')" in hazard.wanted


def test_a_new_key_holds_what_the_old_one_held():
    text = "on: push\njobs:\n  build:\n    runs-on: linux\n    steps: []\n"
    hazards = made(sketches.keys, text, "yaml")
    assert hazards[-1].wanted[2:] == ["  build:", "    defaults:", "      runs-on: linux", "      steps: []"]


@pytest.mark.parametrize("maker", sketches.MAKERS, ids=lambda maker: maker.__name__)
@pytest.mark.parametrize(("text", "language"), [(PYTHON, "python"), (JAVASCRIPT, "javascript")])
def test_no_hazard_loses_a_line_that_the_sketch_does_not_replace(maker, text, language):
    for hazard in made(maker, text, language):
        old = [line.strip() for line in hazard.old or text.removesuffix("\n").split("\n") if line.strip()]
        new = [line.strip() for line in hazard.wanted]
        assert len([line for line in old if line not in new]) <= 1
        assert hazard.wanted != (hazard.old or text.split("\n"))
