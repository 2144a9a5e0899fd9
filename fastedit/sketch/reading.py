"""What a line tells by itself and by where it stands: how much ink, how often, in which block, of which definition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from fastedit.edit.markers import (  # moves here with them
    _converted,
    _tabs,
    _unit,
    looks_like_marker,
    parse_update,
)
from fastedit.edit.outline import (
    definition_at,
    indent_width,
    indentation,
    is_closer,
    is_comment,
    is_decorator,
    opens_block,
    parents,
)
from fastedit.edit.update import Update, UpdateLine

BLANK, BARE, SHORT, FULL = range(4)  # no ink, punctuation, a letter or two, more
_HEAD = re.compile(
    r"\b(?:def|class|function|fn|func|struct|enum|interface|trait|impl|mod|module|namespace|type|const|let|var|async)\b"
    r"|[{(]\s*$|=>\s*$"
)
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:{]|(?:const|var|let)\s.*\brequire\()"
)
_TARGET = re.compile(
    r"""\s*(?:(?:const|let|var|val|final|static|pub|public|private|protected|readonly|mut|self\.|this\.)\s*)*
    (?P<quote>["'`]?)(?P<name>[\w$.-]+)(?P=quote)\s*(?::[^=:]*)?(?:=(?!=)|:(?!:))""",
    re.VERBOSE,
)


class Outline:
    """What is asked of lines again and again."""

    def __init__(self, texts: Sequence[str], hidden: frozenset[int] = frozenset()) -> None:
        self.texts, self.hidden = tuple(texts), hidden

    @cached_property
    def stripped(self) -> list[str]:
        return [text.strip() for text in self.texts]

    @cached_property
    def widths(self) -> list[int]:
        return [indent_width(text) for text in self.texts]

    @cached_property
    def ink(self) -> list[int]:
        return [ink_of(text) for text in self.stripped]

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.stripped)

    @cached_property
    def parents(self) -> list[int | None]:
        return parents(self.texts, self.hidden)

    @cached_property
    def heads(self) -> dict[int, str]:
        """The lines that begin a definition, and its name."""
        found = {}
        for row, text in enumerate(self.texts):
            if row not in self.hidden and _HEAD.search(text) and (name := definition_at(self.texts, row)):
                found[row] = name
        return found

    @cached_property
    def chains(self) -> list[tuple[int, ...]]:
        """For each line the heads of the definitions around it, the outermost first; a head is in its own."""
        found: list[tuple[int, ...]] = []
        for row, above in enumerate(self.parents):
            around = found[above] if above is not None and above < row else ()
            found.append((*around, row) if row in self.heads else around)
        # What stands above a definition belongs to it, and a blank line to what stands above it.
        for row in range(len(found) - 2, -1, -1):
            if self.leads(row) and found[row + 1][:-1] == found[row]:
                found[row] = found[row + 1]
        for row in range(1, len(found)):
            if not self.stripped[row]:
                found[row] = found[row - 1]
        return found

    def leads(self, row: int) -> bool:
        """Whether a line is a comment or decorator that belongs to what stands below it."""
        return is_comment(self.texts[row]) or is_decorator(self.texts[row])

    def opens(self, row: int) -> bool:
        """Whether a block begins below the line."""
        return opens_block(self.texts[row])

    def begins(self, row: int) -> bool:
        """Whether a definition begins at the line, or what belongs to one and stands above it."""
        while row < len(self.texts) - 1 and self.leads(row) and self.stripped[row]:
            row += 1
        return row in self.heads

    def qualified(self, row: int) -> tuple[str, ...]:
        return tuple(self.heads[head] for head in self.chains[row])


def ink_of(stripped: str) -> int:
    if not stripped:
        return BLANK
    letters = sum(map(str.isalnum, stripped))
    return BARE if not letters else SHORT if letters < 3 else FULL


def is_import(text: str) -> bool:
    return _IMPORT.match(text) is not None


def target_of(text: str) -> str | None:
    """What a line assigns to, or the key that it gives a value."""
    found = _TARGET.match(text)
    return found["name"] if found else None


def closes(text: str) -> bool:
    return is_closer(text)


_INLINE = re.compile(r"(?P<before>.*?\S)\s*(?P<marker>\{?/\*.*?\*/\}?|(?://|\#).*)(?P<behind>.*)")


def before_marker(stripped: str) -> str | None:
    """What stands before a marker that ends a line of code: `port:` of `port: // ... existing code ...`."""
    found = _INLINE.fullmatch(stripped)
    if found is None or not looks_like_marker(found["marker"]) or found["behind"].strip(" ,;"):
        return None
    return found["before"]


def read_update(text: str, language: str, lines: Sequence[str]) -> Update:
    """The sketch that a text spells for a file, in the file's kind of indentation, with one line for each marker."""
    update = parse_update(text, language, lines)
    known = set(map(str.strip, lines))
    parts = [part for line in update.lines for part in _parted(line, known)]
    inked = [at for at, part in enumerate(parts) if part.text.strip()]
    update = Update(tuple(parts[inked[0] : inked[-1] + 1] if inked else ()), update.gone)
    return _in_units_of(lines, update)


def _parted(line: UpdateLine, known: set[str]) -> list[UpdateLine]:
    """A line such as `enum A { /* ... */ }` as the lines that the file has it on."""
    text = line.text.strip()
    found = None if line.marker or text in known else _INLINE.fullmatch(text)
    if found is None or not looks_like_marker(found["marker"]) or found["before"] not in known:
        return [line]
    at = indentation(line.text)
    parts = [UpdateLine(at + found["before"]), UpdateLine(f"{at}    {found['marker']}", True)]
    return [*parts, UpdateLine(at + found["behind"].strip())] if found["behind"].strip() in known else parts


def _in_units_of(lines: Sequence[str], update: Update) -> Update:
    """The sketch by tabs where the file is, by blanks where the file is; as it is where it mixes them."""
    texts = [line.text for line in update.lines]
    mine, theirs = _tabs(texts), _tabs(lines)
    if mine is None or theirs is None or mine == theirs:
        return update
    old, new = _unit(texts), _unit(lines)
    moved = (
        _converted(indentation(text), old, new) + text.lstrip() if text.strip() else text for text in texts
    )
    return Update(
        tuple(UpdateLine(text, line.marker) for text, line in zip(moved, update.lines, strict=True)),
        update.gone,
    )
