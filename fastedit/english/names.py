"""What a file calls things, for an instruction that speaks of them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache, cached_property

from fastedit.edit.definitions import Definition, definitions
from fastedit.edit.document import Document
from fastedit.edit.imports import imports
from fastedit.edit.language import notation_in
from fastedit.edit.syntax import Syntax, parse

_WORD = re.compile(r"[^\W\d][\w$]*(?:-[\w$]+)*")
_KEY = re.compile(
    r"[\s{,]*(?:-\s+)?(?:(?:const|let|var|export|final|static|set)\s+)*[\"']?([\w$.-]+)[\"']?\s*(?::[^=:]*)?[:=](?!=)"
)
_ALIKE, _LEAST = 0.84, 5  # of a misspelled name: how much of it is right, and its characters
_MANY = 5000  # names; to find a misspelled one among more takes too long
_APART = re.compile(r"[_\W]+")


class Names:
    """The names of one document, by what they are. A name may be several things."""

    def __init__(self, document: Document) -> None:
        self.text, self.lines = document.text, document.lines
        self.language = notation_in(document)
        self.meant = cache(self._meant)

    @cached_property
    def words(self) -> frozenset[str]:
        """Everything that is spelled like a name, in comments and strings too."""
        return frozenset(part for line in self.lines for part in _WORD.findall(line))

    @cached_property
    def stripped(self) -> frozenset[str]:
        """The lines, without blanks at their ends."""
        return frozenset(line.strip() for line in self.lines)

    @cached_property
    def functions(self) -> frozenset[str]:
        return frozenset(d.name for d in self._definitions if d.kind in ("function", "method", "macro"))

    @cached_property
    def types(self) -> frozenset[str]:
        return frozenset(d.name for d in self._definitions) - self.functions

    @cached_property
    def heads(self) -> dict[str, frozenset[str]]:
        """By function, the words of its signature behind its name: parameters and their types."""
        found: dict[str, frozenset[str]] = {}
        for item in self._definitions:
            if item.name in self.functions:
                head = " ".join(self.lines[item.header : item.body]).partition(item.name)[2]
                found[item.name] = found.get(item.name, frozenset()) | frozenset(_WORD.findall(head))
        return found

    @cached_property
    def in_heads(self) -> frozenset[str]:
        return frozenset().union(*self.heads.values())

    @cached_property
    def imported(self) -> frozenset[str]:
        found = imports(self._syntax) if self._syntax is not None else ()
        return frozenset(part for item in found for name in item.names for part in (name, *name.split(".")))

    @cached_property
    def keys(self) -> frozenset[str]:
        """What is assigned, and the keys of data."""
        return frozenset(found[1] for line in self.lines if (found := _KEY.match(line)))

    def _meant(self, name: str) -> str | None:
        """The one name of the file that this one is, but for capitals, underscores or a slip of the pen."""
        if name in self.words:
            return name
        alike = self._canonical.get(_canonical(name), ())
        if not alike and len(name) >= _LEAST and len(self._canonical) < _MANY:
            close = get_close_matches(_canonical(name), self._canonical, 2, _ALIKE)
            alike = self._canonical[close[0]] if len(close) == 1 else ()
        return alike[0] if len(alike) == 1 else None

    @cached_property
    def _canonical(self) -> dict[str, tuple[str, ...]]:
        """The names that something is called by, as they sound."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.functions | self.types | self.in_heads | self.keys | self.imported:
            found[_canonical(name)] = (*found.get(_canonical(name), ()), name)
        return found

    @cached_property
    def _syntax(self) -> Syntax | None:
        return parse(self.lines, self.language)

    @cached_property
    def _definitions(self) -> tuple[Definition, ...]:
        return definitions(self._syntax) if self._syntax is not None else ()


def _canonical(name: str) -> str:
    return _APART.sub("", name).lower()
