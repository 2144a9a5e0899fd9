"""What is held against a change, by who decided it.

Hunks, whole files and a strong model are held to what breaks the file and nothing else: of names, wording and style
their author knows more than a rule does. docs/models.md says how many real changes each rule would hold back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain

from fastedit.check.base import Objection, Reason, Rule
from fastedit.check.change import Change
from fastedit.check.registry import rules
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.update import Update


def check_merge(
    document: Document, hunks: Sequence[Hunk], update: Update, ignore: frozenset[str] = frozenset()
) -> tuple[Objection, ...]:
    """Why the change that an update came to may be wrong."""
    return held_against_merge(document, hunks, update, ignore=ignore).objections


def held_against_merge(
    document: Document,
    hunks: Sequence[Hunk],
    update: Update,
    told_gone: frozenset[int] = frozenset(),
    ignore: frozenset[str] = frozenset(),
) -> Held:
    """The same, no more of it worked out than is asked for. `told_gone` are lines that a comment of the update
    removes."""
    return Held(Change(document, hunks, None, update, "merge", told_gone=told_gone), ignore)


def check_literal(
    document: Document, hunks: Sequence[Hunk], *, anew: bool = False, ignore: frozenset[str] = frozenset()
) -> tuple[Objection, ...]:
    """Why the change that hunks or a whole file say themselves may be wrong; `anew` where it is a whole file."""
    return Held(Change(document, hunks, None, None, "literal", anew=anew), ignore).objections


def check_written(
    document: Document,
    hunks: Sequence[Hunk],
    instruction: str | None,
    scope: LineRange | None = None,
    *,
    leaves_out: bool = False,
    complete: bool = True,
    ignore: frozenset[str] = frozenset(),
) -> tuple[Objection, ...]:
    """Why what a strong model wrote may be wrong; `Change` says what `scope` and `complete` are.

    `leaves_out`: the model wrote text anew, so that what went may have been forgotten.
    """
    # An empty update: nothing says of any line that it is meant to go into the file as it stands.
    change = Change(
        document, hunks, instruction, Update(()), "strong", scope=scope, anew=leaves_out, complete=complete
    )
    return Held(change, ignore).objections


class Held:
    """What the rules hold against a change, but for those with a code in `ignore`. A text that loses much may be held
    to hundreds of objections, where whoever weighs it asks for no more than which rules object."""

    def __init__(self, change: Change, ignore: frozenset[str] = frozenset()) -> None:
        # The rules that object, and their phrases, of which the first alone is known yet.
        self._said: list[tuple[Rule, Iterator[str | Reason]]] = []
        for rule in rules():
            if change.author in rule.applies_to and rule.code not in ignore:
                phrases = rule.check(change)
                if (first := next(phrases, None)) is not None:
                    self._said.append((rule, chain((first,), phrases)))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Those that object."""
        return tuple(rule for rule, _ in self._said)

    @cached_property
    def objections(self) -> tuple[Objection, ...]:
        """What they say, each phrase once, with the lines of all that it is said of."""
        found: dict[tuple[str, str], Objection] = {}
        for rule, phrases in self._said:
            for said in phrases:
                reason = said if isinstance(said, Reason) else Reason(said)
                one = found.setdefault((rule.code, reason.phrase), Objection(rule, reason.phrase))
                found[rule.code, reason.phrase] = one._replace(
                    lost=one.lost + reason.lost, doubled=one.doubled + reason.doubled
                )
        return tuple(found.values())
