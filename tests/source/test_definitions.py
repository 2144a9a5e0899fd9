import pytest

from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax, parse

PYTHON = """import os.path
from a import b as c, d


# about load
# and more
@cached
@timed(
    3,
)
def load(path,
         mode="r"):
    return 1


class Store:
    def get(self):
        def inner():
            pass
        return inner

    x = 1  # of x
    async def put(self): ...
"""
JAVASCRIPT = """import React, { useState as state } from 'react';
/** Loads. */
export default class Store {
  static async load(path) { return 1; }
  handler = () => {};
}
export const read = async (path) => {
  return path;
};
module.exports.write = function (x) {};
const plain = 1;
"""
TYPESCRIPT = """export interface Shape { area(): number }
type Id = string;
@Component({})
export class View {
  private draw(): void {}
}
namespace Geo { export function f(): void {} }
"""
GO = """package main

import (
	"fmt"
	io2 "io"
)

// Store keeps.
type Store struct{ n int }

func (s *Store) Load(x int) error {
	return nil
}

func main() {}
"""
RUST = """use std::{fmt, io as stdio};

/// Keeps.
#[derive(Debug)]
pub struct Store<T> {
    n: T,
}

impl<T> Store<T> {
    pub fn load(&self) {}
}
mod inner {
    fn f() {}
}
"""
JAVA = """import java.util.List;
/** Keeps. */
public class Store {
    @Override
    public void load(int a) {
    }
    Store() {}
}
"""
C = """#include <stdio.h>
#define MAX(a, b) a
typedef struct { int n; } store_t;
struct point { int x; };
int proto(int);
static int *load(int a)
{
    return 0;
}
"""
CPP = """namespace geo {
class Shape {
 public:
  int area() const { return 1; }
};
}
int geo::Shape::side(int x) { return x; }
template <class T>
T twice(T x) { return x + x; }
template <class T>
T Box<Map<int, T>>::get(int x) { return x; }
"""


def found(text, language):
    return {d.dotted: (d.start + 1, d.stop) for d in definitions(Syntax(tuple(text.splitlines()), language))}


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        (
            "python",
            PYTHON,
            {
                "load": (5, 13),
                "Store": (16, 23),
                "Store.get": (17, 20),
                "Store.get.inner": (18, 19),
                "Store.put": (23, 23),
            },
        ),
        (
            "javascript",
            JAVASCRIPT,
            {
                "Store": (2, 6),
                "Store.load": (4, 4),
                "Store.handler": (5, 5),
                "read": (7, 9),
                "module.exports.write": (10, 10),
            },
        ),
        (
            "typescript",
            TYPESCRIPT,
            {
                "Shape": (1, 1),
                "Shape.area": (1, 1),
                "Id": (2, 2),
                "View": (3, 6),
                "View.draw": (5, 5),
                "Geo": (7, 7),
                "Geo.f": (7, 7),
            },
        ),
        ("go", GO, {"Store": (8, 9), "Store.Load": (11, 13), "main": (15, 15)}),
        ("rust", RUST, {"Store": (9, 11), "Store.load": (10, 10), "inner": (12, 14), "inner.f": (13, 13)}),
        ("java", JAVA, {"Store": (2, 8), "Store.load": (4, 6), "Store.Store": (7, 7)}),
        ("c", C, {"MAX": (2, 2), "store_t": (3, 3), "point": (4, 4), "load": (6, 9)}),
        (
            "cpp",
            CPP,
            {
                "geo": (1, 6),
                "geo.Shape": (2, 5),
                "geo.Shape.area": (4, 4),
                "geo.Shape.side": (7, 7),
                "twice": (8, 9),
                "Box.get": (10, 11),
            },
        ),
    ],
)
def test_definitions_have_qualified_names_and_all_that_belongs_to_them(language, text, wanted):
    assert found(text, language) == wanted


def test_an_implementation_and_its_struct_share_a_name_but_not_a_kind():
    items = [d for d in definitions(Syntax(tuple(RUST.splitlines()), "rust")) if d.dotted == "Store"]
    assert [(d.kind, d.start + 1) for d in items] == [("struct", 3), ("impl", 9)]


def test_operators_of_cpp_have_names_of_their_own():
    signs = ("+", "<", "<<", "<=>", "()", "[]", "->", "==")
    text = (
        "struct A {",
        *(f"  A& operator{sign}(int) {{}}" for sign in signs),
        "};",
        "bool B<T>::operator<(B) {}",
    )
    names = [item.path for item in definitions(parse(text, "cpp"))]
    assert names == [("A",), *(("A", f"operator{sign}") for sign in signs), ("B", "operator<")]


def test_the_body_begins_behind_a_signature_of_several_lines():
    load = definitions(Syntax(tuple(PYTHON.splitlines()), "python"))[0]
    assert (load.header + 1, load.body + 1) == (11, 13)


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", PYTHON, {"os.path", "c", "d"}),
        ("javascript", JAVASCRIPT, {"React", "state"}),
        ("go", GO, {"fmt", "io2"}),
        ("rust", RUST, {"fmt", "stdio"}),
        ("java", JAVA, {"List"}),
        ("c", C, {"#include <stdio.h>"}),
    ],
)
def test_imports_are_known_by_the_names_they_bind(language, text, names):
    assert {
        name for item in imports(Syntax(tuple(text.splitlines()), language)) for name in item.names
    } == names


def test_identifiers_leave_out_comments_and_strings():
    syntax = Syntax(("load(x)  # load", "y = 'load'", "z.load = load"), "python")
    assert syntax.identifiers["load"] == (0, 2, 2)
    assert [node.start_point.row for node in syntax.identifier_nodes("load")] == [0, 2, 2]


def test_a_name_is_found_whole_and_without_the_mark_of_a_private_one():
    syntax = Syntax(("class A { #ab = 'é'; get() { return this.#ab + ab + abc + cab } }",), "javascript")
    assert [syntax.text(node) for node in syntax.identifier_nodes("ab")] == ["#ab", "#ab", "ab"]
    assert [*syntax.identifier_nodes("#ab"), *syntax.identifier_nodes("")] == []


def test_lines_are_the_documents_whatever_else_a_line_may_hold():
    syntax = Syntax(("a = '\x0c\u2028'", "b = 1"), "python")
    assert syntax.identifiers["b"] == (1,)
    assert syntax.damage == 0


def test_broken_code_is_damaged_and_text_has_no_syntax():
    assert Syntax(("def f(:",), "python").damage > 0
    assert parse(("def f(:",), "text") is None


@pytest.mark.parametrize(
    "language", ["python", "javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp"]
)
def test_an_empty_text_parses_in_every_language(language):
    assert Syntax((), language).damage == 0
