"""``after the line `x = 1` add `y = 2` ``, or a whole function behind another: code that the sentence hands over."""

from __future__ import annotations

import re

from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source, dedented
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction
from fastedit.edit.outline import blank_lines, definition_name, indent_width, indentation, is_closer
from fastedit.edit.request import LineRange

_SIDE = (
    "{side=right before|directly before|just before|before|above"
    "|right after|directly after|just after|right below|after|below|behind}"
)
_PUT = "{verb=add|insert|put|append}"
_WHAT = (
    "[this |the following |the |this line |the line |the following line |these lines |the following lines |this code "
    "|the code |this function |the following function |the function |a function |a line |]"
)
_THIS, _LINES = "[ this| the following|]", "[ line| lines| code| function| method| block|]"
_SENTENCES = Sentences(
    f"{_SIDE} {{the}}{{anchor:code}}[,|] {_PUT} {_WHAT}{{new:code}}",
    f"{_SIDE} {{the}}{{anchor:code}}[,|] {_PUT}{_THIS}{_LINES}: {{new:code}}",
    f"{_PUT} {_WHAT}{{new:code}} {_SIDE} {{the}}{{anchor:code}}{{in}}",
    f"{_PUT} {_WHAT}{_SIDE} {{the}}{{anchor:code}}: {{new:code}}",
)
_BLOCK_SENTENCES = Sentences(
    f"{_SIDE} {{the}}{{anchor:code}}[,|] {_PUT}{_THIS}{_LINES}[:|]",
    f"{_PUT} {_WHAT}{_SIDE} {{the}}{{anchor:code}}[:|]",
    f"{_PUT} [this|the following|a|the]{_LINES} {_SIDE} {{the}}{{anchor:code}}[:|]",
)
_CODE_LINE = re.compile(r"[^\w]|\w+[^\w]")


def insert(text: str, source: Source) -> Codemod | None:
    """None where no code is handed over, or it is not told by one line or definition where it goes."""
    said = Instruction(text)
    if len(said.blocks) > 1:
        return None
    block = dedented(said.blocks[0].split("\n")) if said.blocks else []
    sentences = _BLOCK_SENTENCES if block else _SENTENCES
    for told in sentences.read(said.sentence.strip() if block else text):
        new = block or (dedented(told["new"].split("\n")) if "new" in told.quoted else [])
        place = source.place(told.get("place"))
        if told["verb"].lower() == "put" and any(source.lines_like(line, source.scope) for line in new):
            # It may be meant to move.
            return None
        if new and place is not None and (made := _inserted(source, told, new, place)) is not None:
            return made
    return None


def _inserted(source: Source, told: Told, new: list[str], place: LineRange) -> Codemod | None:
    behind = re.search(r"after|below|behind", told["side"], re.IGNORECASE) is not None
    if behind and "behind" in told["side"].lower() and new[0].startswith(("#", "//")):
        # A comment may be meant to stand on the same line.
        return None
    line = told["anchor"] if "anchor" in told.quoted else ""
    return next_to(
        source, told["anchor"], new, behind, place if line else LineRange(place.start, place.start)
    )


def next_to(
    source: Source, anchor: str, new: list[str], behind: bool, place: LineRange | None = None
) -> Codemod | None:
    """The lines beside the one line that is the anchor, or a definition beside another of this name.

    Lines are looked for in `place`, by default wherever they may change.
    """
    place = source.scope if place is None else place
    definition = source.only(anchor.removesuffix("()"))
    # A plain word is a name first.
    lines = source.lines_like(anchor, place) if _CODE_LINE.match(anchor) or definition is None else []
    if len(lines) == 1:
        return _next_to_line(source, lines[0], new, behind)
    if lines or definition is None or definition_name(_first_word(new)) is None:
        return None
    return _next_to_definition(source, definition, new, behind)


def _first_word(new: list[str]) -> str:
    """The line that says what the new code defines, below its decorators and comments."""
    return next((line for line in new if not line.startswith(("@", "#", "//"))), "")


def _next_to_line(source: Source, line: int, new: list[str], behind: bool) -> Codemod:
    deeper = behind and source.opens(line)
    like = (
        next((n for n in range(line + 1, len(source.lines)) if source.lines[n].strip()), line)
        if deeper
        else line
    )
    at = line + behind
    placed = tuple(indentation(source.lines[like]) + text if text else "" for text in new)
    reasons = ("whether the new lines go into the block or before it is left open",) if deeper else ()
    return Codemod((Hunk(at, at, placed),), reasons)


def _next_to_definition(source: Source, beside: Definition, new: list[str], behind: bool) -> Codemod:
    """A definition next to another, as far from it as its neighbours are."""
    lines, margin = source.lines, indentation(source.lines[beside.header])
    placed = [margin + text if text else "" for text in new]
    apart = [""] * (2 if source.language == "python" and not margin else 1)
    if not behind:
        return Codemod((Hunk(beside.start, beside.start, (*placed, *apart)),))
    below = beside.stop + blank_lines(lines, beside.stop, 1)
    followed = below < len(lines) and not is_closer(lines[below])
    beside_it = followed and indent_width(lines[below]) >= indent_width(lines[beside.header])
    tail = apart if beside_it and below == beside.stop else []
    return Codemod((Hunk(beside.stop, beside.stop, (*apart, *placed, *tail)),))
