"""Where an instruction names what stands in a region."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fastedit.english.said import Mention, Said, read
from fastedit.english.words import whole_word
from fastedit.source.imports import IMPORT_LINE, first_imports

# Words that instructions are made of; unquoted, they name no code even where the code has them too.
_SENTENCE = frozenset(
    """add after also an and around as at be before begin below above block by call called catch change code delete
    document drop each early end every file find first fix get give if import in insert instead into is it its last
    let line make must need needed needs new no not of on or over please put raise rather remove rename replace return
    returns rid say says set should start surround swap take than the them then there this to top try type up update
    use used we when where with wrap write""".split()  # noqa: SIM905 - a list would take a line a word
) | frozenset(keyword.kwlist)
MOST_PLACES = 48  # of one thing; what stands in more of them is hardly what is meant


class MentionSpan(NamedTuple):
    """The characters `start:stop` of a line, named by the instruction's mention number `mention`."""

    start: int
    stop: int
    mention: int


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that an instruction names: the characters `start:stop` of it, and `end` after the quotes around them.

    `lines` are the indices of the lines that have it, `places` those of them where it is a part of the line, as line,
    first character and the one after the last. Without lines it is something handed over: a new name, a value.
    """

    start: int
    stop: int
    end: int
    lines: tuple[int, ...] = ()
    places: tuple[tuple[int, int, int], ...] = ()


def mentioned(instruction: str, lines: Sequence[str]) -> list[Named]:
    """What the instruction names, in its order: what the lines have, and what it hands over.

    An import that is handed over names the last line of the lines' first run of imports, after which it belongs.
    """
    said = read(instruction)
    found = [named for mention in said.mentions if (named := _named(said, mention, lines)) is not None]
    standing = {line.strip() for line in lines}
    if any(IMPORT_LINE.match(text) and text not in standing for text in said.given):
        end, run = len(instruction), first_imports(lines)
        found += [Named(end, end, end, (run.stop - 1,))] if run else []
    return found


def _named(said: Said, mention: Mention, lines: Sequence[str]) -> Named | None:
    """The lines that are the text, else those that hold it, else those that hold the last part of a dotted name."""
    texts = {getattr(o, field, None) for o in said.operations for field in ("target", "old", "new")}
    called = f"{mention.text}()"
    text = called if called in texts and _at(said, mention, called) else mention.text.strip()
    sure = mention.sure and not keyword.iskeyword(text)  # "the import from x" does not name "from"
    if not (text in texts or sure or text.lower() not in _SENTENCE):
        return None
    alike = {text, mention.literal} | ({called} if _at(said, mention, called) else set())
    whole = tuple(i for i, line in enumerate(lines) if line.strip() in alike)
    places = () if whole else _holding(text, lines) or _holding(re.split(r"\.|::|#", text)[-1], lines)
    named = whole or tuple(dict.fromkeys(line for line, _, _ in places))
    if not (named or text in texts or mention.quoted or mention.coded):
        return None
    stop = mention.start + len(text)
    return Named(
        mention.start, stop, max(stop, mention.stop), named, places if len(places) <= MOST_PLACES else ()
    )


def _at(said: Said, mention: Mention, text: str) -> bool:
    return said.text.startswith(text, mention.start)


def _holding(text: str, lines: Sequence[str]) -> tuple[tuple[int, int, int], ...]:
    """Where the text stands in the lines, as whole words where it begins or ends with one."""
    if not text:
        return ()
    pattern = whole_word(text)
    return tuple(
        (index, found.start(), found.end())
        for index, line in enumerate(lines)
        for found in pattern.finditer(line)
    )
