"""Conditions that change, and statements that get one or another branch, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.condition import (
    branch,
    changed,
    condition,
    conditions,
    extended,
    guarded,
    negated,
    with_else,
    without_branch,
)
from fastedit.edit.codemod.gist import NEGATIONS, Gist, Topic, first_read, lexicon
from fastedit.edit.codemod.order import exchanged
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source

_TEST = (
    " condition conditional check checks checking checked test tests tested testing if while branch statement"
)
_NEGATED = Topic(
    """negate negated negation negative invert inverted inverting inverse reverse reversed flip flipped opposite
    contrary untrue
    backwards false not round around about toggle toggled contradict complement polarity sense""",
    may=_TEST
    + """ swap substitute for its round way about wrong logic logical polarity sense around hold holds held
        case true exactly when does into the-other other where one instead instead-of go goes in there pass
        passes only taken want missing on else today got have has so very other upside down
        this that while""",
    never="add append insert also extend include when-not",
)
_OTHERS = Topic(
    _TEST,
    may=""" instead-of instead not no no-longer but drop stop never depend decide decision decisions base on at when
        where now what is currently old replaced overwrite other over swap exchange substitute out from bug use
        only any anymore by than wrong rewrite -> gets and for one ask asks to made make
        look looks hinge rely loop guard guarded protect protected gate gated""",
    never="add append insert extend include also too negate",
)
_EXTENDED = Topic(
    """add added append appended attach extend extended expand tack tacked stick put follow followed
    following continue end ends ending missing lack lacks need needs enough combine complete supplement
    suffix lengthen join beef wire insert additional another go belongs come comes give write besides keep
    leave one forgets supply should more also too yet check test broaden widen loosen relax narrow tighten
    restrict strengthen
    weaken qualify amend augment enrich pad complement +""",
    may=_TEST
    + """ after behind at by on onto not alone just only cover covers everything yet clause part trailing extra up
        too well also in into to go-on right directly stops does do as as-is it another so there with will end
        won't forget and but is stay where take takes stricter tighter narrower broader of make the no""",
    never="""before front start begin beginning top ahead first instead instead-of replace change above line
        body""",
)
_ELSE = Topic(
    "else otherwise else-branch else-clause",
    may=_TEST
    + """ add append attach tack extend case cases fallback other one only when does apply not no lack lacks missing
        follow followed follows block body clause containing contains consisting consist after go goes belonging
        fails fail comes run runs handled handle covers fall through via silently inside part do done if/else needs
        handle cases do and happens happen met true false out onto on in at the-else supply just that's by without
        introduce execute there under needs""",
    never="remove delete drop replace change before elif",
)
_GUARDED = Topic(
    _TEST
    + """ wrap wrapped only unless when guard guarded surround enclose nest gate restrict limit depend conditional
    bracket case provided subject precondition prerequisite require requires""",
    may=""" case run runs running ran execute executed happen happens inside within under around behind on
        do does doing after before first just always unconditionally unconditional otherwise skip not never
        no nothing reason stop block line statement body true holds hold protect indent tie be in with to
        and then as by that depends so it new own containing without wrong stick else being there moment at
        having put move false into go skip that's tests require requires carry carried out""",
    never="else else-branch against return early instead-of replace above below delete remove come",
)
# A condition may be told by one name that only it has.
_NAMED = Sentences("[flip|invert|negate|reverse] {the}{name} [check|condition|test]{in}")
_VERB = "[delete|remove|drop|get rid of|take out]"
_BRANCH = "{what=block|branch|check|guard|clause}"
_GONE = Sentences(
    f"{_VERB} {{the}}{{branch:code}} {_BRANCH}{{in}}",
    f"{_VERB} {{the}}if {{test:code}} {_BRANCH}{{in}}",
)
# What an "if" does where it does not hold.
_FAILING = Sentences(
    "[if|when|where|whenever|in case|should] {the}{branch:code} [check |test |condition |][fails|fail|is false|is not"
    " true|is not met|is not taken|is not the case|does not apply|does not hold|does not match|turns out false]"
    "[,|:|] [then |we |it |][do |run |execute |call |should |want |]{code:code}[ instead| should happen| should run"
    "| should be run| should be executed| should be done|]",
    "[for|in|at|with] {the}{branch:code}[,|:|] [handle|cover|treat] the [other|opposite|negative|false|remaining]"
    " case [with|by|as|:]"
    " [doing |running |calling |]{code:code}",
    "otherwise {code:code}[,|] [after|following|for|at|in] {the}{branch:code}",
    "[after|following|for|at|in] {the}{branch:code}[,|:|] otherwise [do |run |execute |]{code:code}",
)
_NOT_BEFORE = re.compile(
    r"\b(?:put|add|insert|place|stick|apply) (?:an? )?(?:logical )?(?P<quote>[`'\"]?)not(?P=quote) (?:right )?"
    r"(?:before|in front of|ahead of|to|around) ",
    re.IGNORECASE,
)
_NEED = lexicon("needed necessary required so helps desired wanted")
_GIVES = re.compile(r"[\w.\[\]]+\s*=(?!=)")
_ON_TOP = re.compile(r"\bon top of (?=[`'\"])", re.IGNORECASE)
# "No else yet", "no else so far, add one"
_SO_FAR_NONE = lexicon("yet far lack missing add give append put insert supply get have has")
_BEGINS = re.compile(r"(?:and|or)\s|(?:&&|\|\|)\s?")


def condition_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open which condition or statement is meant, or there are several ways to do it."""
    if source.syntax is None:
        return None
    text = (
        _ON_TOP.sub("besides ", _NOT_BEFORE.sub("negate ", text))
        .replace("`if`", "if")
        .replace("`else`", "else")
    )
    for told in _NAMED.read(text):
        place, name = source.place(told.get("place")), re.compile(rf"\b{re.escape(told['name'])}\b")
        rows = range(0) if place is None else range(place.start, place.stop)
        said = [test for test in sorted(conditions(source)) if name.search(test)]
        test = condition(source, said[0]) if len(said) == 1 else None
        put = negated(source, test) if test is not None and test.start_point.row in rows else None
        return changed(source, test, put) if test is not None and put is not None else None
    for told in _FAILING.read(text):
        head = branch(source, told["branch"])
        if head is not None and {"branch", "code"} <= told.quoted and branch(source, told["code"]) is None:
            return with_else(source, head, told["code"])
    for told in _GONE.read(text):
        if (made := _without_branch(told, source)) is not None:
            return made
    return first_read(
        text,
        source,
        (_EXTENDED, _extended, (2,)),
        (_NEGATED, _negated, (1, 2)),
        (_OTHERS, _changed, (2, 3)),
        (_ELSE, _with_else, (2,)),
        (_GUARDED, _guarded, (2,)),
    )


def _without_branch(told: Told, source: Source) -> Codemod | None:
    """A check or guard goes only where it does nothing but leave; else what hangs on it may be meant to stay."""
    place, test = source.place(told.get("place")), told.get("test")
    said = [told["branch"]] if test is None else [f"if {test}", f"if ({test})"]
    found = [node for text in said if text.startswith("if ") and (node := branch(source, text)) is not None]
    if place is None or len(found) != 1 or not place.start <= found[0].start_point.row < place.stop:
        return None
    return without_branch(source, found[0], leaving=told["what"].lower() in ("check", "guard", "clause"))


def _negated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    turns = lexicon(
        "negate negated negation negative invert inverted inverse reverse reversed flip opposite contrary backwards"
        " toggle toggled contradict complement"
    )
    said = " ".join(stem or "_" for stem in gist.stems)
    if _hedges(gist) or ("if", "it") in pairwise(gist.stems):
        return
    if gist.negates(turns) or not (gist.has(turns) or _FAILS.search(said)):
        return
    one = gist.mentions[0].quote and len({word.text for word in gist.mentions}) == 1
    test = condition(source, gist.mentions[0].text) if one else None
    put = None if test is None else negated(source, test)
    if test is not None and put is not None:
        yield changed(source, test, put)


_FAILS = re.compile(
    r"(?:check that|ensur) _ is not the cas|(?:that|when|ensur) _ do\w* not hold|that _ is untru|when _ is fals"
    r"|turn (?:the )?(?:\w+ )?_ (?:around|round|upsid down)|turn (?:around|round) (?:the )?(?:\w+ )?_"
    r"|(?:other|wrong) way (?:round|around|about)|(?:wrong|opposit) polarit|polarity of _ is wrong|swap (?:the )?sens"
)


def _changed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.stems[0] == "never":
        return
    ways = list(exchanged(gist, source))
    for old, new, place in ways:
        # What is a condition already may be what is to go as well, unless the words tell.
        open_ = len(ways) > 1 and new.text in conditions(source)
        if not (old.quote and new.quote) or _BEGINS.match(new.text) or open_:
            continue
        test = condition(source, old.text)
        if test is not None and place.start <= test.start_point.row < place.stop:
            yield changed(source, test, new.text)


def _extended(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(lexicon("add append extend attach put insert")) or _unwanted(gist):
        return
    for old, more in permutations(gist.mentions):
        if old.quote and more.quote and _BEGINS.match(more.text):
            test = condition(source, old.text)
            if test is not None:
                yield extended(source, test, more.text)


def _unwanted(gist: Gist) -> bool:
    """Whether "no" says more than that the condition has none of it so far: "no need for it", "there should be no"."""
    return "no" in gist.stems and ("yet" not in gist.stems or gist.has(lexicon("need reason should")))


def _with_else(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(lexicon("add append do")) or not gist.has(lexicon("else else-branch else-clause")):
        return
    if "no" in gist.stems and not gist.has(_SO_FAR_NONE):
        return
    for head, code in permutations(gist.mentions):
        found = branch(source, head.text) if head.quote and code.quote else None
        if found is not None and re.search(r"\W|\Areturn\Z", code.text) and branch(source, code.text) is None:
            yield with_else(source, found, code.text)


def _hedges(gist: Gist) -> bool:
    """Whether "if needed" and the like leave it open what is to be done."""
    return any(word == "if" and behind in _NEED for word, behind in pairwise(gist.stems))


def _guarded(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if not _when_true(gist) or _hedges(gist):
        return
    for line, test in permutations(gist.mentions):
        rows = source.lines_like(line.text, source.scope) if line.quote and test.quote else []
        handed = gist.has(lexicon("insert add append")) and gist.before(gist.mentions.index(test), 1) == (
            ":",
        )
        # "Insert after a: `x = 1` if needed" tells no condition.
        if handed:
            continue
        if len(rows) == 1 and not source.lines_like(test.text, source.scope) and not _GIVES.match(test.text):
            yield guarded(source, rows[0], test.text)


def _when_true(gist: Gist) -> bool:
    """Whether the statement is to run where the condition holds: "not unless", "only if", not "skip if"."""
    stems = list(gist.stems)
    refused = [n for n, stem in enumerate(stems) if stem in NEGATIONS | lexicon("skip stop never")]
    if gist.has(lexicon("unless")):
        return bool(refused)
    # "Do not run a if not b"
    if ("if", "not") in pairwise(stems) or ("when", "not") in pairwise(stems):
        return "do" in stems and len(refused) == 2 and refused[0] == stems.index("do") + 1
    otherwise = next((n for n, stem in enumerate(stems) if stem in lexicon("otherwise")), len(stems))
    always = gist.has(lexicon("unconditionally wrong always without"))
    return not refused or always or all(n > otherwise - 3 for n in refused)
