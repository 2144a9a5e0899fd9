"""A sentence with a word that nothing knows is carried out without it, which leaves a doubt."""

from __future__ import annotations

import pytest

from fastedit.edit.doubts import UNKNOWN_WORD

from .reading import predicted

SOURCE = """\
LIMIT = 3


def load(path, mode="r"):
    \"\"\"Reads it.\"\"\"
    data = open(path, mode)
    return data
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("kindly amputate the docstring, remove it, of `load`", '    """Reads it."""\n', ""),
        ("`LIMIT` should henceforth be `4`", "LIMIT = 3", "LIMIT = 4"),
        ("add the comment `# slow` quirkily above `return data`", "    return", "    # slow\n    return"),
    ],
)
def test_a_word_that_nothing_knows_is_left_out_and_doubted(text, old, new):
    found = predicted(text, SOURCE, "python")
    assert found is not None
    assert "\n".join(found.lines) == SOURCE.replace(old, new, 1)
    assert found.reasons == (UNKNOWN_WORD,)


@pytest.mark.parametrize(
    "text",
    [
        "`LIMIT` should be `4` whenever it is cold",
        "`LIMIT` should henceforth forsooth be `4`",
        "`LIMIT` should be `4` for weekends",
        "`LIMIT` should be `4` in the nightly",
        "never `LIMIT` henceforth `4`",
    ],
)
def test_words_that_limit_a_wish_and_several_unknown_ones_are_not_left_out(text):
    assert predicted(text, SOURCE, "python") is None


def test_a_second_wish_is_not_left_out_as_a_word_too_many():
    assert predicted("`LIMIT` should be `4` and frobnicate", SOURCE, "python") is None
