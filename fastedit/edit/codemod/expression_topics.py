"""Expressions and operators in place of others, and expressions that get a name, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.assign import values
from fastedit.edit.codemod.extract import extracted
from fastedit.edit.codemod.gist import FILLER, Gist, Topic, first_read, lexicon, stem, sure
from fastedit.edit.codemod.operators import OPERATORS, rows_with, with_operator
from fastedit.edit.codemod.order import exchanged, ordered
from fastedit.edit.codemod.replace import is_foreign
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_EXTRACTED = Topic(
    """assign bind declare variable local extract hoist factor name first before beforehand earlier capture stash
    pull break lift split define store save""",
    may=""" out into onto up lift break split separate own new named called call holding hold holds holder with value
        where be just above below directly right-before inline instead-of in by introduced declared define defined
        ahead front save saved store stored bind binding use used uses using then and line lines statement
        expression one that refer hard readability putting don't not never that's earlier end through prior need
        gets set = needs : then intermediate temporary temp helper deserves write keep let's first stop bit do
        directly swap move of its extract pulled pulling assigned on introduce ought before no have make local
        should get as wants take at instead compute computed""",
    never="rename type parameter attribute field class import function delete remove constant everywhere",
)
_OPERATOR = Topic(
    may=""" operator operators operand operands sign both sides side between swap flip with but not by there
        in from off wrong bug line over drop favour use using uses says say them same at leave rest where
        work don't no exchange never only and comparison that's than when anymore move other than one out by
        stands now reads on instead-of has been we're swap do its turn
        keep keeps have put ought an right as their""",
    never="add append insert include extend before after remove delete also too",
)
# What is compared less strictly so far needs no naming.
_LOOSE = {"===": "==", "!==": "!="}
_STRICTER = Sentences(
    "use {new:code} [there|here|instead|for the comparison|]{in}", "[should be|make it] {new:code}{in}"
)
_CALLED_OPERATOR = lexicon("operator sign comparison")
_EXPLICIT = lexicon(
    """instead-of instead replace substitute swap exchange convert turn trade switch rather than where not
    stop take drop     favour favor rewrite overwrite place stead sub typo misspelling"""
)
_EXCHANGED = Topic(
    _EXPLICIT
    | lexicon(
        """change become becomes correct fix should make update modify edit meant want -> reword rephrase
        phrase wording text words say says read reads move replacement substitution mean right currently
        formulate spell let no no-longer way prefer => old agree take put amend emend typo misspelling
        misspelt misspelled mistyped patch"""
    ),
    may=""" by in over out and but no not only no-longer longer anymore any from up bug mistake outdated wrong with
        expression value literal string message odd sounds better there's when everything same stays except goes
        stands now using used use stand swap bit old new so far where sits agreed took find fix take taking trade
        turn phrasing rest wrote write written don't never rid called call it's at was been that's text's term
        sentence says give gives of put""",
    never="""add append insert include extend join attach also too well name rename named before after above
        below condition variable type parameter apply assign bring belong pass expose feed hand supply equip
        key entry comment import""",
)
# A new name that stands without quotes is no word that a sentence about something else would have there.
_VARIABLE = "[a |an |its own |the |][new |local |separate |named |][local |][variable|constant|name|local]"
_VARIABLE_SAID = "[a |an |its own |the |][new |local |separate |][local|variable|constant|local variable]"
_USED = " and use [that|it|this|the variable|the name|that name][ there| instead| from there on|]"
_BARE_NAME = Sentences(
    f"[extract|hoist|factor|move|put|store|save|keep|lift|split|capture|bind|turn|make|assign|break|pull|cache|stash|park]"
    " {code:code}"
    f" [out |off |][into |in |to |as |]{_VARIABLE}[,| named| called| of the name|:|] {{name}}"
    "[ first| first, then use that name| and use that| and use it| and use that there| and use it there|]",
    f"{{code:code}} [should|ought to|could|may] [live|go|sit|be kept|be stored|be held|be saved|be put|be] [in|into|as]"
    f" {_VARIABLE_SAID}[ called| named|] {{name}}",
    "{code:code} should be [computed|called|evaluated|calculated|taken] [first|before|beforehand|earlier]"
    " and [kept|stored|held|saved|put] in {name}",
    "[extract|hoist|factor out|pull out|lift] {code:code} [out |][as|under the name|under the name of] {name}",
    f"{{code:code}} -> {_VARIABLE_SAID}[ called| named|] {{name}}",
    f"let {{name}} [hold|store|keep|carry|contain] {{code:code}}{_USED}",
    "give {code:code} a name[,|:|] {name}",
    f"[introduce|create|declare|use|add] {_VARIABLE} [named |called |]{{name}}"
    f" [for|that holds|which holds|holding|to hold|containing|with the value] {{code:code}}[{_USED}|]",
    "[extract|hoist|factor out|pull out] {code:code}[,|] [and |][name|call] it {name}",
)
_NUMBER = re.compile(r"-?\d[\w.]*")
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+")
_VALUE = re.compile(r"-?\d|[\"'\[{(]|(?:true|false|none|null|nil)\b", re.IGNORECASE)
# What something becomes that stays what it is.
_STATES = frozenset(
    """async asynchronous await awaited static public private protected final abstract const constant readonly optional
    required lazy cached nullable gone commented negated sync synchronous""".split()  # noqa: SIM905
)
# What goes behind a condition takes no place.
_JOINS = re.compile(r"(?:and|or)\s|&&|\|\|")
_READS = lexicon("become becomes read reads say says -> => wrong new old fix correct")
_HOLDS = lexicon("hold holds contain keep store carry")
_DECLARES = lexicon("declare define introduce")
_PUT_IN = lexicon("put write insert place apply give")


def expression_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or it does not stand in one place."""
    for told in _BARE_NAME.read(text):
        named = _NAME.fullmatch(told["name"]) and told["name"] not in source.vocabulary
        if named and stem(told["name"]) not in FILLER and told.is_code("code"):
            return extracted(source, told["code"], told["name"])
    for told in _STRICTER.read(text):
        place = source.place(told.get("place"))
        old = _LOOSE.get(told["new"])
        rows = [] if place is None or old is None else rows_with(source, old, place)
        if len(rows) == 1:
            return with_operator(source, rows[0], old, told["new"])
    return first_read(
        text.replace(" stand in for ", " instead of "),
        source,
        (_OPERATOR, _with_operator, (2, 3)),
        (_EXTRACTED, _extracted, (2, 3)),
        (_EXCHANGED, _exchanged, (2, 3)),
    )


def _with_operator(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    numbers = range(len(gist.mentions))
    signs = [n for n in numbers if gist.mentions[n].text in OPERATORS and gist.mentions[n].quote]
    lines = [n for n in numbers if n not in signs]
    rows = source.lines_like(gist.mentions[lines[0]].text, source.scope) if len(lines) == 1 else []
    if len(rows) != 1 or gist.negates(lexicon("change replace swap flip switch turn")):
        return
    if "instead-of" in gist.stems and gist.negates(lexicon("use")):
        return
    if len(signs) == 2:
        for old, new in ordered(gist, *signs):
            yield with_operator(source, rows[0], gist.mentions[old].text, gist.mentions[new].text)
    elif gist.has(_CALLED_OPERATOR) and "not" not in gist.stems:
        yield with_operator(source, rows[0], None, gist.mentions[signs[0]].text)


def _extracted(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    said = {word.text: word for word in gist.mentions}
    if ("no", stem("variable")) in pairwise(gist.stems):
        return
    if len(said) != 2 or gist.negates(lexicon("extract introduce add declare create use make put store")):
        return
    out_into = gist.has(lexicon("out")) and gist.has(lexicon("into to as"))
    first = gist.has(lexicon("first beforehand earlier")) and gist.has(lexicon("keep store save hold stash"))
    if not (out_into or first) and not gist.has(
        lexicon("variable local extract hoist use used name stored above before declare bind capture stash")
    ):
        return
    for code, name in permutations(said.values()):
        if gist.before(gist.mentions.index(name), 1) == ("from",):
            continue
        if sure(code) and _NAME.fullmatch(name.text) and name.text not in source.vocabulary:
            yield extracted(source, code.text, name.text)


def _takes_from(gist: Gist) -> bool:
    """Whether one goes from out of the other: "drop a from b"."""
    return (
        gist.has(lexicon("take drop stop rid"))
        and gist.before(1, 1) in (("from",), ("of",))
        and len(gist.before(1)) == 1
    )


def _exchanged(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    both = gist.has(lexicon("swap exchange switch trade")) and gist.has(lexicon("with"))
    out_into = gist.has(lexicon("out")) and gist.has(lexicon("into"))
    if (
        both
        or out_into
        or _names(gist)
        or _takes_from(gist)
        or ("next", "to") in pairwise(gist.stems)
        or _inside(gist)
        or gist.negates(lexicon("replace change swap turn exchange substitute need take give become"))
    ):
        return
    ways = list(exchanged(gist, source))
    for old, new, place in ways:
        foreign = not new.quote and is_foreign(source, new.text)
        if (
            not (sure(old) and sure(new))
            or foreign
            or _JOINS.match(new.text)
            or not _comparable(gist, source, old, new)
        ):
            continue
        pattern = whole_word(old.text)
        rows = [n for n in range(place.start, place.stop) for _ in pattern.findall(source.lines[n])]
        # What is in the file already may be what goes as well, unless the words tell.
        if len(rows) != 1 or (len(ways) > 1 and _stands(source, new.text)):
            continue
        line = source.lines[rows[0]]
        if _NUMBER.fullmatch(old.text) and re.search(rf"[.$]{pattern.pattern}|{pattern.pattern}\.", line):
            continue
        # What is handed over for a whole line is read elsewhere.
        whole = line.strip().rstrip(";") == old.text.rstrip(";")
        if not whole or not (source.opens(rows[0]) or ":" in gist.before(1, 1)):
            put = pattern.sub(new.text.replace("\\", r"\\"), line)
            yield Codemod((Hunk(rows[0], rows[0] + 1, (put,)),))


def _names(gist: Gist) -> bool:
    """Whether a name is said to be given: "let a hold b", "declare a for b and use it instead"."""
    return (gist.has(lexicon("let")) and gist.has(_HOLDS)) or gist.has(_DECLARES)


def _inside(gist: Gist) -> bool:
    """Whether one of the two is to stand within the other: not "put a in b's place"."""
    within = gist.before(1, 1) in (("in",), (stem("inside"),), ("within",), ("on",))
    return len(gist.mentions) == 2 and within and stem("place") not in gist.stems[gist.places[1] :]


def _comparable(gist: Gist, source: Source, old: Word, new: Word) -> bool:
    """Whether one can take the place of the other as it is written: no name that a value, a type or a modifier is
    said of.
    """
    if {old.quote, new.quote} - {"`", ""} and old.quote != new.quote:
        return False
    if old.text in OPERATORS and new.text not in OPERATORS:
        return False
    if old.quote in ("'", '"'):
        return True
    if _NAME.fullmatch(old.text) or (gist.has(_PUT_IN) and gist.has(lexicon("into"))):
        return False
    if _DOTTED.fullmatch(old.text) and _VALUE.match(new.text):
        # "a.b should be 5" speaks of what it is given, where it is given something.
        return gist.has(_EXPLICIT) or (gist.has(_READS) and not any(values(source, old.text, source.scope)))
    worded = _NAME.fullmatch(new.text) is not None and not _NUMBER.fullmatch(old.text)
    named = (
        gist.has(_READS)
        and new.quote == "`"
        and new.text not in _STATES
        and re.search(r"\w[.(]\w", old.text) is not None
    )
    return not worded or named or gist.has(_EXPLICIT) or old.text[0] in "\"'"


def _stands(source: Source, text: str) -> bool:
    pattern = whole_word(text)
    return any(text in line and pattern.search(line) for line in source.lines)
