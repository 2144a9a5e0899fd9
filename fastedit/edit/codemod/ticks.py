"""Ticks around what a sentence names without quotes, where the file or its spelling tells that it is a name."""

from __future__ import annotations

import re
from collections.abc import Callable

from fastedit.edit.codemod.source import Source

KEPT = r"(?P<kept>`[^`]*`|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w))"
# What is quoted, and words: paths and calls with something in their parentheses are neither.
PIECES = re.compile(rf"{KEPT}|(?<![\w.$@])(?P<word>[A-Za-z_]\w*)(?![\w(\[]|\.\w)")
_DETERMINER = re.compile(r"\s+(?:the|a|an|this|that|these|it|all|both|its|any)\b", re.IGNORECASE)
# What people call things by, also where the file has a definition of that name.
_STRUCTURE = frozenset(
    """function method class docstring decorator coroutine async await sync type default annotation parameter argument
    signature return body base parent line the a an is to of on in as it and not be with from by at""".split()  # noqa: SIM905
)
# Where a capital does not begin a sentence.
_WITHIN = re.compile(r"[\w`'\",)>]\s\Z")
_LAST = re.compile(r"[.!]?\s*\Z")


def ticked(text: str, meant: Callable[[str, str, str], bool]) -> str:
    """With ticks around the words that are meant, told by what stands before and behind them."""

    def tick(found: re.Match[str]) -> str:
        word = found["word"]
        around = word and meant(word, text[: found.start()], text[found.end() :])
        return f"`{word}`" if around else found[0]

    return PIECES.sub(tick, text)


def spelled_as_name(word: str, before: str, behind: str) -> bool:
    """Whether it has a capital where no sentence begins, or an underscore before it."""
    if word in ("None", "True", "False"):
        return False
    within = _WITHIN.search(before) is not None or (before.endswith(": ") and _LAST.match(behind) is not None)
    return re.match(r"_\w", word) is not None or (word[0].isupper() and len(word) > 1 and within)


def with_capitals_ticked(text: str) -> str:
    return ticked(text, spelled_as_name)


def with_definition_ticked(text: str, source: Source) -> str:
    """With ticks around the one word that is a definition's name, where the sentence has no other."""
    found = list(PIECES.finditer(text))
    if any(source.named(match["kept"][1:-1].removesuffix("()")) for match in found if match["kept"]):
        return text
    words = [match["word"] for match in found if match["word"] and not _told(text, match)]
    names = {word for word in words if word not in _STRUCTURE and source.named(word)}
    if len(names) != 1 or words.count(min(names)) > 1:
        return text
    return ticked(text, lambda word, before, behind: word in names)


def _told(text: str, word: re.Match[str]) -> bool:
    """Whether it is what the sentence tells to do: "find the function"."""
    return not text[: word.start()].strip() and _DETERMINER.match(text, word.end()) is not None
