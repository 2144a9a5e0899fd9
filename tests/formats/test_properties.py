"""A change written in any format gives the wanted bytes; where its text stands in several places, it may be refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.engine.engine import Engine
from fastedit.errors import UnreadableEdit
from fastedit.formats.report import PlacementStep
from fastedit.result import Status
from fastedit.source.document import Document
from tests.formats.blocks import (
    FileEdit,
    as_seen,
    blocks,
    count_lines,
    count_strings,
    line_blocks,
    lines_of,
)
from tests.formats.writers import WRITERS, Writer

PATH = "src/a.txt"
ALREADY = "there already"
LINES = st.sampled_from(
    ["alpha", "beta", "gamma()", "", "    alpha", "\tbeta", "\t\tgamma(1)", "x = 'é'  ", "“quoted” – 𝄞", "}"]
)
TEXTS = st.lists(LINES, max_size=12)
NUMBERED = [writer for writer in WRITERS if writer.name in ("udiff, git", "WorkspaceEdit")]


@st.composite
def edits(draw: st.DrawFn) -> FileEdit:
    """A text and the same with some lines replaced, removed or added."""
    old = draw(TEXTS)
    new = list(old)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(new)))
        stop = draw(st.integers(start, min(start + 3, len(new))))
        new[start:stop] = draw(st.lists(LINES, max_size=3))
    # A text of one line tells no line end, and gets LF.
    end = draw(st.sampled_from(["\n", "\r\n"])) if len(old) > 1 else "\n"
    before, after = draw(st.sampled_from([(end, end), (end, end), ("", ""), (end, ""), ("", end)]))
    return FileEdit(
        PATH,
        end.join(old) + before * bool(old),
        end.join(new) + after * bool(new),
        context=draw(st.integers(0, 3)),
        unique=draw(st.booleans()),
    )


class OneFile:
    """A folder with nothing else in it."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._document = path, Document.from_text(text, Path(path))

    def read(self, path: str) -> Document | None:
        return self._document if path == self._path else None


def applied(edit: FileEdit, message: str) -> bytes | str:
    """The bytes that the message makes of the old text, or why it is refused; ALREADY where a part of it is there."""
    try:
        result = change(Engine(), ChangeRequest(message), OneFile(edit.path, edit.old))
    except UnreadableEdit as error:
        return str(error)
    [file] = result.files
    if any(report.step is PlacementStep.ALREADY for report in file.reports):
        return ALREADY
    if file.status not in (Status.OK, Status.UNCHANGED):
        return "; ".join(result.reasons)
    assert file.after is not None
    return file.after.encode(file.after.text)


def is_ambiguous(edit: FileEdit) -> bool:
    """Whether some block, with as much context as its author gave, does not stand exactly once in the text, of which
    the last line may be meant with its end or without."""
    lines, text = lines_of(edit.old), as_seen(edit.old) + "\n" * (not edit.old.endswith("\n"))
    parts = [block.old(lines) for block in blocks(edit)] + [lines[-1:]] * (not edit.same_end)
    return any(
        not "".join(part) or count_lines(lines, part) > 1 or count_strings(text, "\n".join(part)) > 1
        for part in parts
    )


def is_there(edit: FileEdit) -> bool:
    """Whether what a block adds to its old text stands around that already, as if the block were sent again."""
    lines = lines_of(edit.old)
    sides = ((block.old(lines), block.new(lines)) for block in (*blocks(edit), *line_blocks(edit)))
    return any(
        count_lines(lines, new) or "\n".join(new) in edit.old for old, new in sides if len(new) > len(old)
    )


def has_blank_side(edit: FileEdit) -> bool:
    """Whether one side of a block is nothing but blank lines: a block of text cannot tell that from nothing."""
    lines = lines_of(edit.old)
    return any(not "".join(side) for block in blocks(edit) for side in (block.old(lines), block.new(lines)))


def loses_its_end(writer: Writer, edit: FileEdit) -> bool:
    """Whether a whole file ends with a line below which the file has others that go, as if it were cut off."""
    old, new = ([line.strip() for line in lines_of(text) if line.strip()] for text in (edit.old, edit.new))
    return writer.name == "whole file" and any(
        line == new[-1] and Counter(old[row + 1 :]) - Counter(new) for row, line in enumerate(old) if new
    )


def cannot_say(writer: Writer, edit: FileEdit) -> bool:
    """Whether the format reads the change as another one: SEARCH of a blank line is none, strings end lines, and an
    empty string may be replaced by a whole file."""
    if edit.old == edit.new:
        return True
    if writer.format == "search_replace":
        return has_blank_side(edit)
    if writer.name == "whole file":
        return False
    lines = lines_of(edit.old)
    if writer.format == "str_replace" and not all("".join(block.old(lines)) for block in blocks(edit)):
        return True
    drops_end = not edit.new.endswith("\n") and (not edit.old or edit.old.endswith("\n"))
    return drops_end and (writer.format == "str_replace" or not edit.old)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
@given(edit=edits())
def test_an_edit_gives_the_wanted_bytes_or_is_refused_as_ambiguous(writer: Writer, edit: FileEdit) -> None:
    message = writer.write(edit)
    if message is None or cannot_say(writer, edit):
        return
    found = applied(edit, message)
    if isinstance(found, str):
        unsaid = writer.format == "edit_tags" and has_blank_side(edit)
        sent_again = found == ALREADY and is_there(edit)
        cut_off = "(FE116)" in found and loses_its_end(writer, edit)
        assert is_ambiguous(edit) or unsaid or sent_again or cut_off, f"{found}\n{message}"
    else:
        assert found == edit.new.encode(), message


@pytest.mark.parametrize("writer", NUMBERED, ids=lambda writer: writer.name)
@given(edit=edits())
def test_right_numbers_settle_every_ambiguity(writer: Writer, edit: FileEdit) -> None:
    message = writer.write(edit)
    if cannot_say(writer, edit):
        return
    assert message is not None
    assert applied(edit, message) == edit.new.encode(), message
