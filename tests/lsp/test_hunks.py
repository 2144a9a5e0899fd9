from __future__ import annotations

from dataclasses import replace

from fastedit_lsp.buffers import Buffer
from fastedit_lsp.hunks import inverse, leaving_out, without
from fastedit_lsp.positions import EditedLines
from fastedit_lsp.wire import workspace_edit
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks, diff_lines
from tests.lsp.test_positions import ENCODINGS

LINES = st.lists(st.sampled_from(["a", "b", "", "é😋", "\f", "x\u2028y"]), max_size=8)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
KNOWS_VERSIONS = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    )
)


@st.composite
def documents(draw):
    """Texts with mixed line ends, and with or without a last one."""
    lines = draw(LINES)
    text = "".join(line + draw(ENDS) for line in lines)
    return Document.from_text(text + draw(st.sampled_from(["", "last"])))


@given(documents(), LINES)
def test_taking_back_gives_the_lines_before(document, new):
    hunks = diff_lines(document.lines, new)
    changed = Document.from_text(apply_hunks(document, hunks))
    if changed.lines == tuple(new):  # a blank last line without an end is no line
        back = inverse(hunks, document.lines)
        assert Document.from_text(apply_hunks(changed, back)).lines == document.lines


@given(documents(), LINES, ENDS)
def test_text_edits_applied_give_what_the_hunks_give(document, new, encoding_seed):
    hunks = diff_lines(document.lines, new)
    for encoding in ENCODINGS:
        buffer = Buffer("file:///a.py", document.text, encoding, 3)
        edit = workspace_edit(buffer, hunks, "", KNOWS_VERSIONS)
        [change] = edit.document_changes
        assert change.text_document.version == 3
        assert applied(document.text, change.edits, encoding) == apply_hunks(document, hunks)


def applied(text, edits, encoding):
    lines = EditedLines(text, encoding)
    for edit in reversed(edits):
        lines.replace(edit.range, edit.new_text)
    return lines.text


def test_lines_stay_apart_when_what_stood_between_them_is_left_out():
    assert without(Document.from_text("a\rb\n\nc\n"), LineRange(1, 2)).lines == ("a", "", "c")


def test_what_is_left_is_still_in_the_language_of_the_buffer():
    document = replace(Document.from_text("x = 1\nmake it two\n"), language="python")
    assert without(document, LineRange(1, 2)).language == "python"


@given(documents(), LINES, st.data())
def test_an_edit_of_what_is_left_also_deletes_what_was_left_out(document, new, data):
    if not document.lines:
        return
    start = data.draw(st.integers(0, len(document.lines) - 1))
    gone = LineRange(start, data.draw(st.integers(start + 1, len(document.lines))))
    rest = without(document, gone)
    hunks = leaving_out(diff_lines(rest.lines, new), gone)
    lines = list(document.lines)
    for hunk in reversed(hunks):
        lines[hunk.start : hunk.stop] = hunk.lines
    assert lines == list(new)
    apply_hunks(document, hunks)
