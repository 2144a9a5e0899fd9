"""What an instruction mentions, read once for all who need it: names, quotations, blocks of code, line numbers.

What it asks for is not seen here beyond the exact commands, nor whether the file has what is mentioned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fastedit.english.grammar import commands, fenced
from fastedit.english.words import Word, words
from fastedit.errors import OperationRefused
from fastedit.ops import Operation
from fastedit.request import LineRange

# What code is called in general: no name of its own.
_GENERAL = re.compile(
    r"""(?:function|method|class|def|definition|struct|enum|interface|trait|impl|module|namespace|type|macro|record
    |variable|parameter|argument|param|arg|field|attribute|property|constant|const|identifier|name|symbol|import
    |decorator|line|statement|call|expression|value|key|section|constructor|test|helper|local|global|instance)s?
    |the|a|an|every|all|each|this|that|existing|whole|entire""",
    re.VERBOSE | re.IGNORECASE,
)
_WITHIN = frozenset({"in", "inside", "within", "into"})
_PLACE = _WITHIN | {"of", "from", "to", "on", "onto", "at", "for", "document"}
CODED = re.compile(r".*(?:[a-z0-9][A-Z]|_|\.\w|::|\(\)|\w\d)|[A-Z]{2}[A-Z0-9_]*+$")
_FENCE = re.compile(r"```[^\n`]*+\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(r":[ \t]*\n(.+)\Z", re.DOTALL)
_LINES = re.compile(
    r"\blines?\s+(\d+)(?:\s*(?:-|–|:|to|through|and|until)\s*(?:line\s+)?(\d+))?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a quotation. `coded`: spelled as only code is; `place`: next to a word such as "in" or "to", of which
    `inside` are those that mean within. `start` is the place of the text in the instruction, `stop` the one after it
    and its quotes. `literal` is the text with its quotes where these may be the code's own.
    """

    text: str
    start: int
    stop: int
    quoted: bool = False
    coded: bool = False
    place: bool = False
    inside: bool = False
    literal: str | None = None

    @property
    def sure(self) -> bool:
        """Whether it surely names code and is no mere word of the sentence."""
        return self.quoted or self.coded


@dataclass(frozen=True)
class Said:
    text: str

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """What it says if it is made of exact commands, in any language; else none."""
        try:
            return commands(self.text) or ()
        except OperationRefused:
            return ()

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """Code given on lines of its own: fenced, or all that follows a colon at a line's end."""
        fences = tuple(map(fenced, _FENCE.findall(self.text)))
        block = None if fences else _BLOCK.search(self.text)
        return fences or ((block[1],) if block else ())

    @cached_property
    def _words(self) -> tuple[Word, ...]:
        """The words outside of blocks."""
        blanked = _FENCE.sub(lambda found: " " * len(found[0]), self.text)
        return words(_BLOCK.sub("", blanked) if self.blocks else self.text)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All that it names outside of blocks, in order."""
        found, ahead = list[Mention](), ""
        for word in self._words:
            general = _GENERAL.fullmatch(word.text) is not None
            if word.quoted or (word.kind == "name" and not general):
                found.append(self._mention(word, ahead))
            ahead = ahead if general else word.text.lower()
        return tuple(found)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """What is quoted and the blocks, line by line, without blanks around."""
        quoted = (mention.text for mention in self.mentions if mention.quoted)
        lines = (line.strip() for text in (*quoted, *self.blocks) for line in text.split("\n"))
        return tuple(line for line in lines if line)

    @cached_property
    def lines(self) -> LineRange | None:
        """The lines it gives by number, which count from 1 there and from 0 here."""
        found = _LINES.search(" ".join(word.text for word in self._words if not word.quoted))
        if found is None:
            return None
        first = int(found[1])
        # "change line 12 to 5" speaks of one line.
        return LineRange(first - 1, max(first, int(found[2] or first))) if first else None

    def _mention(self, word: Word, ahead: str) -> Mention:
        text = word.text if word.quoted else re.sub(r"\(\)$|['’]s$", "", word.text.removeprefix("@"))
        return Mention(
            text.removesuffix("()"),
            self.text.index(text, word.start),
            word.stop,
            word.quoted,
            not word.quoted and CODED.match(word.text) is not None,
            ahead in _PLACE,
            ahead in _WITHIN,
            self.text[word.start : word.stop] if word.kind in ("double", "single") else None,
        )


@lru_cache(maxsize=64)
def read(instruction: str) -> Said:
    """What the instruction mentions. Whoever asks for the same instruction gets the same object."""
    return Said(instruction)
