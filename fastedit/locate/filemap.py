"""What stands where in one file: definitions, names, pieces of code. Says nothing about what to edit."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from fastedit.request import LineRange
from fastedit.source.definitions import Definition, definitions
from fastedit.source.document import Document
from fastedit.source.fences import fences
from fastedit.source.imports import imports
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import Language, named
from fastedit.source.outline import block_end, definition_at, head_of, is_comment
from fastedit.source.stretch import stretch
from fastedit.source.syntax import Syntax, parse

_WORD = re.compile(r"[\w$]+")
_ASSIGNED = re.compile(
    r"""(?:[\w<>\[\]&*]+\s+)*([^\s:="']++)\s*(?::[^=:]*)?=(?!=)|["']?([^\s:="']++)["']?\s*[:=](?![:=])"""
)
_KEY = re.compile(r"""\s*(?:-\s+)?["']?([\w.$/-]+)["']?\s*[:=]""")
_OPENERS = frozenset({"package_clause", "package_declaration", "hash_bang_line", "inner_attribute_item"})
_IMPORT_LINE = re.compile(r"\s*(?:import|from|use|using|include|#\s*include|require|source|@import|@use)\b")


class FileMap:
    """The map of one document, by its grammar or, where it has none, by how its lines look."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lines = document.lines
        self.name = str(document.path) if document.path else "the file"
        self.language = language_in(document)

    @cached_property
    def syntax(self) -> Syntax | None:
        return parse(self.lines, self.language)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        if self.syntax is not None:
            return definitions(self.syntax)
        language = named(notation_in(self.document))
        found = list(_parts(self.lines, language))
        if not language.prose:
            found += _blocks(self.lines)
        found.sort(key=lambda definition: (definition.start, -definition.stop))
        return tuple(_nested(found))

    @cached_property
    def _words(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for index, line in enumerate(self.lines):
            for word in _WORD.findall(line):
                found.setdefault(word, []).append(index)
        return {word: tuple(places) for word, places in found.items()}

    @cached_property
    def _squeezed(self) -> tuple[str, ...]:
        return tuple(" ".join(line.split()) for line in self.lines)

    def lines_with(self, name: str) -> tuple[int, ...]:
        """The lines on which `name` stands as a name, each once."""
        bare = name.lstrip("#")
        if self.syntax is None:
            return tuple(sorted(set(self._words.get(bare, ()))))
        return tuple(sorted({node.start_point.row for node in self.syntax.identifier_nodes(bare)}))

    def assignments(self, name: str) -> tuple[LineRange, ...]:
        """The statements that give `name` a value where they begin."""
        found = ((n, _ASSIGNED.match(self.lines[n].lstrip())) for n in self.lines_with(name))
        return tuple(self._statement(n) for n, match in found if match and name in match.groups())

    def _statement(self, line: int) -> LineRange:
        node = self.syntax.at(line) if self.syntax is not None else None
        if self.syntax is None or node is None:
            return LineRange(line, line + 1)
        while (
            node.parent is not None and node.parent.parent is not None and node.parent.start_point.row == line
        ):
            node = node.parent
        return LineRange(*self.syntax.rows(node))

    def spans_of(self, code: str) -> tuple[LineRange, ...]:
        """Where this code of one or more lines stands, however it is indented: as whole lines, else within them."""
        wanted = [" ".join(line.split()) for line in code.strip().splitlines()]
        if not wanted or not any(wanted):
            return ()
        count, lines = len(wanted), self._squeezed
        first = wanted[0]
        places = [
            at for at, line in enumerate(lines) if line == first and list(lines[at : at + count]) == wanted
        ]
        if not places and count == 1:
            places = [at for at, line in enumerate(lines) if _holds(line, first)]
        return tuple(LineRange(at, at + count) for at in places)

    def named(self, symbol: str) -> tuple[Definition, ...]:
        """The definitions that `symbol` may mean: those of exactly this path, else those whose path ends so.

        Neighbours of one path, such as overloads or a getter and its setter, count as one definition.
        """
        wanted = tuple(part for part in re.split(r"::|[.#]", symbol.strip().removesuffix("()")) if part)
        if not wanted:
            return ()
        ending = self._by_name.get(symbol, ()) if wanted == (symbol,) else self.definitions
        found = [d for d in ending if d.path[-len(wanted) :] == wanted or d.name == symbol]
        found = [d for d in found if d.path == wanted] or found
        found = [d for d in found if d.kind != "impl"] or found
        return tuple(self._joined(found))

    @cached_property
    def _by_name(self) -> dict[str, list[Definition]]:
        """An instruction may hold thousands of names."""
        found: dict[str, list[Definition]] = {}
        for item in self.definitions:
            found.setdefault(item.name, []).append(item)
        return found

    def _joined(self, found: Sequence[Definition]) -> list[Definition]:
        joined: list[Definition] = []
        for item in found:
            between = self.lines[joined[-1].stop : item.start] if joined else ()
            if joined and joined[-1].path == item.path and not any(map(str.strip, between)):
                joined[-1] = replace(joined[-1], stop=item.stop)
            else:
                joined.append(item)
        return joined

    def enclosing(self, start: int, stop: int) -> Definition | None:
        """The smallest definition around these lines."""
        near = stretch(self.lines, start, stop, self.language)
        return self.innermost(start, stop) if near is None else near.enclosing(start, stop)

    def innermost(self, start: int, stop: int) -> Definition | None:
        """The same by all definitions of the file, which is faster where it is asked often."""
        found: Definition | None = None
        at: int | None = bisect_right(self._by_start, start, key=lambda item: item.start) - 1
        while at is not None and at >= 0:
            item = self._by_start[at]
            if stop <= item.stop and (found is None or len(item) <= len(found)):
                found = item
            at = self._around[at]
        return found

    @cached_property
    def _by_start(self) -> list[Definition]:
        return sorted(self.definitions, key=lambda item: item.start)

    @cached_property
    def _around(self) -> list[int | None]:
        """For each definition, ordered by start, the index of one before it that is still open there."""
        found: list[int | None] = []
        for index, item in enumerate(self._by_start):
            outer = index - 1 if index else None
            while outer is not None and self._by_start[outer].stop <= item.start:
                outer = found[outer]
            found.append(outer)
        return found

    @cached_property
    def import_block(self) -> LineRange:
        """The imports at the head of the file; where it has none, the empty range at which they would stand."""
        if self.syntax is not None:
            found = [(item.start, item.stop) for item in imports(self.syntax)]
        else:
            found = [(index, index + 1) for index, line in enumerate(self.lines) if _IMPORT_LINE.match(line)]
        defined = {row for definition in self.definitions for row in range(definition.start, definition.stop)}
        found = [(start, stop) for start, stop in found if start not in defined]
        if found:
            # A few late ones, below the first definitions, are not the head's.
            first, last = found[0]
            below = min((d.start for d in self.definitions if d.start >= last), default=len(self.lines))
            return LineRange(first, max(stop for start, stop in found if start < below))
        return LineRange(*[self._head_end()] * 2)

    def _head_end(self) -> int:
        """The first line after what opens a file: a shebang, comments, a docstring, a package clause."""
        index = 0
        while index < len(self.lines):
            after = self._opening(index) if self.lines[index].strip() else index + 1
            if after is None:
                break
            index = after
        return index

    def _opening(self, line: int) -> int | None:
        """The line after the comment, docstring or clause that begins on `line`; None where there is none."""
        node = self.syntax.at(line) if self.syntax is not None else None
        if self.syntax is None or node is None:
            return line + 1 if is_comment(self.lines[line]) else None
        while node.parent is not None and node.parent.parent is not None:
            node = node.parent
        docstring = node.type == "expression_statement" and self.lines[line].strip()[:1] in ("'", '"')
        opens = docstring or "comment" in node.type or node.type in _OPENERS
        return max(line + 1, self.syntax.rows(node)[1]) if opens else None


@lru_cache(maxsize=4)
def file_map(document: Document) -> FileMap:
    """The map of a document. Remembers the last few, since one edit asks for it in several places."""
    return FileMap(document)


def _holds(line: str, code: str) -> bool:
    """Whether `code` stands in `line` with no name cut in two."""
    at = line.find(code)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(code) : at + len(code) + 1]
        if not (_WORD.match(before) and _WORD.match(code[0])) and not (
            _WORD.match(after) and _WORD.match(code[-1])
        ):
            return True
        at = line.find(code, at + 1)
    return False


def _parts(lines: Sequence[str], language: Language) -> Iterator[Definition]:
    """The parts of a text, each up to the next one of its level or above; what stands in fences has none."""
    if language.part is None or not language.parts_follow or "name" not in language.part.groupindex:
        return
    fenced = {row for fence in fences(lines) for row in fence.lines} if language.fences else ()
    begun = ((row, language.part.match(line)) for row, line in enumerate(lines) if row not in fenced)
    found = [(row, len(match["level"]), match["name"]) for row, match in begun if match and match["name"]]
    for at, (start, level, title) in enumerate(found):
        below = (found[later] for later in range(at + 1, len(found)))
        stop = next((row for row, other, _ in below if other <= level), len(lines))
        while not lines[stop - 1].strip():
            stop -= 1
        yield Definition((title,), "section", start, start, min(start + 1, stop), stop)


def _blocks(lines: Sequence[str]) -> Iterator[Definition]:
    """What looks like a definition or a key with a block below it, by spelling and indentation."""
    for index, line in enumerate(lines):
        name, key = definition_at(lines, index), _KEY.match(line)
        stop = block_end(lines, index) if name or key else index
        if stop <= index + 1:
            continue
        start = head_of(lines, index) if name else index
        kind = "definition" if name else "key"
        yield Definition((name or (key[1] if key else ""),), kind, start, index, index + 1, stop)


def _nested(found: Sequence[Definition]) -> Iterator[Definition]:
    around: list[Definition] = []
    for item in found:
        while around and around[-1].stop <= item.start:
            around.pop()
        path = (around[-1].path if around else ()) + item.path
        around.append(replace(item, path=path))
        yield around[-1]
