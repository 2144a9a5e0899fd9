"""What a running edit tells its caller."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange
from fastedit.edit.result import EditResult, Progress


@dataclass(frozen=True, slots=True)
class Located:
    """The regions that may change, with a phrase each that says why."""

    regions: tuple[LineRange, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HunkReady:
    """A final hunk."""

    hunk: Hunk


@dataclass(frozen=True, slots=True)
class Progressed:
    progress: Progress


@dataclass(frozen=True, slots=True)
class Resulted:
    """The last event of every edit."""

    result: EditResult


Event = Located | HunkReady | Progressed | Resulted
