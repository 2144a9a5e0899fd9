"""`rename load to read`: every place where code means what has the old name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from fastedit.edit.codemod.meaning import Meaning
from fastedit.edit.codemod.names import Occurrence, Role, closing_comments, occurrences
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.types import is_type
from fastedit.edit.definitions import definitions
from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange

_ARROW = "[to|into|as|->|=>|→]"
_ALL = "[every use of |all uses of |every occurrence of |all occurrences of |all references to |]"
_KIND = "function|method|class|variable|parameter|argument|attribute|field|property|constant"
_BETTER = (
    "[better|clearer|nicer|good|more fitting|more telling|more descriptive|more suitable|more accurate|new]"
)
_SENTENCES = Sentences(
    f"rename {_ALL}{{the}}{{old}} {_ARROW} {{new}}{{in}}",
    f"rename {{the}}{{old}} {{kind={_KIND}}} {_ARROW} {{new}}{{in}}",
    f"rename {{the}}{{old}}{{in}} {_ARROW} {{new}}",
    f"change the name of {{the}}{{old}} {_ARROW} {{new}}{{in}}",
    f"[rename|call] {{place}} 's {{the}}{{old}} {_ARROW} {{new}}",
    f"[rename|call] {{place}} 's {{the}}{{old}} {{kind={_KIND}}} {_ARROW} {{new}}",
    "change the name {old} to {new}{in}",
    "{the}{old} [should|must] be [called|named|renamed to] {new}{in}",
    "call {the}{old} {new} [instead|from now on]",
    "call it {new} [instead of|rather than] {old}{in}",
    "let {the}{old} be [called|named] {new}{in}",
    "replace [every|all|each] {the}{old} [with|by] {new}{in}",
    "use the name {new} [instead of|rather than] {old}{in}",
    "update the [naming|name|names][:|] {the}{old} [becomes|is now] {new}{in}",
    "[let|have|want|] {the}name {old} [to|] go by the name {new}[ from now on| instead|]",
    "[replace|change|exchange|substitute] {the}name {old} [with|by|to|into|for] {new}{in}",
    "refactor {the}{old} so that {the}name becomes {new}",
    "{the}{old} is [misleading|confusing|unclear|badly named|a bad name][,|], make [that|it] {new}{in}",
    "{the}new name [for|of] {the}{old} is {new}{in}",
    "give {the}{old} the [new |]name {new}{in}",
    "{the}{old} [should|shall|will|is to|] [be known as|go by|go by the name|bear the name|carry the name] {new}{in}",
    "[let|make] {the}{old} [be known as|go by|bear the name|carry the name] {new}{in}",
    f"{{new}} [is|would be|makes|would make] a {_BETTER} name for {{the}}{{old}}{{in}}",
    "{new} [describes|fits|suits] {the}{old} better[, so|: |, ]rename it{in}",
    f"{{the}}{{old}} [needs|deserves|wants|could use] a {_BETTER} name[:|,|, say| like|, such as] {{new}}{{in}}",
    "use the name {new} for {the}{old}{in}",
    "want {new} as the [new |]name [of|for] {the}{old}{in}",
    "[pick|choose|take|use] {new} as the [new |]name [of|for] {the}{old}{in}",
)
# Between names; between values or types an arrow says something else.
_PAIR = Sentences("{old} -> {new}{in}")
# What becomes of something that keeps its name: "x -> negated".
_OUTCOMES = frozenset(
    """negated inverted gone deleted removed commented uncommented uncomment comment awaited async twice duplicate
    f-string""".split()  # noqa: SIM905
)
# As editors and shells take it.
_SUBSTITUTED = re.compile(r"s([/|#])(?P<old>[A-Za-z_$][\w$]*)\1(?P<new>[A-Za-z_$][\w$]*)\1g?")
_NAME = re.compile(r"[^\W\d][\w$]*\Z")
_SPECIAL = re.compile(r"__\w+__|constructor")


def rename(text: str, source: Source) -> Codemod | None:
    """None where the sentence is no rename, or nothing within its place has the name."""
    if found := _SUBSTITUTED.fullmatch(text.strip()):
        text = f"rename `{found['old']}` to `{found['new']}`"
    for told in _SENTENCES.read(text):
        if (made := renamed(source, told)) is not None:
            return made
    for told in _PAIR.read(text):
        new = told["new"]
        if "new" not in told.quoted and new in _OUTCOMES:
            continue
        if new not in source.vocabulary and not is_type(source, new):
            return renamed(source, told)
    return None


def renamed(source: Source, told: Told) -> Codemod | None:
    """None where nothing within its place has the name, or the place is not one definition."""
    *owners, old = re.split(r"\.|::|#", told["old"])
    new = re.split(r"\.|::|#", told["new"])[-1]
    place = source.place(told.get("place"))
    named = _NAME.match(old) and _NAME.match(new) and old != new
    if source.syntax is None or place is None or not named:
        return None
    everywhere = list(occurrences(source.syntax, old))
    inside = [
        o for o in everywhere if source.holds(o.line, o.line + 1) and place.start <= o.line < place.stop
    ]
    if not inside:
        return None
    meant, reasons = Meaning(source, told, old, owners, inside, everywhere).read()
    if not meant:
        return None
    if {o.line for o in everywhere} - {o.line for o in inside} and any(
        o.role is Role.DEFINITION for o in meant
    ):
        reasons.append(f"`{old}` also stands outside of where it is to be renamed")
    if _SPECIAL.fullmatch(old):
        reasons.append(f"`{old}` has a meaning of its own")
    if any(o.role is Role.DEFINITION for o in meant):
        closing = closing_comments(source.syntax, old)
        meant = [*meant, *(o for o in closing if source.holds(o.line, o.line + 1))]
    reasons += _in_macros(source, old)
    around = _around(source, meant)
    taken = [o for o in occurrences(source.syntax, new) if around.start <= o.line < around.stop]
    taken = [o for o in taken if _collides(o, meant)]
    if taken:
        reasons.append(f"`{new}` is a name already, on line {taken[0].line + 1}")
    return Codemod(_renamed(source, meant, new), tuple(reasons))


def _in_macros(source: Source, name: str) -> list[str]:
    """The bodies of C's macros are text to the parser."""
    assert source.syntax is not None
    kinds = source.syntax.known(["preproc_arg"])
    bodies = source.syntax.find(f"({kinds[0]}) @found") if kinds else []
    found = [b for b in bodies if re.search(rf"\b{re.escape(name)}\b", source.syntax.text(b))]
    return [f"`{name}` also stands in the macro on line {found[0].start_point.row + 1}"] if found else []


def _around(source: Source, meant: Sequence[Occurrence]) -> LineRange:
    """Where the new name may be in the way: the smallest function that holds a variable, else the file."""
    assert source.syntax is not None
    if all(o.role in (Role.USE, Role.BINDING) and o.scope for o in meant):
        first, last = min(o.line for o in meant), max(o.line for o in meant)
        holding = [d for d in definitions(source.syntax) if d.start <= first and last < d.stop]
        if holding:
            smallest = min(holding, key=lambda d: d.stop - d.start)
            return LineRange(smallest.start, smallest.stop)
    return LineRange(0, len(source.lines))


def _collides(taken: Occurrence, meant: Sequence[Occurrence]) -> bool:
    """Whether a place that has the new name already could be confused with those that get it."""
    if taken.role is Role.KEY:
        return False
    return any(_of_an_object(o) == _of_an_object(taken) for o in meant)


def _of_an_object(found: Occurrence) -> bool:
    return found.role is Role.MEMBER or (found.role is Role.DEFINITION and found.in_class)


def _renamed(source: Source, meant: Sequence[Occurrence], new: str) -> tuple[Hunk, ...]:
    places = defaultdict[int, list[Occurrence]](list)
    for occurrence in meant:
        places[occurrence.line].append(occurrence)
    hunks = []
    for number in sorted(places):
        line = source.lines[number]
        for occurrence in sorted(set(places[number]), key=lambda o: -o.start):
            put = f"{line[occurrence.start : occurrence.stop]}: {new}" if occurrence.shorthand else new
            line = line[: occurrence.start] + put + line[occurrence.stop :]
        hunks.append(Hunk(number, number + 1, (line,)))
    return tuple(hunks)
