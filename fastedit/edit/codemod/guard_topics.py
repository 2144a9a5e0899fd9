"""A check that a function begins with and that may leave it at once, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.body_topics import first_row
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, lexicon
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.codemod.wrap import uneven, unit
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_GUARDED = Topic(
    """if when whenever case guard guards check checks checking test tests precondition early on given whether
    conditional short-circuit bail leads handle handles fast should protect catch caught leave means""",
    may="""function method body statement line clause exit out return leave then at the start beginning top
        head front very begins opens first thing once right away straight immediately before anything else
        ahead everything rest runs run real work any against is are true holds hold turns it with an and a
        in into insert prepend tack open begin start starts early upfront so up if yes that's doing do does
        sanity precondition leads whose branch for entry entered entering on crash crashes deal via be case
        catch does will which upon missing skipped skip by after should else itself point value no-op let
        conditional condition via there own be make point happens fail stop going continue quit abort skip
        validate validation verify up-front upfront opening initial initially prior proceed proceeds
        proceeding short circuit cut quick fails reject refuse cover satisfied met directly first-thing
        guarded guarding bails exits leaving soon earliest possible input invalid""",
    never="unless except only instead-of replace change",
)
_LEAVE = re.compile(r"(?:return|raise|throw|continue|break|panic)\b.*;?")
_STATEMENT = re.compile(
    r"(?:return|raise|throw|if|for|while|import|from|def|class)\b|[\w.\[\]]+\s*[+-]?=(?!=)"
)
_HEADER = dict.fromkeys(("javascript", "typescript", "tsx", "java", "c", "cpp"), ("(", ")")) | dict.fromkeys(
    ("go", "rust"), ("", "")
)


def guard_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the function has such a check already."""
    if source.language != "python" and source.language not in _HEADER:
        return None
    return _GUARDED.read(text.replace("`if`", "if"), source, _guarded, 3)


def _guarded(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(NEGATIONS) or gist.has(GONE - lexicon("out off away leave")):
        return
    for function, leave, test in permutations(gist.mentions):
        found = source.only(function.text.removesuffix("()"))
        if found is None or found.kind not in ("function", "method") or not _fits(leave, test):
            continue
        row = first_row(source, found)
        inside = source.lines[found.header : found.stop]
        if row is not None and not any(test.text in line for line in inside):
            yield _checked(source, found, row, leave.text, test.text)


def _fits(leave: Word, test: Word) -> bool:
    return (
        leave.quote == test.quote == "`"
        and _LEAVE.fullmatch(leave.text) is not None
        and not _STATEMENT.match(test.text)
        and not re.fullmatch(r"[\w.]+", test.text)
    )


def _checked(source: Source, found: Definition, row: int, leave: str, test: str) -> Codemod:
    margin = indentation(source.lines[row])
    step = unit(source, row)
    placed: tuple[str, ...]
    if source.language == "python":
        placed = (f"{margin}if {test}:", f"{margin}{step}{leave}")
    else:
        left, right = _HEADER[source.language]
        placed = (f"{margin}if {left}{test}{right} {{", f"{margin}{step}{leave}", f"{margin}}}")
    reasons = ("what it tests is set further down only",) if _set_below(source, found, test) else ()
    return Codemod((Hunk(row, row, placed),), (*reasons, *uneven(source, step)))


def _set_below(source: Source, found: Definition, test: str) -> bool:
    """Whether the function gives a value to a name of the test that its signature does not have."""
    head = " ".join(source.lines[found.header : found.body])
    names = set(re.findall(r"(?<![\w.])[A-Za-z_$][\w$]*", test)) - set(re.findall(r"[\w$]+", head))
    body = source.lines[found.body : found.stop]
    return any(
        re.match(rf"\s*(?:\w[\w<>*&]*\s+)?{re.escape(n)}\s*:?=(?!=)", line) for n in names for line in body
    )
