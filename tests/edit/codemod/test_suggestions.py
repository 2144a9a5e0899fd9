"""What is suggested, asked politely or said beside a wish."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import JOB, doubted, surely

_LINE = "    second = sep\n"
_WITHOUT = JOB.replace(_LINE, "")
_WISH = "remove `second = sep`"


@pytest.mark.parametrize(
    "frame",
    [
        "how about removing `second = sep`?",
        "what about removing `second = sep`?",
        "would you mind removing `second = sep`?",
        "consider removing `second = sep`",
        "I suggest dropping `second = sep`",
        "could `second = sep` be removed?",
        "can we remove `second = sep`?",
        "could we please remove `second = sep`?",
        "can someone remove `second = sep`?",
        "would it be possible to remove `second = sep`?",
        "it would be nice if you could remove `second = sep`",
        "I'd appreciate it if `second = sep` were removed",
        "while you're at it, {}",
        "to keep the linter happy, {}",
        "because of the new API, {}",
        "for the sake of consistency, {}",
        "as the reviewer pointed out, {}",
        "fix(run): {}",
        "feat!: {}",
        "your task: {}",
        "1. {}",
        "step 2: {}",
        "first of all, {}",
        "moreover, {}",
        "this commit should {}",
        "don't forget to {}",
        "{} to make the tests pass",
        "{} so the tests pass",
        "{} if possible",
        "{}, as requested in the review",
        "{} (requested by review)",
        "{} without touching anything else",
        "{}. Leave the rest untouched.",
        "{} right away",
        "`second = sep` is no longer needed, so please delete it",
        "`second = sep`, which nobody needs, can go",
    ],
)
def test_what_frames_a_wish_changes_nothing_about_it(frame):
    assert surely(frame.format(_WISH), JOB, "python") == _WITHOUT


@pytest.mark.parametrize(
    "text",
    [
        "could `second = sep` be removed when `first` is set?",
        "can we remove `second = sep`, or is it needed?",
        "how about not removing `second = sep`?",
        "would you mind not removing `second = sep`?",
        "consider whether removing `second = sep` helps",
        "is it possible to remove `second = sep`?",
        "it would be bad if `second = sep` was removed",
        "it would be nice if `second = sep` was not removed",
        "make sure you don't remove `second = sep`",
        "remember not to remove `second = sep`",
        "don't forget that `second = sep` is needed",
        "we did not remove `second = sep`",
        "no need to remove `second = sep`",
        "we should not remove `second = sep`",
        "not now: remove `second = sep`",
        "later remove `second = sep`",
        "remove `second = sep` later",
        "I'll remove `second = sep` tomorrow",
        "I was going to remove `second = sep`",
        "let me remove `second = sep`",
        "remove `second = sep` if needed",
        "if it helps, remove `second = sep`",
        "to make it work, remove `second = sep` unless `first` is set",
        "remove `second = sep` to make `first` work",
        "`second = sep` is still needed, do not remove it",
    ],
)
def test_what_only_looks_like_a_wish_is_left_to_the_model(text):
    assert doubted(text, JOB, "python")


def test_who_complains_is_left_out_before_a_wish_and_behind_it():
    for text in (
        "flake8 says `second = sep` should be removed",
        "remove `second = sep`; the linter complains otherwise",
    ):
        assert surely(text, JOB, "python") == JOB.replace(_LINE, "")


def test_it_is_what_the_statement_before_it_speaks_of():
    above = surely("`second = sep` is hard to understand, put `# why` above it", JOB, "python")
    assert above == JOB.replace(_LINE, f"    # why\n{_LINE}")
