from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import doubted

MODULE = """\
LEVELS = ["low", "mid"]
PORTS = [
    80,
    443,
]
LIMITS = {
    "a": 1,
    "b": 2
}
ORDER = ["a", "b", "c", "f"]
PAIR = (1, 2)


async def main(path):
    start(path, timeout=3)
    done = fetch(path)
    print("{} of {}".format(done, path))
    return done
"""
PACKAGE = """\
{
  "name": "cart",
  "files": ["src"],
  "scripts": {
    "build": "tsc",
    "test": "vitest"
  },
  "private": true
}
"""
SETTINGS = """\
[project]
name = "cart"
line-length = 100

[tool.cart]
name = "other"
"""
STYLES = """\
.cart {
  color: red;
  margin: 0;
}
.total {
  color: blue;
}
"""
WORKFLOW = """\
on:
  push:
    branches:
      - main
      - dev
env:
  LEVEL: debug
"""
TYPES = """\
package cart

type Item struct {
	Name string
	Price int
}
"""
FILES = {
    "python": MODULE,
    "json": PACKAGE,
    "toml": SETTINGS,
    "css": STYLES,
    "yaml": WORKFLOW,
    "go": TYPES,
}


def understood(language: str, text: str) -> tuple[str, tuple[str, ...]] | None:
    """The new text, and what speaks against it."""
    found = predict_instruction(FILES[language].split("\n"), language, text)
    return None if found is None else ("\n".join(found.lines), found.reasons)


@pytest.mark.parametrize(
    ("language", "text", "old", "new"),
    [
        ("python", '`"high"` was forgotten in `LEVELS`, it belongs at the end', '"mid"]', '"mid", "high"]'),
        ("python", "tack `8080` onto the end of `PORTS`", "    443,\n", "    443,\n    8080,\n"),
        ("python", 'extend `LIMITS` by `"c": 3`', '"b": 2\n', '"b": 2,\n    "c": 3\n'),
        ("python", "no `80` in `PORTS` any longer", "    80,\n", ""),
        ("python", '`LEVELS` still lists `"low"`, get rid of that', '"low", ', ""),
        ("json", '`"docs"` goes last in `files`', '["src"]', '["src", "docs"]'),
        (
            "json",
            '`"lint": "eslint"` is missing in `scripts`, add it',
            '"vitest"\n',
            '"vitest",\n    "lint": "eslint"\n',
        ),
        ("toml", 'under `[project]`, add `license = "MIT"`', "100\n", '100\nlicense = "MIT"\n'),
        ("yaml", "append `- test` to `branches`", "- dev\n", "- dev\n      - test\n"),
        ("yaml", "`env` lacks `PORT: 1`", "debug\n", "debug\n  PORT: 1\n"),
        ("yaml", "kick `dev` out of `branches`", "      - dev\n", ""),
        ("css", "make sure `.cart` has `padding: 0`", "margin: 0;\n", "margin: 0;\n  padding: 0;\n"),
        ("go", "declare a new member `Count int` in `Item`", "Price int\n", "Price int\n\tCount int\n"),
    ],
)
def test_what_has_entries_gets_or_loses_one(language: str, text: str, old: str, new: str) -> None:
    assert understood(language, text) == (FILES[language].replace(old, new, 1), ())


@pytest.mark.parametrize(
    ("language", "text", "old", "new"),
    [
        ("json", "switch the value of `private` over to `false`", "true", "false"),
        ("json", "the setting `name` needs to be `basket`", '"cart"', '"basket"'),
        ("toml", "line-length ought to be 88, not 100", "100", "88"),
        ("toml", 'in tool.cart the value of `name` should be `"x"`', '"other"', '"x"'),
        ("css", "`color` in `.total` has to be `green`", "blue", "green"),
        ("json", "give the key `private` the name `hidden`", '"private"', '"hidden"'),
        ("json", "we can do without `private`", '  },\n  "private": true\n', "  }\n"),
        (
            "json",
            "`scripts` and its value should be removed",
            PACKAGE[PACKAGE.index('  "sc') : PACKAGE.index('  "pr')],
            "",
        ),
        ("css", "the margin line can be deleted", "  margin: 0;\n", ""),
    ],
)
def test_a_key_of_data_is_set_renamed_or_goes(language: str, text: str, old: str, new: str) -> None:
    assert understood(language, text) == (FILES[language].replace(old, new, 1), ())


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("hand `retries=2` to `start` as an extra argument", "timeout=3)", "timeout=3, retries=2)"),
        ("stop passing `timeout=3` to start()", ", timeout=3", ""),
        ("point the `start` call at `begin`", "start(path", "begin(path"),
        ("ditch the `fetch` call in favour of `load`", "fetch(path)", "load(path)"),
        ("`fetch(path)` is never awaited, fix that", "= fetch(path)", "= await fetch(path)"),
        (
            'modernise `"{} of {}".format(done, path)` to an f-string',
            '"{} of {}".format(done, path)',
            'f"{done} of {path}"',
        ),
    ],
)
def test_a_call_passes_something_else_or_is_another_one(text: str, old: str, new: str) -> None:
    assert understood("python", text) == (MODULE.replace(old, new, 1), ())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", '`LEVELS` should not contain `"high"`'),
        ("python", '"LEVELS" gets `"high"`'),
        ("python", '`"low"` has to be added to `LEVELS`'),
        ("python", "do not await `fetch(path)`"),
        ("python", "call `start` instead of `begin`"),
        ("python", "extend `PAIR` and `PORTS` with `3`"),
        ("toml", '`name` should be `"x"`'),
        ("css", "set `color` to `green`"),
        ("css", "`.cart` needs `color: green`"),
        ("yaml", "drop everything but `LEVEL` from `env`"),
    ],
)
def test_what_the_file_leaves_open_is_not_done(language: str, text: str) -> None:
    assert doubted(text, FILES[language], language)


def test_an_entry_of_a_list_in_order_is_only_proposed() -> None:
    found = understood("python", '`ORDER` should also contain `"d"`')
    assert found is not None
    assert found[1]


@pytest.mark.parametrize(
    "text",
    [
        "the function `main` will be awaited, it became async",
        "have the call of `print` and `fetch` pass `path`",
        "it should not call `fetch` with `retries=2`",
    ],
)
def test_what_is_said_of_a_call_is_not_done_where_it_may_mean_another(text: str) -> None:
    assert doubted(text, MODULE, "python")


@pytest.mark.parametrize(
    ("line", "text", "new"),
    [
        ("self.limit = 5", "`self.limit` should be `6`", "self.limit = 6"),
        ('host = "a"  # first', '`host` was `"a"` so far and is to become `"b"`', 'host = "b"  # first'),
        ("limit = 5", "let's try `7` for `limit`, 5 does not work", "limit = 7"),
    ],
)
def test_a_variable_is_set_in_the_one_line_that_gives_it_a_literal(line: str, text: str, new: str) -> None:
    found = predict_instruction([line, "use(1)"], "python", text)
    assert found is not None
    assert (found.lines[0], found.reasons) == (new, ())


def test_a_variable_that_is_set_twice_is_not_set_by_a_guess() -> None:
    lines = ["limit = 5", "limit = read()", "limit += 1"]
    assert predict_instruction(lines, "python", "let's try `7` for `limit`") is None


@pytest.mark.parametrize(
    "text",
    [
        'add `"x"` to `LEVELS` unless it is there',
        'add `"x"` to `LEVELS` before `"mid"`',
        'add `"x"` to the start of `LEVELS`',
        '`"low"` in `LEVELS` is not obsolete',
        'move `"low"` to the end of `LEVELS`',
        "pass `path` to `fetch` first",
        "pass `x` to `start` as the first argument",
        "keep passing `timeout=3` to `start`",
        "do not remove `timeout=3` from the call of `start`",
    ],
)
def test_conditions_other_places_and_what_is_to_stay_are_not_overheard(text: str) -> None:
    assert doubted(text, MODULE, "python")
