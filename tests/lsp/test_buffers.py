from __future__ import annotations

from pathlib import Path

import pytest
from fastedit_lsp.buffers import MAX_CHARS, Buffer, Buffers
from fastedit_lsp.positions import LineIndex
from fastedit_lsp.protocol import converter
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from fastedit.errors import FileUnreadable, TooLong, Undecodable
from fastedit.source.language import language_in
from tests.lsp.test_positions import ENCODINGS, TEXT


@given(TEXT, TEXT, st.sampled_from(ENCODINGS), st.data())
def test_an_incremental_change_lands_where_it_was_typed(text, new, encoding, data):
    buffer = Buffer("file:///a.py", text, encoding, 1)
    places = [at for at in range(len(text) + 1) if text[max(at - 1, 0) : at + 1] != "\r\n"]
    start, stop = sorted(data.draw(st.tuples(*[st.sampled_from(places)] * 2)))
    range_ = types.Range(buffer.index.position(start), buffer.index.position(stop))
    changed = buffer.changed([types.TextDocumentContentChangePartial(range_, new)], 2)
    assert (changed.text, changed.version) == (text[:start] + new + text[stop:], 2)


@given(TEXT, st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), TEXT), max_size=6), st.data())
def test_many_changes_in_one_message_give_what_one_at_a_time_gives(text, wanted, data):
    encoding = data.draw(st.sampled_from(ENCODINGS))
    changes = []
    whole = text
    for a, b, new in wanted:
        places = [at for at in range(len(whole) + 1) if whole[max(at - 1, 0) : at + 1] != "\r\n"]
        start, stop = sorted((places[a % len(places)], places[b % len(places)]))
        index = LineIndex(whole, encoding)
        range_ = types.Range(index.position(start), index.position(stop))
        changes.append(types.TextDocumentContentChangePartial(range_, new))
        whole = whole[:start] + new + whole[stop:]
    assert Buffer("file:///a.py", text, encoding, 1).changed(changes, 2).text == whole


def test_several_changes_in_one_message_each_count_in_the_text_before_them():
    buffer = Buffer("file:///a.py", "ab", "utf-16", 1)
    at = types.Range(types.Position(0, 0), types.Position(0, 1))
    first = types.TextDocumentContentChangePartial(at, "x\n")
    assert buffer.changed([first, first], 2).text == "x\n\nb"
    whole = types.TextDocumentContentChangeWholeDocument("new")
    assert buffer.changed([first, whole], 3).text == "new"


def test_an_unopened_file_is_read_with_its_own_line_ends(tmp_path: Path):
    path = tmp_path / "a b.py"
    path.write_bytes(b"one\r\ntwo\r")
    buffer = Buffers().get(path.as_uri())
    assert (buffer.text, buffer.version, buffer.path) == ("one\r\ntwo\r", None, path)


@pytest.mark.parametrize(
    ("uri", "language", "name"),
    [
        ("untitled:Untitled-1", "python", "Untitled-1.py"),
        ("untitled:Untitled-1", "klingon", "Untitled-1"),
        ("vscode-vfs://github/owner/name/a.rs", "rust", "a.rs"),
        ("file:///src/with%20blank.go", "go", "/src/with blank.go"),
        ("untitled:", "c", "untitled.c"),
    ],
)
def test_a_buffers_name_tells_its_language(uri, language, name):
    assert str(Buffer(uri, "", "utf-16", 1, language).path) == name


def test_a_buffer_that_is_neither_open_nor_a_file_is_named(tmp_path: Path):
    with pytest.raises(FileUnreadable, match="open it first"):
        Buffers().get("untitled:Untitled-1")
    with pytest.raises(FileUnreadable, match="no such file"):
        Buffers().get((tmp_path / "gone.py").as_uri())


def test_binary_and_huge_texts_are_refused(tmp_path: Path):
    binary = tmp_path / "a.bin"
    binary.write_bytes(b"\0\1\2")
    with pytest.raises(Undecodable, match="binary"):
        Buffers().get(binary.as_uri())
    with pytest.raises(TooLong, match="smaller file"):
        _ = Buffer("file:///a.py", "x" * (MAX_CHARS + 1), "utf-16", 1).document
    huge = tmp_path / "huge.py"
    with huge.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(TooLong, match="50,000,000 bytes"):
        Buffers().get(huge.as_uri())


@pytest.mark.parametrize(
    ("uri", "said", "language"),
    [
        ("file:///a.h", "cpp", "cpp"),
        ("file:///a.h", "c", "c"),
        ("file:///a.h", "text", "c"),
        ("file:///a.py", "cpp", "python"),
    ],
)
def test_of_several_languages_with_one_suffix_the_editor_says_which(uri, said, language):
    assert language_in(Buffer(uri, "int a;\n", "utf-16", 1, said).document) == language


def test_a_change_without_a_version_is_made_as_any_other():
    buffers = Buffers()
    buffers.opened(types.TextDocumentItem("file:///a.py", "python", 3, "a = 1\n"))
    sent = {"textDocument": {"uri": "file:///a.py"}, "contentChanges": [{"text": "b = 2\n"}]}
    buffers.changed(converter().structure(sent, types.DidChangeTextDocumentParams))
    assert (buffers.get("file:///a.py").text, buffers.get("file:///a.py").version) == ("b = 2\n", 4)
