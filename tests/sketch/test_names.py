"""What imports bind and lines use."""

from __future__ import annotations

import pytest

from fastedit.sketch.read.names import bound_names, imports_of, is_outside, rows_with, words_of
from fastedit.sketch.read.reading import Outline


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("import os", {"os"}),
        ("import os.path", {"os"}),
        ("import numpy as np", {"np"}),
        ("from a.b import c, d as e  # unused", {"c", "e"}),
        ("from a import (\n    b,\n    c,\n)", {"b", "c"}),
        ("import React, { useState, memo as m } from 'react';", {"React", "useState", "m"}),
        ("import * as path from 'path'", {"path"}),
        ("import type { Props } from './props';", {"Props"}),
        ("import './style.css';", set()),
        ("const fs = require('fs');", {"fs"}),
        ("const { join, sep } = require('path');", {"join", "sep"}),
        ("import java.util.List;", {"List"}),
        ("use std::collections::{HashMap, BTreeMap as Map};", {"HashMap", "Map"}),
        ("use crate::store::Store;", {"Store"}),
        ('import (\n\t"fmt"\n\tlog "github.com/sirupsen/logrus"\n)', {"fmt", "log"}),
        ('import "os"', {"os"}),
        ("#include <vector>", set()),
    ],
)
def test_an_import_binds_these_names(statement, names):
    assert bound_names(statement) == names


def test_a_path_without_a_semicolon_binds_its_member_where_imports_name_members():
    assert bound_names("import java.util.List", of_members=True) == {"List"}
    assert bound_names("import java.util.List as Items", of_members=True) == {"Items"}


def test_an_import_in_brackets_is_one_statement():
    lines = ("from a import (", "    b,", "    c,", ")", "import d", "", "x = (", "    1)")
    assert imports_of(Outline(lines)) == [range(4), range(4, 5)]


def test_attributes_strings_and_comments_are_no_names():
    assert words_of('total = self.size + len("of size")  # size of all') == ("total", "self", "len")


def test_the_lines_that_names_stand_on_are_found_once_and_in_order():
    lines = ("b = a", "", "load(a, a)", "unload()", "c")
    assert rows_with(lines, ["load", "a"], range(5)) == [0, 2, 3]
    assert rows_with(lines, ["load"], range(1, 3)) == [2]
    assert rows_with(lines, [], range(5)) == rows_with((), ["a"], range(0)) == []


def test_a_name_stands_outside_of_lines_as_a_whole_word_only():
    lines = ("load(a)", "b = a", "unload($b)", "x.c")
    assert is_outside(lines, "a", range(1, 4))
    assert not is_outside(lines, "load", range(1))
    assert not is_outside(lines, "b", range(1, 2))
    assert is_outside(lines, "c", range(3))
