"""Drafts with Hydra heads: each reads what the ones before it guessed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torch import Tensor

from fastedit.draft.base import Drafter
from fastedit.draft.confidence import known_of
from fastedit.draft.heads.ahead import AheadSource
from fastedit.draft.heads.eagle import EagleDrafter, EagleSource
from fastedit.draft.heads.guesses import DEPTH
from fastedit.model.heads.hydra import Hydra, PrefixHydra, load_hydra

if TYPE_CHECKING:
    from fastedit.draft.seam import DrafterSource
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt


def source(target: Target, argument: str) -> DrafterSource:
    """The heads in folder `argument`. Raises ModelUnavailable where they do not belong to this target."""
    folder = Path(argument)
    head = load_hydra(folder, target.network, target.dtype, target.folder)
    depth = min(DEPTH, head.depth)
    known = known_of("hydra", target, depth, folder.resolve())
    if isinstance(head, Hydra):
        return AheadSource("hydra", head, target, known, head.layer)
    return PrefixSource(head, known, "hydra")


class PrefixSource(EagleSource):
    """Of heads after a layer that attends to all that the target has read."""

    head: PrefixHydra

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (PrefixDrafter(self),)


class PrefixDrafter(EagleDrafter):
    """Reads as an EAGLE head does, and guesses as heads without attention do."""

    def __init__(self, source: PrefixSource) -> None:
        super().__init__(source)
        self._heads = source.head.heads

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        return self._heads.step(fed, tokens, level)
