"""Prompt format for instruction-tuned models: code and update between tags."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.prompt.base import RegionTask
from fastedit.prompt.tagged import SYSTEM, TagNames, user_text
from fastedit.prompt.template import begun
from fastedit.prompt.text import TextFormat


class ChatFormat(TextFormat):
    """Asks by the tokenizer's chat template."""

    def head(self, task: RegionTask) -> Sequence[int]:
        tags = TagNames.avoiding(task)
        asked = (("system", SYSTEM), ("user", user_text(task, tags)))
        return self.text_ids(begun(self.tokenizer, asked, f"{tags.open}\n"))

    def closing(self, task: RegionTask) -> str:
        return TagNames.avoiding(task).close
