"""What a message in any format asks of files, and of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from fastedit.errors import UnreadableEdit, WayOut
from fastedit.files.paths import slashed
from fastedit.formats.base import (
    Beside,
    Edit,
    FileOperation,
    HasOneOf,
    IsFile,
    ModifyFile,
    Replacement,
    Sketch,
    WriteFile,
    has_none,
    no_file,
)
from fastedit.formats.detect import read_edit
from fastedit.formats.files import whole
from fastedit.formats.files.sketches import without_prose
from fastedit.formats.markdown.paths import has_folder, is_word
from fastedit.formats.registry import FORMATS
from fastedit.formats.text.views import WORD
from fastedit.source.document import Document
from fastedit.source.languages import TEXT, notation_of


def read_message(
    text: str,
    insist: str | None = None,
    path: str | None = None,
    is_file: IsFile = no_file,
    meant: Document | None = None,
    has_one_of: HasOneOf = has_none,
) -> Edit:
    """`path` is the file that is meant where none is named, and `meant` what it holds: prose above a code fence names
    none where that file may have fences of its own, or where the message may be all of it. `is_file` tells what is a
    name, where the form of a line does not, and `has_one_of` whether a fence goes on with the file of the one above.
    Raises UnreadableEdit, and UsageError for a format that does not exist."""
    text_alone = path is not None and (insist == whole.NAME or whole.has_fences(PurePath(path)))
    return _read(text, insist, Beside(_lines_of(meant), not text_alone, is_file, has_one_of))


def read_update(text: str, insist: str | None = None, document: Document | None = None) -> Edit:
    """A message for one file: prose names none. Raises as `read_message` does."""
    path = None if document is None else document.path
    is_file = no_file if path is None else partial(_agree, other=path)
    return _read(text, insist, Beside(_lines_of(document), prose_names=False, is_file=is_file))


def edit_of(document: Document, edit: Edit) -> ModifyFile | WriteFile:
    """What a message changes in one file. Raises UnreadableEdit where it edits another file, or several."""
    operations = edit.operations
    name = document.path or "the file"
    for doubt in (*edit.doubts, *(said for _, said in edit.withheld)):
        raise UnreadableEdit(doubt)
    if not operations:
        raise UnreadableEdit("the message changes nothing; send the edit again")
    named = dict.fromkeys(
        slashed(operation.path)
        for operation in operations
        if operation.path is not None and not _is_of_code(operation.path, document)
    )
    for path in named:
        agrees = document.path is None or _agree(path, document.path)
        if not agrees and not (len(named) == 1 and _quote(operations, path, document)):
            raise UnreadableEdit(f"the edit is for {path}, not for {name}; leave it out, or give {path} too")
    if document.path is None and len(named) > 1:
        raise UnreadableEdit(f"the edit is for {' and '.join(named)}, not for one file; send them one by one")
    modifications = [operation for operation in operations if isinstance(operation, ModifyFile)]
    if len(modifications) == len(operations):
        return ModifyFile(operations[0].path, tuple(hunk for each in modifications for hunk in each.hunks))
    only = operations[0]
    if len(operations) > 1 or not isinstance(only, WriteFile):
        said = f"the edit does more than change {name}; apply it as one of several files"
        raise UnreadableEdit(said, ways_out=(WayOut.CHANGE,))
    return only


def written(edit: WriteFile, document: Document) -> str:
    """The text that a document gets. Raises UnreadableEdit where the message does not tell it."""
    text, fenced = edit.text, edit.fenced
    if edit.path is None:
        text = whole.whole_text(edit.text, document)
        fenced = not edit.text.endswith(text)
    else:
        text = whole.complete(edit.text, document)
    return text.removesuffix("\n") if fenced and document.ends[-1:] == ("",) else text


def sketch_in(edit: ModifyFile | WriteFile, document: Document) -> str | None:
    """The sketch that an edit of a document consists of. Raises UnreadableEdit where there is more beside it.

    What may be the whole file or a part of it is a sketch: the merge tells which. So is what a tool was given as the
    whole file and leaves code out.
    """
    if isinstance(edit, WriteFile):
        is_whole = edit.insisted or (edit.stated and not _may_leave_out(document, edit.text))
        return None if is_whole else edit.text.removeprefix(document.mark)
    if not any(isinstance(hunk, Sketch) for hunk in edit.hunks):
        return None
    first, *rest = edit.hunks
    if rest or not isinstance(first, Sketch):
        raise UnreadableEdit("a sketch stands next to other edits of its file; send them one after the other")
    text = without_prose(first.text, document).removeprefix(document.mark)
    if _is_unknown_call(text, document):
        problem = f"the message is JSON in no known format, and {document.path or 'the file'} is not JSON"
        raise UnreadableEdit(f"{problem}; send a diff or SEARCH/REPLACE blocks")
    return text


def _may_leave_out(document: Document, text: str) -> bool:
    # Not above: a sketch is placed by an alignment.
    from fastedit.formats.resolution.already import may_leave_out

    return may_leave_out(document, text)


def _is_unknown_call(text: str, document: Document) -> bool:
    """Whether a text is an object of JSON, where the document holds no such: one line of it would be replaced by all of
    this."""
    if not text.lstrip().startswith("{") or document.text.lstrip()[:1] in ("", "{", "["):
        return False
    from fastedit.formats.tools.json_values import decoded  # only now: few updates begin so

    value, problem = decoded(text)
    return problem is None and isinstance(value, dict)


def _lines_of(document: Document | None) -> Sequence[str]:
    return () if document is None else document.lines


def _read(text: str, insist: str | None, beside: Beside) -> Edit:
    edit = read_edit(text, tuple(FORMATS.values()), insist, beside)
    if insist != whole.NAME:
        return edit
    return replace(edit, formats=(whole.NAME,), operations=tuple(map(_stated, edit.operations)))


def _stated(operation: FileOperation) -> FileOperation:
    """What a code fence holds, as all of its file."""
    match operation:
        case WriteFile(path):  # the ones with a path are those in fences
            return replace(operation, stated=True, insisted=True, fenced=path is not None)
        case ModifyFile(path, (Sketch(text),)):
            return WriteFile(path, text, fenced=path is not None, insisted=True)
    return operation


def _is_of_code(path: str, document: Document) -> bool:
    """Whether what stands where a path may is a name of the document's code: `Store.save`."""
    parts = path.split(".")
    is_file = has_folder(path) or (len(parts) > 1 and notation_of(PurePath(path), "") != TEXT)
    return not is_file and all(map(is_word, parts)) and set(parts) <= set(WORD.findall(document.text))


def _agree(path: str, other: PurePath) -> bool:
    """Whether one path may be a way to say the other: the shorter one ends it."""
    mine, theirs = ([part for part in each.parts if part != ".."] for each in (PurePath(path), other))
    shared = min(len(mine), len(theirs))
    return mine[-shared:] == theirs[-shared:]


def _quote(operations: Sequence[FileOperation], path: str, document: Document) -> bool:
    """Whether the operations on a file of the same name elsewhere change what stands in this one, line by line."""
    if document.path is None or PurePath(path).name != document.path.name:
        return False
    known = set(document.lines)
    hunks = [hunk for each in operations for hunk in (each.hunks if isinstance(each, ModifyFile) else [None])]
    return all(
        isinstance(hunk, Replacement) and bool(hunk.old.strip()) and known.issuperset(hunk.old.splitlines())
        for hunk in hunks
    )
