"""What the rules look at of a long file."""

from pathlib import Path

from fastedit.check import check_merge
from fastedit.check.change import Change
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.source.update import Update, UpdateLine

FUNCTIONS = [line for n in range(200) for line in (f"def f{n}(x):", f"    return g(x, {n})", "", "")]


def objections(old: list[str], new: list[str], path: str = "a.py") -> list[str]:
    document = Document.from_text("\n".join(old) + "\n", Path(path))
    return [str(one) for one in check_merge(document, diff_lines(old, new), Update(()))]


def change(old: list[str], hunk: Hunk) -> Change:
    document = Document.from_text("\n".join(old) + "\n", Path("a.py"))
    return Change(document, [hunk], None, Update(()), "merge")


def test_a_syntax_error_names_the_line_of_the_update_that_has_it() -> None:
    document = Document.from_text("def f(a):\n    return a\n", Path("a.py"))
    update = Update(tuple(UpdateLine(text, False) for text in ("def f(a):", "    return a[")))
    told = check_merge(document, [Hunk(1, 2, ("    return a[",))], update)
    assert str(told[0]) == "the result has a syntax error near its line 2, update line 2: `return a[` (FE101)"


def test_an_error_in_a_long_file_is_told_from_the_definitions_around_it_and_by_its_own_line() -> None:
    new = [*FUNCTIONS[:401], "    return g((x, 100)", *FUNCTIONS[402:]]
    told = objections(FUNCTIONS, new)
    assert any(reason.startswith("the result has a syntax error near its line 402") for reason in told)
    assert not any("f0" in one or "f199" in one for one in told)  # a parser loses what stands far away


def test_a_result_that_only_pythons_own_parser_refuses_is_told_by_the_line_of_the_file() -> None:
    new = [*FUNCTIONS[:402], "    x = await x", *FUNCTIONS[402:]]
    (found,) = objections(FUNCTIONS, new)
    assert "(line 403)" in found
    assert "FE101" in found


def test_a_long_file_is_parsed_near_its_hunks_and_where_the_names_stand() -> None:
    old = [*FUNCTIONS[:40], "LIMIT = 1", *FUNCTIONS[40:600], "print(LIMIT)", *FUNCTIONS[600:]]
    made = change(old, Hunk(40, 41, ()))
    assert [part.old_start for part in made.parts] == [32]
    (above, below) = made.parts_with(["LIMIT"])
    assert "LIMIT" in below.new.identifiers
    assert (below.old_start - below.new_start, above.old_start - above.new_start) == (1, 0)


def test_a_name_that_a_far_away_line_uses_is_lost_and_one_that_is_bound_there_too_is_not() -> None:
    far = ["print(LIMIT)"]
    old = [*FUNCTIONS[:40], "LIMIT = 1", *FUNCTIONS[40:600], *far, *FUNCTIONS[600:]]
    lost = [line for line in old if line != "LIMIT = 1"]
    assert "the variable LIMIT vanishes, but result line 601 still uses it (FE105)" in objections(old, lost)
    both = [*old[:-1], "LIMIT = 2", old[-1]]
    assert not any("FE105" in one for one in objections(both, [*both[:40], *both[41:]]))


def test_a_definition_that_comes_a_second_time_is_counted_far_away_too() -> None:
    new = [*FUNCTIONS[:404], "def f190(x):", "    return x", "", "", *FUNCTIONS[404:]]
    assert any("f190 is now defined 2 times" in one for one in objections(FUNCTIONS, new))
