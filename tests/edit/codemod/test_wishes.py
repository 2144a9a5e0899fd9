"""Statements, bodies and definitions that come and go, in words that a developer has for it."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

SOURCE = '''\
import json

LIMIT = 10


def load(name, strict=False):
    """Read."""
    data = read(name)
    if strict:
        return None
    else:
        note(data)
    check(data)
    return data


def save(name):
    first = open(name)
    second = first.read()
    third = second.strip()
    first.close()


def unused():
    pass
'''
_CHECK = "    check(data)\n"
_TRIED = "    try:\n        check(data)\n    except KeyError:\n        {}\n"
_LOCKED = "    with lock:\n        check(data)\n"
_BODY = "    data = read(name)\n"
_GUARDED = "    if not name:\n        return 1\n" + _BODY
_LAST = "    first.close()\n"
_LOGGED = _LAST + "    log(1)\n"
_MIDDLE = "    second = first.read()\n    third = second.strip()\n"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("protect `check(data)` against KeyError, in the except just `raise`", _CHECK, _TRIED.format("raise")),
        ("put try: in front of `check(data)`, indent it, then except KeyError: `pass`", _CHECK, _TRIED.format("pass")),
        ("there's no try around `check(data)`; add one, except KeyError with raise", _CHECK, _TRIED.format("raise")),
        ("introduce `with lock` with `check(data)` as its only statement", _CHECK, _LOCKED),
        ("throw `ValueError(1)` where `return None` is now", "return None", "raise ValueError(1)"),
        ("stop doing `return None`, it should throw `ValueError(1)` instead", "return None", "raise ValueError(1)"),
        ("rather than `return None`, throw `ValueError(1)`", "return None", "raise ValueError(1)"),
        ("error out with `ValueError(1)` instead of `return None`", "return None", "raise ValueError(1)"),
        ("`return None` out, raise `ValueError(1)` in", "return None", "raise ValueError(1)"),
        ("have the code raise `ValueError(1)` at `return None`, replacing it", "return None", "raise ValueError(1)"),
        ("kick off `load` with `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("drop `log(1)` in at the head of load", _BODY, "    log(1)\n" + _BODY),
        ("log every entry into `load` using `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("call `log(1)` right away when `load` is entered", _BODY, "    log(1)\n" + _BODY),
        ("`log(1)` goes behind all other statements in `save`", _LAST, _LOGGED),
        ("in `save`, after all that is there now, add `log(1)`", _LAST, _LOGGED),
        ("when save is through with its work, it should `log(1)`", _LAST, _LOGGED),
        ("before `save` is left at its end, there should be `log(1)`", _LAST, _LOGGED),
        ("once all the rest of `save` is done, `log(1)` should come", _LAST, _LOGGED),
        ("`save` should not stop where it does now but go on to a last `log(1)`", _LAST, _LOGGED),
        ("drop `log(1)` in at the bottom of the body of `save`", _LAST, _LOGGED),
        ("right after the header of `load`, add `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("tack `log(1)` onto `save`", _LAST, _LOGGED),
        ("before `save` ends, `log(1)`", _LAST, _LOGGED),
        ("`save` doesn't end with `log(1)` yet, add it", _LAST, _LOGGED),
        ("could `log(1)` be added at the end of `save`?", _LAST, _LOGGED),
        ("it would help if `save` ended with `log(1)`", _LAST, _LOGGED),
        ("stop with `ValueError(1)` instead of `return None`", "return None", "raise ValueError(1)"),
        ("at the top of load, deal with `not name` by `return 1`", _BODY, _GUARDED),
        ("there's no point running `load` if `not name`, so `return 1` up front", _BODY, _GUARDED),
        ("`not name` -> `return 1` at the start of `load`", _BODY, _GUARDED),
        ("given `not name`, `load` should do nothing but `return 1`", _BODY, _GUARDED),
        ("don't go on in `load` when `not name`, just `return 1` at the start", _BODY, _GUARDED),
        ("chop out `second = first.read()` to `third = second.strip()` inclusive", _MIDDLE, ""),
        ("unused: the lines `second = first.read()` to `third = second.strip()`, remove them", _MIDDLE, ""),
        ("remove `second = first.read()`, `third = second.strip()` and all that is between them", _MIDDLE, ""),
        ("`third = second.strip()` and everything above it back to `second = first.read()` should be dropped,"
         " `second = first.read()` too", _MIDDLE, ""),
        ("the block opening with `second = first.read()`, closing with `third = second.strip()`, can go", _MIDDLE, ""),
        ("stop defining `unused`", "\n\ndef unused():\n    pass\n", ""),
        ("`unused` should not exist any longer", "\n\ndef unused():\n    pass\n", ""),
        ("since nothing calls `unused`, the function can be thrown out", "\n\ndef unused():\n    pass\n", ""),
        ("review comment: the function `unused` can go", "\n\ndef unused():\n    pass\n", ""),
        ("`unused` isn't necessary, do away with it", "\n\ndef unused():\n    pass\n", ""),
    ],
)  # fmt: skip
def test_what_is_asked_for_in_many_words_is_carried_out(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "where `load` ends, a new function should begin:",
        "I wrote a function that goes behind `load`, insert it:",
        "drop this function in below `load`:",
        "leave `load` as it is and add this function behind it:",
        "`load` is missing a companion function below it:",
        "skip past the end of `load` and add this separate function:",
    ],
)
def test_a_function_that_is_shown_goes_behind_the_one_that_is_named(text):
    made = surely(f"{text}\ndef more():\n    return 1", SOURCE, "python")
    assert made == SOURCE.replace("\n\ndef save", "\n\ndef more():\n    return 1\n\n\ndef save", 1)


def test_a_branch_gets_an_else_where_the_file_has_others():
    other = "def g(a):\n    if not a:\n        go()\n    else:\n        stop()\n"
    source = f"def f(a):\n    if a:\n        go()\n\n\n{other}"
    wanted = source.replace("go()\n", 'go()\n    else:\n        print("x")\n', 1)
    for text in (
        'the conditional `if a` needs a fallback in an else: `print("x")`',
        'the block under `if a` should be followed by an else with `print("x")`',
    ):
        assert surely(text, source, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "there is no need to wrap `check(data)` in try/except KeyError: `raise`",
        "do not raise `ValueError(1)` instead of `return None`",
        "throw `return None` away, `ValueError(1)` is wrong",
        "`load` should not end with `log(1)`",
        "do not `return 1` at the start of `load` if `not name`",
        "`load` should never `return 1` if `not name`",
        "don't chop out `second = first.read()` to `third = second.strip()`",
        "`unused` should not go",
        "only the tests need `unused`",
        "the function `unused` is unused",
        "the function `unused` should go to the top",
        "I wrote a function that goes behind `load`",
        "after `load` is called, do `log(1)`",
        "do not stop with `ValueError(1)` instead of `return None`",
        "do not add `log(1)` before `save` ends",
        "`save` should not end with `log(1)` yet",
        "leave `unused` alone",
        "could `load` be called twice?",
        "wouldn't it be nice if `save` ended with `log(1)`?",
        "do not let `with lock` span `check(data)`",
        "we do this later, so leave `unused` alone",
    ],
)
def test_what_forbids_or_tells_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")


def test_lines_between_two_others_do_not_take_these_along():
    assert (
        predicted("delete the lines between `first = open(name)` and `first.close()`", SOURCE, "python")
        is None
    )


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (
            "`unused` should begin with `log(1)` and end with `log(2)`",
            "    pass\n",
            "    log(1)\n    pass\n    log(2)\n",
        ),
        (
            "drop the docstring of `load`; also annotate `name` as `str` there",
            'name, strict=False):\n    """Read."""',
            "name: str, strict=False):",
        ),
        (
            'give `unused` the docstring "Idle." and make it async',
            "def unused():\n",
            'async def unused():\n    """Idle."""\n',
        ),
        (
            "remove the docstring of `load` and get rid of its `strict` default",
            'strict=False):\n    """Read."""',
            "strict):",
        ),
        (
            "in `load`, annotate `name` as `str` and `strict` as `bool`",
            "name, strict=False",
            "name: str, strict: bool = False",
        ),
        (
            '`unused` needs a docstring "Idle." and the return type `int`',
            "unused():\n",
            'unused() -> int:\n    """Idle."""\n',
        ),
        ("don't touch `load`; make `unused` async", "def unused", "async def unused"),
    ],
)
def test_a_wish_that_leans_on_the_one_before_is_filled_in(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "rename `unused` to `idle` and delete it",
        "add `dry=False` to the parameters of `save` and annotate it with `bool`",
        "`save` should not be async and return `third`",
        "make `unused` async but do not add `dry=False` to it",
        "do not touch `load` unless needed; make `unused` async",
        "do not touch `unused`; make `unused` async",
        "keep `unused` as it is, minus the body",
        "make `unused` async and leave its parameters alone",
        "delete `load` and its docstring",
    ],
)
def test_a_wish_that_leans_on_two_or_asks_for_less_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")
