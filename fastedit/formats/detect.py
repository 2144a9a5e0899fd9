"""Finds the edits in a message of an agent, in whichever formats they are written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from fastedit.errors import UnreadableEdit, UsageError
from fastedit.files.paths import slashed
from fastedit.formats.base import (
    ALONE,
    Beside,
    Edit,
    FileOperation,
    Format,
    FoundEdit,
    IsFile,
    ModifyFile,
    WriteFile,
    in_file,
    is_for_others,
    is_merged,
    join_modifications,
)
from fastedit.formats.files.other_fences import Others, other_fences
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.files.sketches import read_sketch
from fastedit.formats.files.whole import NAME as WHOLE
from fastedit.formats.files.whole import NAMED_SKETCH
from fastedit.formats.files.withheld import additions, gone, removals, withdrawn, withheld
from fastedit.formats.markdown.thought import blanked, thought_of
from fastedit.formats.tools.remnants import begun_amid, calls_left, elements_left, opened_at_end
from fastedit.source.fences import OPENING, fences

_MERGED = {WHOLE, SKETCH}  # formats that any code fence may be in


def read_edit(
    message: str, formats: Sequence[Format], insist: str | None = None, beside: Beside = ALONE
) -> Edit:
    """The edit that a message asks for; one that is in none of `formats` is a sketch of the file at hand, or
    all of it where the caller insists on whole files.

    Earlier formats win over later ones in what they contain. `insist` allows one format only. Raises UnreadableEdit,
    and UsageError for a format that does not exist.
    """
    message = message.removeprefix("\ufeff")  # the mark of the bytes that it came in
    if "\n" not in message and insist != WHOLE:
        message = message.replace("\r", "\n")
    try:
        return _read(_answer_in(message, formats), formats, insist, beside)
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise
        # Python reads no longer ones, since that takes the square of their length.
        raise UnreadableEdit("the message has a whole number of thousands of digits; correct it") from None


def edits_in(message: str, formats: Sequence[Format]) -> list[range]:
    """The lines of each edit of these formats, whether or not it can be read; none where they contradict each other."""
    try:
        return [rows for _, edit in _found(_lines(message), formats) for rows in edit.parts or (edit.lines,)]
    except UnreadableEdit:
        return []


def _answer_in(message: str, formats: Sequence[Format]) -> str:
    """The message without what its model thought before it, blank lines in its place, where an edit follows that has
    marks of its own. Raises UnreadableEdit where one stands in the thought alone.

    A bare text may be one that begins so, as a prompt may: it stays.
    """
    thought = thought_of(message)
    if not thought:
        return message
    answer, known = blanked(message, thought), [*formats, NAMED_SKETCH]
    if fences(lines := _lines(answer)) or any(format.find(lines) for format in known):
        return answer
    if any(format.find(_lines(thought)) for format in known):
        raise UnreadableEdit(
            "the only edits of the message stand in what its model thought before the answer; send the answer"
        )
    return message


def _lines(message: str) -> list[str]:
    return [line.removesuffix("\r") for line in message.removesuffix("\n").split("\n")]


def _read(message: str, formats: Sequence[Format], insist: str | None, beside: Beside) -> Edit:
    lines = _lines(message)
    names = [format.name for format in formats]
    if insist is not None and insist not in (*names, SKETCH):
        raise UsageError(f"there is no format {insist}; the formats are {', '.join([*names, SKETCH])}")
    known = [*formats, NAMED_SKETCH]
    if beside.prose_names:
        # Not above: a message for a file at hand has neither.
        from fastedit.formats.files.fence_pairs import FORMAT as FENCE_PAIRS
        from fastedit.formats.files.here_documents import FORMAT as HERE_DOCUMENTS

        known = [*formats[:-1], FENCE_PAIRS, formats[-1], NAMED_SKETCH, HERE_DOCUMENTS]
    # A fence with a marker may be a whole file that has such a line.
    insisted = _MERGED if insist == WHOLE else {insist}
    found = _found(lines, [format for format in known if insist is None or format.name in insisted])
    found = _without_own(found, lines, beside.own)
    if insist is not None and found:
        _only(insist, lines, found, [format for format in formats if format.name not in insisted])
    any_fence = insist in (None, WHOLE)
    files = {edit.lines: _its_file(name, edit) for name, edit in found}
    others = other_fences(lines, files, beside) if any_fence else Others()
    read = {edit.lines.start: _operations(edit, others, beside) for _, edit in found}
    others.part_quotations(read)
    found = sorted([*found, *others.found], key=_start)
    if not found and insist not in (None, SKETCH):
        others_alike = (each for each in formats if each.name not in insisted and each.find(lines))
        alike = " and ".join(format.name for format in others_alike)
        if insist == WHOLE and not alike:
            return Edit((WHOLE,), (WriteFile(None, message),))
        raise UnreadableEdit(
            f"{insist}: the message has no such edit, it looks like {alike or 'a sketch'}; leave out the format, or "
            f"send {insist}"
        )
    if not found:
        told = (str(fence) for fence in others.unread if not fence.text)
        noted = (f"{note}; send the edit itself" for note in others.notes)
        left = chain(told, elements_left(lines, ()), calls_left(lines, ()).values(), noted)
        hint = next(left, "") if beside.prose_names else ""
        return Edit((SKETCH,), read_sketch(message, lines), hint=hint)
    names = list(dict.fromkeys(name for name, _ in found))
    calls = calls_left(lines, found)
    others.unread = [fence for fence in others.unread if calls.keys().isdisjoint(fence.lines)]
    if others.unread and not _MERGED.isdisjoint(names):
        raise UnreadableEdit(str(others.unread[0]))
    taken = [edit.lines for _, edit in found]
    if any_fence and (left_out := next(elements_left(lines, taken), "")):
        raise UnreadableEdit(left_out)
    if dropped := opened_at_end(lines, taken) or begun_amid(lines, taken, formats):
        raise UnreadableEdit(dropped)
    made = {
        rows.start: read.get(rows.start) or _operations(edit, others, beside)
        for rows, (_, edit) in zip(taken, found, strict=True)
    }
    operations = list(chain.from_iterable(made.values()))
    edited = {slashed(operation.path) for operation in operations if operation.path is not None}
    places = (lines for _, edit in found for lines in edit.parts or (edit.lines,))
    return Edit(
        tuple(names),
        join_modifications(operations),
        tuple(places),
        (
            *(note for _, edit in found for note in edit.notes),
            *others.notes,
            *calls.values(),
            *gone(lines, taken, lambda file: file not in edited and beside.is_file(file)),
        ),
        tuple(map(str, others.unread)),
        {str(fence): fence.text for fence in others.unread if fence.text},
        tuple(
            (operation, said)
            for operations, said in _not_for_sure(lines, found, made)
            for operation in operations
        ),
        tuple(_of_merged(removals(lines, taken), made)),
        tuple(_of_merged(additions(lines, taken), made)),
    )


def _of_merged(
    told: Iterable[tuple[int, str]], made: Mapping[int, Sequence[FileOperation]]
) -> Iterator[tuple[FileOperation, str]]:
    for start, said in told:
        for operation in filter(is_merged, made[start]):
            yield operation, said


def _not_for_sure(
    lines: Sequence[str], found: Sequence[tuple[str, FoundEdit]], made: Mapping[int, Sequence[FileOperation]]
) -> Iterator[tuple[Sequence[FileOperation], str]]:
    """The operations that may not be meant, with what the message says of them: above an edit of the whole, and below
    a part of one of that alone, where each has its own operation."""
    judged = {edit.judged or edit.lines: made[edit.lines.start] for _, edit in found}
    starts = {rows.start: operations for rows, operations in judged.items()}
    for start, said in withheld(lines, list(judged)):
        yield starts[start], said
    parts: dict[range, Sequence[FileOperation]] = {}
    for _, edit in found:
        operations = made[edit.lines.start]
        if len(edit.parts) == len(operations):
            parts |= {rows: [operation] for rows, operation in zip(edit.parts, operations, strict=True)}
        else:
            parts[edit.lines] = operations
    for rows, said in withdrawn(lines, list(parts)):
        yield parts[rows], said


def _without_own(
    found: list[tuple[str, FoundEdit]], lines: Sequence[str], own: Sequence[str]
) -> list[tuple[str, FoundEdit]]:
    """The edits without the fences that begin, with the line of their path and the next one, as the file at hand has
    it."""
    begun = set(pairwise(own))
    return [
        (name, edit)
        for name, edit in found
        if name not in _MERGED or tuple(lines[edit.lines.start : edit.lines.start + 2]) not in begun
    ]


def _only(
    insist: str, lines: Sequence[str], found: Sequence[tuple[str, FoundEdit]], others: Sequence[Format]
) -> None:
    """Raises UnreadableEdit for edits in other formats beside those found: they would be dropped."""
    taken = {row for _, edit in found for row in edit.lines}
    for format in others:
        for edit in format.find(lines):
            if taken.isdisjoint(edit.lines):
                raise UnreadableEdit(
                    f"update line {edit.lines.start + 1} begins an edit in {format.name}; leave out the format, or "
                    f"send all edits in {insist}"
                )


def _its_file(name: str, edit: FoundEdit) -> str | None:
    """The file of a code fence."""
    try:
        return edit.read()[0].path if name in _MERGED else None
    except UnreadableEdit:
        return None


def _operations(edit: FoundEdit, others: Others, beside: Beside) -> list[FileOperation]:
    path = others.paths.get(edit.lines.start)
    return [
        in_file(_in_folder(operation, path, beside.is_file), path) for operation in edit.operations(beside)
    ]


def _in_folder(operation: FileOperation, path: str | None, is_file: IsFile) -> FileOperation:
    """The operation, in the file that prose names with its folder where the edit names it without."""
    name = operation.path
    if path is None or name is None or not isinstance(operation, ModifyFile | WriteFile):
        return operation
    ends_it = slashed(path).endswith(f"/{slashed(name)}") and not is_file(name)
    return replace(operation, path=path) if ends_it else operation


def _found(lines: Sequence[str], formats: Sequence[Format]) -> list[tuple[str, FoundEdit]]:
    """The disjoint edits in the order of the message, each with its format's name. Raises UnreadableEdit where two
    formats contradict."""
    kept: list[tuple[str, FoundEdit]] = []
    for format in formats:
        free: list[tuple[str, FoundEdit]] = []
        shown: list[tuple[str, FoundEdit]] = []  # in the text of another
        starts, stops = [other.lines.start for _, other in kept], [other.lines.stop for _, other in kept]
        for found in format.find(lines):
            mine = found.lines
            rivals = kept[bisect_right(stops, mine.start) : bisect_left(starts, mine.stop)]
            if rivals and _closes(found, rivals[-1][1], lines):
                at = kept.index(rivals.pop())
                kept[at] = kept[at][0], _without_head(kept[at][1], mine.stop)
            if rivals and _holds(found, [other for _, other in rivals]):
                shown += rivals
                free.append((format.name, found))
                continue
            for name, other in rivals:
                if not (other.lines.start <= mine.start and mine.stop <= other.lines.stop):
                    raise _contradiction(name, other.lines, format.name, mine)
            if not rivals:
                free.append((format.name, found))
        kept = sorted([*(each for each in kept if each not in shown), *free], key=_start)
    return kept


def _closes(edit: FoundEdit, below: FoundEdit, lines: Sequence[str]) -> bool:
    """Whether an edit in a code fence ends with the mark that another one takes for the opening one of its own."""
    mark = OPENING.fullmatch(lines[below.lines.start])
    ends_there = below.lines.start == edit.lines.stop - 1 > edit.lines.start
    return ends_there and mark is not None and not mark["info"].strip()


def _without_head(edit: FoundEdit, first: int) -> FoundEdit:
    """The edit without its lines above one."""
    lines, *parts = (range(max(rows.start, first), rows.stop) for rows in (edit.lines, *edit.parts))
    return edit._replace(lines=lines, parts=tuple(parts))


def _start(each: tuple[str, FoundEdit]) -> int:
    return each[1].lines.start


def _holds(outer: FoundEdit, edits: Sequence[FoundEdit]) -> bool:
    """Whether edits in other formats are text of an edit: they stand in it, and are for other files."""
    if any(each.lines.start <= outer.lines.start or each.lines.stop > outer.lines.stop for each in edits):
        return False
    try:
        paths = {operation.path for operation in outer.read()}
    except UnreadableEdit:
        return False
    return all(path is not None and is_for_others(each, path) for path in paths for each in edits)


def _contradiction(name: str, lines: range, other_name: str, other: range) -> UnreadableEdit:
    return UnreadableEdit(
        f"update lines {lines.start + 1}-{lines.stop} are an edit in {name} and lines {other.start + 1}-{other.stop} "
        f"one in {other_name}, which overlap; send them apart, or name the one format that is meant"
    )
