"""What the fit learns from: a file, a sketch for it, and the one text that the sketch means."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fastedit.errors import UsageError
from fastedit.formats.files.sketches import without_prose
from fastedit.sketch.align import Alignment, shipped
from fastedit.sketch.features.reader import FeatureReader
from fastedit.sketch.paths.lattice import NEVER
from fastedit.sketch.paths.weights import NAMES, Features, SketchWeights
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import Wording
from fastedit.sketch.remarks import without_remarks
from fastedit.sketch.text.merge import Writer
from fastedit.sketch.text.writings import LineChange, StepFlags, said, steps_that_write
from fastedit.source.document import Document
from fastedit.source.outline import indent_width
from fastedit.source.update import Update
from fastedit.train.changes.real import language_in, read_rows
from fastedit.train.merge.places import changes_between
from fastedit.train.merge.ring import log_posteriors, tensors

LONGEST = 1000  # lines of a file: the longest are most of the time and teach nothing that others do not
LONGEST_SKETCH = 150


@dataclass(frozen=True, slots=True)
class Case:
    """`source` is the file that it was read from; cases of one package are held out together. `wording` was fitted on
    other authors' comments. `weight` is how much it counts, `of_signs` where signs are fitted."""

    package: str
    source: str
    language: str
    old: str
    sketch: str
    new: str
    weight: float = 1.0
    of_signs: float = 1.0
    author: str = ""
    wording: Wording = field(default_factory=Wording)

    @property
    def lines(self) -> tuple[str, ...]:
        return _lines(self.old)

    @property
    def update(self) -> Update:
        """The sketch as the merge takes it."""
        return without_remarks(self._read, self.lines, self.wording)[0]

    @property
    def misread(self) -> bool:
        """Whether a comment after code is taken for what it is not, so that no reading of the rest is right. The merge
        knows how likely that is."""
        read, new = self._read, set(map(str.strip, self.new.split("\n")))
        return any(
            remark.left_out is not meant
            for remark in without_remarks(read, self.lines, self.wording)[1]
            if (meant := is_remark(read.texts[remark.row], remark.comment, new)) is not None
        )

    @property
    def _read(self) -> Update:
        return read_update(self.sketch, self.language, self.lines)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case as numbers; `features` and the steps that write its text are tensors."""

    case: Case
    features: Features
    allowed: StepFlags


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """Sketches that somebody wrote, each of the package that its file is of. Raises UsageError."""
    return [
        Case(
            package=row.get("package") or row.get("path", path.name),
            source=path.name.partition(".")[0],
            language=language_in(row),
            old=row["old"],
            sketch=without_prose(
                row["edit"], replace(Document.from_text(row["old"]), language=language_in(row))
            ),
            new=row["new"],
            weight=_number(row, path, "weight"),
            of_signs=_number(row, path, "of_signs"),
            author=row.get("author", ""),
        )
        for path in paths
        for row in read_rows(path, ("old", "edit", "new"))
    ]


def _number(row: dict[str, Any], path: Path, name: str) -> float:
    found: object = row.get(name, 1.0)
    if not isinstance(found, int | float):
        raise UsageError(f"{path}: `{name}` is {found!r}, and no number")
    return found


def prepare(case: Case) -> Prepared | None:
    """None where the file is too long, or no path writes the text."""
    if not fits(case):
        return None
    update = case.update
    reader = FeatureReader(Outline(case.lines, language=case.language), update, case.wording)
    features = reader.features()
    new = _unseparated(case.lines, _lines(case.new))
    steps = _allowed(new, Outline(case.lines, language=case.language), reader.sketch, features)
    prepared = Prepared(case, tensors(features), tensors(steps))
    return prepared if writable(prepared) else _as_told(case, prepared)


def _as_told(case: Case, prepared: Prepared) -> Prepared | None:
    """The steps of the likeliest path where that writes the text: it may tell another change than the shortest."""
    update = case.update
    weights = SketchWeights(shipped().values, case.wording)
    alignment = Alignment(case.lines, update, weights, long=LONGEST)
    best = alignment.best()
    if non_blank(best.text.lines) != non_blank(_lines(case.new)):
        return None
    return replace(prepared, allowed=tensors(alignment.steps(best)))


def fits(case: Case) -> bool:
    """Whether neither file nor sketch is too long to learn from."""
    lines = len(case.update.lines)
    return len(case.lines) <= LONGEST and 0 < lines <= LONGEST_SKETCH


def writable(prepared: Prepared) -> bool:
    """Whether any path writes the text, whatever its score."""
    nothing = torch.zeros(len(NAMES), dtype=torch.float64)
    with torch.no_grad():
        return float(log_posteriors([(prepared.features, prepared.allowed)], nothing[None])) > NEVER / 10


def _allowed(new: Sequence[str], file: Outline, sketch: Outline, features: Features) -> StepFlags:
    """The steps that write this text and no other."""
    written = non_blank(new)
    changes = changes_between(non_blank(file.texts), written)
    text = [line.strip() for line in written]
    moved = _moved(file, new, changes)
    # Whether a marker's lines move in is known unless the line around it may be new or a changed one.
    says = said(Writer(file, sketch), features)
    return steps_that_write(text, changes, file, sketch, features, says, moved, features.enclosed)


def _unseparated(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new lines without the commas that separate them from old ones: `separated` puts these, no path does."""
    found = list(new)
    for kind, i, stop, j, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "replace":
            for one, other in zip(range(i, stop), range(j, last), strict=False):
                if found[other] == f"{old[one]},":
                    found[other] = old[one]
    return found


def _moved(file: Outline, new: Sequence[str], changes: Sequence[LineChange]) -> Any:
    """[n]: the file lines that stay at another depth."""
    rows = [row for row, text in enumerate(file.stripped) if text]
    written = non_blank(new)
    found = np.zeros(len(file.texts), dtype=bool)
    start = more = 0
    for change in (*changes, LineChange(len(rows), len(rows), len(written), len(written))):
        for at in range(start, change.start):
            found[rows[at]] = indent_width(written[at + more]) != file.widths[rows[at]]
        start, more = change.stop, change.last - change.stop
    return found


def held_out(cases: Sequence[Case], share: float, seed: int) -> frozenset[str]:
    """Packages with about this share of the cases."""
    packages = sorted({case.package for case in cases})
    random.Random(seed).shuffle(packages)
    chosen: set[str] = set()
    for package in packages:
        if sum(case.package in chosen for case in cases) >= share * len(cases):
            break
        chosen.add(package)
    return frozenset(chosen)


def is_remark(line: str, comment: str, new: Collection[str]) -> bool | None:
    """Whether the stripped lines of a text have this line of a sketch without the comment after it; None where that
    cannot be told, for they have both or neither."""
    whole = line.strip()
    kept, left_out = whole in new, whole.removesuffix(comment).strip() in new
    return None if kept == left_out else left_out


def non_blank(lines: Sequence[str]) -> list[str]:
    """The lines of a text that say something, without the blanks at their ends."""
    return [line.rstrip() for line in lines if line.strip()]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))
