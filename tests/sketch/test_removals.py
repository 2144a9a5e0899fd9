import pytest

from fastedit.sketch.read.removals import removal_note, removed_names

NOTES = {
    "# removed: old_function": "old_function",
    "# removed": "",
    "# REMOVED": "",
    "// deleted": "",
    "# (removed)": "",
    "# ... removed ...": "",
    "# removed old_function": "old_function",
    "# Removed the `load` method": "the `load` method",
    "// removed: const a = 1;": "const a = 1",
    "/* deleted: .button */": ".button",
    "<!-- removed: <p>old</p> -->": "<p>old</p>",
    "{/* removed: <Old /> */}": "<Old />",
    "-- dropped: total": "total",
    "# old_function removed": "old_function",
    "// load() has been removed.": "load()",
    "# removed unused import os": "unused import os",
    "# removed load and save": "load and save",
    "# REMOVE: load": "load",
    "# ... removed old_function ...": "old_function",
    "# old_function removed (unused)": "old_function",
    "# old_function was removed - nothing calls it.": "old_function",
    "# old_function removed: it is unused": "old_function",
    "# old_function (removed)": "old_function",
    "# old_function (was removed)": "old_function",
}
NO_NOTES = """# Remove the temporary file
# removed in version 2
# deleted rows are skipped
# deleted_at
### Removed
--removed
%removed
removed
x = removed  # removed
# the removed items come first
# this was removed because it broke
# load removed from the cache
# load removed from the cache (on disk)
# node removed, now the others move up
# load (removed in version 2)
# load, removed - later
# load removed:saved""".splitlines()


@pytest.mark.parametrize("line", NO_NOTES)
def test_other_comments_are_comments(line):
    assert removal_note(line) is None


def test_a_comment_tells_what_is_gone():
    assert {line: removal_note(line) for line in NOTES} == NOTES


@pytest.mark.parametrize("run", [" ", ", ", "and ", "is ", "removed (", "(removed "])
def test_a_note_that_repeats_itself_for_long_is_read_at_once(run):
    assert removal_note(f"# a {run * 20_000}b, c") is None
    assert removed_names(f"# removed: a {run * 20_000}(b") == []
