"""Files in code fences, each with its path on the line above, in the fence's info string, or in a comment that the
fence begins with: whole, or as sketches.

A message that its caller says to be the whole file needs no path (`whole_text`). A fence that holds an edit in another
format is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePath

from fastedit.files.paths import slashed
from fastedit.formats.base import (
    ALONE,
    Beside,
    FileOperation,
    Format,
    FoundEdit,
    ModifyFile,
    Sketch,
    WriteFile,
    is_for_others,
    unreadable,
)
from fastedit.formats.diffs import search_replace
from fastedit.formats.diffs.search_replace_blocks import begins_or_ends_a_block
from fastedit.formats.files.path_comments import parts, path_in_comment
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.files.sketches import without_prose, without_thought
from fastedit.formats.files.withheld import says
from fastedit.formats.markdown.code_fences import (
    code_fences,
    fence_around,
    is_all_code,
    is_beside,
    names_kind,
)
from fastedit.formats.markdown.info_strings import DIFFS
from fastedit.formats.markdown.lead import stated
from fastedit.formats.markdown.paths import path_in_info
from fastedit.formats.markdown.thought import thought_of
from fastedit.formats.report import quoted
from fastedit.formats.text.views import ended, lines_of
from fastedit.source.document import Document
from fastedit.source.examples import examples
from fastedit.source.fences import OPENING, Closings, Fence, Nested, pairs_up
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import named, notation_of
from fastedit.source.lines import with_lf
from fastedit.source.markers import looks_like_marker
from fastedit.source.syntax import parse

NAME = "whole"

_ELEMENT = re.compile(r"\s*<[A-Za-z!]")
_OTHER_EDIT = re.compile(r"\*\*\* |@@|diff --git |--- \S|<edits>|<old_text")


def _named(name: str, lines: Sequence[str]) -> list[FoundEdit]:
    """Fences with a path. Those that leave code out (`... existing code ...`) are sketches, others whole files; `name`
    says which of them are found."""
    found: list[FoundEdit] = []
    marks = Nested(lines)
    markup: str | None = None  # the first line above, outside of fences, that begins with a tag
    at = floor = 0
    while at < len(lines):
        fence = marks.fence(at)
        first, beside = stated(lines, at, floor, fence.info) if fence else (at, None)
        path = beside or (path_in_comment(_first(fence, lines), fence.info) if fence else None)
        if fence is None or not (fence.closed or path is not None):
            if markup is None and _ELEMENT.match(lines[at]):
                markup = lines[at]
            at += 1
            continue
        floor = fence.lines.stop
        inside = fence.text(lines)
        if (
            path is not None
            and (path_in_info(fence.info) or not is_beside(fence.info, Path(slashed(path)), inside))
            and (kind := edit_kind(path, fence.info, inside if beside else inside[1:])) is not None
        ):
            end = _end(lines, path, fence, marks, floor)
            if kind == name:
                edit = _found(kind, path, fence, inside, range(first, end))
                if fence.tag and markup is not None:
                    refused = partial(_refuse_markup, kind, path, lines[at], markup)
                    edit = FoundEdit(edit.lines, refused)
                found.append(edit)
            floor = end
        at = floor
    return found


def _first(fence: Fence, lines: Sequence[str]) -> str:
    return fence.inner(lines[fence.inside[0]]) if fence.inside else ""


FORMAT = Format(NAME, (partial(_named, NAME),))
NAMED_SKETCH = Format(SKETCH, (partial(_named, SKETCH),))


def told_in_prose(
    lines: Sequence[str], marks: Nested, opening: int, path: str, above: str
) -> tuple[str, FoundEdit] | None:
    """The edit in the fence that opens at a line, of the file that prose names, and its format; None for an edit in
    another format. `above` is the last line of the prose."""
    fence = marks.fence(opening)
    assert fence is not None
    inside = fence.text(lines)
    kind = edit_kind(path, fence.info, inside)
    if kind is None:
        return None
    end = _end(lines, path, fence, marks, fence.lines.stop)
    return kind, _found(kind, path, fence, inside, range(opening, end), in_prose=says("new", above) <= 0)


def _found(
    kind: str, path: str, fence: Fence, inside: Sequence[str], lines: range, *, in_prose: bool = False
) -> FoundEdit:
    def read(beside: Beside = ALONE) -> list[FileOperation]:
        _check_end(kind, path, fence.closed, lines.stop == fence.lines.stop)
        found = parts(kind, path, fence.info, inside, beside)
        return [_operation(file, text, in_prose=in_prose) for file, text in found]

    return FoundEdit(lines, read, read)


def _operation(path: str, text: Sequence[str], *, in_prose: bool) -> WriteFile | ModifyFile:
    if edit_kind(path, "", text) == SKETCH:
        return ModifyFile(path, (Sketch(ended(text)),))
    return WriteFile(path, ended(text), stated=False, in_prose=in_prose)


def _check_end(kind: str, path: str, closed: bool, alone: bool) -> None:
    """Raises UnreadableEdit where the fence breaks off, or may end further below: it is not `alone`."""
    if not closed:
        problem = f"{path} breaks off before the closing fence"
        what = "sketch" if kind == SKETCH else "file"
        raise unreadable(kind, None, problem, f"send the whole {what} again")
    if not alone:
        problem = f"{path} may end at any of several fences"
        raise unreadable(kind, None, problem, "put it in a fence of four backticks or more")


def _refuse_markup(kind: str, path: str, tag: str, markup: str) -> tuple[FileOperation, ...]:
    problem = f"{quoted(tag)} below {path} may be text of what begins with {quoted(markup)}"
    raise unreadable(kind, None, problem, "put the file in a fence of backticks")


def whole_text(message: str, document: Document) -> str:
    """The whole file in a message that names none, without the one code fence around it and the prose around that.

    Raises UnreadableEdit where the message leaves code out, or does not tell what of it is the file.
    """
    known = {line.strip() for line in document.lines}
    name = document.path or "the file"
    opening = thought_of(message).strip().partition("\n")[0]
    if opening and opening not in known:
        message, whole = without_thought(message, document), message
        if message == whole:
            problem = f"what begins with {quoted(opening)} may be part of {name}"
            raise unreadable(NAME, None, problem, "send the file alone")
    lines = lines_of(with_lf(message))
    if not any(map(str.strip, lines)):
        raise unreadable(NAME, None, "the message has no text", "send the whole file")
    fence = fence_around(lines)
    if fence is not None and not (fence.tag and lines[fence.lines.start].strip() in known):
        if fence.tag and not is_all_code(fence.text(lines), lines, document):
            problem = f"the tags {quoted(lines[fence.lines.start])} around it may be part of {name}"
            raise unreadable(NAME, None, problem, "send it in a code fence below its path")
        text = ended(fence.text(lines))
    else:
        text = without_prose(message, document)
        is_open = text != message and has_fences(document.path)
        if is_open and not names_kind(code_fences(lines, document)[0].info, document):
            problem = f"the text around the code fence may be part of {document.path}"
            raise unreadable(NAME, None, problem, "send the file alone")
    return complete(text, document)


def complete(text: str, document: Document) -> str:
    """A whole text of a document. Raises UnreadableEdit where a line that the document lacks stands for code left
    out."""
    known, lines = {line.strip() for line in document.lines}, lines_of(with_lf(text))
    shown = _shown(lines, document)
    said = [line for row, line in enumerate(lines) if line.strip() not in known and row not in shown]
    marker = _marker(said, notation_in(document))
    if marker is not None:
        way_out = "send all of the file, or a sketch" if known else "send all of the file"
        raise unreadable(NAME, None, f"it leaves code out at {quoted(marker)}", way_out)
    return text


def _shown(lines: Sequence[str], document: Document) -> set[int]:
    """The lines of a file that it shows and does not mean: in examples added to prose, and in all of them and strings
    of a new file."""
    if not any(map(looks_like_marker, lines)):
        return set()
    is_prose = named(notation_in(document)).prose
    if any(map(str.strip, document.lines)):
        if not is_prose:
            return set()
        # Not above: sketches need nothing of it.
        from fastedit.formats.resolution.already import examples_added

        return set(examples_added(document.lines, lines))
    if is_prose:
        return {row for example in examples(lines) for row in example}
    syntax = parse(tuple(lines), language_in(document))
    return set() if syntax is None else set(syntax.strings)


def has_fences(path: PurePath | None) -> bool:
    return path is not None and named(notation_of(Path(path), "")).fences


def _end(lines: Sequence[str], path: str, fence: Fence, marks: Nested, stop: int) -> int:
    """The line after the fence, or after the last one that may close it: a Markdown file may hold fences, and any file
    tags."""
    if fence.tag:
        last = marks.left_over(fence)
        return stop if last is None else last + 1
    if not fence.closed or not has_fences(Path(path)):
        return stop
    part = lines[: _next_named(lines, marks, stop)]
    closings, at, last = Closings(part), stop - 1, stop
    # The text goes on where its mark opens a fence of the text, and may end where none is open.
    while at < len(part):
        inner = closings.fence(at)
        if inner is not None and at >= stop and marks.closes(fence, at):
            last = at + 1
        at = at + 1 if inner is None else inner.lines.stop
    return last if pairs_up(part[stop:]) else len(part)


def _next_named(lines: Sequence[str], marks: Nested, stop: int) -> int:
    """The first line from `stop` that opens a fence with a path, else the end."""
    for at in range(stop, len(lines)):
        fence = marks.fence(at)
        if fence is not None and stated(lines, at, stop, fence.info)[1] is not None:
            return at
    return len(lines)


def edit_kind(path: str, info: str, text: Sequence[str]) -> str | None:
    """Whether the text is a whole file or a sketch of one; None for an edit in another format."""
    head = next(filter(str.strip, text), "")
    if info.lower() in DIFFS and not path.endswith(info.lower()):
        return None
    if _OTHER_EDIT.match(head) or (any(map(begins_or_ends_a_block, text)) and not _shows_blocks(path, text)):
        return None
    return NAME if _marker(text, notation_of(Path(path), "")) is None else SKETCH


def _shows_blocks(path: str, text: Sequence[str]) -> bool:
    """Whether the blocks in a text of a file are text of it: all name other files, and more is beside them."""
    found = search_replace.find(text)
    taken = {row for edit in found for row in edit.lines}
    beside = any(
        line.strip() and not OPENING.fullmatch(line) for row, line in enumerate(text) if row not in taken
    )
    return beside and all(is_for_others(edit, path) for edit in found)


def _marker(lines: Sequence[str], notation: str) -> str | None:
    """The first line that stands for code left out."""
    ellipsis = named(notation).ellipsis  # whether `...` is a statement
    markers = (line for line in lines if looks_like_marker(line) and not (ellipsis and line.strip() == "..."))
    return next(markers, None)
