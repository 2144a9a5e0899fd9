"""One text that an update may mean, and whether it may be delivered."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastedit.check import Held, Objection
from fastedit.engine.merge.evidence import Evidence
from fastedit.sketch.paths.lattice import PathStep
from fastedit.source.hunks import Hunk

# `python -m evals.outside.reliability` has how many texts above it are wrong.
SURE = 0.96


@dataclass(frozen=True, slots=True)
class Reading:
    """One text that an update may mean, as hunks and as the path that writes it. `held` is what the checks hold against
    it, `evidence` all that tells whether it is meant."""

    hunks: tuple[Hunk, ...]
    posterior: float
    held: Held = field(repr=False)
    evidence: Evidence = field(repr=False)
    path: tuple[PathStep, ...] = field(repr=False)

    @property
    def objections(self) -> tuple[Objection, ...]:
        """What the checks say against it."""
        return self.held.objections

    @property
    def sure(self) -> bool:
        """Whether it may be delivered as `ok`."""
        return self.posterior >= SURE and not self.broken

    @property
    def broken(self) -> bool:
        """Whether the checks object to it in a way that no certainty outweighs."""
        return any(rule.is_decisive for rule in self.held.rules)

    @property
    def faults(self) -> tuple[str, ...]:
        """The reasons that no certainty outweighs."""
        return tuple(str(one) for one in self.objections if one.rule.is_decisive)

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(map(str, self.objections))
