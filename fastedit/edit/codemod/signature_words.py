"""The function, the parameter and the type that a sentence mentions, also where it names them without quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from tree_sitter import Node

from fastedit.edit.codemod.gist import Gist, sure
from fastedit.edit.codemod.parameters import Signature, signature_of, signatures_of
from fastedit.edit.codemod.source import Source
from fastedit.edit.codemod.ticks import PIECES, spelled_as_name, ticked
from fastedit.edit.codemod.words import Word

_BUILTIN = frozenset("int str float bool bytes complex bytearray frozenset".split())  # noqa: SIM905
# These are words as well: "the parameter list".
_SPOKEN_TYPES = frozenset({"list", "dict", "tuple"})
_BEFORE_TYPE = re.compile(r"(?:\b(?:as|to|be|is|a|with|type|by|annotation)|[:>])\s\Z")
# What a sentence about signatures calls things by.
_STRUCTURE = frozenset(
    """type types default defaults annotation annotations hint hints parameter parameters argument arguments signature
    return returns function method keyword position""".split()  # noqa: SIM905
)
# Without any of these two plain words are hardly a function and its parameter.
_SAID = re.compile(r"\b(?:param|arg|default|signature|annotat|type|hint|return)", re.IGNORECASE)
_AMBIGUOUS = frozenset({"value", "name", "first", "last", "end", "list", "args", "params"})
_ARTICLES = re.compile(r"\b(?:default|return|returned|the|its|a|very)\s\Z", re.IGNORECASE)


def with_types_ticked(text: str) -> str:
    """The sentence with ticks around types that it names without."""
    return ticked(text, _is_type)


def with_names_ticked(text: str, source: Source) -> str:
    """Also around the one function and its parameter that it can mean, where it names them without."""
    names = _names(text, source)
    spoken = [match["word"] for match in PIECES.finditer(text) if match["word"]]
    if any(spoken.count(name) > 1 for name in names):
        return text

    def meant(word: str, before: str, _: str) -> bool:
        return word in names and not (word in _AMBIGUOUS and _ARTICLES.search(before))

    return ticked(text, meant)


def of_parameter(gist: Gist, source: Source) -> Iterator[tuple[Signature, Node, list[Word]]]:
    """The function and its parameter among what is mentioned, and what else there is, if it surely is
    code."""
    for function, parameter, *rest in permutations(gist.mentions):
        if not all(map(sure, rest)):
            continue
        named = [found for found in signatures_of(source, function.name) if found.parameter(parameter.name)]
        at = named[0].parameter(parameter.name) if len(named) == 1 else None
        if at is not None:
            yield named[0], at, rest


def of_function(gist: Gist, source: Source) -> Iterator[tuple[Signature, Word]]:
    """The function among two things, and the other one, if it surely is code."""
    for function, other in permutations(gist.mentions):
        if sure(other) and (found := signature_of(source, function.name)):
            yield found, other


def _is_type(word: str, before: str, behind: str) -> bool:
    if word in _SPOKEN_TYPES:
        return _BEFORE_TYPE.search(before) is not None
    return word in _BUILTIN or spelled_as_name(word, before, behind)


def _names(text: str, source: Source) -> frozenset[str]:
    """Beside a function the one word that is its parameter, beside a parameter its function; both; a function alone."""
    found = list(PIECES.finditer(text))
    words = {match["word"] for match in found if match["word"]} - _STRUCTURE
    told = {match["kept"][1:-1].removesuffix("()") for match in found if match["kept"]}
    told |= {word for word in words if "_" in word.strip("_")}
    owned = {name: f for name in told | words if (f := signature_of(source, name)) is not None}
    pairs = [(f, p) for f in owned for p in told | words if f != p and owned[f].parameter(p) is not None]
    if not _SAID.search(text):
        pairs = [pair for pair in pairs if told.intersection(pair)]
    elif not told & owned.keys() and not pairs:
        pairs = [(f, f) for f in owned]
    surely = max((len(told.intersection(pair)) for pair in pairs), default=0)
    best = [pair for pair in pairs if len(told.intersection(pair)) == surely]
    return frozenset(best[0]) - told if len(best) == 1 else frozenset()
