"""From a request to its regions: what narrows it first, then its update, then its instruction."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from fastedit.edit.align import align
from fastedit.edit.document import Document
from fastedit.edit.instruction import Instruction
from fastedit.edit.request import LineRange
from fastedit.edit.update import Alignment, Update
from fastedit.errors import AnchorNotFound, InputRefused
from fastedit.locate.by_instruction import InstructionLocator
from fastedit.locate.by_update import UpdateLocator
from fastedit.locate.filemap import FileMap
from fastedit.locate.naming import ambiguous
from fastedit.locate.region import Region
from fastedit.locate.windows import COMFORT, describe, windows


def locate(
    document: Document,
    instruction: str | None,
    update: Update | None,
    alignment: Alignment | None,
    symbol: str | None,
    lines: LineRange | None,
    *,
    limit: int = 120,
) -> tuple[Region, ...]:
    """The regions that the edit can touch: sorted, disjoint, and none where an update changes nothing.

    `alignment` is the update's against the whole document. `symbol` and `lines` narrow strictly. A region is longer
    than `limit` lines only where what changes is, or what was asked for by `symbol` or `lines` and an update. Raises
    AnchorNotFound where nothing, or several things alike, could be meant, InputRefused for an instruction alone where
    there is no text.
    """
    files = FileMap(document)
    scope = _scope(files, symbol, lines)
    narrowed = len(scope) < len(files.lines)
    said = Instruction(instruction) if instruction and instruction.strip() else None
    if update is not None:
        found = _by_update(files, said, update, None if narrowed else alignment, scope, limit)
        if found and said is not None and said.beyond(update.shown):
            return _with_told(found, InstructionLocator(files, said, scope, limit))
        if found or said is None:
            return found
    if said is not None and not document.text.strip():
        raise InputRefused(
            f"{files.name}: is empty, so there is nothing to change; give its text as an update"
        )
    if said is None or not any(files.lines[scope.start : scope.stop]) or (narrowed and len(scope) <= COMFORT):
        return (Region(scope.start, scope.stop, None, None, describe(files, scope), True),)
    return InstructionLocator(files, said, scope, limit).regions()


def scope_of(document: Document, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `symbol` and `lines` leave of a document. Raises AnchorNotFound."""
    return _scope(FileMap(document), symbol, lines)


def around(
    document: Document, places: Sequence[LineRange], scope: LineRange, *, limit: int = 120
) -> tuple[Region, ...]:
    """The regions of a change whose places are known."""
    found = windows(FileMap(document), places, scope, limit)
    return tuple(Region(w.lines.start, w.lines.stop, None, None, w.reason, True) for w in found)


def _by_update(
    files: FileMap,
    said: Instruction | None,
    update: Update,
    alignment: Alignment | None,
    scope: LineRange,
    limit: int,
) -> tuple[Region, ...]:
    """The update's regions; where it does not tell its place alone, the one definition that the instruction names."""
    narrowed = alignment is None
    if alignment is None:
        _check_gone(files, update, scope)
        update = update.within(scope.start, scope.stop)
        alignment = align(files.lines[scope.start : scope.stop], update)
    locator = UpdateLocator(files, update, alignment, scope, limit)
    if narrowed and len(scope) <= limit:
        return (locator.whole(),)
    try:
        return locator.regions()
    except AnchorNotFound:
        places = InstructionLocator(files, said, scope, limit).places() if said is not None else ()
        if len(places) != 1 or len(places[0]) > limit or update.gone:
            raise
        inner = align(files.lines[places[0].start : places[0].stop], update)
        return (UpdateLocator(files, update, inner, places[0], limit).whole(),)


def _with_told(shown: tuple[Region, ...], locator: InstructionLocator) -> tuple[Region, ...]:
    """The update's regions, and those apart from them that the instruction surely means."""
    try:
        told = locator.regions()
    except AnchorNotFound:
        return shown
    apart = [r for r in told if r.certain and all(r.stop <= s.start or s.stop <= r.start for s in shown)]
    return tuple(sorted((*shown, *apart), key=lambda region: region.start))


def _check_gone(files: FileMap, update: Update, scope: LineRange) -> None:
    """Raises AnchorNotFound where a comment of the update takes away lines that are not to be touched."""
    for lines in update.gone:
        outside = (i for i in range(lines.start, lines.stop) if not scope.start <= i < scope.stop)
        if any(files.lines[index].strip() for index in outside):
            raise AnchorNotFound(
                f"{files.name}: a comment of the update removes lines {lines.start + 1}:{lines.stop}, not wholly "
                f"within lines {scope.start + 1}:{scope.stop}; widen --symbol or --lines or leave the comment out"
            )


def _scope(files: FileMap, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `lines` and `symbol` leave. Raises AnchorNotFound."""
    scope = lines or LineRange(0, len(files.lines))
    if symbol is None:
        return scope
    found = [d for d in files.named(symbol) if scope.start <= d.start and d.stop <= scope.stop]
    if len(found) > 1:
        raise ambiguous(files, symbol, found)
    if found:
        return LineRange(found[0].start, found[0].stop)
    assigned = [
        item for item in files.assignments(symbol) if scope.start <= item.start and item.stop <= scope.stop
    ]
    if len(assigned) == 1:
        return assigned[0]
    if scope != LineRange(0, len(files.lines)) and (elsewhere := files.named(symbol)):
        raise AnchorNotFound(
            f"{files.name}: `{symbol}` stands on lines {elsewhere[0].start + 1}:{elsewhere[0].stop}, not wholly within "
            f"--lines {scope.start + 1}:{scope.stop}; leave one of the two out"
        )
    names = {d.dotted: d for d in files.definitions}
    close = get_close_matches(symbol, [*names, *(d.name for d in names.values())], n=3)
    hint = f"did you mean {' or '.join(dict.fromkeys(close))}?" if close else "use --lines instead"
    raise AnchorNotFound(f"{files.name}: no definition of `{symbol}` was found; {hint}")
