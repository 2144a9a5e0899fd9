"""Parameters, their types and defaults, and return types, in whatever order and words it is said."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

SOURCE = '''\
import json


class Store:
    def __init__(self, path: str, retries: int = 3):
        self.path = path

    def read(self, name, timeout=3):
        return json.loads(name)


class Cache(Store):
    def __init__(self, size):
        self.size = size


def load(name: str, strict, *args):
    """Read a file."""
    return strict or name


def save(rows, mode="w") -> bool:
    """Write rows.

    default.
    """
    return bool(rows)
'''


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("in the signature of `load`, mark `strict` as `bool`", "strict,", "strict: bool,"),
        ("callers of `load` can't see that `strict` is `bool`, put that in the signature", "strict,", "strict: bool,"),
        ("since `strict` is always bool, say so in the signature of load", "strict,", "strict: bool,"),
        ("'strict' -> `bool` (type annotation, in `load`)", "strict,", "strict: bool,"),
        ("`strict` (parameter of `load`) gets the type bool", "strict,", "strict: bool,"),
        ("`load` takes `strict` without a type, add bool", "strict,", "strict: bool,"),
        ("`read` needs a type on timeout: int", "timeout=3", "timeout: int = 3"),
        ("callers need to know that `strict` of `load` is a bool, declare it", "strict,", "strict: bool,"),
        ("the checker wants `rows` of `save` annotated as list[dict]", "rows,", "rows: list[dict],"),
        ("annotate strict in load with bool", "strict,", "strict: bool,"),
        ("retype name as `Path` in 'load'", "name: str,", "name: Path,"),
        ("we're passing `Path` to `load` as `name` now, so its type has to follow", "name: str,", "name: Path,"),
        ("`name` isn't what `load` says it is, it's `bytes`, so update the type", "name: str,", "name: bytes,"),
        ("keep `name` in `load` but with Path as its type", "name: str,", "name: Path,"),
        ("the type of `path` in `__init__` is stale, it should read Path", "path: str", "path: Path"),
        ("pull the type annotation out of `name` in `load`, leaving the name and any default", "name: str", "name"),
        ("`load` has a type on `name` that we don't want", "name: str", "name"),
        ("make sure `retries` of `__init__` carries no annotation", "retries: int = 3", "retries=3"),
        ("set a return type on `load`, there is none so far: `str`", "*args):", "*args) -> str:"),
        ("we should be explicit that `load` returns `list[str]`", "*args):", "*args) -> list[str]:"),
        ("nothing says what `load` gives back, annotate it as int", "*args):", "*args) -> int:"),
        ("mark `load` as returning Path", "*args):", "*args) -> Path:"),
        ("`load` isn't typed: put `-> str` on it as the return annotation", "*args):", "*args) -> str:"),
        ("what `save` claims to return is wrong, it's `int`", "-> bool", "-> int"),
        ("the signature of `save` should promise int as the result", "-> bool", "-> int"),
        ("replace what save is declared to return with Path", "-> bool", "-> Path"),
        ("drop the existing return type of `save` in favour of int", "-> bool", "-> int"),
        ("the declared result of `save` should become int", "-> bool", "-> int"),
        ("bump the type of `name` in `load` to Path", "name: str,", "name: Path,"),
        ("widen the type hint of `rows` in `save` to `list[dict]`", "rows,", "rows: list[dict],"),
        ("re-annotate `name` in `load` as bytes", "name: str,", "name: bytes,"),
        ("un-annotate `name` in `load`", "name: str", "name"),
        ("the annotation on `name` in `load` can go", "name: str", "name"),
        ("detach the type from `retries` in `__init__`", "retries: int = 3", "retries=3"),
        ("add -> `str` to `load`", "*args):", "*args) -> str:"),
        ("`load` is missing '-> str'", "*args):", "*args) -> str:"),
        ("`load` should be annotated with -> `Path`", "*args):", "*args) -> Path:"),
        ("add : `bool` after `strict` in `load`", "strict,", "strict: bool,"),
        ("add `: bool` to `strict` in `load`", "strict,", "strict: bool,"),
        ("type-annotate `strict` in `load` as `bool`", "strict,", "strict: bool,"),
        ("could we spell out that `strict` in `load` is a `bool`?", "strict,", "strict: bool,"),
        ("it would be nice if `strict` in `load` was annotated with `bool`", "strict,", "strict: bool,"),
        ("`load`: `name` becomes `bytes`", "name: str", "name: bytes"),
        ("from now on `name` in `load` is `bytes`", "name: str", "name: bytes"),
        ("narrow `path` in `__init__` down to `bytes`", "path: str", "path: bytes"),
        ("tell mypy that `load` returns `str`", "*args):", "*args) -> str:"),
        ("have `load`'s signature end in `str`", "*args):", "*args) -> str:"),
        ("the arrow of `save` should point to `str`", "-> bool", "-> str"),
        ("could the return type of `save` be changed to `str`?", "-> bool", "-> str"),
        ("our guide wants types everywhere, so annotate `strict` of `load` as `bool`", "strict,", "strict: bool,"),
        ("if I'm not mistaken, `strict` in `load` is a `bool`, so annotate it", "strict,", "strict: bool,"),
        ("since callers rely on it, add -> None to `load`", "*args):", "*args) -> None:"),
    ],
)  # fmt: skip
def test_a_type_is_declared_changed_or_dropped_as_the_sentence_says(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("we should be able to call `save` with a value for `sep=1`, add that parameter", '"w")', '"w", sep=1)'),
        ("update `save` to accept `sep: str = None`", '"w")', '"w", sep: str = None)'),
        ("stick `sep=1` on the end of the arguments in the definition of save", '"w")', '"w", sep=1)'),
        ("add support for an optional argument `sep=1` in the signature of `save`", '"w")', '"w", sep=1)'),
        ("insert `sep` before the existing arguments of `load`", "load(", "load(sep, "),
        ("`load` does not take `sep` yet, add it, but as the first parameter", "load(", "load(sep, "),
        ("we need a new parameter on `load`, `sep`, and it must come first", "load(", "load(sep, "),
        ("signature of `load`: `sep` first, then the rest as before", "load(", "load(sep, "),
        ("`sep` + the existing parameters should be the new signature of `load`", "load(", "load(sep, "),
        ("add `sep` to `load` as param number one", "load(", "load(sep, "),
        ("have `load` accept `sep` ahead of everything else it takes", "load(", "load(sep, "),
        ("make sure `strict` in `load` has a default and that it is `False`", "strict,", "strict=False,"),
        ("`strict` (in load) -> optional, default `False`", "strict,", "strict=False,"),
        ("`strict` of `load` has no default yet, it should be `False`", "strict,", "strict=False,"),
        ("the parameter rows should be optional in `save` and default to `()`", "rows,", "rows=(),"),
        ("nobody wants the current default of mode in save, change it to `\"x\"`", 'mode="w"', 'mode="x"'),
        ("when `retries` is left out of `__init__` it should fall back to 5 by default", "int = 3", "int = 5"),
        ("callers of `save` should always have to pass `mode`", 'mode="w"', "mode"),
        ("the default for `mode` in `save` should go", 'mode="w"', "mode"),
        ("`mode` has a default in `save`, it should not", 'mode="w"', "mode"),
        ("everyone passes `mode` to `save` anyway, so get rid of its default.", 'mode="w"', "mode"),
        ("make mode a compulsory parameter of `save`, no fallback", 'mode="w"', "mode"),
        ("`save` also gets `sep=1` at the end", '"w")', '"w", sep=1)'),
        ("callers should be able to pass `sep=1` to `save`", '"w")', '"w", sep=1)'),
        ("have `save` receive `sep=1` too", '"w")', '"w", sep=1)'),
        ("teach `save` to take `sep=1`", '"w")', '"w", sep=1)'),
        ("make `sep` the 1st param of `load`", "load(", "load(sep, "),
        ("prefix the parameter list of `load` with `sep`", "load(", "load(sep, "),
        ("extend `load` with `sep` in first position", "load(", "load(sep, "),
        ("if nothing is passed for 'strict', `load` should use `False`", "strict,", "strict=False,"),
        ("use `False` for `strict` in `load` when it's not given", "strict,", "strict=False,"),
        ("when 'strict' isn't provided, `load` should assume `False`", "strict,", "strict=False,"),
        ("callers of `load` should be able to leave out strict, it's `False` then", "strict,", "strict=False,"),
        ("let `mode` start out as `'r'` in `save` when omitted", 'mode="w"', "mode='r'"),
        ("force callers to pass `mode` to `save`", 'mode="w"', "mode"),
        ("free `mode` of its default in `save`", 'mode="w"', "mode"),
        ("make `mode` of `save` non-optional", 'mode="w"', "mode"),
        ("unset the default of `mode` in `save`", 'mode="w"', "mode"),
        ("it'd be nice if `save` took `sep=1` too", '"w")', '"w", sep=1)'),
        ("there's no way to pass `sep=1` to `save` yet, add it", '"w")', '"w", sep=1)'),
        ("give callers of `save` the option `sep=1`", '"w")', '"w", sep=1)'),
        ("could `sep=1` be added to the parameters of `save`?", '"w")', '"w", sep=1)'),
        ("`load` gets `sep` up front", "load(", "load(sep, "),
        ("could `sep` be inserted as the first parameter of `load`?", "load(", "load(sep, "),
        ("there's no default for `strict` in `load` yet, use `False`", "strict,", "strict=False,"),
        ("`load`'s `strict` should fall back to `False`", "strict,", "strict=False,"),
        ("have `strict` preset to `False` in `load`", "strict,", "strict=False,"),
        ("I'd like `load` to assume `False` for `strict`", "strict,", "strict=False,"),
        ("without an explicit `strict`, `load` should use `False`", "strict,", "strict=False,"),
        ("default value for `strict` in `load`: True", "strict,", "strict=True,"),
        ("for convenience, default `load`'s `strict` to `False`", "strict,", "strict=False,"),
        ("it'd be safer if `mode` had no default in `save`", 'mode="w"', "mode"),
        ("could the default of `mode` in `save` be removed?", 'mode="w"', "mode"),
        ("`save` should be callable with `sep=1`", '"w")', '"w", sep=1)'),
        ("abolish the default of `mode` in `save`", 'mode="w"', "mode"),
    ],
)  # fmt: skip
def test_a_parameter_and_its_default_come_and_go_as_the_sentence_says(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("`strict` can go from the signature of `load`", ", strict", ""),
        ("simplify the signature of `load`: the parameter `strict` goes", ", strict", ""),
        ("the signature of load has one parameter too many, `strict`, remove that one", ", strict", ""),
        ("nobody needs to pass rows anymore, shrink the signature of `save` by that parameter", "rows, ", ""),
        ("`strict` is not used in `load`, drop it from the signature", ", strict", ""),
    ],
)
def test_a_parameter_goes_with_a_doubt_where_it_is_still_used(text, old, new):
    found = predicted(text, SOURCE, "python")
    assert found is not None
    assert "\n".join(found.lines) == SOURCE.replace(old, new, 1)
    assert "still used" in found.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        "do not mark `strict` of `load` as `bool`",
        "`load` should not declare `strict` as `bool`",
        "never annotate `strict` of `load` with `bool`",
        "annotate `strict` of `load` as `bool` unless it is None",
        "annotate `strict` of `load` as `bool` and pass it on",
        "is `strict` of `load` a `bool`?",
        "the return type of `save` should not be `int`",
        "`strict` of `load` should have no default, `False` is wrong",
        "`name` of `load` takes `rows`",
        "`load` should not take `sep` first",
        "`save` must not take another parameter `sep=1`",
        'give `mode` of `save` the default `"x"` and make it the first one',
        "`save` should accept `None`",
        "specify `str | None` for args in the parameter list of `read`",
        "never remove the default of `mode` in `save`",
        "throw if name is missing in load",
        "only make `strict` of `load` optional if the default is `False`",
        "`save` should not be annotated with -> `int`",
        "drop -> `bool` from `save`, add nothing",
        "the annotation on `name` in `load` can go to the docstring",
        "do not un-annotate `name` in `load`",
        "get `sep` from `load`",
        "`save` gets `sep` from the other functions",
        "pass `sep` to `save`",
        "callers should pass `sep=1` to `save`",
        "callers should not be able to pass `sep=1` to `save`",
        "leave `strict` as `False` when calling `load`",
        "leave out `strict` in `load` when `False`",
        "if `False`, leave out `strict` in `load`",
        "omit `strict` in `load` if it is `False`",
        "if `strict` is given, `load` should use `False`",
        "when calling `load`, `strict` is not passed, use `False`",
        "do not force callers to pass `mode` to `save`",
        "callers should not be forced to pass `mode` to `save`",
        "stop forcing callers to pass `mode` to `save`",
        "force `mode` on `save`",
        "feel free to leave the default of `mode` in `save`",
        "do not free `mode` of its default in `save`",
        "do not unset the default of `mode` in `save`",
        "`strict` in `load` is not a `bool`",
        "mypy complains that `strict` in `load` is not a `bool`",
        "don't tell mypy that `load` returns `str`",
        "`load`: `strict` becomes `bool`",
        "it would be nice if we didn't drop `strict` from `load`",
        "we did not drop `strict` from `load`",
        "never fall back to `False` for `strict` in `load`",
        "do not assume `False` for `strict` in `load`",
        "there's no way to pass `sep=1` to `save`",
        "without an explicit `strict`, `load` should not use `False`",
        "could `save` return None?",
        "could `mode` be None?",
        "no need to remove the parameter `strict` of `load`",
        "it would be nice if `save` took `sep=1` unless that is hard",
        "the reviewer thinks we should keep `strict` in `load`",
        "`save` is callable with `sep=1`",
        "spare `mode` in `save`",
        "we want types everywhere, so annotate it",
        "since we have no tests, do not drop `strict` from `load`",
        "since last week, `save` takes `sep=1`",
        "if it is safe, annotate `strict` of `load` as `bool`",
    ],
)
def test_what_forbids_or_limits_a_change_of_a_signature_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")


def test_that_a_function_returns_a_type_is_no_value_that_it_is_to_return():
    assert doubted("`load` returns `float`", SOURCE, "python")
