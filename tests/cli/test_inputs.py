from __future__ import annotations

import pytest

from fastedit.cli.inputs import parse_lines
from fastedit.request import LineRange
from fastedit.source.document import Document


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "give --instruction TEXT, --update FILE, or both"),
        (["-i", " \n"], "--instruction is empty"),
        (["-i", "x", "--symbol", ""], "--symbol is empty"),
        (["-i", "x", "--format", "udiff"], "--format is for an update; give one with --update"),
        (["-i", "x", "--lines", "3:2"], "the first must not come after the last"),
        (["-i", "x", "--lines", "0:2"], "lines count from 1"),
        (["-i", "x", "--lines", "2:4"], "the file ends with line 3; end there or before"),
        (["-i", "x", "--lines", "two"], "is not A:B with two line numbers"),
        (["-i", "x", "--lines", "1:²"], "is not A:B"),
        (["-i", "x", "--diff", "--write"], "--diff and --write exclude each other"),
        (["-i", "x", "--write", "--output", "b"], "--write and --output exclude each other"),
        (["-i", "x", "--json", "--diff"], "--json and --diff both want standard output"),
        (["-i", "x", "--json", "--output", "-"], "both want standard output"),
        (["-i", "x", "--output", "./a.txt"], "use --write, which can be undone"),
        (["-u", "empty.txt", "--output", "./empty.txt"], "is the update itself; name another file"),
        (["-i", "x", "--output", ""], "--output is empty"),
        (["-i", "x", "--output", "new/"], "--output new/ names a folder; name a file in it"),
        (["-i", "\udcff"], "the instruction is not UTF-8 at character 1; write it in UTF-8"),
        (["-i", "x", "--symbol", "f\udcff"], "the symbol is not UTF-8 at character 2"),
        (["-i", "x", "--temperature", "-1"], "must be 0 (greedy) or from 0.01 to 100"),
        (["-i", "x", "--temperature", "1e-300"], "must be 0 (greedy)"),
        (["-i", "x", "--temperature", "1", "--seed", "-1"], "seed -1: must be from 0 to"),
        (["-i", "x", "--temperature", "nan"], "must be 0"),
        (["-i", "x", "--seed", "1"], "--seed does nothing at temperature 0"),
        (["-i", "x", "--verify", "--no-speculation"], "leave --no-speculation out"),
        (["-i", "x", "--verify", "--policy", "merge"], "leave --policy merge out"),
        (["-i", "x", "--verify", "--temperature", "1"], "leave --temperature out"),
    ],
)
def test_arguments_that_contradict_themselves_end_with_one_line_and_exit_code_2(
    path, script, fastedit, args, words
):
    (path.parent / "empty.txt").write_text("\n")
    run = fastedit("apply", "a.txt", *args)
    assert run.exit_code == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert script.requests == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["-i", "x", "--write"], "--write needs a file"),
        (["-u", "-"], "standard input cannot be both"),
    ],
)
def test_standard_input_serves_one_purpose(script, fastedit, args, words):
    run = fastedit("apply", "-", *args, stdin=b"one\n")
    assert run.exit_code == 2
    assert words in run.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no such file"), (b"caf\xe9", "byte 3 is not utf-8"), (b"a\0b", "looks binary")],
)
def test_a_file_that_cannot_be_worked_on_ends_with_exit_code_4(tmp_path, script, fastedit, content, words):
    path = tmp_path / "b.py"
    if content is not None:
        path.write_bytes(content)
    for args in ([path, "-i", "x"], [tmp_path, "-i", "x"], [path, "-i", "x", "-u", path]):
        run = fastedit("apply", *args)
        assert run.exit_code == 4
        assert run.stderr.count("\n") == 1
        assert words in run.stderr or "is a folder" in run.stderr
    assert script.requests == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["--nope"],
            "--nope: no such option of `fastedit`; `fastedit -h` shows the usage; what begins with a dash and is no "
            "option goes after `--`",
        ),
        (["serve", "--cors", "x"], "--cors: no such option of `fastedit serve`; did you mean --cors-origin?"),
        (["aply"], "aply: no such command of `fastedit`; did you mean apply or deploy?"),
        (
            ["apply", "--modell"],
            "--modell: no such option of `fastedit apply`; did you mean --model or --symbol?",
        ),
        (["apply", "a", "-i"], "-i: requires an argument; `fastedit apply -h` shows the usage"),
        (["rule", "FE101", "b"], "got unexpected extra argument(s) (b); `fastedit rule -h` shows the usage"),
        (
            ["apply", "a", "--policy", "guess"],
            "--policy: 'guess' is not one of 'model', 'merge', 'auto'; `fastedit apply -h` shows the usage",
        ),
        (
            ["log", "--limit", "x"],
            "--limit: 'x' must be a whole number of at least 1; `fastedit log -h` shows the usage",
        ),
        (["config", "set"], "KEY: is missing; `fastedit config set -h` shows the usage"),
    ],
)
def test_arguments_that_cannot_be_read_are_one_line_with_the_value_and_the_way_out(args, said, fastedit):
    run = fastedit(*args)
    assert (run.exit_code, run.stderr) == (2, f"fastedit: {said}\n")


def test_lines_count_from_one_and_include_the_last():
    document = Document.from_text("a\nb\nc\n")
    assert parse_lines("1:3", document) == LineRange(0, 3)
    assert parse_lines("2:2", document) == LineRange(1, 2)
    assert parse_lines(None, document) is None
