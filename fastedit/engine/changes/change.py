"""A change of many files: what an agent's message makes of each, in memory; `fastedit.files` writes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from fastedit.check import check_literal
from fastedit.connect import Hangup
from fastedit.engine.changes.across import follow_renames, hold_back_beside
from fastedit.engine.changes.change_stream import HunkPlaced, Preview
from fastedit.engine.changes.file_change import FileChange
from fastedit.engine.changes.files import Files, read_edit, within
from fastedit.engine.changes.shown import shows
from fastedit.engine.changes.working_tree import ChangeCheck, Merges, WorkingTree
from fastedit.engine.edits.described import not_carried_out
from fastedit.engine.edits.placed import UnresolvedHunks
from fastedit.engine.engine import Engine
from fastedit.engine.events import Event
from fastedit.errors import UnreadableEdit, UsageError
from fastedit.files.effects import Effect
from fastedit.formats.base import Edit, FileOperation, RenameFile, does
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.files.whole import NAME as WHOLE
from fastedit.formats.text.views import WORD
from fastedit.request import TIME_LIMIT, EditRequest, PlanName, Policy, check_utf_8
from fastedit.result import Receipt, Status
from fastedit.sampling import Sampling
from fastedit.source.document import Document
from fastedit.source.fences import fenced
from fastedit.source.hunks import diff_lines
from fastedit.source.languages import check_language

__all__ = [
    "BOUND",
    "ChangeEvent",
    "ChangeRequest",
    "ChangeResult",
    "FileChange",
    "Files",
    "HunkPlaced",
    "change",
    "hunk_count",
    "stream",
]

BOUND = "held back, as it takes or leaves the name of such a file"


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """An edit of many files as an agent writes it, or as a reader of a format has read it; or None for an instruction,
    on which a strong model writes one.

    `paths` are the files that an instruction may change, besides new ones, and `context` those that the model is
    shown besides; `plan`, `sampling` and `conventions` are as in `EditRequest`. `path` is the file that a message
    means which names none. `roots` are names of the folder that paths start from: an absolute path below one of
    them means the same file. `format` insists on one of `fastedit.formats.registry`. `partial` delivers the files
    that can be changed although others cannot. `policy`, `drafter`, `tenant` and `time_limit` are for sketches and
    models, as in `EditRequest`. `language` is that of the files whose name does not tell. `choices` take readings
    of sketches, each by its file as `readings.chosen` reads it. `preview` has `stream` tell each hunk as soon as it
    has a place. `ignore` are codes of rules that hold nothing back.

    Raises UsageError for words that are no text, as `EditRequest` does.
    """

    message: str | Edit | None
    path: str | None = None
    format: str | None = None
    instruction: str | None = None
    partial: bool = False
    policy: Policy = "auto"
    drafter: str = "lookup"
    tenant: str = ""
    roots: tuple[str, ...] = ()
    time_limit: float = TIME_LIMIT
    language: str | None = None
    preview: bool = False
    ignore: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    plan: PlanName = "auto"
    sampling: Sampling = field(default_factory=Sampling)
    conventions: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        message = self.message if isinstance(self.message, str) else None
        check_utf_8(message=message, instruction=self.instruction)


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """All files of a change, in the message's order. `receipt` is what a model has cost that wrote the change, or was
    asked about single files of it, which has no plan; None where none was asked. `notes` are what it says besides, and
    what of the message is no edit."""

    formats: tuple[str, ...]
    files: tuple[FileChange, ...]
    partial: bool = False
    receipt: Receipt | None = None
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """`ok` if every file can be delivered."""
        statuses = {file.status for file in self.files}
        if statuses & {None, Status.SUSPECT}:
            return Status.SUSPECT
        return Status.UNCHANGED if statuses <= {Status.UNCHANGED} else Status.OK

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why files are held back, each named."""
        return tuple(
            f"{file.name}: {reason}"
            for file in self.files
            for reason in ((file.problem,) if file.problem else file.reasons)
        )

    @property
    def delivered(self) -> tuple[FileChange, ...]:
        """The files to be written: all or none, or with `partial` those that nothing speaks against."""
        return self.deliverable()

    def deliverable(self, *, force: bool = False) -> tuple[FileChange, ...]:
        """The files to be written; `force` takes suspect ones too.

        With `partial`, a file that takes or leaves the name of one that is held back is held back with it.
        """
        takes = {Status.OK, Status.UNCHANGED} | ({Status.SUSPECT} if force else set())
        free = [file for file in self.files if file.status in takes]
        if len(free) < len(self.files) and not self.partial:
            return ()
        names = {name for file in self.files if file.status not in takes for name in file.names}
        while bound := [file for file in free if file.names & names]:
            names.update(*(file.names for file in bound))
            free = [file for file in free if not file.names & names]
        return tuple(file for file in free if file.status is not Status.UNCHANGED)

    def bound(self, delivered: Collection[FileChange]) -> tuple[FileChange, ...]:
        """The files that nothing speaks against and that are held back all the same."""
        return tuple(file for file in self.files if file.status is Status.OK and file not in delivered)

    def effects(self, *, force: bool = False) -> tuple[Effect, ...]:
        """For `fastedit.files.transaction`; `force` takes suspect files too."""
        files = self.deliverable(force=force)
        return tuple(effect for file in files if (effect := file.effect()) is not None)


def hunk_count(files: Iterable[FileChange]) -> int:
    """How many hunks files have for the journal, where one without any counts as one."""
    return sum(len(file.hunks) or 1 for file in files)


ChangeEvent = Event | HunkPlaced | FileChange | ChangeResult


def change(engine: Engine, request: ChangeRequest, files: Files) -> ChangeResult:
    """What the message makes of the files. Nothing is written.

    Raises UnreadableEdit for a message that cannot be parsed or that names no file; for an instruction InputRefused
    for a file that cannot be shown, UnreadableAnswer, ModelUnavailable or TooLong.
    """
    for event in stream(engine, request, files):
        if isinstance(event, ChangeResult):
            return event
    raise AssertionError("a stream always ends with its result")


def stream(
    engine: Engine, request: ChangeRequest, files: Files, hangup: Hangup | None = None
) -> Iterator[ChangeEvent]:
    """Each file as soon as no operation is left for it, and the events of sketches. The last event is the
    result. `hangup` is as in `Engine.stream`.

    Raises what `change` raises.
    """
    if request.message is None:
        from fastedit.engine.changes.instructed import (
            instructed,
        )  # with what asks a model, which a message does not need

        yield from instructed(engine, request, files, hangup or Hangup())
        return
    edit = request.message
    if isinstance(edit, str):
        edit = read_edit(edit, files, request.format, request.path)
    merge = partial(_merged, engine, request, hangup)
    place = partial(_placed, engine, request, hangup)
    for event in carried_out(edit, request, files, merge, hangup=hangup, place=place):
        if isinstance(event, ChangeResult):
            if event.partial:
                hold_back_beside(event)
            event = replace(event, notes=(*event.notes, *_not_carried_out(request, event.files)))
        yield event


def _not_carried_out(request: ChangeRequest, changes: Sequence[FileChange]) -> Iterator[str]:
    """What is told of an instruction beside a message, where a sketch of a file does not tell it."""
    told = {note for file in changes for note in file.notes}
    for file in changes:
        if file.before is not None and file.after is not None and not file.problem:
            for note in not_carried_out(request.instruction, file.before, file.hunks):
                if note not in told:
                    told.add(note)
                    yield note


def carried_out(
    edit: Edit,
    request: ChangeRequest,
    files: Files,
    merge: Merges,
    check: ChangeCheck = check_literal,
    hangup: Hangup | None = None,
    place: Callable[[Document, UnresolvedHunks], Iterator[Event]] | None = None,
) -> Iterator[ChangeEvent]:
    """The events of an edit that has been read. `merge` and `place` are as in `WorkingTree`, and `check` says what is
    held against the rest. Raises as `change` does."""
    spelled = cache(partial(within, roots=request.roots, files=files))  # which may read the file
    operations = [_named(operation, request, edit, spelled) for operation in edit.operations]
    if not operations:
        raise UnreadableEdit("the message changes no file; send the edit again")
    if request.language is not None:
        check_language(request.language)
    operations = follow_renames(operations, files)
    choices = {spelled(path): reading for path, reading in request.choices.items()}
    tree = WorkingTree(files, merge, request.language, check, hangup, place, choices)
    last, told, preview = _last_mentions(operations), set[FileChange](), Preview(files)
    for index, (path, operation) in enumerate(operations):
        if request.preview:
            yield from preview.placed(path, operation)
        yield from _carried_out(tree, operation, path, edit)
        for file in tree.changes:
            if file not in told and all(last.get(name, -1) <= index for name in file.names):
                told.add(file)
                tree.settle(file, request.ignore)
                if not edit.doubts:
                    yield file
    settled = tree.chosen.union(*(file.names for file in tree.changes if file.problem))
    if unused := [path for path in choices if path not in settled]:
        raise UsageError(f"{unused[0]}: the message has no sketch of it, so there is no reading to choose")
    notes, doubts = _told_apart(edit, tree.changes)
    for file in tree.changes if edit.doubts else ():
        file.reasons += doubts
        yield file
    formats = dict.fromkeys(
        read for name in edit.formats for read in (tree.fences if name == WHOLE and tree.fences else (name,))
    )
    yield ChangeResult(tuple(formats), tree.changes, request.partial, tree.receipt, (*edit.notes, *notes))


def _carried_out(tree: WorkingTree, operation: FileOperation, path: str, edit: Edit) -> Iterator[Event]:
    """The events of an operation. One that may not be meant holds its file back if it changes anything, one that may
    mean a removal if it does not, and one that means an addition if words go."""
    said, removal, addition = (
        tuple(said for each, said in told if does(operation, each))
        for told in (edit.withheld, edit.removals, edit.additions)
    )
    text = tree.text(path) if said or removal or addition else None
    yield from tree.carry_out(operation, path)
    made = tree.text(path)
    if not (held := said if made != text else removal) and addition and _loses_words(text or "", made or ""):
        held = addition
    if held:
        tree.hold_back(path, held)


def _loses_words(text: str, made: str) -> bool:
    """Whether words go where lines of a text change."""
    old, new = text.splitlines(), made.splitlines()
    return any(not _words(old[hunk.start : hunk.stop]) <= _words(hunk.lines) for hunk in diff_lines(old, new))


def _words(lines: Sequence[str]) -> set[str]:
    return set(WORD.findall("\n".join(lines)))


def _told_apart(edit: Edit, changes: Sequence[FileChange]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes on the doubts of an edit that show what it makes of a file, and the other doubts."""
    shown = [
        doubt
        for doubt in edit.doubts
        if any(not file.problem and shows(edit.shown.get(doubt, ""), file) for file in changes)
    ]
    notes = (
        f"{doubt.split(':')[0]}: the code fence shows what the edit makes, and is no edit itself"
        for doubt in shown
    )
    return tuple(notes), tuple(doubt for doubt in edit.doubts if doubt not in shown)


def _merged(
    engine: Engine,
    request: ChangeRequest,
    hangup: Hangup | None,
    document: Document,
    sketch: str,
    choice: int | None,
) -> Iterator[Event]:
    # Nothing but the sketch, whose own fences are no edits.
    asked = _of_one_file(request, document, fenced(sketch.removesuffix("\n")))
    return engine.stream(replace(asked, format="sketch", live=False, choice=choice), hangup)


def _placed(
    engine: Engine, request: ChangeRequest, hangup: Hangup | None, document: Document, error: UnresolvedHunks
) -> Iterator[Event]:
    message = request.message if isinstance(request.message, str) else None
    asked = _of_one_file(request, document, message)
    more = replace(asked, sampling=request.sampling, plan=request.plan, conventions=request.conventions)
    return engine.place(more, error, hangup)


def _of_one_file(request: ChangeRequest, document: Document, update: str | None) -> EditRequest:
    return EditRequest(
        document,
        request.instruction,
        update,
        policy=request.policy,
        drafter=request.drafter,
        tenant=request.tenant,
        time_limit=request.time_limit,
        ignore=request.ignore,
    )


def _named(
    operation: FileOperation, request: ChangeRequest, edit: Edit, spelled: Callable[[str], str]
) -> tuple[str, FileOperation]:
    """The file that an operation is for, and the operation. Raises UnreadableEdit where nothing names the file."""
    path = operation.path or request.path
    if path is None and edit.formats == (SKETCH,):  # what is in no other format
        raise UnreadableEdit(
            edit.hint
            or "the message names no file and has no edit in a format that does; send one, or name the sketch's file"
        )
    if path is None:
        raise UnreadableEdit("the edit names no file; name the one that it is for")
    if isinstance(operation, RenameFile):
        operation = replace(operation, to=spelled(operation.to))
    return spelled(path), operation


def _last_mentions(operations: Sequence[tuple[str, FileOperation]]) -> dict[str, int]:
    """The index of the last operation for each path."""
    last: dict[str, int] = {}
    for index, (path, operation) in enumerate(operations):
        last[path] = index
        if isinstance(operation, RenameFile):
            last[operation.to] = index
    return last
