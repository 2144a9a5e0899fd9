"""An update taken for all of a file's new text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import exp

from fastedit.engine.merge.evidence import LEAST_OF_ANOTHER, of_objections
from fastedit.engine.merge.reading import Reading
from fastedit.sketch import align
from fastedit.sketch.entries import entries_left_out
from fastedit.sketch.read.reading import WORD, Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.whole import is_whole
from fastedit.source.definitions import definitions
from fastedit.source.document import Document
from fastedit.source.hunks import changed_lines
from fastedit.source.language import language_in, notation_in
from fastedit.source.syntax import parse
from fastedit.source.update import Update

_NAMED = 5  # definitions in a note


def sent_whole(document: Document, text: str, instruction: str | None = None) -> float:
    """The probability that a text is all of the document's new text; what the instruction names may go."""
    read = read_update(text, notation_in(document), document.lines)
    asked = frozenset(WORD.findall(instruction or ""))
    return is_whole(Outline(document.lines, language=read.language), read, align.shipped().wording, asked)


class Whole:
    """What an update is as the whole file, with this probability. `update` is it without remarks."""

    def __init__(self, document: Document, file: Outline, update: Update, probability: float) -> None:
        self._document, self._file, self._update = document, file, update
        self.probability = probability

    @property
    def may_be(self) -> bool:
        """Whether a reading of it as the whole file is worth a look."""
        return self.probability >= LEAST_OF_ANOTHER

    def among(self, readings: Sequence[Reading], as_whole: Reading) -> list[Reading]:
        """These readings of the update as a sketch, and the one of it as the whole file. What the checks hold against
        that and not against the most likely sketch speaks against it; what is wrong with the sketch may be with both.
        """
        text = self._non_blank(as_whole)
        same = [one for one in readings if self._non_blank(one) == text]
        others = [one for one in readings if one not in same]
        share = sum(one.posterior for one in same)
        objections = of_objections(as_whole.held.rules) - of_objections(readings[0].held.rules)
        odds = self.probability / (1.0 - self.probability) * exp(min(objections, 0.0))
        sketch = 1.0 / (1.0 + odds)
        posterior = odds * sketch
        if self.is_piece:
            sketch /= max(1.0 - share, LEAST_OF_ANOTHER)  # which no path of a sketch may drop
        else:
            posterior += share * sketch
        return [
            replace(as_whole, posterior=posterior),
            *(replace(one, posterior=one.posterior * sketch) for one in others),
        ]

    def lacking(self) -> list[str]:
        """What is said of the definitions, or of the entries of data, that the file has and the update has not."""
        gone = self._lost_entries if self._file.language.is_data else self._lost_definitions()
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        named = ", ".join(gone[:_NAMED])
        return [f"the update is taken for the whole file, which loses {named}{more}"] if gone else []

    @cached_property
    def is_piece(self) -> bool:
        """Whether entries of a data file stay unless the update is the whole file: it has no markers, and neither shows
        them nor has others in their place."""
        return not any(line.marker for line in self._update.lines) and bool(self._lost_entries)

    @cached_property
    def _lost_entries(self) -> list[str]:
        update = Outline(self._update.texts, language=self._update.language)
        return entries_left_out(self._file, update) if self._file.language.is_data else []

    def _lost_definitions(self) -> list[str]:
        language = language_in(self._document)
        shown = _defined(Outline(self._update.texts, language=self._update.language), language)
        text = "".join(f"\n{line.strip()}" for line in self._update.texts)
        lost = {name: row for name, row in _defined(self._file, language).items() if name not in shown}
        return [name for name, row in lost.items() if not _begins(self._file.stripped[row], name, text)]

    def _non_blank(self, reading: Reading) -> list[str]:
        """The lines of its text that are not blank."""
        found = changed_lines(self._document.lines, reading.hunks)
        return [line.rstrip() for line in found if line.strip()]


def _defined(text: Outline, language: str) -> dict[str, int]:
    """The line of each name that a text defines, as its lines or its grammar tell."""
    syntax = parse(text.texts, language)
    known = {} if syntax is None else {item.name: item.header for item in definitions(syntax)}
    return {name: row for row, name in text.heads.items()} | known


def _begins(head: str, name: str, text: str) -> bool:
    """Whether a line of a text, each below a line end, begins as the head of a definition does, up to its name."""
    before, _, _ = head.partition(name)
    return re.search(rf"\n{re.escape(before + name)}(?![\w$])", text) is not None
