from __future__ import annotations

import pytest
from fastedit_lsp.positions import EditedLines, LineIndex, units
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

ENCODINGS = ("utf-8", "utf-16", "utf-32")
WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
# What ends a line here, what does not although Python thinks so, and characters of every width.
TEXT = st.text(st.sampled_from("ab \n\r\f\v\u2028\u0085é€😋"), max_size=30)


def inserted(text, at, encoding="utf-16"):
    """The text with a cross at a position."""
    lines = EditedLines(text, encoding)
    lines.replace(Range(at, at), "x")
    return lines.text


@given(TEXT, st.sampled_from(ENCODINGS))
def test_a_text_is_as_long_as_its_encoded_form(text, encoding):
    codec, width = WIDTHS[encoding]
    assert units(text, encoding) == len(text.encode(codec)) // width


@given(TEXT, st.sampled_from(ENCODINGS), st.data())
def test_every_offset_has_a_position_that_leads_back_to_it(text, encoding, data):
    index = LineIndex(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    within_line_end = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
    at = offset - within_line_end
    assert inserted(text, index.position(offset), encoding) == f"{text[:at]}x{text[at:]}"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_the_protocols_own_example_counts_as_it_says(encoding, column):
    line = 'x="😋"'
    assert LineIndex(line, encoding).position(4) == Position(0, column)
    assert inserted(line, Position(0, column), encoding) == 'x="😋x"'


def test_form_feed_and_line_separator_end_no_line():
    index = LineIndex("a\fb\u2028c\nd", "utf-16")
    assert index.position(6) == Position(1, 0)
    assert index.position(4) == Position(0, 4)


def test_what_lies_beyond_a_line_or_the_text_counts_as_its_end():
    assert inserted("ab\r\ncd", Position(0, 99)) == "abx\r\ncd"
    assert inserted("ab\r\ncd", Position(1, 99)) == "ab\r\ncdx"
    assert inserted("ab\r\ncd", Position(7, 0)) == "ab\r\ncdx"


@given(TEXT)
def test_the_lines_of_a_range_are_the_documents(text):
    from fastedit.source.document import Document

    document = Document.from_text(text)
    index = LineIndex(text, "utf-16")
    for i, (line, end) in enumerate(zip(document.lines, document.ends, strict=True)):
        lines = EditedLines(text, "utf-16")
        lines.replace(index.lines(i, i + 1), "")
        before = sum(map(len, document.lines[:i] + document.ends[:i]))
        assert lines.text == text[:before] + text[before + len(line + end) :]
