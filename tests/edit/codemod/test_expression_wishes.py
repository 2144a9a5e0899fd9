"""Expressions, texts and values in place of others."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, surely

SOURCE = """\
import log


def run(job, limit):
    first = fetch(job.url)
    second = sep
    name = "old text here"
    send(first, retries=3)
    if limit > 10:
        store(second)
    return first


def other(x):
    value = None
    return value
"""


@pytest.mark.parametrize(
    "text",
    [
        "replace `fetch(job.url)` with `load(job)`",
        "`fetch(job.url)` is a typo for `load(job)`",
        "`fetch(job.url)` should be `load(job)`",
        "use `load(job)` instead of `fetch(job.url)`",
        "`fetch(job.url)` -> `load(job)`",
        "`load(job)`, not `fetch(job.url)`",
        "not `fetch(job.url)` but `load(job)`",
        "`load(job)` in place of `fetch(job.url)`",
        "use `load(job)` in place of `fetch(job.url)`",
        "trade `fetch(job.url)` for `load(job)`",
        "trade out `fetch(job.url)` for `load(job)` in `run`",
        "it says `fetch(job.url)` but should say `load(job)`",
        "swap out `fetch(job.url)` for `load(job)`",
        "take out `fetch(job.url)` and put `load(job)` there",
        "`fetch(job.url)` is wrong, it should be `load(job)`",
        "rewrite `fetch(job.url)` as `load(job)`",
        "modify `fetch(job.url)` so it reads `load(job)`",
        "everything stays the same except that `fetch(job.url)` becomes `load(job)`",
        "let's go with `load(job)` instead of `fetch(job.url)`",
        "replacement: `fetch(job.url)` becomes `load(job)`",
        "`fetch(job.url)` needs to become `load(job)`",
        "where it says `fetch(job.url)`, put `load(job)`",
        "instead of `fetch(job.url)` we want `load(job)`",
        "make it `load(job)` where it is `fetch(job.url)`",
        "I'd rather have `load(job)` than `fetch(job.url)`",
        "`fetch(job.url)` gives way to `load(job)`",
        "`fetch(job.url)` must give way to `load(job)`",
        "have `load(job)` in the place of `fetch(job.url)`",
        "`load(job)` takes the place of `fetch(job.url)`",
        "`load(job)` should take over from `fetch(job.url)`",
        "`load(job)` replaces `fetch(job.url)`",
        "`fetch(job.url)` was a mistake, `load(job)` is what we need",
        "drop `fetch(job.url)` in favour of `load(job)`",
        "substitute `load(job)` for `fetch(job.url)`",
        "change `fetch(job.url)` into `load(job)` in `run`",
        "turn `fetch(job.url)` to `load(job)`",
        "no `fetch(job.url)` any more, but `load(job)`",
        "prefer `load(job)` over `fetch(job.url)`",
        "the expression `fetch(job.url)` is to read `load(job)`",
        "old: `fetch(job.url)`, new: `load(job)`",
        "`fetch(job.url)` => `load(job)`",
        "the right thing is `load(job)`, not `fetch(job.url)`",
        "edit `fetch(job.url)`, it should be `load(job)`",
        "put `load(job)` where `fetch(job.url)` stands now",
        "`fetch(job.url)`: make it `load(job)`",
        "correct `fetch(job.url)` to `load(job)`",
    ],
)  # fmt: skip
def test_an_expression_is_replaced_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("fetch(job.url)", "load(job)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        'the text "old text here" should be "fresh words"',
        'the phrase "old text here" should be "fresh words"',
        'the phrase "fresh words" must take the place of "old text here"',
        'could the words "old text here" become "fresh words"',
        'have the text read "fresh words" where it has "old text here"',
        "`old text here` is the wrong wording, write `fresh words`",
        "I wrote `old text here` but meant `fresh words`",
        'reword "old text here" to "fresh words"',
        'rephrase "old text here" as "fresh words"',
        'it should say "fresh words" instead of "old text here"',
        '"old text here" sounds odd, say "fresh words"',
        'let it say "fresh words", not "old text here"',
        'the wording "old text here" -> "fresh words"',
        'change the wording from "old text here" to "fresh words"',
        'replace the words "old text here" by "fresh words"',
        '"fresh words" is better than "old text here"',
        '"fresh words" reads better than "old text here"',
        'where it reads "old text here", it should read "fresh words"',
        'the message should be "fresh words" rather than "old text here"',
        'make "old text here" say "fresh words"',
        'make "old text here" into "fresh words"',
        'we say "fresh words" now, not "old text here"',
        '"old text here" must read "fresh words"',
        'update the text "old text here": "fresh words"',
        'instead of "old text here", write "fresh words"',
        'the string should read "fresh words" where it now reads "old text here"',
        'we agreed on "fresh words" for "old text here"',
        'fix the wording: "fresh words" for "old text here"',
    ],
)  # fmt: skip
def test_words_are_replaced_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("old text here", "fresh words", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "set `value` to `5` in `other`",
        "adjust `value` to `5`",
        "update `value` so it is `5`",
        "`value` should be `5`",
        "make sure `value` is set to `5`",
        "make sure that `value` is `5`",
        "`value` was `None` so far and is to become `5`",
        "`value` ought to be `5` rather than `None`",
        "set `5` as the value for `value`",
        "use `5` as the value of `value`",
        "`value` = `5`, not `None`",
        "`value` = 5",
        "initialise `value` with `5`",
        "start `value` off at `5`",
        "have `value` equal `5`",
        "the value of `value` should be `5`",
        "`value` is `None` right now, make it `5`",
        "change `value` in `def other` to `5`",
        "change `value` from `None` to `5`",
        "move `value` from `None` to `5`",
        "let `value` be `5`",
        "give `value` the value `5`",
        "assign `5` to `value`",
        "`value` -> `5`",
        "`value`: `5`",
        "`value` has to be `5`",
        "`value` should start as `5`",
        "put `5` in `value`",
        "put `5` into `value`",
        "store `5` in `value`",
        "`value` should hold `5`",
        "`value` should no longer be `None` but `5`",
        "instead of `None`, `value` should be `5`",
        "`5` instead of `None` for `value`",
        "`5` for `value`",
        "`value` gets `5`",
        "`value` gets the value `5`",
        "let `value` start with `5`",
        "`value` must equal `5`",
        "the initial value of `value` should be `5`",
        "reset `value` to `5`",
        "turn `value` to `5`",
        "make `value` `5`",
        "`value` is wrong, it should be `5`",
        "the right value for `value` is `5`",
        "`value` defaults to `None`, set it to `5`",
        "not `None` but `5` for `value`",
        "where `value` is set to `None`, set it to `5`",
        "replace the value of `value` by `5`",
        "`5` is the value that `value` should have",
        "`5` would be the right value for `value`",
        "`value` with the value `5`",
        "from now on `value` is `5`",
        "`value` takes the value `5`",
    ],
)  # fmt: skip
def test_a_value_is_set_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    value = None\n", "    value = 5\n", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "do not replace `fetch(job.url)` by `load(job)`",
        "`fetch(job.url)` should not be `load(job)`",
        "set `value` to `5` only if it is `None`",
        "don't set `value` to `5`",
        "`value` should not be `5`",
        "`value` must never be `5`",
        "set `value` to about `5`",
        "is `value` `5`?",
        "keep `value` at `None`",
        "raise `value` by `5`",
        "`value` is `None`",
        "set `value` to `5` unless `limit` is `3`",
        "`value` should be less than `5`",
        "`value` should be at least `5`",
        "`value` should be `5` or `6`",
        "use `load(job)` after `fetch(job.url)`",
        "compare `fetch(job.url)` with `load(job)`",
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_replaces_nothing(text):
    assert doubted(text, SOURCE, "python")
