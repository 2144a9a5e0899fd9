"""Docstrings, decorators and visibility, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.gist import (
    GONE,
    NEGATIONS,
    Gist,
    Topic,
    first_read,
    first_spelled,
    lexicon,
)
from fastedit.edit.codemod.going import frees, goes_away, keeps
from fastedit.edit.codemod.head import decorated, decorators, documented
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.ticks import with_definition_ticked
from fastedit.edit.codemod.words import Word
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk

_OF = " function method def class signature definition header line body"
_UNWANTED = """ no not without no-longer stop any anymore only nothing but keep its begin start directly
    noise pointless useless instead-of rather all leave alone everything rest self-explanatory quotes triple
    quoted triple-quoted string documentation docs documenting document documents undocument literal repeats
    same other ones cleaner under below top one go goes between supposed works work around wanted serves there's
    longer after before precede stands described describes describing contents content i.e e.g outdated
    reads reading comment redundant empty needless"""
_DOCUMENTED = Topic(
    """docstring documentation document documented docs doc pydoc undocumented describe describes docstrings
    doc-string""",
    may=_OF
    + """ text string line at top start beginning first begin open under below header yet no not nobody no
        docstring short brief one-line triple-quoted one single summary as its exact along lines
        undocumented nothing people prepend supply by for help() pydocstyle append its what describe form
        carry in the missing a like linter complains about <- far contain contains containing content reading reads
        saying says lacks there's none without so describes explaining""",
    never="correct replace replacement signature",
)
_UNDOCUMENTED = Topic(
    """docstring docs documentation undocument docstring-free docstring-less triple-quoted quotes documents
    documenting literal""",
    GONE
    | lexicon(
        "no not without no-longer stop undocument docstring-free docstring-less go goes minus rather instead-of free"
    ),
    may=_OF + _UNWANTED + " name and else like helpers left minus has have gets is lose code itself",
)
# What begins with an "@" needs no word for it.
_DECORATED = Topic(
    may=_OF
    + """ decorator decorate decorated decorating annotation annotate add put mark stick on needs use apply above top
        before over directly yet not missing lacks no line own prefix prefixed precede preceded preceding <- stamp flag
        carry carries bear wrap atop ahead of with there's without onto equip -> want wants get gets own first be
        stand stands sit sits still""",
    never="replace replacement correct change type typed return returns instead instead-of",
)
_UNDECORATES = lexicon("undecorate undo unmark detach unapply unwrap undecorated un-decorate")
_UNDECORATED = Topic(
    GONE | _UNDECORATES | lexicon("no not without no-longer stop go goes free"),
    may=_OF
    + _UNWANTED
    + """ decorator decorators decorate decorated decorating annotation annotate annotated mark marked above from off
    head top on carry carries bear want wants need needs still""",
)
_DOCS = lexicon("documentation docs documenting document documents undocument docstring body")
# A docstring's text without quotes behind a colon: one sentence that neither tells what to do nor speaks of it.
_TEXT = re.compile(
    r"(?P<head>(?=[^:]*\b(?:[Dd]oc|[Uu]ndoc|[Pp]ydoc|[Dd]escribe|[Ee]xplain))[^:\n\"]*): "
    r"(?P<text>(?!(?:Please|It|There|This|That|We|You|I|Should|Must|Needs|Say|Mention|Use|See|Keep|Make|Try|Be|Do|No|Not"
    r"|Just|Only|The (?:doc|text))\b)"
    r"[A-Z](?!.*\bdoc(?:string|ument\b|umentation\b))(?:[^\"`'\n:;.?]|\.(?=\w))*\.?)\s*\Z"
)
_VISIBLE = Topic(
    "public private protected exported export",
    may=_OF + " visibility access level not yet instead-of modifier from declared declare its count exported",
    never="add",
)


def head_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or of what."""
    said = _TEXT.sub(r'\g<head>: "\g<text>"', text)
    return first_spelled(_read, source, said, with_definition_ticked(said, source))


def _read(text: str, source: Source) -> Codemod | None:
    return first_read(
        text,
        source,
        (_DOCUMENTED, _documented, (2,)),
        (_UNDOCUMENTED, _undocumented, (1,)),
        (_DECORATED, _decorated, (2,)),
        (_UNDECORATED, _undecorated, (2,)),
        (_VISIBLE, _visible, (1,)),
    )


def _only(gist: Gist, source: Source) -> Definition | None:
    return source.only(gist.mentions[0].name)


def _named(source: Source, word: Word) -> list[Definition]:
    return source.named(word.name)


def _documented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if source.language != "python" or gist.has(GONE) or gist.forbids:
        return
    for item, doc in permutations(gist.mentions):
        found = source.only(item.name)
        if "not" in gist.before(gist.mentions.index(doc), 1):
            continue
        if found is not None and doc.quote and source.only(doc.text) is None:
            yield documented(source, found, doc.text)


def _undocumented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    unwanted = gist.has(
        GONE | NEGATIONS | lexicon("minus undocument docstring-free docstring-less")
    ) or goes_away(gist)
    unwanted = unwanted or frees(gist)
    # "Delete `f` and its docstring"
    if ("and", "its") in pairwise(gist.stems) or keeps(gist) or not (unwanted or _not_with(gist)):
        return
    yield from (_without_docstring(source, item) for item in _named(source, gist.mentions[0]))


def _not_with(gist: Gist) -> bool:
    """Whether it is to begin "with its code rather than with a docstring"."""
    said = lexicon("docstring docs documentation")
    at = next((n for n, word in enumerate(gist.stems) if word == "instead-of"), len(gist.stems))
    return not said.isdisjoint(gist.stems[at : at + 4])


def _without_docstring(source: Source, item: Definition) -> Codemod | None:
    if source.language != "python" or source.syntax is None:
        return None
    for node in source.syntax.find("(block . (expression_statement (string)) @found)"):
        start, stop = source.syntax.rows(node)
        block = node.parent
        if (
            start == item.body
            and stop <= item.stop
            and block is not None
            and source.lines[start].strip()[:1] in "\"'rRuUbB"
        ):
            reasons = ("nothing is left of it",) if block.named_child_count == 1 else ()
            blank = stop < item.stop and not source.lines[stop].strip()
            return Codemod(
                (Hunk(start, stop, ()),), (*reasons, *(("a blank line follows",) if blank else ()))
            )
    return None


def _decorated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    refused = gist.negates(lexicon("add decorate put need use have mark carry want get"))
    # "There is no `@a` on it, add one"
    none = any(gist.before(n)[-1:] == ("no",) for n in range(2)) and gist.has(lexicon("add put give"))
    missing = none or gist.has(lexicon("yet miss missing lack"))
    if (
        source.language not in ("python", "java")
        or gist.has(GONE)
        or (refused and not missing)
        or (gist.has(NEGATIONS) and not missing)
    ):
        return
    for item, new in permutations(gist.mentions):
        found = source.only(item.name)
        if found is not None and new.text.startswith("@"):
            yield decorated(source, found, new.text)


def _undecorated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    wanted = gist.has(GONE | NEGATIONS | _UNDECORATES) or frees(gist) or goes_away(gist)
    refused = keeps(gist) or gist.negates(_UNDECORATES)
    if not wanted or refused or gist.has(_DOCS):
        return
    for item, old in permutations(gist.mentions):
        said = old.text.startswith("@") or gist.has(lexicon("decorator decorate annotation"))
        for found in _named(source, item):
            if said and len(rows := decorators(source, found, old.text)) == 1:
                yield Codemod((Hunk(rows[0], rows[0] + 1, ()),))


def _visible(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    item = _only(gist, source)
    new = [word for word in gist.stems if word in lexicon("public private protected exported export")]
    if (
        item is None
        or len(set(new)) != 1
        or (gist.has(NEGATIONS) and "yet" not in gist.stems and "but" not in gist.stems)
    ):
        return
    line, word = (
        source.lines[item.header],
        next(w for w in ("public", "private", "protected", "export") if stem_of(w) == new[0]),
    )
    if old := re.match(r"\s*(public|private|protected)\b", line):
        put = line.replace(old[1], word, 1) if word != "export" else line
    elif (
        source.language == "rust"
        and word == "public"
        and re.match(r"\s*(?:async |unsafe |const )*fn\b", line)
    ):
        put = re.sub(r"^(\s*)", r"\1pub ", line)
    elif (
        word == "export"
        and source.language in ("javascript", "typescript", "tsx")
        and re.match(r"(?:async )?function\b", line)
        # CommonJS has another way to do it.
        and not any(re.match(r"(?:module\.)?exports\b", other) for other in source.lines)
    ):
        put = "export " + line
    else:
        return
    if put != line:
        yield Codemod((Hunk(item.header, item.header + 1, (put,)),))


def stem_of(word: str) -> str:
    return next(iter(lexicon(word)))
