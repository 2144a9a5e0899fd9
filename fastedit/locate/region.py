"""A region: the lines one rewrite is about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Region:
    """The document's lines `start` up to but not including `stop`.

    `certain` is False where the place is a guess; `reason` says in a phrase what the region is, and then also why it is
    a guess.
    """

    start: int
    stop: int
    reason: str
    certain: bool
