"""The hazards themselves: from a file and its functions to a sketch and the one text that it means.

Every maker yields what it can make of a file; what a maker yields says all there is to know to a reader who takes
markers for "what is there stays".
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evals.outside.hazards.functions import Function, functions, moved, pairs, unit
from fastedit.source.outline import indentation

_LONGEST = 40  # rows of a function that a case is made of

# What opens and what closes a block around code, and what is called at a place: one of each a language.
_WRAPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "python": (("with", "with registry.lock():", ""), ("if", "if settings.enabled:", "")),
    "javascript": (("if", "if (settings.enabled) {", "}"), ("function", "return guarded(() => {", "});")),
    "typescript": (("if", "if (settings.enabled) {", "}"), ("function", "return guarded(() => {", "});")),
    "tsx": (("if", "if (settings.enabled) {", "}"), ("function", "return guarded(() => {", "});")),
    "go": (("if", "if settings.Enabled {", "}"), ("function", "func() {", "}()")),
    "rust": (("if", "if settings::enabled() {", "}"), ("with", "{ // under the lock", "}")),
    "java": (("if", "if (Settings.isEnabled()) {", "}"), ("with", "synchronized (LOCK) {", "}")),
    "c": (("if", "if (settings_enabled()) {", "}"), ("function", "do {", "} while (0);")),
    "cpp": (("if", "if (settings::enabled()) {", "}"), ("with", "{ // under the lock", "}")),
}
_TRIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "python": ("try:", ("except OSError as error:", "    raise Failure(error) from error")),
    "javascript": ("try {", ("} catch (error) {", "    report(error);", "}")),
    "typescript": ("try {", ("} catch (error) {", "    report(error);", "}")),
    "tsx": ("try {", ("} catch (error) {", "    report(error);", "}")),
    "java": ("try {", ("} catch (RuntimeException error) {", "    report(error);", "}")),
    "cpp": ("try {", ("} catch (const std::exception& error) {", "    report(error);", "}")),
}
_CALLS = {
    "python": "metrics.count('calls')",
    "go": 'metrics.Count("calls")',
    "rust": 'metrics::count("calls");',
    "java": 'Metrics.count("calls");',
    "c": 'metrics_count("calls");',
    "cpp": 'metrics::count("calls");',
}
_GUARDS = {
    "python": ("if disabled():", "    return None"),
    "go": ("if disabled() {", "    panic(errDisabled)", "}"),
    "rust": ("if disabled() {", "    return Default::default();", "}"),
    "java": ("if (isDisabled()) {", '    throw new IllegalStateException("disabled");', "}"),
    "c": ("if (disabled())", "    abort();"),
    "cpp": ("if (disabled()) {", '    throw std::runtime_error("disabled");', "}"),
}


@dataclass(frozen=True, slots=True)
class Hazard:
    """A sketch for a file, and the lines that it means. `loose`: indentation within new blocks is for the eye only."""

    kind: str
    sketch: list[str]
    wanted: list[str]
    old: list[str] | None = None
    loose: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """The lines of a file without their ends, and the functions that are short enough."""

    lines: list[str]
    language: str
    functions: list[Function]

    @classmethod
    def read(cls, text: str, language: str) -> File:
        lines = text.removesuffix("\n").split("\n")
        found = [f for f in functions(lines, language) if f.stop - f.start <= _LONGEST]
        return cls(lines, language, found)

    def marker(self, at: str = "") -> str:
        return f"{at}{'#' if self.language in ('python', 'yaml') else '//'} ... existing code ..."

    @property
    def call(self) -> str:
        return _CALLS.get(self.language, "metrics.count('calls');")

    @property
    def guard(self) -> tuple[str, ...]:
        return _GUARDS.get(self.language, ("if (isDisabled()) {", "    throw new Error('disabled');", "}"))

    def with_rows(self, start: int, stop: int, new: Sequence[str]) -> list[str]:
        return [*self.lines[:start], *new, *self.lines[stop:]]

    def told_apart(self, rows: range) -> bool:
        """Whether nothing else in the file reads like these rows together."""
        wanted = [self.lines[row].strip() for row in rows]
        starts = range(len(self.lines) - len(wanted) + 1)
        return sum([line.strip() for line in self.lines[s : s + len(wanted)]] == wanted for s in starts) == 1


Maker = Callable[[File, random.Random], Iterator[Hazard]]


def wraps(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A new block around a whole body, which a marker stands for."""
    step = unit(file.lines)
    for function in file.functions:
        head, body = function.head(file.lines), function.inside(file.lines)
        at = indentation(body[0])
        if not file.told_apart(range(function.start, function.body)) or _has_docstring(file, body):
            continue
        kind, opening, closing = rng.choice(_WRAPS[file.language])
        after = [at + closing] if closing else []
        if file.language in _TRIES and rng.random() < 0.4:
            kind, (opening, closers) = "try", _TRIES[file.language]
            after = [at + line.replace("    ", step) for line in closers]
        first = [at + step + file.call] if rng.random() < 0.5 else []
        sketch = [file.marker(), *head, at + opening, *first, file.marker(at + step), *after]
        wanted = [*head, at + opening, *first, *moved(body, step), *after, *function.tail(file.lines)]
        last = [file.marker()] if rng.random() < 0.5 else []
        yield Hazard(
            f"wrap: {kind}",
            [*sketch, *function.tail(file.lines), *last],
            file.with_rows(function.start, function.stop, wanted),
            loose=file.language != "python",
        )


def elements(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A new JSX element around the one that a component returns."""
    step = unit(file.lines)
    for start, line in enumerate(file.lines):
        closing = [
            row for row in range(start + 1, len(file.lines)) if file.lines[row] == indentation(line) + ");"
        ]
        if not re.fullmatch(r"\s*return \(", line) or not closing:
            continue
        stop, at = closing[0], indentation(line) + step
        above = max(start - 2, 0)
        if not 3 <= stop - start <= _LONGEST or not file.told_apart(range(above, start + 1)):
            continue
        marker = f"{at}{step}{{/* ... existing code ... */}}"
        opening, ending = f'{at}<Frame title="new">', f"{at}</Frame>"
        shown = file.lines[above : start + 1]
        yield Hazard(
            "wrap: JSX element",
            [file.marker(), *shown, opening, marker, ending, file.lines[stop], file.marker()],
            file.with_rows(start + 1, stop, [opening, *moved(file.lines[start + 1 : stop], step), ending]),
            loose=True,
        )


def keys(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A new YAML key around what another one holds."""
    step = unit(file.lines)
    for row, line in enumerate(file.lines):
        if not re.fullmatch(r"\s*[\w-]+:", line) or file.lines.count(line) > 1:
            continue
        stop = row + 1
        while stop < len(file.lines) and len(indentation(file.lines[stop])) > len(indentation(line)):
            stop += 1
        inner = file.lines[row + 1 : stop]
        if not 2 <= len(inner) <= _LONGEST or any("|" in text or ">" in text for text in inner):
            continue
        at = indentation(inner[0])
        yield Hazard(
            "wrap: YAML key",
            [file.marker(), line, f"{at}defaults:", file.marker(at + step), file.marker()],
            file.with_rows(row + 1, stop, [f"{at}defaults:", *moved(inner, step)]),
        )


def neighbours(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A new function that looks like the next one, a marker, and the one behind that."""
    for above, hidden, below in zip(file.functions, file.functions[1:], file.functions[2:], strict=False):
        # What stands directly above a function may be its attribute, and modules have no class to tell them apart.
        bare = not any(file.lines[f.start - 1].strip() for f in (hidden, below))
        depths = {indentation(file.lines[f.start]) for f in (above, hidden, below)}
        one_class = above.class_row == hidden.class_row == below.class_row and bare and len(depths) == 1
        shown = [range(f.start, f.body) for f in (above, below)]
        if (
            not one_class
            or not re.fullmatch(r"[a-z]\w*", hidden.name)
            or not all(map(file.told_apart, shown))
        ):
            continue
        name = hidden.name + ("_again" if "_" in hidden.name else "Again")
        text = "\n".join(file.lines[hidden.start : hidden.stop])
        new = re.sub(rf"\b{re.escape(hidden.name)}\b", name, text).split("\n")
        gap = _blanks(file, above.stop)
        if not gap:
            continue
        at, inner = indentation(file.lines[above.start]), indentation(above.inside(file.lines)[0])
        sketch = [
            file.marker(),
            *above.head(file.lines),
            file.marker(inner),
            *above.tail(file.lines),
            *gap,
            *new,
        ]
        sketch += [*gap, file.marker(at), *gap, *below.head(file.lines), file.marker(inner)]
        sketch += [*below.tail(file.lines), file.marker()]
        yield Hazard("neighbour", sketch, file.with_rows(above.stop, above.stop, [*gap, *new]))


def twins(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A method of a name that several classes have, under the head of its own class."""
    for function in file.functions:
        row = function.class_row
        others = [f for f in file.functions if f.name == function.name and f.class_row != row]
        if row is None or not others or function.name == "" or not file.told_apart(range(row, row + 1)):
            continue
        new = _with_call(file, function)
        class_head, at = file.lines[row], indentation(file.lines[function.start])
        sketch = [
            file.marker(),
            class_head,
            file.marker(at),
            "",
            *new,
            "",
            file.marker(at),
            "",
            file.marker(),
        ]
        yield Hazard("twin classes", sketch, file.with_rows(function.start, function.stop, new))


def copies(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A change in one of two equal blocks, told by the head of the function that it stands in."""
    for first, second in pairs(file.functions):
        block = first.inside(file.lines)[:3]
        if len(block) < 3 or first.end - first.body < 4 or _has_docstring(file, block):
            continue
        at = indentation(second.inside(file.lines)[0])
        if any(indentation(line) != indentation(block[0]) for line in block) or indentation(block[0]) != at:
            continue
        if not file.told_apart(range(second.start, second.body)) or _has_docstring(
            file, second.inside(file.lines)
        ):
            continue
        old = file.with_rows(second.body, second.body, block)
        changed = [*block[:2], at + file.call, block[2]]
        wanted = [*old[: second.body], *changed, *old[second.body + 3 :]]
        sketch = [
            file.marker(),
            *second.head(file.lines),
            *changed,
            file.marker(at),
            *second.tail(file.lines),
        ]
        yield Hazard("duplicated block", [*sketch, file.marker()], wanted, old)


def equals(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A marker between two equal lines, the second of which gets a line below it."""
    for function in file.functions:
        rows = [row for row in range(function.body, function.end) if file.lines[row].strip()]
        if not file.told_apart(range(function.start, function.body)):
            continue
        for one in rows:
            line = file.lines[one]
            again = [row for row in rows if row > one + 2 and file.lines[row] == line]
            if len(again) != 1 or len(line.strip()) < 4 or _opens(line) or again[0] + 1 >= function.end:
                continue
            after = file.lines[again[0] + 1]
            if not after.strip() or file.lines.count(after) > 1 or indentation(after) != indentation(line):
                continue
            at = indentation(line)
            if not any(file.lines[row].strip() not in ("}", "") for row in range(one + 1, again[0])):
                continue
            middle = file.marker(at)
            first = [] if one == function.body else [file.marker(indentation(file.lines[function.body]))]
            last = [] if again[0] + 2 >= function.end else [file.marker(at)]
            sketch = [
                file.marker(),
                *function.head(file.lines),
                *first,
                line,
                middle,
                line,
                at + file.call,
                after,
            ]
            sketch += [*last, *function.tail(file.lines), file.marker()]
            yield Hazard("equal lines", sketch, file.with_rows(again[0] + 1, again[0] + 1, [at + file.call]))
            break


def guards(file: File, rng: random.Random) -> Iterator[Hazard]:
    """An early return before a marker, in a function that returns something itself."""
    step = unit(file.lines)
    for function in file.functions:
        head, body = function.head(file.lines), function.inside(file.lines)
        returns = any(line.strip().startswith("return") for line in body)
        if (
            not returns
            or _has_docstring(file, body)
            or not file.told_apart(range(function.start, function.body))
        ):
            continue
        at = indentation(body[0])
        new = [at + line.replace("    ", step) for line in file.guard]
        sketch = [file.marker(), *head, *new, file.marker(at), *function.tail(file.lines), file.marker()]
        yield Hazard("early return", sketch, file.with_rows(function.body, function.body, new))


_ENTRY = re.compile(r"(?P<key>\s*(?:[A-Za-z_]\w*|'[^']*'|\"[^\"]*\")): (?P<value>[^,{}()\[\]#/]+),")


def inline(file: File, rng: random.Random) -> Iterator[Hazard]:
    """Markers behind keys, on lines of a table of which one value changes."""
    for row in range(1, len(file.lines) - 3):
        entries = [_ENTRY.fullmatch(file.lines[row + n]) for n in range(3)]
        if not all(entries) or not file.told_apart(range(row - 1, row + 1)):
            continue
        first, second, third = (entry for entry in entries if entry)
        if len({indentation(entry[0]) for entry in (first, second, third)}) > 1 or not _opens(
            file.lines[row - 1]
        ):
            continue
        new = f"{second['key']}: DEFAULTS,"
        sketch = [file.marker(), file.lines[row - 1], f"{first['key']}: {file.marker()}", new]
        sketch += [f"{third['key']}: {file.marker()}", file.marker(indentation(first[0])), file.marker()]
        yield Hazard("inline marker", sketch, file.with_rows(row + 1, row + 2, [new]))


def braces(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A line at the end of a body, with nothing but the closing brace behind it."""
    for function in file.functions:
        if file.language == "python" or not file.told_apart(range(function.start, function.body)):
            continue
        body = function.inside(file.lines)
        if body[-1].strip().startswith(("return", "throw", "}")) or (
            file.language == "rust" and body[-1][-1] != ";"
        ):
            continue
        at = indentation(body[0])
        if indentation(body[-1]) != at:
            continue
        new = at + file.call
        sketch = [file.marker(), *function.head(file.lines), file.marker(at), new, *function.tail(file.lines)]
        yield Hazard(
            "brace alone", [*sketch, file.marker()], file.with_rows(function.end, function.end, [new])
        )


def edges(file: File, rng: random.Random) -> Iterator[Hazard]:
    """One changed function from the middle of a file, without a first or a last marker, or without both."""
    for function in file.functions[1:-1]:
        if not file.told_apart(range(function.start, function.body)):
            continue
        new = _with_call(file, function)
        wanted = file.with_rows(function.start, function.stop, new)
        first, last = rng.choice([(False, False), (True, False), (False, True)])
        sketch = [*([file.marker()] if first else []), *new, *([file.marker()] if last else [])]
        name = "no edge marker" if first == last else "no first marker" if last else "no last marker"
        yield Hazard(name, sketch, wanted)


def margins(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A method, shown at the left margin without its class."""
    for function in file.functions:
        at = indentation(file.lines[function.start])
        same = [f for f in file.functions if f.name == function.name]
        if function.class_row is None or not at or len(same) > 1:
            continue
        new = _with_call(file, function)
        sketch = [line.removeprefix(at) for line in new]
        yield Hazard("margin 0", sketch, file.with_rows(function.start, function.stop, new))


MAKERS: tuple[Maker, ...] = (
    wraps, elements, neighbours, twins, copies, equals, guards, inline, braces, edges, margins,
)  # fmt: skip
# Of files that no grammar reads.
DATA_MAKERS: tuple[Maker, ...] = (keys,)


def _with_call(file: File, function: Function) -> list[str]:
    """The function with one line more, behind its first statement or its docstring's place."""
    body = function.inside(file.lines)
    at = indentation(body[0])
    place = next(
        (n for n, line in enumerate(body[1:], 1) if indentation(line) == at and _begins(line)), len(body)
    )
    if _ends_flow(body[place - 1]):
        place = 0
    return [
        *function.head(file.lines),
        *body[:place],
        at + file.call,
        *body[place:],
        *function.tail(file.lines),
    ]


def _begins(line: str) -> bool:
    """Whether a line at the depth of a body begins a statement and goes on with none."""
    return bool(re.match(r"\s*[A-Za-z_]", line)) and not re.match(
        r"\s*(?:else|elif|except|finally|catch|case)\b", line
    )


def _ends_flow(line: str) -> bool:
    return bool(re.match(r"\s*(?:return|raise|throw|break|continue)\b", line))


def _opens(line: str) -> bool:
    return line.rstrip().endswith(("{", "(", "[", ":", "=>"))


def _has_docstring(file: File, body: Sequence[str]) -> bool:
    return file.language == "python" and body[0].lstrip()[:3].lower().startswith(('"', "'", 'r"', "r'"))


def _blanks(file: File, row: int) -> list[str]:
    """The blank lines from a row on."""
    count = 0
    while row + count < len(file.lines) and not file.lines[row + count].strip():
        count += 1
    return [""] * count
