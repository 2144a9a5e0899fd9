"""Docstrings, decorators, coroutines and base classes, in whatever words it is said."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

SOURCE = '''\
import functools


class Base:
    pass


class Store:
    def find(self, key):
        """Find it."""
        return key

    @property
    def label(self):
        return "a"

    @label.setter
    def label(self, value):
        self.value = value


@functools.cache
def load(name):
    return name


async def wait(name):
    return name
'''
_DOC = '        """Find it."""\n'


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("have `find` begin directly with its code rather than with a docstring", _DOC, ""),
        ("everything between the triple quotes at the start of `find` should be deleted, quotes included", _DOC, ""),
        ("keep `find` as it is, minus the docstring", _DOC, ""),
        ("the docstring under the signature of `find` has to go", _DOC, ""),
        ("delete the string literal that documents find", _DOC, ""),
        ("find -> docstring gone", _DOC, ""),
        ("the docs of `find` say nothing, get rid of that docstring", _DOC, ""),
        ('create a docstring in `load` containing "Read it."', "return name", '"""Read it."""\n    return name'),
        ('"Read it." <- what the docstring of load should be', "return name", '"""Read it."""\n    return name'),
        ("attach `@final` to `find`", "    def find", "    @final\n    def find"),
        ("`find` <- `@final`", "    def find", "    @final\n    def find"),
        ("stamp find with `@final`", "    def find", "    @final\n    def find"),
        ("give `find` a `@final`", "    def find", "    @final\n    def find"),
        ("there's no `@final` on find, add one", "    def find", "    @final\n    def find"),
        ("the definition of `find` should be preceded by `@final`", "    def find", "    @final\n    def find"),
        ("`find` should carry '@final'", "    def find", "    @final\n    def find"),
        ("`@functools.cache` above `load` has to go", "@functools.cache\n", ""),
        ("load no longer needs `@functools.cache`, remove it", "@functools.cache\n", ""),
        ("`load` works without `@functools.cache`, so take it away", "@functools.cache\n", ""),
        ("`load` is not supposed to be `@functools.cache`", "@functools.cache\n", ""),
        ("`@property` on `label` can go", "    @property\n", ""),
        ("transform `load` into a coroutine", "def load", "async def load"),
        ("`load` is sync, switch it to async", "def load", "async def load"),
        ("callers will await `load`, add the async keyword to it", "def load", "async def load"),
        ("make an async function out of load", "def load", "async def load"),
        ("`load` isn't async yet, change that", "def load", "async def load"),
        ("`load`: should be async, isn't", "def load", "async def load"),
        ("`wait`: async -> sync", "async def wait", "def wait"),
        ("part of a larger refactoring: 'load': async", "def load", "async def load"),
        ("rather than a plain function `load` should be a coroutine", "def load", "async def load"),
        ("strip the async off the signature of `wait`", "async def wait", "def wait"),
        ("`wait` is async but should be sync", "async def wait", "def wait"),
        ("change `wait` from an async function to a normal one", "async def wait", "def wait"),
        ("make an ordinary function out of `wait`, not a coroutine", "async def wait", "def wait"),
        ("I don't want `wait` to be a coroutine", "async def wait", "def wait"),
        ("the async of `wait` can go", "async def wait", "def wait"),
        ("turn wait into a plain function", "async def wait", "def wait"),
        ("declare Store as a subclass of Model", "class Store", "class Store(Model)"),
        ("`Model` is missing as a base of `Store`", "class Store", "class Store(Model)"),
        ("Model becomes a parent of `Store`", "class Store", "class Store(Model)"),
        ("add 'Model' as a parent to 'Store'", "class Store", "class Store(Model)"),
        ("`Store` must extend `Model`", "class Store", "class Store(Model)"),
        ("`Base` is the parent class of `Store`, declare it like that", "class Store", "class Store(Base)"),
        ("let Store inherit from Base", "class Store", "class Store(Base)"),
        ("subclass `Base` with `Store`", "class Store", "class Store(Base)"),
        ("add async to `load`", "def load", "async def load"),
        ("un-async `wait`", "async def wait", "def wait"),
        ("`Store` must be a `Model`", "class Store", "class Store(Model)"),
        ("`Store` should be a kind of `Model`", "class Store", "class Store(Model)"),
        ("mix `Model` into `Store`", "class Store", "class Store(Model)"),
        ("insert `Model` into `Store`'s bases", "class Store", "class Store(Model)"),
        ("free `find` of its docstring", _DOC, ""),
        ("add `Model` to the superclasses of `Store`", "class Store", "class Store(Model)"),
        ("in the class header of `Store`, add `Model`", "class Store", "class Store(Model)"),
        ("base `Store` on `Model`", "class Store", "class Store(Model)"),
        ("`Store` should be based on `Model`", "class Store", "class Store(Model)"),
        ("`Store` should be built on `Model`", "class Store", "class Store(Model)"),
        ("detach `@property` from `label`", "    @property\n", ""),
        ("free `label` from `@property`", "    @property\n", ""),
        ("with `Base` as its superclass, `Store` would be right", "class Store", "class Store(Base)"),
        ("document `load`: Read it.", "return name", '"""Read it."""\n    return name'),
        ("explain `load` in a docstring: Read it.", "return name", '"""Read it."""\n    return name'),
        ('provide a docstring ("Read it.") for `load`', "return name", '"""Read it."""\n    return name'),
        ('`load` is undocumented, add "Read it."', "return name", '"""Read it."""\n    return name'),
        ("could the docstring of `find` be taken out?", '        """Find it."""\n', ""),
        ("could `@final` be put on `find`?", "    def find", "    @final\n    def find"),
        ("it would be nice if `load` was async", "def load", "async def load"),
        ("could `load` be made async?", "def load", "async def load"),
    ],
)  # fmt: skip
def test_the_head_of_a_definition_changes_as_the_sentence_says(text, old, new):
    found = predicted(text, SOURCE, "python")
    assert found is not None
    assert "\n".join(found.lines) == SOURCE.replace(old, new, 1)


def test_a_base_that_is_defined_below_is_doubted():
    assert "class Base(Store)" in "\n".join(
        predicted("let `Base` inherit from `Store`", SOURCE, "python").lines
    )
    assert doubted("let `Base` inherit from `Store`", SOURCE, "python")


def test_a_class_that_extends_another_is_no_list_that_grows():
    source = 'class Store(Base):\n    pass\n\n\nCOLORS = {\n    "Store": ["red", 1],\n}\n'
    assert "class Store(Base, Model)" in "\n".join(
        predicted("`Store` must extend `Model`", source, "python").lines
    )


@pytest.mark.parametrize(
    "text",
    [
        "do not make `load` async",
        "`load` is async",
        "never turn `wait` into a plain function",
        "there is no need to add `@final` to `find`",
        "`find` should not carry `@final`",
        "the docstring of `find` should not go",
        "do not attach `@final` to `find`",
        "keep the docstring of `find`",
        "find the docstring and drop it",
        "`Store` should not inherit from `Base`",
        "`Store` is extended by `Model`",
        "make `load` async only if it reads",
        "add the docstring 'Sets.' to label",
        "the default of `name` should not go",
        "`Store` is a `Model`",
        "`Store` should not be a `Model`",
        "do not mix `Model` into `Store`",
        "don't detach `@property` from `label`",
        "feel free to keep `@property` on `label`",
        "feel free to improve the docstring of `find`",
        "do not free `find` of its docstring",
        "document in the signature that `load` gives `Model`",
        "don't add async to `load`",
        "could `load` be async?",
        "document `load`: Keep it short.",
        "docstring of `load`: Should be shorter.",
        "explain `load`: It is too long",
        'give `load` a docstring, but not "Hi."',
        "do not undo `@property` on `label`",
        "it would be wrong if `load` was async",
        "it would be great if `load` wasn't async",
        "`Store` doesn't inherit from `Base` yet, and should not",
        "leave `load` alone",
        "for now, leave `load` alone",
    ],
)
def test_what_forbids_or_limits_a_change_of_a_head_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")


def test_a_docstring_that_goes_is_no_text_of_the_code():
    assert surely("remove the docstring of `find`", SOURCE, "python") == SOURCE.replace(_DOC, "")
