"""A sketch that is a whole message, without the prose around it."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FileOperation, ModifyFile, Sketch, unreadable
from fastedit.formats.markdown.code_fences import code_fences, is_all_code
from fastedit.formats.markdown.thought import thought_of
from fastedit.formats.text.views import ended, lines_of
from fastedit.source.document import Document
from fastedit.source.fences import Fence, pairs_up
from fastedit.source.language import language_in
from fastedit.source.lines import with_lf
from fastedit.source.markers import looks_like_marker
from fastedit.source.syntax import Syntax, parse

NAME = "sketch"


def read_sketch(message: str, lines: Sequence[str]) -> tuple[FileOperation, ...]:
    """The message as a sketch; `without_prose` takes it out. Raises UnreadableEdit."""
    if not any(map(str.strip, lines)):
        raise unreadable(NAME, None, "the message has no edit in it", "send the changed code")
    return (ModifyFile(None, (Sketch(message),)),)


def without_thought(text: str, document: Document) -> str:
    """A text of a document without what a model thought before it, where the document's language does not read that."""
    thought = thought_of(text)
    answer = text[len(thought) :].lstrip("\r\n")
    part, lines = (lines_of(with_lf(each)) for each in (answer, text))
    return answer if thought and is_all_code(part, lines, document) else text


def without_prose(text: str, document: Document) -> str:
    """A sketch of a document without the one code fence around it and the prose around that.

    A fence is part of the code where the code around it has a marker, stands in the document, or is free of errors.
    Raises UnreadableEdit.
    """
    text = without_thought(text, document)
    lines = lines_of(with_lf(text))
    blocks = code_fences(lines, document)
    fenced = {index for fence in blocks for index in fence.lines}
    around = [line for index, line in enumerate(lines) if index not in fenced and line.strip()]
    if not blocks:
        return text
    if any(map(looks_like_marker, around)) or _is_code(around, lines, blocks, document):
        if _breaks_off(lines, blocks[-1], document):
            raise _cut_off()
        return text
    if len(blocks) > 1:
        problem = f"the message has {len(blocks)} code fences, and any may be the code"
        raise unreadable(
            NAME, None, problem, f"send one at a time, or a diff of {document.path or 'the file'}"
        )
    if not blocks[0].closed:
        raise _cut_off()
    return ended([lines[index] for index in blocks[0].inside])


def _breaks_off(lines: Sequence[str], last: Fence, document: Document) -> bool:
    """Whether the last fence of a text is open, though those of the document are not, and no marker hides its end. One
    that begins a fence of the document may be what the text ends with to show where it belongs."""
    hidden = any(looks_like_marker(lines[at]) for at in last.inside)
    shown = _with_ink(lines[last.lines.start :])
    known = _with_ink(document.lines)
    begins = any(known[at : at + len(shown)] == shown for at, line in enumerate(known) if line == shown[0])
    return not last.closed and not hidden and not begins and pairs_up(document.lines)


def _with_ink(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _cut_off() -> UnreadableEdit:
    problem = "the code fence is not closed, the sketch may be cut off"
    return unreadable(NAME, None, problem, "send the whole sketch again")


def _is_code(
    around: Sequence[str], lines: Sequence[str], blocks: Sequence[Fence], document: Document
) -> bool:
    known = {line.strip() for line in document.lines}
    if not known.isdisjoint(line.strip() for line in around if any(map(str.isalnum, line))):
        return True
    syntax = parse(tuple(lines), language_in(document)) if around else None
    if syntax is None or syntax.has_error:
        return False
    # Marks of fences are marks of strings to some grammars, and prose may be a label or a name to them.
    return all(
        fence.lines.start in syntax.strings or _in_comment(syntax, fence.lines.start) for fence in blocks
    )


def _in_comment(syntax: Syntax, row: int) -> bool:
    """Whether the line begins within a comment that began above."""
    node = syntax.root.descendant_for_point_range((row, 0), (row, 0))
    return node is not None and "comment" in node.type and node.start_point.row < row
