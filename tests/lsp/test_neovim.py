"""The Lua module in a real Neovim, headless."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK, UPDATE
from tests.engine.test_engine import SOURCE

HERE = Path(__file__).parent
MODULE = HERE.parent.parent / "editors" / "nvim"
SKETCH = """# ... existing code ...
def load(path):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged
"""
SEVERAL = """*** Begin Patch
*** Add File: made.py
+x = 1
*** Update File: caches.py
@@
-# typed
+# taken
*** Delete File: gone.py
*** Update File: moved.py
*** Move to: new.py
@@
-b = 1
+b = 2
*** End Patch
"""
ENCODED = SOURCE.replace("open(path)", 'open(path, encoding="utf-8")')
BOTH = ENCODED.replace("    return merged", '    merged.pop("version", None)\n    return merged')


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    if shutil.which("nvim") is None:
        pytest.skip("Neovim is not installed")
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "a.py").write_text(SOURCE)
    (folder / "caches.py").write_text(CACHES)
    (folder / "fresh.py").write_text(SOURCE)
    (folder / "gone.py").write_text("gone = True\n")
    (folder / "moved.py").write_text("b = 1\n")
    out = folder / "out.json"
    environment = os.environ | {
        "FASTEDIT_OUT": str(out),
        "FASTEDIT_PYTHON": sys.executable,
        "FASTEDIT_SKETCH": SKETCH,
        "FASTEDIT_TWICE": UPDATE,
        "FASTEDIT_SEVERAL": SEVERAL,
        "FASTEDIT_MISSED": "made.py\n<<<<<<< SEARCH\nx = 1\ny = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
        "FASTEDIT_OTHER": "a.py\n<<<<<<< SEARCH\nimport json\n=======\nimport json as taken\n>>>>>>> REPLACE\n",
        "XDG_STATE_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    command = ["nvim", "--headless", "-n", "-u", "NONE", "--cmd", f"set runtimepath+={MODULE}", "a.py"]
    command += ["-c", f"luafile {HERE / 'neovim_session.lua'}"]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=280)
    assert out.exists(), run.stderr
    seen = json.loads(out.read_text()) | {"folder": folder}
    assert "failure" not in seen, seen["failure"]
    return seen


def text(lines):
    return "".join(f"{line}\n" for line in lines)


def test_a_proposal_is_shown_and_touches_nothing_while_typing_is_kept(session):
    assert session["proposed"] == {"lines": ["# typed", *session["before"]], "pending": 2}
    assert session["virtual"] == 2


def test_a_hunk_is_accepted_and_the_other_rejected_where_typing_has_moved_them(session):
    assert text(session["accepted_one"]) == "# typed\n" + ENCODED
    assert session["rejected_other"] == session["accepted_one"]
    assert session["over"]


def test_accepting_all_is_one_undo_step_and_ends_the_review(session):
    assert session["all_over"]
    assert text(session["accepted_all"]) == "# typed\n" + BOTH
    assert session["undone"] == session["rejected_other"]


def test_each_reading_of_an_update_is_shown_in_turn_and_the_one_shown_is_accepted(session):
    first, second, again = session["readings"]["places"]
    assert first == again != second
    assert text(session["readings"]["lines"]) in (f"# typed\n{IN_MEMORY}", f"# typed\n{ON_DISK}")
    assert session["readings"]["over"]
    notes = session["notes"]
    assert "FastEdit: reading 2 of 2" in notes
    assert "FastEdit: there is no reading 3: the update has 2" in notes


def test_a_change_of_several_files_is_confirmed_and_carried_out_as_a_whole(session):
    assert session["question"] == (
        "FastEdit: create made.py, edit caches.py, delete gone.py and edit and rename moved.py to new.py?"
    )
    folder = session["folder"]
    assert (folder / "made.py").read_text() == "x = 1\n"
    assert (folder / "caches.py").read_text().startswith("# taken\n")
    assert not (folder / "gone.py").exists()
    assert not (folder / "moved.py").exists()
    assert (folder / "new.py").read_text() == "b = 2\n"


def test_a_hunk_without_a_place_is_told_by_its_number_with_the_nearest_lines(session):
    [note] = [note for note in session["notes"] if "hunk 1" in note]
    assert "made.py: hunk 1: its old text is not in the file: nearest is line 1" in note


def test_an_edit_of_a_file_that_is_not_in_front_is_put_under_review_there(session):
    assert "import json as taken" in session["other"]


def test_an_operation_asks_for_its_fields_with_what_stands_at_the_cursor(session):
    [target, new] = session["asked"]
    assert target[0].startswith("rename, target (what to rename: ")
    assert target[1].startswith("load@")
    assert new[0].startswith("rename, new (the new name): ")
    changed = [new for old, new in zip(session["other"], session["operated"], strict=True) if old != new]
    assert changed == ["def read(path):"]


def test_accepting_all_tells_of_the_hunks_whose_lines_have_changed(session):
    assert session["partial"]["note"] == ("FastEdit: 1 of 2 hunks were not applied: their lines have changed")
    assert '    merged.pop("version", None)' in session["partial"]["lines"]


def test_a_line_that_the_server_counts_as_two_is_refused(session):
    assert session["returned"].startswith("FastEdit: line 1 has a carriage return within; take it out first")


def test_a_cancelled_edit_changes_nothing_and_a_read_only_buffer_is_refused(session):
    assert session["cancelled"] == {"lines": session["undone"], "over": True}
    assert session["notes"][-1] == "FastEdit: this buffer is read-only"
