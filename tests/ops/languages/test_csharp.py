"""C#: what a language gets from its one file."""

from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax
from tests.ops.carried import carried, op, outcome, rename

STORE = """\
using System;
using System.IO;

namespace Shop.Storage
{
    /// <summary>Keeps things.</summary>
    [Serializable]
    public class Store : Base
    {
        private const int Limit = 3;
        private static readonly int[] Sizes = { 1, 2 };

        public Store(string root) { Root = root; }

        public string Root { get; set; } = ".";

        public int Load(string path, int tries = 3)
        {
            var found = File.ReadAllText(path);
            if (found.Length == 0)
            {
                return 0;
            }
            foreach (var line in found.Split('\\n'))
            {
                Console.WriteLine($"{found}: {line}");
            }
            return found.Length; // found
        }
    }

    public enum Color { Red, Green = 2 }
}
"""


def edited(*operations: dict[str, object], text: str = STORE) -> str:
    return carried(text, *operations, language="csharp")


def test_definitions_and_imports_are_found():
    syntax = Syntax(tuple(STORE.splitlines()), "csharp")
    assert [(item.kind, item.dotted, item.start + 1, item.stop) for item in definitions(syntax)] == [
        ("namespace", "Shop.Storage", 4, 33),
        ("class", "Shop.Storage.Store", 6, 30),
        ("method", "Shop.Storage.Store.Store", 13, 13),
        ("method", "Shop.Storage.Store.Root", 15, 15),
        ("method", "Shop.Storage.Store.Load", 17, 29),
        ("enum", "Shop.Storage.Color", 32, 32),
    ]
    assert [sorted(item.names) for item in imports(syntax)] == [["using System"], ["IO"]]


def test_a_local_variable_is_renamed_in_interpolated_strings_too():
    text, made = outcome(STORE, rename("Load.found", "text"), language="csharp")
    assert text == STORE.replace("found", "text").replace("// text", "// found")
    assert made.notes == ("comments hold `found` too (line 28); the option `comments` renames them",)


def test_what_a_literal_gives_a_member_is_no_local_variable():
    text = "class A { void F() { int n = 0; Use(new B { n = n }); } }\n"
    assert edited(rename("n", "m"), text=text) == text.replace("n = 0", "m = 0").replace("= n }", "= m }")


@pytest.mark.parametrize("target", ["Load", "Store.Root", "Color"])
def test_what_other_files_may_name_is_not_renamed(target):
    with pytest.raises(OperationRefused, match="use a language server for this one"):
        edited(rename(target, "Other"))


def test_usings_come_in_their_order():
    added = edited(op("add-import System.Collections.Generic"))
    assert added == STORE.replace("using System.IO;", "using System.Collections.Generic;\nusing System.IO;")
    alias = edited(op("add-import System.Text --alias T"))
    assert "using System.IO;\nusing T = System.Text;\n" in alias
    assert edited(op("remove-import System.IO")) == STORE.replace("using System.IO;\n", "")
    with pytest.raises(OperationRefused, match="`member` has no meaning in this language"):
        edited(op("add-import System Console"))


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (op("set-value Limit 5"), "Limit = 3", "Limit = 5"),
        (op("annotate Store.Limit long"), "const int", "const long"),
        (op("add-base Store IDisposable"), ": Base", ": Base, IDisposable"),
        (op("remove-base Store Base"), "Store : Base", "Store"),
        (op("add-modifier Store sealed"), "public class", "public sealed class"),
        (op("remove-modifier Sizes readonly"), "static readonly", "static"),
        (op("add-modifier Limit internal"), "private const", "internal const"),
        (op("negate 'if (found.Length == 0)' Load"), "if (found.Length == 0)", "if (!(found.Length == 0))"),
        (op("remove-decorator Store Serializable"), "    [Serializable]\n", ""),
    ],
)
def test_an_operation_changes_what_it_names_and_nothing_else(operation, old, new):
    assert STORE.count(old) == 1
    assert edited(operation) == STORE.replace(old, new)


def test_the_value_and_the_type_of_a_property_are_set():
    value = op("set-value Store.Root@15 '\"/\"'")
    assert edited(value) == STORE.replace('} = "."', '} = "/"')
    annotated = op("annotate Store.Root object")
    assert edited(annotated) == STORE.replace("public string Root", "public object Root")
    short = "class A {\n    int P => /* first */ 1;\n}\n"
    assert edited(op("set-value A.P 2"), text=short) == short.replace("1", "2")
