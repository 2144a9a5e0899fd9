"""What a change means between its files, which none of them tells alone: an import follows the rename of what it
imports, and one of a name that the other file does not have is held back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from fastedit.engine.file_change import FileChange
from fastedit.engine.working_tree import Files
from fastedit.errors import FasteditError
from fastedit.formats.base import FileOperation, Hunk, Modify, TypedOperation
from fastedit.locate.filemap import file_map
from fastedit.source.document import Document
from fastedit.source.imports import Import, imports
from fastedit.source.language import language_in
from fastedit.source.languages.base import ImportedFrom
from fastedit.source.syntax import parse

if TYPE_CHECKING:
    from fastedit.engine.changes import ChangeResult

Texts = Mapping[str, Document]


def hold_back(result: ChangeResult, known: Texts) -> None:
    """Gives a file a reason that does not have a name which another one imports, and did before or never had it.
    `known` are files as they were, those that change among them: what is held back of a partial change stays so."""
    if not result.partial:
        if not any(file.problem for file in result.files):
            _object(result.files, known)
        return
    while _object(result.deliverable(), known):
        pass


def _object(changes: Sequence[FileChange], before: Texts) -> bool:
    """Whether one of the changes that are to be written got a reason."""
    had = [change.reasons for change in changes]
    after = {path: text for path, text in before.items() if all(c.path != path for c in changes)}
    after |= {change.to: change.after for change in changes if change.to and change.after}
    known = set(_missing(before))
    for missing in _missing(after):
        old = before.get(missing.file)
        lost = old is not None and _binds(old, missing.name)
        if missing in known or not (
            lost or (missing.sure and not _stands_in(after[missing.file], missing.name))
        ):
            continue
        said = f"{missing.importer} imports {missing.name} from {missing.file}, which does not have it"
        concerned = [change for change in changes if missing.file in change.names]
        for change in concerned or [change for change in changes if missing.importer in change.names]:
            change.reasons = (*change.reasons, said)
    for change in changes:
        if change.path is not None and change.path not in after:
            orphans = _importers(change.path, before, after)
            change.reasons += tuple(f"{each} imports from {change.path}, which is gone" for each in orphans)
    return had != [change.reasons for change in changes]


def follow_renames(
    operations: Sequence[tuple[str, FileOperation]], files: Files
) -> list[tuple[str, FileOperation]]:
    """The operations, in which the import of a name follows where the file that it comes from renames it alike: alone,
    each file would go on calling it by the old name."""
    places: dict[tuple[str, str], list[str]] = {}
    for path, operation in operations:
        for rename in _renames(operation):
            places.setdefault(rename, []).append(path)
    if all(len(set(paths)) < 2 for paths in places.values()):
        return list(operations)
    texts = {path: text for path, _ in operations if (text := _read(files, path)) is not None}
    return [
        (path, _following(operation, {each for each in places if _comes_along(texts, path, each, places)}))
        for path, operation in operations
    ]


def _renames(operation: FileOperation) -> Iterator[tuple[str, str]]:
    """What an operation renames, and to what."""
    for hunk in operation.hunks if isinstance(operation, Modify) else ():
        if isinstance(hunk, TypedOperation) and hunk.operation.name == "rename":
            wanted = asdict(hunk.operation)
            yield wanted["target"], wanted["new"]


def _read(files: Files, path: str) -> Document | None:
    try:
        return files.read(path)
    except FasteditError:
        return None  # which is said where the file is changed


def _comes_along(
    texts: Texts, path: str, rename: tuple[str, str], places: Mapping[tuple[str, str], Sequence[str]]
) -> bool:
    """Whether a file imports the name from one that renames it alike."""
    return any(
        rename[0] in item.names and file != path and file in places[rename]
        for item in _imported(texts, path)
        if (file := _file_of(item, texts)) is not None
    )


def _following(operation: FileOperation, renames: Collection[tuple[str, str]]) -> FileOperation:
    if not renames or not isinstance(operation, Modify):
        return operation
    from fastedit.ops.rename import RenameImported

    def followed(hunk: Hunk) -> Hunk:
        if not isinstance(hunk, TypedOperation) or hunk.operation.name != "rename":
            return hunk
        wanted = asdict(hunk.operation)
        renamed = (wanted["target"], wanted["new"]) in renames
        return TypedOperation(RenameImported(**wanted)) if renamed else hunk

    return replace(operation, hunks=tuple(map(followed, operation.hunks)))


class _Missing(NamedTuple):
    """A name that a file imports from another one, which does not bind it; unless `sure` it may have it all the
    same."""

    name: str
    file: str
    importer: str
    sure: bool


def _missing(texts: Texts) -> Iterator[_Missing]:
    for importer in texts:
        for item in _imported(texts, importer):
            if (file := _file_of(item, texts)) is not None and file != importer:
                names = (name for name in sorted(item.names) if not _binds(texts[file], name))
                yield from (_Missing(name, file, importer, not item.open) for name in names)


def _importers(gone: str, before: Texts, after: Texts) -> Iterator[str]:
    """The files that still import from one that is gone, whose names no other file has come to give."""
    for importer in after:
        found = _imported(after, importer)
        left = [item for item in found if _file_of(item, before) == gone]
        given = {item.names for item in found if _file_of(item, after) is not None}
        if any(item.names not in given for item in left):
            yield importer


def _imported(texts: Texts, path: str) -> list[ImportedFrom]:
    """What a file imports by name."""
    document = texts.get(path)
    syntax = None if document is None else parse(document.lines, language_in(document))
    found = syntax.language.imported_from if syntax is not None else None
    return [] if syntax is None or found is None else found(syntax, path)


def _file_of(item: ImportedFrom, texts: Texts) -> str | None:
    """The file that an import means, if it is one of these and no other can be meant."""
    wanted = PurePosixPath(item.file).parts
    found = []
    for path in texts:
        parts = PurePosixPath(path).with_suffix("").parts
        if parts == wanted or (not item.whole and parts[-len(wanted) :] == wanted):
            found.append(path)
    return found[0] if len(found) == 1 else None


def _binds(document: Document, name: str) -> bool:
    """Whether a file defines, assigns or imports a name, or imports names that it does not say."""
    files = file_map(document)
    if any(each.dotted == name for each in files.definitions) or files.assignments(name):
        return True
    syntax = parse(document.lines, language_in(document))
    found = imports(syntax) if syntax is not None else ()
    return any(name in each.names or _brings_all(document, each) for each in found)


def _brings_all(document: Document, found: Import) -> bool:
    return any("*" in line for line in document.lines[found.start : found.stop])


def _stands_in(document: Document, name: str) -> bool:
    syntax = parse(document.lines, language_in(document))
    return syntax is None or name in syntax.identifiers
