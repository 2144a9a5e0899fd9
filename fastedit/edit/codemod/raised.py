"""`throw a RangeError instead of Error in load`: another exception where one is raised."""

from __future__ import annotations

import builtins
import re

from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange

_RAISE = "[raise|raises|throw|throws]"
_NOT = "[instead of|not]"
_SENTENCES = Sentences(
    f"{_RAISE} {{the}}{{new}} {_NOT} {{the}}{{old}}{{in}}",
    f"{_RAISE} {{the}}{{new}} in {{the}}{{place}} {_NOT} {{the}}{{old}}",
    f"{{the}}{{place}} should {_RAISE} {{the}}{{new}} {_NOT} {{the}}{{old}}",
    f"[let|make|have] {{the}}{{place}} {_RAISE} {{the}}{{new}} {_NOT} {{the}}{{old}}",
)
_EXCEPTION = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception|Warning|Exit|Interrupt)")
_SCRIPTED = frozenset(
    "Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError".split()  # noqa: SIM905
)
# Of Java's those that no method has to declare.
_BUILT_IN = {
    "python": frozenset(dir(builtins)),
    "java": frozenset(
        """Error RuntimeException IllegalArgumentException IllegalStateException NullPointerException
        UnsupportedOperationException IndexOutOfBoundsException ArithmeticException ClassCastException
        NumberFormatException SecurityException""".split()  # noqa: SIM905
    ),
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPTED),
}


def raised(text: str, source: Source) -> Codemod | None:
    """None where none of that name is raised in the place, or several are."""
    if source.language not in _BUILT_IN:
        return None
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        named = _EXCEPTION.fullmatch(told["new"]) and _EXCEPTION.fullmatch(told["old"])
        if place is not None and named and told["new"] != told["old"]:
            return _exchanged(source, told, place)
    return None


def _exchanged(source: Source, told: Told, place: LineRange) -> Codemod | None:
    old, new = told["old"], told["new"]
    made = re.compile(rf"(?P<head>\s*.*?\b(?:raise|throw)(?: new)? ){re.escape(old)}(?=\W|\Z)")
    found = [(n, match) for n in range(place.start, place.stop) if (match := made.match(source.lines[n]))]
    if len(found) != 1 or source.in_text(found[0][0]):
        return None
    row, match = found[0]
    text = "\n".join(source.lines)
    caught = re.search(rf"\b(?:except|catch)\b[^\n]*\b{re.escape(old)}\b", text)
    doubts = {
        f"what catches {old} may be meant to catch it": caught is not None,
        f"{new} may have to be imported or declared": not _known(source, new),
    }
    reasons = holding(doubts)
    return Codemod(
        (Hunk(row, row + 1, (f"{match['head']}{new}{source.lines[row][match.end() :]}",)),), reasons
    )


def _known(source: Source, name: str) -> bool:
    first = re.escape(name.split(".")[0])
    if name in _BUILT_IN[source.language] or source.language == "java":
        return name in _BUILT_IN[source.language]
    return any(re.match(rf"\s*(?:import|from|(?:\w+ )*class)\b.*\b{first}\b", line) for line in source.lines)
