"""Whether a marker says that the lines which it stands for change too."""

import pytest

from fastedit.sketch.read.abbreviated import abbreviates, traits


@pytest.mark.parametrize(
    "marker",
    [
        "# ... same for stop() and restart() ...",
        "// ... (rest of the sprites commented out)",
        "# ... add retries to the other calls too",
        "<!-- ... and so on for the other rows ... -->",
        "# ... same image for lint and docs ...",
        "// ... 其他方法也同样修改 ...",
        "# ... die anderen Aufrufe ebenso ändern ...",
    ],
)
def test_a_marker_that_says_that_other_lines_change_too_stands_for_changes(marker: str):
    assert abbreviates(marker) > 0


@pytest.mark.parametrize(
    "marker",
    [
        "# ...",
        "# ... existing code ...",
        "// ... rest of the class, same as before ...",
        "# ... other handlers unchanged ...",
        "// ... add the listeners ...",
        "# ... 其余代码不变 ...",
        "# ... restliche Methoden ...",
    ],
)
def test_a_marker_that_says_that_lines_stay_or_what_they_are_stands_for_none(marker: str):
    assert abbreviates(marker) < 0


def test_words_tell_alone_at_the_ends_and_together():
    assert traits("# ... Same id for rows ...").keys() == {
        *("word: same", "word: id", "word: for", "word: rows", "first word: same", "last word: rows"),
        *("words: same id", "words: id for", "words: for rows"),
        *("words around another: same for", "words around another: id rows"),
    }
    assert {"word: 其余", "words: 其余 余不"} <= traits("# ... 其余不变 ...").keys()
