from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess

import pytest

from fastedit.connect.names import target
from fastedit.console import CONNECT
from fastedit.errors import AnchorNotFound, Cancelled, ModelUnavailable, TooLong
from fastedit.request import LineRange
from fastedit.result import Alternative, Status
from fastedit.sampling import Sampling
from fastedit.source.hunks import Hunk

OLD, NEW = b"one\r\ntwo\r\nthree", b"one\r\nTWO\r\nthree"
DIFF = (
    b"--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n"
    b" one\r\n-two\r\n+TWO\r\n three\n\\ No newline at end of file\n"
)


@pytest.mark.parametrize("flags", [(), ("--diff",)])
def test_a_pipe_gets_the_diff_and_the_file_stays(path, script, fastedit, flags):
    run = fastedit("apply", "a.txt", "-i", "shout", *flags)
    assert run.exit_code == 0
    assert run.stdout_bytes == DIFF
    assert "ok: 1 hunk +1 -1 · 12 tokens in 2 passes · 6.0 tokens a pass" in run.stderr
    assert path.read_bytes() == OLD


def test_check_tells_the_outcome_alone(path, script, fastedit):
    run = fastedit("apply", path, "-i", "shout", "--check")
    assert (run.exit_code, run.stdout) == (0, "")
    assert run.stderr.startswith("fastedit: ok: 1 hunk")
    assert path.read_bytes() == OLD


def test_an_edit_that_takes_away_the_final_newline_alone_is_shown_and_written(tmp_path, fastedit):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\nb\n")
    asked = ("apply", path, "--update", "-", "--format", "whole")
    assert b"-b\n+b\n\\ No newline at end of file\n" in fastedit(*asked, stdin=b"a\nb").stdout_bytes
    assert fastedit(*asked, "--write", stdin=b"a\nb").exit_code == 0
    assert path.read_bytes() == b"a\nb"


def test_the_printed_diff_is_a_patch_for_a_file_in_another_encoding(tmp_path, script, fastedit):
    path = tmp_path / "ünïcode 日本.txt"
    path.write_bytes("# coding: latin-1\né\n".encode("latin-1"))
    script.hunks = (Hunk(1, 2, ("ü",)),)
    diff = fastedit("apply", path, "-i", "x").stdout_bytes
    subprocess.run(["patch", "--quiet", str(path)], input=diff, check=True)
    assert path.read_bytes() == "# coding: latin-1\nü\n".encode("latin-1")


@pytest.mark.parametrize(
    ("folder", "name"),
    [(".", "{root}/src/a.txt"), (".", "src/../src/a.txt"), ("src", "a.txt"), ("src/deep", "../a.txt")],
)
def test_git_apply_takes_the_printed_diff_whatever_the_file_was_called(
    tmp_path, monkeypatch, script, fastedit, folder, name
):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    path = tmp_path / "src" / "a.txt"
    path.write_bytes(OLD)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    monkeypatch.chdir(tmp_path / folder)
    diff = fastedit("apply", name.format(root=tmp_path), "-i", "shout", "--diff").stdout_bytes
    within = folder if name == "a.txt" else "."  # where the file is below the current folder, from there
    subprocess.run(["git", "apply"], input=diff, check=True, cwd=tmp_path / within)
    assert path.read_bytes() == NEW


def test_write_replaces_the_file_and_undo_brings_it_back(path, script, fastedit):
    run = fastedit("apply", path, "-i", "shout", "--write")
    assert run.exit_code == 0
    assert run.stdout == ""
    assert f"; `fastedit undo {path}` takes it back" in run.stderr
    assert path.read_bytes() == NEW
    assert fastedit("undo", path).exit_code == 0
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("flags", [["--write"], ["--output", "a.txt"]])
def test_who_writes_to_a_hard_link_is_told_that_its_other_names_keep_the_old_text(
    path, script, fastedit, flags
):
    path.with_name("b.txt").hardlink_to(path)
    source = path if flags == ["--write"] else "-"
    run = fastedit("apply", source, "-i", "shout", *flags, stdin=OLD)
    assert "a.txt: the file has another name, a hard link, which keeps the old text" in run.stderr
    assert (path.read_bytes(), path.with_name("b.txt").read_bytes()) == (NEW, OLD)
    run = fastedit("apply", path, "-i", "shout", "--write")
    assert "hard link" not in run.stderr


def test_a_name_with_a_line_end_or_an_escape_is_told_in_one_line(path, script, fastedit):
    path.rename(path.with_name("a\nb\x1b[2J.txt"))
    run = fastedit("apply", "a\nb\x1b[2J.txt", "-i", "shout", "--write")
    assert run.exit_code == 0, run.output
    assert run.stderr.splitlines()[-1].startswith("fastedit: wrote a␊b␛[2J.txt; ")
    assert "a␊b␛[2J.txt as it was" in fastedit("undo").stdout


def test_a_name_that_is_no_text_is_told_without_its_bytes(path, script, fastedit):
    path.rename(path.with_name("\udcff.txt"))
    run = fastedit("apply", "\udcff.txt", "-i", "shout", "--write")
    assert "fastedit: wrote \ufffd.txt; `fastedit undo $'\\377.txt'` takes it back" in run.stderr


@pytest.mark.parametrize(("name", "said"), [("a b.txt", "'a b.txt'"), ("-a.txt", "./-a.txt")])
def test_the_way_back_is_a_command_that_a_shell_understands(path, script, fastedit, name, said):
    path.rename(path.with_name(name))
    run = fastedit("apply", "-i", "shout", "--write", "--", name)
    assert f"; `fastedit undo {said}` takes it back" in run.stderr


def test_output_writes_another_file_or_standard_output(path, tmp_path, script, fastedit):
    assert fastedit("apply", path, "-i", "x", "--output", tmp_path / "b.txt").exit_code == 0
    assert (tmp_path / "b.txt").read_bytes() == NEW
    assert fastedit("apply", path, "-i", "x", "--output", "-").stdout_bytes == NEW
    assert fastedit("apply", "-", "-i", "x", "--output", "-", stdin=OLD).stdout_bytes == NEW
    assert path.read_bytes() == OLD


def test_what_output_overwrites_comes_back_with_undo(path, tmp_path, script, fastedit):
    other, new = tmp_path / "b.txt", tmp_path / "new.txt"
    other.write_bytes(b"mine\n")
    for file in (other, new):
        run = fastedit("apply", path, "-i", "x", "--output", file)
        assert f"wrote {file}; `fastedit undo {file}` takes it back" in run.stderr
        assert fastedit("undo", file).exit_code == 0
    assert other.read_bytes() == b"mine\n"
    assert not new.exists()


def test_json_holds_the_whole_answer(path, script, fastedit):
    script.alternatives = (Alternative((Hunk(2, 3, ("THREE",)),), 2, 0.25), Alternative(()))
    run = fastedit("apply", "a.txt", "-i", "shout", "--json", "--write", "--verify")
    answer = json.loads(run.stdout)
    assert run.exit_code == 0
    assert answer["status"] == "ok"
    assert answer["written"] is True
    assert answer["diff"].encode() == DIFF
    assert answer["hunks"] == [{"start": 1, "stop": 2, "lines": ["TWO"]}]
    assert answer["sha256"] == {
        "before": hashlib.sha256(OLD).hexdigest(),
        "after": hashlib.sha256(NEW).hexdigest(),
    }
    assert answer["receipt"]["tokens_per_pass"] == 6.0
    reading, opinion = answer["alternatives"]
    assert (reading["number"], reading["posterior"], reading["line"]) == (2, 0.25, 2)
    assert "+THREE" in reading["diff"]
    assert opinion == {"number": None, "posterior": None, "diff": "", "line": 2}
    assert answer["verification"]["identical"] is True
    assert path.read_bytes() == NEW


@pytest.mark.parametrize(
    ("args", "code", "exit_code", "words"),
    [
        (["a.txt"], "usage", 2, "nothing to do: give --instruction"),
        (["a.txt", "-i", "x", "--check", "--write"], "usage", 2, "--write and --check exclude each other"),
        (["a.txt", "-i", "x", "--nope"], "usage", 2, "--nope: no such option of `fastedit apply`"),
        (["a.txt", "-i", "x", "--choose", "two"], "usage", 2, "--choose two: is no number"),
        (["b.txt", "-i", "x"], "file_unreadable", 4, "b.txt: no such file"),
    ],
)
def test_under_json_an_error_is_the_one_object_on_standard_output(
    path, script, fastedit, args, code, exit_code, words
):
    run = fastedit("apply", *args, "--json")
    error = json.loads(run.stdout)["error"]
    assert (run.exit_code, error["code"]) == (exit_code, code)
    assert words in error["message"]
    assert words in run.stderr


def test_the_request_says_what_the_arguments_say(path, tmp_path, script, fastedit):
    (tmp_path / "update").write_text("# ...\nTWO\n")
    args = ["-i", "shout", "-u", "update", "--symbol", "f", "--lines", "2:3", "--policy", "model"]
    args += ["--choose", "2", "--time-limit", "2.5"]
    run = fastedit(
        "apply", path, *args, "--temperature", "0.5", "--seed", "7", "--no-speculation", "--model", "m"
    )
    assert run.exit_code == 0
    (request,) = script.requests
    assert (request.instruction, request.update, request.symbol) == ("shout", "# ...\nTWO\n", "f")
    assert request.lines == LineRange(1, 3)
    assert request.policy == "model"
    assert request.sampling == Sampling(temperature=0.5, seed=7)
    assert not request.speculation
    assert (request.choice, request.time_limit) == (2, 2.5)
    assert script.models == ["m"]


def test_file_or_update_come_from_standard_input(path, script, fastedit):
    assert fastedit("apply", "-", "-i", "x", stdin=OLD).stdout.startswith("--- a/stdin\n")
    assert fastedit("apply", path, "-u", "-", stdin=b"TWO\n").exit_code == 0
    assert script.requests[1].update == "TWO\n"


def test_a_name_of_standard_input_that_no_file_can_have_is_a_name_all_the_same(script, fastedit):
    name = f"{'a' * 300}.py"
    run = fastedit("apply", "-", "--stdin-filename", name, "-i", "x", stdin=OLD)
    assert run.stdout.splitlines()[0].endswith(name)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["log", "--limit", "0"], "usage"),
        (["models", "none"], "model_unavailable"),
        (["rule", "x"], "usage"),
        (["config", "--nope"], "usage"),
    ],
)
def test_every_command_with_the_flag_says_as_json_what_went_wrong(fastedit, args, code):
    assert json.loads(fastedit(*args, "--json").stdout)["error"]["code"] == code
    assert fastedit(*args).stdout == ""


@pytest.mark.parametrize("flags", [(), ("--diff",), ("--write",), ("--output", "b.txt"), ("--json",)])
def test_a_suspect_result_is_neither_written_nor_piped_as_a_patch(path, tmp_path, script, fastedit, flags):
    script.status, script.reasons = Status.SUSPECT, ("the import of os vanished", "it parses worse")
    run = fastedit("apply", path, "-i", "x", *flags)
    assert run.exit_code == 3
    assert "suspect, nothing was written: the import of os vanished; it parses worse (--force" in run.stderr
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["a.txt"]
    if flags == ("--json",):
        assert json.loads(run.stdout)["reasons"] == list(script.reasons)
    else:
        assert run.stdout == ""


def test_a_pipe_gets_a_suspect_diff_by_force(path, script, fastedit):
    script.status, script.reasons = Status.SUSPECT, ("it parses worse",)
    run = fastedit("apply", "a.txt", "-i", "x", "--diff", "--force")
    assert run.exit_code == 0
    assert run.stdout_bytes == DIFF
    assert path.read_bytes() == OLD


def test_quiet_says_nothing_but_what_is_wrong(path, script, fastedit):
    run = fastedit("apply", "a.txt", "-i", "shout", "--yes", "--quiet")
    assert (run.exit_code, run.output) == (0, "")
    assert path.read_bytes() == NEW
    run = fastedit("apply", "none.txt", "-i", "shout", "-q")
    assert run.stderr == "fastedit: none.txt: no such file; check the path, or create it empty for new code\n"
    assert "ok: 1 hunk" in fastedit("apply", "a.txt", "-i", "shout").stderr


def test_force_delivers_a_suspect_result(path, script, fastedit):
    script.status, script.reasons = Status.SUSPECT, ("it parses worse",)
    run = fastedit("apply", path, "-i", "x", "--write", "--force")
    assert run.exit_code == 0
    assert "delivered anyway: it parses worse" in run.stderr
    assert path.read_bytes() == NEW


def test_where_two_opinions_differ_the_way_out_names_both(path, script, fastedit):
    script.status, script.reasons = Status.SUSPECT, ("they disagree",)
    script.alternatives = (Alternative(()),)
    assert "--policy model or merge takes one" in fastedit("apply", path, "-i", "x").stderr


@pytest.mark.parametrize(("choose", "numbers"), [((), (2, 3)), (("--choose", "2"), (1, 3))])
def test_where_an_update_has_other_readings_the_way_out_names_their_numbers(
    path, tmp_path, script, fastedit, choose, numbers
):
    (tmp_path / "update").write_text("TWO\n")
    script.status, script.reasons = Status.SUSPECT, ("it can be read in two ways",)
    script.alternatives = tuple(Alternative((), number, 0.25) for number in numbers)
    run = fastedit("apply", path, "-u", "update", *choose)
    assert run.exit_code == 3
    first, other = (f"{number}@{hashlib.sha256(OLD).hexdigest()[:8]}" for number in numbers)
    said = f"--choose {first} or {other} takes another reading, --force this one"
    assert run.stderr.endswith(f"it can be read in two ways ({said})\n")
    assert "reading" not in run.stdout


@pytest.mark.parametrize("flags", [["--diff"], ["--write", "--quiet"]])
def test_who_sees_no_diff_is_told_in_which_lines_the_readings_differ(caches, fastedit, flags):
    run = fastedit("apply", "a.py", "-u", "update", *flags)
    assert (run.exit_code, run.stdout) == (3, "")
    said = [
        line.removeprefix("fastedit: ")
        for line in run.stderr.splitlines()
        if line.startswith(("fastedit: reading ", "fastedit:   "))
    ]
    places = ["  line 3:", "  line 11:"]
    changed = ["  -        return read(self.path)", "  +        return read(self.path).strip()"]
    assert [said[0][:16], said[4][:16]] == ["reading 1 of 2, ", "reading 2 of 2, "]
    assert sorted([said[1], said[5]]) == sorted(places)
    assert said[2:4] == said[6:8] == changed
    assert len(said) == 8


def test_one_confidence_is_one_number_throughout_the_output(caches, fastedit):
    said = fastedit("apply", "a.py", "-u", "update", "--diff").stderr
    (share,) = re.findall(r"reading 1 of 2, (\d+ %):", said)
    assert re.findall(r"confidence (.*?) ·", said) == [share]


def test_a_long_reading_is_cut_and_says_how_to_see_all_of_it(path, tmp_path, script, fastedit):
    (tmp_path / "update").write_text("TWO\n")
    script.status, script.reasons = Status.SUSPECT, ("unsure",)
    script.alternatives = (Alternative((Hunk(2, 3, ("x" * 200, *map(str, range(20)))),), 2, 0.001),)
    run = fastedit("apply", path, "-u", "update")
    assert "reading 2 of 2, under 1 %:\n" in run.stderr
    assert (
        f"  and 15 more lines; --choose 2@{hashlib.sha256(OLD).hexdigest()[:8]} --diff shows all\n"
        in run.stderr
    )
    assert f"  +{'x' * 98}…\n" in run.stderr


def test_long_readings_that_begin_alike_are_shown_from_where_they_part(path, tmp_path, script, fastedit):
    (tmp_path / "update").write_text("TWO\n")
    script.status, script.reasons = Status.SUSPECT, ("unsure",)
    lines = tuple(map(str, range(12)))
    script.alternatives = tuple(
        Alternative((Hunk(1, 2, (*lines, last, *lines)),), number, 0.1)
        for number, last in ((2, "a"), (3, "b"))
    )
    told = fastedit("apply", path, "-u", "update").stderr.replace("fastedit: ", "")
    for number, other, last in ((2, 3, "a"), (3, 2, "b")):
        assert (
            f"reading {number} of 3, 10 %:\n  line 2:\n  … 13 lines as in reading {other}\n  +{last}\n  +0\n"
            in told
        )


def test_a_suspect_change_without_another_reading_is_shown(path, script, fastedit):
    script.status, script.reasons = Status.SUSPECT, ("it parses worse",)
    run = fastedit("apply", path, "-i", "x", "--diff")
    assert (run.exit_code, run.stdout) == (3, "")
    assert "the change:\nfastedit:   line 2:\nfastedit:   -two\nfastedit:   +TWO\n" in run.stderr


def test_a_reading_asked_for_by_its_number_is_shown_though_it_is_held_back(path, tmp_path, script, fastedit):
    (tmp_path / "update").write_text("TWO\n")
    script.status, script.reasons = Status.SUSPECT, ("it parses worse",)
    run = fastedit("apply", "a.txt", "-u", "update", "--choose", "2", "--diff")
    assert (run.exit_code, run.stdout_bytes) == (3, DIFF)
    assert path.read_bytes() == OLD


def test_a_reading_of_a_file_that_has_changed_since_is_not_taken(path, tmp_path, script, fastedit):
    (tmp_path / "update").write_text("TWO\n")
    script.status, script.reasons = Status.SUSPECT, ("it can be read in two ways",)
    script.alternatives = (Alternative((), 2, 0.25),)
    (reading,) = re.findall(r"--choose (\S+)", fastedit("apply", path, "-u", "update").stderr)
    script.status, script.reasons = Status.OK, ()
    path.write_bytes(b"new\n" + OLD)
    run = fastedit("apply", path, "-u", "update", "--choose", reading, "--write")
    assert (run.exit_code, path.read_bytes()) == (4, b"new\n" + OLD)
    assert "a.txt: is not the file that reading 2 was shown for; look at its readings again" in run.stderr
    path.write_bytes(OLD)
    assert fastedit("apply", path, "-u", "update", "--choose", reading, "--write").exit_code == 0


def test_a_replay_that_differs_holds_the_result_back(path, script, fastedit):
    assert "verified: the same 12 tokens" in fastedit("apply", path, "-i", "x", "--verify").stderr
    script.verification.identical, script.verification.first_difference = False, 5
    run = fastedit("apply", path, "-i", "x", "--verify", "--write")
    assert run.exit_code == 3
    assert "differ from token 5 on" in run.stderr
    assert path.read_bytes() == OLD


def test_a_suspect_result_that_changes_nothing_is_not_worth_forcing(path, script, fastedit):
    script.hunks, script.status, script.reasons = (), Status.SUSPECT, ("the model changed nothing",)
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 3
    assert f"(say it in other words, --update takes the changed code, {CONNECT})" in run.stderr


def test_the_variables_that_a_way_to_a_strong_model_names_are_those_that_hold_its_key():
    for name in ("openai:NAME", "anthropic:NAME"):
        assert f"{name} with {target(name).key_name}" in CONNECT


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_an_api_without_a_model_is_told_how_to_name_one(path, fastedit, api):
    run = fastedit("apply", path, "-i", "shout", "--model", api)
    assert (run.exit_code, run.stderr) == (2, f"fastedit: {api}: names no model; write {api}:NAME\n")


def test_nothing_to_change_is_no_failure_and_leaves_no_entry(path, script, fastedit):
    script.hunks, script.status = (), Status.UNCHANGED
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 0
    assert "unchanged: 0 hunks" in run.stderr
    assert fastedit("log").stdout == ""


@pytest.mark.parametrize(
    ("by_hand", "expected", "said"),
    [
        ("DEPTH = 2\n# typed\n", "LIMIT = 8\nDEPTH = 2\n# typed\n", "wrote a.py"),
        ("LIMIT = 8\nDEPTH = 2\n", "LIMIT = 8\nDEPTH = 2\n", "another program made the same change"),
    ],
)
def test_what_others_write_between_reading_and_writing_stays(
    path, fastedit, monkeypatch, by_hand, expected, said
):
    from fastedit.files import save

    file, inner = path.with_name("a.py"), save.save
    file.write_text("LIMIT = 1\nDEPTH = 2\n")
    path.with_name("blocks").write_text("<<<<<<< SEARCH\nLIMIT = 1\n=======\nLIMIT = 8\n>>>>>>> REPLACE\n")

    def first_by_hand(*args):
        monkeypatch.setattr(save, "save", inner)
        file.write_text(by_hand if "LIMIT" in by_hand else f"LIMIT = 1\n{by_hand}")
        return inner(*args)

    monkeypatch.setattr(save, "save", first_by_hand)
    run = fastedit("apply", "a.py", "-u", "blocks", "--write")
    assert run.exit_code == 0
    assert said in run.stderr
    assert file.read_text() == expected


def test_a_file_changed_while_the_model_worked_is_not_overwritten(path, script, fastedit):
    script.before_answer = lambda: path.write_bytes(b"by hand")
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 4
    assert "changed on disk since it was read; apply the edit again" in run.stderr
    assert path.read_bytes() == b"by hand"


def test_a_journal_that_cannot_be_used_is_said_and_the_edit_written(
    path, tmp_path, script, fastedit, monkeypatch
):
    monkeypatch.setenv("FASTEDIT_STATE", str(path))
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 0
    assert "cannot be undone" in run.stderr
    assert "takes it back" not in run.stderr
    assert path.read_bytes() == NEW


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--write"], "a.txt: is read-only; make it writable first"),
        (["--output", "no/b.txt"], "no/b.txt: No such file or directory; create its folder first"),
        (["--output", "."], ".: is not a regular file"),
    ],
)
def test_a_result_that_could_not_be_put_anywhere_is_not_asked_for(path, script, fastedit, args, words):
    path.chmod(0o444)
    run = fastedit("apply", "a.txt", "-i", "x", *args)
    assert run.exit_code == 4
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert script.requests == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ImportError("libtorch_cpu.so: failed to map segment"),
            "libtorch_cpu.so: failed to map segment; free",
        ),
        (MemoryError(), "out of memory; free some memory"),
    ],
)
def test_what_the_machine_cannot_load_or_hold_is_one_line(path, script, fastedit, error, words):
    script.error = error
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 5
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Cancelled()])
def test_a_cancelled_edit_ends_with_130(path, script, fastedit, error):
    script.error = error
    assert fastedit("apply", path, "-i", "x", "--write").exit_code == 130
    assert path.read_bytes() == OLD


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (AnchorNotFound("the update fits nowhere;\ngive --lines"), 4),
        (TooLong("too long; give --symbol"), 4),
        (ModelUnavailable("no weights; give --model"), 5),
    ],
)
def test_each_failure_has_its_exit_code_one_line_and_no_written_file(path, script, fastedit, error, code):
    script.error = error
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == code
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("fastedit: ")
    assert path.read_bytes() == OLD


def test_text_that_the_files_encoding_cannot_express_is_refused(path, script, fastedit):
    path.write_bytes("# coding: latin-1\né\n".encode("latin-1"))
    script.hunks = (Hunk(1, 2, ("€",)),)
    run = fastedit("apply", path, "-i", "x", "--write")
    assert run.exit_code == 4
    assert "cannot express" in run.stderr


def test_a_reading_that_a_person_chose_has_no_confidence_in_the_summary(caches, fastedit):
    said = fastedit("apply", "a.py", "-u", "update", "--choose", "2", "--diff").stderr
    assert "ok: 1 hunk +1 -1 · reading 2 as chosen · " in said
    assert "confidence" not in said


def test_a_base_is_the_file_as_the_author_read_it(tmp_path, fastedit):
    (tmp_path / "read.txt").write_bytes(b"one\ntwo\nthree\n")
    path = tmp_path / "a.txt"
    path.write_bytes(b"zero\none\ntwo\nthree\n")
    asked = ("apply", path, "--update", "-", "--format", "whole", "--base", tmp_path / "read.txt", "--write")
    assert fastedit(*asked, stdin=b"one\nTWO\nthree\n").exit_code == 0
    assert path.read_bytes() == b"zero\none\nTWO\nthree\n"
    run = fastedit(*asked, stdin=b"one\n2\nthree\n")
    assert run.exit_code == 4
    assert "a.txt: line 2 of the base changed since" in run.stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("a.txt", "--base", "-"), "--base -: is for a file"),
        (("a.txt", "--base", "none.txt"), "none.txt: no such file"),
        (("a.txt", "--base", "a.txt", "--verify"), "leave --base out"),
        (("--base", "a.txt"), "--base is for one file"),
    ],
)
def test_a_base_that_is_no_file_of_its_own_is_refused(path, fastedit, flags, said):
    run = fastedit("apply", *flags, "-u", "a.txt")
    assert run.exit_code in (2, 4)
    assert said in run.stderr
