"""A region: the lines one rewrite is about."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.request import LineRange


@dataclass(frozen=True, slots=True)
class Region(LineRange):
    """`certain` is False where the place is a guess; `reason` says in a phrase what the region is, and then also why it
    is a guess."""

    reason: str
    certain: bool
