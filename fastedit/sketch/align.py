"""A sketch laid onto a file: the likeliest text, how likely it is, and what else it may mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import exp, log, prod
from typing import Any

import numpy as np

from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.features.reader import FeatureReader
from fastedit.sketch.paths.fitted import fitted
from fastedit.sketch.paths.lattice import (
    NEVER,
    Best,
    Lattice,
    Layer,
    PathStep,
    Scores,
    Sums,
    squeezed,
)
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.paths.walks import Edge, Walks, likeliest, sampler, steps_of, trace
from fastedit.sketch.paths.weights import APART, MATCH, Features, SketchWeights, scores
from fastedit.sketch.read.reading import BLANK, Outline
from fastedit.sketch.read.wording import Wording
from fastedit.sketch.rivals.base import Laid, idle_markers
from fastedit.sketch.rivals.kinds import BY_LINES, EVEN
from fastedit.sketch.rivals.notes import notes_in
from fastedit.sketch.rivals.paired import Opened, even_tilt
from fastedit.sketch.rivals.replaced import goes_for_another
from fastedit.sketch.rivals.versions import VERSIONS, passes_comments
from fastedit.sketch.text.merge import Writer
from fastedit.sketch.text.writings import Flags, LineChange, StepFlags, said, steps_that_write
from fastedit.source.update import Update

SAMPLES = 64  # paths, fewer where many of them write another text than the best one
_SAMPLES_FOR_ANOTHER = 6
_SUMMED = 6  # ways to write a text whose posteriors are worth a lattice each
_AT_ONCE = 200_000  # pairs of lines in as many lattices as run at once
_LONG = 400  # lines of a file
_LEAST = 1e-4  # posterior of one of several that share theirs
_RAREST = (
    16.0  # texts among which others have their posteriors, as in `TextCandidate.rare`: beyond, none counts
)


Telling = tuple[LineChange, ...]


@dataclass(slots=True)
class _Told:
    """A path that writes a text in one way, and how often that way was sampled."""

    path: Sequence[PathStep]
    often: int = 0


@cache
def shipped() -> SketchWeights:
    """The weights that were fitted."""
    return SketchWeights(fitted()["weights"], Wording(**fitted()["words"]))


class Alignment:
    """All ways to lay a sketch onto a file."""

    def __init__(
        self, lines: Sequence[str], update: Update, weights: SketchWeights | None = None, long: int = _LONG
    ) -> None:
        """Of more than `long` lines most places are left out."""
        self.file = Outline(lines, language=update.language)
        weights = weights or shipped()
        reader = FeatureReader(self.file, update, weights.wording)
        self.sketch = reader.sketch
        told = reader.comments
        self.removing, self.says, self.abbreviating = told.telling, told.says, told.abbreviating
        self.headings, self.leading, self.of_edit = told.headings, told.leading, told.of_edit
        self._places = reader.telling_places() if len(lines) > long else None
        self.features: Features = reader.features(self._places)
        self._writer = Writer(self.file, self.sketch)
        given = replace(scores(self.features, weights), blank=self.file.inks == BLANK)
        self._scores = given if self._places is None else squeezed(given, self._places)
        self.relaid = Relaid(given, self._places)
        self._sums = Lattice(self._scores, Sums())

    def best(self) -> TextCandidate:
        """The text of the likeliest path."""
        found = self.candidate(self.relaid.spread(trace(Lattice(self._scores, Best()), likeliest)))
        return replace(found, only_blanks=_differ_in_blanks(found.text.lines, self.file.texts))

    def readings(self, best: TextCandidate, most: int = 3, samples: int = SAMPLES) -> list[TextCandidate]:
        """The best text and up to `most` texts of so many sampled paths, the likeliest first behind it."""
        mine, *rivals = self._sampled(best, samples)
        posterior, *others = self._shares([mine, *rivals], 1.0, best)
        first, *rest = self.evened(
            [
                replace(best, posterior=posterior),
                *(self._text(tellings, share) for tellings, share in zip(rivals, others, strict=True)),
            ]
        )
        ranked = sorted(rest, key=lambda candidate: -candidate.posterior)
        return [first, *ranked[:most]]

    def in_blanks(self, best: TextCandidate, most: int, samples: int) -> list[TextCandidate]:
        """The best text and up to `most` others of so many sampled paths, the likeliest first, blank lines and all,
        which other posteriors leave aside: each has the share of the paths that write it."""
        walks = Walks(self._sums, sampler())
        often = Counter[tuple[str, ...]]()
        paths: dict[tuple[str, ...], list[PathStep]] = {}
        for _ in range(samples):
            path = self.relaid.spread(steps_of(walks.walk()))
            lines = self._writer.write(path).lines
            paths.setdefault(lines, path)
            often[lines] += 1
        first = replace(best, posterior=often.pop(best.text.lines, 0) / samples)
        return [
            first,
            *(self._text([_Told(paths[lines])], count / samples) for lines, count in often.most_common(most)),
        ]

    def _text(self, tellings: Sequence[_Told], posterior: float) -> TextCandidate:
        path = tuple(tellings[0].path)
        return self._written(path, posterior)

    def _written(self, path: tuple[PathStep, ...], posterior: float) -> TextCandidate:
        return TextCandidate(self._writer.write(path), posterior, path, named_gone=self.named_gone)

    @cached_property
    def named_gone(self) -> frozenset[int]:
        """The lines of the file that comments of the sketch say by name are gone."""
        return frozenset(np.nonzero(self.features.goes)[0].tolist())

    @cached_property
    def apart(self) -> frozenset[tuple[int, int]]:
        """The lines of sketch and file that may be one, though the file's is in another block than the one shown."""
        rows, columns = self.features.pairs
        told = self.features.match[:, [MATCH.index(name) for name in APART]].any(axis=1)
        return frozenset(zip(rows[told].tolist(), columns[told].tolist(), strict=True))

    @cached_property
    def naming(self) -> frozenset[int]:
        """These comments."""
        return frozenset(np.nonzero(self.features.named)[0].tolist())

    def _shares(self, texts: Sequence[Sequence[_Told]], whole: float, best: TextCandidate) -> list[float]:
        """The posteriors of sampled texts among all whose posteriors come to `whole`. The likeliest ways to write them
        are summed exactly; what these leave is shared by how often the others were sampled, and one share is kept for
        what was not."""
        told = sorted((one for tellings in texts for one in tellings), key=lambda one: -one.often)
        likeliest = told[:_SUMMED]  # the best path's among them, which counts as the most frequent
        asked = [one for one in likeliest if one.path is not best.path]
        exact = {
            id(one): candidate.posterior
            for one, candidate in zip(asked, self._candidates([one.path for one in asked]), strict=True)
        }
        exact |= {id(one): best.posterior for one in likeliest if one.path is best.path}
        summed = sum(exact.values())
        share = max(whole - summed, 0.0) / (1 + sum(one.often for one in told[_SUMMED:]))
        every = max(summed, whole)
        return [sum(exact.get(id(one), share * one.often) for one in tellings) / every for tellings in texts]

    def evened(self, candidates: Sequence[TextCandidate]) -> list[TextCandidate]:
        """The candidates, those that differ in what the lines of a path hardly tell with an even share of their
        posteriors: whether an entry is a further one or takes the place of a sibling, which is alike, whether
        imports go above what heads the file, and which of several definitions of a name is meant."""
        found = {self._writer.identity(one.path): one for one in candidates}
        pools = {text: {text} for text in found}
        past_comments = set[int]()
        for at, (text, one) in enumerate(list(found.items())):
            laid = self._laid(one.path)
            others: dict[int, Sequence[PathStep]] = {}
            for kind in BY_LINES:
                for path in () if at and kind.of_best else kind.others(laid, self.relaid):
                    if path is None:
                        continue
                    other = self._writer.identity(path)
                    others.setdefault(other, path)
                    if kind is VERSIONS and passes_comments(self.file, path):
                        past_comments.add(other)
            if not at:
                new = {other: path for other, path in others.items() if other not in found}
                for other, candidate in zip(new, self._candidates(list(new.values())), strict=True):
                    if not candidate.posterior or (one.rare and self.opened_by(candidate)):
                        continue
                    posterior = min(candidate.posterior * exp(one.rare), 1.0)
                    found[other] = replace(candidate, posterior=posterior, rare=one.rare)
                    pools[other] = {other}
            for other in filter(found.__contains__, others):
                pool = pools[text] | pools[other]
                pools |= dict.fromkeys(pool, pool)
        parting = {
            text for text in found if len(pools[text]) > 1 and goes_for_another(self._laid(found[text].path))
        }
        for past in past_comments & found.keys():
            # That it is unlikely to leave out a comment tells nothing.
            if _lead(found[past], [found[other].posterior for other in pools[past]]) < 0:
                parting |= pools[past]
        evened = [
            one
            if len(pools[text]) == 1
            else _even(
                one, [found[other].posterior for other in pools[text]], text in parting, pools[text] & parting
            )
            for text, one in found.items()
        ]
        return self.with_other_places(evened)

    def with_other_places(self, candidates: list[TextCandidate]) -> list[TextCandidate]:
        """The candidates, the one that changes nothing with an even share among those that change another place
        instead, one that has a line twice with the one in which it moves, one that puts a heading below another with
        the one in which it comes in its place, and the first, if lines stay in it where the sketch says nothing else,
        with the one in which they go: that the lines of one are likelier tells nothing. Of one without the comments
        above new code and the one that has them their words tell alone."""
        candidates = self._with_headings(candidates) if self.leading else candidates
        for one in candidates:
            laid = self._laid(one.path)
            kinds = (kind for kind in EVEN if one is candidates[0] or not kind.of_best)
            others = [path for kind in kinds for path in kind.others(laid, self.relaid)]
            paths = {self._writer.identity(path): path for path in others if path is not None}
            if not paths:
                continue
            known = {self._writer.identity(other.path): other for other in candidates}
            new = [path for text, path in paths.items() if text not in known]
            pool = [one, *(known[text] for text in paths if text in known), *self._candidates(new)]
            share = sum(each.posterior for each in pool) / len(pool)
            even = {id(each): replace(each, posterior=share, lead=0.0, rare=one.rare) for each in pool}
            mine = [even.pop(id(each), each) for each in candidates]
            return [*mine, *even.values()]
        return candidates

    def _with_headings(self, candidates: Sequence[TextCandidate]) -> list[TextCandidate]:
        """The candidates, those that leave comments above new code out with the share that the words of these give
        them, and what has these comments with the rest."""
        found = {self._writer.identity(one.path): one for one in candidates}
        for text, one in list(found.items()):
            idle = (self.leading - self.headings).intersection(idle_markers(self.file, one.path))
            notes = self.leading.intersection(notes_in(one.path))
            if not (idle or notes):
                continue
            path = self.relaid.with_new(sorted(idle | notes), ())
            if path is None:
                continue
            other = self._writer.identity(path)
            written = found.get(other) or self._candidates([path])[0]
            both = one.posterior + written.posterior
            odds = (*(self.of_edit[row] for row in idle), *(self.says[row] for row in notes))
            share = min(one.posterior, both * prod(1.0 / (1.0 + exp(-each)) for each in odds))
            found[text] = replace(one, posterior=share, lead=0.0)
            found[other] = replace(written, posterior=both - share, lead=0.0, rare=one.rare)
        return list(found.values())

    def _laid(self, path: Sequence[PathStep]) -> Laid:
        return Laid(self.file, self.sketch, path, self.leading)

    def paired(self, best: TextCandidate, most: int, samples: int) -> list[TextCandidate]:
        """Up to `most` texts of so many sampled paths that leave as many brackets open as the file does, the likeliest
        first, where the best text does not: none where it does too, or where such texts are too rare. Their posteriors
        are those among all such texts."""
        opened, by = self._opened, self.opened_by(best)
        if not by:
            return []
        within = opened if self._places is None else opened.squeezed(self._places)

        def tilted(tilt: float) -> Lattice:
            return Lattice(within.tilted(self._scores, tilt), Sums())

        lattice = tilted(even_tilt(by > 0, lambda tilt: float(tilted(tilt).total)))
        walks = Walks(lattice, sampler())
        found: dict[int, dict[Telling, _Told]] = {}
        even = 0
        for walk, often in Counter(walks.walk() for _ in range(samples)).items():
            path = self.relaid.spread(steps_of(walk))
            if not opened.by(path):
                tellings = found.setdefault(self._writer.identity(path), {})
                tellings.setdefault(self._telling(path), _Told(path)).often += often
                even += often
        if not even:
            return []
        rare = float(self._sums.total) - float(lattice.total) - log(even / samples)
        if rare > _RAREST:
            return []
        texts = [list(tellings.values()) for tellings in found.values()]
        shared = zip(texts, self._shares(texts, exp(-rare), best), strict=True)
        likeliest = sorted(shared, key=lambda text: -text[1])[:most]
        rare = max(rare, 0.0)
        return self.evened([replace(self._text(tellings, share), rare=rare) for tellings, share in likeliest])

    def opened_by(self, candidate: TextCandidate) -> int:
        """How many more brackets than the file a text leaves open."""
        return self._opened.by(candidate.path)

    @cached_property
    def _opened(self) -> Opened:
        return Opened.of(self.file, self.sketch, self._said)

    def otherwise(self, keeping: Iterable[tuple[int, str]], dropping: Iterable[int]) -> TextCandidate | None:
        """The likeliest text that keeps these lines of the file, or changed versions of them with the word beside each,
        and that has these others not as they are unless the sketch shows them. None where no path does."""
        kept = ((row, [word not in text for text in self.sketch.texts]) for row, word in keeping)
        path = self.relaid.keeping(kept, dropping)
        return None if path is None else self.candidate(path)

    def _sampled(self, best: TextCandidate, samples: int) -> list[list[_Told]]:
        """For each text of sampled paths, the best one's first, the ways in which it was told."""
        walks = Walks(self._sums, sampler())
        mine = {self._telling(best.path): _Told(best.path, samples)}
        found = {self._writer.identity(best.path): mine}
        settled: dict[tuple[PathStep, ...], tuple[dict[Telling, _Told], _Told]] = {}
        walked: dict[tuple[Edge, ...], tuple[dict[Telling, _Told], _Told]] = {}
        others = 0
        for _ in range(samples):
            # The surer a text, the more samples before another one comes.
            if others >= samples // _SAMPLES_FOR_ANOTHER:
                break
            walk = walks.walk()
            if walk not in walked:
                path = steps_of(walk)
                decisions = _decisions(path)
                if decisions not in settled:
                    whole = self.relaid.spread(path)
                    tellings = found.setdefault(self._writer.identity(whole), {})
                    settled[decisions] = tellings, tellings.setdefault(self._telling(whole), _Told(whole))
                walked[walk] = settled[decisions]
            tellings, one = walked[walk]
            one.often += 1
            others += tellings is not mine
        return [list(tellings.values()) for tellings in found.values()]

    def _telling(self, path: Sequence[PathStep]) -> Telling:
        """Which inked lines of the file a path keeps: two tellings of a text share no path."""
        return tuple(self._changes(path))

    def candidate(self, path: Sequence[PathStep]) -> TextCandidate:
        """The text of a path."""
        return self._candidates([path])[0]

    def _candidates(self, paths: Sequence[Sequence[PathStep]]) -> list[TextCandidate]:
        """The texts of these paths. Their lattices run as one, but for long ones."""
        told = [self._written(tuple(path), 1.0) for path in paths]
        at_once = max(_AT_ONCE // self._scores.match.size, 1)
        totals: list[float] = []
        for first in range(0, len(told), at_once):
            steps = [self.steps(one) for one in told[first : first + at_once]]
            held = self._held_to(steps)
            totals += Lattice(held, Sums(len(steps))).total.tolist()
        every = float(self._sums.total)
        return [
            replace(one, posterior=min(1.0, exp(total - every)))
            for one, total in zip(told, totals, strict=True)
        ]

    def steps(self, candidate: TextCandidate) -> StepFlags:
        """The steps that write this text as its path tells it, blank lines aside."""
        text, features = candidate.text, self.features
        moved, moving = np.zeros(len(self.file.texts), dtype=bool), features.enclosed.copy()
        moved[list(text.moved)] = True
        moving[list(text.moving)] = list(text.moving.values())
        inked = list(filter(None, map(str.strip, candidate.text.laid)))
        changes = list(self._changes(candidate.path))
        return steps_that_write(inked, changes, self.file, self.sketch, features, self._said, moved, moving)

    @cached_property
    def _said(self) -> Flags:
        return said(self._writer, self.features)

    def _held_to(self, texts: Sequence[StepFlags]) -> Scores:
        """The scores with all other steps ruled out, a case for each of these texts."""
        given = self._scores
        if self._places is not None:
            texts = [steps.squeezed(self._places) for steps in texts]

        def held(scores: Any, flags: Iterable[Flags]) -> Any:
            return np.stack([np.where(may, scores, NEVER) for may in flags], axis=-2)

        silent = [steps.silent[:, None] for steps in texts]
        return replace(
            given,
            match=held(given.match, (steps.match for steps in texts)),
            new=held(given.new, (steps.new for steps in texts)),
            mark=held(given.mark[:, None], silent),
            note=held(given.note[:, None], silent),
            gone=held(given.gone, (steps.gone for steps in texts)),
            keep=held(given.keep, (steps.keep for steps in texts)),
            stay=held(given.stay, (steps.stay for steps in texts)),
        )

    def _changes(self, path: Sequence[PathStep]) -> Iterator[LineChange]:
        """What a path changes of the file's lines with ink."""
        sketch = self.sketch
        start = at = first = last = 0
        for step in path:
            inked = self._ink_above[step.lines.stop] - self._ink_above[step.lines.start] if step.lines else 0
            stays = step.layer in (Layer.KEEP, Layer.LEAP) or (
                step.layer is Layer.MATCH and self._writer.stays(step.sketch, step.lines.start)
            )
            if stays and inked:
                if at > start or last > first:
                    yield LineChange(start, at, first, last)
                last += inked
                at += inked
                start, first = at, last
                continue
            at += inked
            if (
                step.layer in (Layer.NEW, Layer.MATCH)
                and step.sketch is not None
                and sketch.ink[step.sketch] != BLANK
            ):
                last += 1
        if at > start or last > first:
            yield LineChange(start, at, first, last)

    @cached_property
    def _ink_above(self) -> list[int]:
        """By place between lines of the file: how many lines above it hold ink."""
        return [0, *np.cumsum(self.file.inks != BLANK).tolist()]


def _differ_in_blanks(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether texts differ, and in nothing but blank lines."""
    return one != other and list(filter(str.strip, one)) == list(filter(str.strip, other))


def _even(
    candidate: TextCandidate, posteriors: Sequence[float], parting: bool, others: Set[int]
) -> TextCandidate:
    """The candidate with the mean of these posteriors, of which one is its own. That a block has some lines of another
    does not make it likelier to be meant in its place: `parting` tells whether one is in this text, `others` are the
    texts in which one is."""
    lead = _lead(candidate, posteriors)
    if parting or (others and lead < 0):
        lead = 0.0
    return replace(candidate, posterior=sum(posteriors) / len(posteriors), lead=lead)


def _lead(candidate: TextCandidate, posteriors: Sequence[float]) -> float:
    """The logarithm of how much likelier a text's own lines are than those of the texts with these posteriors, of which
    one is its own."""
    logs = [log(max(one, _LEAST)) for one in posteriors]
    return log(max(candidate.posterior, _LEAST)) - sum(logs) / len(logs)


def _decisions(path: Sequence[PathStep]) -> tuple[PathStep, ...]:
    """The steps of a path that settle its text: what stays by itself follows from the others, but for where the lines
    that a marker moves in end."""
    after = [*path[1:], None]
    return tuple(
        step
        for step, then in zip(path, after, strict=True)
        if step.layer not in (Layer.KEEP, Layer.LEAP)
        or (step.layer is Layer.KEEP and then is not None and then.layer is Layer.LEAP)
    )


def lay(lines: Sequence[str], update: Update) -> TextCandidate:
    """The likeliest text that a sketch means for these lines."""
    return Alignment(lines, update).best()
