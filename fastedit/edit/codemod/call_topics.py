"""What a call passes, what it calls, await before it and f-strings, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations

from fastedit.edit.codemod.calls import (
    as_fstring,
    awaited,
    only_call,
    put_together,
    with_argument,
    with_callee,
    without_argument,
)
from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon, stem
from fastedit.edit.codemod.going import takes_out
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source

_CALL = """call calls called calling invoke invoked invoking invocation pass passes passed passing hand handed give feed
    supply send given"""
_ARGUMENT = """ parameter parameters args arguments list parentheses function where when whoever and not no gets without
    among besides between any what which anything everything"""
# With these a call gets something; of what is defined here they may say so as well.
_FORWARD = "augment supplement forward plug thread relay funnel pipe inject transmit deliver load"
_GIVING = lexicon(f"""{_FORWARD} + given pass passes passed passing hand handed give feed supply send provide
    expect expects getting receive
    wire include specify add added append parameter args arguments too also another additional addition
    extra further well missing lack lacks with extend among forgot complete need last end final belong""")
_PASSED = Topic(
    f"{_CALL} parameter args arguments provide expect expects getting receive wire among {_FORWARD}",
    _GIVING | lexicon("for"),
    may=_ARGUMENT
    + """ throw toss chuck through down tell told += list when is among belong goes after behind end ends final last
    trailing tack stick put top rest other
        others keep how existing (last) as on yet further""",
    never="""replace instead-of instead change rename default signature definition become swap place wrong
    no-longer stop back substitute exchange trade way""",
)
_TAKING = lexicon(
    f"{_CALL} parameter parameters args arguments get goes into need given take works with use from"
    " accept tolerate support want receive"
)
_LEAVES_OFF = (GONE - lexicon("leave")) | lexicon("stop quit cease avoid refrain omit")
_UNPASSED = Topic(
    GONE
    | lexicon(
        "no not without no-longer stop minus omit except many but nuke wrong shorten shouldn't go"
        " quit cease avoid refrain"
    ),
    _TAKING | lexicon("in : off"),
    may=_ARGUMENT
    + """ all any anymore away but contain keep everything except leave list lose many minus nuke other other rest
    shorten unnecessary reason receive want use used accept wanted belong superfluous others""",
    never="replace instead-of instead change rename default signature definition",
)
_CALLED = Topic(
    "call calls called calling callee invoke invoked invoking invocation function go",
    """instead-of instead not no-longer replace replaced change switch swap exchange redirect point turn
    convert should ditch gone deprecated stop substitute become becomes turns outdated obsolete legacy
    superseded route reroute delegate -> move update rather edit has wrong where want use but""",
    may=_ARGUMENT
    + """ but callee deprecated ditch drop in-favour gone leaving leave keep line same other redirect stop stay go goes
    exchange from to place site where with by one anymore off longer takes over and what how we really
    route reroute delegate so""",
    never="parameter add append insert rename name await before after too also only",
)
_AWAITED = Topic(
    "await awaits awaited awaiting",
    may="""call called calling asynchronous async coroutine awaitable promise became before front ahead of
        bug function keyword line never nobody no not without prefix prepend result return returns value
        runs run warning when instead-of where yet wait waits and become now but nothing forget forgets made
        single plain normal rather than simply at of""",
    never="remove drop delete unneeded mark declare",
)
_ASYNC = lexicon("async asynchronous coroutine become became definition")
_FSTRING = Topic(
    "f-string f-strings fstring fstrings f-stringify fstringify",
    may="""arguments args parameters function braces build built builds but corresponding days drop
        equivalent flags flag fold format formatting i.e i.e. inline instead-of instead interpolate
        interpolation linter migrate modernise modernize moved move no nowadays old-style old style outcome
        placeholder port prefer pyupgrade readability reformat result rid ruff same stays stay string
        strings swap syntax upgrade variables values where and literal prefer anymore directly out better
        convert job means get way nothing else predate predates days calls call percent concatenation shorter
        readable nicer plain real proper one should become through within give it""",
    never="not",
)
# What only a call has needs no word for one.
_NEEDS = Sentences(
    "{the}{function} [needs|should get|should have|gets|with|takes] {new:code}",
    "{the}{function} call [needs|should get|should have|gets|with|takes] {new:code}",
)
# "Call a instead of b" tells that "a" is a name, also where it stands without quotes.
_RECALLED = Sentences(
    "[call|invoke] {the}{new} [instead-of|and not|not] [calling|invoking|] {the}{old}{in}",
    "instead-of [calling|invoking|] {the}{old}[,|] [call|invoke] {the}{new}{in}",
    "[make|turn] [that|the|this] {old} call [into|] [a|one to|one of|a call to|a call of] {new}[ call|]{in}",
    "[make|turn] {the}call [to|of] {the}{old} [into |][a call|one] [to|of] {the}{new}{in}",
    "[migrate|port|move|switch|upgrade] [away |over |]from [calling |]{the}{old} to [calling |]{new}{in}",
    "[sub|substitute|swap|put|use] {new} [in for|in place of|in the place of|in the stead of] {the}{old} in the"
    " call{in}",
    "[sub|substitute|swap] {new} in for {the}{old}{in}",
    "prefer {new} [to|over] {old} [in|for] [that|the|this] call",
    "[migrate|port|redirect|reroute|point|repoint|retarget|divert] the {old} call [over |][to|at] {new}[ instead|]{in}",
    "[redirect|reroute|route|switch|point|repoint|retarget|divert] the call [to|of|from] {old} [over |][to|at]"
    " {new}[ instead|]{in}",
)
_SAME_ARGUMENTS = re.compile(
    r",? (?:with|keep|keeping) (?:the|all) (?:same )?(?:args|arguments|parameters)(?: as (?:they are|is|before)|"
    r" unchanged)?",
    re.IGNORECASE,
)
_KEYWORD = re.compile(r"[A-Za-z_]\w*=(?!=)")
_F = "[f-string|f-strings|fstring]"
_IN_PLACE = Sentences(
    f"use [a|an|] {_F} in {{place}}",
    f"[convert|turn|change|switch|rewrite] {{place}} [to|into] [a|an|] {_F}",
    f"[convert|turn|change|switch] {{the}}[string|message|text|formatting] in {{place}} [to|into] [a|an|] {_F}",
    f"[make|let] {{place}} use [a|an|] {_F}",
)
_FORBIDDEN = re.compile(r"\b(?:do|should|can|need) not (?:be )?await|\b(?<!is )(?<!get )never await")
# Right before these stands what is called so far.
_SO_FAR = lexicon("instead-of not no-longer stop")
_AROUND_NAME = lexicon("to the call calling invoke invoking a of function it")
_AWAY = frozenset({("go", "from"), ("go", "out"), ("go", "away")})
_INTO = frozenset({("go", "into"), ("go", "in"), ("go", "to")})
_TO_CALL = lexicon("of to into call calling called invoke")
_ABOUT_CALL = lexicon(_CALL)


def call_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open which call is meant, or it is made several times."""
    if source.syntax is None:
        return None
    text = _SAME_ARGUMENTS.sub(" in the call", text).replace(" `+=` ", " += ")
    for told in _NEEDS.read(text):
        function = told["function"].removesuffix("()")
        call = only_call(source, function) if _KEYWORD.match(told["new"]) and told.is_code("new") else None
        if call is not None and not source.named(function) and source.language == "python":
            return with_argument(source, call, told["new"], last=False)
    for told in _RECALLED.read(text):
        call = only_call(source, told["old"])
        if call is not None and "place" not in told.parts:
            old, new = (told[name].removesuffix("()") for name in ("old", "new"))
            return with_callee(source, call, old, new) if old != new else None
    for told in _IN_PLACE.read(text):
        found = _put_together_in(source, told["place"])
        if source.language == "python" and len(found) == 1:
            return as_fstring(source, found[0])
    return first_read(
        text.replace("`await`", "await"),
        source,
        (_FSTRING, _fstring, (1,)),
        (_AWAITED, _awaited, (1, 2)),
        (_PASSED, _passed, (2,)),
        (_UNPASSED, _unpassed, (2,)),
        (_CALLED, _called, (2,)),
    )


def _put_together_in(source: Source, name: str) -> list[str]:
    """The lines of a definition that put a text together."""
    place = source.place(name)
    rows = range(0) if place is None else range(place.start, place.stop)
    return [line.strip() for n in rows if any(put_together(line := source.lines[n]))]


def _fstring(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if source.language == "python" and gist.mentions[0].quote:
        yield as_fstring(source, gist.mentions[0].text)


def _awaited(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    said = [word for word in gist.mentions if word.text != "await"]
    # "A should await" says what it does itself.
    if _FORBIDDEN.search(" ".join(gist.stems)) or gist.stems[-2:] == ("should", "await"):
        return
    if len(said) != 1 or (call := only_call(source, said[0].text)) is None:
        return
    # A function that is defined here may be meant to become one that can be awaited.
    bare = "(" not in said[0].name
    if not (bare and source.named(said[0].name) and gist.has(_ASYNC)):
        yield awaited(source, call)


def _passed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if takes_out(gist, but="off out leave"):
        return
    # "Is not passed yet" tells what is missing.
    if "yet" not in gist.stems and gist.negates(lexicon("add append pass hand give")):
        return
    if gist.forbids or (gist.has(lexicon("put")) and gist.has(lexicon("where"))):
        return
    # "After a, wire in: b" hands over a line.
    if gist.stems[-2:] == (":", "") and gist.has(lexicon("after behind")):
        return
    # What "goes to" a function is passed; what only "goes" leaves or takes a place.
    if gist.stems.count("go") > len(_INTO.intersection(pairwise(gist.stems))):
        return
    # "a, not b" speaks of one in place of the other.
    if any(_so_far(gist.before(n)) for n in range(2)) and "get" not in gist.stems:
        return
    if "->" in gist.stems and not gist.has(lexicon("parameter args arguments pass")):
        return
    for at, other in ((0, 1), (1, 0)):
        function, new = gist.mentions[at], gist.mentions[other]
        # A bare "call" is the sentence's word, though the file may have a name that is spelled so.
        if not new.quote and stem(new.text) in _ABOUT_CALL:
            continue
        # What stands behind "to" or "of" is what is called.
        points = other == 0 and gist.stems[1] == "->" and "as" not in gist.stems
        if points or (_is_called(gist, other) and not _is_called(gist, at)):
            continue
        defined = source.named(function.name)
        call = (
            only_call(source, function.text)
            if _KEYWORD.match(new.text) or not new.text.endswith("()")
            else None
        )
        # Of a function that is defined here, it may be a parameter that is added.
        if call is None or (defined and not gist.has(_ABOUT_CALL)):
            continue
        # "x=1 for the call of a" needs no verb, where "b for the call of a" may be what is called.
        if not gist.has(_GIVING) and not _KEYWORD.match(new.text):
            continue
        spelled = new if new.literal is None else replace(new, text=new.literal)
        yield with_argument(source, call, spelled.text, gist.has(lexicon("last end final trailing append")))


def _is_called(gist: Gist, mention: int) -> bool:
    """Whether what stands right before it says that it is called: not "when a is called, x", nor "the a call, x"."""
    said = [word for word in gist.before(mention) if word not in ("the", "a")]
    if not said or said[-1] not in _TO_CALL:
        return False
    of_other = (mention > 0 and len(said) == 1) or said[-2:-1] in (["is"], ["be"])
    return said[-1] not in _ABOUT_CALL or not of_other


def _unpassed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    said = gist.has(
        GONE | NEGATIONS | lexicon("minus omit except many but wrong shorten quit cease avoid refrain")
    )
    # "x goes into the call" is no way out of it.
    if denies(gist, _LEAVES_OFF) or not (said or _goes_away(gist)):
        return
    # That it does not accept something may be a question, or be about to change.
    if gist.has(lexicon("accept tolerate support")) and not gist.has(GONE | lexicon("anymore no-longer")):
        return
    # "A is wrong in the call" does not tell what to do about it.
    if not gist.has(_TAKING) and not gist.has(GONE | lexicon("no no-longer without")):
        return
    for function, gone in permutations(gist.mentions):
        defined = source.named(function.name)
        call = only_call(source, function.text)
        if call is None or (defined and not gist.has(_ABOUT_CALL)):
            continue
        for text in {gone.text, gone.literal or gone.text}:
            yield without_argument(source, call, text)


def _goes_away(gist: Gist) -> bool:
    return gist.stems[-1] == "go" or not _AWAY.isdisjoint(pairwise(gist.stems))


def _called(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    instead = "instead-of" in gist.stems and gist.negates(lexicon("call called invoke use replace switch"))
    if instead or ("should", "keep") in pairwise(gist.stems):
        return
    for old, new in ((0, 1), (1, 0)):
        # What is said to be called no longer does not take the other's place.
        # "Drop a in favour of b" says it the other way round.
        if _so_far(gist.before(old if gist.has(lexicon("ditch drop")) else new)):
            continue
        # "Not call a with b" speaks of what it is passed.
        if (
            gist.before(new, 2)[-1:] == ("with",)
            and gist.before(new, 2) != ("go", "with")
            and not gist.has(lexicon("replace swap exchange substitute"))
        ):
            continue
        before, after = (gist.mentions[n].name for n in (old, new))
        call = only_call(source, before)
        if call is not None and before != after:
            yield with_callee(source, call, before, after)


def _so_far(before: tuple[str, ...]) -> bool:
    said = [word for word in before if word not in _AROUND_NAME]
    return bool(said) and said[-1] in _SO_FAR
