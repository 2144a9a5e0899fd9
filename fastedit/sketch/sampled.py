"""What else a sketch may mean: the texts of sampled paths, and the posterior of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from fastedit.sketch.align import Alignment
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.evened import evened
from fastedit.sketch.paths.lattice import Lattice, Layer, PathStep, Sums
from fastedit.sketch.paths.walks import Edge, Walks, sampler, steps_of
from fastedit.sketch.rivals.paired import even_tilt
from fastedit.sketch.text.writings import LineChange

SAMPLES = 64  # paths, fewer where many of them write another text than the best one
_SAMPLES_FOR_ANOTHER = 6
_SUMMED = 6  # ways to write a text whose posteriors are worth a lattice each
_RAREST = (
    16.0  # texts among which others have their posteriors, as in `TextCandidate.rare`: beyond, none counts
)

Telling = tuple[LineChange, ...]


@dataclass(slots=True)
class _Told:
    """A path that writes a text in one way, and how often that way was sampled."""

    path: Sequence[PathStep]
    often: int = 0


def likely_texts(
    alignment: Alignment, best: TextCandidate, most: int = 3, samples: int = SAMPLES
) -> list[TextCandidate]:
    """The best text and up to `most` texts of so many sampled paths, the likeliest first behind it."""
    mine, *rivals = _sampled(alignment, best, samples)
    posterior, *others = _shares(alignment, [mine, *rivals], 1.0, best)
    likely = (_candidate(alignment, tellings, share) for tellings, share in zip(rivals, others, strict=True))
    first, *rest = evened(alignment, [replace(best, posterior=posterior), *likely])
    ranked = sorted(rest, key=lambda candidate: -candidate.posterior)
    return [first, *ranked[:most]]


def texts_in_blanks(
    alignment: Alignment, best: TextCandidate, most: int, samples: int
) -> list[TextCandidate]:
    """The best text and up to `most` others of so many sampled paths, the likeliest first, blank lines and all,
    which other posteriors leave aside: each has the share of the paths that write it."""
    walks = Walks(alignment.sums, sampler())
    often = Counter[tuple[str, ...]]()
    found: dict[tuple[str, ...], TextCandidate] = {}
    for _ in range(samples):
        candidate = alignment.written(alignment.relaid.spread(steps_of(walks.walk())), 0.0)
        found.setdefault(candidate.text.lines, candidate)
        often[candidate.text.lines] += 1
    first = replace(best, posterior=often.pop(best.text.lines, 0) / samples)
    return [
        first,
        *(replace(found[lines], posterior=count / samples) for lines, count in often.most_common(most)),
    ]


def paired_texts(alignment: Alignment, best: TextCandidate, most: int, samples: int) -> list[TextCandidate]:
    """Up to `most` texts of so many sampled paths that leave as many brackets open as the file does, the likeliest
    first, where the best text does not: none where it does too, or where such texts are too rare. Their posteriors
    are those among all such texts."""
    opened, by = alignment.opened, alignment.opened.by(best.path)
    if not by:
        return []
    within = opened if alignment.places is None else opened.squeezed(alignment.places)

    def tilted(tilt: float) -> Lattice:
        return Lattice(within.tilted(alignment.scores, tilt), Sums())

    lattice = tilted(even_tilt(by > 0, lambda tilt: float(tilted(tilt).total)))
    walks = Walks(lattice, sampler())
    found: dict[int, dict[Telling, _Told]] = {}
    even = 0
    for walk, often in Counter(walks.walk() for _ in range(samples)).items():
        path = alignment.relaid.spread(steps_of(walk))
        if not opened.by(path):
            tellings = found.setdefault(alignment.identity(path), {})
            tellings.setdefault(_telling(alignment, path), _Told(path)).often += often
            even += often
    if not even:
        return []
    rare = float(alignment.sums.total) - float(lattice.total) - log(even / samples)
    if rare > _RAREST:
        return []
    texts = [list(tellings.values()) for tellings in found.values()]
    shared = zip(texts, _shares(alignment, texts, exp(-rare), best), strict=True)
    likeliest = sorted(shared, key=lambda text: -text[1])[:most]
    rare = max(rare, 0.0)
    return evened(
        alignment,
        [replace(_candidate(alignment, tellings, share), rare=rare) for tellings, share in likeliest],
    )


def _sampled(alignment: Alignment, best: TextCandidate, samples: int) -> list[list[_Told]]:
    """For each text of sampled paths, the best one's first, the ways in which it was told."""
    walks = Walks(alignment.sums, sampler())
    mine = {_telling(alignment, best.path): _Told(best.path, samples)}
    found = {alignment.identity(best.path): mine}
    settled: dict[tuple[PathStep, ...], tuple[Mapping[Telling, _Told], _Told]] = {}
    walked: dict[tuple[Edge, ...], tuple[Mapping[Telling, _Told], _Told]] = {}
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
                whole = alignment.relaid.spread(path)
                tellings = found.setdefault(alignment.identity(whole), {})
                told = tellings.setdefault(_telling(alignment, whole), _Told(whole))
                settled[decisions] = tellings, told
            walked[walk] = settled[decisions]
        of_text, one = walked[walk]
        one.often += 1
        others += of_text is not mine
    return [list(tellings.values()) for tellings in found.values()]


def _shares(
    alignment: Alignment, texts: Sequence[Sequence[_Told]], whole: float, best: TextCandidate
) -> list[float]:
    """The posteriors of sampled texts among all whose posteriors come to `whole`. The likeliest ways to write them
    are summed exactly; what these leave is shared by how often the others were sampled, and one share is kept for
    what was not."""
    told = sorted((one for tellings in texts for one in tellings), key=lambda one: -one.often)
    likeliest = told[:_SUMMED]  # the best path's among them, which counts as the most frequent
    asked = [one for one in likeliest if one.path is not best.path]
    exact = {
        id(one): candidate.posterior
        for one, candidate in zip(asked, alignment.candidates([one.path for one in asked]), strict=True)
    }
    exact |= {id(one): best.posterior for one in likeliest if one.path is best.path}
    summed = sum(exact.values())
    share = max(whole - summed, 0.0) / (1 + sum(one.often for one in told[_SUMMED:]))
    every = max(summed, whole)
    return [sum(exact.get(id(one), share * one.often) for one in tellings) / every for tellings in texts]


def _candidate(alignment: Alignment, tellings: Sequence[_Told], posterior: float) -> TextCandidate:
    return alignment.written(tellings[0].path, posterior)


def _telling(alignment: Alignment, path: Sequence[PathStep]) -> Telling:
    """Which inked lines of the file a path keeps: two tellings of a text share no path."""
    return tuple(alignment.changes(path))


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
