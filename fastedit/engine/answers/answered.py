"""What a strong model's answer makes of a document, in whichever shape it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from fastedit.engine.answers.depth import at_depth
from fastedit.engine.answers.seen import place_seen
from fastedit.errors import InputRefused, UnreadableAnswer, UnreadableEdit, UsageError
from fastedit.formats.base import Edit, ModifyFile, Sketch, WriteFile
from fastedit.formats.detect import edits_in
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.markdown.code_fences import code_fences, names_kind
from fastedit.formats.markdown.info_strings import SHELLS
from fastedit.formats.markdown.paths import path_alone
from fastedit.formats.message import edit_of, read_update
from fastedit.formats.registry import FORMATS
from fastedit.formats.report import spans as in_words
from fastedit.locate.filemap import file_map
from fastedit.plan.answer import AGAIN, short, why_open
from fastedit.plan.base import DocumentTask, Way
from fastedit.plan.completion import closing
from fastedit.plan.rewrite import TAG, names, spans, stretches_in, tagged_rows
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.fences import OPENING
from fastedit.source.hunks import Hunk, changed_lines, diff_lines, meets
from fastedit.source.imports import imports
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.markers import looks_like_marker
from fastedit.source.syntax import parse

if TYPE_CHECKING:
    from fastedit.engine.merge.merge import Merge
    from fastedit.ops.base import Candidate

_WHOLE = 0.9  # from this probability on a text is all of the file's new text
_GAP = 8  # lines that go with nothing in their place: where most stays, they may have been left out
_TOLD = 6  # characters of a line that tells where code belongs


@dataclass(frozen=True, slots=True)
class AnswerHunks:
    """The hunks of an answer over the document's lines.

    `doubts` are why they may not be what it means, `others` what else it may mean. `posterior` is that of a sketch.
    `leaves_out`: what goes is not said to go but left out. `choice` is why it may mean some of its edits alone, settled
    where the model repeats them in other words. `notes` and `left` are as in `EditResult`.
    """

    hunks: tuple[Hunk, ...]
    doubts: tuple[str, ...] = ()
    others: tuple[tuple[Hunk, ...], ...] = ()
    posterior: float | None = None
    leaves_out: bool = False
    drops_final_newline: bool = False
    choice: str = ""
    notes: tuple[str, ...] = ()
    left: tuple[Candidate, ...] = ()

    @property
    def open(self) -> tuple[str, ...]:
        """All doubts about what the answer means."""
        return (self.choice, *self.doubts) if self.choice else self.doubts


def read_answer(task: DocumentTask, way: Way, text: str) -> AnswerHunks:
    """The edit in an answer, whether or not it is written as it was asked for.

    Raises UnreadableAnswer where there is none; UnreadableEdit, UnplacedHunk, AnchorNotFound or OperationRefused for
    one that cannot be carried out on the document.
    """
    tags = names(task)
    if way == "rewrite" and (stretches := stretches_in(text, tags)) is not None:
        return _tagged(task, text, lambda: _rewritten(task, stretches))
    unasked = next(
        (found for tag in (tags[0], TAG) if (found := stretches_in(text, [tag])) is not None), None
    )
    if unasked is not None and TAG not in task.document.text:
        return _tagged(task, text, lambda: sketched(task, [_unfenced(task, stretch) for stretch in unasked]))
    if f"<{TAG}" in text and TAG not in task.document.text:
        raise UnreadableAnswer(f"the model's answer breaks off before </{TAG}>; {AGAIN}")
    update = read_update(text, document=task.document)
    # What the words around its edits mean, `why_open` asks, so that the model can be asked again.
    edit = edit_of(task.document, replace(update, withheld=()))
    if isinstance(edit, ModifyFile) and edit.hunks == (
        Sketch(text),
    ):  # what is in no format is one as a whole
        pieces = code_in(task, text)
        read = sketched(task, [piece.text for piece in pieces])
        return _meant(text, [piece.rows for piece in pieces], read)
    return _meant(text, update.lines, _read(task, edit))


def readable_part(task: DocumentTask, text: str) -> tuple[tuple[Hunk, ...], int]:
    """What the edits in an answer change, each read and carried out alone, and how many of them cannot be."""
    hunks, failed = list[Hunk](), 0
    for edit in _apart(task, text):
        try:
            placed = None if edit is None else _read(task, edit).hunks
        except (InputRefused, UsageError):
            placed = None
        if placed is None or any(meets(one, other) for one in placed for other in hunks):
            failed += 1
        else:
            hunks += placed
    return tuple(sorted(hunks, key=lambda hunk: (hunk.start, hunk.stop))), failed


def _apart(task: DocumentTask, text: str) -> Iterator[ModifyFile | WriteFile | None]:
    """The edits in an answer one by one, None for each that cannot be read."""
    lines = text.split("\n")
    for rows in edits_in(text, [*FORMATS.values()]):
        said = "\n".join(lines[rows.start : rows.stop])
        try:
            edit = edit_of(task.document, read_update(said, document=task.document))
        except (InputRefused, UsageError):
            yield None
        else:
            hunks = edit.hunks if isinstance(edit, ModifyFile) else ()
            yield from (ModifyFile(edit.path, (hunk,)) for hunk in hunks) if hunks else (edit,)


def _tagged(task: DocumentTask, text: str, read: Callable[[], AnswerHunks]) -> AnswerHunks:
    """What is read between tags. Raises UnreadableEdit where the answer has more than that, or is for another file."""
    lines, rows = text.split("\n"), tagged_rows(text)
    texts = {(lines[each.start], *lines[each.start + 1 : each.stop - 1]) for each in rows}
    several = len(texts) > len({tag for tag, *_ in texts})
    doubts = ("the answer has several texts between the same tags; write one alone",) if several else ()
    above = [path_alone(lines[each.start - 1]) if each.start else None for each in rows]
    named = tuple(ModifyFile(path, ()) for path in above if path is not None)
    for each, path in zip(rows, above, strict=True):
        start = each.start if path is None else each.start - 1
        lines[start : each.stop] = [""] * (each.stop - start)
    beside = read_update("\n".join(lines), document=task.document) if any(lines) else Edit((SKETCH,), ())
    others = beside.operations if beside.formats != (SKETCH,) else ()
    if named or others:
        edit_of(task.document, replace(beside, operations=(*named, *others)))
    if others:
        raise UnreadableEdit("the answer has other edits next to its tags; write all of it between them")
    found = read()
    return _meant(text, rows, replace(found, doubts=(*found.doubts, *doubts)))


def _meant(text: str, edits: Sequence[range], read: AnswerHunks) -> AnswerHunks:
    """What was read in an answer, and whether it means all of its edits, of which these are the lines."""
    return replace(read, choice=why_open(text, edits))


def _read(task: DocumentTask, edit: ModifyFile | WriteFile) -> AnswerHunks:
    """An edit that is written in a format."""
    if isinstance(edit, WriteFile):
        return sketched(task, [edit.text])
    sketches = [hunk.text for hunk in edit.hunks if isinstance(hunk, Sketch)]
    if sketches:
        if len(sketches) < len(edit.hunks):
            raise UnreadableEdit("the answer mixes a sketch with other edits; write all of it in one format")
        return sketched(task, sketches)
    placed = place_seen(task, edit)
    to_end = task.scope is None or task.scope.stop == len(task.document.lines)
    done = placed.outcome
    return AnswerHunks(
        placed.hunks,
        drops_final_newline=placed.drops_final_newline and to_end,
        notes=placed.notes if done is None else done.notes,
        left=() if done is None else done.left,
    )


def read_completion(task: DocumentTask, text: str) -> AnswerHunks:
    """The region as a model without a chat template went on with it, up to the line that ends it."""
    (span,), end = spans(task), closing(task)
    lines = takewhile(lambda line: line.rstrip() != end, text.removesuffix("\n").split("\n"))
    return _anew(task, *_region(task, span, list(lines)))


def _rewritten(task: DocumentTask, stretches: Sequence[str]) -> AnswerHunks:
    """Each stretch of the file in its new text; one may be all of the file instead, or leave code out."""
    from fastedit.engine.merge.whole import sent_whole

    hunks, doubts = list[Hunk](), list[str]()
    for span, stretch in zip(spans(task), stretches, strict=True):
        text = _unfenced(task, stretch)
        lines, old = text.split("\n"), task.document.lines[span.start : span.stop]
        if (
            any(looks_like_marker(line) and line not in old for line in lines)
            or sent_whole(task.document, text) > 0.5
        ):
            return sketched(task, [text])
        if not any(map(str.strip, lines)) and any(map(str.strip, old)):
            raise UnreadableAnswer(f"nothing stands between the tags of the model's answer; {AGAIN}")
        found, why = _region(task, span, lines)
        hunks += found
        doubts += why
    return _anew(task, tuple(hunks), tuple(doubts))


def _region(
    task: DocumentTask, span: LineRange, lines: list[str]
) -> tuple[tuple[Hunk, ...], tuple[str, ...]]:
    """The hunks that give a region its new lines, at its depth, and why they may not."""
    old = task.document.lines[span.start : span.stop]
    placed = at_depth(old, lines)
    doubt = f"the new text of {in_words([span])} stands at another depth than the file has there; keep its indentation"
    return diff_lines(old, placed or lines, span.start), () if placed is not None else (doubt,)


def _unfenced(task: DocumentTask, text: str) -> str:
    """The text without a code fence around all of it, unless the file has such."""
    lines = text.split("\n")
    non_blank = [at for at, line in enumerate(lines) if line.strip()]
    found = code_fences(lines, task.document)
    if (
        not non_blank
        or not found
        or found[0].lines != range(non_blank[0], non_blank[-1] + 1)
        or not found[0].closed
    ):
        return text
    own = any(map(OPENING.fullmatch, task.document.lines)) and not names_kind(found[0].info, task.document)
    return text if own else "\n".join(lines[at] for at in found[0].inside)


class Code(NamedTuple):
    """Code of an answer, and the lines of the answer that hold it."""

    text: str
    rows: range


def code_in(task: DocumentTask, text: str) -> list[Code]:
    """The code of an answer in no known format: what its fences hold, or all of it if it is code."""
    lines = text.split("\n")
    found = code_fences(lines, task.document)
    if not found:
        if _is_code(task, lines):
            return [Code(text, range(len(lines)))]
        raise UnreadableAnswer(f"the model's answer has no edit in it ({short(text)}); {AGAIN}")
    if not found[-1].closed:
        raise UnreadableAnswer(f"a code fence of the model's answer is not closed; {AGAIN}")
    # A command to be run next to the edit is no part of it.
    code = [fence for fence in found if fence.info.lower() not in SHELLS] or found
    if len(code) > 1 and not task.document.text.strip():
        raise UnreadableAnswer(
            f"the model's answer has {len(code)} code fences, and the file is empty; write all of it in one alone"
        )
    return [Code("".join(f"{lines[at]}\n" for at in fence.inside), fence.lines) for fence in code]


def _is_code(task: DocumentTask, lines: Sequence[str]) -> bool:
    """Whether bare text is code of the file and no prose: it has a marker or parses, and has a line of the file."""
    if any(map(looks_like_marker, lines)):
        return True
    syntax = parse(tuple(lines), task.language)
    known = {line.strip() for line in task.document.lines if len(line.strip()) >= _TOLD}
    return syntax is not None and not syntax.has_error and any(line.strip() in known for line in lines)


def sketched(task: DocumentTask, pieces: Sequence[str]) -> AnswerHunks:
    """Sketches, or parts of the file without a marker, one after the other; and whole files."""
    # With numpy, which blocks and operations do not need.
    from fastedit.engine.merge.doubt import doubts_about
    from fastedit.engine.merge.merge import Merge
    from fastedit.engine.merge.whole import sent_whole

    one = task.scope is None and len(pieces) == 1
    if one and sent_whole(task.document, pieces[0], task.instruction) >= _WHOLE:
        # Whether the file's last line ends is nothing that a fence or tags could say.
        new = pieces[0].removesuffix("\n").split("\n")
        return _anew(task, diff_lines(task.document.lines, new))
    lines, scope = task.document.lines, task.scope or LineRange(0, len(task.document.lines))
    doubts, others, posterior, anew = list[str](), list[tuple[Hunk, ...]](), 1.0, False
    for piece in pieces:
        document = replace(task.document, text="".join(f"{line}\n" for line in lines))
        # Alone they may be all of the edit, and mean to replace others.
        beside = len(pieces) > 1 and task.scope is None
        if beside and (added := _added_imports(document, task, piece)):
            lines = tuple(changed_lines(document.lines, [added]))
            scope = LineRange(0, len(lines))
            continue
        merge = Merge(document, piece, scope, task.ignore)
        doubts += doubts_about(document, merge, by_model=True) or _left_out(document, merge)
        others += [reading.hunks for reading in merge.offered if reading is not merge.best]
        posterior *= merge.best.posterior
        anew |= merge.takes_for_whole(merge.best)
        lines = tuple(changed_lines(document.lines, merge.best.hunks))
        scope = LineRange(scope.start, scope.stop + len(lines) - len(document.lines))
    # Of several pieces the readings lie in different texts.
    alternatives = tuple(others) if len(pieces) == 1 else ()
    hunks = diff_lines(task.document.lines, lines)
    if anew:
        return _anew(task, hunks, tuple(doubts), alternatives, posterior)
    return AnswerHunks(hunks, tuple(doubts), alternatives, posterior)


def _anew(
    task: DocumentTask,
    hunks: tuple[Hunk, ...],
    doubts: tuple[str, ...] = (),
    others: tuple[tuple[Hunk, ...], ...] = (),
    posterior: float | None = None,
) -> AnswerHunks:
    """The hunks of text that was written anew, so that what went may have been forgotten."""
    language = named(notation_in(task.document))
    if language.has_keys and not language.is_code:
        from fastedit.engine.answers.lost_keys import lost_keys  # with parsers of data

        doubts += tuple(
            f"the key {key} is left out of the answer, and nobody asked for that; keep it, or delete it in a "
            "SEARCH/REPLACE block"
            for key in lost_keys(task.document, hunks, task.instruction)
        )
    return AnswerHunks(hunks, doubts, others, posterior, leaves_out=True)


def _added_imports(document: Document, task: DocumentTask, piece: str) -> Hunk | None:
    """A piece of nothing but imports that the file has not, after those that it has: a model that shows its new
    imports alone does not mean them in place of others. None for any other piece."""
    new = [line for line in piece.split("\n") if line.strip()]
    own, syntax = parse(tuple(new), task.language), parse(document.lines, task.language)
    if own is None or syntax is None or not set(new).isdisjoint(document.lines):
        return None
    if {row for item in imports(own) for row in range(item.start, item.stop)} != set(range(len(new))):
        return None
    head = file_map(document).import_block
    # One that stands deeper may be followed by an `else`.
    ends = [
        item.stop
        for item in imports(syntax)
        if item.stop <= head.stop and not document.lines[item.start][:1].isspace()
    ]
    return Hunk(max(ends), max(ends), tuple(new)) if ends else None


def _left_out(document: Document, merge: Merge) -> Iterator[str]:
    """Why a sketch that is read with certainty may be cut short: lines go without a word, in a stretch."""
    for hunk in merge.best.hunks:
        if _is_gap(hunk) and not merge.says_gone(hunk):
            name = document.lines[hunk.start].strip()
            yield (
                f"{in_words([range(hunk.start, hunk.stop)])} ({short(name)} ...) are left out of the answer, and "
                "nothing says whether they go; mark them as existing code, or delete them in a SEARCH/REPLACE block"
            )


def _is_gap(hunk: Hunk) -> bool:
    return hunk.stop - hunk.start >= _GAP and not hunk.lines
