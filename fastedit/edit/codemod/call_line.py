"""`remove the debug print in load`: a statement that is one call, said by what it calls."""

from __future__ import annotations

import re

from fastedit.edit.codemod.calls import called, callee, calls
from fastedit.edit.codemod.delete import without_line
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.wrap import statement
from fastedit.edit.imports import imports
from fastedit.edit.request import LineRange

_VERB = "[delete|remove|drop|erase|kill|nuke|ditch|scrap|strip|lose|get rid of|take out]"
_SORT = "[debug|debugging|logging|leftover|stray|noisy|annoying|]"
_CALL = "{call=call|statement|line|calls|call line}"
_SENTENCES = Sentences(
    f"{_VERB} {{the}}{_SORT} {{gone}}{{in}}",
    f"{_VERB} {_SORT} {{gone}}{{in}}",
    f"{_VERB} {{the}}{_SORT} {{gone}} {_CALL}{{in}}",
    f"{_VERB} {{the}}{{call=call}} [of|to] {{gone}}{{in}}",
    f"{{the}}{_SORT} {{gone}}{{in}} [can go|should go|has to go|must go]",
    f"{{the}}{_SORT} {{gone}} {_CALL}{{in}} [can go|should go|has to go|must go]",
)
# Of these a function has one, or it is not said which.
_LEAVING = Sentences(
    f"{_VERB} {{the}}{{word=return|raise|assert|throw}} [statement|line|] [in|of|from] {{the}}{{place}}"
)


def call_line(text: str, source: Source) -> Codemod | None:
    """None where more than one thing in the place has the name, or what has it is no statement of one line."""
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        name = told["gone"].removesuffix("()")
        if place is None or (told.get("call") is None and _stands_for_more(source, name)):
            continue
        row = _row(source, name, place)
        if row is not None:
            return without_line(source, source.lines[row].strip(), place)
    for told in _LEAVING.read(text):
        place = source.place(told["place"])
        word = re.compile(rf"\s*{told['word'].lower()}\b")
        rows = [n for n in range(place.start, place.stop) if word.match(source.lines[n])] if place else []
        if len(rows) == 1 and statement(source, rows[0]) is not None and place is not None:
            return without_line(source, source.lines[rows[0]].strip(), place)
    return None


def _stands_for_more(source: Source, name: str) -> bool:
    """Whether the file also defines or imports what has the name, so that it may be meant."""
    brought = () if source.syntax is None else imports(source.syntax)
    return bool(source.named(name)) or any(name in item.names for item in brought)


def _row(source: Source, name: str, place: LineRange) -> int | None:
    """The line that is the one call of it in the place, where nothing else there has the name."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    rows = [n for n in range(place.start, place.stop) for _ in word.findall(source.lines[n])]
    if len(rows) != 1:
        return None
    made = [call for call in calls(source, name) if call.start_point.row == rows[0]]
    node = statement(source, rows[0])
    bare = node is not None and node.type == "expression_statement"
    whole = node.named_children[0] if node is not None and bare else None
    while whole is not None and whole.type in ("await", "await_expression"):
        whole = whole.named_children[0]
    fits = len(made) == 1 and made[0] == whole and called(callee(source, made[0]), name)
    return rows[0] if fits else None
