from __future__ import annotations

import pytest
from fastedit_lsp.positions import LineIndex, units
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

ENCODINGS = ("utf-8", "utf-16", "utf-32")
WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
# What ends a line here, what does not although Python thinks so, and characters of every width.
TEXT = st.text(st.sampled_from("ab \n\r\f\v\u2028\u0085é€😋"), max_size=30)


@given(TEXT, st.sampled_from(ENCODINGS))
def test_a_text_is_as_long_as_its_encoded_form(text, encoding):
    codec, width = WIDTHS[encoding]
    assert units(text, encoding) == len(text.encode(codec)) // width


@given(TEXT, st.sampled_from(ENCODINGS), st.data())
def test_every_offset_has_a_position_that_leads_back_to_it(text, encoding, data):
    index = LineIndex(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    within_line_end = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
    assert index.offset(index.position(offset)) == offset - within_line_end


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_the_protocols_own_example_counts_as_it_says(encoding, column):
    line = 'x="😋"'
    assert LineIndex(line, encoding).position(4) == Position(0, column)
    assert LineIndex(line, encoding).offset(Position(0, column)) == 4


def test_form_feed_and_line_separator_end_no_line():
    index = LineIndex("a\fb\u2028c\nd", "utf-16")
    assert index.position(6) == Position(1, 0)
    assert index.position(4) == Position(0, 4)


def test_what_lies_beyond_a_line_or_the_text_counts_as_its_end():
    index = LineIndex("ab\r\ncd", "utf-16")
    assert index.offset(Position(0, 99)) == 2
    assert index.offset(Position(1, 99)) == 6
    assert index.offset(Position(7, 0)) == 6


@given(TEXT)
def test_the_lines_of_a_range_are_the_documents(text):
    from fastedit.edit.document import Document

    document = Document.from_text(text)
    index = LineIndex(text, "utf-16")
    for i, (line, end) in enumerate(zip(document.lines, document.ends, strict=True)):
        span = index.lines(i, i + 1)
        assert text[index.offset(span.start) : index.offset(span.end)] == line + end
