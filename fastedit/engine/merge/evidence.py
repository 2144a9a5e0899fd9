"""What the texts that an update may mean tell of which of them is meant, beyond the path that writes each.

The alignment's posterior and the signs of each text (what the checks object to, names that lose their first line,
imports that nothing uses any more ...) make one log-linear model, whose weights are fitted on the training cases
(`python -m fastedit.train merge`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import exp, log
from typing import Final

from fastedit.check import Objection, Rule
from fastedit.sketch.align import Alignment
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.evened import with_other_places
from fastedit.sketch.paths.fitted import fitted
from fastedit.sketch.rivals import kinds
from fastedit.sketch.sampled import SAMPLES, likely_texts, paired_texts, texts_in_blanks
from fastedit.sketch.signs.apart import TORN_APART
from fastedit.sketch.signs.imports import GOES_WITH_USES
from fastedit.sketch.signs.signs import OF_TEXTS, Signs

POSTERIOR: Final = "posterior"
ANOTHER: Final = "another text"  # than those that were looked at
LEAD: Final = "likelier by its lines than what may be meant instead"
LEAD_OF_PARTING: Final = f"{LEAD}, where a block goes for another"
_OBJECTION: Final = "objection: "
LEAST: Final = 1e-7  # posterior
# However sure the alignment is, its features may not know what tells the text that is meant.
LEAST_OF_ANOTHER: Final = 0.01

_LOOKED_AT, _LOOKED_AT_IF_BROKEN, _SAMPLES_IF_BROKEN = 6, 12, 400
_CORRECTED = 3  # times

# Set by hand, and left so by the fit: few training sketches show these, or none, and most that do mean such a text. But
# code that it loses by mistake is missed too late, so that it is offered and hardly delivered.
BY_HAND: Final = {
    name: sign.weight for name, sign in (kinds.SIGNS | OF_TEXTS).items() if sign.weight is not None
}
# They tell between texts, and nothing of another one where all have them: what each speaks for is looked at, but for
# the line that no text has where all that is shown together is found apart.
_BETWEEN: Final = BY_HAND.keys() - {TORN_APART.name}

Evidence = dict[str, float]  # by sign, how often it is met with


def _fitted() -> dict[str, float]:
    found: dict[str, float] = fitted()["evidence"]
    return found | BY_HAND


def looked_at(
    alignment: Alignment, best: TextCandidate, objected: Callable[[TextCandidate], Sequence[Objection]]
) -> list[TextCandidate]:
    """The texts to choose from. Where the most likely one is broken, so that it cannot be meant, there are more of
    them: only such as have their brackets in pairs, where it has not, and those that do what objections ask for.
    `objected` tells what the checks say against a text; lines are the alignment's."""
    if best.only_blanks:
        return texts_in_blanks(alignment, best, _LOOKED_AT, SAMPLES)
    if not any(one.rule.is_decisive for one in objected(best)):
        return likely_texts(alignment, best, _LOOKED_AT, SAMPLES)
    corrected = _corrected(alignment, best, objected)
    most, samples = _LOOKED_AT_IF_BROKEN, _SAMPLES_IF_BROKEN
    if found := paired_texts(alignment, best, most, samples):
        rare = found[0].rare
        corrected = (
            replace(one, posterior=min(one.posterior * exp(rare), 1.0), rare=rare)
            for one in corrected
            if not alignment.opened.by(one.path)
        )
    else:
        found = likely_texts(alignment, best, most, samples)
    known = {one.text.lines for one in found}
    return with_other_places(alignment, found + [one for one in corrected if one.text.lines not in known])


def _corrected(
    alignment: Alignment, best: TextCandidate, objected: Callable[[TextCandidate], Sequence[Objection]]
) -> Iterator[TextCandidate]:
    """The most likely texts without what is objected to, in the most likely one first and then in these."""
    keeping, dropping = set[tuple[int, str]](), set[int]()
    last = best
    for _ in range(_CORRECTED):
        known = len(keeping) + len(dropping)
        for one in objected(last):
            if not one.rule.is_decisive:
                continue
            keeping.update(one.lost)
            dropping.update(one.doubled)
        if len(keeping) + len(dropping) == known:
            return
        other = alignment.otherwise(keeping, dropping)
        if other is None:
            return
        yield other
        last = other


def evidence(signs: Signs, candidate: TextCandidate, objecting: Iterable[Rule]) -> Evidence:
    """What a text tells by itself, and by the rules that object to it."""
    return signs.of(candidate.text, candidate.path) | {f"{_OBJECTION}{rule.name}": 1.0 for rule in objecting}


def of_objections(objecting: Iterable[Rule]) -> float:
    """The logarithm of how much likelier a text is for what these rules hold against it."""
    weights = _fitted()
    return sum(weights.get(f"{_OBJECTION}{rule.name}", 0.0) for rule in objecting)


def against(found: Evidence) -> str | None:
    """The sign of its own that speaks most against a text, of those that no check tells; None where none does."""
    weights = _fitted()
    signs = {
        sign: weights.get(sign, 0.0) * value
        for sign, value in found.items()
        if not sign.startswith((_OBJECTION, LEAD))
    }
    most = min(signs, key=signs.__getitem__, default=None)
    return None if most is None or signs[most] >= 0 else most


def lead(candidate: TextCandidate) -> Evidence:
    """What the lines of a text tell that shares its posterior with others."""
    return {LEAD_OF_PARTING if candidate.parting else LEAD: candidate.lead} if candidate.lead else {}


def log_left(posteriors: Sequence[float], rare: float) -> float:
    """The logarithm of what these posteriors leave to texts that nobody looked at: a share of all texts at
    the least. So the rarer those are among which these are posteriors (`TextCandidate.rare`), the less sure is any."""
    return max(log(max(1.0 - sum(posteriors), LEAST_OF_ANOTHER)), log(LEAST_OF_ANOTHER) + rare)


def of_all(found: Sequence[Evidence], likely: bool = True) -> Evidence:
    """The signs that count for texts beside these, too: those that tell between texts alone, where all of these have
    them and all `likely` ones are among them, and what is true of one place wherever the others of the edit are."""
    telling = _BETWEEN | {GOES_WITH_USES} if likely else {GOES_WITH_USES}
    everywhere = telling & set(found[0]).intersection(*found[1:])
    return {sign: min(signs[sign] for signs in found) for sign in sorted(everywhere)}


def weighed(
    posteriors: Sequence[float], found: Sequence[Evidence], rare: float = 0.0, likely: bool = False
) -> list[float]:
    """The posteriors of texts given their signs; what they leave is of texts that nobody looked at. `likely` are they
    if all likely texts are among them."""
    weights = _fitted()
    scores = [
        weights[POSTERIOR] * log(max(posterior, LEAST))
        + sum(weights.get(sign, 0.0) * value for sign, value in signs.items())
        for posterior, signs in zip(posteriors, found, strict=True)
    ]
    shared = sum(weights[sign] * value for sign, value in of_all(found, likely).items())
    scores.append(weights[POSTERIOR] * log_left(posteriors, rare) + weights[ANOTHER] + shared)
    most = max(scores)
    shares = [exp(score - most) for score in scores]
    return [share / sum(shares) for share in shares[:-1]]
