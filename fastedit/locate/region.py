"""A region: the lines one rewrite is about."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.edit.update import Alignment, Update


@dataclass(frozen=True, slots=True)
class Region:
    """The document's lines `start` up to but not including `stop`.

    `update` is the part of the update that belongs here, `alignment` that part's, with targets counted from `start`;
    both are None where the request has no update. `certain` is False where the place is a guess; `reason` says in a
    phrase what the region is, and then also why it is a guess.
    """

    start: int
    stop: int
    update: Update | None
    alignment: Alignment | None
    reason: str
    certain: bool
