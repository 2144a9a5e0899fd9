"""Imports, modules and names that a sentence mentions without quotes, with ticks around them."""

from __future__ import annotations

import re
import sys

from fastedit.edit.codemod.gist import FILLER, stem
from fastedit.edit.codemod.import_line import ADVERBS
from fastedit.edit.codemod.source import Source
from fastedit.edit.codemod.ticks import KEPT
from fastedit.edit.imports import imports

_NAME = r"[A-Za-z_]\w*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_AS = rf"(?: as (?!(?:{ADVERBS})\b){_NAME})?"
_LINE = re.compile(
    rf"{KEPT}|(?<![\w.`])(?P<line>from \.*{_PATH} import (?P<name>{_NAME}){_AS}"
    rf"|import (?P<module>{_PATH}){_AS})(?![\w(]| as (?!an?\b|another\b)| again\b)"
)
# Behind "import" these are the sentence's own.
_SPOKEN = frozenset(
    """a above after all also an and another anything are as at be before behind below beneath block can code
    comes for from goes group has here in instead into is it its last line lines list must name names needs
    next not of on one only or out path rest section should so statement statements test that the them then
    there these this those to too under was were what which will with yet""".split()  # noqa: SIM905
)
_WORD = re.compile(rf"{KEPT}|(?<![\w.`@])(?P<word>{_PATH})(?![\w(`])")
_FROM = re.compile(rf"\s*from (?P<module>\.*{_PATH}) import\b")
# Where a sentence has the name that is to be imported, or the module that it is to come from.
_NEW_NAME = re.compile(
    rf"{KEPT}|(?P<before>\b(?:import|take|get|grab|add|tack|bring|pull|wire|throw|put|include|want|also|need|fetch|append|have|let"
    rf"|work|squeeze|slot)\s+(?:in\s+)?)(?P<word>{_NAME})(?= (?:in )?(?:from|out of|onto|into|to|imported|at)\b)"
    rf"|(?P<asked>\b[Cc]ould )(?P<passive>{_NAME})(?= be imported\b)"
    rf"|\A(?P<first>{_NAME})(?= (?:comes from|(?:should|must|has to|needs to|ought to) "
    rf"(?:come from|be (?:part|imported))"
    rf"|should come|isn't imported|is missing|is not imported))"
    rf"|(?P<after>\b(?:include|add|contain|cover|get|take|grab|fetch|want|\+) )"
    rf"(?P<last>{_NAME})(?=(?: too| as well)?[.!]?\Z)"
    rf"|(?P<verb>\b(?:import|take|get|grab|fetch|pull in|bring in) )(?P<besides>{_NAME})"
    rf"(?=,? (?:in addition|additionally|too|as well|also|besides|on top)[.!]?\Z)",
    re.IGNORECASE,
)
_NEW_MODULE = re.compile(
    rf"{KEPT}|(?P<before>(?:\b(?:from|to|into|with|by|be|becomes|in|is|it's|use)|->) )(?P<word>{_PATH})"
    r"(?=(?: now)?[.,;!]?\s*\Z|,? (?:instead|rather|and not|not|in the import)\b"
    r"|[,;:]? (?:now, )?(?:so )?(?:fix|update|adjust|adapt|correct|change) (?:the|this|that|its) import)"
)
_ARTICLES = frozenset("the a an it its that this there here one now place them instead wrong gone".split())  # noqa: SIM905
_LESS = re.compile(
    r"(?<=: )[-\u2212] (?=\S+\s*[.!]?\Z)|\A\s*- (?=(?:the )?imports? (?:of|for) \S+\s*[.!]?\Z)"
)


def with_import_ticked(text: str) -> str:
    """The sentence with ticks around an import that it spells without."""

    def tick(found: re.Match[str]) -> str:
        if found["kept"]:
            return found[0]
        word = found["name"] or found["module"]
        known = word.split(".")[0] in sys.stdlib_module_names and word not in ("code", "this", "test")
        spoken = word.lower() in _SPOKEN or (found["module"] is not None and stem(word.lower()) in FILLER)
        return found[0] if spoken and not known else f"`{found['line']}`"

    return _LINE.sub(tick, text)


def with_subject_ticked(text: str, source: Source) -> str:
    """The sentence with ticks around the imported name that it begins with: "Any from typing is unused"."""
    found = re.match(rf"(?P<word>{_NAME})(?= from \S)", text)
    names = {name for item in imports(source.syntax) for name in item.names} if source.syntax else set[str]()
    return f"`{found['word']}`{text[found.end() :]}" if found and found["word"] in names else text


def with_less_spelled(text: str) -> str:
    """The sentence with a word for the minus of a note: "typing: - Any", "- import of json"."""
    return _LESS.sub("remove ", text)


def with_modules_ticked(text: str, source: Source) -> str:
    """The sentence with ticks around the modules that the file imports from."""
    modules = {match["module"] for line in source.lines if (match := _FROM.match(line))}

    def tick(found: re.Match[str]) -> str:
        return f"`{found['word']}`" if found["word"] in modules else found[0]

    return _WORD.sub(tick, text)


def with_imported_ticked(text: str, source: Source) -> str:
    """The sentence with ticks around the one word of it that the file imports."""
    names = {name for item in imports(source.syntax) for name in item.names} if source.syntax else set[str]()
    said = {found["word"] for found in _WORD.finditer(text) if found["word"]} & names

    def tick(found: re.Match[str]) -> str:
        return f"`{found['word']}`" if found["word"] in said else found[0]

    return _WORD.sub(tick, text) if len(said) == 1 else text


def with_new_name_ticked(text: str) -> str:
    """The sentence with ticks around the name that is to be imported."""

    def tick(found: re.Match[str]) -> str:
        word = found["word"] or found["first"] or found["last"] or found["passive"] or found["besides"]
        ahead = found["before"] or found["after"] or found["asked"] or found["verb"] or ""
        # The capital may be the sentence's alone.
        begun = found["first"] is not None and word.istitle()
        return found[0] if not word or begun or word.lower() in _ARTICLES | _SPOKEN else f"{ahead}`{word}`"

    return _NEW_NAME.sub(tick, text)


def with_new_module_ticked(text: str) -> str:
    """The sentence with ticks around the module that names are to be imported from."""

    def tick(found: re.Match[str]) -> str:
        word = found["word"]
        return found[0] if not word or word.lower() in _ARTICLES | _SPOKEN else f"{found['before']}`{word}`"

    return _NEW_MODULE.sub(tick, text)
