"""The hazards themselves: from a file and its functions to a sketch and the one text that it means.

Every maker yields what it can make of a file; what a maker yields says all there is to know to a reader who takes
markers for "what is there stays".
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.outside.hazards.functions import LANGUAGES, Function, functions, moved, pairs, unit
from fastedit.source.outline import indentation

_LONGEST = 40  # rows of a function that a case is made of


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
    def spelled(self) -> dict[str, Any]:
        return LANGUAGES[self.language]

    @property
    def call(self) -> str:
        return str(self.spelled["call"])

    @property
    def known(self) -> Iterator[Function]:
        """The functions whose head nothing else reads like."""
        return (f for f in self.functions if self.told_apart(range(f.start, f.body)))

    def shown(self, function: Function, body: Sequence[str]) -> list[str]:
        """A sketch of the function with this body, up to its end."""
        return [self.marker(), *function.head(self.lines), *body, *function.tail(self.lines)]

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
    for function in file.known:
        body = function.inside(file.lines)
        at = indentation(body[0])
        if _has_docstring(file, body):
            continue
        kind, opening, closing = rng.choice(file.spelled["wraps"])
        after = [at + closing] if closing else []
        if "try" in file.spelled and rng.random() < 0.4:
            kind, (opening, *closers) = "try", file.spelled["try"]
            after = [at + line.replace("    ", step) for line in closers]
        first = [at + step + file.call] if rng.random() < 0.5 else []
        sketch = file.shown(function, [at + opening, *first, file.marker(at + step), *after])
        wanted = [at + opening, *first, *moved(body, step), *after]
        last = [file.marker()] if rng.random() < 0.5 else []
        yield Hazard(
            f"wrap: {kind}",
            [*sketch, *last],
            file.with_rows(function.body, function.end, wanted),
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
    known = set(file.known)
    for above, hidden, below in zip(file.functions, file.functions[1:], file.functions[2:], strict=False):
        # What stands directly above a function may be its attribute, and modules have no class to tell them apart.
        bare = not any(file.lines[f.start - 1].strip() for f in (hidden, below))
        depths = {indentation(file.lines[f.start]) for f in (above, hidden, below)}
        one_class = above.class_row == hidden.class_row == below.class_row and bare and len(depths) == 1
        if not one_class or not re.fullmatch(r"[a-z]\w*", hidden.name) or not {above, below} <= known:
            continue
        name = hidden.name + ("_again" if "_" in hidden.name else "Again")
        text = "\n".join(file.lines[hidden.start : hidden.stop])
        new = re.sub(rf"\b{re.escape(hidden.name)}\b", name, text).split("\n")
        gap = _blanks(file, above.stop)
        if not gap:
            continue
        at, inner = indentation(file.lines[above.start]), indentation(above.inside(file.lines)[0])
        sketch = [*file.shown(above, [file.marker(inner)]), *gap, *new, *gap, file.marker(at), *gap]
        sketch += [*below.head(file.lines), file.marker(inner), *below.tail(file.lines), file.marker()]
        yield Hazard("neighbour", sketch, file.with_rows(above.stop, above.stop, [*gap, *new]))


def twins(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A method of a name that several classes have, under the head of its own class."""
    for function in file.functions:
        row = function.class_row
        others = [f for f in file.functions if f.name == function.name and f.class_row != row]
        if row is None or not others or function.name == "" or not file.told_apart(range(row, row + 1)):
            continue
        new = _with_call(file, function)
        marker = file.marker(indentation(file.lines[function.start]))
        sketch = [file.marker(), file.lines[row], marker, "", *new, "", marker, "", file.marker()]
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
        sketch = file.shown(second, [*changed, file.marker(at)])
        yield Hazard("duplicated block", [*sketch, file.marker()], wanted, old)


def equals(file: File, rng: random.Random) -> Iterator[Hazard]:
    """A marker between two equal lines, the second of which gets a line below it."""
    for function in file.known:
        rows = [row for row in range(function.body, function.end) if file.lines[row].strip()]
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
            sketch = file.shown(function, [*first, line, middle, line, at + file.call, after, *last])
            yield Hazard(
                "equal lines",
                [*sketch, file.marker()],
                file.with_rows(again[0] + 1, again[0] + 1, [at + file.call]),
            )
            break


def guards(file: File, rng: random.Random) -> Iterator[Hazard]:
    """An early return before a marker, in a function that returns something itself."""
    step = unit(file.lines)
    for function in file.known:
        body = function.inside(file.lines)
        if not any(line.strip().startswith("return") for line in body) or _has_docstring(file, body):
            continue
        at = indentation(body[0])
        new = [at + line.replace("    ", step) for line in file.spelled["guard"]]
        sketch = [*file.shown(function, [*new, file.marker(at)]), file.marker()]
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
    for function in file.known if file.language != "python" else ():
        body = function.inside(file.lines)
        if body[-1].strip().startswith(("return", "throw", "}")) or (
            file.language == "rust" and body[-1][-1] != ";"
        ):
            continue
        at = indentation(body[0])
        if indentation(body[-1]) != at:
            continue
        new = at + file.call
        sketch = file.shown(function, [file.marker(at), new])
        yield Hazard(
            "brace alone", [*sketch, file.marker()], file.with_rows(function.end, function.end, [new])
        )


def edges(file: File, rng: random.Random) -> Iterator[Hazard]:
    """One changed function from the middle of a file, without a first or a last marker, or without both."""
    for function in file.known:
        if function in (file.functions[0], file.functions[-1]):
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
    new = [*body[:place], at + file.call, *body[place:]]
    return [*function.head(file.lines), *new, *function.tail(file.lines)]


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
