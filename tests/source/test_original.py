"""Lines are found and counted without their blanks."""

from fastedit.source.original import original


def test_lines_are_found_and_counted_without_their_blanks():
    found = original(("  a", "b", "", "a  "))
    assert found.places(["a", "c"]) == {"a": [0, 3], "c": []}
    assert [found.count(text) for text in ("a", "c", "")] == [2, 0, 1]
    assert found.places(["b", "a"]) == {"b": [1], "a": [0, 3]}
