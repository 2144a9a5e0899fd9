"""Values and pieces of code in place of others, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.assign import replaced, values
from fastedit.edit.codemod.calls import is_declared
from fastedit.edit.codemod.gist import GONE, Gist, Topic, first_read, lexicon
from fastedit.edit.codemod.keys import below, literals, settings, with_value
from fastedit.edit.codemod.line_topics import places
from fastedit.edit.codemod.order import contradicts
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.value import changes_kind, spelled
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word
from fastedit.edit.request import LineRange

_VALUE = re.compile(
    r"-?\d[\w.]*|[\"'\[{(].*|true|false|none|null|nil|undefined|nullptr", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"[A-Za-z_$][\w$.-]*")
_GIVEN = Topic(
    """value values set switch redefine give -> = : instead-of should configure start use assign store hold
    equal be initialise adjust tweak amend
        make become move turn change initialised reset put initial""",
    may=""" variable setting entry key property off at from rather equals equal not no-longer no longer anymore by swap
        out over where is was so far tries try don't but of assignment initialised reset redefine define holds
        right-hand side move currently replace correct with only name initial right to make made under become have
        be now and in needs need changing turn that has want could starts edit them its""",
    never="add append insert include extend rename also too",
)
# "Don't set x to 1 but to 2"
_NOT_TO = re.compile(
    r"\b(?:don't|do not) (?:set|change) "
    r"(?P<name>[^\s]+(?: (?:in|under|of) (?:`[^`]*`|\"[^\"]*\"|'[^']*'|\S+))?) to (?P<old>.+)"
    r" but (?:rather |instead )?to ",
    re.IGNORECASE,
)
_UNDER = lexicon("in inside within under of for below")
_EXCHANGE = lexicon(
    """instead-of instead replace replaced replacement change become becomes turn substitute switch swap convert
    rewrite trade ->"""
    " not correct wrong modify edit overwrite fix rephrase reword exchange"
)
_REPLACED = Topic(
    _EXCHANGE | lexicon("should"),
    may=""" text phrase words wording word message string literal expression value condition check test
        conditional say says said reads by out over not no anymore no-longer longer where place it's stop
        using go rather than drop get rid bit mistake outdated up sub meant currently branch depend decision
        base tests tested testing checked checks checking becomes goes takes swap sounds odd old new but
        used so far formulate phrase meant""",
    never="add append insert include extend rename into name key also too follow has",
)


def value_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or it does not stand in one place."""
    return first_read(
        _NOT_TO.sub(r"change \g<name> from \g<old> to ", text),
        source,
        (_GIVEN, _given, (2, 3, 4)),
        (_REPLACED, _replaced, (2, 3)),
    )


def _given(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    # What is given "as well" is no value in place of another.
    if gist.has(lexicon("like well")) or gist.negates(lexicon("become")):
        return
    if (
        source.syntax is None
        or gist.has(GONE - lexicon("off out"))
        or gist.negates(lexicon("set change switch redefine"))
    ):
        return
    for mentions, place in (*places(gist, source), *_titled(gist, source)):
        if len(mentions) < 2:
            continue
        for name, new, *old in permutations(mentions):
            if (
                len(old) > 1
                or gist.keeps_value(bool(old))
                or not _NAME.fullmatch(name.text)
                or not _VALUE.fullmatch(new.literal or new.text)
            ):
                continue
            found = list(values(source, name.text, place))
            if len(found) != 1 or found[0].start_point.row != found[0].end_point.row:
                yield _over_literal(gist, source, (name, new, *old), place)
                continue
            node = replaced(source, found[0], new.text)
            known = source.syntax.text(node)
            put = spelled(new.text, new.literal, known, source.language)
            if put == known or (old and old[0].text not in (known, known.strip("\"'"))):
                continue
            if old and (contradicts(gist, old[0], new) or gist.parts(new, old[0])):
                continue
            yield Codemod((source.over(node, put),), tuple(changes_kind(known, put)))


def _titled(gist: Gist, source: Source) -> Iterator[tuple[tuple[Word, ...], LineRange]]:
    """What is mentioned but for the line that it stands under, where one is told, with the lines below that."""
    for at, word in enumerate(gist.mentions):
        under = not _UNDER.isdisjoint(gist.before(at, 2))
        if under and (place := below(source, word.text)) is not None:
            yield (*gist.mentions[:at], *gist.mentions[at + 1 :]), place


def _over_literal(gist: Gist, source: Source, said: tuple[Word, ...], place: LineRange) -> Codemod | None:
    """The new value on the one line that gives the name a literal; it is no more than likely to be meant where others
    give it something else, unless the old value is told.
    """
    name, new, *old = said
    found = literals(source, name.text, place, old[0].literal or old[0].text if old else None)
    if len(found) != 1 or (old and (contradicts(gist, old[0], new) or gist.parts(new, old[0]))):
        return None
    made = with_value(source, found[0], new)
    sure = old or len(settings(source, name.text, place)) == 1
    doubts = () if sure else (f"`{name.text}` is given something else as well",)
    return None if made is None else Codemod(made.hunks, (*made.reasons, *doubts))


def _exchanges(gist: Gist) -> bool:
    """Whether it says that one takes the place of the other: not "a should b", nor that both change
    places."""
    pairs = set(pairwise(gist.stems))
    should = {("should", "be"), ("should", "say"), ("should", "read"), ("should", "become")}
    both = gist.has(lexicon("swap exchange switch trade")) and gist.has(lexicon("with"))
    return not both and (gist.has(_EXCHANGE) or not should.isdisjoint(pairs))


def _times(source: Source, word: Word, place: LineRange) -> list[int]:
    """The lines of a place that have it, as often as they do."""
    pattern = whole_word(word.text)
    return [n for n in range(place.start, place.stop) for _ in pattern.findall(source.lines[n])]


def _replaced(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(lexicon("replace change swap take")) or not _exchanges(gist):
        return
    for mentions, place in places(gist, source):
        if len(mentions) != 2 or not all(word.quote for word in mentions):
            continue
        for old, new in permutations(mentions):
            rows = _times(source, old, place)
            named = _NAME.fullmatch(old.text) and _VALUE.fullmatch(new.text)
            # What is in the file already may be what goes as well.
            if (
                len(rows) != 1
                or named
                or is_declared(new.text)
                or _times(source, new, source.scope)
                or old.text in new.text.split("(")
                or contradicts(gist, old, new)
            ):
                continue
            line = whole_word(old.text).sub(new.text.replace("\\", r"\\"), source.lines[rows[0]])
            whole = source.lines[rows[0]].strip().rstrip(";") == old.text.rstrip(";")
            if not whole:
                yield Codemod((Hunk(rows[0], rows[0] + 1, (line,)),))
