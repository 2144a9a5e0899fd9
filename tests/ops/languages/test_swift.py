"""Swift: what a language gets from its one file."""

from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from fastedit.source.definitions import definitions
from fastedit.source.syntax import Syntax
from tests.ops.carried import carried, op, refused, rename

STORE = """\
import Foundation
import UIKit

/// Keeps things.
@objc(SHStore)
public final class Store: Base {
  private var limit = 3
  var size: Int {
    return limit
  }

  init(root: String) {
    self.root = root
  }

  deinit {
    close()
  }

  func load(from path: String, _ tries: Int = 3) throws -> Int {
    let found = root + path
    if !exists(found) { return 0 }
    lines.forEach { line in
      print("\\(found): \\(line.count)", at: .found)
    }
    return found.count // found
  }
}

extension Store: Closeable {
  func close() {}
}

enum Level: Int { case low = 1, high }

protocol Closeable {
  func close()
}
"""


def edited(*operations: dict[str, object], text: str = STORE) -> str:
    return carried(text, *operations, language="swift")


def test_definitions_are_found():
    syntax = Syntax(tuple(STORE.splitlines()), "swift")
    assert not syntax.root.has_error
    assert [(item.kind, item.dotted, item.start + 1, item.stop) for item in definitions(syntax)] == [
        ("class", "Store", 4, 28),
        ("property", "Store.size", 8, 10),
        ("initializer", "Store.init", 12, 14),
        ("initializer", "Store.deinit", 16, 18),
        ("function", "Store.load", 20, 27),
        ("class", "Store", 30, 32),
        ("function", "Store.close", 31, 31),
        ("class", "Level", 34, 34),
        ("interface", "Closeable", 36, 38),
        ("function", "Closeable.close", 37, 37),
    ]


def test_a_local_variable_is_renamed_in_strings_that_show_it_too():
    expected = STORE.replace("found", "file").replace(".file", ".found").replace("// file", "// found")
    assert edited(rename("load.found", "file")) == expected


@pytest.mark.parametrize(
    ("text", "target", "why"),
    [
        (STORE, "Store.load", "may be overloaded, or a member, in what other files have"),
        (STORE, "load.path", "may be named by calls in other files"),
        (STORE, "init.root", "may be named by calls in other files"),
        ("func f() {\n  let n = g()\n  if let n { h(n) }\n}\n", "n", "how line 3 binds `n` is not followed"),
        ("func f() {\n  let n = g()\n  switch a {\n  case n: h()\n  }\n}\n", "n", "how line 4 binds `n`"),
    ],
)
def test_what_other_files_may_name_or_is_not_followed_is_not_renamed(text, target, why):
    with pytest.raises(OperationRefused, match=why):
        edited(rename(target, "other"), text=text)


def test_several_conditions_are_not_negated_by_the_first():
    with pytest.raises(OperationRefused, match="several conditions"):
        edited(op("negate 'if a, b {'"), text="if a, b {\n  g()\n}\n")


def test_an_import_of_a_module_has_no_alias():
    with pytest.raises(OperationRefused, match="`alias` has no meaning in this language"):
        edited(op("add-import Combine --alias C"))


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (op("set-value Store.limit 5"), "limit = 3", "limit = 5"),
        (op("add-modifier deinit dynamic"), "  deinit", "  dynamic deinit"),
        (op("remove-modifier Store@6 final"), "public final class", "public class"),
        (op("negate 'if !exists(found) { return 0 }' load"), "!exists", "exists"),
        (op("remove-decorator Store@6 'objc(SHStore)'"), "@objc(SHStore)\n", ""),
        (op("add-import MapKit"), "import UIKit\n", "import MapKit\nimport UIKit\n"),
        (op("remove-import UIKit"), "import UIKit\n", ""),
        (op("set-docstring Level 'A level.'"), "enum L", "/// A level.\nenum L"),
        (op("insert Store.size 'check()' first"), "    return limit\n", "    check()\n    return limit\n"),
    ],
)
def test_an_operation_changes_what_it_names_and_nothing_else(operation, old, new):
    assert STORE.count(old) == 1
    assert edited(operation) == STORE.replace(old, new)


@pytest.mark.parametrize(("where", "code"), [("last", "g()"), ("after", "g()")])
def test_nothing_is_inserted_below_a_return(where, code):
    anchor = {"anchor": "return limit"} if where == "after" else {}
    with pytest.raises(OperationRefused, match="ends what"):
        edited({"op": "insert", "function": "Store.size", "code": code, "where": where, **anchor})


def test_a_type_is_meant_before_what_extends_it():
    text = "class S {\n    var a = 1\n}\nextension S {\n    func g() {}\n}\n"
    documented = carried(text, op("set-docstring S Doc."), language="swift")
    assert documented == "/// Doc.\n" + text
    added = carried(text, op("add 'var b = 2' last S"), language="swift")
    assert added == text.replace("a = 1\n", "a = 1\n    var b = 2\n")


def test_what_is_added_to_a_protocol_or_to_its_extension_is_asked_for():
    text = "protocol P {\n    func f()\n}\nextension P {\n    func g() {}\n}\n"
    assert "say which, such as P@1" in refused(text, op("add 'func h() {}' last P"), language="swift")
