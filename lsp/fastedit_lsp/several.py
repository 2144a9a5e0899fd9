"""A change of several files as one workspace edit, which the person confirms in the editor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from fastedit.engine.changes.change import ChangeResult, FileChange
from fastedit.errors import UnreadableEdit, UsageError
from fastedit.source.hunks import apply_hunks
from fastedit.source.lines import with_lf
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.wire import ANNOTATION, confirms, supported, text_change, text_edits
from fastedit_lsp.workspace import WorkspaceFiles

FileEdit = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile
WAY_OUT = "apply the change with `fastedit apply` in a terminal"
# An empty file as a whole. Neovim keeps a last line end only where the range goes beyond the first line.
_EMPTY = types.Range(types.Position(0, 0), types.Position(1, 0))


def in_words(result: ChangeResult) -> str:
    """What the change does, such as "create a.py and edit b.py"."""
    done = [
        f"edit and {file.title}" if file.action == "rename" and not _same_text(file) else file.title
        for file in result.deliverable(force=True)
    ]
    shown = done if len(done) < 6 else [*done[:5], f"{len(done) - 5} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def document_changes(
    result: ChangeResult, files: WorkspaceFiles, capabilities: types.ClientCapabilities, label: str
) -> types.WorkspaceEdit:
    """Raises UnreadableEdit for a file that is named in two ways, UsageError where the client cannot do it."""
    annotation = ANNOTATION if confirms(capabilities) else None
    _refuse_second_name(result, files)
    order, ring = _freed(result.files)
    operations = [operation for file in order for operation in _operations(file, files, annotation)]
    if ring:
        names = " and ".join(file.path or "" for file in ring)
        raise UsageError(f"{names} take each other's names, which an editor cannot do; {WAY_OUT}")
    _refuse_unsupported(operations, capabilities)
    noted = types.ChangeAnnotation(f"FastEdit: {label}", needs_confirmation=True)
    return types.WorkspaceEdit(
        document_changes=operations, change_annotations={ANNOTATION: noted} if annotation else None
    )


def _freed(files: Iterable[FileChange]) -> tuple[list[FileChange], list[FileChange]]:
    """The files, ordered so that a name is free before another file takes it, and those that take each other's names,
    which have no order."""
    order: list[FileChange] = []
    waiting = list(files)
    while waiting:
        occupied = {file.path for file in waiting if file.path is not None and file.to != file.path}
        held = [file for file in waiting if file.to != file.path and file.to in occupied]
        if len(held) == len(waiting):
            break
        order += [file for file in waiting if file.to == file.path or file.to not in occupied]
        waiting = held
    return order, waiting


def _operations(file: FileChange, files: WorkspaceFiles, annotation: str | None) -> Iterator[FileEdit]:
    """A text is changed under its old name, whose version is known."""
    if file.path is None:
        assert file.to is not None
        assert file.after is not None
        uri = files.uri(file.to)
        yield types.CreateFile(uri, annotation_id=annotation)
        if file.after.text:
            yield text_change(uri, None, [types.TextEdit(_EMPTY, file.after.text)], annotation)
        return
    buffer = files.find(file.path)
    assert buffer is not None
    if file.to is None:
        yield types.DeleteFile(buffer.uri, annotation_id=annotation)
        return
    if not _same_text(file):
        yield text_change(buffer.uri, buffer.version, _edits(file, buffer), annotation)
    if file.to != file.path:
        yield types.RenameFile(buffer.uri, files.uri(file.to), annotation_id=annotation)


def _edits(file: FileChange, buffer: Buffer) -> list[types.TextEdit]:
    """By lines, which keep the ends they have, or the whole text where lines cannot say it."""
    assert file.after is not None
    if with_lf(apply_hunks(buffer.document, file.hunks)) == with_lf(file.after.text):
        return list(text_edits(buffer, file.hunks))
    whole = types.Range(types.Position(0, 0), buffer.index.position(len(buffer.text)))
    return [types.TextEdit(whole, file.after.text)]


def _same_text(file: FileChange) -> bool:
    return file.before is not None and file.after is not None and file.before.text == file.after.text


def _refuse_second_name(result: ChangeResult, files: WorkspaceFiles) -> None:
    named: dict[str, str] = {}
    for file in result.files:
        if file.path is None or (buffer := files.find(file.path)) is None:
            continue
        other = named.setdefault(buffer.uri, file.path)
        if other != file.path:
            raise UnreadableEdit(
                f"{file.path}: is the same file as {other}; change it under one of its names"
            )


def _refuse_unsupported(operations: Sequence[FileEdit], capabilities: types.ClientCapabilities) -> None:
    edits = supported(capabilities)
    if edits is None or not edits.document_changes:
        raise UsageError(f"this editor does not support edits of several files; {WAY_OUT}")
    known = edits.resource_operations or ()
    for operation in operations:
        if not isinstance(operation, types.TextDocumentEdit) and operation.kind not in known:
            raise UsageError(f"this editor cannot {operation.kind} files for a server; {WAY_OUT}")
