"""Markers within a line of code."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastedit.source.languages import Language
from fastedit.source.markers import begins_with_dots, looks_like_marker
from fastedit.source.outline import masked

# Behind a letter or a colon `//` is part of an address.
_COMMENT = re.compile(r"\{?/\*|(?<![\w:])//|#")
_ALL_COMMENT = re.compile(r"//|#(?![\w\[])")
_ELLIPSIS = re.compile(
    r"(?P<before>.*?(?:[:=({\[,>]|\w(?=\s)))\s*(?P<marker>\.\.\.)(?P<behind>(?:\s*[)\]},;]+)?)\s*(?:(?://|\#).*)?"
)
# Brackets that hold dots alone, and what stands behind them: `def load(...) -> str:`.
_ENCLOSED = re.compile(r"(?P<before>[^.]*(?:\.(?!\.\.)[^.]*)*?\()(?P<marker>\.\.\.)(?P<behind>\).*)")


class Inline(NamedTuple):
    """What stands before and behind a marker within a line of code: `port:` and nothing in `port: // ... as before`,
    `load(` and `) {` in `load(/* ... */) {`."""

    before: str
    marker: str
    behind: str

    def shows(self, text: str) -> bool:
        """Whether this may be the whole line, stripped."""
        behind = self.behind.rstrip(",;")
        return (
            len(text) > len(self.before) + len(behind)
            and text.startswith(self.before)
            and text.rstrip(",;").endswith(behind)
        )


def inline_marker(stripped: str, language: Language) -> Inline | None:
    """The marker within a line of code, if it has one."""
    comment = _first_comment(stripped)
    if comment is not None and _is_marker(comment.marker) and not comment.before.endswith("..."):
        return comment
    found = _ELLIPSIS.fullmatch(stripped)
    if found is None and not language.open_parameters and "..." in stripped:
        found = _ENCLOSED.fullmatch(stripped)
    return None if found is None else Inline(found["before"], found["marker"], found["behind"].strip())


def _is_marker(comment: str) -> bool:
    """Whether a comment stands for lines, in whatever words, where it comes after code."""
    return looks_like_marker(comment) or begins_with_dots(comment)


def _first_comment(stripped: str) -> Inline | None:
    """The first comment that code stands before, unless it is one that nothing closes. There is none in strings, nor in
    a comment."""
    if _COMMENT.search(stripped, 1) is None or _ALL_COMMENT.match(stripped):
        return None
    last = stripped.rfind("*/")
    for found in _COMMENT.finditer(masked(stripped), 1):
        stop = len(stripped)
        if found[0].endswith("/*"):
            if last < found.end():
                continue
            stop = stripped.index("*/", found.end()) + 2
            stop += stripped.startswith("}", stop)
        return Inline(
            stripped[: found.start()].rstrip(), stripped[found.start() : stop], stripped[stop:].strip()
        )
    return None
