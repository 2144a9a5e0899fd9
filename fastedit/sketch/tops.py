"""New imports that a sketch begins with: of what heads a file (a docstring, a licence, a directive) it says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.sketch.lattice import Layer, Step
from fastedit.sketch.reading import BLANK, Outline, is_import

ABOVE = "an import comes above what heads the file"


def imports_above(file: Outline, sketch: Outline, path: Sequence[Step]) -> int:
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


def among_imports(file: Outline, sketch: Outline, path: Sequence[Step]) -> list[Step] | None:
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
    return [Step(Layer.LEAP, None, range(first)), *new, *below]
