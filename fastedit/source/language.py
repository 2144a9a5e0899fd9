"""Which language a document is written in: as its caller says, by its name and first line, or by what parses it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fastedit.source.languages import TEXT, languages, named, notation_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.document import Document

_MOST_PARSED = 500_000  # characters, of which it takes a second at most


def language_in(document: Document) -> str:
    """The language that the document's caller names, else what `language_of` says, else what its text shows."""
    notation = notation_in(document)
    return notation if named(notation).is_code else TEXT


def notation_in(document: Document) -> str:
    """The same, and for other files what `notation_of` says."""
    if document.language is not None:
        return document.language
    path = document.path
    notation = notation_of(path, document.text)
    nameless = path is None or not path.suffix
    return _shown(document.lines) if nameless and notation == TEXT else notation


def supposed(document: Document, language: str | None) -> Document:
    """The document in `language` where nobody has said it and its name and first line do not tell, or its suffix is
    that of several languages and this one of them."""
    suffix = document.path.suffix if document.path is not None else None
    shared = [each.name for each in languages() if suffix in each.suffixes]
    told = notation_of(document.path, document.text) != TEXT and not (len(shared) > 1 and language in shared)
    return document if document.language is not None or told else replace(document, language=language)


@lru_cache(maxsize=8)
def _shown(lines: tuple[str, ...]) -> str:
    """The one language whose grammar reads all lines without an error and finds a word of its own among them, else one
    whose parser reads a text that starts as its texts do."""
    if sum(map(len, lines)) > _MOST_PARSED or not any(map(str.strip, lines)):
        return TEXT
    from fastedit.source.syntax import flawless  # only now: most documents have a name

    found: list[str] = []
    for family in _families():
        roots = ((language, flawless((*lines, ""), language)) for language in family)
        clean = next(((language, root) for language, root in roots if root is not None), None)
        if clean is not None and _has_keyword(clean[1]):
            found.append(clean[0])
    text = "\n".join(lines)
    for each in languages() if not found else ():
        if each.error is not None and text.lstrip().startswith(each.starts) and each.error(text) is None:
            found.append(each.name)
    return found[0] if len(found) == 1 else TEXT


@cache
def _families() -> tuple[tuple[str, ...], ...]:
    """Languages whose grammars read what those before them read, and more: the first without an error tells."""
    known = [each for each in languages() if each.is_code and each.told_by_text]
    above = {each.extends: each.name for each in known if each.extends}
    families = []
    for first in (each.name for each in known if not each.extends):
        family = [first]
        while family[-1] in above:
            family.append(above[family[-1]])
        families.append(tuple(family))
    return tuple(families)


def _has_keyword(root: Node) -> bool:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if not node.is_named and node.type.isalpha():
            return True
        nodes.extend(node.children)
    return False
