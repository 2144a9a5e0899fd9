"""Prompt format for models that fill in a gap: the region is the gap, and a comment above says what goes there.

Orders and tokens are those of the models' own papers and cards: StarCoder, Qwen2.5-Coder, CodeGemma, Granite,
CodeLlama, DeepSeek-Coder, Codestral.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from transformers import PreTrainedTokenizerFast

from fastedit.prompt.base import RegionTask
from fastedit.prompt.tagged import update_text
from fastedit.prompt.text import TextFormat
from fastedit.source.languages import named

BEFORE: Final = "before"  # where the text before the gap goes, and that after it
AFTER: Final = "after"
ORDERS: Final = (
    ("<|fim_prefix|>", BEFORE, "<|fim_suffix|>", AFTER, "<|fim_middle|>"),
    ("<fim_prefix>", BEFORE, "<fim_suffix>", AFTER, "<fim_middle>"),
    ("<fim-prefix>", BEFORE, "<fim-suffix>", AFTER, "<fim-middle>"),
    ("▁<PRE>", BEFORE, "▁<SUF>", AFTER, "▁<MID>"),
    ("<｜fim▁begin｜>", BEFORE, "<｜fim▁hole｜>", AFTER, "<｜fim▁end｜>"),
    ("[SUFFIX]", AFTER, "[PREFIX]", BEFORE),
)
# What ends the middle besides the end of a text.
ENDS: Final = ("▁<EOT>", "<|file_separator|>", "<|file_sep|>", "<file_sep>", "<|fim_pad|>", "<fim_pad>")


class FillFormat(TextFormat):
    """Asks for the lines between those before and those after the region."""

    def head(self, task: RegionTask) -> Sequence[int]:
        order = order_of(self.tokenizer)
        assert order is not None
        texts = {BEFORE: before_text(task), AFTER: "".join(f"{line}\n" for line in task.after)}
        parts = (self._part(each, texts) for each in order)
        return (*self.begin(), *(token for part in parts for token in part))

    def closing(self, task: RegionTask) -> str:
        return ""

    def _part(self, part: str, texts: dict[str, str]) -> tuple[int, ...]:
        # By its id, as not every tokenizer reads its own special tokens in a text.
        return self.text_ids(texts[part]) if part in texts else (self.tokenizer.get_vocab()[part],)


def order_of(tokenizer: PreTrainedTokenizerFast) -> tuple[str, ...] | None:
    """How the tokenizer's model was shown what to fill in; None for one that was not."""
    known = tokenizer.get_vocab()
    named = (order for order in ORDERS if all(part in known for part in order if part not in (BEFORE, AFTER)))
    return next(named, None)


def before_text(task: RegionTask) -> str:
    """The lines before the region, and as a comment what is to become of it."""
    mark, end = named(task.language).comment or ("#", "")
    first = next((line for line in task.lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    comments = (f"{indent}{mark} {line} {end}".rstrip() for line in _said(task))
    return "".join(f"{line}\n" for line in (*task.before, *comments))


def _said(task: RegionTask) -> Iterator[str]:
    if task.instruction:
        yield from f"Change: {task.instruction}".split("\n")
    if update := update_text(task):
        yield from ("", "What changes, with `...` for code that stays:", *update.split("\n"))
    yield from ("", "Before:", *task.lines, "", "After:")
