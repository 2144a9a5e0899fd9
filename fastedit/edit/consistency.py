"""Whether an answer does what the instruction says: cheap tests that a wrong answer of a small model rarely passes."""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from fastedit.edit.change import WORD, Change, inked
from fastedit.edit.definitions import Definition, definitions
from fastedit.edit.instruction import Instruction
from fastedit.edit.request import LineRange

Check = Callable[[Change, Instruction, Sequence[LineRange]], Iterator[str]]

_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_SMALL = frozenset({"0", "1", "2"})
_DUNDER = re.compile(r"__\w+__")
_WRAPS = re.compile(
    r"\b(?:wrap|surround|indent|dedent|unwrap|guard|nest|insid|within|try|catch|loop|around|block|if|with|on)\w*",
    re.IGNORECASE,
)
_LAYOUT = re.compile(r"\b(?:blank|empty|format|spacing|whitespace|lines?)\b", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:add|insert|append|put|write|create|prepend)\b", re.IGNORECASE)
# Words that every language has, whatever else a file uses.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """self cls this super None True False null nil true false undefined NaN Self str int float bool char void
        string number boolean any object error Error err Exception e Ok Some Err Result Option Vec String Box fmt
        println console log Promise Array Map Set Math JSON Object async await let const var new typeof instanceof
        logger logging std size_t uint32_t uint64_t int32_t int64_t NULL nullptr auto i j k x n override final""",
    )
)
_KNOWN = _COMMON | frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)


def _renamed(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """A rename leaves none of the old name in its regions and changes nothing else."""
    rename = said.rename
    if rename is None:
        return
    old, new = (re.split(r"\.|::", name)[-1] for name in (rename.old, rename.new))
    pattern = re.compile(rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    if change.new_syntax is not None:
        left = change.new_syntax.identifiers.get(old, ())
        still = [line for line in left if any(a <= line < b for a, b in _moved(change, regions))]
        if still:
            yield f"`{old}` still stands on line {still[0] + 1}"
    elif not change.hunks:
        yield f"`{old}` was not renamed"
    if change.update is not None or not rename.alone:
        return
    for hunk in change.hunks:
        before = [pattern.sub(new, line) for line in change.old[hunk.start : hunk.stop]]
        if before != [pattern.sub(new, line) for line in hunk.lines]:
            yield f"more than the name `{old}` changes at line {hunk.start + 1}"
            return


def _moved(change: Change, regions: Sequence[LineRange]) -> list[tuple[int, int]]:
    """Where the regions lie in the result."""

    def behind(line: int) -> int:
        hunks = [hunk for hunk in change.hunks if hunk.stop <= line]
        return line + sum(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in hunks)

    return [(behind(region.start), behind(region.stop)) for region in regions]


def _deleted(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """What was to be deleted is gone, and with a definition or a line nothing but that."""
    target = said.deleted
    if target is None or change.update is not None:
        return
    item = _definition(change, target.text)
    if item is not None and change.new_syntax is not None:
        if any(d.path == item.path for d in definitions(change.new_syntax)):
            # "remove the decorator cache from load" may name a definition by chance.
            if target.kind or not change.hunks or not any(m.place for m in said.mentions):
                yield f"{item.dotted} is still there"
        else:
            cuts = [range(first, item.stop) for first in range(item.start, item.header + 1)]
            yield from _nothing_else(change, cuts)
        return
    lines = [n for n, line in enumerate(change.old) if line.strip() == target.text.strip()]
    if lines and target.quoted:
        if Counter(inked(change.new))[target.text.strip()] >= len(lines):
            yield f"{_short(target.text)} is still there"
        elif not _ADDS.search(said.prose):
            yield from _nothing_else(change, [lines, *([line] for line in lines)])
    elif not change.hunks:
        yield "nothing was deleted"


def _definition(change: Change, name: str) -> Definition | None:
    """The one definition that `name` can mean."""
    wanted = tuple(part for part in re.split(r"::|[.#]", name) if part)
    if change.old_syntax is None or not wanted:
        return None
    found = [d for d in definitions(change.old_syntax) if d.path[-len(wanted) :] == wanted]
    return found[0] if len(found) == 1 else None


def _nothing_else(change: Change, cuts: Sequence[Sequence[int]]) -> Iterator[str]:
    """The result is the original without the lines of one of the `cuts`; blank lines do not count."""
    result = inked(change.new)
    if not any(inked([line for n, line in enumerate(change.old) if n not in cut]) == result for cut in cuts):
        yield "more changes than what was to be deleted"


def _quoted_there(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """What the instruction quotes and the file lacked is in the result."""
    old, new = (" ".join(" ".join(lines).split()) for lines in (change.old, change.new))
    pieces = [m.text for m in said.mentions if m.quoted] + [
        line for b in said.blocks for line in inked(b.split("\n"))
    ]
    for piece in pieces:
        text = " ".join(piece.split())
        if text and "..." not in text and text not in old and text not in new and not said.deletes:
            yield f"{_short(text)} of the instruction is not in the result"


def _nothing_invented(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """Each name and number in new lines is the file's, the request's or the language's, or used more than once."""
    known = change.old_words | change.given_words | _KNOWN
    lines = {
        start + k
        for hunk, start in zip(change.hunks, change.starts, strict=True)
        for k in range(len(hunk.lines))
    }
    if change.new_syntax is not None:
        for name, places in change.new_syntax.identifiers.items():
            count = sum(place in lines for place in places)
            if count == 1 and name not in known and not _DUNDER.fullmatch(name):
                yield f"the name `{name}` comes from nowhere"
                return
    if change.update is None:
        numbers = _SMALL.union(_NUMBER.findall(change.document.text), _NUMBER.findall(said.text))
        for line in sorted(lines):
            for number in set(_NUMBER.findall(change.new[line])) - numbers:
                yield f"the number {number} comes from nowhere"
                return


def _to_the_point(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """Each changed place has to do with something that the instruction names."""
    if change.update is not None or said.rename is not None:
        return
    named = {word for m in said.mentions if m.sure for word in WORD.findall(m.text)}
    named |= {word for block in said.blocks for word in WORD.findall(block)}
    for index, hunk in enumerate(change.hunks):
        words = {w for line in (*change.old[hunk.start : hunk.stop], *hunk.lines) for w in WORD.findall(line)}
        if not words and not said.deletes and not _LAYOUT.search(said.prose) and len(change.hunks) > 1:
            yield f"blank lines change at line {hunk.start + 1}"
        elif named and words and words.isdisjoint(named | said.words):
            yield f"line {hunk.start + 1} changes, which has nothing that the instruction names"
        elif words and change.removed(hunk) == inked(hunk.lines) and not _WRAPS.search(said.prose):
            yield f"only blanks change at line {change.hunks[index].start + 1}"


def _short(text: str) -> str:
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


INSTRUCTION_CHECKS: tuple[Check, ...] = (_renamed, _deleted, _quoted_there, _nothing_invented, _to_the_point)
