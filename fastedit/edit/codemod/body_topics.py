"""The first and the last statement of a function and what it returns, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.gist import (
    GONE,
    NEGATIONS,
    Gist,
    Topic,
    first_read,
    first_spelled,
    lexicon,
    stem,
    sure,
)
from fastedit.edit.codemod.going import takes_out
from fastedit.edit.codemod.order import contradicts
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.ticks import with_definition_ticked
from fastedit.edit.codemod.types import names_type
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width, indentation

_OF = " function method body line statement code new call"
_FIRST = Topic(
    """initially
    outset foremost topmost entering enters start starts begin beginning top first open opening head
    entry entered before prepend front lead kick ahead upon""",
    may=_OF
    + """ log logging trace logs at when everything anything else very all other others runs run called
        entry should on into says say debugging debug statement message printed announce itself whenever
        immediately action happens existing instrument execute executed calls calling start off going any
        rest of it there's no not some trace when doesn't like place every away left far nothing gets called entering
        drop throw pull and
        invoked""",
    never="replace replacement change return:x parameter",
)
_LAST = Topic(
    """wind winds winding trailing terminate terminates lastly ultimately eventually concluding round end ends ending
    foot last final finally bottom finish append close closing conclude tail wrap complete closes tack onto tag glue
    suffix""",
    may=_OF
    + """ at very after everything else all once rest done other others existing step current on off nested
        outside block close closing behind it goes runs run follow round when there thing statement with any
        of down way not yet does doesn't missing lacks where place stop but left drop in throw existing
        now through done far already""",
    never="replace replacement change parameter before",
)
# "Above everything else in it"
_BEFORE_ALL = Topic(
    "above before ahead preceding precede precedes",
    "all everything rest existing other others anything",
    may=_OF
    + """ at very else statements code goes go run runs come comes there is its it one thing now be should with in
    of lines whatever already existing so far add everything does do done happens inside within body""",
    never="replace replacement change parameter last end final after behind below",
)
# "Behind all other statements", "when it is through with its work"
_AFTER_ALL = Topic(
    "after behind below beneath follow follows once when past before left",
    """all everything rest existing other others through done finished left work ends end finishes completes
    terminates""",
    may=_OF
    + """ at very else statements code goes go run runs come comes there is its it one thing last final now work be
        should with in of lines whatever already trailing existing so far add everything""",
    never="replace replacement change parameter first start begin top beginning log",
)
_RETURNED = Topic(
    "return returns returned returning result gives give hand back",
    may=_OF
    + """ value instead-of instead not no-longer but hand back wrong by by in at end callers caller gets get
        swap outcome output yields switch over where longer anymore deliver produce new behaviour fix
        becomes turn bug and when done read reads say says finally mistake""",
    never="add append insert type declare declared annotate signature mark",
)
_BEFORE_LEAVING = Topic(
    "before",
    "raise raises raising return returns returning throw throws throwing",
    may=_OF
    + " log logs logging error errors warning info debug message print exception call statement right",
    never="replace replacement change parameter value",
)
# `return` and a value, each in quotes of its own.
_TORN = re.compile(r"`return` (?=`)")
# Right behind what a body begins with is its top.
_HEADED = re.compile(
    r"\b(?:right |directly |immediately |just )?(?:after|below|under|underneath|beneath|behind) the "
    r"(?:header|signature|def|def line|docstring) of\b",
    re.IGNORECASE,
)
_PUTS = lexicon("add put insert place write call")
_ENDS = lexicon("end ends finish finishes complete completes conclude concludes terminate terminates")
_LEAVES = re.compile(r"\s*(?:return|raise|throw|break|continue)\b")


def body_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the function's body is none of plain lines."""
    said = _HEADED.sub("at the top of", _TORN.sub("return ", text))
    return first_spelled(_read, source, said, with_definition_ticked(said, source))


def _read(text: str, source: Source) -> Codemod | None:
    return first_read(
        text,
        source,
        (_FIRST, _first, (2,)),
        (_LAST, _last, (2,)),
        (_AFTER_ALL, _after_all, (2,)),
        (_BEFORE_ALL, _first, (2,)),
        (_BEFORE_LEAVING, _before_leaving, (2,)),
        (_RETURNED, _returned, (2, 3)),
    )


def _function(gist: Gist, source: Source) -> Iterator[tuple[Definition, str]]:
    """The function that is meant, and the code that is handed over."""
    for function, code in permutations(gist.mentions):
        found = source.only(function.name)
        there = source.lines_like(code.text, source.scope)
        callable_ = found is not None and found.kind in ("function", "method")
        if (
            found is not None
            and callable_
            and code.quote == "`"
            and re.search(r"\W", code.text)
            and not there
        ):
            yield found, code.text


def _inside(source: Source, found: Definition) -> list[int]:
    """The lines with ink of the body of a function, behind its docstring."""
    closed = source.language != "python"
    rows = [n for n in range(found.body, found.stop - closed) if source.lines[n].strip()]
    node = source.syntax.at(rows[0]) if rows and not closed and source.syntax is not None else None
    while node is not None and node.type.startswith("string_"):
        node = node.parent
    documented = node is not None and node.type == "string" and node.start_point.row == rows[0]
    return [n for n in rows if not documented or node is None or n > node.end_point.row]


def first_row(source: Source, found: Definition) -> int | None:
    """The line of a function's first statement behind its docstring; None where none has a line of its own."""
    rows = _inside(source, found)
    deeper = rows and indent_width(source.lines[rows[0]]) > indent_width(source.lines[found.header])
    return rows[0] if deeper else None


def _ended(source: Source, row: int, code: str) -> str:
    """With a semicolon, where the language has them and any line around there ends so."""
    there = source.language != "python" and any(
        line.rstrip().endswith(";") for line in source.lines[max(row - 3, 0) : row + 4]
    )
    return f"{code};" if there and re.search(r"[\w)\]]\Z", code) else code


def _first(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if takes_out(gist, but="off out away left kick") or (
        gist.negates(lexicon("start begin add")) and not _missing(gist)
    ):
        return
    if "and" in gist.stems and not _goes_there(gist):
        return
    for found, code in _function(gist, source):
        row = first_row(source, found)
        if row is not None:
            yield Codemod((Hunk(row, row, (indentation(source.lines[row]) + _ended(source, row, code),)),))


def _missing(gist: Gist) -> bool:
    """Whether a negation tells only what is not there yet."""
    return "yet" in gist.stems and not gist.forbids


def _goes_there(gist: Gist) -> bool:
    """Whether an "and" only joins the place and what to do there: "go to its top and add"."""
    at = gist.stems.index("and")
    puts = gist.stems[at + 1 : at + 2] and gist.stems[at + 1] in _PUTS
    return bool(puts) and gist.stems.count("and") == 1 and gist.places[0] < at < gist.places[1]


def _last(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if takes_out(gist, but="off out left") or (gist.negates(lexicon("end add close")) and not _missing(gist)):
        return
    for found, code in _function(gist, source):
        rows = _inside(source, found)
        if not rows:
            continue
        margin = indentation(source.lines[rows[0]])
        top = [n for n in rows if indentation(source.lines[n]) == margin]
        left = _LEAVES.match(source.lines[top[-1]]) is not None
        reasons = ("nothing behind it would be reached",) if left else ()
        put = margin + _ended(source, top[-1], code)
        yield Codemod((Hunk(rows[-1] + 1, rows[-1] + 1, (put,)),), reasons)


def _after_all(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # "Before it is left at its end" is the end, "before everything else" the start, "before it ends" the end.
    leaves = gist.has(lexicon("left")) and gist.has(lexicon("end"))
    leaves = leaves or any(pair[0] == stem("before") and pair[2] in _ENDS for pair in gist.triples)
    if not gist.has(lexicon("before")) or leaves:
        yield from _last(gist, source)


def _before_leaving(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    """None where the function is left so in more than one line."""
    if gist.has(GONE | NEGATIONS):
        return
    verb = next(v for v in ("raise", "return", "throw") if gist.has(lexicon(f"{v} {v}ing {v}s")))
    for found, code in _function(gist, source):
        rows = [
            n
            for n in range(found.body, found.stop)
            if re.match(rf"\s*{verb}\b", source.lines[n]) and not source.in_text(n)
        ]
        if len(rows) == 1:
            put = indentation(source.lines[rows[0]]) + _ended(source, rows[0], code)
            yield Codemod((Hunk(rows[0], rows[0], (put,)),))


def _with_return(source: Source, found: Definition, value: str) -> Codemod | None:
    """A function that returns nothing so far returns the value at its end."""
    rows = _inside(source, found)
    text = "\n".join(source.lines[found.header : found.stop])
    typed = re.search(r"\bvoid\b|->\s*None\b", source.lines[found.header])
    spoken = source.language in ("python", "javascript", "typescript", "tsx")
    if not rows or not spoken or typed or found.name in ("__init__", "constructor") or "yield" in text:
        return None
    margin = indentation(source.lines[rows[0]])
    top = [n for n in rows if indentation(source.lines[n]) == margin]
    if _LEAVES.match(source.lines[top[-1]]) or value.startswith("return"):
        return None
    put = margin + _ended(source, top[-1], f"return {value}")
    # What is called there already may be meant to be returned where it stands.
    reasons = (f"`{value}` stands in it already",) if "(" in value and value in text else ()
    return Codemod((Hunk(rows[-1] + 1, rows[-1] + 1, (put,)),), reasons)


def _returned(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(GONE - lexicon("out")):
        return
    for function, new, *old in permutations(gist.mentions):
        found = source.only(function.name)
        # That it returns an `int` speaks of the value's type.
        if found is None or not (sure(new) or new.text in ("self", "this")) or names_type(new.text):
            continue
        rows = [n for n in range(found.body, found.stop) if re.search(r"\breturn\b", source.lines[n])]
        if not rows and not old:
            yield _with_return(source, found, new.text)
        line = source.lines[rows[0]] if len(rows) == 1 else ""
        match = re.fullmatch(r"(\s*return\s+)([^;]+?)(;?)", line)
        whole = (
            match is not None
            and match[2].count("(") == match[2].count(")")
            and not match[2].endswith(("{", "[", "\\"))
        )
        if match is None or not whole or new.text == match[2] or (old and old[0].text != match[2]):
            continue
        if (new.quote and re.match(r"return\b", new.text)) or (old and contradicts(gist, old[0], new)):
            continue
        yield Codemod((Hunk(rows[0], rows[0] + 1, (f"{match[1]}{new.text}{match[3]}",)),))
