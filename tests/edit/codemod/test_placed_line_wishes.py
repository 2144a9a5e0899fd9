"""Lines that go, move, change places or come twice."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import JOB, doubted, surely


@pytest.mark.parametrize(
    "text",
    [
        "swap `second = sep` and `send(first)`",
        "permute the lines `second = sep` and `send(first)`",
        "would you mind swapping `second = sep` and `send(first)`?",
        "swap the lines `second = sep` and `send(first)`",
        "exchange `second = sep` with `send(first)`",
        "`second = sep` and `send(first)` should change places",
        "`second = sep` and `send(first)` should switch spots",
        "what I'd like is for `second = sep` and `send(first)` to switch spots",
        "`second = sep` has to take the place of `send(first)`, and `send(first)` that of `second = sep`",
        "`second = sep` should sit where `send(first)` sits, and the other way around",
        "each of `second = sep` and `send(first)` should be in the other's place",
        "reorder by exchanging `second = sep` with `send(first)`",
        "someone mixed up `second = sep` and `send(first)`, put each where the other is",
        "the order of `second = sep` and `send(first)` is wrong, reverse it",
        "`second = sep` and `send(first)` are in the wrong order",
        "`second = sep` <-> `send(first)`",
        "flip the lines `second = sep` and `send(first)`",
        "`send(first)` belongs where `second = sep` is, and vice versa",
        "let `second = sep` and `send(first)` trade places",
        "turn around the order of `second = sep` and `send(first)`",
        "put `send(first)` in the place of `second = sep` and the other way round",
        "interchange `second = sep` and `send(first)`",
        "the lines `second = sep` and `send(first)` should be swapped",
        "`second = sep` and `send(first)` the other way round, please",
        "transpose `second = sep` and `send(first)`",
        "have `second = sep` and `send(first)` exchange positions",
        "`second = sep` and `send(first)` must swap positions",
        "`second = sep`, `send(first)`: swap",
        "invert the order of the lines `second = sep` and `send(first)`",
        "switch around `second = sep` and `send(first)`",
        "`second = sep` and `send(first)` got mixed up, swap them",
        "put `second = sep` where `send(first)` is and `send(first)` where `second = sep` is",
    ],
)  # fmt: skip
def test_lines_change_places_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    second = sep\n    send(first)\n", "    send(first)\n    second = sep\n", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "move `second = sep` below `send(first)`",
        "I'd rather have `second = sep` after `send(first)`",
        "after `send(first)` is where `second = sep` should be",
        "move `second = sep` before `return first`",
        "`second = sep` should come after `send(first)`",
        "leave `send(first)` where it is and move `second = sep` right after it",
        "put the line `second = sep` below `send(first)` instead",
        "instead of where it is now, `second = sep` should be located right behind `send(first)`",
        "`second = sep` must not be where it is, but after `send(first)`",
        "I want `second = sep` right before `return first`, not where it is now",
        "slide `second = sep` over to just behind `send(first)`",
        "remove `second = sep` from where it is and insert it before `return first`",
        "`second = sep` belongs after `send(first)`",
        "`second = sep` belongs below `send(first)`, move it there",
        "`second = sep` is misplaced, it should be after `send(first)`",
        "shift `second = sep` down below `send(first)`",
        "relocate `second = sep` to right above `return first`",
        "cut `second = sep` and paste it after `send(first)`",
        "take `second = sep` and put it after `send(first)`",
        "bring `second = sep` down to right before `return first`",
        "drag `second = sep` below `send(first)`",
        "let `second = sep` come after `send(first)`",
        "`second = sep` goes after `send(first)`",
        "the line `second = sep` has to move after `send(first)`",
        "`second = sep`: move it behind `send(first)`",
        "the right place for `second = sep` is after `send(first)`",
        "the place of `second = sep` is after `send(first)`",
        "transfer `second = sep` to after `send(first)`",
        "have `second = sep` moved below `send(first)`",
        "`second = sep` should stand after `send(first)` rather than before it",
        "`second = sep` comes too early, it belongs after `send(first)`",
        "only after `send(first)` should `second = sep` come",
        "pull `second = sep` down behind `send(first)`",
        "`second = sep` to below `send(first)`",
        "`second = sep` should not be there but after `send(first)`",
    ],
)  # fmt: skip
def test_a_line_moves_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace(
        "    second = sep\n    send(first)\n    return first\n",
        "    send(first)\n    second = sep\n    return first\n",
        1,
    )
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "duplicate `second = sep`",
        "the statement `second = sep` must be executed two times in a row, duplicate it",
        "put another `second = sep` right under the one that is there",
        "find `second = sep` and write it out again on the next line",
        "copy-paste `second = sep` onto the line below",
        "repeat `second = sep` on the next line",
        "keep `second = sep` and add the very same line after it",
        "`second = sep` should happen twice, so write the line again right after",
        "instead of one line `second = sep` we want two of these",
        "one more `second = sep` directly after the existing one",
        "copy `second = sep` and paste it on the next line",
        "turn the single `second = sep` into two of them, one after the other",
        "for testing, duplicate `second = sep` on the line that follows",
        "double the line `second = sep`",
        "have `second = sep` twice",
        "`second = sep` is needed twice in a row",
        "clone `second = sep`",
        "there should be two `second = sep` lines",
        "two of `second = sep`, please",
        "`second = sep` x2",
        "add a second `second = sep` below the first",
        "add a copy of `second = sep` below it",
        "insert `second = sep` again right below itself",
        "`second = sep` once more",
        "write `second = sep` a second time",
        "let `second = sep` stand there twice",
        "make it two lines of `second = sep`",
        "repeat the line `second = sep`",
        "`second = sep` should be there two times",
        "duplicate the line `second = sep` right below",
        "another copy of `second = sep` on the line below, please",
        "the same line again after `second = sep`",
    ],
)  # fmt: skip
def test_a_line_comes_twice_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    second = sep\n", "    second = sep\n    second = sep\n", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "this line is a bug and has to be taken out: `second = sep`",
        "the line `second = sep` isn't used for anything, delete it",
        "axe `second = sep`, it's not doing anything useful",
        "nuke `second = sep` in `run`",
        "the line `second = sep` in `run` can go",
        "`second = sep` within `run` is leftover junk, wipe it",
        "`second = sep` must go",
        "`second = sep` has to be removed",
        "there should be no `second = sep`",
        "get rid of `second = sep`",
        "we don't need `second = sep` any more",
        "no more `second = sep`",
        "kill the line that says `second = sep`",
        "the statement `second = sep` does nothing, drop it",
        "discard `second = sep`",
        "`second = sep` is dead code",
        "take the line `second = sep` out of `run`",
        "the line `second = sep` should disappear",
        "`second = sep` is superfluous",
        "without `second = sep`",
        "I don't want to see `second = sep` any more",
        "delete from `run` the line `second = sep`",
        "`second = sep`: delete",
        "- line `second = sep`: gone",
        "`second = sep` shouldn't be there",
        "strike `second = sep`",
        "`second = sep` has no business in `run`",
        "remove the now unused `second = sep`",
        "leave out `second = sep`",
        "do away with `second = sep`",
        "what is `second = sep` good for, throw it out",
        "cut `second = sep`",
        "`second = sep` is not needed here, so remove that line",
        "someone left `second = sep` in, take it out",
        "`second = sep` was only there for debugging, delete it",
    ],
)  # fmt: skip
def test_a_line_goes_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    second = sep\n", "", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "keep everything but this:\n    second = sep",
        "I don't want to see this in the code any more:\n    second = sep",
        "delete this:\n    second = sep",
        "this can go:\nsecond = sep",
        "these lines must go:\n    second = sep",
        "no need for this:\n    second = sep",
        "get rid of the following:\n    second = sep",
        "the following should be removed:\n    second = sep",
        "we can do without this:\n    second = sep",
        "the code must not have this:\n    second = sep",
        "out with this:\n    second = sep",
        "everything except this can stay:\n    second = sep",
        "all may stay but this:\n    second = sep",
        "this is dead code:\n    second = sep",
        "leave this out:\n    second = sep",
        "nobody needs this any more:\n    second = sep",
        "take this out:\n    second = sep",
        "remove the part that says:\n    second = sep",
        "the code should no longer contain:\n    second = sep",
        "strip the code of this:\n    second = sep",
        "this has no place in the code:\n    second = sep",
    ],
)  # fmt: skip
def test_what_is_shown_goes_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    second = sep\n", "", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "do not move `second = sep` below `send(first)`",
        "don't swap `second = sep` and `send(first)`",
        "do not duplicate `second = sep`",
        "keep `second = sep`",
        "`second = sep` must stay",
        "do not delete `second = sep`",
        "never add this after `send(first)`: `log(1)`",
        "delete everything but `second = sep`",
        "keep only this:\n    second = sep",
        "do not delete this:\n    second = sep",
        "should `second = sep` go?",
        "delete `second = sep` unless it is used",
        "move `second = sep` below `send(first)` only if it is safe",
        "is `second = sep` needed twice?",
        "add nothing after `send(first)`",
        "don't add after `send(first)`: `log(1)`",
        "keep this:\n    second = sep",
        "everything but this can go:\n    second = sep",
        "delete what comes after this:\n    second = sep",
        "`second = sep` comes after `first = fetch(job.url)`",
        "does `second = sep` come before `send(first)`?",
        "`second = sep` must not come before `send(first)`",
        "do not replace `send(first)` with: `log(1)`",
        "only after `send(first)` is done, call `log(1)`",
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_changes_no_line(text):
    assert doubted(text, JOB, "python")


def test_code_in_ticks_may_have_several_lines():
    source = "a = 1\nc = 3\n"
    made = surely("add below `a = 1`: `b = 2\nbb = 2`", source, "python")
    assert made == "a = 1\nb = 2\nbb = 2\nc = 3\n"
