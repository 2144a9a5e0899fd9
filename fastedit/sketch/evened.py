"""Texts that the lines of a path hardly tell apart share their posteriors. Each kind of `rivals` names some."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from math import exp, log, prod

from fastedit.sketch.align import Alignment
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.paths.lattice import PathStep
from fastedit.sketch.rivals.base import idle_markers
from fastedit.sketch.rivals.kinds import BY_LINES, EVEN
from fastedit.sketch.rivals.notes import notes_in
from fastedit.sketch.rivals.replaced import goes_for_another
from fastedit.sketch.rivals.versions import VERSIONS, passes_comments

_LEAST = 1e-4  # posterior of one of several that share theirs


def evened(alignment: Alignment, candidates: Sequence[TextCandidate]) -> list[TextCandidate]:
    """The candidates, those that differ in what the lines of a path hardly tell with an even share of their
    posteriors: whether an entry is a further one or takes the place of a sibling, which is alike, whether
    imports go above what heads the file, and which of several definitions of a name is meant."""
    found = {alignment.identity(one.path): one for one in candidates}
    pools = {text: {text} for text in found}
    past_comments = set[int]()
    for at, (text, one) in enumerate(list(found.items())):
        laid = alignment.laid(one.path)
        others: dict[int, Sequence[PathStep]] = {}
        for kind in BY_LINES:
            for path in () if at and kind.of_best else kind.others(laid, alignment.relaid):
                if path is None:
                    continue
                other = alignment.identity(path)
                others.setdefault(other, path)
                if kind is VERSIONS and passes_comments(alignment.file, path):
                    past_comments.add(other)
        if not at:
            new = {other: path for other, path in others.items() if other not in found}
            for other, candidate in zip(new, alignment.candidates(list(new.values())), strict=True):
                if not candidate.posterior or (one.rare and alignment.opened.by(candidate.path)):
                    continue
                posterior = min(candidate.posterior * exp(one.rare), 1.0)
                found[other] = replace(candidate, posterior=posterior, rare=one.rare)
                pools[other] = {other}
        for other in filter(found.__contains__, others):
            pool = pools[text] | pools[other]
            pools |= dict.fromkeys(pool, pool)
    parting = {
        text for text in found if len(pools[text]) > 1 and goes_for_another(alignment.laid(found[text].path))
    }
    for past in past_comments & found.keys():
        # That it is unlikely to leave out a comment tells nothing.
        if _lead(found[past], [found[other].posterior for other in pools[past]]) < 0:
            parting |= pools[past]
    shared = [
        one
        if len(pools[text]) == 1
        else _even(
            one, [found[other].posterior for other in pools[text]], text in parting, pools[text] & parting
        )
        for text, one in found.items()
    ]
    return with_other_places(alignment, shared)


def with_other_places(alignment: Alignment, candidates: list[TextCandidate]) -> list[TextCandidate]:
    """The candidates, the one that changes nothing with an even share among those that change another place
    instead, one that has a line twice with the one in which it moves, one that puts a heading below another with
    the one in which it comes in its place, and the first, if lines stay in it where the sketch says nothing else,
    with the one in which they go: that the lines of one are likelier tells nothing. Of one without the comments
    above new code and the one that has them their words tell alone."""
    candidates = _with_headings(alignment, candidates) if alignment.leading else candidates
    for one in candidates:
        laid = alignment.laid(one.path)
        kinds = (kind for kind in EVEN if one is candidates[0] or not kind.of_best)
        others = [path for kind in kinds for path in kind.others(laid, alignment.relaid)]
        paths = {alignment.identity(path): path for path in others if path is not None}
        if not paths:
            continue
        known = {alignment.identity(other.path): other for other in candidates}
        new = [path for text, path in paths.items() if text not in known]
        pool = [one, *(known[text] for text in paths if text in known), *alignment.candidates(new)]
        share = sum(each.posterior for each in pool) / len(pool)
        even = {id(each): replace(each, posterior=share, lead=0.0, rare=one.rare) for each in pool}
        mine = [even.pop(id(each), each) for each in candidates]
        return [*mine, *even.values()]
    return candidates


def _with_headings(alignment: Alignment, candidates: Sequence[TextCandidate]) -> list[TextCandidate]:
    """The candidates, those that leave comments above new code out with the share that the words of these give
    them, and what has these comments with the rest."""
    leading = alignment.leading
    found = {alignment.identity(one.path): one for one in candidates}
    for text, one in list(found.items()):
        idle = (leading - alignment.headings).intersection(idle_markers(alignment.file, one.path))
        notes = leading.intersection(notes_in(one.path))
        if not (idle or notes):
            continue
        path = alignment.relaid.with_new(sorted(idle | notes), ())
        if path is None:
            continue
        other = alignment.identity(path)
        written = found.get(other) or alignment.candidate(path)
        both = one.posterior + written.posterior
        odds = (*(alignment.of_edit[row] for row in idle), *(alignment.says[row] for row in notes))
        share = min(one.posterior, both * prod(1.0 / (1.0 + exp(-each)) for each in odds))
        found[text] = replace(one, posterior=share, lead=0.0)
        found[other] = replace(written, posterior=both - share, lead=0.0, rare=one.rare)
    return list(found.values())


def _even(
    candidate: TextCandidate, posteriors: Sequence[float], parting: bool, others: Set[int]
) -> TextCandidate:
    """The candidate with the mean of these posteriors, of which one is its own. That a block has some lines of another
    makes it little likelier to be meant in its place: `parting` tells whether one is in this text, `others` are the
    texts in which one is."""
    lead = _lead(candidate, posteriors)
    parts = parting or (bool(others) and lead < 0)
    return replace(candidate, posterior=sum(posteriors) / len(posteriors), lead=lead, parting=parts)


def _lead(candidate: TextCandidate, posteriors: Sequence[float]) -> float:
    """The logarithm of how much likelier a text's own lines are than those of the texts with these posteriors, of which
    one is its own."""
    logs = [log(max(one, _LEAST)) for one in posteriors]
    return log(max(candidate.posterior, _LEAST)) - sum(logs) / len(logs)
