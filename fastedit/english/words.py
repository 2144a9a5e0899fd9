"""An instruction as words: quotations, names, numbers and signs, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Linear in the line: no file name has more than 255 characters, and where no number or path begins at a run of signs,
# none begins before the last of them.
_WORD = re.compile(
    r"""(?<!`)(?P<ticks>`++)(?P<ticked>.+?)(?P=ticks)(?!`)
      | "(?P<double>[^"\n]+)" | (?<!\w)'(?P<single>[^'\n]+)'(?!\w) | “(?P<curly>[^“”\n]+)”
      | (?P<link>https?://[^\s`"'<>]*[^\s`"'<>.,;:!?)])
      | (?P<number>(?<![\w.])[~^<>=]*-?\d[\w.%-]*(?<![.-]))
      | (?P<name>@?[.]{0,2}(?:[\w$@-]{0,255}/)+[\w$@.-]*\w
        | [@$#]?[^\W\d][\w$]*(?:(?:\.|::|\#|-|['’](?=\w))[\w$]+)*(?:\(\))?)
      | (?P<signs>[/@$-]+(?=[/@$-]) | (?<![\w.])[~^<>=]+(?=[~^<>=]))
      | \S""",
    re.VERBOSE | re.DOTALL,
)
_QUOTES = frozenset({"ticked", "double", "single", "curly"})


@dataclass(frozen=True, slots=True)
class Word:
    """`text` is without its quotes, `start` and `stop` are where it stands with them. `kind` is ticked, double, single,
    curly, link, number, name or sign."""

    text: str
    start: int
    stop: int
    kind: str

    @property
    def quoted(self) -> bool:
        return self.kind in _QUOTES


def words(instruction: str) -> tuple[Word, ...]:
    return tuple(word for found in _WORD.finditer(instruction) for word in _words(found))


def _words(found: re.Match[str]) -> Iterator[Word]:
    if found["signs"]:
        yield from (Word(found.string[at], at, at + 1, "sign") for at in range(*found.span()))
        return
    kind = next((k for k, text in found.groupdict().items() if text is not None and k != "ticks"), "sign")
    yield Word(found[kind] if kind in _QUOTES else found[0], found.start(), found.end(), kind)


def whole_word(text: str) -> re.Pattern[str]:
    """Finds the text where no word goes on beyond it."""
    left = r"(?<![\w$])" if re.match(r"[\w$]", text) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", text) else ""
    return re.compile(left + re.escape(text) + right)
