"""`remove the debug print in load`: a statement that is one call, said by what it calls."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_SORTED = "{sort=debug|debugging|logging|leftover|stray|noisy|annoying|}"
_ALL = Sentences(
    f"{_VERB} [all|every|all of] {{the}}{_SORTED} {{gone}} {{call=call|calls|statement|statements|line|lines}}{{in}}",
    f"{_VERB} [all|every|all of] {{the}}{_SORTED} {{gone}}{{in}}",
    f"{_VERB} {{the}}{_SORTED} {{gone}} {{call=calls|statements|lines}}{{in}}",
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
            return _without(source, name, [row])
    for told in _ALL.read(text):
        place = source.place(told.get("place"))
        name = told["gone"] if told["gone"] in source.vocabulary else told["gone"].removesuffix("s")
        if place is not None and not _stands_for_more(source, name):
            rows = _rows(source, name, place)
            alone = rows == [row for row in rows if _is_call(source, row, name)]
            made = _without(source, name, rows) if rows and alone else None
            sorted_out = made is not None and told["sort"] and len(rows) > 1
            doubt = ("which of them are meant is left open",) if sorted_out else ()
            return made and Codemod(made.hunks, (*made.reasons, *doubt))
    for told in _LEAVING.read(text):
        place = source.place(told["place"])
        word = re.compile(rf"\s*{told['word'].lower()}\b")
        rows = [n for n in range(place.start, place.stop) if word.match(source.lines[n])] if place else []
        if len(rows) == 1 and statement(source, rows[0]) is not None and place is not None:
            return without_line(source, source.lines[rows[0]].strip(), place)
    return None


def _without(source: Source, name: str, rows: Sequence[int]) -> Codemod | None:
    made = [without_line(source, source.lines[row].strip(), LineRange(row, row + 1)) for row in rows]
    gone = [codemod for codemod in made if codemod is not None]
    reasons = dict.fromkeys(reason for codemod in gone for reason in codemod.reasons)
    if _last_of_package(source, name, rows):
        reasons["nothing else uses what the file imports for it"] = None
    hunks = tuple(hunk for codemod in gone for hunk in codemod.hunks)
    return Codemod(hunks, tuple(reasons)) if len(gone) == len(rows) else None


def _last_of_package(source: Source, name: str, rows: Sequence[int]) -> bool:
    """Whether the calls are all that Go needs a package for, which it then refuses to import."""
    package, dot, _ = name.partition(".")
    used = re.compile(rf"(?<![\w.\"]){re.escape(package)}\.")
    others = (line for row, line in enumerate(source.lines) if row not in rows)
    return source.language == "go" and bool(dot) and not any(used.search(line) for line in others)


def _stands_for_more(source: Source, name: str) -> bool:
    """Whether the file also defines or imports what has the name, so that it may be meant."""
    brought = () if source.syntax is None else imports(source.syntax)
    return bool(source.named(name)) or any(name in item.names for item in brought)


def _rows(source: Source, name: str, place: LineRange) -> list[int]:
    """The lines of a place that have the name, as often as they do."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return [n for n in range(place.start, place.stop) for _ in word.findall(source.lines[n])]


def _row(source: Source, name: str, place: LineRange) -> int | None:
    """The line that is the one call of it in the place, where nothing else there has the name."""
    rows = _rows(source, name, place)
    return rows[0] if len(rows) == 1 and _is_call(source, rows[0], name) else None


def _is_call(source: Source, row: int, name: str) -> bool:
    """Whether the line is a statement that is one call of it."""
    made = [call for call in calls(source, name) if call.start_point.row == row]
    node = statement(source, row)
    bare = node is not None and node.type == "expression_statement"
    whole = node.named_children[0] if node is not None and bare else None
    while whole is not None and whole.type in ("await", "await_expression"):
        whole = whole.named_children[0]
    return len(made) == 1 and made[0] == whole and called(callee(source, made[0]), name)
