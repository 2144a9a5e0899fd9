"""Which file lines a sketch line may be a changed version of, by the words and characters that they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice, permutations, takewhile
from typing import Any

import numpy as np

from fastedit.sketch.features.apart import Apart
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.rests import elements_of, ended_rests, is_whole_element
from fastedit.sketch.features.wrapped import Wrapped
from fastedit.sketch.read.inline import Inline, inline_marker
from fastedit.sketch.read.names import bound_by, is_margin_import
from fastedit.sketch.read.ratio import ratio
from fastedit.sketch.read.reading import SHORT, WORD, is_import, target_of
from fastedit.source.markers import said_in_comment

QUITE_ALIKE, NEARLY_EQUAL = 0.7, 0.9
_LEAST_ALIKE = 0.4
_FEWEST = 2  # words of a line that another one says as well
_TOKEN = re.compile(r"\w+|[^\w\s]")
_KEYED = re.compile(r"[\w-]+|[^\w\s]")  # a key is one word
_PIECES = re.compile(r"\w+|\W")
_GIVEN = re.compile(r"[^()\[\]{}\"']*?\b(?P<name>\w+)\s*(?::[^=;]*)?:?=(?![=>])\s*(?P<value>.*?\S)\s*[;,]?$")
_LONGEST = 1000  # characters of a line that gives a name a value which others could have in its place
_TELLING = 8  # characters that are enough to know a line by its beginning
_QUOTES, _TRIPLE = "\"'`", ('"""', "'''")
_MOST_CHANGED = 6  # file lines that one sketch line may be a changed version of


def above(alike: float, least: float) -> float:
    """How far lines are more alike than this, from 0 to 1."""
    return max(alike - least, 0.0) / (1.0 - least)


def tokens_of(text: str) -> list[str]:
    """The words and signs of a line."""
    return _TOKEN.findall(text)


def _most_alike(found: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_CHANGED]


def _has_its_key(new: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a new entry goes on as one does, and not as the other, where both part, by words that end alike."""
    at = next((at for at, words in enumerate(zip(one, other, strict=False)) if words[0] != words[1]), None)
    return (
        at is not None
        and one[at + 1 : at + 2] == other[at + 1 : at + 2]
        and list(new[: at + 1]) == one[: at + 1]
    )


class Likeness:
    """How alike the lines of a sketch and of a file are."""

    def __init__(self, facts: Facts, apart: Apart) -> None:
        self._facts, self._apart = facts, apart
        self._wrapped = Wrapped(facts), Wrapped(facts, elements_of, is_whole_element)
        self._ratios: dict[tuple[str, str], float] = {}
        self._strings: dict[int, set[int]] = {}

    @cached_property
    def elsewhere(self) -> frozenset[int]:
        """The sketch lines that the file has in other blocks than the one shown, and not in that."""
        return frozenset(i for i, places in enumerate(self._facts.places) if self._apart.are(i, places))

    @cached_property
    def changed(self) -> dict[int, list[tuple[int, float]]]:
        """By sketch line, the file lines that it may be a changed version of, and how alike they are, the most alike
        first. Lines that the file has are left out, unless they begin a definition or it has them in other blocks than
        the one shown, and so are lines of definitions that the sketch line cannot stand in."""
        facts = self._facts
        file, sketch = facts.file, facts.sketch
        mine = {
            i: frozenset(WORD.findall(text)) | frozenset(WORD.findall(self._spelled_out.get(i, "")))
            for i, text in enumerate(sketch.stripped)
            if i not in facts.spelled
            and sketch.ink[i] >= SHORT
            and (not facts.places[i] or i in sketch.heads or i in self.elsewhere)
        }
        where = self._lines_with(frozenset().union(*mine.values()))
        result: dict[int, list[tuple[int, float]]] = {}
        common = max(60, len(file.texts) // 20)
        weights = {
            word: 1.0 / (1 + np.log(len(rows))) for word, rows in where.items() if 0 < len(rows) <= common
        }
        # Heads first: they tell in which definitions of the file the others may stand.
        for i in sorted(mine, key=lambda i: (i not in sketch.heads, i)):
            own = mine[i]
            alike = [word for word in sorted(own) if word in weights]  # sums of floats depend on their order
            rows = [j for word in alike for j in where[word]]
            each = np.repeat([weights[word] for word in alike], [len(where[word]) for word in alike])
            shared = np.bincount(rows, each) if rows else np.zeros(0)
            sharing = np.nonzero(shared)[0]
            ranked = sharing[np.argsort(-shared[sharing], kind="stable")].tolist()
            own_place = (
                j
                for j in ranked
                if not (self._of_another(i, j, result) or (i in self.elsewhere and self._apart.are(i, [j])))
            )
            best = islice(own_place, 2 * _MOST_CHANGED)
            near = {j: self.alike(i, j) for j in best}
            inline = self.inline(i)
            found = {j: alike for j, alike in near.items() if self._may_be_changed(i, j, alike, inline)}
            found |= self._with_its_body(i) | self._with_its_statement(i)
            found |= self._wrapped_anew(i, result)
            found = self._with_its_key(i, found)
            if (whole := facts.in_one_line.get(i)) is not None:
                found = {whole.start: max(self.alike(i, whole.start), QUITE_ALIKE)}
            if found:
                result[i] = _most_alike(found)
        for i in sketch.inked:
            if i not in mine and (found := self._wrapped_anew(i, result)):
                result[i] = _most_alike(found)
        return result

    def block_ends(self) -> list[int]:
        """Where the blocks end of which a line of the sketch may be a changed head."""
        file, sketch = self._facts.file, self._facts.sketch
        heads = {j for i, near in self.changed.items() if sketch.opens(i) for j, _ in near if file.opens(j)}
        return [file.block_end(j) for j in heads]

    def _of_another(self, i: int, j: int, changed: Mapping[int, Sequence[tuple[int, float]]]) -> bool:
        """Whether a sketch line stands in a definition that cannot be the one around the file's line. A head that the
        file has is that one; of others `changed` tells what they may be a version of."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        mine, theirs = sketch.around(i), file.around(j)
        if mine is None or theirs is None or sketch.heads[mine] == file.heads[theirs]:
            return False
        return bool(facts.places[mine]) or all(row != theirs for row, _ in changed.get(mine, ()))

    def _lines_with(self, words: frozenset[str]) -> dict[str, list[int]]:
        """The file lines that have each of these words, of those that may be changed."""
        facts = self._facts
        return facts.file.vocabulary.lines_with(
            words, among=(facts.inks >= SHORT) & (~facts.shown | facts.is_head)
        )

    def _may_be_changed(self, i: int, j: int, alike: float, inline: Inline | None) -> bool:
        text = self._facts.file.stripped[j]
        return (
            text != self._facts.sketch.stripped[i]
            and (
                alike >= self._least_alike(i, j)
                or self.related(i, j)
                or self._grows(i, j)
                or (inline is not None and inline.shows(text))
            )
            and not self._makes_code_of_words(i, j, alike)
            and not self._imports_another_elsewhere(i, j)
        )

    def _grows(self, i: int, j: int) -> bool:
        """Whether both open a block at one depth, and one says all that the other does and more, in between: however
        long it is, one hardly stands within the other."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        short, long = sorted((tokens_of(sketch.stripped[i]), tokens_of(file.stripped[j])), key=len)
        ends = short[:1] == long[:1] and short[-1:] == long[-1:]
        words = sum(map(str.isidentifier, short))
        return (
            sketch.opens(i)
            and ends
            and words >= _FEWEST
            and file.widths[j] == sketch.widths[i] + facts.offset
            and Counter(short) <= Counter(long)
        )

    def _imports_another_elsewhere(self, i: int, j: int) -> bool:
        """Whether an import that the sketch shows at the margin would take the place of one in a block, such as `try:`,
        with which it binds no name in common."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        if not (file.widths[j] and is_import(file.texts[j])) or facts.shown_offset != 0:
            return False
        return is_margin_import(sketch, i) and bound_by(sketch.texts, [i], sketch.language).isdisjoint(
            bound_by(file.texts, [j], file.language)
        )

    def _makes_code_of_words(self, i: int, j: int, alike: float) -> bool:
        """Whether a line that the sketch shows outside of any comment or string would take the place of one in there,
        with which it hardly has more than a word in common: any code shares one with what is said about it."""
        file, sketch = self._facts.file, self._facts.sketch
        text = sketch.stripped[i]
        if sketch.comments(i) or i in sketch.quoted or text[0] in _QUOTES:
            return False
        if file.comments(j):
            said = said_in_comment(file.texts[j]) or file.stripped[j].lstrip("*# ")  # `*` of a block comment
            target = target_of(text)
            commented_out = (target is not None and target == target_of(said)) or text in said
            return not commented_out and self._ratio(text, said) < NEARLY_EQUAL
        start = j if file.stripped[j].startswith(_TRIPLE) else file.quoted.get(j)
        if start is None or start in self._strings_shown(i):
            return False
        shared = set(WORD.findall(text)).intersection(WORD.findall(file.stripped[j]))
        return len(shared) < 2 or alike < QUITE_ALIKE

    def _strings_shown(self, i: int) -> set[int]:
        """The first lines of the strings of which the sketch shows a line in the piece around line i."""
        if i in self._strings:
            return self._strings[i]
        facts, found = self._facts, self._strings.setdefault(i, set())
        for onward in (facts.above, facts.below):
            at = onward.get(i)
            while at is not None and at not in facts.spelled:
                found.update(facts.file.quoted[j] for j in facts.places[at] if j in facts.file.quoted)
                at = onward.get(at)
        return found

    def _with_its_body(self, i: int) -> dict[int, float]:
        """The file lines that open a block with what the sketch shows below line i, up to a marker, at the depth of
        line i, and how alike both are with that: however few words a new head has in common with the old one, what it
        opens tells."""
        facts, file, sketch = self._facts, self._facts.file, self._facts.sketch
        if not sketch.opens(i):
            return {}
        body = sketch.deeper(i)
        shown = list(takewhile(lambda row: row not in facts.spelled, body))
        texts = [sketch.stripped[row] for row in shown]
        depth, size = sketch.widths[i] + facts.offset, 2 * sum(map(len, texts))
        found = dict[int, float]()
        for first in facts.places[shown[0]] if shown else ():
            head = first - 1
            if head < 0 or file.widths[head] != depth or not file.opens(head) or facts.shown[head]:
                continue
            rows = file.deeper(head)
            compared = rows if shown == body else rows[: len(shown)]
            if [file.stripped[row] for row in compared] == texts:
                heads = len(sketch.stripped[i]) + len(file.stripped[head])
                found[head] = (size + self.alike(i, head) * heads) / (size + heads)
        return found

    def _with_its_statement(self, i: int) -> dict[int, float]:
        """The file lines of which line i takes the place as the rest of a statement, and how alike both are with what
        begins it."""
        size = 2 * len(self._facts.sketch.stripped[self._facts.above.get(i, i)])
        found = dict[int, float]()
        for j in (rest.lines.start for rest in ended_rests(self._facts, i)):
            rests = len(self._facts.sketch.stripped[i]) + len(self._facts.file.stripped[j])
            found[j] = (size + self.alike(i, j) * rests) / (size + rests)
        return found

    def _wrapped_anew(self, i: int, changed: Mapping[int, Sequence[tuple[int, float]]]) -> dict[int, float]:
        """The file lines that begin a statement which line i begins on more lines or fewer, and how alike both are as
        far as `changed` allows."""
        rows = {j for wrapped in self._wrapped for j in wrapped.versions_of(i)}
        wrapped = [j for j in sorted(rows) if self._whole(i, j) and not self._of_another(i, j, changed)]
        alike = ((j, self.alike(i, j)) for j in wrapped)
        return {j: one for j, one in alike if one >= self._least_alike(i, j)}

    def _with_its_key(self, i: int, found: dict[int, float]) -> dict[int, float]:
        """Without the entries of one line next to another one that goes on as line i does where both part: that is
        their key."""
        file, mine = self._facts.file, _KEYED.findall(self._facts.sketch.stripped[i])
        said = {
            j: _KEYED.findall(file.stripped[j])
            for j in found
            if file.block_end(j) == j + 1 and not is_import(file.texts[j])
        }
        others = {
            j
            for j, other in permutations(said, 2)
            if file.parents[j] == file.parents[other] and _has_its_key(mine, said[other], said[j])
        }
        return {j: alike for j, alike in found.items() if j not in others}

    def inline(self, i: int) -> Inline | None:
        """The marker within a line of code that the file lacks."""
        facts = self._facts
        return None if facts.places[i] else inline_marker(facts.sketch.stripped[i], facts.sketch.language)

    def _least_alike(self, i: int, j: int) -> float:
        return QUITE_ALIKE if self._renamed(i, j) else _LEAST_ALIKE

    def _renamed(self, i: int, j: int) -> bool:
        """Whether both begin definitions, of different names."""
        mine, theirs = self._facts.sketch.heads.get(i), self._facts.file.heads.get(j)
        return mine is not None and theirs is not None and mine != theirs

    def related(self, i: int, j: int) -> bool:
        """Whether both begin a definition of one name, or assign to the same."""
        file, sketch = self._facts.file, self._facts.sketch
        name = sketch.heads.get(i)
        if name is not None:
            return file.heads.get(j) == name
        target = target_of(sketch.texts[i])
        return target is not None and target == target_of(file.texts[j])

    @cached_property
    def _spelled_out(self) -> dict[int, str]:
        """By sketch line its text with values in place of the names that the sketch gives them on another line."""
        sketch, found = self._facts.sketch, dict[int, str]()
        given: dict[str, tuple[int, str]] = {}
        for i, text in enumerate(sketch.stripped):
            if self._facts.places[i] or len(text) > _LONGEST:
                continue
            if (told := _GIVEN.match(text)) is not None:
                given[told["name"]] = i, told["value"]
        for i, text in enumerate(sketch.stripped) if given else ():
            values = {name: value for name, (row, value) in given.items() if row != i}
            put = "".join(values.get(piece, piece) for piece in _PIECES.findall(text))
            if put != text:
                found[i] = put
        return found

    def spells_out(self, i: int, j: int) -> bool:
        """Whether the sketch line says what the file's line does, but for names in place of their values."""
        return self._spelled_out.get(i) == self._facts.file.stripped[j]

    def alike(self, i: int, j: int) -> float:
        """From 0 to 1. A name that the sketch gives a value is like that."""
        one, other = self.texts(i, j)
        put = self._spelled_out.get(i)
        return max(self._ratio(one, other), 0.0 if put is None else self._ratio(put, other))

    def texts(self, i: int, j: int) -> tuple[str, str]:
        """What is compared of a sketch line and a file line: all of the statements that they begin, where these may be
        one that is wrapped anew, and as far as they are more alike."""
        return self._whole(i, j) or (self._facts.sketch.stripped[i], self._facts.file.stripped[j])

    def wrapped(self, rows: Any, columns: Any) -> Any:
        """[pairs]: whether these sketch and file lines begin such statements."""
        told = {(i, j) for i, found in self.changed.items() for j, _ in found if self._whole(i, j)}
        pairs = zip(rows.tolist(), columns.tolist(), strict=True)
        return np.array([bool(told) and pair in told for pair in pairs], dtype=bool)

    def _whole(self, i: int, j: int) -> tuple[str, str] | None:
        told = (wrapped.texts(i, j) for wrapped in self._wrapped)
        whole = max((texts for texts in told if texts), key=lambda texts: self._ratio(*texts), default=None)
        lines = self._facts.sketch.stripped[i], self._facts.file.stripped[j]
        return whole if whole and self._ratio(*whole) > self._ratio(*lines) else None

    def _ratio(self, one: str, other: str) -> float:
        """A line whose statement goes on below is like one that has all of it."""
        short, long = sorted((one, other), key=len)
        if len(short) >= _TELLING and long.startswith(short):
            return 0.9
        key = (one, other)
        if key not in self._ratios:
            self._ratios[key] = ratio(other, one)
        return self._ratios[key]
