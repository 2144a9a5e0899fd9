"""Expressions that get a name, and names that change."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, surely

SOURCE = """\
import log


def run(job):
    second = sep
    send(fetch(job.url), retries=3)
    return second


def helper(x):
    return helper2(x)
"""


@pytest.mark.parametrize(
    "text",
    [
        "extract `fetch(job.url)` into a variable `page`",
        "hoist `fetch(job.url)` into a local named page",
        "please extract `fetch(job.url)`, name it page",
        "add a variable page that holds `fetch(job.url)` and use it",
        "refactor: extract `fetch(job.url)` as page",
        "compute `fetch(job.url)` first and keep it in `page`",
        "extract `fetch(job.url)` to a variable named `page`",
        "on a line of its own, assign `fetch(job.url)` to `page`, and use `page` below",
        "pull `fetch(job.url)` out into a variable `page`",
        "let's introduce a variable `page` for `fetch(job.url)`",
        "for readability, put `fetch(job.url)` into a variable of the name `page`",
        "could `fetch(job.url)` be pulled into a variable `page`",
        "give `fetch(job.url)` a name, `page`",
        "turn `fetch(job.url)` into a named variable, `page`",
        "break `fetch(job.url)` out as `page`, a variable on the line before",
        "create a variable called `page`, set it to `fetch(job.url)` and use it there",
        "factor `fetch(job.url)` out into a variable named `page`",
        "use a new variable `page` in place of `fetch(job.url)`, declared right before",
        "don't write `fetch(job.url)` inline, make it a variable `page`",
        "store `fetch(job.url)` in a variable `page` first",
        "extract `fetch(job.url)` into a variable `page` directly above its line",
        "capture `fetch(job.url)` in `page` one line earlier and use that",
        "`fetch(job.url)` should be in a variable `page`",
        "`fetch(job.url)` should get a name of its own: `page`",
        "`fetch(job.url)` -> variable `page`",
        "hoist `fetch(job.url)` into `page`",
        "save `fetch(job.url)` as `page` before it is used",
        "name the value of `fetch(job.url)` `page` and use that",
        "bind `fetch(job.url)` to `page` on the line above",
        "a variable `page` should hold `fetch(job.url)`",
        "move `fetch(job.url)` into its own variable, `page`",
        "`fetch(job.url)` deserves a variable, `page`",
        "split `fetch(job.url)` off into a local variable `page`",
        "local variable `page` for `fetch(job.url)`",
        "assign `fetch(job.url)` to a variable `page` first, then use that",
        "declare `page` for `fetch(job.url)`",
        "make `fetch(job.url)` a variable called `page`",
        "instead of `fetch(job.url)` inline, have a variable `page` for it",
        "`fetch(job.url)` into a variable `page`, please",
        "no inline `fetch(job.url)`, use a variable `page`",
        "the expression `fetch(job.url)` should be stored in a variable `page`",
        "`fetch(job.url)` ought to be assigned to `page` before",
        "put `fetch(job.url)` in a variable `page` before the call",
    ],
)  # fmt: skip
def test_an_expression_gets_a_name_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace(
        "    send(fetch(job.url), retries=3)", "    page = fetch(job.url)\n    send(page, retries=3)", 1
    )
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "rename `helper` to `convert`",
        "could `helper` be renamed to `convert`?",
        "`helper` should go by the name of `convert`",
        "rechristen `helper` `convert`",
        "`helper` is not a good name, so call it `convert`",
        "how about renaming `helper` to `convert`?",
        "`helper` should be called `convert`",
        "`helper` -> `convert`",
        "update the naming: `helper` becomes `convert`",
        "`helper` is misleading, make that `convert`",
        "go through the code and make every `helper` a `convert`",
        "I want the name `helper` to go by the name `convert` from now on",
        "no more `helper`, it is `convert` now, rename it throughout",
        "we need to rename the function `helper`, `convert` fits better",
        "make `helper` `convert` in every place where it occurs",
        "let's go with `convert` as the name for the function `helper`",
        "s/helper/convert/",
        "make sure the name `helper` is named `convert` wherever it is used",
        "definition and uses of `helper`: rename to `convert`",
        "`helper` is badly named, `convert` says what it is, rename it",
        "the function `helper` needs a better name, `convert`",
        "the new name of `helper` is `convert`",
        "give `helper` the name `convert`",
        "`convert` is a better name than `helper`",
        "`convert` is the better name for `helper`",
        "use `convert` as the name instead of `helper`",
        "call `helper` `convert` from now on",
        "`helper` should have the name `convert`",
        "change the name `helper` to `convert`",
        "change `helper` to `convert` everywhere",
        "the name `helper` is wrong, it should be `convert`",
        "name it `convert`, not `helper`",
        "what is called `helper` should be called `convert`",
        "`helper` is now `convert`, rename it",
        "rename: `helper` -> `convert`",
        "new name for `helper`: `convert`",
        "`helper` gets renamed to `convert`",
        "switch the name `helper` to `convert`",
        "replace the name `helper` by `convert`",
        "every `helper` should read `convert`",
        "`helper` must be renamed, `convert` is good",
        "a better name for `helper` would be `convert`",
        "let `helper` be `convert` everywhere",
        "have `helper` renamed to `convert`",
        "rename helper to convert",
        "I'd rather call `helper` `convert`",
    ],
)  # fmt: skip
def test_a_name_changes_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("def helper(x):", "def convert(x):", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "do not rename `helper` to `convert`",
        "don't extract `fetch(job.url)` into a variable `page`",
        "should `helper` be called `convert`?",
        "rename `helper` to `convert` only in tests",
        "`helper` should call `convert`",
        "call `convert` in `helper`",
        "keep the name `helper`",
        "never call it `convert`",
        "`helper` should not be called `convert`",
        "use `page` only if `fetch(job.url)` is slow",
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_names_nothing(text):
    assert doubted(text, SOURCE, "python")
