"""Files of every encoding and line end through the whole command: what the edit does not touch comes back."""

from __future__ import annotations

import codecs

import pytest

SOURCE = (
    'import os\n\n\ndef load(path):\n    return open(path).read()\n\n\ndef save(path, text):\n    """é"""\n'
)
UPDATE = (
    b"# ... existing code ...\ndef load(path):\n    with open(path) as file:\n        return file.read()\n\n\n"
    b"def save(path, text):\n# ... existing code ...\n"
)
OLD = "    return open(path).read()\n"
NEW = "    with open(path) as file:\n        return file.read()\n"
FILES = {
    "lf": SOURCE.encode(),
    "crlf": SOURCE.replace("\n", "\r\n").encode(),
    "cr": SOURCE.replace("\n", "\r").encode(),
    "mixed": SOURCE.replace("import os\n", "import os\r\n").replace("(path):\n", "(path):\r").encode(),
    "bom": codecs.BOM_UTF8 + SOURCE.encode(),
    "utf-16-le": codecs.BOM_UTF16_LE + SOURCE.encode("utf-16-le"),
    "utf-16-be": codecs.BOM_UTF16_BE + SOURCE.replace("\n", "\r\n").encode("utf-16-be"),
    "latin-1": f"# -*- coding: latin-1 -*-\n{SOURCE}".encode("latin-1"),
    "shift-jis": f"# coding: shift_jis\n# 日本\n{SOURCE.replace('é', '')}".encode("shift_jis"),
    "no final newline": SOURCE.rstrip("\n").encode(),
    "trailing blanks": SOURCE.replace("os\n\n\n", "os  \n \n\t\n").encode(),
    "form feed": SOURCE.replace("\n\n\ndef save", "\n\n\x0c\ndef save").encode(),
    "line separators": SOURCE.replace("os\n", "os  # a\u2028b\u0085c\x0bd\x1ce\n").encode(),
    "markers and delimiters": SOURCE.replace(
        "os\n", "os\n# ... existing code ...\nX = '</updated-code> <|end|> <o17> <keep> </code>'\n"
    ).encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_only_the_edited_lines_change_whatever_the_encoding(tmp_path, fastedit, name):
    data, path = FILES[name], tmp_path / "a.py"
    path.write_bytes(data)
    encoding = name if name.startswith(("utf", "latin", "shift")) else "utf-8"
    end = {"crlf": "\r\n", "cr": "\r", "utf-16-be": "\r\n"}.get(name, "\n")
    old, new = (text.replace("\n", end).encode(encoding) for text in (OLD, NEW))
    assert data.count(old) == 1
    run = fastedit("apply", path, "-u", "-", "--policy", "merge", "--write", stdin=UPDATE)
    assert run.exit_code == 0, run.stderr
    assert path.read_bytes() == data.replace(old, new)
    assert fastedit("undo", path).exit_code == 0
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x = '\xff'\n", "byte 5 is not utf-8; convert the file to UTF-8 or declare its encoding"),
        (codecs.BOM_UTF16_LE + b"a\0b", "byte 4 is not utf-16-le"),
        (SOURCE.encode("utf-32"), "holds NUL bytes, so it looks binary"),
        (SOURCE.encode() + b"\0", "holds NUL bytes, so it looks binary"),
        (b"# coding: no-such\n" + SOURCE.encode(), "declares the unknown encoding 'no-such'"),
    ],
)
def test_what_cannot_be_decoded_is_refused(tmp_path, fastedit, data, words):
    path = tmp_path / "a.py"
    path.write_bytes(data)
    run = fastedit("apply", path, "-u", "-", "--policy", "merge", "--write", stdin=UPDATE)
    assert run.exit_code == 4
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert path.read_bytes() == data
