"""Where a sentence has a name without quotes although it is also a plain word.

There stands the definition that is spoken of, what is to be something, what a word for its kind follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.edit.codemod.source import Source
from fastedit.edit.codemod.words import Word

_BEFORE_DEFINITION = frozenset({"in", "inside", "within", "of", "from", "for", "on", "to"})
_BEFORE_COLLECTION = frozenset({"in", "into", "from", "to"})
_COLLECTIONS = frozenset({"list", "dict", "dictionary", "tuple", "set", "array", "mapping", "table"})
_BEFORE_NAME = frozenset({"make", "have", "let", "mark", "annotate", "give"})
_BEFORE_VALUED = frozenset({"set", "change", "start", "initialise", "initialize", "of"})
_RELATIVE = frozenset({"where", "that", "which"})
_BEHIND_SUBJECT = frozenset({"should", "defaults", "returns", "needs", "must", "is", "takes"})
_KINDS = frozenset(
    "function class parameter import field attribute property decorator entry key constant variable".split()  # noqa: SIM905
)
# Before a word for a kind these tell which of them.
_WHICH = frozenset(
    """a an the this that new old first last next other another default same own type return extra optional keyword
    required unused existing it""".split()  # noqa: SIM905
)


def name_places(said: Sequence[Word], source: Source) -> Iterator[int]:
    """The words at these places are names that the file has, as far as grammar tells."""
    for at, word in enumerate(said):
        name = word.name
        if word.quote or name not in source.vocabulary:
            continue
        before = said[at - 1].plain if at else ""
        behind = said[at + 1].plain if at + 1 < len(said) else ""
        if before in ("the", "a", "an", "that") and at > 1 and behind not in _BEHIND_SUBJECT:
            before = said[at - 2].plain
        if _spelled_as_name(name, at) or (
            word.plain not in _WHICH
            and (
                (before in _BEFORE_DEFINITION and source.only(name) is not None)
                or (before in _BEFORE_COLLECTION | _COLLECTIONS and not behind and _given(source, name))
                or before in _BEFORE_NAME
                or (behind in _BEHIND_SUBJECT and (not at or (before in _RELATIVE and _given(source, name))))
                or (before in _BEFORE_VALUED and _given(source, name))
                or behind in _KINDS
            )
        ):
            yield at


def _given(source: Source, name: str) -> bool:
    """Whether a line gives it a value."""
    pattern = re.compile(rf"[\w ]*\b{re.escape(name)}\b[^=()]*=(?!=)")
    return any(pattern.match(line) for line in source.lines if name in line)


def _spelled_as_name(name: str, at: int) -> bool:
    """Whether it has capitals where plain words have none."""
    inner = name[1:] != name[1:].lower()
    return inner or (at > 0 and name[0].isupper())
