"""The types of parameters and what functions return, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, first_spelled, lexicon, stem
from fastedit.edit.codemod.going import goes_away
from fastedit.edit.codemod.parameters import with_return, with_type, without_type
from fastedit.edit.codemod.signature_words import (
    of_function,
    of_parameter,
    with_names_ticked,
    with_types_ticked,
)
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.types import is_type, looks_like_type, names_type
from fastedit.edit.codemod.words import Word

_OF = """parameter parameters params args arguments signature list definition header function def method where keyword
    position name defined"""
_TYPE = """type types type-hint hint hints annotation annotate annotations annotated annotating typed typing retype
    unannotate untyped unannotated re-annotate reannotate re-type re-annotated type-annotate type-annotated
    type-hinted typehinted hinted hinting return-annotated return-typed"""
# What people say around a type: why it is to be another, and where it goes.
_SAID = """ behind after next beside always checker instead-of instead not yet no callers caller document keep leave
    rest alone any anything default nothing only isn't its but tighten namely introduce tag mark stale outdated dated
    exchange swap trade switch over present promise promised promises promising reality line back drop in-favour
    favour redeclare redeclared declaration carry carries bear bears claim claims follow follows wants far nobody
    says there's and without none move migrate pass passes passing see
    lose no-longer longer anymore lie lies side body end value one rather ditch still hitherto previously while
    opposed up bump current widen narrow loosen relax broaden restrict generalise generalize specialise these days
    like reader readers"""
_TYPED = Topic(_TYPE, may=_OF + _SAID + " can't infer trip argument because colon")
# What looks like a type needs no word for it.
_DECLARED = Topic(
    """declare declared declares mark marked tag tagged spell spells spelled spelt spelling state stated
    stating announce
    announced express specify specified say says signature definition header takes
    take accept accepts always wants expects promise a an pass passing turn make redeclare redeclared have
    explicit""",
    may=_OF + _SAID + " can't infer argument because that's",
    never="default value return add append insert drop swap end replace switch",
)
# What is said of a default or a name just as well: the type has to be one for sure.
_BECOMES = Topic(
    "becomes become now over narrow widen loosen tighten relax broaden restrict let",
    may=_OF + _SAID + " from on down onto to as be is",
    never="default value return returns add append insert drop replace rename",
)
# "add : `int` behind `size`", "add `: int` to it"
_COLON = re.compile(
    r"(?P<verb>\b(?:add|put|append|insert|stick|write|attach|tack)\s+)(?:: `|`: )(?P<kind>[^`]+`)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?P<signature>\bsignature\b.*\bends? (?:in|with) (?:an? )?)(?P<kind>`[^`]+`)")
_GOES = lexicon("go goes")
_UNDOES = lexicon("unannotate untyped un-annotate deannotate de-annotate untype un-type unhint")
_UNWANTED = (
    GONE
    | _UNDOES
    | lexicon(
        "no not without no-longer stop unannotated bare plain lose undo duck nothing revert any detach empty"
    )
)
_UNTYPED = Topic(
    _UNWANTED | _GOES,
    _UNDOES | lexicon(_TYPE),
    may=_OF
    + """ any anything keep leave leaving but its isn't always after colon comes name default again linter dislikes
    duck anymore behind carry carries including whatever misleading want wants far back still alone bare one that's
    longer accept and""",
)
_RETURN = """arrow return-annotated return-typed return returns returning result returned back produces yields outcome
    output"""
_RETURNS = Topic(_RETURN, _TYPE, may=_OF + _SAID + " untyped explicit expect read")
_RETURNS_DECLARED = Topic(
    _RETURN,
    """declare declared declares mark marked tag specify say says signature definition header explicit claim claims
    promise promises announce -> state states declaration
    redeclare redeclared arrow mypy pyright""",
    may=_OF + _SAID + " expect read",
    never="add append insert drop",
)
# "Add -> `str` to `load`" needs no word for what it is.
_ARROWED = Topic(
    """add put append annotate annotated annotation give stick tack need needs missing lack lacks want wants mark
    carry attach end ends""",
    may=_OF + _SAID + " should ->",
)
_REFUSED = lexicon(
    """annotate change add set declare have need get want put write mark tag specify introduce retype carry make
    stick tack give attach document"""
)
# "callers can't see what it returns", "it doesn't have a type": how things are.
_FACTS = frozenset({("doe", "not"), ("can", "not")})
_DROPPED = lexicon("drop ditch")
_INSTEAD = lexicon("instead-of in-favour favour")
_BETTER = _INSTEAD | lexicon("but rather")
_FORBIDS = frozenset({("do", "not"), ("should", "not"), ("not", stem("sure"))})
_MORE = lexicon("pass move carry drop take make give add use document mark tag keep")


def annotation_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the file has no such parameter or function."""
    typed = with_types_ticked(_with_signs_said(text))
    return first_spelled(_read, source, text, typed, with_names_ticked(typed, source))


def _with_signs_said(text: str) -> str:
    """With words for the colon before a type and for what a signature ends in."""

    def ended(found: re.Match[str]) -> str:
        kind = found["kind"]
        return f"{found['signature']}the return type {kind}" if looks_like_type(kind.strip("`")) else found[0]

    text = re.sub(r"(?<!`)-> None(?![\w`])", "-> `None`", text)
    return _ENDS.sub(ended, _COLON.sub(r"\g<verb>the type `\g<kind>", text))


def _read(text: str, source: Source) -> Codemod | None:
    return first_read(
        text,
        source,
        (_TYPED, _annotated, (3,)),
        (_DECLARED, _declared, (3,)),
        (_BECOMES, _becomes, (3,)),
        (_UNTYPED, _unannotated, (2,)),
        (_RETURNS, _returned, (2,)),
        (_RETURNS_DECLARED, _return_declared, (2,)),
        (_ARROWED, _arrowed, (2,)),
    )


def _refused(gist: Gist) -> bool:
    """Whether it says what is not to be and nothing that is better, or asks for more behind an "and"."""
    pairs = set(pairwise(gist.stems))
    forbids = "never" in gist.stems or (not _FORBIDS.isdisjoint(pairs) and not gist.has(_BETTER))
    if forbids or (gist.negates(_REFUSED) and _FACTS.isdisjoint(pairs)):
        return True
    behind = gist.stems[gist.stems.index("and") + 1 :] if "and" in gist.stems else ("",)
    return ("" not in behind and not _MORE.isdisjoint(behind)) or (
        gist.has(_DROPPED) and not gist.has(_INSTEAD)
    )


def _wanted(gist: Gist, kind: Word) -> bool:
    """Whether it is not what something is said not to be."""
    return "not" not in gist.before(gist.mentions.index(kind), 2)


def _annotated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if not _refused(gist):
        for _, parameter, (kind,) in of_parameter(gist, source):
            if _wanted(gist, kind):
                yield with_type(source, parameter, kind.text)


def _declared(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if not _refused(gist):
        for _, parameter, (kind,) in of_parameter(gist, source):
            if looks_like_type(kind.text) and _wanted(gist, kind):
                yield with_type(source, parameter, kind.text)


def _becomes(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if not _refused(gist) and not gist.has(NEGATIONS):
        for _, parameter, (kind,) in of_parameter(gist, source):
            known = names_type(kind.text) or (looks_like_type(kind.text) and is_type(source, kind.text))
            # Where it has none so far, something else may become of it.
            typed = parameter.child_by_field_name("type") is not None
            if (
                known
                and typed
                and gist.mentions.index(kind)
                and parameter.child_by_field_name("value") is None
            ):
                yield with_type(source, parameter, kind.text)


def _unannotated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "Go" alone may lead elsewhere.
    leads = gist.has(_GOES) and not (goes_away(gist) or gist.has(_UNWANTED))
    if not leads and not gist.negates(GONE | _GOES | _UNDOES):
        yield from (without_type(source, parameter) for _, parameter, _ in of_parameter(gist, source))


def _returned(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if _refused(gist):
        return
    for found, kind in of_function(gist, source):
        if not kind.text.startswith("@"):
            text = kind.text.removeprefix("->").strip()
            yield with_return(source, found, text, adding=gist.has(lexicon("add need lack")))


def _arrowed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    pointed = (
        (looks_like_type(word.text) or word.text.removeprefix("->").strip() == "None")
        and (word.text.startswith("->") or gist.before(at)[-1:] == ("->",))
        for at, word in enumerate(gist.mentions)
    )
    if any(pointed) and not gist.has(GONE):
        yield from _returned(gist, source)


def _return_declared(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if all(looks_like_type(kind.text) for _, kind in of_function(gist, source)):
        yield from _returned(gist, source)
