"""Definitions that a sketch has on one line and the file on several: all of the old one goes with its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from fastedit.sketch.read.brackets import is_balanced
from fastedit.sketch.read.reading import WORD, Outline
from fastedit.source.outline import definition_name

# What a body begins with that stands on the line of its head.
_BODY: Final = re.compile(r"\{|=>|(?<![=!<>])=(?![=>])")
_PARAMETERS: Final = re.compile(r"\s*(?:\([^()]*+\))?")


def in_one_line(file: Outline, sketch: Outline, heads: Mapping[str, Sequence[int]]) -> dict[int, range]:
    """By line of the sketch that is all of a definition the lines of the file that are all of it, with the same
    parameters. `heads` are the file's, by name."""
    found = dict[int, range]()
    for line in sketch.inked:
        name = _name(sketch.texts[line])
        if name is not None and name in heads and _is_whole(sketch, line):
            meant = (row for row in heads[name] if _is_meant(file, row, sketch, line, name))
            rows = list(islice(meant, 2))
            if len(rows) == 1:
                found[line] = range(rows[0], file.block_end(rows[0]))
    return {line: rows for line, rows in found.items() if len(rows) > 1}


def _is_whole(sketch: Outline, line: int) -> bool:
    """Whether a line of code opens no block, and nothing below it goes on with it."""
    if line in sketch.hidden or sketch.comments(line) or sketch.opens(line):
        return False
    return is_balanced(sketch.texts[line], sketch.language.paired) and not sketch.deeper(line)


def _name(text: str) -> str | None:
    """The name that a line gives a definition, by a keyword or by what stands before the body."""
    name = definition_name(text)
    if name is None and (body := _BODY.search(text)) is not None:
        name = definition_name(f"{text[: body.start()].rstrip()} {{")
    return name


def _is_meant(file: Outline, row: int, sketch: Outline, line: int, name: str) -> bool:
    """Whether the file's definition is of the same thing, takes the same and is in a block of the same name, and its
    first line says less: else the sketch's may be its head alone, as Ruby's are."""
    around, other = sketch.around(line), file.around(row)
    if around is not None and (other is None or file.heads[other] != sketch.heads[around]):
        return False
    mine, theirs = (_Head.of(text, name) for text in (sketch.stripped[line], file.stripped[row]))
    says_more = len(WORD.findall(mine.rest)) > len(WORD.findall(theirs.rest))
    return (mine.receiver, mine.takes) == (theirs.receiver, theirs.takes) and says_more


class _Head(NamedTuple):
    """What stands in brackets before the name of a definition, as in Go, and behind it, and all behind that."""

    receiver: str
    takes: str
    rest: str

    @classmethod
    def of(cls, text: str, name: str) -> _Head:
        before, _, behind = text.partition(name)
        receiver = before[before.find("(") :] if "(" in before else ""
        parameters = _PARAMETERS.match(behind)
        assert parameters is not None
        return cls("".join(receiver.split()), "".join(parameters[0].split()), behind[parameters.end() :])
