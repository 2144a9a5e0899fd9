"""A change that a strong model writes: one question about all files, its answer, and what that makes of them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from fastedit.check import Objection, check_written
from fastedit.connect import Hangup
from fastedit.engine.answers.answered import code_in, sketched
from fastedit.engine.answers.dialogue import Dialogue, Round, complaint_of, inapplicable
from fastedit.engine.answers.task import note
from fastedit.engine.changes.across import hold_back
from fastedit.engine.changes.change import ChangeEvent, ChangeRequest, ChangeResult, carried_out
from fastedit.engine.changes.file_change import FileChange
from fastedit.engine.changes.files import Files, read_edit, within
from fastedit.engine.changes.left_behind import left_behind
from fastedit.engine.engine import Engine
from fastedit.engine.events import Event, Progressed, Resulted
from fastedit.engine.models.chat import ChatRequest
from fastedit.engine.models.folder import chats, only_edits, resolved, takes_tools
from fastedit.errors import (
    AnchorNotFound,
    FileUnreadable,
    InputRefused,
    TooLong,
    UnreadableAnswer,
    UsageError,
    WayOut,
)
from fastedit.formats.base import Edit, ModifyFile, Sketch
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.locate.search import locate
from fastedit.plan.answer import AGAIN, answer_of, short, why_open
from fastedit.plan.base import Chat, DocumentTask, Way
from fastedit.plan.find import grown, wanted_lines
from fastedit.plan.operations import tools_for
from fastedit.plan.price import PlanChoice, choose_for_several
from fastedit.plan.several import BUDGET, Several, can_show_more, question, shared
from fastedit.request import LineRange
from fastedit.result import Alternative, EditResult, Receipt, Status
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, meets
from fastedit.source.language import language_in, supposed

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")  # of which names are made


class QuestionFiles:
    """The files of a question, each read once. An edit gets those that may change, and none that is not shown.

    `all` has those that there are, also what may not change.
    """

    def __init__(self, files: Files, request: ChangeRequest) -> None:
        """Raises InputRefused for a file that cannot be read, UsageError for one that is given twice."""
        self.all, self._language = files, request.language
        self._names: dict[Path | None, str] = {}
        self.files = self._read_all(request.paths, request.roots)
        self.context = self._read_all(request.context, request.roots)

    def read(self, path: str) -> Document | None:
        """Raises InputRefused for a file that may not change."""
        path = within(path, (), self.all)
        if path in self.context:
            raise InputRefused(f"{path}: is only to be read; leave it as it is")
        if path in self.files or (document := self.all.read(path)) is None:
            return self.files.get(path)
        known = self._names.get(document.path)
        called = (
            f"it is {known}" if known else "change only files that are given, and new ones, or give it too"
        )
        raise InputRefused(f"{path}: was not given to be changed; {called}")

    def named(self, name: str) -> list[str]:
        return [path for path in self.files if path.rpartition("/")[2] == name]

    def _read_all(self, paths: Sequence[str], roots: Sequence[str]) -> dict[str, Document]:
        return dict(self._read(within(path, roots, self.all)) for path in paths)

    def _read(self, path: str) -> tuple[str, Document]:
        document = self.all.read(path)
        if document is None:
            raise FileUnreadable(f"{path}: no such file; check the path, or create it empty for new code")
        if known := self._names.get(document.path):
            said = f"{path} is given twice" if known == path else f"{path} and {known} are one file"
            raise UsageError(f"{said}; name each file once, to be changed or to be read")
        self._names[document.path] = path
        return path, supposed(replace(document, path=Path(path)), self._language)


def instructed(engine: Engine, request: ChangeRequest, files: Files, hangup: Hangup) -> Iterator[ChangeEvent]:
    """The events of the change; files come once nothing is asked about them any more. Raises as `change` does."""
    started = time.perf_counter()
    shown = QuestionFiles(files, request)
    several, choice = _planned(engine, request, shown)
    receipt = Receipt(model=resolved(engine.model), policy=request.policy)
    note(receipt, choice)
    budget = BUDGET
    while True:
        dialogue = _ChangeDialogue(engine, request, shared(several, budget), choice, shown, hangup)
        try:
            with closing(dialogue.settled()) as said:
                while True:
                    yield Progressed(next(said))
        except StopIteration as ended:
            round: Round[ChangeResult] = ended.value
            break
        except TooLong:
            # The model's context is shorter than a question. `shared` says where it cannot be less.
            budget = min(budget, dialogue.held) // 2
        finally:
            receipt.add(dialogue.receipt)
    if round.result is None:
        assert round.error is not None
        raise round.error
    receipt.total_ms = 1000.0 * (time.perf_counter() - started)
    yield from round.result.files
    yield replace(round.result, receipt=receipt)


def prompt(engine: Engine, request: ChangeRequest, files: Files) -> Chat:
    """The messages that a strong model gets for an instruction about several files. Raises as `change` does."""
    several, choice = _planned(engine, request, QuestionFiles(files, request))
    return question(shared(several), choice.way)


def _planned(engine: Engine, request: ChangeRequest, shown: QuestionFiles) -> tuple[Several, PlanChoice]:
    """What the model is asked, and how. Raises UsageError where there is nothing to ask, or no model to be asked."""
    instruction = (request.instruction or "").strip()
    if not instruction or not shown.files:
        raise UsageError("nothing to do: give a message, or an instruction and the files that it may change")
    if request.policy == "merge":
        raise UsageError(
            "policy merge asks no model, and an instruction about several files needs one; leave the policy out",
            ways_out=(WayOut.POLICY,),
        )
    if request.plan == "rewrite":
        raise UsageError(
            "plan rewrite is for one file; leave the plan out for several", ways_out=(WayOut.PLAN,)
        )
    if only_edits(engine.model) or not chats(engine.model):
        raise UsageError(
            f"an instruction about several files needs a strong model, which {resolved(engine.model)} is not; connect "
            "one, or send an update that names its files",
            ways_out=(WayOut.CONNECT, WayOut.UPDATE),
        )
    several = Several(
        instruction,
        tuple(_task(document, instruction, request) for document in shown.files.values()),
        tuple(_task(document, instruction, request) for document in shown.context.values()),
        request.conventions,
    )
    asked: Way | None = None if request.plan == "auto" else request.plan
    return several, choose_for_several(several.files, asked, tools=takes_tools(engine.model))


def _task(document: Document, instruction: str, request: ChangeRequest) -> DocumentTask:
    """A file with the places of the instruction in it, none where nothing that it names is found there."""
    task = DocumentTask(document, instruction, language_in(document), ignore=request.ignore)
    try:
        return replace(task, regions=locate(document, instruction, LineRange(0, len(document.lines))))
    except (AnchorNotFound, InputRefused):
        return task


class _ChangeDialogue(Dialogue[Round[ChangeResult]]):
    def __init__(
        self,
        engine: Engine,
        request: ChangeRequest,
        several: Several,
        choice: PlanChoice,
        shown: QuestionFiles,
        hangup: Hangup,
    ) -> None:
        super().__init__(engine.model, engine.settings, request.time_limit, hangup)
        self._request, self._several, self._choice, self._shown = request, several, choice, shown

    @property
    def held(self) -> int:
        """Tokens of files in the question."""
        return sum(task.budget for task in self._several.shown)

    def _question(self) -> ChatRequest:
        return ChatRequest(
            question(self._several, self._choice.way),
            sampling=self._request.sampling,
            tools=tools_for(self._several.files, named=True) if self._choice.way == "operations" else (),
        )

    def _expected(self) -> int:
        return self._choice.tokens

    def _read(self, text: str, finish: str) -> Round[ChangeResult]:
        try:
            answer = answer_of(text, finish, self._several.files[0].document.text)
            if answer.nothing is not None:
                said = f"the model would change nothing: {answer.nothing}"
                return Round(text, ChangeResult((), (), notes=(said,)))
            edit = self._edit(answer.text)
            others = self._shown.files.keys() - {operation.path for operation in edit.operations}
            choice = why_open(answer.text, edit.lines, others)
            result = self._result(replace(edit, doubts=(*edit.doubts, *filter(None, [choice]))))
        except UnreadableAnswer as error:
            return Round(text, complaint=complaint_of(error), error=error)
        except (InputRefused, UsageError) as error:
            wrong = inapplicable(error)
            return Round(text, complaint=complaint_of(wrong), error=wrong)
        if answer.left_out:
            result = replace(result, notes=(*result.notes, f"the model left out: {answer.left_out}"))
        complaint = "\n".join(line for file in result.files for line in file.objections())
        if result.status is Status.UNCHANGED:
            complaint = "the edit changes nothing"
        known = {**self._shown.files, **self._shown.context}
        behind = () if complaint else tuple(left_behind(result, known))
        left = (*(f"{file.name}: {place}" for file in result.files for place in file.left), *behind)
        result = replace(result, notes=(*result.notes, *behind))
        return Round(text, result, complaint or None, choice=choice, left=() if complaint else left)

    def _keeps(self, first: Round[ChangeResult], second: Round[ChangeResult]) -> bool:
        return not self._left_out(first, second)

    def _edit(self, text: str) -> Edit:
        """The edit in an answer. Raises UnreadableAnswer where there is none, UnreadableEdit where it is malformed."""
        edit = read_edit(text, self._shown.all)
        if edit.formats != (SKETCH,) or any(operation.path for operation in edit.operations):
            return edit
        if len(self._several.files) > 1:
            raise UnreadableAnswer(
                f"the model's answer has no edit in it with its file ({short(text)}); {AGAIN}"
            )
        (task,) = self._several.files
        pieces = code_in(task, text)
        operations = tuple(ModifyFile(task.name, (Sketch(piece.text),)) for piece in pieces)
        return Edit(edit.formats, operations, tuple(piece.rows for piece in pieces))

    def _result(self, edit: Edit) -> ChangeResult:
        """What an edit makes of the files. Raises UnreadableEdit or UsageError."""
        only = next(iter(self._shown.files)) if len(self._shown.files) == 1 else None
        request = replace(self._request, path=only, preview=False)
        merge = partial(_merged, self._request)
        for event in carried_out(edit, request, self._shown, merge, self._checked):
            if isinstance(event, ChangeResult):
                hold_back(event, {**self._shown.files, **self._shown.context})
                for file in event.files:
                    file.reasons += tuple(_unasked(file, self._several.instruction))
                return event
        raise AssertionError("a stream always ends with its result")

    def _checked(
        self, document: Document, hunks: Sequence[Hunk], *, anew: bool, ignore: frozenset[str]
    ) -> tuple[Objection, ...]:
        return check_written(document, hunks, self._several.instruction, leaves_out=anew, ignore=ignore)

    def _held_to(self, first: Round[ChangeResult], second: Round[ChangeResult]) -> Round[ChangeResult]:
        if first.result is None or second.result is None:
            return second
        same = _changes(first.result.files) == _changes(second.result.files)
        if same and second.choice not in ("", first.choice):
            for file in second.result.files:
                file.reasons = tuple(reason for reason in file.reasons if reason != second.choice)
            return second
        if second.complaint is not None:
            return second
        left = self._left_out(first, second)
        if not left:
            return second
        now = {name for file in second.result.files for name in file.names}
        if now and all(file.status is Status.OK and now.isdisjoint(file.names) for file in left):
            stands = f"of the first answer, {' and '.join(file.name for file in left)} stands"
            both = replace(
                second.result, files=(*second.result.files, *left), notes=(*second.result.notes, stands)
            )
            hold_back(both, {**self._shown.files, **self._shown.context})
            if both.status is Status.OK:
                return replace(second, result=both)
        said = f"the model's second answer leaves out what its first one changed in {left[0].name}"
        if not now:
            return replace(first, result=replace(first.result, notes=(*second.result.notes, said)))
        for file in second.result.files:
            file.reasons += (said,)
        return second

    def _left_out(self, first: Round[ChangeResult], second: Round[ChangeResult]) -> list[FileChange]:
        """The files of the first answer that the second one has not all of what was right in, and those that were
        wrong where it has nothing of its own."""
        was, files = (() if round.result is None else round.result.files for round in (first, second))
        now = {name: file for file in files for name in file.names}
        repeats = _changes(files) <= _changes(was)
        return [
            file
            for file in was
            if any(
                not any(meets(hunk, other) for name in file.names & now.keys() for other in now[name].hunks)
                for hunk in _right(file)
            )
            or (repeats and file.status in (None, Status.SUSPECT) and file.names.isdisjoint(now))
        ]

    def _shows_more(self, answer: str) -> bool:
        several = self._several
        wanted = wanted_lines(several.shown, answer) if can_show_more(several) else {}
        if wanted:
            files, context = (
                tuple(grown(task, wanted) for task in part) for part in (several.files, several.context)
            )
            self._several = replace(several, files=files, context=context, grown=True)
        return bool(wanted)


def _unasked(file: FileChange, instruction: str) -> Iterator[str]:
    """That a file goes, or gets another name, of which the instruction has no word."""
    if file.problem or file.action not in ("delete", "rename"):
        return
    paths = [PurePosixPath(name).with_suffix("").as_posix() for name in file.names]
    said, named = ({word.lower() for word in _WORD.findall(text)} for text in (instruction, " ".join(paths)))
    if said.isdisjoint(named):
        happens = "it would be deleted" if file.to is None else f"{file.path} would get this name"
        yield f"{happens}, and the instruction has no word of its name"


def _changes(files: Sequence[FileChange]) -> set[tuple[str, tuple[Hunk, ...]]]:
    return {(file.title, file.hunks) for file in files}


def _right(file: FileChange) -> list[Hunk]:
    """The changes of a file that nothing was wrong with; of one with hunks that have no place, where others went."""
    if file.status is Status.OK:
        return list(file.hunks)
    if not file.problem:
        return []
    placed = (report for report in file.reports if report.step.placed)
    return [Hunk(rows.start, rows.stop, ()) for report in placed for rows in report.lines]


def _merged(request: ChangeRequest, document: Document, sketch: str, _: int | None) -> Iterator[Event]:
    """A sketch that a strong model wrote of one file, read and judged like its answer about that file alone."""
    instruction, ignore = request.instruction, request.ignore
    task = DocumentTask(document, instruction, language_in(document), ignore=ignore)
    read = sketched(task, [sketch])
    found = check_written(document, read.hunks, instruction, leaves_out=read.leaves_out, ignore=ignore)
    reasons = tuple(dict.fromkeys((*read.doubts, *map(str, found))))
    passed = Status.OK if read.hunks else Status.UNCHANGED
    yield Resulted(
        EditResult(
            document,
            read.hunks,
            Status.SUSPECT if reasons else passed,
            reasons,
            Receipt(confidence=read.posterior),
            tuple(map(Alternative, read.others)),
        )
    )
