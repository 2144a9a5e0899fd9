"""What all features ask of a file and a sketch for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import compress, count, pairwise, takewhile
from typing import Any

import numpy as np

from fastedit.sketch.features.one_liners import in_one_line
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.read.removals import removal_note
from fastedit.sketch.read.wording import AGAIN, WORDED, has_words
from fastedit.source.markers import said_in_comment
from fastedit.source.outline import CLOSER_BEGINS, is_closer
from fastedit.source.update import Update

_SENTENCE_ENDS = frozenset(".:!?。：！？")
_MOST = 0.5  # of a file that is shown whole


class Facts:
    """A file of n lines and a sketch of m lines, and what the one shows of the other.

    `spelled` are the sketch lines that are markers for certain, `places` [m] the file lines with the text of each
    sketch line, indentation aside, and `comment` [m] tells whether a sketch line is a marker or a comment. `above` and
    `below` lead from each non-blank sketch line to the next one. `heads` are the file lines that begin a definition, by
    its name.
    """

    def __init__(self, file: Outline, update: Update) -> None:
        self.file = file
        self.spelled = frozenset(i for i, line in enumerate(update.lines) if line.marker)
        self.sketch = Outline(update.texts, self.spelled, update.language)
        self.places = _places(self.sketch, file)
        self.heads: dict[str, list[int]] = {}
        for j, name in file.heads.items():
            self.heads.setdefault(name, []).append(j)
        within = within_comments(update.texts)
        # Of a notation some of whose comments are not known, a note of what is gone is one.
        notes = not (file.language.is_code or file.language.prose)
        self.comment = [
            i in self.spelled
            or (self.sketch.comments(i) and not text.startswith("*") and i not in within)
            or (notes and removal_note(text) is not None)
            for i, text in enumerate(self.sketch.stripped)
        ]
        self.above = dict(zip(self.sketch.inked[1:], self.sketch.inked, strict=False))
        self.below = dict(pairwise(self.sketch.inked))

    @property
    def shape(self) -> tuple[int, int]:
        """(m, n)."""
        return len(self.sketch.texts), len(self.file.texts)

    def known(self, i: int | None) -> bool:
        """Whether a sketch line is one of the file's, or a marker, or there is none."""
        return i is None or i in self.spelled or bool(self.places[i])

    def closes_known(self, i: int) -> bool:
        """Whether a closing line's block is opened by a line that the file has."""
        opener = self.sketch.parents[i]
        return opener is not None and self.known(opener)

    def said(self, i: int) -> str:
        """What a comment says: with the lines above and below that its sentence goes on in."""
        return self._said.get(i, self.sketch.texts[i])

    @cached_property
    def _said(self) -> dict[int, str]:
        """By sketch line, for sentences over several lines that the file lacks."""
        runs: list[list[int]] = []
        for i in (i for i, comment in enumerate(self.comment) if comment and not self.known(i)):
            if runs and runs[-1][-1] == i - 1 and not _ends_sentence(self.sketch.stripped[i - 1]):
                runs[-1].append(i)
            else:
                runs.append([i])
        found: dict[int, str] = {}
        for rows in runs:
            if len(rows) > 1:
                said = (said_in_comment(self.sketch.texts[i]) or self.sketch.stripped[i] for i in rows)
                found |= dict.fromkeys(rows, " ".join(said))
        return found

    def told(self, i: int) -> tuple[str, ...]:
        """What tells of a comment beside its words that it speaks of the sketch."""
        again = self._comments[self.sketch.stripped[i]] > 1 and not self.places[i]
        return tuple(compress((AGAIN, WORDED), (again, self._worded)))

    @cached_property
    def _worded(self) -> bool:
        return any(has_words(self.sketch.texts[i]) for i in self.spelled)

    @cached_property
    def _comments(self) -> Counter[str]:
        """How often the sketch has each comment in a line of its own."""
        return Counter(compress(self.sketch.stripped, self.comment))

    @property
    def offset(self) -> int:
        """By how many columns the sketch is likely shown too far to the left; 0 where nothing tells."""
        return self.shown_offset or 0

    @cached_property
    def shown_offset(self) -> int | None:
        """The same, by lines that the file has once; None without any. Where none is written at the margin, the depth
        that it is written at counts as one such line."""
        file, sketch = self.file, self.sketch
        shown = [i for i in sketch.inked if i not in self.spelled]
        within = bool(shown) and min(sketch.widths[i] for i in shown) > 0
        votes = Counter({0: 1} if within else {})
        votes.update(
            file.widths[self.places[i][0]] - sketch.widths[i]
            for i in shown
            if len(self.places[i]) == 1 and sketch.ink[i] == FULL
        )
        return votes.most_common(1)[0][0] if votes else None

    def beside_new(self, rare: int) -> list[int]:
        """The file lines of pieces between markers that have something new, and no line that stands in the file `rare`
        times at most: any of them may be where that belongs."""
        pieces: list[list[int]] = [[]]
        for i in self.sketch.inked:
            if i in self.spelled:
                pieces.append([])
            elif not (is_closer(self.sketch.stripped[i]) and self.sketch.parents[i] is not None):
                pieces[-1].append(i)
        return [
            j
            for piece in pieces
            if any(not self.places[i] for i in piece) and not any(self._tells(i, rare) for i in piece)
            for i in piece
            for j in self.places[i]
        ]

    def _tells(self, i: int, rare: int) -> bool:
        return self.sketch.ink[i] == FULL and 0 < len(self.places[i]) <= rare

    @property
    def inks(self) -> Any:
        """[n]: how much ink each file line holds."""
        return self.file.inks

    @cached_property
    def inked(self) -> Any:
        """The non-blank lines of the file."""
        return np.array(self.file.inked, dtype=np.intp)

    @cached_property
    def inked_widths(self) -> Any:
        """The indentation of each of them."""
        return self.widths[self.inked]

    @cached_property
    def widths(self) -> Any:
        """[n]: the indentation of each file line."""
        return np.array(self.file.widths, dtype=int)

    @cached_property
    def counts(self) -> Any:
        """[n]: how often the file has the text of each line."""
        return np.array(list(map(self.file.counts.__getitem__, self.file.stripped)), dtype=int)

    @cached_property
    def unique(self) -> Any:
        """[n]: lines that say something and that the file has once."""
        return (self.counts == 1) & (self.inks == FULL)

    @cached_property
    def shown(self) -> Any:
        """[n]: lines whose text the sketch has."""
        texts = set(self.sketch.stripped)
        return np.fromiter(map(texts.__contains__, self.file.stripped), dtype=bool, count=self.shape[1])

    @cached_property
    def share(self) -> float:
        """Of the file's lines that say something, those that the sketch has."""
        full = self.inks == FULL
        return float(self.shown[full].mean()) if full.any() else 0.0

    @cached_property
    def brings(self) -> bool:
        """Whether the sketch has a line of code that the file lacks."""
        return any(not self.places[i] and not self.comment[i] for i in self.sketch.inked)

    @cached_property
    def is_piece(self) -> bool:
        """Whether the sketch is laid over a file of entries, and what it does not show of them stays: any for such a
        file but one without markers that shows most of it."""
        return self.file.language.is_data and (bool(self.spelled) or self.share < _MOST)

    @cached_property
    def imports(self) -> Any:
        """[n]: imports."""
        found = np.zeros(len(self.file.texts), dtype=bool)
        found[self.file.imports] = True
        return found

    @cached_property
    def is_head(self) -> Any:
        """[n]: lines that begin a definition."""
        found = np.zeros(len(self.file.texts), dtype=bool)
        found[list(self.file.heads)] = True
        return found

    def defines(self, names: tuple[str, ...]) -> bool:
        """Whether the file has a definition of the last of these names within those of the others."""
        return bool(self.heads_of(names))

    def heads_of(self, names: tuple[str, ...]) -> list[int]:
        """The file lines that begin such a definition."""
        heads = self.heads.get("".join(names[-1:]), ())
        return [head for head in heads if self.file.qualified(head)[-len(names) :] == names]

    @cached_property
    def in_one_line(self) -> dict[int, range]:
        """By line of the sketch that is all of a definition the lines of the file that are all of it."""
        return in_one_line(self.file, self.sketch, self.heads)

    @cached_property
    def leads(self) -> frozenset[int]:
        """The comments and decorators."""
        return frozenset(self.file.leading)

    @cached_property
    def closes(self) -> Any:
        """[n]: lines that begin by closing a block."""
        file, found = self.file, np.zeros(len(self.file.texts), dtype=bool)
        found[[j for j in file.vocabulary.beginning(CLOSER_BEGINS) if is_closer(file.stripped[j])]] = True
        return found

    @cached_property
    def begins(self) -> Any:
        """[n]: where a definition begins, with the comments and decorators above it."""
        found = self.is_head.tolist()
        for j in reversed(self.file.leading):
            if j + 1 < len(found):
                found[j] = found[j + 1]
        return np.array(found, dtype=bool)


def _ends_sentence(text: str) -> bool:
    last = takewhile(lambda sign: not sign.isalnum(), reversed(text))
    return not _SENTENCE_ENDS.isdisjoint(last)


def _places(sketch: Outline, file: Outline) -> list[Sequence[int]]:
    """For each sketch line the file lines with the same text."""
    rows: dict[str, list[int]] = {text: [] for text in sketch.stripped}
    for j in compress(count(), map(rows.__contains__, file.stripped)):
        rows[file.stripped[j]].append(j)
    return [rows[text] for text in sketch.stripped]


def within_comments(texts: Sequence[str]) -> frozenset[int]:
    """The lines of block comments after their first: none of them is a comment of its own."""
    found: set[int] = set()
    within = False
    for i, text in enumerate(texts):
        if within:
            found.add(i)
            within = "*/" not in text
        else:
            opening = text.lstrip().removeprefix("{")  # of JSX
            within = opening.startswith("/*") and "*/" not in opening
    return frozenset(found)
