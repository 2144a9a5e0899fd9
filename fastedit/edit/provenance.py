"""Where the words of new lines come from: the file, the instruction, or nowhere."""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator

from fastedit.edit.change import WORD, Change, inked, short
from fastedit.edit.definitions import definitions
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction

_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_SMALL = frozenset({"0", "1", "2"})
_DUNDER = re.compile(r"__\w+__")
_WRAPS = re.compile(
    r"\b(?:wrap|surround|indent|dedent|unwrap|guard|nest|insid|within|try|catch|loop|around|block|if|with|on)\w*",
    re.IGNORECASE,
)
_LAYOUT = re.compile(r"\b(?:blank|empty|format|spacing|whitespace|indent\w*|lines?)\b", re.IGNORECASE)
_CLOSED = re.compile(
    r"\b(?:defaults?|annotat\w+|return\s+type|param\w*|arguments?|decorat\w+|imports?)\b", re.IGNORECASE
)
_SENTENCE = 14  # words; a longer one may ask for more


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


# What stands in code of some language whatever the code is about.
_KEYWORDS = (
    frozenset(keyword.kwlist)
    | frozenset(keyword.softkwlist)
    | _words(
        """self cls this super null nil true false undefined public private protected static final void var let const
    function func fn new typeof instanceof throw throws catch switch default do struct enum impl trait interface
    type package use mod pub mut ref auto template typename namespace using include define extends implements"""
    )
)
_NAMES = frozenset(dir(builtins)) | _words(
    """NaN Self string number boolean any object char Error err Exception e Ok Some Err Result Option Vec String Box
    fmt println console log Promise Array Map Set Math JSON Object std size_t NULL nullptr i j k x n logger logging
    override"""
)


def _given_there(change: Change, said: Instruction) -> Iterator[str]:
    """What the instruction quotes and the file lacked is in the result."""
    if said.deletes:
        return
    old, new = (_squeezed("\n".join(lines)) for lines in (change.old, change.new))
    for piece in said.given:
        text = _squeezed(piece)
        if text not in old and text not in new and "..." not in text:
            yield f"{short(text)} of the instruction is not in the result"


def _only_added(change: Change, said: Instruction) -> Iterator[str]:
    """Where the instruction hands over whole lines to be added, the old lines all stay, in their order."""
    if change.update is not None or said.deletes or said.replacement is not None:
        return
    added = [text for hunk in change.hunks for text in inked(hunk.lines)]
    pieces = {piece for piece in said.given if _squeezed(piece) not in _squeezed(change.document.text)}
    if not any(text.strip("@\"'") in pieces or text in pieces for text in added):
        return
    rest = iter(inked(change.new))
    gone = next((text for text in inked(change.old) if text not in rest), None)
    if gone is not None:
        yield f"{short(gone)} changes, though there is only something to add"


def _nothing_invented(change: Change, said: Instruction) -> Iterator[str]:
    """Each name and number in new lines is the file's, the request's or the language's; a new name is used twice."""
    known = change.old_words | change.given_words | _KEYWORDS | _NAMES
    lines = _new_lines(change)
    if change.new_syntax is not None:
        for name, places in change.new_syntax.identifiers.items():
            if name not in known and not _DUNDER.fullmatch(name) and sum(n in lines for n in places) == 1:
                yield f"the name `{name}` comes from nowhere"
                return
    if change.update is None:
        numbers = _SMALL.union(_NUMBER.findall(change.document.text), _NUMBER.findall(said.text))
        for line in sorted(lines):
            for number in sorted(set(_NUMBER.findall(change.new[line])) - numbers):
                yield f"the number {number} comes from nowhere"
                return


def _nothing_besides(change: Change, said: Instruction) -> Iterator[str]:
    """Where the instruction hands over the new code, new lines are made of that and of the lines that they replace."""
    if change.update is not None or said.rename is not None or not _hands_over(change, said):
        return
    for index, hunk in enumerate(change.hunks):
        beside = _beside(change, index)
        for text in inked(hunk.lines):
            strange = set(WORD.findall(text)) - said.words - _KEYWORDS - _words_of(change, hunk) - beside
            if strange:
                yield f"{short(text)} has `{min(strange)}`, which the instruction does not speak of"
                return


def _hands_over(change: Change, said: Instruction) -> bool:
    """Whether the sentence holds all that can be new: code that the file lacks, or one small change of a kind that
    invents nothing.
    """
    if _CLOSED.search(said.prose) and len(said.prose.split()) <= _SENTENCE:
        return True
    return any(_squeezed(piece) not in _squeezed(change.document.text) for piece in said.given)


def _beside(change: Change, index: int) -> set[str]:
    """Words of lines that this hunk takes from another hunk: they moved."""
    others = (hunk for at, hunk in enumerate(change.hunks) if at != index)
    return {word for hunk in others for word in _words_of(change, hunk)}


def _nothing_again(change: Change, said: Instruction) -> Iterator[str]:
    """No line of the file comes a second time, unless the instruction has all of its words, and none that it gives."""
    if change.update is not None:
        return
    before, after, given = Counter(inked(change.old)), Counter(inked(change.new)), Counter(said.given)
    for hunk in change.hunks:
        for text in inked(hunk.lines):
            words = set(WORD.findall(text))
            again = after[text] > before[text] > 0 and not words <= said.words | _KEYWORDS
            if words and (again or after[text] > before[text] + given[text] > before[text]):
                yield f"{short(text)} is repeated"
                return


def _to_the_point(change: Change, said: Instruction) -> Iterator[str]:
    """Each changed place has to do with something that the instruction names, and more than blanks change there."""
    if change.update is not None or said.rename is not None:
        return
    named = {word for m in said.mentions if m.sure for word in WORD.findall(m.text)}
    named |= {word for piece in said.given for word in WORD.findall(piece)}
    meant = [d for d in definitions(change.old_syntax) if d.name in said.words] if change.old_syntax else []
    for hunk in change.hunks:
        old, new = change.old[hunk.start : hunk.stop], hunk.lines
        words = _words_of(change, hunk) | {word for line in new for word in WORD.findall(line)}
        inside = any(d.start <= hunk.start and hunk.stop <= d.stop for d in meant)
        if (named or meant) and words and not inside and words.isdisjoint(named | said.words):
            yield f"line {hunk.start + 1} changes, which has nothing that the instruction names"
        elif inked(old) == inked(new) and any(inked(old)) and not _WRAPS.search(said.prose):
            yield f"only blanks change at line {hunk.start + 1}"
        elif len(old) - len(inked(old)) != len(new) - len(inked(new)) and not _spaces(said, new):
            yield f"blank lines change at line {hunk.start + 1}"


def _spaces(said: Instruction, new: tuple[str, ...]) -> bool:
    """Whether blank lines may come and go with such a change: a deletion, or a block of several lines."""
    return said.deletes or len(inked(new)) > 1 or _LAYOUT.search(said.prose) is not None


def _new_lines(change: Change) -> set[int]:
    pairs = zip(change.hunks, change.starts, strict=True)
    return {start + offset for hunk, start in pairs for offset in range(len(hunk.lines))}


def _words_of(change: Change, hunk: Hunk) -> set[str]:
    return {word for line in change.old[hunk.start : hunk.stop] for word in WORD.findall(line)}


def _squeezed(text: str) -> str:
    return " ".join(text.split())


PROVENANCE_CHECKS: tuple[Callable[[Change, Instruction], Iterator[str]], ...] = (
    _given_there,
    _only_added,
    _nothing_invented,
    _nothing_besides,
    _nothing_again,
    _to_the_point,
)
