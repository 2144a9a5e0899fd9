"""Imports that come, go and change, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, first_spelled, lexicon, stem
from fastedit.edit.codemod.going import brings_in, frees, goes_away, keeps, takes_out
from fastedit.edit.codemod.import_line import added_import, removed_import
from fastedit.edit.codemod.import_words import (
    with_import_ticked,
    with_imported_ticked,
    with_less_spelled,
    with_modules_ticked,
    with_new_module_ticked,
    with_new_name_ticked,
    with_subject_ticked,
)
from fastedit.edit.codemod.names import Role, still_used
from fastedit.edit.codemod.order import contradicts
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import imports
from fastedit.edit.instruction import IMPORT_LINE

_IMPORT = " import imports imported importing line lines statement statements module section list block "
_UNUSED = """ not no no-longer without stop never nobody nothing any anymore unused used uses use anywhere here refers
    referenced linter complains leftover for but its rid out leave left dead behind stale of list why necessary where
    are there's still around goes required serves necessity longer unreferenced one do
    everything rest same else doesn't need weight ballast cruft noise clutter pointless use"""
_ADDED = Topic(
    may=_IMPORT
    + """ last end after below under behind top bottom other others block following next append missing lacks yet not
    there something run won't without depends on among extra rest one below list and but no drop throw pull toss chuck
    slap there's up imports along beside besides needs requires require depend lacking absent file first nameerror
    fails work works beneath underneath then""",
    never="replace replacement change",
)
_REMOVED = Topic(
    "import imports imported importing unimport un-import de-import",
    GONE
    | lexicon(
        """no not without no-longer stop never unused dead obsolete go goes necessity unreferenced unimport
        un-import de-import needless needlessly free"""
    ),
    may=_IMPORT + _UNUSED,
)
_TAKES = """import imports imported importing take takes get grab bring pull need name names include throw add wire
    want + give come fetch obtain source available accessible needed required supplement"""
_NAMED = Topic(
    _TAKES,
    may=_IMPORT
    + """ names name last end others other rest list append grab pull in next besides existing not yet there no throw
    widen join among cover out while when part drop up toss slap want beside comes one extra onto squeeze slot work
    grows contain contains belongs belong lacks missing as same line there's behind besides current make
    brings gives gets where""",
    never="replace replacement change substitute exchange switch instead lives say right wrong correct",
)
_UNNAMED = Topic(
    GONE
    | lexicon(
        """no not without no-longer stop never exclude unused go goes dead obsolete skip shorten reduce forgo free
        needless needlessly"""
    ),
    may=_IMPORT
    + _UNUSED
    + """ names name others other only keep rest same before when among stays trim shorten kick those in while remain
    stay pulled taken bring brought unused it's""",
)
_MOVED = Topic(
    "import imports imported importing names come comes coming moved take takes get gets pull bring fetch",
    may=_IMPORT
    + """ at things take these those them sit sits lie lies found find home belongs belong points path source module
        modules package called known renamed relocated relocate fetched fetch got taken through path package
    import-path
        instead-of instead replace swap by switch over names not but same moved renamed rename gone
        deprecated lives becomes transfer wrong path anymore no-longer longer no any redirect move migrate retarget
        turn exchange substitute where stop refers point from to rather correct adjust now everything keep and names
        everywhere what comes come moved live outdated obsolete there stays stay point points repoint stand stands
        anything used to shift of go goes live name rest leave same whatever while ought trade hitherto""",
    never="add append insert bring well also too",
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


_ADDS = lexicon("add import put need include insert want drop throw pull")
_REFUSED = (("not",), ("never",), ("no-longer",), ("stop",))
# "It is in `a`" names a module, "bring in `a`" a name.
_LIES = tuple((stem(word),) for word in ["is", "be", "now", "live", "come", "lie", "sit", "found"])
_READS = lexicon("be read say become use go point")
_OPEN = ("whether the import is meant is left open",)
_SAID = lexicon("import imports imported importing")
# "Import `a`, which lives in `b`"
_WHICH = re.compile(
    r",? (?:which|that) (?:now )?(?:(?:lives|sits|resides|is(?: defined| found| declared)?) in|comes from) "
    r"(?=[`'\"\w.])"
)
_SPEAKS = _SAID | lexicon("names come comes coming moved")
_WRONG = lexicon("wrong outdated obsolete deprecated gone stale old")


def import_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the file has no such import."""
    if source.syntax is None:
        return None
    text = with_subject_ticked(with_less_spelled(_WHICH.sub(" from ", text)), source)
    if source.language != "python" or "\n" in text:
        return _read(text, source)
    known = with_modules_ticked(text, source)
    return first_spelled(
        _read,
        source,
        text,
        with_import_ticked(text),
        known,
        with_imported_ticked(known, source),
        with_new_name_ticked(known),
        with_new_module_ticked(known),
    )


def _read(text: str, source: Source) -> Codemod | None:
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
    negated = gist.negates(_ADDS) or gist.before(0)[-1:] in _REFUSED
    if (
        new.quote
        and IMPORT_LINE.match(new.text)
        and "\n" not in new.text
        and not negated
        and not takes_out(gist, but="out off")
    ):
        assert source.syntax is not None
        found = [i for i in imports(source.syntax) if source.holds(i.start, i.stop)]
        yield added_import(source, found, new.text.strip())


def _removed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    assert source.syntax is not None
    if _kept(gist) or not _unwanted(gist):
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
    if takes_out(gist, but="out") or (gist.has(NEGATIONS) and not gist.has(lexicon("yet there"))):
        return
    # "It is outdated, the module is `b`" names what takes its place.
    if gist.has(_WRONG):
        return
    for (at, name), (place, module) in permutations(enumerate(gist.mentions)):
        rows = _lists(source, module.text)
        # "what comes from a is in b": b is no name. "a should be b": b takes its place.
        if (
            gist.before(at)[-1:] == ("from",)
            or (gist.before(at)[-1:] == ("in",) and gist.before(at)[-2:-1] in _LIES)
            or gist.before(at)[-2:] == ("should", "be")
            or gist.before(at)[-1:] in (("->",), ("at",))
            or _takes_over(gist, at)
            or len(rows) != 1
            or not re.fullmatch(r"[A-Za-z_$][\w$]*", name.text)
        ):
            continue
        row, found = rows[0]
        names = [part.strip() for part in found["names"].split(",")]
        if name.text not in names and " as " not in found["names"] and names[-1]:
            put = f"{found['head']}{found['names'].rstrip()}, {name.text}{found['tail']}"
            if _of_module(gist, place):
                yield Codemod((Hunk(row, row + 1, (put,)),), () if _speaks_of_import(gist, place) else _OPEN)


def _takes_over(gist: Gist, at: int) -> bool:
    """Whether the import is to be another one: "has to read `b`", "make it a `b` import"."""
    before = gist.before(at, 4)
    begun = "should" in before and not _READS.isdisjoint(before[before.index("should") :])
    behind = [gist.stems[place + 1 : place + 2] for place in gist.places]
    return begun or all(word in (("import",), (stem("imports"),)) for word in behind)


def _unnamed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    assert source.syntax is not None
    if _kept(gist) or not _unwanted(gist):
        return
    for name, module in permutations(gist.mentions):
        rows, place = _lists(source, module.text), gist.mentions.index(module)
        if len(rows) != 1 or not _of_module(gist, place):
            continue
        row, found = rows[0]
        names = [part.strip() for part in found["names"].split(",")]
        if name.text in names and len(names) > 1 and all(names):
            put = found["head"] + ", ".join(part for part in names if part != name.text) + found["tail"]
            reasons = still_used(source.syntax, name.text, range(row, row + 1), Role.USE)
            yield Codemod((Hunk(row, row + 1, (put,)),), tuple(reasons))


def _kept(gist: Gist) -> bool:
    """Whether it is not to go; "don't pull it in" says that it is."""
    return keeps(gist, "skip", "shorten", "reduce", "unimport") and not brings_in(gist)


def _unwanted(gist: Gist) -> bool:
    """Whether a word says that it goes; "go" alone may lead elsewhere."""
    said = lexicon(
        """unused dead obsolete necessity unreferenced unimport un-import de-import skip shorten reduce
        forgo needless needlessly"""
    )
    return gist.has(GONE | NEGATIONS | said) or frees(gist) or goes_away(gist)


def _of_module(gist: Gist, module: int) -> bool:
    """Whether the sentence speaks of an import, or of what comes from the module."""
    before = gist.before(module)
    return _speaks_of_import(gist, module) or before[-1:] == ("from",) or before[-2:] == ("out", "of")


def _speaks_of_import(gist: Gist, module: int) -> bool:
    """Whether it does for sure: what has dots is a module, else something may be taken from an object of the name."""
    return gist.has(_SAID) or "." in gist.mentions[module].text


def _order(gist: Gist, old: Word, new: Word) -> bool:
    """Whether the words allow that the first gives way to the second."""
    wrong = [_called_wrong(gist, gist.mentions.index(word)) for word in (old, new)]
    if wrong[0] != wrong[1]:
        return wrong[0]
    first, second = gist.places
    between = gist.stems[first + 1 : second]
    if between[-1:] == ("not",):
        return gist.mentions.index(new) == 0
    if between[-1:] == (stem("replace"),) and "be" not in between:
        return gist.mentions.index(new) == 0
    return not contradicts(gist, old, new)


def _called_wrong(gist: Gist, mention: int) -> bool:
    """Whether it is said to be wrong or not to be what it is."""
    stop = gist.places[mention + 1] if mention + 1 < len(gist.places) else len(gist.stems)
    behind = gist.stems[gist.places[mention] + 1 : stop]
    return behind[:1] == ("is",) and not _WRONG.isdisjoint(behind) and "right" not in behind


def _moved(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    for old, new in permutations(gist.mentions):
        rows = _lists(source, old.text)
        fits = re.fullmatch(r"[\w.]+" if source.language == "python" else r"[\w:./@-]+", new.text)
        if len(rows) != 1 or not fits or _lists(source, new.text) or not _order(gist, old, new):
            continue
        # "Take it from a" is no exchange, "take it from b, not a" is.
        if not gist.has(_SPEAKS) and not gist.has(lexicon("not instead-of")):
            continue
        if not (gist.has(_SAID) or gist.before(gist.mentions.index(old))[-1:] == ("from",)):
            continue
        row, found = rows[0]
        line = source.lines[row]
        if re.search(rf"\b{re.escape(new.text)}\b", found["names"]) or gist.negates(
            _WRONG | lexicon("replace change move come point redirect repoint retarget switch swap update")
        ):
            continue
        yield Codemod(
            (Hunk(row, row + 1, (line[: found.start("module")] + new.text + line[found.end("module") :],)),)
        )
