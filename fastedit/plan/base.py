"""What passes between those who plan a question and those who ask it."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Literal

from fastedit.locate.region import Region
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.language import notation_in
from fastedit.source.languages import TEXT

Way = Literal["operations", "sketch", "rewrite"]
Chat = tuple[tuple[str, str], ...]  # pairs of role and text

_SHOWN = 3  # parts of an absolute path
_CHARACTERS = 3.6  # of code in a token, roughly and for most tokenizers


@dataclass(frozen=True, slots=True)
class DocumentTask:
    """What a model is to do with one document.

    `regions` are where it is probably to be done, none where nothing tells; `scope` is all that may change, None for
    the whole file. `update` is a sketch of the change, or, where hunks of it are `unplaced`, an edit as it was sent, of
    which the document has what the others change. `conventions` are what the project asks of its code, as text.
    A question shows `budget` tokens of the file. `stretch` is all that it is about where it is one of several.
    `grown`: the regions have lines that the model has asked for. `ignore` are the codes of rules that hold nothing
    back.
    """

    document: Document
    instruction: str | None
    language: str
    regions: tuple[Region, ...] = ()
    scope: LineRange | None = None
    update: str | None = None
    unplaced: str | None = None
    conventions: str = ""
    budget: int = 8000
    stretch: LineRange | None = None
    grown: bool = False
    ignore: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The file as a prompt names it: what an absolute path says of this machine concerns no model."""
        path = self.document.path
        if path is None:
            return "unnamed"
        return "/".join(path.parts[1:][-_SHOWN:]) if path.is_absolute() else path.as_posix()

    @property
    def notation(self) -> str:
        """What the file is written in, as a prompt says it; nothing where only its name may tell, to a model."""
        notation = notation_in(self.document)
        return "" if notation == TEXT else notation

    def text_of(self, lines: Region | LineRange) -> str:
        return "\n".join(self.document.lines[lines.start : lines.stop])


def tokens_of(text: str) -> int:
    """About how many tokens a text takes. Asks no tokenizer: whose it is, only the server knows."""
    return ceil(len(text) / _CHARACTERS)
