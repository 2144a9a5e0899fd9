"""What the words of a comment tell."""

import pytest

from fastedit.sketch.align import shipped
from fastedit.sketch.wording import BIAS, Wording, traits


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


def test_weights_of_traits_add_up_within_bounds():
    wording = Wording({BIAS: -1.0, "word: unchanged": 3.0})
    assert wording.of("# unchanged") == 2.0
    assert wording.of("# something else") == -1.0
    assert Wording({BIAS: 40.0}).of("#") == -Wording({BIAS: -40.0}).of("#") == 5.0
    assert Wording().of("# unchanged") == 0.0


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
    assert wording.of(spoken) > 0 > wording.of(code)
