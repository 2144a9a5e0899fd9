"""Where new imports belong: above the code, and below what heads a file (a docstring, a licence, a directive), of which
a sketch that begins with them says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.sketch.lattice import Layer, PathStep
from fastedit.sketch.names import imports_of
from fastedit.sketch.reading import BLANK, Outline, is_import

ABOVE = "an import comes above what heads the file"


def import_rows(file: Outline) -> range:
    """From the first import at the margin to the last one above any definition."""
    first = _first_definition(file)
    found = [rows for rows in imports_of(file) if not file.widths[rows.start] and rows.start < first]
    return range(found[0].start, found[-1].stop) if found else range(0)


def _first_definition(file: Outline) -> int:
    return next(iter(file.heads), len(file.texts))


def is_margin_import(sketch: Outline, line: int) -> bool:
    return not sketch.widths[line] and is_import(sketch.texts[line])


def imports_above(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> int:
    """How many steps of the path put imports above everything in a file whose own imports have something above them,
    and nothing else there."""
    if not file.imports or not any(file.ink[: file.imports[0]]):
        return 0
    count = 0
    while count < len(path) and path[count].layer is Layer.NEW:
        line = path[count].sketch
        assert line is not None
        if sketch.ink[line] != BLANK and not is_import(sketch.texts[line]):
            return 0
        count += 1
    goes_on = count < len(path) and path[count].layer in (Layer.MARK, Layer.LEAP)
    return count if goes_on and any(sketch.ink[step.sketch or 0] for step in path[:count]) else 0


def among_imports(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> list[PathStep] | None:
    """The path with the imports that it puts above everything before the first one of the file instead."""
    count = imports_above(file, sketch, path)
    if not count:
        return None
    first, above = file.imports[0], file.language.first_module
    while first in file.imports and above in file.stripped[first].split():
        first += 1
    below = list(path[count:])
    at = next((at for at, step in enumerate(below) if step.lines), None)
    if at is None or below[at].layer not in (Layer.KEEP, Layer.LEAP) or below[at].lines.stop < first:
        return None
    rest = range(first, below[at].lines.stop)
    below[at : at + 1] = [below[at]._replace(lines=rest)] if rest else []
    new = [step._replace(lines=range(first, first)) for step in path[:count]]
    return [PathStep(Layer.LEAP, None, range(first)), *new, *below]
