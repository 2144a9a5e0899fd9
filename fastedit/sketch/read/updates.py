"""A sketch as it is read for one file: in its indentation, with one line for each marker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from operator import eq
from pathlib import Path, PurePosixPath

from fastedit.sketch.read.docstrings import abridged, begun, docstrings, opened
from fastedit.sketch.read.indents import in_units_of, with_first_indented
from fastedit.sketch.read.inline import Inline, inline_marker
from fastedit.sketch.read.look_alikes import as_in_file, plainly_indented
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.removals import removal_note
from fastedit.sketch.read.wording import tells_of_removal
from fastedit.source.languages import named
from fastedit.source.markers import begins_with_dots, parse_update, said_in_comment
from fastedit.source.outline import (
    indentation,
    is_closer,
    opens_block,
)
from fastedit.source.update import REST, Update, UpdateLine

_UNFINISHED = frozenset("([,=+|&.")  # what no statement, key or head of a block ends with
# What may be a path: with what follows a colon it is a place in the file.
_PATH = re.compile(r"(?<![\w.:/-])[\w.+/\[\]-]*[\w+]")
_LABEL = re.compile(r"(?:file(?:name)?|path)\s*:\s*", re.IGNORECASE)


def read_update(text: str, language: str, lines: Sequence[str]) -> Update:
    """The sketch that a text spells for a file, in the file's kind of indentation, with one line for each marker."""
    update = parse_update(text, language, lines)
    known = set(map(str.strip, lines))
    read = as_in_file(update.lines, lines)
    if not named(language).prose:
        read = plainly_indented(read, lines)
    bodies = _Bodies(lines, [line.text for line in read], language)
    parts = [part for at, line in enumerate(read) for part in _parted(line, known, bodies, at)]
    inked = [at for at, part in enumerate(parts) if part.text.strip()]
    kept = parts[inked[0] : inked[-1] + 1] if inked else []
    if kept and all(line.marker or removal_note(line.text) is not None for line in kept):
        kept = [line for note in kept for line in (REST, note)] + [REST]  # what no note names stays
    return in_units_of(lines, with_first_indented(lines, Update(tuple(kept), language)))


def without_label(update: Update, path: Path | None, file: Outline) -> Update:
    """The sketch without a first line that is a comment and says where it belongs, as models write above code: in which
    file, or in a definition of that whose head it does not show."""
    first = update.lines[0].text if update.lines else ""
    said = _LABEL.sub("", said_in_comment(first) or "").strip("`")
    heads = not file.inked or file.stripped[file.inked[0]] in map(str.strip, update.texts)
    names = (path is not None and _names_file(said, path, heads)) or (
        said in file.heads.values()
        and said not in Outline(update.texts, language=update.language).heads.values()
    )
    if not names or first.strip() in file.stripped:
        return update
    inked = (at for at, line in enumerate(update.lines) if at and line.text.strip())
    return replace(update, lines=update.lines[next(inked, len(update.lines)) :])


def _names_file(said: str, path: Path, heads: bool) -> bool:
    """Whether a comment says a file's name, or its path among other words: which lines, that they were updated. Where
    it `heads` the file, a name that it begins with may be of the file's own heading."""
    said = said.replace("\\", "/")
    if PurePosixPath(said).name == path.name:
        return True
    for at, word in enumerate(map(PurePosixPath, _PATH.findall(said))):
        is_path = len(word.parts) > 1 and all(map(eq, reversed(word.parts), reversed(path.parts)))
        begins = not at and bool(path.suffix) and not heads
        if word.name == path.name and (is_path or begins):
            return not tells_of_removal(said)
    return False


class _Bodies:
    """What definitions have in the file that a sketch spells with dots."""

    def __init__(self, lines: Sequence[str], sketch: Sequence[str], language: str) -> None:
        self._file, self._sketch = Outline(lines), Outline(sketch)
        self.language = named(language)
        self._has_docstrings = self.language.docstring and self.language.triple_quotes

    def dots(self, row: int) -> bool:
        """Whether the dots that end line `row` of the sketch are the body of a definition: it has that in the file, or
        is not there."""
        name = self._name(row)
        return name in self._stubs or (name is not None and name not in self._file.heads.values())

    def docstring(self, row: int) -> tuple[str, ...] | None:
        """What line `row` of the sketch stands for, if it is an abridged docstring: its first lines in the file, or
        nothing of it, and whatever follows."""
        if not self._has_docstrings:
            return None
        mark = opened(self._sketch.stripped[row])
        begins = mark or abridged(self._sketch.stripped[row])
        if begins is None:
            return None
        name = self._name(row)
        heads = [-1] if name is None else [at for at, known in self._file.heads.items() if known == name]
        for shown in docstrings(self._file.texts, heads):
            if mark is not None and mark in shown[0]:
                return begun(shown[0], mark), *shown[1:]
            if "".join(shown).startswith(begins):
                return () if begins[-1] in "\"'" else shown
        return None

    def _name(self, row: int) -> str | None:
        chain = self._sketch.chains[row]
        return self._sketch.heads[chain[-1]] if chain else None

    @cached_property
    def _stubs(self) -> set[str]:
        file = self._file
        rows = [row for row, text in enumerate(file.stripped) if text == "..." or text.endswith(": ...")]
        return {file.heads[file.chains[row][-1]] for row in rows if file.chains[row]}


def _parted(line: UpdateLine, known: set[str], bodies: _Bodies, row: int) -> list[UpdateLine]:
    """A line such as `enum A { /* ... */ }` or `def load(self): ...` as the lines that the file has it on."""
    text, at = line.text.strip(), indentation(line.text)
    if not line.marker and text not in known and (shown := bodies.docstring(row)) is not None:
        return [*(UpdateLine(at + first) for first in shown), UpdateLine(f"{at}...", True)]
    found = None if line.marker or text in known else inline_marker(text, bodies.language)
    if found is None or (found.marker == "..." and opens_block(found.before) and bodies.dots(row)):
        return [line]
    # Of a comment no code is made, but three dots may be all that a block holds where they are a value.
    hides = found.marker != "..." or (found.before.endswith("{") and not bodies.language.ellipsis)
    hides_block = opens_block(found.before) and is_closer(found.behind) and hides
    hides_block = hides_block and not any(map(found.shows, known))
    if found.before not in known and not hides_block:
        if not _trails(found, known):
            return [line]
        deeper = "    " if opens_block(found.before) else ""
        return [UpdateLine(at + found.before), UpdateLine(f"{at}{deeper}{found.marker}", True)]
    parts = [UpdateLine(at + found.before), UpdateLine(f"{at}    {found.marker}", True)]
    closed = found.behind and (found.behind in known or hides_block)
    return [*parts, UpdateLine(at + found.behind)] if closed else parts


def _trails(found: Inline, known: set[str]) -> bool:
    """Whether the marker is a comment after a whole new line, not what the file has after the part that is shown."""
    whole = not found.behind and found.before[-1] not in _UNFINISHED
    return whole and begins_with_dots(found.marker) and not any(map(found.shows, known))
