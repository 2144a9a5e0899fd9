from __future__ import annotations

import codecs
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import FileUnreadable, Undecodable
from fastedit.source.document import Document

TEXT = st.text(st.sampled_from("ab \t\r\n\f\v\x1c\x85\u2028é€😀"), max_size=40)


@given(TEXT, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_text_comes_back_byte_for_byte(text, encoding):
    data = text.encode(encoding)
    document = Document.from_bytes(data)
    assert document.text == text
    assert document.encode(document.text) == data
    assert document.sha256 == hashlib.sha256(data).hexdigest()


@given(TEXT)
def test_lines_and_ends_interleave_to_the_text(text):
    document = Document.from_text(text)
    assert "".join(line + end for line, end in zip(document.lines, document.ends, strict=True)) == text
    assert all(document.ends[:-1])


def test_only_cr_lf_and_their_pair_end_a_line():
    document = Document.from_text("a\r\nb\rc\nd\fe\vf\u2028g\x85h\x1ci")
    assert document.lines == ("a", "b", "c", "d\fe\vf\u2028g\x85h\x1ci")
    assert document.ends == ("\r\n", "\r", "\n", "")


def test_empty_text_has_no_lines():
    document = Document.from_bytes(b"")
    assert document.lines == ()
    assert document.ends == ()
    assert document.newline == "\n"


def test_the_newline_is_the_most_common_line_end():
    assert Document.from_text("a\nb\r\nc\r\nd").newline == "\r\n"


def test_a_utf_16_file_keeps_its_byte_order_mark():
    data = codecs.BOM_UTF16_BE + "a\r\né".encode("utf-16-be")
    document = Document.from_bytes(data)
    assert document.lines == ("a", "é")
    assert document.encode("a\r\nü") == codecs.BOM_UTF16_BE + "a\r\nü".encode("utf-16-be")


@pytest.mark.parametrize(
    "head",
    [
        "# coding: latin-1\n",
        "#!/usr/bin/python\r\n# -*- coding: latin-1-unix -*-\n",
        "\n# vim: fileencoding=latin1\n",
    ],
)
def test_a_declared_encoding_is_used(head):
    data = (head + "x = 'é'\n").encode("latin-1")
    document = Document.from_bytes(data, Path("a.py"))
    assert document.encoding == "iso8859-1"
    assert document.text.endswith("x = 'é'\n")
    assert document.encode(document.text) == data


def test_a_declaration_behind_code_or_on_the_third_line_does_not_count():
    for head in ("import os\n# coding: latin-1\n", "#\n#\n# coding: latin-1\n"):
        with pytest.raises(Undecodable, match="byte"):
            Document.from_bytes((head + "é").encode("latin-1"))


def test_an_unknown_declaration_is_refused_in_python_and_ignored_elsewhere():
    data = b"# Content-coding: gzip\n"
    assert Document.from_bytes(data, Path("a.yaml")).encoding == "utf-8"
    with pytest.raises(Undecodable, match="unknown encoding 'gzip'"):
        Document.from_bytes(data, Path("a.py"))


@pytest.mark.parametrize(
    "data",
    [
        b"caf\xe9\n",
        b"\x00\x01\x02",
        b"a\0b",
        b"\x89PNG\r\n\x1a\n\0\0",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF32_LE + "a".encode("utf-32-le"),
        b"# coding: utf-7\n" + b"+AGEAYg-",  # decodes, but would be written differently
    ],
)
def test_bytes_without_a_sure_reading_are_refused_in_one_line_that_names_the_file(data):
    with pytest.raises(Undecodable) as caught:
        Document.from_bytes(data, Path("dir/a.txt"))
    assert str(caught.value).startswith("dir/a.txt: ")
    assert "\n" not in str(caught.value)


def test_text_that_the_encoding_cannot_express_is_refused():
    document = Document.from_bytes(b"# coding: latin-1\n")
    with pytest.raises(Undecodable, match="cannot express"):
        document.encode("# coding: latin-1\nx = '€'\n")


def test_an_edit_that_would_make_the_declaration_a_lie_is_refused():
    document = Document.from_bytes("# coding: latin-1\n# é\n".encode("latin-1"))
    with pytest.raises(Undecodable, match="declares the encoding utf-8"):
        document.encode("# coding: utf-8\n# é\n")
    assert Document.from_text("x\n").encode("# coding: utf-8\nx\n") == b"# coding: utf-8\nx\n"


def test_an_edit_may_change_the_declaration_of_a_file_that_reads_the_same_in_either_encoding():
    document = Document.from_bytes(b"# coding: latin-1\nx = 1\n")
    for text in ("x = 1\n", "# coding: utf-8\nx = 1\n"):
        assert document.encode(text) == text.encode()
    with pytest.raises(Undecodable, match="declares the encoding utf-8 for a file in iso8859-1"):
        document.encode("x = 'é'\n")


def test_new_text_with_nul_is_refused():
    with pytest.raises(Undecodable, match="NUL"):
        Document.from_text("a").encode("a\0")


def test_a_missing_file_a_folder_and_a_forbidden_name_are_refused(tmp_path):
    with pytest.raises(FileUnreadable, match="no such file"):
        Document.read(tmp_path / "nowhere.py")
    with pytest.raises(FileUnreadable, match="is a folder"):
        Document.read(tmp_path)
    with pytest.raises(FileUnreadable, match="null"):
        Document.read("a\0b")


def test_a_file_without_read_permission_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.py"
    path.write_bytes(b"x\n")

    def refuse(path, flags):
        raise PermissionError(13, "Permission denied")

    # The superuser may read anything, so the refusal itself has to be played.
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileUnreadable, match="permission denied"):
        Document.read(path)


def test_a_pipe_is_read_to_its_end_and_one_that_nothing_is_written_to_is_refused(tmp_path):
    path = tmp_path / "pipe.py"
    os.mkfifo(path)
    with pytest.raises(FileUnreadable, match=r"pipe\.py: is a pipe that nothing is written to; name a file"):
        Document.read(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)
    os.write(writer, b"a = 1\n")
    os.close(writer)
    assert Document.read(path).text == "a = 1\n"
    os.close(reader)
