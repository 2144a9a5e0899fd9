"""Parameters and their defaults, in whatever order it is said: `p` of `f` -> optional, default `3`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import (
    FORBIDS,
    GONE,
    NEGATIONS,
    Gist,
    Topic,
    first_read,
    first_spelled,
    lexicon,
    stem,
)
from fastedit.edit.codemod.going import frees, goes_away, keeps
from fastedit.edit.codemod.parameters import (
    with_default,
    with_first_parameter,
    with_parameter,
    without_default,
    without_parameter,
)
from fastedit.edit.codemod.signature_words import of_function, of_parameter, with_names_ticked
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.types import looks_like_type
from fastedit.edit.codemod.words import Word

_PARAMETER = "parameter parameters params args arguments signature"
_OF = f"""{_PARAMETER} list definition header function def method where keyword position named defined arity kwarg
    kwargs """
_CALLERS = """ callers caller call called calling pass passes passed passing possible able optional supply omit
    omitted
    skip if when not without force forced no nobody never everyone almost leave out has always if by callable call
    calls everybody anyone omitting supplied supplying left"""
_FIRST = lexicon(
    """front before ahead first leading lead start begin beginning head prepend opening open 0 precede left preceding
    foremost initial top precedes leads starts begins opens 1st frontmost number-one prefix leftmost topmost up-front
    upfront
    """
)
# Before what is there already: "`a` + the existing parameters", "`a`, then the rest".
_LEADS = lexicon("+ then follow number")
_EXISTING = lexicon("exist other others rest current there now")
_ADDED = Topic(
    f"{_PARAMETER} option callable take takes taking accept accepts accepting signature receive receives receiving",
    may=_OF
    + """ last final end trailing tail append later callers able know not yet body stay call called with value
    nothing else only plumbing tag support allow allows allowing want we pass passed passing grow grows optional
    additional behind after existing other others all lacks wants enlarge enrich teach learn gain gains
    there's no does far keep stays default doesn't rest missing without required ready prepare grows first
    way possibility""",
    never="replace instead-of",
)
# "`load` also gets `x` at the end", "callers should be able to pass `x` to `load`"
_ADDED_SO = Topic(
    "get gets gain gains pass passed passing hand supply",
    """last final end trailing tail too well also additional another extra able allow allows let possible
    additionally way possibility""",
    may=_OF
    + _PARAMETER
    + """ callers caller everybody anyone user users after others other existing rest want as no way possibility
    yet there's""",
    never="replace instead-of from",
)
_ABLE = lexicon("able allow allows let possible way possibility")
_PASSES = lexicon("pass passed passing hand supply")
_ADDED_FIRST = Topic(
    f"""{_PARAMETER} signature take takes taking accept accepts arguments called call receive receives receiving
    extend position enlarge widen gets gain gains""",
    _FIRST | _LEADS,
    may=_OF
    + """ before very other others everything else all as paren parenthesis after number second up callers not yet
    end last final but existing present rest then them followed following shift shifted back by behind bracket will
    called with called call pass passed passing followed way remaining remain nobody keep keeps order stays stay
    no at position slot place prior additional always bracket existing 1 want wants later subsequent
    in-front and one slide shove squeeze shift up front side left 0""",
    never="replace instead-of",
)
_GOES = lexicon("go goes")
# What a parameter is where nobody passes it: "use `3` for `p` in `f` when it's not given".
_ASSUMED = Topic(
    "if when whenever unless able",
    """omit omitted omitting leave leaves left passed pass passes passing provided specified supplied given
    gives provides""",
    may=_OF
    + _CALLERS
    + """ assume assumes assumed use uses then fall falls back not nothing nobody no start starts out as be value
    explicit explicitly otherwise""",
    never="except only",
)
_DROPPED = Topic(
    GONE | _GOES | lexicon("no not without no-longer stop shrink shorten minus sans"),
    may=_OF
    + _CALLERS
    + """ any anymore shrink belong too still unused nothing among those its used uses use the rest other others many
    simplify reduce longer dead goes there's simpler one fewer less reads read ignored ignores never sense senseless
    serves weight useless unneeded it's value""",
)
_SET_DEFAULT = Topic(
    """default defaults defaulting defaulted optional fallback fall falls falling preset presets assume assumes
    assumed
    assuming presume presumes""",
    may=_OF
    + _CALLERS
    + """ value values instead-of instead last first mandatory required argument relax different anymore only yet far
    initialize initialise initialized redefine fall fallback falls back ensure swap exchange longer current wants
    otherwise trade mean rather than behind callable rest but now = namely still nothing given start starts
    starting no-longer present previously used instead up over sensible switch alter and raise lower
    behave everybody wanted nobody there's move treat treats demand unless told make that back""",
)
_REMOVED_DEFAULT = Topic(
    GONE
    | _GOES
    | lexicon(
        """no not without no-longer required mandatory force explicitly stop always compulsory obligatory require
        requires non-optional nonoptional oblige obliged unset demand insist free"""
    ),
    """default defaults defaulting defaulted required mandatory optional always explicitly compulsory obligatory
    fallback non-optional nonoptional force oblige require""",
    may=_OF
    + _CALLERS
    + """ value any anything longer anymore bugs hides but keep callable tight only instead-of anyway tighten sensible
    want wants nobody far there's back plain bare hiding leaving name type annotation sense makes
    everybody rather should goes whatever allowed""",
)
_PARAMETER_CODE = re.compile(r"(?:\*{0,2}|&|\.\.\.)[A-Za-z_$][\w$]*\s*(?:\?|[:=\s].*)?")
_DETAILED = re.compile(r"[\w$]+\s*[:=].*")
_WORDS_FOR = lexicon(_PARAMETER)
_FURTHER = lexicon("extra another additional")
_NO_WAY = frozenset({("no", "way"), ("no", "possibility")})
_STRICT = lexicon(
    "required mandatory explicitly compulsory obligatory require force oblige non-optional nonoptional unset"
)
_COERCES = lexicon("force oblige")
_PASSED = lexicon("pass passed passing supply provide specify give call")
_DEFAULTS = lexicon("default defaults optional required mandatory compulsory obligatory fallback")
_REFUSES = FORBIDS | {("not", stem("sure"))}
# Behind "when" and "if" these say what a default is for; anything else limits what is asked for.
_OMITTED = lexicon(
    "omit omitted leave left out skip supply without pass passed miss missing call called give given"
)
_CASES = lexicon("if when whenever unless")
_IMPLICIT = re.compile(r"\b[Ww]ithout (?:an? )?explicit (?P<name>`[^`]+`|\"[^\"]+\"|'[^']+'|\w+)")
_CALLS = lexicon("call called calling")
_OMITS = lexicon("omit omitted omitting")
_LEAVES = lexicon("leave left")
_GIVEN = lexicon("passed passes pass passing provided specified supplied given gives provides")
_NEEDS = lexicon("should make give set add put let want ensure specify provide use take")


def signature_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the file has no such parameter."""
    said = _with_omission_said(text)
    return first_spelled(_read, source, said, with_names_ticked(said, source))


def _with_omission_said(text: str) -> str:
    """ "Without an explicit `x`" is the same as "if `x` is not given", ":=" as "="."""
    return _IMPLICIT.sub(lambda found: f"if {found['name']} is not given", text.replace(" := ", " = "))


def _read(text: str, source: Source) -> Codemod | None:
    return first_read(
        text,
        source,
        (_ADDED_FIRST, _added_first, (2,)),
        (_ADDED, _added, (2,)),
        (_ADDED_SO, _added_so, (2,)),
        (_SET_DEFAULT, _defaulted, (3,)),
        (_ASSUMED, _assumed, (3,)),
        (_REMOVED_DEFAULT, _undefaulted, (2,)),
        (_DROPPED, _dropped, (2,)),
    )


def _is_new(gist: Gist, new: Word) -> bool:
    """Whether it can be a parameter; what a function is just said to take may be a value or a type."""
    said = gist.has(_WORDS_FOR) or _DETAILED.fullmatch(new.text) is not None
    # "Take an extra `Path`" says what it is to take, "the signature should end in `Path`" may not.
    said = (said or gist.has(_FURTHER)) and not (gist.has(lexicon("end ends")) and looks_like_type(new.text))
    name = said or not (looks_like_type(new.text) or new.text in ("None", "True", "False"))
    return new.quote == "`" and name and _PARAMETER_CODE.fullmatch(new.text) is not None


def _forbids(gist: Gist) -> bool:
    """Whether it says what is not to be done."""
    return "never" in gist.stems or not _REFUSES.isdisjoint(pairwise(gist.stems))


def _leads(gist: Gist, new: Word) -> bool:
    """Whether what is there already is said to stand behind it."""
    at = gist.places[gist.mentions.index(new)]
    behind = gist.stems[at + 1 :]
    joints = [n for n, word in enumerate(behind) if word in _LEADS]
    ahead = ("number", "one") in pairwise(behind) or ("number", "1") in pairwise(behind)
    return ahead or any(not _EXISTING.isdisjoint(behind[n : n + 4]) for n in joints)


def _added(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "It is callable with `a`" tells how things are.
    if gist.has(lexicon("callable")) and not gist.has(lexicon("should make let want")):
        return
    if gist.has(GONE) or gist.negates(lexicon("add need pass want")) or goes_away(gist) or _forbids(gist):
        return
    for found, new in of_function(gist, source):
        if _is_new(gist, new) and not _leads(gist, new):
            yield with_parameter(source, found, new.text)


def _added_so(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "There is no way to pass it yet" asks for one.
    missing = "yet" in gist.stems and not _NO_WAY.isdisjoint(pairwise(gist.stems))
    if gist.has(GONE | NEGATIONS) and not missing:
        return
    for found, new in of_function(gist, source):
        at = gist.mentions.index(new)
        # What is passed to it comes before it, what it gets behind it.
        if gist.has(_PASSES):
            fits = at == 0 and gist.has(_ABLE) and gist.before(1)[-1:] in (("to",), ("into",), ("call",))
        else:
            fits = at == 1 and not gist.has(_ABLE)
        if fits and _is_new(gist, new):
            yield with_parameter(source, found, new.text)


def _added_first(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        gist.has(GONE - lexicon("off leave"))
        or gist.negates(_FIRST | lexicon("add have need pass"))
        or _forbids(gist)
    ):
        return
    for found, new in of_function(gist, source):
        if _is_new(gist, new) and (_begins(gist) or _leads(gist, new)):
            yield with_first_parameter(source, found, new.text)


def _begins(gist: Gist) -> bool:
    """Whether it says that something is to come first, behind an "and" where it has one."""
    at = gist.stems.index("and") if "and" in gist.stems else 0
    return not _FIRST.isdisjoint(gist.stems[at:])


def _dropped(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "It is not used" tells why, "do not use it" something else.
    unused = not {("is", "not"), ("no", "use")}.isdisjoint(pairwise(gist.stems))
    if keeps(gist, "shrink", *([] if unused else ["use"])) or not (
        gist.has(GONE | NEGATIONS) or _shrinks(gist)
    ):
        return
    # What calls pass is another thing, and who need not pass it may still do so.
    if not gist.has(lexicon("call calls") | _COERCES):
        yield from (without_parameter(source, found, gone) for found, gone, _ in of_parameter(gist, source))


def _shrinks(gist: Gist) -> bool:
    return goes_away(gist) or gist.has(lexicon("shrink shorten minus sans"))


def _defaulted(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        gist.negates(lexicon("set change add give make assume presume fall preset"))
        or _wants_none(gist)
        or _limits(gist)
    ):
        return
    for _, parameter, (value,) in of_parameter(gist, source):
        if _joined(gist, value):
            yield with_default(source, parameter, value.text, value.literal)


def _assumed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(_CALLS) or gist.negates(lexicon("use assume be")):
        return
    at = next((n for n, word in enumerate(gist.stems) if word in _CASES), None)
    left = next((n for n, word in enumerate(gist.stems) if n > (at or 0) and _unpassed(gist, n)), None)
    if left is None or (at is None and not gist.has(_ABLE)):
        return
    for _, parameter, (value,) in of_parameter(gist, source):
        # "If `v`, leave `p` out" says when to do that.
        if not (at or 0) < gist.places[gist.mentions.index(value)] < left and _joined(gist, value):
            yield with_default(source, parameter, value.text, value.literal)


def _unpassed(gist: Gist, at: int) -> bool:
    """Whether the word there says that nobody passes something: "left out", "isn't given", "unless passed"."""
    before = gist.stems[max(at - 4, 0) : at]
    if gist.stems[at] in _GIVEN:
        return "unless" in before or not NEGATIONS.isdisjoint(before)
    out = {"out", "off"}.intersection(gist.stems[at + 1 : at + 3])
    return gist.stems[at] in _OMITS or (gist.stems[at] in _LEAVES and bool(out))


def _limits(gist: Gist) -> bool:
    """Whether it is asked for in some case only, other than that nobody passes the parameter."""
    at = next((n for n, word in enumerate(gist.stems) if word in ("if", "when")), len(gist.stems))
    return at < len(gist.stems) and _OMITTED.isdisjoint(gist.stems[at:])


def _joined(gist: Gist, value: Word) -> bool:
    """Whether an "and" asks for something more, as "and make it the last one" does."""
    return "and" not in gist.stems or gist.stems.index("and") < gist.places[gist.mentions.index(value)]


def _wants_none(gist: Gist) -> bool:
    """Whether there is to be no default, not "there is none so far, it should be 3"."""
    if not gist.negates(lexicon("default optional")):
        return False
    at = next(n for n, word in enumerate(gist.stems) if word in NEGATIONS)
    return not _NEEDS.isdisjoint(gist.stems[:at]) or _NEEDS.isdisjoint(gist.stems[at:])


def _undefaulted(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    refused = gist.negates(GONE | _STRICT | lexicon("always free"))
    # To force something on a function is not to force callers to pass it.
    coerced = gist.has(_COERCES) and not gist.has(_PASSED | _DEFAULTS)
    if not refused and not coerced and _removes(gist):
        yield from (without_default(source, parameter) for _, parameter, _ in of_parameter(gist, source))


def _removes(gist: Gist) -> bool:
    """Whether a word says that the default goes; "go" alone may lead elsewhere, "always" wants "pass"."""
    return (
        gist.has(GONE | NEGATIONS | _STRICT)
        or goes_away(gist)
        or frees(gist)
        or (gist.has(lexicon("always")) and gist.has(_PASSED))
    )
