import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.edit.align import align
from fastedit.edit.merge import predict
from fastedit.edit.request import LineRange
from fastedit.errors import AnchorNotFound
from tests.locate.helpers import document, long_module, shown, sketched

MODULE = long_module()
LINES = MODULE.splitlines()


def merged(text, regions):
    """The file with each region's own part of the update merged into it."""
    lines, out, at = document(text).lines, [], 0
    for region in regions:
        prediction = predict(lines[region.start : region.stop], region.update, region.alignment)
        out += [*lines[at : region.start], *prediction.lines]
        at = region.stop
    return [*out, *lines[at:]]


def test_a_changed_line_brings_its_function_and_no_more():
    update = "# ...\ndef f7(a, b):\n    first_7 = a - 7\n    second_7 = b * first_7\n# ...\n"
    (region,) = sketched(MODULE, update)
    assert region.reason == "function f7"
    assert region.certain
    assert merged(MODULE, [region])[region.start + 1] == "    first_7 = a - 7"


def test_distant_changes_become_regions_with_their_own_part_of_the_update():
    update = (
        "# ... existing code ...\n    first_3 = a - 3\n    second_3 = b * first_3\n# ... existing code ...\n"
        "    print(second_20)\n    log(second_20)\n    return None\n# ... existing code ...\n"
    )
    first, second = sketched(MODULE, update)
    assert (first.reason, second.reason) == ("function f3", "function f20")
    assert [line.text.strip() for line in second.update.lines if not line.marker] == [
        "print(second_20)",
        "log(second_20)",
        "return None",
    ]
    assert first.update.lines[-1].marker
    assert second.update.lines[0].marker


def test_what_a_comment_says_is_gone_has_regions_of_its_own():
    update = "# ...\n# removed: f3\n# ...\n    first_9 = a - 9\n    second_9 = b * first_9\n# ...\n# removed: f20\n"
    regions = sketched(MODULE, update)
    assert all(region.certain for region in regions)
    assert sum(region.stop - region.start for region in regions) < 60
    lost = set(LINES) - set(merged(MODULE, regions))
    assert {line for line in lost if line.startswith("def")} == {"def f3(a, b):", "def f20(a, b):"}
    (region,) = sketched(MODULE, "# ...\n# removed: f3\n# ...\n", symbol="f3")
    assert (region.reason, len(region.update.gone)) == ("as requested", 1)


def test_a_comment_that_says_what_is_not_there_or_must_not_be_touched_is_refused():
    with pytest.raises(AnchorNotFound, match="`# removed: f99` can mean"):
        sketched(MODULE, "# ...\n# removed: f99\n# ...\n")
    with pytest.raises(AnchorNotFound, match="removes lines 26:32, not wholly within lines 5:9"):
        sketched(MODULE, "# removed: f3\n", symbol="f0")


def test_a_header_that_only_tells_the_place_stays_out_of_the_region():
    body = "".join(f"    def m{n}(self):\n        a = {n}\n        return None\n\n" for n in range(40))
    text = "class Big:\n" + body
    update = "class Big:\n    # ...\n    def m30(self):\n        a = 31\n        return None\n    # ...\n"
    (region,) = sketched(text, update)
    assert shown(text, region)[0] == "    def m30(self):"
    assert "        a = 31" in merged(text, [region])


def test_new_code_at_the_end_goes_to_the_end_of_the_file():
    (region,) = sketched(MODULE, "# ... existing code ...\n\n\ndef last():\n    return 1\n")
    assert region.stop == len(LINES)
    assert merged(MODULE, [region])[-2:] == ["def last():", "    return 1"]


def test_a_new_method_lands_before_the_brace_that_closes_its_class():
    body = "".join(f"  m{n}() {{\n    return {n};\n  }}\n\n" for n in range(40))
    text = f"class Big {{\n{body}}}\n\nconst after = 1;\n"
    update = "class Big {\n  // ... existing code ...\n  last() {\n    return 1;\n  }\n}\n"
    (region,) = sketched(text, update, "a.js")
    result = merged(text, [region])
    assert result.index("  last() {") < result.index("}") < result.index("const after = 1;")


def test_a_brace_stands_where_the_block_that_the_sketch_opens_ends():
    text = "".join(f"function f{n}(a) {{\n  if (a) {{\n    go({n});\n  }}\n}}\n\n" for n in range(9))
    update = "// ...\nfunction f4(a) {\n  // ...\n}\n\nfunction more() {\n  go(4.5);\n}\n// ...\n"
    (region,) = sketched(text, update, "a.js")
    assert region.certain
    assert merged(text, [region])[29:34] == ["", "function more() {", "  go(4.5);", "}", ""]


def test_a_blank_line_is_never_the_line_whose_place_is_asked_for():
    (region,) = sketched(
        "a = 1\n\n#define MAX 16\n\nb = 2\n\n", "// ...\n\n#define MAX 32\n\n// ...\n", "a.c"
    )
    assert "``" not in region.reason


def test_a_repeated_line_without_other_context_is_refused_with_its_places():
    with pytest.raises(AnchorNotFound, match=r"`return None` stands on lines 9, 16, 23, 30, 37 and 25 more"):
        sketched(MODULE, "# ...\n    return None\n    extra()\n# ...\n")


def test_the_instruction_may_say_which_of_several_places_is_meant():
    update = "# ...\n    log()\n    return None\n# ...\n"
    (region,) = sketched(MODULE, update, instruction="log at the end of f12")
    assert shown(MODULE, region)[0] == "def f12(a, b):"
    assert region.update is not None


def test_a_symbol_says_which_of_several_places_is_meant():
    (region,) = sketched(MODULE, "# ...\n    log()\n    return None\n", symbol="f12")
    assert shown(MODULE, region)[0] == "def f12(a, b):"
    (region,) = sketched(MODULE, "# ...\n    log()\n    return None\n", lines=LineRange(4, 9))
    assert (region.start, region.stop) == (4, 9)


def test_an_update_that_is_nowhere_is_refused():
    with pytest.raises(AnchorNotFound, match="no line of the update stands in it"):
        sketched(MODULE, "alpha = beta\ngamma = delta\n")


def test_an_update_that_changes_nothing_has_no_region():
    assert sketched(MODULE, "# ...\ndef f7(a, b):\n    first_7 = a + 7\n# ...\n") == ()


def test_an_empty_file_is_one_region():
    (region,) = sketched("", "x = 1\n")
    assert (region.start, region.stop, region.certain) == (0, 0, True)


def test_a_long_function_replaced_whole_stays_one_region():
    long = "def long():\n" + "".join(f"    x{n} = {n}\n" for n in range(150)) + "    return 1\n\n\n"
    (region,) = sketched(long + MODULE, "# ...\ndef long():\n    return 2\n\n\nimport os\n# ...\n")
    assert (region.start, region.stop >= 152) == (0, True)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_regions_are_disjoint_and_their_merges_make_the_merge_of_the_whole(seed):
    rng = random.Random(seed)
    new = list(LINES)
    for at in sorted(rng.sample(range(5, len(LINES) - 1), rng.randint(1, 4)), reverse=True):
        if LINES[at].strip() and "return" not in LINES[at]:
            new[at] = f"{LINES[at]}  # changed {seed}"
    changed = [n for n, (a, b) in enumerate(zip(LINES, new, strict=True)) if a != b]
    if not changed:
        return
    sketch: list[str] = []
    for at in changed:
        sketch += ["# ... existing code ...", *new[max(at - 2, 0) : at + 2]]
    text = "\n".join(dict.fromkeys(sketch)) if len(changed) == 1 else "\n".join(sketch)
    update = text + "\n# ... existing code ...\n"
    try:
        regions = sketched(MODULE, update)
    except AnchorNotFound:
        return
    assert all(a.stop <= b.start for a, b in pairwise(regions))
    assert all(0 <= r.start < r.stop <= len(LINES) and r.stop - r.start <= 120 for r in regions)
    for region in regions:
        assert len(region.update.lines) == len(region.alignment.targets)
        targets = [t for t in region.alignment.targets if t is not None]
        assert targets == sorted(set(targets))
        assert all(0 <= t < region.stop - region.start for t in targets)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 29), st.integers(0, 3), st.integers(1, 3))
def test_a_change_shown_with_context_is_always_inside_its_region(function, offset, context):
    at = 4 + 7 * function + offset
    new = list(LINES)
    new[at] += "  # new"
    shown_lines = new[max(0, at - context) : at + context + 1]
    update = "\n".join(["# ...", *shown_lines, "# ..."]) + "\n"
    regions = sketched(MODULE, update)
    assert merged(MODULE, regions) == new
    assert all(region.certain for region in regions)
    whole = align(LINES, regions[0].update)
    assert {t for t in whole.targets if t is not None} <= set(range(regions[0].start, regions[0].stop))


def test_the_marker_inside_a_definition_keeps_the_rest_of_it():
    body = "    first_7 = a + 7\n    first_7 += 1\n"
    update = f"# ...\ndef f7(a, b):\n{body}    # ... existing code ...\n# ...\n"
    at = LINES.index("    first_7 = a + 7") + 1
    assert merged(MODULE, sketched(MODULE, update)) == [*LINES[:at], "    first_7 += 1", *LINES[at:]]
