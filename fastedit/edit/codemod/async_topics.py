"""Functions that become coroutines or plain ones, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from fastedit.edit.codemod.calls import awaited, calls
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_spelled, lexicon
from fastedit.edit.codemod.going import goes_away, keeps
from fastedit.edit.codemod.names import Role, occurrences, still_used
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.codemod.ticks import with_definition_ticked
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk

_ASYNC = lexicon("async asynchronous coroutine asyncify asynchronously awaitable coroutines")
_SYNC = lexicon(
    "sync synchronous synchronously de-async non-async blocking unasync un-async deasync non-coroutine"
)
_PLAIN = lexicon("plain normal regular ordinary vanilla bare")
_KINDS = _ASYNC | _SYNC | _PLAIN
_UNWANTED = GONE | NEGATIONS | lexicon("unmark superfluous stop business")
_TOPIC = Topic(
    _KINDS,
    may="""function method def class signature definition header line body keyword modifier before front prefix not
        yet so becomes become currently into runs run from declaration in-front ahead instead-of callers because
        it await awaits awaited awaiting flag transform work worked but and will there's reason longer anymore any
        rather than out of back again nothing since its need no-longer business only rest delete remove drop lose strip
        ditch scrap kill nuke rid rip take off away unnecessary pointless superfluous redundant unneeded gone
        return returns i.e clear leave cut no without stop never unmark go goes""",
)
_MAKES = lexicon("make turn convert add put mark become declare transform switch change flag")
_TURNED_FROM = lexicon("not no-longer from instead-of is was")
_BETWEEN = lexicon("a an the currently just only still plain function")
_DEF = {"python": r"\bdef\b", "rust": r"\b(?:unsafe )?fn\b"}


def async_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or of what."""
    return first_spelled(_read, source, text, with_definition_ticked(text, source))


def _read(text: str, source: Source) -> Codemod | None:
    return _TOPIC.read(text, source, _turned, 1)


def _turned(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if "stop" not in gist.stems and gist.negates(_MAKES):
        return
    wanted = _wanted(gist)
    for item in source.named(gist.mentions[0].name):
        if wanted is True:
            yield _made_async(source, item)
        elif wanted is False:
            yield _made_sync(source, item)


def _wanted(gist: Gist) -> bool | None:
    """Whether it is to be a coroutine; of two kinds the one that is not said to be what it is now."""
    said = {
        word in _ASYNC: word for at, word in enumerate(gist.stems) if word in _KINDS and not _left(gist, at)
    }
    named = {word in _ASYNC for word in gist.stems if word in _KINDS}
    if len(named) == 2:
        return next(iter(said)) if len(said) == 1 else None
    if named == {False}:
        turned = gist.has(_SYNC) or gist.has(lexicon("function method def"))
        return False if turned and said else None
    # "Make a coroutine out of it" takes nothing out, "it isn't yet" and "should be, isn't" tell why.
    made = ("out", "of") in pairwise(gist.stems) and gist.has(lexicon("make turn build create"))
    gone = _UNWANTED - {"out"} if made else _UNWANTED
    still = "yet" in gist.stems or gist.stems[-2:] == ("is", "not")
    unwanted = (gist.has(gone) and not still) or goes_away(gist)
    if unwanted:
        # "not to be a coroutine", "take the async off"; "nothing" and the like tell why.
        return None if keeps(gist) else False
    return True if said else None


def _left(gist: Gist, at: int) -> bool:
    """Whether the word there tells what it is so far, or is not to be: "is sync", "from a plain one"."""
    before = [word for word in gist.stems[:at] if word not in _BETWEEN]
    # "Isn't async yet" tells what it is to be, "async -> sync" what it was.
    ahead = gist.stems[at + 1 : at + 3]
    # "Add async to `load`" tells where it goes.
    turned = ahead[:1] in (("->",), ("=>",), ("to",), ("into",)) and ahead != ("to", "")
    told = before[-1:] and before[-1] in _TURNED_FROM and "ensure" not in before
    return turned or (bool(told) and not (before[-1] == "not" and "yet" in gist.stems))


def _made_async(source: Source, item: Definition) -> Codemod | None:
    line = source.lines[item.header]
    pattern = _DEF.get(source.language, rf"\b(?:function\b|{re.escape(item.name)}\()")
    found = re.search(pattern, line)
    known = source.language in ("python", "rust", "javascript", "typescript", "tsx")
    if not known or not found or re.search(r"\b(?:async|const|get|set|static|constructor)\b", line):
        return None
    put = f"{line[: found.start()]}async {line[found.start() :]}"
    head = Hunk(item.header, item.header + 1, (put,))
    awaits, reasons = _awaits(source, item)
    return Codemod(tuple(sorted((head, *awaits), key=lambda hunk: hunk.start)), reasons)


def _awaits(source: Source, item: Definition) -> tuple[tuple[Hunk, ...], tuple[str, ...]]:
    """Where all that call it are coroutines themselves, they await it."""
    reasons, unlike = _no_coroutine(source, item), _unlike_calls(source, item)
    assert source.syntax is not None
    made = calls(source, item.name)
    named = [o for o in occurrences(source.syntax, item.name) if o.role is not Role.DEFINITION]
    waits = [awaited(source, call) if _in_coroutine(call) else None for call in made]
    rows = {call.start_point.row for call in made}
    if len(made) != len(named) or len(rows) != len(made) or len(item.path) > 1 or None in waits:
        return (), (*reasons, *unlike)
    return tuple(hunk for wait in waits if wait is not None for hunk in wait.hunks), reasons


def _in_coroutine(call: Node) -> bool:
    above = call.parent
    while above is not None and not re.search(r"function|method|lambda", above.type):
        above = above.parent
    return above is not None and above.children[0].type == "async"


def _no_coroutine(source: Source, item: Definition) -> tuple[str, ...]:
    """Why it cannot be one by a word alone."""
    doubts = {
        "it runs a loop of its own": any(
            "asyncio.run(" in line for line in source.lines[item.start : item.stop]
        ),
        "what it returns is no promise": re.search(r"\):\s*(?!Promise\b)\S", source.lines[item.header])
        is not None,
    }
    return holding(doubts)


def _made_sync(source: Source, item: Definition) -> Codemod | None:
    if len(re.findall(r"\basync\s+", source.lines[item.header])) != 1:
        return None
    put = re.sub(r"\basync\s+", "", source.lines[item.header])
    awaits = any(
        re.search(r"\bawait\b|\basync\b", line) for line in source.lines[item.header + 1 : item.stop]
    )
    reasons = ("it awaits something",) if awaits else ()
    return Codemod((Hunk(item.header, item.header + 1, (put,)),), (*reasons, *_unlike_calls(source, item)))


def _unlike_calls(source: Source, item: Definition) -> tuple[str, ...]:
    """Those that call it would have to await it, or to stop."""
    assert source.syntax is not None
    return tuple(still_used(source.syntax, item.name, range(item.start, item.stop), Role.USE, Role.MEMBER))
