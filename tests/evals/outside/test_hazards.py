"""Hazards are made of the files of a half by the ranges that their rows name."""

from evals.outside.sent import hazards
from tests.evals.outside.conftest import NEW, OLD, SKETCH, digest


def hazard(**changed):
    file = {"key": "npm:one/1..2/a.py", "path": "a.py", "old": digest(OLD)}
    change = [[4, 5, ["    return open(path, 'rb')"]]]
    row = {"id": "early return: a.py", "kind": "early return", "author": "generated", "file": file}
    return row | {"change": change, "edit": SKETCH} | changed


def test_a_hazard_is_judged_by_the_change_of_its_file(write):
    write("hazards", hazard())
    (case,) = hazards("dev")
    assert (case.language, case.kind, case.old, case.update) == ("python", "early return", OLD, SKETCH)
    assert case.judge(NEW)
    assert not case.judge(OLD)


def test_a_file_that_lacks_the_hazard_gets_it_before_the_edit(write):
    write("hazards", hazard(before=[[0, 1, ["import sys"]]]))
    (case,) = hazards("dev")
    assert case.old == OLD.replace("import os", "import sys")
    assert case.judge(NEW.replace("import os", "import sys"))


def test_what_a_new_block_encloses_may_be_moved_in_or_not_where_indentation_is_for_the_eye(write):
    moved = NEW.replace("    return open(path, 'rb')", "        return open(path, 'rb')")
    write("hazards", hazard(loose=True), hazard(id="strict"))
    loose, strict = hazards("dev")
    assert loose.judge(moved)
    assert not strict.judge(moved)
