"""What a call passes and calls, await and f-strings."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, surely

SOURCE = '''\
import log


def run(job):
    """Run it.

    >>> helper(1, 2)
    """
    first = fetch(job.url, retries=3)
    second = path.join(job.root, "x")
    send(first, second)
    return first
'''

FORMAT = """\
def f(name):
    print("hi {}".format(name))
    return 1
"""


@pytest.mark.parametrize(
    "text",
    [
        "the call of `fetch` needs `timeout=5`",
        "nit: `timeout=5` isn't passed to `fetch` yet",
        "thread `timeout=5` through to the call of `fetch`",
        "args of the `fetch` call += `timeout=5`",
        "put `timeout=5` at the back of the arguments of the `fetch` call",
        "it would be good if `fetch` was passed `timeout=5` as well",
        "throw `timeout=5` into the call of `fetch` too",
        "`fetch` should be called with `timeout=5` as well",
        "also hand `timeout=5` to `fetch`",
        "calls to `fetch`: add `timeout=5`",
        "pass along `timeout=5` in the `fetch` call",
        "supply `timeout=5` when you call `fetch`",
        "`timeout=5` should be passed to `fetch`",
        "`timeout=5` has to be handed to `fetch` too",
        "extra argument for the call of `fetch`: `timeout=5`",
        "we don't pass `timeout=5` to `fetch` yet, do so",
        "give the `fetch` call one more argument, `timeout=5`",
        "the argument `timeout=5` is missing from the call to `fetch`",
        "`fetch` is called without `timeout=5`, add it",
        "make the call to `fetch` include `timeout=5`",
        "append `timeout=5` to the arguments of `fetch()`",
        "let `fetch` also get `timeout=5`",
        "call `fetch` with an additional `timeout=5`",
        "`fetch` should also be given `timeout=5`",
        "thread `timeout=5` through to `fetch`",
        "`timeout=5` -> `fetch`, as final arg",
        "augment the call of `fetch` with `timeout=5`",
        "put `timeout=5` at the end of the arguments in the call to `fetch`",
        "`fetch` call: `timeout=5` too",
        "when `fetch` is called, `timeout=5` belongs among the arguments",
        "- `timeout=5` for the call to `fetch`",
        "the invocation of `fetch` lacks `timeout=5`",
        "let `timeout=5` be passed to `fetch` as well",
        "`fetch` ought to receive `timeout=5` in addition",
    ],
)  # fmt: skip
def test_an_argument_is_added_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("fetch(job.url, retries=3)", "fetch(job.url, retries=3, timeout=5)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "don't pass `retries` to `fetch`",
        "`fetch` gets `retries=3`, which it doesn't need; drop it",
        "`fetch` doesn't want `retries=3`",
        "`retries=3` is passed to `fetch` for nothing, remove",
        "`fetch` must not receive `retries=3`",
        "`fetch` should no longer be given `retries`",
        "no `retries` in the call of `fetch` any more",
        "`retries=3` can go from the call to `fetch`",
        "the call of `fetch` works without `retries=3`, so drop it",
        "call `fetch` without `retries`",
        "take `retries=3` out of the `fetch` call",
        "`fetch` gets one argument too many, `retries=3`",
        "stop handing `retries=3` to `fetch`",
        "`fetch` call: no `retries`",
        "`retries` should not be passed to `fetch` any longer",
        "`fetch()` doesn't need `retries=3`",
        "the argument `retries=3` of the `fetch` call is superfluous",
        "the argument `retries` in the call of `fetch` must go",
        "passing `retries` to `fetch` is pointless, stop it",
        "leave `retries` out when calling `fetch`",
        "omit the argument `retries` from `fetch(...)`",
        "get rid of `retries=3` in the call to `fetch`",
        "remove the `retries` argument when calling `fetch`",
        "- `retries` of the call to `fetch` is not needed",
        "`fetch` has no use for `retries=3`",
    ],
)  # fmt: skip
def test_an_argument_goes_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("fetch(job.url, retries=3)", "fetch(job.url)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "call `load` where `fetch` is called",
        "repoint the call from `fetch` to `load`",
        "make the call to `fetch` a call to `load`",
        "sub `load` in for `fetch`",
        "use `load`, not `fetch`, with the same arguments",
        "`load` should be called in place of `fetch`",
        "`load` should be called, not `fetch`",
        "the call to `fetch` should go to `load`",
        "the call to `fetch` should be a call to `load`",
        "have it invoke `load`, not `fetch`",
        "turn the call to `fetch` into a call of `load`",
        "the call of `fetch` becomes one of `load`",
        "`fetch` is deprecated, call `load`",
        "don't call `fetch`, call `load`",
        "the callee `fetch` should be `load`",
        "callee: `fetch` -> `load`",
        "call `load` here, `fetch` is outdated",
        "use the function `load` instead of calling `fetch`",
        "stop calling `fetch` and call `load`",
        "rather than `fetch`, call `load`",
        "instead of calling `fetch` we should call `load`",
        "calls of `fetch` should become calls of `load`",
        "let's go with `load` where we call `fetch`",
        "redirect the call of `fetch` to `load`",
        "point the call of `fetch` at `load`",
        "swap the call to `fetch` for one to `load`",
        "what calls `fetch` should call `load`",
        "switch from calling `fetch` to calling `load`",
        "we no longer call `fetch` but `load`",
        "it is `load` that should be called, not `fetch`",
        "call load instead of `fetch`",
        "invoke load in place of `fetch`",
        "with the same arguments, call `load` and not `fetch`",
        "replace the called function `fetch` by `load`",
    ],
)  # fmt: skip
def test_another_function_is_called_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("fetch(job.url, retries=3)", "load(job.url, retries=3)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "await `fetch(job.url, retries=3)`",
        "`fetch` must be awaited",
        "`fetch()` isn't awaited, but should be",
        "there's an `await` missing before `fetch(job.url, retries=3)`",
        "prefix `fetch(job.url, retries=3)` with await",
        "put `await` before the call of `fetch`",
        "the call of `fetch` has to be awaited",
        "`fetch`: await it",
        "`fetch(job.url, retries=3)` returns a coroutine, so await it",
        "wait for `fetch()` with await",
        "you forgot to await `fetch()`",
        "nobody awaits the call of `fetch`",
        "add an await to `fetch(job.url, retries=3)`",
        "`fetch(job.url, retries=3)` -> `await fetch(job.url, retries=3)`",
        "make that an awaited call: `fetch(job.url, retries=3)`",
        "the result of `fetch` should be awaited",
        "use await for calling `fetch`",
        "no await on `fetch()` yet",
        "`fetch` is a coroutine function, its call needs an await",
        "without await `fetch(job.url, retries=3)` does nothing, so add one",
    ],
)  # fmt: skip
def test_a_call_is_awaited_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("= fetch(", "= await fetch(", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        'make `"hi {}".format(name)` an f-string',
        'could `"hi {}".format(name)` become an f-string?',
        'please f-stringify `"hi {}".format(name)`',
        '`"hi {}".format(name)` should be an f-string',
        'f-string instead of `"hi {}".format(name)`',
        'turn `"hi {}".format(name)` into an f-string',
        '`"hi {}".format(name)` -> f-string',
        'use an f-string for `"hi {}".format(name)`',
        'write `"hi {}".format(name)` as an f-string',
        'rewrite `"hi {}".format(name)` with an f-string',
        'let `"hi {}".format(name)` become an f-string',
        'replace `"hi {}".format(name)` by an f-string',
        'convert the formatting in `"hi {}".format(name)` to f-strings',
        'I want an f-string where `"hi {}".format(name)` is',
        'interpolate directly in `"hi {}".format(name)`, use an f-string',
        'no more format calls: make `"hi {}".format(name)` an f-string',
        '`"hi {}".format(name)` is better written as an f-string',
        'the old formatting `"hi {}".format(name)` should give way to an f-string',
        '`"hi {}".format(name)` predates f-strings, modernise it',
        'express `"hi {}".format(name)` through an f-string',
    ],
)  # fmt: skip
def test_text_becomes_an_f_string_however_a_sentence_asks_for_it(text):
    wanted = FORMAT.replace('"hi {}".format(name)', 'f"hi {name}"', 1)
    assert surely(text, FORMAT, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "call `fetch` instead of `load`, but only in tests",
        "`fetch` must not be awaited",
        "do not pass `timeout=5` to `fetch`",
        "never pass `timeout=5` to `fetch`",
        "why is `fetch` not awaited",
        "only pass `timeout=5` to `fetch` if it is slow",
        "keep `retries` in the call of `fetch`",
        "should `fetch` be awaited?",
        "unless it is slow, await `fetch()`",
        "do not call `load` instead of `fetch`",
        "don't remove `retries` from the call of `fetch`",
        "await everything but `fetch`",
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_changes_no_call(text):
    assert doubted(text, SOURCE, "python")
