"""What a line tells by itself and by where it stands: how much ink, how often, in which block, of which definition."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any

import numpy as np

from fastedit.sketch.read.quoted import quoted
from fastedit.sketch.read.tags import closed_names
from fastedit.sketch.read.vocabulary import WordIndex
from fastedit.source.fences import fences
from fastedit.source.languages import TEXT, named
from fastedit.source.outline import (
    BEGINNINGS,
    OPENERS,
    blank_lines,
    block_end,
    definition_at,
    indent_widths,
    is_closer,
    is_comment,
    is_decorator,
    only_closes,
    opens_block,
    parents,
)
from fastedit.source.preprocessor import DIRECTIVE

BLANK, BARE, SHORT, FULL = range(4)  # no ink, punctuation and what only closes, a letter or two, more
WORD = re.compile(r"\w+")
_HEAD = frozenset(
    (
        *("def", "class", "function", "fn", "func", "struct", "enum", "interface", "trait", "impl", "mod"),
        *("module", "namespace", "type", "const", "let", "var", "async", "fun"),
    )
)
_HEAD_ENDS = ("{", "(", "=>")
_CLOSER_BEGINS = frozenset("<{efd")
_OPENING = frozenset("{([")
_LEADING = frozenset("#/*-<@")  # what comments and decorators begin with
_LETTERS = 3  # of a line that says something
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:{]|(?:const|var|let)\s.*\brequire\()"
)
_IMPORT_WORDS = ("import", "from", "#", "use", "const", "var", "let")  # what such a line begins with
_IMPORT_BEGINS = frozenset(word[0] for word in _IMPORT_WORDS)
_TARGET = re.compile(
    r"""\s*+(?:(?:const|let|var|val|final|static|public|pub|private|protected|readonly|mut|self\.|this\.)\s*+
    (?=["'`]?[\w$.-]))*+
    (?:(?P<quote>["'`])(?P<quoted>[^"'`]+)(?P=quote)|(?P<bare>[\w$.-]+(?:/[\w$.-]+)*))[?!]?\s*(?::(?!:)[^=:]*)?(?:=(?!=)|:(?!:))""",
    re.VERBOSE,
)


class Outline:
    """What is asked of lines again and again. `hidden` are those that stand for others, and `language` is the name of
    the notation that they are in."""

    def __init__(
        self, texts: Sequence[str], hidden: frozenset[int] = frozenset(), language: str = TEXT
    ) -> None:
        self.texts, self.hidden, self.language = tuple(texts), hidden, named(language)

    @cached_property
    def stripped(self) -> list[str]:
        return [text.strip() for text in self.texts]

    @cached_property
    def widths(self) -> list[int]:
        return indent_widths(self.texts)

    @cached_property
    def ink(self) -> list[int]:
        found: list[int] = self.inks.tolist()
        return found

    @cached_property
    def inks(self) -> Any:
        """The same as an array."""
        letters = self.vocabulary.letters
        holds = np.fromiter(map(bool, self.stripped), dtype=bool, count=len(self.stripped))
        inks = np.where(letters >= _LETTERS, FULL, np.where(letters > 0, SHORT, BARE))
        inks[
            [row for row in self.vocabulary.beginning(_CLOSER_BEGINS) if only_closes(self.stripped[row])]
        ] = BARE
        return np.where(holds, inks, BLANK)

    @cached_property
    def imports(self) -> list[int]:
        """The lines that begin an import."""
        if self.language.prose:
            return []
        beginning = ((row, self.stripped[row]) for row in self.vocabulary.beginning(_IMPORT_BEGINS))
        return [row for row, text in beginning if text.startswith(_IMPORT_WORDS) and is_import(text)]

    @cached_property
    def vocabulary(self) -> WordIndex:
        return WordIndex(self.stripped)

    @cached_property
    def inked(self) -> list[int]:
        """The lines that hold ink."""
        return [row for row, text in enumerate(self.stripped) if text]

    def row_above(self, row: int) -> int | None:
        """The next line above that holds ink."""
        at = bisect_left(self.inked, row)
        return self.inked[at - 1] if at else None

    def row_below(self, row: int) -> int | None:
        """The next line below that holds ink."""
        at = bisect_right(self.inked, row)
        return self.inked[at] if at < len(self.inked) else None

    def deeper(self, row: int) -> list[int]:
        """The lines right below one that hold ink and stand deeper."""
        first = bisect_right(self.inked, row)
        rows = (self.inked[at] for at in range(first, len(self.inked)))
        return list(takewhile(lambda below: self.widths[below] > self.widths[row], rows))

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.stripped)

    @cached_property
    def parents(self) -> list[int | None]:
        """For each line the one that opens its block, or begins the part that it is in."""
        found = parents(self.texts, self.hidden, self.quoted)
        around: list[int] = []  # the heads of the parts that the line is in
        for row, text in enumerate(self.stripped) if self.parts else ():
            if row in self.parts:
                while around and self.parts[around[-1]] >= self.parts[row]:
                    around.pop()
            if text and found[row] is None and around:
                found[row] = around[-1]
            if row in self.parts:
                around.append(row)
            elif row in self.hidden and found[row] in self.parts:
                around.clear()  # another part may begin among the lines that it stands for
        return found

    @cached_property
    def quoted(self) -> dict[int, int]:
        """The lines that begin within a string, each with the line that the string begins on."""
        return quoted(self.texts, self.language, self.hidden)

    @cached_property
    def parts(self) -> dict[int, int]:
        """The lines that begin a part of the text which reaches to the next one, and its level."""
        if not self.language.parts_follow:
            return {}
        own = (row for row in range(len(self.texts)) if row not in self.hidden and row not in self.fenced)
        levels = ((row, self._level(self.texts[row])) for row in own)
        return {row: level for row, level in levels if level is not None}

    @cached_property
    def fenced(self) -> frozenset[int]:
        """The lines of another text, between fences."""
        found = fences(self.texts) if self.language.fences else ()
        return frozenset(row for fence in found if fence.closed for row in fence.lines)

    def _level(self, text: str) -> int | None:
        """The level of the part that a line which says this begins, if it begins one."""
        match = self.language.part.match(text) if self.language.part else None
        return len(match["level"]) if match else None

    def ends_part(self, text: str, level: int) -> bool:
        """Whether a line that says this begins a part in which one of that level ends."""
        own = self._level(text)
        return own is not None and own <= level

    @cached_property
    def depths(self) -> list[int]:
        """How deep each line stands: its indentation, and what is in parts deeper than their heads."""
        if not self.parts:
            return self.widths
        deepest = max(self.parts.values()) + 1
        return [self.parts.get(row, width + deepest) for row, width in enumerate(self.widths)]

    def block_end(self, row: int) -> int:
        """One past the last line of the block that the line opens, or of the part that it begins."""
        if row not in self.parts:
            return block_end(self.texts, row)
        level = self.parts[row]
        stop = next((other for other in self.parts if other > row and self.parts[other] <= level), None)
        stop = len(self.texts) if stop is None else stop
        while stop < len(self.texts) and self.leads(stop - 1):
            stop -= 1
        while not self.stripped[stop - 1]:
            stop -= 1
        return stop

    @property
    def _braces(self) -> Iterator[int]:
        """The braces that stand on a line of their own."""
        return (row for row, text in enumerate(self.stripped) if text == "{")

    @cached_property
    def heads(self) -> dict[int, str]:
        """The lines that begin a definition, and its name."""
        told = self.vocabulary.lines_with(_HEAD).values()
        ending = np.nonzero(self.vocabulary.ending(end[-1] for end in _HEAD_ENDS))[0].tolist()
        opening = (row for row in ending if self.stripped[row].endswith(_HEAD_ENDS))
        braced = (above for row in self._braces if (above := self.row_above(row)) is not None)
        rows = sorted({*opening, *braced, *chain.from_iterable(told)} - self.hidden)
        found = {row: name for row in rows if (name := definition_at(self.texts, row))}
        part = self.language.part
        if part is not None and "name" in part.groupindex:
            found |= {
                row: match["name"]
                for row, text in enumerate(self.texts)
                if row not in self.hidden
                and row not in self.fenced
                and (match := part.match(text))
                and match["name"]
            }
        elif not self.language.is_code and not self.language.prose:
            # What a name stands for, where a language tells of no definitions: a key's block, the recipe of a target.
            openers = sorted({row for row in self.parents if row is not None} | set(self.opening))
            named = ((row, target_of(self.texts[row])) for row in openers if row not in self.hidden)
            found |= {row: name for row, name in named if name and row not in found}
        return dict(sorted(found.items()))

    @cached_property
    def chains(self) -> list[tuple[int, ...]]:
        """For each line the heads of the definitions around it, the outermost first; a head is in its own."""
        found: list[tuple[int, ...]] = []
        for row, above in enumerate(self.parents):
            around = found[above] if above is not None and above < row else ()
            found.append((*around, row) if row in self.heads else around)
        # What stands above a definition belongs to it, and a blank line to what stands above it.
        for row in reversed(self.leading):
            if row + 1 < len(found):
                below = found[row + 1]
                found[row] = below if below[:-1] == found[row] else found[row]
        for row, text in enumerate(self.stripped):
            if row and not text:
                found[row] = found[row - 1]
        return found

    @cached_property
    def separations(self) -> dict[int, int]:
        """By indentation: the blank lines above most definitions that are not the first in their block."""
        found: dict[int, Counter[int]] = {}
        for row in self.heads:
            top = row
            while top and self.leads(top - 1):
                top -= 1
            blank = blank_lines(self.stripped, top - 1, -1)
            if top > blank and self.widths[top - blank - 1] >= self.widths[row]:
                found.setdefault(self.widths[row], Counter())[blank] += 1
        return {width: counts.most_common(1)[0][0] for width, counts in found.items()}

    @cached_property
    def leading(self) -> list[int]:
        """The comments and decorators."""
        begins = self.vocabulary.beginning(_LEADING) if self.language.leading is None else self.inked
        return [row for row in begins if self.leads(row)]

    @cached_property
    def commented(self) -> list[int]:
        """The lines that are comments."""
        return list(filter(self.comments, range(len(self.texts)) if self.language.prose else self.leading))

    @cached_property
    def heading(self) -> list[int]:
        """The comments and strings above all else, blank lines aside."""
        if self.language.prose:
            return []
        texts = ((row, self.stripped[row]) for row in self.inked)
        above = takewhile(lambda at: self.comments(at[0]) or at[0] in self.quoted or at[1][0] in "\"'", texts)
        return [row for row, _ in above]

    @cached_property
    def ended_names(self) -> frozenset[str]:
        """The names of elements and blocks that have an end in it, outside of comments."""
        return closed_names(text for text in self.texts if not self.is_comment(text))

    @cached_property
    def front_matter(self) -> range:
        """The lines that head a text and are none of it."""
        if not self.language.front_matter or self.stripped[:1] != ["---"] or self.stripped[1:2] == [""]:
            return range(0)  # a rule in the midst of a text
        return range(self.stripped.index("---", 1) + 1 if "---" in self.stripped[1:] else 0)

    def leads(self, row: int) -> bool:
        """Whether a line is a comment or decorator that belongs to what stands below it."""
        text = self.stripped[row]
        return (text[:1] in _LEADING or self.language.leading is not None) and self.may_lead(text)

    def may_lead(self, text: str) -> bool:
        """Whether a line that says this would be one."""
        return self.is_comment(text) or self.is_decorator(text)

    def is_decorator(self, text: str) -> bool:
        """Whether a line that says this would be a decorator, an annotation or an attribute."""
        own = self.language.leading
        return is_decorator(text) or (own is not None and own.match(text.strip()) is not None)

    def led_to(self, row: int) -> int:
        """The line that a comment or decorator belongs to; any other line itself."""
        while row + 1 < len(self.texts) and self.stripped[row + 1] and self.leads(row):
            row += 1
        return row

    def comments(self, row: int) -> bool:
        """Whether a line is a comment."""
        return self.is_comment(self.texts[row])

    def is_comment(self, text: str) -> bool:
        """Whether a line that says this would be a comment. Lines of prose begin like those of code; in code, `#` and
        `//` begin comments of any language, for authors mix these up, and `--` those of unknown notations alone."""
        if self.language.prose:
            return self.language.comment is not None and text.lstrip().startswith(self.language.comment[0])
        if self.language.conditional_lines and DIRECTIVE.match(text):
            return False
        return is_comment(text) and (self.language.name == TEXT or not text.lstrip().startswith("--"))

    def opens(self, row: int) -> bool:
        """Whether a block begins below the line."""
        return opens_block(self.texts[row])

    @cached_property
    def opening(self) -> list[int]:
        """The lines below which a block begins."""
        words = self.vocabulary
        comments = words.holding("#") | words.holding("//")
        found = words.ending(OPENERS) & ~comments
        unsure = (comments | words.ending(BEGINNINGS)) & ~found
        found[[row for row in np.nonzero(unsure)[0].tolist() if self.opens(row)]] = True
        rows: list[int] = np.nonzero(found)[0].tolist()
        return rows

    @cached_property
    def closed(self) -> frozenset[int | None]:
        """The lines that open a block which another line closes, be it by a name: `if (X)` and `endif()`."""
        return frozenset(above for row, above in enumerate(self.parents) if is_closer(self.texts[row]))

    def opens_bracket(self, row: int) -> bool:
        """Whether the line ends with a bracket that opens."""
        return self.stripped[row][-1:] in _OPENING

    @cached_property
    def keyed(self) -> list[bool]:
        """Whether each line begins with a key, or is the head of a part."""
        return [row in self.heads or target_of(text) is not None for row, text in enumerate(self.texts)]

    def begins(self, row: int) -> bool:
        """Whether a definition begins at the line, or what belongs to one and stands above it."""
        while row < len(self.texts) - 1 and self.leads(row) and self.stripped[row]:
            row += 1
        return row in self.heads

    def around(self, row: int) -> int | None:
        """The head of the innermost definition that the line stands in, other than itself."""
        chain = self.chains[row]
        return next((head for head in reversed(chain) if head != row), None)

    def qualified(self, row: int) -> tuple[str, ...]:
        return tuple(self.heads[head] for head in self.chains[row])


def is_import(text: str) -> bool:
    return text.lstrip()[:1] in _IMPORT_BEGINS and _IMPORT.match(text) is not None


def target_of(text: str) -> str | None:
    """What a line assigns to, or the key that it gives a value."""
    found = _TARGET.match(text)
    return (found["quoted"] or found["bare"]) if found else None
