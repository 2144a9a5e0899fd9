from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.keys.keyed import add_item, delete_key, done, remove_item, rename_key, set_key

TEXT = """\
{
  // what it is called
  "name": "nodemon", // on npm
  /* run by npm */
  "scripts": { "test": "mocha", "lint": "eslint" },
  "files": [
    "bin",
    "lib"
  ],
  "dependencies": {
    "a": "^1.0.0",
    "c": "^2.0.0",
    "d": "^2.0.0"
  },
  "empty": {}
}
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (set_key("name", "x"), '"nodemon"', '"x"'),
        (set_key("name", None), '"nodemon"', "null"),
        (set_key("scripts.build", "tsc"), '"eslint" }', '"eslint", "build": "tsc" }'),
        (set_key("dependencies.b", "^1"), '"^1.0.0",\n', '"^1.0.0",\n    "b": "^1",\n'),
        (set_key("empty.x", 1), "{}", '{\n    "x": 1\n  }'),
        (set_key("files", ["dist"]), '"bin",\n    "lib"', '"dist"'),
        (set_key("bugs", {"url": "u"}), '"empty": {}', '"empty": {},\n  "bugs": {\n    "url": "u"\n  }'),
        (set_key("name", "1.50", literal=True), '"nodemon"', "1.50"),
        (rename_key("dependencies", "peerDependencies"), '"dependencies"', '"peerDependencies"'),
        (delete_key("name"), '  // what it is called\n  "name": "nodemon", // on npm\n', ""),
        (delete_key("scripts.test"), '"test": "mocha", ', ""),
        (delete_key("empty"), '  },\n  "empty": {}\n', "  }\n"),
        (delete_key("files.1"), '"bin",\n    "lib"', '"bin"'),
        (add_item("files", "index.d.ts"), '"lib"\n', '"lib",\n    "index.d.ts"\n'),
        (remove_item("files", "bin"), '    "bin",\n', ""),
    ],
)
def test_only_what_changes_is_written(operation, old, new):
    assert TEXT.count(old) == 1
    assert done("package.json", TEXT, operation) == TEXT.replace(old, new)
    crlf = TEXT.replace("\n", "\r\n").rstrip()
    assert done("package.json", crlf, operation) == TEXT.replace(old, new).replace("\n", "\r\n").rstrip()


def test_a_new_first_key_stands_above_the_comment_of_the_one_that_was_first():
    old = '{\n  // Who.\n  "name": 1,\n  "size": 2,\n  "type": 3\n}\n'
    new = done("a.json", old, set_key("/base", 0))
    assert new == old.replace("{\n", '{\n  "base": 0,\n')
    assert done("a.json", new, delete_key("/base")) == old


def test_a_container_with_comments_is_not_set_as_a_whole():
    with pytest.raises(OperationRefused, match="the comment on line 2 would go too"):
        done("a.jsonc", '{"a": [\n  // why\n  1\n]}', set_key("a", []))


@pytest.mark.parametrize("text", ["", "{", '{"a": 1,,}', "a: 1"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(OperationRefused, match="cannot be read as json"):
        done("a.json", text, set_key("b", 1))


COMMENTED = '{\n  /* b */ "b": 1,\n  "c": 2\n}\n'


@pytest.mark.parametrize(("key", "left"), [("c", '  /* b */ "b": 1\n'), ("b", '  "c": 2\n')])
def test_a_comment_before_a_key_on_its_line_goes_and_stays_with_it(key, left):
    assert done("a.jsonc", COMMENTED, delete_key(key)) == "{\n" + left + "}\n"
