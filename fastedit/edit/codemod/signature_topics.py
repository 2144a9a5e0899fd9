"""What concerns one parameter or a return type, in whatever order it is said: `p` of `f` -> optional, default
`3`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from tree_sitter import Node

from fastedit.edit.codemod.gist import GONE, Gist, Topic, lexicon, sure
from fastedit.edit.codemod.parameters import (
    Signature,
    signature_of,
    with_default,
    with_first_parameter,
    with_parameter,
    with_return,
    with_type,
    without_default,
    without_parameter,
    without_type,
)
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word

_OF = """parameter parameters params args signature list definition header function def method where keyword position"""
_CALLERS = """ callers call called calling pass passes passed passing possible able optional supply omit omitted skip if
    when not without force forced no nobody never everyone almost leave out has always if by"""
_FIRST = lexicon(
    "front before ahead first leading lead start begin beginning head prepend opening open 0 precede left"
)
_ADDED = Topic(
    "parameter parameters params args signature",
    may=_OF
    + """ last final end trailing tail append later callers able know not yet body stay
    nothing else only plumbing tag""",
)
_ADDED_FIRST = Topic(
    "parameter parameters params args signature take takes accept",
    _FIRST,
    may=_OF
    + """ before very other others everything else all as paren parenthesis after number second up callers not yet""",
)
_DROPPED = Topic(
    GONE | lexicon("no not without no-longer stop"),
    may=_OF
    + _CALLERS
    + """ any anymore shrink belong too still unused nothing among those its used uses use the rest other others""",
)
_SET_DEFAULT = Topic(
    "default defaults defaulting optional",
    may=_OF
    + _CALLERS
    + " value values instead-of instead last first mandatory required argument relax different anymore only",
)
_REMOVED_DEFAULT = Topic(
    GONE | lexicon("no not without no-longer required mandatory force explicitly stop"),
    "default defaults defaulting required mandatory optional",
    may=_OF
    + _CALLERS
    + " value any anything longer anymore bugs hides but keep callable tight only instead-of anyway",
)
_TYPE = """type types type-hint hint hints annotation annotate annotations annotated annotating typed typing retype
    unannotate untyped"""
_TYPED = Topic(
    _TYPE,
    may=_OF
    + """ behind after next always checker instead-of instead not yet no callers document keep leave rest
        alone any default nothing always can't infer trip untyped unannotated only isn't argument its
        because drop in-favour""",
)
_UNTYPED = Topic(
    GONE | lexicon("no not without no-longer stop unannotate untyped bare plain lose undo duck nothing"),
    _TYPE,
    may=_OF
    + """ any anything keep leave but its isn't always after colon comes name default again linter dislikes duck
    anymore""",
)
_RETURNS = Topic(
    "return returns returning result returned",
    _TYPE,
    may=_OF
    + """ behind after always checker instead-of instead not yet no nothing callers document keep leave rest alone
    body but end value side promise claims reality untyped only drop in-favour explicit""",
)


def signature_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the file has no such parameter."""
    return next((made for kind in _KINDS if (made := kind(text, source)) is not None), None)


def _name(word: Word) -> str:
    return word.text.removesuffix("()")


def _of_parameter(gist: Gist, source: Source) -> Iterator[tuple[Signature, Node, list[Word]]]:
    """The function and its parameter among what is mentioned, and what else there is, if it surely is
    code."""
    for function, parameter, *rest in permutations(gist.mentions):
        if not all(map(sure, rest)):
            continue
        found = signature_of(source, _name(function))
        at = found.parameter(_name(parameter)) if found else None
        if found is not None and at is not None:
            yield found, at, rest


def _of_function(gist: Gist, source: Source) -> Iterator[tuple[Signature, Word]]:
    for function, other in permutations(gist.mentions):
        if sure(other) and (found := signature_of(source, _name(function))):
            yield found, other


def _one(made: Iterator[Codemod | None]) -> Codemod | None:
    """What all ways to understand it come to; None where they differ."""
    found = {codemod for codemod in made if codemod is not None}
    return found.pop() if len(found) == 1 else None


def _added(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _ADDED.gists(text, source, 2):
            if gist.has(GONE) or gist.negates(lexicon("add have need pass")):
                continue
            for found, new in _of_function(gist, source):
                if new.quote == "`":
                    yield with_parameter(source, found, new.text)

    return _one(ways())


def _added_first(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _ADDED_FIRST.gists(text, source, 2):
            if gist.has(GONE - lexicon("off")) or gist.negates(_FIRST | lexicon("add have need pass")):
                continue
            for found, new in _of_function(gist, source):
                if new.quote == "`":
                    yield with_first_parameter(source, found, new.text)

    return _one(ways())


def _dropped(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _DROPPED.gists(text, source, 2):
            # What calls pass is another thing.
            if not gist.negates(GONE | lexicon("use")) and not gist.has(lexicon("call")):
                yield from (without_parameter(source, f, p) for f, p, _ in _of_parameter(gist, source))

    return _one(ways())


def _defaulted(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _SET_DEFAULT.gists(text, source, 3):
            if gist.negates(lexicon("default set change add give make")):
                continue
            for _, parameter, (value,) in _of_parameter(gist, source):
                yield with_default(source, parameter, value.text, value.literal)

    return _one(ways())


def _undefaulted(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _REMOVED_DEFAULT.gists(text, source, 2):
            if not gist.negates(GONE | lexicon("required mandatory require")):
                yield from (without_default(source, p) for _, p, _ in _of_parameter(gist, source))

    return _one(ways())


def _annotated(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _TYPED.gists(text, source, 3):
            if gist.negates(lexicon("annotate change add set declare have need get want")):
                continue
            if gist.has(lexicon("drop")) and not gist.has(lexicon("instead-of in-favour")):
                continue
            for _, parameter, (kind,) in _of_parameter(gist, source):
                yield with_type(source, parameter, kind.text)

    return _one(ways())


def _unannotated(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _UNTYPED.gists(text, source, 2):
            if not gist.negates(GONE | lexicon("unannotate untyped")):
                yield from (without_type(source, p) for _, p, _ in _of_parameter(gist, source))

    return _one(ways())


def _returned(text: str, source: Source) -> Codemod | None:
    def ways() -> Iterator[Codemod | None]:
        for gist in _RETURNS.gists(text, source, 2):
            if gist.negates(lexicon("annotate change add set declare have need get want")):
                continue
            if gist.has(lexicon("drop")) and not gist.has(lexicon("instead-of in-favour")):
                continue
            for found, kind in _of_function(gist, source):
                if not kind.text.startswith("@"):
                    yield with_return(source, found, kind.text, adding=gist.has(lexicon("add need lack")))

    return _one(ways())


_KINDS: tuple[Callable[[str, Source], Codemod | None], ...] = (
    _added_first,
    _added,
    _defaulted,
    _undefaulted,
    _annotated,
    _unannotated,
    _returned,
    _dropped,
)
