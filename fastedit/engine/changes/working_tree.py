"""Files in memory, as the operations of a change so far leave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from fastedit.check import Objection, check_literal
from fastedit.connect import Hangup
from fastedit.engine.changes.file_change import FileChange
from fastedit.engine.changes.files import Files, read_if_text
from fastedit.engine.changes.misnamed import alike, misnamed
from fastedit.engine.edits.placed import UnresolvedHunks, place, rewritten
from fastedit.engine.events import Event, Resulted
from fastedit.errors import (
    FasteditError,
    FileUnreadable,
    InputRefused,
    StaleFile,
    UnplacedHunk,
    UnreadableEdit,
    UsageError,
    WayOut,
    WriteFailed,
)
from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    FileOperation,
    ModifyFile,
    RenameFile,
    Replacement,
    WriteFile,
)
from fastedit.formats.files.path_comments import without_label
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.files.whole import NAME as WHOLE
from fastedit.formats.files.whole import complete
from fastedit.formats.message import sketch_in, written
from fastedit.readings import chosen
from fastedit.result import Receipt
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.source.language import supposed
from fastedit.source.lines import with_lf

IN_PROSE = (
    "there is no such file, and the text above its code fence may only speak of it; for a new one write its path alone "
    "on the line above the fence"
)


# What a sketch makes of a document, with the number of the reading that is chosen; the last event is the result.
Merges = Callable[[Document, str, int | None], Iterator[Event]]
_MOST = 3  # files that may be meant
EMPTY = "the code fence below its path is empty, which says nothing of its text; send the text, or leave the file out"


class ChangeCheck(Protocol):
    """What is held against the hunks that an edit's author wrote, or against a whole text where it is `anew`."""

    def __call__(
        self, document: Document, hunks: Sequence[Hunk], *, anew: bool, ignore: frozenset[str]
    ) -> tuple[Objection, ...]: ...


class WorkingTree:
    """`merge` carries out a sketch, with the number of the reading that is chosen, and `place` an edit with hunks
    that have no place, where a model may be asked for it; the last event of both is the result. `language` is that
    of files whose name tells none. Once `hangup` is called, no further operation is carried out."""

    def __init__(
        self,
        files: Files,
        merge: Merges,
        language: str | None = None,
        check: ChangeCheck = check_literal,
        hangup: Hangup | None = None,
        place: Callable[[Document, UnresolvedHunks], Iterator[Event]] | None = None,
        choices: Mapping[str, str] | None = None,
    ) -> None:
        self._files, self._merge, self._language, self._check = files, merge, language, check
        self._place, self._choices = place, choices or {}
        self.chosen = set[str]()  # the files of which a reading was chosen
        self._hangup = hangup
        self._changes: list[FileChange] = []
        self._literal: dict[FileChange, bool] = {}  # whether the last literal edit of a file is a whole text
        self.receipt: Receipt | None = None  # of models that were asked about single files
        self.fences: dict[str, None] = {}  # the formats that code fences without a marker turn out to be in

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """The files so far, without those that were created and deleted again."""
        return tuple(change for change in self._changes if change.path or change.to)

    def carry_out(self, operation: FileOperation, path: str) -> Iterator[Event]:
        """Applies an operation to the file with this name; a problem is kept with the file.

        Nothing more is done to a file that has one.
        """
        change = self._known(path) or self._opened(path)
        if change.problem:
            if isinstance(operation, RenameFile):
                change.to = operation.to
            return
        try:
            yield from self._apply(change, operation, path)
        except (InputRefused, UsageError) as error:
            _refuse(change, path, error)

    def settle(self, change: FileChange, ignore: frozenset[str]) -> None:
        """Ends the change of a file: what its hunks say is held back where all of them together break it, and so is a
        new file that cannot be read."""
        if change not in self._literal or change.after is None:
            return
        if change.before is None:
            blank = replace(change.after, text="")
            lines = Document.from_text(change.after.text.removeprefix("\ufeff")).lines
            found = check_literal(blank, diff_lines((), lines), anew=True, ignore=ignore)
        else:
            anew = self._literal[change]
            found = self._check(change.before, change.hunks, anew=anew, ignore=ignore)
        change.reasons = tuple(dict.fromkeys((*change.reasons, *map(str, found))))

    def text(self, path: str) -> str | None:
        """The text that a file has now, None where there is none."""
        known = self._known(path)
        document = read_if_text(self._files, path) if known is None else known.after
        return None if document is None else document.text

    def hold_back(self, path: str, reasons: Sequence[str]) -> None:
        """Keeps what speaks against the change of a file so far."""
        for change in (each for each in self._changes if path in each.names):
            change.reasons += tuple(reasons)

    def _known(self, path: str) -> FileChange | None:
        """The change of the file that has this name now, or of the deleted one that had it."""
        deleted = (change for change in self._changes if change.to is None and change.path == path)
        return next((change for change in self._changes if change.to == path), next(deleted, None))

    def _opened(self, path: str) -> FileChange:
        change = FileChange(None, None, None, None)
        self._changes.append(change)
        try:
            before = None if self._moved(path) else self._files.read(path)
        except FasteditError as error:
            _refuse(change, path, error)
            return change
        if before is not None:
            # Messages name the file as the edit does.
            change.before = change.after = supposed(replace(before, path=Path(path)), self._language)
            change.path = change.to = path
        return change

    def _moved(self, path: str) -> FileChange | None:
        """The change of the file that had this name and has another."""
        return next((change for change in self._changes if change.path == path and change.to != path), None)

    def _stands(self, path: str) -> bool:
        """Whether there is a file with this name now."""
        if known := self._known(path):
            return known.after is not None or bool(known.problem)
        return not self._moved(path) and self._files.read(path) is not None

    def _apply(self, change: FileChange, operation: FileOperation, path: str) -> Iterator[Event]:
        match operation:
            case CreateFile():
                self._create(change, operation, path)
            case WriteFile():
                there = change.after
                if there is not None and there.text.strip() and not operation.stated and not operation.text:
                    raise UnreadableEdit(EMPTY)
                if there is not None and there.text.strip() and (text := sketch_in(operation, there)):
                    self.fences[SKETCH] = None
                    yield from self._sketch(change, there, text, path)
                else:
                    self.fences[WHOLE] = None
                    text = written(operation, there or _blank(path))
                    is_new = there is None and not operation.stated
                    text = without_label(text, path) if is_new else text
                    self._write(change, text, path)
                    if operation.in_prose and there is None:
                        change.reasons += (IN_PROSE,)
                    elif is_new and (said := misnamed(path, text, self._files)):
                        change.reasons += (said,)
            case DeleteFile():
                _check_unchanged(self._present(change, path), operation, path)
                change.to, change.after, change.hunks = None, None, ()
            case RenameFile():
                self._rename(change, operation, path)
            case ModifyFile():
                yield from self._modify(change, operation, path)

    def _create(self, change: FileChange, operation: CreateFile, path: str) -> None:
        there = change.after
        if there is not None and not operation.overwrite and not _same_lines(there, operation.text):
            raise WriteFailed(f"{path}: exists already; edit it, or delete it first")
        change.executable = operation.executable
        self._write(change, complete(operation.text, there or _blank(path)), path)

    def _write(self, change: FileChange, text: str, path: str) -> None:
        """Sets the whole text. A file that is or was there keeps its encoding and line ends."""
        change.to = path
        document = change.after or change.before
        self._literal[change] = True
        if document is None:
            self._set(change, _new(text, path))
        else:
            self._set(change, _again(document, _in_its_file(document, text)))

    def _rename(self, change: FileChange, operation: RenameFile, path: str) -> None:
        document = self._present(change, path)
        if operation.to == path:
            return
        if self._stands(operation.to):
            if not operation.overwrite:
                raise WriteFailed(f"{operation.to}: exists already; choose another name, or delete it first")
            target = self._known(operation.to) or self._opened(operation.to)
            if target.problem:
                raise WriteFailed(f"{operation.to}: cannot be overwritten; choose another name")
            target.to, target.after, target.hunks = None, None, ()
        change.to, change.after = operation.to, replace(document, path=Path(operation.to))

    def _modify(self, change: FileChange, operation: ModifyFile, path: str) -> Iterator[Event]:
        if change.after is None and (text := _created_by(operation)) is not None:
            self._write(change, complete(text, _blank(path)), path)
            return
        document = self._present(change, path)
        sketch = sketch_in(operation, document)
        if sketch is not None:
            yield from self._sketch(change, document, sketch, path)
            return
        try:
            placed = place(document, operation, first=len(change.reports) + 1, hangup=self._hangup)
        except UnresolvedHunks as error:
            if self._place is None:
                raise
            yield from self._made(change, document, self._place(document, error))
            change.reports += error.placed_by_model
            return
        change.reports += placed.reports
        change.notes += placed.notes
        if placed.outcome is None:
            self._literal[change] = placed.anew
        else:
            change.notes += placed.outcome.notes
            change.left += placed.outcome.left
        hunks = placed.hunks if document is change.before else None
        self._set(change, _again(document, placed.text(document)), hunks)

    def _sketch(self, change: FileChange, document: Document, sketch: str, path: str) -> Iterator[Event]:
        choice = self._choices.get(path)
        number = None if choice is None else self._number(change, document, choice, path)
        return self._made(change, document, self._merge(document, sketch, number))

    def _number(self, change: FileChange, document: Document, choice: str, path: str) -> int:
        """The number of the reading. Raises UsageError where other edits of the file go before, as those are shown no
        readings, and StaleFile where the choice is for another text."""
        self.chosen.add(path)
        if document is not change.before:
            raise UsageError(
                f"{path}: readings are those of one sketch; send the others of this file on their own"
            )
        return chosen(choice, document)

    def _made(self, change: FileChange, document: Document, events: Iterator[Event]) -> Iterator[Event]:
        """The events, the last of which tells the file's new text."""
        for event in events:
            if isinstance(event, Resulted):
                result = event.result
                self._spend(result.receipt)
                change.reasons += result.reasons
                change.notes += result.notes
                self._set(change, _again(document, result.text))
                if document is change.before:
                    change.alternatives = result.alternatives
                    change.confidence = result.receipt.confidence
            yield event

    def _spend(self, receipt: Receipt) -> None:
        """Counts what a model has cost that was asked about one file."""
        if receipt.model == Receipt().model:
            return
        if self.receipt is None:
            self.receipt = Receipt(receipt.model, receipt.policy, receipt.exactness, receipt.weights)
        self.receipt.add(receipt)
        self.receipt.total_ms += receipt.total_ms
        self.receipt.rewritten_chars += receipt.rewritten_chars

    def _present(self, change: FileChange, path: str) -> Document:
        """The file as it is now. Raises FileUnreadable where it is not there."""
        if change.after is not None:
            return change.after
        if change.path is not None:
            raise FileUnreadable(f"{path}: was deleted earlier in the edit; change it before that")
        moved = self._moved(path)
        if moved is not None:
            raise FileUnreadable(f"{path}: was renamed to {moved.to} earlier in the edit; use that name")
        others = alike(path, self._files)
        way_out = f"{' and '.join(others[:_MOST])} may be meant" if others else "check the path"
        raise FileUnreadable(f"{path}: no such file; {way_out}", ways_out=(WayOut.FILES,))

    def _set(self, change: FileChange, after: Document, hunks: tuple[Hunk, ...] | None = None) -> None:
        """`hunks` where those over the lines of the file before are known."""
        change.after, change.alternatives, change.confidence = after, (), None
        if change.left:
            from fastedit.ops.base import standing  # not above: most edits have no operations

            change.left = standing(change.left, after.lines)
        if hunks is None:
            hunks = () if change.before is None else diff_lines(change.before.lines, after.lines)
        change.hunks = hunks


def _refuse(change: FileChange, path: str, error: FasteditError) -> None:
    change.problem, change.error = str(error).removeprefix(f"{path}: "), error
    if isinstance(error, UnplacedHunk):
        change.reports += error.reports
    if not change.names:
        change.path = change.to = path


def _created_by(operation: ModifyFile) -> str | None:
    """The text of a new file, where hunks are nothing but a text that replaces nothing."""
    first, *rest = operation.hunks
    if rest or not isinstance(first, Replacement) or first.old or first.scopes:
        return None
    return first.new


def _check_unchanged(document: Document, operation: DeleteFile, path: str) -> None:
    """Raises StaleFile where the lines that a deletion repeats are not all lines of the file."""
    if operation.text is None:
        return
    if not _same_lines(document, operation.text):
        problem = "the lines to be deleted are not those of the file, which has changed since it was read"
        raise StaleFile(f"{path}: {problem}; read it again")


def _same_lines(document: Document, text: str) -> bool:
    return document.lines == Document.from_text(text.removeprefix(document.mark)).lines


def _in_its_file(document: Document, text: str) -> str:
    """A whole text with the line ends of its file: agents read and write LF, and some CR LF. The mark that the file has
    is no part."""
    text = text.removeprefix(document.mark)
    if "\r" in text:
        only_ends = "\n" not in document.text or document.lines == Document.from_text(text).lines
        own = "\r" in document.text or only_ends or text.count("\n") != text.count("\r\n")
        return text if own else with_lf(text)
    return rewritten(document, text).text(document) if "\r" in document.text else text


def _blank(path: str) -> Document:
    return Document.from_text("", Path(path))


def _new(text: str, path: str) -> Document:
    """A new file, in the encoding that its text declares, else UTF-8. Raises Undecodable or TooLong."""
    declared = Document.from_bytes(text.encode("ascii", "replace"), Path(path))
    return _again(declared, text)


def _again(document: Document, text: str) -> Document:
    """The document with another text, in its encoding. Raises Undecodable."""
    return replace(document, text=text, sha256=sha256(document.encode(text)).hexdigest())
