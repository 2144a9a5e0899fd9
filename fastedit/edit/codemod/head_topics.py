"""Docstrings, decorators, async, base classes and visibility, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from tree_sitter import Node

from fastedit.edit.codemod.calls import awaited, calls
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon
from fastedit.edit.codemod.head import decorated, decorators, documented
from fastedit.edit.codemod.names import Role, occurrences, still_used
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk

_OF = " function method def class signature definition header line body"
_UNWANTED = """ no not without no-longer stop any anymore only nothing but keep its begin start directly
    noise pointless useless instead-of rather all leave alone everything rest self-explanatory quotes triple
    quoted triple-quoted string documentation docs documenting document documents undocument literal repeats
    same other ones cleaner under below top one"""
_DOCUMENTED = Topic(
    "docstring documentation document documented docs doc",
    may=_OF
    + """ text string line at top start beginning first begin open under below header yet not nobody no
        docstring short brief one-line triple-quoted one single summary as its exact along lines
        undocumented nothing people prepend supply by for help() pydocstyle append its what describe form
        carry in the missing a like linter complains about""",
    never="correct replace replacement",
)
_UNDOCUMENTED = Topic(
    "docstring docs documentation undocument docstring-free triple-quoted",
    GONE | lexicon("no not without no-longer stop undocument docstring-free"),
    may=_OF + _UNWANTED + " name and else like helpers left minus",
)
_DECORATED = Topic(
    """decorator decorate decorated decorating annotation annotate add put mark stick on above needs use apply have
    place get""",
    may=_OF + " above top before over directly yet not missing lacks no line own prefix prefixed precede on",
    never="replace replacement correct change type typed",
)
_UNDECORATED = Topic(
    GONE | lexicon("no not without no-longer stop undecorate unmark"),
    may=_OF
    + _UNWANTED
    + """ decorator decorators decorate decorated decorating annotation annotate annotated mark marked above from off
    on carry""",
)
_ASYNC = Topic(
    "async asynchronous coroutine asyncify asynchronously awaitable",
    may=_OF
    + """ keyword modifier before front prefix not yet so becomes become currently into runs run from plain normal
    declaration"""
    " in-front ahead ordinary regular sync synchronous instead-of callers because it",
)
_SYNC = Topic(
    "async sync synchronous coroutine asynchronous synchronously de-async non-async",
    GONE
    | lexicon(
        """sync synchronous no not without no-longer stop plain normal regular ordinary de-async non-async never
    anymore"""
    ),
    may=_OF
    + """ keyword modifier before any anymore nothing awaits await awaited rather longer no-longer business its since
    ordinary plain need from"""
    " instead-of declaration back again out of",
)
_DERIVED = Topic(
    "inherit inherits subclass derive derived extend extends base parent superclass child descend descendant",
    may=_OF
    + """ kind class classes specialisation hierarchy under yet not inherit base parent superclass inheritance going
    subclass by as"""
    " becomes derive extends hook hang declaration name names",
    never="add replace remove replacement",
)
_EXCEPTION = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception|Warning)")
# Where something else than a definition's head is spoken of.
_MORE = lexicon("missing lacks also too another additional additionally add")  # a base beside what there is
_DOCS = lexicon("documentation docs documenting document documents undocument docstring body")
_VISIBLE = Topic(
    "public private protected exported export",
    may=_OF + " visibility access level not yet instead-of modifier from declared declare its count exported",
    never="add",
)


def head_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or of what."""
    return first_read(
        text,
        source,
        (_DOCUMENTED, _documented, (2,)),
        (_UNDOCUMENTED, _undocumented, (1,)),
        (_DECORATED, _decorated, (2,)),
        (_UNDECORATED, _undecorated, (2,)),
        (_ASYNC, _async, (1,)),
        (_SYNC, _sync, (1,)),
        (_DERIVED, _derived, (2,)),
        (_VISIBLE, _visible, (1,)),
    )


def _only(gist: Gist, source: Source) -> Definition | None:
    return source.only(gist.mentions[0].text.removesuffix("()"))


def _documented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if source.language != "python" or gist.has(GONE):
        return
    for item, doc in permutations(gist.mentions):
        found = source.only(item.text.removesuffix("()"))
        if found is not None and doc.quote and source.only(doc.text) is None:
            yield documented(source, found, doc.text)


def _undocumented(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    item = _only(gist, source)
    if item is None or source.language != "python" or source.syntax is None or gist.negates(GONE):
        return
    for node in source.syntax.find("(block . (expression_statement (string)) @found)"):
        start, stop = source.syntax.rows(node)
        block = node.parent
        if (
            start == item.body
            and stop <= item.stop
            and block is not None
            and source.lines[start].strip()[:1] in "\"'rRuUbB"
        ):
            reasons = ("nothing is left of it",) if block.named_child_count == 1 else ()
            blank = stop < item.stop and not source.lines[stop].strip()
            yield Codemod((Hunk(start, stop, ()),), (*reasons, *(("a blank line follows",) if blank else ())))


def _decorated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        source.language not in ("python", "java")
        or gist.has(GONE)
        or gist.negates(lexicon("add decorate put need use have mark"))
    ):
        return
    for item, new in permutations(gist.mentions):
        found = source.only(item.text.removesuffix("()"))
        if found is not None and new.text.startswith("@"):
            yield decorated(source, found, new.text)


def _undecorated(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(GONE | lexicon("undecorate unmark")) or gist.has(_DOCS):
        return
    for item, old in permutations(gist.mentions):
        found = source.only(item.text.removesuffix("()"))
        said = old.text.startswith("@") or gist.has(lexicon("decorator decorate annotation"))
        if found is not None and said and len(rows := decorators(source, found, old.text)) == 1:
            yield Codemod((Hunk(rows[0], rows[0] + 1, ()),))


_DEF = {"python": r"\bdef\b", "rust": r"\b(?:unsafe )?fn\b"}


def _async(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    item = _only(gist, source)
    said = set(gist.stems) - {"yet"}
    if item is None or source.syntax is None or gist.has(GONE | lexicon("sync synchronous")):
        return
    if not NEGATIONS.isdisjoint(said) and "yet" not in gist.stems:
        return
    line = source.lines[item.header]
    pattern = _DEF.get(source.language, rf"\b(?:function\b|{re.escape(item.name)}\()")
    found = re.search(pattern, line)
    known = source.language in ("python", "rust", "javascript", "typescript", "tsx")
    if known and found and not re.search(r"\b(?:async|const|get|set|static|constructor)\b", line):
        put = f"{line[: found.start()]}async {line[found.start() :]}"
        head = Hunk(item.header, item.header + 1, (put,))
        awaits, reasons = _awaits(source, item)
        yield Codemod(tuple(sorted((head, *awaits), key=lambda hunk: hunk.start)), reasons)


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


def _sync(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    item = _only(gist, source)
    if (
        item is None
        or gist.negates(GONE | lexicon("sync synchronous"))
        or len(re.findall(r"\basync\s+", source.lines[item.header])) != 1
    ):
        return
    put = re.sub(r"\basync\s+", "", source.lines[item.header])
    awaits = any(
        re.search(r"\bawait\b|\basync\b", line) for line in source.lines[item.header + 1 : item.stop]
    )
    reasons = ("it awaits something",) if awaits else ()
    yield Codemod((Hunk(item.header, item.header + 1, (put,)),), (*reasons, *_unlike_calls(source, item)))


def _unlike_calls(source: Source, item: Definition) -> tuple[str, ...]:
    """Those that call it would have to await it, or to stop."""
    assert source.syntax is not None
    return tuple(still_used(source.syntax, item.name, range(item.start, item.stop), Role.USE, Role.MEMBER))


def _derived(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(GONE) or (gist.has(NEGATIONS) and "yet" not in gist.stems):
        return
    for item, base in permutations(gist.mentions):
        found = source.only(item.text)
        if found is None or found.kind != "class" or not base.text[:1].isupper() or source.named(base.text):
            continue
        line = source.lines[found.header]
        if source.language == "python":
            head = re.fullmatch(r"(\s*class \w+)(?:\(([\w., ]*)\))?:", line)
            known = head and head[2] and not _gives_way(head[2], base.text)
            bases = f"{head[2]}, {base.text}" if head and known else base.text
            put = head and f"{head[1]}({bases}):"
            unclear = known and not gist.has(_MORE)
            reasons = ("it has a base class, which may be meant to go",) if unclear else ()
        else:
            head = re.fullmatch(r"(\s*(?:[a-z]+ )*class \w+) \{", line)
            put, reasons = head and f"{head[1]} extends {base.text} {{", ()
        if put:
            yield Codemod((Hunk(found.header, found.header + 1, (put,)),), reasons)


def _gives_way(old: str, new: str) -> bool:
    """Whether the new base class inherits from the old ones itself, so that both could not stand side by side."""
    return old == "object" or (old in ("Exception", "BaseException") and bool(_EXCEPTION.fullmatch(new)))


def _visible(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    item = _only(gist, source)
    new = [word for word in gist.stems if word in lexicon("public private protected exported export")]
    if (
        item is None
        or len(set(new)) != 1
        or (gist.has(NEGATIONS) and "yet" not in gist.stems and "but" not in gist.stems)
    ):
        return
    line, word = (
        source.lines[item.header],
        next(w for w in ("public", "private", "protected", "export") if stem_of(w) == new[0]),
    )
    if old := re.match(r"\s*(public|private|protected)\b", line):
        put = line.replace(old[1], word, 1) if word != "export" else line
    elif (
        source.language == "rust"
        and word == "public"
        and re.match(r"\s*(?:async |unsafe |const )*fn\b", line)
    ):
        put = re.sub(r"^(\s*)", r"\1pub ", line)
    elif (
        word == "export"
        and source.language in ("javascript", "typescript", "tsx")
        and re.match(r"(?:async )?function\b", line)
        # CommonJS has another way to do it.
        and not any(re.match(r"(?:module\.)?exports\b", other) for other in source.lines)
    ):
        put = "export " + line
    else:
        return
    if put != line:
        yield Codemod((Hunk(item.header, item.header + 1, (put,)),))


def stem_of(word: str) -> str:
    return next(iter(lexicon(word)))
