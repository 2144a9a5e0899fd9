"""Sentences with the words of wishes that ask for nothing of the kind."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, predicted, surely

SOURCE = """\
import log

KINDS = ["a", "b"]


def run(job, limit):
    # stale note
    first = fetch(job.url)
    second = sep
    # third = sep
    send(first, retries=3)
    if limit > 10:
        store(second)
    total = job.left + job.right
    name = "old text here"
    return first


def helper(x):
    value = None
    return helper2(x)
"""


@pytest.mark.parametrize(
    "text",
    [
        "there is no need to remove `retries=3` from `send`",
        "no need to swap `first = fetch(job.url)` and `second = sep`",
        "no need to add `\"c\"` to `KINDS`",
        "no need to rename `helper` to `aid`",
        "we should not add `\"c\"` to `KINDS`",
        "we should not add `# new` above `second = sep`",
        "don't add `# new` above `second = sep`",
        "do not tack `# new` onto `second = sep`",
        "if it helps, negate `limit > 10`",
        "negate `limit > 10` if needed",
        "insert after `second = sep`: `x = 1` if needed",
        "only insert after `second = sep`: `x = 1`",
        "if it helps, insert after `second = sep`: `log(1)`",
        "run `second = sep` if not `limit`",
        "could `helper` be renamed to `aid` if needed?",
        "could `value` be `None`?",
        "can we call `helper` twice?",
        "`helper` is wrong, don't call it `aid`",
        "`total = job.left + job.right` must not use - instead of +",
        "- is the wrong operator in `total = job.left + job.right`, use +",
        "do not re-enable `third = sep`",
        "`third = sep` should not run again",
        "make it `limit > 10` `or not x`",
        "the check `limit > 10` should not be negative",
        "make sure `\"c\"` is not in `KINDS`",
        "make sure nothing but `\"c\"` is in `KINDS`",
        "`second = sep` is causing trouble",
        "`retries=3` is not wrong in `send`",
        "don't stop passing `retries=3` to `send`",
        "`send` doesn't accept `retries=3` yet",
        "do not quit passing `retries=3` to `send`",
        "there is no need for `and x` behind `limit > 10` yet",
        "there should be no `and x` behind `limit > 10` yet",
        "do not toggle the condition `limit > 10`",
        "`limit > 10` makes no sense",
        "no else-branch for `if limit > 10`: `return 3`",
        "`limit > 10` has to be false there, not true",
        "there should be no `\"c\"` in `KINDS` yet",
        "make `KINDS` not include `\"c\"`",
        "`if limit > 10:` has `>` where `>=` is not needed",
        "let `txt` hold `\"old text here\"`",
        "`sympy` is not a better name for `helper`",
        "we can't do without `helper`",
        "do not redefine `value` as `3`",
        "`fetch(job.url)` must be kept, not `u`",
        "`first = fetch(job.url)` should stand next to `second = sep`",
        "could we have a problem with `second = sep`?",
        "let `# new` introduce `second = sep`",
        "there should be a single `second = sep`",
        "`second = sep` is not the same any more",
        "no more than one `second = sep`",
        "`second = sep` needs more care",
        "put `second = sep` onto one line",
        "the same goes for `second = sep`",
        "leave a single `second = sep`",
        "only one `second = sep`",
        "`second = sep` once, not twice",
        "one `second = sep` is enough",
        "not another `second = sep`",
        "make `second = sep` more readable",
        "`first = fetch(job.url)` and `second = sep` should be on one line",
        "`first = fetch(job.url)` should be in place before `second = sep`",
        "`first = fetch(job.url)` and `second = sep` are fine in that order",
        "`first = fetch(job.url)` goes before `second = sep`, keep that order",
        "put `log(1)` in its own place before `second = sep`",
        "the order of `first = fetch(job.url)` and `second = sep` matters",
        "`second = sep` is in the right place before `send(first, retries=3)`",
        "`helper` is misleading",
        "`helper` is a confusing name",
        "make `helper` better",
        "every `helper` should be tested",
        "`helper` and `helper2` are confusing",
        "`value` was `None` so far",
        "`value` is `None` right now",
        "`value` should stay `None`",
        "where `value` is set, log it",
        "let `value` be at most `5`",
        "`value` defaults to `None`",
        "if `value` is `None`, make it `5`",
        "`value` = `None`",
        "make `value` a parameter",
        "make `helper` `static`",
        "make `fetch(job.url)` `async`",
        "turn `value` into `5` when needed",
        "`second = sep` is useful",
        "`second = sep` is dead code only if `first` is set",
        "is `second = sep` dead code?",
        "`second = sep` is not dead code",
        "don't go near `second = sep`",
        "let `second = sep` go first",
        "`second = sep` should go first",
        "`second = sep` can go before `first = fetch(job.url)` if needed",
        "go to `second = sep`",
        "`first = fetch(job.url)` has to go to `load`",
        "the comment `stale note` is important",
        "the comment `stale note` isn't clear",
        "clean `second = sep` up",
        "the comment `stale note` is not just noise",
        "put a comment on `second = sep`",
        "`second = sep` needs a comment",
        "no comment on `second = sep`",
        "the sign in `total = job.left + job.right` is fine",
        "put a sign before `total`",
        "`fetch(job.url)` should await",
        "`fetch` waits for `run`",
        "we use `fetch` to do `load`",
        "`fetch` is called by `load`",
        "call `fetch` and `load`",
        "call `load` before `fetch`",
        "call `load` too, not only `fetch`",
        "`load` should not be called instead of `fetch`",
        "keep calling `fetch`, not `load`",
        "we need `retries=3` when calling `fetch`?",
        "`fetch` should accept `timeout=5`",
        "the call of `fetch` must keep `job.url`",
        '`KINDS` stays without `"c"`',
        '`KINDS` is fine without `"c"`',
        'keep `"a"` in `KINDS`, drop nothing',
        'everything in `KINDS` except `"a"` can stay if needed',
        'nothing in `KINDS` but `"a"` can stay',
        'only `"a"` in `KINDS` stays',
        '`"a"` from `KINDS` is used here',
        'take `"a"` from `KINDS`',
        'use `"a"` from `KINDS`',
        "`limit > 10` must not be negated",
        "the check for `limit > 10` is one for `limit`",
        "the opposite of `limit > 10` is `limit <= 10`",
        "this runs while `limit > 10` is false",
        "`fetch(job.url)` is in the place of `load`",
        "take `fetch(job.url)` and put it in `load`",
        "`load(job)` must not take the place of `fetch(job.url)`",
        "`load(job)` never takes over from `fetch(job.url)`",
        "I prefer `fetch(job.url)` over `load(job)`",
        "I wrote `fetch(job.url)`",
        "`fetch(job.url)` was right, not `load(job)`",
        "`fetch(job.url)` is better than `load(job)`",
        "`fetch(job.url)` is the right one, so don't change `load(job)`",
        "extract `fetch(job.url)` from `page`",
        "use a variable for `fetch(job.url)`",
        "no variable `page` for `fetch(job.url)`",
        "don't use a variable `page` for `fetch(job.url)`",
        "keep `fetch(job.url)` inline, no variable `page`",
        "a variable `page` for `fetch(job.url)` would be overkill",
        "keep all of this:\n    second = sep",
        "I don't want to lose this:\n    second = sep",
        "nobody should delete this:\n    second = sep",
        "do not go without this:\n    second = sep",
        "not this:\n    second = sep",
        "this is not needed yet, but keep it:\n    second = sep",
        "there's no need to delete this:\n    second = sep",
        "is this dead:\n    second = sep",
        "the place of `second = sep` is fine: `log(1)`",
        "before or after `second = sep`, add: `log(1)`",
        "`second = sep` is right, not: `log(1)`",
        "`second = sep` should not be: `log(1)`",
        "in place of nothing, after `second = sep`: keep",
        "do not put this in place of `second = sep`: `log(1)`",
        "`second = sep` must not give way to: `log(1)`",
        "like `second = sep`, add: `log(1)`",
        "make `second = sep` go into: `log(1)`",
        "`second = sep` should be in: `log(1)`",
        "where `second = sep` is, also add: `log(1)`",
        "`second = sep` no longer needs: `log(1)`",
    ],
)  # fmt: skip
def test_what_has_the_words_of_a_wish_but_is_none_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")


HOLDING = """\
LIMIT = 3


class Store:
    def save(self, sep):
        self.size = 1
        return fetch(sep)
"""


@pytest.mark.parametrize(
    "text",
    [
        "supply `fetch` with a new parameter `x: list[int]`",
        "`save` should not accept `sep: str`",
        "take `Field` from `LIMIT`",
        "`LIMIT` must not become `5`",
        "change `LIMIT` to something like `5`",
        "have `LIMIT` in `save`",
    ],
)
def test_what_is_declared_taken_or_vague_is_no_value(text):
    assert doubted(text, HOLDING, "python")


def test_what_is_substituted_for_something_takes_its_place():
    source = 'name = "on"\nother = "off"\nlast = "on"\n'
    assert surely('substitute `"new"` for `"off"`', source, "python") == source.replace("off", "new")
    made = predicted('substitute `"on"` for `"off"`', source, "python")
    assert made is None or made.reasons or "\n".join(made.lines) == source.replace("off", "on")
