"""Why the most likely reading of an update may not be the one that is meant, and where that is open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.check.change import short
from fastedit.engine.merge.evidence import against
from fastedit.engine.merge.merge import Merge
from fastedit.engine.merge.reading import SURE, Reading
from fastedit.readings import LIKELY, share
from fastedit.sketch.explain.phrases import OF_UNSHOWN, SIGNS
from fastedit.sketch.explain.taken import TakenLines, parted, replaced, runs
from fastedit.sketch.paths.lattice import Layer
from fastedit.sketch.read.removals import removal_note, removed_names
from fastedit.source.definitions import definitions
from fastedit.source.document import Document
from fastedit.source.language import language_in
from fastedit.source.outline import definition_at, parents
from fastedit.source.syntax import parse

_CHANGES = (Layer.NEW, Layer.GONE)


def doubts_about(document: Document, merge: Merge, *, by_model: bool = False) -> tuple[str, ...]:
    """Empty where the most likely reading of an update of the document is sure. `by_model`: they go back to the model
    that wrote the update, which can choose no reading."""
    best = merge.best
    if best.sure:
        return tuple(_unanswered(merge) if best.hunks else _in_vain(document, merge))
    if best.posterior >= SURE:
        return (*_missing(document, merge), *best.faults)
    return (*_missing(document, merge), unsure(merge, by_model=by_model), *best.reasons)


def unsure(merge: Merge, *, by_model: bool = False) -> str:
    """How sure the most likely reading is, what is open, and the ways out. More lines of the file in the update are
    none: on dev they settled 21 of 56 sketches. A model that wrote the update has seen no readings."""
    best, *others = merge.offered
    figures = [f"reading {number}: {share(other.posterior)}" for number, other in enumerate(others, 2)]
    none = 1 - sum(reading.posterior for reading in merge.offered)
    if figures and none >= LIKELY:
        figures.append(f"none of these: {share(none)}")
    among = f" ({', '.join(figures)})" if figures else ""
    sure = (
        "it is not certain what the answer means"
        if by_model
        else f"fastedit is {share(best.posterior)} sure{among}"
    )
    said = _open(merge, best, others[0] if others else None)
    if by_model or (best.objections and not others):
        way = "if its code is right, " if best.broken else ""
    else:
        way = "choose a reading, or " if others else "choose reading 1 if it is right, or "
    return f"{sure}{said and f': {said}'}; {way}write the edit as SEARCH/REPLACE blocks"


def _open(merge: Merge, best: Reading, other: Reading | None) -> str:
    """What is not certain of the most likely reading: what another takes differently, or else the sign that speaks most
    against it. Nothing where checks object to it, which say so themselves."""
    if (remark := next(iter(merge.remarks), None)) is not None and remark.certainty < SURE:
        return remark.doubt
    if odds := merge.abbreviating(best):
        row = max(odds, key=odds.__getitem__)
        return f"update line {row + 1} ({short(merge.update.texts[row])}) says that lines change too, but not how"
    if other is None and best.objections and best.posterior >= LIKELY:
        return ""
    if other is not None and merge.takes_for_whole(best) != merge.takes_for_whole(other):
        taken = ("the whole file anew, so that what it lacks goes", "a part of the file")
        one, instead = taken if merge.takes_for_whole(best) else taken[::-1]
        return f"the update is {one}, or {instead}"
    if other is None and (sign := against(best.evidence)):
        return _sign(merge, best, sign)
    other = other or merge.runner_up
    return difference(merge, merge.taken(best), merge.taken(other)) if other else ""


def difference(merge: Merge, mine: list[TakenLines], theirs: list[TakenLines]) -> str:
    """What one reading takes differently from another."""
    pairs = list(parted(mine, theirs))
    # What a marker keeps follows from what the lines around it are.
    pairs.sort(key=lambda pair: all(one.layer is Layer.MARK for one in pair))
    if not pairs:
        return ""
    one, other = pairs[0]
    if (found := replaced(pairs[0], (mine, theirs))) is None:
        kept = ", which one there keeps" if {one.layer, other.layer} == {Layer.GONE, Layer.LEAP} else ""
        return f"{_said(merge, one)}, or {other.predicate}{kept}"
    rows, which = found
    old = TakenLines(Layer.GONE, range(0), rows, rows.start)
    named, single = f"{old.subject}{merge.quoted(old)}", len(rows) == 1
    said = (
        f"in place of {named}, or next to {'it' if single else 'them'}",
        f"next to {named}, which stay{'s' * single}, or in {'its' if single else 'their'} place",
    )
    return f"{one.subject}{merge.quoted(one)} {'is' if len(one.update) == 1 else 'are'} new, {said[which]}"


def _said(merge: Merge, one: TakenLines) -> str:
    """What lines are taken for, and what the first of them says."""
    return f"{one.subject}{merge.quoted(one)} {one.predicate}"


def _sign(merge: Merge, best: Reading, sign: str) -> str:
    layer = OF_UNSHOWN.get(sign)
    inner = runs(merge.taken(best))[1:-1]
    if unshown := [run for run in inner if not run.update and run.layer is layer]:
        return _said(merge, max(unshown, key=lambda run: len(run.file)))
    if (line := merge.line_of(sign, best)) is not None:
        return f"{SIGNS.get(sign, sign)}, update line {line + 1} ({short(merge.update.texts[line])})"
    near = f", near file line {best.hunks[0].start + 1}" if len(best.hunks) == 1 else ""
    return f"{SIGNS.get(sign, sign)}{near}"


def _in_vain(document: Document, merge: Merge) -> Iterator[str]:
    """What an update that changes nothing may ask for: by a comment, unless the file says so already, or by lines
    that it shows what is above and below of."""
    for rows in merge.left_as_they_are(merge.best):
        yield (
            f"the update changes nothing, but shows what is above and below file lines {rows.start + 1}-{rows.stop}; "
            "if these are to go, name them in a note (`removed: NAME`) or write the edit as SEARCH/REPLACE blocks"
        )
    for row in merge.unheard(merge.best):
        text = merge.update.texts[row]
        names = removed_names(text)
        if not names or any(_is_in(document, name) for name in names):
            yield (
                f"the update changes nothing, but update line {row + 1} ({short(text)}) may ask for it; "
                "write the edit as SEARCH/REPLACE blocks"
            )


def _unanswered(merge: Merge) -> Iterator[str]:
    """What an update says is gone, where nothing goes or changes."""
    unheard = set(merge.unheard(merge.best))
    every = [one for one in merge.taken(merge.best) if not one.blank] if unheard else []
    for above, one, below in zip((None, *every), every, (*every[1:], None), strict=False):
        goes = one.layer is Layer.GONE and one.file
        beside = [each for each in (above, below) if each and (each.changed or each.layer in _CHANGES)]
        for row in unheard.intersection(() if goes or beside else one.update):
            if removal_note(text := merge.update.texts[row]) is not None:
                yield (
                    f"nothing goes for update line {row + 1} ({short(text)}); "
                    "name what goes as the file does, or write the edit as SEARCH/REPLACE blocks"
                )


def _defined(document: Document) -> Iterator[str | None]:
    """The names of what it defines, by the grammar as well: a head may go on over several lines."""
    yield from (definition_at(document.lines, row) for row in range(len(document.lines)))
    syntax = parse(document.lines, language_in(document))
    if syntax is not None:
        yield from (item.name for item in definitions(syntax))


def _is_in(document: Document, name: str) -> bool:
    return re.split(r"\W+", name)[-1] in document.text


def _missing(document: Document, merge: Merge) -> Iterator[str]:
    """What the file lacks: what the update says is gone, and definitions in which a marker stands for code."""
    lines = merge.update.texts
    for gone in dict.fromkeys(gone for line in lines for gone in removed_names(line)):
        if not _is_in(document, gone):
            yield f"the update says that {gone} is gone, but the file does not have it"
    above = parents(lines)
    heads = dict.fromkeys(above[row] for row, line in enumerate(merge.update.lines) if line.marker)
    named = [name for row in heads if row is not None and (name := definition_at(lines, row)) is not None]
    known = set(_defined(document)) if named else ()
    for name in named:
        if name not in known:
            yield f"a marker in the update stands for code of {name}, which the file does not have"
