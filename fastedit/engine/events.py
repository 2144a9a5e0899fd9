"""What a running edit tells its caller."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fastedit.request import LineRange
from fastedit.result import EditResult, Progress, Receipt
from fastedit.source.hunks import Hunk

if TYPE_CHECKING:
    from fastedit.locate.region import Region


class Located(NamedTuple):
    """The regions that may change, with a phrase each that says why."""

    regions: tuple[LineRange, ...]
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, regions: Iterable[Region]) -> Located:
        found = tuple(regions)
        return cls(
            tuple(LineRange(region.start, region.stop) for region in found),
            tuple(region.reason for region in found),
        )


class HunkReady(NamedTuple):
    """A final hunk."""

    hunk: Hunk


class Progressed(NamedTuple):
    progress: Progress


def of_all(progress: Progress, done: Receipt, region: int, regions: int) -> Progressed:
    """The progress of one region as the whole edit's, after what the regions before it have cost."""
    return Progressed(
        replace(
            progress,
            fraction=(region - 1 + progress.fraction) / regions,
            output_tokens=done.output_tokens + progress.output_tokens,
            passes=done.passes + progress.passes,
            region=region,
            regions=regions,
        )
    )


class Resulted(NamedTuple):
    """The last event of every edit."""

    result: EditResult


Event = Located | HunkReady | Progressed | Resulted
