"""Ruby: what a language gets from its one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.errors import OperationRefused
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax
from tests.ops.carried import carried, op, refused

STORE = """\
require "set"
require_relative "base"

module Shop
  class Store < Base
    LIMIT = 3

    attr_reader :root

    def initialize(root)
      @root = root
    end

    def self.open(path) = new(path)

    def root=(value)
      @root = value
    end

    # Loads all.
    def load(path, tries: 3)
      return nil unless exist?(path) # why

      if tries == 0
        log(path)
      else
        retry_later
      end
      lines.each do |line|
        puts "#{line}"
      end
      path
    rescue IOError => e
      nil
    end

    def empty?
      lines.end.zero?
    end

    private

    def log(path); end
  end
end
"""


def edited(*operations: dict[str, object], text: str = STORE) -> str:
    return carried(text, *operations, language="ruby")


def merged(update: str, text: str = STORE):
    return Engine("/nowhere").apply(EditRequest(Document.from_text(text, Path("store.rb")), update=update))


def test_definitions_and_imports_are_found():
    syntax = Syntax(tuple(STORE.splitlines()), "ruby")
    assert syntax.damage == 0
    assert [(item.kind, item.dotted, item.start + 1, item.stop) for item in definitions(syntax)] == [
        ("module", "Shop", 4, 45),
        ("class", "Shop.Store", 5, 44),
        ("method", "Shop.Store.initialize", 10, 12),
        ("class method", "Shop.Store.open", 14, 14),
        ("method", "Shop.Store.root=", 16, 18),
        ("method", "Shop.Store.load", 20, 35),
        ("method", "Shop.Store.empty?", 37, 39),
        ("method", "Shop.Store.log", 43, 43),
    ]
    assert [item.start for item in imports(syntax)] == [0, 1]


@pytest.mark.parametrize(
    "update",
    [
        "    def empty?\n      if lines\n        lines.end.zero?\n    end\n",
        "    def empty?\n      lines.end.zero?\n      end\n    end\n",
    ],
)
def test_a_sketch_with_an_end_too_few_or_too_many_is_held_back(update):
    result = merged(update)
    assert result.status is Status.SUSPECT
    assert any("syntax error" in said for said in result.reasons)


def test_an_end_that_closes_nothing_is_an_error_and_a_method_of_that_name_is_none():
    assert Syntax(("class A", "end", "end"), "ruby").damage == 1
    assert Syntax(("def end; 1; end", "a.end", "b(end: 2)", "c = :end"), "ruby").damage == 0


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (op("set-value LIMIT 5"), "LIMIT = 3", "LIMIT = 5"),
        (op("negate 'if tries == 0' load"), "tries == 0", "tries != 0"),
        (op("set-docstring load Reads."), "# Loads all.", "# Reads."),
        (op("add-comment Why. 'empty?'"), "    def empty?", "    # Why.\n    def empty?"),
        (op("remove-comment load 'return nil unless exist?(path) # why'"), " # why", ""),
        (op("insert 'empty?' done last"), "      lines.end.zero?\n", "      lines.end.zero?\n      done\n"),
        (op("remove-statement 'log(path)' load"), "        log(path)\n", ""),
        (op("delete Store.root="), "    def root=(value)\n      @root = value\n    end\n\n", ""),
    ],
)
def test_an_operation_changes_what_it_names_and_nothing_else(operation, old, new):
    assert STORE.count(old) == 1
    assert edited(operation) == STORE.replace(old, new)


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (op("insert load a after 'rescue IOError => e'"), "is a case"),
        (op("insert size a first"), "is an expression"),
        (op("rename load read"), "does not exist in ruby"),
    ],
)
def test_what_is_not_followed_is_refused(operation, why):
    text = STORE.replace("    def empty?", "    def size =\n      lines.count\n\n    def empty?")
    with pytest.raises(OperationRefused, match=why):
        edited(operation, text=text)


def test_lines_of_a_heredoc_stay_where_they_are_when_code_is_indented():
    code = "def text\n  <<-EOS\nplain\n  EOS\nend"
    assert "\nplain\n" in edited({"op": "add", "code": code, "where": "after", "anchor": "empty?"})


RESULT = "def f(a)\n  b = a\n  %s\nend\n"


@pytest.mark.parametrize("result", ["b", "a + 1", "[a, b]", "if a then b else 1 end", "@a"])
@pytest.mark.parametrize("where", ["last", "after"])
def test_nothing_is_inserted_below_an_expression_that_can_but_be_the_result(result, where):
    anchor = {"anchor": "@3"} if where == "after" else {}
    operation = {"op": "insert", "function": "f", "code": "log", "where": where, **anchor}
    assert "line 3 ends what `f` runs there; insert before it" in refused(
        RESULT % result, operation, language="ruby"
    )


@pytest.mark.parametrize("last", ["load", "a.close", "@a << b", "b = 2", "yield b", "super"])
def test_code_is_inserted_below_an_expression_that_does_something(last):
    operation = op("insert f log last")
    text = RESULT % last
    assert carried(text, operation, language="ruby") == text.replace("end\n", "  log\nend\n")


HEREDOC = "def f(a)\n  log(<<~A, a, <<~B)\n    one\n  A\n    two\n  B\nend\n\nX = <<~E\n  x\nE\nY = 2\n"


@pytest.mark.parametrize(
    ("operation", "before", "after"),
    [
        (op("insert f g"), "  B\nend", "  B\n  g\nend"),
        (op("remove-statement @2 f"), HEREDOC[9 : HEREDOC.index("end")], ""),
        (op("delete X"), "X = <<~E\n  x\nE\n", ""),
        (op("add 'Z = 3' after X"), "\nE\n", "\nE\nZ = 3\n"),
        (op("replace '<<~A' '<<~A.strip'"), "<<~A", "<<~A.strip"),
    ],
)
def test_a_heredoc_belongs_to_the_statement_that_begins_it(operation, before, after):
    assert carried(HEREDOC, operation, language="ruby") == HEREDOC.replace(before, after)


@pytest.mark.parametrize("operation", [op("set-value X 3"), op("replace '<<~B' nil")])
def test_an_edit_that_would_leave_the_text_of_a_heredoc_as_code_is_refused(operation):
    assert "would be code; change it by hand" in refused(HEREDOC, operation, language="ruby")
