"""What an edit does to imports and the uses of what they bind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

from fastedit.sketch.read.names import bound_by, imports_of, rows_with, statements_at, words_of
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.rivals.base import Sign
from fastedit.sketch.signs.unsaid import TELLING_WORD
from fastedit.sketch.text.written import Written
from fastedit.source.languages import Language
from fastedit.source.outline import indent_width

_WORD = re.compile(r"\w+")
_IMPORTS = re.compile(r"import|from|include|require|require_once|using")
GOES_WITH_USES: Final = "an import goes with its uses"
IDLE_AS_SAID: Final = Sign("an import stays whose uses the update changes", -3.0, contests=False)


def of_imports(written: Written, told: Set[int], unsaid: Callable[[], Set[int]]) -> Iterator[str]:
    """What an edit does to imports; names that are used on no other lines than those `told` to go say nothing, and of
    less those that stand on no lines that go or stay `unsaid`."""
    file, new = written.file, written.new
    changed = {word for row in written.gone if row not in told for word in words_of(file.texts[row])}
    come = set(written.come)
    before, after = imports_of(file), statements_at(new, written.imports)
    came = {
        name for rows in after if not come.isdisjoint(rows) for name in bound_by(new, rows, file.language)
    }
    old, now = _bound(file.texts, before, file.language), _bound(new, after, file.language)
    looked_at = (changed | came) & (old.keys() | now.keys())
    used = _uses(file.texts, rows_with(file.texts, looked_at, range(len(file.texts))), before, looked_at)
    uses = _uses(new, written.rows_with(looked_at, range(len(new))), after, looked_at)
    if any(now[name] > max(old[name], 1) for name in looked_at):
        most, most_now = (
            _most_bound(lines, statements, file.language)
            for lines, statements in ((file.texts, before), (new, after))
        )
        if any(most_now[name] > max(most[name], 1) for name in looked_at):
            yield "a name is imported twice"
    idle = [name for name in looked_at if old[name] and used[name] and not uses[name]]
    if any(now[name] for name in idle):
        silent = {word for row in unsaid() - told for word in words_of(file.texts[row])}
        yield "an import stays and its uses go" if not silent.isdisjoint(idle) else IDLE_AS_SAID.name
    if any(not now[name] for name in idle):
        yield GOES_WITH_USES
    unused = {name for name in looked_at if old[name] and not now[name] and not used[name]}
    if _goes_unused(written, before, unused):
        yield "an import goes that nothing was seen to use"


def _goes_unused(written: Written, before: Sequence[range], unused: Set[str]) -> bool:
    """Whether an import goes that binds no name, or one of these, and none with a word in common comes: what nothing is
    seen to use may be needed for what it does."""
    file, gone = written.file, set(written.gone)
    said = {word for row in written.come for word in TELLING_WORD.findall(written.new[row])}
    for rows in before:
        lost = [row for row in rows if row in gone]
        if not lost or not said.isdisjoint(_telling(file, lost)):
            continue
        names = bound_by(file.texts, rows, file.language)
        if (not names and len(lost) == len(rows)) or any(
            not unused.isdisjoint(_WORD.findall(file.texts[row])) for row in lost
        ):
            return True
    return False


def _telling(file: Outline, rows: Iterable[int]) -> set[str]:
    """The words of imports that not every import has."""
    words = {word for row in rows for word in TELLING_WORD.findall(file.texts[row])}
    return {word for word in words if not _IMPORTS.fullmatch(word)}


def _bound(lines: Sequence[str], statements: Iterable[range], language: Language) -> Counter[str]:
    """How many imports bind each name."""
    return Counter(name for rows in statements for name in bound_by(lines, rows, language))


def _most_bound(lines: Sequence[str], statements: Iterable[range], language: Language) -> Counter[str]:
    """How many imports of one block bind each name: those of two functions are of two names."""
    blocks: dict[int | None, list[range]] = {}
    last: tuple[int, int, int | None] | None = None  # the import above, its indentation and its block
    for rows in statements:
        width = indent_width(lines[rows.start])
        block = None
        for at in range(rows.start - 1, -1, -1) if width else ():
            if last is not None and last[:2] == (at, width):
                block = last[2]
                break
            if lines[at].strip() and indent_width(lines[at]) < width:
                block = at
                break
        last = rows.start, width, block
        blocks.setdefault(block, []).append(rows)
    found = Counter[str]()
    for inside in blocks.values():
        found |= _bound(lines, inside, language)
    return found


def _uses(
    lines: Sequence[str], rows: Iterable[int], statements: Iterable[range], names: set[str]
) -> Counter[str]:
    """How often names stand on these rows, outside of imports."""
    within = {row for statement in statements for row in statement}
    return Counter(
        word for row in rows if row not in within for word in words_of(lines[row]) if word in names
    )
