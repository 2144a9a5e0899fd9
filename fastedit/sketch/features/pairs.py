"""Which sketch and file lines may be one, and what speaks for and against each such pair.

A generic line such as `}` makes a pair with each of its copies in the file, tens of thousands in a long one. So pairs
are handled as arrays: `rows` are their sketch lines, `columns` their file lines.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np

from fastedit.sketch.features.apart import Apart
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import NEARLY_EQUAL, Likeness, above, tokens_of
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.paths.columns import row, table
from fastedit.sketch.paths.weights import APART, INK, MATCH
from fastedit.sketch.read.reading import BARE, WORD, target_of
from fastedit.source.outline import closes_by_word, is_closer

T = TypeVar("T")
_Exchange = tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]

_FEW = 3  # lines of one text, or lines that assign to one name
# Columns of MATCH for equal lines: by ink and by how often the file has the text; and by ink alone, without one for
# blank lines.
_EQUAL = np.array(
    [[MATCH.index(f"equal, {ink}, {often}") for often in ("once", "few", "many")] for ink in INK]
)
_APART = tuple(map(MATCH.index, APART))
_ELSEWHERE = np.array([-1, *(MATCH.index(f"equal, {ink}, in another definition") for ink in INK[1:])])


class Pairs:
    """The pairs of lines that may be one."""

    def __init__(self, facts: Facts, likeness: Likeness, openers: Openers, apart: Apart) -> None:
        self._facts, self._likeness, self._openers, self._apart = facts, likeness, openers, apart

    def columns(self) -> Any:
        """The file lines that make a pair with any sketch line, as far as blocks do not forbid it."""
        return np.concatenate((self._equal_pairs[1], _ends(self._changed_pairs)[1]))

    def found(self, among: Any) -> tuple[Any, Any, Any]:
        """The sketch lines and the file lines of all pairs whose file line these flags [n] tell, in their order, and
        [pairs, MATCH]."""
        stripped = self._facts.sketch.stripped
        blank = _among(among, *self._with_same_text(i for i, text in enumerate(stripped) if not text))
        equal = _among(among, *self._equal_pairs)
        kept = ~self._closes_other(*equal)
        equal = equal[0][kept], equal[1][kept]
        changed = [(i, j, alike) for i, j, alike in self._changed_pairs if among[j]]
        groups = (
            (*blank, self._blank(*blank)),
            (*equal, self._equal(*equal)),
            (*_ends(changed), self._changed(changed)),
        )
        rows, columns, match = (np.concatenate(parts) for parts in zip(*groups, strict=True))
        for column, told in zip(_APART, self._apart.pairs(rows, columns), strict=True):
            match[:, column] = told
        order = np.lexsort((columns, rows))
        return rows[order], columns[order], match[order]

    @cached_property
    def _equal_pairs(self) -> tuple[Any, Any]:
        """Those of lines of code with the same text."""
        facts = self._facts
        return self._with_same_text(
            i for i, text in enumerate(facts.sketch.stripped) if text and i not in facts.spelled
        )

    @cached_property
    def _changed_pairs(self) -> list[tuple[int, int, float]]:
        """Those of changed lines, and how alike they are."""
        return [(i, *pair) for i, pairs in self._likeness.changed.items() for pair in pairs]

    @cached_property
    def _known(self) -> Any:
        """[m, n]: which lines of code may be one by what they say alone."""
        found = np.zeros(self._facts.shape, dtype=bool)
        found[self._equal_pairs] = True
        for i, near in self._likeness.changed.items():
            found[i, [j for j, _ in near]] = True
        return found

    def _with_same_text(self, lines: Iterable[int]) -> tuple[Any, Any]:
        """The pairs of these sketch lines with each file line of the same text."""
        places = [(i, self._facts.places[i]) for i in lines]
        rows = np.repeat([i for i, _ in places], [len(found) for _, found in places])
        columns = [np.array(found, dtype=np.intp) for _, found in places]
        return rows.astype(np.intp), np.concatenate((np.zeros(0, dtype=np.intp), *columns))

    def _closes_other(self, rows: Any, columns: Any) -> Any:
        """Whether both lines of a pair close blocks whose opening lines cannot be one."""
        mine, theirs = _or_none(self._openers.rows)[rows], np.full(len(rows), -1)
        closes = self._closes[rows]
        theirs[closes] = self._parents(np.asarray(columns)[closes])
        return closes & (theirs >= 0) & ~self._known[mine, theirs]

    @cached_property
    def _closes(self) -> Any:
        """[m]: the sketch lines that close a bracket, or a block by a word."""
        sketch = self._facts.sketch
        closes = [
            ink == BARE
            and opener is not None
            and is_closer(sketch.texts[i])
            and (sketch.opens_bracket(opener) or closes_by_word(sketch.stripped[i]))
            for i, (ink, opener) in enumerate(zip(sketch.ink, self._openers.rows, strict=True))
        ]
        return np.array(closes, dtype=bool)

    def _blank(self, rows: Any, columns: Any) -> Any:
        """[pairs, MATCH] for pairs of blank lines."""
        (_, theirs), shown = self._texts, self._shown_texts
        values = {
            "line above equal too": shown[rows] == theirs[columns],
            "line below equal too": shown[rows + 2] == theirs[columns + 2],
        }
        match = table(MATCH, values, len(rows))
        match[np.arange(len(rows)), self._equal_columns(columns)] = 1.0
        return match

    def _equal(self, rows: Any, columns: Any) -> Any:
        """[pairs, MATCH] for pairs of the same text."""
        values = self._around(rows, columns)
        elsewhere = values["another definition"]
        match = table(MATCH, values, len(rows))
        # What looks alike in definitions of other names is no evidence: neighbours often do.
        match[elsewhere] = 0.0
        kind = np.where(elsewhere, _ELSEWHERE[self._facts.inks[columns]], self._equal_columns(columns))
        match[np.arange(len(rows)), kind] = 1.0
        return match

    def _equal_columns(self, columns: Any) -> Any:
        """Which column of MATCH says how much ink each line holds and how often the file has it."""
        counts = self._facts.counts[columns]
        often = (counts > 1).astype(int) + (counts > _FEW)
        return _EQUAL[self._facts.inks[columns], often]

    def _changed(self, pairs: Sequence[tuple[int, int, float]]) -> Any:
        """[pairs, MATCH] for sketch lines and file lines that they may be changed versions of, and how alike."""
        told = [row(MATCH, self._change(*pair)) for pair in pairs]
        own = np.array(told, dtype=float).reshape(-1, len(MATCH))
        return own + table(MATCH, self._around(*_ends(pairs)), len(pairs))

    def _change(self, i: int, j: int, alike: float) -> dict[str, float]:
        """What the two lines say themselves."""
        file, sketch = self._facts.file, self._facts.sketch
        values = {"changed": 1.0, "changed: alikeness": alike}
        values["changed: alikeness above 0.6"] = above(alike, 0.6)
        values["changed: alikeness above 0.9"] = above(alike, NEARLY_EQUAL)
        values["changed: another file line is more alike"] = self._likeness.changed[i][0][1] - alike
        if own := self._own_words[i, j]:
            mine, _ = self._likeness.texts(i, j)
            kept = len(own.intersection(WORD.findall(mine))) / len(own)
            values["changed: words of its own stay"] = kept
            values["changed: words of its own go"] = 1.0 - kept
        if i in sketch.heads or j in file.heads:
            same = sketch.heads.get(i) == file.heads.get(j)
            values["changed: same head" if same else "changed: other head"] = 1.0
        elif (target := target_of(sketch.texts[i])) is not None and target == target_of(file.texts[j]):
            values["changed: same target"] = 1.0
            values["changed: same target, of many"] = float(self._targets[target] > _FEW)
        values["changed: as another line is"] = float(len(self._lines_changed_so[self._exchanged[i, j]]) > 1)
        values["changed: a name in place of its value"] = float(self._likeness.spells_out(i, j))
        only = float(self._only_comes_or_goes(i, j))
        values["changed: words only come or only go"] = only
        if self._by_marker[i]:
            named = "changed: same head" in values or "changed: same target" in values
            values["changed by a marker"] = 1.0
            values["changed by a marker: same head or target"] = float(named)
            values["changed by a marker: words only come or only go"] = only
        if (inline := self._likeness.inline(i)) and inline.shows(file.stripped[j]):
            values["inline marker"] = 1.0
        if sketch.opens(i) != file.opens(j):
            values["changed: opens a block no more, or only now"] = 1.0
        return values

    @cached_property
    def _own_words(self) -> dict[tuple[int, int], frozenset[str]]:
        """By changed pair, the words of the file's that no other line of the file has."""
        pairs = [(i, j) for i, j, _ in self._changed_pairs]
        words = {pair: frozenset(WORD.findall(self._likeness.texts(*pair)[1])) for pair in pairs}
        where = self._facts.file.vocabulary.lines_with(frozenset().union(*words.values()))
        return {
            pair: frozenset(word for word in found if len(where[word]) == 1) for pair, found in words.items()
        }

    @cached_property
    def _exchanged(self) -> dict[tuple[int, int], _Exchange]:
        """By changed pair the words and signs of the file's line that the sketch's lacks, and those that it has
        instead."""
        texts = {(i, j): self._likeness.texts(i, j) for i, j, _ in self._changed_pairs}
        tokens = {pair: (_tokens(mine), _tokens(theirs)) for pair, (mine, theirs) in texts.items()}
        return {
            pair: (frozenset((theirs - mine).items()), frozenset((mine - theirs).items()))
            for pair, (mine, theirs) in tokens.items()
        }

    @cached_property
    def _lines_changed_so(self) -> dict[_Exchange, set[int]]:
        """By what goes and what comes the sketch lines that may be changed so."""
        found: dict[_Exchange, set[int]] = defaultdict(set)
        for (i, _), exchange in self._exchanged.items():
            found[exchange].add(i)
        return found

    def _only_comes_or_goes(self, i: int, j: int) -> bool:
        """Whether one of both lines has all words and signs of the other."""
        mine, theirs = map(_tokens, self._likeness.texts(i, j))
        return mine <= theirs or theirs <= mine

    @cached_property
    def _by_marker(self) -> list[bool]:
        """[m]: whether a marker is next to each sketch line, blank lines aside."""
        facts = self._facts
        return [
            facts.above.get(i) in facts.spelled or facts.below.get(i) in facts.spelled
            for i in range(facts.shape[0])
        ]

    @cached_property
    def _targets(self) -> Counter[str]:
        """How many file lines assign to what a line of the sketch assigns to, as far as it has a word in it."""
        facts = self._facts
        wanted = {target for text in facts.sketch.texts if (target := target_of(text)) is not None}
        words = {word for target in wanted for word in WORD.findall(target)[:1]}
        lines = (text for text in facts.file.stripped if any(word in text for word in words))
        return Counter(target for text in lines if (target := target_of(text)) in wanted)

    def _around(self, rows: Any, columns: Any) -> dict[str, Any]:
        """What the lines around both lines of each pair say: columns of MATCH, by name."""
        facts = self._facts
        mine, theirs = self._shown_openers[rows], self._parents(columns)
        same = self._same_opener(mine, theirs)
        other = (mine >= 0) & ~same
        bare = facts.inks[columns] == BARE
        same_definition, other_definition = self._definitions(rows, columns)
        widths = np.array(facts.sketch.widths, dtype=int) + facts.offset
        texts, their_texts = self._texts
        return {
            "same blanks": widths[rows] == facts.widths[columns],
            "line above equal too": self._shown_texts[rows] == their_texts[columns],
            # Here a marker may be equal to a line of the file: the weights were fitted with that.
            "line below equal too": texts[rows + 2] == their_texts[columns + 2],
            "same block": same,
            "another block": other,
            "bare, of the same block": bare & same,
            "bare: alikeness of the lines that open the blocks": self._alikeness(
                mine, theirs, bare & other & (theirs >= 0) & ~other_definition
            ),
            "same definition": same_definition,
            "another definition": other_definition,
        }

    def _same_opener(self, mine: Any, theirs: Any) -> Any:
        """Whether the lines that open two blocks, -1 for none, have one text or begin definitions of one name."""
        (texts, their_texts), (heads, their_heads) = self._texts, self._heads
        same_text = texts[mine + 1] == their_texts[theirs + 1]
        return same_text | (heads[mine + 1] == their_heads[theirs + 1])

    def _alikeness(self, mine: Any, theirs: Any, asked: Any) -> Any:
        """How alike the lines that open two blocks are, where that is asked."""
        found = np.zeros(len(asked))
        openers = zip(mine[asked].tolist(), theirs[asked].tolist(), strict=True)
        found[asked] = [self._likeness.alike(i, j) for i, j in openers]
        return found

    def _definitions(self, rows: Any, columns: Any) -> tuple[Any, Any]:
        """Whether the definitions around both lines of each pair have the same names, and whether they have not;
        neither where the sketch shows none."""
        (mine, ours), (theirs, chains) = self._sketch_definitions, self._file_definitions(columns)
        pairs, at = np.unique(mine[rows] * len(chains) + theirs, return_inverse=True)
        same, other = np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
        for k, pair in enumerate(pairs.tolist()):
            names, chain = ours[pair // len(chains)], chains[pair % len(chains)]
            if names:
                same[k] = chain[-len(names) :] == names
                other[k] = not same[k]
        return same[at], other[at]

    @cached_property
    def _sketch_definitions(self) -> tuple[Any, list[tuple[str, ...]]]:
        """[m]: which of these names of definitions stand around each sketch line."""
        return _numbered(self._openers.definitions)

    def _file_definitions(self, columns: Any) -> tuple[Any, list[tuple[str, ...]]]:
        """[columns]: which of these names of definitions stand around each of these file lines."""
        file = self._facts.file
        numbers, chains = _numbered([file.chains[j] for j in columns.tolist()])
        return numbers, [tuple(file.heads[head] for head in chain) for chain in chains]

    @cached_property
    def _texts(self) -> tuple[Any, Any]:
        facts = self._facts
        return _comparable(
            facts.sketch.stripped, dict(zip(facts.sketch.stripped, facts.places, strict=True)), facts.shape[1]
        )

    @cached_property
    def _shown_texts(self) -> Any:
        """Those of the sketch, where markers are equal to nothing."""
        found = self._texts[0].copy()
        found[[i + 1 for i in self._facts.spelled]] = found[0]
        return found

    @cached_property
    def _heads(self) -> tuple[Any, Any]:
        facts = self._facts
        m, n = facts.shape
        return _comparable([facts.sketch.heads.get(i) for i in range(m)], facts.heads, n)

    def _parents(self, columns: Any) -> Any:
        """[columns]: the line that opens the block around each of these file lines, -1 for none."""
        return _or_none([self._facts.file.parents[j] for j in columns.tolist()])

    @cached_property
    def _shown_openers(self) -> Any:
        """[m]: the line of code that opens the block around each sketch line, -1 for none."""
        return _or_none([None if above in self._facts.spelled else above for above in self._openers.rows])


@lru_cache(maxsize=4096)
def _tokens(text: str) -> Counter[str]:
    return Counter(tokens_of(text))


def _ends(pairs: Sequence[tuple[int, int, float]]) -> tuple[Any, Any]:
    """The sketch lines and the file lines of pairs."""
    found = np.array([(i, j) for i, j, _ in pairs], dtype=np.intp).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _or_none(rows: Sequence[int | None]) -> Any:
    """Rows as an array, -1 for none."""
    return np.array([-1 if at is None else at for at in rows], dtype=np.intp)


def _comparable(
    mine: Sequence[str | None], theirs: Mapping[str, Sequence[int]], count: int
) -> tuple[Any, Any]:
    """[m + 2] and [count + 2]: numbers that are equal where the values of a sketch line and a file line are, each at
    the line's index + 1; `theirs` are the file lines of each value. None is equal to nothing, nor are the ends of both,
    so that each line has neighbours."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(mine)) if value is not None}
    found = np.full(count + 2, -1)
    for value, number in numbers.items():
        found[np.array(theirs.get(value, ()), dtype=np.intp) + 1] = number
    return np.array([-2, *(-2 if value is None else numbers[value] for value in mine), -2]), found


def _among(flags: Any, rows: Any, columns: Any) -> tuple[Any, Any]:
    """The pairs whose file lines are told."""
    told = flags[columns]
    return rows[told], columns[told]


def _numbered(values: Sequence[T]) -> tuple[Any, list[T]]:
    """For each value its index in the list of all different ones, and that list."""
    numbers: dict[T, int] = {}
    found = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(found, dtype=np.intp), list(numbers)
