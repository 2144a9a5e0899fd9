"""What a change means between its files, which none of them tells alone: an import follows the rename of what it
imports, and one of a name that the other file does not have is held back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

from fastedit.engine.changes.file_change import FileChange
from fastedit.engine.changes.files import Files, read_if_text
from fastedit.formats.base import FileOperation, FormatHunk, ModifyFile, TypedOperation
from fastedit.source.document import Document

if TYPE_CHECKING:
    from fastedit.engine.changes.change import ChangeResult
    from fastedit.engine.changes.exchange import ExchangedFile, Project

Texts = Mapping[str, Document]


def hold_back(result: ChangeResult, known: Texts) -> None:
    """Gives a file a reason that does not have a name which another one takes, and did before or never had it.
    `known` are files as they were, those that change among them: what is held back of a partial change stays so."""
    from fastedit.engine.changes.exchange import Project  # not above: most messages need none of it

    before = Project(known)
    if not result.partial:
        if not any(file.problem for file in result.files):
            _object(result.files, before)
        return
    while _object(result.deliverable(), before):
        pass


def hold_back_beside(result: ChangeResult) -> None:
    """Of a partial change, gives a file a reason that does not fit one that is held back and so stays as it was. What
    the change itself makes of its files is its author's."""
    from fastedit.engine.changes.exchange import Project

    before = Project({file.path: file.before for file in result.files if file.path and file.before})
    while stays := {path for file in result.files if file not in result.deliverable() for path in file.names}:
        if not _object(result.deliverable(), before, stays):
            return


def _object(changes: Sequence[FileChange], before: Project, beside: Set[str] | None = None) -> bool:
    """Whether one of the changes that are to be written got a reason; `beside` these files where they are given."""
    from fastedit.engine.changes.exchange import Project

    had = [change.reasons for change in changes]
    texts = {path: file.document for path, file in before.files.items()}
    left = {path: text for path, text in texts.items() if all(c.path != path for c in changes)}
    left |= {change.to: change.after for change in changes if change.to and change.after}
    after = Project(left)
    for missing in _missing(before, after):
        if beside is not None and beside.isdisjoint({missing.file, missing.taker}):
            continue
        said = f"{missing.taker} {missing.how} {missing.name} from {missing.file}, which does not have it"
        concerned = [change for change in changes if missing.file in change.names]
        for change in concerned or [change for change in changes if missing.taker in change.names]:
            change.reasons = tuple(dict.fromkeys((*change.reasons, said)))
    for change in changes:
        if change.path is not None and change.path not in left:
            orphans = (
                each for each in _importers(change.path, before, after) if not beside or each in beside
            )
            gone = (f"{each} imports from {change.path}, which is gone" for each in orphans)
            change.reasons = tuple(dict.fromkeys((*change.reasons, *gone)))
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
    # One that cannot be read is told where it is changed.
    texts = {path: text for path, _ in operations if (text := read_if_text(files, path)) is not None}
    return [
        (path, _following(operation, {each for each in places if _comes_along(texts, path, each, places)}))
        for path, operation in operations
    ]


def _renames(operation: FileOperation) -> Iterator[tuple[str, str]]:
    """What an operation renames, and to what."""
    for hunk in operation.hunks if isinstance(operation, ModifyFile) else ():
        if isinstance(hunk, TypedOperation) and hunk.operation.name == "rename":
            wanted = asdict(hunk.operation)
            yield wanted["target"], wanted["new"]


def _comes_along(
    texts: Texts, path: str, rename: tuple[str, str], places: Mapping[tuple[str, str], Sequence[str]]
) -> bool:
    """Whether a file imports the name from one that renames it alike."""
    from fastedit.engine.changes.exchange import Project

    project = Project(texts)
    return path in project.files and any(
        rename[0] in item.names and file.path in places[rename]
        for item in project.files[path].taken
        for file in project.of(project.files[path], item)
    )


def _following(operation: FileOperation, renames: Collection[tuple[str, str]]) -> FileOperation:
    if not renames or not isinstance(operation, ModifyFile):
        return operation
    from fastedit.ops.uses.rename import RenameImported

    def followed(hunk: FormatHunk) -> FormatHunk:
        if not isinstance(hunk, TypedOperation) or hunk.operation.name != "rename":
            return hunk
        wanted = asdict(hunk.operation)
        renamed = (wanted["target"], wanted["new"]) in renames
        return TypedOperation(RenameImported(**wanted)) if renamed else hunk

    return replace(operation, hunks=tuple(map(followed, operation.hunks)))


class _Missing(NamedTuple):
    """A name that a file takes from another one, which does not give it. `how` it does, as a message says it."""

    taker: str
    name: str
    file: str
    how: str


def _missing(before: Project, after: Project) -> Iterator[_Missing]:
    lost: dict[str, list[str]] = {}
    for taker, item, files in after.from_places():
        if not files and not item.folder:
            continue  # `_importers` tells what is gone
        givers = [file for file in before.of(taker, item) if file.path != taker.path]
        members = taker.members(item.via) if item.via else set()
        for name in sorted(item.names | members):
            if any(file.binds(name) for file in files):
                continue
            how = "imports" if name in item.names else "uses"
            gave = next((file for file in givers if file.binds(name)), None)
            if gave is not None:
                yield _Missing(taker.path, name, gave.path, how)
            elif not item.open and not any(file.has(name) for file in files) and _is_new(before, taker, name):
                yield _Missing(taker.path, name, files[0].path, how)
        for gave in givers if item.via == "" else ():
            if gave.path not in lost:
                lost[gave.path] = _lost(gave, after)
            for name in lost[gave.path]:
                if taker.has(name) and taker.uses(name) and not any(file.binds(name) for file in files):
                    yield _Missing(taker.path, name, gave.path, "uses")


def _is_new(before: Project, taker: ExchangedFile, name: str) -> bool:
    """Whether a file did not take the name before: what was wrong then is no reason now."""
    was = before.files.get(taker.path)
    return was is None or not any(
        name in item.names or (item.via and name in was.members(item.via)) for item in was.taken
    )


def _lost(file: ExchangedFile, after: Project) -> list[str]:
    """The names that a file gave to those that use them as they are, and does not any more under the same path."""
    now = after.files.get(file.path)
    if file.syntax is None:
        return []
    kept = frozenset(now.document.lines) if now is not None else frozenset()
    lines = file.document.lines
    return [
        name
        for name, rows in file.syntax.identifiers.items()
        if any(lines[row] not in kept for row in rows)
        and (now is None or not now.binds(name))
        and file.gives(name)
    ]


def _importers(gone: str, before: Project, after: Project) -> Iterator[str]:
    """The files that still import from one that is gone, whose names no other file has come to give."""
    for taker in after.files.values():
        found = [item for item in taker.taken if not item.folder]
        left = [item for item in found if [file.path for file in before.of(taker, item)] == [gone]]
        given = {(item.names, item.via) for item in found if after.of(taker, item)}
        if any((item.names, item.via) not in given for item in left):
            yield taker.path
