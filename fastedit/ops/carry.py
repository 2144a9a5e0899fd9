"""Several operations on one document, in order, as one change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial

from tree_sitter import Node

from fastedit.errors import OperationRefused, TargetUnresolved, WayOut, naming
from fastedit.ops.base import Candidate, Operation, Outcome, numbered, standing
from fastedit.ops.registry import operations as every_operation
from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import expression_of
from fastedit.ops.structure.seams import check_conditions, check_seams, check_texts
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed, changed_lines, trim
from fastedit.source.language import notation_in
from fastedit.source.languages import TEXT
from fastedit.source.syntax import Syntax, error_in


def carry_out(
    document: Document,
    operations: Sequence[Operation],
    before_each: Callable[[], None] = lambda: None,
    within: LineRange | None = None,
) -> Outcome:
    """Each operation sees the text that those before it left; the hunks are of the document. Of several things that one
    may mean, that `within` these lines is meant.

    `target@line` counts in the document's lines throughout. Raises OperationRefused or TargetUnresolved, which name
    the file, and the operation where there are several, or what `before_each` raises; then nothing is changed.
    """
    outcome, overwritten = _carried(document, operations, before_each, within)
    for number in overwritten:
        others = [*operations[: number - 1], *operations[number:]]
        try:
            without, _ = _carried(document, others, before_each, within)
        except (OperationRefused, TargetUnresolved):
            continue  # those after it need it
        if changed_lines(document.lines, without.hunks) == changed_lines(document.lines, outcome.hunks):
            with naming(document.path, OperationRefused), numbered(number, len(operations)):
                name = operations[number - 1].name
                raise OperationRefused(f"{name}: those after it leave nothing of what it does; leave it out")
    return outcome


def _carried(
    document: Document,
    operations: Sequence[Operation],
    before_each: Callable[[], None],
    within: LineRange | None,
) -> tuple[Outcome, list[int]]:
    """What the operations come to, and the numbers of those whose lines all changed again or went."""
    language = notation_in(document)
    lines = document.lines
    origins: list[int | None] = list(range(len(lines)))
    authors = [0] * len(lines)  # the number of the operation that wrote each line last
    writing: list[int] = []
    notes: list[str] = []
    left: list[Candidate] = []
    said: dict[str, int] = {}  # the number of each operation by its text, as not all can be hashed
    for number, operation in enumerate(operations, 1):
        before_each()
        source = Source(lines, language, tuple(origins), operation.name, within)
        with naming(document.path, OperationRefused), numbered(number, len(operations)):
            _check(language, operation, said.setdefault(repr(operation), number), number)
            try:
                outcome = operation.carry_out(source)
            except TargetUnresolved as error:
                error.candidates = _in_document(source, error.candidates)
                raise
            lines, origins = applied(lines, origins, outcome.hunks)
            _check_syntax(source, lines, operation, outcome.hunks)
        authors = changed(authors, outcome.hunks, partial(_written, number))
        writing += [number] if any(hunk.lines for hunk in outcome.hunks) else []
        notes += outcome.notes
        left += _in_document(source, (_as_left(place, outcome.hunks) for place in outcome.left))
    overwritten = sorted({*writing} - {*authors})
    hunks = between(document.lines, lines, origins)
    return Outcome(hunks, tuple(dict.fromkeys(notes)), standing(left, lines)), overwritten


def _written(number: int, hunk: Hunk) -> list[int]:
    """The operation of this number for each line that its hunk writes."""
    return [number] * len(hunk.lines)


def _as_left(place: Candidate, hunks: Sequence[Hunk]) -> Candidate:
    """The place with its line as the operation that leaves it changes the rest of that."""
    for hunk in hunks:
        if hunk.start <= place.line < hunk.stop and len(hunk.lines) == hunk.stop - hunk.start:
            return replace(place, now=hunk.lines[place.line - hunk.start].strip())
    return place


def _in_document(source: Source, places: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The places by the document's lines."""
    return tuple(replace(place, line=source.original_line(place.line)) for place in places)


def _check(language: str, operation: Operation, first: int, number: int) -> None:
    """Raises OperationRefused for an operation that does not exist in this language, or was there already: `first` is
    the number of the first one like it."""
    if language not in operation.languages:
        if language == TEXT:
            raise OperationRefused(
                f"{operation.name}: the language of the file is not known; give its language",
                ways_out=(WayOut.LANGUAGE,),
            )
        near = get_close_matches(
            operation.name, [one.name for one in every_operation() if language in one.languages], 1
        )
        known = ", ".join(sorted(operation.languages))
        way_out = f"did you mean {near[0]}?" if near else f"it is for {known}"
        raise OperationRefused(f"{operation.name}: does not exist in {language}; {way_out}")
    if first < number:
        raise OperationRefused(f"{operation.name}: operation {first} says the same; leave one out")


def _check_syntax(
    source: Source, lines: tuple[str, ...], operation: Operation, hunks: tuple[Hunk, ...]
) -> None:
    """Raises OperationRefused where less of the text parses than before, or other statements."""
    if not operation.brings_code:
        return
    language = source.language
    if language.error is not None:
        error = error_in(language.name, lines)
        if error is None:
            return
        if error_in(language.name, source.lines) is None:
            raise OperationRefused(
                f"{operation.name}: the result would not compile: {error}; correct the fields of the operation"
            )
    new = Source(lines, language.name).syntax  # which the next operation has too
    if (stray := _stray(new)) and not _stray(source.syntax):
        raise OperationRefused(
            f"{operation.name}: `{lines[stray.start_point.row].strip()}` would stand outside of functions, where "
            f"{language.name} runs nothing; correct the fields of the operation"
        )
    if new.damage > source.syntax.damage:
        row = min(new.damaged)
        where = lines[row].strip() if row < len(lines) else "its end"
        raise OperationRefused(
            f"{operation.name}: the result would not parse at `{where}`; correct the fields of the operation"
        )
    check_conditions(source, hunks)
    check_texts(source, new, hunks)
    check_seams(source, new, hunks)


def _stray(syntax: Syntax) -> Node | None:
    """A statement with others in it that stands in the file itself, though its language has none there. The grammars of
    some read more than their languages have."""
    for node in syntax.root.named_children if syntax.language.only_declares else ():
        inner = expression_of(node)
        holds = inner.child_by_field_name("condition") or inner.child_by_field_name("body")
        if node.type.endswith("_statement") and holds is not None:
            return node
    return None


def applied(
    lines: tuple[str, ...], origins: list[int | None], hunks: tuple[Hunk, ...]
) -> tuple[tuple[str, ...], list[int | None]]:
    """The new lines, each with the document's line it stands for; a line replaced by one keeps its own."""

    def came(hunk: Hunk) -> list[int | None]:
        same = len(hunk.lines) == hunk.stop - hunk.start
        return origins[hunk.start : hunk.stop] if same else [None] * len(hunk.lines)

    return tuple(changed_lines(lines, hunks)), changed(origins, hunks, came)


def between(old: tuple[str, ...], new: tuple[str, ...], origins: list[int | None]) -> tuple[Hunk, ...]:
    """The hunks between the lines that stayed as they were."""
    hunks: list[Hunk] = []
    at, start = 0, 0  # the first old and the first new line since the last kept one
    for row, origin in enumerate([*origins, len(old)]):
        if origin is None or (row < len(new) and new[row] != old[origin]):
            continue
        if (origin, row) != (at, start) and (origin > at or row > start):
            made = trim(Hunk(at, origin, new[start:row]), old)
            hunks += [made] if made is not None else []
        at, start = origin + 1, row + 1
    return tuple(hunks)
