"""Prompt format for base models, which go on with a text."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.prompt.base import RegionTask
from fastedit.prompt.example import completion_text, fence
from fastedit.prompt.text import TextFormat


class CompletionFormat(TextFormat):
    """Asks a model without a chat template for what stands between two fences."""

    def head(self, task: RegionTask) -> Sequence[int]:
        return (*self.begin(), *self.text_ids(completion_text(task)))

    def closing(self, task: RegionTask) -> str:
        return fence(task)
