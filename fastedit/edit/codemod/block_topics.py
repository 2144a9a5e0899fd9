"""Statements that get a try or a with around them, or become an exception, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, lexicon
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.codemod.words import Word
from fastedit.edit.codemod.wrap import declares, statement, tried, wrapped
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation
from fastedit.edit.request import LineRange

_LINE = " line lines statement statements call block body code it this there"
_TRY = """try tried trying try/except try/catch try-except try-catch except-clause rescue swallow
    catch catches caught catching except excepts exception
    exceptions handle
    handles handled handling handler wrap wrapped guard protect surround raise raises raised throw throws thrown trap
    intercept fail fails attempt error errors blow safe shield risky escape"""
_WRAP = """ wrap surround enclose nest indent inside within under around in into a an and then on upon while with
    statement block clause branch whose that which does do doing just only simply where body below next if so
    should when whenever case event as by of for from raises raise raised throw thrown throws comes come out
    happens happen hits hit occurs occur lead leads react reaction respond response answer be is will might
    could may can sometimes often want we i up get gets got keep getting gives give us because failure
    failing failed fails end ends ending needed needs need belongs around cover covered stick move put sit
    run running runs execute executed mean means makes make sure prepared say says let here any new another
    anything whatever branch needs without isn't not yet unhandled uncaught don't let go front in-front
    loudly wrong goes something there no crash introduce result results itself being followed containing
    contain contains contained braces (error) except: try: as well block's -> its fallback recover swallow
    suppress ignore rescue tolerate safeguard secure defend cope deal encounter encounters trigger triggers
    against add one but handler produce produces crash crashes explode explodes anticipate expect potential
    possible possibly prone dangerous unsafe fragile robust resilient bare unprotected must surrounded
    surrounding enclosed enclosing nested contents goes place placed scope ready upon hits case give ends
    protect aside"""
# What catches what, a sentence of three mentions tells without a word for it.
_TRIED = Topic(may=f"{_TRY} {_LINE} {_WRAP}")
_CAUGHT = Topic(_TRY, may=_LINE + _WRAP)
_WITH = Topic(
    """wrap wrapping surround enclose nest indent inside within under around in into body context hold cover
    open contain content contents guard encapsulate embed bracket tuck envelop frame encase perform enter
    start block above before front needs run contains introduce scope protect shield span spans during""",
    may=_LINE
    + """ wrap wraps wrapped surround surrounds surrounded enclose encloses nest indent indented inside
        within under around in into a an and context manager statement block body run running runs happen
        happens execute executed perform carry out fresh new only own its just nothing else move put open
        opened start started before above front first level becomes keep guard means by of which whose
        contains contain hold encapsulate embed bracket tuck shift covers cover content turn rather than
        bare leave lines where they are other missing isn't not yet enter should has to needs be use one
        that so introduce as with single create stick place instead-of do cover wire scope managed manage
        acquire enters entering nested sit sits live lives guarded protect protected envelop frame encase
        encased surrounding contained deeper indentation goes go execution covered wrapping enclosing alone
        active let held
        single-statement only its as introduce""",
    never="replace replacement",
)
# That an exception is raised goes without saying.
_RAISED = Topic(
    may=_LINE
    + """ raise raises raised raising throw throws throwing thrown exception error fail instead-of instead
        rather than in place of not no but where now currently only spot stop drop silently replace replaced
        replacing swap swapped exchange substitute for by with change turn convert become becomes rewrite
        switch over remove get rid and that's better hides hide swallows swallow problem quiet error out
        favour favor have having doing signal failure an blow up loudly what went wrong bug goes unnoticed
        case callers know failed nuke ditch delete same passing pass bad put fit stead kill update over use
        at so as there's being into raise itself unnoticed with this over silent current currently too quiet
        fine otherwise abort aborts""",
)
# "Stop with it" raises it.
_STOPS = re.compile(r"\b(?:stop|quit|end|halt|crash|die)s?(?= with `)", re.IGNORECASE)
_ERROR = re.compile(
    r"(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception|Interrupt|Timeout|Exit)|Exception|StopIteration)"
)
_BARE = re.compile(
    rf"(?<![\w.`])(?:{_ERROR.pattern})(?![\w(])|(?<![\w`])(?:pass|continue)(?!\w)"
    r"|(?<![\w`])raise(?=[.!]?\s*\Z|[.;]\s| - )"
    r"|(?<![\w`])return (?:None|True|False|-?\d+|\[\]|\{\})(?![\w.(\[])"
)
# "Instead of returning None" speaks of the line.
_RETURNING = re.compile(
    r"(?<![\w`])returning (?P<value>None|True|False|-?\d[\d.]*|\[\]|\{\}|\"[^\"\n]*\"|'[^'\n]*')(?![\w.(])"
)
_LEAVE = re.compile(r"(?:pass|continue|break|raise(?: \w.*)?|return(?: .+)?)")
_CALL = re.compile(r"[\w.]+\(.*\)")
_SCRIPT_LEAVE = re.compile(r"(?:return\b.*|throw\b.*|[\w.]+\(.*\));?|continue;|break;")
_LEAVING = re.compile(r"(?:return\b.*|pass|continue|break)")
_RAISING = re.compile(rf"(?:raise )?{_ERROR.pattern}(?:\(.*\))?")
_WITHIN = re.compile(r"(?:async )?with\s+[^:]+?:?|with\s.+")
# "Throw it", "error out with it" put it there.
_LEADS_IN = lexicon("throw throwing out")
_TURNS = lexicon("replace swap exchange change turn convert switch rewrite")
_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})


def block_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or what is to be wrapped is no statement of one line."""
    if source.language in _SCRIPTS:
        return _CAUGHT.read(text, source, _caught, 2)
    if source.language != "python":
        return None
    made = _TRIED.read(_with_code_quoted(text), source, _excepted, 3)
    raised = _STOPS.sub("fail", _RETURNING.sub(lambda found: f"`return {found['value']}`", text))
    return made or _WITH.read(text, source, _within, 2) or _RAISED.read(raised, source, _raised, 2, 3)


def _with_code_quoted(text: str) -> str:
    """The sentence with ticks around exceptions and ways to leave that it names without."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else _BARE.sub(lambda m: f"`{m[0]}`", p) for p in pieces)


def _row(source: Source, word: Word) -> int | None:
    found = source.lines_like(word.text, source.scope) if word.quote else []
    return found[0] if len(found) == 1 else None


def _needless(gist: Gist) -> bool:
    # "No need to" is read as "no should".
    return not {("no", "need"), ("no", "should"), ("no", "reason")}.isdisjoint(pairwise(gist.stems))


def _excepted(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    said = set(gist.stems) - lexicon("yet")
    # "There is no try around it, add one"
    refused = _needless(gist) or (
        gist.negates(lexicon("try catch wrap guard")) and not gist.has(lexicon("add"))
    )
    # "Catch it, but do not `pass`"
    limited = "but" in said and not NEGATIONS.isdisjoint(said)
    if not NEGATIONS.isdisjoint(said - {"not", "no"}) or refused or limited:
        return
    for what, error, leave in permutations(gist.mentions):
        row = _row(source, what)
        fits = _ERROR.fullmatch(error.text) and (_LEAVE.fullmatch(leave.text) or _CALL.fullmatch(leave.text))
        # Of `pass` and a call, the call is what may fail.
        turned = _LEAVE.fullmatch(what.text) and not _LEAVE.fullmatch(leave.text)
        if row is None or not fits or turned or what.text == leave.text:
            continue
        node = statement(source, row)
        if node is not None:
            reasons = ("it stands in a try already",) if tried(node) else ()
            yield wrapped(source, row, "try:", (f"except {error.text}:", f"\t{leave.text}"), *reasons)


def _caught(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(lexicon("try catch wrap guard")) or _needless(gist):
        return
    for what, leave in permutations(gist.mentions):
        row = _row(source, what)
        if row is None or not leave.quote or not _SCRIPT_LEAVE.fullmatch(leave.text) or _row(source, leave):
            continue
        node = statement(source, row)
        if node is not None:
            doubts = {
                "it stands in a try already": tried(node),
                "what it declares is used below": declares(node),
            }
            reasons = holding(doubts)
            foot = ("} catch (error) {", f"\t{leave.text}", "}")
            yield wrapped(source, row, "try {", foot, *reasons)


def _within(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        gist.negates(
            lexicon("wrap put run use open move let span cover nest indent enclose surround have be")
        )
        or _needless(gist)
        or gist.has(GONE - lexicon("leave out off away"))
    ):
        return
    if "instead-of" in gist.stems and not gist.has(lexicon("bare")):
        return
    for what, head in permutations(gist.mentions):
        row = _row(source, what)
        if row is None or not head.quote or not _WITHIN.fullmatch(head.text) or what.text.startswith("with "):
            continue
        if source.lines_like(head.text, source.scope) or source.lines_like(f"{head.text}:", source.scope):
            continue
        if statement(source, row) is not None:
            yield wrapped(source, row, head.text.removesuffix(":") + ":", ())


def _raised(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    for function, what, error in _left_otherwise(gist, source):
        place = source.scope if function is None else LineRange(function.start, function.stop)
        rows = source.lines_like(what.text, place)
        if len(rows) != 1 or not _LEAVING.fullmatch(what.text) or not error.quote:
            continue
        at = gist.mentions.index(error)
        if not _RAISING.fullmatch(error.text) or _against(gist, at) or statement(source, rows[0]) is None:
            continue
        # "replace raising a by b", or what is raised already
        turned = at == 0 and not _TURNS.isdisjoint(gist.stems[: gist.places[0]])
        if turned or any(error.text in line for line in source.lines[place.start : place.stop]):
            continue
        put = error.text if error.text.startswith("raise ") else f"raise {error.text}"
        yield Codemod((Hunk(rows[0], rows[0] + 1, (indentation(source.lines[rows[0]]) + put,)),))


def _left_otherwise(gist: Gist, source: Source) -> Iterator[tuple[Definition | None, Word, Word]]:
    """The function where one is named, how it is left so far and the exception."""
    for *named, what, error in permutations(gist.mentions):
        function = source.only(named[0].name) if named else None
        if what.quote and (not named or (function is not None and function.kind in ("function", "method"))):
            yield function, what, error


def _against(gist: Gist, mention: int) -> bool:
    """Whether what is mentioned there is what shall not be."""
    before = set(gist.before(mention, 4))
    # "drop a in favour of b"
    if "instead-of" in before and mention and not GONE.isdisjoint(gist.before(0)):
        return False
    return not before.isdisjoint(NEGATIONS | (GONE - _LEADS_IN) | {"instead-of"})
