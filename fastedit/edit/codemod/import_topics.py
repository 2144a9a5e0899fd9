"""Imports that come, go and change, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon
from fastedit.edit.codemod.import_line import added_import, removed_import
from fastedit.edit.codemod.names import Role, still_used
from fastedit.edit.codemod.order import contradicts
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import imports
from fastedit.edit.instruction import IMPORT_LINE

_IMPORT = " import imports imported importing line lines statement statements module"
_UNUSED = """ not no no-longer without stop never nobody nothing any anymore unused used uses use anywhere here refers
    referenced linter complains leftover for but its rid out leave dead behind stale of list"""
_ADDED = Topic(
    may=_IMPORT
    + """ last end after below under behind top bottom other others block following next append missing lacks yet not
    there something run won't without depends on among extra rest one below list and""",
    never="replace replacement change",
)
_REMOVED = Topic(
    "import imports imported importing",
    GONE | lexicon("no not without no-longer stop never"),
    may=_IMPORT + _UNUSED,
)
_NAMED = Topic(
    "import imports imported importing name names",
    may=_IMPORT
    + """ names name last end others other rest list append grab pull in next besides existing not yet there no throw
    widen join among cover""",
    never="replace replacement change substitute exchange switch instead lives say",
)
_UNNAMED = Topic(
    "import imports imported importing name names",
    GONE | lexicon("no not without no-longer stop never exclude unused"),
    may=_IMPORT
    + _UNUSED
    + " names name others other only keep rest same before when among stays trim shorten kick those",
)
_MOVED = Topic(
    "import imports imported importing",
    may=_IMPORT
    + """ instead-of instead replace swap by switch over names not but same moved renamed rename gone
        deprecated lives becomes wrong path anymore no-longer longer no any redirect move migrate retarget
        turn exchange substitute where stop refers point from to rather correct adjust now""",
    never="add append insert",
)
_NAMES = {
    "python": re.compile(r"(?P<head>from (?P<module>[\w.]+) import )(?P<names>[\w, ]+)(?P<tail>)$"),
    "rust": re.compile(r"(?P<head>(?:pub )?use (?P<module>[\w:]+)::\{)(?P<names>[\w, ]+)(?P<tail>\};)$"),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx"),
        re.compile(
            r"(?P<head>import (?:type )?\{ ?)(?P<names>[\w, ]+?)(?P<tail> ?\} from ['\"](?P<module>[^'\"]+)['\"];?)$"
        ),
    ),
}


def import_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the file has no such import."""
    if source.syntax is None:
        return None
    return first_read(
        text,
        source,
        (_ADDED, _added, (1,)),
        (_REMOVED, _removed, (1,)),
        (_UNNAMED, _unnamed, (2,)),
        (_NAMED, _named, (2,)),
        (_MOVED, _moved, (2,)),
    )


def _added(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    new = gist.mentions[0]
    negated = gist.negates(lexicon("add import put need include insert"))
    if (
        new.quote
        and IMPORT_LINE.match(new.text)
        and "\n" not in new.text
        and not negated
        and not gist.has(GONE - lexicon("out off"))
    ):
        assert source.syntax is not None
        found = [i for i in imports(source.syntax) if source.holds(i.start, i.stop)]
        yield added_import(source, found, new.text.strip())


def _removed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    assert source.syntax is not None
    if gist.negates(GONE):
        return
    name = gist.mentions[0].text
    alike = [i for i in imports(source.syntax) if name in i.names and source.holds(i.start, i.stop)]
    if len(alike) == 1:
        yield removed_import(source, alike[0])


def _lists(source: Source, module: str) -> list[tuple[int, re.Match[str]]]:
    """The lines that import names from a module, these names in one line."""
    pattern = _NAMES.get(source.language)
    if pattern is None:
        return []
    matches = ((n, pattern.match(line)) for n, line in enumerate(source.lines) if source.holds(n, n + 1))
    return [(n, found) for n, found in matches if found is not None and found["module"] == module]


def _named(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(GONE) or (gist.has(NEGATIONS) and not gist.has(lexicon("yet there"))):
        return
    for (at, name), (_, module) in permutations(enumerate(gist.mentions)):
        rows = _lists(source, module.text)
        # "what comes from a is in b": b is no name.
        if (
            gist.before(at)[-1:] in (("from",), ("in",))
            or len(rows) != 1
            or not re.fullmatch(r"[A-Za-z_$][\w$]*", name.text)
        ):
            continue
        row, found = rows[0]
        names = [part.strip() for part in found["names"].split(",")]
        if name.text not in names and " as " not in found["names"] and names[-1]:
            put = f"{found['head']}{found['names'].rstrip()}, {name.text}{found['tail']}"
            yield Codemod((Hunk(row, row + 1, (put,)),))


def _unnamed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    assert source.syntax is not None
    if gist.negates(GONE):
        return
    for name, module in permutations(gist.mentions):
        rows = _lists(source, module.text)
        if len(rows) != 1:
            continue
        row, found = rows[0]
        names = [part.strip() for part in found["names"].split(",")]
        if name.text in names and len(names) > 1 and all(names):
            put = found["head"] + ", ".join(part for part in names if part != name.text) + found["tail"]
            reasons = still_used(source.syntax, name.text, range(row, row + 1), Role.USE)
            yield Codemod((Hunk(row, row + 1, (put,)),), tuple(reasons))


def _moved(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    for old, new in permutations(gist.mentions):
        rows = _lists(source, old.text)
        fits = re.fullmatch(r"[\w.]+" if source.language == "python" else r"[\w:./@-]+", new.text)
        if len(rows) != 1 or not fits or _lists(source, new.text) or contradicts(gist, old, new):
            continue
        row, found = rows[0]
        line = source.lines[row]
        if re.search(rf"\b{re.escape(new.text)}\b", found["names"]) or gist.negates(
            lexicon("replace change move")
        ):
            continue
        yield Codemod(
            (Hunk(row, row + 1, (line[: found.start("module")] + new.text + line[found.end("module") :],)),)
        )
