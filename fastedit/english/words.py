"""An instruction as words: quotations, names, numbers and signs, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(
    r"""(?<!`)(?P<ticks>`++)(?P<ticked>.+?)(?P=ticks)(?!`)
      | "(?P<double>[^"\n]+)" | (?<!\w)'(?P<single>[^'\n]+)'(?!\w) | “(?P<curly>[^”\n]+)”
      | (?P<link>https?://[^\s`"'<>]*[^\s`"'<>.,;:!?)])
      | (?P<number>(?<![\w.])[~^<>=]*-?\d[\w.%-]*(?<![.-]))
      | (?P<name>@?[.]{0,2}(?:[\w$@-]*/)+[\w$@.-]*\w | [@$#]?[^\W\d][\w$]*(?:(?:\.|::|\#|-|['’](?=\w))[\w$]+)*(?:\(\))?)
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
    return tuple(_word(found) for found in _WORD.finditer(instruction))


def _word(found: re.Match[str]) -> Word:
    kind = next((k for k, text in found.groupdict().items() if text is not None and k != "ticks"), "sign")
    text = found[kind] if kind in _QUOTES else found[0]
    return Word(text, found.start(), found.end(), kind)


def whole_word(text: str) -> re.Pattern[str]:
    """Finds the text where no word goes on beyond it."""
    left = r"(?<![\w$])" if re.match(r"[\w$]", text) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", text) else ""
    return re.compile(left + re.escape(text) + right)
