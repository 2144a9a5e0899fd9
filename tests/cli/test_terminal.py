"""What a person at a terminal sees and may press, played on a pseudo-terminal."""

from __future__ import annotations

import re
import signal
import sys
import time
from contextlib import suppress

import pytest

from fastedit.cli.output.progress import shown_progress
from fastedit.engine.events import Located, Progressed
from fastedit.request import LineRange
from fastedit.result import Alternative, Progress, Status
from fastedit.source.hunks import Hunk
from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK
from tests.cli.terminal import ended, start, terminal

OLD, NEW = b"one\r\ntwo\r\nthree", b"one\r\nTWO\r\nthree"


@pytest.mark.parametrize(("answer", "code", "content"), [("y", 0, NEW), ("n", 130, OLD), ("", 130, OLD)])
def test_the_diff_is_shown_and_a_question_asked(path, script, monkeypatch, answer, code, content):
    monkeypatch.delenv("NO_COLOR", raising=False)
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        screen.wait_for("Write a.txt? [y/N]")
        screen.press(f"{answer}\n")
        assert screen.wait() == code
    assert "\x1b[31m-two\x1b[0m" in screen.seen
    assert "\x1b[32m+TWO\x1b[0m" in screen.seen
    assert "12 tokens in 2 passes" in screen.seen
    assert path.read_bytes() == content
    assert ("nothing was written" in screen.seen) == (code == 130)


def test_a_file_changed_while_the_question_stood_is_not_overwritten(path, script):
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        screen.wait_for("Write a.txt? [y/N]")
        path.write_bytes(b"by hand")
        screen.press("y\n")
        assert screen.wait() == 4
    assert "a.txt: changed on disk since it was read; apply the edit again" in screen.seen
    assert path.read_bytes() == b"by hand"


def test_a_suspect_result_is_shown_with_the_other_opinion_and_no_question(path, script):
    script.status, script.reasons = Status.SUSPECT, ("they disagree",)
    script.alternatives = (Alternative((Hunk(1, 2, ("2",)),)),)
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        assert screen.wait() == 3
    assert "the other opinion, which differs from line 2 of the new file on:" in screen.seen
    assert "+2" in screen.seen
    assert "[y/N]" not in screen.seen
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("number", ["1", "2"])
def test_a_person_chooses_among_the_readings_of_an_update_by_number(caches, number):
    with terminal("apply", "a.py", "-u", "update", "--choose", number, "--output", "wanted.py") as screen:
        assert screen.wait() == 0
    with terminal("apply", "a.py", "-u", "update") as screen:
        screen.wait_for("Write which reading to a.py? [1/2/N]")
        assert caches.read_text() == CACHES
        screen.press(f"{number}\n")
        assert screen.wait() == 0
    assert re.search(r"reading 1 of 2, \d+ %:", screen.seen)
    assert re.search(r"reading 2 of 2, \d+ %, which differs from line 3 of the new file on:", screen.seen)
    assert "suspect: fastedit is " in screen.seen
    assert caches.read_text() == caches.with_name("wanted.py").read_text()
    assert caches.read_text() in (IN_MEMORY, ON_DISK)


@pytest.mark.parametrize("answer", ["3", "y", "1\x80"])
@pytest.mark.parametrize("end", ["\n", "n\n", "\x04"])
def test_a_person_who_names_no_reading_is_asked_again_until_they_name_one_or_none(caches, answer, end):
    with terminal("apply", "a.py", "-u", "update") as screen:
        screen.wait_for("[1/2/N]")
        screen.press(f"{answer}\n")
        screen.wait_for("is none of the readings 1, 2; N writes nothing")
        screen.press(end)
        assert screen.wait() == 130
    assert "nothing was written" in screen.seen
    assert caches.read_text() == CACHES


def test_a_reading_that_the_checks_object_to_is_not_written_though_it_was_chosen(path, script):
    script.status, script.reasons = Status.SUSPECT, ("it parses worse",)
    script.alternatives = (Alternative((Hunk(1, 2, ("2",)),), 2, 0.25),)
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        screen.wait_for("[1/2/N]")
        screen.press("2\n")
        assert screen.wait() == 3
    assert "suspect, nothing was written: it parses worse (--choose 2@" in screen.seen
    assert path.read_bytes() == OLD


def test_a_file_that_could_not_be_written_is_not_asked_about(path, script):
    path.chmod(0o444)
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        assert screen.wait() == 4
    assert "a.txt: is read-only; make it writable first, or only look with --diff" in screen.seen
    assert script.requests == []


def test_a_file_does_not_steer_the_terminal_and_no_color_is_heeded(path, script, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    script.hunks = (Hunk(1, 2, ("\x1b]0;owned\x07", "\x9b31m", "\ttab")),)
    with terminal("apply", "a.txt", "-i", "shout", "--diff") as screen:
        assert screen.wait() == 0
    assert "+␛]0;owned␇\r\n+\ufffd31m\r\n+\ttab\r\n" in screen.seen
    assert "+TWO\x1b" not in screen.seen


def test_progress_is_shown_while_it_decodes(path, script):
    with terminal("apply", "a.txt", "-i", "shout", "--json") as screen:
        assert screen.wait() == 0
    assert "6 tokens in 1 pass, 100 tokens/s" in screen.seen


def test_progress_names_the_region_where_there_are_several(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with shown_progress("finding the place in 270,000 lines") as show:
        show(Progressed(Progress(0.5, 6, 2, 100.0, region=3, regions=334)))
    assert "region 3 of 334, 6 tokens in 2 passes" in capsys.readouterr().err


def test_each_step_of_a_long_edit_is_named_with_the_time_it_has_taken(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with shown_progress("finding the place in 270,000 lines") as show:
        assert re.search(r"finding the place in 270,000 lines.*0:00:00", capsys.readouterr().err)
        show(Located((LineRange(5, 6), LineRange(10, 40)), ("a", "b")))
    assert "looking at 31 lines in 2 regions" in capsys.readouterr().err


def work() -> None:
    print("working", flush=True)
    time.sleep(60)


@pytest.mark.parametrize("moment", ["decoding", "asking"])
def test_ctrl_c_ends_with_130_and_nothing_written(path, script, moment):
    if moment == "decoding":
        script.before_answer = work
    with terminal("apply", "a.txt", "-i", "shout") as screen:
        screen.wait_for("working" if moment == "decoding" else "[y/N]")
        screen.press("\x03")
        assert screen.wait() == 130
    assert "fastedit: cancelled; nothing was written" in screen.seen
    assert "[y/N] fastedit:" not in screen.seen
    assert "[y/N] ^Cfastedit:" not in screen.seen
    assert "Traceback" not in screen.seen
    assert path.read_bytes() == OLD


def swallow() -> None:
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_that_a_library_swallows_still_writes_nothing(path, script):
    script.before_answer = swallow
    with terminal("apply", "a.txt", "-i", "shout", "--write") as screen:
        assert screen.wait() == 130
    assert "fastedit: cancelled; nothing was written" in screen.seen
    assert path.read_bytes() == OLD


@pytest.mark.slow
def test_ctrl_c_at_any_line_either_comes_too_late_or_leaves_the_file(path, tmp_path, script):
    seen = []
    log = tmp_path / "log"
    for step in range(2, 2000, 11):
        path.write_bytes(OLD)
        log.write_bytes(b"")
        code = ended(start(str(log), "apply", "a.txt", "-i", "shout", "--write", interrupted_at=step))
        said = log.read_text()
        assert (code, path.read_bytes()) in ((130, OLD), (0, NEW)), said
        assert "Traceback" not in said
        assert ("cancelled; nothing was written" in said) == (code == 130)
        seen.append(code)
        if len(seen) > 10 and seen[-10:] == [0] * 10:
            break
    assert seen.count(130) > 5
