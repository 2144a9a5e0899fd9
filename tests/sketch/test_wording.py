"""What the words of a comment tell."""

import pytest

from fastedit.sketch.align import shipped
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import AGAIN, BIAS, WORDED, Wording, traits, traits_of_removal


def test_traits_are_the_words_which_is_first_and_last_and_how_it_is_written():
    assert traits("# (imports as they WERE)") == {
        "word: imports": 1.0,
        "word: as": 1.0,
        "word: they": 1.0,
        "word: were": 1.0,
        "first word: imports": 1.0,
        "last word: were": 1.0,
        "words": 0.2,
        "few words": 1.0,
    }
    assert traits("// Calls `load` (once).").keys() >= {
        "begins with a capital",
        "ends with a full stop",
        "backticks",
        "brackets",
        "few words",
    }
    assert traits("# ---")["words"] == 0.0


def test_parts_of_names_are_no_words():
    assert not any("load" in trait for trait in traits("# see load_all and load2"))


def test_words_without_blanks_between_them_are_told_by_pairs_of_their_signs():
    found = traits("# 其余代码不变")
    assert {"first word: 其余", "last word: 不变", "word: 代码"} <= found.keys()
    assert {"word: 그대로", "word: без"} <= traits("// 그대로 без").keys()


def test_a_comment_that_the_sketch_says_again_is_rather_a_marker():
    wording = Wording({AGAIN: 2.0})
    lines = ("def f():", "    a()", "    b()", "    c()")
    for sketch, says in ((("# 省略", "a()", "# 省略"), 2.0), (("# 省略", "a()", "# 返回"), 0.0)):
        update = read_update("\n".join(sketch) + "\n", "python", lines)
        facts = Facts(Outline(lines, language="python"), update)
        assert wording.speaks(sketch[0], facts.told(0)) == says


def test_markers_in_words_tell_that_an_agent_wrote_the_sketch():
    lines = ("def f():", "    a()", "    b()")
    for marker, told in (("# ... existing code ...", (WORDED,)), ("# ...", ())):
        facts = Facts(
            Outline(lines, language="python"), read_update(f"{marker}\n# c\na()\n", "python", lines)
        )
        assert facts.told(1) == told


def test_weights_of_traits_add_up_within_bounds():
    wording = Wording({BIAS: -1.0, "word: unchanged": 3.0}, {BIAS: 0.5})
    assert wording.speaks("# unchanged") == 2.0
    assert wording.speaks("# something else") == -1.0
    assert wording.removes("# something else") == 0.5
    assert Wording({BIAS: 40.0}).speaks("#") == -Wording({BIAS: -40.0}).speaks("#") == 5.0
    assert Wording().speaks("# unchanged") == Wording().removes("# unchanged") == 0.0


@pytest.mark.parametrize(
    ("spoken", "code"),
    [
        ("// license and imports as they were", "// The license that imports need."),
        ("# body stays", "# Keeps the body of each request for the log."),
        ("// helper removed, nobody calls it", "// Removed files are listed last."),
    ],
)
def test_what_speaks_of_the_sketch_is_told_from_what_belongs_to_the_code(spoken, code):
    wording = shipped().wording
    assert wording.speaks(spoken) > max(0.0, wording.speaks(code) + 3.0)


@pytest.mark.parametrize(
    ("removed", "kept"),
    [
        ("# the retry loop is gone", "# the retry loop stays"),
        ("// removed: load", "// load unchanged"),
        ("/* old branch dropped */", "/* other branches as before */"),
    ],
)
def test_what_says_that_lines_go_is_told_from_what_says_that_they_stay(removed, kept):
    wording = shipped().wording
    assert wording.removes(removed) > 0 > wording.removes(kept)


def test_names_of_definitions_do_not_say_that_lines_go():
    assert shipped().wording.removes("# delete() and drop() as before", names={"delete", "drop"}) < 0
    assert "a word of a removal" in traits_of_removal("# drop it")
    assert not traits_of_removal("# drop it", names={"drop"}).keys() & {"a word of a removal", "word: drop"}


def test_what_is_denied_is_another_word():
    found = traits_of_removal("# load not removed")
    assert "word: not removed" in found
    assert not found.keys() & {"a word of a removal", "word: removed"}
