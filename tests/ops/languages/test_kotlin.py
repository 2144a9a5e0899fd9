"""Kotlin: what a language gets from its one file."""

from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax
from tests.ops.carried import carried, op, rename

STORE = """\
package shop

import java.io.File
import java.io.IOException as Failure
import shop.items.*

/** Keeps things. */
@Keep
class Store(private val root: String) : Closeable {
    private var limit = 3
    val size: Int
        get() {
            return limit
        }

    init {
        load("a", tries = 2)
    }

    constructor() : this("a") {
        limit = 4
    }

    fun load(path: String, tries: Int = 3): Int {
        val found = File(root, path)
        if (!found.exists()) return 0
        found.forEachLine { line ->
            println("$found: ${line.length} of \\$found")
        }
        return found.length // found
    }

    override fun close() = Unit

    companion object {
        fun open(): Store = Store("a")
    }
}

enum class Level(val rank: Int) { LOW(1), HIGH(2) }

fun String.asKey(): String = trim()
"""


def edited(*operations: dict[str, object], text: str = STORE) -> str:
    return carried(text, *operations, language="kotlin")


def test_definitions_and_imports_are_found():
    syntax = Syntax(tuple(STORE.splitlines()), "kotlin")
    assert not syntax.root.has_error
    assert [(item.kind, item.dotted, item.start + 1, item.stop) for item in definitions(syntax)] == [
        ("class", "Store", 7, 38),
        ("property", "Store.size", 11, 14),
        ("initializer", "Store.init", 16, 18),
        ("constructor", "Store.constructor", 20, 22),
        ("function", "Store.load", 24, 31),
        ("function", "Store.close", 33, 33),
        ("function", "Store.open", 36, 36),
        ("class", "Level", 40, 40),
        ("function", "asKey", 42, 42),
    ]
    assert [sorted(item.names) for item in imports(syntax)] == [["File"], ["Failure"], ["*"]]


def test_a_local_variable_is_renamed_in_strings_that_show_it_too():
    expected = STORE.replace("found", "file").replace("\\$file", "\\$found").replace("// file", "// found")
    assert edited(rename("load.found", "file")) == expected


def test_a_local_variable_is_seen_from_its_declaration_on_only():
    text = "class A(val n: Int) {\n    fun f() {\n        val n = n + 1\n        print(n)\n    }\n}\n"
    assert edited(rename("f.n", "m"), text=text) == text.replace("val n = n", "val m = n").replace(
        "print(n)", "print(m)"
    )


def test_what_an_argument_is_named_by_and_what_stands_behind_a_dot_are_no_variables():
    text = "fun f() {\n    val n = 0\n    g(n = n, m = a.n)\n}\n"
    assert edited(rename("n", "k"), text=text) == text.replace("val n", "val k").replace("n = n", "n = k")


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("Store.load", "may be overloaded, or a member, in what other files have"),
        ("Store.size", "may be overloaded, or a member, in what other files have"),
        ("load.path", "may be named by calls in other files"),
    ],
)
def test_what_other_files_may_name_is_not_renamed(target, why):
    with pytest.raises(OperationRefused, match=why):
        edited(rename(target, "other"))


def test_a_member_of_an_object_without_a_name_is_not_renamed():
    text = "fun f() {\n    val a = object : B {\n        val n = 0\n    }\n}\n"
    with pytest.raises(OperationRefused, match="`n` is of a class without a name"):
        edited(rename("n", "k"), text=text)


def test_a_loop_does_not_take_a_break_from_the_one_around():
    text = "fun f() {\n    while (a) {\n        break\n    }\n}\n"
    with pytest.raises(OperationRefused, match="`break` on line 3 would belong to the new code around it"):
        edited(op("wrap 'for (i in b)' break f"), text=text)


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (op("set-value Store.limit 5"), "limit = 3", "limit = 5"),
        (op("add-modifier Store open"), "class Store(", "open class Store("),
        (op("remove-modifier limit private"), "private var", "var"),
        (op("negate 'if (!found.exists()) return 0' load"), "!found.e", "found.e"),
        (op("remove-decorator Store Keep"), "@Keep\n", ""),
        (op("add-import java.util UUID"), "as Failure\n", "as Failure\nimport java.util.UUID\n"),
        (op("remove-import java.io File"), "import java.io.File\n", ""),
        (op("insert Store.init 'check(true)' first"), "    init {\n", "    init {\n        check(true)\n"),
    ],
)
def test_an_operation_changes_what_it_names_and_nothing_else(operation, old, new):
    assert STORE.count(old) == 1
    assert edited(operation) == STORE.replace(old, new)


def test_code_is_not_inserted_where_a_function_has_no_block():
    with pytest.raises(OperationRefused, match="has no body"):
        edited(op("insert Store.close 'check(true)'"))
