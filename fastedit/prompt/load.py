"""Which format a folder's model is asked in: by its chat template, else as it was trained to go on or to fill in."""

from __future__ import annotations

from pathlib import Path

from fastedit.prompt import fill
from fastedit.prompt.chat import ChatFormat
from fastedit.prompt.completion import CompletionFormat
from fastedit.prompt.text import TextFormat, load_tokenizer, stops


def load_format(folder: Path) -> TextFormat:
    """Raises ModelUnavailable where the folder has no usable tokenizer."""
    tokenizer = load_tokenizer(folder)
    if tokenizer.chat_template is not None:
        return ChatFormat(tokenizer, stops(tokenizer))
    if fill.order_of(tokenizer) is not None:
        return fill.FillFormat(tokenizer, stops(tokenizer, fill.ENDS))
    return CompletionFormat(tokenizer, stops(tokenizer))
