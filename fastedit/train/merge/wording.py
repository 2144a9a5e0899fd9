"""Fits what the words of comments tell, which `fastedit.sketch.read.wording` reads them by."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import BIAS, Wording, traits, traits_of_remark, traits_of_removal
from fastedit.sketch.remarks import trailing_comments
from fastedit.source.update import Update, UpdateLine
from fastedit.train.changes.real import FilePair
from fastedit.train.merge.cases import Case, is_remark
from fastedit.train.merge.logistic import Example, logistic

_FOLDS = 6
_OF_FILES = 6_000  # comments
# How much a comment counts that is surely a marker, or one of a file: neither is in question.
_SURE, _OF_A_FILE = 0.1, 0.05
# How much a sketch counts of an author whose comments after code speak of the edit, and how much as many others count
# together: who loses a comment that they wrote loses more than who finds a remark in a file.
_REMARKED, _OTHERS = 3.0, 2.0
# Comments that stand in files are taken for those of sketches: so many at once, so often of a file; each counts less.
_AT_ONCE, _OFTEN, _IN_A_FILE = (1, 1, 2, 3), 6, 0.3


def crossed(cases: Sequence[Case], changes: Sequence[FilePair] = (), seed: int = 0) -> list[Case]:
    """The cases, each with words that were fitted without the comments of its author; without those of its package
    where nobody is named."""
    comments = [_Comments(case) for case in cases]
    after_code = [*filter(None, map(_of_sketch, comments)), *_of_changes(changes, seed)]
    groups = sorted({_group(case) for case in cases} | {one.group for one in after_code})
    random.Random(seed).shuffle(groups)
    fold = {group: at % _FOLDS for at, group in enumerate(groups)}
    found = [
        _fitted(
            [one for one in comments if fold[_group(one.case)] != at],
            [one for one in after_code if fold[one.group] != at],
            seed,
        )
        for at in range(min(_FOLDS, len(groups)))
    ]
    return [replace(case, wording=found[fold[_group(case)]]) for case in cases]


def fitted(cases: Sequence[Case], changes: Sequence[FilePair] = (), seed: int = 0) -> Wording:
    """The weights of the largest posteriors. The same cases give the same weights."""
    comments = [_Comments(case) for case in cases]
    after_code = [*filter(None, map(_of_sketch, comments)), *_of_changes(changes, seed)]
    return _fitted(comments, after_code, seed)


def _fitted(found: Sequence[_Comments], after_code: Sequence[_AfterCode], seed: int) -> Wording:
    return Wording(
        logistic([*_of_sketches(found), *_of_files([one.case for one in found], seed)], BIAS),
        logistic(list(_of_removals(found)), BIAS),
        logistic(list(_of_remarks(after_code)), BIAS),
    )


def _group(case: Case) -> str:
    return case.author or case.package


class _Comments:
    """The comments of a case that its file lacks."""

    def __init__(self, case: Case) -> None:
        update = read_update(case.sketch, case.language, case.lines)
        self.facts = facts = Facts(Outline(case.lines, language=case.language), update)
        self.case, self.update = case, update
        self.new = [line.strip() for line in case.new.split("\n")]
        self.rows = [
            i
            for i, text in enumerate(facts.sketch.stripped)
            if text and facts.comment[i] and not facts.places[i]
        ]

    def speaks(self, i: int) -> bool:
        """Whether one speaks of the sketch: the text that was meant has it not."""
        return self.facts.sketch.stripped[i] not in self.new

    def removes(self, i: int) -> bool | None:
        """Whether one says that lines go: a line of the file does that stands by what is shown above or below it. None
        where nothing that is shown there tells."""
        facts = self.facts
        shown = [(self._place(facts.above.get(i)), 1), (self._place(facts.below.get(i)), -1)]
        beside = [self._beside(place, way) for place, way in shown if place is not None]
        return any(row is not None and row not in self._stays for row in beside) if beside else None

    def _place(self, i: int | None) -> int | None:
        """The line of the file that a line of code is, if it is that one alone and stays."""
        if i is None or self.facts.comment[i] or len(self.facts.places[i]) != 1:
            return None
        (place,) = self.facts.places[i]
        return place if place in self._stays else None

    def _beside(self, row: int, way: int) -> int | None:
        """The next line of the file, downwards or upwards, that is not blank."""
        texts = self.facts.file.stripped
        rows = range(row + way, len(texts) if way > 0 else -1, way)
        return next((other for other in rows if texts[other]), None)

    @cached_property
    def _stays(self) -> frozenset[int]:
        """The lines of the file that the text has too."""
        matcher = SequenceMatcher(None, self.facts.file.stripped, self.new, autojunk=False)
        return frozenset(
            row for start, _, size in matcher.get_matching_blocks() for row in range(start, start + size)
        )


def commented(case: Case) -> Iterator[tuple[str, bool]]:
    """What the comments of a case say that speak of the sketch, and whether each is spelled like a marker."""
    found = _Comments(case)
    for i in found.rows:
        spelled = i in found.facts.spelled
        if spelled or found.speaks(i):
            yield found.facts.said(i), spelled


def _of_sketches(found: Iterable[_Comments]) -> Iterator[Example]:
    """Those that speak of the sketch are wanted. What is spelled like a marker tells of its words, once."""
    known = set[str]()
    for comments in found:
        for i in comments.rows:
            said = comments.facts.said(i)
            if i not in comments.facts.spelled:
                yield Example(traits(said, comments.facts.told(i)), comments.speaks(i), 1.0)
            elif said.strip() not in known:
                known.add(said.strip())
                yield Example(traits(said), True, _SURE)


def _of_removals(cases: Iterable[_Comments]) -> Iterator[Example]:
    """Those that say that lines go are wanted, of those that speak of the sketch; each that is spelled like a marker
    once."""
    known = set[str]()
    for comments in cases:
        names = comments.facts.heads
        for i in comments.rows:
            text, spelled = comments.facts.sketch.stripped[i], i in comments.facts.spelled
            removes = comments.removes(i) if comments.speaks(i) and text not in known else None
            if removes is not None:
                found = traits_of_removal(comments.facts.said(i), comments.facts.told(i), names)
                yield Example(found, removes, _SURE if spelled else 1.0)
                if spelled:
                    known.add(text)


class _AfterCode(NamedTuple):
    """The comments after code of one sketch or change, how many of these speak of the edit, and how much it counts."""

    group: str
    comments: tuple[str, ...]
    remarks: int
    weight: float

    @property
    def example(self) -> Example:
        """What comments have of each trait counts together: sketches hardly ever have both."""
        found = Counter[str]()
        for comment in dict.fromkeys(self.comments):
            found.update(traits_of_remark(comment))
        return Example(found, 2 * self.remarks > len(self.comments), self.weight)


def _of_sketch(comments: _Comments) -> _AfterCode | None:
    """Those of which the text that was meant tells whether they speak of the edit, None where there are none: it has
    the code without them."""
    new, case = set(comments.new), comments.case
    told = [
        (one.comment, remark)
        for one in trailing_comments(comments.update, case.lines)
        if (remark := is_remark(comments.update.texts[one.row], one.comment, new)) is not None
    ]
    said = tuple(comment for comment, _ in told)
    return _AfterCode(_group(case), said, sum(remark for _, remark in told), 1.0) if told else None


def _of_changes(changes: Iterable[FilePair], seed: int) -> Iterator[_AfterCode]:
    """Those that came with a change between two releases, and some of those that stand in its file: authors of sketches
    write few comments of the code."""
    rng = random.Random(seed)
    for pair in changes:
        old, new = (text.split("\n") for text in (pair.old, pair.new))
        shown = Update(tuple(map(UpdateLine, new)), pair.language)
        if came := tuple(one.comment for one in trailing_comments(shown, old)):
            yield _AfterCode(pair.package, came, 0, 1.0)
        standing = sorted({one.comment for one in trailing_comments(shown, ())})
        rng.shuffle(standing)
        for _ in range(_OFTEN):
            many = rng.choice(_AT_ONCE)
            drawn, standing = standing[:many], standing[many:]
            if drawn:
                yield _AfterCode(pair.package, tuple(drawn), 0, _IN_A_FILE)


def _of_remarks(found: Sequence[_AfterCode]) -> Iterator[Example]:
    """Those of authors most of whose comments speak of the edit, and of all others."""
    comments, remarks = Counter[str](), Counter[str]()
    for one in found:
        comments[one.group] += len(one.comments)
        remarks[one.group] += one.remarks
    mine, others = list[Example](), list[Example]()
    for one in found:
        (mine if 2 * remarks[one.group] > comments[one.group] else others).append(one.example)
    each = _REMARKED * _OTHERS * len(mine) / max(sum(one.weight for one in others), 1.0)
    yield from (replace(one, weight=_REMARKED) for one in mine)
    yield from (replace(one, weight=each * one.weight) for one in others)


def _of_files(cases: Iterable[Case], seed: int) -> Iterator[Example]:
    """Some of those that stand in the files."""
    found = set[str]()
    for lines, language in {(case.lines, case.language) for case in cases}:
        outline = Outline(lines, language=language)
        found.update(text for row, text in enumerate(outline.stripped) if text and outline.comments(row))
    drawn = random.Random(seed).sample(sorted(found), min(_OF_FILES, len(found)))
    return (Example(traits(text), False, _OF_A_FILE) for text in drawn)
