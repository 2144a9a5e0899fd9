"""Members of enumerations, derived traits and imports that are added."""

from __future__ import annotations

import pytest

from .reading import doubted, surely

PYTHON = """\
from enum import Enum


class Status(Enum):
    NEW = "new"
    PAID = "paid"

    def label(self):
        done = 1
        return self.value


class Order:
    STATUS = "new"
"""
SCRIPT = """\
export enum Role {
  Admin = "admin",
  Editor = "editor",
}
"""
JAVA = """\
class Booking {
    enum State { OPEN, CONFIRMED }

    enum Sign {
        PLUS(1), MINUS(2);
    }
}
"""
RUST = """\
use std::collections::HashMap;
use std::fmt;

#[derive(Debug)]
pub enum Level {
    Info,
    Warning,
}

#[derive(Debug, Clone)]
pub struct Sample {
    value: f64,
}

impl fmt::Display for Sample {
    fn fmt(&self) {
        println!("{}", self.value);
    }
}
"""
GO = """\
package pool

import (
	"fmt"
	"sync"
)

var x sync.Mutex
"""


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        ('add LOST = "lost" to Status', PYTHON, "python", '"paid"\n', '"paid"\n    LOST = "lost"\n'),
        (
            'add a `LOST = "lost"` status to the Status enum',
            PYTHON,
            "python",
            '"paid"\n',
            '"paid"\n    LOST = "lost"\n',
        ),
        (
            'add a `Guest = "guest"` role to Role',
            SCRIPT,
            "typescript",
            'tor",\n',
            'tor",\n  Guest = "guest",\n',
        ),
        ("add LOST to State", JAVA, "java", "CONFIRMED }", "CONFIRMED, LOST }"),
        ("add a Fatal variant to Level", RUST, "rust", "    Warning,\n", "    Warning,\n    Fatal,\n"),
    ],
)
def test_an_enumeration_gets_a_member(text, source, language, old, new):
    assert surely(text, source, language) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        ('add LOST = "lost" to Order', PYTHON, "python"),
        ('add LOST = "paid" to Status', PYTHON, "python"),
        ("add LOST to Status", PYTHON, "python"),
        ('don\'t add LOST = "lost" to Status', PYTHON, "python"),
        ("add Guest to Role", SCRIPT, "typescript"),
        ("add OPEN to State", JAVA, "java"),
        ("add TIMES to Sign", JAVA, "java"),
        (
            "add Fatal to Level",
            RUST + "fn f(l: Level) { match l { Level::Info => 1, Level::Warning => 2 } }\n",
            "rust",
        ),
    ],
)
def test_a_member_unlike_the_others_or_of_no_enumeration_is_not_sure(text, source, language):
    assert doubted(text, source, language)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("derive PartialEq for Sample", "Debug, Clone", "Debug, Clone, PartialEq"),
        ("Level should derive Clone as well", "#[derive(Debug)]", "#[derive(Debug, Clone)]"),
        ("add Default to the derives of Sample", "Debug, Clone", "Debug, Clone, Default"),
    ],
)
def test_a_type_of_rust_derives_a_trait(text, old, new):
    assert surely(text, RUST, "rust") == RUST.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "derive Eq for Sample",
        "derive Copy for Level",
        "derive Display for Sample",
        "derive Serialize for Sample",
        "derive Debug for Level",
        "don't derive Clone for Level",
        "derive Clone for Sample or Level",
    ],
)
def test_a_trait_that_it_has_or_that_needs_another_is_not_surely_derived(text):
    assert doubted(text, RUST, "rust")


@pytest.mark.parametrize("text", ["import strings as well", "add the strings import", 'add import "strings"'])
def test_a_package_of_go_is_imported_where_gofmt_would_put_it(text):
    assert surely(text, GO, "go") == GO.replace('\t"sync"', '\t"strings"\n\t"sync"')


@pytest.mark.parametrize(
    "text", ["import fmt", "import github.com/a/b", "don't import strings", "import strings if x needs it"]
)
def test_a_package_that_is_there_or_belongs_to_another_group_is_left_alone(text):
    assert doubted(text, GO, "go")


def test_a_path_of_rust_is_imported_in_order_and_macros_keep_their_sign():
    wanted = RUST.replace("use std::fmt;", "use std::collections::HashSet;\nuse std::fmt;")
    assert surely("use std::collections::HashSet too", RUST, "rust") == wanted
    assert doubted("std::collections::HashSet", RUST, "rust")
    last = RUST.replace("use std::fmt;", "use std::fmt;\nuse std::collections::HashSet;")
    assert surely("let the imports end with `use std::collections::HashSet;`", RUST, "rust") == last
    wanted = RUST.replace("println!", "eprintln!")
    assert surely("use eprintln! instead of println! in fmt", RUST, "rust") == wanted
