"""Comments that come and go, code that becomes one and comments that become code again, in whatever order it
is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.comment import SIGNS
from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon, stem
from fastedit.edit.codemod.line_topics import places
from fastedit.edit.codemod.order import contradicts
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation
from fastedit.edit.request import LineRange


def _phrases(*said: str) -> frozenset[tuple[str, ...]]:
    """Words next to each other, by their stems."""
    return frozenset(tuple(map(stem, phrase.split())) for phrase in said)


# A sign of its own in quotes is no code.
_SIGN = re.compile(
    r"(?P<quote>[`'\"])(?:#|//)(?P=quote)|(?<=\ba )(?:#|//)(?= (?:before|in front of|ahead of)\b)"
)
_LINE = " line lines statement marker sign prefix mark"
_OUT = Topic(
    "comment comment-out commented commenting sign out-comment outcomment",
    may=_LINE
    + """ out disable disabled disabling silence mute inactive active temporarily deactivate switch off not any run
        running runs must prefix does stop executed action keep deleted delete remove removing removed but only
        instead-of park around front before hide from compiler interpreter parser ineffective neutralize render
        knock leave text live convert might back later anymore debug while for until further notice one rather-than
        preserve breaks what happens without so that instead wrap wrapped behind real nobody depends longer now
        knock render parked shut sign go ahead says and away silence silenced mask masked stash quiet
        trouble problem problems cause causes causing break""",
    never="add:none again say read reads says",
)
_IN = lexicon(
    """uncomment uncommenting decomment decommented commented commented-out commenting marker sign prefix
    mark again live activate
    reactivate active un-comment un-commented reenable re-enable re-activate resurrect unmute life"""
)
_PREFIXES = lexicon("put prefix stick place insert add prepend")
_LIFTS = lexicon("lift free restore strip revive undo instead-of go")
_AGAIN = lexicon("uncomment uncommented un-comment again commented-out reactivate reenable re-enable life")
_REVIVES = lexicon(
    """uncomment uncommenting un-comment reenable re-enable reactivate re-activate resurrect revive restore enable
    activate
    unmute run bring"""
)
_UNCOMMENTED = Topic(
    """comment commented commented-out commenting uncomment uncommented uncommenting decomment decommented code sign
    marker live un-comment un-commented reenable re-enable re-activate reactivate resurrect revive unmute life run
    runs restore""",
    _IN | _LIFTS | lexicon("not no-longer into code undo out"),
    may=_LINE
    + """ not no-longer longer any anymore out again back into code real live active run runs instead-of instead
        bring strip take off from before front drop remove delete lift lose undo revert restore service reactivate
        activate enable enabled re-enable disabled stop but keep only just long enough convert promote free effect
        actual switch revive by it works turn needed which was said time we can and if see a be must some reason
        now become wake alive effective hash slash slashes leading character characters in nuke own dead needs
        required comment-out undone let want commented-out is life go""",
)
_COMMENTED = Topic(
    "comment comments note above before over preceding precede ahead top preface prefix own head",
    may=_LINE
    + """ above before over preceding precede precedes preceded top ahead front directly own heading leading
        separate reader drop leave throw in"""
    """ explain explained unexplained undocumented obscure opaque cryptic describe document annotate not yet
    no behind same indentation people what about
        saying says one so know goes in that""",
    never="replace replacement change correct",
)
_TRAILED = Topic(
    """tack extend still end trailing trail same inline behind end-of-line line-end suffix append after tail carry
        right line onto beside next bear""",
    may=_LINE
    + """ comment comments annotate its own the on right next after not new tacked finish flag without following to
        end of line leave as code by comes gets needs that there drop but carry onto beside off wants still at and
        with""",
    never="replace replacement change correct",
)
_POINTLESS = lexicon("useless noise clutter pointless worthless clean")
_DELETED = Topic(
    "comment comments remark note annotation hint",
    GONE | _POINTLESS | lexicon("no not no-longer without stop go"),
    may=_LINE.replace("marker sign prefix mark", "")
    + """ any anymore saying says reading reads useless redundant noise only no-longer true applies adds nothing
        nobody read outdated stale wrong misleading old date code itself apart clearer leftover whole altogether
        from of out out-of rid need needs never without so everyone obsolete lie lies untrue incorrect unhelpful
        pointless distracting stray clutter value explains obvious purpose and holds help helps anybody anyone
        tells tell has clean here just confusing valid takes have""",
)
_REWORDED = Topic(
    "comment comments",
    may=_LINE.replace("marker sign prefix mark", "")
    + """ replace to instead-of instead say says read reads saying reading text wording reword reworded rephrase
        reformulate not but where no-longer longer drop misleading outdated better there which old new by swap out
        substitute becomes fits badly and from in such that it put have let make write""",
    never="add append insert over above before ahead front top own",
)

_NO_COMMENT = _phrases(
    "comment on",
    "without comment",
    "no comment",
    "needs comment",
    "wants comment",
    "deserves comment",
    "lacks comment",
)
# With these something is also put somewhere.
_LEFT = lexicon("drop leave throw off")
_TRAILING = lexicon(
    """tack extend end trailing trail same inline end-of-line line-end suffix append tail carry onto beside next
    bear"""
)
_WRITES = lexicon(
    "add append insert put write place attach tack stick leave prepend annotate comment explain mark tag"
)
_NEXT_LINE = _phrases("next line", "line below")
_ARTICLES = lexicon("a the any that this")
_GOES = _phrases(
    "leave out", "take out", "take away", "do away", "out with", "out it", "go and", "without comment"
)
_NOT_THIS = frozenset({("no", "comment"), ("comment", "")})
_NAMES_COMMENT = frozenset({("comment", "")})
_NO_MORE = frozenset({("no", stem("more")), (stem("more"), "comment")})
_FROM_COMMENT = _phrases("comment from", "from comment", "instead-of comment", "sign before", "sign from")


def comment_topics(text: str, source: Source) -> Codemod | None:
    """None where the language has no comments to the end of a line, code is shown on lines of its own, or it is
    left open what is meant."""
    if source.language not in SIGNS or "\n" in text:
        return None
    return first_read(
        _SIGN.sub("sign", text),
        source,
        (_OUT, _out, (1, 2)),
        (_UNCOMMENTED, _uncommented, (1, 2)),
        (_COMMENTED, _commented, (2,)),
        (_TRAILED, _trailed, (2,)),
        (_DELETED, _deleted, (1, 2)),
        (_REWORDED, _reworded, (2,)),
    )


def _is_comment(source: Source, row: int) -> bool:
    return source.lines[row].lstrip().startswith(SIGNS[source.language])


def _is_one(gist: Gist) -> bool:
    """Whether what is mentioned is said to be a comment: "it must not be a comment any more"."""
    triples = gist.triples
    # "There is a comment a" tells where it is.
    return stem("there") not in gist.stems and any(
        words[0] in ("be", "is") and words[1:] == ("a", "comment") for words in triples
    )


def _code(source: Source, text: str, place: LineRange) -> int | None:
    """The one line of code that is this text."""
    found = source.lines_like(text, place)
    return found[0] if len(found) == 1 and not _is_comment(source, found[0]) else None


def _comment(source: Source, text: str, place: LineRange) -> int | None:
    """The one comment that says this, with or without its sign."""
    sign = SIGNS[source.language]
    said = (text, f"{sign} {text}", f"{sign}{text}")
    found = [n for one in said for n in source.lines_like(one, place) if _is_comment(source, n)]
    return found[0] if len(found) == 1 else None


def _over(row: int, text: str, *reasons: str) -> Codemod:
    return Codemod((Hunk(row, row + 1, (text,)),), reasons)


def _out(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    spared = gist.negates(GONE) or gist.has(lexicon("instead-of"))
    back = gist.has(lexicon("uncomment again reactivate")) or gist.negates(
        lexicon("comment commented comment-out")
    )
    # "comment on a", "leave a without a comment"
    if "around" in gist.before(0) or not _NO_COMMENT.isdisjoint(_pairs(gist)):
        return
    worded = gist.has(lexicon("comment commented commenting comment-out out-comment"))
    if not worded and (gist.has(GONE | lexicon("go take lift")) or not gist.has(_PREFIXES)):
        return
    if back or (gist.has(lexicon("delete remove")) and not spared):
        return
    for mentions, place in places(gist, source):
        if (
            len(mentions) == 1
            and mentions[0].quote
            and (row := _code(source, mentions[0].text, place)) is not None
        ):
            line = source.lines[row]
            reasons = ("the line has a block below it",) if source.opens(row) else ()
            yield _over(row, f"{indentation(line)}{SIGNS[source.language]} {line.lstrip()}", *reasons)


def _uncommented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "Delete the comment a again"
    if gist.has(lexicon("delete remove drop erase kill")) and _NAMES_COMMENT.issubset(_pairs(gist)):
        return
    marked = gist.has(lexicon("marker sign prefix mark")) and not gist.has(GONE | lexicon("take lift go"))
    if denies(gist, _REVIVES) or (marked and not gist.has(_AGAIN)):
        return
    denied = _is_one(gist) and gist.has(NEGATIONS)
    turned = not {("into", "cod"), ("to", "cod"), ("be", "cod"), ("of", "its")}.isdisjoint(
        pairwise(gist.stems)
    )
    lifted = gist.has(_LIFTS) and not _FROM_COMMENT.isdisjoint(_pairs(gist))
    if not (gist.has(_IN) or denied or turned or lifted):
        return
    for mentions, place in places(gist, source):
        if len(mentions) != 1 or not mentions[0].quote:
            continue
        text = mentions[0].text.removeprefix(SIGNS[source.language]).strip()
        if (row := _comment(source, text, place)) is not None:
            yield _over(row, indentation(source.lines[row]) + text)


def _commented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    above = ("own", "lin") in pairwise(gist.stems) or gist.has(
        lexicon(
            "prefix above before over preceding precede preceded top ahead front heading leading preface head"
        )
    )
    aside = gist.has(lexicon("end trailing same inline behind")) and not gist.negates(lexicon("behind"))
    above = above and ("over", "to") not in pairwise(gist.stems)
    if (
        _forbids(gist)
        or not above
        or (aside and not gist.has(lexicon("indentation")))
        or gist.has(GONE - _LEFT)
    ):
        return
    for new, anchor in permutations(gist.mentions):
        rows = source.lines_like(anchor.text, source.scope) if anchor.quote else []
        row = rows[0] if len(rows) == 1 else None
        there = source.lines_like(new.text, source.scope)
        if row is not None and new.text.startswith(SIGNS[source.language]) and new.quote and not there:
            yield Codemod((Hunk(row, row, (indentation(source.lines[row]) + new.text,)),))


def _forbids(gist: Gist) -> bool:
    """Whether it says that no comment is to be written."""
    return gist.forbids or denies(gist, _WRITES)


def _trailed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    apart = ("own", "lin") in pairwise(gist.stems) or gist.has(lexicon("prefix"))
    if (
        _forbids(gist)
        or gist.has(GONE - _LEFT)
        or gist.has(lexicon("above before over"))
        or apart
        or _on_next_line(gist)
    ):
        return
    for new, anchor in permutations(gist.mentions):
        row = _code(source, anchor.text, source.scope) if anchor.quote else None
        if source.lines_like(new.text, source.scope) and not gist.has(_TRAILING):
            # It may be meant to move, or to stay where it is.
            continue
        if row is not None and new.text.startswith(SIGNS[source.language]) and new.quote:
            gap = "  " if source.language == "python" else " "
            yield _over(row, f"{source.lines[row]}{gap}{new.text}")


def _on_next_line(gist: Gist) -> bool:
    """Whether it may be a line of its own that goes behind the other."""
    next_one = not _NEXT_LINE.isdisjoint(pairwise(gist.stems))
    right_of = ("right", "of") in pairwise(gist.stems)
    handed = not right_of and gist.stems[-2:] == (":", "") and not gist.has(_TRAILING | lexicon("comment"))
    return next_one or handed


def _deleted(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        denies(gist, GONE | _POINTLESS)
        or _is_one(gist)
        or "around" in gist.before(0)
        or not _said_to_go(gist)
    ):
        return
    for mentions, place in places(gist, source):
        if len(mentions) == 1 and mentions[0].quote:
            row = _comment(source, mentions[0].text, place)
            if row is not None:
                yield Codemod((Hunk(row, row + 1, ()),))


def _said_to_go(gist: Gist) -> bool:
    if gist.has(GONE - lexicon("out off away leave") | _POINTLESS) or gist.stems[-1] == "go":
        return True
    unwanted = gist.has(NEGATIONS) and gist.has(lexicon("take need needed want should"))
    last = gist.stems[-1] in ("out", "away") and gist.has(lexicon("take leave goes"))
    pairs = _pairs(gist)
    if pairs >= _NO_MORE:
        return True
    return unwanted or last or not _GOES.isdisjoint(pairs) or pairs >= _NOT_THIS


def _pairs(gist: Gist) -> set[tuple[str, str]]:
    """What stands next to each other, articles left out."""
    return set(pairwise(word for word in gist.stems if word not in _ARTICLES))


def _reworded(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(NEGATIONS) and not gist.has(lexicon("not no-longer")):
        return
    for old, new in permutations(gist.mentions):
        row = _comment(source, old.text, source.scope) if old.quote and new.quote else None
        if row is None or any(new.text in line for line in source.lines) or contradicts(gist, old, new):
            continue
        sign = SIGNS[source.language]
        said = new.text if new.text.startswith(sign) else f"{sign} {new.text}"
        yield _over(row, indentation(source.lines[row]) + said)
