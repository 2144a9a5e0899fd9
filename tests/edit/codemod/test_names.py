"""Names in place of names, as people ask for them."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import doubted

SOURCE = """\
import os


def load(path, strict):
    total = 0
    for line in open(path):
        total += len(line)
    return total


def show(path):
    # the total of a file
    print(load(path, True), os.sep)
"""
LOADED = SOURCE.replace("load(", "fetch(")


def carried_out(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The new text, and what speaks against it."""
    found = predict_instruction(SOURCE.split("\n"), "python", text)
    return found and ("\n".join(found.lines), found.reasons)


@pytest.mark.parametrize(
    "text",
    [
        "`fetch` is a better name than `load`, use that",
        "the function `load` needs a new name, make it `fetch`",
        "I'd rather have `load` called `fetch`",
        "we decided to call `load` `fetch`, update the code",
        "could the function `load` be renamed to `fetch`",
        "don't name it `load`, name it `fetch`",
        "substitute `fetch` for `load` as the identifier",
        "swap the name `load` out for `fetch`",
        "let's go with `fetch` as the name for `load`",
        "get rid of the name `load` in favour of `fetch`",
        "wherever the code says `load` it should say `fetch`",
        "can we have `fetch` as the name of what is `load` now",
        "rebrand `load` as `fetch`, the tests expect this",
    ],
)
def test_a_rename_is_understood_in_whatever_order_it_is_asked_for(text):
    assert carried_out(text) == (LOADED, ())


def test_what_a_plain_rename_doubts_is_doubted_in_other_words_as_well():
    found = carried_out("I want `path` to go by the name `source`")
    assert found is not None
    assert found[1] == ("`path` is a name of its own in 2 functions",)


@pytest.mark.parametrize(
    "text",
    [
        # Both names are there, or the one that is to go is not.
        "the name of `load` should be `show`",
        "let's use the name `load` for `laod`",
        "rename `laod`, call it `load` in all places",
        # The comment has the word, too, and names are not spoken of.
        "every `total` should say `amount`",
        "don't rename `load` to `fetch`",
        "have `load` call `fetch`",
        "the file name of `load` should be `fetch`",
        "rename `load` to `fetch` and delete `others`",
        "rename `load` to `fetch` and `show`",
    ],
)
def test_a_rename_that_leaves_something_open_is_not_sure(text):
    assert doubted(text, SOURCE, "python")


def test_two_wishes_are_told_apart_where_quoted_names_stand_beside_the_and():
    both = carried_out("rename `load` to `fetch` and delete `show`")
    assert both == carried_out("rename load to fetch and delete show")
    assert both is not None
    assert not both[1]


@pytest.mark.parametrize(
    "text",
    [
        "In load, rename `total` to `size` and `line` to `row`.",
        "in load, rename total to size and line to row",
    ],
)
def test_a_place_said_first_holds_for_all_names_of_a_list(text):
    wanted = SOURCE.replace("    total", "    size").replace("        total", "        size")
    wanted = (
        wanted.replace("return total", "return size")
        .replace("for line", "for row")
        .replace("len(line", "len(row")
    )
    assert carried_out(text) == (wanted, ())


def test_a_substitution_as_editors_take_it_renames():
    assert carried_out("s/load/fetch/") == (LOADED, ())
    assert carried_out("s/load/fetch/g") == (LOADED, ())
    assert carried_out("s/laod/fetch/") is None
    taken = carried_out("s/load/show/")
    assert taken is None or taken[1]
