"""A changed text is read as if it were parsed from its start, and what did not change is known."""

import random
from collections import Counter

import pytest

from fastedit.source.definitions import defining
from fastedit.source.hunks import Hunk
from fastedit.source.syntax import Syntax

PYTHON = [
    line for n in range(12) for line in (f"def f{n}(a, b):", "    if a:", f"        return b + {n}", "")
]
C = [
    line for n in range(12) for line in (f"/* ä {n} */", f"int f{n}(int a) {{", f"  return a + {n};", "}", "")
]
JAVASCRIPT = [line for n in range(12) for line in (f"const f{n} = (a) => {{", f"  return `${{a}} {n}`", "};")]
TEXTS = {"python": PYTHON, "c": C, "javascript": JAVASCRIPT}


def nodes(syntax):
    """All nodes in order: kind, place and whether it is missing."""
    cursor, found = syntax.root.walk(), []
    while True:
        node = cursor.node
        found.append((node.type, node.byte_range, node.start_point, node.end_point, node.is_missing))
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


def some_hunks(lines, rng):
    """Up to three, anywhere: some take lines away, some bring others of the text or one that no parser reads."""
    rows = sorted(rng.sample(range(len(lines) + 1), 2 * rng.randint(1, 3)))
    stray = ["", "x = 'é'", ")", *lines]
    return [
        Hunk(start, stop, tuple(rng.choices(stray, k=rng.randint(0, 4))))
        for start, stop in zip(rows[::2], rows[1::2], strict=True)
    ]


@pytest.mark.parametrize("language", TEXTS)
def test_a_changed_text_has_the_tree_that_it_has_when_it_is_parsed_from_its_start(language):
    lines, rng = TEXTS[language], random.Random(language)
    old = Syntax(lines, language)
    for _ in range(40):
        new, _, _ = old.changed(some_hunks(lines, rng))
        assert nodes(new) == nodes(Syntax(new.lines, language))


@pytest.mark.parametrize("hunk", [Hunk(0, 0, ("a = 1",)), Hunk(1, 1, ("", "b = 2")), Hunk(0, 1, ())])
def test_the_first_line_may_be_the_last_one(hunk):
    new, _, _ = Syntax(["x = 0"], "python").changed([hunk])
    assert nodes(new) == nodes(Syntax(new.lines, "python"))


def test_only_the_definitions_around_a_change_differ():
    old = Syntax(PYTHON, "python")
    new, before, after = old.changed([Hunk(18, 19, ("        return f3(b)", "    return a"))])
    assert [path for _, path in defining(old, before)] == [("f4",)]
    assert [path for _, path in defining(new, after)] == [("f4",)]


def test_a_line_that_only_goes_still_has_definitions_around_it():
    old = Syntax(PYTHON, "python")
    new, before, after = old.changed([Hunk(17, 18, ())])
    assert (
        [path for _, path in defining(old, before)] == [path for _, path in defining(new, after)] == [("f4",)]
    )


@pytest.mark.parametrize("language", TEXTS)
def test_outside_of_what_differs_the_definitions_are_the_same(language):
    lines, rng = TEXTS[language], random.Random(language)
    old = Syntax(lines, language)
    for _ in range(40):
        new, before, after = old.changed(some_hunks(lines, rng))
        gone, come = (
            Counter(path for _, path in defining(syntax))
            - Counter(path for _, path in defining(syntax, span))
            for syntax, span in ((old, before), (new, after))
        )
        assert gone == come


# The scanner of Kotlin's grammar finds an end of a statement here again and again, none with any text.
ENDLESS = """\
        val  = if (all()) {
            t()
        return
§}
    private fun pruneDeletedObjects() {
        savedSitesSyncRepository.pruneDeleted()
            private val moshi = Moshi.Builder()
                .add(KotlinJsonAdapterFactory()).build()
            val u: JsonAdapter<SyncBookmarkRemoteUpdates> =
                moshi.adapter(SyncBookmarkRemoteUpdates::class.java)
data class SyncBookmarkRemoteUpdates(
    val bookmarks: SyncBookmarkEntries,
data class SyncBookmarkEntries(
    val entries: List<SyncSavedSitesResponseEntry>,
    val last_modified: String,
)"""


def test_a_text_that_its_parser_does_not_get_through_has_an_error_for_each_line():
    lines = ENDLESS.split("\n")
    old = Syntax(["val a = 1", "(", "(", "("], "kotlin")
    new, _, _ = old.changed([Hunk(0, 4, tuple(lines))])
    assert new.damage == len(lines) > old.damage
    assert new.has_error
    again, _, _ = new.changed([Hunk(0, len(lines), ("val a = 1",))])
    assert nodes(again) == nodes(Syntax(["val a = 1"], "kotlin"))
    assert not again.has_error
