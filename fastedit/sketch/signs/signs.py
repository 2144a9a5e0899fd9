"""Signs of a text as a whole that it was meant, or that something was laid wrongly: what a reader of it stops at.

A path's score knows lines and their neighbours. These know names, brackets and what a marker came to hide, by spelling
alone, so that they hold in any language. `fastedit.engine.evidence` weighs them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property, partial
from itertools import groupby, zip_longest
from math import log1p
from typing import TYPE_CHECKING, Final

from fastedit.sketch.features.apart import FOUND_APART, TORN_APART, is_torn_apart
from fastedit.sketch.features.rests import replaced_rests
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.brackets import is_balanced, misplaced_brackets
from fastedit.sketch.read.names import (
    bound_by,
    code_of,
    imports_of,
    is_outside,
    rows_with,
    statements_at,
    words_of,
)
from fastedit.sketch.read.reading import BLANK, FULL, Outline, is_import, target_of
from fastedit.sketch.read.tags import unpaired
from fastedit.sketch.rivals.elsewhere import WAS_THERE, Elsewhere
from fastedit.sketch.rivals.headings import NEXT_TO_ANOTHER, in_place_of_headings
from fastedit.sketch.rivals.homes import HOMELESS, is_homeless
from fastedit.sketch.rivals.notes import ABOVE_NEW, notes_in
from fastedit.sketch.rivals.omitted import OMITTED, without_omitted
from fastedit.sketch.rivals.ousted import OUSTED, with_ousted
from fastedit.sketch.rivals.replaced import replaced_signs
from fastedit.sketch.rivals.siblings import OF_ENTRIES, contested_lines, inked_steps, sibling_signs
from fastedit.sketch.rivals.strays import STRAYED, has_strays
from fastedit.sketch.rivals.swapped import STAYS_BESIDE, staying_beside
from fastedit.sketch.rivals.tops import ABOVE, place_below
from fastedit.sketch.rivals.twins import twins
from fastedit.sketch.rivals.versions import version_signs
from fastedit.sketch.signs.unsaid import TELLING_WORD, Gap, gaps_of, goes_unrelated
from fastedit.sketch.text.merge import MergedText
from fastedit.sketch.text.written import Written
from fastedit.source.languages import Language
from fastedit.source.outline import indent_width, is_closer

if TYPE_CHECKING:
    from fastedit.sketch.align import Alignment

_LEAVES = re.compile(r"(?:return|raise|throw|break|continue|goto)\b")
_GOES_ON = re.compile(r"(?:[(\[{,\\=+|&?:<>*/-]|\b(?:and|or|not|await|new))$")
_ON_CONDITION = re.compile(r"\s(?:if|unless)\s")  # after it, as in Ruby
_ARM = re.compile(r"(?:else|elif|except|finally|catch|case|default)\b|[#@]|//|/?\*")
_LABEL = re.compile(r"\w+\s*:$")
_WORD = re.compile(r"\w+")
_IMPORTS = re.compile(r"import|from|include|require|require_once|using")
ANY_OF_SEVERAL: Final = "a definition could be any of several"
IDLE_AS_SAID: Final = "an import stays whose uses the update changes"
_STAYS: Final = "a comment stays that tells of a removal"
_TWICE: Final = "lines that the file has once stand twice"
_TELLING = 12  # characters of a line that is no other by chance


class Signs:
    """The signs of texts that a sketch may mean for one file."""

    def __init__(
        self,
        file: Outline,
        sketch: Outline,
        removing: frozenset[int] = frozenset(),
        naming: frozenset[int] = frozenset(),
        named_gone: frozenset[int] = frozenset(),
        leading: frozenset[int] = frozenset(),
        apart: frozenset[tuple[int, int]] = frozenset(),
    ) -> None:
        """`removing` are the comments of the sketch that say that lines go, if they speak of the sketch; `naming` those
        that say so by the name of what goes, the lines `named_gone`; `leading` those that may be of new code; `apart`
        the lines of sketch and file of which the latter is in another block than the one shown."""
        self._file, self._sketch, self._removing = file, sketch, removing
        self._naming, self._named_gone, self._leading = naming, named_gone, leading
        self._apart = apart
        self._elsewhere = Elsewhere(file, sketch)

    @classmethod
    def about(cls, alignment: Alignment) -> Signs:
        """Those of its texts."""
        told = alignment.removing, alignment.naming, alignment.named_gone, alignment.leading, alignment.apart
        return cls(alignment.file, alignment.sketch, *told)

    def of(self, text: MergedText, path: Sequence[PathStep]) -> dict[str, float]:
        """By name, how often each sign is met with; those that are not are left out."""
        written = Written(self._file, text)
        inked = inked_steps(self._file, self._sketch, path)
        rests = replaced_rests(self._file, self._sketch, inked)
        gaps = list(gaps_of(inked))
        of_path = (
            *_nothing(written, self._file, path),
            *_markers(self._file, self._sketch, path, self._naming),
            *_removing(path, self._removing),
            *_next_to_markers(self._file, gaps, rests | self._named_gone),
            *_forgotten(self._file, self._sketch, path),
            *(ANY_OF_SEVERAL for _ in twins(self._file, self._sketch, path)),
            *_carried_along(self._file, self._sketch, text, path),
        )
        of_text = (_blocks, _bereft, _beheaded)
        found = Counter(
            (
                *of_path,
                *_names(written, self._named_gone, partial(_unsaid, self._file, self._sketch, gaps, inked)),
                *(sign for signs in of_text for sign in signs(written)),
                *dict.fromkeys(_lines(written)),
            )
        )
        made = {sign: float(count) for sign, count in found.items()}
        if place_below(self._file, self._sketch, path) is not None:
            made[ABOVE] = 1.0
        made |= sibling_signs(self._file, self._sketch, inked)
        made |= replaced_signs(self._file, self._sketch, inked)
        if self._elsewhere.may_hold(inked):
            made["a change could be at other lines that are the same"] = 1.0
        if any(True for _ in self._elsewhere.would_change(inked)):
            made[WAS_THERE] = 1.0
        if staying_beside(self._file, self._sketch, inked):
            made[STAYS_BESIDE] = 1.0
        if any((step.sketch, step.file) in self._apart for step in inked if step.layer is Layer.MATCH):
            made[FOUND_APART] = 1.0
        if not (written.come or written.gone) and is_torn_apart(self._file, self._sketch, inked):
            made[TORN_APART] = 1.0
        if has_strays(self._file, self._sketch, path):
            made[STRAYED] = 1.0
        if any(in_place_of_headings(self._file, self._sketch, path)):
            made[NEXT_TO_ANOTHER] = 1.0
        if not self._leading.isdisjoint(notes_in(path)):
            made[ABOVE_NEW] = 1.0
        if any(without_omitted(self._file, self._sketch, path, inked)):
            made[OMITTED] = 1.0
        if any(with_ousted(self._file, self._sketch, path)):
            made[OUSTED] = 1.0
        if is_homeless(self._file, self._sketch, path):
            made[HOMELESS] = 1.0
        made |= version_signs(self._file, self._sketch, path)
        if goes_unrelated(self._file, self._sketch, inked, rests):
            made["lines that go unsaid have nothing to do with what changes"] = 1.0
        paired = self._file.language.paired
        if (
            not all(is_balanced(text, paired) for text in written.changed)
            and misplaced_brackets(written.new, written.pieces, paired) > self._misplaced
        ):
            made["brackets askew"] = 1.0
        if self._file.ended_names:
            come, went = (
                (text for text in texts if not self._file.is_comment(text))
                for texts in (
                    map(written.new.__getitem__, written.come),
                    map(self._file.texts.__getitem__, written.gone),
                )
            )
            if odd := unpaired(come, went, self._file.ended_names):
                made["elements or blocks without an end"] = float(odd)
        if repeated := self._repeated(written):
            made[_TWICE] = log1p(repeated)
        return made

    def line_of(self, sign: str, path: Sequence[PathStep]) -> int | None:
        """The first line of the sketch that such a sign is told of; None for a sign of the text as a whole."""
        lines: Iterator[int | None] = iter(())
        if sign == _STAYS:
            lines = (step.sketch for step in _staying(path, self._removing))
        elif sign == ANY_OF_SEVERAL:
            lines = (twin.head for twin in twins(self._file, self._sketch, path))
        elif sign == _TWICE:
            there = {row for step in path if step.layer is not Layer.GONE for row in step.lines}
            new = (step.sketch for step in path if step.layer is Layer.NEW and step.sketch is not None)
            lines = (row for row in new if self._once(self._sketch.stripped[row]) in there)
        elif sign in OF_ENTRIES:
            lines = contested_lines(self._file, self._sketch, inked_steps(self._file, self._sketch, path))
        return next(lines, None)

    def _repeated(self, written: Written) -> int:
        """How many new lines the file has once and keeps."""
        places = (self._once(written.new[row].strip()) for row in written.come)
        return sum(at is not None and written.image(at) is not None for at in places)

    def _once(self, text: str) -> int | None:
        """The line of the file that says this, if it says something and the file has it once."""
        file = self._file
        if len(text) < _TELLING or file.counts[text] != 1:
            return None
        row = file.stripped.index(text)
        return row if file.ink[row] == FULL else None

    @cached_property
    def _misplaced(self) -> int:
        return misplaced_brackets(self._file.texts, kinds=self._file.language.paired)


def _markers(
    file: Outline, sketch: Outline, path: Sequence[PathStep], naming: frozenset[int]
) -> Iterator[str]:
    """What markers hide and what stays without any. Of data without markers much does, and what names what goes hides
    nothing."""
    marked = bool(sketch.hidden) or not file.language.is_data
    shown = [
        step.sketch for step in path if step.sketch is not None and step.layer in (Layer.MATCH, Layer.NEW)
    ]
    for line in idle_markers(file, path):
        # Above or below all code it may well hide nothing.
        if shown and shown[0] < line < shown[-1] and line not in naming:
            yield "a marker hides nothing"
    for step in path[1:-1]:
        if step.layer is Layer.LEAP and marked and _inked(file, step):
            yield "lines stay unmarked"


def idle_markers(file: Outline, path: Sequence[PathStep]) -> Iterator[int]:
    """The lines of the sketch that are taken for markers and keep no line that says something."""
    for step, below in zip_longest(path, path[1:]):
        keeps = below is not None and below.layer is Layer.KEEP and _inked(file, below)
        if step.layer is Layer.MARK and step.sketch is not None and not keeps:
            yield step.sketch


def _removing(path: Sequence[PathStep], removing: frozenset[int]) -> Iterator[str]:
    """Comments that say that lines go and are taken for comments of the code."""
    for shows, steps in groupby(path, lambda step: step.layer in (Layer.MATCH, Layer.NEW)):
        if shows and any(_staying(list(steps), removing)):
            yield _STAYS


def _staying(path: Sequence[PathStep], removing: frozenset[int]) -> Iterator[PathStep]:
    return (step for step in path if step.layer in (Layer.MATCH, Layer.NEW) and step.sketch in removing)


def _inked(file: Outline, step: PathStep) -> bool:
    return any(file.ink[row] != BLANK for row in step.lines)


def _carried_along(
    file: Outline, sketch: Outline, text: MergedText, path: Sequence[PathStep]
) -> Iterator[str]:
    """Lines that the sketch shows where they stand, and that move with others of it."""
    for step in path:
        if step.layer is Layer.MATCH and step.sketch is not None and file.ink[step.lines.start] != BLANK:
            shown = sketch.texts[step.sketch]
            if shown == file.texts[step.lines.start] and shown != text.sketch[step.sketch]:
                yield "a line moves that is shown where it stands"
                return


def _next_to_markers(file: Outline, gaps: Iterable[Gap], told: frozenset[int]) -> Iterator[str]:
    """Lines that go and neither a note nor anything new in their place says so, but for those that are `told` to go: by
    name, or as the rests of statements."""
    for run, before, after in gaps:
        silent = all(step.sketch is None for step in run)
        goes = any(file.ink[row] == FULL and row not in told for step in run for row in step.lines)
        if silent and goes and not {Layer.KEEP, Layer.MARK}.isdisjoint((before, after)):
            yield "lines go next to a marker"


def _nothing(written: Written, file: Outline, path: Sequence[PathStep]) -> Iterator[str]:
    """An edit may be applied twice; but one that leaves lines out says something."""
    if written.come or written.gone:
        return
    between = (step for step in path[1:-1] if step.layer is Layer.LEAP)
    if any(_inked(file, step) for step in between):
        yield "nothing changes, though lines are left out"


def _forgotten(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[str]:
    """Definitions that go because the sketch does not show them, where others next to them stay though it does not show
    these either."""

    def heads(layer: Layer) -> set[int]:
        return {row for step in path if step.layer is layer for row in step.lines if row in file.heads}

    shown = set(sketch.heads.values())
    gone = heads(Layer.GONE)
    around = {file.chains[row][:-1] for row in heads(Layer.LEAP)} if gone else set()
    for row in gone:
        if file.chains[row][:-1] in around and file.heads[row] not in shown:
            yield "a definition goes unshown where another stays so"


def _unsaid(file: Outline, sketch: Outline, gaps: Iterable[Gap], inked: Sequence[PathStep]) -> set[int]:
    """The lines that go where the sketch has nothing in their place, and those of imports that it neither shows nor
    hides, where it shows others."""
    silent = (run for run, _, _ in gaps if all(step.sketch is None for step in run))
    found = {row for run in silent for step in run for row in step.lines}
    if sketch.imports:
        imports = {row for statement in imports_of(file) for row in statement}
        found |= {
            row for step in inked if step.layer is Layer.LEAP for row in imports.intersection(step.lines)
        }
    return found


def _names(written: Written, told: Set[int], unsaid: Callable[[], Set[int]]) -> Iterator[str]:
    """Names whose first line went while others use them, and names that nothing uses any more."""
    if written.file.language.prose:
        return
    if not written.gone and not any(is_import(written.new[row]) for row in written.come):
        return
    yield from _of_imports(written, told, unsaid)
    yield from _of_definitions(written)


def _of_imports(written: Written, told: Set[int], unsaid: Callable[[], Set[int]]) -> Iterator[str]:
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
        yield "an import stays and its uses go" if not silent.isdisjoint(idle) else IDLE_AS_SAID
    if any(not now[name] for name in idle):
        yield "an import goes with its uses"
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


def _of_definitions(written: Written) -> Iterator[str]:
    file = written.file
    ranges: dict[int | None, range] = {}
    for row in written.gone:
        head = file.chains[row][-1] if file.chains[row] else None
        if head not in ranges:
            stop = len(file.texts) if head is None else file.block_end(head)
            ranges[head] = range(0 if head is None else head, stop)
    gone = frozenset(written.gone)
    scopes = (_Scope(written, old, gone) for old in ranges.values())
    if any(scope.is_orphan(name) for scope in scopes for name in scope.touched):
        yield "a name loses its first line"


class _Scope:
    """The names of a definition before and after; `old` are its lines in the file."""

    def __init__(self, written: Written, old: range, gone: frozenset[int]) -> None:
        self._written, self._old, self._gone = written, old, gone

    @cached_property
    def touched(self) -> list[str]:
        """The names on its lines that go, in order."""
        rows = [row for row in self._old if row in self._gone]
        return list(dict.fromkeys(word for row in rows for word in words_of(self._written.file.texts[row])))

    @cached_property
    def _before(self) -> dict[str, list[int]]:
        lines, names = self._written.file.texts, self.touched
        return _rows_of(lines, rows_with(lines, names, self._old), names)

    @cached_property
    def _after(self) -> dict[str, list[int]]:
        written, names = self._written, self.touched
        return _rows_of(written.new, written.rows_with(names, written.around(self._old)), names)

    def _is_outside(self, name: str) -> bool:
        """Whether a name stands in the file outside of it too."""
        return is_outside(self._written.file.texts, name, self._old)

    def is_orphan(self, name: str) -> bool:
        """Whether the line that had a name first goes, and a line that stays has it first now without binding it."""
        before, after = self._before[name], self._after[name]
        if before[0] not in self._gone or not after or self._is_outside(name):
            return False
        origin, line = self._written.origins[after[0]], self._written.new[after[0]]
        return origin is not None and not _binds(line, name) and not is_import(line)


def _binds(line: str, name: str) -> bool:
    """Whether a line gives the name its value; `self.name = name` uses it."""
    return target_of(line) == name and name in words_of(line.partition("=")[0])


def _rows_of(lines: Sequence[str], rows: Iterable[int], names: Iterable[str]) -> dict[str, list[int]]:
    """On which of these rows each name stands."""
    found: dict[str, list[int]] = {name: [] for name in names}
    for row in rows:
        for word in words_of(lines[row]):
            if word in found:
                found[word].append(row)
    return found


def _blocks(written: Written) -> Iterator[str]:
    """Lines of the file that leave the block they stood in, whose first line stays."""
    file, new = written.file, written.new
    come = frozenset(written.come)
    for row in written.near:
        origin = written.image_of[row]
        head = None if origin is None else file.parents[origin]
        if head is None or (place := written.image(head)) is None or place >= row:
            continue
        width, level = indent_width(new[place]), file.parts.get(head)
        between = (
            other
            for other in come
            if place < other <= row
            and (indent_width(new[other]) <= width if level is None else file.ends_part(new[other], level))
        )
        if any(
            not (is_closer(new[other]) or file.is_comment(new[other]) or _is_aside(file, new[other].strip()))
            for other in between
        ):
            yield "a line leaves its block"
            return


def _bereft(written: Written) -> Iterator[str]:
    """Lines of the file that stay, while what stood above them and belonged to them goes: a comment, a decorator."""
    file, new = written.file, written.new
    led = -1
    for row in written.lost:
        if row < led:
            continue  # of the same run
        led = file.led_to(row)
        place = written.image(led) if led > row and not file.leads(led) else None
        if place is not None and not (place and file.may_lead(new[place - 1])):
            yield "what belongs to a line that stays goes"
            return


def _beheaded(written: Written) -> Iterator[str]:
    """All comments and strings that the file begins with go, and the text begins with none."""
    heading = written.file.heading
    first = next((line for line in written.new if line.strip()), "")
    if (
        heading
        and not set(heading).difference(written.gone)
        and not Outline([first], language=written.file.language.name).heading
    ):
        yield "what heads the file goes"


def _lines(written: Written) -> Iterator[str]:
    """Lines that stand next to each other now and did not before."""
    new = written.new
    for above, below in written.met:
        one, other = new[above].strip(), new[below].strip()
        level = indent_width(new[above]) == indent_width(new[below])
        if level and _is_left(one) and _is_statement(written.file, other):
            yield "a line is never reached"
        if one == other and any(map(str.isalnum, one)) and not is_closer(one):
            yield "a line stands twice"


def _is_left(line: str) -> bool:
    """Whether a block is left behind this line, which says so alone."""
    code = code_of(line).rstrip()
    return (
        _LEAVES.match(code) is not None
        and not (_GOES_ON.search(code) or _ON_CONDITION.search(code.rpartition(" else ")[2]))
        and code.count("(") == code.count(")")
    )


def _is_statement(file: Outline, line: str) -> bool:
    return not is_closer(line) and (not _is_aside(file, line) or file.is_decorator(line))


def _is_aside(file: Outline, line: str) -> bool:
    """Whether a line is a comment or decorator, or control comes to it from elsewhere: an arm of a statement, a label.
    Where blocks are told by indentation `try:` is a statement."""
    return bool(_ARM.match(line)) or (not file.language.is_indented and bool(_LABEL.match(line)))
