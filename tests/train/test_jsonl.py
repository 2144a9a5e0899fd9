"""JSON lines come back as they were written, however the file's name says that they are kept."""

import pytest

from fastedit.train import jsonl

ROWS = [{"old": "a\u2028b\n", "n": 1}, {"old": "日本 😀", "n": 2}]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.xz"])
def test_rows_come_back_as_they_were_written(name, tmp_path):
    jsonl.write(tmp_path / "new" / name, ROWS)
    assert list(jsonl.read(tmp_path / "new" / name)) == ROWS


def test_a_file_that_breaks_off_leaves_the_one_before(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    jsonl.write(path, ROWS[:1])

    def broken():
        yield ROWS[1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jsonl.write(path, broken())
    assert list(jsonl.read(path)) == ROWS[:1]
