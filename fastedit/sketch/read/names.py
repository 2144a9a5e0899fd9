"""The names that lines use and that imports bind, by spelling, so that they hold in any language."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

from fastedit.sketch.read.reading import Outline, is_import
from fastedit.source.languages import Language
from fastedit.source.outline import STRING

_COMMENT = re.compile(r"(?:^|\s)(?:#(?![\w\[{])|//).*")  # `#id` and `#fff` are CSS, `#{x}` is Ruby
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_FREE = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")  # not another's attribute
_CLAUSE = re.compile(
    r"import|from|as|use|pub|static|type|typeof|const|let|var|require|using|extern|crate|self|super"
)
_FROM = re.compile(r"\s*from\s+\S+\s+import\b(?P<names>.*)", re.DOTALL)
_GO = re.compile(r"\s*import\s*[(\"]")
_GO_PATH = re.compile(r"(?:(?<![\w.])(?P<alias>[\w.]++)\s++)?+\"(?:[^\"\n]*/)?(?P<last>[\w.-]+)\"")
_LONGEST = 60  # lines of one import


def code_of(line: str) -> str:
    """The line without what its strings say and without a comment behind it."""
    return _COMMENT.sub("", STRING.sub('""', line))


@lru_cache(maxsize=1 << 16)
def words_of(line: str) -> tuple[str, ...]:
    """The names on a line, but for attributes and what strings and comments say."""
    return tuple(_FREE.findall(code_of(line)))


@lru_cache(maxsize=4)  # features and the signs of each reading ask it of the same two
def imports_of(outline: Outline) -> list[range]:
    """The lines of each import, those of one that goes on in brackets together. Prose has none."""
    return statements_at(outline.texts, outline.imports)


def statements_at(lines: Sequence[str], begins: Iterable[int]) -> list[range]:
    """The same, where these rising rows are the lines that may begin one."""
    found: list[range] = []
    stop = 0
    for row in begins:
        if row < stop:
            continue
        stop = row + 1
        open_brackets = _depth(lines[row])
        while open_brackets > 0 and stop < min(len(lines), row + _LONGEST):
            open_brackets += _depth(lines[stop])
            stop += 1
        found.append(range(row, stop))
    return found


def rows_with(lines: tuple[str, ...], names: Iterable[str], rows: range) -> list[int]:
    """Those of these rows that any of the names stands on, be it within another word, in order. Searches their text as
    a whole: most names stand on few lines of a long file."""
    text, starts = _joined(lines)
    start, stop = starts[rows.start], starts[rows.stop]
    found = set[int]()
    for name in names:
        at = text.find(name, start, stop)
        while at >= 0:
            row = bisect_right(starts, at) - 1
            found.add(row)
            at = text.find(name, starts[row + 1], stop)
    return sorted(found)


def is_outside(lines: tuple[str, ...], name: str, rows: range) -> bool:
    """Whether a name stands on any line but these, be it as another's attribute."""
    text, starts = _joined(lines)
    word = re.escape(name)
    # The name comes first in the pattern, so that it is searched for as plain text.
    alone = re.compile(rf"{word}(?![\w$])(?<![\w$]{word})")
    above, below = alone.search(text, 0, starts[rows.start]), alone.search(text, starts[rows.stop])
    return above is not None or below is not None


@lru_cache(maxsize=4)
def _joined(lines: tuple[str, ...]) -> tuple[str, list[int]]:
    """All lines as one text, and where in it each begins; last, where one more would."""
    return "\n".join(lines), [0, *accumulate(len(line) + 1 for line in lines)]


@lru_cache(maxsize=1 << 12)
def _depth(line: str) -> int:
    code = code_of(line)
    return sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))


def bound_by(lines: Sequence[str], rows: Iterable[int], language: Language) -> frozenset[str]:
    """What the import on these lines binds."""
    return bound_names("\n".join(map(lines.__getitem__, rows)), language.imports_members)


@lru_cache(maxsize=4096)
def bound_names(statement: str, of_members: bool = False) -> frozenset[str]:
    """What an import binds: an alias, else what stands last on a path, but first in Python's `import a.b`, which names
    no member."""
    if statement.lstrip().startswith("#"):
        return frozenset()
    if begun := _GO.match(statement):
        paths = _GO_PATH.finditer(statement, begun.end() - 1)
        return frozenset(found["alias"] or found["last"] for found in paths)
    text = "\n".join(map(code_of, statement.split("\n")))
    if "require" in text:
        text = text.partition("=")[0]
    if told := _FROM.fullmatch(text):
        text = told["names"]
    by_path = of_members or ";" in text or "::" in text
    names = set[str]()
    for piece in re.split(r"[,{}();\n]", text):
        words = [word for word in _WORD.findall(piece) if not _CLAUSE.fullmatch(word)]
        if words and not piece.rstrip().endswith(("::", ".")):
            names.add(words[-1] if by_path or re.search(r"\bas\b", piece) else words[0])
    return frozenset(names)


def import_rows(file: Outline) -> range:
    """From the first import at the margin to the last one above any definition."""
    first = _first_definition(file)
    found = [rows for rows in imports_of(file) if not file.widths[rows.start] and rows.start < first]
    return range(found[0].start, found[-1].stop) if found else range(0)


def _first_definition(file: Outline) -> int:
    return next(iter(file.heads), len(file.texts))


def is_margin_import(sketch: Outline, line: int) -> bool:
    return not sketch.widths[line] and is_import(sketch.texts[line])
