"""Fits what the words of comments tell, which `fastedit.sketch.wording` reads them by."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cached_property

from fastedit.sketch.facts import Facts
from fastedit.sketch.reading import Outline, read_update
from fastedit.sketch.remarks import trailing_comments
from fastedit.sketch.wording import BIAS, Wording, traits, traits_of_removal
from fastedit.source.update import Update, UpdateLine
from fastedit.train.merge.cases import Case, is_remark
from fastedit.train.merge.logistic import Example, logistic

_FOLDS = 6
_OF_FILES = 6_000  # comments
# How much a comment counts that is surely a marker, or one of a file: neither is in question.
_SURE, _OF_A_FILE = 0.1, 0.05


def crossed(cases: Sequence[Case], seed: int = 0) -> list[Case]:
    """The cases, each with words that were fitted without the comments of its author; without those of its package
    where nobody is named."""
    groups = sorted({_group(case) for case in cases})
    random.Random(seed).shuffle(groups)
    fold = {group: at % _FOLDS for at, group in enumerate(groups)}
    comments = [_Comments(case) for case in cases]
    found = [
        _fitted([one for one in comments if fold[_group(one.case)] != at], seed)
        for at in range(min(_FOLDS, len(groups)))
    ]
    return [replace(case, wording=found[fold[_group(case)]]) for case in cases]


def fitted(cases: Sequence[Case], seed: int = 0) -> Wording:
    """The weights of the largest posteriors. The same cases give the same weights."""
    return _fitted([_Comments(case) for case in cases], seed)


def _fitted(found: Sequence[_Comments], seed: int) -> Wording:
    return Wording(
        logistic([*_of_sketches(found), *_of_files([one.case for one in found], seed)], BIAS),
        logistic(list(_of_removals(found)), BIAS),
        logistic([*_of_remarks(found), *_after_code([one.case for one in found], seed)], BIAS),
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


def _of_remarks(found: Iterable[_Comments]) -> Iterator[Example]:
    """Those after code that the text which was meant has the code of without them are wanted. Authors who write remarks
    comment more than others, so the comments of both weigh the same together."""
    by_author = defaultdict[str, list[Example]](list)
    for comments in found:
        new = set(comments.new)
        for one in trailing_comments(comments.update, comments.case.lines):
            told = is_remark(comments.update.texts[one.row], one.comment, new)
            if told is not None:
                by_author[_group(comments.case)].append(Example(traits(one.comment, one.told), told, 1.0))
    mine, others = list[Example](), list[Example]()
    for comments_of_author in by_author.values():
        remarks = sum(one.wanted for one in comments_of_author)
        (mine if 2 * remarks > len(comments_of_author) else others).extend(comments_of_author)
    yield from mine
    yield from (replace(one, weight=max(len(mine) / len(others), 1.0)) for one in others)


def _after_code(cases: Iterable[Case], seed: int) -> Iterator[Example]:
    """Some of those after code that stand in the files."""
    found = set[str]()
    for lines, language in {(case.lines, case.language) for case in cases}:
        shown = Update(tuple(map(UpdateLine, lines)), language)
        found.update(one.comment for one in trailing_comments(shown, ()))
    drawn = random.Random(seed).sample(sorted(found), min(_OF_FILES, len(found)))
    return (Example(traits(text), False, _OF_A_FILE) for text in drawn)


def _of_files(cases: Iterable[Case], seed: int) -> Iterator[Example]:
    """Some of those that stand in the files."""
    found = set[str]()
    for lines, language in {(case.lines, case.language) for case in cases}:
        outline = Outline(lines, language=language)
        found.update(text for row, text in enumerate(outline.stripped) if text and outline.comments(row))
    drawn = random.Random(seed).sample(sorted(found), min(_OF_FILES, len(found)))
    return (Example(traits(text), False, _OF_A_FILE) for text in drawn)
